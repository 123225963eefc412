#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# pmclog recv: logs of several senders at once, each whole in a file of its own; what is no log leaves nothing
# behind; a sender that is lost and a limit are told.  Loopback alone.
# shellcheck source=tests/system/lib.sh
. "${srcdir:?}/tests/system/lib.sh"
python=${PYTHON3:-python3}
"$python" -c 'import socket; socket.create_server(("127.0.0.1", 0))' 2>/dev/null ||
	skip_all 'no python3 that can listen on the loopback'
cat >script <<'END'
proc 10 app
map 10 0x401000 0x1000 app off=0x1000
sample 10 0x401010,0x401020 x5000
END
# begin OPTION...: a receiver in the background, with its port in $port.
begin() {
	: >said
	pmclog recv "$@" 0 2>said &
	receiver=$!
	until grep -q listening said || ! kill -0 $receiver 2>/dev/null; do :; done
	port=$(sed -n 's/.*listening at 127\.0\.0\.1://p' said)
}
# told: what it said of connections, with logs' sizes as N.
told() {
	sed -e 1d -e 's/log: [0-9][0-9]* bytes/log: N bytes/' -e 's/; [1-9][0-9]* more/; N more/' said
}
# send BYTES...: as a shell's printf has them; then the connection is kept until there is an answer, which is its end.
send() {
	"$python" -c 'import socket, sys
s = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
s.sendall(sys.stdin.buffer.read())
s.settimeout(60)
try:
    if len(sys.argv) < 3: s.shutdown(socket.SHUT_WR)
    s.recv(1)
except OSError: pass # what is no log is sent away by a reset
' "$@"
}
record() {
	pmcstat -q --collector=fake:script -c 0 -S cpu-clock -l 0.01 -O "127.0.0.1:$port" "$@"
}

mkdir got
echo mine >got/127.0.0.1.000001.log
begin -d got -c 4
record &
first=$!
record &
record --compress
wait $first
printf 'GET / HTTP/1.0\r\n\r\n' | send "$port" && send "$port" </dev/null
record
wait $receiver
is 'it ends after so many logs' $? 0
is 'each sender has a file, and what was there stays' "$(cd got && echo *) $(cat got/127.0.0.1.000001.log)" \
	'127.0.0.1.000001.log 127.0.0.1.000002.log 127.0.0.1.000003.log 127.0.0.1.000004.log 127.0.0.1.000005.log mine'
is 'all of each log has arrived' "$(for i in 2 3 4 5; do
	pmclog check got/127.0.0.1.00000$i.log | sed 's/.* \([0-9]* samples\)/\1/'; done | sort | uniq -c | sed 's/^ *//')" \
	'4 5000 samples, closed'
is 'what became of them is told, and what was no log' "$(told | sed 's/00000[2-5]/N/' | sort | uniq -c | sed 's/^ *//')" \
	'1 pmclog: 127.0.0.1.N.log: N bytes
3 pmclog: 127.0.0.1.N.log: N bytes, closed
1 pmclog: 127.0.0.1: it sent nothing
1 pmclog: 127.0.0.1: what it sends is no log'

# A sender that is lost in the middle of a record, and behind a whole one.
mklog whole.log <script
mkdir cut
begin -d cut -c 2
head -c 1000 whole.log | send "$port"
head -c "$(($(wc -c <whole.log) - 16))" whole.log | send "$port"
wait $receiver
is 'a log without its end is told' "$(told)" 'pmclog: 127.0.0.1.000001.log: N bytes, not closed: its end is missing
pmclog: 127.0.0.1.000002.log: N bytes, not closed: its end is missing'
is 'what came of it is there' "$(wc -c <cut/127.0.0.1.000001.log | tr -d ' ')" 1000

# All files together have no more than is allowed, and the sender learns of it.
mkdir small
begin -d small -m 64K
pmcstat -q --collector=fake:script -c 0 -S cpu-clock -l 0.01 -O "127.0.0.1:$port" 2>err
status=$?
kill -TERM $receiver
wait $receiver
is 'the limit is told' "$(told)" \
	'pmclog: 127.0.0.1.000001.log: N bytes, cut off: all files together have as many bytes as -m allows; N more bytes have come and are in no file'
is 'and holds' "$(($(cat small/* | wc -c) <= 65536))" 1
is 'the sender is not told that all is well' "$([ $status = 0 ] && pmclog check small/*.log | grep ', closed')" ''

# What came and has no room any more is told to the byte: the receiver stands still until it is there.
mkdir part
begin -d part -m 64K
"$python" -c 'import fcntl, os, signal, socket, struct, sys, termios
port, receiver = map(int, sys.argv[1:])
s = socket.create_connection(("127.0.0.1", port))
log = open("whole.log", "rb").read()
s.sendall(log[:50000])
while not os.path.exists("part/127.0.0.1.000001.log") or os.path.getsize("part/127.0.0.1.000001.log") < 50000: pass
os.kill(receiver, signal.SIGSTOP)
s.sendall(log[50000:80000])
while struct.unpack("i", fcntl.ioctl(s, termios.TIOCOUTQ, bytes(4)))[0]: pass
os.kill(receiver, signal.SIGCONT)
s.settimeout(60)
try: s.recv(1)
except ConnectionResetError: print("reset")' "$port" $receiver >sent 2>&1
kill -TERM $receiver
wait $receiver
is 'what came and is in no file is counted' "$(sed 1d said)" \
	'pmclog: 127.0.0.1.000001.log: 50000 bytes, cut off: all files together have as many bytes as -m allows; 30000 more bytes have come and are in no file'
is 'and its sender hears of it' "$(cat sent)" reset

# Ctrl-C.
mkdir ended
begin -d ended
"$python" -c 'import socket, sys
s = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
s.sendall(open("whole.log", "rb").read()[:5000])
open("sent", "w").close()
s.settimeout(60)
s.recv(1)' "$port" &
sender=$!
until [ -s ended/127.0.0.1.000001.log ]; do :; done
kill -INT $receiver
wait $receiver
is 'Ctrl-C ends it well' $? 0
wait $sender
is 'and what was open is told' "$(told)" 'pmclog: 127.0.0.1.000001.log: N bytes, cut off: the receiver ends'

is 'a port is needed' "$(pmclog recv 2>&1; echo $?)" 'pmclog: recv needs the port to listen at
pmclog: hint: usage: pmclog recv [-d DIR] [-m BYTES] [-k FILES] [-c COUNT] [ADDR:]PORT
64'
is 'and no more' "$(pmclog recv 7171 logs 2>&1 | head -n 1)" 'pmclog: recv listens at one port: what is "logs"?'
is 'a directory that is there' "$(pmclog recv -d nowhere 0 2>&1; echo $?)" 'pmclog: nowhere: No such file or directory
73'
is 'no address of this machine' "$(pmclog recv 192.0.2.1:0 2>&1; echo $?)" \
	'pmclog: 192.0.2.1:0: cannot listen: Cannot assign requested address
69'
for port in 65536 99999 127.0.0.1:-1 +80 ''; do
	timeout 10 pmclog recv "$port" 2>&1 | sed -n 1p
done >ports
is 'ports that are none' "$(cat ports)" 'pmclog: 65536: "65536" is no port
pmclog: 99999: "99999" is no port
pmclog: 127.0.0.1:-1: "-1" is no port
pmclog: +80: "+80" is no port
pmclog: : "" is no port'
is 'nor does pmcstat connect to another one' \
	"$(pmcstat -q --collector=fake:script -S cpu-clock -O 127.0.0.1:99999 2>&1; echo $?)" 'pmcstat: 127.0.0.1:99999: "99999" is no port
pmcstat: hint: -O HOST:PORT opens a connection; -O ./127.0.0.1:99999 writes a file
64'
is 'a number of bytes' "$(pmclog recv -m 5X 0 2>&1 | head -n 1)" \
	'pmclog: -m "5X" is not a number of bytes like 500M or 16G'
# listen_with FILES: a receiver that may have as many open, at $port.
listen_with() {
	: >said
	(
		exec 2>said 3>&- 4>&- 5>&- 6>&- 7>&-
		# shellcheck disable=SC3045
		ulimit -n "$1"
		exec pmclog recv -d got 0
	) &
	receiver=$!
	until grep -q listening said || ! kill -0 $receiver 2>/dev/null; do :; done
	port=$(sed -n 's/.*listening at 127\.0\.0\.1://p' said)
}
# The directory and the listener take what there is.
listen_with 5
send "$port" </dev/null &
sender=$!
until_true grep -q hint said
is 'a connection that there is no descriptor for waits, and that is told' "$(sed '1d; s/ (as root.*//' said)" \
	'pmclog: a connection waits: of 5 files that may be open 5 are, and more are needed
pmclog: hint: ulimit -n 1024'
kill $receiver
wait $receiver $sender
listen_with 6
record 2>/dev/null
until_true grep -q hint said
is 'and one whose log has none ends' "$(sed '1d; s/ (as root.*//; s/0000[0-9]*/N/' said | head -n 2)" \
	'pmclog: 127.0.0.1: 127.0.0.1.N.log: cannot create: of 6 files that may be open 6 are, and more are needed
pmclog: hint: ulimit -n 1024'
kill $receiver
wait $receiver
finish
