#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Call chains as asked for: none with -N, kernel frames alone without -U and with the user frames
# that led there with it, and never more than --depth.
set -u
: "${srcdir:?}" "${builddir:?}"
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT HUP INT TERM
PATH=$builddir:$PATH
cd "$dir" || exit 99

if ! pmcstat -q -P cpu-clock -O probe.log true 2>probe.err; then
	echo "1..0 # SKIP $(head -n 1 probe.err)"
	exit 0
fi
record() {
	log=$1
	shift
	pmcstat -q "$@" -P cpu-clock -O "$log" dd if=/dev/zero of=/dev/null bs=4096 count=1500000 2>/dev/null
}
record plain.log
if ! pmcstat -R plain.log | awk '$1 == "callchain" && $6 == "s" { found = 1 } END { exit !found }'; then
	echo '1..0 # SKIP no kernel samples: this user may not see the kernel'
	exit 0
fi
record none.log -N
record user.log -U
record shallow.log -U --depth 3

n=0
failed=0
# holds NAME LOG CONDITION: CONDITION, in awk, is true of the chains of LOG; a chain has frames,
# kernel frames and user frames (by the upper half of the address space), and is from mode k or u.
holds() {
	n=$((n + 1))
	if pmcstat -R "$2" | awk '
		function done() {
			if (!frames) return
			chains++; if (frames > deepest) deepest = frames
			if (mode == "s") { k++; if (user) k_user++; if (kernel) k_kernel++ }
			else { u++; if (kernel) u_kernel++ }
			frames = user = kernel = 0 }
		$1 == "callchain" { done(); mode = $6 }
		$1 == "..." { frames++; if (length($2) == 18 && $2 ~ /^0x[89a-f]/) kernel++; else user++ }
		END { done(); exit !('"$3"') }'; then
		echo "ok $n - $1"
	else
		failed=1
		echo "not ok $n - $1"
	fi
}
holds '-N: the leaf alone' none.log 'chains > 20 && deepest == 1'
holds 'a kernel sample has kernel frames only' plain.log 'k > 20 && k_kernel == k && !k_user && deepest > 3'
holds 'a user sample has user frames only' plain.log 'u && !u_kernel'
holds '-U: kernel frames, then the user frames that led there' user.log 'k > 20 && k_kernel == k && k_user > k * 0.8'
holds '--depth cuts' shallow.log 'chains > 20 && deepest == 3'
n=$((n + 1))
if pmcstat -R shallow.log --flat 2>&1 | grep -q 'truncated chains [1-9]'; then
	echo "ok $n - and the quality line counts what was cut"
else
	failed=1
	echo "not ok $n - and the quality line counts what was cut"
fi
echo "1..$n"
exit $failed
