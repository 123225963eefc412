#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# pmclog convert and what perf record writes: compressed records, and beside perf's own report of the same file.
# shellcheck source=tests/system/lib.sh
. "${srcdir:?}/tests/system/lib.sh"

# ---- Compressed records, where this build has libzstd.

# samples COUNT [FROM [STEP]]: mkperf's words for so many.
samples() {
	awk -v n="$1" -v time="${2:-1}" -v step="${3:-1}" 'BEGIN {
		for (i = 0; i < n; i++) { printf "sample 7 u 0x1010 time=%d\n", time; time += step } }'
}
event='event cpu-clock hz=99 sample=ip,tid,time,cpu'
{ echo "$event" && samples 3000; } | mkperf plain.data
pmclog convert plain.data >plain.log
{ echo "$event" && echo pack && samples 1500 && echo packed && echo pack && samples 1500 1501 && echo packed; } |
	mkperf packed.data 2>err
status=$?
if [ $status = 0 ] && pmclog convert packed.data >packed.log 2>err; then
	equal 'compressed records are as others' packed.log plain.log
	is 'all of them' "$(pmclog check packed.log)" 'packed.log: 3004 records, 3000 samples, closed'

	# More of a record than fits into what it is unpacked into.
	{ echo "$event" && echo pack && samples 100000 1 0 && echo packed; } | mkperf large.data
	is 'a record that unpacks to megabytes' "$(pmclog convert large.data | pmclog check)" \
		'-: 100004 records, 100000 samples, closed'

	# Time runs backwards through 40 MB, and only as much is kept as the file's size allows.
	{ echo "$event" && for i in 8 7 6 5 4 3 2 1; do
		echo pack && samples 100000 $i 0 && echo packed; done; } | mkperf late.data
	like 'what cannot be sorted in bounded memory is told' "$(pmclog convert late.data 2>&1 >late.log)" \
		'^pmclog: late.data: [0-9]+ records came when later ones had been written'
	is 'and nothing is lost' "$(pmclog check late.log)" 'late.log: 800004 records, 800000 samples, closed'
	# small COMMAND...: with an address space of 150 MB, a limit that dash, bash and busybox know.
	small() (
		# shellcheck disable=SC3045
		ulimit -v 150000 && "$@"
	)
	if small pmclog convert plain.data >small.log 2>/dev/null; then
		is 'memory is' "$(small pmclog convert late.data 2>/dev/null | pmclog check)" \
			'-: 800004 records, 800000 samples, closed'
	else
		skip 'memory is' 'this build needs more address space by itself'
	fi

	{ echo "$event" && echo pack && samples 10 && echo packed && echo poke 256 u32:77; } | mkperf bad.data
	is 'damage is told' "$(pmclog convert bad.data 2>&1 >bad.log)" \
		'pmclog: bad.data: record at 0xf8: cannot be unpacked: Unknown frame descriptor'
	{ echo "$event" && echo pack && samples 2 && echo packed && echo record 81; } | mkperf bad.data
	is 'an empty one is nothing' "$(pmclog convert bad.data 2>&1 | pmclog check)" '-: 6 records, 2 samples, closed'
elif [ $status = 0 ]; then
	is 'without libzstd' "$(cat err)" "pmclog: packed.data: record at 0xf8: it is packed by zstd, which this pmcstat was built without
pmclog: hint: perf inject -i FILE -o OTHER writes it unpacked"
else
	skip 'compressed records' "$(cat err)"
fi

# ---- Beside perf.

if ! command -v perf >/dev/null 2>&1; then
	skip 'beside perf' 'no perf'
	finish
fi
cat >work.c <<'END'
volatile unsigned long sum;
#define FUNCTION static __attribute__((noinline, noclone)) void
FUNCTION leaf(unsigned int n) { while (n--) sum += n; }
FUNCTION other(unsigned int n) { while (n--) sum ^= n; }
FUNCTION middle(unsigned int n) { leaf(n); other(n / 2); sum++; }
FUNCTION top(unsigned int n) { middle(n); leaf(n / 4); sum++; }
int main(void) { for (unsigned int i = 0; i < 400; i++) top(500000); return 0; }
END
build() {
	$CC -O2 -g -fno-inline -fno-optimize-sibling-calls "$1" -o "$2" work.c
}
if ! build -fno-omit-frame-pointer with-fp || ! build -fomit-frame-pointer without-fp; then
	skip 'beside perf' 'no C compiler'
	finish
fi

# beside NAME PROGRAM OPTION...: a recording, perf's samples of each function by itself and with its callees,
# and ours.
beside() {
	name=$1 program=$2
	shift 2
	# -B -N: some versions of perf crash where they look for the build-id of a program that has none.
	if ! perf record -q -B -N -F 999 -e cpu-clock:u "$@" -o "$name.data" "./$program" 2>perf.err ||
		! perf script -i "$name.data" -F ip,sym >"$name.script" 2>perf.err ||
		! perf script -i "$name.data" -F time >"$name.times" 2>perf.err; then
		skip "$name" "perf failed: $(head -n 1 perf.err)"
		rm -f "$name.data"
		return 1
	fi
	pmclog convert "$name.data" >"$name.log" 2>"$name.err"
	pmcstat -q -R "$name.log" --flat -f threshold=0 >"$name.flat"
	awk '
		NF == 0 { first = 1; for (f in seen) delete seen[f]; next }
		{ f = $2; if (first || NR == 1) self[f]++; first = 0
		  if (!(f in seen)) { total[f]++; seen[f] = 1 } }
		END { for (f in total) if (f ~ /^(leaf|other|middle|top|main)$/) print f, self[f] + 0, total[f] }' "$name.script" |
		sort >"$name.theirs"
	awk '$5 ~ /^(leaf|other|middle|top|main)$/ { print $5, $2, $4 }' "$name.flat" | sort >"$name.ours"
	equal "$name: samples of functions are perf's, to the sample" "$name.ours" "$name.theirs"
	is "$name: as many in all" "$(pmclog info "$name.log" | sed -n 's/^pmc .* \([0-9]*\) samples/\1/p')" \
		"$(grep -c . "$name.times")"
	# A frame pointer passes over the caller of what has no frame.
	like "$name: its functions" "$(wc -l <"$name.ours")" '^ *[45]$'
}
beside fp with-fp --call-graph fp
beside dwarf without-fp --call-graph dwarf &&
	like 'dwarf: whole chains' "$(pmcstat -R dwarf.log --flat 2>&1)" 'whole chains .*\((9[89]\..*|100.00)%\)'
beside packed with-fp --call-graph fp -z
perf record -q -B -N -F 999 -e cpu-clock:u,page-faults:u -g -o - ./with-fp 2>/dev/null >piped.data &&
	like 'piped: two events' "$(pmclog convert <piped.data 2>/dev/null | pmclog info)" 'cpu-clock.*, 999 Hz, [1-9]'

# What is not there any more is not unwound by another file's rules.
if [ -s dwarf.data ]; then
	mv without-fp gone && cp with-fp without-fp
	pmclog convert dwarf.data >gone.log 2>err
	like 'a program that is another by now is told' "$(cat err)" \
		'^pmclog: dwarf.data: 1 files that stacks lead through are not here or are others, .*/without-fp first'
	is 'its samples are kept' "$(pmclog check gone.log | sed 's/.*records, //')" \
		"$(pmclog check dwarf.log | sed 's/.*records, //')"
fi
finish
