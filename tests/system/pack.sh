#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# --pack of real programs: with the programs and their debug files gone, every report of the packed log
# is byte for byte the one that was made of them.
# shellcheck source=tests/system/lib.sh
. "${srcdir:?}/tests/system/lib.sh"

for tool in "${CC%% *}" nm objcopy readelf strip; do
	command -v "$tool" >/dev/null || skip_all "no $tool"
done

# shellcheck source=tests/system/programs.sh
. "$srcdir/tests/system/programs.sh"
cat >here/cpp.cc <<'END'
volatile unsigned long result;
namespace outer {
struct counter {
	static inline __attribute__((always_inline)) unsigned long twice(unsigned long v) { return 2 * v; }
	static __attribute__((noinline)) void hold(unsigned long v) { result += twice(v); }
};
}
extern "C" __attribute__((noinline)) void inner(unsigned long v) { outer::counter::hold(v); result++; }
int main(int argc, char **)
{
	for (; argc < 100; argc++)
		inner(argc);
	return 0;
}
END
${CXX:-c++} -O1 -g -no-pie -o here/bin/cpp here/cpp.cc 2>cc.err && made="$made cpp"
# Without any symbol: functions have only the bounds that unwind data gives.
cp here/bin/plain here/bin/bare && strip -s here/bin/bare && made="$made bare"

# Of another machine.
if command -v aarch64-linux-gnu-gcc >/dev/null; then
	aarch64-linux-gnu-gcc -O1 -g -no-pie -o here/bin/arm here/hot.c 2>cc.err && made="$made arm"
fi

as=
# reports LOG NAME: all that readers of it might want, and what is said beside, in NAME.
reports() {
	for output in --overview --flat --tree --folded --flamegraph --icicle --json '--callers inner' '--callees inner' \
		'--annotate main --asm' '--annotate inner' '--annotate inner --asm' '--annotate hot.c' '--annotate hot.h' \
		'--html - --html-sources' '--html - --html-sources --asm' '-F -' '-a -' \
		'-m -' '--flat --inlines' '--flat -I' '--folded --no-demangle' '--tree --full-names' '-G -' '--speedscope -' \
		'--firefox -' --perf-script '--process-tree -' '--pprof -'; do
		echo "== $output"
		# shellcheck disable=SC2086
		$as pmcstat -R "$1" $output 2>&1
	done >"$2"
	rm -rf gmon && mkdir -m 777 gmon && $as pmcstat -q -R "$1" -g -D gmon -M - >>"$2" 2>&1 && find gmon -type f | sort |
		xargs cat >>"$2"
}

for program in $made; do
	{ log "$program" && echo close; } | mklog there.log || exit 99
	reports there.log "$program.there"
	pmcstat -q -R there.log --pack "$program.log" >"$program.said" 2>&1
	is "$program: nothing is said" "$(cat "$program.said")" ''
	like "$program: the log is sound for FreeBSD, too" "$(pmclog check --freebsd "$program.log" 2>&1)" 'read all of it$'
done
like 'there is something to see' "$(cat plain.there)" 'step'
like 'names of C++, too' "$(cat cpp.there)" 'outer::counter::hold'

# Of the header there is more than the lines of the one instruction that a sample is at.
{ log plain | awk '!/^sample/ || !n++' && echo close; } | mklog one.log || exit 99
pmcstat -q -R one.log --annotate inner --asm >one.there
pmcstat -q -R one.log --pack one-packed.log
python3 "$srcdir/tests/system/packed_sources.py" plain.log one-packed.log >sources || exit 99
pmcstat -q -R one.log --pack none.log --no-sources
is '--no-sources packs none' "$(python3 "$srcdir/tests/system/packed_sources.py" none.log)" none.log

mv here there
pmcstat -q -R one-packed.log --annotate inner --asm >one.here
equal 'lines beside instructions alone are packed' one.here one.there
# Unless the compiler says that the sample is there.
lines=3
! pmcstat -q -R one-packed.log --annotate hot.h >/dev/null 2>&1 || lines=1,2,3,4
is 'and no others' "$(sed -n '/^one/,$p' sources)" "one-packed.log
hot.c  1,2,3,4,5,6,7,8,9,10,11,12,13,14,15
hot.h  $lines"
# Whoever reads them has none of the files, and need not be the one who packed them.
as='setpriv --reuid 65534 --regid 65534 --clear-groups'
chmod 755 . && $as pmcstat --version >/dev/null 2>&1 || as=
[ "$as" ] || echo "# read by the same user"
for program in $made; do
	cp "$program.log" there.log
	reports there.log "$program.here"
	equal "$program: every report is the same" "$program.here" "$program.there"
	pmcstat -q -R there.log --pack again.log
	equal "$program: what is packed again is, too" again.log "$program.log"
	pmclog compress "$program.log" there.log
	chmod 644 there.log
	reports there.log "$program.packed"
	equal "$program: and that of a compressed one" "$program.packed" "$program.there"
done
finish
