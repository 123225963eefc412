What is mapped is told by the tasks that map it: those that never come to do so keep none of the others from it.
== machine x61
== run an exec is told while more tasks than there were notes for are held up
insmod /pmc/nomem.ko comm=held only=tell lasting=1 waits=1
cp "$(command -v spin)" held
cp held heard
cat >run <<'E'
parameters=/sys/module/nomem/parameters
echo 0 >$parameters/after
n=0
while [ $((n += 1)) -le 400 ]; do
	./held 1 &
done
n=0
until [ "$(ps | grep -c '[ ][.]/held')" = 400 ] || [ $((n += 1)) -gt 300 ]; do sleep 0.1; done
sleep 1
./heard 1
echo 0 >$parameters/waits
wait
E
pmcstat -q --collector=hwpmc -S cpu-clock -n 1000000000 -O out.log sh run
pmclog dump out.log | grep -c '^exec .*/heard"'
rmmod nomem
== out
1
