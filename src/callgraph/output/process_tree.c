// SPDX-License-Identifier: BSD-2-Clause
/*
 * --process-tree: processes below those that created them, with what each counted until it exited
 * and what it and all below it did.
 */
#include <inttypes.h>
#include <stdio.h>

#include "callgraph/output/output.h"
#include "callgraph/model/times.h"
#include "callgraph/output/tree.h"

enum {
	INDENT = 2,
	DEEPEST = 16,	 /* levels; indentation begins anew behind it */
	MOST_PMCS = 256, /* as many as can count at a time */
};

/* A process in the tree of a PMC. */
struct node {
	uint64_t self, total;
	bool counted;	 /* self is known */
	bool incomplete; /* of a process below, or of this, it is not */
	bool shown;
	uint32_t first, last, next; /* children, in the order of birth; CG_NONE: none */
	uint32_t depth;
};

struct forest {
	const struct cg_profile *p;
	struct node *node; /* of each lifetime */
	uint64_t whole, least;
	int digits; /* of the largest number */
	struct sink *sink;
};

static void take_counts(struct forest *f, uint32_t pmcid)
{
	const struct cg_lifetime_count *c;
	uint32_t i;

	for (i = 0; i < f->p->lifetimes.n; i++)
		f->node[i] = (struct node){.first = CG_NONE, .last = CG_NONE, .next = CG_NONE};
	f->whole = 0;
	vec_each(c, &f->p->lifetime_counts) {
		if (c->pmcid != pmcid)
			continue;
		f->node[c->lifetime].self += c->value;
		f->node[c->lifetime].counted = f->node[c->lifetime].shown = true;
		f->whole += c->value;
	}
}

/*
 * Shown are processes with a count, those that they come from, and where the PMC follows children
 * those without, which still run or whose records were lost.
 */
static void choose(struct forest *f, bool descends)
{
	const struct cg_lifetime *lifetime = f->p->lifetimes.v;
	uint32_t i;

	for (i = (uint32_t)f->p->lifetimes.n; i-- > 0;)
		if (f->node[i].shown && lifetime[i].parent != CG_NONE)
			f->node[lifetime[i].parent].shown = true;
	for (i = 0; descends && i < f->p->lifetimes.n; i++)
		if (lifetime[i].born && f->node[lifetime[i].parent].shown)
			f->node[i].shown = true;
}

/* Links those shown to their parents, and adds them up from below. */
static void link_up(struct forest *f)
{
	struct node *n, *parent;
	uint32_t i, at;

	for (i = 0; i < f->p->lifetimes.n; i++) {
		at = f->p->lifetimes.v[i].parent;
		if (at == CG_NONE || !f->node[i].shown)
			continue;
		parent = &f->node[at];
		f->node[i].depth = parent->depth + 1;
		if (parent->first == CG_NONE)
			parent->first = i;
		else
			f->node[parent->last].next = i;
		parent->last = i;
	}
	for (i = (uint32_t)f->p->lifetimes.n; i-- > 0;) {
		n = &f->node[i];
		n->total += n->self;
		n->incomplete |= !n->counted;
		at = f->p->lifetimes.v[i].parent;
		if (at == CG_NONE || !n->shown)
			continue;
		f->node[at].total += n->total;
		f->node[at].incomplete |= n->incomplete;
	}
}

/* Whether a process has a line of its own; one that still runs has, whatever it counted. */
static bool has_line(const struct forest *f, const struct node *n)
{
	return n->incomplete || n->total >= f->least;
}

static void write_command(const struct forest *f, uint32_t depth)
{
	sink_fill(f->sink, ' ', 2 + (size_t)(depth % DEEPEST) * INDENT);
	if (depth >= DEEPEST)
		sink_printf(f->sink, "%" PRIu32 ": ", depth);
}

static void write_seconds(const struct forest *f, const struct cg_lifetime *lifetime)
{
	if (lifetime->ended && lifetime->end >= lifetime->begin && f->p->ticks)
		sink_printf(f->sink, " %9.3f",
			    (double)(lifetime->end - lifetime->begin) / (double)f->p->ticks);
	else
		sink_printf(f->sink, " %9s", "-");
}

static void write_line(const struct forest *f, uint32_t i)
{
	const struct cg_lifetime *lifetime = &f->p->lifetimes.v[i];
	const struct node *n = &f->node[i];

	sink_printf(f->sink, "%6.2f %*" PRIu64 "%c", cg_percent(n->total, f->whole), f->digits,
		    n->total, n->incomplete ? '+' : ' ');
	if (n->counted)
		sink_printf(f->sink, " %*" PRIu64, f->digits, n->self);
	else
		sink_printf(f->sink, " %*s", f->digits, "-");
	write_seconds(f, lifetime);
	sink_printf(f->sink, " %7" PRIu32, lifetime->pid);
	write_command(f, n->depth);
	cg_write_text(f->sink, *lifetime->command ? lifetime->command : "[unknown]");
	if (f->p->lifetimes_have_arguments && !lifetime->has_arguments)
		sink_str(f->sink, " ...");
	sink_char(f->sink, '\n');
}

/* The children of a process that are below the threshold, with all below them, in one line. */
static void write_rest(const struct forest *f, uint32_t parent)
{
	uint32_t i, n = 0, depth = 0;
	uint64_t total = 0;

	for (i = f->node[parent].first; i != CG_NONE; i = f->node[i].next) {
		if (has_line(f, &f->node[i]))
			continue;
		total += f->node[i].total;
		depth = f->node[i].depth;
		n++;
	}
	if (!n)
		return;
	sink_printf(f->sink, "%6.2f %*" PRIu64 "  %*s %9s %7s", cg_percent(total, f->whole),
		    f->digits, total, f->digits, "", "", "");
	write_command(f, depth);
	sink_printf(f->sink, "... %" PRIu32 " more\n", n);
}

/* A root and all below it, without recursion: a log may have any depth. */
static void write_tree(const struct forest *f, uint32_t root)
{
	uint32_t i = root, next;

	for (;;) {
		bool goes_down = i == root || has_line(f, &f->node[i]);

		if (goes_down)
			write_line(f, i);
		next = goes_down ? f->node[i].first : CG_NONE;
		if (goes_down && next == CG_NONE)
			write_rest(f, i);
		while (next == CG_NONE) {
			if (i == root)
				return;
			next = f->node[i].next;
			if (next == CG_NONE) {
				i = f->p->lifetimes.v[i].parent;
				write_rest(f, i);
			}
		}
		i = next;
	}
}

static void write_pmc(struct forest *f, const struct cg_lifetime_count *first,
		      const struct cg_output_options *options)
{
	struct cg_pmc_times of = cg_pmc_times_of(f->p, first->pmcid);
	uint32_t i;

	take_counts(f, first->pmcid);
	choose(f, first->descends);
	link_up(f);
	f->least = cg_tree_least(options, f->whole);
	f->digits = snprintf(NULL, 0, "%" PRIu64, f->whole);
	if (f->digits < 9)
		f->digits = 9;
	sink_str(f->sink, "@ ");
	cg_write_text(f->sink, first->event);
	sink_str(f->sink, " [");
	cg_write_marked(f->sink, f->whole, &of.times, false);
	sink_str(f->sink, " counted");
	if (of.untold)
		sink_printf(f->sink, ", %" PRIu64 " exits without a counter", of.untold);
	sink_str(f->sink, "]\n");
	sink_printf(f->sink, "TOTAL%% %*s  %*s   SECONDS     PID  COMMAND\n", f->digits, "TOTAL",
		    f->digits, "SELF");
	for (i = 0; i < f->p->lifetimes.n; i++)
		if (f->node[i].shown && f->p->lifetimes.v[i].parent == CG_NONE)
			write_tree(f, i);
	sink_char(f->sink, '\n');
}

/* Whether a count is the first of its PMC, which then is among the n seen. */
static bool is_first(const struct cg_lifetime_count *c, uint32_t *seen, size_t *n)
{
	size_t i;

	for (i = 0; i < *n; i++)
		if (seen[i] == c->pmcid)
			return false;
	if (i == MOST_PMCS)
		return false;
	seen[(*n)++] = c->pmcid;
	return true;
}

static int write_process_tree(const struct cg_view *view, const struct cg_output_options *options,
			      struct sink *sink, struct err *err)
{
	const struct cg_profile *p = view->profile;
	struct forest f = {.p = p, .sink = sink};
	const struct cg_lifetime_count *c;
	uint32_t seen[MOST_PMCS];
	size_t n = 0;

	if (!p->lifetime_counts.n) {
		err_set(err, EX_DATAERR, "the log has no counts of processes");
		return err_hint(err, "record them with -d -E -p EVENT");
	}
	f.node = calloc(p->lifetimes.n, sizeof(*f.node));
	if (!f.node)
		return err_nomem(err);
	vec_each(c, &p->lifetime_counts)
		if (is_first(c, seen, &n))
			write_pmc(&f, c, options);
	free(f.node);
	return 0;
}

const struct cg_output cg_output_process_tree = {
	.name = "process-tree",
	.needs = CG_NEEDS_LIFETIMES,
	.summary = "processes with what they counted (-E), below those that created them",
	.write = write_process_tree,
};
