#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# deb-install.sh SUITE [DIR]	makes Debian's packages of this tree in a release of Debian (bookworm,
#				trixie) that has what they say they need and no more, as an ordinary user;
#				then installs them in a fresh one, uses them, and removes them.
#				DIR, build/deb-SUITE if none is named, is made anew for it
#
# What it installs it gets by apt, a gigabyte each time.  The releases themselves are kept (chroot.sh), and
# only read.  77: it cannot be done here, for the reason that the last line has.
set -u
unset CDPATH MAKEFLAGS MFLAGS MAKELEVEL

# fresh NAME: the release, below $dir/NAME/root, what is written to it beside it.
fresh() {
	root=$dir/$1/root
	mkdir -p "$root" "$dir/$1/upper" "$dir/$1/work" || exit 1
	mount -t overlay overlay -o "lowerdir=$base,upperdir=$dir/$1/upper,workdir=$dir/$1/work" "$root" ||
		cannot 'no overlay can be mounted here'
	mount_system "$root" "$dir" || cannot 'the release cannot be mounted'
	as 0 'apt-get update' >"$dir/$1.log" 2>&1 || cannot "apt-get update failed: $dir/$1.log"
}

# as UID COMMAND: in the release.
as() {
	chroot --userspec="$1:$1" "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/tmp LC_ALL=C.UTF-8 \
		TERM=dumb DEBIAN_FRONTEND=noninteractive sh -c "cd /srv && $2" </dev/null
}

# works TITLE COMMAND: as root, and without complaint.
works() {
	if as 0 "$2" >"$dir/said" 2>&1; then
		verdict yes "$1"
	else
		verdict no "$1" "status $?: $(tail -n 20 "$dir/said")"
	fi
}

# A kernel of which there is nothing but its name.
other=5.10.0-1-x
install='apt-get install -q -y --no-install-recommends'

packages_are_made() {
	fresh make
	if ! as 0 "cd source && ln -s contrib/debian debian && apt-get build-dep -q -y ./ && rm debian &&
		$install lintian && chown -R 65534:65534 ." >>"$dir/make.log" 2>&1; then
		cannot "packages cannot be installed: $dir/make.log"
	fi
	if as 65534 'cd source && ./autogen.sh && mkdir build && cd build && ../configure && make deb' \
		>>"$dir/make.log" 2>&1; then
		verdict yes 'the packages are made by an ordinary user, with what they say they need'
	else
		verdict no 'the packages are made by an ordinary user, with what they say they need' \
			"$(tail -n 30 "$dir/make.log")"
		finish
	fi
	cp -R "$dir/source/build/deb" "$dir/deb" || exit 1
	clean 'lintian' "$(as 65534 'lintian deb/*.changes' 2>&1)"
}

programs_work() {
	works 'programs and libraries are installed' "$install ./deb/pmcstat_*.deb ./deb/libpmc0_*.deb ./deb/libpmc-dev_*.deb"
	works 'they need nothing else' 'pmcstat --help && pmclog --help && pmccontrol --help'
	works 'they record and analyse' 'cd /tmp && pmcstat -q -P cpu-clock -O log /bin/true && pmcstat -q -R log --flat && pmclog info log'
	as 0 "$install gcc libc6-dev pkgconf" >"$dir/gcc.log" 2>&1 || cannot "gcc cannot be installed: $dir/gcc.log"
	works 'a program is built with libpmc' \
		"cc -o /tmp/api source/tests/system/api_count.c \$(pkg-config --cflags --libs libpmc) && ldd /tmp/api | grep libpmc.so.0"
}

# A module that uses pmc_kapi(9), in an empty directory.
make_user() {
	mkdir "$dir/user" && echo 'obj-m := user.o' >"$dir/user/Kbuild" && cat >"$dir/user/user.c" <<-'END'
		#include <linux/module.h>
		#include <pmc_kapi.h>
		static int __init user_init(void)
		{
			return pmc_get_num_counters() > 0 ? 0 : -ENODEV;
		}
		module_init(user_init);
		MODULE_LICENSE("GPL");
		MODULE_DESCRIPTION("a user of pmc_kapi(9)");
	END
}

# The kernel of this release, which is built for and not booted: tests/vm does that.
module_works() {
	works 'the module is installed, without a kernel' "$install ./deb/hwpmc-dkms_*.deb && dkms status hwpmc | grep -q added"
	works 'it makes its group' 'getent group profile'
	works 'a kernel whose headers come gets it' \
		"$install linux-headers-\$(dpkg --print-architecture) && dkms status hwpmc | grep -q installed"
	kernel=$(as 0 'cd /lib/modules && echo *')
	works "signed, for Linux $kernel, by the key of DKMS" \
		"modinfo -F signer /lib/modules/$kernel/updates/dkms/hwpmc.ko* | grep . && ls /var/lib/dkms/mok.pub"
	works 'a kernel that is here gets it when it is installed' \
		"dkms remove hwpmc/$version --all && dpkg-reconfigure hwpmc-dkms && dkms status hwpmc | grep -q installed"
	works 'nor does it need the hook that is deleted: DKMS builds it by itself' \
		"mkdir /srv/hooks && mv /etc/kernel/postinst.d/hwpmc hooks && dkms remove hwpmc/$version --all &&
		dpkg-reconfigure hwpmc-dkms && dkms status hwpmc | grep -q installed &&
		dkms remove hwpmc/$version --all && dkms add hwpmc/$version &&
		dkms autoinstall -k $kernel && dkms status hwpmc | grep -q installed"
	works 'the hook is put back' 'mv hooks/hwpmc /etc/kernel/postinst.d'
	make_user || exit 1
	works 'a module that uses pmc_kapi(9) is built' "make -C /lib/modules/$kernel/build M=/srv/user \
		KCFLAGS=-I/usr/src/hwpmc-$version/kdrv \
		KBUILD_EXTRA_SYMBOLS=/var/lib/dkms/hwpmc/$version/$kernel/\$(uname -m)/Module.symvers &&
		modinfo -F depends user/user.ko | grep -x hwpmc"
	works 'a kernel that it is not for is no failure' "mkdir -p /lib/modules/$other/build/include &&
		run-parts --exit-on-error -a $other /etc/kernel/postinst.d && rm -r /lib/modules/$other"
}

all_goes() {
	works 'the module is removed' 'apt-get remove -y hwpmc-dkms && ! ls /lib/modules/*/updates/dkms/hwpmc.ko* && test ! -e /var/lib/dkms/hwpmc'
	clean 'what is left of it says nothing to a kernel' "$(as 0 "/etc/kernel/postinst.d/hwpmc $kernel")"
	works 'all is purged' 'apt-get purge -y hwpmc-dkms pmcstat libpmc0 libpmc-dev'
	clean 'and leaves nothing' "$(as 0 'find / -xdev -path /srv -prune -o -path /tmp -prune -o -path /var/log -prune \
		-o \( -name "*hwpmc*" -o -name "*pmcstat*" -o -name "libpmc*" \) -print')"
}

# The rest, in a mount namespace of its own.
within() {
	mkdir -p "$cache" || exit 1
	exec 9>"$cache/lock"
	flock 9
	[ -e "$base/etc/complete" ] || make_root "$suite" "$base"
	flock -s 9
	clear "$dir"
	copy_tree "$dir"
	packages_are_made
	fresh install
	programs_work
	module_works
	all_goes
	finish
}

suite=${1-}
[ -n "$suite" ] || {
	echo 'usage: tests/deb-install.sh SUITE [DIR]' >&2
	exit 64
}
cd "$(dirname "$0")/.." || exit 1
# shellcheck source=tests/chroot.sh
. tests/chroot.sh
# shellcheck source=tests/tap.sh
. tests/tap.sh
dir=$(realpath -m "${2:-build/deb-$suite}")
base=$cache/$suite-base
version=$(sed -n 's/^AC_INIT(\[pmcstat\], \[\(.*\)\])$/\1/p' configure.ac)
[ "${3-}" != within ] || within
needs_chroot
exec unshare --mount --propagation private tests/deb-install.sh "$suite" "$dir" within
