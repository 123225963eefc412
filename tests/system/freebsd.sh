#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Logs as FreeBSD's kernels write them, of every version, byte order and pointer size: their bytes
# are laid by freebsd_log.py, which shares nothing with this project's writer.  What exec(2) maps is
# not in them, and is found; a missing file is told once.
# shellcheck source=tests/system/lib.sh
. "${srcdir:?}/tests/system/lib.sh"
command -v python3 >/dev/null || skip_all 'no python3'

# freebsd_log LOG VERSION ORDER BITS <STATEMENTS
freebsd_log() {
	python3 "$srcdir/tests/system/freebsd_log.py" "$@" || exit 99
}

# root DIR ORDER BITS: the files of a machine.
root() {
	mkdir -p "$1/bin" "$1/libexec" "$1/lib" "$1/boot/kernel"
	head="class $3
order $2
machine $([ "$3" = 64 ] && echo x86_64 || echo i386)"
	mkelf "$1/bin/fixed" <<-END
		$head
		type exec
		interp /libexec/ld-elf.so.1
		entry 0x401000
		text 0x401000 0x3000
		symbol _start 0x401000 0x40
		symbol main 0x402000 0x100
	END
	mkelf "$1/bin/static" <<-END
		$head
		type exec
		entry 0x401000
		text 0x401000 0x3000
		symbol _start 0x401000 0x40
		symbol static_main 0x402000 0x100
	END
	for name in pie other; do
		mkelf "$1/bin/$name" <<-END
			$head
			interp /libexec/ld-elf.so.1
			entry 0x12100
			data 0x0 0x800 0x0
			text 0x12000 0x3000 0x2000
			symbol _start 0x12100 0x40
			symbol ${name}_main 0x13000 0x100
		END
	done
	mkelf "$1/bin/static-pie" <<-END
		$head
		entry 0x2100
		text 0x2000 0x3000
		symbol _start 0x2100 0x40
		symbol moved_main 0x3000 0x100
	END
	mkelf "$1/libexec/ld-elf.so.1" <<-END
		$head
		entry 0x7200
		data 0x0 0x800 0x0
		text 0x7000 0x3000 0x6000
		symbol rtld_start 0x7200 0x40
		symbol rtld 0x8000 0x100
	END
	mkelf "$1/lib/libc.so.7" <<-END
		$head
		text 0x1000 0x3000
		symbol write 0x2000 0x100
	END
	mkelf "$1/boot/kernel/kernel" <<-END
		$head
		type exec
		text ${kernel}00000 0x3000
		symbol btext ${kernel}00000 0x10
		symbol amd64_syscall ${kernel}01000 0x100
	END
	mkelf "$1/boot/kernel/zfs.ko" <<-END
		$head
		text 0x1000 0x3000
		symbol zfs_read 0x2000 0x100
	END
}

# statements VERSION: a recording, with what that version has.
statements() {
	linker=0x28060000
	# The first instruction is the linker's.
	cat <<-END
		map -1 ${kernel}00000 $([ "$1" = 10 ] && echo /boot/kernel/)kernel
		map -1 ${module}00000 $([ "$1" = 10 ] && echo /boot/kernel/)zfs.ko
		pmc 0x2f02 17 5000000000 0x280
		csw 0x2f02 10 5000000000
		exec 10 /bin/fixed 0x28067200 $linker 0
		map 10 0x28101000 /lib/libc.so.7
		sample 10 0x402010,0x401020
		sample 10 0x28068010,0x28067210
		sample 10 0x28102010,0x402010,0x401020
		sample 10 ${module}02010,${kernel}01010 k
		exec 11 /bin/static 0x401000 0 0
		sample 11 0x402010,0x401020
		exec 12 /bin/pie 0x28067200 $linker 0x1021000
		sample 12 0x28068010,0x28067210
		sample 12 0x1034010,0x1033120
		sample 12 0x1034010
		fork 12 14
		sample 14 0x1034020,0x1033120
		exec 13 /bin/other 0x28067200 $linker 0x1021000
		map 13 0x1033000 /bin/other
		sample 13 0x1034010
		exec 15 /bin/static-pie 0x1023100 0 0x1021000
		sample 15 0x1024010,0x1023110
		exec 12 /bin/static 0x401000 0 0
		sample 12 0x402010,0x401020
		sample 14 0x1034030,0x1033120
		exit 10
	END
}

cat >want.chains <<END
fixed;_start;main 1
fixed;_start;main;write 1
fixed;amd64_syscall;zfs_read 1
fixed;rtld_start;rtld 1
other;other_main 1
pie;_start;pie_main 3
pie;pie_main 1
pie;rtld_start;rtld 1
static-pie;_start;moved_main 1
static;_start;static_main 2
END
# Without chains nothing tells where version 1 has a program that is moved.
cat >want.leaves <<END
fixed;main 1
fixed;rtld 1
fixed;write 1
fixed;zfs_read 1
other;other_main 1
pie;[unknown] 4
pie;rtld 1
static-pie;moved_main 1
static;static_main 2
END

for bits in 64 32; do
	kernel=0xffffffff802 module=0xffffffff820
	[ $bits = 64 ] || kernel=0xc04 module=0xc20
	for order in little big; do
		root root-$bits-$order $order $bits
		for version in 1 2 3 4 5 9 10; do
			what="version $version, $order endian, $bits bits"
			statements $version | freebsd_log log $version $order $bits
			pmcstat -q -R log -r root-$bits-$order --folded >out.all 2>err
			LC_ALL=C sort out.all >out
			want=want.chains
			[ $version != 1 ] || want=want.leaves
			equal "$what" out $want
			is "$what: the value of 64 bits" "$(pmcstat -q --dump -R log | grep cswval)" \
				'cswval    0x2f02 10 5000000000'
		done
	done
done
kernel=0xffffffff802 module=0xffffffff820 root=root-64-little

# A log without samples in the kernel needs no kernel; -k names its directory or the file.
statements 9 | freebsd_log log 9 little 64
mkdir moved && cp $root/boot/kernel/* moved
rm -r "${root:?}/boot"
for k in "$dir/moved" moved moved/kernel; do
	out=$(pmcstat -q -R log -r $root -k "$k" --folded | grep amd64)
	is "the kernel and its modules in -k $k" "$out" 'fixed;amd64_syscall;zfs_read 1'
done
mkdir -p $root/usr && mv moved $root/usr/moved
out=$(pmcstat -q -R log -k /usr/moved -r $root --folded | grep amd64)
is 'and in -k below -r' "$out" 'fixed;amd64_syscall;zfs_read 1'

# An event of a table that the log does not have is not taken for the event of that number.
freebsd_log log 10 little 64 <<'END'
pmc 0x2f02 17 65536 0x280
pmc 0x2f03 17 65536 0x80
sample 10 0x402010 0x2f02
sample 10 0x402010 0x2f02
sample 10 0x402010 0x2f03
END
is 'an event of a table of vendors' "$(pmcstat -q -R log --flat | grep '^@ .*event')" \
	'@ pmu-event-0x11 [2 samples]
@ event-0x11 [1 samples]'

# Version 10 has the lowest address of a linker, which may be linked elsewhere than at 0.
mkelf $root/libexec/ld-elf.so.1 <<'END'
entry 0x17200
data 0x10000 0x800 0x0
text 0x17000 0x3000 0x6000
symbol rtld_start 0x17200 0x40
symbol rtld 0x18000 0x100
END
freebsd_log log 10 little 64 <<'END'
exec 10 /bin/fixed 0x28067200 0x28060000 0
sample 10 0x28068010,0x28067210
END
out=$(pmcstat -q -R log -r $root --folded)
is 'a linker that is not linked at 0' "$out" 'fixed;rtld_start;rtld 1'

# What is not at hand: samples are its own, at addresses, and it is named once.
rm $root/bin/fixed $root/libexec/ld-elf.so.1
freebsd_log log 9 little 64 <<'END'
exec 10 /bin/fixed 0x28067200
map 10 0x28101000 /lib/libc.so.7
sample 10 0x402010,0x401020
sample 10 0x28102010,0x402010,0x401020
exec 11 /bin/fixed 0x28067200
sample 11 0x402010,0x401020
exec 12 /bin/pie 0x28067200
sample 12 0x28068010,0x28067210
END
out=$(pmcstat -q -R log -r $root --folded 2>err)
is 'a program and a linker that are missing' "$out" 'fixed;0x401020;0x402010 2
fixed;0x401020;0x402010;write 1
pie;0x28067210;0x28068010 1'
pmcstat -R log -r $root --flat >out 2>err
is 'each of them is named once' "$(sed -n 's/.*samples.*: cannot/cannot/p' err | LC_ALL=C sort)" \
	"cannot open $root/bin/fixed: No such file or directory
cannot open $root/libexec/ld-elf.so.1: No such file or directory"

# A place that only looks like _start: other maps are there, it is too far from it, or below where
# the program lies that is not moved.
rm -r $root && root $root little 64
freebsd_log log 9 little 64 <<'END'
exec 12 /bin/pie 0x28067200
fork 12 14
map 12 0x1034000 /lib/libc.so.7
sample 12 0x1034010,0x1033120
sample 12 0x2034010,0x2033160
sample 12 0x2034010
sample 12 0x3034010,0x3033120
sample 12 0x3034010
sample 14 0x1034020,0x1033120
exec 13 /bin/pie 0x28067200
sample 13 0x2010,0x1120
END
out=$(pmcstat -q -R log -r $root --folded | LC_ALL=C sort)
is 'a program is placed where its _start calls' "$out" 'pie;[unknown] 1
pie;[unknown];0x1010 1
pie;[unknown];[unknown] 2
pie;_start;pie_main 2
pie;pie_main 1'

pmclog convert --version 10 log >converted 2>err
is 'a log of FreeBSD stays as it is' "$? $(wc -c <converted) $(cat err)" '65 0 pmclog: log: a log of FreeBSD cannot be converted: what programs map when they start is told in another way by each version'
finish
