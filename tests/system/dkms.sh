#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# DKMS builds the module for the kernels of the test machines and those between, and whatever happens
# then, a kernel's package is configured.
# shellcheck source=tests/system/lib.sh
. "${srcdir:?}/tests/system/lib.sh"

build=${builddir:?}/contrib/hwpmc/dkms-build.sh
hook=$srcdir/contrib/hwpmc/kernel-hook.sh
conf=$builddir/contrib/hwpmc/dkms.conf
command -v bash >/dev/null 2>&1 || skip_all 'no bash, which DKMS reads dkms.conf with'

# taken VERSION: as DKMS matches it.
taken() {
	# shellcheck disable=SC2016
	bash -c '. "$1"; [[ $2 =~ $BUILD_EXCLUSIVE_KERNEL ]]' - "$conf" "$1"
}

machines=$(sed -n 's/^kernel //p' "$srcdir"/tests/vm/machines/*.machine | sort -u)
tested=$(for kernel in $machines; do
	sed -n "s/^[^#]*) kernel $kernel [a-z0-9]* \\([0-9.]*\\) ;;\$/\\1/p" "$srcdir/tests/vm/fetch.sh"
done | sort -uV)
refused=
for version in $tested; do
	taken "$version.5-1-amd64" || refused="$refused $version"
done
clean "kernels of the test machines are taken: $(echo "$tested" | tr '\n' ' ')" "$([ -n "$tested" ] && echo "$refused" || echo 'none is found')"
newest=$(echo "$tested" | tail -n 1)
oldest=$(echo "$tested" | head -n 1)
later=${newest%.*}.$((${newest#*.} + 1))
earlier=${oldest%.*}.$((${oldest#*.} - 1))
wrong=
for version in "$earlier.9" "$later.0" "$later-amd64" "${newest}0.1" "$((${newest%.*} + 1)).0" 5.10.0; do
	! taken "$version" || wrong="$wrong $version"
done
clean 'no kernel before or after them is' "$wrong"
clean 'it is a good script' "$(! command -v shellcheck >/dev/null 2>&1 || shellcheck "$build")"

# A DKMS that leaves with $status, for a kernel that has headers.
mkdir -p bin modules/6.1.0-9-amd64/build/include
cat >bin/dkms <<'END'
#!/bin/sh
echo "$*" >>"$CALLED"
[ "$1" != status ] || { echo "$STATUS"; exit 0; }
echo "what DKMS said"
exit "$EXIT"
END
chmod +x bin/dkms

chmod +x "$build"
# hooked TITLE EXIT STATUS KERNEL WORDS: it ends well and says the words, or nothing.
hooked() {
	: >called
	said=$(EXIT=$2 STATUS=$3 CALLED=called HWPMC_MODULES=modules HWPMC_BUILD=$build PATH=$PWD/bin:$PATH sh "$hook" "$4" 2>&1)
	status=$?
	case $status:$said in
	0:) ok=${5:-yes} ;;
	0:*"${5:-no words at all}"*) ok=yes ;;
	*) ok=no ;;
	esac
	verdict "$ok" "$1" "status $status, said: $said"
}

hooked 'it builds' 0 '' 6.1.0-9-amd64 'hwpmc: built for Linux 6.1.0-9-amd64'
verdict "$(grep -q '^install hwpmc/[0-9.]* -k 6.1.0-9-amd64$' called && echo yes)" 'for that kernel' "$(cat called)"
hooked 'one that it is not for goes on' 77 '' 6.1.0-9-amd64 'has which it is for'
hooked 'one that it does not build for goes on, and what DKMS said is told' 10 '' 6.1.0-9-amd64 'what DKMS said'
hooked 'the log is named' 10 '' 6.1.0-9-amd64 '/build/make.log'
hooked 'what is installed is not built again' 10 'hwpmc/0, 6.1.0-9-amd64, x86_64: installed' 6.1.0-9-amd64 ''
hooked 'one without headers waits for them' 10 '' 6.1.0-10-amd64 ''
hooked 'no kernel at all' 10 '' '' ''
build=nowhere
hooked 'nothing is said once the package is removed' 10 '' 6.1.0-9-amd64 ''

# autoinstall HOOK HEADERS_HOOK: what is asked of DKMS itself, where what it looks for is what is named here.
autoinstall() {
	sed "s,/usr/lib/hwpmc/dkms-build,$PWD/bin/dkms,; s,/etc/kernel/postinst.d/hwpmc,$1,
		s,/etc/kernel/header_postinst.d/hwpmc,$2," "$conf" >conf.here
	bash -c '. ./conf.here; echo "${AUTOINSTALL:-no}"'
}

printf '#!/bin/sh\n' >away
there=$PWD/bin/dkms away=$PWD/away
asked=$(autoinstall "$there" "$there"; autoinstall "$away" "$there"; autoinstall "$there" "$away")
verdict "$([ "$(echo "$asked" | tr '\n' ' ')" = 'no yes yes ' ] && echo yes)" 'where a hook does not run, DKMS builds it by itself' \
	"$(cat conf.here; echo "$asked")"
finish
