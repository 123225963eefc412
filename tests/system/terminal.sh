#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# On a terminal a recording shows one status line and takes it away at the end; elsewhere, or with
# -q, it shows none.  Counts have a header on each screen.  Ctrl-C ends a recording of the system
# with a closed log and status 0.
# shellcheck source=tests/system/lib.sh
. "${srcdir:?}/tests/system/lib.sh"

[ -n "${PYTHON3-}" ] || skip_all 'no python3 for a pseudo-terminal'
"$PYTHON3" -c 'import pty; pty.openpty()' 2>pty.err || skip_all "no pseudo-terminals: $(tail -n 1 pty.err)"
needs_recording
cat >terminal.py <<'EOF'
import os, pty, select, sys, time
# terminal.py SECONDS COMMAND...: types Ctrl-C after SECONDS, prints what the terminal got and the status.
pid, fd = pty.fork()
if pid == 0:
    os.execvp(sys.argv[2], sys.argv[2:])
end, text, typed = time.time() + float(sys.argv[1]), b"", False
while True:
    if select.select([fd], [], [], 0.1)[0]:
        try:
            data = os.read(fd, 4096)
        except OSError:
            break
        if not data:
            break
        text += data
    if not typed and time.time() > end:
        os.write(fd, b"\x03")
        typed = True
status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
print(status, repr(text))
EOF

line='[0-9.]+ s, [0-9]+ samples, log [0-9.]+ MB, lost 0'
like 'a status line comes and goes' "$("$PYTHON3" terminal.py 60 pmcstat -P cpu-clock -O a.log sleep 1.3)" \
	"^0 b'(.r.x1b\[K$line)+.r.x1b\[K'\$"
like '-q shows none' "$("$PYTHON3" terminal.py 60 pmcstat -q -P cpu-clock -O a.log sleep 0.7)" "^0 b''\$"
pmcstat -P cpu-clock -O a.log sleep 0.7 2>err
like 'nor a file as standard error' "$(wc -c <err)" '^ *0$'
like 'Ctrl-C reaches the command, whose death is the status' \
	"$("$PYTHON3" terminal.py 2 pmcstat -q -P cpu-clock -O b.log sleep 20)" '^130 '
like 'and leaves a closed log' "$(pmclog check b.log)" ' closed$'
printf 'count 1\ntick\ncount 2\ntick\ncount 3\ntick\ncount 4\n' >script
counts='pmcstat --collector=fake:script -w 0.001 -c 0 -s page-faults'
header='#     s/00/page-faults'
line='                     '
is 'counts have a header on each screen' \
	"$("$PYTHON3" terminal.py 60 sh -c "stty rows 5 -onlcr && exec $counts")" \
	"0 b'$header\\n${line}1\\n${line}2\\n${line}3\\n\\n$header\\n${line}4\\n'"
# Reports are cut to a terminal's columns, and nowhere else.
long=$(printf 'n%.0s' $(seq 150))
mkelf app <<EOT
type exec
text 0x401000 0x1000
symbol $long 0x401000 0x100
symbol main 0x401100 0x100
EOT
printf 'pmc 1 page-faults\nexec 10 app\nmap 10 0x401000 0x1000 app off=0x1000\nsample 10 0x401010,0x401110 x9\n' |
	mklog long.log
# widest COLUMNS OPTION...: the longest line with a name in it on a terminal so wide.
widest() {
	columns=$1
	shift
	"$PYTHON3" terminal.py 60 sh -c "stty cols $columns -onlcr && exec pmcstat -q -R long.log $*" |
		sed 's/^0 b.//;s/\\n/\n/g' | awk '/nnnnn/ && !/pmcstat -R/ && length > most { most = length } END { print most + 0 }'
}
for report in --flat --tree --overview; do
	is "$report fills a terminal of 70 columns" "$(widest 70 $report)" 70
	is "$report fills one of 120" "$(widest 120 $report)" 120
done
is 'a file has names in full' "$(pmcstat -q -R long.log --flat | grep -c "$long")" 1
# Commands of pmclog that take longer than a second say so, but not in the middle of what they print there.
printf 'origin host=a boot-id=a\npmc 1 page-faults\nsample 10 0x401010 x20000\n' | mklog many.log
# The time of day, which a merge wants to know.
printf '\001' | dd of=many.log bs=1 seek=32 conv=notrunc 2>/dev/null
slowly="{ head -c 1000 many.log; sleep 1.3; tail -c +1001 many.log; } |"
# of_pmclog COMMAND: what the terminal gets of it, with the status.
of_pmclog() {
	"$PYTHON3" terminal.py 60 sh -c "$1"
}
reads='(.r.x1b\[Kreading the log)+.r.x1b\[K'
like 'pmclog check is alive, too' "$(of_pmclog "$slowly pmclog check")" "^0 b'${reads}-: 20[0-9]+ records"
like 'so is filter' "$(of_pmclog "$slowly pmclog filter -p 10 - f.log")" "^0 b'$reads'\$"
like 'dump to a terminal is what it prints alone' "$(of_pmclog "$slowly pmclog dump" | grep -c 'reading the log')" '^0$'
like 'and says it where that goes elsewhere' "$(of_pmclog "$slowly pmclog dump >dumped")" "^0 b'$reads'\$"
like 'so does compress' "$(of_pmclog "$slowly pmclog compress - c.log")" \
	"^0 b'(.r.x1b\[Kcompressing the log)+.r.x1b\[K'\$"
like 'and merge' "$(of_pmclog "mkfifo slow.log; ($slowly cat >slow.log) & pmclog merge -o m.log slow.log many.log")" \
	"^0 b'(.r.x1b\[Kmerging the logs)+.r.x1b\[K'\$"
# Convert tells of a file how much is read; its reader stands still for longer than a second.
{
	echo 'event cpu-clock hz=99 sample=ip,tid,time,cpu'
	for round in 0 1 2 3; do
		awk -v first=$round 'BEGIN { for (i = 1; i <= 20000; i++) printf "sample 7 u 0x1010 time=%d\n", first * 20000 + i }'
		echo round
	done
} | mkperf many.data
converting='(.r.x1b\[Kconverting what perf recorded'
like 'and convert, with how far it is' "$(of_pmclog "pmclog convert many.data | { sleep 1.3; cat >d.log; }")" \
	"^0 b'$converting: [0-9]+%)+.r.x1b\[K'\$"
is 'which converts all' "$(pmclog check d.log)" 'd.log: 80004 records, 80000 samples, closed'
if records_system; then
	like 'Ctrl-C ends counting with a last line' \
		"$("$PYTHON3" terminal.py 2 pmcstat -s cpu-clock -w 100)" \
		"^0 b'.*# .*s/00/cpu-clock.* [0-9]{9,}.r.n'\$"
	like 'Ctrl-C ends a recording of the system' \
		"$("$PYTHON3" terminal.py 2 pmcstat -q -S cpu-clock -O c.log)" '^0 '
	like 'and leaves a closed log of it' "$(pmclog check c.log)" ' closed$'
fi
finish
