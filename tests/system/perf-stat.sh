#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# What is counted of a program that does the same in each run is what perf stat counts, to the last one: a program
# whose addresses are not random faults as often each time, but for what the machine does meanwhile.
# shellcheck disable=SC2317 # functions are called by least
# shellcheck source=tests/system/lib.sh
. "${srcdir:?}/tests/system/lib.sh"
compiled count system/count.c -O1 -pthread
needs_recording
perf stat -x , -e page-faults true >/dev/null 2>&1 || skip_all 'no perf stat that counts here'
setarch -R true 2>/dev/null || skip_all 'addresses are random here'

# least COMMAND...: of five runs; what the machine does meanwhile adds to a count and never takes.
least() {
	for _ in 1 2 3 4 5; do
		"$@"
	done | sort -n | head -n 1
}
# in_perfs_environment COMMAND...: perf adds to the environment of what it runs, which may take one more page of the
# program's stack, a fault. A perf around pmcstat, which does not count the program, adds the same for it.
in_perfs_environment() {
	setarch -R perf stat -i -x , -o other.counts -e task-clock "$@"
}
# by_perf PROGRAM... / by_us PROGRAM...: its page faults, with what $how says of children.
by_perf() {
	# shellcheck disable=SC2086
	setarch -R perf stat $how -x , -o perf.counts -e "$events" "$@" >/dev/null && sed -n '/page-faults/s/,.*//p' perf.counts
}
by_us() {
	# shellcheck disable=SC2086
	in_perfs_environment pmcstat -q $how -o our.counts "$@" && awk '$1 != "#" && NF { print $1 }' our.counts
}
# equal TITLE HOW-OF-PERF HOW-OF-OURS PROGRAM...
equal() {
	title=$1 how=$2 ours=$3
	shift 3
	want=$(least by_perf "$@")
	how=$ours
	is "$title" "$(least by_us "$@")" "${want:-perf counted nothing}"
}
events=page-faults
equal 'a program' '' '-p page-faults' ./count out faults 2000
equal 'with its children' '' '-d -p page-faults' ./count out faults 500 children 20
equal 'without them' -i '-p page-faults' ./count out faults 500 children 20
equal 'at its exit' '' '-E -p page-faults -O exit.log' ./count out faults 2000
is 'which is in the log' "$(pmcstat --dump -R exit.log | awk '$1 == "exitval" { n += $4 } END { print n }')" \
	"$(awk '$1 != "#" && NF { print $1 }' our.counts)"
events='{page-faults,minor-faults}'
equal 'a group' '' '-d -p {page-faults,minor-faults}' ./count out faults 500 children 3
events=page-faults
by_summary() {
	in_perfs_environment pmcstat --summary -o our.summary "$@" && sed -n 's/^page faults  *\([0-9]*\) .*/\1/p' our.summary
}
how=
want=$(least by_perf ./count out faults 2000 children 3)
is 'a summary, with children' "$(least by_summary ./count out faults 2000 children 3)" "$want"

# A child that was there before its parent became a target.
mkfifo go
sh -c './count out wait go faults 5000; exit 0' &
target=$!
pmcstat -w 0.02 -C -p page-faults -d -p page-faults -t $target -o t.counts &
counter=$!
until_true test -s t.counts
echo >go
wait $target $counter
set -- "$(awk '$1 != "#" && NF { a = $1 } END { print a }' t.counts)" "$(awk '$1 != "#" && NF { a = $2 } END { print a }' t.counts)"
if [ "$1" -lt 500 ] && [ "$2" -ge 5000 ] && [ "$2" -lt 5500 ]; then
	verdict yes '-d is of the children that a running target has, too'
else
	verdict no '-d is of the children that a running target has, too' "$1 and $2"
fi
finish
