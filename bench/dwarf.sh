#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# What could read debug information, beside what does: src/symbol/dwarf/, libdw and libdwarf, on a C++
# program (PROGRAM, or one that is made), and in what a profiler meets: too little memory, and files
# that were made to do harm.  Ours looks an address up every 16 bytes, the others read all there is.
set -u
: "${srcdir:?}" "${builddir:?}"
dir=$(mktemp -d "${TMPDIR:-/tmp}/pmcstat-bench.XXXXXX") || exit 99
trap 'rm -rf "$dir"' EXIT
trap 'exit 130' INT TERM
unset DEBUGINFOD_URLS

head='.text
.globl f
.type f,%function
f: .skip 64
.size f,64
.section .debug_abbrev,"",%progbits
.uleb128 1,0x11'
cat >"$dir/small.cc" <<'END'
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <map>
#include <regex>
#include <string>
#include <vector>

int main(int argc, char *argv[])
{
	std::map<std::string, std::vector<std::string>> names;
	std::vector<std::string> all(argv, argv + argc);
	const std::regex words("([a-z]+)([0-9]*)");
	std::smatch match;

	std::sort(all.begin(), all.end());
	for (auto &name : all)
		if (std::regex_search(name, match, words))
			names[match[1]].push_back(std::filesystem::path(name).filename());
	for (auto &name : names)
		std::cout << name.first << name.second.size();
}
END
g++ -std=c++17 -O2 -g -o "$dir/small" "$dir/small.cc" || exit 69

# 1,000,000 entries of one byte, each with 20,000 attributes that take none.
{
	echo "$head"
	echo '.byte 1
.uleb128 0x11,1,0x12,1,0,0,2,0x2e
.byte 0
.rept 20000
.byte 0x3f,0x19
.endr
.byte 0,0,0
.section .debug_info,"",%progbits
.long 2f-1f
1: .short 4
.long 0
.byte 8
.uleb128 1
.quad f,f+64
.fill 1000000,1,2
.byte 0
2:'
} >"$dir/attributes.s"
# A line program of 4 MB, each byte of it a row.
{
	echo "$head"
	echo '.byte 0
.uleb128 0x11,1,0x12,1,0x10,0x17,0,0
.byte 0
.section .debug_info,"",%progbits
.long 2f-1f
1: .short 4
.long 0
.byte 8
.uleb128 1
.quad f,f+64
.long 0
2:
.section .debug_line,"",%progbits
.long 4f-3f
3: .short 4
.long 6f-5f
5: .byte 1,1,1,1,1,10,0,1,1,1,1,0,0,0,1,0
.asciz "a.c"
.byte 0,0,0,0
6: .byte 0,9,2
.quad f
.fill 4000000,1,11
.byte 0,1,1
4:'
} >"$dir/rows.s"
for name in attributes rows; do
	gcc -nostdlib -shared -o "$dir/$name" "$dir/$name.s" || exit 69
done

# limited READER: how it reads pmcstat where the address space is limited, to more each time.
limited() {
	kb=6000 crashed=0 told=0 whole=0
	want=$("$1" "$builddir/pmcstat" | sed 's/.* MB, //')
	while [ $whole -lt 10 ]; do
		# shellcheck disable=SC3045
		(ulimit -c 0 && ulimit -v $kb && exec "$1" "$builddir/pmcstat") >"$dir/out" 2>"$dir/err"
		case $?:$(sed 's/.* MB, //' "$dir/out") in
		134:* | 139:*) crashed=$((crashed + 1)) ;;
		"0:$want") whole=$((whole + 1)) ;;
		*) told=$((told + 1)) ;;
		esac
		kb=$((kb + 40))
	done 2>"$dir/err"
	echo "$crashed limits end it by a signal, $told by an error; $kb KB are enough"
}

# verdict: what forbids a reader, of the lines in $dir/said; a file of 4 MB may take 64.
verdict() {
	awk '/failed allocations/ && $3 > 0 { why = why ", a failed allocation ends it" }
	/limited memory/ && $3 > 0 { why = why ", too little memory ends it" }
	/^  many/ && /ended with status/ { why = why ", " $2 " end it" }
	/^  many/ && $6 == "MB," && $5 > 64 { why = why ", " $2 " take " $5 " MB" }
	END { print why == "" ? "may read what profilers meet" : "may not: " substr(why, 3) }' "$dir/said"
}

for reader in own libdw libdwarf; do
	program=$builddir/bench/dwarf_$reader
	echo "$reader"
	{
		echo "  C++ program           $("$program" "${PROGRAM:-$dir/small}" 2>&1)"
		echo "  failed allocations    $("$program" -f "$srcdir/tests/fuzz/corpus/dwarf/gcc5" 2>&1)"
		echo "  limited memory        $(limited "$program")"
		for name in attributes rows; do
			printf '  many %-16s %s\n' $name \
				"$("$program" "$dir/$name" 2>&1 || echo "ended with status $?")"
		done
	} | tee "$dir/said"
	echo "  verdict               $(verdict)"
done
