#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The tables of pmc(3) name the events, default rates and aliases of src/pmc/events/event_table.c, in its order.
set -u
# shellcheck source=tests/tap.sh
. "${srcdir:?}/tests/tap.sh"
table=$srcdir/src/pmc/events/event_table.c
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

# same TITLE FILE FILE
same() {
	clean "$1" "$(diff -u "$2" "$3")"
}

clean "every row of the table is understood ($rows rows, $none not on Linux)" "$(
	[ "$(wc -l <"$dir/events.c")" -eq $((rows - none)) ] || echo 'a row is not understood'
	[ "$rows" -gt 50 ] || echo 'the table is too short'
)"
same 'pmc(3) lists the events and their rates' "$dir/events.c" "$dir/events.man"
same 'pmc(3) lists the aliases' "$dir/aliases.c" "$dir/aliases.man"
sed -n 's/^	NONE("\([^"]*\)".*/.Li \1/p' "$table" >"$dir/none"
clean 'pmc(3) names what Linux has not' "$(while read -r line; do
	grep -q "^$line" "$page" || echo "no line begins with $line"
done <"$dir/none")"
finish
