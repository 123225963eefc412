What the kernel can refuse it refuses, once each: nothing stays behind, the next try works, losses are told.
== machine pmu a61 a612
== file refused.sh
refuse=/sys/module/nomem/parameters

# each STEP TRY LOOK: does TRY once for each STEPth thing that the kernel can refuse meanwhile, and LOOK
# after each; sorts what they say.  The shell itself is asked what was refused, since it may be refused
# things for a program that it starts.  One time TRY may ask for less than another: it is at its end where
# it asks three times for no more.
each() {
	n=0 tries=0 ends=0
	while [ $ends -lt 3 ] && echo $n >$refuse/after; do
		[ $((tries += 1)) -le 100 ] || { echo "no end after $tries" && break; }
		$2
		read -r by <$refuse/refused
		if [ "$by" ]; then
			$3
			n=$((n + $1)) ends=0
		else
			ends=$((ends + 1))
		fi
	done | sort -u
}

# told FUNCTION: how it is told that this function went on without what it was refused.
told() {
	case $1 in
	count_by_trial* | find_cpu_rows*) ;; # what there is not yet is looked for again
	hwpmc_event_release*) ;; # of PREEMPT_RT: it is released at once then
	hwpmc_roots_anchor*) ;; # starts wait for a grace period then
	hwpmc_maps_log_attach*) echo "a program's name stands for its path" ;;
	entries* | want*) dmesg | grep -q 'does not tell of calls of' ;;
	*) grep -sq //enomem log && echo "//enomem stands for a path" ;;
	esac || echo "nobody is told of $1"
}

# each_refused STEP SPARED ONLY: hwpmcctl with the operations of standard input, once for each STEPth of
# the things that the kernel can refuse the functions meant; says what differs from the operations
# undisturbed, or how else it is told.
each_refused() {
	cat >operations
	printf '%s\0' "$2" >$refuse/spared
	printf '%s\0' "$3" >$refuse/only
	echo -1 >$refuse/after
	hwpmcctl again <operations >undisturbed
	each "$1" operate differs | grep -v '^-loglosses: 0 records, 0 threads'
}

operate() {
	hwpmcctl again <operations >out
}

differs() {
	diff undisturbed out | grep '^[-+][^-+]' >said || told "$by" >said
	cat said
}
== run of a process, while another has all hooks, which come and go a second late
. ./refused.sh
mkfifo lines
hwpmcctl <lines >holds &
exec 3>lines
printf '%s\n' 'log other' 'allocate a ts flags=descendants,callchain' 'allocate n tc flags=proccsw' 'attach a self' 'start a' >&3
until grep -q '^start a: ok' holds; do sleep 0.1; done
insmod /pmc/nomem.ko
cat >process <<'E'
idle c
threads t 2
log log
allocate a ts flags=descendants,callchain
allocate n tc flags=descendants,proccsw,procexit
attach a self
start a
start n
attach n self
threads d 1
stop a
release a
release n
loglosses
closelog
E
{
	each_refused 1 hwpmc_record_ '' <process
	# With PREEMPT_RT nothing is inherited: the attach makes what the start does elsewhere.
	case " $IS " in *" rt "*) echo '+start a: ENOMEM' ;; esac
} | sort
echo "records, which are many:"
each_refused 7 '' hwpmc_record_ <process
exec 3>&-
wait
rmmod nomem
== out
+allocate a ts flags=descendants,callchain: ENOMEM
+allocate n tc flags=descendants,proccsw,procexit: ENOMEM
+attach a self: ENOMEM
+log log: EAGAIN
+log log: ENOMEM
+loglosses: 0 records, 1 threads
+loglosses: 2 records, 0 threads
+start a: ENOMEM
+start n: ENOMEM
//enomem stands for a path
a program's name stands for its path
records, which are many:
+log log: ENOMEM
+loglosses: 1 records, 0 threads
== file late.sh
operate() {
	sleep 2 # the last ones are gone
	hwpmcctl again <operations >out
}
== run of hooks
. ./refused.sh
. ./late.sh
insmod /pmc/nomem.ko
# As compilers have it.
for function in entries_update hook_add want; do
	each_refused 1 '' $function <<'E'
log log
allocate a ts flags=callchain
allocate n tc flags=proccsw
attach a self
start a
stop a
loglosses
closelog
E
done
rmmod nomem
== out
+allocate n tc flags=proccsw: ENOMEM
+log log: ENOMEM
== run of who releases a user's events
. ./refused.sh
. ./late.sh
insmod /pmc/nomem.ko
each_refused 1 '' releasers_new <<E | sed 's/ config=[0-9]*/ a tracepoint/'
allocate t tc type=2 config=$(cat /sys/kernel/tracing/events/sched/sched_switch/id)
E
rmmod nomem
== out
+allocate t tc type=2 a tracepoint: ENOMEM
== run of the system, while another has who releases root's events, who would go a grace period later
. ./refused.sh
mkfifo held
hwpmcctl <held >holds &
exec 3>held
echo 'allocate a ts' >&3
until grep -q '^allocate a ts: ok' holds; do sleep 0.1; done
insmod /pmc/nomem.ko
each_refused 1 hwpmc_record_ '' <<'E'
allocate s sc cpu=1
allocate k ss cpu=0 flags=kgmon
start s
start k
cpuinfo
rowinfo 0 1
dynevents 15
E
echo "records, which are many:"
each_refused 20 '' hwpmc_record_ <<'E'
log log
allocate s ss cpu=1
start s
stop s
flushlog
loglosses
E
exec 3>&-
wait
rmmod nomem
== out
+allocate k ss cpu=0 flags=kgmon: ENOMEM
+allocate s sc cpu=1: ENOMEM
+dynevents 15: ENOMEM
+rowinfo 0 1: ENOMEM
records, which are many:
+log log: ENOMEM
+loglosses: 1 records, 0 threads
== run of the module
. ./refused.sh
insmod /pmc/nomem.ko comm=insmod lasting=1
rmmod hwpmc
load() {
	grep -q '^hwpmc ' /proc/modules || insmod /pmc/hwpmc.ko 2>&1
}
left() {
	! grep -w hwpmc /proc/modules || rmmod hwpmc
	ls -d /dev/hwpmc /proc/sys/kernel/hwpmc 2>/dev/null
}
each 1 load left
rmmod nomem
echo version | hwpmcctl
== out
insmod: can't insert '/pmc/hwpmc.ko': Cannot allocate memory
version: as in hwpmc.h
== run of other modules
. ./refused.sh
insmod /pmc/kapi_demo.ko
insmod /pmc/nomem.ko comm=sh
ask() {
	echo "$*" >/proc/kapi_demo
	read -r answer </proc/kapi_demo
	echo "$*: $answer"
}
do_() {
	ask "$@"
	[ "$answer" != -12 ] || ask "$@"
}
operations() {
	do_ configure 1 1 1
	do_ enable 1
	(do_ running 1)
	do_ profile 2 1 0 18446744073708551616
	do_ kernel configure 3 1 0
	do_ stop 2
	do_ kernel free 3
	do_ disable 1
	do_ free 1
}
operations >undisturbed
operate() {
	operations >out
}
differs() {
	diff undisturbed out | grep '^[-+][^-+]' || told "$by"
}
each 1 operate differs
rmmod nomem kapi_demo
pmccontrol --collector=hwpmc -s | grep thread
== out
+configure 1 1 1: -12
+kernel configure 3 1 0: -12
+profile 2 1 0 18446744073708551616: -12
+running 1: 0
-running 1: 1
threads without a counter                          2
