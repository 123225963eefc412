# shellcheck shell=sh
# SPDX-License-Identifier: BSD-2-Clause
# What the tests that make another release of Debian share; sourced from the top of the tree, by root,
# in a mount namespace of their own:
#
#	. tests/chroot.sh
#
# A release is a tree of packages for chroot(8): debootstrap makes it from the mirror that this machine's
# apt uses, once; it stays below $cache, ${PMCSTAT_DISTRO_CACHE:-~/.cache/pmcstat-distro}.
# 77: it cannot be done here, for the reason that the last line has.
# shellcheck disable=SC2034
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

# make_root SUITE ROOT: the release without what tests need.
make_root() {
	suite=$1 root=$2
	from=$(mirror)
	[ -n "$from" ] || cannot 'apt has no lists of packages of Debian here: apt-get update'
	[ -n "${http_proxy-}" ] || eval "$(apt-config shell http_proxy Acquire::http::Proxy)"
	[ -z "${http_proxy-}" ] || export http_proxy
	clear "$root"
	debootstrap --variant=minbase --include=ca-certificates "$suite" "$root" "$from" >"$root.log" 2>&1 ||
		cannot "debootstrap cannot make $suite from $from: $(grep -m 1 '^E:' "$root.log"), see $root.log"
	[ -z "${http_proxy-}" ] ||
		echo "Acquire::http::Proxy \"$http_proxy\";" >"$root/etc/apt/apt.conf.d/proxy"
	# The downloaded files are of no use again.
	echo 'DPkg::Post-Invoke { "rm -f /var/cache/apt/archives/*.deb"; };' >"$root/etc/apt/apt.conf.d/clean"
	: >"$root/etc/complete"
}

# copy_tree DIR: the tree, to DIR/source, and DIR/tmp; without what autogen.sh makes, for that is tested, too.
copy_tree() {
	mkdir -p "$1/source" "$1/tmp" || exit 1
	chmod 1777 "$1/tmp"
	tar -c --exclude='./build*' --exclude=./.git --exclude=./configure --exclude=./m4 . |
		tar -x -C "$1/source" || exit 1
}

# mount_system ROOT DIR: mounts what programs expect, and the directory of this run.
mount_system() {
	mount -t proc proc "$1/proc" && mount --rbind /sys "$1/sys" && mount --rbind /dev "$1/dev" &&
		mount --bind "$2/tmp" "$1/tmp" && mount --bind "$2" "$1/srv" || return
	cp -L /etc/resolv.conf "$1/etc/resolv.conf" 2>/dev/null
	return 0
}

# Ends a script that could not go into a mount namespace, and make a release there.
needs_chroot() {
	[ "$(id -u)" -eq 0 ] || cannot 'only root can make a chroot'
	for tool in apt-get debootstrap unshare chroot flock; do
		command -v $tool >/dev/null 2>&1 || cannot "no $tool"
	done
	unshare --mount true 2>/dev/null || cannot 'no mount namespace can be made here'
}
