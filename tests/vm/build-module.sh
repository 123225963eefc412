#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# build-module.sh KERNEL BUILD [TREE]	builds src/kdrv and tests/vm/modules of the source TREE (that of
#					this script) for KERNEL into BUILD/KERNEL; the modules are then
#					BUILD/KERNEL/*.ko
#
# Sources are copied: nothing is written to the tree.  Warnings are errors, also sparse's where SPARSE is
# set in the environment.
set -u
# shellcheck source=tests/vm/lib.sh
. "$(dirname "$0")/lib.sh"
[ $# -ge 2 ] || stop 'usage: build-module.sh KERNEL BUILD [TREE]'
kernel_is "$1"
tree=$(cd "${3:-$(dirname "$0")/../..}" && pwd) || exit 1
mkdir -p "$2/$1" && into=$(cd "$2/$1" && pwd) || exit 1
needs make make
needs "${cross}gcc" "gcc${cross:+-aarch64-linux-gnu}"

# copied DIRECTORY: its files as they are in the tree; what kbuild made of the same ones stays.
copied() {
	mkdir -p "$into/$1" || exit 1
	find "$into/$1" -name '*.[chS]' ! -name '*.mod.c' -exec rm {} +
	cp -p -R "$tree/$1/." "$into/$1" || exit 1
}

# What the kernel's compiler can and an older one here cannot: -fmin-function-alignment came with gcc 14.
without=
"${cross}gcc" -fmin-function-alignment=16 -E -x c /dev/null >/dev/null 2>&1 ||
	without=CONFIG_CC_HAS_MIN_FUNCTION_ALIGNMENT=

# built DIRECTORY SYMBOLS
built() {
	log=$into/build.log
	if ! make -C "$kernel/headers" M="$into/$1" ARCH="$karch" CROSS_COMPILE="$cross" \
		CC="${cross}gcc" CONFIG_DEBUG_INFO_BTF_MODULES= $without KCFLAGS=-Werror \
		KBUILD_EXTRA_SYMBOLS="$2" ${SPARSE:+C=2} modules >"$log" 2>&1 ||
		grep -vE 'the compiler differs|pahole version differs|^[^ ]*/linux-headers-' "$log" | grep -qiE '(^|: )(warning|error):'; then
		grep -iE '(^|: )(warning|error):' "$log" >&2 || tail -n 20 "$log" >&2
		stop "$1 does not build for $name ($log)"
	fi
	find "$into/$1" -name '*.ko' -exec cp -p {} "$into" \;
}

name=$1
rm -f "$into"/*.ko
for directory in src/pmclog src/kdrv tests/vm/modules; do
	[ ! -d "$tree/$directory" ] || copied "$directory"
done
[ -e "$into/src/kdrv/Kbuild" ] || [ -e "$into/src/kdrv/Makefile" ] ||
	stop "$tree/src/kdrv has no Kbuild"
built src/kdrv ''
[ ! -d "$into/tests/vm/modules" ] || built tests/vm/modules "$into/src/kdrv/Module.symvers"
