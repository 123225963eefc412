#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Call chains of programs as the distribution builds them, at EVERYth instruction (997) and SAMPLES
# times each (2000): as src/unwind finds them, as libdw does from the same registers and stack, and as
# calls and returns were seen to make them.  Where the first two differ it is said which is true.
set -u
: "${srcdir:?}" "${AGREE:?}"
dir=$(mktemp -d "${TMPDIR:-/tmp}/pmcstat-agree.XXXXXX") || exit 99
trap 'rm -rf "$dir"' EXIT
trap 'exit 130' INT TERM
echo 'int f(int x) { return x * x; } int main(void) { return f(3); }' >"$dir/small.c"
cc1=$(gcc -print-prog-name=cc1 2>/dev/null)

# walk PROGRAM ARGUMENT...
walk() {
	if ! command -v "$1" >/dev/null; then
		echo "$1 is not installed"
		return
	fi
	echo "${1##*/}:"
	"$AGREE" -e "${EVERY:-997}" -m "${SAMPLES:-2000}" "$@" >"$dir/out" 2>"$dir/err" </dev/null
	grep -aE '^(steps|complete|window|no rule|bad return|depth|without CFI|wrong|as libdw|differ) ' \
		"$dir/out" | sed 's/^/	/'
	cat "$dir/out" >>"$dir/all"
}
walk python3 -c 'import json; print(json.dumps(sorted(range(1000), key=str)))'
# shellcheck disable=SC2016
walk perl -e 'for (1..10000) { $x{$_ % 100} .= sqrt($_) } print scalar keys %x'
walk sqlite3 :memory: 'with recursive c(x) as (select 1 union all select x+1 from c where x<9999)
	select count(*), sum(x*x), max(x%77) from c'
walk git -C "$srcdir" log --stat -30
# shellcheck disable=SC2016
walk bash -c 'for ((i = 0; i < 2000; i++)); do x=$((i * i % 77)); done'
walk "${cc1:-cc1}" -quiet -O2 "$dir/small.c" -o /dev/null
awk '/^as libdw / { same += $3; all += $5 } /^wrong [0-9]/ { wrong += $2 }
	/^differ / { differ += $2; if (/ours is true/) ours += $2 }
	END { printf "all: %d samples, %d false chains; %d (%.3f %%) differ from libdw, ours is true in %d\n",
		all, wrong, differ, 100 * differ / (all ? all : 1), ours }' "$dir/all"
