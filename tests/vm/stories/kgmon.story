The kernel's text in a histogram, which gprof reads.
== machine smp
== run a program that has the kernel clear memory
pmcstat --kgmon gmon.out --collector=hwpmc -S cpu-clock dd if=/dev/zero of=/dev/null bs=1M count=200 2>/dev/null
echo $?
cat /proc/kallsyms >kallsyms
echo 'kgmon 0' | hwpmcctl
taskset 1 hwpmcctl <<'END'
allocate k ss flags=kgmon
kgmon k
start k
waitkgmon k
stop k
kgmon k
allocate s sc
kgmon s
allocate p ts flags=kgmon
allocate c sc flags=kgmon
release k
kgmon k
END
== out
0
kgmon 0: ESRCH
allocate k ss flags=kgmon: ok
kgmon k: none in the kernel, none outside
start k: ok
waitkgmon k: some in the kernel, some outside
stop k: ok
kgmon k: some in the kernel, some outside
allocate s sc: ok
kgmon s: EINVAL
allocate p ts flags=kgmon: EINVAL
allocate c sc flags=kgmon: EINVAL
release k: ok
kgmon k: EINVAL
== host clearing memory is where the time went
gprof -b -p -S kallsyms /bin/true gmon.out | awk '
	/clear_user|rep_stos|read_zero/ { share += $1 }
	END { print (share > 1 ? "found" : share " %") }'
== out
found
