#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# make check starts tests alike from a terminal, whose standard input nobody reads, and in the
# background of a shell, where SIGINT is ignored.
# shellcheck source=tests/system/lib.sh
. "${srcdir:?}/tests/system/lib.sh"
command -v make >/dev/null || skip_all 'no make'
unset MAKEFLAGS MFLAGS MAKELEVEL
# make distcleancheck knows of no such test.
trap 'rm -rf "$dir" "$builddir"/tests/system/started.log "$builddir"/tests/system/started.trs' EXIT

# check: one test, whose logs are those of no other make.
cat >check <<END
cd "$builddir" && exec make -s check-TESTS AM_COLOR_TESTS=no TESTS=tests/system/started.sh \
	TEST_SUITE_LOG="$dir/suite.log"
END
wanted='PASS: tests/system/started.sh 1 - standard input is empty
PASS: tests/system/started.sh 2 - SIGINT is not ignored'

echo 'a line' | (trap '' INT && exec sh ./check) >background 2>&1
is 'in the background' "$(grep -E '^(PASS|FAIL|ERROR|SKIP)' background)" "$wanted"

if [ -z "${PYTHON3-}" ] || ! "$PYTHON3" -c 'import pty; pty.openpty()' 2>/dev/null; then
	skip 'from a terminal' 'no python3 with pseudo-terminals'
	finish
fi
cat >terminal.py <<'END'
import os, pty
pid, fd = pty.fork()
if pid == 0:
    os.execvp("sh", ["sh", "./check"])
os.write(fd, b"a line\n")
text = b""
try:
    while data := os.read(fd, 4096):
        text += data
except OSError:
    pass
os.waitpid(pid, 0)
print(text.decode(errors="replace").replace("\r", ""))
END
"$PYTHON3" terminal.py >terminal 2>&1
is 'from a terminal' "$(grep -E '^(PASS|FAIL|ERROR|SKIP)' terminal)" "$wanted"
finish
