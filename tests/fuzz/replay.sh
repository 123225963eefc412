#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Every input that a fuzzer once found worth keeping still does no harm.
set -u
: "${srcdir:?}" "${builddir:?}"
for corpus in "$srcdir"/tests/fuzz/corpus/*/; do
	name=$(basename "$corpus")
	"$builddir/tests/fuzz/replay_$name" "$corpus" 2>&1 | sed "s/ - / - $name: /"
done | awk '
	/^(not )?ok / { sub(/ok [0-9]+/, "ok " ++n) }
	/^1\.\.[0-9]+$/ { next }
	/^not ok/ { bad = 1 }
	{ print }
	END { print "1.." n; exit bad || !n }'
