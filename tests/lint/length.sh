#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Functions stay at or below 60 lines and files at or below 1000.  In this style a function's body
# opens with "{" and closes with "}" in the first column.
set -u
cd "${srcdir:?}" || exit 99
files=$(find src tests bench -name '*.[ch]' ! -name '*.pb-c.[ch]' | sort)
[ -n "$files" ] || exit 99

report() {
	if [ -z "$2" ]; then
		echo "ok $1 - $3"
	else
		echo "not ok $1 - $3"
		echo "$2" | sed 's/^/# /'
		failed=1
	fi
}

failed=0
# shellcheck disable=SC2086
long=$(awk 'FNR == 1 { start = 0 }
	/^\{/ { start = FNR }
	/^\}/ { if (start && FNR - start - 1 > 60) print FILENAME ":" start ": a function of " FNR - start - 1 " lines"; start = 0 }' $files)
# shellcheck disable=SC2086
big=$(wc -l $files | awk '$2 != "total" && $1 > 1000 { print $2 " has " $1 " lines" }')
# shellcheck disable=SC2086
wide=$(for f in $files; do expand -t 8 "$f" | awk -v f="$f" 'length($0) > 100 { print f ":" FNR ": " length($0) " columns" }'; done)
# shellcheck disable=SC2086
bare=$(grep -L 'SPDX-License-Identifier' $files)
report 1 "$long" 'functions have at most 60 lines'
report 2 "$big" 'files have at most 1000 lines'
report 3 "$wide" 'lines have at most 100 columns'
report 4 "$bare" 'every file names its licence'
echo 1..4
exit $failed
