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
	*++*) as='c++' ;;
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
	[ $as = c ] || continue
	# shellcheck disable=SC2046
	clean "programs compile by $compiler" "$($compiler -Wall -Wextra -Werror -fsyntax-only \
		$(pc --cflags libpmc libpmclog) "$srcdir"/tests/system/api_*.c 2>&1)"
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

build api_all libpmc libpmclog
nm -u api_all | sed -n 's/^ *U \(pmc[a-z_]*\).*/\1/p' | sort >used
sort "$srcdir/src/pmc/libpmc.sym" "$srcdir/src/pmclog/libpmclog.sym" >exported
is 'api_all uses every function' "$(comm -13 used exported)" ''

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

./api_all list cpu-clock >out 2>err
is 'list: it ends well' "$?:$(cat err)" 0:
for name in SOFT-CLOCK.HARD SOFT-page-faults CPU-cycles CPU-LLC-loads; do
	echo "$name"
done | sort >want
sed '/^counters/,$d' out | sort >got
is 'list: events of the classes' "$(comm -23 want got)" ''
is 'list: what the tables have of an event' "$(sed -n '/^counters/,/ rate /p' out)" 'counters
	cpu-clock
desc
cpu-clock:	time on a CPU, in nanoseconds
long
cpu-clock:	time on a CPU, in nanoseconds
full
name: cpu-clock
desc: time on a CPU, in nanoseconds
event: type=1,config=0x0,period=1000000
pmu: SOFT
cpu-clock is cpu-clock of the class SOFT, rate 1000000, capabilities 0x60'
like 'list: counts at a glance, where there are counters' "$(tail -n 1 out)" \
	'^(no counts at a glance|counts at a glance: cycles to cache-misses)$'

./api_all machine >out 2>err
is 'machine: it ends well' "$?:$(cat err)" 0:
is 'machine: what is said of it' "$(cat out)" 'cpus GENERIC online
row SOFT-0 SOFT THREAD CLOCK.HARD 0x0
state RUNNING mode TC
calls more failures 2'

./api_all count sh -c 'exit 3' >out 2>err
is 'count: the status of the command again' "$?:$(cat err)" 3:
is 'count: attached, detached, read and written' "$(cat out)" 'width 64 INTERRUPT USER SYSTEM READ WRITE
task-clock counted something
then 7'

# agrees TITLE LOG: that pmclog(3) and pmcstat say the same of a log; pmclog(3) tells no CLOSELOG
# and no marks of single frames.
agrees() {
	./api_all text "$2" >mine 2>err || cat err >>mine
	pmcstat -q --dump -R "$2" >theirs 2>&1
	is "$1" "$(cat mine)" \
		"$(sed -E '/^closelog/d; /^callchain/s/ (stitched|guessed|exact)=[0-9,]+//g' theirs)"
}
./api_all sample all.log ./api_sample one.log >piped 2>err
like 'sample: the command ends well' "$?:$(cat err)" '^0:samples [1-9][0-9]* lost [0-9]+$'
agrees 'sample: the log says what pmcstat says' all.log
is 'sample: the pipe says the same' "$(cat piped)" "$(cat mine)"
like 'sample: there are samples of the command' "$(pmcstat -q -R all.log --folded)" 'api_sample;.*busy [0-9]+'

./api_all leaves leaves.log ./api_sample one.log >out 2>err
like 'leaves: the command ends well' "$?:$(cat err)" '^0:samples [1-9][0-9]* lost [0-9]+$'
awk '$1 == "callchain" && $6 == "u" && $5 > most { most = $5 } END { print most }' out >got
is 'leaves: without unwinding user frames are the leaf alone' "$(cat got)" 1

cat >kinds.txt <<'END'
pmc 0xfff02f00 cpu-clock rate=1000000 flags=0x80
raw u32:0xee050028 u32:0 u64:0 u32:0xfff02f01 u32:0x20001 u32:0x80 u32:0 u64:5000
attach 0xfff02f00 10 /bin/app
proc 10 app
exec 10 /bin/app entry=0x401000 pmc=0xfff02f00
map 10 0x401000 0x1000 /lib/a.so
map kernel 0xffffffff81000000 0x1000 [kernel]
thread 11 10 worker
sample 10/11 0x401000,0x402000 cpu=3
sample 10 0xffffffff81000010 k
sample 10 0x401000,0x402000 end=window
sample 10 0x401000,0x402000 end=complete stitched=1
csw 0xfff02f00 10 11 77
fork 10 12
unmap 10 0x401000 0x402000
thread-exit 11
exitval 0xfff02f00 10 5000000000
exit 10
user 0xabcd
drop 5 cpu=2
detach 0xfff02f00 10
close
END
mklog kinds.log <kinds.txt 2>err || cat err
agrees 'text: every kind of record' kinds.log
is 'text: as many kinds as there are' "$(cut -d ' ' -f 1 mine | sort -u | grep -vc '^\.\.\.')" 18
sed '/^log:/d; /^# record 14:/,$d' "$srcdir/tests/bad/version-10.good" | hexlog >ten.log
agrees 'text: a log of FreeBSD 14' ten.log
is 'text: where its program and its linker are' "$(grep '^exec' mine)" 'exec      0x2f01 10 0x20600000 0x1021000 "/bin/a"'
finish
