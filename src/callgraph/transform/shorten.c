// SPDX-License-Identifier: BSD-2-Clause
#include <ctype.h>

#include "callgraph/model/state.h"
#include "callgraph/transform/shorten.h"

enum {
	DEEPEST = 8,	   /* types in types that are shortened; deeper ones are left out */
	HASH = 16,	   /* digits of Rust's */
	LONGEST = 16 << 10 /* bytes of a name: what the symbol part makes of any */
};

struct text {
	char *to;
	size_t n, size;
};

static void put(struct text *t, const char *from, size_t n)
{
	size_t room = t->size - 1 - t->n;

	n = n < room ? n : room;
	memcpy(t->to + t->n, from, n);
	t->n += n;
}

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '$' || (unsigned char)c >= 0x80;
}

/* The bytes of "operator<", "operator->*" and the like at s; 0: it is none with < or >. */
static size_t operator_at(const char *s, const char *begin)
{
	static const char *const signs[] = {"<=>", "<<=", ">>=", "->*", "<<", ">>",
					    "<=",  ">=",  "->",	 "<",	">"};
	size_t n = strlen("operator"), i;

	if (strncmp(s, "operator", n) != 0 || (s > begin && is_word(s[-1])))
		return 0;
	for (i = 0; i < sizeof(signs) / sizeof(signs[0]); i++)
		if (!strncmp(s + n, signs[i], strlen(signs[i])))
			return n + strlen(signs[i]);
	return 0;
}

/* The > that closes the < at s; NULL where none does before end. */
static const char *closing(const char *s, const char *end)
{
	const char *begin = s;
	size_t depth = 0, skip;

	for (; s < end; s++) {
		if ((skip = operator_at(s, begin)))
			s += skip - 1;
		else if (*s == '<')
			depth++;
		else if (*s == '>' && s[-1] != '-' && !--depth)
			return s;
	}
	return NULL;
}

/* The bytes of a hash at s that nobody needs to see; 0: it is none. */
static size_t hash_at(const char *s, const char *begin)
{
	size_t n;

	if (!strncmp(s, "::h", 3)) {
		n = strspn(s + 3, "0123456789abcdef");
		return n == HASH && !is_word(s[3 + n]) && s[3 + n] != ':' ? 3 + n : 0;
	}
	if (!strncmp(s, ".llvm.", 6))
		return 6 + strspn(s + 6, "0123456789");
	if (*s != '[' || s == begin || !is_word(s[-1]))
		return 0;
	n = strspn(s + 1, "0123456789abcdef");
	return n && n <= HASH && !strncmp(s + 1 + n, "]::", 3) ? n + 2 : 0;
}

/* Whether Rust's "<Type as Trait>::f" or "<Type>::f" begins at s, and ends at close. */
static bool is_qualified(const char *s, const char *begin, const char *close)
{
	return (s == begin || strchr("<(&*[ ,", s[-1])) && close[1] == ':';
}

static void shorten(struct text *t, const char *s, const char *end, unsigned int depth)
{
	const char *begin = s, *close;
	size_t n;

	while (s < end) {
		if ((n = hash_at(s, begin)) && s + n <= end) {
			s += n;
			continue;
		}
		n = operator_at(s, begin);
		if (n || *s != '<' || !(close = closing(s, end))) {
			/* What nothing closes is no template's. */
			n = n ? n : *s == '<' ? (size_t)(end - s) : 1;
			put(t, s, n);
			s += n;
			continue;
		}
		if (close - s - 1 <= CG_ARGUMENTS_KEPT) {
			put(t, s, (size_t)(close - s + 1));
		} else if (depth < DEEPEST && is_qualified(s, begin, close)) {
			put(t, "<", 1);
			shorten(t, s + 1, close, depth + 1);
			put(t, ">", 1);
		} else {
			put(t, "<..>", 4);
		}
		s = close + 1;
	}
}

void cg_shorten(const char *name, char *to, size_t size)
{
	struct text t = {.to = to, .size = size};

	shorten(&t, name, name + strlen(name), 0);
	t.to[t.n] = '\0';
}

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
		f->shown = NULL;
		cg_shorten(f->name, shown, LONGEST);
		/* One that stays is another's rival. */
		if (strcmp(shown, f->name) != 0)
			c.shown = strpool_intern(p->state->pool, shown);
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
		image->shown = NULL;
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
