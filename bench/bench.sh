#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Speeds, printed beside those of FORMATS: parsing and reporting two synthetic logs of 5,000,000
# samples, and recording beside perf record with the same event, rate and load.
# CPU seconds and peak memory are what the kernel accounts to the finished process.
set -u
: "${srcdir:?}" "${builddir:?}"
samples=${SAMPLES:-5000000}
builddir=$(cd "$builddir" && pwd)
dir=$(mktemp -d "${TMPDIR:-/tmp}/pmcstat-bench.XXXXXX") || exit 99
trap 'rm -rf "$dir"' EXIT HUP INT TERM
PATH=$builddir:$builddir/tests/tools:$builddir/bench:$PATH
time_cmd=$(command -v time 2>/dev/null)
[ -x /usr/bin/time ] && time_cmd=/usr/bin/time
[ -x "$time_cmd" ] || {
	echo 'bench: needs GNU time (the package time)'
	exit 69
}

# measure COMMAND...: user+system seconds and peak KiB of the best of three runs, in $cpu and $peak.
measure() {
	cpu=
	for _ in 1 2 3; do
		"$time_cmd" -o "$dir/time" -f '%U %S %M' "$@" >/dev/null 2>"$dir/err" || {
			echo "bench: $*: $(head -n 1 "$dir/err")"
			return 1
		}
		now=$(awk '{ printf "%.2f", $1 + $2 }' "$dir/time")
		if [ -z "$cpu" ] || [ "$(echo "$now $cpu" | awk '{ print ($1 < $2) }')" = 1 ]; then
			cpu=$now
			peak=$(awk '{ print int($3 / 1024) }' "$dir/time")
		fi
	done
}

row() {
	printf '%-34s %8s s %7s M/s %6s MB   %s\n' "$1" "$cpu" \
		"$(awk -v n="$samples" -v s="$cpu" 'BEGIN { printf "%.1f", n / 1e6 / (s > 0 ? s : 0.01) }')" "$peak" "$2"
}

echo "Analysing $samples samples of 160 bytes, 16 frames deep, 20,000 functions"
printf '%-34s %10s %11s %9s   %s\n' job CPU samples peak 'aim; FreeBSD pmcstat'
awk 'BEGIN { print "type exec"; print "text 0x401000 0x4e2000"
	for (i = 0; i < 20000; i++) printf "symbol fn_%05d 0x%x 0x100\n", i, 4198400 + i * 256 }' |
	mkelf "$dir/prog" || exit 99
for stacks in 5000 388000; do
	synth "$dir/log" "$dir/prog" "$samples" "$stacks" || exit 99
	cat "$dir/log" >/dev/null
	if [ "$stacks" = 5000 ]; then
		aim='10 M/s, 40 MB; 0.6 M/s'
		gmon='10 M/s; 0.6 M/s' callgrind='5 M/s; 0.05 M/s'
	else
		aim='2 M/s, 200 MB; 0.07 to 0.12 M/s'
		gmon='2 M/s; 0.08 to 0.12 M/s' callgrind='2 M/s; 0.02 M/s'
	fi
	measure pmclog check "$dir/log" && row "parse, $stacks stacks" '20 M/s; 3.6 to 4.0 M/s'
	measure pmcstat -q -R "$dir/log" --flat && row "--flat, $stacks stacks" ''
	measure pmcstat -q -R "$dir/log" -G /dev/null && row "-G, $stacks stacks" "$aim"
	measure pmcstat -q -R "$dir/log" -g -D "$dir/gmon" && row "-g, $stacks stacks" "$gmon"
	measure pmcstat -q -R "$dir/log" -F /dev/null && row "-F, $stacks stacks" "$callgrind"
	measure pmcstat -q -R "$dir/log" --folded=/dev/null && row "--folded, $stacks stacks" ''
done

# count LOG: its samples.
count() {
	pmclog info "$1" | awk '$1 == "CALLCHAIN" { print $2 }'
}
# analysing LOG OUTPUT...: a row for each output, an argument with its blanks.
analysing() {
	log=$1
	samples=$(count "$log")
	shift
	for output; do
		# shellcheck disable=SC2086
		measure pmcstat -q -R "$log" $output && row "${output%%[ =]/*}" ''
	done
}

echo
if pmcstat -q -n 100000 -P cpu-clock -O "$dir/own" -- pmcstat -q -R "$dir/log" \
	--tree=/dev/null -f threshold=0 2>"$dir/err"; then
	echo "Analysing $(count "$dir/own") samples of a program with debug information: pmcstat itself"
	analysing "$dir/own" '--flat=/dev/null' '-F /dev/null' '-a /dev/null' \
		'--inlines --folded=/dev/null'
else
	echo "not measured: $(head -n 1 "$dir/err")"
fi
rm -f "$dir/log"

echo
echo 'Reading a PMC of the calling thread: pmc_read(3) by page and RDPMC where the CPU lets it, and others'
readpmc

echo
echo 'Recording the whole system for 6 s at 10 kHz, one busy loop a CPU'
if ! pmcstat -q -S cpu-clock -l 0.1 -O "$dir/log" 2>"$dir/err"; then
	echo "not measured: $(head -n 1 "$dir/err")"
	exit 0
fi
# recording COMMAND...: its CPU seconds in $cpu, beside busy loops that outlast it.
recording() {
	for _ in $(seq "$(getconf _NPROCESSORS_ONLN)"); do
		timeout 7.5 sh -c 'while :; do :; done' &
	done
	sleep 0.5
	"$time_cmd" -o "$dir/time" -f '%U %S %M' "$@" >"$dir/out" 2>&1
	cpu=$(awk 'END { printf "%.2f", $1 + $2 }' "$dir/time")
	wait
}
print_recording() {
	printf '%-34s %8s s CPU %9s samples %7s bytes a sample\n' "$1" "$cpu" "$2" \
		"$(awk -v b="$3" -v n="$2" 'BEGIN { printf "%.1f", n ? b / n : 0 }')"
}
recording pmcstat -q -n 100000 -U -S cpu-clock -l 6 -O "$dir/log"
print_recording 'pmcstat -U -n 100000' \
	"$(count "$dir/log")" "$(wc -c <"$dir/log")"
if command -v perf >/dev/null 2>&1; then
	recording perf record -q -a -g -e cpu-clock -c 100000 -o "$dir/perf.data" sleep 6
	print_recording 'perf record -g -c 100000' \
		"$(perf report -D -i "$dir/perf.data" 2>/dev/null | grep -c 'PERF_RECORD_SAMPLE')" \
		"$(wc -c <"$dir/perf.data")"
fi

echo
echo "Analysing $(count "$dir/log") samples of the whole system"
analysing "$dir/log" '--flat=/dev/null' '-G /dev/null' "-g -D $dir" '-F /dev/null' \
	'--html /dev/null'

echo
echo 'Top on two busy loops, 1 kHz each: CPU seconds of pmcstat in 10 s, after the start'
for _ in 1 2; do
	(while :; do :; done) &
	loops="${loops-} $!"
done
# top SECONDS: pmcstat's CPU seconds in $cpu.
top() {
	# shellcheck disable=SC2046,SC2086
	"$time_cmd" -o "$dir/time" -f '%U %S %M' timeout -s INT "$1" \
		pmcstat -T -P cpu-clock $(printf ' -t %s' $loops) >"$dir/out" 2>&1
	cpu=$(awk 'END { printf "%.2f", $(NF - 2) + $(NF - 1) }' "$dir/time")
}
top 4
start=$cpu
top 14
printf '%-34s %8s s CPU %9s samples %7s %% of a CPU (aim: below 1)\n' 'pmcstat -T' \
	"$(echo "$cpu $start" | awk '{ printf "%.2f", $1 - $2 }')" \
	"$(awk '/Samples:/ { n = $4 } END { print n + 0 }' "$dir/out")" \
	"$(echo "$cpu $start" | awk '{ printf "%.1f", ($1 - $2) * 10 }')"
# shellcheck disable=SC2086
kill $loops
wait

echo
echo 'Unwinding by CFI: chains of 35 frames of its own (aim: 10 M frames/s warm)'
cc1=$("${CC:-cc}" -print-prog-name=cc1 2>/dev/null)
unwind "$(command -v python3)" /lib/*/libc.so.6 "$cc1"
if command -v valgrind >/dev/null; then
	# instructions N: that N chains take, with all that is done once.
	instructions() {
		valgrind --tool=callgrind --callgrind-out-file=/dev/null unwind -n "$1" 2>&1 | awk '/Collected/ { print $NF }'
	}
	echo "$(instructions 1001) $(instructions 1)" |
		awk '{ printf "%-34s %8.0f instructions a frame\n", "chains, warm cache", ($1 - $2) / 1000 / 35 }'
fi
