Of files that had one path each sample has the names of its own; where only one file is left to name them, that is said.
== elf one
type exec
build-id aaaa0001
text 0x401000 0x1000
symbol one_leaf 0x401000 0x100
symbol main 0x401100 0x100
== elf two
type exec
build-id bbbb0002
text 0x401000 0x1000
symbol two_leaf 0x401000 0x100
symbol main 0x401100 0x100
== elf bare
type exec
text 0x401000 0x1000
symbol bare_leaf 0x401000 0x100
symbol main 0x401100 0x100
== log images.log
pmc 1 cpu-clock
exec 10 /bin/app
map 10 0x401000 0x1000 /bin/app off=0x1000 build-id=aaaa0001
exec 20 /bin/app
map 20 0x401000 0x1000 /bin/app off=0x1000 build-id=bbbb0002
sample 10 0x401010,0x401110 x3
sample 20 0x401010,0x401110 x2
close
== run the root has one image's file: the other's samples do not get its names
mkdir -p root/bin root/usr/lib/debug/.build-id/bb && cp one root/bin/app
pmcstat -r root -R images.log --folded
== out
app;0x1110;0x1010 2
app;main;one_leaf 3
== err
pmcstat: 2 samples (40.00%): root/bin/app has build-id aaaa0001, but the file that was profiled has bbbb0002
pmcstat: quality: 5 samples of cpu-clock; lost 0 (0.00%); throttled 0; unresolved 40.00%, of them unmapped 0.00%; truncated chains 0
== run both are there, one at its build-id
cp two root/usr/lib/debug/.build-id/bb/bb0002; pmcstat -q -r root -R images.log --flat -f threshold=0 | sed '/^quality/d'
== out
@ cpu-clock [5 samples]
  SELF%       SELF  TOTAL%      TOTAL  FUNCTION  OBJECT
  60.00          3   60.00          3  one_leaf  app
  40.00          2   40.00          2  two_leaf  app
   0.00          0   60.00          3  main  app
   0.00          0   40.00          2  main  app

== run a packed log and an archive have both
pmcstat -q -r root -R images.log --pack packed.log && pmcstat -q -R packed.log --folded
pmcstat -q -r root -R images.log --archive both.tar && tar tf both.tar
== out
app;main;one_leaf 3
app;main;two_leaf 2
bin/app
usr/lib/debug/.build-id/bb/bb0002
== log bare.log
origin host=board boot-id=0123 sec=1500000000
pmc 1 cpu-clock
exec 10 bare
map 10 0x401000 0x1000 bare off=0x1000 dev=8:1 inode=11
exec 20 bare
map 20 0x401000 0x1000 bare off=0x1000 dev=8:2 inode=11
sample 10 0x401010,0x401110 x3
sample 20 0x401010,0x401110 x2
close
== run without build-ids two files are told by device and inode, but one names both
cp bare root/bare; pmcstat -r root -R bare.log --folded
== out
bare;main;bare_leaf 5
== err
pmcstat: 5 samples (100.00%): root/bare has no build-id and stands for different files that had its path: it can be only one of them
pmcstat: quality: 5 samples of cpu-clock; lost 0 (0.00%); throttled 0; unresolved 0.00%, of them unmapped 0.00%; truncated chains 0
== log board.log
origin host=board boot-id=0123 sec=1500000000
pmc 1 cpu-clock
exec 10 bare
map 10 0x401000 0x1000 bare off=0x1000 dev=8:1 inode=11
map 10 0x501000 0x1000 more off=0x1000 dev=8:1 inode=12
map 10 0x601000 0x1000 one off=0x1000 build-id=aaaa0001
sample 10 0x401010 x4
sample 10 0x501010 x2
sample 10 0x601010 x3
sample 10 0x401910
close
== run of another host nothing tells whether the files here are those of there
cp bare more; touch -d @1400000000 bare more; pmcstat -R board.log --folded
== out
bare;0x401910 1
bare;bare_leaf 6
bare;one_leaf 3
== err
pmcstat: 6 samples (60.00%): named by files of this machine that have no build-id, but the log is of board: -r names the root that its files are below
pmcstat: quality: 10 samples of cpu-clock; lost 0 (0.00%); throttled 0; unresolved 10.00%, of them unmapped 0.00%; truncated chains 0
== run a root that is given has the right ones
cp bare more one root; pmcstat -r root -R board.log --folded
== out
bare;0x401910 1
bare;bare_leaf 6
bare;one_leaf 3
== err
pmcstat: quality: 10 samples of cpu-clock; lost 0 (0.00%); throttled 0; unresolved 10.00%, of them unmapped 0.00%; truncated chains 0
== run what was written after it was mapped is another file
touch -d @1600000000 bare; TZ=EST5 pmcstat -R board.log --folded 2>&1 >/dev/null | sed '/quality/d'
== out
pmcstat: 4 samples (40.00%): bare has no build-id and was written at 2020-09-13 12:26:40 UTC, after it was profiled, from 2017-07-14 02:40:00 UTC on: -r / says that it is the right one
pmcstat: 2 samples (20.00%): named by files of this machine that have no build-id, but the log is of board: -r names the root that its files are below
== run JSON says it of each file
pmcstat -q -R board.log --json | grep '^{"path"'
== out
{"path":"bare","samples":5,"doubt":"bare has no build-id and was written at 2020-09-13 12:26:40 UTC, after it was profiled, from 2017-07-14 02:40:00 UTC on: -r / says that it is the right one"},
{"path":"more","samples":2,"doubt":"named by files of this machine that have no build-id, but the log is of board: -r names the root that its files are below"},
{"path":"one","samples":3,"build_id":"aaaa0001"}]}
== run on the host that was profiled, started anew, they are taken for the same
touch -d @1400000000 bare; { echo "origin host=$(uname -n) boot-id=0123 sec=1500000000"; printf '%s\n' 'pmc 1 cpu-clock' 'exec 10 bare' \
	'map 10 0x401000 0x1000 bare off=0x1000 dev=8:1 inode=11' 'sample 10 0x401010'; } | mklog here.log
pmcstat -R here.log --folded 2>&1 | sed '/quality/d; /not closed/d'
== out
bare;bare_leaf 1
