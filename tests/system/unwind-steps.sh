#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Call chains of real programs, at every instruction that they run: those that src/unwind finds are
# the true ones, which stepwalk sees being made.
# shellcheck source=tests/system/lib.sh
. "${srcdir:?}/tests/system/lib.sh"
CC=${CC:-cc}
case $(uname -m) in
x86_64 | aarch64) ;;
*) skip_all "no unwinding on $(uname -m)" ;;
esac
stepwalk true >/dev/null 2>&1
[ $? != 77 ] || skip_all 'this process may not trace another'

# build OPTION...: the program "walked" and its library, as it is unwound where nobody thought of it.
build() {
	$CC -w -O2 -fomit-frame-pointer -fasynchronous-unwind-tables "$@" -o walked \
		"$srcdir/tests/system/walked.c" "$srcdir/tests/system/walked_asm.S" \
		-Wl,-z,lazy -ldl -lpthread 2>build.err &&
		$CC -w -O2 "$@" -shared -fPIC -o lib.so "$srcdir/tests/system/walked_lib.c" 2>build.err
}

# walk TITLE PROGRAM ARGUMENT...: no chain is wrong, and few end where code has no CFI (in start-up
# code, and in the assembly that has none).  At most $cut may be cut by the check for calls.
cut=0
walk() {
	title=$1
	shift
	stepwalk "$@" >walk.out 2>&1
	facts=$(awk -v may="$cut" '
		$1 == "steps" { steps = $2 }
		$1 == "complete" { whole = $2 }
		$1 == "window" { window = $2 }
		/^bad return address/ { cut = $4 }
		/: bad return address$/ && may { next }
		/^wrong 1 at walked.*: complete$/ && may && ++thunk <= 3 { next }
		/^without CFI/ { without = $3 }
		/^wrong by frame pointer/ { guessed = $5; next }
		$1 == "wrong" { print; bad = 1 }
		END {
			if (steps < 10000) print "only " steps " steps"
			if (!window) print "no chain ended on the signal stack"
			if (cut > may) print cut " chains are cut"
			if (without > 400 || guessed > 200) print without " without CFI, " guessed " by frame pointer"
			if (whole + window + without + guessed + cut < steps) print steps " steps, " whole " whole chains"
		}' walk.out)
	[ -z "$facts" ] || facts="$facts
$(head -n 40 walk.out)"
	clean "$title" "$facts"
}

if ! build; then
	skip_all "$CC cannot build the program: $(head -n 1 build.err)"
fi
strip walked lib.so 2>/dev/null
walk 'dynamic, lazily bound, without frame pointers, stripped' ./walked ./lib.so
if build -Wl,--no-eh-frame-hdr; then
	walk 'without .eh_frame_hdr' ./walked ./lib.so
else
	skip 'without .eh_frame_hdr' "$(head -n 1 build.err)"
fi
if build -fno-asynchronous-unwind-tables -fno-unwind-tables -fno-exceptions -g -gz=none; then
	walk 'with .debug_frame alone' ./walked ./lib.so
else
	skip 'with .debug_frame alone' "$(head -n 1 build.err)"
fi
# The CFI of a strchr() of glibc for 80486 is false: it has the sign of each push wrong.  And the
# FDE of _start, which has no caller, covers the two instructions of a function that it calls, and in
# Debian 13 the one of a main() that jumps to ours.
cut=2000
if [ "$(uname -m)" != x86_64 ]; then
	skip '32-bit' 'only x86-64 runs x86'
elif build -m32 -fno-pie -no-pie; then
	walk '32-bit' ./walked ./lib.so
else
	skip '32-bit' "$(head -n 1 build.err)"
fi

# An exception's frames, while it is thrown.  Where the unwinder of libgcc installs a context it has
# overwritten its own return address, and a chain is what no CFI can say: 60 instructions.
CXX=${CXX:-c++}
if ! command -v "${CXX%% *}" >/dev/null; then
	skip 'exceptions' 'no C++ compiler'
elif ! $CXX -w -O2 -fomit-frame-pointer -static-libstdc++ -o walked_cc \
	"$srcdir/tests/system/walked.cc" 2>build.err; then
	skip 'exceptions' "$(head -n 1 build.err)"
else
	stepwalk ./walked_cc >walk.out 2>&1
	clean 'exceptions' "$(awk '
		$1 == "steps" { steps = $2 }
		$1 == "complete" { whole = $2 }
		/^wrong by frame pointer/ { next }
		/^wrong [0-9]* at libgcc_s\./ { wrong += $2; places[$4] = 1; next }
		$1 == "wrong" { print }
		END {
			for (p in places) n++
			if (steps < 100000) print "only " steps " steps"
			if (n > 60 || wrong * 200 > steps) print wrong " wrong in " n " places of libgcc"
			if (whole * 1000 < steps * 997) print whole " of " steps " are whole"
		}' walk.out)"
fi
finish
