#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# mutate.sh [-n COUNT] [-s SEED] [-q] [FILE...]
#
# Changes one line of the sources at a time (tools/mutants.awk has the rules), and runs the tests until one fails.
# A change that none finds is a fact that no test holds: it is a survivor, and its change is shown.  Changes that do
# not compile, or compile to the same code, do not count.
#
#	-n	how many, 100 if not given
#	-s	which: the same number chooses the same ones; 1 if not given
#	-q	without the scripts of tests/system, which take most of the time
#	FILE	what is changed: the reader, the model of a profile, unwinder, perf collector and recorder if none is named
#
# It works in a copy of the tree below $TMPDIR, whose programs load one library of all that is changed, and runs first what
# has killed before.  With -q on two busy CPUs the start took 4 minutes; then one that is killed takes 3 to 10 seconds, mostly,
# and one that survives 2 to 3 minutes.
# 0: none survived; 1: some did; 77: it cannot be done here.
set -u
unset CDPATH MAKEFLAGS MFLAGS MAKELEVEL

usage() {
	echo 'usage: tests/mutate.sh [-n COUNT] [-s SEED] [-q] [FILE...]' >&2
	exit 64
}

# All that is in libraries goes into one, which programs and tests load: a mutant is one file compiled and one linked.
join() {
	# shellcheck disable=SC2046,SC2086 # no name has a blank
	(cd "$copy/build" && gcc -shared -o "$parts" $(find src -name '*.lo' | sed 's,[^/]*$,.libs/&,; s/lo$/o/') $libs)
}

# programs: makes ours of their own objects and that library.
programs() {
	# shellcheck disable=SC2046,SC2086
	make -C "$copy/build" -j2 $(cd "$copy/build" && printf -- '-o %s ' lib*.la) \
		$(sed -n "s,^\([a-z0-9_]*LDADD\) = .*,\1=$parts,p" "$copy/build/Makefile") LIBS="$libs" $ours \
		>"$copy/build.log" 2>&1
}

# code: what the file was compiled to.
code() {
	(cd "$copy/build" && find . -name "*$stem.o" -exec cksum {} + | sort)
}

# compiled: the objects of a file are made.
compiled() {
	# shellcheck disable=SC2086
	make -C "$copy/build" $objects >"$copy/build.log" 2>&1
}

# tests: all of them, in the order in which they are run: first those that killed mutants in the same directory,
# then those named like the file, then the quick ones.
tests() {
	awk -v dir="${file%/*}" -v stem="$stem" '
		FILENAME ~ /killers$/ { if ($1 == dir) kills[$2]++; next }
		{ print kills[$2] + 0, (index($2, stem) > 0), $1, $2 }' "$copy/killers" "$copy/times" |
		sort -k 1,1nr -k 2,2nr -k 3,3n | cut -d ' ' -f 4
}

# killer: the first of the tests that fails, if any; tests are on standard input.
killer() {
	(cd "$copy/build" && xargs -P 2 -n 1 sh "$tools/mutant-test.sh" "$copy") 2>/dev/null |
		head -n 1
}

# judge RULE: says what became of the mutant of $file by a rule at $line.
judge() {
	stem=$(basename "$file" .c) original=$copy/source/$file
	objects=$(cd "$copy/build" && find src \( -name "*-$stem.lo" -o -name "$stem.lo" -o -name "*-$stem.o" -o \
		-name "$stem.o" \) -path "${file%/*}/*" ! -path '*/.libs/*')
	cp "$original" "$copy/original.c"
	was=$(code)
	awk -f "$tools/mutants.awk" -v line="$line" -v rule="$1" "$copy/original.c" >"$original"
	if compiled && [ "$was" != "$(code)" ] && join && programs; then
		tried=$((tried + 1))
		verdict=$(tests | killer)
		if [ -n "$verdict" ]; then
			echo "killed   $file:$line $1 ($verdict)"
			echo "${file%/*} ${verdict#* }" | head -n 1 >>"$copy/killers"
		else
			survivors=$((survivors + 1))
			echo "survived $file:$line $1"
			diff "$copy/original.c" "$original" | sed -n 's/^[<>]/	&/p'
		fi
	fi
	cp "$copy/original.c" "$original"
	compiled
}

count=100 seed=1 kinds='golden/*.story unit/test_*.c bad/*.sh system/test_*.c system/*.sh'
while getopts n:s:q option; do
	case $option in
	n) count=$OPTARG ;;
	s) seed=$OPTARG ;;
	q) kinds=${kinds% *} ;;
	*) usage ;;
	esac
done
shift $((OPTIND - 1))
cd "$(dirname "$0")/.." || exit 1
# shellcheck source=tests/chroot.sh
. tests/chroot.sh
[ $# -gt 0 ] || set -- src/pmclog/reader*.c src/callgraph/model/*.c src/unwind/*.c \
	src/pmc/perf/*.c src/pmc/perf/unwind/*.c src/pmcstat/record/*.c
tools=$PWD/tests/tools
copy=$(mktemp -d "${TMPDIR:-/tmp}/mutants.XXXXXX") || exit 77
trap 'clear "$copy"' EXIT
trap 'exit 130' INT TERM HUP
awk -f "$tools/mutants.awk" "$@" >"$copy/all" || exit 77
awk -v seed="$seed" 'BEGIN { srand(seed) } { print rand(), $0 }' "$copy/all" | sort | cut -d ' ' -f 2- >"$copy/drawn"
copy_tree "$copy"
mkdir "$copy/build" "$copy/logs"
(cd "$copy/source" && ./autogen.sh && cd ../build && ../source/configure --disable-static CFLAGS='-O1 -g0' &&
	make -j2 check TESTS=) >"$copy/build.log" 2>&1 ||
	cannot "the tree cannot be built: $(tail -n 1 "$copy/build.log")"
parts=$copy/parts.so
libs="-Wl,--as-needed $(sed -n 's/^[A-Z0-9_]*_LIBS = //p' "$copy/build/Makefile" | tr '\n' ' ') -lm"
# shellcheck disable=SC2016
ours=$(sed -n 's/^\([a-z0-9_/]*\)$(EXEEXT): $(.*_OBJECTS).*/\1/p' "$copy/build/Makefile" | grep -vE '^(bench|tests/fuzz)/')
# shellcheck disable=SC2086
if ! join || ! (cd "$copy/build" && rm -f $ours) || ! programs; then
	cannot "programs cannot be linked: $(tail -n 1 "$copy/build.log")"
fi
: >"$copy/killers"
for kind in $kinds; do
	find tests -path "tests/$kind" | sed 's/\.c$//'
done >"$copy/list"
fails=$(killer <"$copy/list")
[ -z "$fails" ] || cannot "without any change $fails"
mv "$copy/passed" "$copy/times"

tried=0 survivors=0
while [ "$tried" -lt "$count" ] && read -r file line rule <&3; do
	judge "$rule"
done 3<"$copy/drawn"
echo "$tried of $(wc -l <"$copy/all") possible mutants, $survivors survived"
[ "$survivors" = 0 ]
