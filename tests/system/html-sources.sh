#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Sources of a page in a real browser: rows and the picture lead to them, they have the numbers of the
# selected time, and they do nothing else.
# shellcheck source=tests/system/lib.sh
. "${srcdir:?}/tests/system/lib.sh"
needs_browser

cat >hot.c <<'END'
volatile unsigned long result;

/* </pre><img src=x onerror=alert(1)> */
int main(void)
{
	unsigned long i;

	for (i = 0; i < 100000000; i++)
		result += i * i % 7; /* </pre><script>alert(1)</script> */
	return 0;
}
END
${CC:-cc} -O1 -g -o hot hot.c 2>cc.err || skip_all "no compiler: $(head -n 1 cc.err)"
needs_recording
pmcstat -q -P cpu-clock -O hot.log ./hot
pmcstat -q -R hot.log --comm hot --html-sources --html plain.html || exit 99
[ "$(grep -c 'id="source0"' plain.html)" = 1 ] || skip_all 'the compiler made no lines'

# page HASH SCRIPT: the document after SCRIPT ran at its end.
page() {
	sed "s|^</body>|<script>$2</script></body>|" plain.html >page.html
	browse --disable-gpu --enable-logging=stderr --window-size=1000,800 "file://$dir/page.html$1" 2>browser.err
}
page '' 'document.title = ["img", "script", "[onerror]"].map(function (s) { return document.querySelectorAll(s).length; }).join(" ");' >dom
grep -q '<svg' dom || skip_all "the browser does not run: $(tail -n 1 browser.err)"
is 'no source became an element or a handler' "$(sed -n 's|.*<title>\([^<]*\)</title>.*|\1|p' dom | head -n 1)" '0 4 0'
is 'the console is silent' "$(grep -c CONSOLE browser.err)" 0
is 'sources are closed at first' "$(grep -c '<details class="source" id="source[0-9]*"[^>]* open' dom)" 0
page '#source0' '' >dom
is 'an address opens one' "$(grep -c '<details class="source" id="source0"[^>]* open' dom)" 1
page '' 'Array.from(document.querySelectorAll("g.f")).find(function (g) { return g.dataset.name === "main"; }).querySelector("rect").dispatchEvent(new MouseEvent("click", {bubbles: true}));' >dom
like 'a frame leads to its source' "$(cat dom)" \
	'id="chosen"[^>]*>main \(.*hot\): [0-9]+ samples, [0-9.]+% <button type="button">callers and callees</button> <a href="#source[0-9]+">source</a>'

# numbered: of an annotated function the lines with samples.
numbered() {
	sed -n 's/^ *\([0-9. ]*[0-9]\.[0-9][0-9]  *[0-9.][0-9.]* .*\)/\1/p'
}
say='var p = document.createElement("pre"); p.textContent = "SAID " + document.querySelector("#source0 pre").textContent; document.body.append(p);'
slot=$(sed -n 's/.*id="time" data-slot="\([0-9.]*\)".*/\1/p' plain.html)
# The next slot that has samples, which is in the part that begins with it, and not in that which ends there.
edge=$(sed -n 's/.*data-v="\([^"]*\)".*/\1/p' plain.html | awk '{ for (i = 41; i <= NF; i++) if ($i && !(edge && edge < i)) edge = i }
	END { print edge - 1 }')
for unit in samples seconds; do
	pmcstat -q -R hot.log --comm hot --html-sources --unit=$unit --html plain.html
	for steps in 0,"$edge" "$edge",$((edge + 20)); do
		range=$(echo "$steps" | awk -F, -v slot="$slot" '{ print $1 * slot "," $2 * slot }')
		page "#t=$range" "$say" >dom
		is "lines of a part of the time have their $unit" \
			"$(sed -n '/^.*<pre>SAID /,$p' dom | sed 's/.*<pre>SAID //' | numbered)" \
			"$(pmcstat -q -R hot.log --comm hot --time "${range%,*}..${range#*,}" --annotate main --unit=$unit |
				sed 's/</\&lt;/g;s/>/\&gt;/g' | numbered)"
	done
done
page '#t=0,99' 'document.getElementById("whole").click();' >dom
is 'all of the time has what the page began with' "$(sed -n '/id="source0"/,/<.pre>/p' dom)" \
	"$(sed -n '/id="source0"/,/<.pre>/p' plain.html)"
finish
