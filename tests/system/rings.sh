#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# How large the rings are that a recorder gets: the capabilities of a user namespace let nobody lock more,
# and where another recorder of the user has locked what there is, they are smaller.
# shellcheck source=tests/system/lib.sh
. "${srcdir:?}/tests/system/lib.sh"
needs_recording
chmod 755 "$dir"

# size: says what the largest ring of the recorder that runs it has, in bytes, with its control page.
cat >size <<'END'
while IFS=' -' read -r from to rest; do
	case $rest in
	*perf_event*) echo $((0x$to - 0x$from)) ;;
	esac
done </proc/$PPID/maps | sort -n | tail -n 1 >&2
END
# two: that of the recorder that runs it, and of one that it runs.
cat >two <<END
. $dir/size
exec pmcstat -q --unwind=dwarf -P cpu-clock:u -n 1000000 -O - sh $dir/size
END

# ring COMMAND...: the size of the ring of a recorder that COMMAND runs
ring() {
	"$@" pmcstat -q --unwind=off -P cpu-clock:u -O - sh "$dir/size" 2>ring.err >ring.log
	cat ring.err
}

# An ordinary user has 512 KB, who may lock without bounds 1 MB.
if ! unshare -U -r pmcstat --version >/dev/null 2>&1; then
	skip 'root of a user namespace has the rings of a user' 'there are none to be had'
elif ! unshare -U -r pmcstat -q -P cpu-clock:u -O probe.log true 2>probe.err; then
	skip 'root of a user namespace has the rings of a user' "$(head -n 1 probe.err)"
else
	got=$(ring unshare -U -r)
	verdict "$([ "$got" -gt 0 ] && [ "$got" -le $((512 * 1024 + $(getconf PAGESIZE))) ] && echo yes || echo no)" \
		'root of a user namespace has the rings of a user' "$got bytes"
fi

as='' locked=$(($(getconf _NPROCESSORS_ONLN) * 1048576))
[ "$(id -u)" != 0 ] || as='setpriv --reuid 65534 --regid 65534 --clear-groups'
title='a second recorder of a user has smaller rings'
if [ "$(cat /proc/sys/kernel/perf_event_paranoid)" -lt 0 ]; then
	skip "$title" 'the kernel lets everybody lock here'
elif ! $as pmcstat -q -P cpu-clock:u -O - true >probe.log 2>probe.err; then
	skip "$title" "$(head -n 1 probe.err)"
# Of a megabyte a CPU the first has all, and all of perf_event_mlock_kb.
elif ! prlimit --memlock="$locked" true 2>probe.err; then
	skip "$title" "$(cat probe.err)"
else
	status=0
	# shellcheck disable=SC2086 # words
	prlimit --memlock="$locked" $as pmcstat -q --unwind=dwarf -P cpu-clock:u -n 1000000 -O - sh "$dir/two" >two.log 2>two.err ||
		status=$?
	is 'a second recorder of a user records' "$status" 0
	# A slow machine is told that most of the time was the second recorder's, a child's.
	# shellcheck disable=SC2046 # two words
	set -- $(grep -v '^pmcstat: [0-9]* samples of sh, which used .* of it in its children; -d samples those too$' two.err)
	verdict "$([ $# = 2 ] && [ "$2" -gt 0 ] && [ "$2" -lt "$1" ] && echo yes || echo no)" "$title" "$*"
fi
finish
