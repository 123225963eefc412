// SPDX-License-Identifier: BSD-2-Clause
/* --by: an event for every value of a key, so that each output shows them one by one. */
#include <inttypes.h>
#include <stdio.h>

#include "callgraph/model/make.h"
#include "callgraph/transform/steps.h"

struct part {
	uint32_t event;	  /* the whole event */
	uint64_t value;	  /* a number, or the address of an interned text */
	const char *comm; /* of a process or thread, interned; or NULL */
	uint32_t into;	  /* the event that is this part */
};

struct division {
	struct cg_profile *p;
	enum cg_key key;
	VEC(struct part) parts;
	struct table part_of_value, group_of_key;
};

const struct cg_key_name cg_key_names[] = {
	{"event", CG_KEY_EVENT}, {"comm", CG_KEY_COMM}, {"pid", CG_KEY_PID},
	{"tid", CG_KEY_TID},	 {"cpu", CG_KEY_CPU},	{"object", CG_KEY_OBJECT},
	{"host", CG_KEY_HOST},	 {NULL, CG_KEY_EVENT},
};

static const char *name_of_key(enum cg_key key)
{
	const struct cg_key_name *k = cg_key_names;

	while (k->key != key)
		k++;
	return k->name;
}

/* What divides a group: its process where the log says no threads, as those before version 6. */
static enum cg_key key_of(const struct division *d, const struct cg_group *g)
{
	return d->key == CG_KEY_TID && g->tid == CG_NONE ? CG_KEY_PID : d->key;
}

/* A number, or a text that is interned. */
static uint64_t value_of(const struct division *d, const struct cg_stack *s)
{
	const struct cg_group *g = &d->p->groups.v[s->group];

	switch (key_of(d, g)) {
	case CG_KEY_COMM: return (uintptr_t)g->comm;
	case CG_KEY_PID: return g->pid;
	case CG_KEY_TID: return g->tid;
	case CG_KEY_CPU: return g->cpu;
	case CG_KEY_HOST: return (uintptr_t)g->host;
	case CG_KEY_OBJECT:
		return (uintptr_t)cg_object_of(d->p,
					       &d->p->functions.v[cg_function_of(d->p, s, 0)]);
	default: return 0;
	}
}

/* A number alone does not tell which process it was, nor what it was before it called exec(2). */
static const char *comm_of(const struct division *d, const struct cg_stack *s)
{
	const struct cg_group *g = &d->p->groups.v[s->group];

	if (d->key == CG_KEY_TID && g->thread)
		return g->thread;
	return d->key == CG_KEY_PID || d->key == CG_KEY_TID ? g->comm : NULL;
}

/*
 * "EVENT/key=value" or "EVENT/key=value,comm=COMM", interned; NULL when out of memory.  Processes
 * of other pid namespaces have no number.
 */
static const char *part_name(struct division *d, const char *event, enum cg_key key, uint64_t value,
			     const char *comm)
{
	bool text = key == CG_KEY_COMM || key == CG_KEY_OBJECT || key == CG_KEY_HOST;
	const char *of = text ? (const char *)(uintptr_t)value : "";
	size_t size = strlen(event) + strlen(of) + (comm ? strlen(comm) : 0) + 48;
	char *name = malloc(size);
	const char *pooled;

	if (!name)
		return NULL;
	if (text)
		snprintf(name, size, "%s/%s=%s", event, name_of_key(key), of);
	else if (comm && value == CG_NONE)
		snprintf(name, size, "%s/%s=none,comm=%s", event, name_of_key(key), comm);
	else
		snprintf(name, size, "%s/%s=%" PRIu64 "%s%s", event, name_of_key(key), value,
			 comm ? ",comm=" : "", comm ? comm : "");
	pooled = strpool_intern(d->p->pool, name);
	free(name);
	return pooled;
}

/* The index of the event that a stack becomes part of; CG_NONE when out of memory. */
static uint32_t part_of(struct division *d, const struct cg_stack *s)
{
	const struct cg_group *g = &d->p->groups.v[s->group];
	uint32_t event = g->event, i;
	const char *comm = comm_of(d, s);
	uint64_t value = value_of(d, s);
	uint32_t hash = hash_u64(value ^ (uint64_t)event << 56);
	struct cg_event part = d->p->events.v[event];
	struct table_iter it;

	for (i = table_first(&d->part_of_value, hash, &it); i != TABLE_NONE;
	     i = table_next(&d->part_of_value, &it))
		if (d->parts.v[i].event == event && d->parts.v[i].value == value &&
		    d->parts.v[i].comm == comm)
			return d->parts.v[i].into;
	part.name = part_name(d, part.name, key_of(d, g), value, comm);
	part.samples = part.truncated = part.guessed = part.stitched = part.whole_cpus = 0;
	if (!part.name || vec_push(&d->p->events, part) ||
	    vec_push(&d->parts,
		     (struct part){event, value, comm, (uint32_t)(d->p->events.n - 1)}) ||
	    table_insert(&d->part_of_value, hash, (uint32_t)(d->parts.n - 1)))
		return CG_NONE;
	return (uint32_t)(d->p->events.n - 1);
}

/* Events that never had a counter have no parts; who reads the others must not miss them. */
static int keep_starved(struct division *d, size_t events)
{
	uint32_t i;

	for (i = 0; i < events; i++) {
		const struct cg_times *t = &d->p->events.v[i].times;

		if (!d->p->events.v[i].samples && t->enabled && !t->running &&
		    vec_push(&d->parts, (struct part){i, 0, NULL, i}))
			return -1;
	}
	return 0;
}

/* Moves every stack into its part. */
static int assign(struct division *d)
{
	size_t events = d->p->events.n;
	struct cg_stack *s;

	vec_each(s, &d->p->stacks) {
		struct cg_group g = d->p->groups.v[s->group];

		g.event = part_of(d, s);
		if (g.event == CG_NONE)
			return -1;
		s->group = cg_group_intern(d->p, &d->group_of_key, &g);
		if (s->group == CG_NONE)
			return -1;
		d->p->events.v[g.event].samples += s->count;
	}
	return keep_starved(d, events);
}

/* Parts of one event together, hottest first. */
static int compare(const void *a, const void *b, void *arg)
{
	const struct division *d = arg;
	const struct part *x = a, *y = b;
	const struct cg_event *e = &d->p->events.v[x->into], *f = &d->p->events.v[y->into];

	if (x->event != y->event)
		return x->event < y->event ? -1 : 1;
	if (e->samples != f->samples)
		return e->samples < f->samples ? 1 : -1;
	return strcmp(e->name, f->name);
}

/* Only the parts remain, in order. */
static int replace_events(struct division *d)
{
	struct cg_event *events = malloc((d->parts.n + 1) * sizeof(*events));
	uint32_t *place = calloc(d->p->events.n + 1, sizeof(*place));
	struct cg_group *g;
	size_t i;

	if (events && place) {
		qsort_r(d->parts.v, d->parts.n, sizeof(*d->parts.v), compare, d);
		for (i = 0; i < d->parts.n; i++) {
			events[i] = d->p->events.v[d->parts.v[i].into];
			place[d->parts.v[i].into] = (uint32_t)i;
		}
		/* Groups of whole events have no stacks any more. */
		vec_each(g, &d->p->groups)
			g->event = place[g->event];
		memcpy(d->p->events.v, events, d->parts.n * sizeof(*events));
		d->p->events.n = d->parts.n;
	}
	i = events && place;
	free(events);
	free(place);
	return i ? 0 : -1;
}

int cg_profile_divide_events(struct cg_profile *p, enum cg_key key, struct err *err)
{
	struct division d = {.p = p, .key = key};
	int status = 0;

	if (key != CG_KEY_EVENT && p->stacks.n)
		status = assign(&d) || replace_events(&d) || cg_profile_sort(p) ? -1 : 0;
	vec_free(&d.parts);
	table_clear(&d.part_of_value);
	table_clear(&d.group_of_key);
	return status ? err_nomem(err) : 0;
}
