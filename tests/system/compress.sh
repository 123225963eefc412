#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Logs that are compressed while they are recorded, as record.sh has plain ones: every log that is
# left can be read, whatever ended the recording.
# shellcheck source=tests/system/lib.sh
. "${srcdir:?}/tests/system/lib.sh"

# The same script gives the same records, however they are written.
cat >script <<'END'
proc 10 app
map 10 0x401000 0x1000 app off=0x1000
sample 10 0x401010,0x401020 x5000
END
play() {
	pmcstat -q --collector=fake:script -c 0 -S cpu-clock -l 0.01 "$@" </dev/null
}
# records LOG: them as text, without what says when and by which command.
records() {
	pmclog dump "$1" 2>&1 | sed '/^initlog/d'
}
play -O plain.log && records plain.log >plain.txt
play -O a.pmcz && records a.pmcz >a.txt
equal 'by its name: packed' a.txt plain.txt
is 'packed' "$(head -c 4 a.pmcz)" PMCZ
play --compress -O b.log && records b.log >b.txt
equal '--compress: packed' b.txt plain.txt
is 'whatever the name' "$(head -c 4 b.log)" PMCZ
play -O c.log.gz && gzip -dc c.log.gz >c.log && records c.log >c.txt
equal 'what is named .gz gzip can read' c.txt plain.txt
pmcstat -q -R c.log.gz --folded >c.folded
is 'and pmcstat' "$(cat c.folded)" "$(pmcstat -q -R plain.log --folded)"
play --compress=gzip -O d.log && gzip -dc <d.log >d.plain && records d.plain >d.txt
equal '--compress=gzip' d.txt plain.txt
if play --compress=zstd -O z.log 2>err; then
	records z.log >z.txt
	equal '--compress=zstd' z.txt plain.txt
	is 'is Zstandard' "$(head -c 6 z.log | od -An -tu1 | awk '{ print $6 }')" 2
else
	is 'without libzstd' "$?:$(cat err)" '69:pmcstat: this pmcstat was built without libzstd
pmcstat: hint: zlib is there'
fi
play --compress -O - | pmclog dump | sed '/^initlog/d' >e.txt
equal 'through a pipe' e.txt plain.txt
is 'small' "$(awk -v a="$(wc -c <plain.log)" -v b="$(wc -c <a.pmcz)" -v c="$(wc -c <c.log.gz)" \
	'BEGIN { print (b * 10 < a && c * 10 < a ? "small" : a " " b " " c) }')" small
play --compress=bzip2 -O f.log 2>err
is 'a way that there is not' "$?:$(head -n 1 err)" '64:pmcstat: a log is compressed by zlib, zstd or gzip, not by "bzip2"'
play --compress=zlib -O f.log.gz 2>err
is 'no .gz that gzip cannot read' "$?:$(cat err)" '64:pmcstat: gzip could not read what --compress=zlib writes to f.log.gz
pmcstat: hint: name it f.log.pmcz, or use --compress=gzip'
play --compress --flat 2>err
is 'no log' "$?:$(head -n 1 err)" '64:pmcstat: option --compress needs a log that is written: -O'

pmcstat -q -P cpu-clock -O probe.log true 2>probe.err || {
	skip 'killed and full' "$(head -n 1 probe.err)"
	finish
}
# shellcheck disable=SC2016
busy='i=0; while [ $i -lt 100000000 ]; do i=$((i + 1)); done'
# shellcheck disable=SC2016
short='i=0; while [ $i -lt 1000000 ]; do i=$((i + 1)); done'
samples() {
	pmclog check "$1" 2>&1 | awk '{ print $4 + 0 }'
}
# killed LOG: what a recorder leaves that is killed when there are more than 300 samples in the log.
killed() {
	rm -f busy.pid
	pmcstat -q -P cpu-clock -O "$1" sh -c "echo \$\$ >busy.pid; exec sh -c '$busy'" 2>err &
	recorder=$!
	for _ in $(seq 600); do
		[ "$(samples "$1")" -le 300 ] || break
		sleep 0.1
	done
	kill -KILL $recorder
	wait $recorder 2>/dev/null
	kill "$(cat busy.pid)"
	pmclog check "$1" 2>&1 | sed 's/[0-9][0-9]*/N/g'
}
is 'kill -9 leaves a packed log that is readable to its last block' "$(killed g.pmcz)" \
	'g.pmcz: N records, N samples, not closed'
is 'with all but the last second' "$(samples g.pmcz | awk '{ print ($1 > 300) }')" 1
is 'and one that gzip can read' "$(killed h.log.gz; gzip -t h.log.gz && echo sound)" \
	'h.log.gz: N records, N samples, not closed
sound'

status=0
(
	ulimit -f 8
	exec pmcstat -n 100000 -P cpu-clock -O i.pmcz sh -c "$short" 2>err
) || status=$?
is 'a log that may not grow on' \
	"$status:$(sed "/the kernel paused a PMC/d; s,$dir/,,; s/[0-9][0-9]*/N/g" err)" \
	'74:pmcstat: i.pmcz: cannot write: File too large (N bytes are in the log)
pmcstat: N samples could not be written to the log'
is 'ends with a whole block' "$(pmclog check i.pmcz 2>&1 | sed 's/[0-9][0-9]*/N/g')" \
	'i.pmcz: N records, N samples, not closed'

rm -f j.pmcz
# A shell's background jobs are started with SIGINT ignored, and the command would run to its end.
env --default-signal=INT pmcstat -q -P cpu-clock -O j.pmcz sh -c "$busy" 2>err &
recorder=$!
for _ in $(seq 600); do
	[ "$(samples j.pmcz)" -lt 1 ] || break
	sleep 0.1
done
kill -INT $recorder
status=0
wait $recorder || status=$?
is 'Ctrl-C ends it well' "$(pmclog check j.pmcz | sed 's/[0-9][0-9]*/N/g')" 'j.pmcz: N records, N samples, closed'
finish
