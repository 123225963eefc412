// SPDX-License-Identifier: BSD-2-Clause
/* Event-specs, on a machine of files: a PMU "cpu", one for a kind of core, one uncore, tracepoints.
 */
#include <linux/perf_event.h>

#include "pmc/events/events.h"
#include "tree.h"
#include "unit.h"

#define DEVICES "sys/bus/event_source/devices/"
#define TRACING "sys/kernel/tracing/events/"

static struct tree machine(void)
{
	struct tree t = tree_new();

	tree_file(&t, DEVICES "cpu/type", "4\n");
	tree_file(&t, DEVICES "cpu/format/event", "config:0-7,32-35\n");
	tree_file(&t, DEVICES "cpu/format/umask", "config:8-15\n");
	tree_file(&t, DEVICES "cpu/format/edge", "config:18\n");
	tree_file(&t, DEVICES "cpu/format/inv", "config:23\n");
	tree_file(&t, DEVICES "cpu/format/cmask", "config:24-31\n");
	tree_file(&t, DEVICES "cpu/events/cpu-cycles", "event=0x3c\n");
	tree_file(&t, DEVICES "cpu/format/ldlat", "config1:0-15\n");
	tree_file(&t, DEVICES "cpu/format/future", "config9:0-15\n");
	tree_file(&t, DEVICES "cpu/format/odd", "config:12-3\n");
	tree_file(&t, DEVICES "cpu/events/mem-loads", "event=0xcd,umask=0x1,ldlat=3\n");
	tree_file(&t, DEVICES "cpu/events/mem-loads.scale", "1.0\n");
	tree_file(&t, DEVICES "cpu/events/by-chip", "event=0x10,umask=?\n");
	tree_file(&t, DEVICES "cpu/events/loop", "loop\n");
	tree_file(&t, DEVICES "cpu_atom/type", "10\n");
	tree_file(&t, DEVICES "cpu_atom/cpus", "4-7\n");
	tree_file(&t, DEVICES "cpu_atom/format/event", "config:0-7\n");
	tree_file(&t, DEVICES "uncore_imc_0/type", "21\n");
	tree_file(&t, DEVICES "uncore_imc_0/cpumask", "0,8\n");
	tree_file(&t, DEVICES "uncore_imc_0/events/clockticks", "event=0xff,umask=0x00\n");
	tree_file(&t, DEVICES "uncore_imc_0/format/event", "config:0-7\n");
	tree_file(&t, DEVICES "uncore_imc_0/format/umask", "config:8-15\n");
	tree_file(&t, DEVICES "msr/type", "9\n");
	tree_file(&t, DEVICES "msr/format/event", "config:0-63\n");
	tree_file(&t, DEVICES "msr/events/tsc", "event=0x00\n");
	tree_file(&t, DEVICES "broken/type", "many\n");
	tree_file(&t, TRACING "sched/sched_switch/id", "316\n");
	tree_file(&t, TRACING "lock/contention_begin/id", "1288\n");
	tree_file(&t, TRACING "sched/bad/id", "\n");
	return t;
}

/* Parses spec on a new machine. */
static int parse(const char *spec, struct pmc_eventspec *event, struct err *err)
{
	struct tree t = machine();
	int ret = pmcint_event_parse_at(t.root, spec, event, err);

	tree_free(&t);
	return ret;
}

static void check_event(const char *spec, const char *name, uint32_t type, uint64_t config)
{
	struct pmc_eventspec event;
	struct err err = {0};
	int before = unit_failures;

	CHECK(parse(spec, &event, &err) == 0);
	CHECK_STR(err.msg, "");
	CHECK_STR(event.name, name);
	CHECK_U64(event.type, type);
	CHECK_U64(event.config, config);
	CHECK_STR(event.spec, spec);
	if (unit_failures > before)
		printf("# with the event-spec %s\n", spec);
}

static void check_error(const char *spec, int code, const char *msg)
{
	struct pmc_eventspec event;
	struct err err = {0};
	int before = unit_failures;

	CHECK(parse(spec, &event, &err) == -1);
	CHECK_U64(err.code, code);
	CHECK_STR(err.msg, msg);
	if (unit_failures > before)
		printf("# with the event-spec %s\n", spec);
}

UNIT(names_are_spelt_in_any_way)
{
	check_event("cpu-clock", "cpu-clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK);
	check_event("CPU_Clock", "cpu-clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK);
	check_event("cpu clock", "cpu-clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK);
	check_event("page.faults", "page-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS);
	check_event("l1-dcache-load-misses", "L1-dcache-load-misses", PERF_TYPE_HW_CACHE, 0x10000);
	check_event("LLC_STORES", "LLC-stores", PERF_TYPE_HW_CACHE, 0x102);
	check_error("cpuclock", EX_USAGE, "unknown event \"cpuclock\"");
}

UNIT(freebsd_names_work)
{
	check_event("CLOCK.HARD", "CLOCK.HARD", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK);
	check_event("clock-prof", "CLOCK.PROF", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK);
	check_event("PAGE_FAULT.ALL", "PAGE_FAULT.ALL", PERF_TYPE_SOFTWARE,
		    PERF_COUNT_SW_PAGE_FAULTS);
	check_event("branch-mispredicts", "branch-misses", PERF_TYPE_HARDWARE,
		    PERF_COUNT_HW_BRANCH_MISSES);
	check_event("unhalted-cycles", "cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES);
	check_event("dc-misses", "L1-dcache-load-misses", PERF_TYPE_HW_CACHE, 0x10000);
	check_event("LOCK.FAILED", "LOCK.FAILED", PERF_TYPE_TRACEPOINT, 1288);
	check_error("PAGE_FAULT.WRITE", EX_UNAVAILABLE,
		    "PAGE_FAULT.WRITE: Linux counts the page faults of reads and writes as one, "
		    "use PAGE_FAULT.ALL");
}

UNIT(a_class_may_stand_before_a_name)
{
	check_event("SOFT-CLOCK.HARD", "CLOCK.HARD", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK);
	check_event("soft-page-faults,usr", "page-faults:u", PERF_TYPE_SOFTWARE,
		    PERF_COUNT_SW_PAGE_FAULTS);
	check_event("TSC-TSC", "TSC", 9, 0);
	check_event("CPU-instructions", "instructions", PERF_TYPE_HARDWARE,
		    PERF_COUNT_HW_INSTRUCTIONS);
	check_event("IAP-unhalted-cycles:k", "cycles:k", PERF_TYPE_HARDWARE,
		    PERF_COUNT_HW_CPU_CYCLES);
	check_event("k7-unhalted-cycles", "cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES);
	check_event("K8-r76", "r76", PERF_TYPE_RAW, 0x76);
	check_event("SOFT-sched:sched_switch", "sched:sched_switch", PERF_TYPE_TRACEPOINT, 316);
	check_error("SOFT-cycles", EX_USAGE, "cycles is an event of the class CPU, not of SOFT");
	check_error("IAF-TSC", EX_USAGE, "TSC is an event of the class TSC, not of CPU");
	check_error("SOFT-", EX_USAGE, "unknown event \"SOFT-\"");
	check_error("SOFT-SOFT-CLOCK.HARD", EX_USAGE, "unknown event \"SOFT-SOFT-CLOCK.HARD\"");
	check_error("HARD-CLOCK.HARD", EX_USAGE, "unknown event \"HARD-CLOCK.HARD\"");
}

UNIT(freebsds_general_names_are_the_kernels)
{
	static const struct {
		const char *alias, *name;
	} names[] = {{"UNHALTED_CORE_CYCLES", "cycles"},
		     {"UNHALTED-CORE-CYCLES", "cycles"},
		     {"UNHALTED_REFERENCE_CYCLES", "ref-cycles"},
		     {"INSTRUCTION_RETIRED", "instructions"},
		     {"INSTRUCTIONS_RETIRED", "instructions"},
		     {"BRANCH_INSTRUCTION_RETIRED", "branches"},
		     {"BRANCH_INSTRUCTIONS_RETIRED", "branches"},
		     {"BRANCH_MISSES_RETIRED", "branch-misses"},
		     {"LLC_REFERENCE", "cache-references"},
		     {"LLC_REFERENCES", "cache-references"},
		     {"LLC_MISSES", "cache-misses"},
		     {"LLC-MISSES", "cache-misses"}};
	struct pmc_eventspec event;
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		CHECK(parse(names[i].alias, &event, NULL) == 0);
		CHECK_STR(event.name, names[i].name);
		CHECK_U64(event.type, PERF_TYPE_HARDWARE);
	}
}

static uint64_t default_rate(const char *spec)
{
	struct pmc_eventspec event;

	CHECK(parse(spec, &event, NULL) == 0);
	return event.default_rate;
}

/* What programs were seen to do in a second, and what a core of 5 GHz can do. */
UNIT(default_rates_hold_on_fast_machines)
{
	static const struct {
		const char *name;
		double a_second, samples;
	} most[] = {{"cycles", 5e9, 1000},
		    {"instructions", 20e9, 1000},
		    {"branches", 5e9, 1000},
		    {"ref-cycles", 5e9, 1000},
		    {"branch-misses", 250e6, 5000},
		    {"cache-references", 276e6, 1000},
		    {"cache-misses", 250e6, 5000},
		    {"L1-dcache-loads", 10e9, 1000},
		    {"L1-dcache-stores", 5e9, 1000},
		    {"L1-dcache-load-misses", 1.25e9, 5000},
		    {"dTLB-loads", 10e9, 1000},
		    {"iTLB-loads", 5e9, 1000},
		    {"branch-loads", 5e9, 1000},
		    {"dTLB-load-misses", 250e6, 5000},
		    {"L1-icache-loads", 5e9, 1000},
		    {"LLC-loads", 500e6, 5000},
		    {"LLC-load-misses", 250e6, 5000},
		    {"r1c2", 5e9, 1000},
		    {"cpu/event=0x3c/", 5e9, 1000}};
	size_t i;

	for (i = 0; i < sizeof(most) / sizeof(most[0]); i++) {
		double samples = most[i].a_second / (double)default_rate(most[i].name);

		if (samples > most[i].samples)
			printf("# %s: %.0f samples a second\n", most[i].name, samples);
		CHECK(samples <= most[i].samples);
	}
	CHECK_U64(default_rate("cpu/cpu-cycles/"), default_rate("cycles"));
}

UNIT(numbers_and_classes_fit_pmcallocatedyn)
{
	struct pmc_eventspec event;

	CHECK(parse("task-clock", &event, NULL) == 0);
	CHECK(event.number >= 0x20000 && event.number < 0x21000);
	CHECK_U64(event.pm_class, PMC_CLASS_SOFT);
	CHECK(event.clock);
	CHECK_U64(event.default_rate, 1000000);
	CHECK(parse("instructions", &event, NULL) == 0);
	CHECK_U64(event.pm_class, PMC_CLASS_CPU);
	CHECK(!event.clock);
	CHECK(event.number != 0);
}

UNIT(modifiers_choose_the_mode)
{
	struct pmc_eventspec event;

	CHECK(parse("cycles:u", &event, NULL) == 0);
	CHECK_STR(event.name, "cycles:u");
	CHECK(event.exclude_kernel && !event.exclude_user);
	CHECK(parse("cycles:K", &event, NULL) == 0);
	CHECK_STR(event.name, "cycles:k");
	CHECK(!event.exclude_kernel && event.exclude_user);
	CHECK(parse("cycles:uk", &event, NULL) == 0);
	CHECK_STR(event.name, "cycles");
	CHECK(!event.exclude_kernel && !event.exclude_user);
	CHECK(parse("instructions,usr", &event, NULL) == 0);
	CHECK_STR(event.name, "instructions:u");
	CHECK(parse("cpu/event=0x3c/k", &event, NULL) == 0);
	CHECK_STR(event.name, "cpu/event=0x3c/:k");
	CHECK(event.exclude_user);
	CHECK(parse("sched:sched_switch:u", &event, NULL) == 0);
	CHECK_STR(event.name, "sched:sched_switch:u");
	check_error("cycles:pppp", EX_USAGE, "cycles: the modifier \"pppp\" is not known");
}

static void check_modes(const char *spec, const char *name, bool hypervisor, bool host, bool guest,
			bool not_idle)
{
	struct pmc_eventspec e;

	CHECK(parse(spec, &e, NULL) == 0);
	CHECK_STR(e.name, name);
	CHECK_U64(e.hypervisor, hypervisor);
	CHECK_U64(e.host, host);
	CHECK_U64(e.guest, guest);
	CHECK_U64(e.not_idle, not_idle);
}

UNIT(modifiers_choose_the_machine_and_leave_out_the_idle_task)
{
	struct pmc_eventspec e;

	check_modes("cycles:H", "cycles", false, true, false, false);
	check_modes("cycles:G", "cycles:G", false, false, true, false);
	check_modes("cycles:GH", "cycles:GH", false, true, true, false);
	check_modes("cycles,guest,host,noidle", "cycles:GHI", false, true, true, true);
	check_modes("cpu-clock:I", "cpu-clock:I", false, false, false, true);
	check_modes("cycles:h", "cycles:h", true, false, false, false);
	CHECK(parse("cycles:h", &e, NULL) == 0 && e.exclude_user && e.exclude_kernel);
	check_modes("cycles,hv,usr", "cycles:uh", true, false, false, false);
	CHECK(parse("cycles:uh", &e, NULL) == 0 && !e.exclude_user && e.exclude_kernel);
	check_modes("cycles:ukh", "cycles:ukh", true, false, false, false);
	CHECK(parse("cycles:ukh", &e, NULL) == 0 && !e.exclude_user && !e.exclude_kernel);
	check_error("cpu-clock:G", EX_USAGE,
		    "cpu-clock:G: cpu-clock is not counted by the CPU: it takes usr, os, noidle, "
		    "pinned and exclusive alone");
	check_error("cycles:g", EX_USAGE, "cycles: the modifier \"g\" is not known");
}

UNIT(modifiers_say_how_counters_are_shared)
{
	struct pmc_eventspec e;

	CHECK(parse("cycles:uD", &e, NULL) == 0);
	CHECK_STR(e.name, "cycles:u");
	CHECK(e.pinned && !e.exclusive && e.exclude_kernel);
	CHECK(parse("cycles,exclusive", &e, NULL) == 0);
	CHECK_STR(e.name, "cycles");
	CHECK(!e.pinned && e.exclusive);
	CHECK(parse("page-faults,pinned", &e, NULL) == 0 && e.pinned);
	CHECK(parse("cycles", &e, NULL) == 0 && !e.pinned && !e.exclusive);
	check_error("cycles,pinned=1", EX_USAGE, "cycles: the qualifier \"pinned\" is not known");
}

static void check_together(const char *spec, const char *msg, const char *hint)
{
	struct pmc_eventspec e;
	struct err err = {0};

	CHECK(parse(spec, &e, &err) == -1 && err.code == EX_USAGE);
	CHECK_STR(err.msg, msg);
	CHECK_STR(err.hint, hint);
}

UNIT(modifiers_in_several_groups_are_known_and_stand_together)
{
	check_together("task-clock:D:e", "task-clock: modifiers stand together, behind one colon",
		       "try: task-clock:De");
	check_together("cycles:u:pp:D", "cycles: modifiers stand together, behind one colon",
		       "try: cycles:uppD");
	check_together("IAP-cycles:u:k", "cycles: modifiers stand together, behind one colon",
		       "try: cycles:uk");
	check_together("cpu/event=0x3c/:u:k",
		       "cpu/event=0x3c/: modifiers stand together, behind one colon",
		       "try: cpu/event=0x3c/:uk");
	check_error("cycles:u:x", EX_USAGE, "cycles: the modifier \"u:x\" is not known");
	check_error("cycles:x:u", EX_USAGE, "cycles: the modifier \"x\" is not known");
}

UNIT(a_pmus_event_takes_qualifiers_too)
{
	struct pmc_eventspec e;

	CHECK(parse("cpu/event=0x3c/,usr", &e, NULL) == 0);
	CHECK_STR(e.name, "cpu/event=0x3c/:u");
	CHECK_U64(e.config, 0x3c);
	CHECK(e.exclude_kernel && !e.exclude_user);
	CHECK(parse("cpu/cpu-cycles/,cmask=2,precise=2", &e, NULL) == 0);
	CHECK_STR(e.name, "cpu/cpu-cycles/,cmask=2");
	CHECK_U64(e.config, 0x0200003c);
	CHECK_U64(e.precise, 2);
	CHECK(parse("cpu/event=0x3c/eD", &e, NULL) == 0 && e.pinned && e.exclusive);
	check_error("cpu/event=0x3c/,usr,foo", EX_USAGE,
		    "cpu/event=0x3c/: the qualifier \"foo\" is not known");
	check_error("cpu/event=0x3c/,", EX_USAGE,
		    "cpu/event=0x3c/: the qualifier \"\" is not known");
	check_error("cpu/event=0x3c/:q", EX_USAGE,
		    "cpu/event=0x3c/: the modifier \"q\" is not known");
}

/* PerfEvtSel: event 0-7, umask 8-15, edge 18, inv 23, cmask 24-31. */
UNIT(qualifiers_fill_the_fields_of_the_counter)
{
	struct pmc_eventspec e;

	CHECK(parse("cycles,edge,inv,cmask=2", &e, NULL) == 0);
	CHECK_U64(e.type, PERF_TYPE_RAW);
	CHECK_U64(e.config, 0x0284003c);
	CHECK_STR(e.name, "cycles,edge,inv,cmask=2");
	CHECK(!e.exclude_user && !e.exclude_kernel && !e.precise);
	CHECK(parse("rC0,UMASK=0x1,usr,precise", &e, NULL) == 0);
	CHECK_U64(e.config, 0x1c0);
	CHECK_STR(e.name, "rc0,umask=0x1:u");
	CHECK(e.exclude_kernel && e.precise == 1);
	CHECK(parse("instructions,os,usr", &e, NULL) == 0);
	CHECK(e.type == PERF_TYPE_HARDWARE && !e.exclude_user && !e.exclude_kernel);
	CHECK(parse("cycles:upp", &e, NULL) == 0);
	CHECK(e.type == PERF_TYPE_HARDWARE && e.precise == 2 && e.exclude_kernel);
	CHECK(parse("cycles,precise=3", &e, NULL) == 0 && e.precise == 3);
}

UNIT(qualifiers_that_cannot_be_are_named)
{
	check_error("cycles,any", EX_UNAVAILABLE,
		    "cycles,any: the PMU cpu has no event or field \"any\"");
	check_error("cycles,cmask=256", EX_USAGE,
		    "cycles,cmask=256: cmask=0x100 does not fit into 8 bits");
	check_error("cycles,cmask", EX_USAGE, "cycles: the qualifier cmask needs a value");
	check_error("cycles,edge=1", EX_USAGE, "cycles: the qualifier edge takes no value");
	check_error("cycles,cmask=two", EX_USAGE,
		    "cycles,cmask=two: cmask=two is not a number of at most 64 bits");
	check_error("cycles,precise=4", EX_USAGE, "cycles: precise=4 is not a number from 1 to 3");
	check_error("cycles,usr=1", EX_USAGE, "cycles: the qualifier \"usr\" is not known");
	check_error("cycles,,inv", EX_USAGE, "cycles: the qualifier \"\" is not known");
	check_error("page-faults,inv", EX_USAGE,
		    "page-faults,inv: page-faults is not counted by the CPU: it takes usr, os, "
		    "noidle, pinned and exclusive alone");
	check_error("cpu-clock:p", EX_USAGE,
		    "cpu-clock:p: cpu-clock is not counted by the CPU: it takes usr, os, noidle, "
		    "pinned and exclusive alone");
	check_error("L1-dcache-loads,inv", EX_USAGE,
		    "L1-dcache-loads,inv: this name stands for no one number of the CPU's");
	check_error("bus-cycles,inv", EX_UNAVAILABLE,
		    "bus-cycles,inv: the PMU cpu has no event or field \"bus-cycles\"");
}

#if defined(HAVE_LIBPFM) && defined(__x86_64__)
/* On a Skylake, wherever this runs. */
UNIT(names_of_libpfm_have_unit_masks_and_modifiers)
{
	struct pmc_eventspec e;

	setenv("LIBPFM_FORCE_PMU", "skl", 1);
	CHECK(parse("inst_retired:any_p", &e, NULL) == 0);
	CHECK(e.type == PERF_TYPE_RAW && e.pm_class == PMC_CLASS_CPU);
	CHECK_U64(e.config & 0xffff, 0xc0);
	CHECK_STR(e.name, "inst_retired:any_p");
	CHECK(parse("INST_RETIRED.ANY_P,usr", &e, NULL) == 0);
	CHECK_U64(e.config & 0xffff, 0xc0);
	CHECK_STR(e.name, "INST_RETIRED.ANY_P:u");
	CHECK(parse("BR_MISP_RETIRED:ALL_BRANCHES:u", &e, NULL) == 0);
	CHECK_U64(e.config & 0xffff, 0xc5);
	CHECK(e.exclude_kernel && !e.exclude_user);
	CHECK(parse("uops_issued:any:c=1:i=1", &e, NULL) == 0);
	CHECK_U64(e.config & 0xff80ffff, 0x0180010e);
	CHECK(parse("uops_issued:any,cmask=1,inv", &e, NULL) == 0);
	CHECK_U64(e.config & 0xff80ffff, 0x0180010e);
	CHECK(parse("inst_retired:none_such", &e, NULL) == -1);
	/* Its letters are not ours, but for u, k and p. */
	CHECK(parse("uops_issued:any:c=1:e", &e, NULL) == 0);
	CHECK(!e.exclusive && e.config & 1 << 18);
	CHECK(parse("uops_issued:any:e", &e, NULL) == -1);
	CHECK(parse("uops_issued:any,exclusive", &e, NULL) == 0);
	CHECK(e.exclusive && !(e.config & 1 << 18));
}
#endif

UNIT(raw_events_are_hexadecimal)
{
	check_event("r1a8", "r1a8", PERF_TYPE_RAW, 0x1a8);
	check_event("R00C0", "rc0", PERF_TYPE_RAW, 0xc0);
	check_event("rffffffffffffffff", "rffffffffffffffff", PERF_TYPE_RAW, UINT64_MAX);
	check_error("r1ffffffffffffffff", EX_USAGE, "unknown event \"r1ffffffffffffffff\"");
	check_error("r", EX_USAGE, "unknown event \"r\"");
}

UNIT(sysfs_terms_fill_the_bits_of_their_format)
{
	struct pmc_eventspec event;

	check_event("cpu/event=0x3c/", "cpu/event=0x3c/", 4, 0x3c);
	check_event("cpu/event=0x3c,umask=1/", "cpu/event=0x3c,umask=1/", 4, 0x13c);
	check_event("cpu/event=0x7c0,edge/", "cpu/event=0x7c0,edge/", 4, 0x7000400c0);
	check_event("cpu/config=0x1234/", "cpu/config=0x1234/", 4, 0x1234);
	check_event("CPU/EVENT=60/", "CPU/EVENT=60/", 4, 60);
	CHECK(parse("cpu/mem-loads/", &event, NULL) == 0);
	CHECK_U64(event.config, 0x1cd);
	CHECK_U64(event.config1, 3);
	CHECK(parse("cpu/mem-loads,ldlat=30/", &event, NULL) == 0);
	CHECK_U64(event.config1, 30);
	CHECK(parse("cpu/by-chip,umask=9/", &event, NULL) == 0);
	CHECK_U64(event.config, 0x910);
}

UNIT(a_pmu_says_where_it_can_be_opened)
{
	struct pmc_eventspec event;

	CHECK(parse("uncore_imc_0/clockticks/", &event, NULL) == 0);
	CHECK_STR(event.cpus, "0,8");
	CHECK_U64(event.type, 21);
	CHECK(parse("cpu_atom/event=1/", &event, NULL) == 0);
	CHECK_STR(event.cpus, "4-7");
	CHECK(parse("cpu/event=1/", &event, NULL) == 0);
	CHECK_STR(event.cpus, "");
}

/* Whatever a PMU's events are called, they are in the counters of the CPUs that it lists. */
UNIT(a_pmu_of_cpus_is_told_from_others)
{
	static const struct {
		uint32_t type;
		bool of_cpus;
	} types[] = {{PERF_TYPE_HARDWARE, true},
		     {PERF_TYPE_HW_CACHE, true},
		     {PERF_TYPE_RAW, true},
		     {10, true},  /* cpu_atom */
		     {21, false}, /* uncore_imc_0 */
		     {99, false}, /* none has it */
		     {PERF_TYPE_SOFTWARE, false},
		     {PERF_TYPE_TRACEPOINT, false},
		     {PERF_TYPE_BREAKPOINT, false}};
	struct tree t = machine();
	size_t i;

	for (i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		CHECK_U64(pmcint_is_of_cpus(t.root, types[i].type), types[i].of_cpus);
	tree_free(&t);
}

UNIT(sysfs_mistakes_are_named)
{
	check_error("cpu/event=0x1000/", EX_USAGE,
		    "cpu/event=0x1000/: event=0x1000 does not fit into 12 bits");
	check_error("cpu/nothing/", EX_UNAVAILABLE,
		    "cpu/nothing/: the PMU cpu has no event or field \"nothing\"");
	check_error("gpu/event=1/", EX_UNAVAILABLE, "this machine has no PMU \"gpu\"");
	check_error("cpu/event=/", EX_USAGE,
		    "cpu/event=/: the term \"event=\" lacks a name or value");
	check_error("cpu/event=1,/", EX_USAGE,
		    "cpu/event=1,/: a term is missing behind the last comma");
	check_error("cpu/event=one/", EX_USAGE,
		    "cpu/event=one/: event=one is not a number of at most 64 bits");
	check_error("cpu/event=1", EX_USAGE, "cpu/event=1: a PMU's event is written PMU/EVENT/");
	check_error("/event=1/", EX_USAGE, "/event=1/: a PMU's event is written PMU/EVENT/");
	check_error("cpu/by-chip/", EX_USAGE, "cpu/by-chip/: the event needs umask=NUMBER besides");
	check_error("cpu/loop/", EX_UNAVAILABLE,
		    "cpu/loop/: the PMU cpu has no event or field \"loop\"");
	check_error("cpu/mem-loads.scale/", EX_UNAVAILABLE,
		    "cpu/mem-loads.scale/: the PMU cpu has no event or field \"mem-loads.scale\"");
	check_error("cpu/future=1/", EX_UNAVAILABLE,
		    "cpu/future=1/: the format \"config9:0-15\" of future is not one this program "
		    "knows");
	check_error("cpu/odd=1/", EX_UNAVAILABLE,
		    "cpu/odd=1/: the format \"config:12-3\" of odd has no bit range at \"12-3\"");
	check_error("../cpu/event=1/", EX_UNAVAILABLE, "this machine has no PMU \"..\"");
}

UNIT(tracepoints_have_the_id_of_tracefs)
{
	struct pmc_eventspec event;
	struct err err = {0};

	check_event("sched:sched_switch", "sched:sched_switch", PERF_TYPE_TRACEPOINT, 316);
	check_event("SCHED:Sched_Switch", "sched:sched_switch", PERF_TYPE_TRACEPOINT, 316);
	CHECK(parse("sched:sched_switch", &event, NULL) == 0);
	CHECK_U64(event.default_rate, 1);
	check_error("sched:nothing", EX_UNAVAILABLE, "this kernel has no tracepoint sched:nothing");
	/* A CPU's maker would write so. */
	CHECK(parse("NO_EVENT:NO_MASK", &event, &err) == -1);
	CHECK(!strstr(err.msg, "tracepoint"));
	check_error("sched:../sched_switch", EX_USAGE,
		    "sched:../sched_switch: a PMU's event is written PMU/EVENT/");
}

UNIT(a_missing_tracefs_is_told_from_a_missing_tracepoint)
{
	struct tree t = tree_new();
	struct pmc_eventspec event;
	struct err err;

	CHECK(pmcint_event_parse_at(t.root, "sched:sched_switch", &event, &err) == -1);
	CHECK_U64(err.code, EX_UNAVAILABLE);
	CHECK_STR(err.msg, "tracepoint sched:sched_switch: this kernel has no tracepoints: "
			   "/sys/kernel/tracing is not there");
	tree_file(&t, "sys/kernel/tracing/.mounted-nowhere", "");
	CHECK(pmcint_event_parse_at(t.root, "sched:sched_switch", &event, &err) == -1);
	CHECK_U64(err.code, EX_UNAVAILABLE);
	CHECK_STR(err.msg, "tracepoint sched:sched_switch: no tracefs is mounted at "
			   "/sys/kernel/tracing");
	CHECK_STR(err.hint, "try: sudo mount -t tracefs nodev /sys/kernel/tracing");
	tree_file(&t, "sys/kernel/debug/tracing/events/sched/sched_switch/id", "7\n");
	CHECK(pmcint_event_parse_at(t.root, "sched:sched_switch", &event, &err) == 0);
	CHECK_U64(event.config, 7);
	tree_free(&t);
}

UNIT(the_tracefs_that_denies_is_named)
{
	struct tree t = tree_new();
	char tracing[PATH_MAX], want[PATH_MAX + 128];
	struct pmc_eventspec event;
	struct err err;

	tree_file(&t, "sys/kernel/tracing/events/sched/sched_switch/id", "7\n");
	tree_path(&t, "sys/kernel/tracing", tracing);
	chmod(t.root, 0755);
	chmod(tracing, 0);
	if (!geteuid())
		CHECK(!seteuid(65534));
	CHECK(pmcint_event_parse_at(t.root, "sched:sched_switch", &event, &err) == -1);
	if (!getuid())
		CHECK(!seteuid(0));
	CHECK_U64(err.code, EX_NOPERM);
	snprintf(want, sizeof(want),
		 "tracepoint sched:sched_switch: permission denied for %s/events", tracing);
	CHECK_STR(err.msg, want);
	chmod(tracing, 0755);
	tree_free(&t);
}

UNIT(unknown_names_bring_near_ones)
{
	struct pmc_eventspec event;
	struct err err;

	CHECK(parse("cylces", &event, &err) == -1);
	CHECK_U64(err.code, EX_USAGE);
	CHECK_STR(err.hint, "is it cycles?  pmcstat -L lists the events");
	CHECK(parse("branch-mises", &event, &err) == -1);
	CHECK_STR(err.hint, "is it branch-misses?  pmcstat -L lists the events");
	CHECK(parse("no-such-thing-at-all", &event, &err) == -1);
	CHECK_STR(err.hint, "pmcstat -L lists the events");
}

UNIT(texts_that_are_no_names_are_refused)
{
	char spec[300];

	check_error("", EX_USAGE, "the event's name is empty");
	check_error("  \t", EX_USAGE, "the event's name is empty");
	check_error("cycles\n", EX_USAGE,
		    "byte 7 of the event's name is the control character 0x0a");
	memset(spec, 'x', sizeof(spec));
	spec[299] = '\0';
	check_error(spec, EX_USAGE, "an event-spec has at most 255 bytes, this one 299");
	spec[255] = '\0';
	spec[3] = ':';
	CHECK(parse(spec, &(struct pmc_eventspec){0}, NULL) == -1);
}

struct seen {
	unsigned int all, sysfs, aliases;
	const char *first;
	bool rates, untried;
};

static int see(const struct pmc_event_info *info, void *arg)
{
	struct seen *seen = arg;

	if (!seen->all++)
		seen->first = info->name;
	seen->sysfs += strchr(info->name, '/') != NULL;
	seen->aliases += strncmp(info->summary, "the same as", 11) == 0;
	seen->rates &= info->default_rate > 0;
	seen->untried &= info->works == -1;
	return strcmp(info->name, "uncore_imc_0/clockticks/") == 0 ? 42 : 0;
}

UNIT(listing_walks_the_table_then_the_machine)
{
	struct seen seen = {.rates = true, .untried = true};
	struct tree t = machine();

	CHECK(pmcint_each_event_at(t.root, false, see, &seen) == 42);
	CHECK_STR(seen.first, "cpu-clock");
	CHECK_U64(seen.sysfs, 6);
	CHECK_U64(seen.aliases, pmcint_event_naliases);
	CHECK(seen.all > 60);
	CHECK(seen.rates);
	CHECK(seen.untried);
	tree_free(&t);
}

UNIT(every_row_and_alias_parses_to_itself)
{
	struct pmc_eventspec event;
	size_t i, k;

	for (i = 0; i < pmcint_event_nrows; i++) {
		const struct event_row *row = &pmcint_event_rows[i];
		int ret = parse(row->name, &event, NULL);

		CHECK(ret == (row->kind == EVENT_UNAVAILABLE ? -1 : 0));
		if (ret == 0)
			CHECK_STR(event.name, row->name);
		for (k = 0; k < i; k++)
			CHECK(strcasecmp(row->name, pmcint_event_rows[k].name) != 0);
	}
	for (i = 0; i < pmcint_event_naliases; i++) {
		CHECK(parse(pmcint_event_aliases[i].alias, &event, NULL) == 0);
		CHECK_STR(event.name, pmcint_event_aliases[i].name);
	}
}

UNIT_MAIN(UNIT_ENTRY(names_are_spelt_in_any_way), UNIT_ENTRY(freebsd_names_work),
	  UNIT_ENTRY(a_class_may_stand_before_a_name),
	  UNIT_ENTRY(freebsds_general_names_are_the_kernels),
	  UNIT_ENTRY(default_rates_hold_on_fast_machines),
	  UNIT_ENTRY(the_tracefs_that_denies_is_named),
	  UNIT_ENTRY(numbers_and_classes_fit_pmcallocatedyn), UNIT_ENTRY(modifiers_choose_the_mode),
	  UNIT_ENTRY(modifiers_choose_the_machine_and_leave_out_the_idle_task),
	  UNIT_ENTRY(modifiers_say_how_counters_are_shared),
	  UNIT_ENTRY(modifiers_in_several_groups_are_known_and_stand_together),
	  UNIT_ENTRY(a_pmus_event_takes_qualifiers_too),
	  UNIT_ENTRY(qualifiers_fill_the_fields_of_the_counter),
	  UNIT_ENTRY(qualifiers_that_cannot_be_are_named),
#if defined(HAVE_LIBPFM) && defined(__x86_64__)
	  UNIT_ENTRY(names_of_libpfm_have_unit_masks_and_modifiers),
#endif
	  UNIT_ENTRY(raw_events_are_hexadecimal),
	  UNIT_ENTRY(sysfs_terms_fill_the_bits_of_their_format),
	  UNIT_ENTRY(a_pmu_says_where_it_can_be_opened),
	  UNIT_ENTRY(a_pmu_of_cpus_is_told_from_others), UNIT_ENTRY(sysfs_mistakes_are_named),
	  UNIT_ENTRY(tracepoints_have_the_id_of_tracefs),
	  UNIT_ENTRY(a_missing_tracefs_is_told_from_a_missing_tracepoint),
	  UNIT_ENTRY(unknown_names_bring_near_ones),
	  UNIT_ENTRY(texts_that_are_no_names_are_refused),
	  UNIT_ENTRY(listing_walks_the_table_then_the_machine),
	  UNIT_ENTRY(every_row_and_alias_parses_to_itself))
