#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# distro.sh SUITE [DIR]	has quickstart build this tree with gcc and run its tests in another release
#			of Debian (bookworm, trixie); DIR, build/check-SUITE if none is named, is made anew for it
#
# Tests cannot write to the release, which is kept (chroot.sh).  All that is mounted is so in a mount
# namespace that ends with this, however it ends.
# 77: it cannot be done here, for the reason that the last line has.
set -u
unset CDPATH MAKEFLAGS MFLAGS MAKELEVEL

# inside ARGUMENT...: quickstart in the release.
inside() {
	chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/tmp LC_ALL=C.UTF-8 TERM=dumb \
		/srv/source/quickstart "$@" </dev/null
}

# The rest, in a mount namespace of its own.
within() {
	mkdir -p "$cache" || exit 1
	# Several trees may share it; who makes or completes it does so alone.
	exec 9>"$cache/lock"
	flock 9
	[ -e "$root/etc/complete" ] || make_root "$suite" "$root"
	clear "$dir"
	copy_tree "$dir"
	{ mount --bind "$root" "$root" && mount_system "$root" "$dir"; } || cannot 'the release cannot be mounted'
	inside check packages >"$dir/packages.log" || cannot "packages cannot be installed: $dir/packages.log"
	mount -o remount,bind,ro "$root" || cannot 'the release cannot be made read-only'
	flock -s 9
	inside check gcc
}

suite=${1-}
[ -n "$suite" ] || {
	echo 'usage: tests/distro.sh SUITE [DIR]' >&2
	exit 64
}
cd "$(dirname "$0")/.." || exit 1
# shellcheck source=tests/chroot.sh
. tests/chroot.sh
# cd is undone by no mount: a relative name would be another one.
dir=$(realpath -m "${2:-build/check-$suite}")
root=$cache/$suite
if [ "${3-}" = within ]; then
	within
	exit
fi
needs_chroot
exec unshare --mount --propagation private tests/distro.sh "$suite" "$dir" within
