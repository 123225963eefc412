#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# A program that is deleted, or replaced, when it has run has its names in a report of the same go.
# shellcheck source=tests/system/lib.sh
. "${srcdir:?}/tests/system/lib.sh"
needs_recording
compiled kept system/split.c -O1 -g -fno-omit-frame-pointer

# gone TITLE COMMAND OPTION...: records what runs the program and then does that to it.
gone() {
	title=$1 then=$2
	shift 2
	rm -f program
	cp kept program
	pmcstat -q -d -P cpu-clock:u "$@" -- sh -c "./program 1; $then" >report 2>err </dev/null
	verdict "$(grep -q 'leaf' report && ! grep -q 'program.*0x' report && echo yes || echo no)" "$title" "$(cat err report)"
}

gone 'deleted' 'rm program' --folded
gone 'replaced' 'cp /bin/true other; mv other program' --folded
gone 'with a log' 'rm program' --folded -O program.log
gone 'in an archive' 'rm program' --folded --archive program.tar
is 'which has the program' "$(tar xOf program.tar "${PWD#/}/program" | cmp - kept 2>&1)" ''
gone 'on a display' 'rm program; sleep 3' -T

# From memory alone, and without frame pointers: its file is never anywhere.
compiled memory system/memory.c
compiled bare system/split.c -O1 -g -fomit-frame-pointer
pmcstat -q -P cpu-clock:u --folded -- ./memory bare 1 >report 2>err </dev/null
is 'a program in memory alone has names and whole chains' "$(awk '
	{ all += $NF }
	/;_start;.*;main;.*;leaf_/ { whole += $NF }
	END { if (all > 100 && whole > 0.9 * all) print "whole"; else print whole " of " all }' report)$(cat err)" whole

pmcstat -R program.log --folded >report 2>err
like 'a report of another go says what is missing' "$(cat err)" "program is not there any more: keep what is recorded"
finish
