#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The installed libraries export what their .sym files list and nothing else.
set -u
: "${srcdir:?}" "${builddir:?}"
failed=0
n=0
for lib in pmc pmclog; do
	n=$((n + 1))
	so=$builddir/.libs/lib$lib.so
	if [ ! -e "$so" ]; then
		echo "ok $n - lib$lib exports its API # SKIP no shared library was built"
		continue
	fi
	want=$(sort "$srcdir/src/$lib/lib$lib.sym")
	got=$(nm -D --defined-only "$so" | awk '$2 ~ /[TDBRW]/ { print $3 }' | grep -v '^_' | sort)
	if [ "$want" = "$got" ]; then
		echo "ok $n - lib$lib exports its API and nothing else"
	else
		failed=1
		echo "not ok $n - lib$lib exports its API and nothing else"
		echo "# wanted:" "$want"
		echo "# exported:" "$got"
	fi
done
echo "1..$n"
exit $failed
