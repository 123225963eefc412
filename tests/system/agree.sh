#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Every output of one log has every sample of it: what each is read for adds up to the same number.
# An output that is not known here fails, so that a new one gets its line.
. "${srcdir:?}/tests/system/lib.sh"
python=${PYTHON3:-python3}
"$python" -c 'import json' 2>/dev/null || skip_all 'no python3'

# made.log: two events, code of the kernel, of objects, of a JIT compiler and of nobody.
mkelf app <<-END || exit 99
	type exec
	text 0x401000 0x1000
	symbol main 0x401100 0x100
	symbol leaf 0x401200 0x100
END
mklog made.log <<-END || exit 99
	pmc 1 cpu-clock rate=1000000
	pmc 2 page-faults rate=1
	map kernel 0xffffffff81000000 0x1000000 [kernel]
	exec 10 app
	proc 10 "a name"
	map 10 0x401000 0x1000 app off=0x1000
	map 10 0x7f0000 0x1000 //anon
	sample 10/10 0x401210,0x401110 x70000
	sample 10/11 0x401110 cpu=1 x3
	sample 10/11 0x401110,0x401210,0x401110,0x401210,0x401110 cpu=1 x5
	sample 10/11 0xffffffff81000010,0xffffffff81000020 cpu=1 k x7
	sample 10/11 0x7f0010,0x401110 x11
	map 10 0x7f0000 0x80 [jit] "sym=made"
	fork 10 20
	sample 20 0x500000,0x401110 x13
	sample 20 0x401210,0x401110 pmc=2 x17
	sample 30 0x10 pmc=2 x19
	exit 10
END
logs=made.log
# shellcheck disable=SC2016
pmcstat -q -d -P cpu-clock -P page-faults -O real.log -- sh -c \
	'i=0; while [ $i -lt 300000 ]; do i=$((i + 1)); done; ls -R /usr/include | sort' \
	>real.out 2>real.err && logs="$logs real.log"

cat >json_total.py <<'END'
import json
import sys
report = json.load(open(sys.argv[1], encoding="utf-8"))
if "threads" in report:
    print(sum(t["samples"]["length"] for t in report["threads"]))
elif "profiles" in report:
    # Samples of the clock, one a millisecond, weigh what they stand for.
    one = {"nanoseconds": 1000000, "none": 1}
    print(sum(sum(p["weights"]) // one[p["unit"]] for p in report["profiles"]))
else:
    totals = {sum(e["samples"] for e in report["events"]),
              sum(s["samples"] for e in report["events"] for s in e["stacks"]),
              sum(f["self"] for e in report["events"] for f in e["functions"])}
    print(*totals)
END
cat >gmon_total.py <<'END'
import struct
import sys
total = 0
for path in sys.argv[1:]:
    data = open(path, "rb").read()
    low, high, size, version, rate, kind = struct.unpack_from("<QQiiii", data)
    if version != 0x51879 or kind != 64:
        sys.exit("%s is not of BSD's wide dialect" % path)
    total += sum(struct.unpack_from("<%dQ" % ((size - 40) // 8), data, 40))
print(total)
END
add_up() {
	awk '{ sum += $1 } END { printf "%d", sum }'
}

# total OUTPUT LOG: the samples that its readers find, of all events.
total() {
	case $1 in
	overview) pmcstat -q -R "$2" | sed -n 's/^@ .* \[\([0-9]*\) samples\]$/\1/p' ;;
	flat) pmcstat -q -R "$2" --flat | awk '/^ +[0-9.]+ +[0-9]+ +[0-9.]+ +[0-9]+  / { print $2 }' ;;
	tree) pmcstat -q -f threshold=0 -R "$2" --tree |
		awk '/^ *[0-9.]+ +[0-9.]+ +[0-9]+  [^ ]/ { print $3 }' ;;
	graph) pmcstat -q -R "$2" -G - | sed -n 's/^[0-9.]*%  *\[\([0-9]*\)\].*/\1/p' ;;
	folded) pmcstat -q -R "$2" --folded | sed 's/.* //' ;;
	flamegraph | icicle) pmcstat -q -R "$2" "--$1" | frames ;;
	html) pmcstat -q -R "$2" --html page.html && frames <page.html ;;
	callgrind) pmcstat -q -R "$2" -F - | sed -n 's/^totals: //p' | tr ' ' '\n' ;;
	json) pmcstat -q -R "$2" --json=out.json && "$python" json_total.py out.json ;;
	speedscope) pmcstat -q -R "$2" --speedscope out.json &&
		"$python" json_total.py out.json ;;
	firefox) pmcstat -q -R "$2" --firefox out.json &&
		"$python" json_total.py out.json ;;
	perf-script) pmcstat -q -R "$2" --perf-script | grep -c '^[^	]' ;;
	pprof) pmcstat -q -R "$2" --pprof out.pb.gz &&
		"$python" "$srcdir/tests/system/pprof_reader.py" --flat out.pb.gz ;;
	addresses) pmcstat -q -R "$2" -a - | grep -cx -e -- ;;
	pc-map) pmcstat -q -R "$2" -m - | grep -c . ;;
	esac
}
# The widths of the lowest frames of a picture.
frames() {
	grep -o 'data-n="[0-9]*" data-d="0"' | tr -dc '0-9\n' | sed 's/0$//'
}

# wanted LOG: what the quality line says.
wanted() {
	pmcstat -R "$1" --folded=/dev/null 2>&1 | sed -n 's/.*quality: \([0-9]*\) samples.*/\1/p'
}

outputs=$(pmcstat --help | sed -n '/How to show them/,/--diff/s/^.*--\([a-z-]*\).*/\1/p' | grep -vx diff)
for log in $logs; do
	want=$(wanted "$log")
	for output in $outputs; do
		case $output in
		# Parts by their nature: of a function, of a comparison, of objects (below); counts, no
		# samples; files; the log itself.
		callers | callees | annotate | changes | gmon | process-tree | archive | pack) continue ;;
		esac
		is "$log: --$output" "$(total "$output" "$log" | add_up)" "$want"
	done
	# What is in no object is in no gmon.out, and told.
	rm -rf gmon
	left=$(pmcstat -R "$log" -g -e -D gmon 2>&1 | sed -n 's/^pmcstat: \([0-9]*\) of .*nothing is mapped.*/\1/p' |
		add_up)
	found=$(find gmon -name '*.gmon' -exec "$python" gmon_total.py {} + | add_up)
	is "$log: --gmon, and what is in no object" $((found + left)) "$want"
done
finish
