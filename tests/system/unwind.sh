#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Call chains of programs without frame pointers: called.c calls in known ways, and at least 19 of
# 20 chains are exactly that way, from where the thread began; or the reason why not is counted.
# shellcheck source=tests/system/lib.sh
. "${srcdir:?}/tests/system/lib.sh"
needs_recording
[ "$(uname -m)" = x86_64 ] || skip_all "made for x86_64; tests/vm/stories/unwind.story is for arm64"
command -v python3 >/dev/null || skip_all 'no python3'
flags='-O2 -g -fomit-frame-pointer -fno-optimize-sibling-calls -pthread'
# shellcheck disable=SC2086
compiled called system/called.c "$srcdir/tests/system/walked_asm.S" $flags
# shellcheck disable=SC2086
compiled lib.so system/called_lib.c $flags -shared -fPIC -Wl,-z,lazy
cp called bare && strip bare

# record LOG COMMAND...: user code alone, so that no chain begins in the kernel.
record() {
	log=$1
	shift
	pmcstat -q -d -P cpu-clock:u -O "$log" "$@" 2>err
}

# way TITLE LOG PATTERN: chains of called are this way; PATTERN, of awk, is of all between its name
# and the count.
way() {
	pmcstat -q -R "$2" --comm called --folded >folded 2>/dev/null
	facts=$(awk -v way="$3" '{ n = $NF; sub(/ [0-9]+$/, ""); sub(/^[^;]*;/, ""); all += n }
		$0 ~ way { right += n } END { printf "%d of %d", right, all }' folded)
	# shellcheck disable=SC2086
	set -- "$1" $facts
	verdict "$([ "$4" -ge 20 ] && [ $(($2 * 20)) -ge $(($4 * 19)) ] && echo yes || echo no)" "$1" \
		"$facts; $(sort -t' ' -k2nr folded | head -n 3 | cut -c 1-1000)"
}

# ends LOG END: the share of chains that end so, in percent, and how many there are.
ends() {
	pmcstat -q -R "$1" --json | python3 -c 'import json, sys
q = json.load(sys.stdin)["quality"]
print(q["ends"][sys.argv[1]] * 100 // max(q["chains"], 1), q["chains"])' "$2"
}

# whole TITLE LOG [END]: at least 95 % of its chains end so, complete if nothing is said.
whole() {
	# shellcheck disable=SC2046
	set -- "$1" "$2" $(ends "$2" "${3:-complete}")
	verdict "$([ "$4" -ge 20 ] && [ "$3" -ge 95 ] && echo yes || echo no)" "$1" "$3 % of $4"
}

# half TITLE LOG: half of its chains are complete.
half() {
	# shellcheck disable=SC2046
	set -- "$1" "$2" $(ends "$2" complete)
	verdict "$([ "$4" -ge 20 ] && [ "$3" -ge 50 ] && echo yes || echo no)" "$1" "$3 % of $4"
}

start='^_start;.*;main'
record plain.log ./called 0.4 plain
way 'plain calls' plain.log "$start;one;two;spin\$"
record threads.log ./called 0.8 threads
way 'threads' threads.log '^_*clone3?;start_thread;worker;two;spin$'
record signal.log ./called 0.4 signal
way 'a signal handler, above what it interrupted' signal.log "$start;.*raise.*;handler;two;spin\$"
record traps.log ./called 0.4 traps
way 'a signal handler, above the first instruction of a function' traps.log \
	"$start;in_trap;traps;[^;]*(restore|libc)[^;]*;trapped;two;spin\$"
# What comes to be read when the handler has ended is not whole: so that lasts.
record altstack.log ./called 2 altstack
scope=$(cat /proc/sys/kernel/yama/ptrace_scope 2>/dev/null)
if [ "${scope:-0}" -le 1 ] || [ "$(id -u)" = 0 ]; then
	way 'a handler on a stack of its own, above what it interrupted' altstack.log \
		"$start;.*raise.*;handler;two;spin\$"
else
	way 'a handler on a stack of its own has the frames of that stack' altstack.log \
		'handler;two;spin$'
	whole 'and the reason why no more are known' altstack.log window
fi
record context.log ./called 0.4 context
way 'a stack of its own, made by makecontext(3)' context.log '^[^;]*(context|libc)[^;]*;begun;two;spin$'
whole 'which is whole from there' context.log
record deep.log ./called 0.4 deep
way '400 calls' deep.log "$start(;down)+;spin\$"
is 'all 401 of them' "$(awk '{ print gsub(/;down/, "") }' folded | sort -n | tail -n 1)" 401
if [ "${scope:-0}" -le 1 ] || [ "$(id -u)" = 0 ]; then
	# More than a record has frames, and more than is copied of the stack.
	record turns.log ./called 0.4 turns 2000
	way '2000 calls of three functions in turn' turns.log "$start(;list;item;value)+;list;item;spin\$"
	is 'all 2000 of them' \
		"$(awk '{ print gsub(/;(list|item|value)/, "") }' folded | sort -n | tail -n 1)" 2000
	like 'of which the log has a turn' "$(pmclog dump turns.log)" ' 200[0-9] u end=complete.* folded=[0-9]{1,2}$'
	record deeper.log ./called 0.4 turns 7000
	# The last ones are of a process that is gone: there is their window alone.
	# A sample may be of the first calls.
	like 'and chains of 7000 calls are not whole, but cut at the depth' \
		"$(pmcstat -R deeper.log --folded=/dev/null 2>&1)" \
		' whole chains [0-9] of [0-9]{2,} \([0-4].[0-9]*%\),( window [0-9]+,)? depth [0-9]{2,}; '
	is 'for a chain of 4096 frames' \
		"$(pmclog dump deeper.log | awk '/^callchain/ { print $5 }' | sort -n | tail -n 1)" 4096
	# What is not copied of its stack is read from the process, whose first thread is gone; on a busy
	# machine sometimes too late.
	record orphan.log ./called 0.8 orphan 3500
	half 'half of 3500 calls in a thread that outlives the first one' orphan.log
	./called 4 orphan 3500 &
	until_true grep -qs '^State:.Z' "/proc/$!/task/$!/status"
	pmcstat -q -P cpu-clock:u -t $! -l 0.5 -O late.log 2>err
	half 'and of a process that is attached to when its first thread is gone' late.log
	kill $!
else
	skip '2000 calls of three functions in turn' 'no process may read the stack of another one'
fi
# Samples of every fault come faster than stacks of 400 calls are unwound, while the program runs on
# another CPU than the recorder.
if [ "$(nproc)" -lt 2 ]; then
	skip 'overload is told' 'one CPU: nothing runs while stacks are unwound'
else
	told=no
	for _ in 1 2 3 4 5 6 7 8 9 10; do
		pmcstat -q -d --unwind=dwarf -n 1 -P page-faults:u -O faults.log ./called 0.3 faults 2>err
		# shellcheck disable=SC2046
		set -- $(ends faults.log overload) $(ends faults.log complete)
		pmcstat -R faults.log --flat 2>&1 | grep -q 'whole chains .*, overload [1-9]' && told=yes && break
	done
	verdict $told 'overload is told' "$1 % of $2 chains by overload, $3 % complete"
fi
record leaf.log ./called 0.4 leaf
way 'a leaf without a frame' leaf.log "$start;leaves;leaf\$"
record tail.log ./called 0.4 tail
way 'behind a jump, which leaves no frame' tail.log "$start;assembly;spins;spin\$"
record alloca.log ./called 0.4 alloca
way 'a frame as large as was asked for' alloca.log "$start;allocates;use;spins;spin\$"
record aligned.log ./called 0.4 aligned
way 'one that is aligned besides' aligned.log "$start;aligned;use;spins;spin\$"
record cfi.log ./called 0.4 cfi
way 'assembly with CFI' cfi.log "$start;assembly;asm_with_cfi;spins;spin\$"
record frame.log ./called 0.4 frame
way 'assembly with a frame pointer alone' frame.log "$start;assembly;asm_with_frame;spins;spin\$"
like 'which the log marks as guessed' "$(pmclog dump frame.log)" 'end=complete guessed=[1-9]'
record nothing.log ./called 0.4 nothing
way 'assembly with neither: what it called is known' nothing.log '^asm_without;spins;spin$'
whole 'and the reason why no more is' nothing.log no-data
record lazy.log ./called 0.8 lazy ./lib.so
way 'calls that are bound when they are made' lazy.log "$start;lazy(;|\$)"
folded=$(awk '/;lazy;binds;/ { n += $NF } { all += $NF } END { print (n * 4 > all) }' folded)
is 'most of them while they are' "$folded" 1
record library.log ./called 0.8 library ./lib.so
way 'a library that comes and goes' library.log "$start;(in_library;)+spin\$"
record vfork.log ./called 0.4 vfork
way 'exec behind vfork' vfork.log "$start;one;two;spin\$"
record exits.log ./called 1 exits
way 'processes that are gone when the rings are read' exits.log "$start;(children;)?one;two;spin\$"
cp called gone
record deleted.log ./gone 0.4 deleted
whole 'a program whose file is deleted' deleted.log
cp called replaced
# shellcheck disable=SC2086
compiled other system/called.c "$srcdir/tests/system/walked_asm.S" $flags -O0 -fno-omit-frame-pointer
cp other replacing
record replaced.log ./replaced 0.4 replaced replacing
is 'a program that another one takes the place of' "$(cmp replaced other 2>&1)" ''
whole 'whose chains are its own' replaced.log
mkdir ns
cp other ns/called
for unshare in 'unshare -m' 'unshare -rm'; do
	$unshare mount --bind called ns/called 2>err && break
	unshare=
done
if [ -n "$unshare" ]; then
	# shellcheck disable=SC2086,SC2016
	record ns.log $unshare sh -c 'mount --bind called ns/called && exec ns/called 0.4 plain'
	whole 'a program of a mount namespace, where another has its name outside' ns.log
else
	skip 'a program of a mount namespace' "$(head -n 1 err)"
fi
mkdir box
cat >box.sh <<'END'
mount -t tmpfs none box && cp called box/called || exit
for tree in /lib /lib64 /usr; do
	[ ! -d $tree ] || { mkdir -p box$tree && mount --rbind $tree box$tree; } || exit
done
[ -z "$1" ] || exec chroot box /called "$@"
END
for unshare in 'unshare -mpf' 'unshare -rmpf'; do
	$unshare sh box.sh '' 2>err && break
	unshare=
done
if [ -n "$unshare" ]; then
	# shellcheck disable=SC2086
	record box.log $unshare sh box.sh 0.4 plain
	whole "a container's, with files and pids of its own" box.log
else
	skip "a container's" "$(head -n 1 err)"
fi
record bare.log ./bare 0.4 plain
whole 'a stripped program' bare.log

# The vDSO that its system calls and signal handlers return through is none that the recorder has.
# None of the assembly is called, which is for 64 bits.
mkdir bits32
# shellcheck disable=SC2086
if $CC $flags -m32 -o bits32/called "$srcdir/tests/system/called.c" \
	-Wl,--unresolved-symbols=ignore-all 2>cc.err && bits32/called 0.01 plain; then
	record signal32.log bits32/called 0.4 signal
	way 'a signal handler of a 32-bit program' signal32.log "$start;.*;handler;two;spin\$"
	whole 'down to what it interrupted' signal32.log
	record context32.log bits32/called 0.4 context
	way 'and a stack made by makecontext(3)' context32.log ';begun;two;spin$'
	whole 'which is whole from there' context32.log
else
	skip 'a 32-bit program' "$(head -n 1 cc.err)"
fi

CXX=${CXX:-c++}
if ! command -v "${CXX%% *}" >/dev/null; then
	skip 'exceptions' 'no C++ compiler'
elif ! $CXX -O2 -g -fomit-frame-pointer -o thrower "$srcdir/tests/system/walked.cc" 2>cc.err; then
	verdict no 'walked.cc compiles' "$(cat cc.err)"
else
	record thrown.log ./thrower 0.6
	whole 'exceptions' thrown.log
	pmcstat -q -R thrown.log --comm thrower --folded >folded 2>/dev/null
	throws=';throws\(unsigned_int\)[^;]*'
	like 'thrown through the frames that they leave' "$(cat folded)" \
		";main;catches\(\)[^;]*($throws){4};__cxa_throw;_Unwind_RaiseException"
	like 'and going on behind their destructors' "$(cat folded)" \
		";main;catches\(\)[^;]*$throws;_Unwind_Resume"
fi

pmcstat -q -P cpu-clock:u --unwind=off -O off.log ./called 0.2 plain
way '--unwind=off: the leaf alone' off.log '^(spin|clock_gettime|__.*clock_gettime.*|.*vdso.*)$'
pmcstat -q -P cpu-clock:u --unwind=fp -O fp.log ./called 0.2 plain
whole '--unwind=fp: the log does not say how chains end' fp.log elsewhere
finish
