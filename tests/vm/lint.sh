#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The module's sources, and those of test modules, are clean for checkpatch.pl --strict and sparse; no file of the
# module needs another that needs it in turn; TAP.
set -u
: "${builddir:?}" "${srcdir:?}"
build=$(cd "$builddir" && pwd)/vm srcdir=$(cd "$srcdir" && pwd) || exit 99
# shellcheck source=tests/vm/lib.sh
. "$srcdir/tests/vm/lib.sh"
mkdir -p "$build" || exit 99

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

for program in perl sparse xz; do
	command -v $program >/dev/null 2>&1 || skip_all "$program is missing: apt-get install $program"
done
said=$(sh "$srcdir/tests/vm/fetch.sh" x61 a61 source 2>&1) || skip_all "$(echo "$said" | tail -n 1)"
scripts=$cache/source/scripts
[ -e "$scripts/spelling.txt" ] ||
	tar -x -J -f "$cache"/source/usr/src/linux-source-6.1.tar.xz -C "$cache/source" --strip-components=1 \
		linux-source-6.1/scripts/checkpatch.pl linux-source-6.1/scripts/const_structs.checkpatch \
		linux-source-6.1/scripts/spelling.txt || skip_all 'the source of the kernel cannot be unpacked'

# What is not for a module outside the kernel's tree, whose one header is user space's too and whose errors
# are hwpmc(4)'s.
ignored=LINUX_VERSION_CODE,CONSTANT_COMPARISON,PREFER_KERNEL_TYPES,MACRO_ARG_REUSE,CAMELCASE,ENOSYS
cd "$srcdir" || exit 99
for file in $(find src/kdrv tests/vm/modules -name '*.[ch]' 2>/dev/null | sort); do
	clean "checkpatch: $file" "$(perl "$scripts/checkpatch.pl" --no-tree --strict --terse \
		--no-summary --ignore $ignored --max-line-length=100 --file "$file" 2>&1)"
done
# It leaves a file where it runs.
rm -f .checkpatch-camelcase.*

# circles KERNEL: of what the build for sparse left.
circles() {
	objects=$build/sparse/$1
	[ -e "$objects/src/kdrv/main.o" ] || stop "$objects has no objects"
	kernel_is "$1"
	{
		find src/kdrv -name '*.c' | sed 's/^/source /'
		cd "$objects" && find src/kdrv -name '*.o' -exec "${cross}nm" -A -P -g {} + | LC_ALL=C sort
	} | awk -f tests/lint/circles.awk
}

for kernel in x61 a61; do
	rm -rf "$build/sparse"
	clean "sparse: $kernel" "$(SPARSE=yes sh tests/vm/build-module.sh $kernel "$build/sparse" . 2>&1)"
	clean "no circle in the module: $kernel" "$(circles $kernel 2>&1)"
done
finish
