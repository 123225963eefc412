Pages and pictures say of what they are, with names shown as in reports and whole ones to point at.
== elf bin/app
type exec
text 0x401000 0x1000
symbol _ZN1A4sortISt4pairIilEEEvT_ 0x401000 0x100
symbol main 0x401100 0x100
== log out.log
pmc 1 cpu-clock rate=1000000
exec 10 bin/app
proc 11 "<b>helper"
map 10 0x401000 0x1000 bin/app off=0x1000
sample 10 0x401010,0x401110 x3
time 1500000000
sample 11 0x401010
== run a page: host, duration, processes
pmcstat -q -R out.log --html=page; grep -A1 '<div class="of">' page | sed 1d
== out
<p>a log; on fake, fake; 1.50 s; processes: app, &lt;b&gt;helper</p>
== run a picture
pmcstat -q -R out.log --flamegraph | grep -o '>a log;.*</text>'
== out
>a log; on fake, fake; 1.50 s; processes: app, &lt;b&gt;helper</text>
== run a table: seconds of a clock, the name as it is shown and whole
pmcstat -q -R out.log --html=page; grep 'A::sort' page | sed -n '/<tr /s/.*<td class="b"[^>]*>//p'
== out
75.00<td title="3 samples">0.003<td><span tabindex="0" title="void A::sort&lt;std::pair&lt;int, long&gt; &gt;(std::pair&lt;int, long&gt;)">void A::sort&lt;..&gt;(std::pair&lt;int, long&gt;)</span><td class="o" style="--c:hsl(87,64%,69%)"><span tabindex="0" title="bin/app">app</span>
== run with --full-names whole ones
pmcstat -q -R out.log --full-names --html=page; grep 'A::sort' page | sed -n '/<tr /s/.*<td class="o"[^>]*>//p'
== out
bin/app
== file script
pmc 1 page-faults
== run a command line is what a shell would be given
pmcstat -q --collector=fake:script -P page-faults -O typed.log -- sh -c "echo 'a  b' >/dev/null; true" ''
pmclog info typed.log | sed -n 's/.* -O/-O/p'
== out
-O typed.log -- sh -c 'echo '\''a  b'\'' >/dev/null; true' ''
