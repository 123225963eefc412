#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# A program with one hot line is annotated so; every sample that -a sees at a line is in the line's
# share; those of inlined functions are at their own lines, in whichever file; instructions have all samples of their function, and are
# where objdump has them.
# shellcheck source=tests/system/lib.sh
. "${srcdir:?}/tests/system/lib.sh"

cat >tuck.h <<'EOF'
static inline __attribute__((always_inline)) unsigned long fold(unsigned long x)
{
	return x * 2654435761u % 65537; /* folds */
}
EOF
cat >hot.c <<'EOF'
#include "tuck.h"
volatile unsigned long result;

static inline __attribute__((always_inline)) unsigned long step(unsigned long x)
{
	return fold(x) * x % 1000003 % 1009 % 997; /* hot */
}

__attribute__((noinline)) unsigned long spin(unsigned long n)
{
	unsigned long x = 1, i;

	for (i = 0; i < n; i++)
		x = step(x) + i; /* calls */
	result = x; /* cold */
	return x;
}

int main(void)
{
	int i;

	for (i = 0; i < 1000; i++)
		result += spin(200000); /* main */
	return 0;
}
EOF
flags='-O1 -g -fno-omit-frame-pointer'
# shellcheck disable=SC2086
${CC:-cc} $flags -mno-omit-leaf-frame-pointer -o hot hot.c 2>cc.err || ${CC:-cc} $flags -o hot hot.c 2>cc.err ||
	skip_all "no compiler: $(head -n 1 cc.err)"
needs_recording
pmcstat -q -P cpu-clock -O hot.log ./hot
pmcstat -q -R hot.log -a chains.txt --comm hot

line_of() { sed -n "/[*] $1 [*]/=" hot.c; }

# cells FILE: the rows of an annotation that have samples, as "SELF TOTAL WHERE".
cells() {
	awk '/^[ 0-9]/ && substr($0, 25, 9) ~ /^ *[0-9]+$/ {
		split(substr($0, 34), where, " "); print substr($0, 8, 9) + 0, substr($0, 25, 9) + 0, where[1] }' "$1"
}

# The shares of the file's lines, counted from the chains of -a.
awk '/^--/ { for (l in seen) total[l]++; delete seen; leaf = 1; next }
	{ line = $3 ~ /\/hot\.c:[1-9]/ ? $3 : $2 ~ /^(step|spin|main)$/ ? "-" : ""
	  sub(/.*:/, "", line); if (line != "") { seen[line] = 1; if (leaf) self[line]++ } leaf = 0 }
	BEGIN { leaf = 1 }
	END { for (l in total) print self[l] + 0, total[l], l }' chains.txt | sort -n -k 3 >want
# Compilers leave instructions without a line, of which -a does not say the file; they are together.
pmcstat -q -R hot.log --comm hot --annotate hot.c >file.txt
cells file.txt >got
has=$(grep -c . want)
is "a file: each of its $has lines with samples has those that -a finds at it" "$(cat got)" "$(cat want)"

share=$(awk -v line="$(line_of hot)" '{ sum += $1 } $3 == line { hot = $1 } END { print sum ? int(100 * hot / sum) : 0 }' want)
hot=no
[ "$share" -ge 50 ] && hot=yes
verdict $hot "the hot line has most of the file's samples ($share %)"

pmcstat -q -R hot.log --comm hot --annotate spin >spin.txt
pmcstat -q -R hot.log --comm hot --annotate step >step.txt
calls=$(cells spin.txt | awk -v line="$(line_of calls)" '$3 == line { print $2 - $1 }')
inside=$(cells step.txt | awk '{ sum += $1 } END { print sum }')
is "what is inlined at a line is in the line's total" "${calls:-none}" "$inside"

# places FILE: samples of its own of each line of an annotation, as "FILE:LINE SELF".
places() {
	awk '/^\/.*:$/ { sub(/.*\//, ""); sub(/:$/, ""); file = $0 }
		/^ *[0-9.]+ +[0-9]+ +[0-9.]+ +[0-9]+ +[0-9]+/ { print file ":" $5, $2 }' "$1" | sort
}
awk '/^--/ { leaf = 1; next }
	leaf && $2 ~ /^(spin|step|fold)$/ { sub(/.*\//, "", $3); self[$3]++ }
	{ leaf = 0 }
	BEGIN { leaf = 1 }
	END { for (l in self) print l, self[l] }' chains.txt | grep -v ':0 ' | sort >want
is "lines of inlined functions have their own samples: $(tr '\n' ' ' <want)" "$(places spin.txt)" "$(cat want)"
is "their sum is the function's" "$(cells spin.txt | awk '{ sum += $1 } END { print sum }')" \
	"$(pmcstat -q -R hot.log --comm hot --flat --full-names -f threshold=0 | awk '$5 == "spin" { print $2 }')"
is 'each inlined function has a part of its own, with its file' \
	"$(sed -n '/, inlined: [0-9]* samples/{s/,.*//;N;s|\n.*/| |;p;}' spin.txt | sort)" \
	"$(printf 'fold tuck.h:\nstep hot.c:')"
pmcstat -q -R hot.log --comm hot --annotate fold >fold.txt
is 'one that exists only inlined is annotated by its name, from its header' \
	"$(places fold.txt)" "$(grep '^tuck.h' want)"
like 'with its source' "$(cat fold.txt)" 'return x .*folds'
is 'with --inlines what is inlined is a function of its own' \
	"$(pmcstat -q -R hot.log --comm hot --inlines --annotate spin | grep -c ', inlined:')" 0
whole=no
grep -q '[*] cold [*]' spin.txt && grep -q '[*] hot [*]' step.txt && ! grep -q 'int main' spin.txt &&
	grep -q 'unsigned long step(' spin.txt && whole=yes
verdict $whole 'all lines of a function are shown, and none behind it' "$(cat spin.txt)"

want=$(pmcstat -q -R hot.log --comm hot --flat --full-names -f threshold=0 | awk '$5 == "spin" { print $2 }')
pmcstat -q -R hot.log --comm hot --annotate spin --asm >code.txt
is 'instructions have all samples of their function' \
	"$(cells code.txt | awk '{ sum += $1; bad += $2 < $1 } END { print sum, bad }')" "$want 0"

title='instructions are where objdump has them'
if grep -q '^(' code.txt; then
	skip "$title" "$(grep '^(' code.txt)"
elif ! command -v objdump >/dev/null; then
	skip "$title" 'no objdump'
else
	awk '/^[ 0-9]/ && !/ADDRESS/ { split(substr($0, 34), where, " "); print where[1] }' code.txt >got
	# It shows what fills the space behind the function too.
	objdump -d --no-show-raw-insn hot |
		sed -n '/<spin>:/,/^$/s/^ *\([0-9a-f]*\):.*/\1/p' | head -n "$(wc -l <got)" >first
	is "$title" "$(cat got)" "$(cat first)"
fi

# of_page FILE: what a page says of spin, as text.
of_page() {
	sed -n '/<summary>spin @/,/<[/]pre>/p' "$1" |
		sed '1d;s|<pre [^>]*>||;s|</pre>.*||;s|<b [^>]*>||;s|</b>||;s/&lt;/</g;s/&gt;/>/g;s/&quot;/"/g;s/&amp;/\&/g'
}
of_spin() {
	pmcstat -q -R hot.log --comm hot --annotate spin "$@" | sed '1,/^spin @/d;/^quality:/,$d'
}
pmcstat -q -R hot.log --comm hot --html page.html
is 'a page has no source unless asked for' "$(grep -c 'folds' page.html)" 0
pmcstat -q -R hot.log --comm hot --html-sources --html page.html
is 'asked for, those of the hottest functions, as --annotate shows them' "$(of_page page.html)" "$(of_spin)"
is 'to which their row leads' "$(grep -c "<a href=\"#$(sed -n 's/.*id="\(source[0-9]*\)"[^>]*><summary>spin @.*/\1/p' page.html)\">spin</a>" page.html)" 1
is 'a line with samples of its own has a bar' "$(of_spin | awk '/^ *[0-9.]+ +[0-9]+ +[0-9.]+ +[0-9]+ +/ { print $1 }' | sort -u)" \
	"$(sed -n '/<summary>spin @/,/<[/]pre>/s/^<b style="--w:[0-9.]*"[^>]*> *\([0-9.]*\) .*/\1/p' page.html | sort -u)"
pmcstat -q -R hot.log --comm hot --html-sources --asm --html page.html
is 'with --asm the instructions' "$(of_page page.html)" "$(of_spin --asm)"

# Its lines come more than once, with those of the other file between them.
mv tuck.h away.h
pmcstat -q -R hot.log --comm hot --annotate spin --asm >code.txt
is 'among instructions a source that is gone has numbers alone, and one remark' \
	"$?:$(grep -c '^tuck.h:[0-9]* ' code.txt):$(grep -c '^(cannot open .*tuck.h: No such file' code.txt)" 0:0:1
mv away.h tuck.h

mv hot.c away.c
pmcstat -q -R hot.log --comm hot --annotate step >gone.txt
is 'without the source there are still the lines' "$(cells gone.txt)" "$(cells step.txt)"
like 'and a remark' "$(cat gone.txt)" '^\(cannot open .*hot.c: No such file'

sed 3q away.c >hot.c
touch -d '+1 minute' hot.c 2>/dev/null || touch hot.c
pmcstat -q -R hot.log --comm hot --annotate step >new.txt
is 'no line is lost behind the end of a source' "$(cells new.txt)" "$(cells step.txt)"
like 'that the source is newer is told' "$(cat new.txt)" '^\(it is newer than .*hot: '

mkdir -p "root$dir" && cp hot "root$dir" && cp away.c "root$dir/hot.c" && rm hot.c
like 'with -r the source is looked for there' \
	"$(pmcstat -q -r root -R hot.log --comm hot --annotate step)" '[*] hot [*]'
finish
