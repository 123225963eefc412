#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# What the scripts of this directory begin with:
#
#	. "${srcdir:?}/tests/system/lib.sh"
#
# They are then in an empty directory of their own, $dir, which goes when they end, with the built
# programs and the tests' tools on the PATH.
set -u
: "${srcdir:?}" "${builddir:?}"
srcdir=$(cd "$srcdir" && pwd) && builddir=$(cd "$builddir" && pwd) && dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT HUP INT TERM
PATH=$builddir:$builddir/tests/tools:$PATH
CC=${CC:-cc}
export PYTHONDONTWRITEBYTECODE=1 # below srcdir
cd "$dir" || exit 99
# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

# needs_recording: skips all where this user cannot record a command.
needs_recording() {
	pmcstat -q -P cpu-clock -O probe.log true 2>probe.err || skip_all "$(head -n 1 probe.err)"
}

# until_true COMMAND...: waits until it succeeds.
until_true() {
	for _ in $(seq 600); do
		! "$@" || return 0
		sleep 0.1
	done
	verdict no "in time: $*"
	finish
}

# compiled PROGRAM SOURCE FLAG...: makes a program of the tests, without a compiler skips all; one that
# the compiler refuses is a failure, for a newer compiler may refuse what older ones take.
compiled() {
	program=$1 source=$2
	shift 2
	command -v "${CC%% *}" >/dev/null || skip_all 'no C compiler'
	$CC "$@" -o "$program" "$srcdir/tests/$source" 2>cc.err && return
	verdict no "$source compiles" "$(cat cc.err)"
	finish
}

# needs_browser: skips all where there is none; browse uses it.
needs_browser() {
	for browser in chromium chromium-browser google-chrome; do
		! command -v $browser >/dev/null || return 0
	done
	skip_all 'no chromium'
}

# browse OPTION... URL: the page's document on standard output once its scripts have run; without a
# network, and with what browsers leave behind in $dir.
browse() {
	timeout 60 "$browser" --headless --no-sandbox --disable-quic --no-first-run \
		--disable-background-networking --disable-component-update --disable-sync \
		--user-data-dir="$dir/browser" --dump-dom "$@"
}

# records_system: whether this user can record the whole machine; if not, probe.err says why.
records_system() {
	pmcstat -q -S cpu-clock -l 0.1 -O probe.log 2>probe.err
}

# is TITLE GOT WANTED
is() {
	if [ "$2" = "$3" ]; then
		verdict yes "$1"
	else
		verdict no "$1" "got:
$2
wanted:
$3"
	fi
}

# like TITLE GOT PATTERN: a line of GOT matches the extended regular expression.
like() {
	if printf '%s\n' "$2" | grep -qE -- "$3"; then
		verdict yes "$1"
	else
		verdict no "$1" "$2"
	fi
}

# equal TITLE GOT WANTED: two files are equal.
equal() {
	if cmp -s "$2" "$3"; then
		verdict yes "$1"
	else
		verdict no "$1" "$(diff -u "$3" "$2" | head -n 60)"
	fi
}
