#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# A program with one hot line is annotated so; every sample that -a sees at a line is in the line's
# share, those of inlined functions too; instructions have all samples of their function, and are
# where objdump has them.
set -u
: "${srcdir:?}" "${builddir:?}"
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT HUP INT TERM
PATH=$builddir:$PATH
cd "$dir" || exit 99

skip() {
	echo "1..0 # SKIP $1"
	exit 0
}

cat >hot.c <<'EOF'
volatile unsigned long result;

static inline __attribute__((always_inline)) unsigned long step(unsigned long x)
{
	return x * x * 31 % 1000003; /* hot */
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
flags='-O1 -g -fno-omit-frame-pointer -mno-omit-leaf-frame-pointer'
# shellcheck disable=SC2086
${CC:-cc} $flags -o hot hot.c 2>cc.err || ${CC:-cc} -O1 -g -fno-omit-frame-pointer -o hot hot.c 2>cc.err ||
	skip "no compiler: $(head -n 1 cc.err)"
pmcstat -q -P cpu-clock -O hot.log ./hot 2>rec.err || skip "$(head -n 1 rec.err)"
pmcstat -q -R hot.log -a chains.txt --comm hot

n=0
failed=0
verdict() {
	n=$((n + 1))
	if [ "$1" = yes ]; then
		echo "ok $n - $2"
	else
		failed=1
		echo "not ok $n - $2"
		sed 's/^/# /' "$3"
	fi
}

line_of() { sed -n "/[*] $1 [*]/=" hot.c; }

# cells FILE: the rows of an annotation that have samples, as "SELF TOTAL WHERE".
cells() {
	awk '/^[ 0-9]/ && substr($0, 25, 9) ~ /^ *[0-9]+$/ {
		split(substr($0, 34), where, " "); print substr($0, 8, 9) + 0, substr($0, 25, 9) + 0, where[1] }' "$1"
}

# The shares of the file's lines, counted from the chains of -a.
awk '/^--/ { for (l in seen) total[l]++; delete seen; leaf = 1; next }
	{ if ($3 ~ /\/hot\.c:[1-9]/) { sub(/.*:/, "", $3); seen[$3] = 1; if (leaf) self[$3]++ } leaf = 0 }
	BEGIN { leaf = 1 }
	END { for (l in total) print self[l] + 0, total[l], l }' chains.txt | sort -n -k 3 >want
pmcstat -q -R hot.log --comm hot --annotate hot.c >file.txt
cells file.txt >got
same=no
[ -s want ] && cmp -s want got && same=yes
diff want got >differs
verdict $same 'a file: every line has the samples that -a finds at it' differs

share=$(awk -v line="$(line_of hot)" '{ sum += $1 } $3 == line { hot = $1 } END { print sum ? int(100 * hot / sum) : 0 }' want)
hot=no
[ "$share" -ge 70 ] && hot=yes
verdict $hot "the hot line has most of the samples ($share %)" file.txt

pmcstat -q -R hot.log --comm hot --annotate spin >spin.txt
pmcstat -q -R hot.log --comm hot --annotate step >step.txt
calls=$(cells spin.txt | awk -v line="$(line_of calls)" '$3 == line { print $2 - $1 }')
inside=$(cells step.txt | awk '{ sum += $1 } END { print sum }')
inlined=no
[ "${calls:-0}" -gt 0 ] && [ "$calls" = "$inside" ] && inlined=yes
cat spin.txt step.txt >both.txt
verdict $inlined "what is inlined at a line is in the line's total: $calls, $inside" both.txt
whole=no
grep -q '[*] cold [*]' spin.txt && grep -q '[*] hot [*]' step.txt && ! grep -q 'int main' spin.txt && whole=yes
verdict $whole 'all lines of a function are shown, and none behind it' spin.txt

want=$(pmcstat -q -R hot.log --comm hot --flat | awk '$5 == "spin" { print $2, $4 }')
pmcstat -q -R hot.log --comm hot --annotate spin --asm >code.txt
got=$(cells code.txt | awk '{ sum += $1; if ($2 < $1) bad = 1 } END { print sum, bad + 0 }')
echo "$got, not ${want% *} 0" >differs
match=no
[ "${want% *}" -gt 0 ] && [ "$got" = "${want% *} 0" ] && match=yes
verdict $match 'instructions have all samples of their function' differs

if grep -q '^(' code.txt || ! command -v objdump >/dev/null; then
	n=$((n + 1))
	echo "ok $n - instructions are where objdump has them # SKIP $(grep '^(' code.txt || echo no objdump)"
else
	objdump -d --no-show-raw-insn hot | sed -n '/<spin>:/,/^$/s/^ *\([0-9a-f]*\):.*/\1/p' >want
	awk '/^[ 0-9]/ && !/ADDRESS/ { split(substr($0, 34), where, " "); print where[1] }' code.txt >got
	# It shows what fills the space behind the function too.
	head -n "$(wc -l <got)" want >first
	match=no
	[ -s got ] && cmp -s first got && match=yes
	diff first got >differs
	verdict $match 'instructions are where objdump has them' differs
fi

mv hot.c away.c
pmcstat -q -R hot.log --comm hot --annotate step >gone.txt
cells step.txt >want
cells gone.txt >got
gone=no
grep -q '^(.*hot.c: No such file' gone.txt && cmp -s want got && gone=yes
verdict $gone 'without the source there are numbers, and a remark' gone.txt

sed 3q away.c >hot.c
touch -d '+1 minute' hot.c 2>/dev/null || touch hot.c
pmcstat -q -R hot.log --comm hot --annotate step >new.txt
cells new.txt >got
new=no
grep -q '^(.*newer than.*hot: ' new.txt && cmp -s want got && new=yes
verdict $new 'a source that is newer and shorter is told, and loses no sample' new.txt

mkdir -p root/"$dir" && cp hot root/"$dir" && cp away.c root/"$dir"/hot.c && rm hot.c
pmcstat -q -r root -R hot.log --comm hot --annotate step >root.txt
root=no
grep -q '[*] hot [*]' root.txt && ! grep -q '^(' root.txt && root=yes
verdict $root 'with -r the source is looked for there' root.txt
echo "1..$n"
exit $failed
