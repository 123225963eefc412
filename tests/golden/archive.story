--archive: a tar of the files that names and code came from, by the names under which -r finds them.
== elf app
type exec
build-id 0102030405060708
text 0x401000 0x1000
symbol leaf 0x401000 0x100
symbol main 0x401100 0x100
== elf other
type exec
build-id aabbccdd
text 0x401000 0x1000
symbol wrong 0x401000 0x100
== elf vmlinux
type exec
build-id 11223344
text 0xffffffff81000000 0x2000
symbol _stext 0xffffffff81000000 0x100
symbol do_work 0xffffffff81001000 0x100
== elf app.debug
type exec
debug-only
build-id 0102030405060708
text 0x401000 0x1000
symbol leaf 0x401000 0x100
symbol main 0x401100 0x100
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
map kernel 0xffffffff81000000 0x2000 [kernel] build-id=11223344
exec 10 /bin/app
map 10 0x401000 0x1000 /bin/app off=0x1000 build-id=0102030405060708
map 10 0x501000 0x1000 "/bin/new\x0aline\x1b[2J" off=0x1000
map 10 0x601000 0x1000 /srv/../app off=0x1000
sample 10 0x401010,0x401110 x3
sample 10 0x501010
sample 10 0x601010
sample 10 0xffffffff81001010 k
sample 10 0xffffffffc0000010 k
close
== log hostile.log
origin boot-id=0123
pmc 1 cpu-clock
exec 10 /bin/app
map 10 0x401000 0x1000 /bin/app off=0x1000 build-id=aabbccdd
map 10 0x501000 0x1000 /../outside off=0x1000
map 10 0x601000 0x1000 /dev/fifo off=0x1000
map 10 0x701000 0x1000 /bin off=0x1000
map 10 0x801000 0x1000 "/no\x0afile" off=0x1000
map 10 0x901000 0x1000 //anon
sample 10 0x401010
sample 10 0x501010
sample 10 0x601010
sample 10 0x701010
sample 10 0x801010
sample 10 0x901010
close
== run files lie below the root as they are looked for; the kernel at its build-id, whatever its release
mkdir -p root/bin root/srv root/dev root/proc/sys/kernel/random root/usr/lib/debug/.build-id/11 r/r && cp app root/bin && cp app root
cp app "$(printf 'root/bin/new\nline\033[2J')"; cp app outside; mkfifo root/dev/fifo
cp kallsyms root/proc && cp boot_id root/proc/sys/kernel/random
mv vmlinux root/usr/lib/debug/.build-id/11/223344.debug
TZ=UTC find root -type f -exec touch -t 202001020304.05 {} +; chmod 755 root/bin/app
pmcstat -q -r root/ -R out.log --archive out.tar && tar tvf out.tar | tr -s ' ' | sed 's/ [0-9]* 20/ SIZE 20/'
== out
-rw-r--r-- 0/0 SIZE 2020-01-02 03:04 app
-rwxr-xr-x 0/0 SIZE 2020-01-02 03:04 bin/app
-rw-r--r-- 0/0 SIZE 2020-01-02 03:04 bin/new\nline\033[2J
-rw-r--r-- 0/0 SIZE 2020-01-02 03:04 proc/kallsyms
-rw-r--r-- 0/0 SIZE 2020-01-02 03:04 proc/sys/kernel/random/boot_id
drwxr-xr-x 0/0 0 1970-01-01 00:00 srv/
-rw-r--r-- 0/0 SIZE 2020-01-02 03:04 usr/lib/debug/.build-id/11/223344
== run another root made of it gives the same report
mkdir copy && tar xf out.tar -C copy && pmcstat -r root -R out.log --flat >there 2>&1; pmcstat -r copy -R out.log --flat >here 2>&1; cmp there here && sed -n '/^quality/!p' here
== out
@ cpu-clock [7 samples]
  SELF%       SELF  TOTAL%      TOTAL  FUNCTION  OBJECT
  42.86          3   42.86          3  leaf  /bin/app
  14.29          1   14.29          1  do_work  [kernel]
  14.29          1   14.29          1  leaf  new\012line\033[2J
  14.29          1   14.29          1  leaf  /srv/../app
  14.29          1   14.29          1  work  [modul]
   0.00          0   42.86          3  main  /bin/app

== run it is the same each time, to standard output too
pmcstat -q -r root -R out.log --archive - | cmp - out.tar && echo same
== out
same
== run what another one's archive is made of is the same
pmcstat -q -r copy -R out.log --archive - | cmp - out.tar && echo same
== out
same
== run nothing leaves the root, devices stay closed, and what is missing is said
cp other root/bin/other; pmcstat -q -r root -R hostile.log --archive hostile.tar; tar tf hostile.tar
== out
== err
pmcstat: hostile.tar: without 5 files that samples are in:
pmcstat:   /bin/app: root/bin/app has build-id 0102030405060708, but the file that was profiled has aabbccdd
pmcstat:   root/../outside: its path leads out of the root directory
pmcstat:   /dev/fifo: cannot open root/dev/fifo: not a regular file
pmcstat:   /bin: cannot open root/bin: not a regular file
pmcstat:   /no\012file: cannot open root/no\012file: No such file or directory
== run of a file and its debug file that both lie at its build-id the one with code is mapped
mkdir -p id/usr/lib/debug/.build-id/01 && cp app id/usr/lib/debug/.build-id/01/02030405060708 && cp app.debug id/usr/lib/debug/.build-id/01/02030405060708.debug
pmcstat -q -r id -R out.log --annotate leaf --asm | awk '/ 401010/ { print (NF > 5 ? "an instruction" : "none") }'
== out
an instruction
== run a name that has no room in a header
long=$(printf '%0120d' 0); mkdir -p "deep/$long" && cp app "deep/$long/app"
printf '%s\n' 'pmc 1 cpu-clock' 'exec 10 /app' "map 10 0x401000 0x1000 /$long/app off=0x1000" 'sample 10 0x401010' | mklog long.log
pmcstat -q -r deep -R long.log --archive long.tar && tar tf long.tar | sed "s/$long/LONG/" && mkdir far && tar xf long.tar -C far && cmp deep/*/app far/*/app
== out
LONG/app
== run 74 a failed write is an error
pmcstat -q -r root -R out.log --archive /dev/full
== err
pmcstat: /dev/full: No space left on device
pmcstat: hint: make room for more
== run 64 it takes the place of nothing that it is to hold
pmcstat -q -r root -R out.log --archive root/bin/app; cmp app root/bin/app && (exit 64)
== err
pmcstat: --archive would overwrite root/bin/app
== run 64 sources need an archive
pmcstat -R out.log --flat --archive-sources
== err
pmcstat: option --archive-sources needs --archive
pmcstat: hint: pmcstat --help lists the options
== log module.log
origin boot-id=0123
pmc 1 cpu-clock
map kernel 0xffffffffc0000000 0x1000 [modul] build-id=0a0b0c0d
sample 10 0xffffffffc0000010 k
close
== run of a module what tells the build that is loaded is there, too, and another build is not taken for it
mkdir -p m/proc/sys/kernel/random m/sys/module/modul/notes && cp kallsyms m/proc && cp boot_id m/proc/sys/kernel/random
note=m/sys/module/modul/notes/.note.gnu.build-id
printf '\4\0\0\0\4\0\0\0\3\0\0\0GNU\0\12\13\14\15' >$note
pmcstat -q -r m -R module.log --archive m.tar && tar tf m.tar && mkdir mcopy && tar xf m.tar -C mcopy
pmcstat -q -r mcopy -R module.log --folded
printf '\4\0\0\0\4\0\0\0\3\0\0\0GNU\0\12\13\14\16' >$note
pmcstat -r m -R module.log --folded 2>&1 | sed '/quality/d'
== out
proc/kallsyms
proc/sys/kernel/random/boot_id
sys/module/modul/notes/.note.gnu.build-id
pid-10;work 1
pid-10;0xffffffffc0000010 1
pmcstat: 1 samples (100.00%): the kernel has [modul] with build-id 0a0b0c0e now, the log with 0a0b0c0d
