#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Reads every log of this directory, one defect each (*.bad), or none (*.good), and compares what
# comes out with what the file says.  A file has these parts, all but the first optional:
#
#	log:	the log, as tests/tools/hexlog reads it
#	stdout:	the records before the defect, as text
#	stderr:	the message; PROGRAM and LOG stand for the names
#	status: the exit status; 0 without it
#
# program and reads choose another program that gives the same text: program=pmcstat reads='--dump -R'.
set -u
: "${srcdir:?}" "${builddir:?}"
program=${program:-pmclog}
reads=${reads:-dump}
here=$(cd "$srcdir" && pwd)/tests/bad
PATH=$(cd "$builddir" && pwd):$(cd "$builddir" && pwd)/tests/tools:$PATH
export PATH
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT HUP INT TERM
cd "$dir" || exit 99
# shellcheck source=tests/tap.sh
. "${here%/bad}/tap.sh"

# part NAME FILE: the lines below "NAME:".
part() {
	awk -v want="$1:" '
		/^(log|stdout|stderr|status):/ { inside = $1 == want
			if (inside && $2 != "") print $2
			next }
		inside { print }
	' "$2"
}

for file in "$here"/*.bad "$here"/*.good; do
	name=$(basename "$file")
	log=${name%.*}.log
	want=$(part status "$file")
	part stdout "$file" >want.out
	part stderr "$file" | sed "s/^PROGRAM: LOG/$program: $log/" >want.err
	if ! part log "$file" | hexlog >"$log"; then
		verdict no "$name" 'hexlog does not understand the log'
		continue
	fi
	status=0
	# shellcheck disable=SC2086
	"$program" $reads "$log" >got.out 2>got.err || status=$?
	if [ "$status" = "${want:-0}" ] && cmp -s want.out got.out && cmp -s want.err got.err; then
		verdict yes "$name"
	else
		verdict no "$name" "exit status $status, not ${want:-0}
$(diff -u want.out got.out | sed 's/^/out: /')
$(diff -u want.err got.err | sed 's/^/err: /')"
	fi
	rm -f "$log"
done
finish
