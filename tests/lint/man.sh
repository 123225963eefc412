#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Man pages are clean for mandoc and name every option of the programs.
set -u
: "${builddir:?}"
# shellcheck source=tests/tap.sh
. "${srcdir:?}/tests/tap.sh"

for page in "$srcdir"/man/*.[1-9]; do
	if command -v mandoc >/dev/null 2>&1; then
		clean "$(basename "$page") passes mandoc" "$(mandoc -Tlint -W warning "$page" 2>&1)"
		# .Ql calls .Ql: the second would be quoted within the first.
		clean "$(basename "$page") quotes nothing within quotes" "$(mandoc -Tascii "$page" | sed "s/.$(printf '\b')//g" | grep "''")"
	else
		skip "$(basename "$page") passes mandoc" 'no mandoc'
	fi
	# Cells that are too wide are broken into columns of single words.
	if command -v groff >/dev/null 2>&1; then
		clean "$(basename "$page") fits a terminal" \
			"$(groff -mdoc -Tascii -rLL=78n -wbreak "$page" 2>&1 >/dev/null | grep "can't break line")"
	else
		skip "$(basename "$page") fits a terminal" 'no groff'
	fi
done

# unnamed PROGRAM PAGE: the options of its help that the page does not name.
unnamed() {
	"$builddir/$1" --help | sed -n 's/^  \(-[A-Za-z]\), --\([a-z-]*\).*/\1 \2/p; s/^      --\([a-z-]*\).*/\1/p' |
		while read -r a b; do
			case $a in
			-?) letter=${a#-} name=$b ;;
			*) letter='' name=$a ;;
			esac
			[ -z "$letter" ] || grep -q "Fl $letter\\b" "$srcdir/man/$2" || echo "$2 does not name -$letter"
			grep -q -- "Fl -$name\\b" "$srcdir/man/$2" || echo "$2 does not name --$name"
		done
}
clean 'pmcstat.8 names every option' "$(unnamed pmcstat pmcstat.8)"
clean 'pmccontrol.8 names every option' "$(unnamed pmccontrol pmccontrol.8)"
# Functions: NAME and SYNOPSIS of one page each.
in_names() {
	awk -v page="$1" '/^\.Sh/ { names = $2 == "NAME" } names && /^\.Nm/ { print $2, page }' "$1"
}
in_synopses() {
	awk '/^\.Sh/ { synopsis = $2 == "SYNOPSIS" } synopsis && /^\.F[no] / { print $2 }' "$1"
}
named=$(for page in "$srcdir"/man/*.[39]; do in_names "$page"; done)
shown=$(for page in "$srcdir"/man/*.[39]; do in_synopses "$page"; done)
functions=$(cat "$srcdir"/src/pmc/libpmc.sym "$srcdir"/src/pmclog/libpmclog.sym
	sed -n 's/^EXPORT_SYMBOL_GPL(\(.*\));/\1/p' "$srcdir"/src/kdrv/*.c
	sed -n 's/^static inline [a-z]* \([A-Za-z_]*\)(.*/\1/p' "$srcdir/src/kdrv/pmc_kapi.h")
clean 'every public function has a page' "$(for f in $functions; do
	[ "$(echo "$named" | grep -c "^$f ")" -eq 1 ] || echo "$f is in the NAME of no page, or of several"
	[ "$(echo "$shown" | grep -cx "$f")" -eq 1 ] || echo "$f is in the SYNOPSIS of no page, or of several"
done)"
clean 'pages name no function that is not there' "$(for f in $(echo "$named" | sed 's/ .*//') $shown; do
	case $f in
	pmc | pmc.*) continue ;;
	esac
	echo "$functions" | grep -qx "$f" || echo "$f is not exported"
done)"
finish
