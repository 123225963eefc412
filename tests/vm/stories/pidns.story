Pid namespaces: operations take the caller's numbers, logs have those of the initial one.
== machine smp
== run a process in one can name what it sees alone, and its log has the numbers that others know
sleep 1000 &
outside=$!
cat >inside <<'END'
spin 1000000000000 &
hwpmcctl <operations >said
touch told
until [ -e known ]; do sleep 0.1; done
END
cat >operations <<END
allocate s sc cpu=0
rowinfo 0 1
log log
allocate a ts
attach a 1
attach a 2
attach a $outside
detach a $outside
detach a 1
start a
waitsamples 3
stop a
detach a 2
closelog
END
unshare -p -f --mount-proc sh inside &
until [ -e told ]; do sleep 0.1; done
target=$(pidof spin)
first=$(sed -n 's/^PPid:[^0-9]*//p' /proc/$target/status)
sed -n "s/^NSpid:[^0-9]*$target[^0-9]*/the target is in it: /p" /proc/$target/status
touch known
wait $!
kill $outside
sed "s/ $outside:/ outside:/" said
pmclog dump log |
	awk '/^(attach|detach)/ { print $1, $3 } /^callchain/ { print $1, $2 }' |
	sed "s/ $target$/ the target/; s/ $first$/ the first/" | uniq
== out
the target is in it: 2
allocate s sc cpu=0: ok
rowinfo 0 1: SOFT-0 standalone enabled owner self an-event
log log: ok
allocate a ts: ok
attach a 1: ok
attach a 2: ok
attach a outside: ESRCH
detach a outside: ESRCH
detach a 1: ok
start a: ok
waitsamples 3: ok
stop a: ok
detach a 2: ok
closelog: ok
attach the first
attach the target
detach the first
callchain the target
detach the target
