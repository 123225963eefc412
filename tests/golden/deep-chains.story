A recursion is deeper than a record has room for: the log has one turn of it and how often, all outputs have all frames.
== elf app
type exec
text 0x401000 0x1000
symbol leaf 0x401100 0x100
symbol list 0x401200 0x100
symbol item 0x401300 0x100
symbol value 0x401400 0x100
symbol main 0x401500 0x100
== log out.log
pmc 1 cpu-clock rate=1000000 flags=0x80
exec 10 app
map 10 0x401000 0x1000 app off=0x1000
sample 10 0x401110,(0x401210,0x401310,0x401410)*700,0x401510 x3 end=complete
sample 10 0x401110,(0x401210,0x401310,0x401410)*2,0x401510 end=complete
== log odd.log
pmc 1 cpu-clock rate=1000000 flags=0x80
exec 10 app
map 10 0x401000 0x1000 app off=0x1000
sample 10 0x401110,(0x401210,0x401310)*300,0x401310,(0x401410)*200,0x401510 guessed=2 exact=700 stitched=100 end=complete
== run what the log has of chains that have no room, and of one that has
pmclog dump out.log | awk '/^callchain/'
pmclog dump --json out.log | grep -o '"folded":[0-9]*'
test "$(wc -c <out.log)" -lt 1000
== out
callchain 10 0x1 0 2102 u end=complete folded=5
callchain 10 0x1 0 2102 u end=complete folded=5
callchain 10 0x1 0 2102 u end=complete folded=5
callchain 10 0x1 0 8 u end=complete
"folded":5
"folded":5
"folded":5
== run all frames are there
pmcstat -R out.log --folded 2>err | awk '{ n = split($1, f, ";"); print n, f[1], f[2], f[3], f[4], f[5], f[n - 1], f[n], $2 }'
grep -o 'whole chains.*' err
pmcstat -q -R out.log -a - | grep -c 'item'
pmcstat -q -R out.log --callers leaf | grep -c 'value'
== out
9 app main value item list list leaf 1
2103 app main value item list list leaf 3
whole chains 4 of 4 (100.00%)
2102
700
== run marks stay where they are, and keep equal frames apart
pmclog dump odd.log | awk '/^callchain/'
pmclog dump odd.log | awk '/^\.\.\./ { print $2 }' | uniq -c | awk '$1 > 1'
== out
callchain 10 0x1 0 803 u end=complete stitched=100 folded=12 guessed=2 exact=700
      2 0x401310
    200 0x401410
== run a chain is folded alike however often it is written
pmclog convert --version 9 odd.log | cmp - odd.log
pmclog filter --pid 10 out.log | cmp - out.log
pmclog cut 0..1 out.log | cmp - out.log
pmclog compress out.log packed.log && pmclog expand packed.log | cmp - out.log
pmclog check --freebsd out.log
== out
out.log: 8 records, 4 samples, not closed; the tools of FreeBSD 12 and 13 read all of it
