# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh disable=SC2034,SC2154
# For tests that have read lib.sh: programs in here/bin, by name in $made, whose debug information is in as
# many places as there are, and logs of them.

# What ccache knows was compiled in the directory of an earlier run, which split programs name.
export CCACHE_DISABLE=1

mkdir here here/build here/obj here/bin
cat >here/hot.h <<'END'
static inline __attribute__((always_inline)) unsigned long step(unsigned long v)
{
	return v * 3 + 1;
}
END
cat >here/hot.c <<'END'
#include "hot.h"
volatile unsigned long result;

static __attribute__((noinline)) void inner(unsigned long v)
{
	result += step(v);
}

int main(int argc, char *argv[])
{
	(void)argv;
	for (; argc < 100; argc++)
		inner((unsigned long)argc);
	return 0;
}
END
cd here/build || exit 99
made=
# Debug information in the program, with a part in a file that it shares with another one; in a file
# of its own; nowhere; and split, where paths lead upwards.
if $CC -O1 -g -no-pie -o ../bin/plain ../hot.c 2>cc.err; then
	made=plain
	for kind in linked stripped; do
		cp ../bin/plain ../bin/$kind && made="$made $kind"
		objcopy --only-keep-debug ../bin/plain ../bin/$kind.debug
		strip ../bin/$kind
	done
	(cd ../bin && objcopy --add-gnu-debuglink=linked.debug linked)
	rm -f ../bin/stripped.debug
	cp ../bin/plain ../bin/shared && cp ../bin/plain ../bin/other
	(cd ../bin && dwz -m "$PWD/common" -M "$PWD/common" shared other) 2>/dev/null && made="$made shared"
fi
$CC -O2 -no-pie -o ../bin/another ../hot.c
$CC -O1 -g -no-pie -gsplit-dwarf -c -o ../obj/split.o ../hot.c 2>cc.err &&
	$CC -no-pie -o ../bin/split ../obj/split.o 2>cc.err && made="$made split"
cd "$dir" || exit 99
[ "$made" ] || skip_all "no programs: $(head -n 1 here/build/cc.err)"

# log PROGRAM: samples of every fourth byte of main and what it calls.
log() {
	symbols=here/bin/$1
	case $1 in linked | stripped | bare) symbols=here/bin/plain ;; esac
	echo 'pmc 1 cpu-clock'
	echo "exec 10 $dir/here/bin/$1"
	readelf -lW "here/bin/$1" | awk '$1 == "LOAD" && / R E / { print $3, $6, $2 }' |
		while read -r start length offset; do
			echo "map 10 $start $length $dir/here/bin/$1 off=$offset"
		done
	# Not nm, which knows the machine's own files alone.
	readelf -sW "$symbols" | awk '$4 == "FUNC" && $8 ~ /^main$|^inner$|hold/ { print $2, $3 }' |
		while read -r start size; do
			at=0
			while [ $at -lt "$size" ]; do
				printf 'sample 10 0x%x x%d\n' $((0x$start + at)) $((at % 7 + 1))
				at=$((at + 4))
			done
		done
}
