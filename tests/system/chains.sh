#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Call chains as asked for: none with -N, kernel frames alone without -U and with the user frames
# that led there with it, and never more than --depth.
# shellcheck source=tests/system/lib.sh
. "${srcdir:?}/tests/system/lib.sh"
needs_recording
record() {
	log=$1
	shift
	pmcstat -q "$@" -P cpu-clock -O "$log" dd if=/dev/zero of=/dev/null bs=4096 count=1500000 2>/dev/null
}
record plain.log
if ! pmcstat --dump -R plain.log | awk '$1 == "callchain" && $6 == "s" { found = 1 } END { exit !found }'; then
	skip_all 'no kernel samples: this user may not see the kernel'
fi
record none.log -N
record user.log -U
record shallow.log -U --depth 3

# holds NAME LOG CONDITION: CONDITION, in awk, is true of the chains of LOG; a chain has frames,
# kernel frames and user frames (by the upper half of the address space), and is from mode k or u.
holds() {
	answer=no
	pmcstat --dump -R "$2" | awk '
		function done() {
			if (!frames) return
			chains++; if (frames > deepest) deepest = frames
			if (mode == "s") { k++; if (user) k_user++; if (kernel) k_kernel++ }
			else { u++; if (kernel) u_kernel++ }
			frames = user = kernel = 0 }
		$1 == "callchain" { done(); mode = $6 }
		$1 == "..." { frames++; if (length($2) == 18 && $2 ~ /^0x[89a-f]/) kernel++; else user++ }
		END { done(); exit !('"$3"') }' && answer=yes
	verdict $answer "$1"
}
holds '-N: the leaf alone' none.log 'chains > 20 && deepest == 1'
holds 'a kernel sample has kernel frames only' plain.log 'k > 20 && k_kernel == k && !k_user && deepest > 3'
holds 'a user sample has user frames only' plain.log 'u && !u_kernel'
holds '-U: kernel frames, then the user frames that led there' user.log 'k > 20 && k_kernel == k && k_user > k * 0.8'
holds '--depth cuts' shallow.log 'chains > 20 && deepest == 3'
like 'and the quality line counts what was cut' "$(pmcstat -R shallow.log --flat 2>&1)" 'truncated chains [1-9]'
finish
