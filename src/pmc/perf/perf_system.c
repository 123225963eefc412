// SPDX-License-Identifier: BSD-2-Clause
#include "pmc/perf/perf_system.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/proc_text.h"
#include "pmc/perf/perf_errors.h"

/* 0, or -errno.  lead: of its group, -1: it leads. */
static int open_event(struct perf_targets *ts, const struct perf_pmc *p, int lead,
		      struct perf_fds *fds)
{
	const int cpu = p->pmc->cpu;
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
	const struct perf_pmc *leader = p->pmc->leader ? p->pmc->leader->priv : NULL;
	int r;

	if (PMC_IS_SAMPLING_MODE(p->pmc->mode) && perf_targets_open_system(ts, err))
		return -1;
	r = open_event(ts, p, leader ? leader->fds.v.v[0].fd : -1, &p->fds);
	return r ? perf_errors_open_pmc(&ts->rings->machine, ts->pmcs, p, -r, err) : 0;
}

/* ---- What stands still, opened anew.  Of a group who leads it is looked at. ---- */

static void see(struct perf_pmc *p)
{
	struct pmc_count sum;

	p->seen = (struct perf_seen){0};
	if (!perf_fds_sum(&p->fds, 0, &sum))
		p->seen = (struct perf_seen){.at = perf_now(), .enabled = sum.enabled};
}

/* The i-th of its group, which the leader is the first of. */
static struct perf_pmc *member(const struct perf_pmc *leader, size_t i)
{
	return i ? leader->pmc->members.v[i - 1]->priv : leader->pmc->priv;
}

static size_t count_group(const struct perf_pmc *leader)
{
	return 1 + leader->pmc->members.n;
}

static void close_fresh(struct perf_targets *ts, struct perf_fds *fresh, size_t n)
{
	while (n--)
		perf_rings_close_events(ts->rings, &fresh[n], 0);
}

/* In the place of old events, whose counts and times are the PMC's own then. */
static void replace(struct perf_targets *ts, struct perf_pmc *p, const struct perf_fds *fresh)
{
	perf_pmc_keep(p, 0);
	perf_rings_close_events(ts->rings, &p->fds, 0);
	p->fds = *fresh;
}

/* Events that do not run yet.  0, or -errno: all is as before. */
static int open_anew(struct perf_targets *ts, struct perf_pmc *leader)
{
	const size_t n = count_group(leader);
	struct perf_fds *fresh = calloc(n, sizeof(*fresh));
	int r = fresh ? 0 : -ENOMEM;
	size_t i;

	for (i = 0; !r && i < n; i++)
		r = open_event(ts, member(leader, i), i ? fresh[0].v.v[0].fd : -1, &fresh[i]);
	if (r && fresh)
		close_fresh(ts, fresh, i);
	/* The leader's old event goes last: those of others may ask it whether they counted. */
	for (i = n; !r && i--;)
		replace(ts, member(leader, i), &fresh[i]);
	free(fresh);
	return r;
}

int perf_system_start(struct perf_targets *ts, struct perf_pmc *p, struct err *err)
{
	int r = open_anew(ts, p);

	if (r)
		return perf_errors_open_pmc(&ts->rings->machine, ts->pmcs, p, -r, err);
	perf_pmc_ioctl(p, 0, PERF_EVENT_IOC_ENABLE);
	see(p);
	return 0;
}

void perf_system_stop(struct perf_pmc *p)
{
	p->seen = (struct perf_seen){0};
}

bool perf_system_stands_still(const struct perf_pmc *p)
{
	struct perf_pmc *leader = p->pmc->leader ? p->pmc->leader->priv : p->pmc->priv;
	uint64_t before = perf_now();
	struct pmc_count sum;

	if (!perf_seen_is_due(&leader->seen, before) || perf_fds_sum(&leader->fds, 0, &sum))
		return false;
	return perf_seen_stands_still(&leader->seen, leader->pmc->cpu, before, sum.enabled);
}

/* The time that events were not there, which they may have missed all of, is no less enabled. */
static void add_gap(struct perf_pmc *leader, const struct perf_seen *seen, uint64_t enabled)
{
	const uint64_t passed = perf_now() - seen->at, ran = enabled - seen->enabled;
	size_t i;

	for (i = 0; i < count_group(leader) && ran < passed; i++)
		member(leader, i)->enabled += passed - ran;
}

/* 0, or -errno. */
static int renew(struct perf_targets *ts, struct perf_pmc *leader)
{
	const struct perf_seen seen = leader->seen;
	struct pmc_count old = {.enabled = seen.enabled};
	int r;

	perf_fds_sum(&leader->fds, 0, &old);
	r = open_anew(ts, leader);
	if (!r)
		perf_pmc_ioctl(leader, 0, PERF_EVENT_IOC_ENABLE);
	if (PMC_IS_COUNTING_MODE(leader->pmc->mode))
		add_gap(leader, &seen, old.enabled);
	if (!r)
		see(leader);
	else if (r == -ENODEV || PMC_IS_COUNTING_MODE(leader->pmc->mode))
		leader->seen = (struct perf_seen){
			.at = perf_now(), .enabled = old.enabled, .told = seen.told};
	return r;
}

static void look_at(struct perf_targets *ts, struct perf_pmc *leader, struct proc_cpus *back)
{
	const int cpu = leader->pmc->cpu;
	int r;

	if (!perf_system_stands_still(leader))
		return;
	r = renew(ts, leader);
	if (PMC_IS_COUNTING_MODE(leader->pmc->mode))
		return;
	if (!r && !proc_cpus_have(back, cpu))
		ts->rings->records.nomem |= vec_push(&back->cpus, cpu) != 0;
	/* The CPU may be off again; else the next look may find what this one lacks. */
	if (!r || r == -ENODEV || leader->seen.told)
		return;
	leader->seen.told = true;
	perf_record_drop(&ts->rings->records, cpu, PMCLOG_DROP_LATE_CPU);
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
	struct proc_cpus back = {0};
	struct perf_pmc *const *p;
	const int *cpu;

	vec_each(p, &ts->pmcs->v)
		if (!(*p)->pmc->leader && (counts || PMC_IS_SAMPLING_MODE((*p)->pmc->mode)))
			look_at(ts, *p, &back);
	vec_each(cpu, &back.cpus)
		perf_record_drop(&ts->rings->records, *cpu, PMCLOG_DROP_CPU_GAP);
	if (back.cpus.n)
		perf_targets_renew_system(ts, &back);
	vec_free(&back.cpus);
	if (counts)
		return;
	perf_rings_renew_execs(ts->rings);
	look_for_late_cpus(ts);
}
