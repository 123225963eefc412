#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The arrows: which folder of src/ may include headers of which.  See HACKING.md.
set -u
# shellcheck source=tests/tap.sh
. "${srcdir:?}/tests/tap.sh"
cd "$srcdir" || exit 99

# allowed FOLDER: the folders, or single headers, that it may include besides its own.
allowed() {
	case $1 in
	base) echo '' ;;
	unwind) echo 'base' ;;
	pmclog) echo 'pmclog/pack pmclog/text/script.h base' ;;
	pmclog/pack | pmclog/text | pmclog/recv) echo 'pmclog base' ;;
	pmclog/cmd) echo 'pmclog/pack/pack.h pmclog/text pmclog/recv/recv.h perfdata/perf_data.h pmclog base' ;;
	symbol) echo 'symbol/elf symbol/dwarf/dwarf.h unwind base' ;;
	symbol/elf) echo 'symbol/image.h symbol/regular.h unwind base' ;;
	symbol/dwarf | symbol/kernel) echo 'symbol/elf symbol/image.h symbol/regular.h base' ;;
	pmc) echo 'pmc/events pmc/perf/perf_trial.h pmclog base' ;;
	pmc/events) echo 'pmc/collector.h pmc/pmcint.h pmc/proc_list.h base' ;;
	pmc/fake) echo 'pmc/collector.h pmclog/text/script.h pmclog base' ;;
	pmc/hwpmc) echo 'pmc/events pmc/collector.h pmc/proc_list.h kdrv/hwpmc.h base' ;;
	pmc/perf) echo 'pmc/perf/unwind pmc/events pmc/collector.h pmc/counters.h pmc/pmc.h pmc/proc_list.h pmclog unwind base' ;;
	pmc/perf/unwind) echo 'pmc/perf pmc/collector.h pmclog unwind base' ;;
	perfdata) echo 'pmc/perf pmc/perf/unwind pmc/pmc.h pmclog unwind base' ;;
	pmccontrol) echo 'pmc pmc/events pmc/perf/perf_errors.h pmc/perf/perf_trial.h base' ;;
	callgraph/model) echo 'symbol pmclog base' ;;
	callgraph/read | callgraph/transform) echo "callgraph/model $(allowed callgraph/model)" ;;
	callgraph/output) echo "callgraph/read callgraph/transform pmclog/text/text.h $(allowed callgraph/read)" ;;
	pmcstat) echo "pmcstat/options/options.h pmcstat/record/record.h pmcstat/summary/summary.h pmcstat/top/top.h pmcstat/push/push.h pmcstat/push/push_target.h pmccontrol pmc callgraph/output $(allowed callgraph/output)" ;;
	pmcstat/options) echo "pmcstat pmcstat/record/rotation.h $(allowed pmcstat)" ;;
	pmcstat/record) echo "pmcstat pmcstat/options/option_modes.h $(allowed pmcstat)" ;;
	pmcstat/summary) echo "pmcstat pmcstat/record/record_remarks.h $(allowed pmcstat)" ;;
	pmcstat/top) echo "pmcstat/options/options.h pmcstat/say.h pmcstat/status.h callgraph/output $(allowed callgraph/output)" ;;
	pmcstat/push) echo "pmcstat/top/top_source.h $(allowed pmcstat/top)" ;;
	kdrv) echo 'pmclog/pmclog_wire.h' ;;
	*) echo '' ;;
	esac
}

for folder in $(find src -name '*.[ch]' | sed 's|^src/||; s|/[^/]*$||' | sort -u); do
	may=" $folder $(allowed "$folder") "
	bad=$(grep -n '^[[:space:]]*#[[:space:]]*include[[:space:]]*"' "src/$folder"/*.[ch] /dev/null 2>/dev/null |
		sed -n 's/^\([^:]*:[0-9]*\):.*"\([^"]*\)".*/\1 \2/p' |
		while read -r where header; do
			# The kernel's make knows no path to src/: kdrv names its own headers bare.
			[ "$folder" != kdrv ] || [ "${header#*/}" != "$header" ] || header=kdrv/$header
			case $may$where in
			*" ${header%/*} "* | *" $header "*) ;;
			*) echo "$where includes $header" ;;
			esac
		done)
	clean "$folder includes only what it may" "$bad"
done
# No part but the programs prints or exits; pmc_pmu_print_*() alone print, as pmc(3) has it.
bad=$(find src/base src/symbol src/callgraph src/pmc src/pmccontrol src/pmclog src/perfdata src/unwind -name '*.c' -exec grep -nE \
	'\b(exit|abort|assert|v?[fd]?printf|perror|f?puts|f?putc|putchar|fwrite)[[:space:]]*\(' {} + |
	grep -vE '^src/(pmclog/cmd/[a-z_]*|pmccontrol/main|pmc/pmc_pmu)\.c' |
	grep -vE '^[^:]*:[0-9]*:[[:space:]]*(/?\*|//)')
clean 'libraries never print or exit' "$bad"
bad=$(grep -rnE '^[[:space:]]*#[[:space:]]*include[[:space:]]*<(n?curses|term)\.h>' src |
	grep -v '^src/pmcstat/top/\(screen\|terminal\)\.c:')
clean 'two files know curses' "$bad"
# The session of the perf collector stands on top of its parts, each of which has a header of its own.
bad=$(grep -rnE '^[[:space:]]*#[[:space:]]*include[[:space:]]*"pmc/perf/perf_session\.h"' src |
	grep -vE '^src/pmc/perf/(collector_perf|perf_pump)\.c:')
clean 'no part of the perf collector knows its session' "$bad"
bad=$(grep -nE '^[[:space:]]*#[[:space:]]*include[[:space:]]*"pmc/perf/perf_(attach|errors|ran|share|targets|watch)\.h"' \
	src/pmc/perf/perf_attr.[ch] src/pmc/perf/perf_event.[ch] src/pmc/perf/perf_fds.c src/pmc/perf/perf_pmc.h \
	src/pmc/perf/perf_record.[ch] src/pmc/perf/perf_ring.[ch] src/pmc/perf/perf_rings.[ch])
clean 'rings know nothing of what stands on them' "$bad"
finish
