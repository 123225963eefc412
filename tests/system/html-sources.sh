#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Sources of a page in a real browser: rows and the picture lead to them, and they do nothing else.
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
is 'sources are closed at first' "$(grep -c '<details class="source" id="source[0-9]*" open' dom)" 0
page '#source0' '' >dom
is 'an address opens one' "$(grep -c '<details class="source" id="source0" open' dom)" 1
page '' 'Array.from(document.querySelectorAll("g.f")).find(function (g) { return g.dataset.name === "main"; }).querySelector("rect").dispatchEvent(new MouseEvent("click", {bubbles: true}));' >dom
like 'a frame leads to its source' "$(cat dom)" \
	'id="chosen"[^>]*>main \(.*hot\): [0-9]+ samples, [0-9.]+% <button type="button">callers and callees</button> <a href="#source[0-9]+">source</a>'
finish
