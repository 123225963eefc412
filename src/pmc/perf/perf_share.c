// SPDX-License-Identifier: BSD-2-Clause
#include "pmc/perf/perf_share.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "pmc/perf/perf_errors.h"

enum {
	SHARE_NS = 1000000000, /* between two rounds at least */
	COST = 100,	       /* between them so many times what a round took */
	/* What is missing at times of threads that run while they are read, one part in so many. */
	NOISE = 1000,
	TURN_NS = 1000000, /* the least that a PMC waits for another one */
	COUNTERS_MAX = 64, /* more than any CPU has */
};

/* Software takes no counter, nor do tracepoints. */
bool perf_can_share(const struct pmc *pmc)
{
	return pmc->event.type != PERF_TYPE_SOFTWARE && pmc->event.type != PERF_TYPE_TRACEPOINT;
}

static bool is_told(const struct perf_share *s, const struct perf_pmc *p)
{
	if (PMC_IS_COUNTING_MODE(p->pmc->mode) && !p->tally)
		return false;
	return perf_can_share(p->pmc) || s->records->sources.v[p->source].throttled;
}

uint64_t perf_share_running(const struct pmc *pmc, uint64_t enabled, uint64_t running)
{
	uint64_t missing = running < enabled ? enabled - running : 0;

	if (!perf_can_share(pmc) || missing <= enabled / NOISE)
		return enabled;
	return missing > TURN_NS || missing > enabled / 10 ? running : enabled;
}

/* Since they were told last, both in ns. */
static void write_times(struct perf_share *s, struct perf_pmc *p, uint64_t enabled,
			uint64_t running)
{
	struct pmclog_drop drop = {.cpu = UINT32_MAX,
				   .cause = PMCLOG_DROP_SHARED,
				   .pmcid = p->pmc->id,
				   .enabled = enabled,
				   .running = running};

	if (PMC_IS_SYSTEM_MODE(p->pmc->mode))
		drop.cpu = (uint32_t)p->pmc->cpu;
	pmclog_write_dropnotify(s->records->writer, perf_now(), &drop);
	p->shares = true;
}

/* An event that is pinned and has lost its counter has no count any more, nor gets one again. */
static void tell_starved(struct perf_share *s, struct perf_pmc *p)
{
	struct pmclog_drop drop = {
		.cpu = UINT32_MAX, .cause = PMCLOG_DROP_STARVED, .pmcid = p->pmc->id, .count = 1};

	if (p->starved)
		return;
	if (PMC_IS_SYSTEM_MODE(p->pmc->mode))
		drop.cpu = (uint32_t)p->pmc->cpu;
	pmclog_write_dropnotify(s->records->writer, perf_now(), &drop);
	s->records->stats->drops[PMCLOG_DROP_STARVED]++;
	p->starved = true;
}

void perf_share_tell(struct perf_share *s, struct perf_pmc *p, bool last)
{
	struct pmc_count now;
	uint64_t enabled, running;
	int r;

	if (!s->records->writer || !is_told(s, p))
		return;
	r = perf_pmc_total(p, &now);
	if (r == -ENODATA && p->pmc->flags & PMC_F_NO_SHARING)
		tell_starved(s, p);
	if (r)
		return;
	enabled = now.enabled - p->told.enabled;
	running = now.running - p->told.running;
	/* A count can shrink when the threads that it is read of come and go meanwhile. */
	if (!enabled || enabled > INT64_MAX || running > INT64_MAX)
		return;
	running = perf_share_running(p->pmc, enabled, running);
	if (running == enabled &&
	    !(last && (p->shares || s->records->sources.v[p->source].throttled)))
		return;
	write_times(s, p, enabled, running);
	p->told = now;
}

void perf_share_begin(struct perf_share *s)
{
	struct perf_pmc *const *p;

	vec_each(p, &s->pmcs->v) {
		(*p)->shares = s->records->sources.v[(*p)->source].throttled = false;
		if (!perf_can_share((*p)->pmc) || perf_pmc_total(*p, &(*p)->told))
			(*p)->told = (struct pmc_count){0};
	}
	s->next = perf_now() + SHARE_NS;
}

void perf_share_round(struct perf_share *s, uint64_t now)
{
	struct perf_pmc *const *p;
	uint64_t began = perf_now(), cost;

	if (now < s->next)
		return;
	vec_each(p, &s->pmcs->v)
		perf_share_tell(s, *p, false);
	cost = (perf_now() - began) * COST;
	s->next = now + (cost > SHARE_NS ? cost : SHARE_NS);
}

void perf_share_end(struct perf_share *s)
{
	struct perf_pmc *const *p;

	vec_each(p, &s->pmcs->v)
		perf_share_tell(s, *p, true);
}

void perf_share_turn(struct perf_share *s)
{
	struct perf_pmc *const *p;
	struct pmc_count now;

	perf_share_end(s);
	vec_each(p, &s->pmcs->v) {
		(*p)->shares = s->records->sources.v[(*p)->source].throttled = false;
		if (!perf_pmc_total(*p, &now))
			(*p)->told = now;
	}
}

/* Whether a pinned event has a counter. */
static bool has_counter(int fd)
{
	uint64_t v[4];

	return read(fd, v, sizeof(v)) != 0;
}

/*
 * Opens the event of a PMC where it would be, or in process scope on the calling thread, running,
 * which gives it a counter at once or never; in the group of lead (-1: alone).  A descriptor or
 * -errno.
 */
static int open_trial(const struct perf_share *s, const struct perf_pmc *p, int lead)
{
	struct perf_event_attr attr;

	perf_attr_of_pmc(s->machine, p, &attr);
	attr.inherit = attr.inherit_thread = attr.enable_on_exec = attr.disabled = 0;
	attr.pinned = lead < 0;
	return PMC_IS_SYSTEM_MODE(p->pmc->mode) ? perf_open_grouped(&attr, -1, p->pmc->cpu, lead)
						: perf_open_grouped(&attr, 0, -1, lead);
}

/* How many PMCs like this there could be at once, with no other. */
static unsigned int count_rooms(const struct perf_share *s, const struct perf_pmc *p)
{
	int fds[COUNTERS_MAX];
	unsigned int n, i;

	for (n = 0; n < COUNTERS_MAX && (fds[n] = open_trial(s, p, -1)) >= 0; n++)
		if (!has_counter(fds[n])) {
			close(fds[n]);
			break;
		}
	for (i = 0; i < n; i++)
		close(fds[i]);
	return n;
}

static int refuse(const struct perf_share *s, const struct perf_pmc *p, size_t others,
		  struct err *err)
{
	err_set(err, EX_UNAVAILABLE,
		"%s: no counter is left for it beside %zu PMCs that share none: %u of its kind fit "
		"at once",
		p->pmc->event.name, others, count_rooms(s, p));
	return err_hint(err, "fewer PMCs at a time, or without --no-sharing: they take turns then");
}

/* Whether two PMCs want counters at one place: those of a CPU, or those for a thread. */
static bool compete(const struct pmc *a, const struct pmc *b)
{
	return a != b && a->flags & b->flags & PMC_F_NO_SHARING && perf_can_share(a) &&
	       perf_can_share(b) && a->cpu == b->cpu &&
	       PMC_IS_SYSTEM_MODE(a->mode) == PMC_IS_SYSTEM_MODE(b->mode);
}

int perf_share_check(const struct perf_share *s, const struct perf_pmc *p, struct err *err)
{
	VEC(int) fds = {0};
	struct perf_pmc *const *other;
	int *fd, mine, open, r = 0;
	bool starved;

	if (!(p->pmc->flags & PMC_F_NO_SHARING) || !perf_can_share(p->pmc))
		return 0;
	if (vec_reserve(&fds, s->pmcs->v.n + 1))
		return err_nomem(err);
	vec_each(other, &s->pmcs->v)
		if (compete((*other)->pmc, p->pmc) && (open = open_trial(s, *other, -1)) >= 0)
			fds.v[fds.n++] = open;
	mine = open_trial(s, p, -1);
	if (mine < 0)
		r = perf_errors_open_pmc(s->machine, s->pmcs, p, -mine, err);
	starved = mine >= 0 && !has_counter(mine);
	if (mine >= 0)
		close(mine);
	vec_each(fd, &fds)
		close(*fd);
	if (starved)
		r = refuse(s, p, fds.n, err);
	vec_free(&fds);
	return r;
}

/* With the leader's, of a group that has p too, those that need a counter. */
static size_t count_sharers(const struct perf_pmc *p)
{
	const struct pmc *leader = p->pmc->leader;
	size_t n = perf_can_share(leader) + perf_can_share(p->pmc);
	struct pmc *const *m;

	vec_each(m, &leader->members)
		n += perf_can_share(*m);
	return n;
}

/* How the trial of a group with p has ended: 0, -EINVAL (no counters for all at once) or -errno. */
static int try_group(const struct perf_share *s, const struct perf_pmc *p, int *fds)
{
	const struct pmc *leader = p->pmc->leader;
	struct pmc *const *m;
	int lead;

	lead = *fds++ = open_trial(s, leader->priv, -1);
	vec_each(m, &leader->members)
		if (lead >= 0)
			*fds++ = open_trial(s, (*m)->priv, lead);
	if (lead >= 0)
		*fds = open_trial(s, p, lead);
	if (lead < 0 || *fds < 0)
		return lead < 0 ? lead : *fds;
	return has_counter(lead) ? 0 : -EINVAL;
}

int perf_share_check_group(const struct perf_share *s, const struct perf_pmc *p, struct err *err)
{
	const struct pmc *leader = p->pmc->leader;
	size_t n, i;
	int *fds, r;

	if (!leader || !perf_can_share(p->pmc))
		return 0;
	n = leader->members.n + 2;
	fds = malloc(n * sizeof(*fds));
	if (!fds)
		return err_nomem(err);
	for (i = 0; i < n; i++)
		fds[i] = -1;
	r = try_group(s, p, fds);
	for (i = 0; i < n; i++)
		if (fds[i] >= 0)
			close(fds[i]);
	free(fds);
	if (!r)
		return 0;
	if (r != -EINVAL)
		return perf_errors_open_pmc(s->machine, s->pmcs, p, -r, err);
	n = count_sharers(p);
	err_set(err, EX_UNAVAILABLE,
		"%s: there are no counters for %zu events of the group of %s at once, as there are "
		"for %zu",
		p->pmc->event.name, n, leader->event.name, n - 1);
	return err_hint(err, "fewer events in the group; others may hold counters");
}
