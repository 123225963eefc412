// SPDX-License-Identifier: BSD-2-Clause
#include <ctype.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <stdio.h>

#include "base/edit.h"
#include "callgraph/output/match.h"
#include "callgraph/output/tree.h"

/* How far names are compared when none matches, and how many are told. */
enum { COMPARED = 48, TOLD = 3, HINT_NAME = 100 };

struct likeness {
	const char *name;
	unsigned int distance;
};

static bool ends_with(const char *text, size_t len, const char *end)
{
	size_t n = strlen(end);

	return len >= n && !memcmp(text + len - n, end, n);
}

/* The length of a C++ name without what stands behind its parameters, like " const". */
static size_t without_suffix(const char *name, size_t len)
{
	static const char *const suffixes[] = {" const", " volatile", " &", " &&", "@plt"};
	size_t i, before;

	do {
		before = len;
		for (i = 0; i < sizeof(suffixes) / sizeof(suffixes[0]); i++)
			if (ends_with(name, len, suffixes[i]))
				len -= strlen(suffixes[i]);
		if (ends_with(name, len, "]"))
			for (i = len; i-- > 0;)
				if (!strncmp(name + i, " [clone ", strlen(" [clone "))) {
					len = i;
					break;
				}
	} while (len < before);
	return len;
}

/* Where the parenthesis opens that closes at the end of name, or len where none does. */
static size_t parameters(const char *name, size_t len)
{
	size_t i, depth = 0;

	if (!ends_with(name, len, ")"))
		return len;
	for (i = len; i-- > 0;) {
		depth += name[i] == ')';
		depth -= name[i] == '(';
		if (!depth)
			return i;
	}
	return len;
}

/* Where a name begins behind the type that the function of a template returns. */
static size_t return_type(const char *name, size_t len)
{
	size_t i, depth = 0;

	for (i = len; i-- > 0;) {
		depth += strchr(")>}", name[i]) != NULL;
		if (strchr("(<{", name[i]) && !depth--)
			return 0;
		if (name[i] == ' ' && !depth && !ends_with(name, i, "operator"))
			return i + 1;
	}
	return 0;
}

/* Whether a C++ function is meant by its name without parameters, "Class::method". */
static bool matches_without_parameters(const char *pattern, const char *name)
{
	size_t len = without_suffix(name, strlen(name)), end = parameters(name, len), begin;
	char bare[1024];

	if (end == len || end >= sizeof(bare))
		return false;
	begin = return_type(name, end);
	memcpy(bare, name + begin, end - begin);
	bare[end - begin] = '\0';
	return !strcmp(pattern, bare) || !fnmatch(pattern, bare, 0);
}

static bool matches(const char *pattern, const char *name)
{
	return !strcmp(pattern, name) || !fnmatch(pattern, name, 0) ||
	       matches_without_parameters(pattern, name);
}

/* By its name, or as reports show it. */
static bool is_meant(const char *pattern, const struct cg_function *f)
{
	return matches(pattern, f->name) || (f->shown && matches(pattern, f->shown));
}

static int most_total_first(const void *a, const void *b, void *arg)
{
	const struct cg_profile *p = arg;
	const struct cg_sampled_function *x = a, *y = b;
	int order;

	if (x->total != y->total)
		return x->total < y->total ? 1 : -1;
	if (x->self != y->self)
		return x->self < y->self ? 1 : -1;
	if ((order = cg_function_compare(p, x->function, y->function)))
		return order;
	return x->function < y->function ? -1 : x->function > y->function;
}

void cg_match_functions(const struct cg_profile *p, const char *pattern,
			cg_sampled_functions *functions)
{
	const struct cg_sampled_function *sampled;
	size_t n = 0;

	vec_each(sampled, functions)
		if (is_meant(pattern, &p->functions.v[sampled->function]))
			functions->v[n++] = *sampled;
	functions->n = n;
	if (n)
		qsort_r(functions->v, n, sizeof(*functions->v), most_total_first,
			(void *)(uintptr_t)p);
}

bool cg_match_shows(const struct cg_profile *p, const char *pattern,
		    const cg_sampled_functions *functions, size_t i, uint64_t least)
{
	const struct cg_function *f = &p->functions.v[functions->v[i].function];

	return !i || functions->v[i].total >= least || !strcmp(pattern, f->name) ||
	       !strcmp(pattern, cg_shown_name(f));
}

void cg_match_write_rest(const struct cg_output_options *options, size_t rest, struct sink *sink)
{
	if (rest)
		sink_printf(sink, "... %zu more functions match, each below %g %%\n\n", rest,
			    cg_tree_threshold(options));
}

static char lower(char c)
{
	return (char)tolower((unsigned char)c);
}

/* How many letters must be changed, added or taken to make a part or the beginning of a name. */
static unsigned int distance(const char *text, const char *name)
{
	size_t n = strnlen(text, COMPARED), m = strnlen(name, COMPARED), j;
	unsigned int row[COMPARED + 1];

	if (strcasestr(name, text))
		return 0;
	edit_distances(text, n, name, m, lower, row);
	for (j = 0; j < m; j++)
		row[m] = row[j] < row[m] ? row[j] : row[m];
	return row[m];
}

/* Puts a name among the nearest, if it is. */
static void consider(struct likeness *nearest, const char *name, unsigned int d)
{
	size_t i, at = TOLD;

	for (i = TOLD; i-- > 0;) {
		if (nearest[i].name && !strcmp(nearest[i].name, name))
			return;
		if (!nearest[i].name || d < nearest[i].distance)
			at = i;
	}
	if (at == TOLD)
		return;
	memmove(&nearest[at + 1], &nearest[at], (TOLD - 1 - at) * sizeof(*nearest));
	nearest[at] = (struct likeness){name, d};
}

int cg_match_none(const struct cg_profile *p, const char *what, const char *pattern,
		  struct err *err)
{
	struct likeness nearest[TOLD] = {{0}};
	const struct cg_function *f;
	char names[TOLD * (HINT_NAME + 3)] = "";
	size_t i, at = 0;

	vec_each(f, &p->functions) {
		unsigned int d = distance(pattern, f->name);

		if (f->resolved && d <= strnlen(pattern, COMPARED) / 3)
			consider(nearest, f->name, d);
	}
	for (i = 0; i < TOLD && nearest[i].name; i++)
		at += (size_t)snprintf(names + at, sizeof(names) - at, "%s%.*s", i ? ", " : "",
				       HINT_NAME, nearest[i].name);
	err_set(err, EX_DATAERR, "no %s in the samples is called \"%s\"", what, pattern);
	if (!p->quality.samples)
		return err_hint(err, "the log has no samples: --dump shows what it has");
	if (!p->stacks.n)
		return err_hint(err, "of the log's %" PRIu64 " samples none is selected",
				p->quality.samples);
	if (at)
		return err_hint(err, "names like it: %s", names);
	if (p->quality.unresolved)
		return err_hint(err,
				"%" PRIu64 " of the %" PRIu64 " samples are in functions without a "
				"name; --flat -v lists the others, and says why",
				p->quality.unresolved, p->quality.selected);
	return err_hint(err, "--flat lists the functions; * and ? in a name match");
}
