#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# On a terminal a recording shows one status line and takes it away at the end; elsewhere, or with
# -q, it shows none.  Ctrl-C ends a recording of the system with a closed log and status 0.
set -u
: "${srcdir:?}" "${builddir:?}"
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT HUP INT TERM
PATH=$builddir:$PATH
cd "$dir" || exit 99

if [ -z "${PYTHON3-}" ]; then
	echo '1..0 # SKIP no python3 for a pseudo-terminal'
	exit 0
fi
if ! pmcstat -q -P cpu-clock -O probe.log true 2>probe.err; then
	echo "1..0 # SKIP $(head -n 1 probe.err)"
	exit 0
fi
cat >terminal.py <<'EOF'
import os, pty, select, sys, time
# terminal.py SECONDS COMMAND...: types Ctrl-C after SECONDS, prints what the terminal got and the status.
pid, fd = pty.fork()
if pid == 0:
    os.execvp(sys.argv[2], sys.argv[2:])
end, text, typed = time.time() + float(sys.argv[1]), b"", False
while True:
    if select.select([fd], [], [], 0.1)[0]:
        try:
            data = os.read(fd, 4096)
        except OSError:
            break
        if not data:
            break
        text += data
    if not typed and time.time() > end:
        os.write(fd, b"\x03")
        typed = True
status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
print(status, repr(text))
EOF

n=0
failed=0
is() {
	n=$((n + 1))
	if printf '%s\n' "$2" | grep -qE "$3"; then
		echo "ok $n - $1"
	else
		failed=1
		echo "not ok $n - $1"
		printf '# %s\n' "$2"
	fi
}
line='[0-9.]+ s, [0-9]+ samples, log [0-9.]+ MB, lost 0'
is 'a status line comes and goes' "$("$PYTHON3" terminal.py 60 pmcstat -P cpu-clock -O a.log sleep 1.3)" \
	"^0 b'(.r.x1b\[K$line)+.r.x1b\[K'\$"
is '-q shows none' "$("$PYTHON3" terminal.py 60 pmcstat -q -P cpu-clock -O a.log sleep 0.7)" "^0 b''\$"
pmcstat -P cpu-clock -O a.log sleep 0.7 2>err
is 'nor a file as standard error' "$(wc -c <err)" '^ *0$'
is 'Ctrl-C reaches the command, whose death is the status' \
	"$("$PYTHON3" terminal.py 0.5 pmcstat -q -P cpu-clock -O b.log sleep 20)" '^130 '
is 'and leaves a closed log' "$(pmclog check b.log)" ' closed$'
if pmcstat -q -S cpu-clock -l 0.1 -O probe.log 2>/dev/null; then
	is 'Ctrl-C ends a recording of the system' \
		"$("$PYTHON3" terminal.py 0.5 pmcstat -q -S cpu-clock -O c.log)" '^0 '
	is 'and leaves a closed log of it' "$(pmclog check c.log)" ' closed$'
fi
echo "1..$n"
exit $failed
