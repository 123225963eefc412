Small logs: pmclog compress writes them, everything reads them, pmclog expand gives the same bytes back.
== log out.log
pmc 1 cpu-clock rate=1000
proc 10 app
map 10 0x401000 0x1000 app off=0x1000
sample 10 0x401010,0x401020,0x401030 x100
sample 10/11 0x401018,0x401020,0x401030 cpu=1 x50 end=complete stitched=1 guessed=2
map 10 0x7f0000000000 0x40 [jit] sym=jitted
exit 10
close
== file say
# say COMMAND...: what it says, without the numbers that depend on zlib
"$@" >/dev/null 2>said
status=$?
sed 's/0x[0-9a-f]\{8\}/CRC/g; s/of its [0-9]* bytes/of its N bytes/; s/block 2 at 0x[0-9a-f]*/block 2 at N/' said
exit $status
== run to the byte, whichever way it is read and written
pmclog compress out.log small.log && pmclog expand small.log new.log && cmp out.log new.log
pmclog compress <out.log | pmclog expand - | cmp out.log -
gzip -c out.log | pmclog compress | cmp small.log -
pmclog compress small.log | cmp small.log -
pmclog expand out.log | cmp out.log -
== run the same records to all readers
pmclog check small.log
pmclog dump out.log >plain.txt; pmclog dump small.log | cmp plain.txt -
pmcstat -q -R small.log --folded
pmcstat -q -R - --folded <small.log
pmclog filter -t 11 small.log | pmclog check
== out
small.log: 157 records, 150 samples, closed
app;0x1030;0x1020;0x1010 100
app;0x1030;0x1020;0x1018 50
app;0x1030;0x1020;0x1010 100
app;0x1030;0x1020;0x1018 50
-: 57 records, 50 samples, closed
== run it is recognisable, and small
head -c 4 small.log; echo
awk -v a="$(wc -c <out.log)" -v b="$(wc -c <small.log)" 'BEGIN { print (b * 15 < a ? "small" : a " " b) }'
== out
PMCZ
small
== run 65 cut short: all records of the blocks before, here none
head -c 300 small.log >cut.log
sh ./say pmclog check cut.log
== out
pmclog: cut.log: block 1 at 0x0: the log ends after 300 of its N bytes
== run 65 a flipped bit
{ head -c 100 small.log; printf X; tail -c +102 small.log; } >bad.log
sh ./say pmclog check bad.log
== out
pmclog: bad.log: block 1 at 0x0: its checksum is CRC, not CRC
== run 65 a flipped bit of the header
{ head -c 20 small.log; printf X; tail -c +22 small.log; } >bad.log
sh ./say pmclog expand bad.log new.log
== out
pmclog: bad.log: block 1 at 0x0: its header's checksum is CRC, not CRC
== run 65 of a newer version
{ printf 'PMCZ\002'; tail -c +6 small.log; } >bad.log
sh ./say pmclog check bad.log
== out
pmclog: bad.log: block 1 at 0x0: version 2, method 1 is not known: version 1, methods 1 and 2 are
== run 65 a block twice
cat small.log small.log >bad.log
sh ./say pmclog check bad.log
== out
pmclog: bad.log: record 158 at 0x2b00: block 2 at N: its records begin at 0x0, those before it end at 0x2b00: blocks are missing, or there twice
== run a damaged log is packed as it is
head -c 1000 out.log >cut.log
pmclog compress cut.log | pmclog expand | cmp cut.log -
echo no log at all | pmclog compress | pmclog expand
printf '' | pmclog compress | wc -c
== out
no log at all
0
== run 64 not over itself
pmclog compress out.log out.log
== err
pmclog: out.log is the log that is read
pmclog: hint: name another file to write
== run 64 no options
pmclog expand -x out.log
== err
pmclog: expand takes one log, the file to write and no options
pmclog: hint: usage: pmclog expand [FILE [NEW]]
== run 66 no log
pmclog expand none.log
== err
pmclog: none.log: cannot open: No such file or directory
== log big.log
pmc 1 cpu-clock rate=1000
sample 10 0x401010,0x401020,0x401030 x12000
== run blocks are readable while others are still to come, and after SIGKILL
mkfifo pipe
pmclog compress pipe small.log &
compress=$!
exec 3>pipe
cat big.log >&3
i=0
until pmclog check small.log >said 2>&1 || [ $((i += 1)) -gt 5000 ]; do :; done
kill -KILL $compress
wait $compress 2>/dev/null
sed 's/ [0-9]* records, [0-9][0-9]* samples/ N samples/' said
pmclog check small.log >after && cmp said after
== out
small.log: N samples, not closed
