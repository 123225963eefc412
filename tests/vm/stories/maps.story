What logs say of mappings: of programs when they start, of those that come and go, of the kernel.
== machine smp
== run a program, then its mappings, then its name; the linker maps libraries after that
pmcstat -q --collector=hwpmc -P cpu-clock -O log spin 1000
# Without directories, versions and machines; from the last exec on, mappings sorted by name.
pmclog dump log | sed -n 's/"[^"]*\//"/; s/ld-linux[^"]*/ld.so/; s/libc[.-][^"]*/libc.so/; /^\(exec\|map\|create\|thr\|exit\)/p' |
	awk '$1 == "exec" { n = phase = 0 }
		$1 == "map-out" { next } # holes of libraries
		$1 == "create" || $1 ~ /exit/ { phase += 2 }
		{ line[n++] = phase + ($1 ~ /map/) " " $1 ($1 ~ /exit/ ? "" : " " $NF) }
		END { for (i = 0; i < n; i++) print line[i] }' | sort
== out
0 exec "spin"
1 map-in "[vdso]"
1 map-in "ld.so"
1 map-in "spin"
2 create "spin"
3 map-in "libc.so"
4 thr-exit
6 exit
== run what exec unmaps is not told: of a program whose code is first it maps too much as code at first
codefirst 100000000000 &
pid=$!
until grep -q libc /proc/$pid/maps; do :; done
awk '/codefirst/ && !n++ { print "mapped", $2, "from", $3 }' /proc/$pid/maps
kill $pid
pmcstat -q --collector=hwpmc -P cpu-clock -O log codefirst 1000
pmclog dump log | awk '$1 == "exec" { print "exec" ($NF ~ /codefirst"$/ ? " codefirst" : ""); told = $NF ~ /codefirst"$/ }
	/^map-out/ && !told'
== out
mapped r-xp from 00000000
exec
exec codefirst
== run executable memory that comes and goes, in parts as well
pmcstat -q --collector=hwpmc -P cpu-clock -O log maps >wanted
pmclog dump log | awk '$1 == "create" { n = ours = 0 } /\/maps"/ { ours = 1 } $1 ~ /^map/ && ours { line[n++] = $1 " " $3 " " $4 }
	END { for (i = 0; i < n; i++) print line[i] }' >logged
grep -c . wanted
diff wanted logged
== out
7
== run what a process that runs already has mapped, all of it
spin 100000000000 &
pid=$!
until grep -q libc /proc/$pid/maps; do :; done
pmcstat -q --collector=hwpmc -P cpu-clock -O log -t $pid -l 0.2
awk '$2 ~ /x/ && !/vsyscall/ { sub(/-.*/, "", $1); print "0x" $1 " \"" $6 "\"" }' /proc/$pid/maps | sort >wanted
pmclog dump log | awk -v p=$pid '$1 == "map-in" && $2 == p { print $3 " " $4 }' | sort >logged
[ $(grep -c . wanted) -ge 4 ] || cat wanted
diff wanted logged
pmclog dump log | awk -v p=$pid '($1 == "exec" && $3 == p) || ($1 == "create" && $2 == p) { print $1, $NF }' | sed 's/".*\//"/'
kill $pid
== out
exec "spin"
create "spin"
== run a process that calls exec while it is told, and becomes another program
rmmod hwpmc
insmod /pmc/hwpmc.ko nbuffers=1 logbuffersize=1
mkfifo pipe silence
printf '#!/bin/sh\n>became\nread -r _ <>silence\n' >script
chmod +x script
# The reader stops when a part of it is told, and goes on when it has become the script.
(
	exec 5<pipe
	dd bs=1024 count=40 iflag=fullblock <&5 2>/dev/null
	mv script program
	until [ -e became ]; do sleep 0.1; done
	cat <&5
) >log &
hwpmcctl <<'END' | grep -Ev '(ok|status 0)$'
allocate p ts config=cpu-clock count=1000000
log pipe
becomes it 5000 ./program
attach p it
sh until [ -e became ]; do sleep 0.1; done
start p
closelog
END
wait
pmclog dump log | awk '$1 == "attach" { pid = $3 }
	$1 == "exec" && $3 == pid { maps = 0; program = $NF; sub(".*/", "", program) }
	$1 == "map-in" && $2 == pid { maps++ }
	END { print program, (maps > 0 && maps < 1000 ? "in its own maps" : maps) }'
rm pipe silence
rmmod hwpmc
insmod /pmc/hwpmc.ko
== out
busybox" in its own maps
== run PMCs that count are not told of mappings; one that samples later is told of all, once
printf '#!/bin/sh\nuntil [ -e go ]; do sleep 0.1; done\nexec spin 100000000000\n' >program
chmod +x program
hwpmcctl <<'END' | grep -Ev '(ok|status 0)$'
allocate before ts config=cpu-clock count=1000000
allocate counts tc config=cpu-clock flags=procexit
log log
becomes it 0 ./program
sh until grep -sqx program /proc/[0-9]*/comm; do sleep 0.1; done
attach before it
start before
attach counts it
start counts
release before
sh touch go; until grep -sq r-x.*libc /proc/$(pidof spin)/maps; do sleep 0.1; done
allocate later ts config=cpu-clock count=1000000
attach later it
start later
closelog
END
rm go program
pmclog dump log | awk '$1 == "attach" { pid = $3; print "attached" }
	$1 == "exec" { n = split($NF, part, "[\"/]"); print "exec", part[n - 1]; split("", told) }
	$1 == "map-in" && $2 == pid { print "map-in" (told[$3]++ ? " again" : "") }' | uniq
== out
attached
exec busybox
map-in
attached
exec spin
attached
exec spin
map-in
== run the kernel and its modules
pmcstat -q --collector=hwpmc -S cpu-clock -O log sh -c 'insmod /pmc/kapi_demo.ko; grep ^kapi_demo /proc/modules >demo; rmmod kapi_demo'
awk '$3 == "_stext" { print "0x" $1 " \"[kernel]\"" }' /proc/kallsyms >wanted
cat /proc/modules demo | awk '{ print $6 " \"[" $1 "]\"" }' >>wanted
sort wanted >sorted
pmclog dump log | awk '$1 == "map-in" && $2 == -1 { print $3 " " $4 }' | sort -u | diff sorted -
pmclog dump log | awk '$2 == -1' | tail -n 2 | sed "s/$(awk '{ print $6 }' demo)/START/; s/ 0x.*/ END/"
== out
map-in    -1 START "[kapi_demo]"
map-out   -1 START END
== run the kernel to the end of what runs at boot alone, where all that CPU 0 does while it is idle is called from
pmclog text log | awk '$2 == "map" && $3 == "kernel" && $6 == "[kernel]" { print $4, $5 }' >kernel
read -r start length <kernel
printf '%x\n' $((start + length)) >end
awk '$3 == "_einittext" { print $1 }' /proc/kallsyms | diff - end && echo 'the end of its code'
== out
the end of its code
== run a module that is being loaded when the log is told of the kernel
insmod /pmc/stuck.ko slow=3000 &
until grep -q ^stuck /proc/modules; do sleep 0.1; done
pmcstat -q --collector=hwpmc -S cpu-clock -O log sh -c 'until grep -q "^stuck.*Live" /proc/modules; do sleep 0.1; done'
wait
awk '$1 == "stuck" { print $6 }' /proc/modules >loaded
rmmod stuck
pmclog dump log | awk '$4 == "\"[stuck]\"" { print $3 }' | diff loaded - && echo 'told where it is'
== out
told where it is
== run samples of the kernel
pmcstat -q --collector=hwpmc -n 1000000 -S cpu-clock -O kernel.log dd if=/dev/zero of=/dev/null bs=256k count=2000 2>said || cat said
awk '(NF == 3 && $2 ~ /[tT]/) || $3 ~ /^(_text|_stext|_etext)$/' /proc/kallsyms | sort >symbols
== host its functions have names by a vmlinux that was linked for other addresses, where the kernel is not
machine=$(pmclog info kernel.log | awk '$1 == "machine" { print $2 }')
sed 's/^ffff/0000/' symbols | awk -v machine="$machine" '
	BEGIN { print "type exec\nmachine " machine "\ndebug-only" }
	NR == 1 { print "text 0x" $1 " 0x8000000" }
	$3 != "_etext" { print "symbol " $3 " 0x" $1 " 0" }' | mkelf vmlinux
pmcstat -q -R kernel.log -k vmlinux --folded | grep -c ';ksys_read;vfs_read;' | sed 's/^[1-9].*/named/'
== out
named
