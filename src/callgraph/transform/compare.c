// SPDX-License-Identifier: BSD-2-Clause
#include "callgraph/transform/compare.h"
#include "callgraph/model/make.h"
#include "callgraph/transform/shorten.h"

/* One of the two, and where its parts are in the union. */
struct side {
	const struct cg_profile *from;
	uint32_t *event, *image, *function;
};

/* Of an image of the union: who has it, and whether those who do have different files. */
struct origin {
	bool in_base, in_now, differs;
	uint32_t same; /* the image that stands for it */
};

struct union_event {
	struct cg_event event;
	uint32_t rank;	    /* of its whole event, so that parts stay neighbours */
	uint32_t base, now; /* index of events, CG_NONE: it has none */
	uint64_t base_samples;
};

struct merging {
	struct cg_profile *p; /* the union */
	struct side base, now;
	VEC(struct origin) origins;
	VEC(struct union_event) events;
	VEC(uint64_t) base_stacks, base_events; /* samples in the base */
	struct table event_of_name, rank_of_whole, image_of_path, function_of_name, stack_of_chain,
		group_of_key;
};

static const char *keep(struct merging *m, const char *text)
{
	return strpool_intern(m->p->pool, text);
}

static bool has_id(const struct cg_image *a, const struct cg_image *b)
{
	return a->build_id_len && a->build_id_len == b->build_id_len &&
	       !memcmp(a->build_id, b->build_id, a->build_id_len);
}

/* The image of the union for one of a side; CG_NONE when out of memory. */
static uint32_t add_image(struct merging *m, const struct side *side, const struct cg_image *from)
{
	struct cg_image image = *from;
	struct table_iter it;
	uint32_t hash, i;

	image.path = keep(m, from->path);
	if (side == &m->base)
		image.samples = 0;
	if (!image.path)
		return CG_NONE;
	hash = hash_u64((uintptr_t)image.path);
	for (i = table_first(&m->image_of_path, hash, &it); i != TABLE_NONE;
	     i = table_next(&m->image_of_path, &it)) {
		struct cg_image *same = &m->p->images.v[i];

		if (same->path != image.path)
			continue;
		m->origins.v[i].differs |=
			same->build_id_len && image.build_id_len && !has_id(same, &image);
		same->samples += image.samples;
		if (!same->symbols)
			same->symbols = image.symbols;
		return i;
	}
	image.shown = NULL;
	i = (uint32_t)m->p->images.n;
	if (vec_push(&m->p->images, image) || vec_push(&m->origins, (struct origin){.same = i}) ||
	    table_insert(&m->image_of_path, hash, i))
		return CG_NONE;
	return i;
}

static const char *last_part(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

struct lone_image {
	const char *name; /* last part of its path */
	uint32_t image;
};

static int by_name(const void *a, const void *b)
{
	const struct lone_image *x = a, *y = b;

	return strcmp(x->name, y->name);
}

/* An image of the base alone that moved: the only one of its name on either side. */
static void match_moved(struct merging *m, const struct lone_image *lone, size_t n)
{
	struct cg_image *was, *is;
	struct origin *a, *b;

	if (n != 2)
		return;
	a = &m->origins.v[lone[0].image];
	b = &m->origins.v[lone[1].image];
	if (a->in_base == b->in_base)
		return;
	a->differs = b->differs = a->differs || b->differs ||
				  !has_id(&m->p->images.v[a->same], &m->p->images.v[b->same]);
	if (b->in_base) {
		struct origin *now = a;

		a = b;
		b = now;
	}
	/* Nothing is in the one that was. */
	was = &m->p->images.v[a->same];
	is = &m->p->images.v[b->same];
	is->symbols = is->symbols ? is->symbols : was->symbols;
	was->symbols = NULL;
	a->same = b->same;
}

static int match_moved_images(struct merging *m)
{
	VEC(struct lone_image) lone = {0};
	size_t i, next;

	for (i = 0; i < m->origins.n; i++) {
		const struct origin *o = &m->origins.v[i];
		const char *name = last_part(m->p->images.v[i].path);

		if (o->in_base != o->in_now &&
		    vec_push(&lone, (struct lone_image){name, o->same})) {
			vec_free(&lone);
			return -1;
		}
	}
	if (lone.n)
		qsort(lone.v, lone.n, sizeof(*lone.v), by_name);
	for (i = 0; i < lone.n; i = next) {
		for (next = i + 1; next < lone.n && !by_name(&lone.v[i], &lone.v[next]); next++)
			;
		match_moved(m, lone.v + i, next - i);
	}
	vec_free(&lone);
	return 0;
}

static int add_images(struct merging *m)
{
	uint32_t i;

	for (i = 0; i < m->now.from->images.n; i++) {
		if ((m->now.image[i] = add_image(m, &m->now, &m->now.from->images.v[i])) == CG_NONE)
			return -1;
		m->origins.v[m->now.image[i]].in_now = true;
	}
	for (i = 0; i < m->base.from->images.n; i++) {
		if ((m->base.image[i] = add_image(m, &m->base, &m->base.from->images.v[i])) ==
		    CG_NONE)
			return -1;
		m->origins.v[m->base.image[i]].in_base = true;
	}
	if (match_moved_images(m))
		return -1;
	for (i = 0; i < m->base.from->images.n; i++)
		m->base.image[i] = m->origins.v[m->base.image[i]].same;
	return 0;
}

/* A function of the union, and the location that stands for all of its own: they have one index. */
static uint32_t add_function(struct merging *m, const struct side *side,
			     const struct cg_function *from)
{
	struct cg_function f = *from;
	struct table_iter it;
	uint32_t hash, i;

	if (f.image != CG_NONE) {
		f.image = side->image[f.image];
		if (!f.resolved && m->origins.v[f.image].differs) {
			f.name = "[no symbol]";
			f.start = f.end = 0;
		}
	}
	if (!(f.name = keep(m, f.name)))
		return CG_NONE;
	f.shown = NULL;
	hash = hash_u64((uintptr_t)f.name ^ (uint64_t)f.image << 48);
	for (i = table_first(&m->function_of_name, hash, &it); i != TABLE_NONE;
	     i = table_next(&m->function_of_name, &it)) {
		const struct cg_function *o = &m->p->functions.v[i];

		if (o->name == f.name && o->image == f.image)
			return i;
	}
	i = (uint32_t)m->p->functions.n;
	if (vec_push(&m->p->functions, f) ||
	    vec_push(&m->p->locations,
		     (struct cg_location){.address = f.start, .function = i, .image = f.image}) ||
	    table_insert(&m->function_of_name, hash, i))
		return CG_NONE;
	return i;
}

static int add_functions(struct merging *m, const struct side *side)
{
	uint32_t i;

	for (i = 0; i < side->from->functions.n; i++) {
		side->function[i] = add_function(m, side, &side->from->functions.v[i]);
		if (side->function[i] == CG_NONE)
			return -1;
	}
	return 0;
}

/* The first event of a whole one, by its interned name; CG_NONE when out of memory. */
static uint32_t rank_of(struct merging *m, const char *whole)
{
	uint32_t hash = hash_u64((uintptr_t)whole), i;
	struct table_iter it;

	for (i = table_first(&m->rank_of_whole, hash, &it); i != TABLE_NONE;
	     i = table_next(&m->rank_of_whole, &it))
		if (m->events.v[i].event.whole == whole)
			return i;
	/* That which is about to be added. */
	i = (uint32_t)m->events.n;
	return table_insert(&m->rank_of_whole, hash, i) ? CG_NONE : i;
}

static int push_event(struct merging *m, const struct cg_event *from, uint32_t base, uint32_t now)
{
	struct union_event e = {.event = *from, .base = base, .now = now};

	e.event.name = keep(m, from->name);
	e.event.whole = keep(m, from->whole);
	e.event.spec = keep(m, from->spec);
	if (base != CG_NONE)
		e.event.samples = e.event.truncated = 0;
	if (!e.event.name || !e.event.whole || !e.event.spec)
		return -1;
	e.rank = rank_of(m, e.event.whole);
	if (e.rank == CG_NONE || vec_push(&m->events, e))
		return -1;
	return table_insert(&m->event_of_name, hash_u64((uintptr_t)e.event.name),
			    (uint32_t)(m->events.n - 1));
}

/* The event that one of the base has now, CG_NONE: none; spec NULL: the only one of its name. */
static uint32_t find_event(struct merging *m, const char *name, const char *spec)
{
	uint32_t i, found = CG_NONE;
	struct table_iter it;

	for (i = table_first(&m->event_of_name, hash_u64((uintptr_t)name), &it); i != TABLE_NONE;
	     i = table_next(&m->event_of_name, &it)) {
		const struct union_event *e = &m->events.v[i];

		if (e->event.name != name || e->base != CG_NONE ||
		    (spec && strcmp(e->event.spec, spec) != 0))
			continue;
		if (found != CG_NONE)
			return CG_NONE;
		found = i;
	}
	return found;
}

/* Events of the base find theirs by name and spec first, then those that are left by name. */
static int match_events(struct merging *m, bool by_spec)
{
	uint32_t i, found;

	for (i = 0; i < m->base.from->events.n; i++) {
		const struct cg_event *e = &m->base.from->events.v[i];
		const char *name = keep(m, e->name);

		if (!name)
			return -1;
		if (m->base.event[i] != CG_NONE)
			continue;
		found = find_event(m, name, by_spec ? e->spec : NULL);
		if (found != CG_NONE) {
			m->events.v[found].base = m->base.event[i] = i;
			m->events.v[found].base_samples = e->samples;
		} else if (!by_spec) {
			if (push_event(m, e, i, CG_NONE))
				return -1;
			m->events.v[m->events.n - 1].base_samples = e->samples;
		}
	}
	return 0;
}

static int parts_together(const void *a, const void *b)
{
	const struct union_event *x = a, *y = b;

	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	/* As they stood now; then those of the base alone. */
	if (x->now != y->now)
		return x->now < y->now ? -1 : 1;
	return x->base < y->base ? -1 : x->base > y->base;
}

static int add_events(struct merging *m)
{
	uint32_t i;

	for (i = 0; i < m->base.from->events.n; i++)
		m->base.event[i] = CG_NONE;
	for (i = 0; i < m->now.from->events.n; i++)
		if (push_event(m, &m->now.from->events.v[i], CG_NONE, i))
			return -1;
	if (match_events(m, true) || match_events(m, false))
		return -1;
	if (m->events.n)
		qsort(m->events.v, m->events.n, sizeof(*m->events.v), parts_together);
	for (i = 0; i < m->events.n; i++) {
		const struct union_event *e = &m->events.v[i];

		if (e->base != CG_NONE)
			m->base.event[e->base] = i;
		if (e->now != CG_NONE)
			m->now.event[e->now] = i;
		if (vec_push(&m->p->events, e->event) ||
		    vec_push(&m->base_events, e->base_samples))
			return -1;
	}
	return 0;
}

/* The group of the union; what tells it apart besides is the run's, and no run has another's. */
static uint32_t add_group(struct merging *m, const struct side *side, const struct cg_group *from)
{
	struct cg_group g = {.event = side->event[from->event],
			     .comm = keep(m, from->comm),
			     .pid = CG_NONE,
			     .tid = CG_NONE,
			     .cpu = CG_NONE};

	return g.comm ? cg_group_intern(m->p, &m->group_of_key, &g) : CG_NONE;
}

/* The stack of the union whose functions are the last n that were appended; takes them back if it
 * was there before.  CG_NONE when out of memory. */
static uint32_t intern_stack(struct merging *m, uint32_t group, uint32_t n)
{
	struct cg_profile *p = m->p;
	struct cg_stack s = {
		.first = p->locations_of.n - n, .npcs = n, .group = group, .kernel = CG_NONE};
	const uint32_t *chain = p->locations_of.v + s.first;
	uint32_t hash = hash_bytes(chain, n * sizeof(*chain)) ^ hash_u64(group), i;
	struct table_iter it;

	for (i = table_first(&m->stack_of_chain, hash, &it); i != TABLE_NONE;
	     i = table_next(&m->stack_of_chain, &it)) {
		const struct cg_stack *o = &p->stacks.v[i];

		if (o->group != group || o->npcs != n ||
		    memcmp(p->locations_of.v + o->first, chain, n * sizeof(*chain)) != 0)
			continue;
		p->locations_of.n = s.first;
		return i;
	}
	i = (uint32_t)p->stacks.n;
	if (vec_push(&p->stacks, s) || vec_push(&m->base_stacks, 0) ||
	    table_insert(&m->stack_of_chain, hash, i))
		return CG_NONE;
	return i;
}

static int add_stacks(struct merging *m, const struct side *side)
{
	const struct cg_profile *from = side->from;
	const struct cg_stack *s;
	uint32_t i, into;

	vec_each(s, &from->stacks) {
		uint32_t group = add_group(m, side, &from->groups.v[s->group]);

		if (group == CG_NONE)
			return -1;
		for (i = 0; i < s->npcs; i++)
			if (vec_push(&m->p->locations_of,
				     side->function[cg_function_of(from, s, i)]))
				return -1;
		into = intern_stack(m, group, s->npcs);
		if (into == CG_NONE)
			return -1;
		if (side == &m->base)
			m->base_stacks.v[into] += s->count;
		else
			m->p->stacks.v[into].count += s->count;
	}
	return 0;
}

static int side_init(struct side *side, const struct cg_profile *from)
{
	side->from = from;
	side->event = malloc((from->events.n + 1) * sizeof(*side->event));
	side->image = malloc((from->images.n + 1) * sizeof(*side->image));
	side->function = malloc((from->functions.n + 1) * sizeof(*side->function));
	return side->event && side->image && side->function ? 0 : -1;
}

static void side_fini(struct side *side)
{
	free(side->event);
	free(side->image);
	free(side->function);
}

static int merge(struct merging *m)
{
	return add_events(m) || add_images(m) || add_functions(m, &m->now) ||
			       add_functions(m, &m->base) || add_stacks(m, &m->now) ||
			       add_stacks(m, &m->base) || cg_profile_sort(m->p)
		       ? -1
		       : 0;
}

static void fini(struct merging *m)
{
	side_fini(&m->base);
	side_fini(&m->now);
	vec_free(&m->origins);
	vec_free(&m->events);
	vec_free(&m->base_stacks);
	vec_free(&m->base_events);
	table_clear(&m->event_of_name);
	table_clear(&m->rank_of_whole);
	table_clear(&m->image_of_path);
	table_clear(&m->function_of_name);
	table_clear(&m->stack_of_chain);
	table_clear(&m->group_of_key);
}

/* Makes a comparison of what was merged, which it takes. */
static struct cg_comparison *comparison_of(struct merging *m)
{
	struct cg_comparison *c = calloc(1, sizeof(*c));

	if (!c)
		return NULL;
	c->both = m->p;
	vec_move(&c->stacks, &m->base_stacks);
	vec_move(&c->events, &m->base_events);
	c->base = (struct cg_base){.was = m->base.from,
				   .now = m->now.from,
				   .stacks = c->stacks.v,
				   .events = c->events.v};
	m->p->quality = m->now.from->quality;
	m->p->origin = m->now.from->origin;
	m->p = NULL;
	return c;
}

struct cg_comparison *cg_compare(const struct cg_profile *base, const struct cg_profile *now,
				 bool short_names, struct err *err)
{
	struct merging m = {.p = calloc(1, sizeof(*m.p))};
	struct cg_comparison *c = NULL;

	if (m.p && (m.p->pool = strpool_new()) && !side_init(&m.base, base) &&
	    !side_init(&m.now, now) && !merge(&m) && !(short_names && cg_profile_shorten(m.p, err)))
		c = comparison_of(&m);
	if (!c)
		err_nomem(err);
	fini(&m);
	cg_profile_free(m.p);
	return c;
}

void cg_comparison_free(struct cg_comparison *c)
{
	if (!c)
		return;
	cg_profile_free(c->both);
	vec_free(&c->stacks);
	vec_free(&c->events);
	free(c);
}

struct cg_view cg_comparison_view(const struct cg_comparison *c)
{
	struct cg_view view = cg_view_all(c->both);

	view.base = &c->base;
	return view;
}
