#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Recording, as its user sees it end: by the command's exit, a signal, a full disk, a closed pipe.
# Every log that is left is whole up to its last record.
set -u
: "${srcdir:?}" "${builddir:?}"
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT HUP INT TERM
PATH=$builddir:$PATH
cd "$dir" || exit 99

if ! pmcstat -q -P cpu-clock -O probe.log true 2>probe.err; then
	echo "1..0 # SKIP $(head -n 1 probe.err)"
	exit 0
fi

n=0
failed=0
# is NAME GOT WANTED
is() {
	n=$((n + 1))
	if [ "$2" = "$3" ]; then
		echo "ok $n - $1"
	else
		failed=1
		echo "not ok $n - $1"
		printf '%s\n' "got:" "$2" "wanted:" "$3" | sed 's/^/# /'
	fi
}

# record STATUS-VARIABLE is the exit status of the last pmcstat.
status=0
run() {
	status=0
	"$@" >out 2>err || status=$?
}

# whole LOG: what pmclog says of its end, without the numbers.
whole() {
	pmclog check "$1" 2>&1 | sed 's/[0-9][0-9]*/N/g'
}

# The name is what pkill finds it by, where its recorder died before it.
# shellcheck disable=SC2016
busy="name=busy-$$"'; i=0; while [ $i -lt 100000000 ]; do i=$((i + 1)); done'
# shellcheck disable=SC2016
short='i=0; while [ $i -lt 1000000 ]; do i=$((i + 1)); done'

run pmcstat -P cpu-clock -O a.log true
is 'a command that succeeds' "$status:$(cat err)" 0:
run pmcstat -P cpu-clock -O a.log sh -c 'exit 7'
is "a command's own exit status" "$status:$(cat err)" 7:
# shellcheck disable=SC2016
run pmcstat -P cpu-clock -O a.log sh -c 'kill -TERM $$'
is 'a command killed by a signal' "$status:$(cat err)" 143:
is 'its log is closed' "$(whole a.log)" 'a.log: N records, N samples, closed'
run pmcstat -P cpu-clock -O a.log ./no-such-command
is 'a command that is not there' "$status:$(cat err)" '127:pmcstat: ./no-such-command: No such file or directory'
touch no-program
run pmcstat -P cpu-clock -O a.log ./no-program
is 'a file that is no program' "$status:$(cat err)" '126:pmcstat: ./no-program: Permission denied'

pmcstat -P cpu-clock -O b.log sh -c "$busy" 2>err &
sleep 0.5
kill -TERM $!
status=0
wait $! || status=$?
is 'SIGTERM is passed on to the command' "$status:$(cat err)" 143:
is 'and the log is closed' "$(whole b.log)" 'b.log: N records, N samples, closed'

sh -c "$busy" &
target=$!
pmcstat -P cpu-clock -t $target -O c.log 2>err &
sleep 0.7
kill -KILL $target
status=0
wait $! || status=$?
is 'the death of a target ends the recording' "$status:$(cat err)" 0:
is 'with samples of it' "$(pmclog check c.log | awk '{ print ($4 > 100) }')" 1

pmcstat -P cpu-clock -O d.log sh -c "exec sh -c '$busy'" 2>err &
recorder=$!
sleep 2
kill -KILL $recorder
wait $recorder 2>/dev/null
pkill -f "busy-$$" 2>/dev/null
is 'kill -9 leaves a log that is readable to its last record' "$(whole d.log)" \
	'd.log: N records, N samples, not closed'
is 'and holds all but the last moments' "$(pmclog check d.log | awk '{ print ($4 > 300) }')" 1

status=0
(
	ulimit -f 8
	exec pmcstat -n 100000 -P cpu-clock -O e.log sh -c "$short" 2>err
) || status=$?
is 'a log that may not grow on' "$status:$(sed "s,$dir/,,; s/[0-9][0-9]*/N/g" err)" \
	'74:pmcstat: e.log: cannot write: File too large (N bytes are in the log)
pmcstat: N samples could not be written to the log'
is 'ends with a whole record' "$(whole e.log)" 'e.log: N records, N samples, not closed'

run pmcstat -P cpu-clock -O /dev/full true
is 'a full disk' "$status:$(cat err)" '74:pmcstat: /dev/full: cannot write: No space left on device (0 bytes are in the log)
pmcstat: hint: what was written is a readable log; make room for more'

run sh -c "pmcstat -P cpu-clock -n 100000 -O - sh -c '$short' 2>pipe.err | head -c 1000 >/dev/null"
is 'a pipe whose reader went away' "$(sed 's/[0-9][0-9]*/N/g' pipe.err)" \
	'pmcstat: pipe:[N]: cannot write: Broken pipe (N bytes are in the log)
pmcstat: N samples could not be written to the log'

echo old >f.log
run pmcstat -P no-such-event -O f.log true
is 'a recording that cannot be leaves the old log alone' "$status:$(cat f.log)" 64:old
run pmcstat -P cpu-clock -O /no/such/dir/log true
is 'a log that cannot be made' "$status:$(cat err)" '73:pmcstat: /no/such/dir/log: No such file or directory'
run pmcstat -q -P cpu-clock -G graph sh -c "$short; exit 3"
is 'live: the command, then its report' "$status:$(sed -n 's/ \[.*//p;1q' graph)" '3:@ cpu-clock'
run pmcstat -q -P cpu-clock sh -c 'exit 3'
is 'live: the log as text' "$status:$(head -n 1 out)" '3:initlog   0x9030000 "GENERIC"'
echo "1..$n"
exit $failed
