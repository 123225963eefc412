#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# A part of the time of a page in a real browser: its tables and picture have what --time selects of the
# same log, and its parts have together what the whole has.
# shellcheck source=tests/system/lib.sh
. "${srcdir:?}/tests/system/lib.sh"
needs_browser

mkelf app <<'END'
type exec
text 0x401000 0x1000
symbol leaf 0x401000 0x100
symbol again 0x401100 0x100
symbol Upper 0x401200 0x100
symbol main 0x401300 0x100
END
awk 'BEGIN {
	print "pmc 1 cpu-clock hz=1000"
	print "pmc 2 page-faults rate=1"
	print "proc 10 app"
	print "map 10 0x401000 0x1000 app off=0x1000"
	split("0x401010,0x401310 0x401110,0x401110,0x401110,0x401310 0x401310 0x401010,0x401110,0x401210,0x401310 0x401210,0x401310 0x501010", chain, " ")
	x = 7
	for (i = 0; i < 900; i++) {
		x = (x * 1103515245 + 12345) % 2147483648
		printf "time %.0f\n", i * 4000000 + x % 1000000
		x = (x * 1103515245 + 12345) % 2147483648
		n = int(x / 65536)
		printf "sample 10 %s x%d cpu=%d pmc=%d\n", chain[n % (i < 500 ? 5 : 6) + 1],
			n % 13 ? 1 : 5, n % 3, n % 7 ? 1 : 2
	}
}' | mklog out.log
# page [OPTION...]: of out.log.  Its own policy forbids other files, as it should; the test's has one.
page() {
	pmcstat -q -R out.log "$@" --html plain.html || exit 99
	sed -i 's/<meta http-equiv="Content-Security-Policy"[^>]*>//' plain.html
}
page
cat >report.js <<'END'
function drag(from, to) {
	var svg = document.querySelectorAll(".cpu svg")[1], box = svg.getBoundingClientRect();

	[["pointerdown", from], ["pointermove", to], ["pointerup", to]].forEach(function (p) {
		svg.dispatchEvent(new PointerEvent(p[0], { clientX: box.left + p[1] * box.width }));
	});
}
function press(key, shift) {
	document.querySelector(".cpu svg").dispatchEvent(
		new KeyboardEvent("keydown", { key: key, shiftKey: shift || false, bubbles: true, cancelable: true }));
}
function rows(all) {
	var out = [];

	document.querySelectorAll("#functions tbody tr").forEach(function (r) {
		var c = Array.from(r.cells, function (td) { return td.textContent.trim(); });
		var n = [1, 3].map(function (i) { return (r.cells[i].title || c[i]).replace(" samples", ""); });

		if (all || n[1] !== "0")
			out.push([c[0], n[0], c[2], n[1], c[4]].join(" "));
	});
	return out;
}
function frames() {
	return Array.from(document.querySelectorAll("g.f"), function (g) {
		return [g.dataset.s, g.dataset.n, g.dataset.d, g.dataset.name].join(" ");
	});
}
function say(lines) {
	var pre = document.createElement("pre");

	pre.textContent = "\nSAID\n" + [].concat(lines).join("\n") + "\nEND\n";
	document.body.append(pre);
}
END

# said HASH SCRIPT: what the page at that part of its address says.
said() {
	printf '%s\n' "$2" | cat report.js - >script.js
	sed -e '/^<\/body>/{
s/.*//
r tail.html
}' plain.html >page.html
	browse --disable-gpu --enable-logging=stderr --window-size=1000,800 "file://$dir/page.html$1" \
		>dom 2>browser.err
	sed -n '/^SAID$/,/^END$/p' dom | sed '1d;$d'
}
cat >tail.html <<'END'
<script src="script.js"></script></body>
END

[ "$(said '' 'say("runs");')" = runs ] || skip_all "the browser does not run: $(tail -n 1 browser.err)"

# Rows as the flat profile has them, frames as the picture.
flat() {
	pmcstat -q -R out.log -f threshold=0 "$@" --flat |
		awk '/^ +[0-9.]+ +[0-9]+ +[0-9.]+ +[0-9]+  / { print $1, $2, $3, $4, $5 }'
}
picture() {
	pmcstat -q -R out.log "$@" --icicle |
		sed -n 's/.*data-s="\([0-9]*\)" data-n="\([0-9]*\)" data-d="\([0-9]*\)".*data-name="\([^"]*\)".*/\1 \2 \3 \4/p'
}
slot=$(sed -n 's/.*id="time" data-slot="\([0-9.]*\)".*/\1/p' plain.html)
is 'slots are of 8 ms' "$slot" 0.008
for range in 0,0.8 2.4,3.6 1.496,1.504; do
	is "functions and frames of $range" "$(said "#t=$range" 'say(rows().concat(frames()));')" \
		"$(flat --time "${range%,*}..${range#*,}" && picture --time "${range%,*}..${range#*,}")"
done
is 'all of the time selected is as if nothing were' \
	"$(said '#t=0,9' 'say([document.getElementById("whole").hidden].concat(rows(), frames()));')" \
	"false
$(flat)
$(picture)"
is 'without a selection too' "$(said '' 'say(rows().concat(frames()));')" "$(flat)
$(picture)"
is 'every sample is in one step' "$(said '' '
var sum = {}, n = document.querySelector(".cpu svg").dataset.v.split(" ").length, i;
press("Home");
for (i = 0; i < n; i++) {
	press("Enter");
	press("ArrowRight");
	rows(true).forEach(function (r) { r = r.split(" "); sum[r[4]] = (sum[r[4]] || 0) + Number(r[3]); });
}
say(Object.keys(sum).sort().map(function (name) { return sum[name] + " " + name; }));' | LC_ALL=C sort -k 2)" \
	"$(flat | awk '{ sum[$5] += $4 } END { for (name in sum) print sum[name], name }' | LC_ALL=C sort -k 2)"
# shellcheck disable=SC2016
tell='say([location.hash, document.title, document.getElementById("range").textContent, document.querySelector("#chains h2").textContent,
	document.querySelector("#functions summary").textContent, document.getElementById("heading").textContent]);'
samples=$(pmcstat -q -R out.log --time 0.8..1.608 --folded | awk '{ n += $NF } END { print n }')
is 'a drag, also to the left, selects; titles say what' "$(said '' "drag(.4465, .2235); $tell" | sed 's/ [0-9]* functions//g')" "$(
	all=$(pmcstat -R out.log --folded=/dev/null 2>&1 | sed -n 's/.*quality: \([0-9]*\) samples.*/\1/p')
	cat <<END
#t=0.8,1.608
0.8 to 1.608 s of all events, $all samples
0.8 to 1.608 s: $samples of $all samples
Call chains 0.8 to 1.608 s
$(sed -n 's|.*<summary>\(.*\), [0-9]* functions</summary>|\1|p' plain.html | head -n 1),; from 0.8 to 1.608 s $(pmcstat -q -R out.log --time 0.8..1.608 --flat | sed -n 's/^@ cpu-clock \[\(.*\)\]/\1/p'),
$samples of $all samples
END
)"
is 'a click selects nothing, keys do' "$(said '' 'drag(.5, .5); var clicked = location.hash; press("Home"); press("ArrowRight");
	press("ArrowRight", true); press("PageDown", true); say(clicked + ";" + location.hash);')" ';#t=0.008,0.104'
is 'Escape shows all' "$(said '#functions&t=0.8,1.6' 'press("Escape"); say([location.hash].concat(rows(), frames()));')" "#functions
$(flat)
$(picture)"
is 'the button too' "$(said '#t=0.8,1.6' 'document.getElementById("whole").click();
	say([location.hash + "."].concat(rows(), frames()));')" ".
$(flat)
$(picture)"
zoom='var zoomed = Array.from(document.querySelectorAll("g.f")).find(function (g) { return g.dataset.name === NAME; });
	zoomed.querySelector("rect").dispatchEvent(new MouseEvent("click", {bubbles: true}));
	drag(.2235, .4465);
	say(document.getElementById("reset").style.display + "." + document.querySelectorAll("g.f")[1].dataset.name);'
is 'a zoomed frame stays' "$(said '' "var NAME = 'Upper'; $zoom")" .main
is 'one without samples then does not' "$(said '' "var NAME = '[unknown]'; $zoom")" none.main
is 'what is searched is counted in the part' "$(said '#t=1.2,2.4' 'var f = document.getElementById("filter"); f.value = "^again$";
	f.dispatchEvent(new Event("input")); say(document.getElementById("found").textContent);')" \
	"$(pmcstat -q -R out.log --time 1.2..2.4 --folded | awk '{ n += $NF; m += /;again[; ]/ ? $NF : 0 } END { printf "matched: %.2f%%", 100 * m / n }')"
# Of each chain a call is counted once, however often it is in it; command and event come first.
calls() {
	pmcstat -q -R out.log "$@" --folded | awk -v of="$function" '
	$1 !~ /page-faults/ {
		delete seen
		for (i = split($1, frame, ";"); i > first; i--) {
			by = i - 1 > first ? frame[i - 1] : "(nothing:"
			if (frame[i] == of && !seen["by" by]++)
				calls["by " by] += $2
			if (i - 1 > first && frame[i - 1] == of && !seen["of" frame[i]]++)
				calls["of " frame[i]] += $2
		}
	}
	END { for (c in calls) print c, calls[c] }' first="$first" | LC_ALL=C sort
}
# shellcheck disable=SC2016
lists='var out = [];
	document.querySelectorAll("#relatives table").forEach(function (t, i) {
		t.querySelectorAll("tr").forEach(function (tr) {
			out.push(["by", "of"][i] + " " + tr.cells[2].textContent.split(" ")[0] + " " + tr.cells[1].textContent);
		});
	});
	say(out.sort());'
first=2
for function in again Upper; do
	row="Array.from(document.querySelectorAll('#functions table')[0].querySelectorAll('tbody tr')).find(function (r) {
		return r.cells[4].textContent.trim() === '$function'; }).cells[1].click();"
	is "callers and callees of $function" "$(said '' "$row $lists")" "$(calls)"
	is "and in a part of the time" "$(said '#t=1.2,2.4' "$row $lists")" "$(calls --time 1.2..2.4)"
done
function=leaf first=2
is 'from a frame, and on from a name; closed' "$(said '' "var NAME = 'Upper'; ${zoom%%drag*}"'
	document.querySelector("#chosen button").click();
	Array.from(document.querySelectorAll("#relatives button")).find(function (b) { return b.textContent === "again"; }).click();
	Array.from(document.querySelectorAll("#relatives button")).find(function (b) { return b.textContent === "leaf"; }).click();
	'"${lists%say*}"'
	var section = document.getElementById("calls"), hidden = section.hidden;
	document.getElementById("nocalls").click();
	say(out.sort().concat(hidden, section.hidden));')" "$(calls)
false
true"
is 'an address without sense shows all' "$(said '#t=5,1' 'say(location.hash + rows().length);')" "$(flat | awk 'END { print NR }')"
is 'no error on the way' "$(grep CONSOLE browser.err)" ''
page --by pid
is 'parts of events' "$(said '#t=1.2,2.4' 'say(rows());')" "$(flat --by pid --time 1.2..2.4)"
# A share that lies in the middle of two is rounded alike.
{ echo 'pmc 1 page-faults rate=1' && echo 'map 10 0x401000 0x1000 app off=0x1000' &&
	echo 'sample 10 0x401010' && echo 'time 40000000' && echo 'sample 10 0x401110 x31'; } | mklog out.log
page
is 'a half is rounded as elsewhere' "$(said '#t=0,9' 'say(rows());')" "$(flat)"

# In order of time one caller has a callee as often as the two take turns; samples of one step, which have no order,
# lie so that the last callee of a step goes on into the next.
awk 'BEGIN {
	print "pmc 1 cpu-clock hz=100\nproc 10 app\nmap 10 0x401000 0x1000 app off=0x1000"
	for (i = 0; i < 16; i++) {
		printf "time %.0f\n", i * 1000000000
		if (i < 8 || i >= 10)
			print "sample 10 0x401010,0x401310 x2"
		if (i >= 4 && (i < 8 || i >= 10))
			print "sample 10 0x401110,0x401210,0x401310"
		if (i == 8 || i == 9)
			print "sample 10 0x401210 x3"
	}
}' | mklog out.log
page
is 'in order of time callees lie where they were called' "$(said '' 'document.getElementById("order").click(); say(frames());')" \
	"0 44 0 cpu-clock
0 20 1 main
0 8 2 leaf
8 1 2 Upper
8 1 3 again
9 4 2 leaf
13 2 2 Upper
13 2 3 again
15 4 2 leaf
19 1 2 Upper
19 1 3 again
20 6 1 Upper
26 18 1 main
26 1 2 Upper
26 1 3 again
27 4 2 leaf
31 2 2 Upper
31 2 3 again
33 4 2 leaf
37 2 2 Upper
37 2 3 again
39 4 2 leaf
43 1 2 Upper
43 1 3 again"
is 'the same from the address, of a part of the time' "$(said '#t=7,11&order' 'say(frames());')" \
	"0 12 0 cpu-clock
0 6 1 Upper
6 6 1 main
6 1 2 Upper
6 1 3 again
7 4 2 leaf
11 1 2 Upper
11 1 3 again"
is 'a frame says when it was' "$(said '' 'document.getElementById("order").click();
var g = Array.from(document.querySelectorAll("g.f")).filter(function (g) { return g.dataset.d === "1"; });
say([g[1].querySelector("title").textContent, document.getElementById("heading").textContent]);')" \
	"Upper (app): 6 samples, 8 to 9.024 s
cpu-clock, 44 samples, in order of time"
is 'a zoomed one fills the picture, with its callers, and leads to its callees' "$(said '#order' '
document.querySelectorAll("g.f")[1].dispatchEvent(new MouseEvent("click", { bubbles: true }));
say(frames().slice(0, 3).concat([document.getElementById("chosen").textContent, document.querySelectorAll("g.f").length]));')" \
	"0 44 0 cpu-clock
0 20 1 main
0 8 2 leaf
main (app): 20 samples, 0 to 7.008 s callers and callees 
11"
is 'and back: all is as it was, and so is the address' "$(said '#order' '
document.getElementById("order").click(); say(frames().concat(["(" + location.hash + ")"]));')" \
	"0 44 0 cpu-clock
0 6 1 Upper
6 38 1 main
6 10 2 Upper
6 10 3 again
16 28 2 leaf
()"
is 'no error was told on the way' "$(grep CONSOLE browser.err)" ''

# More chains than a page holds: rare ones become (others), and are counted.
{ echo type exec && echo text 0x401000 0x100000 && awk 'BEGIN {
	for (i = 0; i < 1000; i++)
		printf "symbol f%d 0x%x 0x100\n", i, 4198400 + i * 256
}'; } | mkelf app
awk 'function any() {
	x = x * 16807 % 2147483647
	return 4198416 + 256 * (2 + x % 998)
}
BEGIN {
	print "pmc 1 cpu-clock hz=1000"
	print "proc 10 app"
	print "map 10 0x401000 0x100000 app off=0x1000"
	x = 7
	for (i = 0; i < 500000; i++) {
		if (i % 10 == 0)
			printf "time %.0f\n", i * 8000
		if (i % 5)
			printf "sample 10 %d,%d,%d,%d,%d\n", any(), any(), any(), any(), any()
		else
			print "sample 10 4198416,4198672"
	}
}' | mklog out.log
page
is 'a page stays below 10 MB' "$(($(wc -c <plain.html) / 10000000))" 0
like 'it says what became one frame' "$(grep '^<p>Of' plain.html)" \
	'^<p>Of a part of the time, callees with fewer than [248] samples in all of it are one frame, '
is 'its samples are those of the log, and chains that are not rare are counted for their functions' \
	"$(said '#t=1.2,2.4' 'say([frames()[0], rows().filter(function (r) { return / f1$/.test(r); })[0].split(" ")[1]]);')" \
	"$(picture --time 1.2..2.4 | head -n 1
	flat --time 1.2..2.4 | awk '$5 == "f1" { print $2 }')"
finish
