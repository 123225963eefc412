#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Top on a real terminal, which tmux plays: screens after keys, sizes, Ctrl-Z and signals, and what
# is left behind.  The samples come from scripts and logs, so that the screens are exact.
# shellcheck disable=SC2317 # functions are called by comes_true
# shellcheck source=tests/system/lib.sh
. "${srcdir:?}/tests/system/lib.sh"
command -v tmux >/dev/null 2>&1 || skip_all 'no tmux to drive a terminal'
server=pmcstat-test-$$
tm() { tmux -L "$server" -f /dev/null "$@"; }
trap 'tm kill-server 2>/dev/null; rm -rf "$dir"' EXIT
trap 'exit 99' HUP INT TERM
export PATH

mkelf app <<'END' || exit 99
type exec
text 0x401000 0x1000
symbol leaf_a 0x401000 0x100
symbol leaf_b 0x401100 0x100
symbol caller 0x401200 0x100
symbol main 0x401300 0x100
END
cat >script <<'END'
pmc 0xfff02f00 cpu-clock rate=1000000 flags=0x80
proc 10 app
exec 10 app
map 10 0x401000 0x1000 app off=0x1000
sample 10 0x401010,0x401210,0x401310 x6
sample 10/11 0x401110,0x401310 x3
sample 10 0x401110,0x401210,0x401310 x1
END
{
	cat script
	echo 'time 3600000000000'
	echo 'sample 10 0x401310 x90'
} >script.long
sed 's/^proc 10 app/proc 10 café/; /^exec/d' script >script.accent
mklog log <script && mklog log.accent <script.accent && mklog log.long <script.long || exit 99
top='pmcstat -T -S cpu-clock --collector=fake:script'

unset NO_COLOR ENV TMUX
TERM=xterm-256color
LC_ALL=C.UTF-8
PS1='$ '
SHELL=/bin/sh
export TERM LC_ALL PS1 SHELL
tm new-session -d -s t -x 80 -y 24 'exec sh -i' 2>err || skip_all "$(head -n 1 err)"
tm set-option -g remain-on-exit off >/dev/null

# judge STATUS NAME: with the last screen where it is not 0.
judge() {
	if [ "$1" -eq 0 ]; then
		verdict yes "$2"
	else
		verdict no "$2" "$(cat "$dir/got")"
	fi
}
screen() { tm capture-pane -p -t t >"$dir/got" 2>/dev/null; }
# comes_true COMMAND...: within half a minute.
comes_true() {
	for _ in $(seq 300); do
		"$@" && return 0
		sleep 0.1
	done
	return 1
}
shows_wanted() { screen && cmp -s "$dir/want" "$dir/got"; }
# shows NAME: the whole screen becomes what standard input says.
shows() {
	cat >want
	comes_true shows_wanted
	status=$?
	judge $status "$1"
	[ $status -eq 0 ] || diff want got | sed 's/^/# /'
}
has_line() { screen && grep -q -- "$1" got; }
# has NAME REGEX: a line of the screen comes to match.
has() {
	comes_true has_line "$2"
	judge $? "$1"
}
keys() { tm send-keys -t t "$@"; }
# run COMMAND: in the shell, on a cleared screen, with the terminal's settings before and after.
run() {
	rm -f ended pid
	keys "clear; stty -a >before; $1; echo \"status \$?\" >ended; stty -a >after" Enter
}
is_over() { [ -s after ] && [ -s ended ]; }
# The other screen is left, the cursor shown, keys send what they send a shell.
is_given_back() {
	tm display-message -p -t t '#{alternate_on}#{cursor_flag}#{keypad_cursor_flag}#{keypad_flag}' >modes &&
		grep -qx 0100 modes
}
# left NAME STATUS: the command ends with a status, and the terminal is as it was.
left() {
	comes_true is_over
	comes_true is_given_back
	{ cat ended modes; diff before after; } >got 2>&1
	grep -qx "status $2" got && is_given_back && cmp -s before after
	judge $? "$1"
	rm -f before after
}

run "$top"
shows 'the last screen stays' <<'END'
PMC: [cpu-clock] Samples: 10 (100.0%) , 0 unresolved
last 5 s, functions by self, threshold 0.5%
%SAMP IMAGE      FUNCTION             CALLERS
 60.0 app        leaf_a               caller
 40.0 app        leaf_b               main:30.0 caller:10.0
















the recording has ended; q quits
lost 0 (0.00%); unresolved 0.00%; truncated 0; whole chains 0%
q quit  h help  Space pause  Enter open  l code  n view  a all  s sort  / filter
END
tm capture-pane -p -e -t t >got
grep -q '\[31m' got && grep -q '\[7m' got
judge $? 'hot lines are red, the header is reversed'
keys n
shows 'n shows the call tree' <<'END'
PMC: [cpu-clock] Samples: 10 (100.0%) , 0 unresolved
last 5 s, call tree, threshold 0.5%
%SAMP CALLTREE
100.0 main
 70.0  caller
 60.0   leaf_a
 10.0   leaf_b
 30.0  leaf_b













the recording has ended; q quits
lost 0 (0.00%); unresolved 0.00%; truncated 0; whole chains 0%
q quit  h help  Space pause  Enter open  l code  n view  a all  s sort  / filter
END
keys Down Enter
has 'Down and Enter open a function' '^ 70.0        app        caller               self:0.0$'
keys Left t
has 'Left goes back, t shows threads' '^ 30.0          3      10      11 app$'
tm resize-window -t t -x 40 -y 10
shows 'a smaller terminal' <<'END'
PMC: [cpu-clock] Samples: 10 (100.0%) ..
last 5 s, threads, threshold 0.5%
%SAMP    SAMPLES     PID     TID COMMAND
 70.0          7      10      10 app
 30.0          3      10      11 app


the recording has ended; q quits
lost 0 (0.00%); unresolved 0.00%; trun..
q quit  h help  Space pause  Enter open
END
tm resize-window -t t -x 12 -y 4
has 'a terminal that is too small' '^too small$'
tm resize-window -t t -x 80 -y 24
keys o /
has 'a filter is asked for' '^show names with: _$'
keys nothing Enter
has 'and typed' '^last 5 s, objects, with "nothing", threshold 0.5%$'
keys Escape
has 'a lone Escape is a key' '^100.0         10 .*app$'
keys h
has 'h shows the keys' '^q  *quit'
keys C-z
left 'Ctrl-Z gives the terminal back as it was' 148
run fg
has 'and fg goes on' '^q  *quit'
keys h q
left 'q quits and leaves the terminal as it was' 0

run "NO_COLOR=1 $top"
has 'without colours' '^ 60.0 app'
tm capture-pane -p -e -t t >got
! grep -q '\[3[0-7]m' got
judge $? 'NO_COLOR is heard'
keys C-c
left 'Ctrl-C quits' 0

run 'pmcstat -T -R log.long -w 0.1'
has 'a replay is of its last seconds' '^at [0-9.]* s, last 5 s, functions'
keys a
has 'a log is replayed in its own time' '^ 60.0 app        leaf_a'
keys + +
has 'which can be hastened' 's, speed 4, all samples'
keys Space
has 'and paused' '^paused'
keys q
left 'q quits a replay' 0
run 'pmcstat -T -R log'
has 'the end of the log is told' '^the log has ended, and was not closed; q quits$'
keys q
left 'and stays until q' 0

# A log that is written meanwhile, however: what comes behind its end as it was is shown.
{
	sed '/^sample/d' script
	printf '%s\n' 'sample 10 0x401010 x10' 'time 60000000000' 'sample 10 0x401310 x5000' \
		'time 120000000000' 'sample 10 0x401110 x20000'
} >script.grow
for how in plain zlib gzip zstd; do
	packs=
	[ $how = plain ] || packs=--compress=$how
	if ! pmcstat -q --collector=fake:script.grow -S cpu-clock -O log.grow $packs 2>err; then
		skip "a log of $how that grows" "$(head -n 1 err)"
		continue
	fi
	head -c -40 log.grow >log.now
	run 'pmcstat -T -R log.now -w 0.1'
	keys a
	has "a log of $how, as far as it is written" '^100.0 app        leaf_a'
	tail -c 40 log.grow >>log.now
	keys + + + + + + + +
	has 'and what is written then' '^ 80.0 app        leaf_b'
	has 'to its end' '^the log has ended; q quits$'
	keys q
	left 'q quits it' 0
	run "$top -O log.new $packs"
	has "its own log of $how is shown as it is written" '^ 60.0 app        leaf_a'
	keys q
	left 'and left' 0
done

for signal in TERM:0 HUP:0 SEGV:139 ABRT:134; do
	run "sh -c 'echo \$\$ >pid; exec $top'"
	has "before SIG${signal%:*}" '^ 60.0 app'
	kill -"${signal%:*}" "$(cat pid)"
	case $signal in
	# Sanitizers have a status of their own.
	SEGV* | ABRT*) want=$(comes_true is_over; sed 's/status //' ended) ;;
	*) want=${signal#*:} ;;
	esac
	left "SIG${signal%:*} leaves the terminal as it was" "$want"
done

for term in xterm:3 screen-256color:3 vt100:0; do
	run "TERM=${term%:*} $top"
	has "on ${term%:*}" '^ 60.0 app'
	tm capture-pane -p -e -t t >got
	grep -q '\[7m' got && [ "$(grep -c '\[31m' got)" -ge "$((${term#*:} > 0))" ] &&
		{ [ "${term#*:}" -gt 0 ] || ! grep -q '\[3[0-7]m' got; }
	judge $? "it is drawn as that can"
	keys q
	left "and left as it was" 0
done

run "$top"
has 'before keys with names' '^ 60.0 app'
keys End Enter
has 'End' '^ 40.0        app        leaf_b  *self:40.0$'
keys Left Home Enter
has 'Home' '^ 60.0        app        leaf_a  *self:60.0$'
keys BSpace NPage Right
has 'Backspace, PgDn and Right' '^ 40.0        app        leaf_b  *self:40.0$'
keys Left PPage Enter
has 'PgUp' '^ 60.0        app        leaf_a  *self:60.0$'
keys Escape Down Up Down Enter
has 'Up and Down' '^ 40.0        app        leaf_b  *self:40.0$'
keys Left / x BSpace é Enter
has 'a filter has characters of the locale' 'by self, with "é"'
keys q
left 'q quits after keys with names' 0

run "$top"
has 'before code' '^ 60.0 app'
keys l
has 'l shows the code: without source, instructions' '^no source: no debug information has its lines'
has 'the samples are at theirs' '^100.0          6       401010  '
has 'its keys are below' '^q back .* x instructions .* PgUp PgDn scroll$'
keys PPage
has 'which scroll' '^                       40100[0-9a-f]  '
keys q
has 'q leaves the code' '^ 60.0 app'
keys q
left 'and then top' 0

# A program of known lines: 3 samples where hot() begins, later 7 at its sum and 5 in twice().
cat >code.c <<'END'
static int sum;
__attribute__((always_inline)) static inline int twice(int n)
{
	return n + n; /* inlined */
}
int hot(int n)
{
	while (n--)
		sum += twice(n); /* here */
	return sum;
}
int main(int argc, char **argv)
{
	(void)argv;
	return hot(argc);
}
END
line_at() { addr2line -e code "$1" | sed 's/.*://; s/ .*//'; }
# address_of LINE: the first one of it in hot().
address_of() {
	at=$begin
	until [ "$(line_at "$at")" = "$1" ]; do at=$(printf '0x%x' $((at + 1))); done
	echo "$at"
}
if gcc -g -O0 -no-pie -o code code.c 2>err && command -v addr2line >/dev/null; then
	begin=$(nm code | awk '$3 == "hot" { print "0x" $1 }')
	at=$(address_of 9)
	text=$(readelf -lW code | awk '/LOAD/ && / R E / { print $3, $6, "'"$PWD"'/code", "off=" $2 }')
	mklog log.code <<END || exit 99
pmc 0xfff02f00 cpu-clock rate=1000000 flags=0x80
exec 10 $PWD/code
map 10 $text
sample 10 $begin x3
time 60000000000
sample 10 $at x7
sample 10 $(address_of 4) x5
time 3600000000000
sample 10 $at x90
END
	run 'pmcstat -T -R log.code -w 0.1'
	has 'before source lines' '^100.0 code'
	keys a l
	has 'l shows source lines' '^100.0          3      7  {'
	has 'the name of the function above them' '^                      6  int hot(int n)'
	keys + + + + +
	has 'they grow' '^ 46.7          7      9                  sum += twice(n); /. here'
	has 'beside what was there' '^ 20.0          3      7  {'
	has 'what was inlined has its own' '^twice, inlined from code.c$'
	has 'at its lines' '^ 33.3          5      4          return n + n; /. inlined'
	keys x
	has 'x shows instructions' "^ 46.7          7       ${at#0x}  "
	! has_line 'not known here'
	judge $? 'and does not say that they are not known'
	keys x
	has 'and source lines again' '^ 46.7          7      9 '
	keys l
	has 'l leaves them' '^100.0 code'
	tm resize-window -t t -x 80 -y 8
	keys l
	has 'the hottest line is in sight on a small screen' '^ 46.7          7      9 '
	tm resize-window -t t -x 80 -y 24
	has 'and on a larger one the rest' '^ 33.3          5      4 '
	keys Escape
	has 'Escape leaves them' '^100.0 code'
	keys q
	left 'q quits after code' 0
	touch -d tomorrow code.c
	run 'pmcstat -T -R log.code -w 0.1'
	has 'before a source that was changed' '^100.0 code'
	keys l
	has 'a source that is newer is told' '^code.c: it is newer than code, and lines may have moved$'
	keys q q
	left 'q q quits' 0
	mv code.c gone.c
	run 'pmcstat -T -R log.code -w 0.1'
	has 'before a source that is gone' '^100.0 code'
	keys a l
	has 'a source that is gone is named, and there are instructions' '^no source: .*code.c: No such file'
	keys q q
	left 'q q quits there too' 0
else
	skip 'source lines in top' 'no gcc or addr2line'
fi

for locale in C.UTF-8:é C:?; do
	run "LC_ALL=${locale%:*} pmcstat -T -R log.accent"
	keys t
	has "in the locale ${locale%:*}" " caf${locale#*:}\$"
	keys / é q Enter
	has 'whatever is typed' "threads, with \"${locale#*:}q\""
	keys q
	left 'q quits' 0
done

run "sh -c 'echo \$\$ >pid; exec $top'"
has 'before Ctrl-S' '^ 60.0 app'
keys C-s n t o n n h
screen
grep -q '^ 60.0 app' got
judge $? 'a stopped terminal shows what it has shown'
keys C-q
has 'and when it goes on what came last' '^q  *quit'
keys C-s h n h
kill -TERM "$(cat pid)"
left 'SIGTERM ends it on a stopped terminal too, and leaves that as it was' 0

title='what runs is sampled on while the terminal is stopped'
if pmcstat -q -P cpu-clock:u -O probe.log true 2>probe.err; then
	samples() { pmclog check sampled.log 2>/dev/null | sed 's/.* records, \([0-9]*\) samples.*/\1/'; }
	has_more() { [ "$(samples)" -gt "$1" ] 2>/dev/null; }
	run "sh -c 'echo \$\$ >pid; exec pmcstat -T -P cpu-clock:u -O sampled.log -- sh -c \"while :; do :; done\"'"
	comes_true has_more 100
	keys C-s
	before=$(samples)
	comes_true has_more $((before + 1000))
	judge $? "$title"
	kill -TERM "$(cat pid)"
	left 'and SIGTERM ends it and its command then' 143
	samples >got
	pmclog check sampled.log | grep -q ', closed' && ! pmclog dump sampled.log | grep -q ^drop
	judge $? 'with a whole log, that lost nothing'
else
	skip "$title" "$(head -n 1 probe.err)"
fi

# The last text finds a pipe that is full and that nobody reads.
mkfifo fifo
rm -f ended pid
# shellcheck disable=SC2217 # that it does not read is the point
sleep 60 <fifo &
reader=$!
{
	head -c 65536 /dev/zero
	sh -c "echo \$\$ >pid; exec $top"
	echo "status $?" >ended
} >fifo &
has_pid() { [ -s pid ]; }
comes_true has_pid
kill -TERM "$(cat pid)"
has_ended() { [ -s ended ]; }
comes_true has_ended
cp ended got
grep -qx 'status \(0\|143\)' ended
judge $? 'a reader that never reads does not hold it'
kill $reader

for term in dumb no-such; do
	run "TERM=$term $top"
	has "TERM=$term gets one sentence" '^pmcstat: .* top is shown as text$'
	left "and text" 0
done

run "pmcstat -T -P cpu-clock --collector=fake:script -- sh -c 'echo out; echo err >&2; exit 7'"
has 'the status of a command is told' '^the command has ended with status 7; q quits$\|^the recording has ended; q quits$'
! grep -qx 'out\|err' got
judge $? 'what a command prints does not disturb the screen'
keys q
comes_true is_over
has 'what it says on standard error comes afterwards' '^err$'
! grep -qx 'out' got
judge $? 'its standard output does not'

rm -f written go
cat >chatter <<'END'
echo $$ >sh.pid
head -c 30000000 /dev/zero | tr '\0' '\n' >&2
echo the end >&2
touch written
while [ ! -e go ]; do sleep 0.1; done
END
run "sh -c 'echo \$\$ >pid; exec pmcstat -T -P cpu-clock --collector=fake:script -- sh chatter'"
has_written() { [ -e written ]; }
comes_true has_written
# kept: the blocks of memory that standard error takes.
kept() {
	for file in "/proc/$(cat pid)/fd"/*; do
		case $(readlink "$file") in
		/memfd:stderr*) stat -L -c %b "$file" && break ;;
		esac
	done
}
is_little() { [ "$(kept)" -gt 0 ] && [ "$(kept)" -lt 1000 ]; }
comes_true is_little
judge $? 'of much that a command prints only the end is kept'
has 'a recording may end before its command' '^the recording has ended'
touch go
has_no_command() { [ ! -e "/proc/$(cat sh.pid)" ] || grep -q '^State:.Z' "/proc/$(cat sh.pid)/status"; }
comes_true has_no_command
keys n
has 'whose end does not take the last screen away' '^last 5 s, call tree'
keys q
comes_true is_over
has 'and that is shown' '^the end$'

run "sh -c 'echo \$\$ >pid; exec $top'"
has 'before the terminal goes' '^ 60.0 app'
pid=$(cat pid)
tm kill-server
is_gone() { ! kill -0 "$pid" 2>/dev/null; }
comes_true is_gone
judge $? 'a terminal that hangs up ends it'

finish
