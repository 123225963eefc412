#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Profiles for pprof: all of a small one by an independent reader, and those of large and real logs
# by that reader and by go tool pprof, which find the samples that the flat profile has.
# shellcheck source=tests/system/lib.sh
. "${srcdir:?}/tests/system/lib.sh"
python=${PYTHON3:-python3}
pmcstat --help | grep -q -e '--pprof' || skip_all 'built without libprotobuf-c'
"$python" -c 'import gzip' 2>/dev/null || skip_all 'no python3'

reader() {
	"$python" "$srcdir/tests/system/pprof_reader.py" "$@"
}

# ---- A small log, whole.
mkelf app <<'EOF'
type exec
text 0x401000 0x1000
symbol leaf 0x401000 0x100
symbol _ZN3vecIiEixEl 0x401100 0x100
symbol main 0x401200 0x100
EOF
mklog small.log <<'EOF'
pmc 1 cpu-clock rate=1000000
pmc 2 page-faults hz=99
map kernel 0xffffffff81000000 0x1000 [nosuch]
exec 10 app
exec 11 app
map 10 0x401000 0x1000 app off=0x1000
map 11 0x501000 0x1000 /gone build-id=0102ff
map 11 0x601000 0x1000 /never/sampled
sample 10 0x401010,0x401111,0x401211 x4
sample 10/12 0x401018,0x401211 x3 cpu=5
proc 11 "a\x1b[2J\xff"
sample 11 0x501010,0x701001 x2 pmc=2
sample 11 0xffffffff81000010 k pmc=2
EOF
pmcstat -q -R small.log --pprof small.pb.gz || exit 99
reader small.pb.gz >ours 2>&1
cat >theirs <<'EOF'
type cpu nanoseconds
type cpu-clock count
type page-faults count
mapping 0x401000-0x402000 at 0x1000 app [] F
mapping 0xffffffff81000010-0xffffffff81000011 at 0x0 [nosuch] [] 
mapping 0x10-0x11 at 0x0 /gone [0102ff] 
sample 4000000 4 0 pid=10 tid=10 cpu=0 comm=app
  0x401010 leaf  app
  0x401110 vec<int>::operator[](long)  app
  0x401210 main  app
sample 3000000 3 0 pid=10 tid=12 cpu=5 comm=app
  0x401018 leaf  app
  0x401210 main  app
sample 0 0 2 pid=11 tid=11 cpu=0 comm=a\033[2J\377
  0x10 0x10  /gone
  0x701000 [unknown]  [unknown]
sample 0 0 1 pid=11 tid=11 cpu=0 comm=a\033[2J\377
  0xffffffff81000010 0xffffffff81000010  [nosuch]
period 1000000 cpu nanoseconds
duration 1000000
default cpu
comment quality: 10 samples of cpu-clock every 1000000, page-faults at 99 Hz; lost 0 (0.00%); throttled 0; unresolved 30.00%, of them unmapped 0.00%; truncated chains 0
EOF
equal 'every message of a small profile' ours theirs
mv ours plain
pmcstat -q -R small.log --by cpu --pprof small.pb.gz && reader small.pb.gz >ours 2>&1
mv plain theirs
equal 'labels tell parts apart: divided events change nothing' ours theirs

mklog partial.log <<'EOF'
pmc 1 cpu-clock flags=0x180
exec 10 app
map 10 0x401000 0x1000 app off=0x1000
sample 10 0x401010,0x401111 end=overload
EOF
pmcstat -q -R partial.log --pprof partial.pb.gz && reader partial.pb.gz | grep '^comment' | cut -c1-40 >ours
cat >theirs <<'EOF'
comment quality: 1 samples of cpu-clock;
comment inclusive numbers and callers ar
EOF
equal 'each line of the quality is a comment' ours theirs

# ---- Many processes, events and stacks, and a real recording.
{
	awk 'BEGIN {
		for (i = 1; i <= 70; i++) printf "pmc %d event%d\n", i, i
		for (i = 1; i < 3000; i++)
			printf "sample %d/%d 0x%x,0x%x,0x10 x%d pmc=%d cpu=%d\n", i % 40 + 1, i % 80 + 1,
				i % 50 + 1, i % 7 + 1, i, i % 70 + 1, i % 3 }'
} | mklog many.log || exit 99
mklog jit.log <<'EOF'
pmc 1 cpu-clock
exec 10 app
map 10 0x401000 0x1000 app off=0x1000
map 10 0x7f0000 0x4000 //anon off=0x7f0000
sample 10 0x7f0010,0x7f1020,0x401010 x5
sample 10 0x7f0090,0x7f1020,0x401010 x2
map 10 0x7f0000 0x80 [jit] sym=inner
map 10 0x7f1000 0x100 [jit] sym=outer
exit 10
EOF
logs='small.log many.log jit.log'
pmcstat -q -d -P cpu-clock -P page-faults -O real.log -- "$python" -c 'import json
for i in range(20000): json.dumps({"a": [i]})' 2>real.err && logs="$logs real.log"

# Events from the 64th on share a type.
# shellcheck disable=SC2016
types='
	/^@/ { if (++types >= 64) $2 = "[other events]"; event = $2; next }
	/^ *[0-9.]+ +[0-9]+ +[0-9.]+ +[0-9]+  / {
		self = $2; total = $4
		sub(/^ *[0-9.]+ +[0-9]+ +[0-9.]+ +[0-9]+  /, "")
'
for log in $logs; do
	name=${log%.log}
	pmcstat -q -R "$log" --flat=flat --full-names -f threshold=0 --pprof "$name.pb.gz" || exit 99
	# Of functions with one name in one object the totals overlap.
	awk "$types"' key = event "\t" $0; own[key] += self; all[key] += total; rows[key]++ }
		END { for (key in own) {
			split(key, part, "\t")
			if (types < 64) print part[1] "\t" own[key] "\t" (rows[key] > 1 ? "-" : all[key]) "\t" part[2]
			else print part[1] "\t" own[key] "\t-\t" part[2] } }' flat | sort >theirs
	reader --flat "$name.pb.gz" >reader.out 2>&1
	awk -F '\t' 'FILENAME == "theirs" { overlap[$1 FS $4] = $3 == "-"; next }
		/^@ / { event = $0; sub(/^@ /, "", event); sub(/ \[[0-9]* samples\]$/, "", event); next }
		NF != 3 { print "?", $0; next }
		{ print event FS $1 FS (overlap[event FS $3] ? "-" : $2) FS $3 }' theirs reader.out | sort >ours
	equal "$name: an independent reader finds the flat profile" ours theirs
done

# ---- The real pprof: nothing of this user's, and no network.
HOME=$dir GOPATH=$dir/go GOCACHE=$dir/cache GOFLAGS=-mod=mod GOPROXY=off PPROF_TMPDIR=$dir
export HOME GOPATH GOCACHE GOFLAGS GOPROXY PPROF_TMPDIR
pprof() {
	timeout 60 go tool pprof ${index:+-sample_index="$index"} -symbolize=none -nodefraction=0 -edgefraction=0 -nodecount=1000000 "$@" 2>pprof.err
}
for log in $logs; do
	name=${log%.log}
	index=$(pmcstat -q -R "$log" --flat --full-names -f threshold=0 | sed -n '1s/^@ \([^ ]*\) .*/\1/p')
	if ! pprof -raw "$name.pb.gz" >raw; then
		if [ -s raw ] || command -v go >/dev/null 2>&1; then
			cp pprof.err ours
			: >theirs
			equal "$name: go tool pprof accepts it" ours theirs
		else
			skip "$name: go tool pprof accepts it" 'no go'
		fi
		continue
	fi
	pmcstat -q -R "$log" --inlines --flat=flat --full-names -f threshold=0
	# It adds up functions of one name in different objects.
	awk "$types"' sub(/  [^ ]*$/, ""); if (event == "'"$(sed -n '1s/^@ \([^ ]*\) .*/\1/p' flat)"'") own[$0] += self }
		END { for (f in own) print own[f], f }' flat | sort >theirs
	pprof -top "$name.pb.gz" | awk 'seen { self = $1
		sub(/^ *[^ ]+ +[^ ]+ +[^ ]+ +[^ ]+ +[^ ]+  /, ""); sub(/ \((partial-)?inline\)$/, ""); print self, $0 }
		/^ *flat +flat%/ { seen = 1 }' | sort >ours
	equal "$name: pprof -top has the functions of the flat profile with inlined ones" ours theirs
	sum=$(sed -n 's/^@ .* \[\([0-9]*\) samples\]$/\1/p' flat | head -n 1)
	echo "$sum" >theirs
	pprof -traces "$name.pb.gz" | awk 'line && $1 ~ /^[0-9]+$/ { n += $1; line = 0 }
		/^-+\+-+$/ { line = 1; next } END { print n + 0 }' >ours
	equal "$name: pprof -traces has all samples" ours theirs
	for key in pid tid cpu comm; do
		pprof -tags "$name.pb.gz" | awk -v key="$key:" '$2 == "Total" { on = $1 == key; next }
			on && NF { n += $1 } END { print n + 0 }'
	done >ours
	printf '%d\n%d\n%d\n%d\n' "$sum" "$sum" "$sum" "$sum" >theirs
	equal "$name: pprof -tags has all samples by pid, tid, CPU and command" ours theirs
done

# What it shows unasked is time, in units that it chooses: 7 samples of a millisecond.
index=
if pprof -top small.pb.gz >top; then
	is 'pprof shows the time that the samples of a clock stand for' \
		"$(sed -n 's/^\(Type: .*\)/\1/p; s/.* of \(.*\) total$/\1/p; s/^ *\([^ ]*\) .* leaf *$/\1/p' top)" 'Type: cpu
7ms
7ms'
else
	skip 'pprof shows the time that the samples of a clock stand for' 'no go'
fi
finish
