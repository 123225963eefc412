hwpmc(4)'s tunables: parameters of the module, /proc/sys/kernel/hwpmc/, and what bad ones are told.
== machine smp
== run what they are when nobody sets them
cd /proc/sys/kernel/hwpmc && for name in *; do echo "$name $(cat $name) $(stat -c %a $name)"; done
== out
callchaindepth 127 444
debugflags 0 644
hashsize 1024 444
kept_counters 3 644
logbuffersize 4 444
min_period_ns 10000 644
nbuffers 64 444
nsamples 512 444
unprivileged_proc_debug 1 644
unprivileged_syspmcs 0 644
unthrottle 0 644
user_log_kb 2560 644
user_pmcs 1024 644
== run what is set at load is shown, and stays
rmmod hwpmc
insmod /pmc/hwpmc.ko callchaindepth=8 hashsize=1 logbuffersize=1 nbuffers=2 nsamples=65535 unthrottle=1
cd /proc/sys/kernel/hwpmc && cat callchaindepth hashsize logbuffersize nbuffers nsamples unthrottle
echo 9 2>/dev/null >callchaindepth || echo refused
cat callchaindepth
== out
8
1
1
2
65535
1
refused
8
== run what can be written is checked
cd /proc/sys/kernel/hwpmc
written() {
	{ echo $2 >$1; } 2>/dev/null
	echo "$1 $(cat $1)"
}
written unprivileged_syspmcs 1
written unprivileged_syspmcs 2
written unprivileged_proc_debug 0
written unprivileged_proc_debug -1
written unthrottle x
written kept_counters 0
written kept_counters 65
written min_period_ns 200000
written min_period_ns 0
written debugflags 5
su user -c 'echo 1 >unprivileged_proc_debug' 2>/dev/null || echo refused
== out
unprivileged_syspmcs 1
unprivileged_syspmcs 1
unprivileged_proc_debug 0
unprivileged_proc_debug 0
unthrottle 1
kept_counters 0
kept_counters 0
min_period_ns 200000
min_period_ns 200000
debugflags 5
refused
== run a clock whose frequency is changed samples as fast as it is told
hwpmcctl <<'END'
allocate p ts config=cpu-clock flags=frequency count=500
log frequency.log
start p
stop p
setcount p 2000
start p
spin 500
stop p
closelog
END
pmclog info frequency.log | awk '/CALLCHAIN/ { print $2 < 2000 ? "some 2000 a second" : $2 " samples" }'
rm frequency.log
== out
allocate p ts config=cpu-clock flags=frequency count=500: ok
log frequency.log: ok
start p: ok
stop p: ok
setcount p 2000: ok
start p: ok
spin 500: ok
stop p: ok
closelog: ok
some 2000 a second
== run debugflags say what is written to the kernel's log
dmesg -c >/dev/null
echo 3 >/proc/sys/kernel/hwpmc/debugflags
printf 'allocate p tc\nrelease p\nrelease p\nunknown 5\n' | hwpmcctl >/dev/null
echo 0 >/proc/sys/kernel/hwpmc/debugflags
echo version | hwpmcctl
dmesg | sed -n 's/process [0-9]*/process N/; s/^\[[^]]*\] hwpmc: /hwpmc: /p'
== out
version: as in hwpmc.h
hwpmc: row 1 of CPU -1: taken by process N
hwpmc: process N: PMCALLOCATE: 0
hwpmc: row 1 of CPU -1: given back by process N
hwpmc: process N: PMCRELEASE: 0
hwpmc: process N: PMCRELEASE: -3
== run callchaindepth bounds what a PMC asks for
rmmod hwpmc
insmod /pmc/hwpmc.ko callchaindepth=1
pmcstat -q --collector=hwpmc -P cpu-clock -O log dd if=/dev/zero of=/dev/null bs=1M count=100 2>/dev/null
pmclog dump log | awk '$1 == "callchain" { print $5 }' | sort -u
rmmod hwpmc
insmod /pmc/hwpmc.ko
== out
1
== run bad values are refused, with the reason
rmmod hwpmc
# insmod tries twice.
said() {
	dmesg | sed -n 's/^\[[^]]*\] \(hwpmc: \)/\1/p' | awk '!seen[$0]++'
}
for bad in hashsize=0 hashsize=-5 logbuffersize=0 logbuffersize=100000 nbuffers=-1 nsamples=-1 nsamples=65536 \
	callchaindepth=0 callchaindepth=128 min_period_ns=5 unprivileged_syspmcs=2 unthrottle=-1 kept_counters=65; do
	dmesg -c >/dev/null
	insmod /pmc/hwpmc.ko $bad 2>/dev/null && echo "$bad was taken" && rmmod hwpmc
	said
done
dmesg -c >/dev/null
insmod /pmc/hwpmc.ko hashsize=-1 nbuffers=0 2>/dev/null
said
ls /proc/sys/kernel/hwpmc 2>/dev/null
insmod /pmc/hwpmc.ko
== out
hwpmc: tunable hashsize=0 must be greater than zero.
hwpmc: tunable hashsize=-5 must be greater than zero.
hwpmc: tunable logbuffersize=0 must be greater than zero.
hwpmc: tunable logbuffersize=100000 out of range.
hwpmc: tunable nlogbuffers=-1 must be greater than zero.
hwpmc: tunable nsamples=-1 out of range.
hwpmc: tunable nsamples=65536 out of range.
hwpmc: tunable callchaindepth=0 out of range.
hwpmc: tunable callchaindepth=128 out of range.
hwpmc: tunable min_period_ns=5 out of range.
hwpmc: tunable unprivileged_syspmcs=2 out of range.
hwpmc: tunable unthrottle=-1 out of range.
hwpmc: tunable kept_counters=65 out of range.
hwpmc: tunable hashsize=-1 must be greater than zero.
hwpmc: tunable nlogbuffers=0 must be greater than zero.
