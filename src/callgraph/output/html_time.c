// SPDX-License-Identifier: BSD-2-Clause
/*
 * A page's call tree as text for its script (html_digits.h): a line for each event that has
 * samples.
 *
 *	line    = samples, run ...	the samples are those at the event itself, so only "others"
 *	run     = up, n, function * n, samples
 *	samples = 2 * steps + has others, step * steps, if others: their steps, step * steps
 *
 * A run begins at a callee of the node that lies so many levels above the one before, leads from
 * callee to callee, and has the samples of the last of them.  Functions are numbers of the page's
 * tables; the others of a node are the samples of its callees that have too few to be kept, where
 * all do not fit.
 */
#include <inttypes.h>

#include "callgraph/output/html_digits.h"
#include "callgraph/output/html_time.h"
#include "callgraph/read/walk.h"

enum {
	MOST_DIGITS = 4 << 20, /* of all lines */
	FEWEST_STEPS = 64,     /* that time keeps as long as chains can be left out instead */
};

struct node {
	uint64_t count; /* samples */
	uint32_t function, depth;
	uint32_t kept; /* itself, or the next one above it that has samples enough */
};

struct times {
	const struct cg_view *view;
	const struct cg_profile *p; /* its own */
	const uint32_t *number;
	VEC(struct node) nodes; /* callers first; that of an event, depth 0, before its chains' */
	uint32_t *node_of_stack;
	uint64_t least;	    /* samples of a node that is kept */
	unsigned int shift; /* a step is so many slots of the timeline, as a power of 2 */
	/*
	 * The slots of samples in order of time: those of node n from first[2 * n] on, then those
	 * of the callees that are not kept.
	 */
	size_t *first;
	uint16_t *slots;
	struct cg_digits digits;
	size_t in_steps; /* of them */
	bool failed;	   /* out of memory */
};

bool cg_html_has_times(const struct cg_profile *p)
{
	return p->timeline.slots > 1 && p->moments.n && !p->quality.scaled;
}

uint16_t cg_html_slot(const struct cg_timeline *line, const struct cg_moment *m)
{
	uint32_t slot = (uint32_t)(m->seconds / line->seconds);

	return (uint16_t)(slot < line->slots ? slot : line->slots - 1);
}

static void add_node(void *arg, const struct cg_node *n)
{
	struct times *t = arg;
	struct node node = {.count = n->count, .function = n->function, .depth = n->depth + 1};
	uint32_t i;

	if (n->function == CG_END)
		return;
	for (i = 0; n->self && i < n->nchains; i++) {
		uint32_t stack = (uint32_t)n->chains[i];

		if (t->p->stacks.v[stack].npcs == n->depth + 1)
			t->node_of_stack[stack] = (uint32_t)t->nodes.n;
	}
	t->failed |= vec_push(&t->nodes, node) != 0;
}

static int grow_tree(struct times *t)
{
	const struct cg_walk_options walk = {.from_root = true, .by_name = true};
	const struct cg_event *e;

	vec_each(e, &t->p->events) {
		struct node root = {.count = e->samples, .function = CG_NONE};
		struct cg_view of = cg_view_of(t->view, e);

		if (root.count &&
		    (vec_push(&t->nodes, root) || cg_walk(&of, &walk, add_node, t) || t->failed))
			return -1;
	}
	return 0;
}

/* Finds which nodes are kept. */
static int keep(struct times *t)
{
	VEC(uint32_t) way = {0}; /* what is kept of the nodes that lead to the one in hand */
	struct node *n;

	vec_each(n, &t->nodes) {
		uint32_t i = (uint32_t)(n - t->nodes.v);

		if (vec_reserve(&way, n->depth + 1)) {
			vec_free(&way);
			return -1;
		}
		n->kept = !n->depth || n->count >= t->least ? i : way.v[n->depth - 1];
		way.v[n->depth] = n->kept;
	}
	vec_free(&way);
	return 0;
}

/* Where the samples of a moment are in first. */
static size_t place_of(const struct times *t, const struct cg_moment *m)
{
	uint32_t node = t->node_of_stack[m->stack], kept = t->nodes.v[node].kept;

	return 2 * (size_t)kept + (kept != node);
}

/* Sorts the samples by node and time. */
static void sort_samples(struct times *t)
{
	const struct cg_timeline *line = &t->p->timeline;
	size_t i, places = 2 * t->nodes.n;
	const struct cg_moment *m;

	memset(t->first, 0, (places + 2) * sizeof(*t->first));
	vec_each(m, &t->p->moments)
		t->first[place_of(t, m) + 2]++;
	for (i = 2; i < places + 2; i++)
		t->first[i] += t->first[i - 1];
	/* Each place's beginning moves to its end, where the next one begins. */
	vec_each(m, &t->p->moments) {
		t->slots[t->first[place_of(t, m) + 1]++] = cg_html_slot(line, m);
	}
	for (i = 0; i < places; i++)
		if (t->first[i + 1] - t->first[i] > 1)
			qsort(t->slots + t->first[i], t->first[i + 1] - t->first[i],
			      sizeof(*t->slots), cg_digits_by_time);
}

static void put_samples(struct times *t, size_t node)
{
	const size_t *first = t->first + 2 * node;
	const uint16_t *own = t->slots + first[0], *rest = t->slots + first[1];
	size_t nown = first[1] - first[0], nrest = first[2] - first[1], before = t->digits.used;
	struct cg_digits *d = &t->digits;

	cg_digits_put(d, 2 * cg_digits_count_steps(own, nown, t->shift) + (nrest > 0));
	cg_digits_put_steps(d, own, nown, t->shift);
	if (nrest) {
		cg_digits_put(d, cg_digits_count_steps(rest, nrest, t->shift));
		cg_digits_put_steps(d, rest, nrest, t->shift);
	}
	t->in_steps += d->used - before;
}

/* The next node that is kept, behind i. */
static size_t next_kept(const struct times *t, size_t i)
{
	do
		i++;
	while (i < t->nodes.n && t->nodes.v[i].kept != i);
	return i;
}

/* Whether a node is one of its run, but not the last. */
static bool leads_on(const struct times *t, size_t i)
{
	size_t next = next_kept(t, i);

	return t->first[2 * i] == t->first[2 * i + 2] && next < t->nodes.n &&
	       t->nodes.v[next].depth == t->nodes.v[i].depth + 1;
}

/* Writes the run that begins with node i; that which comes behind it. */
static size_t put_run(struct times *t, size_t i, uint32_t last_depth)
{
	size_t last = i;
	uint64_t n = 1;

	for (; leads_on(t, last); n++)
		last = next_kept(t, last);
	cg_digits_put(&t->digits, last_depth + 1 - t->nodes.v[i].depth);
	cg_digits_put(&t->digits, n);
	for (; n; n--, i = next_kept(t, i))
		cg_digits_put(&t->digits, t->number[t->nodes.v[i].function]);
	put_samples(t, last);
	return i;
}

/* Writes all, or counts its digits until they are too many. */
static void put_all(struct times *t)
{
	uint32_t depth = 0;
	size_t i = 0, next;

	t->digits.used = t->in_steps = 0;
	while (i < t->nodes.n && t->digits.used <= MOST_DIGITS) {
		if (t->nodes.v[i].depth) {
			next = put_run(t, i, depth);
		} else {
			if (t->digits.sink && i)
				sink_char(t->digits.sink, '\n');
			put_samples(t, i);
			next = next_kept(t, i);
		}
		/* Of a run's last node. */
		for (depth = 0; i < next; i = next_kept(t, i))
			depth = t->nodes.v[i].depth;
	}
}

/* Makes it fit: by longer steps first where they are most of it, then without rare chains. */
static int fit(struct times *t)
{
	for (t->least = 1; t->shift < 16;) {
		if (keep(t))
			return -1;
		sort_samples(t);
		put_all(t);
		if (t->digits.used <= MOST_DIGITS)
			return 0;
		if (t->least > t->p->moments.n ||
		    (t->in_steps > t->digits.used / 2 &&
		     t->p->timeline.slots >> t->shift > FEWEST_STEPS))
			t->shift++;
		else
			t->least *= 2;
	}
	return 0;
}

static int prepare(struct times *t)
{
	t->node_of_stack = calloc(t->p->stacks.n + 1, sizeof(*t->node_of_stack));
	if (!t->node_of_stack || grow_tree(t))
		return -1;
	t->first = malloc((2 * t->nodes.n + 2) * sizeof(*t->first));
	t->slots = malloc((t->p->moments.n + 1) * sizeof(*t->slots));
	return t->first && t->slots ? fit(t) : -1;
}

static void write_times(struct times *t)
{
	if (t->shift)
		sink_printf(t->digits.sink,
			    "<p>A part of the time begins and ends with a step of %.3g s."
			    "</p>\n",
			    t->p->timeline.seconds * (1 << t->shift));
	if (t->least > 1)
		sink_printf(t->digits.sink,
			    "<p>Of a part of the time, callees with fewer than %" PRIu64
			    " samples in all of it are one frame, (others), and are counted for "
			    "no function.</p>\n",
			    t->least);
	sink_printf(t->digits.sink, "<script type=\"text/plain\" id=\"times\" data-shift=\"%u\">\n",
		    t->shift);
	put_all(t);
	sink_str(t->digits.sink, "\n</script>\n");
}

int cg_html_write_times(const struct cg_view *view, const uint32_t *number, struct sink *sink)
{
	struct times t = {.view = view, .p = view->profile, .number = number};
	int status = prepare(&t);

	/* Millions of events alone would be too much. */
	if (!status && t.digits.used <= MOST_DIGITS) {
		t.digits.sink = sink;
		write_times(&t);
	}
	free(t.node_of_stack);
	free(t.first);
	free(t.slots);
	vec_free(&t.nodes);
	return status;
}
