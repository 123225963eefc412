#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# debug-kernel.sh	builds the kernel d61, Debian's 6.1 with every check that debug.config names, into
#			the cache; six minutes on two CPUs, nothing if it is there
set -u
# shellcheck source=tests/vm/lib.sh
. "$(dirname "$0")/lib.sh"
here=$(cd "$(dirname "$0")" && pwd)
kernel=$cache/kernel/d61
want=$(cksum <"$here/debug.config")
[ "$(cat "$kernel/complete" 2>/dev/null)" != "$want" ] || exit 0
for program in gcc flex bison bc make; do
	needs "$program" "$program"
done
[ -e /usr/include/gelf.h ] || stop 'gelf.h is missing: apt-get install libelf-dev'
sh "$here/fetch.sh" source || exit 1

exec 9>"$cache/lock-d61"
flock 9
[ "$(cat "$kernel/complete" 2>/dev/null)" != "$want" ] || exit 0
# A build that was stopped is gone on with.
build=$cache/d61-build
mkdir -p "$build" && cd "$build" || exit 1
[ -e unpacked ] || {
	say 'unpacking'
	tar -x -J -f "$cache"/source/usr/src/linux-source-6.1.tar.xz --strip-components=1 ||
		stop 'the source of the kernel cannot be unpacked'
	: >unpacked
}

# All of what is wanted must be there: kconfig drops silently what depends on something else.
make -s KCONFIG_ALLCONFIG="$here/debug.config" allnoconfig >build.log 2>&1 ||
	stop "the debug kernel cannot be configured ($build/build.log)"
dropped=$(grep '^CONFIG' "$here/debug.config" | grep -vxF -f .config)
[ -z "$dropped" ] || stop "kconfig drops of debug.config: $dropped"

say 'building, some minutes'
nice make -s -j"$(nproc)" bzImage modules >build.log 2>&1 || {
	tail -n 20 build.log >&2
	stop "the debug kernel does not build ($build/build.log)"
}
# What is left is what modules are built with.
mv arch/x86/boot/bzImage vmlinuz || exit 1
find . -type f '(' -name '*.o' -o -name '*.a' -o -name '.*.cmd' -o -name vmlinux -o -name 'vmlinux.bin*' -o -name '.tmp_vmlinux*' ')' -delete
rm -rf Documentation sound drivers fs net mm samples
find arch -mindepth 1 -maxdepth 1 ! -name x86 ! -name Kconfig -exec rm -rf {} +
rm -rf "$kernel"
ln -s . headers
echo "$want" >complete
mv "$build" "$kernel"
