Instructions that the functions for other modules count: a loop of 20,000,000 is in the child alone.
== machine exact
== run a child's loop, in its own count and in its parent's of children
insmod /pmc/kapi_demo.ko
ask() {
	echo "$*" >/proc/kapi_demo
	read -r answer </proc/kapi_demo
}
ask num
[ "$answer" -gt 17 ] || echo 'no counters of the CPU'
ask configure 17 0 1
ask enable 17
spin 10000000
ask children 17
first=$answer
spin 20000000
ask children 17
second=$((answer - first))
ask value 17
# What programs need to start and end is the same in both.
[ "$first" -gt 20000000 ] && [ "$first" -lt 30000000 ] || echo "first $first"
difference=$((second - first - 20000000))
[ $difference -gt -200000 ] && [ $difference -lt 200000 ] || echo "second differs by $difference"
[ "$answer" -lt 10000000 ] || echo "the parent counted $answer"
ask type 17
echo "$answer"
ask disable 17
rmmod kapi_demo
== out
1
