#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The text of --perf-script for those who read that of perf script: it has the chains of -a, with the
# inlined functions, and its readers find the samples of the other outputs.
#
# Readers are tried where they are: inferno-collapse-perf on the PATH (cargo install inferno),
# stackcollapse-perf.pl in the directory FLAMEGRAPH, and profiler-cli as in firefox.sh.
# shellcheck source=tests/system/lib.sh
. "${srcdir:?}/tests/system/lib.sh"
PATH=${PROFILER_CLI:-$builddir/node_modules/.bin}:$PATH
python=${PYTHON3:-python3}
"$python" -c 'import json' 2>/dev/null || skip_all 'no python3'
command -v nm >/dev/null || skip_all 'no nm'

# Blocks as lines of addresses and names, sorted: those of the text, and those of -a.
cat >blocks.py <<'END'
import re
import sys
blocks, block = [], None
for line in open(sys.argv[1], encoding="utf-8", errors="surrogateescape"):
    line = line.rstrip("\n")
    frame = re.fullmatch(r"\t *([0-9a-f]+) (.+) \((\S+)\)", line)
    taken = re.fullmatch(r"\S.+?\s+\d+/\d+ +\[\d{3,}\] +\d+\.\d{6}: +(\d+) (\S+): ", line)
    if frame and block is not None:
        name = frame[2] if frame[3] == "inlined" else re.sub(r"\+0x[0-9a-f]+$", "", frame[2])
        name = re.sub(r"^::\(", "(", name).replace(" ", "_").replace(";", ":")
        block.append("0x%s %s" % (frame[1], name.replace("[unknown]", "<unknown>")))
    elif taken and block is None:
        block = []
    elif not line and block:
        blocks.append(" ".join(block))
        block = None
    else:
        sys.exit("what is this: %r" % line)
print(*sorted(blocks), sep="\n")
END
chains_of_text() {
	pmcstat -q -R "$1" --perf-script >text && "$python" blocks.py text
}
chains_of_addresses() {
	pmcstat -q -R "$1" -a - | sed '/^--$/!s/ [^ ]*$//' |
		awk '$0 == "--" { print line; line = ""; next } { line = line (line ? " " : "") $0 }' | LC_ALL=C sort
}

cat >app.c <<'END'
volatile int seen;
static inline __attribute__((always_inline)) void inner(int x) { seen += x * seen; }
static inline __attribute__((always_inline)) void middle(int x) { inner(x); inner(x + 1); }
int main(int argc, char **argv) { (void)argv; middle(argc); return seen; }
END
command -v "${CC%% *}" >/dev/null || skip_all 'no C compiler'
$CC -O2 -g -o app app.c || exit 99
main=$(nm app | sed -n 's/^0*\([0-9a-f]*\) T main$/\1/p')
{
	echo 'pmc 1 cpu-clock rate=1000000'
	echo 'exec 10 app'
	echo "map 10 0x10000000 0x1000000 $dir/app off=0x0"
	i=0
	while [ $i -lt 12 ]; do
		printf 'sample 10 0x%x x2\n' $((0x10000000 + 0x$main + i))
		i=$((i + 1))
	done
} | mklog made.log || exit 99
chains_of_text made.log >ours
chains_of_addresses made.log >theirs
equal 'chains with inlined functions are those of -a' ours theirs
pmcstat -q -R made.log --inlines --perf-script >inlines
equal '--inlines has nothing to add' inlines text
like 'inlined functions are marked' "$(cat text)" '^	 *1[0-9a-f]* inner \(inlined\)$'

needs_recording
# shellcheck disable=SC2016
pmcstat -q -d -P cpu-clock -n 100 -P page-faults -O real.log -- sh -c \
	'i=0; while [ $i -lt 300000 ]; do i=$((i + 1)); done; ls -R /usr/include' >real.out 2>real.err || exit 99
chains_of_text real.log >ours
chains_of_addresses real.log >theirs
equal "so are $(wc -l <theirs) of a recording" ours theirs

# Their own count of an event, which is in its periods, and ours.
samples=$(pmcstat -q -R real.log --flat | sed -n 's/^@ \(cpu-clock\) \[\([0-9]*\) samples\]$/\2000000/p')
folded() {
	is "$1 finds all samples of an event" "$(awk '{ sum += $NF } END { printf "%d", sum }' folded)" "$samples"
}
if command -v inferno-collapse-perf >/dev/null; then
	inferno-collapse-perf --event-filter cpu-clock text >folded
	folded inferno
fi
if [ -e "${FLAMEGRAPH:-.}/stackcollapse-perf.pl" ]; then
	perl "$FLAMEGRAPH/stackcollapse-perf.pl" --event-filter=cpu-clock text >folded
	folded stackcollapse-perf.pl
fi
command -v profiler-cli >/dev/null || finish
HOME=$dir
export HOME
profiler-cli --version >version 2>&1 || finish
trap 'profiler-cli stop --all >/dev/null 2>&1; rm -rf "$dir"' EXIT HUP INT TERM
profiler-cli load text >load.out 2>&1
for _ in 1 2 3 4 5 6 7 8 9 10; do
	profiler-cli thread list --json >threads.json 2>threads.err && break
	sleep 1
done
is 'profiler-cli finds all samples' "$("$python" -c '
import json
import subprocess
total = 0
for thread in json.load(open("threads.json"))["threads"]:
    text = subprocess.run(["profiler-cli", "thread", "functions", "--json", "--include-idle", "--limit", "0",
                           "--thread", thread["threadHandle"]], check=True, capture_output=True).stdout
    total += sum(f["selfSamples"] for f in json.loads(text)["functions"])
print(total)')" "$(wc -l <ours)"
finish
