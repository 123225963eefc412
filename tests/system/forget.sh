#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Top over a log in which hardly an address comes twice, as in a recording without an end: it gives up
# samples again and again, says how many, loses count of none, and its memory has a bound.
# shellcheck source=tests/system/lib.sh
. "${srcdir:?}/tests/system/lib.sh"

# 50,000 new addresses a second in a program that runs, for 30 seconds; in the last one address alone.
awk 'BEGIN {
	print "pmc 0xfff02f00 cpu-clock rate=1000000 flags=0x80"
	print "proc 10 app"
	print "exec 10 /gone/app"
	print "map 10 0x10000000 0x40000000 /gone/app off=0"
	for (i = 0; i < 1500000; i++) {
		if (i % 50000 == 0) printf "time %d000000000\n", i / 50000
		printf "sample 10 0x%x\n", 268435456 + i * 16
	}
	print "time 30000000000"
	print "sample 10 0x10000000 x77"
}' | mklog log || exit 99

# Runs top and tells its peak of memory, in kB.
cat >peak.py <<'END'
import os, subprocess, sys
top = subprocess.Popen(sys.argv[1:])
_, status, usage = os.wait4(top.pid, 0)
print(usage.ru_maxrss, file=sys.stderr)
sys.exit(status)
END
if [ -n "${PYTHON3-}" ]; then
	"$PYTHON3" peak.py pmcstat -R log -T >screens 2>peak || exit 99
else
	pmcstat -R log -T >screens || exit 99
fi

like 'the screen says that it counts anew' "$(cat screens)" \
	'^the profile had grown by [0-9]+ MB: samples are counted anew$'
# What the last screen shows and what was forgotten are all.
is 'no sample is lost count of' "$(awk '
	/^PMC: / { sub(/.*Samples: /, ""); shown = $1 }
	/forgot/ { sub(/.*forgot /, ""); forgotten = $1; if (forgotten != was) { times++; was = forgotten } }
	END { print shown + forgotten, (times > 2 ? "more than twice" : times " times") }' screens)" \
	'1500077 more than twice'
if [ -z "${PYTHON3-}" ]; then
	skip 'its memory has a bound' 'no python3 that asks for it'
elif grep -q '^SAN_CFLAGS = .*fsanitize' "$builddir/Makefile"; then
	skip 'its memory has a bound' 'sanitizers take memory of their own'
else
	verdict "$([ "$(tail -n 1 peak)" -lt 220000 ] && echo yes || echo no)" 'its memory has a bound' "$(cat peak) kB"
fi
finish
