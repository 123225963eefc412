#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The installed libraries export what their .sym files list and nothing else, and the package of Debian
# knows since when.
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
	# A stanza of dpkg-gensymbols(1) for each library.
	listed=$(awk -v so="lib$lib.so.0" '/^[^ *]/ { here = $1 == so } here && sub(/@.*/, "") { print $1 }' \
		"$srcdir/contrib/debian/libpmc0.symbols" | sort)
	clean "contrib/debian/libpmc0.symbols has them" "$([ "$want" = "$listed" ] ||
		echo "lib$lib.sym: $want
listed: $listed")"
done
finish
