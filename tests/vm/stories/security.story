What a security module forbids of perf_event_open(2), where the kernel lets modules ask: 6.1 and 6.12 do not
for whole CPUs.
== machine x73
== run it has a word in sampling the kernel, in watching a CPU, and none else
echo 1 >/proc/sys/kernel/perf_event_paranoid
cat >operations <<END
allocate s sc cpu=0
allocate k tc
allocate u tc flags=no-kernel
END
answers() {
	echo "$1: $(hwpmcctl <operations | sed 's/.*: //' | tr '\n' ' ')"
	echo "a user: $(su user -c 'hwpmcctl <operations' | sed 's/.*: //' | tr '\n' ' ')"
}
answers root
told() {
	pmcstat -q --collector=hwpmc -P cpu-clock:u -O log spin 10000000
	pmclog dump log | awk '$1 == "callchain" { samples++ } $1 == "map-in" && $2 == -1 { maps++ }
		END { print (samples ? "samples" : "no samples") ", the kernel is " (maps ? "told" : "not told") }'
}
told
insmod /pmc/deny.ko type=1
answers 'without CPUs'
rmmod deny
insmod /pmc/deny.ko type=2
answers 'without the kernel'
told
rmmod deny
== out
root: ok ok ok 
a user: EPERM ok ok 
samples, the kernel is told
without CPUs: EPERM ok ok 
a user: EPERM ok ok 
without the kernel: EPERM EPERM ok 
a user: EPERM EPERM ok 
samples, the kernel is not told
