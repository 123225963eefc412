A flame graph is one SVG file; each frame says its first sample, samples and depth, and its title
what a pointer over it shows.
== elf app
type exec
text 0x401000 0x1000
symbol leaf 0x401000 0x100
symbol _ZN3vecIiEixEl 0x401100 0x100
symbol main 0x401200 0x100
== log out.log
pmc 1 cpu-clock
exec 10 app
map 10 0x401000 0x1000 app off=0x1000
sample 10 0x401010,0x401110,0x401210 x4
sample 10 0x401010,0x401210 x4
sample 10 0x401210 x2
== run frames and titles
pmcstat -q -R out.log --flamegraph | sed -n 's/.*data-s="\([0-9]*\)" data-n="\([0-9]*\)" data-d="\([0-9]*\)".*<title>\(.*\)<.title>.* y="\([0-9]*\)" width.*/\1 \2 \3 \5 \4/p'
== out
0 10 0 95 cpu-clock: 10 samples, 100.00%
0 10 1 78 main (app): 10 samples, 100.00%
0 4 2 61 leaf (app): 4 samples, 40.00%
4 4 2 61 vec&lt;int&gt;::operator[](long) (app): 4 samples, 40.00%
4 4 3 44 leaf (app): 4 samples, 40.00%
== run an icicle graph hangs from the top
pmcstat -q -R out.log --icicle | sed -n 's/.*data-s="\([0-9]*\)" data-n="\([0-9]*\)" data-d="\([0-9]*\)".*<title>\(.*\)<.title>.* y="\([0-9]*\)" width.*/\1 \2 \3 \5 \4/p'
== out
0 10 0 44 cpu-clock: 10 samples, 100.00%
0 10 1 61 main (app): 10 samples, 100.00%
0 4 2 78 leaf (app): 4 samples, 40.00%
4 4 2 78 vec&lt;int&gt;::operator[](long) (app): 4 samples, 40.00%
4 4 3 95 leaf (app): 4 samples, 40.00%
== run names are there without a script too, as far as they fit into a width of 800 pixels
pmcstat -q -R out.log --icicle | sed -n 's/.*dx="3">\(.*\)<.text><.g>/\1/p'
== out
cpu-clock
main
leaf
vec&lt;int&gt;::operator[](long)
leaf
== elf wide
type exec
text 0x401000 0x1000
symbol 計算計算 0x401000 0x100
symbol leaf 0x401100 0x100
symbol leaves 0x401200 0x100
== log narrow.log
pmc 1 cpu-clock
exec 10 wide
map 10 0x401000 0x1000 wide off=0x1000
sample 10 0x401010 x7
sample 10 0x401110 x4
sample 10 0x401210 x5
sample 10 0x401910 x84
== run of one that does not fit the middle is left out
pmcstat -q -R narrow.log --icicle | sed -n 's/.*data-n="\(.*\)" data-d="1".*dx="3">\(.*\)<.text><.g>/\1% \2/p'
== out
84% 0x401910
4% leaf
5% le..s
7% 計算..
== log names.log
pmc 1 cpu-clock
proc 10 app
map 10 0x1000 0x1000 "/größe/計算 <&\x22'>"
map 10 0x2000 0x1000 "/broken\xff\xc3(\xed\xa0\x80\x1b[1m"
map 10 0x3000 0x1000 "/turned\xe2\x80\xaetxt"
sample 10 0x1000,0x2000,0x3000
== run names of UTF-8 are whole, what is none or would change the text around is not shown
pmcstat -q -R names.log --icicle | sed -n 's/.*<title>\(.*\)<.title>.*/\1/p'
== out
cpu-clock: 1 samples, 100.00%
0x0 (/turned�txt): 1 samples, 100.00%
0x0 (/broken��(����[1m): 1 samples, 100.00%
0x0 (/größe/計算 &lt;&amp;&quot;&#39;&gt;): 1 samples, 100.00%
