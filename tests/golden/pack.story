--pack: a log with what its samples' files say of them, and readers where none of the files is.
== elf app
type exec
build-id 0102030405060708
text 0x401000 0x1000
symbol _ZN3foo3barEv 0x401000 0x100
symbol main 0x401100 0x100
symbol unused 0x401200 0x100
== elf bare
type exec
text 0x401000 0x1000
== file kallsyms
ffffffff82000000 T _stext
ffffffff82000100 T handle_fault
ffffffff82000300 T _etext
ffffffffc0000000 t work	[modul]
== file boot_id
0123
== log out.log
origin boot-id=0123
pmc 1 cpu-clock
map kernel 0xffffffffc0000000 0x1000 [modul]
map kernel 0xffffffff82000000 0x2000 [kernel]
exec 10 /bin/app
map 10 0x401000 0x1000 /bin/app off=0x1000 build-id=0102030405060708
map 10 0x501000 0x1000 /bin/bare off=0x1000
map 10 0x601000 0x1000 /bin/gone off=0x1000
map 10 0x701000 0x1000 //anon
sample 10 0x401010,0x401110 x3
sample 10 0x501010
sample 10 0x601010
sample 10 0x701010
sample 10 0x801010
sample 10 0xffffffff82000110,0x401010 k
sample 10 0xffffffffc0000010 k
close
== log open.log
pmc 1 cpu-clock
exec 10 /bin/app
sample 10 0x401010
== log bad.log
pmc 1 cpu-clock
exec 10 /bin/app
sample 10 0x401010
close
raw 400016ee0000000000000000000000004c5841310100000001b4abf11500000000000000000000000500000000000000789ce3cccbcf4b0500047801ba000000
== run kernel, modules, programs and what is not there are told as they were
mkdir -p root/bin root/proc/sys/kernel/random && cp app bare root/bin
cp kallsyms root/proc && cp boot_id root/proc/sys/kernel/random
for o in --flat --tree --json '--annotate main --asm' --no-demangle\ --folded; do pmcstat -r root -R out.log $o; done >there 2>&1
cp out.log was.log && pmcstat -q -r root -R was.log --pack out.log && rm -r root
for o in --flat --tree --json '--annotate main --asm' --no-demangle\ --folded; do pmcstat -R out.log $o; done >here 2>&1
cmp there here && sed -n '1,/^quality/p' here
== out
@ cpu-clock [9 samples]
  SELF%       SELF  TOTAL%      TOTAL  FUNCTION  OBJECT
  33.33          3   44.44          4  foo::bar()  app
  11.11          1   11.11          1  0x1010  gone
  11.11          1   11.11          1  0x401010  bare
  11.11          1   11.11          1  0x701010  //anon
  11.11          1   11.11          1  [unknown]  [unknown]
  11.11          1   11.11          1  handle_fault  [kernel]
  11.11          1   11.11          1  work  [modul]
   0.00          0   33.33          3  main  app

quality: 9 samples of cpu-clock; lost 0 (0.00%); throttled 0; unresolved 44.44%, of them unmapped 11.11%; truncated chains 0
== run other readers go on as before
pmclog info out.log | sed -n '/APPENDIX/p; /^closed/p; s/[0-9][0-9]* bytes for/BYTES for/p'
pmclog check --freebsd out.log; pmclog filter out.log - | cmp - out.log; pmclog compress out.log | pmclog expand - | cmp - out.log
for log in out.log was.log; do printf '\100\102\017' | dd of=$log bs=1 seek=32 conv=notrunc 2>dd.err; done
pmclog cut 0..0.000000001 out.log - | pmclog info - | sed -n '/APPENDIX/p'; pmclog text out.log | pmclog assemble | cmp - out.log
pmclog merge -o merged.log out.log was.log && pmclog info merged.log | grep -c APPENDIX; true
== out
           APPENDIX           6
closed     yes
appendix   BYTES for readers without the files
out.log: 25 records, 9 samples, closed; the tools of FreeBSD 12 and 13 read all of it
           APPENDIX           6
0
== run files that it has are not gathered
pmcstat -q -R out.log --archive none.tar; tar tf none.tar
== err
pmcstat: none.tar: without 5 files that samples are in:
pmcstat:   [modul]: the log has an excerpt of it, not the file
pmcstat:   [kernel]: the log has an excerpt of it, not the file
pmcstat:   /bin/app: the log has an excerpt of it, not the file
pmcstat:   /bin/bare: the log has an excerpt of it, not the file
pmcstat:   /bin/gone: cannot open root/bin/gone: No such file or directory
== run 65 a damaged appendix is told, and what was before it is reported
head -c -9 out.log >cut.log; pmcstat -q -R cut.log --folded
== out
app;0x1010 1
app;0x401010 1
app;0x701010 1
app;[unknown] 1
app;foo::bar();handle_fault 1
app;main;foo::bar() 3
app;work 1
== err
pmcstat: cut.log: record 25 at 0x7c0: the log ends after 183 of the record's 192 bytes
== run 65 a log whose packing was killed is packed again, where its programs are
mkdir -p again/bin && cp app bare again/bin; pmcstat -q -r again -R was.log --pack whole.log
head -c -9 whole.log >killed.log; pmcstat -q -r again -R killed.log --pack again.log 2>err; s=$?; cmp whole.log again.log
sed 's/0x[0-9a-f]*: \(.*\) [0-9]* of/AT: \1 N of/; s/[0-9]* bytes$/N bytes/' err >&2; (exit $s)
== err
pmcstat: killed.log: record 25 at AT: the log ends after N of the record's N bytes
== run 65 so are bytes that are no excerpt, also by top
TERM=dumb pmcstat -T -R bad.log </dev/null 2>top.err >top.out; echo "$?: $(head -n 1 top.err)"; pmcstat -q -R bad.log --folded
== out
65: pmcstat: bad.log: record 6 at 0x1c0: 5 bytes that are no excerpt of version 1 of an image
app;[unknown] 1
== err
pmcstat: bad.log: record 6 at 0x1c0: 5 bytes that are no excerpt of version 1 of an image
pmcstat: hint: pmcstat -R LOG --pack NEW.log packs it again, where its programs are
== run 65 a log that goes on is refused
pmcstat -q -R open.log --pack new.log; s=$?; test ! -e new.log && (exit $s)
== err
pmcstat: open.log cannot be packed: no CLOSELOG ends it
pmcstat: hint: --archive gathers the files that its samples are in
== run 64 a part of a log cannot be packed
pmcstat -R out.log --pack new.log --pid 10
== err
pmcstat: option --pack is of all of a log: it goes with none of -i, -c, --pid, --comm and --time
pmcstat: hint: pmcstat --help lists the options
== run 64 nothing else is written beside it
pmcstat -R out.log --pack new.log --flat
== err
pmcstat: option --pack goes with no other output
pmcstat: hint: pmcstat --help lists the options
== run 64 it is made of a file
pmcstat -R - --pack new.log <out.log
== err
pmcstat: option --pack needs a log that is a file: -R FILE or -O FILE
pmcstat: hint: pmcstat --help lists the options
== run 64 sources are left out of a packed log alone
pmcstat -R out.log --flat --no-sources
== err
pmcstat: option --no-sources needs --pack
pmcstat: hint: pmcstat --help lists the options
== run 64 not over the log itself
pmcstat -R out.log --pack out.log
== err
pmcstat: --pack would overwrite the log out.log
== run 64 nor over a program that it has excerpts of
mkdir -p over/bin && cp app over/bin/app
pmcstat -q -r over -R was.log --pack over/bin/app; cmp app over/bin/app && (exit 64)
== err
pmcstat: --pack would overwrite over/bin/app
== file script
pmc 1 cpu-clock
exec 10 /bin/app
map 10 0x401000 0x1000 /bin/app off=0x1000 build-id=0102030405060708
map 10 0x501000 0x1000 /bin/bare off=0x1000
sample 10 0x401010,0x401110 x3
sample 10 0x501010
== run a recording ends with a log that is packed
mkdir -p rec/bin && cp app bare rec/bin; record='pmcstat -q -r rec --collector=fake:script -S cpu-clock'
$record --pack new.log && $record -O rest.log --pack copy.log && $record -O same.log --pack ./same.log
pmcstat -q -r rec -R new.log --pack again.log && cmp new.log again.log; rm -r rec
for log in new rest copy same; do pmcstat -q -R $log.log --folded; pmclog info $log.log | sed -n 's/  *APPENDIX  */appendix: /p'; done
== out
app;0x401010 1
app;main;foo::bar() 3
appendix: 2
app;0x1010 1
app;0x1110;0x1010 3
app;0x401010 1
app;main;foo::bar() 3
appendix: 2
app;0x401010 1
app;main;foo::bar() 3
appendix: 2
== run 74 what was recorded is whole where there is no room to pack it
mkdir -p many/bin; cp script full
for i in $(seq 100 250); do echo "symbol f$(echo "$i" | cksum | tr ' ' _) 0x401$i 1" >&3; echo "sample 10 0x401$i"; done >>full 3>symbols
{ echo type exec; echo build-id 0102030405060708; echo text 0x401000 0x1000; cat symbols; } | mkelf many/bin/app
record='pmcstat -q -r many --collector=fake:full -S cpu-clock'; $record --pack full.log; $record -O size.log; size=$(wc -c <size.log)
trap '' XFSZ; (ulimit -f $((size / 512 + 1)); $record --pack full.log); s=$?
[ "$(wc -c <full.log)" -lt $((size + 100)) ]; pmclog check full.log; exit $s
== out
full.log: 162 records, 155 samples, closed
== err
pmcstat: full.log: File too large
pmcstat: hint: it is whole as it was recorded; pmcstat -R full.log --pack FILE
== file jit.script
origin boot-id=HERE
poke 32 u64:1000000000
pmc 1 cpu-clock
proc 10 java
map 10 0x7f0000 0x2000 //anon
sample 10 0x7f0010,0x7f0110 x3
sample 10 0x7f0810
proc 12 ruby
map 12 0x7f0000 0x2000 //anon
map 12 0x7f0000 0x80 [jit] sym=told
sample 12 0x7f0010,0x7f0110
proc 11 node
map 11 0x7f0000 0x2000 //anon
sample 11 0x7f0010,0x7f0110,0x7f0210 x2
sample 11 0x7f0310
exit 11
time 60000000000
proc 11 other
map 11 0x7f0000 0x2000 //anon
sample 11 0x7f0020
exit 11
close
== run names that a JIT compiler left in a file are packed, of each process its own
sed "s/HERE/$(cat /proc/sys/kernel/random/boot_id)/" jit.script | mklog jit.log; mkdir -p left/tmp other/tmp nothing
printf '7f0000 100 ten\n7f0100 80 caller\n' >left/tmp/perf-10.map
printf '7f0000 100 old\n7f0000 100 eleven\n7f0100 80 café\n7f0200 100 root\n7f0900 100 unused\n' >left/tmp/perf-11.map
for pid in 10 11 12; do echo '7f0000 1000 wrong' >other/tmp/perf-$pid.map; done; cp other/tmp/perf-12.map left/tmp
# When the first process of pid 11 ran; the second one began a minute later.
touch -d @1000000001 left/tmp/* other/tmp/*
pmcstat -q -r left -R jit.log --folded | tee here
pmcstat -q -r left -R jit.log --pack packed.log
pmcstat -q -r nothing -R packed.log --folded | cmp here -
pmcstat -q -r other -R packed.log --folded | cmp here -
pmcstat -q -r nothing -R packed.log --pack again.log && cmp packed.log again.log
pmclog info packed.log | sed -n 's/  *APPENDIX  */appendix: /p'
== out
java;0x7f0810 1
java;caller;ten 3
node;0x7f0310 1
node;root;café;eleven 2
other;eleven 1
ruby;0x7f0110;told 1
appendix: 3
== file reused.script
origin boot-id=HERE
poke 32 u64:1000000000
pmc 1 cpu-clock
proc 10 sh
proc 9 java
map 9 0x7f0000 0x2000 //anon
sample 9 0x7f0010
exec 11 node
map 11 0x7f0000 0x2000 //anon
sample 11 0x7f0010 x4
exit 11
exec 12 node
map 12 0x7f0000 0x2000 //anon
sample 12 0x7f0010 x3
exit 12
time 60000000000
fork 10 11
map 11 0x7f0000 0x2000 //anon
sample 11 0x7f0010 x2
exec 12 other
map 12 0x7f0000 0x2000 //anon
sample 12 0x7f0010 x5
exec 13 late
map 13 0x7f0000 0x2000 //anon
sample 13 0x7f0010
close
== run what a process left names no code of one that got its pid later, nor of one before
sed "s/HERE/$(cat /proc/sys/kernel/random/boot_id)/" reused.script | mklog reused.log; mkdir -p reused/tmp
for pid in 9 11 12 13; do echo "7f0000 1000 of$pid" >reused/tmp/perf-$pid.map; done
touch -d @999990000 reused/tmp/perf-9.map; touch -d @1000000001 reused/tmp/perf-11.map
touch -d @1000000061 reused/tmp/perf-1[23].map
pmcstat -r reused -R reused.log --folded
pmcstat -q -r reused -R reused.log --pack reused.packed; pmcstat -q -r nothing -R reused.packed --folded
== out
java;0x7f0010 1
late;of13 1
node;0x7f0010 3
node;of11 4
other;of12 5
sh;0x7f0010 2
java;0x7f0010 1
late;of13 1
node;0x7f0010 3
node;of11 4
other;of12 5
sh;0x7f0010 2
== err
pmcstat: 3 samples (18.75%): /tmp/perf-12.map was not used for process 12: it was last written at 2001-09-09 01:47:41 UTC, after that had ended at 2001-09-09 01:46:40 UTC
pmcstat: 2 samples (12.50%): /tmp/perf-11.map was not used for process 11: it was last written at 2001-09-09 01:46:41 UTC, before that began at 2001-09-09 01:47:40 UTC
pmcstat: 1 samples (6.25%): /tmp/perf-9.map was not used for process 9: it was last written at 2001-09-08 23:00:00 UTC, before the log began at 2001-09-09 01:46:40 UTC
pmcstat: quality: 16 samples of cpu-clock; lost 0 (0.00%); throttled 0; unresolved 37.50%, of them unmapped 0.00%; truncated chains 0
== log version.log
pmc 1 cpu-clock
proc 10 java
sample 10 0x401010
close
raw 400016ee0000000000000000000000004c58413103000000772936fe110000000000000000000000010000000000000078da6302000003000300000000000000
== log endless.log
pmc 1 cpu-clock
proc 10 java
sample 10 0x401010
close
raw 480016ee0000000000000000000000004c58413103000000d47b50d31b0000000000000000000000120000000000000078da63e4fa0f038c02027989b9a90071330ac50000000000
== run 65 names of another version, and a name without an end, are told
for log in version endless; do pmcstat -q -R $log.log --folded 2>&1; s=$?; done; exit $s
== out
pmcstat: version.log: record 6 at 0x1c0: 1 bytes that are no names of version 1
pmcstat: hint: pmcstat -R LOG --pack NEW.log packs it again, where its programs are
java;[unknown] 1
pmcstat: endless.log: record 6 at 0x1c0: 18 bytes that are no names of version 1
pmcstat: hint: pmcstat -R LOG --pack NEW.log packs it again, where its programs are
java;[unknown] 1
== run 64 a packed log is a file that is not compressed, and one
for o in '--pack out.pmcz' '--compress --pack new.log' '--pack localhost:1' '--pack -' '--rotate 10m --pack new.log' \
'-T --pack new.log' '--pack /dev/full'; do pmcstat --collector=fake:script -S cpu-clock $o; s=$?; done 2>&1 | sed '/hint: pmcstat --help/d'
test -e out.pmcz || exit 64
== out
pmcstat: option --pack adds nothing to a log that is compressed: it needs another file than -O
pmcstat: option --pack adds nothing to a log that is compressed: it needs another file than -O
pmcstat: option --pack needs a log that is a file: -R FILE or -O FILE
pmcstat: option -O - and outputs are mutually exclusive
pmcstat: option --rotate goes with no output, nor with --dump and -T: they read one file
pmcstat: option -T and outputs are mutually exclusive
pmcstat: /dev/full is not a file that outputs can be made from
pmcstat: hint: name a file, or leave -O out to have outputs and no log
