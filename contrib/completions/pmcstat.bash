# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash
# Completion for bash: source this file, or install it as pmcstat among bash-completion's files.
# Of pmccontrol too.  The options and what they take are those of --help, the events those of -L.

# A line "OPTION ARGUMENT" for each option; no ARGUMENT if it takes none, or only behind "=".
_pmcstat_options() {
	"$1" --help 2>/dev/null | awk '
		/^  (-[A-Za-z], |    )--/ {
			match($0, /--[a-z-]+/)
			name = substr($0, RSTART, RLENGTH)
			rest = substr($0, RSTART + RLENGTH)
			arg = match(rest, /^ [A-Z][^ ]*/) ? substr(rest, 2, RLENGTH - 1) : ""
			print name, arg
			if ($0 ~ /^  -/)
				print substr($0, 3, 2), arg
		}'
}

# Leaves COMPREPLY empty where names of files are wanted: they are bash's default.
_pmcstat() {
	local program=$1 cur=$2 i word arg words=
	local -A takes=()

	while read -r word arg; do
		takes[$word]=$arg
	done < <(_pmcstat_options "$program")
	COMPREPLY=()
	arg=
	for ((i = 1; i < COMP_CWORD; i++)); do
		word=${COMP_WORDS[i]}
		[[ $word == -* && $word != -- ]] || break
		arg=${takes[$word]-}
		# --name=value comes as three words.
		if [[ ${COMP_WORDS[i + 1]} == = ]]; then
			((i += 2))
		elif [[ $arg ]]; then
			((i += 1))
		fi
	done
	if ((i > COMP_CWORD)) || [[ $cur == = ]]; then
		[[ $cur != = ]] || cur=
		case $arg in
		EVENT) words=$("$program" -L | awk 'NR > 1 && $2 != "-" { print $1 }') ;;
		PID*) words=$(ps -eo pid=,comm= 2>/dev/null) ;;
		NAME) words='auto hwpmc perf fake:' ;;
		METHOD) words='zlib zstd gzip' ;;
		esac
	elif ((i == COMP_CWORD)) && [[ $cur == -* ]]; then
		words=${!takes[*]}
	elif ((i == COMP_CWORD)) || { ((i + 1 == COMP_CWORD)) && [[ ${COMP_WORDS[i]} == -- ]]; }; then
		if [[ ${program##*/} == pmccontrol ]]; then
			words=doctor
		else
			mapfile -t COMPREPLY < <(compgen -c -- "$cur")
			return
		fi
	fi
	mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
}

complete -o bashdefault -o default -F _pmcstat pmcstat pmccontrol
