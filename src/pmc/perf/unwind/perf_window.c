// SPDX-License-Identifier: BSD-2-Clause
#include "pmc/perf/unwind/perf_regs.h"
#include "pmc/perf/unwind/perf_window.h"

enum {
	/*
	 * More of it costs the workload more and is rarely needed: those whose rings allow it may
	 * mostly read the rest of a stack from the process itself.
	 */
	WINDOW_MAX = 32 << 10,
	RING = 8 << 20,	     /* bytes */
	RINGS_MAX = 1 << 28, /* of all rings */
	RING_LEAST = 1 << 20,
	RING_LOCKED_LEAST = 512 << 10, /* perf_event_mlock_kb alone has room for that */
	RATE_MAX = 10000, /* samples a second of a CPU whose stacks can be read in time */
};

/* Samples a second of a busy CPU, as far as that can be known. */
static uint64_t samples_a_second(const struct pmc *pmc)
{
	if (pmc->flags & PMC_F_FREQUENCY)
		return pmc->rate;
	if (!pmc->rate || pmc->rate == pmc->event.default_rate)
		return 1000;
	if (pmc->event.clock)
		return 1000000000 / pmc->rate;
	return pmc->event.default_rate / pmc->rate * 1000;
}

/*
 * One access to memory is a page fault, one system call a tracepoint: a loop of them has more
 * samples at once than a ring has room for with their stacks, whatever is usual.
 */
static bool comes_in_bursts(const struct pmc *pmc)
{
	const struct pmc_eventspec *e = &pmc->event;

	if (samples_a_second(pmc) > RATE_MAX)
		return true;
	if (pmc->flags & PMC_F_FREQUENCY || e->clock)
		return false;
	return e->type == PERF_TYPE_SOFTWARE || e->type == PERF_TYPE_TRACEPOINT;
}

bool perf_window_wanted(const struct pmc *pmc)
{
	return perf_regs_mask && PMC_IS_SAMPLING_MODE(pmc->mode) &&
	       (pmc->flags & PMC_F_CALLCHAIN) && !pmc->event.exclude_user &&
	       (pmc->unwind == PMC_UNWIND_DWARF ||
		(pmc->unwind == PMC_UNWIND_AUTO && !comes_in_bursts(pmc)));
}

/* A ring holds 16 samples and more, the more of them the faster they come. */
unsigned int perf_window_bytes(const struct pmc *pmc, size_t ring)
{
	uint64_t rate = samples_a_second(pmc);
	size_t bytes = ring / (rate <= 1000 ? 16 : rate <= 4000 ? 32 : 64);

	return (unsigned int)(bytes < WINDOW_MAX ? bytes & ~(size_t)7 : WINDOW_MAX);
}

void perf_window_attr(const struct pmc *pmc, size_t ring, struct perf_event_attr *attr)
{
	attr->sample_type |= PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;
	attr->sample_regs_user = perf_regs_mask;
	attr->sample_stack_user = perf_window_bytes(pmc, ring);
}

/*
 * A large ring costs its pages once, a small one a wake-up every few samples: 60 us with 4 of them,
 * and so many are lost where the pump has to wait for its turn.
 */
size_t perf_window_ring_pages(size_t cpus, size_t page_size, size_t lockable)
{
	size_t bytes = RING, beside = PERF_EXEC_RING_BYTES + 2 * page_size;

	while (bytes > RING_LEAST && bytes * cpus > RINGS_MAX)
		bytes /= 2;
	while (bytes > RING_LOCKED_LEAST && bytes + beside > lockable / cpus)
		bytes /= 2;
	return bytes / page_size;
}
