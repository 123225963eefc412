#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Shell scripts pass shellcheck.
set -u
# shellcheck source=tests/tap.sh
. "${srcdir:?}/tests/tap.sh"
cd "$srcdir" || exit 99
command -v shellcheck >/dev/null 2>&1 || skip_all 'no shellcheck'
for script in quickstart autogen.sh .ci/run $(find tests bench contrib -name '*.sh' | sort); do
	clean "$script" "$(shellcheck -x "$script" 2>&1 || echo "shellcheck says $?")"
done
finish
