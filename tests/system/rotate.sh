#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# A log in several files: no sample is lost between them or in two, each is whole, and names what it
# has without the others.
# shellcheck disable=SC2317 # functions are called by until_true
# shellcheck source=tests/system/lib.sh
. "${srcdir:?}/tests/system/lib.sh"
needs_recording

# samples LOG: it has some.
samples() {
	pmclog check "$1" 2>&1 | grep -q ' [1-9][0-9]* samples'
}

# added LOG...: chains with their counts, those of the same chain added.
added() {
	for log; do
		pmcstat -q -R "$log" --by tid --folded
	done | awk '{ n = $NF; sub(/ [0-9]+$/, ""); of[$0] += n } END { for (c in of) print c, of[c] }' |
		LC_ALL=C sort
}

# Every page-fault is a sample, and is counted.  Each step waits to be asked, and then there is a
# new file: of the same process, of one that was forked before, of another program.
cat >work <<'EOS'
faults() {
	seq 3000 | sort >/dev/null
}
child() {
	read -r _ <go.child
	x=$(seq 20000)
	: "$x"
	echo "$1" >>steps
}
child forked &
read -r _
faults
echo first >>steps
read -r _
wait
read -r _
exec sh rest
EOS
cat >rest <<'EOS'
seq 3000 | sort >/dev/null
echo last >>steps
read -r _
seq 3000 | sort >/dev/null
EOS
mkfifo go go.child
# step N FD: has the next step done, then begins another file.
step() {
	echo >&"$2"
	until_true grep -qs "$3" steps
	until_true samples "many.00000$1$suffix"
	kill -USR2 $recorder
	until_true test -s "many.00000$(($1 + 1))$suffix"
}
# Records the steps.
record() {
	rm -f steps counts
	pmcstat -q -N -d -n 1 -P page-faults:u -C -p page-faults:u -o counts -w 1000 -O "many$suffix" --rotate 1h,9 \
		sh work <go 2>err &
	recorder=$!
	exec 8>go 9>go.child
	step 1 8 first
	step 2 9 forked
	echo >&8
	step 3 8 last
	echo >&8
	exec 8>&- 9>&-
	wait $recorder
}
for suffix in .log .log.gz .pmcz; do
	record
	is "$suffix: nothing is said" "$(cat err)" ''
	is "$suffix: the files" "$(echo many.*"$suffix")" \
		"many.000001$suffix many.000002$suffix many.000003$suffix many.000004$suffix"
	for i in 1 2 3 4; do
		like "$suffix: file $i is whole" "$(pmclog check --freebsd "many.00000$i$suffix")" \
			', [1-9][0-9]* samples, closed; .* read all of it'
	done
	added many.*"$suffix" >files.text
	is "$suffix: each page-fault is in one of them" "$(awk '{ n += $NF } END { print n }' files.text)" \
		"$(awk 'END { print $NF }' counts)"
	is "$suffix: what was there before the file is known in it" \
		"$(awk '/pid-|\[unknown\]/ { n++ } END { print n + 0 }' files.text)" 0
	pmclog merge -o merged.log many.*"$suffix"
	added merged.log >merged.text
	equal "$suffix: merged they have the same" merged.text files.text
done

# A process that is not there any more when the next file begins, and what it compiled.
case $(uname -m) in
x86_64 | aarch64)
	compiled jit system/jit.c -O1 -g -fno-omit-frame-pointer
	pmcstat -q -P cpu-clock:u -O jit.log --rotate 1h ./jit 60 >pids 2>err &
	recorder=$!
	until_true test -s jit.000001.log
	until_true test -s pids
	for i in 1 2; do
		until_true samples "jit.00000$i.log"
		kill -USR2 $recorder
		until_true test -s "jit.00000$((i + 1)).log"
	done
	kill -TERM $recorder
	wait $recorder
	rm -f "/tmp/perf-$(head -n 1 pids).map"
	for i in 1 2; do
		like "file $i names JIT-compiled code" "$(pmcstat -q -R jit.00000$i.log --folded)" ';jit_loop;jit_leaf [0-9]'
	done
	;;
esac

# By size; killed, the recorder leaves whole files, and one that is readable.
# shellcheck disable=SC2016
pmcstat -q -n 100000 -P cpu-clock:u -O size.log --rotate 32K sh -c 'echo $$ >busy.pid; while :; do :; done' &
recorder=$!
until_true test -s size.000004.log
kill -KILL $recorder
wait $recorder 2>/dev/null
kill "$(cat busy.pid)"
is 'files of a size' "$(for i in 1 2 3; do
	wc -c <size.00000$i.log
done | awk '$1 < 32768 || $1 > 1000000')" ''
is 'are whole' "$(for i in 1 2 3; do
	pmclog check size.00000$i.log
done | grep -c ', closed$')" 3
like 'the last of a killed recorder is readable' "$(pmclog check size.000004.log)" ' records, '

# shellcheck disable=SC2016
busy='i=0; while [ $i -lt 3000000 ]; do i=$((i + 1)); done'
status=0
(
	ulimit -f 40
	exec pmcstat -n 100000 -P cpu-clock:u -O full.log --rotate 1h sh -c "$busy" 2>err
) || status=$?
is 'a file that may not grow on ends the log' "$status:$(grep -c 'full.000001.log: cannot write' err)" 74:1
is 'and is the only one' "$(echo full.*.log)" full.000001.log

# By time; what is not kept is deleted, and nothing else.
echo mine >time.000007.log
pmcstat -P cpu-clock:u -O time.log --rotate 0.2s,2 sh -c 'while :; do :; done' 2>err &
recorder=$!
until_true test -s time.000011.log
kill -TERM $recorder
wait $recorder
set -- time.0*.log
is 'two are kept, with the file that was there' "$#:$1:$(cat time.000007.log)" 3:time.000007.log:mine
is 'they are the last ones' "$(echo "$2 $3" | awk -F '[. ]' '{ print $5 - $2, ($2 > 8) }')" '1 1'
like 'the last is closed by a signal' "$(pmclog check "$3")" ', closed$'

# Somebody has written into a file that has ended: it is his.
is_left() {
	! find "/proc/$recorder/fd" -lname '*/place.000001.log' | grep -q .
}
pmcstat -q -P cpu-clock:u -O place.log --rotate 1h,2 sh -c 'while :; do :; done' 2>err &
recorder=$!
for i in 2 3 4; do
	until_true samples "place.00000$((i - 1)).log"
	kill -USR2 $recorder
	until_true test -s place.00000$i.log
	[ $i != 2 ] || { until_true is_left && echo mine >place.000001.log; }
done
until_true test ! -e place.000002.log
kill -TERM $recorder
wait $recorder
is 'a file that somebody else has written to is not deleted' "$(echo place.*.log && cat place.000001.log)" \
	'place.000001.log place.000003.log place.000004.log
mine'
finish
