#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Every command of pmcstat-tutorial(7) does what the page says, in the page's order.
# shellcheck source=tests/system/lib.sh
. "${srcdir:?}/tests/system/lib.sh"
needs_recording
command -v cc >/dev/null || skip_all 'no cc'

page=$srcdir/man/pmcstat-tutorial.7
sed -n '/^#include/,/^\.Ed/p' "$page" | sed '$d; s/\\e/\\/g' >work.c
sed -n 's/^\.Dl //p' "$page" >commands

i=0
while read -r command; do
	i=$((i + 1))
	sh -c "$command" >"out$i" 2>"err$i" </dev/null
	status=$?
	[ $i -ne 1 ] || [ -x work ] || skip_all "no compiler: $(head -n 1 err1)"
	is "$command" $status 0
done <commands

# shown FILE FUNCTION LOW HIGH: its share of the whole.
shown() {
	awk -v f="$2" -v low="$3" -v high="$4" '
		$4 == f || $5 == f { share = $1 + 0; found = 1 }
		END { print (!found ? "not there" : share >= low && share <= high ? "as said" : share) }' "$1"
}
is 'the overview has the hottest function first' "$(awk '/FUNCTION/ { getline; print $(NF - 1) }' out2)" count
is 'its callers' "$(grep -oE ' (parse|format)$' out3 | sort -u | tr -d '\n')" ' format parse'
is 'parse has 60 percent' "$(shown out4 parse 50 70)" 'as said'
is 'format has 40 percent' "$(shown out4 format 30 50)" 'as said'
is 'its lines are shown' "$(grep -c 'sum += i' out5)" 1
is 'both pictures are files' "$(head -c 5 work.svg) $(head -c 15 work.html)" '<?xml <!DOCTYPE html>'
is 'parse has become less, for sure' "$(awk '$7 ~ /^[0-9]/ && $8 == "parse" { print $1 < 0, $3; exit }' out12)" '1 real'
is 'both events are counted' "$(sed -n '1s/ \{1,\}/ /gp' err13)" '# p/task-clock p/page-faults'
finish
