#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# programs.sh ARCHITECTURE BUILD	builds what runs in a test machine into BUILD/ARCHITECTURE/bin
#
# Our own programs, those of $builddir for amd64 and cross-built ones for arm64 (without the optional
# libraries, static, and with them the tests of unwinding that depend on the machine), and
# tests/vm/programs/*.c, which find our headers and libpmc; some of these also as 32-bit programs, NAME32,
# where there is a compiler for them.
set -u
# shellcheck source=tests/vm/lib.sh
. "$(dirname "$0")/lib.sh"
[ $# -eq 2 ] || stop 'usage: programs.sh amd64|arm64 BUILD'
arch=$1
tree=$(cd "$(dirname "$0")/../.." && pwd)
mkdir -p "$2/$arch/bin" && into=$(cd "$2/$arch" && pwd) || exit 1
log=$into/build.log
: >"$log"

# logged SENTENCE COMMAND...
logged() {
	sentence=$1
	shift
	"$@" >>"$log" 2>&1 </dev/null || {
		tail -n 20 "$log" >&2
		stop "$sentence ($log)"
	}
}

cross_build() {
	needs aarch64-linux-gnu-gcc 'gcc-aarch64-linux-gnu libc6-dev-arm64-cross'
	root=$cache/arm64/usr
	[ -e "$cache/done-arm64" ] || stop 'the libraries of arm64 are not there: tests/vm/fetch.sh arm64'
	build=$into/made
	mkdir -p "$build" && cd "$build" || exit 1
	[ -n "$(find config.status -newer "$tree/configure" 2>/dev/null)" ] || (
		for library in LIBELF:elf ZLIB:z NCURSES:'ncursesw -ltinfo'; do
			export "${library%:*}_CFLAGS=-I$root/include"
			export "${library%:*}_LIBS=-L$root/lib/aarch64-linux-gnu -l${library#*:}"
		done
		logged 'the programs for arm64 cannot be configured' "$tree/configure" -q \
			--host=aarch64-linux-gnu CC=aarch64-linux-gnu-gcc --disable-shared \
			--without-capstone --without-zstd --without-lzma --without-debuginfod \
			ac_cv_header_libiberty_demangle_h=no ac_cv_header_perfmon_pfmlib_perf_event_h=no \
			ac_cv_prog_PROTOC_C= CFLAGS='-O2 -g -fno-omit-frame-pointer'
	) || exit 1
	# shellcheck disable=SC2086
	logged 'the programs for arm64 do not build' make -s LDFLAGS=-all-static pmcstat pmccontrol pmclog $unwinding
	gcc=aarch64-linux-gnu-gcc
}

# What tests/system/unwind.sh and jit.sh build for their own machine; return addresses are signed.
unwound() {
	set -- -O2 -g -fomit-frame-pointer -fno-optimize-sibling-calls -mbranch-protection=standard -pthread
	system=$tree/tests/system
	assembly=$system/walked_asm.S
	logged 'called.c does not build' $gcc "$@" -o "$into/bin/called" "$system/called.c" "$assembly"
	logged 'strip fails' aarch64-linux-gnu-strip -o "$into/bin/called_bare" "$into/bin/called"
	logged 'called.c does not build without .eh_frame_hdr' $gcc "$@" -Wl,--no-eh-frame-hdr \
		-o "$into/bin/called_nohdr" "$system/called.c" "$assembly"
	logged 'called.c does not build with frame pointers' $gcc "$@" -O0 -fno-omit-frame-pointer \
		-o "$into/bin/called_other" "$system/called.c" "$assembly"
	logged 'called_lib.c does not build' $gcc "$@" -shared -fPIC -Wl,-z,lazy \
		-o "$into/bin/called_lib.so" "$system/called_lib.c"
	rm -f "$into/bin/thrower"
	! command -v aarch64-linux-gnu-g++ >/dev/null ||
		logged 'walked.cc does not build' aarch64-linux-gnu-g++ "$@" -o "$into/bin/thrower" "$system/walked.cc"
	logged 'jit.c does not build' $gcc -O1 -g -fno-omit-frame-pointer -o "$into/bin/jit" "$system/jit.c"
	for program in $unwinding; do
		logged 'copying failed' cp -p "$build/$program" "$into/bin"
	done
}
# What counts the CPU's own counters, for a machine without a compiler.
counted() {
	logged 'loop.c does not build' $gcc -O1 -static -nostdlib -fno-stack-protector -o "$into/bin/loop" \
		"$tree/tests/system/loop.c"
	mkdir -p "$into/bin/tests/system"
	logged 'copying failed' cp "$tree/tests/tap.sh" "$into/bin/tests"
	logged 'copying failed' cp "$tree/tests/system/lib.sh" "$tree/tests/system/pmu.sh" "$into/bin/tests/system"
}
unwinding='tests/unit/test_perf_unwind tests/unit/test_perf_spaces tests/unit/test_unwind_arm64'

case $arch in
amd64)
	build=${builddir:-.}
	build=$(cd "$build" && pwd) || exit 1
	gcc=gcc
	# The package that links asm/ to where it is looked for excludes cross compilers.
	gcc32="gcc -m32 -idirafter /usr/include/x86_64-linux-gnu"
	;;
arm64)
	cross_build
	gcc32='arm-linux-gnueabihf-gcc'
	;;
*) stop "$arch: no such architecture" ;;
esac
for program in pmcstat pmccontrol pmclog; do
	[ -x "$build/$program" ] || stop "$build/$program is not built"
	logged 'copying failed' cp -p "$build/$program" "$into/bin"
done

set -- -O1 -g -fno-omit-frame-pointer -pthread -Wall -Wextra -Werror -D_GNU_SOURCE -I"$tree/src"
for source in "$tree"/tests/vm/programs/*.c; do
	[ -e "$source" ] || continue
	program=$into/bin/$(basename "$source" .c)
	if grep -qE '^#include "(pmc|pmclog|base)/' "$source"; then
		logged "$source does not build" $gcc "$@" -c -o "$program.o" "$source"
		cd "$build" || exit 1
		logged "$source does not link" ./libtool --quiet --tag=CC --mode=link $gcc -pthread \
			-o "$program" "$program.o" libpmcpart.la
		rm "$program.o"
	else
		logged "$source does not build" $gcc "$@" -o "$program" "$source"
	fi
done

logged 'spin.c does not build with its code first' $gcc "$@" -fPIE -pie -Wl,-z,noseparate-code \
	-o "$into/bin/codefirst" "$tree/tests/vm/programs/spin.c"

if [ "$arch" = arm64 ]; then
	unwound
	counted
fi

echo 'int main(void) { return 0; }' >"$into/empty.c"
# shellcheck disable=SC2086
if $gcc32 -static -o "$into/empty" "$into/empty.c" >>"$log" 2>&1; then
	for program in chain hwpmcctl; do
		logged "$program does not build for 32 bits" \
			$gcc32 "$@" -static -o "$into/bin/${program}32" "$tree/tests/vm/programs/$program.c"
	done
fi
