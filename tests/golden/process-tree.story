Processes with what they counted, below those that created them.
== log make.log
pmc 1 page-faults flags=0xa
pmc 2 context-switches flags=0x8
time 1000000000
attach 1 100 /usr/bin/pmcstat
exec 100 /usr/bin/make
proc 100 make
time 2000000000
fork 100 101
proc 101 make
time 2500000000
fork 100 102
time 2600000000
exec 101 /usr/bin/x86_64-linux-gnu-gcc-12
proc 101 x86_64-linux-gn
time 2700000000
exec 102 /bin/sh
proc 102 build.sh
time 3000000000
fork 101 103
exec 103 /usr/libexec/cc1
time 3100000000
fork 102 104
exitval 1 104 1
exit 104
fork 102 105
exitval 1 105 2
exit 105
time 3500000000
exitval 1 103 600
exitval 2 103 7
exit 103
exitval 1 101 97
exit 101
time 4000000000
exitval 1 102 100
exit 102
exitval 1 100 200
exitval 2 100 4
time 5000000000
exit 100
== run a tree for each PMC; names are those of scripts, and whole where the kernel cuts them
pmcstat -q -R make.log --process-tree
== out
@ page-faults [1000 counted]
TOTAL%     TOTAL       SELF   SECONDS     PID  COMMAND
100.00      1000        200     4.000     100  make
 69.70       697         97     1.500     101    x86_64-linux-gnu-gcc-12
 60.00       600        600     0.500     103      cc1
 10.30       103        100     1.500     102    build.sh
  0.30         3                                   ... 2 more

@ context-switches [11 counted]
TOTAL%     TOTAL       SELF   SECONDS     PID  COMMAND
100.00        11+         4     4.000     100  make
 63.64         7+         -     1.500     101    x86_64-linux-gnu-gcc-12
 63.64         7          7     0.500     103      cc1

== run all of them
pmcstat -q -R make.log -f threshold=0 --process-tree=tree && grep -c . tree && grep 105 tree
== out
13
  0.20         2          2     0.000     105      build.sh
== log late.log
pmc 1 page-faults flags=0xa
time 1000000000
attach 1 100 /usr/bin/daemon
fork 100 101
fork 101 100000
fork 100000 103
exitval 1 103 18446744073709551615
exit 103
fork 100 103
exec 103 "/bin/odd\x1bname"
exitval 1 103 0
exit 103
fork 9 55
== run processes that still run, numbers that are used again, wide counts, names that drive no terminal
pmcstat -q -R late.log -f threshold=0 --process-tree
== out
@ page-faults [18446744073709551615 counted]
TOTAL%                TOTAL                  SELF   SECONDS     PID  COMMAND
100.00 18446744073709551615+                    -         -     100  daemon
100.00 18446744073709551615+                    -         -     101    daemon
100.00 18446744073709551615+                    -         -  100000      daemon
100.00 18446744073709551615  18446744073709551615     0.000     103        daemon
  0.00                    0                     0     0.000     103    odd\033name

== log deep.log
pmc 1 page-faults flags=0xa
attach 1 1 /bin/sh
fork 1 2
fork 2 3
fork 3 4
fork 4 5
fork 5 6
fork 6 7
fork 7 8
fork 8 9
fork 9 10
fork 10 11
fork 11 12
fork 12 13
fork 13 14
fork 14 15
fork 15 16
fork 16 17
fork 17 18
exitval 1 18 5
== run indentation begins anew behind the 15th level
pmcstat -q -R deep.log --process-tree | tail -n 5
== out
100.00         5+         -         -      15                              sh
100.00         5+         -         -      16                                sh
100.00         5+         -         -      17  16: sh
100.00         5          5         -      18    17: sh

== log lines.log
pmc 1 page-faults flags=0xa
attach 1 100 /usr/bin/pmcstat
exec 100 /usr/bin/make arg=make arg=-j2 arg=CC=gcc
proc 100 make
fork 100 101
exec 101 /usr/bin/dash arg=/bin/sh arg=-c arg="echo it's \"so\" > f" arg="" arg="\x1b[31m"
proc 101 sh
fork 101 102
exec 102 /bin/busybox arg=cat arg=/etc/müller
proc 102 cat
exitval 1 102 1
exit 102
fork 101 103
exitval 1 103 2
exit 103
exitval 1 101 3
exit 101
fork 100 104
exec 104 /usr/libexec/cc1
proc 104 cc1
exitval 1 104 4
exit 104
fork 100 105
exec 105 /usr/bin/env arg=env arg=A=1 arg=/bin/build
exec 105 /bin/bash arg=/bin/bash arg=/bin/build arg=long cut
proc 105 build
exitval 1 105 5
exit 105
attach 1 100 /usr/bin/make
exitval 1 100 6
exit 100
== run programs with their arguments, as a shell would read them; ... is what the log does not have
pmcstat -q -R lines.log -f threshold=0 --process-tree
== out
@ page-faults [21 counted]
TOTAL%     TOTAL       SELF   SECONDS     PID  COMMAND
100.00        21          6     0.000     100  make -j2 CC=gcc
 28.57         6          3     0.000     101    sh -c 'echo it'\''s "so" > f' '' '\033[31m'
  4.76         1          1     0.000     102      cat /etc/müller
  9.52         2          2     0.000     103      sh -c 'echo it'\''s "so" > f' '' '\033[31m'
 19.05         4          4     0.000     104    cc1 ...
 23.81         5          5     0.000     105    bash /bin/build long...

== file script
pmc 1 page-faults
exec 10 /bin/sh arg=sh arg=-c arg=login
fork 10 11
exec 11 /bin/login arg=login arg=secret
exitval 1 11 7
exit 11
exitval 1 10 2
exit 10
== run a recording with and without them
pmcstat -q --collector=fake:script -d -E -p page-faults -t $$ -O log -o /dev/null && pmcstat -q -R log --process-tree &&
	grep -c secret log
pmcstat -q --collector=fake:script -d -E -p page-faults --no-arguments -t $$ -O log -o /dev/null &&
	pmcstat -q -R log --process-tree && ! grep secret log
== out
@ page-faults [9 counted]
TOTAL%     TOTAL       SELF   SECONDS     PID  COMMAND
100.00         9          2     0.000      10  sh -c login
 77.78         7          7     0.000      11    login secret

1
@ page-faults [9 counted]
TOTAL%     TOTAL       SELF   SECONDS     PID  COMMAND
100.00         9          2     0.000      10  sh
 77.78         7          7     0.000      11    login

== run 64 nothing that it would leave out
pmcstat --no-arguments -p page-faults -t $$
== err
pmcstat: option --no-arguments needs -E
pmcstat: hint: pmcstat --help lists the options
== log none.log
pmc 1 page-faults
== run 65 a log without such counts
pmcstat -q -R none.log --process-tree
== err
pmcstat: the log has no counts of processes
pmcstat: hint: record it with -d -E -p EVENT
== run 64 a recording that will have none
pmcstat -d -p page-faults --process-tree true
== err
pmcstat: option --process-tree needs -E -p, or -R
pmcstat: hint: pmcstat --help lists the options
== run 64 nor has it samples for another output
pmcstat -d -E -p page-faults --process-tree --flat=flat true
== err
pmcstat: outputs show samples, and need -P, -S or -R; --count-json is for counts
pmcstat: hint: pmcstat --help lists the options
