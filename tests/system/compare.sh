#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Real recordings of a program before and after known changes: those are found, and nothing between
# two recordings of the same program.  What flamegraph.pl's difffolded.pl writes is what --folded does.
# shellcheck source=tests/system/lib.sh
. "${srcdir:?}/tests/system/lib.sh"
mkdir old new || exit 99
cat >prog.c <<'EOT'
#include <stdlib.h>
volatile unsigned long x;
#define WORK __attribute__((noinline)) static void
/* In a register: how fast a CPU forwards what it has just stored differs from run to run. */
#define TIMES(n, step)                           \
	unsigned long v = x;                     \
	while (n--) {                            \
		v = step;                        \
		__asm__ volatile("" : "+r"(v)); \
	}                                        \
	x = v;
WORK hash(int n) { TIMES(n, v * 31 + 7) __asm__ volatile(""); }
WORK parse(int n) { TIMES(n, v * 37 ^ 5) __asm__ volatile(""); }
WORK side(int n) { TIMES(n, v * 43 - 3) __asm__ volatile(""); }
WORK lookup(int n) { hash(n); __asm__ volatile(""); }
int main(int argc, char **argv)
{
	int i, part;

	for (i = argc > 1 ? atoi(argv[1]) : 0; i > 0; i--) {
		/* Rounds of one length could be in step with the samples, which then see the same of each. */
		part = 50 + i * 37 % 101;
		parse(1000 * part);
		lookup(HASH / 100 * part);
		SIDE(600 * part);
	}
	return 0;
}
EOT
# build PROGRAM DEFINITION...
build() {
	out=$1
	shift
	${CC:-cc} -O1 -fno-omit-frame-pointer -fno-optimize-sibling-calls -fno-inline "$@" prog.c \
		-o "$out" 2>cc.err
}
if ! build old/prog -DHASH=50000 -DSIDE=side ||
	! build new/prog -DHASH=250000 -Dside=cache -DSIDE=cache; then
	skip_all "no C compiler: $(head -n 1 cc.err)"
fi
# record LOG PROGRAM: about two seconds of it.
record() {
	pmcstat -q -n 1000000 -P cpu-clock -O "$1" -- "$2" 3000 2>record.err
}
if ! record old.log old/prog; then
	skip_all "no recording: $(head -n 1 record.err)"
fi
record again.log old/prog && record new.log new/prog || exit 99
pmcstat -q -R new.log --diff old.log --changes=changes --folded=folded --flamegraph=changes.svg ||
	exit 99
pmcstat -q -R again.log --diff old.log >again.changes || exit 99
sed -n '/own/,/^$/p' changes >own

# sign FUNCTION: of its real change, by its own samples.
sign() {
	awk -v f="$1" '$3 == "real" && $8 == f { print substr($1, 1, 1) }' own
}
is 'what takes longer has grown' "$(sign hash)" +
is 'what is new has' "$(sign cache)" +
is 'what is gone has shrunk to nothing' \
	"$(awk '$3 == "real" && $8 == "side" { print substr($1, 1, 1) $5 }' own)" -0.00
is 'the share of what stayed the same shrinks' "$(sign parse)" -
is 'its number of samples does not' "$(awk '$8 == "parse" && $7 > 0.4 * $6 && $7 < 2.5 * $6 {
	print "so" }' own)" so
# A compiler may leave leaves without a frame, which hides their callers.
is 'the path of the change is named' "$(grep -c '^ *+.* real .*main;.*hash$' changes)" 1
# A busy machine may slow functions down unequally, but not by what is sought here.
is 'two recordings of one program have no such change' \
	"$(awk '$3 == "real" && ($1 > 10 || $1 < -10)' again.changes)" ''
# Both columns add up to what each log says alone.
sums=$(awk '{ base += $(NF - 1); now += $NF } END { print base, now }' folded)
alone=$(for log in old new; do
	pmcstat -q -R $log.log --folded | awk '{ n += $NF } END { printf "%d ", n }'
done)
is 'both columns of folded chains add up' "$sums " "$alone"
is 'a frame that grew is red' \
	"$(grep '<title>hash ' changes.svg | grep -c 'fill="hsl(8,')" 1
is 'what is gone is told' "$(grep -c 'not visible: [1-9]' changes.svg)" 1
[ $failed = 0 ] || sed 's/^/# /' changes again.changes
finish
