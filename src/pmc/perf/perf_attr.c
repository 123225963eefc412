// SPDX-License-Identifier: BSD-2-Clause
/* Attributes: what the kernel is asked for, and what it knows of that. */
#include <errno.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "pmc/perf/perf_attr.h"
#include "pmc/perf/unwind/perf_regs.h"
#include "pmc/perf/unwind/perf_window.h"

/* A gap of up to 8 KB that the kernel leaves at random on stacks, and what it has around it. */
enum { EXEC_STACK_BYTES = 16 * 1024 };

/* What all events here have in common: sample type, clock, ids behind every record. */
static void attr_init(const struct perf_machine *m, struct perf_event_attr *attr)
{
	memset(attr, 0, sizeof(*attr));
	attr->size = sizeof(*attr);
	attr->sample_type = PERF_RING_SAMPLE_TYPE;
	attr->sample_id_all = 1;
	attr->disabled = 1;
	attr->use_clockid = 1;
	attr->clockid = CLOCK_MONOTONIC;
	attr->watermark = 1;
	attr->wakeup_watermark = (uint32_t)(m->ring_pages * (size_t)m->page_size / 4);
	if (m->has.format_lost)
		attr->read_format = PERF_FORMAT_LOST_BIT;
}

void perf_attr_of_nothing(const struct perf_machine *m, struct perf_event_attr *attr)
{
	attr_init(m, attr);
	attr->type = PERF_TYPE_SOFTWARE;
	attr->config = PERF_COUNT_SW_DUMMY;
	attr->exclude_kernel = 1;
	attr->exclude_hv = 1;
}

/* A kernel refuses, with EINVAL, bits that it does not know; each is tried alone, newest first. */
void perf_probe_features(struct perf_machine *m)
{
	struct perf_event_attr attr;
	int fd;

	perf_attr_of_nothing(m, &attr);
	attr.read_format = PERF_FORMAT_LOST_BIT;
	fd = perf_open(&attr, 0, -1);
	if ((m->has.format_lost = fd >= 0))
		close(fd);
	perf_attr_of_nothing(m, &attr);
	attr.inherit = attr.inherit_thread = 1;
	fd = perf_open(&attr, 0, -1);
	if ((m->has.inherit_thread = fd >= 0))
		close(fd);
	perf_attr_of_nothing(m, &attr);
	attr.mmap2 = attr.build_id = 1;
	fd = perf_open(&attr, 0, -1);
	if ((m->has.build_id = fd >= 0))
		close(fd);
	perf_attr_of_nothing(m, &attr);
	attr.ksymbol = 1;
	fd = perf_open(&attr, 0, -1);
	if ((m->has.ksymbol = fd >= 0))
		close(fd);
	perf_attr_of_nothing(m, &attr);
	attr.inherit = 1;
	attr.sample_type |= PERF_SAMPLE_READ;
	fd = perf_open(&attr, 0, -1);
	if ((m->has.inherit_read = fd >= 0))
		close(fd);
	m->has.exits = -EAGAIN;
}

static void attr_inherit(const struct perf_machine *m, struct perf_event_attr *attr, bool descend)
{
	attr->inherit = 1;
	attr->inherit_thread = !descend && m->has.inherit_thread;
}

void perf_attr_of_pmc(const struct perf_machine *m, const struct perf_pmc *p,
		      struct perf_event_attr *attr)
{
	const struct pmc *pmc = p->pmc;
	const struct pmc_eventspec *e = &pmc->event;

	attr_init(m, attr);
	attr->type = e->type;
	attr->config = e->config;
	attr->config1 = e->config1;
	attr->config2 = e->config2;
	attr->precise_ip = e->precise;
	attr->exclude_kernel = e->exclude_kernel;
	attr->exclude_user = e->exclude_user;
	attr->exclude_hv = !p->no_exclude && !e->hypervisor;
	attr->exclude_guest = !p->no_exclude && !e->guest;
	attr->exclude_host = e->guest && !e->host;
	/* In process scope it is no target. */
	attr->exclude_idle = e->not_idle && PMC_IS_SYSTEM_MODE(pmc->mode);
	attr->exclude_callchain_kernel = e->exclude_kernel;
	/* The first event of a group says how all of it starts, stops and takes turns. */
	attr->disabled = !pmc->leader;
	attr->enable_on_exec = pmc->flags & PMC_F_START_ON_EXEC && !pmc->leader;
	attr->pinned = pmc->flags & PMC_F_NO_SHARING && !perf_logs_counts(pmc) && !pmc->leader;
	attr->exclusive = e->exclusive && !perf_logs_counts(pmc);
	if (PMC_IS_VIRTUAL_MODE(pmc->mode))
		attr_inherit(m, attr, pmc->flags & PMC_F_DESCENDANTS);
	attr->read_format |= PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
	if (PMC_IS_COUNTING_MODE(pmc->mode)) {
		attr->read_format &= ~PERF_FORMAT_LOST_BIT;
		return;
	}
	if (pmc->flags & PMC_F_CALLCHAIN) {
		attr->sample_type |= PERF_SAMPLE_CALLCHAIN;
		attr->sample_max_stack =
			(uint16_t)(pmc->max_depth < m->max_stack ? pmc->max_depth : m->max_stack);
		attr->exclude_callchain_user = pmc->unwind == PMC_UNWIND_OFF;
	}
	if (p->unwinds)
		perf_window_attr(pmc, m->ring_pages * (size_t)m->page_size, attr);
	attr->freq = !!(pmc->flags & PMC_F_FREQUENCY);
	attr->sample_period = pmc->rate;
}

bool perf_logs_counts(const struct pmc *pmc)
{
	return pmc->flags & PMC_F_LOG_PROCCSW ||
	       (pmc->flags & PMC_F_LOG_PROCEXIT && pmc->flags & PMC_F_DESCENDANTS);
}

/* Each is a sample, which has the counts of all of its group. */
static void attr_teller(const struct perf_machine *m, const struct perf_pmc *p,
			struct perf_event_attr *attr)
{
	attr_init(m, attr);
	attr->sample_period = 1;
	attr->sample_type |= PERF_SAMPLE_READ;
	attr->read_format = PERF_FORMAT_GROUP | PERF_FORMAT_ID;
	attr->enable_on_exec = !!(p->pmc->flags & PMC_F_START_ON_EXEC);
	attr_inherit(m, attr, p->pmc->flags & PMC_F_DESCENDANTS);
}

void perf_attr_of_switches(const struct perf_machine *m, const struct perf_pmc *p,
			   struct perf_event_attr *attr)
{
	attr_teller(m, p, attr);
	attr->type = PERF_TYPE_SOFTWARE;
	attr->config = PERF_COUNT_SW_CONTEXT_SWITCHES;
	attr->pinned = !!(p->pmc->flags & PMC_F_NO_SHARING);
	attr->exclusive = p->pmc->event.exclusive;
}

void perf_attr_of_watcher(const struct perf_machine *m, const struct perf_pmc *p,
			  struct perf_event_attr *attr)
{
	perf_attr_of_switches(m, p, attr);
	attr->read_format = PERF_FORMAT_ID;
	attr->pinned = attr->exclusive = 0;
}

void perf_attr_of_exits(const struct perf_machine *m, const struct perf_pmc *p,
			struct perf_event_attr *attr)
{
	attr_teller(m, p, attr);
	attr->type = PERF_TYPE_TRACEPOINT;
	attr->config = p->exit_event;
}

void perf_attr_of_sideband(const struct perf_machine *m, bool system, bool descend,
			   struct perf_event_attr *attr)
{
	perf_attr_of_nothing(m, attr);
	attr->mmap = attr->mmap2 = 1;
	attr->build_id = m->has.build_id;
	attr->comm = attr->comm_exec = 1;
	attr->task = 1;
	if (system)
		attr->ksymbol = m->has.ksymbol;
	else
		attr_inherit(m, attr, descend);
}

void perf_attr_of_execs(const struct perf_machine *m, uint64_t tracepoint,
			struct perf_event_attr *attr)
{
	attr_init(m, attr);
	attr->type = PERF_TYPE_TRACEPOINT;
	attr->config = tracepoint;
	attr->sample_period = 1;
	attr->disabled = 0;
	attr->watermark = 0;
	attr->wakeup_events = 1;
	attr->read_format = PERF_FORMAT_TOTAL_TIME_ENABLED;
	if (!perf_regs_stack_pointer)
		return;
	attr->sample_type |= PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;
	attr->sample_regs_user = perf_regs_stack_pointer;
	attr->sample_stack_user = EXEC_STACK_BYTES;
}
