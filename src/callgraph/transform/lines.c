// SPDX-License-Identifier: BSD-2-Clause
/* Places in the source of a profile's locations, and inlined functions as frames of its chains. */
#include "callgraph/model/make.h"
#include "callgraph/transform/steps.h"

/* Functions by image and name, for those that were inlined. */
struct naming {
	struct cg_profile *p;
	struct table by_name;
};

static uint32_t name_hash(uint32_t image, const char *name)
{
	return hash_bytes(name, strlen(name)) ^ hash_u64(image);
}

static int name_functions(struct naming *n)
{
	uint32_t i;

	for (i = 0; i < n->p->functions.n; i++) {
		const struct cg_function *f = &n->p->functions.v[i];

		if (f->resolved && table_insert(&n->by_name, name_hash(f->image, f->name), i))
			return -1;
	}
	return 0;
}

/* The function of a frame; CG_NONE when out of memory. */
static uint32_t function_of(struct naming *n, uint32_t image, const char *name)
{
	struct cg_function f = {.name = name, .image = image, .resolved = true, .is_inlined = true};
	uint32_t hash = name_hash(image, name), i;
	struct table_iter it;

	for (i = table_first(&n->by_name, hash, &it); i != TABLE_NONE;
	     i = table_next(&n->by_name, &it)) {
		const struct cg_function *o = &n->p->functions.v[i];

		if (o->image == image && !strcmp(o->name, name))
			return i;
	}
	if (vec_push(&n->p->functions, f) ||
	    table_insert(&n->by_name, hash, (uint32_t)(n->p->functions.n - 1)))
		return CG_NONE;
	return (uint32_t)(n->p->functions.n - 1);
}

static int add_frame(struct naming *n, const struct cg_location *l, const struct symbol_frame *from,
		     bool outermost)
{
	struct cg_frame f = {.function = l->function, .file = from->file, .line = from->line};

	if (!outermost && from->function)
		f.function = function_of(n, l->image, from->function);
	return f.function == CG_NONE || vec_push(&n->p->frames, f) ? -1 : 0;
}

static int add_lines(struct naming *n, struct cg_location *l)
{
	struct symbol_image *symbols =
		l->image == CG_NONE ? NULL : n->p->images.v[l->image].symbols;
	struct symbol_frame frames[SYMBOL_MAX_FRAMES] = {{0}};
	uint32_t i;

	l->first_frame = n->p->frames.n;
	l->frames = symbols ? symbol_frames(symbols, l->address - l->is_return, frames) : 0;
	/* Without debug information there is one place of which only the function is known. */
	l->frames += !l->frames;
	for (i = 0; i < l->frames; i++)
		if (add_frame(n, l, &frames[i], i + 1 == l->frames))
			return -1;
	return 0;
}

static int by_address(const void *a, const void *b, void *arg)
{
	const struct cg_profile *p = arg;
	const struct cg_location *x = &p->locations.v[*(const uint32_t *)a],
				 *y = &p->locations.v[*(const uint32_t *)b];

	if (x->image != y->image)
		return x->image < y->image ? -1 : 1;
	return x->address < y->address ? -1 : x->address > y->address;
}

/* The locations by image and address, so that debug information is read once, and in order. */
static uint32_t *sort_locations(struct cg_profile *p)
{
	uint32_t *order = malloc((p->locations.n + 1) * sizeof(*order)), i;

	if (!order)
		return NULL;
	for (i = 0; i < p->locations.n; i++)
		order[i] = i;
	qsort_r(order, p->locations.n, sizeof(*order), by_address, p);
	return order;
}

int cg_profile_add_lines(struct cg_profile *p, struct err *err)
{
	struct naming n = {.p = p};
	uint32_t *order = sort_locations(p), i;
	int status = !order || name_functions(&n);

	for (i = 0; i < p->locations.n && !status; i++) {
		cg_tell_progress(&p->progress, "finding source lines", i, p->locations.n);
		status = add_lines(&n, &p->locations.v[order[i]]);
	}
	free(order);
	table_clear(&n.by_name);
	return status ? err_nomem(err) : 0;
}

/* A location for every frame of those with several; inlined[i] is the first of location i's. */
static int split_locations(struct cg_profile *p, uint32_t *inlined)
{
	size_t i, n = p->locations.n;
	uint32_t j;

	for (i = 0; i < n; i++) {
		struct cg_location l = p->locations.v[i];

		inlined[i] = (uint32_t)p->locations.n;
		for (j = 0; j < p->locations.v[i].frames && p->locations.v[i].frames > 1; j++) {
			l.frames = 1;
			l.first_frame = p->locations.v[i].first_frame + j;
			l.function = p->frames.v[l.first_frame].function;
			if (vec_push(&p->locations, l))
				return -1;
		}
	}
	return 0;
}

/* Writes the chains anew, with every frame of their locations. */
static int expand(struct cg_profile *p, const uint32_t *inlined, size_t locations)
{
	VEC(uint64_t) words = {0};
	VEC(uint32_t) locations_of = {0};
	struct cg_stack *s;
	int status = 0;
	uint32_t i, j;

	vec_each(s, &p->stacks) {
		uint64_t first = words.n;

		for (i = 0; i < s->npcs && !status; i++) {
			uint32_t l = p->locations_of.v[s->first + i];
			uint32_t frames = l < locations ? p->locations.v[l].frames : 1;

			for (j = 0; j < frames && !status; j++)
				status = vec_push(&words, p->words.v[s->first + i]) ||
					 vec_push(&locations_of, frames > 1 ? inlined[l] + j : l);
		}
		s->first = first;
		s->npcs = (uint32_t)(words.n - first);
		s->marks = 0;
	}
	vec_free(&p->words);
	vec_free(&p->locations_of);
	vec_move(&p->words, &words);
	vec_move(&p->locations_of, &locations_of);
	return status;
}

int cg_profile_show_inlined(struct cg_profile *p, struct err *err)
{
	size_t locations = p->locations.n;
	uint32_t *inlined = malloc((locations + 1) * sizeof(*inlined));
	int status = !inlined || split_locations(p, inlined) || expand(p, inlined, locations);

	free(inlined);
	return status ? err_nomem(err) : 0;
}
