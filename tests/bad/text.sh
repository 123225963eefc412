#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Logs become text (pmclog text) and logs again (pmclog assemble), byte for byte: those of this directory, up to
# where they are damaged, which is told as dump tells it, and those of the stories.
set -u
: "${srcdir:?}" "${builddir:?}"
here=$(cd "$srcdir" && pwd)/tests
PATH=$(cd "$builddir" && pwd):$(cd "$builddir" && pwd)/tests/tools:$PATH
export PATH
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT HUP INT TERM
cd "$dir" || exit 99
# shellcheck source=tests/tap.sh
. "$here/tap.sh"

# there_and_back: what is wrong with log.
there_and_back() {
	pmclog text log text 2>text.err
	status=$?
	pmclog dump log >lines 2>lines.err
	[ "$status" = $? ] || echo "exit status $status, which is not that of dump"
	diff -u lines.err text.err
	[ -s text ] || return
	pmclog assemble text again 2>&1 || echo 'its text is none'
	bytes=$(wc -c <again)
	head -c "$bytes" log | cmp - again 2>&1
	pmclog dump again 2>again.err | cmp - lines 2>&1
	[ "$status" -ne 0 ] || cmp log again 2>&1
}

for file in "$here"/bad/*.bad "$here"/bad/*.good; do
	awk '/^(log|stdout|stderr|status):/ { inside = $1 == "log:"; if (inside && $2 != "") print $2; next }
		inside' "$file" | hexlog >log || exit 99
	clean "$(basename "$file") there and back" "$(there_and_back)"
done
for story in "$here"/golden/*.story; do
	rm -f part.*
	awk '/^== / { inside = $2 == "log"; if (inside) printf "" > (part = "part." ++n); next }
		inside { print > part }' "$story"
	[ -e part.1 ] || continue
	clean "$(basename "$story") there and back" "$(for part in part.*; do
		mklog log <"$part" || echo "$part is no log"
		there_and_back
	done)"
done
finish
