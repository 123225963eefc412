#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The independent reader and ours say the same of every log.
#
# LOGS may name more logs to compare.
# shellcheck source=tests/system/lib.sh
. "${srcdir:?}/tests/system/lib.sh"
here=$srcdir/tests
python=${PYTHON3:-python3}
"$python" -c 'import sys; sys.exit(sys.version_info < (3, 6))' 2>/dev/null || skip_all 'no python3'

# compare NAME LOG: the lines of both readers.
compare() {
	pmclog dump "$2" >"$dir/ours" 2>&1
	"$python" "$here/system/independent_reader.py" "$2" >"$dir/theirs" 2>&1
	equal "$1" ours theirs
}

for file in "$here"/bad/*.good; do
	awk '/^(log|stdout|stderr|status):/ { inside = $1 == "log:"; next } inside' "$file" |
		hexlog >"$dir/log"
	compare "$(basename "$file" .good)" "$dir/log"
done
for log in ${LOGS:-}; do
	compare "$log" "$log"
done

# What text does not show: the trailers.
awk '/^(log|stdout|stderr|status):/ { inside = $1 == "log:"; next } inside' \
	"$here/bad/trailers.good" | hexlog >"$dir/log"
"$python" "$here/system/independent_reader.py" --facts "$dir/log" |
	sed -n 's/^# //p' >"$dir/theirs"
cat >"$dir/ours" <<'FACTS'
host build7
release 6.1.0
machine x86_64
boot-id 0f1e2d
collector fake
command pmcstat -P x -O
rate 997
frequency 1
max-depth 127
event-spec CPU_CLOCK:u
map-length 8192
file-offset 4096
device 34359738369
inode 77
build-id 000102030405060708090a0b0c0d0e0f10111213
symbol fn
count 12345678901
cpu 3
cause 1
pmcid 12033
FACTS
equal "every field of every trailer" ours theirs
finish
