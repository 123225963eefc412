#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The first hour: a command alone is recorded, its log kept under a name of its own, and shown.
# shellcheck source=tests/system/lib.sh
. "${srcdir:?}/tests/system/lib.sh"
needs_recording

"${CC:-cc}" -g -O1 -o split "$srcdir/tests/system/split.c" 2>err || skip_all "no compiler: $(head -n 1 err)"
event='@ \(cycles\|cpu-clock\)\(:u\)\{0,1\} \[[0-9]* samples]'

mkdir here && cd here || exit 1
pmcstat ../split 0.5 >out 2>err
is 'a command alone: its event, its time, its processes' \
	"$(sed -n "1s/^$event\$/event/p; 2{s/[0-9][0-9]*\.[0-9]* s/N s/g; s/[0-9][0-9]*\.[0-9]*/N/g; s/on a CPU N s \((user N, system N) \)\{0,1\}//; s/, mostly waiting, maybe for a CPU//; p; }" out)" \
	'event
in N s; 1 process: split'
is 'its hottest function' "$(awk '/FUNCTION/ { getline; print $(NF - 1), $NF; exit }' out)" 'leaf_sixty split'
is 'its hottest path' "$(sed -n '/^hottest path/,/^$/p' out | tr -s '\n ' ' ' | sed 's/.*> main > /main > /')" \
	'main > caller_eighty > leaf_sixty '
is 'how long it ran, and where the log is' "$(sed 's/[0-9][0-9]*\.[0-9]*/N/g; s/, its first thread waited N s for one//' err)" \
	'pmcstat: ../split ran for N s: on a CPU N s (user N, system N); the log is pmcstat.log'
cp pmcstat.log first
pmcstat -q sh -c '../split 0.1; exit 3' >out2
is 'the status of the command, and another log' "$?:$(ls)" '3:err
first
out
out2
pmcstat.2.log
pmcstat.log'
is 'the first one is as it was' "$(cmp first pmcstat.log && echo same)" same
is 'what it started is there too' "$(sed -n '2s/.*; //p' out2 | grep -c split)" 1
cat >reads.c <<-'END'
	#include <fcntl.h>
	#include <unistd.h>
	int main(void)
	{
		static char bytes[1 << 20];
		int i, zero = open("/dev/zero", O_RDONLY);
		for (i = 0; i < 6000; i++)
			read(zero, bytes, sizeof(bytes));
		return 0;
	}
END
"${CC:-cc}" -w -g -O1 -o reads reads.c
pmcstat -q -O reads.log ./reads
pmcstat -q -R reads.log --folded | sed -n '/\(syscall\|SYSCALL\|svc\)/p' >in_kernel
if [ -s in_kernel ]; then
	is 'who called the kernel' "$(grep -c ';main;.*\(syscall\|SYSCALL\|svc\)' in_kernel | sed 's/^[1-9].*/main/')" main
else
	skip 'who called the kernel' 'the kernel is not sampled'
fi
rm -f reads reads.c reads.log in_kernel
touch -d '2000-01-01' pmcstat.2.log
pmcstat -q -R >again
is 'the last log without its name' "$(cat again)" "$(sed 's/pmcstat.2.log/pmcstat.log/' out)"
pmcstat -q -R --folded | sort >named
pmcstat -q -R pmcstat.log --folded | sort >whole
is 'and options behind it' "$(cmp named whole && echo same)" same
is 'the commands that it names are right' "$(sed -n 's/^  \(pmcstat -R .*annotate.*\)/\1/p' again)" \
	'pmcstat -R pmcstat.log --annotate=leaf_sixty  # its lines'
cd .. || exit 1

mkdir empty && cd empty || exit 1
pmcstat -q ./not-there >out 2>err
is 'no log of a command that does not run' "$?:$(ls):$(cat err)" '127:err
out:pmcstat: ./not-there: No such file or directory'
printf '#!/not/there\n' >script
chmod 755 script
for command in ./script "$PWD"; do
	pmcstat -q "$command" 2>&1
	echo $?
done >out
is 'what does not run is told as it is' "$(cat out; ls ./*.log 2>/dev/null)" "pmcstat: ./script: the interpreter or run-time linker that it names is missing
127
pmcstat: $PWD: Is a directory
126"
pmcstat -O named.log ../split 0.1 >out 2>err
is 'a log with a name: no event need be named either, and nothing is shown' \
	"$?:$(cat out err):$(pmcstat -q -R named.log --folded | grep -o leaf_sixty | uniq)" '0::leaf_sixty'
echo 'int main;' >program.c
pmcstat -P cpu-clock -O program.c true 2>err
is 'a log takes the place of a log alone' "$?:$(cat err program.c)" \
	'73:pmcstat: program.c: has 10 bytes that are no log, and stays as it is
pmcstat: hint: name another file behind -O, or remove this one
int main;'
: >rate.log
pmcstat -q -P cpu-clock -O rate.log true
is 'and that of an empty file' "$?:$(pmclog info rate.log | grep -c '^pmc ')" 0:1
pmcstat -P cpu-clock --freq 99 -O rate.log true
is 'a setting behind the only PMC is its' "$(pmcstat -R rate.log --flat | grep -c 'cpu-clock\(:u\)\{0,1\} at 99 Hz')" 1
cd .. || exit 1

mkdir outputs && cd outputs || exit 1
# An output of the name that the log gets: nothing runs, nothing is left.
refused() {
	pmcstat "$@" touch ran 2>err
	echo "$?:$(cat err):$(ls)"
}
says='an output would overwrite the log of this recording
pmcstat: hint: give the output another name:err'
is 'an output does not overwrite a log that got its name itself' "$(refused -o pmcstat.log)" "64:pmcstat: pmcstat.log: $says"
is 'nor one of several' "$(refused -O log --rotate 1M -P cpu-clock -p task-clock -o log.000001)" \
	"64:pmcstat: log.000001: $says"
seq -f pmcstat.%g.log 2 9999 | xargs touch pmcstat.log
is 'where there is no name left no log is lost' "$(refused | sed q):$(find . -name "pmcstat*.log" | wc -l)" \
	'73:pmcstat: pmcstat.9999.log: File exists:9999'
cd .. || exit 1

if [ "$(id -u)" = 0 ] && ! command -v setpriv >/dev/null; then
	skip 'a directory that cannot be written' 'no setpriv'
else
	mkdir sealed && chmod 555 sealed
	chmod 755 .
	[ "$(id -u)" = 0 ] && drop='setpriv --reuid 65534 --regid 65534 --clear-groups'
	(cd sealed && ${drop-} pmcstat -q ../split 0.1 2>../err)
	is 'a directory that cannot be written' "$?:$(sed 1q err)" '73:pmcstat: pmcstat.log: Permission denied'
fi
finish
