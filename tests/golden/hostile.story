Names in a log may hold anything; a report stays one of lines, and no byte of it drives a terminal.
== log out.log
pmc 1 "cpu\x1b[2Jclock"
proc 10 "a\x0ab;c d%s"
map 10 0x401000 0x1000 "/x\x0a@ y [9 samples]\x1b[31m\xc2\x9b"
sample 10 0x401010 x3
close
== run folded stacks
pmcstat -q -R out.log --folded
== out
a_b:c_d%s;0x10 3
== run the call graph
pmcstat -q -R out.log -G -
== out
@ cpu_[2Jclock [3 samples]

100.0%  [3]        0x10 @ /x_@_y_[9_samples]_[31m_

== run the flat profile and the quality line
pmcstat -R out.log --flat
== out
@ cpu\033[2Jclock [3 samples]
  SELF%       SELF  TOTAL%      TOTAL  FUNCTION  OBJECT
 100.00          3  100.00          3  0x10  x\012@ y [9 samples]\033[31m\302\233

quality: 3 samples of cpu\033[2Jclock; lost 0 (0.00%); throttled 0; unresolved 100.00%, of them unmapped 0.00%; truncated chains 0
== err
pmcstat: 3 samples (100.00%): cannot open /x\012@ y [9 samples]\033[31m\302\233: No such file or directory
== run the log as text
pmcstat --dump -R out.log | sed -n '/create\|map-in/p'
== out
create    10 0 "a\012b;c d%s"
map-in    10 0x401000 "/x\012@ y [9 samples]\033[31m\302\233"
== log bytes.log
pmc 1 cpu-clock
proc 10 "a\x9b2J\xc2"
map 10 0x401000 0x1000 "/\xe2\x80\xaex\xc3\x9b\xff"
sample 10 0x401010
close
== run a lone byte that terminals of 8 bits obey, and what turns the direction of text; other bytes and letters stay
pmcstat -q -R bytes.log --folded | cat -v; pmcstat -q -R bytes.log --flat | sed -n 3p | cat -v
pmcstat -q -R bytes.log --perf-script=- | head -n 1 | cut -c 1-8 | cat -v; pmclog dump bytes.log | sed -n '/create\|map-in/p' | cat -v
pmclog text bytes.log | cat -v | grep -o '"/\?\(a\|.xe2\).*"'; pmclog text bytes.log | pmclog assemble - - | cmp - bytes.log
== out
a_2JM-B;0x10 1
 100.00          1  100.00          1  0x10  \342\200\256xM-CM-^[M-^?
a_2JM-B   
create    10 0 "a\2332JM-B"
map-in    10 0x401000 "/\342\200\256xM-CM-^[M-^?"
"a\x9b2JM-B"
"/\xe2\x80\xaexM-CM-^[M-^?"
== run a pid that is used again and again, within seconds
{
	echo 'pmc 1 page-faults flags=0x20'
	yes 'fork 1 10' | head -n 200000
	printf 'exitval 1 10 5\nexit 10\nclose\n'
} | mklog forks.log
ulimit -t 10
pmcstat -R forks.log --process-tree
== out
@ page-faults [5 counted]
TOTAL%     TOTAL       SELF   SECONDS     PID  COMMAND
100.00         5+         -         -       1  [unknown]
100.00         5          5     0.000      10    [unknown]

== err
pmcstat: quality: 0 samples of page-faults; lost 0 (0.00%); throttled 0; unresolved 0.00%, of them unmapped 0.00%; truncated chains 0
== run names that collide wherever a hash has no secret: each ends in the number that its product is zero by
{
	printf 'pmc 1 page-faults\nproc 10 app\n'
	awk 'BEGIN { for (i = 1; i <= 80000; i++)
		printf "map 10 0x%x000 0x1000 \"%08d\\x03\\xed\\x92\\xd1\\x32\\x4a\\xb5\\xd1\" off=0\n", i, i }'
	printf 'sample 10 0x1010\nclose\n'
} | mklog names.log
ulimit -t 10
pmcstat -q -R names.log --folded
== out
app;0x10 1
== run 65 a compressed log in which far more is than logs have
echo 'sample 10 0x401010' | mklog bomb.log && tail -c 40 bomb.log >samples
for i in $(seq 21); do cat samples samples >more && mv more samples; done
cat samples samples >>bomb.log && gzip -9 bomb.log
pmcstat -q -R bomb.log.gz --flat >flat 2>err
status=$?
sed 's/[0-9]* at 0x[0-9a-f]*/N at N/; s/: [0-9]* compressed/: N compressed/; s/become [0-9]*/become N/; s/, [1-9][0-9][0-9] times/, NNN times/' err >&2
(exit $status)
== err
pmcstat: bomb.log.gz: record N at N: N compressed bytes have become N of records without their call chains, NNN times as many; 128 times is the most
