Files of perf record that are damaged, or lie of sizes and offsets: what is wrong where is said, and what is before it is kept.
== file good.perf
event cpu-clock hz=99 sample=ip,tid,time,cpu ids=1
host box
build-id /bin/a 0011
sample 7 u 0x1010 time=1
sample 7 u 0x1020 time=2
== file damage.sh
# damage LINE...: what convert says of the file with such damage, and how many samples there are then.
damage() {
	{ cat good.perf && printf '%s\n' "$@"; } | mkperf damaged.data || exit
	pmclog convert damaged.data >damaged.log 2>err
	echo "$*: $?, $(pmclog check damaged.log 2>/dev/null | sed 's/.*records, //')"
	sed 's/^pmclog: damaged.data/  /' err
}
== run nothing is said of what is whole
. ./damage.sh && damage
== out
: 0, 2 samples, closed
== run the header
. ./damage.sh
damage 'cut 4'
damage 'cut 8'
damage 'cut 15'
damage 'cut 50'
damage 'poke 8 u64:72'
damage 'poke 0 u64:0x50455246494c4532'
damage 'poke 16 u64:79'
damage 'poke 16 u64:5000'
== out
cut 4: 65, 
  : neither a log nor what perf record writes
cut 8: 65, 
  : its header at 0x0: there are 8 of its 16 bytes
cut 15: 65, 
  : its header at 0x0: there are 15 of its 16 bytes
cut 50: 65, 
  : its header at 0x10: there are 34 of its 88 bytes
poke 8 u64:72: 65, 
  : its header says that it has 72 bytes: 104 or 16 are possible
poke 0 u64:0x50455246494c4532: 65, 
  : it was recorded on a machine of the other byte order
pmclog: hint: perf script reads it there and here
poke 16 u64:79: 65, 
  : its header says that events have 79 bytes each: 80 to 4096 are possible
poke 16 u64:5000: 65, 
  : its header says that events have 5000 bytes each: 80 to 4096 are possible
== run the events
. ./damage.sh
damage 'poke 24 u64:0x7fffffffffffffff'
damage 'poke 32 u64:0xffffffffffffffff'
damage 'poke 32 u64:0'
damage 'poke 116 u32:63'
damage 'poke 116 u32:4000'
damage 'poke 240 u64:0xfffffffffffffff0'
damage 'poke 248 u64:0xfffffffffffffff8'
== out
poke 24 u64:0x7fffffffffffffff: 65, 
  : the events: 144 bytes at 0x7fffffffffffffff are not within the file's 608
poke 32 u64:0xffffffffffffffff: 65, 
  : the events: 18446744073709551615 bytes at 0x70 are not within the file's 608
poke 32 u64:0: 65, 
  : it has no events
poke 116 u32:63: 65, 
  : event 1 says that it has 63 bytes: 64 to 128 are possible
poke 116 u32:4000: 65, 
  : event 1 says that it has 4000 bytes: 64 to 128 are possible
poke 240 u64:0xfffffffffffffff0: 65, 
  : the ids of an event: 8 bytes at 0xfffffffffffffff0 are not within the file's 608
poke 248 u64:0xfffffffffffffff8: 65, 
  : its events have 18446744073709551608 bytes of ids and more, the file has 608
== run the records
. ./damage.sh
damage 'poke 40 u64:0xffffffffffffff00'
damage 'poke 48 u64:0xffffffffffffff00'
damage 'poke 48 u64:50'
damage 'poke 48 u64:44'
damage 'poke 262 u16:7'
damage 'poke 262 u16:9'
damage 'poke 262 u16:16'
damage 'poke 302 u16:65535'
damage 'poke 256 u32:71'
damage 'poke 256 u32:66'
damage 'poke 256 u32:83'
damage 'poke 256 u32:4294967295'
== out
poke 40 u64:0xffffffffffffff00: 65, 
  : its records begin at 0xffffffffffffff00, behind the file's 608 bytes
poke 48 u64:0xffffffffffffff00: 65, 2 samples, closed
  : record at 0x150: length 0 is below the 8-byte header
poke 48 u64:50: 65, 1 samples, closed
  : feature 2 of its header: 562949953880064 bytes at 0x7000000000000 are not within the file's 608: left out
  : feature 3 of its header: 108086391056891904 bytes at 0x0 are not within the file's 608: left out
  : feature 12 of its header: 120471290032160768 bytes at 0x2c000000000000 are not within the file's 608: left out
  : a record at 0x130: there are 2 of its 32 bytes
poke 48 u64:44: 65, 1 samples, closed
  : feature 2 of its header: 30064771072 bytes at 0x102000280002 are not within the file's 608: left out
  : feature 3 of its header: 0 bytes at 0x200000007 are not within the file's 608: left out
  : feature 12 of its header: 188978561024 bytes at 0x18000000000 are not within the file's 608: left out
  : the header of a record at 0x128: there are 4 of its 8 bytes
poke 262 u16:7: 65, 0 samples, closed
  : record at 0x100: length 7 is below the 8-byte header
poke 262 u16:9: 65, 0 samples, closed
  : 1 records are shorter than they have to be, or of no event: left out, and counted as lost
  : a record at 0x111: there are 63 of its 1784 bytes
poke 262 u16:16: 65, 0 samples, closed
  : 1 records are shorter than they have to be, or of no event: left out, and counted as lost
  : record at 0x110: length 0 is below the 8-byte header
poke 302 u16:65535: 65, 1 samples, closed
  : a record at 0x130: there are 32 of its 65527 bytes
poke 256 u32:71: 65, 0 samples, closed
  : what is behind a record at 0x128: there are 40 of its 4112 bytes
poke 256 u32:66: 65, 0 samples, closed
  : what is behind a record at 0x128: there are 40 of its 4112 bytes
poke 256 u32:83: 65, 0 samples, closed
  : record at 0x100: 40 bytes have no room for the packed ones that it says it has
poke 256 u32:4294967295: 0, 1 samples, closed
  : records that are left out: 1 other
== run the features
. ./damage.sh
damage 'poke 336 u64:0xffffffffffffffff'
damage 'poke 344 u64:0xffffffffffffffff'
damage 'poke 352 u64:0'
damage 'poke 72 u64:0xffffffffffffffff'
damage 'cut 340'
== out
poke 336 u64:0xffffffffffffffff: 0, 2 samples, closed
  : feature 2 of its header: 44 bytes at 0xffffffffffffffff are not within the file's 608: left out
poke 344 u64:0xffffffffffffffff: 0, 2 samples, closed
  : feature 2 of its header: 18446744073709551615 bytes at 0x180 are not within the file's 608: left out
poke 352 u64:0: 0, 2 samples, closed
  : feature 3 of its header at 0x0: its lengths are wrong: left out
poke 72 u64:0xffffffffffffffff: 0, 2 samples, closed
  : feature 2 of its header at 0x1b8: its lengths are wrong: left out
  : feature 3 of its header: 18695992639487 bytes at 0x2c800000000043 are not within the file's 608: left out
  : feature 4 of its header at 0x0: its lengths are wrong: left out
  : feature 6 of its header: 549755813889 bytes at 0x786f62 are not within the file's 608: left out
  : feature 9 of its header: 263168 bytes at 0x0 are not within the file's 608: left out
  : feature 11 of its header at 0x0: its lengths are wrong: left out
  : feature 12 of its header at 0x0: its lengths are wrong: left out
  : feature 17 of its header at 0x260: there are 0 of its 16 bytes: left out
cut 340: 0, 2 samples, closed
  : feature 2 of its header at 0x150: there are 4 of its 16 bytes: left out
== run 66 a directory, as of perf record --threads
mkdir dir.data && pmclog convert dir.data
== err
pmclog: dir.data: a directory, as perf record --threads makes, which is not read: record it again without
== run 65 a file through a pipe
mkperf good.data <good.perf && cat good.data | pmclog convert
== err
pmclog: -: a file of perf record that comes through a pipe, and it has to be read here and there
pmclog: hint: name the file, or: perf record -o - ... | pmclog convert
== run 65 events that cannot be told apart
printf '%s\n' 'event a sample=ip,tid' 'event b sample=ip,tid' 'sample 1 u 0x10' | mkperf two.data && pmclog convert two.data >two.log
== err
pmclog: two.data: samples of a and b have nothing that would tell which are whose
pmclog: hint: record them again, by a newer perf or one at a time
== run 65 nothing was sampled
echo host box | mkperf none.data && pmclog convert none.data >none.log
== err
pmclog: none.data: it has no events
== run 66 it is not there
pmclog convert no.data
== err
pmclog: no.data: cannot open: No such file or directory
== run 65 who takes it for a log is told what it is
pmcstat -R good.data --flat
== err
pmcstat: good.data: not a pmclog stream: its bytes 0 and 3 are 0x50 and 0x46, neither is the magic 0xee
pmcstat: hint: perf record wrote it: pmclog convert FILE >NEW.log
