#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# --pack of real programs: with the programs and their debug files gone, every report of the packed log
# is byte for byte the one that was made of them.
# shellcheck source=tests/system/lib.sh
. "${srcdir:?}/tests/system/lib.sh"

for tool in "${CC%% *}" nm objcopy readelf strip; do
	command -v "$tool" >/dev/null || skip_all "no $tool"
done

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
cat >here/cpp.cc <<'END'
volatile unsigned long result;
namespace outer {
struct counter {
	static inline __attribute__((always_inline)) unsigned long twice(unsigned long v) { return 2 * v; }
	static __attribute__((noinline)) void hold(unsigned long v) { result += twice(v); }
};
}
extern "C" __attribute__((noinline)) void inner(unsigned long v) { outer::counter::hold(v); result++; }
int main(int argc, char **)
{
	for (; argc < 100; argc++)
		inner(argc);
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
${CXX:-c++} -O1 -g -no-pie -o ../bin/cpp ../cpp.cc 2>cc.err && made="$made cpp"
# Without any symbol: functions have only the bounds that unwind data gives.
cp ../bin/plain ../bin/bare && strip -s ../bin/bare && made="$made bare"
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
	nm -S "$symbols" | awk '$4 == "main" || $4 == "inner" || $4 ~ /hold/ { print $1, $2 }' |
		while read -r start size; do
			at=0
			while [ $at -lt $((0x$size)) ]; do
				printf 'sample 10 0x%x x%d\n' $((0x$start + at)) $((at % 7 + 1))
				at=$((at + 4))
			done
		done
}

# reports LOG NAME: all that readers of it might want, and what is said beside, in NAME.
reports() {
	for output in --overview --flat --tree --folded --flamegraph --icicle --json '--callers inner' '--callees inner' \
		'--annotate main --asm' '--annotate inner' '--annotate inner --asm' '--html - --html-sources' '-F -' '-a -' \
		'-m -' '--flat --inlines' '--flat -I' '--folded --no-demangle' '--tree --full-names' '-G -' '--speedscope -' \
		'--firefox -' '--process-tree -' '--pprof -'; do
		echo "== $output"
		# shellcheck disable=SC2086
		pmcstat -R "$1" $output 2>&1
	done >"$2"
	rm -rf gmon && mkdir gmon && pmcstat -q -R "$1" -g -D gmon -M - >>"$2" 2>&1 && find gmon -type f | sort |
		xargs cat >>"$2"
}

for program in $made; do
	{ log "$program" && echo close; } | mklog there.log || exit 99
	reports there.log "$program.there"
	pmcstat -q -R there.log --pack "$program.log" >"$program.said" 2>&1
	is "$program: nothing is said" "$(cat "$program.said")" ''
	like "$program: the log is sound for FreeBSD, too" "$(pmclog check --freebsd "$program.log" 2>&1)" 'read all of it$'
done
like 'there is something to see' "$(cat plain.there)" 'step'
like 'names of C++, too' "$(cat cpp.there)" 'outer::counter::hold'

mv here/bin here/gone-bin && mv here/obj here/gone-obj
for program in $made; do
	cp "$program.log" there.log
	reports there.log "$program.here"
	equal "$program: every report is the same" "$program.here" "$program.there"
	pmcstat -q -R there.log --pack again.log
	equal "$program: what is packed again is, too" again.log "$program.log"
	pmclog compress "$program.log" there.log
	reports there.log "$program.packed"
	equal "$program: and that of a compressed one" "$program.packed" "$program.there"
done
finish
