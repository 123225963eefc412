#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Callers beyond what is copied of a stack: deep_frames.c has a quarter of its time from first() and
# the rest from second(), and so has its profile.
# shellcheck source=tests/system/lib.sh
. "${srcdir:?}/tests/system/lib.sh"
needs_recording
[ "$(uname -m)" = x86_64 ] || skip_all 'made for x86_64'
scope=$(cat /proc/sys/kernel/yama/ptrace_scope 2>/dev/null)
[ "${scope:-0}" -le 1 ] || [ "$(id -u)" = 0 ] || skip_all 'no process may read the stack of another one'
compiled deep_frames system/deep_frames.c -O2 -g -fomit-frame-pointer -fno-optimize-sibling-calls

for way in frame recursion leaf untouched; do
	pmcstat -q -P cpu-clock:u --folded -- ./deep_frames $way >folded 2>err
	# Of the samples that are worked for first() or second(), in percent: what has the way's callers,
	# and of that what is first()'s; and what has the other one's.
	facts=$(awk '{ n = $NF; all += n } /;main;(first|second);/ { known += n } /;main;first;/ { first += n }
		/;first;.*;work_of_second/ || /;second;.*;work_of_first/ { other += n }
		END { printf "%d %d %d %d", all, known * 100 / all, first * 100 / (known + !known),
			other * 100 / all }' folded)
	# shellcheck disable=SC2086
	set -- $facts
	verdict "$([ "$1" -ge 100 ] && [ "$2" -ge 90 ] && echo yes || echo no)" \
		"$way: nine of ten chains have their callers" "$facts; $(head -n 1 err)"
	verdict "$([ "$3" -ge 20 ] && [ "$3" -le 30 ] && echo yes || echo no)" \
		"$way: a quarter of them are of the first caller" "$facts"
	verdict "$([ "$4" -le 20 ] && echo yes || echo no)" "$way: few have those of a moment later" "$facts"
done
finish
