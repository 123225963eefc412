Who gets which row, what that makes of it, and rows that are switched off.
== machine smp
== run system scope takes a row of one CPU, process scope one of all
hwpmcctl <<'END'
rowinfo 0 1
allocate s sc cpu=0
id s
rowinfo 0 1
rowinfo 1 1
allocate t sc cpu=1
id t
allocate u sc cpu=0
id u
allocate p tc
id p
allocate q tc
id q
rowinfo 0 3
rowinfo 1 3
release s
rowinfo 1 1
release t
rowinfo 1 1
release p
rowinfo 0 3
END
== out
rowinfo 0 1: SOFT-0 free enabled owner none -
allocate s sc cpu=0: ok
id s: 0x1f01
rowinfo 0 1: SOFT-0 standalone enabled owner self an-event
rowinfo 1 1: SOFT-0 standalone enabled owner none -
allocate t sc cpu=1: ok
id t: 0x101f01
allocate u sc cpu=0: ok
id u: 0x1f02
allocate p tc: ok
id p: 0xfff03f03
allocate q tc: ok
id q: 0xfff03f04
rowinfo 0 3: SOFT-2 thread enabled owner none -
rowinfo 1 3: SOFT-2 thread enabled owner none -
release s: ok
rowinfo 1 1: SOFT-0 standalone enabled owner self an-event
release t: ok
rowinfo 1 1: SOFT-0 free enabled owner none -
release p: ok
rowinfo 0 3: SOFT-2 free enabled owner none -
== run owners share rows of process scope, not those of a CPU
hwpmcctl <<'END'
allocate p tc
id p
other allocate o tc
other id o
allocate s sc cpu=1
id s
other allocate t sc cpu=1
other id t
release p
rowinfo 0 1
other release o
rowinfo 0 1
other release t
END
== out
allocate p tc: ok
id p: 0xfff03f01
other allocate o tc: ok
other id o: 0xfff03f01
allocate s sc cpu=1: ok
id s: 0x101f02
other allocate t sc cpu=1: ok
other id t: 0x101f03
release p: ok
rowinfo 0 1: SOFT-0 thread enabled owner none -
other release o: ok
rowinfo 0 1: SOFT-0 free enabled owner none -
other release t: ok
== run sixteen rows and no more
{
	for n in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17; do
		echo allocate p$n tc
	done
	echo id p16
	echo allocate s sc cpu=0
	echo release p5
	echo allocate s sc cpu=0
	echo id s
} | hwpmcctl | tail -n 6
== out
allocate p17 tc: EINVAL
id p16: 0xfff03f10
allocate s sc cpu=0: EINVAL
release p5: ok
allocate s sc cpu=0: ok
id s: 0x1f05
== run a row that is switched off on one CPU serves the others, in system scope
hwpmcctl <<'END'
admin 0 1 0
admin 0 1 0
rowinfo 0 1
rowinfo 1 1
allocate s sc cpu=0
id s
allocate t sc cpu=1
id t
allocate p tc
id p
admin 0 1 1
admin 0 1 1
rowinfo 0 1
release t
rowinfo 0 1
END
== out
admin 0 1 0: ok
admin 0 1 0: ok
rowinfo 0 1: SOFT-0 standalone disabled owner none -
rowinfo 1 1: SOFT-0 standalone enabled owner none -
allocate s sc cpu=0: ok
id s: 0x1f02
allocate t sc cpu=1: ok
id t: 0x101f01
allocate p tc: ok
id p: 0xfff03f03
admin 0 1 1: ok
admin 0 1 1: ok
rowinfo 0 1: SOFT-0 standalone enabled owner none -
release t: ok
rowinfo 0 1: SOFT-0 free enabled owner none -
== run what is in use is not switched off
hwpmcctl <<'END'
allocate s sc cpu=0
allocate p tc
admin 0 1 0
admin 1 1 0
admin 1 1 1
admin 0 2 0
admin 1 2 0
admin 0 2 1
admin 0 63 0
admin 0 64 0
admin 0 3 2
admin 0 3 0 pad=1
admin -1 3 0
admin 4096 3 0
END
== out
allocate s sc cpu=0: ok
allocate p tc: ok
admin 0 1 0: EBUSY
admin 1 1 0: ok
admin 1 1 1: ok
admin 0 2 0: EBUSY
admin 1 2 0: EBUSY
admin 0 2 1: ok
admin 0 63 0: EINVAL
admin 0 64 0: EINVAL
admin 0 3 2: EINVAL
admin 0 3 0 pad=1: EINVAL
admin -1 3 0: EINVAL
admin 4096 3 0: EINVAL
== run a CPU that is switched off has no rows
echo 0 >/sys/devices/system/cpu/cpu1/online
hwpmcctl <<'END'
rowinfo 1 1
admin 1 1 0
allocate s sc cpu=1
END
echo 1 >/sys/devices/system/cpu/cpu1/online
echo 'rowinfo 1 1' | hwpmcctl
== out
rowinfo 1 1: ENXIO
admin 1 1 0: ENXIO
allocate s sc cpu=1: ENXIO
rowinfo 1 1: SOFT-0 free enabled owner none -
