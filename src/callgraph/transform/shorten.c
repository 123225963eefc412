// SPDX-License-Identifier: BSD-2-Clause
#include "base/short_name.h"
#include "callgraph/model/make.h"
#include "callgraph/transform/shorten.h"

/* Bytes of a name: what the symbol part makes of any. */
enum { LONGEST = 16 << 10 };

/* A name and what it would be shown as. */
struct candidate {
	const char *name, *shown;
	const char **set;
};

typedef VEC(struct candidate) candidates;

static int by_shown(const void *a, const void *b)
{
	const struct candidate *x = a, *y = b;
	int order = strcmp(x->shown, y->shown);

	return order ? order : strcmp(x->name, y->name);
}

/* Sets those that leave no doubt which name they stand for. */
static void settle(candidates *all)
{
	size_t i, from, next;

	if (all->n)
		qsort(all->v, all->n, sizeof(*all->v), by_shown);
	for (from = 0; from < all->n; from = next) {
		const struct candidate *first = &all->v[from];

		for (next = from + 1; next < all->n; next++)
			if (strcmp(all->v[next].shown, first->shown) != 0)
				break;
		/* They are in order, so that the first and the last differ if any do. */
		if (strcmp(first->name, all->v[next - 1].name) != 0)
			continue;
		for (i = from; i < next; i++)
			*all->v[i].set = all->v[i].shown;
	}
}

static int shorten_functions(struct cg_profile *p, candidates *all)
{
	char *shown = malloc(LONGEST);
	struct cg_function *f;
	bool bad = !shown;

	vec_each(f, &p->functions) {
		struct candidate c = {.name = f->name, .shown = f->name, .set = &f->shown};

		if (bad)
			break;
		short_name(f->name, shown, LONGEST);
		/* One that stays is another's rival. */
		if (strcmp(shown, f->name) != 0)
			c.shown = strpool_intern(p->pool, shown);
		bad = !c.shown || vec_push(all, c);
	}
	free(shown);
	if (!bad)
		settle(all);
	return bad ? -1 : 0;
}

static int shorten_images(struct cg_profile *p, candidates *all)
{
	struct cg_image *image;

	all->n = 0;
	vec_each(image, &p->images) {
		struct candidate c = {image->path, cg_object_name(image->path), &image->shown};

		/* "//anon" is the kernel's name for no file. */
		if (!strncmp(image->path, "//", 2))
			c.shown = image->path;
		if (vec_push(all, c))
			return -1;
	}
	settle(all);
	return 0;
}

int cg_profile_shorten(struct cg_profile *p, struct err *err)
{
	candidates all = {0};
	int status = shorten_functions(p, &all) || shorten_images(p, &all);

	vec_free(&all);
	return status ? err_nomem(err) : 0;
}
