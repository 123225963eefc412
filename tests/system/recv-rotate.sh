#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Recordings that are rotated into files of another host, by pmclog recv: each is whole, nothing is lost between
# them, and what a lost connection costs is counted; of each sender the last files are kept.  Loopback alone.
# shellcheck disable=SC2317 # functions are called by until_true
# shellcheck source=tests/system/lib.sh
. "${srcdir:?}/tests/system/lib.sh"
needs_recording

# is_told PATTERN: the receiver has said so.
is_told() {
	grep -q "$1" said
}
# is_again FILE: a sender has said it.
is_again() {
	grep -q 'takes the log again' "$1"
}
# begin PORT OPTION...: a receiver in the background; with port 0 its port is $port.
begin() {
	at=$1
	shift
	: >said
	pmclog recv "$@" "$at" 2>said &
	receiver=$!
	until_true is_told listening
	port=$(sed -n 's/.*listening at 127\.0\.0\.1://p' said)
}
end() {
	kill -TERM "$receiver"
	wait "$receiver"
}
# Whether there are as many files as that; whether some are more than a beginning.
has_files() {
	[ "$(echo "$1"/*.log | wc -w)" -ge "$2" ]
}
has_bytes() {
	[ "$(cat "$1"/*.log 2>/dev/null | wc -c)" -gt 50000 ]
}
# Every page-fault is a sample, and is counted, in programs that come and go until the file enough is there.
cat >work <<'EOS'
i=0
until [ -e enough ] || [ $i = 900 ]; do
	seq 3000 | sort >/dev/null
	sleep 0.05
	i=$((i + 1))
done
EOS
# record NAME OPTION...
record() {
	name=$1
	shift
	pmcstat -q -N -d -n 1 -P page-faults:u -C -p page-faults:u -o "$name.counts" -w 1000 -O "127.0.0.1:$port" "$@" \
		sh work 2>"$name.err"
}
# all OF FILE...: the samples of files, or what they say was not sent.
all() {
	of=$1
	shift
	for log; do
		pmclog dump "$log" | if [ "$of" = samples ]; then
			grep -c '^callchain'
		else
			awk '/^drop .* unsent/ { n += $2 } END { print n + 0 }'
		fi
	done | awk '{ n += $1 } END { print n + 0 }'
}

# Several senders, one of them compressed; by time, by size, and by a signal.
mkdir got
begin 0 -d got
record time --rotate 0.3s &
time=$!
record size --rotate 100K &
size=$!
record packed --rotate 0.4s --compress &
packed=$!
until_true has_files got 20
: >enough
status=0
for sender in $time $size $packed; do
	wait "$sender" || status=$?
done
is 'senders end well' $status 0
is 'and say nothing' "$(cat time.err size.err packed.err)" ''
end
is 'nothing is cut off' "$(grep -c 'cut off\|not closed' said)" 0
is 'each file is whole' "$(for log in got/*.log; do pmclog check "$log"; done | grep -vc ', closed$')" 0
is 'each page-fault is in one of them' "$(all samples got/*.log)" \
	"$(for name in time size packed; do awk 'END { print $NF }' $name.counts; done | awk '{ n += $1 } END { print n }')"
is 'each names all that is in it' "$(for log in got/*.log; do
	pmcstat -q -R "$log" --by tid --folded
done | grep -c 'pid-\|\[unknown\]')" 0
is 'none has what was not sent' "$(all unsent got/*.log)" 0

# The receiver goes, and another comes.
mkdir first second
rm -f enough
begin 0 -d first
record lost --rotate 1h &
sender=$!
until_true has_bytes first
end
like 'what it had is told' "$(cat said)" '127.0.0.1.000001.log: [1-9][0-9]* bytes, cut off: the receiver ends'
until_true grep -q 'the connection is lost' lost.err
begin "$port" -d second
until_true is_again lost.err
until_true has_bytes second
: >enough
wait $sender
is 'a sender whose connection was lost ends well' $? 0
end
is 'the file before is readable' "$(pmclog check first/127.0.0.1.000001.log | sed 's/.*, //')" 'not closed'
is 'the next one is whole' "$(pmclog check second/127.0.0.1.000001.log | sed 's/.*, //')" closed
is 'and names all that is in it' "$(pmcstat -q -R second/127.0.0.1.000001.log --by tid --folded | grep -c 'pid-\|\[unknown\]')" 0
counted=$(awk 'END { print $NF }' lost.counts)
came=$(all samples first/*.log second/*.log)
unsent=$(all unsent second/*.log)
sums="$came came, $unsent unsent, $counted counted"
is 'nothing is lost that is not counted' "$([ $((came + unsent)) -ge "$counted" ] || echo "$sums")" ''
is 'nor is much counted that is not lost' "$([ "$came" -le "$counted" ] && [ "$unsent" -lt "$counted" ] || echo "$sums")" ''
is 'the sender says as many' "$(sed -n 's/.*: \([0-9]*\) samples could not be written to the log/\1/p' lost.err)" "$unsent"
is 'and that of what had arrived it knows nothing' "$(grep -c 'bytes that had arrived when the connection was lost are not counted here' lost.err)" 1
like 'a report has them' "$(pmcstat -R second/127.0.0.1.000001.log --flat | grep '^quality')" "lost $unsent "

# Nobody takes the next connection: the one that is there goes on.
mkdir kept
rm -f enough
begin 0 -d kept -c 2
record stays --rotate 0.5s &
sender=$!
until_true grep -q 'is kept\|is lost' stays.err
: >enough
wait $sender
wait $receiver
like 'a sender that nobody takes any more says so' "$(cat stays.err)" 'cannot connect: Connection refused; the connection that is there is kept|the connection is lost'

# A disk that is full: the limit of a file's size is met as that is.
mkdir full
rm -f enough
: >said
(
	ulimit -f 40
	exec pmclog recv -d full 0 2>said
) &
receiver=$!
until_true is_told listening
port=$(sed -n 's/.*listening at 127\.0\.0\.1://p' said)
record full --rotate 1h &
sender=$!
until_true is_again full.err
: >enough
wait $sender
end
like 'a full disk is told' "$(cat said)" 'log: [1-9][0-9]* bytes, cut off: File too large; [1-9][0-9]* more bytes have come and are in no file'
is 'what it had room for is readable' "$(for log in full/*.log; do
	pmclog check "$log" 2>&1
done | grep -vc 'samples, closed$\|samples, not closed$\|the log ends after')" 0

# Of each host behind an address the last files are kept, and nobody else's are deleted.
for host in web1 web2; do
	printf 'origin host=%s\nproc 10 app\nsample 10 0x401010 x5\n' $host | mklog $host.log
	pmclog compress $host.log $host.pmcz
done
python=${PYTHON3:-python3}
send() {
	"$python" -c 'import socket, sys
s = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
s.sendall(sys.stdin.buffer.read())
s.shutdown(socket.SHUT_WR)
s.settimeout(60)
s.recv(1)' "$port"
}
if "$python" -c 'import socket' 2>/dev/null; then
	mkdir keep
	begin 0 -d keep -k 2
	send <web2.log
	for log in web1.log web1.pmcz web1.log; do
		send <$log
	done
	is 'two of each host are kept' "$(cd keep && echo *)" \
		'127.0.0.1.000001.log 127.0.0.1.000003.log 127.0.0.1.000004.log'
	rm keep/127.0.0.1.000003.log
	echo mine >keep/127.0.0.1.000003.log
	send <web1.pmcz
	send <web2.pmcz
	send <web2.log
	is 'what took the place of one is not deleted' "$(cd keep && echo * && cat 127.0.0.1.000003.log)" \
		'127.0.0.1.000003.log 127.0.0.1.000004.log 127.0.0.1.000005.log 127.0.0.1.000006.log 127.0.0.1.000007.log
mine'
	end
	mkdir room
	begin 0 -d room -k 1 -m $((2 * $(wc -c <web1.log)))
	for _ in 1 2 3 4 5; do
		send <web1.log
	done
	is 'what is deleted makes room' "$(cd room && echo * && grep -c closed ../said)" '127.0.0.1.000005.log
5'
	end
fi
finish
