The functions for other modules: kapi_demo.ko calls them for who writes to /proc/kapi_demo.
== machine smp exact
== run counters of a task: what cannot be, is refused
insmod /pmc/kapi_demo.ko
do_() {
	echo "$*" >/proc/kapi_demo
	echo "$*: $(cat /proc/kapi_demo)"
}
do_ type -1
do_ type 1
do_ type 16
do_ type 63
do_ type -2
do_ enabled
do_ configured 1
do_ value 1
do_ enable 1
do_ disable 1
do_ free 1
do_ configure 63 1 1
do_ configure -1 1 1
do_ configure 1 1 999
do_ configure 1 4 0
do_ configured 1
do_ configure 1 1 1
do_ configured 1
do_ running 1
do_ enabled
do_ configure 1 1 1 5
do_ value 1
do_ enable 1
do_ running 1
do_ configure 1 1 1
do_ disable 1
do_ running 1
do_ free 1
do_ enabled
rmmod kapi_demo
== out
type -1: 1024
type 1: 15
type 16: 15
type 63: -22
type -2: -22
enabled: 0
configured 1: 0
value 1: -22
enable 1: -22
disable 1: -22
free 1: ok
configure 63 1 1: -22
configure -1 1 1: -22
configure 1 1 999: -22
configure 1 4 0: -22
configured 1: 0
configure 1 1 1: ok
configured 1: 1
running 1: 0
enabled: 1
configure 1 1 1 5: ok
value 1: 5
enable 1: ok
running 1: 1
configure 1 1 1: -16
disable 1: ok
running 1: 0
free 1: ok
enabled: 0
== run children start from zero, and are added to their parent's when they exit, once
insmod /pmc/kapi_demo.ko
# In this process: what is between $( and ) is a child.
ask() {
	echo "$*" >/proc/kapi_demo
	read -r answer </proc/kapi_demo
}
# Page faults: a program that touches 4 MB has 1,024 in it.
ask configure 1 1 2 1000000
ask configure 2 1 2
ask enable 1
(
	ask value 1
	[ "$answer" -lt 10000 ] || echo "a child starts from $answer"
	ask running 2
	[ "$answer" = 0 ] || echo 'a child has a counter that was not running'
	dd if=/dev/zero of=/dev/null bs=4M count=1 2>/dev/null
	ask children 1
	[ "$answer" -ge 1024 ] && [ "$answer" -lt 2048 ] || echo "a grandchild had $answer"
	echo "$answer" >of-grandchild
	ask value 1
	echo "$answer" >in-child
)
child=$(($(cat in-child) + $(cat of-grandchild)))
ask children 1
children=$answer
[ "$children" -ge $child ] && [ "$children" -lt $((child + 1000)) ] || echo "$children of $child"
# A child that was accumulated before its exit is not, again.
(
	dd if=/dev/zero of=/dev/null bs=4M count=1 2>/dev/null
	ask accumulate 1
	echo "$answer"
)
ask children 1
again=$((answer - children))
[ $again -ge 1024 ] && [ $again -lt 2048 ] || echo "$again again"
ask value 1
[ "$answer" -gt 1000000 ] && [ "$answer" -lt 1010000 ] || echo "the parent had $answer"
ask disable 1
rmmod kapi_demo
== out
ok
== run the kernel's counters take their row on every CPU
insmod /pmc/kapi_demo.ko
do_() {
	echo "$*" >/proc/kapi_demo
	echo "$*: $(cat /proc/kapi_demo)"
}
do_ configure 1 1 1
do_ kernel configure 1 1 0
do_ kernel configure 2 1 0
do_ configured 2
do_ configure 2 1 1
do_ kernel configure 2 1 0
echo 'rowinfo 0 2' | hwpmcctl
do_ kernel running 2
do_ kernel enable 2
do_ running 2
do_ kernel value 2 >first
do_ kernel value 2 >second
cmp -s first second && echo 'the clock stands'
do_ kernel disable 2
do_ kernel value 2 >first
do_ kernel value 2 >second
cmp first second
do_ stop 2
do_ kernel free 2
do_ kernel free 2
echo 'rowinfo 0 2' | hwpmcctl
rmmod kapi_demo
== out
configure 1 1 1: ok
kernel configure 1 1 0: -16
kernel configure 2 1 0: ok
configured 2: 1
configure 2 1 1: -16
kernel configure 2 1 0: -16
rowinfo 0 2: SOFT-1 standalone enabled owner none -
kernel running 2: 0
kernel enable 2: ok
running 2: 1
kernel disable 2: ok
stop 2: -22
kernel free 2: ok
kernel free 2: -22
rowinfo 0 2: SOFT-1 free enabled owner none -
== run profiling
insmod /pmc/kapi_demo.ko
do_() {
	echo "$*" >/proc/kapi_demo
	echo "$*: $(cat /proc/kapi_demo)"
}
million_ns=18446744073708551616
do_ profile 2 1 0 5
do_ profile 2 1 0 18446744073709551516
do_ samples 2
do_ profile 2 1 0 $million_ns
do_ running 2
do_ kernel free 2
spin 30000000
dd if=/dev/zero of=/dev/null bs=1 count=30000 2>/dev/null
do_ samples 2
do_ stop 2
do_ samples 2
rmmod kapi_demo
== out
profile 2 1 0 5: -22
profile 2 1 0 18446744073709551516: -22
samples 2: -22
profile 2 1 0 18446744073708551616: ok
running 2: 1
kernel free 2: -22
samples 2: some in the kernel, some outside
stop 2: ok
samples 2: -22
== run a module that uses the functions keeps hwpmc there; counters that it leaves go with hwpmc
insmod /pmc/kapi_demo.ko
rmmod hwpmc 2>/dev/null && echo 'it went'
echo configure 1 1 1 >/proc/kapi_demo
echo enable 1 >/proc/kapi_demo
echo kernel configure 2 1 0 >/proc/kapi_demo
rmmod kapi_demo
spin 1000 && rmmod hwpmc && insmod /pmc/hwpmc.ko
