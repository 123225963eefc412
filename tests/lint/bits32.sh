#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# All of it compiles for a 32-bit machine, whose libraries are not needed for that.
set -u
: "${srcdir:?}" "${builddir:?}" "${CC:=cc}"
# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

# The headers of <asm/> are those of x86 in general.
arch=$($CC -print-multiarch 2>/dev/null)
flags="-m32 -fsyntax-only -std=gnu11 -D_GNU_SOURCE -D_FILE_OFFSET_BITS=64 -I$srcdir/src -I$builddir/src
	-I$srcdir/tests/unit -I$srcdir/tests/unit/kernel -I$srcdir -include $builddir/config.h
	${arch:+-idirafter /usr/include/$arch} -Wall -Wextra -Werror
	$(sed -n 's/^[A-Z0-9_]*_CFLAGS = \(-I.*\)/\1/p' "$builddir/Makefile")"

# compile FILE...: what is wrong with them.
compile() {
	# shellcheck disable=SC2086
	$CC $flags "$@" 2>&1
}

printf '#include <stdio.h>\n#include <linux/perf_event.h>\n' >bits32.$$.c
trap 'rm -f bits32.$$.c' EXIT
why=$(compile bits32.$$.c) || skip_all "$CC compiles nothing with -m32: $(printf '%s\n' "$why" | head -n 1)"
parts=$(cd "$srcdir" && find src -name '*.c' ! -path 'src/kdrv/*' | sed 's|/[^/]*$||' | sort -u)
for part in $parts tests/unit tests/tools tests/fuzz; do
	clean "$part compiles for 32 bits" "$(compile "$srcdir/$part"/*.c)"
done
finish
