Counts of target processes are exact to the instruction: loops of 2N instructions, counted with two
values of N; what starts and ends processes and threads is the same in both, and drops out.
== machine exact
== run a process, its threads, its descendants
targets exact
== out
a process: 2000000
three threads: 6000000
a family: 8000000
a family, its head alone: 2000000
forty threads that were there: 80000000
three processes that were there: 6000000
of them, the first alone: 2000000
== run the same by events that children inherit
echo 0 >/proc/sys/kernel/hwpmc/kept_counters
targets exact
targets detach
targets exec
echo 3 >/proc/sys/kernel/hwpmc/kept_counters
== out
a process: 2000000
three threads: 6000000
a family: 8000000
a family, its head alone: 2000000
forty threads that were there: 80000000
three processes that were there: 6000000
of them, the first alone: 2000000
five of six loops: 20000000
before exec: 0
2000000 more before exec: 0
2000000 more after exec: 2000000
== run of three processes that do two loops each, one is let go halfway
targets detach
== out
five of six loops: 20000000
== run a PMC that starts at exec has counted nothing before
targets exec
== out
before exec: 0
2000000 more before exec: 0
2000000 more after exec: 2000000
== run slices at switches, totals at exit and the value read say the same, to the instruction
targets sums-exact 20
== out
processes: 20, of them with other slices than total: 0, without exactly one exit: 0
slices = exits = value: yes
