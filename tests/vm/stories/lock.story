While an operation takes its time, with the lock that all share, who is killed does not wait for it.
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
