#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# A flame graph in a real browser, from a file and without a network: it labels its frames, a click
# zooms, Escape zooms out, a search tells the share that matches.
# shellcheck source=tests/system/lib.sh
. "${srcdir:?}/tests/system/lib.sh"

needs_browser

mklog out.log <<'EOF'
pmc 1 cpu-clock
proc 10 app
map kernel 0xffffffff81000000 0x1000 [kernel]
map 10 0x401000 0x1000 one
map 10 0x501000 0x1000 two
sample 10 0x401010,0x501110,0x401210 x60
sample 10 0x501310,0x401210 x40
EOF
pmcstat -q -R out.log --flamegraph=plain.svg || exit 99

# page NAME SCRIPT: the document after SCRIPT ran at its end.
page() {
	sed "s|^]]></script>|$2\n]]></script>|" plain.svg >"$1.svg"
	browse --disable-gpu --window-size=1000,400 "file://$dir/$1.svg" >"$1.dom" 2>"$1.err"
}
page drawn ''
grep -q '<svg' drawn.dom || skip_all "the browser does not run: $(tail -n 1 drawn.err)"
click='document.querySelectorAll("g.f")[3].dispatchEvent(new MouseEvent("click", {bubbles: true}));'
page zoomed "$click"
page back "$click"'window.dispatchEvent(new KeyboardEvent("keydown", {key: "Escape"}));'
type='var w = document.getElementById("word"); w.value = "0x1"; w.dispatchEvent(new Event("input"));'
page found 'window.dispatchEvent(new KeyboardEvent("keydown", {key: "f", ctrlKey: true, cancelable: true}));'"$type"
page slash 'window.dispatchEvent(new KeyboardEvent("keydown", {key: "/", cancelable: true}));'"$type"'w.dispatchEvent(new KeyboardEvent("keydown", {key: "Escape"}));'

# sees NAME PAGE PATTERN COUNT: PATTERN is in that many lines of PAGE.
sees() {
	count=$(grep -c -- "$3" "$2.dom")
	if [ "$count" = "$4" ]; then
		verdict yes "$1"
	else
		verdict no "$1" "$count lines, not $4
$(grep 'class="f' "$2.dom")"
	fi
}
sees 'every frame has its label' drawn '<text [^>]*>[^<][^<]*</text></g>' 5
sees 'a click hides what does not lie above or below' zoomed 'display: none' 1
sees 'and offers the way back' zoomed 'id="reset" .* style=""' 1
sees 'a bar says where that is' zoomed '<g id="where" style=""[^>]*>.*<rect[^>]* x="0%" width="600"' 1
sees 'what led to the zoomed frame is pale' zoomed 'opacity: 0.5' 3
sees 'and the bar goes with the zoom' back '<g id="where" style="display: *none' 1
sees 'Escape shows all again' back 'class="f" .*display: none' 0
sees 'Ctrl-F tells the share that matches' found 'matched: 60.00%' 1
sees '/ opens a field, Escape clears it' slash '>matched:\|class="f hit"' 0
sees 'which is in the picture itself' slash '<input [^>]*id="word"' 1
sees 'no dialog is asked for' drawn 'window\.\(prompt\|alert\)' 0

# One deep chain among shallow ones: it is there, and makes the picture no higher until zoomed to.
{
	printf 'pmc 1 cpu-clock\nproc 10 app\nmap 10 0x401000 0x1000 one\n'
	echo 'sample 10 0x401010,0x401020 x999'
	echo "sample 10 $(seq -s , $((0x401100)) $((0x401100 + 99))),0x401020"
} | mklog deep.log
pmcstat -q -R deep.log --flamegraph=plain.svg || exit 99
page deep ''
page into 'var all = document.querySelectorAll("g.f"); all[all.length - 1].dispatchEvent(new MouseEvent("click", {bubbles: true}));'
height() {
	sed -n 's/.*<svg [^>]*id="flame"[^>]* height="\([0-9]*\)".*/\1/p' "$1"
}
is 'one deep chain does not stretch a picture' \
	"$(($(height plain.svg) - $(height deep.dom)))" $((99 * 17))
is 'until it is zoomed to' "$(height into.dom)" "$(height plain.svg)"
sees 'that is told' deep 'id="about"[^>]*>99 deeper levels' 1
finish
