#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# distro.sh SUITE [DIR]	has quickstart build this tree with gcc and run its tests in another release
#			of Debian (bookworm, trixie); DIR, build/check-SUITE if none is named, is made anew for it
#
# The release is a tree of packages for chroot(8): debootstrap makes it from the mirror that this
# machine's apt uses, once; it stays in ${PMCSTAT_DISTRO_CACHE:-~/.cache/pmcstat-distro}, and tests cannot
# write to it.  All that is mounted is so in a mount namespace that ends with this, however it ends.
# 77: it cannot be done here, for the reason that the last line has.
set -u
unset CDPATH MAKEFLAGS MFLAGS MAKELEVEL
cache=${PMCSTAT_DISTRO_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/pmcstat-distro}

# cannot REASON
cannot() {
	printf '%s\n' "$*"
	exit 77
}

# What apt gets Debian from; nothing where it has no lists of it yet.
mirror() {
	# shellcheck disable=SC2016
	apt-get indextargets --format '$(LABEL) $(COMPONENT) $(REPO_URI)' 'Created-By: Packages' 2>/dev/null |
		sed -n 's,^Debian main \(https*://[^ ]*\)$,\1,p' | head -n 1
}

# Removes what an earlier run left below a directory, and nothing that is mounted there.
clear() {
	[ ! -e "$1" ] || rm -rf --one-file-system "$1" || cannot "$1 cannot be removed"
}

# The release without what tests need.
make_root() {
	from=$(mirror)
	[ -n "$from" ] || cannot 'apt has no lists of packages of Debian here: apt-get update'
	[ -n "${http_proxy-}" ] || eval "$(apt-config shell http_proxy Acquire::http::Proxy)"
	[ -z "${http_proxy-}" ] || export http_proxy
	clear "$root"
	debootstrap --variant=minbase --include=ca-certificates "$suite" "$root" "$from" >"$cache/$suite.log" 2>&1 ||
		cannot "debootstrap cannot make $suite from $from: $(grep -m 1 '^E:' "$cache/$suite.log"), see $cache/$suite.log"
	[ -z "${http_proxy-}" ] ||
		echo "Acquire::http::Proxy \"$http_proxy\";" >"$root/etc/apt/apt.conf.d/proxy"
	# The downloaded files are of no use again.
	echo 'DPkg::Post-Invoke { "rm -f /var/cache/apt/archives/*.deb"; };' >"$root/etc/apt/apt.conf.d/clean"
	: >"$root/etc/complete"
}

# Mounts what programs expect, and the directory of this run.
mount_all() {
	mount --bind "$root" "$root" && mount -t proc proc "$root/proc" &&
		mount --rbind /sys "$root/sys" && mount --rbind /dev "$root/dev" &&
		mount --bind "$dir/tmp" "$root/tmp" && mount --bind "$dir" "$root/srv"
}

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
	[ -e "$root/etc/complete" ] || make_root
	clear "$dir"
	mkdir -p "$dir/source" "$dir/tmp" || exit 1
	chmod 1777 "$dir/tmp"
	# Without what autogen.sh makes, for that is tested, too.
	tar -c --exclude='./build*' --exclude=./.git --exclude=./configure --exclude=./m4 . |
		tar -x -C "$dir/source" || exit 1
	mount_all || cannot 'the release cannot be mounted'
	cp -L /etc/resolv.conf "$root/etc/resolv.conf" 2>/dev/null
	inside check packages >"$dir/packages.log" || cannot "packages cannot be installed: $dir/packages.log"
	mount -o remount,bind,ro "$root" || cannot 'the release cannot be made read-only'
	flock -s 9
	inside check gcc
}

# cd is undone by no mount: a relative name would be another one.
suite=${1-}
[ -n "$suite" ] || {
	echo 'usage: tests/distro.sh SUITE [DIR]' >&2
	exit 64
}
cd "$(dirname "$0")/.." || exit 1
dir=$(realpath -m "${2:-build/check-$suite}")
root=$cache/$suite
if [ "${3-}" = within ]; then
	within
	exit
fi
[ "$(id -u)" -eq 0 ] || cannot 'only root can make a chroot'
for tool in apt-get debootstrap unshare chroot flock; do
	command -v $tool >/dev/null 2>&1 || cannot "no $tool"
done
unshare --mount true 2>/dev/null || cannot 'no mount namespace can be made here'
exec unshare --mount --propagation private "$0" "$suite" "$dir" within
