#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# make deb makes Debian's packages of this tree, as any user: nothing is missing in them, and lintian finds
# nothing.  tests/deb-install.sh installs them.
set -u
: "${builddir:?}"
unset MAKEFLAGS MFLAGS MAKELEVEL
# shellcheck source=tests/tap.sh
. "${srcdir:?}/tests/tap.sh"
for tool in dpkg-buildpackage dpkg-deb dh; do
	command -v $tool >/dev/null 2>&1 || skip_all "no $tool"
done
missing=$(cd "$srcdir" && dpkg-checkbuilddeps contrib/debian/control 2>&1) || skip_all "${missing#*: error: }"
log=$builddir/deb.log
if make -C "$builddir" deb >"$log" 2>&1; then
	verdict yes 'make deb'
else
	verdict no 'make deb' "$(tail -n 30 "$log")"
	finish
fi
cd "$builddir/deb" || exit 99

# listed PACKAGE: its files.
listed() {
	dpkg-deb --fsys-tarfile "$1"_*.deb | tar -t | sed 's,^\./,/,; s,/$,,'
}

# has PACKAGE FILE...: names those that are not in it; patterns of grep.
has() {
	package=$1 missing=
	shift
	listed "$package" >"$package.list"
	for file; do
		grep -qx -- "$file" "$package.list" || missing="$missing $file"
	done
	clean "$package has what it is for" "$missing"
}

version=$(sed -n 's/^PACKAGE_VERSION = //p' "$builddir/Makefile")
has pmcstat /usr/bin/pmcstat /usr/bin/pmclog /usr/bin/pmccontrol \
	/usr/share/bash-completion/completions/pmcstat /usr/share/bash-completion/completions/pmccontrol \
	/usr/share/zsh/vendor-completions/_pmcstat '.*/lib/systemd/system/pmcstat-push.service'
has libpmc0 '/usr/lib/.*/libpmc\.so\.0' '/usr/lib/.*/libpmclog\.so\.0'
has libpmc-dev /usr/include/pmc/pmc.h /usr/include/pmc/pmclog.h /usr/include/pmc/sys/pmc.h \
	'/usr/lib/.*/libpmc\.a' '/usr/lib/.*/libpmc\.so' '/usr/lib/.*/pkgconfig/libpmclog\.pc' \
	/usr/share/man/man3/pmc_read.3.gz /usr/share/man/man3/pmc_write.3.gz
has hwpmc-dkms "/usr/src/hwpmc-$version/dkms.conf" "/usr/src/hwpmc-$version/kdrv/pmc_kapi.h" \
	"/usr/src/hwpmc-$version/pmclog/pmclog_wire.h" '.*/lib/udev/rules.d/99-hwpmc.rules' \
	/usr/lib/sysusers.d/hwpmc.conf /usr/lib/modules-load.d/hwpmc.conf \
	/usr/share/doc/hwpmc-dkms/examples/sysctl.conf /usr/share/doc/hwpmc-dkms/README.md \
	'/usr/share/doc/hwpmc-dkms/README.Debian\(\.gz\)*' \
	/etc/kernel/postinst.d/hwpmc /etc/kernel/header_postinst.d/hwpmc
clean 'every man page is in one package' "$(for page in "$srcdir"/man/*; do
	page=${page##*/}
	[ "$(cat ./*.list | grep -cx "/usr/share/man/man${page##*.}/$page.gz")" -eq 1 ] || echo "$page"
done)"
rm -f ./*.list

if command -v lintian >/dev/null 2>&1; then
	lintian --allow-root --fail-on error,warning ./*.changes >lintian.out 2>&1
	status=$?
	clean 'lintian' "$([ $status -eq 0 ] || echo "status $status")$(grep '^[EW]: ' lintian.out)"
	rm -f lintian.out
else
	skip 'lintian' 'no lintian'
fi
finish
