#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# What the CPU's counters count, where there are any: loops whose instructions are known, perf at the
# same moment, and the same event by another name.
#
# LOOP names a built loop.c, for machines without a compiler; LONGEST the rounds of what takes long,
# for slow ones.
# shellcheck source=tests/system/lib.sh
. "${srcdir:?}/tests/system/lib.sh"

pmcstat -q -p instructions:u -o probe.counts true 2>probe.err || skip_all "$(head -n 1 probe.err)"
if [ -n "${LOOP-}" ]; then
	cp "$LOOP" loop
else
	${CC:-cc} -O1 -static -nostdlib -fno-stack-protector -o loop "$srcdir/tests/system/loop.c" 2>cc.err ||
		skip_all "loop.c does not build: $(head -n 1 cc.err)"
fi

# What a start and an end take, and interrupts, which some CPUs count as an instruction each.
spare() {
	echo $((500 + $1 / 100000))
}

# count COLUMN [FILE]: of the last line, without the share of time behind @.
count() {
	awk -v c="$1" '$1 != "#" && NF { v = $c } END { sub(/@.*/, "", v); print v }' "${2-counts}"
}

# near TITLE GOT WANTED SPARE
near() {
	if awk -v g="$2" -v w="$3" -v s="$4" 'BEGIN { exit !(g != "" && g - w <= s && w - g <= s) }'; then
		verdict yes "$1" "$2, $3 +- $4"
	else
		verdict no "$1" "not $2, $3 +- $4"
	fi
}

longest=${LONGEST-1000000000}

# ---- Exact counts.

for rounds in 1000 100000 10000000 "$longest"; do
	pmcstat -q -p instructions:u -o counts ./loop "$rounds"
	near "a loop of $((2 * rounds)) instructions" "$(count 1)" $((2 * rounds)) "$(spare $((2 * rounds)))"
done

if ! pmcstat -q -p instructions:u -p instructions:k -p instructions -o counts ./loop 20000000 2>err; then
	skip 'user and kernel mode make both' "$(head -n 1 err)"
elif grep -q @ counts; then
	skip 'user and kernel mode make both' 'the three share counters'
else
	near 'user and kernel mode make both' $(($(count 1) + $(count 2))) "$(count 3)" \
		$((20000 + $(count 2) / 50))
fi

pmcstat -q -w 0.05 -p instructions:u -C -p instructions:u -o counts ./loop "$longest"
is 'what -w shows adds up to what -C shows' \
	"$(awk '$1 != "#" && NF { n += $1 } END { printf "%.0f\n", n }' counts)" "$(count 2)"
near 'and that is all' "$(count 2)" $((2 * longest)) "$(spare $((2 * longest)))"

# ---- More PMCs than counters.

counters=$(pmccontrol -l | awk '/^CPU / { n++ } n == 1 && / CPU-[0-9]/ {
	split($1, r, "-"); c += (r[2] == "" ? 1 : r[2] - r[1] + 1) } END { print c + 0 }')
for many in 7 9 12; do
	title="$many PMCs, each told the share of time that it counted"
	# shellcheck disable=SC2046
	if ! pmcstat -q $(for _ in $(seq "$many"); do printf ' -p instructions:u'; done) -o counts \
		./loop "$longest" 2>err; then
		skip "$title" "$(head -n 1 err)"
		continue
	fi
	is "$title" "$(awk -v n="$many" -v counters="$counters" -v want=$((2 * longest)) '$1 != "#" && NF {
		for (i = 1; i <= NF; i++) {
			share = $i ~ /@/ ? substr($i, index($i, "@") + 1) + 0 : 100
			whole += share == 100
			# A PMC that never had its turn says so.
			if ($i == "0@0.0%" && ++idle <= n - counters) continue
			scaled = share ? $i * 100 / share : 0
			if (scaled < 0.8 * want || scaled > 1.2 * want) print "not", want ":", $i
		}
		if (NF != n) print NF, "counts"
		if (n > counters && whole == n) print "none shared " counters " counters" }' counts)" ''
done

# ---- Beside perf, at the same moment.

# at_once PERF-COMMAND... -- PMCSTAT-OPTION...: both on one ./loop ROUNDS, from before to behind it.
at_once() {
	rm -f begin perf.out counts
	mkfifo begin
	./loop "$rounds" wait <begin &
	target=$!
	exec 9>begin
	perf "$@" -p $target >perf.said 2>&1 &
	beside=$!
	# shellcheck disable=SC2086
	pmcstat -q -w 0.05 -p task-clock -C $ours -t $target -o counts 2>err &
	us=$!
	until [ -s counts ] && is_watched; do
		kill -0 $us $beside 2>/dev/null || break
		sleep 0.1
	done
	echo >&9
	exec 9>&-
	wait $target
	wait $beside
	wait $us
}

# perf has opened its events, as its descriptors say, and waits for the end.
is_watched() {
	for fd in "/proc/$beside/fd/"*; do
		readlink "$fd"
	done 2>/dev/null | grep -q perf_event && grep -q '^State:.*S' /proc/$beside/status 2>/dev/null
}

if ! command -v perf >/dev/null 2>&1 || ! perf stat -e instructions:u true >/dev/null 2>&1; then
	skip 'perf counts the same at the same moment' 'no perf, or it cannot count'
	skip 'perf samples the same at the same moment' 'no perf, or it cannot count'
else
	rounds=$((longest / 10))
	ours='-p instructions:u'
	at_once stat -x , -e instructions:u -o perf.out
	is 'perf counts the same at the same moment' "$(count 2)" \
		"$(awk -F, '/instructions/ { print $1 }' perf.out)"
	ours='-n 1000003 -P instructions:u -O ours.log'
	# -B -N: some versions of perf crash where they look for the build-id of a program that has none.
	at_once record -q -B -N -e instructions:u -c 1000003 -o perf.data
	near 'perf samples the same at the same moment' \
		"$(pmclog info ours.log | awk '$1 == "CALLCHAIN" { print $2 }')" \
		"$(perf report -D -i perf.data 2>/dev/null | grep -c PERF_RECORD_SAMPLE)" 1
fi
pmcstat -q -n 1000003 -P instructions:u -O samples.log ./loop $((longest / 10))
near 'samples are as many as periods were counted' \
	"$(pmclog info samples.log | awk '$1 == "CALLCHAIN" { print $2 }')" $((longest / 5 / 1000003)) 1

# ---- Names against numbers: the CPU's own of each event are below its PMU's events/.

# raw NAME: r and the event's number, from "event=0x2e,umask=0x4f"; "" where it has other fields.
raw() {
	sed -n 's/^event=0x\([0-9a-f]*\)$/\1/p; s/^event=0x\([0-9a-f]*\),umask=0x\([0-9a-f]*\)$/\1 \2/p' \
		"/sys/bus/event_source/devices/cpu/events/$1" 2>/dev/null |
		while read -r event umask; do
			event=$((0x$event)) umask=$((0x${umask:-0}))
			printf 'r%x\n' $(((event >> 8) << 32 | umask << 8 | (event & 255)))
		done
}

while read -r name general; do
	title="$name is the event that the CPU calls $general"
	number=$(raw "$general")
	if [ -z "$number" ]; then
		skip "$title" 'the PMU does not say so in its events/'
	elif ! pmcstat -q -p "$name:u" -p "$number:u" -o counts ./loop 20000000 2>err; then
		skip "$title" "$(head -n 1 err)"
	else
		near "$title" "$(count 1)" "$(count 2)" $((2000 + $(count 2) / 50))
	fi
done <<'NAMES'
cycles cpu-cycles
cpu-cycles cpu-cycles
unhalted-cycles cpu-cycles
UNHALTED_CORE_CYCLES cpu-cycles
instructions instructions
INSTRUCTION_RETIRED instructions
branches branch-instructions
branch-instructions branch-instructions
BRANCH_INSTRUCTION_RETIRED branch-instructions
branch-misses branch-misses
branch-mispredicts branch-misses
BRANCH_MISSES_RETIRED branch-misses
cache-references cache-references
LLC_REFERENCE cache-references
cache-misses cache-misses
LLC_MISSES cache-misses
NAMES

# ---- Default rates, at their limit.

pmcstat -q -P instructions:u -o clock -p task-clock -O default.log ./loop "$longest" 2>err
is 'a tight loop has at most 1100 samples of instructions a second by default' \
	"$(pmclog info default.log | awk -v ns="$(count 1 clock)" \
		'$1 == "CALLCHAIN" && (!ns || $2 / ns * 1e9 > 1100) { print $2, "in", ns, "ns" }')" ''
finish
