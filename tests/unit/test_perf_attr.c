// SPDX-License-Identifier: BSD-2-Clause
/* What the kernel is asked for, from what stands behind an event's name. */
#include <string.h>

#include "pmc/events/events.h"
#include "pmc/perf/perf_attr.h"
#include "unit.h"

static struct perf_event_attr attr_of(const char *spec, enum pmc_mode mode, uint32_t flags)
{
	struct perf_machine m = {.page_size = 4096, .ring_pages = 1, .max_stack = 127};
	struct pmc pmc = {.mode = mode, .flags = flags, .cpu = PMC_CPU_ANY};
	struct perf_pmc p = {.pmc = &pmc};
	struct perf_event_attr attr;

	CHECK(!pmcint_event_parse_at("/nonexistent", spec, &pmc.event, NULL));
	perf_attr_of_pmc(&m, &p, &attr);
	return attr;
}

/* The exclude bits in the order user, kernel, hypervisor, host, guest, idle. */
static void check(const char *spec, enum pmc_mode mode, const char *bits)
{
	const struct perf_event_attr a = attr_of(spec, mode, 0);
	const char is[] = {a.exclude_user ? 'u' : '-',
			   a.exclude_kernel ? 'k' : '-',
			   a.exclude_hv ? 'h' : '-',
			   a.exclude_host ? 'H' : '-',
			   a.exclude_guest ? 'G' : '-',
			   a.exclude_idle ? 'I' : '-',
			   '\0'};

	CHECK_STR(is, bits);
}

UNIT(modes_are_what_is_left_out)
{
	check("cycles", PMC_MODE_TC, "--h-G-");
	check("cycles:u", PMC_MODE_TC, "-kh-G-");
	check("cycles:k", PMC_MODE_SC, "u-h-G-");
	check("cycles:h", PMC_MODE_SC, "uk--G-");
	check("cycles:uh", PMC_MODE_SC, "-k--G-");
	check("cycles:H", PMC_MODE_SC, "--h-G-");
	check("cycles:G", PMC_MODE_SC, "--hH--");
	check("cycles:uG", PMC_MODE_TC, "-khH--");
	check("cycles:GH", PMC_MODE_SC, "--h---");
	check("cpu-clock:I", PMC_MODE_SS, "--h-GI");
	/* It is never a target. */
	check("cpu-clock:I", PMC_MODE_TS, "--h-G-");
}

UNIT(a_pmu_that_knows_no_modes_is_asked_for_none)
{
	struct perf_machine m = {.page_size = 4096, .ring_pages = 1};
	struct pmc pmc = {.mode = PMC_MODE_SC};
	struct perf_pmc p = {.pmc = &pmc, .no_exclude = true};
	struct perf_event_attr attr;

	CHECK(!pmcint_event_parse_at("/nonexistent", "cycles", &pmc.event, NULL));
	perf_attr_of_pmc(&m, &p, &attr);
	CHECK(!attr.exclude_hv && !attr.exclude_guest);
}

UNIT(pinned_and_exclusive_are_of_what_takes_turns)
{
	struct perf_machine m = {.page_size = 4096, .ring_pages = 1};
	struct pmc pmc = {.mode = PMC_MODE_TC, .flags = PMC_F_NO_SHARING | PMC_F_LOG_PROCCSW};
	struct perf_pmc p = {.pmc = &pmc};
	struct perf_event_attr attr;

	CHECK(attr_of("cycles", PMC_MODE_TC, PMC_F_NO_SHARING).pinned);
	CHECK(attr_of("cycles:e", PMC_MODE_TC, 0).exclusive);
	attr = attr_of("cycles", PMC_MODE_TC, 0);
	CHECK(!attr.pinned && !attr.exclusive);
	/* Behind those that tell its counts it is no more the first of its group. */
	CHECK(!pmcint_event_parse_at("/nonexistent", "cycles:e", &pmc.event, NULL));
	perf_attr_of_pmc(&m, &p, &attr);
	CHECK(!attr.pinned && !attr.exclusive);
	perf_attr_of_switches(&m, &p, &attr);
	CHECK(attr.pinned && attr.exclusive);
	perf_attr_of_watcher(&m, &p, &attr);
	CHECK(!attr.pinned && !attr.exclusive);
}

UNIT(who_tells_of_counts_samples_each_switch_with_the_counts_of_its_group)
{
	struct perf_machine m = {.page_size = 4096, .ring_pages = 4};
	struct pmc pmc = {.mode = PMC_MODE_TC, .flags = PMC_F_LOG_PROCCSW | PMC_F_START_ON_EXEC};
	struct perf_pmc p = {.pmc = &pmc, .exit_event = 77};
	struct perf_event_attr attr, exits;

	/* Whatever was there before. */
	memset(&attr, 0xff, sizeof(attr));
	perf_attr_of_switches(&m, &p, &attr);
	memset(&exits, 0xff, sizeof(exits));
	perf_attr_of_exits(&m, &p, &exits);
	CHECK_U64(attr.size, sizeof(attr));
	CHECK_U64(attr.sample_period, 1);
	CHECK_U64(attr.sample_type, PERF_RING_SAMPLE_TYPE | PERF_SAMPLE_READ);
	CHECK_U64(attr.read_format, PERF_FORMAT_GROUP | PERF_FORMAT_ID);
	CHECK_U64(attr.wakeup_watermark, 4096);
	CHECK(attr.disabled && attr.enable_on_exec && attr.inherit && !attr.pinned);
	CHECK_U64(attr.config, PERF_COUNT_SW_CONTEXT_SWITCHES);
	/* That of exits differs in what is sampled alone. */
	exits.type = attr.type;
	exits.config = attr.config;
	CHECK(!memcmp(&exits, &attr, sizeof(attr)));
}

UNIT(a_stack_comes_with_the_kernels_chain)
{
	struct perf_machine m = {.page_size = 4096, .ring_pages = 128, .max_stack = 127};
	struct pmc pmc = {.mode = PMC_MODE_TS, .flags = PMC_F_CALLCHAIN, .max_depth = 100};
	struct perf_pmc p = {.pmc = &pmc, .unwinds = true};
	struct perf_event_attr attr;

	CHECK(!pmcint_event_parse_at("/nonexistent", "cpu-clock", &pmc.event, NULL));
	perf_attr_of_pmc(&m, &p, &attr);
	CHECK(attr.sample_type & PERF_SAMPLE_REGS_USER);
	CHECK(attr.sample_type & PERF_SAMPLE_STACK_USER);
	CHECK_U64(attr.sample_stack_user, 32768);
	CHECK(attr.sample_type & PERF_SAMPLE_CALLCHAIN && !attr.exclude_callchain_user);
	CHECK_U64(attr.sample_max_stack, 100);
	p.unwinds = false;
	pmc.unwind = PMC_UNWIND_OFF;
	perf_attr_of_pmc(&m, &p, &attr);
	CHECK(!(attr.sample_type & PERF_SAMPLE_STACK_USER) && attr.exclude_callchain_user);
}

UNIT(members_of_a_group_follow_its_leader)
{
	struct perf_machine m = {.page_size = 4096, .ring_pages = 1};
	struct pmc leader = {.mode = PMC_MODE_TC, .flags = PMC_F_NO_SHARING | PMC_F_START_ON_EXEC};
	struct pmc pmc = leader;
	struct perf_pmc p = {.pmc = &pmc};
	struct perf_event_attr attr;

	CHECK(!pmcint_event_parse_at("/nonexistent", "cycles", &pmc.event, NULL));
	perf_attr_of_pmc(&m, &p, &attr);
	CHECK(attr.disabled && attr.enable_on_exec && attr.pinned);
	pmc.leader = &leader;
	perf_attr_of_pmc(&m, &p, &attr);
	CHECK(!attr.disabled && !attr.enable_on_exec && !attr.pinned);
}

UNIT_MAIN(UNIT_ENTRY(modes_are_what_is_left_out),
	  UNIT_ENTRY(a_pmu_that_knows_no_modes_is_asked_for_none),
	  UNIT_ENTRY(pinned_and_exclusive_are_of_what_takes_turns),
	  UNIT_ENTRY(who_tells_of_counts_samples_each_switch_with_the_counts_of_its_group),
	  UNIT_ENTRY(a_stack_comes_with_the_kernels_chain),
	  UNIT_ENTRY(members_of_a_group_follow_its_leader))
