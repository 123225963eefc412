#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# --pack of a recording: whatever ends it, at whatever moment, the log that is left is read with all
# that was recorded.
# shellcheck source=tests/system/lib.sh
. "${srcdir:?}/tests/system/lib.sh"

# A program of 2000 functions with names that nothing packs well, and a sample of each.
mkdir -p root/bin
{
	echo pmc 1 cpu-clock
	echo exec 10 /bin/app
	echo map 10 0x401000 0x8000 /bin/app off=0x1000 build-id=0102030405060708
} >script
awk 'BEGIN {
	print "type exec\nbuild-id 0102030405060708\ntext 0x401000 0x8000"
	srand(1)
	for (i = 0; i < 2000; i++) {
		at = sprintf("0x%x", 4198400 + 16 * i)
		printf "symbol f%d_%d%d %s 16\n", i, 1e9 * rand(), 1e9 * rand(), at
		print "sample 10 " at >>"script"
	}
}' | mkelf root/bin/app || exit 99
record='pmcstat -q -r root --collector=fake:script -S cpu-clock'
# Their commands, which the logs have, are of one length.
$record --pack packed.log && $record -O just_plain.log || exit 99
size=$(wc -c <just_plain.log)
pmcstat -q -r root -R packed.log --folded >want
is 'the packed log is the plain one, and more' "$(head -c "$size" packed.log >head.log; pmclog check head.log)" \
	"$(pmclog check just_plain.log | sed 's/just_plain/head/')"

# read_all LOG: whether a reader with the programs reports of it all that was recorded.
read_all() {
	pmcstat -q -r root -R "$1" --folded >got 2>err
	status=$?
	cmp -s got want
}

# What SIGKILL leaves of the write behind the end: any part.
bad=
for part in 0 1 15 16 17 47 48 49 1000 4095 4096 4128 4129 8192 20000; do
	[ $((size + part)) -lt "$(wc -c <packed.log)" ] || bad="$bad no part of $part;"
	head -c $((size + part)) packed.log >part.log
	read_all part.log || bad="$bad $part bytes: $(head -n 1 err);"
	[ $status = $((part ? 65 : 0)) ] || bad="$bad $part bytes: status $status;"
	pmcstat -q -r root -R part.log --pack again.log >again.said 2>&1
	cmp -s again.log packed.log || bad="$bad $part bytes: not packed again;"
done
is 'what is left of a write that was killed is read, and packed again' "$bad" ''

# full COMMAND...: runs it where there is a file system of 4 KB more than the plain log needs.
full() {
	# shellcheck disable=SC2016
	unshare -rm sh -c 'mkdir -p room && mount -t tmpfs -o size='$((size + 8192))' none room && "$@"' - "$@"
}
if full true 2>err; then
	# shellcheck disable=SC2016
	full sh -c "$record"' --pack room/a.log; echo $?; pmclog check room/a.log; cp room/a.log .' >full.said 2>&1
	is 'a disk that is full is told' "$(cat full.said)" \
		"pmcstat: room/a.log: No space left on device
pmcstat: hint: it is whole as it was recorded; pmcstat -R room/a.log --pack FILE
74
$(pmclog check just_plain.log | sed 's,just_plain,room/a,')"
	read_all a.log
	is 'and the log is as it was recorded' "$?:$status:$(wc -c <a.log)" "0:0:$(wc -c <head.log)"
else
	skip 'a disk that is full' "$(head -n 1 err)"
fi

pmcstat -q -P cpu-clock -O probe.log true 2>probe.err || {
	skip 'killed' "$(head -n 1 probe.err)"
	finish
}
# shellcheck disable=SC2016
short='i=0; while [ $i -lt 20000 ]; do i=$((i + 1)); done'
bad='' closed=0
for moment in 0.02 0.04 0.06 0.08 0.1 0.12 0.14 0.16 0.18 0.2 0.25 0.3 0.4 0.6; do
	rm -f real.log
	pmcstat -q -P cpu-clock --pack real.log sh -c "$short" 2>err &
	sleep $moment
	kill -KILL $! 2>/dev/null
	wait $! 2>/dev/null
	# Killed before there was a log, or before its first record.
	[ -s real.log ] || continue
	case $(pmclog check real.log 2>err) in
		*', closed') closed=$((closed + 1)) ;;
		*', not closed') ;;
		*) bad="$bad $moment: $(cat err);" ;;
	esac
	pmcstat -q -R real.log --folded >got 2>err
	case $?:$(cat err) in
		0: | 65:*'the log ends after'*) ;;
		*) bad="$bad $moment: $(cat err);" ;;
	esac
done
is 'killed at whatever moment, what is there is read' "$bad" ''
finish
