#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# What scripts say as TAP, the words that build-aux/tap-driver.sh reads:
#
#	. "${srcdir:?}/tests/tap.sh"
n=0
failed=0

# skip_all REASON: ends the script before its first test.
skip_all() {
	echo "1..0 # SKIP $1"
	exit 0
}

# skip TITLE REASON
skip() {
	n=$((n + 1))
	echo "ok $n - $1 # SKIP $2"
}

# verdict yes|no TITLE [FACTS]
verdict() {
	n=$((n + 1))
	if [ "$1" = yes ]; then
		echo "ok $n - $2"
	else
		failed=1
		echo "not ok $n - $2"
	fi
	[ -z "${3-}" ] || printf '%s\n' "$3" | sed 's/^/# /'
}

# clean TITLE FINDINGS: there are none.
clean() {
	verdict "$([ -z "$2" ] && echo yes || echo no)" "$1" "$2"
}

# finish: the plan, and the end.
finish() {
	echo "1..$n"
	exit $failed
}
