#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Profiles that are pushed to a server, which fails, stalls, goes and comes back; loopback alone.
# shellcheck source=tests/system/lib.sh
. "${srcdir:?}/tests/system/lib.sh"
python=${PYTHON3:-python3}
"$python" -c 'import http.server' 2>/dev/null || skip_all 'no python3'
pmcstat --help | grep -q -e '--pprof' || skip_all 'built without libprotobuf-c'
pmcstat -q --collector=fake:/dev/null -S cpu-clock -l 0.01 --push http://127.0.0.1:1/ingest 2>err ||
	! grep -q libcurl err || skip_all "$(head -n 1 err)"
unset http_proxy https_proxy HTTP_PROXY HTTPS_PROXY ALL_PROXY all_proxy
HOME=$dir
export HOME

# serve PLAN...: in a directory of its own, which is the working directory then.
serve() {
	served=$((${served:-0} + 1))
	mkdir "$dir/$served" && cd "$dir/$served" || exit 99
	: >err
	"$python" "$srcdir/tests/system/push_server.py" "$@" &
	server=$!
	until [ -e port ] || ! kill -0 $server 2>/dev/null; do :; done
	url=http://127.0.0.1:$(cat port)/ingest
}

unserve() {
	kill $server
	wait $server 2>/dev/null
}

# said: the file err without what differs from run to run.
said() {
	sed 's/127\.0\.0\.1:[0-9]*/SERVER/g; s/port [0-9]*/port N/; s/[0-9]* ms/N ms/' err
}

# ---- One request, whole.
serve ok
cat >script <<'END'
origin host=web1 release=6.1 boot-id=b
proc 10 app
proc 11 other
map 10 0x401000 0x1000 /gone off=0x1000
sample 10 0x401010,0x401020 x4 end=complete
sample 11 0x501010 x2 end=complete
sample 10/12 0x401010,0x401020 cpu=5 end=complete
END
printf 'X-Scope-OrgID: tenant\n\nX-More: a b\n' >headers
pmcstat --collector=fake:script -n 1000000 -S cpu-clock -l 0.01 --push "$url" --labels 'env=prod,zone=b c' \
	--push-headers headers 2>err
is 'a recording that is pushed ends well' "$?$(cat err)" 0
"$python" "$srcdir/tests/system/push_reader.py" 1.request >ours
cat >theirs <<'END'
POST /ingest
  name pmcstat{host=web1,env=prod,zone=b c}
  from N
  until N
  format pprof
  spyName pmcstat
  X-Scope-OrgID: tenant
  X-More: a b
part profile profile.pprof application/octet-stream
part sample_type_config sample_type_config.json application/json {"cpu":{"units":"nanoseconds","aggregation":"sum","display-name":"cpu","sampled":true},"cpu-clock":{"units":"samples","aggregation":"sum","display-name":"cpu-clock","sampled":true}}
1 profiles, 0 gaps
END
equal 'what Pyroscope gets' ours theirs
"$python" "$srcdir/tests/system/pprof_reader.py" 1.pb.gz | sed 's/^duration [1-9][0-9]*$/duration N/' >ours
cat >theirs <<'END'
type cpu nanoseconds
type cpu-clock count
mapping 0x1010-0x1020 at 0x0 /gone [] 
sample 5000000 5 comm=app
  0x1010 0x1010  /gone
  0x101f 0x1020  /gone
sample 2000000 2 comm=other
  0x501010 [unknown]  [unknown]
period 1000000 cpu nanoseconds
duration N
default cpu
comment quality: 7 samples of cpu-clock every 1000000; lost 0 (0.00%); throttled 0; unresolved 100.00%, of them unmapped 28.57%; truncated chains 0; whole chains 7 of 7 (100.00%)
END
equal 'and in its profile, of processes by name' ours theirs
unserve

# ---- The same for Parca.
serve ok
pmcstat --collector=fake:../1/script -n 1000000 -S cpu-clock -l 0.01 --push "${url%/ingest}/api/profiles/writeraw" \
	--labels host=mine,env=prod 2>err
is 'a recording for Parca ends well' "$?$(cat err)" 0
"$python" "$srcdir/tests/system/push_reader.py" 1.request >ours
cat >theirs <<'END'
POST /api/profiles/writeraw
{"normalized": true, "series": [{"labels": {"labels": [{"name": "__name__", "value": "pmcstat"}, {"name": "host", "value": "mine"}, {"name": "env", "value": "prod"}]}, "samples": [{"rawProfile": "N"}]}]}
1 profiles, 0 gaps
END
equal 'what Parca gets' ours theirs
"$python" "$srcdir/tests/system/pprof_reader.py" 1.pb.gz | sed 's/^duration [1-9][0-9]*$/duration N/' >ours
"$python" "$srcdir/tests/system/pprof_reader.py" ../1/1.pb.gz | sed 's/^duration [1-9][0-9]*$/duration N/' >theirs
equal 'the profile is the same' ours theirs
unserve

# ---- And for a collector of OpenTelemetry: what is in pprof, as OTLP has it.
serve ok
cat >otlp.script <<'END'
origin host=web1 release=6.1 boot-id=b
pmc 1 cpu-clock rate=1000000
pmc 2 page-faults rate=100
proc 10 app
proc 11 other
map 10 0x401000 0x1000 /gone off=0x1000 build-id=0102ff
map 11 0x401000 0x1000 /gone off=0x1000 build-id=0102ff
sample 10 0x401010,0x401020 x4 end=complete
sample 11 0x501010 x2 end=complete
sample 11 0x401010,0x401020 x3 end=complete pmc=2
sample 10/12 0x401010,0x401020 cpu=5 end=complete
END
otlp=${url%/ingest}/v1development/profiles
pmcstat --collector=fake:otlp.script -n 1000000 -S cpu-clock -n 100 -S page-faults -l 0.01 --push "$otlp" \
	--labels deployment.environment.name=prod,service.name=mine 2>err
is 'a recording for OTLP ends well' "$?$(cat err)" 0
"$python" "$srcdir/tests/system/push_reader.py" 1.request >ours
cat >theirs <<'END'
POST /v1development/profiles
encoding gzip
END
equal 'what a collector of OTLP gets' ours theirs
"$python" "$srcdir/tests/system/otlp_reader.py" 1.otlp |
	sed 's/time [1-9][0-9]*$/time N/; s/duration [1-9][0-9]*$/duration N/' >ours
cat >theirs <<'END'
resource host.name=web1
resource deployment.environment.name=prod
resource service.name=mine
scope pmcstat
profile cpu nanoseconds
  sample 5000000 process.executable.name=app
    0x1010 0x1010  /gone
    0x101f 0x1020  /gone
  sample 2000000 process.executable.name=other
    0x501010 [unknown]  [unknown]
  period 1000000 cpu nanoseconds
  time N
  duration N
  pprof.profile.comment=['quality: 10 samples of cpu-clock every 1000000, page-faults every 100; lost 0 (0.00%); throttled 0; unresolved 100.00%, of them unmapped 20.00%; truncated chains 0; whole chains 10 of 10 (100.00%)']
profile cpu-clock count
  sample 5 process.executable.name=app
    0x1010 0x1010  /gone
    0x101f 0x1020  /gone
  sample 2 process.executable.name=other
    0x501010 [unknown]  [unknown]
  time N
  duration N
  pprof.profile.comment=['quality: 10 samples of cpu-clock every 1000000, page-faults every 100; lost 0 (0.00%); throttled 0; unresolved 100.00%, of them unmapped 20.00%; truncated chains 0; whole chains 10 of 10 (100.00%)']
profile page-faults count
  sample 3 process.executable.name=other
    0x1010 0x1010  /gone
    0x101f 0x1020  /gone
  time N
  duration N
  pprof.profile.comment=['quality: 10 samples of cpu-clock every 1000000, page-faults every 100; lost 0 (0.00%); throttled 0; unresolved 100.00%, of them unmapped 20.00%; truncated chains 0; whole chains 10 of 10 (100.00%)']
mapping 0x1010-0x1020 at 0x0 /gone process.executable.build_id.gnu=0102ff
END
equal 'and in it' ours theirs
pmcstat --collector=fake:../1/script -S cpu-clock -l 0.01 --push "$otlp" 2>err
"$python" "$srcdir/tests/system/push_reader.py" 2.request >/dev/null
is 'host and service have names' "$("$python" "$srcdir/tests/system/otlp_reader.py" 2.otlp | grep resource)" \
	'resource service.name=pmcstat
resource host.name=web1'
unserve

# ---- Taken, but for a part.
serve part
pmcstat --collector=fake:../1/script -S cpu-clock -l 0.01 --push "${url%/ingest}/v1development/profiles" 2>err
is 'a server that takes a part: exit status' "$?" 69
is 'a server that takes a part: what is said' "$(said)" 'pmcstat: http://SERVER/v1development/profiles rejects 2 profiles of an interval (too large)
pmcstat: 1 of 1 profiles were not taken by http://SERVER/v1development/profiles: 0 for want of room while they waited, 1 refused, 0 left at the end'
unserve

# ---- Refused for good, by one that listens and by nobody.
serve 400
pmcstat --collector=fake:../1/script -S cpu-clock -l 0.01 --push "$url" 2>err
is 'a server that refuses: exit status' "$?" 69
is 'a server that refuses: what is said' "$(said)" 'pmcstat: http://SERVER/ingest refuses a profile with 400 (that is 0)
pmcstat: 1 of 1 profiles were not taken by http://SERVER/ingest: 0 for want of room while they waited, 1 refused, 0 left at the end'
unserve
pmcstat --collector=fake:../1/script -S cpu-clock -l 0.01 --push "$url" 2>err
is 'nobody listens: exit status' "$?" 69
is 'nobody listens: what is said' "$(said | sed "s/ingest: .*: profiles wait/ingest: WHY: profiles wait/")" \
	'pmcstat: http://SERVER/ingest: WHY: profiles wait
pmcstat: 1 of 1 profiles were not taken by http://SERVER/ingest: 0 for want of room while they waited, 0 refused, 1 left at the end'

# ---- Of netrc(5) and of files.
serve ok
echo 'machine 127.0.0.1 login me password secret' >"$dir/.netrc"
pmcstat --collector=fake:../1/script -S cpu-clock -l 0.01 --push "$url"
is 'names and passwords are those of .netrc' "$(sed -n 's/^Authorization: //p' 1.request)" 'Basic bWU6c2VjcmV0'
rm "$dir/.netrc"
unserve
echo nothing >headers
pmcstat --collector=fake:../1/script -S cpu-clock -l 0.01 --push "$url" --push-headers headers 2>err
is 'a file that has no headers' "$?:$(cat err)" '78:pmcstat: --push-headers headers: line 1 is not like "Name: value"'
pmcstat --collector=fake:../1/script -S cpu-clock -l 0.01 --push "$url" --push-headers nosuch 2>err
is 'a file that is not there' "$?:$(cat err)" '66:pmcstat: --push-headers nosuch: No such file or directory'

# ---- A server that fails, stalls, goes and comes back, for a recording that goes on meanwhile.
if ! (cd "$dir" && pmcstat -q -P cpu-clock -O probe.log true 2>probe.err); then
	skip 'all profiles arrive in the end' "$(head -n 1 "$dir/probe.err")"
	finish
fi
serve ok 500 500 ok stall ok gone ok ok
pmcstat -P cpu-clock -n 10000000 -w 1 --push "$url" sh -c 'until [ -e done ]; do :; done; exit 3' 2>err
is 'the status is that of the command' $? 3
requests=
i=1
while [ -e $i.request ]; do
	requests="$requests $i.request"
	i=$((i + 1))
done
# shellcheck disable=SC2086
"$python" "$srcdir/tests/system/push_reader.py" --brief $requests >ours
like 'all profiles arrive in the end, once and in their order' "$(cat ours)" '^([6-9]|[1-9][0-9]) profiles, 0 gaps$'
for request in $requests; do
	"$python" "$srcdir/tests/system/pprof_reader.py" "${request%request}pb.gz" | awk '
		$1 == "sample" { n += $3 }
		$1 == "comment" { if ($3 != n) print "says " $3 " of " n }'
done >ours
clean 'each says how many samples it has' "$(cat ours)"
# What waits goes at once where it is taken: it may fail and be there again between two looks.
is 'what is said of it' "$(said | sed 's/ingest: .*: profiles wait/ingest: WHY: profiles wait/; 1!s/answers 500 (.*)/: WHY/' | sort -u)" \
	'pmcstat: http://SERVER/ingest answers 500 (that is 1): profiles wait
pmcstat: http://SERVER/ingest takes profiles again; dropped so far: 0
pmcstat: http://SERVER/ingest: WHY: profiles wait'
is 'the last of it' "$(said | tail -n 1)" 'pmcstat: http://SERVER/ingest takes profiles again; dropped so far: 0'
unserve

# ---- Ctrl-C.
serve ok ok
# shellcheck disable=SC2016
sh -c 'echo $$ >pid; exec pmcstat -P cpu-clock -t $PPID -w 1 --push "$1"' sh "$url" 2>err &
until [ -e 1.request ] || ! kill -0 $! 2>/dev/null; do :; done
kill -INT "$(cat pid)"
wait $!
is 'a signal ends it well' "$?$(cat err)" 0
is 'and the last interval is pushed' "$("$python" "$srcdir/tests/system/push_reader.py" --brief 1.request 2.request)" '2 profiles, 0 gaps'
unserve
finish
