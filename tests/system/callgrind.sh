#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The real callgrind_annotate reads what -F writes: its totals are all samples, each function's own
# and inclusive samples those of --flat (recursion too), and inlined code is at lines of its file.
# shellcheck source=tests/system/lib.sh
. "${srcdir:?}/tests/system/lib.sh"
CC=${CC:-cc}

command -v callgrind_annotate >/dev/null || skip_all 'no callgrind_annotate (the package valgrind)'

# annotated FILE yes|no: function and samples, inclusive or not.  A function has own samples in each
# file that it has lines of; what it has with all it called is with the file it begins in.
annotated() {
	callgrind_annotate --threshold=100 --auto=no --inclusive="$2" "$1" 2>&1 | awk -v inclusive="$2" '
		/file:function$/ { body = 1 }
		body && /^ *[0-9,]+ *\(/ {
			count = $1; gsub(",", "", count)
			sub(/^[^)]*\) */, ""); sub(/ \[.*\]$/, ""); sub(/^.*:/, "")
			if (inclusive == "no") sum[$0] += count
			else if (count > sum[$0]) sum[$0] = count }
		END { for (name in sum) if (sum[name]) print name, sum[name] }' | sort
}
# shown LOG COLUMN: the same of --flat: 2 own samples, 4 with all they called.
shown() {
	pmcstat -q -R "$1" --flat --full-names -f threshold=0 | awk -v column="$2" '
		/^ *[0-9.]+ +[0-9]+ +[0-9.]+ +[0-9]+  / {
			count = $column; sub(/^ *[^ ]+ +[^ ]+ +[^ ]+ +[^ ]+  /, ""); sub(/  [^ ]*$/, "")
			sum[$0] += count }
		END { for (name in sum) if (sum[name]) print name, sum[name] }' | sort
}
total() {
	callgrind_annotate "$1" 2>&1 | sed -n 's/^ *\([0-9,]*\) .*PROGRAM TOTALS.*/\1/p' | tr -d ,
}
# judge TITLE LOG: compares all of it.
judge() {
	pmcstat -q -R "$2" -F "$2.cg"
	is "$1: totals" "$(total "$2.cg")" "$(shown "$2" 2 | awk '{ n += $NF } END { print n }')"
	is "$1: own samples" "$(annotated "$2.cg" no)" "$(shown "$2" 2)"
	is "$1: inclusive samples" "$(annotated "$2.cg" yes | grep -v '^\[root\] ')" "$(shown "$2" 4)"
	is "$1: nothing is malformed" "$(callgrind_annotate "$2.cg" 2>&1 | grep -i warning)" ''
}

mkelf app <<'END'
type exec
text 0x401000 0x1000
symbol a 0x401000 0x100
symbol b 0x401100 0x100
symbol c 0x401200 0x100
symbol main 0x401300 0x100
END
mklog known.log <<'END'
pmc 1 page-faults
exec 10 app
map 10 0x401000 0x1000 app off=0x1000
map 10 0x7f0000000000 0x1000 /lib/other.so off=0x1000
sample 10 0x401010,0x401110,0x401310 x70
sample 10 0x401010,0x401010,0x401020,0x401310 x31
sample 10 0x401010,0x401110,0x401010,0x401110,0x401310 x17
sample 10 0x401110,0x401210,0x401110,0x401310 x13
sample 10 0x401310,0x401210 x11
sample 10 0x7f0000000010,0x401210,0x401310 x7
sample 10 0x401210 x5
sample 10 0x10,0x401310 x3
END
judge 'known chains' known.log

# The most a report can be asked of: thousands of chains, of which many recur.
awk 'BEGIN { srand(7); print "pmc 1 page-faults\nexec 10 app\nmap 10 0x401000 0x1000 app off=0x1000"
	for (i = 0; i < 3000; i++) {
		line = ""
		for (j = 0; j <= i % 12; j++)
			line = line (j ? "," : "") sprintf("0x%x", 4198400 + int(rand() * 1024))
		print "sample 10 " line " x" 1 + i % 4 } }' | mklog random.log
judge 'any chains' random.log

cat >inlined.h <<'END'
static inline __attribute__((always_inline)) long work(long n)
{
	long i, sum = 0;

	for (i = 0; i < n; i++)
		sum += i * accumulator;
	return sum;
}
END
cat >inlines.c <<'END'
static volatile long accumulator;
#include "inlined.h"
__attribute__((noinline)) void one(void) { accumulator += work(300000000); }
__attribute__((noinline)) void two(void) { accumulator += work(150000000); one(); }
int main(void)
{
	one();
	two();
	return 0;
}
END
if $CC -O0 -g -no-pie -o lines inlines.c 2>cc.err; then
	mklog lines.log <<-END
		pmc 1 page-faults
		pmc 2 cpu-clock
		proc 10 lines
		map 10 $(readelf -lW lines | awk -v path="$PWD/lines" '/LOAD .* R E / { print $3, $5, path, "off=" $2 }')
		sample 10 0x$(nm lines | sed -n 's/ T one$//p') pmc=1 x5
		sample 10 0x10 pmc=2 x3
		close
	END
	pmcstat -q -R lines.log -F lines.cg
	is 'an event without a sample at any line' "$(callgrind_annotate lines.cg 2>&1 >annotated)
$(sed -n '/ events annotated$/s/  */ /gp' annotated)" '
 5 (100.0%) 0 events annotated'
else
	skip 'an event without a sample at any line' "$(head -n 1 cc.err)"
fi
if ! $CC -O2 -g -fno-omit-frame-pointer -o inlines inlines.c 2>cc.err; then
	skip 'a recording' "$(head -n 1 cc.err)"
elif ! pmcstat -q -P cpu-clock:u -O inlines.log ./inlines 2>record.err; then
	skip 'a recording' "$(head -n 1 record.err)"
else
	judge 'a recording' inlines.log
	is 'a recording: inlined code is at its own lines' "$(callgrind_annotate --auto=yes inlines.log.cg |
		awk '/Auto-annotated source:/ { own = /inlined\.h/ }
			own && /i < n; i\+\+|sum \+= i/ { n += $1 }
			END { print (n > 0 ? "yes" : "no") }')" yes
fi
finish
