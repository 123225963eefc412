#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The report for programs, read by Python's parser and jq: well-formed whatever the names, and its
# numbers agree with each other and with the flat profile.
# shellcheck source=tests/system/lib.sh
. "${srcdir:?}/tests/system/lib.sh"
python=${PYTHON3:-python3}
"$python" -c 'import json' 2>/dev/null || skip_all 'no python3'

# A command whose name goes through every byte but NUL, and stacks of every shape.
{
	echo 'pmc 1 cpu-clock rate=1000'
	echo 'pmc 2 page-faults'
	awk 'BEGIN { for (i = 1; i < 256; i++)
		printf "proc %d \"a\\x%02xb\\xe2\\x82\\xac\"\nsample %d 0x%x,0x%x,0x10 x%d pmc=%d\n",
			i, i, i, i % 9 + 1, i % 7 + 1, i, i % 3 ? 1 : 2 }'
} | mklog bytes.log || exit 99
logs=bytes.log
pmcstat -q -d -P cpu-clock -P page-faults -O real.log -- "$python" -c 'import json
for i in range(20000): json.dumps({"a": [i]})' 2>real.err && logs="bytes.log real.log"

# Of the log itself: a line a record, the same members once each, and as many as are there.
cat >lines.py <<'EOF'
import json, sys

def unique(pairs):
    if len(dict(pairs)) != len(pairs):
        sys.exit("a member comes twice")
    return dict(pairs)

records = [json.loads(line.decode("utf-8"), object_pairs_hook=unique) for line in sys.stdin.buffer]
if not all(isinstance(r["type"], str) and isinstance(r["tsc"], int) for r in records):
    print("a record without type or time")
print("%d records, %d samples" % (len(records), sum(r["type"] == "callchain" for r in records)))
EOF
for log in $logs; do
	pmclog dump --json "$log" | "$python" lines.py >ours 2>&1
	pmclog check "$log" | sed 's/^[^:]*: //; s/, [a-z ]*closed$//' >theirs
	equal "${log%.log}: pmclog dump --json is JSON, a line a record" ours theirs
done

cat >check.py <<'EOF'
import json, sys

def unique(pairs):
    if len(dict(pairs)) != len(pairs):
        sys.exit("a member comes twice")
    return dict(pairs)

text = open(sys.argv[1], "rb").read().decode("utf-8")
report = json.loads(text, object_pairs_hook=unique)
if any(ord(c) < 32 and c != "\n" or 0x7F <= ord(c) < 0xA0 for c in text):
    print("a control character stands in the text")
for event in report["events"]:
    functions, stacks = event["functions"], event["stacks"]
    self, total = [0] * len(functions), [0] * len(functions)
    for stack in stacks:
        self[stack["functions"][-1]] += stack["samples"]
        for i in set(stack["functions"]):
            total[i] += stack["samples"]
    if [f["self"] for f in functions] != self or [f["total"] for f in functions] != total:
        print("functions do not agree with stacks")
    if len({(s["comm"], *s["functions"]) for s in stacks}) != len(stacks) and "\ufffd" not in text:
        print("a stack comes twice")
    print("@ %s [%d samples]" % (event["name"], sum(self)))
    for f in functions:
        print(f["self"], f["total"], f["name"], f["object"])
        if f.get("image") is not None and report["images"][f["image"]]["path"] != f["object"]:
            print("the image is not the object")
print(report["quality"]["selected"], sum(e["samples"] for e in report["events"]))
EOF
for log in $logs; do
	pmcstat -q -R "$log" --json="$log.json" --flat=flat --full-names -f threshold=0 || exit 99
	"$python" check.py "$log.json" >ours 2>&1
	awk '/^@/ { print; next }
		/^ *[0-9.]+ +[0-9]+ +[0-9.]+ +[0-9]+  / {
			all += $2; self = $2; total = $4
			sub(/^ *[0-9.]+ +[0-9]+ +[0-9.]+ +[0-9]+  /, ""); sub(/  /, " ")
			print self, total, $0 }
		END { print all, all }' flat >theirs
	equal "${log%.log}: JSON that says what the flat profile does" ours theirs
	if command -v jq >/dev/null 2>&1; then
		jq '[.events[].stacks[].samples] | add' "$log.json" >ours 2>&1
		tail -n 1 theirs | cut -d ' ' -f 1 >jq.theirs && mv jq.theirs theirs
		equal "${log%.log}: jq finds all samples" ours theirs
	fi
done
finish
