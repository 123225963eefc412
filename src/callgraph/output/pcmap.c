// SPDX-License-Identifier: BSD-2-Clause
/*
 * -m: the program counter of each sample and the function that holds it, in FreeBSD's form.  Its
 * readers count lines, so there is one for every sample; equal lines are neighbours.
 */
#include <inttypes.h>

#include "callgraph/output/output.h"

/* A distinct leaf, with all samples of it. */
struct leaf {
	uint64_t pc, count;
	uint32_t stack; /* one that has it */
};

typedef VEC(struct leaf) leaves_vec;

static uint32_t location_of(const struct cg_profile *p, const struct leaf *l)
{
	return p->locations_of.v[p->stacks.v[l->stack].first];
}

static int by_place(const void *a, const void *b, void *arg)
{
	const struct cg_profile *p = arg;
	const struct leaf *x = a, *y = b;
	uint32_t l = location_of(p, x), m = location_of(p, y);

	if (x->pc != y->pc)
		return x->pc < y->pc ? -1 : 1;
	return l < m ? -1 : l > m;
}

static int hottest_first(const void *a, const void *b, void *arg)
{
	const struct leaf *x = a, *y = b;

	if (x->count != y->count)
		return x->count < y->count ? 1 : -1;
	return by_place(a, b, arg);
}

static int gather(const struct cg_profile *p, leaves_vec *leaves)
{
	const struct cg_stack *s;
	struct leaf *l;
	size_t n = 0;

	vec_each(s, &p->stacks)
		if (vec_push(leaves, (struct leaf){p->words.v[s->first], s->count,
						   (uint32_t)(s - p->stacks.v)}))
			return -1;
	if (!leaves->n)
		return 0;
	qsort_r(leaves->v, leaves->n, sizeof(*leaves->v), by_place, (void *)(uintptr_t)p);
	vec_each(l, leaves) {
		if (n && !by_place(l, &leaves->v[n - 1], (void *)(uintptr_t)p))
			leaves->v[n - 1].count += l->count;
		else
			leaves->v[n++] = *l;
	}
	leaves->n = n;
	qsort_r(leaves->v, n, sizeof(*leaves->v), hottest_first, (void *)(uintptr_t)p);
	return 0;
}

static void write_leaf(const struct cg_profile *p, const struct leaf *l, struct sink *sink)
{
	const struct cg_stack *s = &p->stacks.v[l->stack];
	const struct cg_function *f = &p->functions.v[cg_function_of(p, s, 0)];
	/* That of the symbol around it where the function was inlined. */
	const struct cg_location *at = &p->locations.v[p->locations_of.v[s->first]];

	sink_hex(sink, l->pc);
	sink_char(sink, ' ');
	cg_write_name(sink, cg_is_function(f) ? f->name : "<unknown>");
	sink_char(sink, ' ');
	sink_hex(sink, cg_is_function(f) ? at->start : 0);
	sink_char(sink, ' ');
	sink_hex(sink, cg_is_function(f) ? at->end : 0);
	sink_char(sink, '\n');
}

static int write_map(const struct cg_view *view, const struct cg_output_options *options,
		     struct sink *sink, struct err *err)
{
	const struct cg_profile *p = view->profile;
	leaves_vec leaves = {0};
	int bad = gather(p, &leaves);
	size_t i;

	(void)options;
	for (i = 0; i < leaves.n && !bad; i++) {
		struct sink *line = sink_to_memory();

		if (line)
			write_leaf(p, &leaves.v[i], line);
		bad = !line || cg_write_times(sink, line, leaves.v[i].count);
		sink_free(line);
	}
	vec_free(&leaves);
	return bad ? err_nomem(err) : 0;
}

const struct cg_output cg_output_pcmap = {
	.name = "pc-map",
	.letter = 'm',
	.argument = CG_MUST_NAME_FILE,
	.summary = "each sample's address and its function's range",
	.write = write_map,
};
