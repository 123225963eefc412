#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Functions stay at or below 60 lines and 7 parameters, files at or below 1000 lines.  In this style a
# function's body opens with "{" and closes with "}" in the first column.
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
# What begins in the first column and has a parenthesis, up to the end of its parameters.
# shellcheck disable=SC2016
many=$(echo "$files" | grep "^src/" | xargs awk 'FNR == 1 { text = "" }
	/^[a-z].*\(/ && !/^(typedef|#)/ { text = $0; start = FNR; name = FILENAME }
	text != "" && FNR > start { text = text $0 }
	text != "" && /[;{]$|\)$/ {
		sub(/^[^(]*\(/, "", text)
		while (gsub(/\([^()]*\)/, "", text)) ;
		sub(/\).*/, "", text)
		if (split(text, parameters, ",") > 7) print name ":" start ": " split(text, parameters, ",") " parameters"
		text = ""
	}')
# clang-format takes them for C++; the kernel has classes of its own.
# shellcheck disable=SC2046
names=$(grep -nE '(^|[^a-zA-Z0-9_."])(new|class)( =|;|\.|->|, |\))' $(echo "$files" | grep -vE '^tests/unit/kernel/') |
	grep -vE '/\*|^[^:]*:[0-9]*:[[:space:]]*\*|"')
# shellcheck disable=SC2086
bare=$(grep -L 'SPDX-License-Identifier' $files)
clean 'functions have at most 60 lines' "$long"
clean 'functions have at most 7 parameters' "$many"
clean 'files have at most 1000 lines' "$big"
clean 'nothing is called new or class' "$names"
clean 'lines have at most 100 columns' "$wide"
clean 'every file names its licence' "$bare"
finish
