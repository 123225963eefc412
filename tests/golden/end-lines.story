Readers of -G take a stack from each line that is not followed by a deeper one, with that line's
count.  A chain that ends where another goes on needs a line of its own, or its samples vanish.
== elf app
type exec
text 0x401000 0x1000
symbol leaf 0x401000 0x100
symbol mid 0x401100 0x100
symbol main 0x401200 0x100
== log out.log
pmc 0xfff02f00 cpu-clock
exec 10 app
map 10 0x401000 0x1000 app off=0x1000
sample 10 0x401010,0x401110,0x401210 x4
sample 10 0x401010,0x401110 x4
sample 10 0x401010 x2
== run [end] closes the shorter chains
pmcstat -q -R out.log -G -
== out
@ cpu-clock [10 samples]

100.0%  [10]       leaf @ app
 80.00%  [8]         mid
  50.00%  [4]          [end]
  50.00%  [4]          main
 20.00%  [2]         [end]

== run the counts of lines that are not followed by a deeper one add up to all samples
pmcstat -q -R out.log -G - | awk '
	/%  \[/ { match($0, /^ */); d = RLENGTH; if (n && d <= last) sum += count
		  split($0, part, /[][]/); count = part[2]; last = d; n++ }
	END { print sum + count }'
== out
10
