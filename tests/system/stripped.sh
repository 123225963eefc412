#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Functions of stripped programs: one row each, from where the compiler or another reader of the
# unwind data says that they begin, and no row for a lone address.
# shellcheck source=tests/system/lib.sh
. "${srcdir:?}/tests/system/lib.sh"
for tool in "${CC%% *}" nm readelf strip; do
	command -v "$tool" >/dev/null || skip_all "no $tool"
done
case $(uname -m) in
x86_64 | i?86 | aarch64) ;;
*) skip_all "no unwind data is read on $(uname -m)" ;;
esac

# sampled PROGRAM <FUNCTIONS: a log with the first and last byte of functions, each START LENGTH.
sampled() {
	{
		echo 'pmc 0xfff02f00 cpu-clock rate=1000000 flags=0x80'
		echo "exec 10 $1"
		# Mapped where the file has it, which is where nothing else is.
		readelf -lW "$1" | awk -v path="$1" '$1 == "LOAD" && / R E /  {
			print "map 10", $3, $6, path, "off=" $2 }'
		while read -r start length; do
			printf 'sample 10 0x%x\nsample 10 0x%x\n' "0x$start" $((0x$start + 0x$length - 1))
		done
	} | mklog log
}

# rows: samples and name of each function of the log.
rows() {
	pmcstat -q -R log --folded 2>/dev/null | sed 's/^[^;]*;\(.*\) \([0-9]*\)$/\2 \1/' | sort
}

# What the compiler says, before the program is stripped.
cat >self.c <<'END'
#include <stdlib.h>

static __attribute__((noinline)) int inner(int v) { return v * 3 + rand(); }
static __attribute__((noinline)) int outer(int v) { return inner(v) + inner(v + 1); }

int main(int argc, char *argv[])
{
	(void)argv;
	return outer(argc) & 1;
}
END
for flags in '-fPIE -pie' '-fno-pie -no-pie' '-m32 -fno-pie -no-pie'; do
	# shellcheck disable=SC2086
	if ! $CC -O2 -fno-ipa-icf $flags -o whole self.c 2>cc.err; then
		skip "linked with $flags" "$(head -n 1 cc.err)"
		continue
	fi
	nm -S whole | awk '$4 == "inner" || $4 == "outer" || $4 == "main" { print $1, $2 }' >functions
	cp whole "$dir/plain" && strip "$dir/plain"
	sampled "$dir/plain" <functions
	is "linked with $flags: each function is one row" "$(rows)" \
		"$(while read -r start _; do printf '2 plain+0x%x..\n' "0x$start"; done <functions | sort)"
done

# Programs as they are installed: readelf reads their unwind data on its own.
for program in /usr/bin/python3 /usr/bin/perl /bin/bash; do
	path=$(readlink -f $program)
	if ! readelf -SW "$path" >sections 2>/dev/null || grep -q ' \.symtab ' sections; then
		skip "$program" "there is none that is stripped"
		continue
	fi
	readelf -W --debug-dump=frames "$path" 2>/dev/null |
		sed -n 's/.* FDE .*pc=0*\([0-9a-f]*\)\.\.0*\([0-9a-f]*\)$/\1 \2/p' | sort -u |
		while read -r start end; do printf '%x %x\n' "0x$start" $((0x$end - 0x$start)); done >functions
	sampled "$path" <functions
	rows >found
	while read -r start _; do
		printf '%s+0x%s..\n' "${path##*/}" "$start"
	done <functions | sort >names
	sed 's/^[0-9]* //' found | grep -F "${path##*/}+0x" | sort >unnamed
	is "$program: functions without a symbol begin where readelf says" \
		"$(comm -23 unnamed names)" ""
	is "$program: no address is alone" "$(grep -E ' (0x|\[)' found)" ""
	is "$program: every function is there" "$(awk '{ n += $1 } END { print n }' found) $(
		awk '$2 ~ /\+0x.*\.\.$/ && $1 != 2 && $1 != 1' found)" "$(($(wc -l <functions) * 2)) "
	like "$program: some have no symbol" "$(wc -l <unnamed) of $(wc -l <found)" '^[1-9]'
done
finish
