// SPDX-License-Identifier: BSD-2-Clause
/*
 * The events with names that every machine is asked for, in the order of pmc(3).
 *
 * Default rates are counts of events, as FreeBSD's 65536 is, so that each sample stands for as many
 * events; a frequency would show phases with few events as those with many.  They keep a fast core,
 * 5 GHz, at 1000 samples a second: one millisecond for clocks, and for the rest what such a core
 * does in it at its best: 5 million cycles and branches, four instructions and two loads a cycle;
 * of cache references and misses what a compiler does, for the fastest loops of nothing else may
 * have five times that.  Most programs do less, and have 100 to 500.  Page faults come at up to
 * 100,000 a second (a compiler), context switches at up to 10,000 (a busy server); what is rarer is
 * sampled each time.  Tracepoints too, because nothing is known of them and their users look for
 * single hits.
 */
#include <linux/perf_event.h>

#include "pmc/events/events.h"

#define SW(name, id, rate, summary)                                                           \
	{                                                                                     \
		name, summary, EVENT_PERF, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_##id, rate, NULL \
	}
#define CLOCK(name, id, summary)                                                                  \
	{                                                                                         \
		name, summary, EVENT_CLOCK, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_##id, 1000000, NULL \
	}
#define HW(name, id, rate, summary)                                                           \
	{                                                                                     \
		name, summary, EVENT_PERF, PERF_TYPE_HARDWARE, PERF_COUNT_HW_##id, rate, NULL \
	}
#define CACHE(name, cache, op, result, rate, summary)                                    \
	{                                                                                \
		name, summary, EVENT_PERF, PERF_TYPE_HW_CACHE,                           \
			PERF_COUNT_HW_CACHE_##cache | PERF_COUNT_HW_CACHE_OP_##op << 8 | \
				PERF_COUNT_HW_CACHE_RESULT_##result << 16,               \
			rate, NULL                                                       \
	}
#define TRACE(name, tracepoint, rate, summary)                                             \
	{                                                                                  \
		name, summary, EVENT_TRACEPOINT, PERF_TYPE_TRACEPOINT, 0, rate, tracepoint \
	}
#define STAMP(name, pmu, rate, summary)                   \
	{                                                 \
		name, summary, EVENT_TSC, 0, 0, rate, pmu \
	}
#define NONE(name, why)                                               \
	{                                                             \
		name, "not on Linux", EVENT_UNAVAILABLE, 0, 0, 0, why \
	}
#define FAULTS_ARE_ONE "Linux counts the page faults of reads and writes as one, use PAGE_FAULT.ALL"

/* clang-format off */
const struct event_row pmcint_event_rows[] = {
	CLOCK("cpu-clock", CPU_CLOCK, "time on a CPU, in nanoseconds"),
	CLOCK("task-clock", TASK_CLOCK, "time that the target runs, in nanoseconds"),
	SW("page-faults", PAGE_FAULTS, 100, "page faults"),
	SW("minor-faults", PAGE_FAULTS_MIN, 100, "page faults served without a disk"),
	SW("major-faults", PAGE_FAULTS_MAJ, 1, "page faults that waited for a disk"),
	SW("context-switches", CONTEXT_SWITCHES, 10, "switches to another thread"),
	SW("cpu-migrations", CPU_MIGRATIONS, 1, "moves of a thread to another CPU"),
	SW("alignment-faults", ALIGNMENT_FAULTS, 1, "misaligned accesses that the kernel repaired"),
	SW("emulation-faults", EMULATION_FAULTS, 1, "instructions that the kernel emulated"),

	STAMP("TSC", "msr", 5000000, "ticks of the time stamp counter (x86)"),

	CLOCK("CLOCK.HARD", CPU_CLOCK, "FreeBSD's hard clock: cpu-clock"),
	CLOCK("CLOCK.STAT", CPU_CLOCK, "FreeBSD's statistics clock: cpu-clock"),
	CLOCK("CLOCK.PROF", CPU_CLOCK, "FreeBSD's profiling clock: cpu-clock"),
	SW("PAGE_FAULT.ALL", PAGE_FAULTS, 100, "FreeBSD's name of page-faults"),
	NONE("PAGE_FAULT.READ", FAULTS_ARE_ONE),
	NONE("PAGE_FAULT.WRITE", FAULTS_ARE_ONE),
	TRACE("LOCK.FAILED", "lock:contention_begin", 1, "waits for a kernel lock (Linux 5.19)"),
	NONE("interrupts",
	     "no event of Linux sees all interrupts, use irq:irq_handler_entry for devices"),

	HW("cycles", CPU_CYCLES, 5000000, "CPU cycles, at whatever frequency"),
	HW("instructions", INSTRUCTIONS, 20000000, "instructions retired"),
	HW("branches", BRANCH_INSTRUCTIONS, 5000000, "branch instructions retired"),
	HW("branch-misses", BRANCH_MISSES, 50000, "branches retired that were mispredicted"),
	HW("cache-references", CACHE_REFERENCES, 300000, "uses of the last-level cache (Zen: L2)"),
	HW("cache-misses", CACHE_MISSES, 50000, "misses of the last-level cache (Zen: L2)"),
	HW("bus-cycles", BUS_CYCLES, 500000, "bus cycles"),
	HW("ref-cycles", REF_CPU_CYCLES, 5000000, "CPU cycles at the nominal frequency"),
	HW("stalled-cycles-frontend", STALLED_CYCLES_FRONTEND, 5000000, "cycles short of code"),
	HW("stalled-cycles-backend", STALLED_CYCLES_BACKEND, 5000000, "cycles short of data"),

	CACHE("L1-dcache-loads", L1D, READ, ACCESS, 10000000, "loads from the data cache"),
	CACHE("L1-dcache-load-misses", L1D, READ, MISS, 300000, "loads that missed the data cache"),
	CACHE("L1-dcache-stores", L1D, WRITE, ACCESS, 5000000, "stores to the data cache"),
	CACHE("L1-dcache-store-misses", L1D, WRITE, MISS, 100000, "stores that missed it"),
	CACHE("L1-dcache-prefetches", L1D, PREFETCH, ACCESS, 300000, "prefetches to that cache"),
	CACHE("L1-dcache-prefetch-misses", L1D, PREFETCH, MISS, 100000, "prefetches that missed"),
	CACHE("L1-icache-loads", L1I, READ, ACCESS, 5000000, "fetches from the instruction cache"),
	CACHE("L1-icache-load-misses", L1I, READ, MISS, 100000, "fetches that missed it"),
	CACHE("L1-icache-prefetches", L1I, PREFETCH, ACCESS, 300000, "prefetches to it"),
	CACHE("L1-icache-prefetch-misses", L1I, PREFETCH, MISS, 100000, "prefetches that missed"),
	CACHE("LLC-loads", LL, READ, ACCESS, 100000, "loads from the last-level cache"),
	CACHE("LLC-load-misses", LL, READ, MISS, 50000, "loads that missed the last-level cache"),
	CACHE("LLC-stores", LL, WRITE, ACCESS, 100000, "stores to the last-level cache"),
	CACHE("LLC-store-misses", LL, WRITE, MISS, 50000, "stores that missed the last level"),
	CACHE("LLC-prefetches", LL, PREFETCH, ACCESS, 100000, "prefetches to the last-level cache"),
	CACHE("LLC-prefetch-misses", LL, PREFETCH, MISS, 50000, "prefetches that missed it"),
	CACHE("dTLB-loads", DTLB, READ, ACCESS, 10000000, "loads through the data TLB"),
	CACHE("dTLB-load-misses", DTLB, READ, MISS, 50000, "loads that missed the data TLB"),
	CACHE("dTLB-stores", DTLB, WRITE, ACCESS, 5000000, "stores through the data TLB"),
	CACHE("dTLB-store-misses", DTLB, WRITE, MISS, 20000, "stores that missed the data TLB"),
	CACHE("dTLB-prefetches", DTLB, PREFETCH, ACCESS, 100000, "prefetches through the data TLB"),
	CACHE("dTLB-prefetch-misses", DTLB, PREFETCH, MISS, 20000, "prefetches that missed it"),
	CACHE("iTLB-loads", ITLB, READ, ACCESS, 5000000, "fetches through the instruction TLB"),
	CACHE("iTLB-load-misses", ITLB, READ, MISS, 20000, "fetches that missed it"),
	CACHE("branch-loads", BPU, READ, ACCESS, 5000000, "lookups of the branch predictor"),
	CACHE("branch-load-misses", BPU, READ, MISS, 50000, "lookups that it could not answer"),
	CACHE("node-loads", NODE, READ, ACCESS, 50000, "loads from memory"),
	CACHE("node-load-misses", NODE, READ, MISS, 20000, "loads from another node's memory"),
	CACHE("node-stores", NODE, WRITE, ACCESS, 50000, "stores to memory"),
	CACHE("node-store-misses", NODE, WRITE, MISS, 20000, "stores to another node's memory"),
	CACHE("node-prefetches", NODE, PREFETCH, ACCESS, 50000, "prefetches from memory"),
	CACHE("node-prefetch-misses", NODE, PREFETCH, MISS, 20000, "prefetches from another node"),
};

const struct event_alias pmcint_event_aliases[] = {
	{"cpu-cycles", "cycles"},
	{"unhalted-cycles", "cycles"},
	{"unhalted-core-cycles", "cycles"},
	{"unhalted-reference-cycles", "ref-cycles"},
	{"instruction-retired", "instructions"},
	{"instructions-retired", "instructions"},
	{"branch-instructions", "branches"},
	{"branch-instruction-retired", "branches"},
	{"branch-instructions-retired", "branches"},
	{"branch-mispredicts", "branch-misses"},
	{"branch-misses-retired", "branch-misses"},
	{"llc-reference", "cache-references"},
	{"llc-references", "cache-references"},
	{"llc-misses", "cache-misses"},
	{"dc-misses", "L1-dcache-load-misses"},
	{"ic-misses", "L1-icache-load-misses"},
	{"idle-cycles-frontend", "stalled-cycles-frontend"},
	{"idle-cycles-backend", "stalled-cycles-backend"},
	{"faults", "page-faults"},
	{"cs", "context-switches"},
	{"migrations", "cpu-migrations"},
};
/* clang-format on */

const size_t pmcint_event_nrows = sizeof(pmcint_event_rows) / sizeof(pmcint_event_rows[0]);
const size_t pmcint_event_naliases = sizeof(pmcint_event_aliases) / sizeof(pmcint_event_aliases[0]);
