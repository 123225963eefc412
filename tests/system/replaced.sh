#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# A program without build-id that another file has replaced: its samples get no names of that file's.
# shellcheck source=tests/system/lib.sh
. "${srcdir:?}/tests/system/lib.sh"
[ -r /proc/sys/kernel/random/boot_id ] || skip_all 'nothing tells which boot this is'
for program in was is; do
	mkelf $program <<END
type exec
text 0x401000 0x1000
symbol ${program}_work 0x401000 0x100
END
done
# log FILE INODE BOOT: a sample of it, mapped from that inode of its device.
log() {
	mklog "$1.log" <<END
origin host=here machine=x86_64 boot-id=$3 release=6.1 sec=${4:-$(date +%s)}
pmc 1 cpu-clock rate=1000
proc 10 program
map 10 0x401000 0x1000 $PWD/$1 off=0x1000 dev=$(stat -c %Hd:%Ld "$1") inode=$2
sample 10 0x401010
close
END
}
here=$(cat /proc/sys/kernel/random/boot_id)
cp was program
inode=$(stat -c %i program)
log program "$inode" "$here"
named() {
	pmcstat "$@" --folded 2>err
	sed '/quality/d' err
}
is 'the file that was profiled' "$(named -R program.log)" 'program;was_work 1'
mv program old && cp is program
is 'another one in its place' "$(named -R program.log)" "program;0x1010 1
pmcstat: 1 samples (100.00%): $PWD/program has no build-id and is not the file that was profiled, which had inode $inode, not $(stat -c %i program)"
mkdir -p "copy$PWD" && cp was "copy$PWD/program"
is 'a copy below a root directory has inodes of its own' "$(named -r copy -R program.log)" 'program;was_work 1'
log program "$inode" 00000000-0000-0000-0000-000000000000
is 'another boot, or machine, has too, which is said' "$(named -R program.log)" 'program;is_work 1
pmcstat: 1 samples (100.00%): named by files of this machine that have no build-id, but the log is of here: -r names the root that its files are below'
log program "$(stat -c %i program)" "$here"
is 'the new one, profiled' "$(named -R program.log)" 'program;is_work 1'
written=$(stat -c %Y program)
log program "$(stat -c %i program)" "$here" $((written - 1000))
is 'one that was written into, or has the inode of one that is gone' "$(named -R program.log)" "program;0x1010 1
pmcstat: 1 samples (100.00%): $PWD/program has no build-id and was written at $(
	date -u -d "@$written" '+%F %T UTC'), after it was profiled, from $(
	date -u -d "@$((written - 1000))" '+%F %T UTC') on: -r / says that it is the right one"
is 'and is taken all the same' "$(named -r / -R program.log)" 'program;is_work 1'
finish
