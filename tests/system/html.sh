#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# A page in a real browser, from a file: it runs without an error or a request, sorts, filters and
# zooms, and no name of a log becomes a part of it.
# shellcheck source=tests/system/lib.sh
. "${srcdir:?}/tests/system/lib.sh"
needs_browser

mkelf app <<'EOT'
type exec
text 0x401000 0x1000
symbol </script><img/src=x/onerror=alert(1)> 0x401000 0x100
symbol größe_計算 0x401100 0x100
symbol "onload="alert(2)'&lt;]]> 0x401200 0x100
symbol main 0x401300 0x100
EOT
{
	cat <<'EOT'
pmc 1 "cpu-clock<script>alert(3)</script>" rate=1000
pmc 2 page-faults
proc 10 app
map 10 0x401000 0x1000 app off=0x1000
map 10 0x501000 0x1000 "x\x22><svg/onload=alert(4)>\x0a\xff"
time 1000000000
sample 10 0x401010,0x401310 x60 cpu=0
sample 10 0x401110,0x401210,0x401310 x30 cpu=1
time 3000000000
sample 10 0x501010,0x401310 x10 cpu=1
drop 7
EOT
	i=0
	while [ $i -lt 150 ]; do
		echo "sample 10 $((0x501020 + i)),0x401310 pmc=2"
		i=$((i + 1))
	done
} | mklog out.log
pmcstat -q -R out.log --html plain.html || exit 99

# page NAME SCRIPT: the document after SCRIPT ran at its end, and what the console said.
page() {
	sed "s|^</body>|<script>$2</script></body>|" plain.html >"$1.html"
	browse --disable-gpu --enable-logging=stderr --window-size=1000,800 \
		"file://$dir/$1.html" >"$1.dom" 2>"$1.err"
}
page drawn ''
if ! grep -q '<svg' drawn.dom; then
	skip_all "the browser does not run: $(tail -n 1 drawn.err)"
fi
page reported 'console.error("seen"); new Image().src = "http://127.0.0.1:1/x";'
page elements 'document.title = ["img", "script", "[onload]", "[onerror]", "svg"].map(function (s) { return document.querySelectorAll(s).length; }).join(" ");'
head='document.querySelectorAll("#functions th button")'
report='document.title = Array.from(document.querySelectorAll("#functions tbody")[0].rows, function (r) { return r.hidden ? "-" : r.cells[1].textContent; }).join(" ");'
page sorted "${head}[3].click(); $report"
page turned "${head}[3].click(); ${head}[3].click(); $report"
page filtered 'var f = document.getElementById("filter"); f.value = "MAI"; f.dispatchEvent(new Event("input"));'"$report"
page slash 'document.dispatchEvent(new KeyboardEvent("keydown", {key: "/", cancelable: true})); document.title = document.activeElement.id;'
page marked 'var f = document.getElementById("filter"); f.value = "^ma.n$"; f.dispatchEvent(new Event("input"));'
page more 'document.querySelector(".more button").click();'
page zoomed 'document.querySelectorAll("g.f")[3].dispatchEvent(new MouseEvent("click", {bubbles: true}));'
page keys '["Down", "Down", "Down"].forEach(function (k) { document.getElementById("flame").dispatchEvent(new KeyboardEvent("keydown", {key: "Arrow" + k})); });'
page time 'var s = document.querySelectorAll(".cpu svg")[1]; s.dispatchEvent(new KeyboardEvent("keydown", {key: "ArrowRight"}));'

# places PATTERN PAGE: in how many places it is.
places() {
	grep -o -- "$1" "$2" | wc -l | tr -d ' '
}
title() {
	sed -n 's|.*<title>\([^<]*\)</title>.*|\1|p' "$1.dom" | head -n 1
}
is 'the console is silent' "$(grep -c CONSOLE drawn.err)" 0
is 'it would not be for an error and a request' "$(grep -c CONSOLE reported.err)" 2
is 'no name became an element or a handler' "$(title elements)" '0 4 0 0 4'
is 'the hostile names are there as text' \
	"$(places 'title="\(<\|&lt;\)/script\(>\|&gt;\)\(<\|&lt;\)img/src=x/onerror=alert(1)\(>\|&gt;\)">&lt;/script&gt;&lt;..&gt;</span>' drawn.dom)" 1
is 'names of UTF-8 are whole' "$(places '<td>größe_計算' drawn.dom)" 1
is 'losses stand out' "$(places 'class="bad"><dt>lost</dt><dd>7' drawn.dom)" 1
is 'a strip for each CPU and one for all' "$(places 'class="cpu"' drawn.dom)" 3
is 'the functions of the first event by their own samples' \
	"$(title filtered | tr -d -c '0-9-')" '---0-'
is 'a click sorts' "$(title sorted)" '0 60 30 0 10'
is 'another one turns it round' "$(title turned)" '10 30 0 60 0'
is '/ leads to the field that searches' "$(title slash)" filter
is 'what is searched is marked among the chains too' "$(places 'matched: 100.00%' marked.dom)" 1
is 'and counted among the functions' "$(places 'id="count"[^>]*>2 of 156' marked.dom)" 1
is 'no dialog is asked for' "$(places 'window\.\(prompt\|alert\)' plain.html)" 0
is 'of many functions the first hundred are shown' "$(places '<tr [^>]*hidden' drawn.dom)" 51
is 'a click shows all' "$(places '<tr [^>]*hidden' more.dom)" 0
is 'nothing is zoomed at first' "$(places 'id="reset"[^>]*display: *none' drawn.dom)" 1
is 'a click on a frame zooms' "$(places 'id="reset"[^>]*display: *none' zoomed.dom)" 0
is 'arrow keys lead to a frame' "$(places 'class="f at"' keys.dom)" 1
is 'a strip tells what is in a slot' "$(places 'id="when"[^>]*>CPU 0, ' time.dom)" 1
echo 'pmc 1 cpu-clock' | mklog empty.log
pmcstat -q -R empty.log --html empty.html || exit 99
for file in plain empty; do
	is "the links of $file.html lead somewhere" "$(grep -o 'href="#[a-z]*' $file.html |
		while IFS='#' read -r _ id; do grep -q "id=\"$id\"" $file.html || echo "$id"; done)" ''
done
finish
