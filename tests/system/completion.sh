#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Shells complete options, events and commands from what the programs say of themselves.
. "${srcdir:?}/tests/system/lib.sh"

# completed WORD...: what bash makes of the last word, a name a line.
completed() {
	bash -c '. "$0" || exit; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
		_pmcstat "$1" "${COMP_WORDS[COMP_CWORD]}"; printf "%s\n" "${COMPREPLY[@]}"' \
		"$srcdir/contrib/completions/pmcstat.bash" "$@" 2>&1 | sort
}
if command -v bash >/dev/null 2>&1; then
	is 'bash: an option' "$(completed pmcstat --flam)" --flamegraph
	is 'bash: an event' "$(completed pmcstat -q -P page-f)" "$(pmcstat -L | awk '/^page-faults / && $2 != "-" { print $1 }')"
	is 'bash: a collector behind =' "$(completed pmcstat --collector = f)" fake:
	is 'bash: options of pmccontrol' "$(completed pmccontrol --list)" "$(printf '%s\n' --list --list-events)"
	is 'bash: a command of pmccontrol' "$(completed pmccontrol doct)" doctor
	is 'bash: an event of pmccontrol' "$(completed pmccontrol -u cpu-cl)" \
		"$(pmcstat -L | awk '/^cpu-clock / && $2 != "-" { print $1 }')"
	is 'bash: a collector of pmccontrol' "$(completed pmccontrol --collector p)" perf
	is 'bash: the command that is to be measured' "$(completed pmcstat -d mkdi | grep -x mkdir | uniq)" mkdir
else
	skip 'bash' 'no bash'
fi

# The words for zsh's _arguments, by its own awk program.
zsh=$srcdir/contrib/completions/_pmcstat
sed -n "/awk '\$/,/^\t\t}'/p" "$zsh" | sed "1d; s/^\t\t}'/}/" >words.awk
pmcstat --help | awk -f words.awk >words
is 'zsh: every letter and every long name has its word' "$(grep -c '^[*]-[A-Za-z][+[]' words) $(grep -c '^[*]--[a-z]' words)" \
	"$(pmcstat --help | grep -cE '^  -[A-Za-z], --') $(pmcstat --help | grep -cE '^  (-[A-Za-z],|   ) --')"
like 'zsh: an option that takes an event' "$(cat words)" '^[*]-P[+][[]sample EVENT .*[]]:EVENT:[{]_pmcstat_argument '\''EVENT'\''[}]$'
like 'zsh: an option with a file that may be left out' "$(cat words)" '^[*]--flat=-[[].*[]]::FILE:[{]_pmcstat_argument '\''FILE'\''[}]$'
# _arguments evaluates what is between braces.
is 'zsh: what stands for an argument is one word' "$(
	eval "$(sed -n 's/.*:{_pmcstat_argument \(.*\)}$/echo \1/p' words)" 2>&1
)" "$(sed -n 's/.*:\([^:]*\):{.*}$/\1/p' words)"
like 'zsh: PID|REGEX is among them' "$(cat words)" '^[*]-t[+].*:PID[|]REGEX:[{]'
if command -v zsh >/dev/null 2>&1; then
	is 'zsh understands it' "$(zsh -n "$zsh" 2>&1)" ''
else
	skip 'zsh understands it' 'no zsh'
fi
finish
