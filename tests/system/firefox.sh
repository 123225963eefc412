#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The Firefox Profiler's own reader, its command profiler-cli: its threads have the samples of the
# flat profile, function by function, and their times.
#
# PROFILER_CLI is the directory with profiler-cli and a node that runs it; if not given it is looked for
# in node_modules/.bin of the build directory: npm install @firefox-devtools/profiler-cli node@24
# shellcheck source=tests/system/lib.sh
. "${srcdir:?}/tests/system/lib.sh"
PATH=${PROFILER_CLI:-$builddir/node_modules/.bin}:$PATH
python=${PYTHON3:-python3}
"$python" -c 'import json' 2>/dev/null || skip_all 'no python3'
command -v profiler-cli >/dev/null ||
	skip_all 'no profiler-cli: npm install @firefox-devtools/profiler-cli node@24 in the build directory'
HOME=$dir
export HOME
profiler-cli --version >version 2>&1 || skip_all "profiler-cli does not run: $(tail -n 1 version)"
trap 'profiler-cli stop --all >/dev/null 2>&1; rm -rf "$dir"' EXIT HUP INT TERM

# opened FILE: the reader has loaded it.  It tells nobody when that was; on a busy machine it takes a while.
opened() {
	profiler-cli stop --all >/dev/null 2>&1
	profiler-cli load "$1" >load.out 2>&1
	for _ in 1 2 3 4 5 6 7 8 9 10; do
		profiler-cli thread list --json >threads.json 2>threads.err && return
		sleep 1
	done
	verdict no "$1 is opened" "$(cat load.out threads.err)"
	finish
}

cat >functions.py <<'END'
import json
import subprocess
import sys
threads = json.load(open("threads.json"))["threads"]
sums = {}
for thread in threads:
    text = subprocess.run(["profiler-cli", "thread", "functions", "--json", "--include-idle", "--limit", "0",
                           "--thread", thread["threadHandle"]], check=True, capture_output=True).stdout
    for f in json.loads(text)["functions"]:
        own, total = sums.get(f["nameWithLibrary"], (0, 0))
        sums[f["nameWithLibrary"]] = own + f["selfSamples"], total + f["totalSamples"]
for name, (own, total) in sorted(sums.items(), key=lambda item: (-item[1][0], item[0])):
    if own or len(sys.argv) < 2:
        print(own, total, name)
END

mkelf app <<'END'
type exec
text 0x401000 0x1000
symbol leaf 0x401000 0x100
symbol main 0x401200 0x100
END
mklog small.log <<'END'
pmc 1 cpu-clock hz=1000
pmc 2 page-faults rate=1
map kernel 0xffffffff81000000 0x1000000 [kernel]
exec 10 app
map 10 0x401000 0x1000 app off=0x1000
sample 10 0x401010,0x401210 x4
sample 10/11 0x401210 x3
sample 10 0xffffffff81000010 k x2
sample 10 0x401210 x5 pmc=2
END
pmcstat -q -R small.log --firefox small.json || exit 99
opened small.json
is 'every thread and event is a row' "$("$python" -c '
import json
for t in json.load(open("threads.json"))["threads"]:
    print(t["tid"], t["name"])' | sort)" '10 app (cpu-clock)
10 event 1 app (page-faults)
11 app (cpu-clock)'
is 'functions have their samples' "$("$python" functions.py)" '8 12 app!main
4 4 app!leaf
2 2 [kernel]!0xffffffff81000010'

needs_recording
# shellcheck disable=SC2016
pmcstat -q -d -P cpu-clock -O real.log -- sh -c 'i=0; while [ $i -lt 300000 ]; do i=$((i + 1)); done; ls -R /usr/include' \
	>real.out 2>real.err || exit 99
pmcstat -q -R real.log --inlines --flat | awk '/^ +[0-9.]+ +[1-9][0-9]* +[0-9.]+ +[0-9]+  / { print $2, $4, $5 }' |
	sort >flat
pmcstat -q -R real.log --firefox real.json || exit 99
opened real.json
is 'so have those of a recording' "$("$python" functions.py own | sed 's/ [^ ]*!/ /' | sort)" "$(cat flat)"
finish
