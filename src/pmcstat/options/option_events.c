// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>
#include <string.h>

#include "pmcstat/options/event_group.h"
#include "pmcstat/options/option_events.h"
#include "pmcstat/options/option_habits.h"
#include "pmcstat/options/option_modes.h"

static bool holds(const numbers *list, uint32_t number)
{
	const uint32_t *p;

	vec_each(p, list)
		if (*p == number)
			return true;
	return false;
}

/* Gives a PMC the settings so far. */
static int settle(struct options *o, struct pmc_request *r, struct err *err)
{
	const uint32_t *cpu;

	r->flags = o->next.flags;
	if (!(r->flags & PMC_F_CALLCHAIN))
		r->flags &= ~PMC_F_USERCALLCHAIN;
	if (r->mode != PMC_MODE_TC)
		r->flags &= ~OPTIONS_LOG_FLAGS;
	if (PMC_IS_SAMPLING_MODE(r->mode)) {
		r->rate = o->next.rate;
	} else {
		r->flags &= ~(PMC_F_CALLCHAIN | PMC_F_USERCALLCHAIN | PMC_F_FREQUENCY);
		r->cumulative = o->next.cumulative;
	}
	o->next.unused = NULL;
	if (!PMC_IS_SYSTEM_MODE(r->mode))
		return 0;
	r->flags &= ~PMC_F_DESCENDANTS;
	r->cpus.n = 0;
	vec_each(cpu, &o->next.cpus)
		if (!holds(&r->cpus, *cpu) && vec_push(&r->cpus, *cpu))
			return err_nomem(err);
	return 0;
}

static int add_event(struct options *o, const char *spec, enum pmc_mode mode, bool member,
		     struct err *err)
{
	struct pmc_request r = {.spec = spec, .mode = mode, .member = member};

	if (vec_push(&o->record.requests, r))
		return err_nomem(err);
	return settle(o, &o->record.requests.v[o->record.requests.n - 1], err);
}

int option_settle_late(struct options *o, struct err *err)
{
	struct pmc_request *r;
	size_t leaders = 0;

	vec_each(r, &o->record.requests)
		leaders += !r->member;
	if (!o->next.unused || leaders != 1)
		return 0;
	vec_each(r, &o->record.requests)
		if (settle(o, r, err))
			return -1;
	return 0;
}

int option_add_default_event(struct options *o, struct err *err)
{
	const bool process = o->record.command || o->record.targets.n;
	struct pmc_request *r;

	if (o->record.requests.n || o->action.read_log || o->action.summary || o->record.kgmon ||
	    !(process || o->action.top || o->record.push.url))
		return 0;
	if (add_event(o, NULL, process ? PMC_MODE_TS : PMC_MODE_SS, false, err))
		return -1;
	r = o->record.requests.v;
	if (r->flags & PMC_F_CALLCHAIN)
		r->flags |= PMC_F_USERCALLCHAIN;
	if (process)
		r->flags |= PMC_F_DESCENDANTS;
	return 0;
}

int option_add_event(struct options *o, const char *spec, enum pmc_mode mode, struct err *err)
{
	static const char *const letters[] = {[PMC_MODE_SS] = "S",
					      [PMC_MODE_SC] = "s",
					      [PMC_MODE_TS] = "P",
					      [PMC_MODE_TC] = "p"};
	char *text, *rest, *event;
	int r = 0;

	if (habit_check_event(letters[mode], spec, err))
		return -1;
	if (!event_group_is(spec))
		return add_event(o, spec, mode, false, err);
	text = strdup(spec);
	if (!text || vec_push(&o->record.groups, text)) {
		free(text);
		return err_nomem(err);
	}
	for (rest = text + 1; rest && !r;) {
		const bool member = rest > text + 1;

		event = event_group_next(spec, &rest, err);
		r = event ? add_event(o, event, mode, member, err) : -1;
	}
	return r;
}
