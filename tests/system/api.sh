#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Programs written for FreeBSD's <pmc.h> and <pmclog.h> compile against the installed tree and work.
. "${srcdir:?}/tests/system/lib.sh"
needs_recording
command -v pkg-config >/dev/null 2>&1 || skip_all 'no pkg-config'
${CC:-cc} --version >/dev/null 2>&1 || skip_all 'no C compiler'

targets='install-libLTLIBRARIES install-pkginclude_pmcHEADERS install-pkginclude_pmc_sysHEADERS
	install-pkgconfigDATA'
# shellcheck disable=SC2086
if env -u MAKEFLAGS -u MAKELEVEL make -s -C "$builddir" $targets prefix="$dir/inst" >install.out 2>&1; then
	verdict yes 'libraries, headers and pkg-config files are installed'
else
	verdict no 'libraries, headers and pkg-config files are installed' "$(tail -n 5 install.out)"
fi
san=$(sed -n 's/^SAN_CFLAGS = //p' "$builddir/Makefile")
find "$dir/inst" -name '*.pc' >pc.list
PKG_CONFIG_PATH=$(dirname "$(head -n 1 pc.list)")
export PKG_CONFIG_PATH

# pc ARGUMENT ...: pkg-config for the tree.
pc() {
	pkg-config --define-variable=prefix="$dir/inst" "$@"
}
LD_LIBRARY_PATH=$(pc --variable=libdir libpmc)
export LD_LIBRARY_PATH

# Each header stands alone, for every compiler that is here.
for compiler in "${CC:-cc}" clang "${CXX:-c++}" clang++; do
	$compiler --version >/dev/null 2>&1 || continue
	case $compiler in
	*++*) as=c++ ;;
	*) as=c ;;
	esac
	for header in pmc.h pmclog.h sys/pmc.h sys/pmclog.h; do
		printf '#include <%s>\n#include <%s>\npmc_id_t id = PMC_ID_INVALID;\n' "$header" "$header"
	done | tee all.c | split -l 3 --additional-suffix=.c - header.
	# shellcheck disable=SC2046,SC2086
	clean "headers compile alone by $compiler" "$(for c in header.*.c all.c; do
		[ "$c" != all.c ] || sed -i '/^pmc_id_t/d' "$c"
		$compiler -x "$as" -Wall -Wextra -Werror -fsyntax-only $(pc --cflags libpmc) "$c" 2>&1
	done)"
done

# build NAME PACKAGE ...: compiles with -I alone, then links by pkg-config.
build() {
	name=$1
	shift
	# shellcheck disable=SC2046,SC2086
	if ${CC:-cc} -Wall -Werror -fsyntax-only -I"$dir/inst/include/pmc" "$srcdir/tests/system/$name.c" 2>err &&
		${CC:-cc} $san -g -fno-omit-frame-pointer -o "$name" "$srcdir/tests/system/$name.c" \
			$(pc --cflags --libs --static "$@") 2>>err; then
		verdict yes "$name compiles unchanged"
	else
		verdict no "$name compiles unchanged" "$(cat err)"
	fi
}
build api_count libpmc
build api_sample libpmc
build api_parse libpmclog libpmc

./api_count sh -c 'exit 3' >out 2>err
is 'count: the status of the command' "$?:$(cat err)" 3:
like 'count: the class of the event' "$(cat out)" '^class SOFT width 64 INTERRUPT USER SYSTEM READ WRITE$'
like 'count: the row is used in process scope' "$(cat out)" '^row [0-9]+ SOFT-[0-9]+ THREAD PAGE_FAULT.ALL(:u)?$'
verdict "$(awk '$1 == "PAGE_FAULT.ALL" && $2 > 50 { n++ } $1 == "task-clock" && $2 > 100000 { n++ }
	END { print n == 2 ? "yes" : "no" }' out)" 'count: a command has page faults and takes time' "$(cat out)"

./api_sample log >out 2>err
is 'sample: a log is written' "$?:$(cat out err)" 0:
./api_parse log >out 2>err
is 'parse: the log is read to its end' "$?:$(cat err)" 0:
is 'parse: what the program did' "$(grep -v '^samples' out)" 'version 9 arch GENERIC
allocate CLOCK.PROF mode TS
allocate CLOCK.PROF mode TS
userdata 0xfeed'
verdict "$(awk '/^samples/ { print ($2 > 20 && $4 * 2 > $2 && $6 > 1 && $8 > 0 ? "yes" : "no") }' out)" \
	'parse: samples have chains and maps' "$(tail -n 1 out)"
like 'pmcstat reads it too' "$(pmcstat -q -R log --folded)" '^api_sample;.*;?main;busy [0-9]+$'
finish
