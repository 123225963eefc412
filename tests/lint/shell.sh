#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Shell scripts pass shellcheck.
set -u
cd "${srcdir:?}" || exit 99
if ! command -v shellcheck >/dev/null 2>&1; then
	echo '1..0 # SKIP no shellcheck'
	exit 0
fi
n=0
failed=0
for script in quickstart autogen.sh .ci/run $(find tests bench contrib -name '*.sh' | sort); do
	n=$((n + 1))
	if out=$(shellcheck -x "$script" 2>&1); then
		echo "ok $n - $script"
	else
		failed=1
		echo "not ok $n - $script"
		echo "$out" | sed 's/^/# /'
	fi
done
echo "1..$n"
exit $failed
