A counter that is announced and counts nothing is found, told, kept and given to nobody.
== machine pmu
== run before anybody looks for it
rmmod hwpmc
count() {
	pmcstat "$@" -o counts spin 1000000 && awk '{ n = 0; for (i = 1; i <= NF; i++) n += $i > 0 } END { print n " count" }' counts
}
echo 4 >/sys/module/fakepmu/parameters/dead
count -p cycles -p cycles -p cycles
count -p cycles -p cycles -p cycles -p cycles
echo 1 >/sys/module/fakepmu/parameters/dead
count -p cycles -p cycles
echo one by itself is not tried
count -p cycles
echo 0 >/sys/module/fakepmu/parameters/dead
count -p cycles -p cycles -p cycles -p cycles
insmod /pmc/hwpmc.ko
== out
3 count
one by itself is not tried
0 count
4 count
== err
pmcstat: cycles: of 4 counters of this machine 1 count nothing: 3 PMCs at once count right, and not more
pmcstat: hint: use fewer events at once; pmccontrol doctor looks again
pmcstat: cycles: of 4 counters of this machine 1 count nothing: 0 PMCs at once count right, and not more
pmcstat: hint: use fewer events at once; pmccontrol doctor looks again
== run by perf
mkdir -p /run
rmmod hwpmc
found() {
	pmccontrol doctor | sed -n 's/^\(.*counters at once *\)/\1/p'
}
count() {
	pmcstat -p cycles -p cycles -p cycles "$@" -o counts spin 1000000 && awk 'END { print ($1 > 0) + ($2 > 0) + ($3 > 0) + ($4 > 0) }' counts
}
echo 4 >/sys/module/fakepmu/parameters/dead
found
sed /boot/d /run/pmcstat-counters
count -p cycles
count
pmcstat -q --collector=perf --summary -o /dev/null chain 2 1000 2>&1 | sed 's/counted: .*: of/counted: EVENT: of/'
echo 0 >/sys/module/fakepmu/parameters/dead
found
count -p cycles
rm /run/pmcstat-counters
insmod /pmc/hwpmc.ko
== out
no  counters at once       of 4, 1 count nothing: 3 PMCs at once count right, and more are refused until the next boot
pmcstat counters 1
tried 4
good 3
dead 1
3
pmcstat: not all is counted: EVENT: of 4 counters of this machine 1 count nothing: 3 PMCs at once count right, and not more
pmcstat: hint: --runs 1 counts the rest in runs of their own
ok  counters at once       4 of 64 tried, all count
4
== err
pmcstat: cycles: of 4 counters of this machine 1 count nothing: 3 PMCs at once count right, and not more
pmcstat: hint: use fewer events at once; pmccontrol doctor looks again
== run by the module
mkdir -p /run
echo 4 >/sys/module/fakepmu/parameters/dead
# While others want the CPUs, too.
(while :; do :; done) &
(while :; do :; done) &
(while :; do :; done) &
for i in 1 2 3 4; do
	pmccontrol doctor | grep 'counters at once'
done | uniq
pmcstat -p cycles -p cycles -p cycles -p cycles true 2>&1 | head -n 1
rm /run/pmcstat-counters
echo 0 >/sys/module/fakepmu/parameters/dead
== out
no  counters at once       of 4, 1 count nothing: 3 PMCs at once count right, and more are refused until the next boot
pmcstat: cycles: of 4 counters of this machine 1 count nothing: 3 PMCs at once count right, and not more
