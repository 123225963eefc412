Call chains on arm64 where they are hard to find: what tests/system/unwind.sh and unwind-steps.sh have for x86-64.
== machine a61 a612
== file ways
# recorded PROGRAM ARGUMENT...: a log, and its chains below the program's name, for longer where the loop was seen
# less than $least times.  $before is done before it, $comm is what processes are called if not as the program.
loop=';(spin|leaf) [0-9]+$' least=50 times='0.4 2 8'
recorded() {
	program=$1
	shift
	for time in $times; do
		eval "${before-}"
		pmcstat -q -d --collector=perf -P cpu-clock:u -O log $program $time "$@" >/dev/null 2>said || cat said
		pmcstat -q -R log --comm ${comm:-${program##*/}} --folded 2>said | sed 's/^[^;]*;//' >folded || cat said
		[ "$(awk -v loop="$loop" '$0 ~ loop { n += $NF } END { print n + 0 }' folded)" -lt $least ] || break
	done
}

# whole TITLE: 19 of 20 chains are, and there are 50.
whole() {
	pmcstat -R log --flat 2>&1 | sed -n 's/.*whole chains \([0-9]*\) of \([0-9]*\).*/\1 \2/p' |
		awk -v title="$1" '{ print title ": " ($2 >= 50 && $1 * 20 >= $2 * 19 ? "yes" : $1 " of " $2) }' | tee verdict
	grep -q yes verdict || cat folded
}

# way TITLE PATTERN: 19 of 20 chains of the loop are like that.
way() {
	awk -v way="$2" -v loop="$loop" -v least=$least -v title="$1" '$0 ~ loop { all += $NF; if ($0 ~ way) right += $NF }
		END { if (all >= least && right * 20 >= all * 19) print title ": yes"
		else print title ": " right + 0 " of " all + 0 " are right" }' folded | tee verdict
	grep -q yes verdict || grep -v -E "$2" folded | sort -t' ' -k2nr | head -n 5
}
start='^_start;.*;main'
== run frames of every kind
. ./ways
recorded called leaf
way 'a leaf without a frame' "$start;leaves;leaf "
recorded called tail
way 'behind a jump' "$start;assembly;spins;spin "
recorded called alloca
way 'a frame as large as was asked for' "$start;allocates;use;spins;spin "
recorded called aligned
way 'one that is aligned besides' "$start;aligned;use;spins;spin "
recorded called cfi
way 'assembly with CFI' "$start;assembly;asm_with_cfi;spins;spin "
whole 'whole'
recorded called frame
way 'assembly with a frame pointer alone' "$start;assembly;asm_with_frame;spins;spin "
pmclog dump log | grep -q 'end=complete guessed=[1-9]' && echo 'marked as guessed'
recorded called nothing
# Behind it is what the frame pointer leads to, three callers further, and that is said.
way 'assembly with neither' '^(_start;__libc_start_main;)?asm_without;spins;spin '
pmclog dump log | grep -c '^callchain.* guessed=3' | awk '{ print ($1 >= 50 ? "marked as guessed" : $1 " are marked") }'
== out
a leaf without a frame: yes
behind a jump: yes
a frame as large as was asked for: yes
one that is aligned besides: yes
assembly with CFI: yes
whole: yes
assembly with a frame pointer alone: yes
marked as guessed
assembly with neither: yes
marked as guessed
== run calls that are bound when they are made
. ./ways
# Most of the time the kernel maps the library.
loop=';binds;ld-linux' least=20
recorded called lazy /pmc/bin/called_lib.so
way 'while they are bound' "$start;lazy;binds;ld-linux"
whole 'whole'
== out
while they are bound: yes
whole: yes
== file in_namespace
unshare -m sh -c 'mount --bind called ns/called && exec ns/called "$@"' called "$@"
== file boxed
mount -t tmpfs none box && mkdir box/lib && mount --bind /lib box/lib && cp called box && exec chroot box /called "$@"
== run files that are gone, replaced, or another's
. ./ways
# Nobody can open the files when the programs have ended, before their samples are read.
times='2 8'
before='cp /pmc/bin/called gone'
loop=';0x[0-9a-f]+ [0-9]+$'
recorded ./gone deleted
way deleted '^0x[0-9a-f]+;__libc_start_main;[^;]*(;0x[0-9a-f]+){4} '
whole deleted
loop=';(spin|0x[0-9a-f]+) [0-9]+$'
before='cp /pmc/bin/called replaced; cp /pmc/bin/called_other other'
recorded ./replaced replaced other
cmp replaced /pmc/bin/called_other
whole replaced
mkdir ns
cp /pmc/bin/called_other ns/called
cp /pmc/bin/called called
before= comm=called
recorded 'sh in_namespace' plain
whole 'of another mount namespace'
mkdir box
recorded 'unshare -mpf sh boxed' plain
whole "a container's"
== out
deleted: yes
deleted: yes
replaced: yes
of another mount namespace: yes
a container's: yes
== run without .eh_frame_hdr
. ./ways
recorded called_nohdr plain
way 'without .eh_frame_hdr' "$start;one;two;spin "
== out
without .eh_frame_hdr: yes
== run stripped
. ./ways
loop='called_bare'
recorded called_bare plain
whole stripped
cp log bare.log
== out
stripped: yes
== host and its rows are functions, named by where they begin
nm "$root/pmc/bin/called" | awk '/ (one|two|spin|main)$/ { sub(/^0*/, ""); printf "s/called_bare+0x%s\\.\\./%s/g\n", $1, $3 }' >names
pmcstat -q -r "$root" -R bare.log --folded | sed -f names |
	awk '/;spin [0-9]+$/ { all += $NF } /;main;one;two;spin [0-9]+$/ { right += $NF } END { print (all >= 50), (right * 20 >= all * 19) }'
== out
1 1
== run stacks of 400 calls that come faster than they are unwound
pmcstat -q -d --collector=perf --unwind=dwarf -n 1 -P page-faults:u -O log called 0.1 faults 2>said
== host and overload is told
pmcstat -R log --flat 2>&1 | grep -c 'whole chains .*, overload [1-9]'
pmclog dump log | awk '/^callchain/ && / end=overload/ { n++; guessed += / guessed=/ } END { print (n > 0), (guessed * 20 >= n * 19) }'
== out
1
1 1
