#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Programs whose files are not where their maps say, as seen from here: in another mount namespace, as in
# containers, or gone.  While they run, their processes have them.
# shellcheck source=tests/system/lib.sh
. "${srcdir:?}/tests/system/lib.sh"
needs_recording
compiled loop system/loop.c -O1 -nostdlib -static -Wl,--build-id=sha1

# named LOG: what has samples, and what is said of the rest.
named() {
	pmcstat -R "$1" --folded 2>err | sed 's/ [0-9]*$//' | sort -u
	sed '/quality/d; /^pmcstat: inclusive/d; s/^pmcstat: [0-9]* samples ([0-9.]*%): //' err
}
mkdir room
as=
[ "$(id -u)" = 0 ] || as='-r'
# shellcheck disable=SC2086
unshare $as -m sh -c 'mount -t tmpfs none room && cp loop room/elsewhere && exec room/elsewhere 1000000000000' 2>unshare.err &
target=$!
until [ "$(cat /proc/$target/comm 2>/dev/null)" = elsewhere ] || ! kill -0 $target 2>/dev/null; do sleep 0.1; done
if [ "$(cat /proc/$target/comm 2>/dev/null)" = elsewhere ]; then
	pmcstat -q -P cpu-clock:u --unwind=fp -t $target -l 0.3 -O room.log
	is 'in a file system of its own' "$(named room.log)" 'elsewhere;start'
	pmcstat -q -R room.log --pack=packed.log
	kill $target
	until_true [ ! -e /proc/$target/exe ]
	is 'when it has ended it cannot be known' "$(named room.log | sed 's/;0x.*/;0x/' | sort -u)" \
		"$PWD/room/elsewhere is not there any more: keep what is recorded (go build, not go run), record with --pack, or give -r the root that it was below
elsewhere;0x"
	is 'but where the log was packed before' "$(named packed.log)" 'elsewhere;start'
else
	skip 'in a file system of its own' "$(head -n 1 unshare.err)"
fi

# Without build-id the inode tells.
compiled bare system/loop.c -O1 -nostdlib -static -Wl,--build-id=none
mkelf room/bare <<END
type exec
text 0x401000 0x1000
symbol host_work 0x401000 0x1000
END
# shellcheck disable=SC2086
unshare $as -m sh -c 'mount -t tmpfs none room && cp bare room && exec room/bare 1000000000000' 2>unshare.err &
target=$!
until [ "$(cat /proc/$target/comm 2>/dev/null)" = bare ] || ! kill -0 $target 2>/dev/null; do sleep 0.1; done
if [ "$(cat /proc/$target/comm 2>/dev/null)" = bare ]; then
	pmcstat -q -P cpu-clock:u --unwind=fp -t $target -l 0.3 -O image.log
	is 'of two images that have a file at one path, by the one that runs it' "$(named image.log)" 'bare;start'
	inode=$(stat -c %i -L /proc/$target/exe)
	kill $target
	until_true [ ! -e /proc/$target/exe ]
	is 'and when it has ended by neither' "$(named image.log | tail -n 1)" \
		"$PWD/room/bare has no build-id and is not the file that was profiled, which had inode $inode, not $(stat -c %i room/bare)"
else
	skip 'of two images that have a file at one path' "$(head -n 1 unshare.err)"
fi
cp bare copied
./bare 1000000000000 &
target=$!
until_true cmp -s bare /proc/$target/exe
start=$(nm bare | awk '$3 == "start" { print "0x" $1 }')
base=$(awk '$2 ~ /x/ && /bare/ { sub("-.*", "", $1); print "0x" $1 }' /proc/$target/maps)
offset=$(awk '$2 ~ /x/ && /bare/ { print "0x" $3 }' /proc/$target/maps)
for inode in "$(stat -c %i bare)" "$(stat -c %i copied)"; do
	mklog bare.log <<END
origin host=here machine=$(uname -m) boot-id=$(cat /proc/sys/kernel/random/boot_id) release=6.1
pmc 1 cpu-clock rate=1000
proc $target bare
map $target $base 0x1000 /nowhere/bare off=$offset dev=$(stat -c %Hd:%Ld bare) inode=$inode
sample $target $start x1
close
END
	named bare.log >"bare.$inode"
done
is 'a file that is gone, by the program of its process' "$(cat "bare.$(stat -c %i bare)")" 'bare;start'
is 'but not where that is another program' "$(tail -n 1 "bare.$(stat -c %i copied)")" \
	'/nowhere/bare is not there any more: keep what is recorded (go build, not go run), record with --pack, or give -r the root that it was below'
kill $target
finish
