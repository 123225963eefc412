Options that do not go together are refused with one sentence and exit status 64.
== log log
pmc 1 cpu-clock
exec 10 app
map 10 0x1000 0x1000 [anon]
sample 10 0x1010
== run 64 nothing to do
pmcstat
== err
pmcstat samples and counts what programs and the machine do:
  pmcstat COMMAND [ARG ...]       records a command, and shows where its time goes
  pmcstat -S cpu-clock -l 10      the same of the whole machine; -T shows it live
  pmcstat -R --html=report.html   shows more of the last log here; -R LOG: of that
  pmcstat --help                  lists the rest; --doctor says what works here
== run 64 options alone are nothing to do either
pmcstat -q
== err
pmcstat: nothing to do: name a command, a PMC with -P, -S, -p or -s, or a log with -R
pmcstat: hint: pmcstat --help lists the options
== run 64 an event that was forgotten
pmcstat -P -O x.log -- ./mt
== err
pmcstat: option -P needs an event, and "-O" is an option
pmcstat: hint: -P cpu-clock is time on a CPU; pmcstat -L lists the events
== run 64 an event is named as it was typed, also where it looks like one of a class
pmcstat -P cpu-clok true
== err
pmcstat: unknown event "cpu-clok"
pmcstat: hint: is it cpu-clock?  pmcstat -L lists the events
== run 64 a class before a name that is nearly right
pmcstat -P cpu-instrutions true
== err
pmcstat: unknown event "cpu-instrutions"
pmcstat: hint: is it instructions?  pmcstat -L lists the events
== run a word too many
for words in '--doctor extra' '-L foo' '-u cpu-clock foo'; do
	# shellcheck disable=SC2086
	pmcstat $words 2>&1
	echo $?
done
== out
pmcstat: "extra" is one word too many: nothing is run here
pmcstat: hint: pmcstat --help lists the options
64
pmcstat: "foo" is one word too many: nothing is run here
pmcstat: hint: pmcstat --help lists the options
64
pmcstat: "foo" is one word too many: nothing is run here
pmcstat: hint: pmcstat --help lists the options
64
== run what shows something itself writes no output, reads no log, and uses no PMC
for words in '--doctor --json=x' '-L -R out.log' '-u cpu-clock -P cpu-clock'; do pmcstat $words 2>&1 | head -n 1; done
== out
pmcstat: options -L, -u and --doctor write a text of their own, and go with no PMC, log or output
pmcstat: options -L, -u and --doctor write a text of their own, and go with no PMC, log or output
pmcstat: options -L, -u and --doctor write a text of their own, and go with no PMC, log or output
== run 64 -t beside PMCs that follow nobody
pmcstat -S cpu-clock -s page-faults -t $$ -l 1
== err
pmcstat: option -t needs -P or -p: -S and -s are of whole CPUs, whoever runs there
pmcstat: hint: pmcstat --help lists the options
== run 64 -O with -R
pmcstat -R a -O b
== err
pmcstat: options -O and -R are mutually exclusive
pmcstat: hint: pmcstat --help lists the options
== run 64 -P without a target
pmcstat -P cpu-clock -O out
== err
pmcstat: options -P and -p need a target: a command or -t
pmcstat: hint: pmcstat --help lists the options
== run 64 -R with a PMC
pmcstat -R a -S cpu-clock
== err
pmcstat: option -R reads a log and cannot be used with a PMC, -t or a command
pmcstat: hint: pmcstat --help lists the options
== run 64 -O - with an output, both for standard output or not
pmcstat -P cpu-clock -O - --flat=flat true
== err
pmcstat: option -O - and outputs are mutually exclusive
pmcstat: hint: pmcstat --help lists the options
== run 64 -c alone
pmcstat -c 1 -P cpu-clock true
== err
pmcstat: option -c needs -S, -s or -R
pmcstat: hint: pmcstat --help lists the options
== run 64 a setting behind two PMCs, one of which it was meant for
pmcstat -S cpu-clock -S page-faults -n 1000 -O out
== err
pmcstat: option -n is for the PMCs behind it, and there is none
pmcstat: hint: put it before the -P, -S, -p or -s that it is for
== run 64 a rate that is no number
pmcstat -n many -S cpu-clock
== err
pmcstat: -n "many" is not a whole number from 1 to 9223372036854775807
== run 64 a CPU list that is none
pmcstat -c 3- -S cpu-clock
== err
pmcstat: -c "3-" is not a list of numbers like 0,2-5
== run 64 a list of numbers whose range is too long
pmcstat --pid 1-99999 -R out.log --flat
== err
pmcstat: --pid "1-99999" has a range of more than 65536 numbers
== run 64 a setting of PMCs for a log that was recorded already
pmcstat -N -R out.log --flat
== err
pmcstat: option -N is for the PMCs behind it, and there is none
pmcstat: hint: put it before the -P, -S, -p or -s that it is for
== run 64 so is the depth of chains
pmcstat --depth 5 -R out.log --flat
== err
pmcstat: option --depth needs -P or -S
pmcstat: hint: pmcstat --help lists the options
== run 64 how outputs are divided without one
pmcstat --by pid --dump -R out.log
== err
pmcstat: options --by, --inlines and -I need an output
pmcstat: hint: pmcstat --help lists the options
== run 64 instructions without their function
pmcstat --asm -R out.log --flat
== err
pmcstat: option --asm needs --annotate or --html-sources
pmcstat: hint: pmcstat --help lists the options
== run 66 a copied file system that is not there
pmcstat -r /no/such/copy -R out.log --flat
== err
pmcstat: -r /no/such/copy: No such file or directory
== run 66 one that is no directory
pmcstat -r /dev/null -R out.log --flat
== err
pmcstat: -r /dev/null: Not a directory
== run 66 a kernel that is not there
pmcstat -k /no/such/vmlinux -R out.log --flat
== err
pmcstat: -k /no/such/vmlinux: No such file or directory
== run 64 an option that is not known
pmcstat --nonsense
== err
pmcstat: unknown option --nonsense
pmcstat: hint: pmcstat --help lists the options
== run 64 the one letter of FreeBSD that is none here
pmcstat -A -R out.log -G -
== err
pmcstat: unknown option -A
pmcstat: hint: -A of FreeBSD shows addresses in place of functions; -I shows both, -m and -a the addresses of each sample
== run 64 a letter that is none anywhere
pmcstat -x -R out.log
== err
pmcstat: unknown option -x
pmcstat: hint: pmcstat --help lists the options
== run help begins with what is least to type
pmcstat --help | head -n 1
== out
usage: pmcstat [options] COMMAND [ARG ...]
== run 64 a slip
pmcstat --flamgraph=x true
== err
pmcstat: unknown option --flamgraph
pmcstat: hint: is --flamegraph meant?  pmcstat --help lists the options
== run 64 the beginning of two options
pmcstat --fla true
== err
pmcstat: option --fla is not the only one that begins so
pmcstat: hint: --flat, --flamegraph
== run 64 an argument of an option that takes none
pmcstat --quiet=3 true
== err
pmcstat: option --quiet takes no argument
pmcstat: hint: pmcstat --help lists the options
== run 64 an option without its argument
pmcstat -O
== err
pmcstat: option -O needs an argument
pmcstat: hint: pmcstat --help lists the options
== run 66 the last log where there is none
pmcstat -R
== err
pmcstat: option -R names no log, and there is no pmcstat.log here
pmcstat: hint: -R FILE reads another; pmcstat COMMAND records one
== run 64 a file that is an option
pmcstat --html -- true
== err
pmcstat: option --html needs a file, and "--" is an option
pmcstat: hint: --html=FILE; --html=- is standard output, --html=./-- that file
== run 64 a file of an output that takes one behind "=" alone
pmcstat --flamegraph out.svg -- true
== err
pmcstat: option --flamegraph takes its file behind "=": --flamegraph=out.svg
== run 64 the same of a log
pmcstat -R log --flamegraph out.svg
== err
pmcstat: option --flamegraph takes its file behind "=": --flamegraph=out.svg
== run 64 the rate of perf's -F
pmcstat -F 99 true
== err
pmcstat: -F 99 would write --callgrind to a file of that name
pmcstat: hint: are 99 samples a second meant?  --freq 99; for the file -F ./99
== run 64 a process in place of an event
pmcstat -p 1234
== err
pmcstat: -p names an event, and "1234" is a number
pmcstat: hint: -t 1234 is the process of that number; -p cpu-clock -t 1234
== run 64 the log as text and something else
pmcstat -R log --dump --flat
== err
pmcstat: option --dump goes with no output, and with neither -T nor --diff
pmcstat: hint: pmcstat --help lists the options
== run nothing is written by a refused command line
pmcstat -P cpu-clock -O out 2>/dev/null; ls
== out
log
== run 64 two outputs for one file, by whatever name
pmcstat -R log -G x --flat=./x
== err
pmcstat: --graph and --flat would both be written to ./x
== run 64 an output in place of the log that it is of
ln log other; pmcstat -R log --flat=other
== err
pmcstat: --flat would overwrite the log log
== run 64 an output in place of the log that is to be written
pmcstat -P cpu-clock -O out --folded=./out true
== err
pmcstat: --folded would overwrite the log out
== run outputs that all go to standard output or a device
pmcstat -q -R log --folded --folded=- --folded=/dev/null -G /dev/null
== out
app;0x1010 1
app;0x1010 1
== run 74 a text that was asked for and cannot be shown
pmcstat --version >/dev/full
== err
pmcstat: standard output: No space left on device
pmcstat: hint: make room for more
== run 64 debuginfod without a server to ask
env -u DEBUGINFOD_URLS pmcstat -R log --debuginfod --folded
== err
pmcstat: --debuginfod: DEBUGINFOD_URLS names no server to ask
pmcstat: hint: https://debuginfod.elfutils.org knows many distributions
== run 64 a histogram of the kernel and a process
pmcstat --kgmon gmon -P cpu-clock true
== err
pmcstat: option --kgmon needs one -S, and goes with no other PMC
pmcstat: hint: pmcstat --help lists the options
== run 64 a histogram of the kernel and a log
pmcstat --kgmon gmon -S cpu-clock -O new
== err
pmcstat: option --kgmon writes no log: it goes with none of -O, -T and outputs
pmcstat: hint: pmcstat --help lists the options
== run 69 a histogram of the kernel by a collector that has none
pmcstat --collector=perf --kgmon gmon -S cpu-clock true
== err
pmcstat: the collector perf cannot count samples into a histogram
pmcstat: hint: load the kernel module hwpmc, which can
== run 64 sources go into a page, and only there
pmcstat -R out.log --flat --html-sources
== err
pmcstat: option --html-sources needs --html
pmcstat: hint: pmcstat --help lists the options
