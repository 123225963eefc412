#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Recordings that are merged: the same chains as in each, as often as in all of them.
# shellcheck source=tests/system/lib.sh
. "${srcdir:?}/tests/system/lib.sh"
needs_recording

# shellcheck disable=SC2016
busy='i=0; while [ $i -lt 100000 ]; do i=$((i + 1)); done; sort /dev/null'
# added FILE...: chains with their counts, those of the same chain added.
added() {
	cat "$@" | awk '{ n = $NF; sub(/ [0-9]+$/, ""); of[$0] += n } END { for (c in of) print c, of[c] }' |
		LC_ALL=C sort
}
for i in 1 2; do
	pmcstat -q -n 100000 -P cpu-clock:u -O $i.log sh -c "$busy" || exit 99
	pmcstat -q -R $i.log --folded >$i.folded
done
pmclog merge -o all.log 1.log 2.log
pmcstat -q -R all.log --folded >all.folded
added 1.folded 2.folded >wanted
added all.folded >got
equal 'two recordings of this machine' got wanted
is 'are of one host' "$(pmclog info all.log | grep -c ' on ')" 0
is 'and closed' "$(pmclog check --freebsd all.log | grep -c ', closed; ')" 1

# The second one from another boot.
boot=$(pmclog info 2.log | sed -n 's/^boot *//p')
other=$(echo "$boot" | tr 0-9a-f 1-9a-f0)
LC_ALL=C sed "s/$boot/$other/" 2.log >other.log
pmclog merge 1.log other.log -o all.log
pmcstat -q -R all.log --folded >all.folded
added all.folded >got
equal 'one of another boot' got wanted
is 'is of another host' "$(pmclog dump all.log | awk '$1 == "callchain" && $2 > 10000000' | wc -l)" \
	"$(pmclog dump 2.log | grep -c ^callchain)"
finish
