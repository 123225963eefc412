#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# --archive of real programs: with all the originals gone, every report made below the unpacked root
# is byte for byte the one that was made of them; and a file that is not the same any more is an error.
# shellcheck source=tests/system/lib.sh
. "${srcdir:?}/tests/system/lib.sh"

for tool in "${CC%% *}" nm objcopy readelf strip tar; do
	command -v "$tool" >/dev/null || skip_all "no $tool"
done

# shellcheck source=tests/system/programs.sh
. "$srcdir/tests/system/programs.sh"

# reports LOG OPTION...: all that readers of it might want, and what is said beside.
reports() {
	for output in --overview --flat --tree --folded --flamegraph --json '--callers inner' \
		'--annotate main --asm' '--annotate inner' '--html - --html-sources' '-F -' '-a -' '-m -' \
		'--flat --inlines' '-G -' '--speedscope -' '--firefox -' --perf-script; do
		echo "== $output"
		# shellcheck disable=SC2086
		pmcstat -R "$@" $output 2>&1
	done
}

for program in $made; do
	log "$program" | mklog "$program.log" || exit 99
	reports "$program.log" >"$program.there"
	pmcstat -q -R "$program.log" --archive "$program.tar" --archive-sources >"$program.said" 2>&1
	is "$program: all was there" "$(cat "$program.said")" ''
	is "$program: names are relative, and none leads upwards" \
		"$(tar tf "$program.tar" 2>&1 | grep -e '^/' -e '\.\.')" ''
done
like 'there is something to see' "$(cat plain.there)" 'step'

# The first of two archives is read by someone who changes or takes away what both are of.
# meanwhile COMMAND: what is said, and the status.
meanwhile() {
	cp here/bin/plain here/bin/big && head -c 1000000 /dev/zero >>here/bin/big
	{
		head -c 512 && eval "$1" && cat
	} <pipe >/dev/null &
	pmcstat -q -R big.log --archive pipe --archive second.tar 2>&1
	echo "status $?"
	wait
}
mkfifo pipe && cp here/bin/plain here/bin/big && log big | mklog big.log || exit 99
is 'a file that changes while it is read is an error' "$(meanwhile 'echo >>here/bin/big')" \
	"pmcstat: $dir/here/bin/big changed while it was read
status 74"
is 'one that is cut short, too' "$(meanwhile ': >here/bin/big')" \
	"pmcstat: $dir/here/bin/big changed while it was read
status 74"
is 'one that is taken away, or made anew, too' "$(meanwhile 'rm here/bin/big')
$(meanwhile 'cp --remove-destination here/bin/another here/bin/big')" \
	"pmcstat: cannot open $dir/here/bin/big: No such file or directory
status 66
pmcstat: $dir/here/bin/big was replaced while it was in use
status 65"
is 'no half of an archive stays' "$([ ! -e second.tar ] || echo there)" ''

mv here gone
for program in $made; do
	rm -rf root && mkdir root && tar xf "$program.tar" -C root
	# Only sentences on files name them with the root that they lie below.
	reports "$program.log" -r root | sed "s|root$dir|$dir|g" >"$program.here"
	equal "$program: every report is the same" "$program.here" "$program.there"
done
case $made in
*split*)
	rm -rf root && mkdir root && tar xf split.tar -C root && rm "root$dir"/here/obj/*.dwo
	reports split.log -r root >split.here 2>&1
	is 'split: not so without its .dwo' "$(cmp -s split.here split.there && echo same)" ''
	;;
esac
case $made in
*shared*)
	rm -rf root && mkdir root && tar xf shared.tar -C root && rm -r root/usr
	reports shared.log -r root >shared.here 2>&1
	is 'shared: not so without what it shares' "$(cmp -s shared.here shared.there && echo same)" ''
	;;
esac

pmcstat -q -R plain.log --archive none.tar >said 2>&1
like 'what is gone is said' "$(cat said)" '^pmcstat: none.tar: without 1 file that samples are in:$'
is 'and no member' "$(tar tf none.tar)" ''
finish
