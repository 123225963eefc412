#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Programs that become targets while it is recorded: one whose file another one had before, and one
# that has the number of one that is gone.
# shellcheck source=tests/system/lib.sh
. "${srcdir:?}/tests/system/lib.sh"
needs_recording
compiled first system/split.c -O2 -fomit-frame-pointer -Wl,--build-id=sha1
compiled second system/split.c -O1 -fomit-frame-pointer -falign-functions=512 -Dleaf_sixty=other_sixty \
	-Wl,--build-id=sha1
cp "$(command -v sleep)" keeper

# What records all that is called program, of which there are two, one after the other; prints their
# numbers.  $1 is what is done between the two.
cat >record <<'END'
attached() {
	pmclog dump log 2>/dev/null | grep -q "^attach .* $1 "
}
rm -f log
./keeper 60 &
keeper=$!
pmcstat -q --unwind=dwarf -n 1000000 -P cpu-clock -t '^(program|keeper)$' -O log &
recorder=$!
until attached $keeper; do
	kill -0 $recorder 2>/dev/null || { kill $keeper && exit 1; }
	sleep 0.05
done
./program 1 &
first=$!
wait $first
eval "$1"
./program 1 &
second=$!
wait $second
kill $keeper
wait
echo $first $second
END

# most PID: the chain that most samples of it have, and what is wrong with names.
most() {
	pmcstat -R log --pid "$1" --folded 2>err | sort -k2,2nr |
		sed -n '1s/^program;_start;.*;main;/program;_start;...;main;/; 1s/ [0-9]*$//p'
	grep 'build-id' err
}

cp first program
is 'a program that was written into the file of another has its own names and callers' \
	"$(most "$(sh record 'cp second program' | cut -d' ' -f2)")" 'program;_start;...;main;caller_eighty;other_sixty'

# In a namespace the number of the next process can be said.
# shellcheck disable=SC2016
if unshare -Urpf --mount-proc sh record 'sleep 1; echo $((first - 1)) >/proc/sys/kernel/ns_last_pid' >pids 2>err; then
	read -r one other <pids
	is 'one has the number of another' "$one" "$other"
	is 'and callers of its own: of nine samples in ten all are known' "$(pmcstat -q -R log --pid "$one" --folded |
		awk '{ n += $2 } /^program;_start;/ { whole += $2 } END { print (whole * 10 > n * 9 ? "yes" : whole " of " n) }')" yes
else
	skip 'one that has the number of another' "$(head -n 1 err)"
fi
finish
