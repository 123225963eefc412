#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The commands that FreeBSD's pmcstat(8) shows work here as they are typed there, but for the events,
# which are those that every machine has.  That of a log sent to another host is in tcp.sh.
# shellcheck source=tests/system/lib.sh
. "${srcdir:?}/tests/system/lib.sh"
# No other one runs.
name=emacs$$
compiled $name system/count.c -O1 -pthread
needs_recording

# total: of the counts that a command wrote to the file err.
total() {
	awk '/^ *[0-9]/ { for (i = 1; i <= NF; i++) n += $i } END { print n + 0 }' err
}
# at_least TITLE VALUE LEAST
at_least() {
	if [ "$2" -ge "$3" ]; then
		verdict yes "$1"
	else
		verdict no "$1" "$2 is below $3: $(cat err)"
	fi
}
# sampled TITLE LOG: it is closed, and has samples.
sampled() {
	like "$1" "$(pmclog check "$2" 2>&1)" ' [1-9][0-9]* samples, closed$'
}
# running: whether the PMCs of the last command in the background count already.
running() {
	grep -q '^#' err 2>/dev/null
}
# has_its_name PID: returns when the process runs the program.
has_its_name() {
	until [ "$(cat "/proc/$1/comm" 2>/dev/null)" = $name ]; do sleep 0.05; done
}

mkfifo go
# What a process and its children cause; the second line is 12 s later, or the last one.
pmcstat -d -w 12 -p page-faults sh -c "./$name own faults 1000" >out 2>err
is 'a command with its children, its status' $? 0
at_least 'and their counts' "$(total)" 1000

# It takes its time, for PMCs start a moment after the first sign of their recorder.
./$name own wait go spin 300 faults 2000 &
target=$!
has_its_name $target
rm err # in the background it is made anew, later
pmcstat -t "^$name\$" -p page-faults 2>err &
recorder=$!
until running || ! kill -0 $recorder 2>/dev/null; do sleep 0.05; done
echo >go
wait $target
wait $recorder
is 'processes of a name, until they end' $? 0
at_least 'and their counts' "$(total)" 2000

# The same for as long as a command runs.
rm -f own
./$name own wait go faults 3000 &
target=$!
has_its_name $target
pmcstat -t "^$name\$" -p page-faults sh -c 'echo >go; until [ -s own ]; do sleep 0.05; done; exit 3' >out 2>err
is 'processes of a name beside a command, its status' $? 3
at_least 'and their counts' "$(total)" 3000
./$name own wait go &
beside=$!
has_its_name $beside
pmcstat -t "^$name\$" -p page-faults true 2>err
is 'the recording ends with the command' "$?$(kill -0 $beside 2>&1)" 0
pmcstat -q -t $beside -d -n 100 -P page-faults -O both.log ./$name own faults 1000 2>err
is 'samples are of the command, too' "$?$(pmcstat -q -R both.log --folded | sed 's/[;_].*//' | sort -u)" "0$name"
echo >go
wait $beside
pmcstat -t '^nobody here$' -p page-faults true 2>err
is 'no process of a name, command or not' "$?$(cat err)" \
	'67pmcstat: -t "^nobody here$": no process with such a command name
pmcstat: hint: one that starts later is in -S'"'s samples, where --comm chooses it"
pmcstat -t sixteen-and-more -p page-faults true 2>err
is 'nor of one that is longer than names are' "$(tail -n 1 err)" \
	'pmcstat: hint: Linux keeps 15 characters of a name: -t "sixteen-and-mor"'

./$name own wait go spin 300 faults 10000 &
target=$!
pmcstat -P page-faults -t $target -O sample.out 2>err &
recorder=$!
until [ -s sample.out ] || ! kill -0 $recorder 2>/dev/null; do sleep 0.05; done
echo >go
wait $target
wait $recorder
is 'a process by its number' "$?$(cat err)" 0
sampled 'and its samples' sample.out

pmcstat -q -R sample.out -g 2>err
is 'gmon.out files' "$?$(find page-faults -name '*.gmon' | grep -v lib)" "0page-faults/$name.gmon"
pmcstat -q -R sample.out -G foo.graph 2>err
like 'a call graph in a file' "$?$(cat foo.graph)" '^0@ page-faults \[[0-9]* samples\]$'
pmcstat -v -R sample.out -G - -o bar.graph 2>err
equal 'the same by -o' bar.graph foo.graph

records_system || finish
pmcstat -O sample.stat -n 3276800 -S cpu-clock sleep 0.3 2>err
# CPUs that sleep may be sampled late, which is told.
is 'all of the machine, by a rate' "$?$(grep -v 'counts once$' err)" 0
sampled 'and its samples' sample.stat
pmcstat -N -S cpu-clock -O leaves.out sleep 0.3 2>err
is 'without call chains' "$?$(pmcstat -q -R leaves.out -G - | grep -c '^ ')" 00
# Until it is interrupted.
rm err
pmcstat -c 0 -s page-faults 2>err &
recorder=$!
until running || ! kill -0 $recorder 2>/dev/null; do sleep 0.05; done
kill -INT $recorder
wait $recorder
like 'counts of a CPU' "$?$(cat err)" '^0# *s/00/page-faults$'
pmcstat -T -S cpu-clock -w 0.5 >screens 2>err </dev/null &
recorder=$!
until grep -q '^PMC: ' screens || ! kill -0 $recorder 2>/dev/null; do sleep 0.05; done
kill -INT $recorder
wait $recorder
like 'a top' "$?$(cat err screens)" '^0?PMC: \[cpu-clock\]'
finish
