The machines are what the other stories take them for.
== machine exact smp pmu
== file given
a file of the story
== run the module is there
grep -c '^hwpmc ' /proc/modules
cat given
echo left >left
== out
1
a file of the story
== run two CPUs, or one where instructions are counted exactly
case " $IS " in
*\ exact\ *) wanted=1 ;;
*) wanted=2 ;;
esac
[ "$(nproc)" = $wanted ] || echo "$(nproc) CPUs"
== run nobody but root writes where the kernel's things are
su user -c 'echo x >/sys/kernel/debug/x; echo x >/proc/sys/kernel/printk' 2>/dev/null && echo written
id -u user
== out
1000
== run who made children goes with all of them, also those that have not run yet
for i in $(seq 20); do
	echo 'child c' | taskset 1 hwpmcctl
done | sort -u
== out
child c: ok
== run 3 a status
exit 3
== host a file comes back
cat left
== out
left
