While an operation takes its time, with the lock that all share, programs and modules come and go, and who is
killed does not wait for it.
== machine x61 x612 rt61
== run a child that has not run yet
insmod /pmc/nomem.ko waits=1
refuse=/sys/module/nomem/parameters
mkfifo go
# The shell's child is to get a counter before it runs.
pmcstat -q --collector=hwpmc -d -n 1000000000 -P cpu-clock -O log \
	sh -c ': >ready; read line <go; sleep 1000 & echo $! >child; wait $!; echo $? >gone' 2>/dev/null &
recorder=$!
until [ -e ready ]; do sleep 0.1; done
echo 0 >$refuse/after
echo 'allocate s sc cpu=0' | hwpmcctl &
until grep -q . $refuse/refused; do sleep 0.1; done
echo >go
until [ -s child ]; do sleep 0.1; done
awk '{ print "the child is in state", $3 }' "/proc/$(cat child)/stat"
kill -9 "$(cat child)"
n=0
until [ -s gone ] || [ $((n += 1)) -gt 100 ]; do sleep 0.1; done
cat gone
echo 0 >$refuse/waits
wait
rmmod nomem
== out
the child is in state D
137
allocate s sc cpu=0: ENOMEM
== run other programs, and modules, while a log tells of all
insmod /pmc/nomem.ko waits=1
refuse=/sys/module/nomem/parameters
mkfifo lines
hwpmcctl <lines >said &
exec 3>lines
printf '%s\n' 'log log' 'allocate a ss cpu=0 count=1000000000' 'start a' 'allocate b ts flags=descendants count=1000000000' \
	'attach b self' 'start b' >&3
until grep -q '^start b: ok' said; do sleep 0.1; done
printf hwpmc_pmc_new >$refuse/only
echo 0 >$refuse/after
echo 'allocate s sc cpu=0' | hwpmcctl >refused &
until grep -q . $refuse/refused; do sleep 0.1; done
sh -c 'busybox true & wait; exec busybox echo programs'
insmod /pmc/hookstate.ko function=hwpmc_task_execs && rmmod hookstate && echo modules
echo "the lock: $(cat refused)"
echo 0 >$refuse/waits
echo closelog >&3
exec 3>&-
wait
cat refused
rmmod nomem
pmclog dump log | grep -o 'hookstate' | uniq
== out
programs
modules
the lock: 
allocate s sc cpu=0: ENOMEM
hookstate
