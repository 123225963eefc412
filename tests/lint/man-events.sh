#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The tables of pmc(3) name the events, default rates and aliases of src/pmc/event_table.c, in its order.
set -u
: "${srcdir:?}"
table=$srcdir/src/pmc/event_table.c
page=$srcdir/man/pmc.3
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT HUP INT TERM

# A row is a macro in one line: its name is the first text, its rate the last number before the last text.
sed -n 's/^	CLOCK("\([^"]*\)".*/\1 1000000/p
	s/^	[A-Z]*("\([^"]*\)".*, \([0-9]*\), "[^"]*"),$/\1 \2/p' "$table" >"$dir/events.c"
sed -n 's/^.It Li \([^ ]*\) Ta \([0-9]*\) Ta .*/\1 \2/p' "$page" >"$dir/events.man"
sed -n 's/^	{"\([^"]*\)", "\([^"]*\)"},$/\1 \2/p' "$table" >"$dir/aliases.c"
sed -n 's/^.It Li \([^ ]*\) Ta Li \(.*\)/\1 \2/p' "$page" >"$dir/aliases.man"
rows=$(grep -c '^	[A-Z]*("' "$table")
none=$(grep -c '^	NONE("' "$table")

tests=0
failed=0
# check NAME STATUS
check() {
	tests=$((tests + 1))
	if [ "$2" -eq 0 ]; then
		echo "ok $tests - $1"
	else
		echo "not ok $tests - $1"
		failed=1
	fi
}

# same NAME FILE FILE
same() {
	status=0
	diff -u "$2" "$3" >"$dir/diff" || status=1
	sed 's/^/# /' "$dir/diff"
	check "$1" $status
}

status=0
[ "$(wc -l <"$dir/events.c")" -eq $((rows - none)) ] || status=1
[ "$rows" -gt 50 ] || status=1
check "every row of the table is understood ($rows rows, $none not on Linux)" $status
same "pmc(3) lists the events and their rates" "$dir/events.c" "$dir/events.man"
same "pmc(3) lists the aliases" "$dir/aliases.c" "$dir/aliases.man"
sed -n 's/^	NONE("\([^"]*\)".*/.Li \1/p' "$table" >"$dir/none"
status=0
while read -r line; do
	grep -q "^$line" "$page" || status=1
done <"$dir/none"
check "pmc(3) names what Linux has not" $status
echo "1..$tests"
exit $failed
