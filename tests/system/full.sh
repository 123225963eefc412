#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# A disk that gets full while pmclog writes a log: what it says, what is left, and that the log that it reads is as it was.
# shellcheck source=tests/system/lib.sh
. "${srcdir:?}/tests/system/lib.sh"
# No two samples alike, so that the packed log does not fit either.
awk 'BEGIN {
	print "origin host=alpha machine=x86_64 boot-id=b1 release=6.1"
	print "pmc 1 cpu-clock rate=1000\nproc 10 app\nmap 10 0x401000 0x1000000 app off=0x1000"
	for (i = 0; i < 40000; i++)
		printf "sample 10 0x%x,0x%x\n", 4198400 + i * 7919 % 16777213, 4198400 + i * 104729 % 16777213
	print "close\npoke 32 u64:1000000"
}' >script
pmclog assemble script in.log
pmclog compress in.log in.pmcz
cksum in.log in.pmcz >sums
# full COMMAND: with room for a part of what is written; what it says, its status and what is left.
full() {
	# shellcheck disable=SC2016
	unshare -rm sh -c 'mkdir -p room && mount -t tmpfs -o size=100k none room || exit 99
		status=0
		eval "pmclog $1" || status=$?
		echo $status
		pmclog check room/new.log' - "$1" 2>&1 |
		sed -E 's/\([1-9][0-9]* bytes/(N bytes/; s/[1-9][0-9]* (records|samples)/N \1/g'
}
full 'check in.log' >probe 2>&1
grep -q closed probe || skip_all "$(head -n 1 probe)"
for how in 'merge -o room/new.log in.log' 'filter -p 10 in.log room/new.log' 'cut 0..9 in.log room/new.log' \
	'compress in.log room/new.log' 'expand in.pmcz room/new.log' 'convert --version 10 in.log >room/new.log'; do
	case $how in convert*) name='standard output' ;; *) name=room/new.log ;; esac
	is "$how" "$(full "$how")" "pmclog: $name: cannot write: No space left on device (N bytes are in the log)
pmclog: hint: what was written is a readable log; make room for more
74
room/new.log: N records, N samples, not closed"
done
for how in 'dump in.log' 'dump --json in.log' 'info in.log' 'check in.log' 'text in.log'; do
	# shellcheck disable=SC2086
	is "$how" "$(pmclog $how 2>&1 >/dev/full; echo $?)" "pmclog: standard output: cannot write: No space left on device
pmclog: hint: make room for more
74"
done
for how in 'pmclog --help' 'pmclog --version'; do
	is "$how" "$($how 2>&1 >/dev/full; echo $?)" "pmclog: standard output: cannot write: No space left on device
pmclog: hint: make room for more
74"
done
for how in 'pmcstat --help' 'pmcstat --version' 'pmcstat -L' 'pmcstat -q -R in.log --flat' 'pmcstat -q -R in.log' \
	'pmccontrol --help' 'pmccontrol doctor'; do
	is "$how" "$($how 2>&1 >/dev/full; echo $?)" "${how%% *}: standard output: No space left on device
${how%% *}: hint: make room for more
74"
done
is 'pmcstat --pack' "$(full 'check in.log >/dev/null && pmcstat -q -R in.log --pack room/new.log')" \
	"pmcstat: room/new.log: No space left on device
pmcstat: hint: make room for more
74
room/new.log: N records, N samples, not closed"
# A part of an archive is none, as a part of a log is one.
cp "$(command -v sh)" big
pmclog assemble - big.log <<END
pmc 1 cpu-clock rate=1000
proc 10 app
map 10 0x401000 0x10000 $PWD/big off=0x1000
sample 10 0x401010
END
is 'pmcstat --archive' "$(full 'check in.log >/dev/null && pmcstat -q -R big.log --archive room/new.log')" \
	"pmcstat: room/new.log: No space left on device
pmcstat: hint: make room for more
74
pmclog: room/new.log: cannot open: No such file or directory"
is 'the logs that were read are as they were' "$(cksum in.log in.pmcz)" "$(cat sums)"

# A limit to the size of files is no signal that ends a report.
status=0
(
	ulimit -f 1
	exec pmcstat -q -R in.log --html=page.html 2>err
) || status=$?
is 'a report that may not grow on' "$status:$(cat err)" '74:pmcstat: page.html: File too large'
status=0
(
	ulimit -f 1
	exec pmclog dump in.log >dumped 2>err
) || status=$?
is 'and the text of a log' "$status:$(cat err)" '74:pmclog: standard output: cannot write: File too large'
finish
