#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# A run that hangs in a test machine fails, and what it hangs in is on the console: here a program that
# sleeps, one that no signal ends, and one of these that also keeps the module.
set -u
# shellcheck source=tests/tap.sh
. "${srcdir:?}/tests/tap.sh"
builddir=$(cd "${builddir:?}" && pwd) && srcdir=$(cd "$srcdir" && pwd) || exit 99
export builddir srcdir
here=$srcdir/tests/vm
build=$builddir/vm
boot=$build/boot-hangs
mkdir -p "$boot" || exit 99
case $build in
*[[:blank:]]*) skip_all "the kernel's make builds nothing below directories with blanks in their names" ;;
esac
for program in qemu-system-x86_64:qemu-system-x86 cpio:cpio flock:util-linux; do
	command -v "${program%:*}" >/dev/null 2>&1 ||
		skip_all "${program%:*} is missing: apt-get install ${program#*:}"
done
sh "$here/fetch.sh" x61 amd64 >"$boot/said" 2>&1 || skip_all "$(tail -n 1 "$boot/said")"

exec 8>"$build/lock"
flock 8
sh "$here/build-module.sh" x61 "$build" "$srcdir" >"$boot/said" 2>&1 && built=yes || built=no
verdict "$built" 'the modules build' "$(cat "$boot/said")"
[ "$built" = yes ] || finish
rm -rf "$boot/pmc"
mkdir -p "$boot/pmc/stories" && cp -p "$build/x61/hwpmc.ko" "$build/x61/stuck.ko" "$boot/pmc" || exit 99
exec 8>&-

# makes STORY N: its run N, from standard input.
makes() {
	mkdir -p "$boot/pmc/stories/$1/room" && cat >"$boot/pmc/stories/$1/$2.run" || exit 99
}
echo 'exec sleep 1000' | makes 1-sleeps 1
echo 'echo goes on' | makes 1-sleeps 2
# To close what is open for reading does not end.
echo 'insmod /pmc/stuck.ko; exec 4</dev/stuck; exec sleep 1000' | makes 2-unkillable 1
echo 'echo goes on' | makes 2-unkillable 2
echo 'exec 4</dev/hwpmc 5</dev/stuck' | makes 3-keeps 1
echo 'echo goes on' | makes 4-after 1
{
	echo "MACHINE=hangs IS=amd64 seconds=5 modules="
	cat "$here/guest/run"
} >"$boot/pmc/run"
sh "$here/boot.sh" -t 300 x61 "$boot" "$boot"/pmc/* >"$boot/said" 2>&1 && healthy=yes || healthy=no

verdict "$([ "$healthy" = no ] && echo yes)" 'a machine with a run that hangs has failed' "$(cat "$boot/said")"
# what_hung: of each that is told of, the sentence, and the function of the tests' where it waits.
what_hung() {
	sed -n 's/^pmcstat-vm: hangs: //p; s/^ *\[<0>\] \([a-z_]*\(nanosleep\|wait_for_answer\)\)+.*/	in \1/p' \
		"$boot/console.log"
}
# differences FILE WANTED
differences() {
	printf '%s\n' "$2" | diff -u - "$1"
}
what_hung >"$boot/said"
clean 'the console tells what waits where' "$(differences "$boot/said" "\
1-sleeps 1 has not ended after 5 seconds
	in hrtimer_nanosleep
2-unkillable 1 has not ended after 5 seconds
	in wait_for_answer
3-keeps 1 has not ended after 5 seconds
	in wait_for_answer
	in wait_for_answer
the module does not go after 3-keeps
	in wait_for_answer
	in wait_for_answer")"
for story in "$boot"/out/*/; do
	for run in "$story"*.status; do
		echo "$(basename "$story") $(basename "$run" .status): $(cat "$run") $(cat "${run%status}out")"
	done
done | sed 's/ $//' >"$boot/said"
# 137: killed; 138: left behind, by a signal.
clean 'what can go on does; after a module that stays, nothing' "$(differences "$boot/said" "\
1-sleeps 1: 137
1-sleeps 2: 0 goes on
2-unkillable 1: 138
2-unkillable 2: 0 goes on
3-keeps 1: 138")"
finish
