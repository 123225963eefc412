#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# What a log says that processes ran for, against what these say of themselves.
# shellcheck source=tests/system/lib.sh
. "${srcdir:?}/tests/system/lib.sh"
needs_recording
pmcstat -R probe.log --dump | grep -q '^detach .* user=' || skip_all 'not a log of the collector perf'
compiled ran system/ran.c -O1

# ran_for LOG: user and system nanoseconds of the processes that it has them of.
ran_for() {
	pmcstat -R "$1" --dump | sed -n 's/^detach .* user=\([0-9]*\) system=\([0-9]*\)$/\1 \2/p'
}

# agrees TITLE LOG OUT [OTHER]: the log has what the program wrote to OUT, and at most 30 ms more, which is
# how it started and ended; or that and what OTHER has.
agrees() {
	verdict "$( (cat "$3" "${4-/dev/null}" && ran_for "$2") | awk '
		{ user[NR] = $1; system_[NR] = $2 }
		END {
			for (i = 1; i < NR; i++) { u += user[i]; s += system_[i] }
			both = user[NR] + system_[NR]
			ok = NR > 1 && both > u + s - 21e6 && both < u + s + 30e6
			ok = ok && user[NR] > u - 21e6 && user[NR] < u + 30e6
			print ok ? "yes" : "no" }')" "$1" "the program: $(cat "$3" "${4-/dev/null}"); the log: $(ran_for "$2")"
}

pmcstat -q -P cpu-clock -O own.log ./ran 60 >own || exit 99
agrees 'a command' own.log own
pmcstat -q -d -P cpu-clock -O tree.log ./ran 60 child >tree || exit 99
agrees 'a command with its child' tree.log tree
pmcstat -q -P cpu-clock -O alone.log ./ran 60 child >both || exit 99
is 'a child that is not recorded is not in it' \
	"$( (cat both && ran_for alone.log) | awk '{ sum[NR] = $1 + $2 } END { print (sum[2] > 0.3 * sum[1] && sum[2] < 0.7 * sum[1]) }')" 1
pmcstat -q -d -P cpu-clock -O left.log sh -c './ran 60 >left; (./ran 60 >left2; echo >reaped; exec sleep 60) & echo $! >pid
	until [ -s reaped ]; do :; done; exit 0' || exit 99
kill "$(cat pid)"
is 'what a command leaves behind is in it' \
	"$( (cat left left2 && ran_for left.log) | awk '{ sum[NR] = $1 + $2 } END { print (sum[3] >= sum[1] + sum[2] - 41e6) }')" 1

# One that runs already: what it ran for before is not its log's.
mkfifo go
sh -c './ran 200 >before; read -r _ <go; ./ran 60 >after; echo >waited; read -r _ <go' &
until [ -s before ]; do :; done
pmcstat -q -d -t $! -P cpu-clock -O late.log 2>late.err &
recorder=$!
until [ -s late.log ]; do :; done
echo >go
until [ -s waited ]; do :; done
kill "$recorder"
wait "$recorder"
echo >go
agrees 'a process that runs already, and what it created since' late.log after

# In several files each tells its part.
pmcstat -q -P cpu-clock -O many.log --rotate 0.1s ./ran 200 >many || exit 99
is 'several files tell of it, together as much as one' "$( (cat many && for log in many.0*.log; do
	ran_for "$log"
done) | awk '
	NR == 1 { all = $1 + $2 }
	NR > 1 { parts += $1 + $2 }
	END { print (NR > 2), (parts > all - 21e6 && parts < all + 30e6) }')" '1 1'
is 'a report says it' "$(pmcstat -q -R own.log | sed -n '2s/[0-9][0-9]*\.[0-9]*/N/gp' | sed 's/, mostly waiting, maybe for a CPU//')" \
	'on a CPU N s (user N, system N) in N s; 1 process: ran'
is 'and its quality line' "$(pmcstat -R own.log --flat | grep -c '^quality: .*; on a CPU [0-9.]* s (user [0-9.]*, system [0-9.]*) in ')" 1

# ---- Who is ready to run and has no CPU does not wait for anything else.

if command -v taskset >/dev/null; then
	cpu=$(taskset -cp $$ | sed 's/.*: \([0-9]*\).*/\1/')
	busy='while :; do :; done'
	taskset -c "$cpu" sh -c "$busy" &
	first=$!
	taskset -c "$cpu" sh -c "$busy" &
	pmcstat taskset -c "$cpu" ./ran 200 >starved 2>err
	# Forked on a busy CPU it waits before it is let go, too.
	for _ in 1 2 3 4 5 6 7 8; do
		taskset -c "$cpu" nice -n 5 pmcstat true >true.out 2>>short
	done
	kill $first $!
	wait $first $! 2>/dev/null
	# It never sleeps, but for what is read from files when it starts.
	is 'a recording tells how long its command waited for a CPU' "$(sed -n \
		's/.* ran for \([0-9.]*\) s: on a CPU \([0-9.]*\) s .*, its first thread waited \([0-9.]*\) s for one;.*/\1 \2 \3/p' err |
		awk '{ print ($3 > $1 / 4), ($2 + $3 > 0.9 * $1 - 0.05 && $2 + $3 < 1.02 * $1 + 0.05) }')" '1 1'
	is 'no longer than that ran' "$(sed -n \
		's/.* ran for \([0-9.]*\) s: .*, its first thread waited \([0-9.]*\) s for one;.*/\1 \2/p' short |
		awk '$2 > $1 + 0.01')" ''
	pmcstat sleep 1 >slept 2>err
	is 'and not of one that sleeps' "$(sed -n 's/[0-9][0-9]*\.[0-9]*/N/g; s/; .*//; /ran for/p' err)" \
		'pmcstat: sleep ran for N s: on a CPU N s (user N, system N)'
	for _ in 1 2 3 4 5 6 7 8; do
		pmcstat true 2>&1 >true.out | sed 's/waited 0.00 s/waited for nothing/'
	done >err
	is 'nor of what is too short to be worth it' "$(grep -c 'waited for nothing' err)" 0
else
	skip 'a recording tells how long its command waited for a CPU' 'taskset is missing: apt-get install util-linux'
fi
finish
