// SPDX-License-Identifier: BSD-2-Clause
/* -g: a gmon.out file for every event and object with samples, as gprof(1) reads them. */
#include <inttypes.h>
#include <stdio.h>

#include "base/strpool.h"
#include "callgraph/read/arcs.h"
#include "callgraph/output/gmon_file.h"
#include "callgraph/output/output.h"

/* Longer names are cut, so that there is room for what is added and file systems take them. */
enum { NAME_SHOWN = 200, NAME_SIZE = NAME_SHOWN + 24 };

/* Names of files in one directory. */
struct file_names {
	struct strpool *pool;
	uint32_t used;		 /* ids below are of names that are taken */
	VEC(unsigned int) turns; /* of every id the next number for a name like it; 0: the first */
};

/* What -M tells of an event's samples in one object. */
struct share {
	uint32_t image; /* CG_NONE: in no object */
	uint32_t event;
	uint64_t samples;
};

struct gmon {
	const struct cg_view *view;
	const struct cg_profile *p; /* of the view */
	const struct cg_output_options *options;
	struct cg_files *files;
	struct err *err;
	struct file_names objects, events;
	const char **file_of; /* for each image; NULL: it has no file yet */
	struct cg_arcs arcs;  /* of the event in hand */
	bool *called;	      /* for each function, whether one of its object calls it there */
	VEC(struct share) shares;
	uint64_t clones;	/* of the event in hand: samples in functions as is_clone() */
	uint64_t clone_samples; /* those at the place in one that has the most, and its function */
	uint32_t clone;
};

/* Text as the name of a file: without what shells, terminals and file systems trip over. */
static void safe_name(char out[NAME_SIZE], const char *text)
{
	size_t n = 0;

	for (; *text && n < NAME_SHOWN; text++) {
		bool plain = (*text >= 'a' && *text <= 'z') || (*text >= 'A' && *text <= 'Z') ||
			     (*text >= '0' && *text <= '9') || strchr("_+,=:@%~", *text) ||
			     (n && strchr(".-", *text));

		/* "[kernel]" */
		if (*text != '[' && *text != ']')
			out[n++] = plain ? *text : '_';
	}
	if (!n)
		out[n++] = '_';
	out[n] = '\0';
}

/* The number of the next name like one that is taken; NULL when out of memory. */
static unsigned int *turn_of(struct file_names *names, uint32_t id)
{
	while (names->turns.n <= id)
		if (vec_push(&names->turns, 0))
			return NULL;
	if (!names->turns.v[id])
		names->turns.v[id] = 2;
	return &names->turns.v[id];
}

/* A name that no other file of the directory has; NULL when out of memory. */
static const char *unique_name(struct file_names *names, const char *text, const char *suffix)
{
	char base[NAME_SIZE], name[2 * NAME_SIZE];
	unsigned int *turn = NULL;
	uint32_t id;

	safe_name(base, text);
	snprintf(name, sizeof(name), "%s%s", base, suffix);
	while ((id = strpool_id(names->pool, name, strlen(name))) < names->used) {
		turn = turn ? turn : turn_of(names, id);
		if (!turn)
			return NULL;
		snprintf(name, sizeof(name), "%s~%u%s", base, (*turn)++, suffix);
	}
	if (id == UINT32_MAX)
		return NULL;
	names->used = id + 1;
	return strpool_text(names->pool, id);
}

/* The name of an object's files, the same for every event; NULL when out of memory. */
static const char *file_of(struct gmon *g, uint32_t image)
{
	const char *path = g->p->images.v[image].path;

	if (!g->file_of[image])
		g->file_of[image] = unique_name(&g->objects, cg_object_name(path), ".gmon");
	return g->file_of[image];
}

static uint32_t image_of_arc(const struct cg_profile *p, const struct cg_arc *arc)
{
	return p->functions.v[arc->callee].image;
}

/* By object, then as a reader of the file may want them. */
static int compare_arcs(const void *a, const void *b, void *arg)
{
	const struct cg_profile *p = arg;
	const struct cg_arc *x = a, *y = b;
	uint32_t image = image_of_arc(p, x), other = image_of_arc(p, y);

	if (image != other)
		return image < other ? -1 : 1;
	if (x->site != y->site)
		return x->site < y->site ? -1 : 1;
	return x->callee < y->callee ? -1 : x->callee > y->callee;
}

static int compare_leaves(const void *a, const void *b, void *arg)
{
	const struct cg_profile *p = arg;
	const struct cg_location *l = &p->locations.v[*(const uint32_t *)a],
				 *m = &p->locations.v[*(const uint32_t *)b];

	if (l->image != m->image)
		return l->image < m->image ? -1 : 1;
	return l->address < m->address ? -1 : l->address > m->address;
}

/* A compiler's, with a name that GNU gprof passes over: it gives the time to whatever is before. */
static bool is_clone(const char *name)
{
	static const char *const suffixes[] = {".isra.", ".part.",	".constprop.",
					       ".cold",	 ".lto_priv.",	"[clone "};
	size_t i;

	for (i = 0; i < sizeof(suffixes) / sizeof(suffixes[0]); i++)
		if (strstr(name, suffixes[i]))
			return true;
	return false;
}

static void count_clone(struct gmon *g, uint32_t leaf)
{
	uint32_t function = g->p->locations.v[leaf].function;
	uint64_t samples = g->arcs.self[leaf];

	if (!is_clone(g->p->functions.v[function].name))
		return;
	g->clones += samples;
	if (samples <= g->clone_samples)
		return;
	g->clone_samples = samples;
	g->clone = function;
}

static int add_hit(struct gmon *g, struct gmon_file *f, uint32_t leaf)
{
	const struct cg_location *l = &g->p->locations.v[leaf];
	const struct cg_function *of = &g->p->functions.v[l->function];
	struct gmon_hit hit = {
		.address = l->address,
		.start = l->address,
		.end = l->address,
		.count = g->arcs.self[leaf],
	};

	if (of->start <= l->address && l->address < of->end) {
		hit.start = of->start;
		hit.end = of->end;
	}
	return vec_push(&f->hits, hit);
}

/*
 * Where calls from outside of an object come from in its file: gprof hands all of a function's time
 * to the callers that a file names, so where there are some the others need one too.  They get a
 * function that nothing else calls.
 */
static bool find_outside(const struct gmon *g, uint32_t image, uint64_t *address)
{
	struct symbol_image *symbols = g->p->images.v[image].symbols;
	struct symbol s;

	if (!symbol_find_name(symbols, "_init", &s) && !symbol_find_name(symbols, "_start", &s))
		return false;
	*address = s.start;
	return true;
}

/* Adds the arcs [from, to), which are of one object. */
static int add_arcs(const struct gmon *g, struct gmon_file *f, uint32_t image,
		    const struct cg_arc *from, const struct cg_arc *to)
{
	const struct cg_arc *arc;
	uint64_t outside = 0;
	bool looked = false, found = false;

	for (arc = from; arc < to; arc++) {
		struct gmon_arc out = {.self = g->p->functions.v[arc->callee].start,
				       .count = arc->count};

		if (arc->site != CG_NONE) {
			const struct cg_location *site = &g->p->locations.v[arc->site];

			out.from = site->address - site->is_return;
		} else if (g->called[arc->callee]) {
			found = looked ? found : find_outside(g, image, &outside);
			looked = true;
			out.from = outside;
		}
		if ((arc->site != CG_NONE || (g->called[arc->callee] && found)) && out.count &&
		    vec_push(&f->arcs, out))
			return -1;
	}
	return 0;
}

static int write_file(struct gmon *g, struct gmon_file *f, const char *dir, const char *name)
{
	struct sink *sink = g->files->open(g->files, dir, name, g->err);
	int status;

	if (!sink)
		return -1;
	status = gmon_file_write(f, sink) ? err_nomem(g->err) : 0;
	if (g->files->close(g->files, sink, status ? NULL : g->err))
		status = -1;
	return status;
}

/* The file of the object that has leaves [first, last) and arcs [from, to). */
static int write_object(struct gmon *g, uint32_t event, const char *dir, size_t first, size_t last,
			size_t from, size_t to)
{
	uint32_t image = g->p->locations.v[g->arcs.leaves.v[first]].image;
	struct gmon_file f = {.layout = symbol_image_layout(g->p->images.v[image].symbols),
			      .bsd = g->options->bsd_gmon};
	struct share share = {image, event, 0};
	const char *name = file_of(g, image);
	int status = name ? 0 : -1;

	gmon_file_set_rate(&f, cg_event_nanoseconds(&g->p->events.v[event]));
	for (; first < last && !status; first++) {
		share.samples += g->arcs.self[g->arcs.leaves.v[first]];
		count_clone(g, g->arcs.leaves.v[first]);
		status = add_hit(g, &f, g->arcs.leaves.v[first]);
	}
	if (!status && from < to)
		status = add_arcs(g, &f, image, &g->arcs.arcs.v[from], &g->arcs.arcs.v[to]);
	if (status || vec_push(&g->shares, share))
		status = err_nomem(g->err);
	else
		status = write_file(g, &f, dir, name);
	gmon_file_fini(&f);
	return status;
}

/* A remark: so many of an event's samples, and what of them. */
static int tell(struct gmon *g, uint32_t event, uint64_t samples, const char *what,
		const char *function, const char *then)
{
	const struct cg_event *e = &g->p->events.v[event];
	struct sink *sink = sink_to_memory();
	int status;

	if (!sink)
		return err_nomem(g->err);
	sink_printf(sink, "%" PRIu64 " of %" PRIu64 " samples of ", samples, e->samples);
	cg_write_text(sink, e->name);
	sink_str(sink, what);
	cg_write_text(sink, function);
	sink_str(sink, then);
	status = sink_flush(sink) ? err_nomem(g->err) : 0;
	if (!status)
		g->files->remark(g->files, sink_text(sink, NULL));
	sink_free(sink);
	return status;
}

/* What no file has is told. */
static int leave_out(struct gmon *g, uint32_t event, uint64_t samples)
{
	if (vec_push(&g->shares, (struct share){CG_NONE, event, samples}))
		return err_nomem(g->err);
	return tell(g, event, samples, " were taken where nothing is mapped", "",
		    ": no gmon.out file has them\n");
}

static int tell_clones(struct gmon *g, uint32_t event)
{
	return tell(g, event, g->clones, " are in functions such as ",
		    g->p->functions.v[g->clone].name,
		    ", which GNU gprof does not know: it gives their time to others\n");
}

/* Adds the event up, by object. */
static int count_event(struct gmon *g, uint32_t event)
{
	static const struct cg_arcs_options options = {.within_objects = true};
	struct cg_view of = cg_view_of(g->view, &g->p->events.v[event]);
	void *p = (void *)(uintptr_t)g->p;
	struct cg_arcs *a = &g->arcs;
	const struct cg_arc *arc;

	if (cg_arcs_count(a, &of, &options))
		return -1;
	if (a->leaves.n)
		qsort_r(a->leaves.v, a->leaves.n, sizeof(*a->leaves.v), compare_leaves, p);
	if (a->arcs.n)
		qsort_r(a->arcs.v, a->arcs.n, sizeof(*a->arcs.v), compare_arcs, p);
	vec_each(arc, &a->arcs)
		g->called[arc->callee] = false;
	vec_each(arc, &a->arcs)
		if (arc->site != CG_NONE && g->p->locations.v[arc->site].function != arc->callee)
			g->called[arc->callee] = true;
	return 0;
}

static int write_event(struct gmon *g, uint32_t event)
{
	const struct cg_profile *p = g->p;
	const char *dir = unique_name(&g->events, p->events.v[event].name, "");
	struct cg_arcs *a = &g->arcs;
	size_t i, last, from = 0, to;
	uint64_t unmapped = 0;
	uint32_t image;

	g->clones = g->clone_samples = 0;
	if (!dir || count_event(g, event))
		return err_nomem(g->err);
	for (i = 0; i < a->leaves.n; i = last) {
		image = p->locations.v[a->leaves.v[i]].image;
		for (last = i; last < a->leaves.n; last++)
			if (p->locations.v[a->leaves.v[last]].image != image)
				break;
		while (from < a->arcs.n && image_of_arc(p, &a->arcs.v[from]) < image)
			from++;
		for (to = from; to < a->arcs.n && image_of_arc(p, &a->arcs.v[to]) == image;)
			to++;
		if (image != CG_NONE && write_object(g, event, dir, i, last, from, to))
			return -1;
		for (; image == CG_NONE && i < last; i++)
			unmapped += a->self[a->leaves.v[i]];
	}
	if (unmapped && leave_out(g, event, unmapped))
		return -1;
	return g->clones ? tell_clones(g, event) : 0;
}

static int by_image(const void *a, const void *b)
{
	const struct share *x = a, *y = b;

	if (x->image != y->image)
		return x->image < y->image ? -1 : 1;
	return x->event < y->event ? -1 : x->event > y->event;
}

/* -M: a line for each object with its samples of every event, last those in none. */
static int write_map(struct gmon *g)
{
	struct sink *sink = g->files->open(g->files, NULL, g->options->gmon_map, g->err);
	const struct share *s, *last = NULL;

	if (!sink)
		return -1;
	if (g->shares.n)
		qsort(g->shares.v, g->shares.n, sizeof(*g->shares.v), by_image);
	vec_each(s, &g->shares) {
		if (!last || s->image != last->image) {
			sink_str(sink, last ? "\n \"" : " \"");
			cg_write_text(sink, s->image == CG_NONE ? "[unknown]"
								: g->p->images.v[s->image].path);
			sink_printf(sink, "\" => \"%s\"",
				    s->image == CG_NONE ? "" : g->file_of[s->image]);
		}
		sink_char(sink, ' ');
		cg_write_name(sink, g->p->events.v[s->event].name);
		sink_printf(sink, "/%" PRIu64, s->samples);
		last = s;
	}
	if (last)
		sink_char(sink, '\n');
	return g->files->close(g->files, sink, g->err);
}

static int write_gmon(const struct cg_view *view, const struct cg_output_options *options,
		      struct cg_files *files, struct err *err)
{
	const struct cg_profile *p = view->profile;
	struct gmon g = {.view = view,
			 .p = p,
			 .options = options,
			 .files = files,
			 .err = err,
			 .objects.pool = strpool_new(),
			 .events.pool = strpool_new(),
			 .file_of = calloc(p->images.n + 1, sizeof(*g.file_of)),
			 .called = calloc(p->functions.n + 1, sizeof(*g.called))};
	int status = 0;
	uint32_t event;

	if (cg_arcs_init(&g.arcs, p) || !g.objects.pool || !g.events.pool || !g.file_of ||
	    !g.called)
		status = err_nomem(err);
	for (event = 0; event < p->events.n && !status; event++)
		status = write_event(&g, event);
	if (!status && options->gmon_map)
		status = write_map(&g);
	cg_arcs_fini(&g.arcs);
	strpool_free(g.objects.pool);
	vec_free(&g.objects.turns);
	strpool_free(g.events.pool);
	vec_free(&g.events.turns);
	free(g.file_of);
	free(g.called);
	vec_free(&g.shares);
	return status;
}

const struct cg_output cg_output_gmon = {
	.name = "gmon",
	.letter = 'g',
	.argument = CG_NAMES_NOTHING,
	.summary = "a gmon.out file for every event and object, for gprof",
	.write_files = write_gmon,
};
