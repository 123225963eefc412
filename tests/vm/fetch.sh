#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# fetch.sh [PART...]	gets what the test machines need into the cache, by apt and without changing
#			the host's apt and dpkg; what is there is not fetched again
#
# Parts: x61 x612 (Debian's kernels 6.1 and 6.12 for amd64), a61 a612 (for arm64), rt61 (6.1 with PREEMPT_RT,
# amd64), amd64 (busybox), arm64 (busybox, and libraries for its programs), source (of kernel 6.1, for the
# debug kernel).  All but the last if none is named.  Each is unpacked below ${PMCSTAT_VM_CACHE:-~/.cache/pmcstat-vm}; a failure is one sentence.
set -u
# shellcheck source=tests/vm/lib.sh
. "$(dirname "$0")/lib.sh"
mirror=http://deb.debian.org

# A world of its own for apt: no lists, sources or packages of the host; only its proxy.
private_apt() {
	mkdir -p "$apt/lists/partial" "$apt/archives/partial" "$apt/etc" "$cache/debs" || exit 1
	: >"$apt/status"
	for suite in 'debian bookworm' 'debian-security bookworm-security' 'debian bookworm-backports'; do
		echo "deb [arch=amd64,arm64 signed-by=$keyring] $mirror/$suite main"
	done >"$apt/etc/sources.list"
	{
		cat <<-END
			APT::Architecture "amd64";
			APT::Architectures { "amd64"; "arm64"; };
			APT::Sandbox::User "root";
			Acquire::Languages "none";
			Acquire::Retries "3";
			Dir::State "$apt";
			Dir::State::status "$apt/status";
			Dir::State::lists "$apt/lists";
			Dir::Cache "$apt";
			Dir::Cache::archives "$apt/archives";
			Dir::Etc "$apt/etc";
			Dir::Log "$apt";
		END
		apt-config dump 2>/dev/null | grep -i '^Acquire::[a-z]*::proxy'
	} >"$apt/etc/config"
	APT_CONFIG=$apt/etc/config
	export APT_CONFIG
}

update() {
	[ -z "${updated-}" ] || return 0
	say 'apt-get update'
	apt-get -qq update >"$apt/update.log" 2>&1 ||
		stop "the package lists of $mirror cannot be had: $(grep -m 1 '^[EW]:' "$apt/update.log")"
	updated=yes
}

# deb PACKAGE[:ARCHITECTURE][=VERSION]: downloads it; its file is then $deb.
deb() {
	update
	rm -rf "$cache/debs/now"
	mkdir -p "$cache/debs/now"
	(cd "$cache/debs/now" && apt-get -qq download "$1") >"$apt/download.log" 2>&1 ||
		stop "the package $1 cannot be had: $(grep -m 1 '^E:' "$apt/download.log")"
	deb=$(echo "$cache"/debs/now/*.deb)
	say "$(basename "$deb" | sed 's/%3a/:/')"
}

# unpack DIRECTORY [MEMBER...]: the downloaded package, or these members of it.
unpack() {
	into=$1
	shift
	mkdir -p "$into"
	if [ $# -eq 0 ]; then
		dpkg-deb -x "$deb" "$into"
	else
		dpkg-deb --fsys-tarfile "$deb" | tar -x -C "$into" --wildcards "$@"
	fi || stop "the package $(basename "$deb") cannot be unpacked below $into"
	rm -rf "$cache/debs/now"
}

# depends PACKAGE VERSION-PATTERN NAME-PATTERN: the newest such dependency's name.
depends() {
	apt-cache show "$1" 2>/dev/null | awk -v version="$2" -v name="$3" '
		/^Version: / { hit = $2 ~ version }
		/^Depends: / && hit {
			n = split(substr($0, 10), d, /, */)
			for (i = 1; i <= n; i++) {
				sub(/ .*/, "", d[i]); sub(/:.*/, "", d[i])
				if (d[i] ~ name) print d[i]
			}
		}' | sort -V | tail -n 1
}

# kernel NAME ARCHITECTURE VERSION [FLAVOUR]: image, virtio modules, headers and what builds modules with
# them.  The flavour is how the package's name ends, if not as the architecture.
kernel() {
	root=$cache/kernel/$1
	update
	image=$(depends "linux-image-${4-$2}:$2" "^$3[.]" '^linux-image-[0-9]')
	[ -n "$image" ] || stop "the package linux-image-${4-$2} $3 for $2 cannot be had"
	headers=linux-headers-${image#linux-image-}
	rm -rf "$root"
	deb "$image:$2"
	unpack "$root" './boot/*' './lib/modules/*/kernel/drivers/virtio/*' \
		'./lib/modules/*/kernel/drivers/block/virtio_blk.ko*'
	deb "$headers:$2"
	unpack "$root"
	for pattern in '^linux-headers-.*-common' '^linux-kbuild-'; do
		package=$(depends "$headers:$2" . "$pattern")
		deb "$package:amd64"
		unpack "$root"
	done
	ln -s "boot/vmlinuz-${image#linux-image-}" "$root/vmlinuz"
	ln -s "usr/src/$headers" "$root/headers"
	# Debian's makefiles name the others by absolute paths.
	grep -rlF /usr/src/ "$root/headers/Makefile" "$root/headers/.kernelvariables" \
		"$root"/usr/src/*-common/Makefile 2>/dev/null |
		while read -r file; do sed -i "s,/usr/src/,$root/usr/src/,g" "$file"; done
	echo "${image#linux-image-}" >"$root/complete"
}

arm64_libraries='libelf-dev libelf1 libdwarf-dev libdwarf1 zlib1g-dev zlib1g libncurses-dev libncursesw6
	libtinfo6'

part() {
	case $1 in
	x61) kernel x61 amd64 6.1 ;;
	x612) kernel x612 amd64 6.12 ;;
	a61) kernel a61 arm64 6.1 ;;
	a612) kernel a612 arm64 6.12 ;;
	rt61) kernel rt61 amd64 6.1 rt-amd64 ;;
	arm64)
		rm -rf "$cache/arm64"
		for package in busybox-static $arm64_libraries; do
			deb "$package:arm64"
			unpack "$cache/arm64"
		done
		;;
	amd64)
		deb busybox-static:amd64
		unpack "$cache/amd64"
		;;
	source)
		rm -rf "$cache/source"
		deb linux-source-6.1
		unpack "$cache/source"
		;;
	*) stop "$1: no such part; x61, x612, a61, a612, rt61, amd64, arm64, source" ;;
	esac
	: >"$cache/done-$1"
}

[ "$(dpkg --print-architecture 2>/dev/null)" = amd64 ] || stop 'the test machines need a Debian of amd64 around them'
keyring=/usr/share/keyrings/debian-archive-keyring.gpg
[ -e "$keyring" ] || stop "$keyring is missing: apt-get install debian-archive-keyring"
mkdir -p "$cache" || exit 1
apt=$cache/apt
[ $# -gt 0 ] || set -- x61 a61 x612 a612 rt61 amd64 arm64
missing() {
	for name; do
		[ -e "$cache/done-$name" ] || return 0
	done
	return 1
}
missing "$@" || exit 0
# One at a time: several trees may share the cache.
exec 9>"$cache/lock"
flock 9
for name; do
	[ ! -e "$cache/done-$name" ] || continue
	[ -n "${APT_CONFIG-}" ] || private_apt
	part "$name"
done
