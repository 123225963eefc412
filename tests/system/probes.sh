#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# A uprobe, which is a tracepoint once it is there, counts each call of a function.
#
# Where tracefs is not mounted root has a mount that this script alone sees.
if [ ! -e /sys/kernel/tracing/events ] && [ -z "${PRIVATE_MOUNTS-}" ] &&
	unshare -m mount -t tracefs nodev /sys/kernel/tracing 2>/dev/null; then
	# shellcheck disable=SC2016
	PRIVATE_MOUNTS=1 exec unshare -m sh -c 'mount -t tracefs nodev /sys/kernel/tracing && exec sh "$0"' \
		"${srcdir:?}/tests/system/probes.sh"
fi
# shellcheck source=tests/system/lib.sh
. "${srcdir:?}/tests/system/lib.sh"

compiled calls vm/programs/calls.c -O1
needs_recording
probes=/sys/kernel/tracing/uprobe_events group=pmcstat_test_$$
echo "p:$group/known $dir/calls:$(./calls offset)" 2>/dev/null >>$probes ||
	skip_all "this user cannot put a probe into a program"
trap 'echo "-:$group/known" >>$probes; rm -rf "$dir"' EXIT HUP INT TERM

pmcstat -o counts -p "$group:known" ./calls 4321
is 'a count for each call' "$(awk '$1 != "#" && NF { print $1 }' counts)" 4321
pmcstat -q -n 1 -P "$group:known" -O log ./calls 123
is 'a sample for each call, in the function' "$(pmcstat -q -R log --folded | sed 's/.*;//')" 'known 123'
pmcstat -p "$group:unknown" true 2>err
is 'one that is not there' "$(head -n 1 err)" "pmcstat: this kernel has no tracepoint $group:unknown"
finish
