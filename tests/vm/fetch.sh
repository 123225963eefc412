#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# fetch.sh [PART...]	gets what the test machines need into the cache, by apt and without changing
#			the host's apt and dpkg; what is there is not fetched again
#
# Parts: x61 x612 x73 (Debian's kernels 6.1, 6.12 and 7.3 for amd64), a61 a612 a73 (for arm64), rt61 (6.1
# with PREEMPT_RT, amd64), amd64 (busybox), arm64 (busybox, and libraries for its programs), source (of
# kernel 6.1, for the debug kernel).  All but the last if none is named.  Each is unpacked below
# ${PMCSTAT_VM_CACHE:-~/.cache/pmcstat-vm}; a failure is one sentence.
set -u
# shellcheck source=tests/vm/lib.sh
. "$(dirname "$0")/lib.sh"
mirror=http://deb.debian.org

# private_apt RELEASE: a world of its own for apt: no lists, sources or packages of the host; only its proxy.
private_apt() {
	release=$1 apt=$cache/apt-$1
	mkdir -p "$apt/lists/partial" "$apt/archives/partial" "$apt/etc" "$cache/debs" || exit 1
	: >"$apt/status"
	for suite in "debian $1" "debian-security $1-security" "debian $1-backports"; do
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
	case " ${updated-} " in
	*" $release "*) return 0 ;;
	esac
	say 'apt-get update'
	apt-get -qq update >"$apt/update.log" 2>&1 ||
		stop "the package lists of $mirror cannot be had: $(grep -m 1 '^[EW]:' "$apt/update.log")"
	updated="${updated-} $release"
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

# kernel_itself ARCHITECTURE: the image and its virtio modules, below $root.
kernel_itself() {
	# From 7.3 on the package of the image has nothing itself, but needs these two.
	binary=$(depends "$image:$1" . '^linux-binary-')
	modules=$(depends "$image:$1" . '^linux-modules-')
	drivers='lib/modules/*/kernel/drivers'
	if [ -z "$binary" ]; then
		file=boot/vmlinuz-$version
		deb "$image:$1"
		unpack "$root" "./$file" "./$drivers/virtio/*" "./$drivers/block/virtio_blk.ko*"
	else
		file=usr/lib/modules/$version/vmlinuz
		deb "$binary:$1"
		unpack "$root" "./$file"
		deb "$modules:$1"
		unpack "$root" "./usr/$drivers/virtio/*" "./usr/$drivers/block/virtio_blk.ko*"
		ln -s usr/lib "$root/lib"
	fi
	ln -s "$file" "$root/vmlinuz"
}

# The programs that build modules are for the C library of their release: those that cannot run with this
# machine's get that one.
own_libraries() {
	find "$root"/usr/lib/linux-kbuild-* -type f -perm /111 | while read -r program; do
		! ldd "$program" 2>&1 | grep -q 'not found' || echo "$program"
	done >"$cache/debs/foreign"
	[ -s "$cache/debs/foreign" ] || return 0
	for package in libc6 libelf1t64 zlib1g libzstd1; do
		deb "$package:amd64"
		unpack "$root/libraries"
	done
	libraries=$root/libraries/usr/lib/x86_64-linux-gnu
	while read -r program; do
		mv "$program" "$program.elf"
		printf '#!/bin/sh\nexec "%s" --library-path "%s" "%s" "$@"\n' \
			"$libraries/ld-linux-x86-64.so.2" "$libraries" "$program.elf" >"$program"
		chmod 755 "$program"
	done <"$cache/debs/foreign"
}

# kernel NAME ARCHITECTURE VERSION [FLAVOUR]: image, virtio modules, headers and what builds modules with
# them.  The flavour is how the package's name ends, if not as the architecture.
kernel() {
	root=$cache/kernel/$1
	update
	image=$(depends "linux-image-${4-$2}:$2" "^$3[.]" '^linux-image-[0-9]')
	[ -n "$image" ] || stop "the package linux-image-${4-$2} $3 for $2 cannot be had"
	version=${image#linux-image-} headers=linux-headers-${image#linux-image-}
	rm -rf "$root"
	kernel_itself "$2"
	deb "$headers:$2"
	unpack "$root"
	for pattern in '^linux-headers-.*-common' '^linux-kbuild-'; do
		package=$(depends "$headers:$2" . "$pattern")
		deb "$package:amd64"
		unpack "$root"
	done
	own_libraries
	ln -s "usr/src/$headers" "$root/headers"
	# Debian's makefiles name the others by absolute paths.
	grep -rlF /usr/src/ "$root/headers/Makefile" "$root/headers/.kernelvariables" \
		"$root"/usr/src/*-common/Makefile 2>/dev/null |
		while read -r file; do sed -i "s,/usr/src/,$root/usr/src/,g" "$file"; done
	echo "$version" >"$root/complete"
}

arm64_libraries='libelf-dev libelf1 zlib1g-dev zlib1g libncurses-dev libncursesw6
	libtinfo6'

part() {
	case $1 in
	x61) kernel x61 amd64 6.1 ;;
	x612) kernel x612 amd64 6.12 ;;
	a61) kernel a61 arm64 6.1 ;;
	a612) kernel a612 arm64 6.12 ;;
	rt61) kernel rt61 amd64 6.1 rt-amd64 ;;
	x73) kernel x73 amd64 7.3 ;;
	a73) kernel a73 arm64 7.3 ;;
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
	*) stop "$1: no such part; x61, x612, x73, a61, a612, a73, rt61, amd64, arm64, source" ;;
	esac
	: >"$cache/done-$1"
}

[ "$(dpkg --print-architecture 2>/dev/null)" = amd64 ] || stop 'the test machines need a Debian of amd64 around them'
keyring=/usr/share/keyrings/debian-archive-keyring.gpg
[ -e "$keyring" ] || stop "$keyring is missing: apt-get install debian-archive-keyring"
mkdir -p "$cache" || exit 1
[ $# -gt 0 ] || set -- x61 a61 x612 a612 x73 a73 rt61 amd64 arm64
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
	case $name in
	*73) private_apt trixie ;;
	*) private_apt bookworm ;;
	esac
	part "$name"
done
