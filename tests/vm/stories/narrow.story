32-bit programs on 64-bit kernels: their own operations, and their call chains.
== machine amd64 pmu
== needs hwpmcctl32 chain32
== file operations
version
dynevents soft
rowinfo 0 3
log log
allocate c tc
id c
attach c self
rw c new 0x123456789abcdef0
rw c old
is c = 0x123456789abcdef0
rw c new 0
rowinfo 0 1
start c
spin 50
stop c
rw c old
is c > 40000000
is c < 0x100000000
allocate s ts flags=callchain count=0x123456789
setcount s 1000000
attach s self
start s
spin 50
stop s
flushlog
writelog 7
logstats
closelog
allocate k ss flags=kgmon
start k
waitkgmon k
stop k
kgmon k
allocate c 4
bad 12
unknown 0x5b63
release c
rw c old
== file seen
# seen EVENT LEAF CHAIN PROGRAM...: its samples in a function, run for as long as it takes to have some
seen() {
	event=$1 leaf=$2 chain=$3
	shift 3
	for n in 50000000 200000000 1000000000; do
		pmcstat -q --collector=hwpmc -n 1000000 -P $event -O out.log "$@" $n 2>said || cat said
		pmcstat -q -R out.log --folded 2>said | grep ";$leaf [0-9]*$" >samples
		awk '{ n += $NF } END { exit n < 20 }' samples && break
	done
	awk -v want="$chain" '{ all += $NF } $0 ~ want { right += $NF } END { print all && right == all ? "all" : right "/" all }' samples
}
== run each operation says to them what it says to others
taskset 1 hwpmcctl <operations >wide 2>&1
taskset 1 hwpmcctl32 <operations >narrow 2>&1
diff wide narrow
grep -v '^dynevents' narrow
== out
version: as in hwpmc.h
rowinfo 0 3: SOFT-2 free enabled owner none -
log log: ok
allocate c tc: ok
id c: 0xfff03f01
attach c self: ok
rw c new 0x123456789abcdef0: ok
rw c old: ok
is c = 0x123456789abcdef0: yes
rw c new 0: ok
rowinfo 0 1: SOFT-0 thread enabled owner none -
start c: ok
spin 50: ok
stop c: ok
rw c old: ok
is c > 40000000: yes
is c < 0x100000000: yes
allocate s ts flags=callchain count=0x123456789: ok
setcount s 1000000: ok
attach s self: ok
start s: ok
spin 50: ok
stop s: ok
flushlog: ok
writelog 7: ok
logstats: some samples, some bytes, 0 lost, 0 dropped, error 0
closelog: ok
allocate k ss flags=kgmon: ok
start k: ok
waitkgmon k: some in the kernel, some outside
stop k: ok
kgmon k: some in the kernel, some outside
allocate c 4: EINVAL
bad 12: EFAULT
unknown 0x5b63: ENOTTY
release c: ok
rw c old: EINVAL
== run their chains are whole, in interrupts and, where there is a PMU, in NMIs
. ./seen
case " $IS " in
*\ pmu\ *) events='cpu-clock cycles:u' ;;
*) events=cpu-clock ;;
esac
for event in $events; do
	seen $event spin ';main;below;below;below;below;below;spin ' chain32 6
done | uniq
== out
all
== run also where a function has no frame yet
. ./seen
seen cpu-clock leaf ';main;calls_leaf;leaf ' chain32 leaf
== out
all
