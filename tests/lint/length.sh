#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Functions stay at or below 60 lines and files at or below 1000.  In this style a function's body
# opens with "{" and closes with "}" in the first column.
set -u
# shellcheck source=tests/tap.sh
. "${srcdir:?}/tests/tap.sh"
cd "$srcdir" || exit 99
files=$(find src tests bench -name '*.[ch]' ! -name '*.pb-c.[ch]' | sort)
[ -n "$files" ] || exit 99

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
clean 'functions have at most 60 lines' "$long"
clean 'files have at most 1000 lines' "$big"
clean 'lines have at most 100 columns' "$wide"
clean 'every file names its licence' "$bare"
finish
