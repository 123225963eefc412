// SPDX-License-Identifier: BSD-2-Clause
#include "pmc/perf/perf_system.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <unistd.h>

#include "base/proc_text.h"
#include "pmc/perf/perf_errors.h"

enum {
	LOOK_NS = 100000000, /* between two looks at least */
	/*
	 * What the kernel's clock of events and ours may differ by, one part in so many beside it:
	 * the former moves in ticks where the CPU has no better one.
	 */
	SLACK_NS = 20000000,
	SLACK = 100,
};

/* 0, or -errno. */
static int open_event(struct perf_targets *ts, const struct perf_pmc *p, struct perf_fds *fds)
{
	const struct perf_pmc *leader = p->pmc->leader ? p->pmc->leader->priv : NULL;
	const int lead = leader ? leader->fds.v.v[0].fd : -1, cpu = p->pmc->cpu;
	const struct perf_ring *ring;
	struct perf_event_attr attr;
	int fd;

	perf_attr_of_pmc(&ts->rings->machine, p, &attr);
	if (PMC_IS_SAMPLING_MODE(p->pmc->mode)) {
		ring = perf_rings_find(ts->rings, cpu);
		return ring ? perf_rings_open_event(ts->rings, &attr,
						    &(struct perf_spot){-1, ring, lead}, 0,
						    p->source, fds)
			    : -ENODEV;
	}
	fd = perf_open_grouped(&attr, -1, cpu, lead);
	if (fd < 0 || !vec_push(&fds->v, (struct perf_fd){fd, cpu, 0}))
		return fd < 0 ? fd : 0;
	close(fd);
	return -ENOMEM;
}

int perf_system_open(struct perf_targets *ts, struct perf_pmc *p, struct err *err)
{
	int r;

	if (PMC_IS_SAMPLING_MODE(p->pmc->mode) && perf_targets_open_system(ts, err))
		return -1;
	r = open_event(ts, p, &p->fds);
	return r ? perf_errors_open_pmc(&ts->rings->machine, ts->pmcs, p, -r, err) : 0;
}

void perf_system_started(struct perf_pmc *p, bool runs)
{
	struct pmc_count sum;

	p->seen.at = 0;
	if (!runs || !PMC_IS_SYSTEM_MODE(p->pmc->mode) || perf_fds_sum(&p->fds, 0, &sum))
		return;
	p->seen.enabled = sum.enabled;
	p->seen.at = perf_now();
}

bool perf_system_stands_still(struct perf_pmc *p)
{
	uint64_t before = perf_now(), passed, ran;
	struct pmc_count sum;

	if (!p->seen.at || before < p->seen.at + LOOK_NS || perf_fds_sum(&p->fds, 0, &sum))
		return false;
	passed = before - p->seen.at;
	ran = sum.enabled - p->seen.enabled;
	if (ran + passed / SLACK + SLACK_NS >= passed) {
		p->seen = (struct perf_seen){.at = perf_now(), .enabled = sum.enabled};
		return false;
	}
	/* While it is off nothing is missing. */
	if (pmc_cpu_is_online(p->pmc->cpu))
		return true;
	p->seen = (struct perf_seen){.at = perf_now(), .enabled = sum.enabled};
	return false;
}

/* In the place of what it had; a member's leader first.  0, or -errno. */
static int renew(struct perf_targets *ts, struct perf_pmc *p)
{
	struct perf_fds fresh = {0};
	int r = open_event(ts, p, &fresh);

	if (r)
		return r;
	perf_pmc_keep(p, 0);
	perf_rings_close_events(ts->rings, &p->fds, 0);
	p->fds = fresh;
	if (!p->pmc->leader)
		perf_pmc_ioctl(p, 0, PERF_EVENT_IOC_ENABLE);
	perf_system_started(p, true);
	return 0;
}

/* What it did not count may have been all of the time: it had no counter. */
static void renew_count(struct perf_targets *ts, struct perf_pmc *p)
{
	const uint64_t since = p->seen.at;

	if (renew(ts, p))
		p->seen.at = perf_now();
	p->enabled += p->seen.at - since;
}

static bool samples_at(const struct perf_targets *ts, int cpu)
{
	struct perf_pmc *const *p;

	vec_each(p, &ts->pmcs->v)
		if ((*p)->pmc->mode == PMC_MODE_SS && (*p)->pmc->cpu == cpu)
			return true;
	return false;
}

/* Whether CPUs beyond those with rings matter: to threads, and to who samples all. */
static bool wants_all_cpus(const struct perf_targets *ts)
{
	struct perf_pmc *const *p;
	const int *cpu;

	vec_each(p, &ts->pmcs->v)
		if ((*p)->pmc->mode == PMC_MODE_TS)
			return true;
	vec_each(cpu, &ts->rings->machine.online.cpus)
		if (!samples_at(ts, *cpu))
			return false;
	return true;
}

/* Events cannot follow to CPUs that are new: each is opened on the CPUs of its time. */
static void look_for_late_cpus(struct perf_targets *ts)
{
	struct proc_cpus now = {0};
	char text[4096];
	const int *cpu;

	if (proc_read_text("/sys/devices/system/cpu/online", text, sizeof(text)) > 0 &&
	    proc_parse_cpus(text, &now))
		vec_each(cpu, &now.cpus)
			if (!proc_cpus_have(&ts->rings->machine.online, *cpu) &&
			    !proc_cpus_have(&ts->late_cpus, *cpu) && wants_all_cpus(ts) &&
			    !vec_push(&ts->late_cpus.cpus, *cpu))
				perf_record_drop(&ts->rings->records, *cpu, PMCLOG_DROP_LATE_CPU);
	vec_free(&now.cpus);
}

void perf_system_look(struct perf_targets *ts, bool counts)
{
	struct proc_cpus back = {0}, lost = {0}, *of;
	struct perf_pmc *const *p;
	const int *cpu;

	vec_each(p, &ts->pmcs->v) {
		const struct pmc *pmc = (*p)->pmc;

		if (PMC_IS_COUNTING_MODE(pmc->mode) && !counts)
			continue;
		if (!perf_system_stands_still(*p))
			continue;
		if (PMC_IS_COUNTING_MODE(pmc->mode)) {
			renew_count(ts, *p);
			continue;
		}
		of = renew(ts, *p) ? &lost : &back;
		if (of == &lost)
			(*p)->seen.at = 0;
		if (!proc_cpus_have(of, pmc->cpu))
			ts->rings->records.nomem |= vec_push(&of->cpus, pmc->cpu) != 0;
	}
	vec_each(cpu, &lost.cpus)
		perf_record_drop(&ts->rings->records, *cpu, PMCLOG_DROP_LATE_CPU);
	vec_each(cpu, &back.cpus)
		perf_record_drop(&ts->rings->records, *cpu, PMCLOG_DROP_CPU_GAP);
	if (back.cpus.n)
		perf_targets_renew_system(ts, &back);
	vec_free(&lost.cpus);
	vec_free(&back.cpus);
	if (!counts)
		look_for_late_cpus(ts);
}
