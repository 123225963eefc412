#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The installed libraries export what their .sym files list and nothing else.
set -u
: "${builddir:?}"
# shellcheck source=tests/tap.sh
. "${srcdir:?}/tests/tap.sh"
for lib in pmc pmclog; do
	so=$builddir/.libs/lib$lib.so
	if [ ! -e "$so" ]; then
		skip "lib$lib exports its API" 'no shared library was built'
		continue
	fi
	want=$(sort "$srcdir/src/$lib/lib$lib.sym")
	got=$(nm -D --defined-only "$so" | awk '$2 ~ /[TDBRW]/ { print $3 }' | grep -v '^_' | sort)
	clean "lib$lib exports its API and nothing else" "$([ "$want" = "$got" ] ||
		echo "wanted: $want
exported: $got")"
done
finish
