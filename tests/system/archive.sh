#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# --archive of real programs: with all the originals gone, every report made below the unpacked root
# is byte for byte the one that was made of them; and a file that is not the same any more is an error.
# shellcheck source=tests/system/lib.sh
. "${srcdir:?}/tests/system/lib.sh"

for tool in "${CC%% *}" nm objcopy readelf strip tar; do
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
	[ "$1" != linked ] && [ "$1" != stripped ] || symbols=here/bin/plain
	echo 'pmc 1 cpu-clock'
	echo "exec 10 $dir/here/bin/$1"
	readelf -lW "here/bin/$1" | awk '$1 == "LOAD" && / R E / { print $3, $6, $2 }' |
		while read -r start length offset; do
			echo "map 10 $start $length $dir/here/bin/$1 off=$offset"
		done
	nm -S "$symbols" | awk '$4 == "main" || $4 == "inner" { print $1, $2 }' |
		while read -r start size; do
			at=0
			while [ $at -lt $((0x$size)) ]; do
				printf 'sample 10 0x%x x%d\n' $((0x$start + at)) $((at % 7 + 1))
				at=$((at + 4))
			done
		done
}

# reports LOG OPTION...: all that readers of it might want, and what is said beside.
reports() {
	for output in --overview --flat --tree --folded --flamegraph --json '--callers inner' \
		'--annotate main --asm' '--annotate inner' '--html - --html-sources' '-F -' '-a -' '-m -' \
		'--flat --inlines' '-G -' '--speedscope -' '--firefox -'; do
		echo "== $output"
		# shellcheck disable=SC2086
		pmcstat -R "$@" $output 2>&1
	done
}

for program in $made; do
	log "$program" | mklog "$program.log" || exit 99
	reports "$program.log" >"$program.there"
	pmcstat -q -R "$program.log" --archive "$program.tar" --archive-sources >"$program.said" 2>&1
	is "$program: all was there" "$(cat "$program.said")" ''
	is "$program: names are relative, and none leads upwards" \
		"$(tar tf "$program.tar" 2>&1 | grep -e '^/' -e '\.\.')" ''
done
like 'there is something to see' "$(cat plain.there)" 'step'

# The first of two archives is read by someone who changes or takes away what both are of.
# meanwhile COMMAND: what is said, and the status.
meanwhile() {
	cp here/bin/plain here/bin/big && head -c 1000000 /dev/zero >>here/bin/big
	{
		head -c 512 && eval "$1" && cat
	} <pipe >/dev/null &
	pmcstat -q -R big.log --archive pipe --archive second.tar 2>&1
	echo "status $?"
	wait
}
mkfifo pipe && cp here/bin/plain here/bin/big && log big | mklog big.log || exit 99
is 'a file that changes while it is read is an error' "$(meanwhile 'echo >>here/bin/big')" \
	"pmcstat: $dir/here/bin/big changed while it was read
status 74"
is 'one that is cut short, too' "$(meanwhile ': >here/bin/big')" \
	"pmcstat: $dir/here/bin/big changed while it was read
status 74"
is 'one that is taken away, or made anew, too' "$(meanwhile 'rm here/bin/big')
$(meanwhile 'cp --remove-destination here/bin/another here/bin/big')" \
	"pmcstat: cannot open $dir/here/bin/big: No such file or directory
status 66
pmcstat: $dir/here/bin/big was replaced while it was in use
status 65"
is 'no half of an archive stays' "$([ ! -e second.tar ] || echo there)" ''

mv here gone
for program in $made; do
	rm -rf root && mkdir root && tar xf "$program.tar" -C root
	# Only sentences on files name them with the root that they lie below.
	reports "$program.log" -r root | sed "s|root$dir|$dir|g" >"$program.here"
	equal "$program: every report is the same" "$program.here" "$program.there"
done
case $made in
*split*)
	rm -rf root && mkdir root && tar xf split.tar -C root && rm "root$dir"/here/obj/*.dwo
	reports split.log -r root >split.here 2>&1
	is 'split: not so without its .dwo' "$(cmp -s split.here split.there && echo same)" ''
	;;
esac
case $made in
*shared*)
	rm -rf root && mkdir root && tar xf shared.tar -C root && rm -r root/usr
	reports shared.log -r root >shared.here 2>&1
	is 'shared: not so without what it shares' "$(cmp -s shared.here shared.there && echo same)" ''
	;;
esac

pmcstat -q -R plain.log --archive none.tar >said 2>&1
like 'what is gone is said' "$(cat said)" '^pmcstat: none.tar: without 1 file that samples are in:$'
is 'and no member' "$(tar tf none.tar)" ''
finish
