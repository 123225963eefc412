#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# A log written to a TCP connection arrives as it would be in a file; loopback alone.
# shellcheck source=tests/system/lib.sh
. "${srcdir:?}/tests/system/lib.sh"
python=${PYTHON3:-python3}
"$python" -c 'import socket; socket.create_server(("127.0.0.1", 0))' 2>/dev/null ||
	skip_all 'no python3 that can listen on the loopback'

# Tells its port in the file port, and writes what one connection brings to the file got; leaves in the
# midst of it where there is a file leave.
cat >listen.py <<'EOF'
import os, socket
server = socket.create_server(("127.0.0.1", 0))
server.settimeout(60)
with open("port.new", "w") as f:
    f.write("%d\n" % server.getsockname()[1])
os.rename("port.new", "port")
with open("got", "wb") as got:
    connection = server.accept()[0]
    while (data := connection.recv(65536)) and not os.path.exists("leave"):
        got.write(data)
EOF
cat >script <<'EOF'
proc 10 app
map 10 0x401000 0x1000 app off=0x1000
sample 10 0x401010,0x401020 x5000
EOF
rm -f port
"$python" listen.py &
listener=$!
until [ -e port ] || ! kill -0 $listener 2>/dev/null; do :; done
pmcstat -q --collector=fake:script -c 0 -S cpu-clock -l 0.01 -O "127.0.0.1:$(cat port)" 2>err
is 'recording ends well' "$?$(cat err)" 0
wait $listener
pmclog check got >said 2>&1
is 'all of the log has arrived' "$(sed 's/.* \([0-9]* samples\)/\1/' said)" '5000 samples, closed'
pmcstat -q -R - --folded <got >folded
is 'and is read' "$(sed 's/ [0-9]*$//' folded)" 'app;0x1020;0x1010'

# One that leaves: only a later write finds it out.
if pmcstat -q -P cpu-clock -O probe.log true 2>probe.err; then
	rm port && touch leave
	"$python" listen.py &
	listener=$!
	until [ -e port ] || ! kill -0 $listener 2>/dev/null; do :; done
	pmcstat -q -n 100000 -P cpu-clock -O "127.0.0.1:$(cat port)" \
		"$python" -c 'for i in range(20000000): pass' 2>err
	is 'a listener that leaves: exit status' "$?" 74
	like 'a listener that leaves is called by its address' "$(cat err)" \
		"^pmcstat: 127.0.0.1:$(cat port): cannot write: (Connection reset by peer|Broken pipe) \([0-9]* bytes were sent\)"
	like 'what it took and did not write it alone knows' "$(tail -n 1 err)" \
		'^pmcstat: bytes that had arrived when the connection was lost are not counted here: the receiver says'
	wait $listener
else
	skip 'a listener that leaves' "$(head -n 1 probe.err)"
fi

# The listener has gone, and with it all that would take a connection.
pmcstat -q --collector=fake:script -c 0 -S cpu-clock -l 0.01 -O "127.0.0.1:$(cat port)" 2>err
is 'nobody listens: exit status' "$?" 73
is 'nobody listens: what is said' "$(sed 's/:[0-9][0-9]*/:PORT/g' err)" \
	'pmcstat: 127.0.0.1:PORT: cannot connect: Connection refused
pmcstat: hint: -O HOST:PORT opens a connection; -O ./127.0.0.1:PORT writes a file'
pmcstat -q --collector=fake:script -c 0 -S cpu-clock -l 0.01 -O 127.0.0.1:nosuchport 2>err
is 'no such port: exit status' "$?" 68
pmcstat -q --collector=fake:script -c 0 -S cpu-clock -l 0.01 -O ./a:1 2>err
is 'a path is a file' "$(pmclog check ./a:1 | sed 's/.* \([0-9]* samples\)/\1/')" '5000 samples, closed'
finish
