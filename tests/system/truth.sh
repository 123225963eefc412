#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# A program whose time is split 60/40 by leaf and 80/20 by caller is seen so, within 4.2 standard
# errors, which one run in 40,000 exceeds, and every call chain reaches main: of a command, and of
# four at once in the whole system.
# shellcheck source=tests/system/lib.sh
. "${srcdir:?}/tests/system/lib.sh"

flags='-O1 -g -fno-omit-frame-pointer'
for more in -fno-optimize-sibling-calls -fno-ipa-icf; do
	# shellcheck disable=SC2086
	echo 'int main(void) { return 0; }' | ${CC:-cc} -Werror $flags $more -x c -o probe - 2>/dev/null &&
		flags="$flags $more"
done
# shellcheck disable=SC2086
compiled split system/split.c $flags
needs_recording

# shares FOLDED: checks the folded stacks of a recording.
shares() {
	facts=$(awk '
		{ count = $NF; total += count; n = split($1, frame, ";")
		  user = 0
		  for (i = 1; i <= n; i++) {
			if (frame[i] == "main") main += count
			if (frame[i] == "caller_eighty") eighty += count
			if (frame[i] == "caller_twenty") twenty += count
			if (frame[i] == "leaf_sixty") { sixty += count; user = 1 }
			if (frame[i] == "leaf_forty") { forty += count; user = 1 } }
		  if (user) leaves += count; else if (/;main[; ]/) other += count }
		function within(part, whole, share,   p, e) {
			if (!whole) return "no"
			p = part / whole; e = 4.2 * sqrt(share * (1 - share) / whole)
			return p > share - e && p < share + e ? "yes" : "no" }
		END { printf "%d %d %d %d %d %d %s %s %s\n", total, leaves, sixty, eighty, main, other,
			within(sixty, leaves, 0.6),
			eighty + twenty < 0.98 * leaves ? "no" : within(eighty, eighty + twenty, 0.8),
			(leaves && main >= leaves) ? "yes" : "no" }' "$1")
	# shellcheck disable=SC2086
	set -- "$2" $facts
	verdict "$8" "$1: 60 % in one leaf, 40 % in the other" "$4 of $3"
	verdict "$9" "$1: 80 % below one caller, 20 % below the other" "$5 of $3"
	shift
	verdict "$9" "$what: every chain with a leaf reaches main" "$5 of $2"
	few=$(($2 >= 500 && $6 * 50 < $1))
	[ $few = 1 ] && few=yes
	verdict "$few" "$what: nearly all samples below main are in leaves" "$2 in leaves, $6 elsewhere"
}

what='a command'
pmcstat -q -P cpu-clock -O one.log ./split 10
pmcstat -q -R one.log --comm split --folded=one.folded 2>/dev/null
shares one.folded "$what"

# A 32-bit program on a 64-bit machine; elsewhere -m32 is unknown.
# shellcheck disable=SC2086
if ${CC:-cc} $flags -m32 -o split32 "$srcdir/tests/system/split.c" 2>cc.err && ./split32 0.01; then
	what='a 32-bit command'
	pmcstat -q -P cpu-clock -O small.log ./split32 6
	pmcstat -q -R small.log --comm split32 --folded=small.folded 2>/dev/null
	shares small.folded "$what"
else
	skip 'a 32-bit command' "$(head -n 1 cc.err)"
fi

if records_system; then
	what='four at once, system-wide'
	cat >four.sh <<-'EOF'
		for i in 1 2 3 4; do ./split 10 & done
		wait
	EOF
	pmcstat -q -S cpu-clock -O four.log sh four.sh
	pmcstat -q -R four.log --comm split --folded=four.folded 2>/dev/null
	shares four.folded "$what"
else
	skip 'four at once' "$(head -n 1 probe.err)"
fi
finish
