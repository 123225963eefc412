#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Runs one story: readable input, one command, the whole text that a user would see.
#
#	== elf NAME	an ELF file, as tests/tools/mkelf reads it
#	== log NAME	a log, as tests/tools/mklog reads it
#	== file NAME	any other text file
#	== run [STATUS] [TITLE]	command lines for sh, in a directory that holds the files; STATUS 0
#	== out		all of its standard output; nothing if not given
#	== err		all of its standard error; nothing if not given
#
# Each run is one test, named by its title or else by its command.  Lines before the first part are
# comment.
#
# A story of tests/vm has its runs elsewhere, in a test machine:
#
#	== machine NAME...	which machines; tests/vm/machine.sh reads it, and
#	== needs PROGRAM...	of tests/vm/programs.sh, without which the story is skipped
#	== before	command lines for sh, here, in the directory before it goes there
#	== host [STATUS] [TITLE]	as run, but here, with what the runs before left in the directory
#
# Then "story.sh --prepare DIR STORY" makes DIR/room and DIR/N.run, and "story.sh --results DIR STORY"
# takes DIR/room, DIR/N.out, N.err and N.status for what the runs gave.
set -u
results=
prepare=
case $1 in
--prepare) prepare=$2 ;;
--results) results=$2 ;;
esac
[ -z "$prepare$results" ] || shift 2
story=$1
: "${builddir:?}" "${srcdir:?}"
# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT HUP INT TERM
mkdir "$dir/part"
room=${prepare:-${results:-$dir}}/room
mkdir -p "$room" || exit 99

# Cuts the story into numbered parts: part/N.KIND with its argument in part/N.arg.
awk -v dir="$dir/part" '
	/^== / { kind = $2; arg = $0; sub(/^== [a-z]+ */, "", arg)
		 base = sprintf("%s/%03d", dir, ++n); file = base "." kind
		 printf "" > file; print arg > (base ".arg"); next }
	kind != "" { print > file }
' "$story"

PATH=$builddir:$builddir/tests/tools:$PATH
export PATH
cd "$room" || exit 99
# check TITLE STATUS WANTED: compares what the last run gave with what was expected.
check() {
	clean "$1" "$(
		[ "$2" = "$3" ] || echo "exit status $2, not $3"
		diff -u "$dir/want.out" "$dir/got.out" | sed 's/^/out: /'
		diff -u "$dir/want.err" "$dir/got.err" | sed 's/^/err: /'
	)"
}

pending=
end_run() {
	[ -n "$pending" ] || return
	status=0
	if [ -z "$elsewhere" ]; then
		sh -c "$pending" >"$dir/got.out" 2>"$dir/got.err" </dev/null || status=$?
	elif [ -e "$elsewhere.status" ]; then
		cp "$elsewhere.out" "$dir/got.out" && cp "$elsewhere.err" "$dir/got.err" || exit 99
		status=$(cat "$elsewhere.status")
	else
		: >"$dir/got.out"
		: >"$dir/got.err"
		status='of a machine that did not come so far'
	fi
	check "$name" "$status" "$want"
	pending=
}

# is_vm PART: only a story for a test machine may have it.
is_vm() {
	[ -n "$prepare$results" ] && return
	echo "Bail out! a part for test machines: $1"
	exit 99
}

# began PART: a run, which the parts behind it say more of.
began() {
	end_run
	pending=$(cat "$1")
	name=$(cat "$base.arg")
	want=0
	case $name in
	[0-9]*)
		want=${name%% *}
		name=${name#"$want"}
		name=${name# }
		;;
	esac
	[ -n "$name" ] || name=$pending
	: >"$dir/want.out"
	: >"$dir/want.err"
}

for part in "$dir"/part/*; do
	base=${part%.*}
	number=${base##*/}
	case $part in
	*.arg) continue ;;
	*.elf | *.log | *.file | *.before) [ -z "$results" ] || continue ;;
	*.run | *.host) [ -z "$prepare" ] || {
		cp "$part" "$prepare"
		continue
	} ;;
	esac
	case $part in
	*.elf)
		mkdir -p "$(dirname "$(cat "$base.arg")")"
		mkelf "$(cat "$base.arg")" <"$part" || exit 99
		;;
	*.log) mklog "$(cat "$base.arg")" <"$part" || exit 99 ;;
	*.file) cp "$part" "$(cat "$base.arg")" ;;
	*.machine | *.needs) is_vm "$part" ;;
	*.before)
		is_vm "$part"
		sh -c "$(cat "$part")" </dev/null || exit 99
		;;
	*.run)
		began "$part"
		elsewhere=${results:+$results/$number}
		;;
	*.host)
		is_vm "$part"
		began "$part"
		elsewhere=
		;;
	*.out) cp "$part" "$dir/want.out" ;;
	*.err) cp "$part" "$dir/want.err" ;;
	*)
		echo "Bail out! unknown part: $part"
		exit 99
		;;
	esac
done
[ -z "$prepare" ] || exit 0
end_run
finish
