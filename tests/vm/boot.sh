#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# boot.sh [OPTION...] KERNEL DIRECTORY FILE...	boots a test machine with the FILEs below its /pmc
#
#	-s CPUS		their number; 1
#	-e		exact: every instruction takes a nanosecond, addresses are not random (arm64, one CPU)
#	-t SECONDS	the machine is stopped after; 120
#	-c COMMANDS	what its shell runs; else the FILE named "run" says it
#	-i		a shell of its own on this terminal instead
#	-m MEGABYTES	of memory; 512
#
# What happened is in DIRECTORY: console.log, and out/ with what the commands left in their /out.
# Libraries of programs come along.  Fails when the machine did not get to its end, and at anything
# in its console that should not be there.
set -u
# shellcheck source=tests/vm/lib.sh
. "$(dirname "$0")/lib.sh"
here=$(cd "$(dirname "$0")" && pwd)
cpus=1 exact='' seconds=120 commands='' interactive='' memory=512
while getopts s:et:c:im: option; do
	case $option in
	s) cpus=$OPTARG ;;
	e) exact=yes ;;
	t) seconds=$OPTARG ;;
	c) commands=$OPTARG ;;
	i) interactive=yes ;;
	m) memory=$OPTARG ;;
	*) exit 64 ;;
	esac
done
shift $((OPTIND - 1))
[ $# -ge 2 ] || stop 'usage: boot.sh [-ei] [-s CPUS] [-t SECONDS] [-c COMMANDS] [-m MEGABYTES] KERNEL DIRECTORY FILE...'
kernel_is "$1"
mkdir -p "$2" && directory=$(cd "$2" && pwd) || exit 1
shift 2
needs cpio cpio
needs readelf binutils
root=$directory/root
rm -rf "$root" "$directory/out" "$directory/console.log"
mkdir -p "$root/bin" "$root/dev" "$root/proc" "$root/sys" "$root/pmc" "$root/modules" "$directory/out" || exit 1

case $arch in
amd64)
	libraries='/lib/x86_64-linux-gnu /usr/lib/x86_64-linux-gnu /lib64'
	needs qemu-system-x86_64 qemu-system-x86
	machine='qemu-system-x86_64 -accel tcg,thread=single'
	# Without ACPI, as the debug kernel is, the BIOS tells of the first CPU of each socket alone.
	cpus=$cpus,sockets=$cpus
	console=ttyS0
	# QEMU 7.2 leaves garbage in the flags that an interrupt behind CMPXCHG16B saves, and its return faults.
	cpu=max,cx16=off
	;;
arm64)
	libraries="/usr/aarch64-linux-gnu/lib $cache/arm64/lib/aarch64-linux-gnu $cache/arm64/usr/lib/aarch64-linux-gnu"
	needs qemu-system-aarch64 qemu-system-arm
	machine='qemu-system-aarch64 -M virt,gic-version=3'
	[ -z "$exact" ] || machine="$machine -icount shift=0,sleep=off"
	[ -n "$exact" ] || machine="$machine -accel tcg,thread=multi"
	console=ttyAMA0
	cpu=max
	;;
esac

# with_libraries FILE: copies those that it needs, and theirs.
with_libraries() {
	readelf -ld "$1" 2>/dev/null | sed -n 's/.*interpreter: \(.*\)\]/\1/p; s/.*(NEEDED).*\[\(.*\)\]/\1/p' |
		while read -r library; do
			[ ! -e "$root/lib/${library##*/}" ] || continue
			for place in $libraries; do
				[ -e "$place/${library##*/}" ] || continue
				mkdir -p "$root/lib" && cp -L "$place/${library##*/}" "$root/lib" || exit 1
				with_libraries "$root/lib/${library##*/}"
				break
			done
		done
}

cp "$cache/$arch/bin/busybox" "$here/guest/sample_limit" "$root/bin" && cp "$here/guest/init" "$root/init" || exit 1
ln -s lib "$root/lib64"
for module in "$kernel"/lib/modules/*/kernel/drivers/*/*.ko*; do
	case $module in
	*.xz) xz -dc "$module" >"$root/modules/$(basename "$module" .xz)" ;;
	*.ko) cp "$module" "$root/modules" ;;
	esac
done
for file; do
	cp -R -p -L "$file" "$root/pmc" || exit 1
done
[ -z "$commands" ] || printf '%s\n' "$commands" >"$root/pmc/run"
[ -z "$interactive" ] || : >"$root/pmc/interactive"
[ -e "$root/pmc/run" ] || [ -n "$interactive" ] || stop 'nothing to run: neither -c nor a file named run'
find "$root/pmc" -type f ! -name '*.ko' -perm /111 >"$directory/programs"
while read -r program; do
	with_libraries "$program"
done <"$directory/programs"
chmod -R a+rX,u+w "$root"
chmod 755 "$root/init" "$root/bin/busybox" "$root/bin/sample_limit"
(cd "$root" && find . | cpio -o -H newc -R 0:0 --quiet) >"$directory/initramfs" || exit 1
rm -rf "$root" "$directory/programs" "$directory/disk"
truncate -s 256M "$directory/disk" || exit 1

# shellcheck disable=SC2086
set -- $machine -cpu "$cpu" -m "$memory" -smp "$cpus" -display none -vga none -serial mon:stdio -nic none -no-reboot \
	-kernel "$kernel/vmlinuz" -initrd "$directory/initramfs" \
	-drive "file=$directory/disk,format=raw,if=none,id=disk" -device virtio-blk-pci,drive=disk \
	-append "console=$console panic=-1 quiet${exact:+ norandmaps}"
if [ -n "$interactive" ]; then
	"$@"
	exit
fi
timeout --foreground -k 5 "$seconds" "$@" >"$directory/serial" 2>&1 </dev/null
status=$?
tr -d '\r' <"$directory/serial" >"$directory/console.log"
tar -x -i -f "$directory/disk" -C "$directory/out" 2>/dev/null
rm -f "$directory/disk" "$directory/initramfs" "$directory/serial"

failed=0
trouble() {
	say "$*" >&2
	failed=1
}
case $status in
124 | 137) trouble "the machine was stopped after $seconds seconds" ;;
esac
grep -q 'pmcstat-vm: off' "$directory/console.log" || trouble 'the machine did not come to its end'
# What a kernel says when something is wrong.
if grep -aE 'WARNING|BUG|Oops|Call [Tt]race|KASAN|UBSAN|INFO: |possible recursive|possible circular|inconsistent \{|suspicious RCU|ODEBUG|leaked|refcount_t|general protection|Unable to handle|Kernel panic|segfault|rcu:.*stall|scheduling while atomic|sleeping function|Unknown symbol|disagrees about|pmcstat-vm: hangs' \
	"$directory/console.log" >"$directory/findings"; then
	trouble 'the kernel complains:'
	head -n 40 "$directory/findings" >&2
fi
taint=$(cat "$directory/out/tainted" 2>/dev/null) || trouble 'nothing came back on its disk'
# Modules out of tree (4096) and unsigned (8192).
[ $((${taint:-0} & ~12288)) -eq 0 ] || trouble "the kernel is tainted: $taint"
if [ -s "$directory/out/kmemleak" ]; then
	trouble 'memory leaked:'
	head -n 40 "$directory/out/kmemleak" >&2
fi
[ $failed -eq 0 ] || say "see $directory/console.log" >&2
exit $failed
