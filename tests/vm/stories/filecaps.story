Programs whose file gives capabilities.  The file system of d61, the debug kernel, has no room for these.
== machine x61 x612 x73 rt61 a61 a612
== run they are closed to their user
cp /bin/busybox busybox-capable
echo filecap busybox-capable 10 | hwpmcctl
su user -c 'exec ./busybox-capable sleep 1000' &
capable=$!
until [ "$(cat /proc/$capable/comm)" = busybox-capable ]; do :; done
sed -n 's/^CapPrm:.*\(....\)$/has 0x\1/p' /proc/$capable/status
cat >operations <<END
allocate u tc flags=no-kernel
attach u $capable
END
su user -c 'hwpmcctl <operations' | sed 's/.*: //'
hwpmcctl <operations | sed 's/.*: //'
kill $capable
== out
filecap busybox-capable 10: ok
has 0x0400
ok
EPERM
ok
ok
== run a target that executes one is no target any more, nor are its children, and the log says so
chmod 777 .
echo 2 >/proc/sys/kernel/perf_event_paranoid
cp /pmc/bin/attacks plain && cp plain capable
echo filecap capable 10 | hwpmcctl
for program in plain capable; do
	su user -c "attacks children ./$program"
	pmclog dump children.log | sed -n 's/^drop.* 0 /a program is /p'
done
== out
filecap capable 10: ok
./plain: of the program known, of its children counted
./capable: of the program nothing, of its children nothing
a program is hidden
