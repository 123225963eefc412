#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Source lines and functions, at each row of the line tables of our own programs and of a C++ one, as libdwarf reads them:
# it shares no code with ours.
# shellcheck source=tests/system/lib.sh
. "${srcdir:?}/tests/system/lib.sh"
CXX=${CXX:-c++}
unset DEBUGINFOD_URLS
[ -x "${builddir:?}/tests/tools/dwarf_rows" ] || skip_all 'configure did not find libdwarf: apt-get install libdwarf-dev'
command -v nm >/dev/null || skip_all 'no nm'

# single: of lines "ADDRESS VALUE" those whose address has one value: of functions that several units have, each may be shown.
single() {
	sort -u | awk '{ n[$1]++; value[$1] = $2 } END { for (a in n) if (n[a] == 1) print a, value[a] }' | sort
}

# within FILE ROWS: of lines "ADDRESS VALUE", in order, those in functions: what pads the code behind them has rows, too.
within() {
	nm -n -S --defined-only "$1" >symbols
	awk '
		function number(hex,  i, n) {
			for (i = 1; i <= length(hex); i++)
				n = 16 * n + index("0123456789abcdef", substr(hex, i, 1)) - 1
			return n
		}
		NR == FNR { if (NF == 4) { low[++n] = number($1); high[n] = low[n] + number($2) } next }
		{
			at = number(substr($1, 3))
			for (; i < n && low[i + 1] <= at; i++)
				if (high[i + 1] > end)
					end = high[i + 1]
			if (at < end)
				print
		}' symbols "$2"
}

# ours WHAT FILE <WANTED: "ADDRESS LINE" of the innermost place, or "ADDRESS NAME" of the function that it is in.
ours() {
	cut -d ' ' -f 1 | symq -l -d /none "$2" | awk -v what="$1" '
		function flush() { if (address) print address, what == "lines" ? line : name }
		!even && /^0x/ { flush(); address = $1; first = 1; next }
		!even { name = $0; even = 1; next }
		{ if (first) { line = $1; sub(/.*:/, "", line) } first = even = 0 }
		END { flush() }'
}

same() { # TITLE WHAT FILE
	option=
	[ "$2" = lines ] || option=-f
	# shellcheck disable=SC2086
	dwarf_rows $option "$3" >rows 2>err || { verdict no "$1: $2" "$(cat err)"; return; }
	single <rows >one
	within "$3" one >want
	ours "$2" "$3" <want >got
	is "$1: $2" "$(wc -l <want | awk '{ print ($1 > 50) }') $(diff want got | head -n 20)" '1 '
}

program=$builddir/.libs/pmcstat
[ -e "$program" ] || program=$builddir/pmcstat
same pmcstat lines "$program"
same pmcstat functions "$program"
cat >small.cc <<'END'
#include <algorithm>
#include <iostream>
#include <map>
#include <regex>
#include <string>
#include <vector>

int main(int argc, char *argv[])
{
	std::map<std::string, std::vector<std::string>> names;
	const std::regex words("([a-z]+)([0-9]*)");
	std::smatch match;

	for (std::string name : std::vector<std::string>(argv, argv + argc))
		if (std::regex_search(name, match, words))
			names[match[1]].push_back(match[2]);
	for (auto &name : names)
		std::cout << name.first << name.second.size();
}
END
for version in 4 5; do
	if $CXX -gdwarf-$version -O2 -o small small.cc 2>err; then
		same "C++, DWARF $version" lines small
	else
		skip "C++, DWARF $version" "$CXX failed: $(head -n 1 err)"
	fi
done
finish
