// SPDX-License-Identifier: BSD-2-Clause
#include "callgraph/read/arcs.h"

struct counting {
	struct cg_arcs *a;
	const struct cg_profile *p;
	const struct cg_arcs_options *options;
	const struct cg_stack *stack;
	uint64_t samples; /* of that */
};

int cg_arcs_init(struct cg_arcs *a, const struct cg_profile *p)
{
	*a = (struct cg_arcs){0};
	a->self = calloc(p->locations.n + 1, sizeof(*a->self));
	a->seen = calloc(p->functions.n + 1, sizeof(*a->seen));
	a->caller = calloc(p->images.n + 1, sizeof(*a->caller));
	return a->self && a->seen && a->caller ? 0 : -1;
}

void cg_arcs_fini(struct cg_arcs *a)
{
	vec_free(&a->arcs);
	vec_free(&a->leaves);
	vec_free(&a->calls);
	table_clear(&a->arc_of_call);
	table_clear(&a->first_of_functions);
	free(a->self);
	free(a->seen);
	free(a->caller);
	*a = (struct cg_arcs){0};
}

static uint32_t caller_of(const struct counting *c, const struct cg_arc *arc)
{
	return arc->site == CG_NONE ? CG_NONE : c->p->locations.v[arc->site].function;
}

/* Makes an arc.  0, or -1 when out of memory. */
static int add_arc(const struct counting *c, const struct cg_arc_call *call)
{
	struct cg_arcs *a = c->a;
	struct table *t = &a->first_of_functions;
	struct cg_arc arc = {
		.site = call->site, .callee = call->callee, .first = (uint32_t)a->arcs.n};
	uint32_t caller = caller_of(c, &arc), hash, i;
	struct table_iter it;

	hash = hash_u64((uint64_t)caller << 32 | arc.callee);
	for (i = table_first(t, hash, &it); i != TABLE_NONE; i = table_next(t, &it))
		if (a->arcs.v[i].callee == arc.callee && caller_of(c, &a->arcs.v[i]) == caller)
			arc.first = i;
	if (arc.first == a->arcs.n && table_insert(t, hash, arc.first))
		return -1;
	return vec_push(&a->arcs, arc) ||
			       table_insert(&a->arc_of_call, call->hash, (uint32_t)a->arcs.n - 1)
		       ? -1
		       : 0;
}

/* Finds the arc of a call, or makes it. */
static int find_arc(const struct counting *c, struct cg_arc_call *call)
{
	struct cg_arcs *a = c->a;
	struct table_iter it;
	uint32_t i;

	for (i = table_first(&a->arc_of_call, call->hash, &it); i != TABLE_NONE;
	     i = table_next(&a->arc_of_call, &it))
		if (a->arcs.v[i].site == call->site && a->arcs.v[i].callee == call->callee)
			break;
	if (i == TABLE_NONE && add_arc(c, call))
		return -1;
	call->arc = i == TABLE_NONE ? (uint32_t)a->arcs.n - 1 : i;
	return 0;
}

/* Notes a call of the stack in hand, for which there is room. */
static void add_call(const struct counting *c, uint32_t site, uint32_t callee)
{
	uint32_t hash = hash_u64((uint64_t)site << 32 | callee);
	struct cg_arcs *a = c->a;

	if (a->arc_of_call.slot)
		__builtin_prefetch(&a->arc_of_call.slot[hash & a->arc_of_call.mask]);
	a->calls.v[a->calls.n++] = (struct cg_arc_call){site, callee, hash, 0};
}

/* Counts the noted calls, outermost first: in steps, so that waits for memory overlap. */
static int count_calls(const struct counting *c)
{
	struct cg_arcs *a = c->a;
	struct cg_arc_call *call;

	vec_each(call, &a->calls) {
		if (find_arc(c, call))
			return -1;
		__builtin_prefetch(&a->arcs.v[a->arcs.v[call->arc].first]);
	}
	vec_each(call, &a->calls) {
		struct cg_arc *arc = &a->arcs.v[call->arc], *first = &a->arcs.v[arc->first];

		if (first->stack != a->stamp)
			arc->count += c->samples;
		first->stack = a->stamp;
		if (a->seen[call->callee] != a->stamp)
			arc->cost += c->samples;
		a->seen[call->callee] = a->stamp;
	}
	return 0;
}

static int count_leaf(const struct counting *c, uint32_t location)
{
	if (!c->a->self[location] && vec_push(&c->a->leaves, location))
		return -1;
	c->a->self[location] += c->samples;
	return 0;
}

/* The locations of an address's inlined functions follow each other, the outermost comes last. */
bool cg_is_inlined(const struct cg_profile *p, const struct cg_stack *s, uint32_t i)
{
	const uint32_t *of = p->locations_of.v + s->first;
	const struct cg_location *l = &p->locations.v[of[i]], *outer;

	if (i + 1 == s->npcs || of[i] >= of[i + 1])
		return false;
	outer = &p->locations.v[of[i + 1]];
	return l->address == outer->address && l->image == outer->image &&
	       l->is_return == outer->is_return;
}

/* Notes calls within objects, from the outermost frame on; the location of the leaf. */
static uint32_t calls_within(const struct counting *c)
{
	const uint32_t *of = c->p->locations_of.v + c->stack->first;
	uint32_t i;

	for (i = c->stack->npcs; i-- > 0;) {
		const struct cg_location *l = &c->p->locations.v[of[i]];
		struct cg_arc_caller *caller;

		if (l->image == CG_NONE || cg_is_inlined(c->p, c->stack, i))
			continue;
		caller = &c->a->caller[l->image];
		add_call(c, caller->stack == c->a->stamp ? caller->site : CG_NONE, l->function);
		*caller = (struct cg_arc_caller){c->a->stamp, of[i]};
	}
	return of[0];
}

/* The same for all calls; where every frame is folded the outermost one stays. */
static uint32_t calls_of(const struct counting *c)
{
	const uint32_t *of = c->p->locations_of.v + c->stack->first;
	const bool *folded = c->options->folded;
	uint32_t i = c->stack->npcs, site = CG_NONE;

	while (folded && i && folded[c->p->locations.v[of[i - 1]].function])
		i--;
	if (!i)
		i = c->stack->npcs;
	for (; i > 0; i--) {
		uint32_t callee = c->p->locations.v[of[i - 1]].function;

		if (folded && folded[callee] && site != CG_NONE)
			continue;
		add_call(c, site, callee);
		site = of[i - 1];
	}
	return site;
}

static void reset(struct cg_arcs *a)
{
	const uint32_t *leaf;

	vec_each(leaf, &a->leaves)
		a->self[*leaf] = 0;
	a->leaves.n = a->arcs.n = 0;
	table_clear(&a->arc_of_call);
	table_clear(&a->first_of_functions);
}

int cg_arcs_count(struct cg_arcs *a, const struct cg_view *view,
		  const struct cg_arcs_options *options)
{
	const struct cg_profile *p = view->profile;
	struct counting c = {.a = a, .p = p, .options = options};
	uint32_t i;

	reset(a);
	for (i = 0; i < view->n; i++) {
		uint32_t leaf;

		c.stack = &p->stacks.v[view->stacks[i]];
		c.samples = cg_view_count(view, view->stacks[i]);
		a->stamp++;
		a->calls.n = 0;
		if (vec_reserve(&a->calls, c.stack->npcs))
			return -1;
		leaf = options->within_objects ? calls_within(&c) : calls_of(&c);
		if (count_leaf(&c, leaf) || count_calls(&c))
			return -1;
	}
	return 0;
}
