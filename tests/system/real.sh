#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Real programs: xz, python3, the C compiler and sqlite3 below one shell, as a process tree and as
# part of the whole system.  At least 99 % of samples resolve to an object, 95 % to a function where
# the object has symbols, and the named functions are those that perf report shows, within the
# sampling error.
# shellcheck source=tests/system/lib.sh
. "${srcdir:?}/tests/system/lib.sh"
needs_recording

# The load: whatever of the four is here.
{
	echo "set -e"
	command -v xz >/dev/null && echo "head -c 3000000 '$builddir/pmcstat' >input; xz -k -f -6 input"
	command -v python3 >/dev/null && cat <<-'EOF'
		python3 -c 'import json
		d = {i: str(i) * 3 for i in range(100000)}
		for k in range(4): json.loads(json.dumps(d))'
	EOF
	command -v "${CC:-cc}" >/dev/null && echo "for i in 1 2 3; do ${CC:-cc} -O2 -D_GNU_SOURCE -DPACKAGE_VERSION='\"\"' -I'$srcdir/src' -c '$srcdir/src/callgraph/output/graph.c' -o out.o; done"
	command -v sqlite3 >/dev/null && cat <<-'EOF'
		sqlite3 :memory: "create table t(a integer, b text);
			with recursive c(x) as (select 1 union all select x+1 from c where x<200000)
			insert into t select x, hex(randomblob(8)) from c; create index i on t(b);
			select count(*) from t where b like 'A%';"
	EOF
} >load.sh
sh load.sh >/dev/null 2>load.err || skip_all "the load does not run: $(head -n 1 load.err)"

# resolved LOG NAME [OPTIONS]: judges how much of a log has objects and functions.
resolved() {
	log=$1
	what=$2
	shift 2
	pmcstat -v 1 -R "$log" "$@" --flat=flat --full-names -f threshold=0 --folded=folded 2>notes
	# The notes name the objects whose symbols are missing.  Paths may have blanks; columns are two
	# blanks apart.
	# shellcheck disable=SC2046
	set -- $(awk '
		FILENAME == "notes" { notes = notes $0 "\n"; next }
		/^ *[0-9.]+ +[0-9]+ +[0-9.]+ +[0-9]+  / {
			n = split($0, column, /  +/); object = column[n]
			self = $2; all += self
			if (object == "[unknown]") { none += self; next }
			if (index(notes, object)) next
			known += self
			if (column[n - 1] ~ /^0x/) nameless += self }
		END { printf "%d %d %d %d %s %s", all, none, known, nameless,
			all && none <= all * 0.01 ? "yes" : "no",
			known && nameless <= known * 0.05 ? "yes" : "no" }' notes flat)
	verdict "$5" "$what: 99 % of samples have an object" "$2 of $1 have none"
	verdict "$6" "$what: 95 % have a function where the object has symbols" "$4 of $3 have none"
}

pmcstat -q -d -U -P cpu-clock -O tree.log sh load.sh >/dev/null 2>tree.err
verdict "$([ -s tree.err ] && echo no || echo yes)" 'the tree is recorded without loss' "$(cat tree.err)"
resolved tree.log 'the process tree'

if records_system; then
	pmcstat -q -U -S cpu-clock -O system.log sh load.sh >/dev/null 2>system.err
	verdict "$([ -s system.err ] && echo no || echo yes)" 'the system is recorded without loss' "$(cat system.err)"
	resolved system.log 'the system'
fi

# Both recorders see one load at once: two runs of it differ by more than sampling does.
# -B -N: some versions of perf crash where they look for the build-id of a program that has none.
if ! command -v perf >/dev/null 2>&1; then
	skip 'the named functions are those of perf report' 'no perf'
elif ! pmcstat -q -d -U -P cpu-clock -O both.log \
	perf record -q -B -N -e cpu-clock -c 1000000 -o perf.data sh load.sh >/dev/null 2>perf.err; then
	skip 'the named functions are those of perf report' "perf record failed: $(head -n 1 perf.err)"
else
	pmcstat -q -R both.log --by comm --flat=flat --full-names -f threshold=0
	perf report -i perf.data --stdio --no-children -s sym -F sample,sym 2>/dev/null |
		sed -n 's/^ *\([0-9][0-9]*\) *\[[.k]\] \([^ ]*\).*/\1 \2/p' >theirs
	differ=$(awk '
		FILENAME == "theirs" { their[$2] += $1; their_all += $1; next }
		/^@/ { of_perf = /comm=perf/ }
		!of_perf && /^ *[0-9.]+ +[0-9]+ +[0-9.]+ +[0-9]+  / { our[$5] += $2; our_all += $2 }
		END { for (f in their) {
			if (f ~ /^0x/ || !(f in our)) continue
			p = our[f] / our_all; q = their[f] / their_all; both++
			share += q
			error = sqrt(p * (1 - p) / our_all + q * (1 - q) / their_all)
			# Each interrupts the other: half a percent besides.
			if (p > q + 4 * error + 0.005 || p < q - 4 * error - 0.005)
				printf "%s: %.2f %% here, %.2f %% by perf; ", f, 100 * p, 100 * q }
		      if (both < 20) printf "only %d functions in common", both }' theirs flat)
	verdict "$([ -z "$differ" ] && echo yes || echo no)" 'the named functions are those of perf report' "$differ"
fi
finish
