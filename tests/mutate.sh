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
#	-q	without tests/system, which takes most of the time
#	FILE	what is changed: the reader, the model of a profile, unwinder, perf collector and recorder if none is named
#
# It works in a copy of the tree below $TMPDIR.  A hundred take hours.
# 0: none survived; 1: some did; 77: it cannot be done here.
set -u
unset CDPATH MAKEFLAGS MFLAGS MAKELEVEL

usage() {
	echo 'usage: tests/mutate.sh [-n COUNT] [-s SEED] [-q] [FILE...]' >&2
	exit 64
}

# built: the programs and tests of the copy are made; what it says is in build.log.
built() {
	make -C "$copy/build" -j2 check TESTS= >"$copy/build.log" 2>&1
}

# code FILE: what it was compiled to.
code() {
	find "$copy/build" -name "*$(basename "$1" .c).o" -exec cksum {} + | sort
}

# killer: the first test that fails, if any; the quick kinds go first.
killer() {
	for kind in $kinds; do
		list=$(cd "$copy/source" && find tests -path "tests/$kind" | sed 's/\.c$//' | tr '\n' ' ')
		timeout 1200 make -C "$copy/build" -j2 check-TESTS TESTS="$list" >"$copy/test.log" 2>&1
		case $? in
		0) ;;
		124) echo 'no end' && return ;;
		*) grep -m 1 -oE '^(FAIL|ERROR): [^ ]*' "$copy/test.log" || echo 'make fails' && return ;;
		esac
	done
}

# judge FILE LINE RULE: says what became of this mutant.
judge() {
	cp "$copy/source/$1" "$copy/original.c"
	was=$(code "$1")
	awk -f "$tools/mutants.awk" -v line="$2" -v rule="$3" "$copy/original.c" >"$copy/source/$1"
	if ! built || [ "$was" = "$(code "$1")" ]; then
		verdict=none
	else
		verdict=$(killer)
	fi
	case $verdict in
	none) ;;
	'')
		survivors=$((survivors + 1)) tried=$((tried + 1))
		echo "survived $1:$2 $3"
		diff "$copy/original.c" "$copy/source/$1" | sed -n 's/^[<>]/	&/p'
		;;
	*)
		tried=$((tried + 1))
		echo "killed   $1:$2 $3 ($verdict)"
		;;
	esac
	cp "$copy/original.c" "$copy/source/$1"
	built
}

count=100 seed=1 kinds='golden/*.story unit/test_*.c bad/*.sh system/*.sh'
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
[ $# -gt 0 ] || set -- src/pmclog/reader*.c src/callgraph/model/*.c src/unwind/*.c src/pmc/perf/*.c src/pmcstat/record*.c
tools=$PWD/tests/tools
copy=$(mktemp -d "${TMPDIR:-/tmp}/mutants.XXXXXX") || exit 77
trap 'clear "$copy"' EXIT
trap 'exit 130' INT TERM HUP
awk -f "$tools/mutants.awk" "$@" >"$copy/all" || exit 77
awk -v seed="$seed" 'BEGIN { srand(seed) } { print rand(), $0 }' "$copy/all" | sort | cut -d ' ' -f 2- >"$copy/drawn"
copy_tree "$copy"
mkdir "$copy/build"
(cd "$copy/source" && ./autogen.sh && cd ../build && ../source/configure CFLAGS='-O1 -g0') >"$copy/build.log" 2>&1
built || cannot "the tree cannot be built: $(tail -n 1 "$copy/build.log")"
fails=$(killer)
[ -z "$fails" ] || cannot "without any change $fails"

tried=0 survivors=0
while [ "$tried" -lt "$count" ] && read -r file line rule <&3; do
	judge "$file" "$line" "$rule"
done 3<"$copy/drawn"
echo "$tried of $(wc -l <"$copy/all") possible mutants, $survivors survived"
[ "$survivors" = 0 ]
