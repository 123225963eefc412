#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The doctor against pmcstat: what it calls working is recorded, what it calls refused is refused;
# as this user, as one without rights and under a filter of system calls.
# shellcheck source=tests/system/lib.sh
. "${srcdir:?}/tests/system/lib.sh"

status=0
run() {
	status=0
	"$@" >out 2>err || status=$?
}

# The verdict of a finding: ok, no, ? or -; "" where it was not tried.
finding() {
	awk -v title="$1" 'substr($0, 5, length(title) + 1) == title " " { print $1; exit }' doctor.out
}

# The names in a finding that lists events, whose lines go on below each other.
listed() {
	awk -v title="$1" '/^[^ ]/ { in_list = substr($0, 5, length(title)) == title }
		in_list && !/ fix: | why: / { print substr($0, 28) }' doctor.out
}

# recorded OPTIONS: whether pmcstat, as the user at hand, takes samples of a command that is busy in
# user mode and then in the kernel.
# shellcheck disable=SC2016
busy='i=0; while [ $i -lt 100000 ]; do i=$((i + 1)); done; exec dd if=/dev/zero of=/dev/null bs=1M count=1500'
recorded() {
	rm -f user/r.log
	# shellcheck disable=SC2086
	$as pmcstat -q -O user/r.log "$@" sh -c "$busy" 2>err &&
		pmclog check user/r.log | awk '{ exit !($4 > 0) }'
}

# counted EVENT: whether pmcstat counts it, in a program or, as PMUs of a chip want it, on a CPU.
counted() {
	$as pmcstat -q -p "$1" -o user/counts true 2>err ||
		$as pmcstat -q -c 0 -s "$1" -o user/counts true 2>>err
}

# agrees TITLE OPTIONS: the verdict of the finding is what pmcstat finds.
agrees() {
	title=$1
	shift
	want=no
	recorded "$@" && want=ok
	is "$who: $title" "$(finding "$title")" "$want"
}

# examine WHO COMMAND-PREFIX
examine() {
	who=$1
	as=$2
	rm -f user/*
	run $as pmccontrol doctor
	cp out doctor.out
	code=$status
	run $as pmcstat --doctor
	is "$who: pmcstat --doctor finds the same" "$status $(cut -c 1-26 out)" \
		"$code $(cut -c 1-26 doctor.out)"
	want=69
	recorded -P cpu-clock && want=0
	is "$who: the exit status tells whether programs can be sampled" "$code" "$want"
	is "$who: every finding and fix has a text" "$(grep -E '^.{0,27}$| (fix|why): *$' doctor.out)" ''
}

# The findings, where events can be opened at all.
examine_findings() {
	agrees 'sample own programs' -P cpu-clock
	agrees 'sample the kernel' -P cpu-clock:k
	agrees 'sample whole CPUs' -S cpu-clock
	agrees 'hardware counters' -P cycles
	case " $(listed 'events that count' | tr '\n' ' ')" in
	*" emulation-faults "*) verdict no "$who: what nothing moves is not called counting" ;;
	*) verdict yes "$who: what nothing moves is not called counting" ;;
	esac
	wrong=
	for event in $(listed 'events that count'); do
		counted "$event" || wrong="$wrong $event: $(cat err)"
	done
	is "$who: what counts can be counted" "$wrong" ''
	wrong=
	for event in $(listed refused); do
		counted "$event" && wrong="$wrong $event"
	done
	is "$who: what is refused is refused" "$wrong" ''
}

chmod 755 "$dir"
# Where the doctor keeps what it finds out about counters.
mkdir -m 777 run
export XDG_RUNTIME_DIR="$dir/run"
mkdir -m 777 user
examine 'this user' ''
[ -z "$(finding 'perf_event_open(2)')" ] && examine_findings

if [ "$(id -u)" != 0 ] || ! command -v setpriv >/dev/null 2>&1; then
	skip 'a user without rights' 'only root with setpriv can become another'
elif ! setpriv --reuid 65534 --regid 65534 --clear-groups pmcstat --version >/dev/null 2>&1; then
	skip 'a user without rights' "the programs in $builddir cannot be run by another user"
else
	run pmcstat -s cycles -l 0.1 -o user/counts
	lacks=$(grep 'has no counters' err)
	examine 'nobody' 'setpriv --reuid 65534 --regid 65534 --clear-groups'
	if [ -n "$lacks" ]; then
		run $as pmcstat -s cycles -l 0.1 -o user/counts
		is 'nobody: a setting is not blamed for what the machine lacks' "$(head -n 1 err)" "$lacks"
	else
		skip 'nobody: a setting is not blamed for what the machine lacks' 'it has counters'
	fi
	[ -z "$(finding 'perf_event_open(2)')" ] && examine_findings
fi

if ! unshare -U -r pmcstat --version >/dev/null 2>&1; then
	skip 'root of a user namespace' 'there are none to be had'
else
	examine 'root of a user namespace' 'unshare -U -r'
	[ -z "$(finding 'perf_event_open(2)')" ] && examine_findings
	like 'its capabilities are not counted' "$(cat doctor.out)" 'capabilities  .*in a user namespace none count'
fi

if ! ${CC:-cc} -o deny "$srcdir/tests/system/deny.c" 2>err || ! ./deny true; then
	skip 'a filter of system calls' 'no C compiler or no seccomp'
else
	examine 'under seccomp' ./deny
	is 'under seccomp: nothing can be opened' "$(finding 'perf_event_open(2)') $code" 'no 69'
	like 'under seccomp: the filter is named' "$(cat doctor.out)" 'a seccomp filter denies perf_event_open'
fi

# ---- Names of CPUs' makers, on a CPU that libpfm4 does not know, as it is told.

run pmccontrol doctor
if grep -q "vendors' names .* without libpfm4" out; then
	skip 'a CPU that libpfm4 does not know' 'the programs were built without it'
else
	run env LIBPFM_FORCE_PMU=perf pmccontrol doctor
	like 'a CPU that libpfm4 does not know' "$(echo "status $status" && cat out err)" \
		"^-   vendors' names +none: libpfm4 does not know this CPU"
	LIBPFM_FORCE_PMU=perf
	export LIBPFM_FORCE_PMU
	for name in EX_RET_INSTR INST_RETIRED:ANY_P; do
		run pmcstat -p $name true
		is "its makers' names are not called unknown, nor tracepoints: $name" "$status:$(head -n 1 err)" \
			"69:pmcstat: $name: libpfm4, which knows the names of CPUs' makers, does not know this CPU"
	done
	unset LIBPFM_FORCE_PMU
fi

# ---- What the doctor has found out about counters, here as if it had.

kept() {
	printf 'pmcstat counters 1\nboot %s\ntried 6\ngood %s\ndead %s\n' "$(cat /proc/sys/kernel/random/boot_id)" \
		"$1" "$2" >pmcstat-counters
	chmod 600 pmcstat-counters
}

# found COMMAND...: with the file where it is looked for; root's is in a /run that this command alone sees.
found() {
	if [ "$(id -u)" = 0 ]; then
		# shellcheck disable=SC2016
		run unshare -m sh -c 'mount -t tmpfs none /run && cp -p pmcstat-counters /run && exec "$@"' - "$@"
	else
		run env XDG_RUNTIME_DIR="$dir" "$@"
	fi
}

kept 0 6
if [ "$(id -u)" = 0 ] && ! unshare -m mount -t tmpfs none /run 2>err; then
	skip 'counters that count nothing are given to nobody' "$(head -n 1 err)"
else
	found pmcstat -p cycles true
	is 'counters that count nothing are given to nobody' "$status:$(head -n 1 err)" \
		'69:pmcstat: cycles: of 6 counters of this machine 6 count nothing: 0 PMCs at once count right, and not more'
	found pmcstat -q -p page-faults -o user/counts true
	is 'software events need none' "$status:$(cat err)" '0:'
	found pmcstat -p cycles true
	kept 6 0
	cp err before
	found pmcstat -p cycles true
	is 'good ones are' "$(grep -c 'count nothing' before err | tr '\n' ' ')" 'before:1 err:0 '
	kept 0 6
	chmod 666 pmcstat-counters
	found pmcstat -p cycles true
	is 'what anybody can have written is not believed' "$(grep -c 'count nothing' err)" 0
fi
rm pmcstat-counters

# ---- pmccontrol's own options.

is 'pmccontrol -L lists what pmcstat -L lists' "$(pmccontrol -L)" "$(pmcstat -L)"
run pmccontrol -l
if [ "$status" -eq 0 ]; then
	like 'pmccontrol -l lists the rows of software events' "$(cat out)" \
		'^ *0-[0-9]+ SOFT-0 [.][.][.] +SOFT +ENABLED +FREE$'
	is 'pmccontrol -l has a part for each CPU' "$(grep -c '^CPU ' out)" "$(getconf _NPROCESSORS_ONLN)"
else
	skip 'pmccontrol -l lists the rows of software events' "$(head -n 1 err)"
	skip 'pmccontrol -l has a part for each CPU' "$(head -n 1 err)"
fi
run pmccontrol -s
if [ "$status" -eq 0 ]; then
	like 'pmccontrol -s shows the settings' "$(cat out)" \
		"^kernel.perf_event_paranoid +$(cat /proc/sys/kernel/perf_event_paranoid)\$"
else
	skip 'pmccontrol -s shows the settings' "$(head -n 1 err)"
fi
run pmccontrol -c one -e 1
is 'a CPU is a number' "$status:$(head -n 1 err)" '64:pmccontrol: -c "one" is not a number from 0 to 4094, nor *'
run pmccontrol -c '*' -d none
is 'so is a PMC' "$status:$(head -n 1 err)" '64:pmccontrol: -d "none" is not a number from 0 to 255, nor *'
run pmccontrol
is 'nothing to do' "$status:$(head -n 1 err)" '64:pmccontrol: nothing to do'
run pmccontrol -c 0 -c '*'
is 'a CPU alone is nothing to do either' "$status:$(head -n 1 err)" '64:pmccontrol: nothing to do'
for words in -x --nonsense -u --describe --list=3 '--cpu 0 -x'; do
	# shellcheck disable=SC2086
	run pmccontrol $words
	echo "$status:$(head -n 1 err)"
done >refused
is 'what is refused is named' "$(cat refused)" '64:pmccontrol: unknown option -x
64:pmccontrol: unknown option --nonsense
64:pmccontrol: option -u needs an argument
64:pmccontrol: option --describe needs an argument
64:pmccontrol: option --list takes no argument
64:pmccontrol: unknown option -x'
run pmccontrol doctor now
is 'the doctor takes no argument' "$status" 64
finish
