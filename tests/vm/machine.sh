#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# machine.sh FILE	boots a test machine once and runs in it all stories that are for it; TAP
#
# FILE is machines/NAME.machine, of lines
#
#	kernel NAME	as lib.sh has them
#	is WORD...	what stories call it, besides its name: "== machine WORD..." names any
#	cpus N		1 if not given
#	memory N	MB of it; 512 if not given
#	exact		every instruction takes a nanosecond (arm64, one CPU)
#	seconds N	how long it may take
#	timeout N	how many of its own seconds a run may take
#	module NAME...	test modules loaded before hwpmc.ko, which is loaded anew for each story
#
# Runs have the story's directory, which "== host" then gets back, the programs of programs.sh and the
# test modules, *.ko, in /pmc.  $MACHINE is NAME and $IS has the words.  STORIES='A B' in the environment
# of this script chooses among the stories.
set -u
: "${builddir:?}" "${srcdir:?}"
builddir=$(cd "$builddir" && pwd) && srcdir=$(cd "$srcdir" && pwd) || exit 99
export builddir srcdir
here=$srcdir/tests/vm
file=$1
name=$(basename "$file" .machine)
build=$builddir/vm
boot=$build/boot-$name
# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

field() {
	sed -n "s/^$1 *//p" "$file"
}

# prepared REASON COMMAND...: a step that must succeed for anything to run.
prepared() {
	title=$1
	shift
	"$@" >"$boot/said" 2>&1 && return
	verdict no "$title" "$(cat "$boot/said")"
	finish
}

kernel=$(field kernel)
words="$name $(field is)"
case $kernel in
a*) arch=arm64 qemu='qemu-system-aarch64:qemu-system-arm' ;;
*) arch=amd64 qemu='qemu-system-x86_64:qemu-system-x86' ;;
esac
mkdir -p "$boot" || exit 99

case $build in
*[[:blank:]]*) skip_all "the kernel's make builds nothing below directories with blanks in their names" ;;
esac
for program in "$qemu" cpio:cpio flock:util-linux; do
	command -v "${program%:*}" >/dev/null 2>&1 ||
		skip_all "${program%:*} is missing: apt-get install ${program#*:}"
done
case $kernel in
d61) sh "$here/debug-kernel.sh" && sh "$here/fetch.sh" $arch ;;
*) sh "$here/fetch.sh" "$kernel" $arch ;;
esac >"$boot/said" 2>&1 || skip_all "$(tail -n 1 "$boot/said")"

# Machines of one build share its modules and programs.
exec 8>"$build/lock"
flock 8
prepared 'the modules build' sh "$here/build-module.sh" "$kernel" "$build" "$srcdir"
prepared 'the programs build' sh "$here/programs.sh" "$arch" "$build"
rm -rf "$boot/pmc"
mkdir -p "$boot/pmc/stories"
cp -p "$build/$kernel"/*.ko "$boot/pmc" && cp -R -p "$build/$arch/bin" "$boot/pmc" || exit 99
exec 8>&-

stories=
for story in "$here"/stories/*.story; do
	case " ${STORIES-$(basename "$story" .story)} " in
	*" $(basename "$story" .story) "*) ;;
	*) continue ;;
	esac
	for word in $words; do
		sed -n 's/^== machine//p' "$story" | tr ' ' '\n' | grep -qx -- "$word" || continue
		stories="$stories $(basename "$story" .story)"
		break
	done
done
# A story can ask for programs that only some hosts can build.
able=
for story in $stories; do
	needed=$(sed -n 's/^== needs//p' "$here/stories/$story.story")
	for program in $needed; do
		[ ! -e "$boot/pmc/bin/$program" ] || continue
		n=$((n + 1))
		echo "ok $n - $story # SKIP $program was not built: no compiler for it"
		continue 2
	done
	able="$able $story"
done
stories=$able
for story in $stories; do
	prepared "$story" sh "$srcdir/tests/tools/story.sh" --prepare "$boot/pmc/stories/$story" \
		"$here/stories/$story.story"
done
{
	echo "MACHINE=$name IS='$words' seconds=$(field timeout)"
	echo "modules='$(field module)'"
	cat "$here/guest/run"
} >"$boot/pmc/run"

# shellcheck disable=SC2046
sh "$here/boot.sh" -s "$(field cpus | grep . || echo 1)" -t "$(field seconds)" \
	$(sed -n 's/^exact$/-e/p; s/^memory /-m /p' "$file") "$kernel" "$boot" "$boot"/pmc/* >"$boot/said" 2>&1 &&
	healthy=yes || healthy=no
verdict "$healthy" "$name: the machine had nothing to complain of" "$([ "$healthy" = yes ] || cat "$boot/said")"
# The emulated clock is late where the host is busy, which pmcstat is right to tell; exact ones never are.
late='/what comes late counts once$/{N;s/.*\n//;/hint: a smaller -n, or -S, samples short ones too$/d}'
grep -qx exact "$file" || sed -i "$late" "$boot"/out/*/*.err
# What logs name is below this directory.
root=$boot
export root
for story in $stories; do
	out=$boot/out/$story
	mkdir -p "$out"
	sh "$srcdir/tests/tools/story.sh" --results "$out" "$here/stories/$story.story" >"$boot/said" ||
		failed=1
	awk -v n=$n -v story="$story" '
		/^1\.\./ { next }
		/^(not )?ok / { sub(/ok [0-9]* - /, "ok " ++n " - " story ": ") }
		{ print }' "$boot/said" >"$boot/lines"
	cat "$boot/lines"
	n=$((n + $(grep -cE '^(not )?ok ' "$boot/lines")))
	cp "$out/unloading" "$boot/said" 2>/dev/null || echo 'the machine did not come so far' >"$boot/said"
	clean "$story: the module goes when the story ends" "$(cat "$boot/said")"
done
finish
