#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The real gprof reads what -g writes: of programs linked in every way and of a shared object, from
# logs with known counts and from a recording, its flat profile and its call graph have just the
# samples of --flat.
# shellcheck source=tests/system/lib.sh
. "${srcdir:?}/tests/system/lib.sh"
CC=${CC:-cc}

for tool in "${CC%% *}" gprof nm readelf; do
	command -v "$tool" >/dev/null || skip_all "no $tool"
done

cat >calls.c <<'END'
int alpha(int v), beta(int v), again(int v), even(int v), odd(int v), entry(int v);
int alpha(int v) { return v * 3 + 1; }
int beta(int v) { return alpha(v) + alpha(v + 1); }
int again(int v) { return v ? again(v - 1) + alpha(v) : beta(v); }
int even(int v) { return v ? odd(v - 1) + 1 : alpha(v); }
int odd(int v) { return v ? even(v - 1) + 2 : beta(v); }
int entry(int v) { return beta(v) + again(v) + even(v) + (v ? entry(v - 1) : 0); }
#ifndef SHARED
int main(int argc, char **argv) { return argv[0][0] + entry(argc); }
#endif
END

# chains FILE: a script for mklog with samples in the functions of FILE, as a process has it mapped.
chains() {
	# The first executable segment.
	# shellcheck disable=SC2046
	set -- "$1" $(readelf -lW "$1" | awk '$1 == "LOAD" && / E / { print $2, $3, $6; exit }')
	base=$(($3 >= 0x400000 ? 0 : 0x555555554000))
	cat <<-END
		pmc 1 page-faults
		pmc 2 cpu-clock rate=2500000
		exec 10 $PWD/$1
		map 10 $(printf '0x%x' $((base + $3))) $4 $PWD/$1 off=$2
		map 10 0x7f0000000000 0x1000 /nowhere.so off=0
	END
	# Each word is a function and the offset in it; out is another object.
	while read -r count chain; do
		printf 'sample 10 '
		comma=
		for frame in $chain; do
			if [ "$frame" = out ]; then
				printf '%s0x7f0000000123' "$comma"
			else
				at=$(nm "$1" | awk -v name="${frame%+*}" '$3 == name { print $1 }')
				printf '%s0x%x' "$comma" $((base + 0x$at + ${frame#*+}))
			fi
			comma=,
		done
		printf ' x%s\n' "$count"
	done
}

# flat GMON PROGRAM: name, self and calls of each function, as gprof has them.
flat() {
	gprof -b -p "$2" "$1" 2>&1 | awk '/^ *[0-9]/ { print $NF, $3 + 0, NF == 7 ? $4 : 0 }' | sort
}

# inclusive GMON PROGRAM: name and samples of each function with all that it called.
inclusive() {
	gprof -b -q "$2" "$1" 2>&1 | awk '/^\[/ && !/as a whole/ {
		sub(/ <cycle [0-9]*>/, ""); print $(NF - 1), $3 + $4 }' | sort
}

cat >small <<'END'
300 alpha+1 beta+2 entry+2
100 alpha+1 again+2 entry+2
50 beta+1 entry+2
25 again+1 again+3 again+3 again+3 entry+2
7 alpha+1
11 out entry+2
END
want='again 25 125
alpha 407 407
beta 50 350'
want_inclusive='again 125
alpha 407
beta 350
entry 475'

# gcc would make one function of those that are equal.
apart=-fno-ipa-icf
$CC $apart -c -x c -o apart.o /dev/null 2>/dev/null || apart=
while read -r file flags; do
	# shellcheck disable=SC2086
	if ! $CC -O1 -fno-inline $apart $flags -o "$file" calls.c 2>cc.err; then
		skip "$file: linked with $flags" "$(head -n 1 cc.err)"
		continue
	fi
	chains "$file" <small >script && mklog "$file.log" <script
	pmcstat -q -R "$file.log" -g -D gnu -M map && pmcstat -q -R "$file.log" -g -e -D bsd
	is "$file: the flat profile" "$(flat "gnu/page-faults/$file.gmon" "$file")" "$want"
	is "$file: functions with what they called" \
		"$(inclusive "gnu/page-faults/$file.gmon" "$file" | grep -v _init)" "$want_inclusive"
	is "$file: the flat profile in BSD's dialect" \
		"$(flat "bsd/page-faults/$file.gmon" "$file")" "$want"
	is "$file: functions with what they called in BSD's dialect" \
		"$(inclusive "bsd/page-faults/$file.gmon" "$file" | grep -v _init)" "$want_inclusive"
	is "$file: the table of files" "$(cat map)" " \"$PWD/$file\" => \"$file.gmon\" page-faults/482
 \"/nowhere.so\" => \"nowhere.so.gmon\" page-faults/11"
done <<'END'
pie -fPIE -pie
exec -fno-pie -no-pie
shared.so -fPIC -shared -DSHARED
bits32 -m32 -fPIE -pie
END

file=pie
chains $file >script <<'END'
100000 alpha+1 beta+2 entry+2
65536 alpha+3 beta+2 entry+2
1000000 beta+3 entry+2
END
mklog large.log <script
pmcstat -q -R large.log -g -D large
is 'more samples in a bin than 16 bits count' "$(flat large/page-faults/$file.gmon $file)" \
	'alpha 165536 165536
beta 1000000 1165536'

# Functions that call each other are one to gprof: with all they called they have 60 samples.
chains $file >script <<'END'
40 alpha+1 even+3 odd+3 even+3 odd+3 entry+2
20 odd+1 even+3 entry+2
5 alpha+1 entry+2
END
mklog cycle.log <script
pmcstat -q -R cycle.log -g -D cycle
is 'functions that call each other' \
	"$(gprof -b -q $file cycle/page-faults/$file.gmon | awk '/^\[/ && /as a whole/ { print $3 + $4, $5 }
		/^\[/ && / entry / { print "entry", $3 + $4 }')" \
	'entry 65
60 60+100'

sed 's/^sample.*/& pmc=2/' script | mklog clock.log
pmcstat -q -R clock.log -g -D clock
is 'samples of a clock are seconds' "$(gprof -b -p $file clock/cpu-clock/$file.gmon |
	awk '/Each sample/ { print $5, $6 } $NF == "alpha" { print $3 }')" '0.0025 seconds.
0.11'

# A real recording: what gprof shows of each object is what --flat has of it.
if ! $CC -O1 -g -fno-omit-frame-pointer -o split "$srcdir/tests/system/split.c" 2>cc.err; then
	skip 'a recording' "$(head -n 1 cc.err)"
elif ! pmcstat -q -P cpu-clock -O split.log ./split 2 2>record.err; then
	skip 'a recording' "$(head -n 1 record.err)"
else
	pmcstat -q -R split.log -g -D real --flat=real.flat --full-names -f threshold=0 2>real.err
	awk -v object="$PWD/split" '$NF == object && $2 { print $(NF - 1), $2 }' real.flat >ours
	# gprof has hundredths of a second, ten samples.
	is 'a recording: the same samples by function' "$(flat real/cpu-clock/split.gmon split |
		awk 'FILENAME == "ours" { ours[$1] = $2; next }
			$2 && ($2 * 1000 > ours[$1] + 6 || $2 * 1000 < ours[$1] - 6) { print $1, $2, ours[$1] }
			$2 { n++ }
			END { if (!n) print "none" }' ours -)" ''
fi
finish
