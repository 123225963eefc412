// SPDX-License-Identifier: BSD-2-Clause
/*
 * A frame is as wide as its samples and lies on its caller (below it in an icicle graph).  In a
 * comparison widths are samples now, and colours say what changed.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "callgraph/output/flame.h"
#include "callgraph/read/share.h"
#include "callgraph/read/walk.h"

static const char script[] =
#include "callgraph/output/flame_js.h"
	;

enum {
	ROW = 17,	   /* pixels from frame to frame */
	HEAD = 44,	   /* pixels above the frames */
	LINE = 16,	   /* pixels of a line below them */
	NARROWEST = 16000, /* a frame below one part in so many of the samples is not drawn */
	CUTS = 11,	   /* or one part in NARROWEST / 2, / 4 ... where there are too many */
	STATIC_WIDTH = 800, /* pixels; of a picture whose script does not run, as in another page */
	LETTER = 8,	    /* pixels, and some to spare */
};

/* What there is to draw of the frames that are as wide as a cut asks. */
struct extent {
	size_t frames;
	uint32_t deepest; /* depth of the deepest one */
};

struct flame {
	const struct cg_view *view;
	const struct cg_profile *p; /* of the view */
	const struct cg_flame_options *options;
	struct sink *sink;
	const char *title;	      /* of all events */
	const struct cg_event *event; /* in hand */
	uint64_t total;		      /* samples of all events */
	uint64_t before;	      /* of the events before the one in hand */
	struct extent extent[CUTS];
	unsigned int cut; /* that which was chosen */
	size_t frames;	  /* with those that are not drawn */
	/* Of comparisons. */
	uint64_t base;	     /* samples of the event in hand in the base */
	uint64_t base_total;
	uint64_t vanished;  /* samples of the base in chains that are not there any more */
	VEC(double) chance; /* the least one of every frame that is drawn */
	size_t comparisons;
	double greatest; /* change of a frame that is real, percentage points */
	bool nomem;
};

/* A node as drawn: function NULL for the frame that stands for its whole event. */
struct frame {
	const char *name, *shown, *object;
	uint64_t start, count, base;
	uint32_t depth;
};

/* Kernel red, others by the name's hash. */
void cg_flame_write_colour(struct sink *sink, const char *object)
{
	uint32_t h = hash_fixed_bytes(object, strlen(object));

	if (!*object)
		sink_str(sink, "#d0d4dc");
	else if (!strcmp(object, "[kernel]"))
		sink_str(sink, "#e9785a");
	else if (!strcmp(object, "[unknown]"))
		sink_str(sink, "#b8b8b8");
	else
		sink_printf(sink, "hsl(%u,%u%%,%u%%)", 30 + h % 250, 50 + (h >> 8) % 20,
			    66 + (h >> 16) % 10);
}

static bool is_wide(const struct flame *f, uint64_t count, unsigned int cut)
{
	return count && count >= f->total / (NARROWEST >> cut);
}

static void measure_frame(struct flame *f, uint64_t count, uint32_t depth)
{
	unsigned int cut;

	f->frames += count > 0;
	for (cut = 0; cut < CUTS; cut++) {
		if (!is_wide(f, count, cut))
			continue;
		f->extent[cut].frames++;
		if (depth > f->extent[cut].deepest)
			f->extent[cut].deepest = depth;
	}
}

static void measure_node(void *arg, const struct cg_node *n)
{
	struct flame *f = arg;

	if (n->function == CG_END)
		return;
	measure_frame(f, n->count, n->depth + 1);
	/* The first of its chain that is gone stands for all of them. */
	if (!n->count && n->parent)
		f->vanished += n->base;
}

static struct cg_counts all_of(const struct flame *f)
{
	return (struct cg_counts){f->base, f->event->samples};
}

static void collect_chance(void *arg, const struct cg_node *n)
{
	struct flame *f = arg;

	if (n->function != CG_END && is_wide(f, n->count, f->cut) &&
	    vec_push(&f->chance,
		     cg_share_least_chance((struct cg_counts){n->base, n->count}, all_of(f))))
		f->nomem = true;
}

static void find_greatest(void *arg, const struct cg_node *n)
{
	struct flame *f = arg;
	struct cg_share share;

	if (n->function == CG_END || !is_wide(f, n->count, f->cut))
		return;
	share = cg_share_change((struct cg_counts){n->base, n->count}, all_of(f));
	if (cg_share_verdict(share.chance, f->comparisons) == CG_REAL)
		f->greatest = fmax(f->greatest, fabs(share.change));
}

/* Grey where chance explains the change, else red for more and blue for less. */
static void write_change_colour(const struct flame *f, const struct cg_share *share)
{
	double strength;

	if (cg_share_verdict(share->chance, f->comparisons) != CG_REAL) {
		sink_str(f->sink, "#cdcdcd");
		return;
	}
	strength = sqrt(fabs(share->change) / f->greatest);
	sink_printf(f->sink, "hsl(%d,85%%,%.0f%%)", share->change > 0 ? 8 : 215,
		    88 - 28 * strength);
}

static void write_title(const struct flame *f, const struct frame *frame,
			const struct cg_share *share)
{
	static const char *const verdicts[] = {
		[CG_NOISE] = "noise", [CG_MAYBE] = "maybe", [CG_REAL] = "real"};

	sink_str(f->sink, "<title>");
	cg_write_markup(f->sink, frame->name);
	if (*frame->object) {
		sink_str(f->sink, " (");
		cg_write_markup(f->sink, frame->object);
		sink_char(f->sink, ')');
	}
	sink_printf(f->sink, ": %" PRIu64 " samples, %.2f%%", frame->count,
		    cg_percent(frame->count, f->view->base ? f->event->samples : f->total));
	if (f->view->base)
		sink_printf(f->sink, "; base %" PRIu64 ", %.2f%%", frame->base,
			    cg_percent(frame->base, f->base));
	if (f->view->base && *frame->object)
		sink_printf(f->sink, "; %+.2f points, %s", share->change,
			    verdicts[cg_share_verdict(share->chance, f->comparisons)]);
	sink_str(f->sink, "</title>");
}

/* What fits of a name into that many columns, without its middle, as in flame.js. */
static void write_label(struct sink *s, const char *name, size_t room)
{
	char cut[4 * (STATIC_WIDTH / LETTER) + 1];
	const char *tail;
	size_t kept = cg_text_ends(name, room, &tail);

	memcpy(cut, name, kept);
	cut[kept] = '\0';
	cg_write_markup(s, cut);
	if (!name[kept])
		return;
	sink_str(s, "..");
	cg_write_markup(s, tail);
}

static void write_frame(const struct flame *f, const struct frame *frame)
{
	struct cg_share share =
		cg_share_change((struct cg_counts){frame->base, frame->count}, all_of(f));
	uint32_t row = f->options->icicle ? frame->depth : f->extent[f->cut].deepest - frame->depth;
	size_t room = (size_t)(cg_percent(frame->count, f->total) * STATIC_WIDTH / 100 / LETTER);

	sink_printf(f->sink,
		    "<g class=\"f\" data-s=\"%" PRIu64 "\" data-n=\"%" PRIu64 "\" data-d=\"%u\"",
		    frame->start, frame->count, frame->depth);
	if (strcmp(frame->shown, frame->name) != 0) {
		sink_str(f->sink, " data-shown=\"");
		cg_write_markup(f->sink, frame->shown);
		sink_char(f->sink, '"');
	}
	sink_str(f->sink, " data-name=\"");
	cg_write_markup(f->sink, frame->name);
	sink_str(f->sink, "\">");
	write_title(f, frame, &share);
	sink_printf(f->sink,
		    "<rect x=\"%.3f%%\" y=\"%u\" width=\"%.3f%%\" height=\"%d\" rx=\"1\" fill=\"",
		    cg_percent(frame->start, f->total), HEAD + row * ROW,
		    cg_percent(frame->count, f->total), ROW - 1);
	if (f->view->base && *frame->object)
		write_change_colour(f, &share);
	else
		cg_flame_write_colour(f->sink, frame->object);
	sink_printf(f->sink, "\"/><text x=\"%.3f%%\" y=\"%u\" dx=\"3\">",
		    cg_percent(frame->start, f->total), HEAD + row * ROW + 12);
	if (room >= 3)
		write_label(f->sink, frame->shown, room);
	sink_str(f->sink, "</text></g>\n");
}

static void write_node(void *arg, const struct cg_node *n)
{
	const struct flame *f = arg;
	const struct cg_function *function;

	if (n->function == CG_END || !is_wide(f, n->count, f->cut))
		return;
	function = &f->p->functions.v[n->function];
	write_frame(f, &(struct frame){.name = function->name,
				       .shown = cg_shown_name(function),
				       .object = cg_object_of(f->p, function),
				       .start = f->before + n->start,
				       .count = n->count,
				       .base = n->base,
				       .depth = n->depth + 1});
}

/* The frames that stand for whole events. */
static void measure_event(struct flame *f)
{
	measure_frame(f, f->event->samples, 0);
	if (!f->event->samples)
		f->vanished += f->base;
}

/* Its name without what the picture's title says. */
static const char *event_name(const struct flame *f)
{
	const struct cg_event *e = f->event;

	return e->name != e->whole && f->title == e->whole ? e->name + strlen(e->whole) + 1
							   : e->name;
}

static void write_event(struct flame *f)
{
	if (is_wide(f, f->event->samples, f->cut))
		write_frame(f, &(struct frame){.name = event_name(f),
					       .shown = event_name(f),
					       .object = "",
					       .start = f->before,
					       .count = f->event->samples,
					       .base = f->base});
}

/* Runs both over every event. */
static int walk_all(struct flame *f, void (*event)(struct flame *f),
		    void (*visit)(void *arg, const struct cg_node *n))
{
	const struct cg_walk_options walk = {.from_root = true, .by_name = true};
	const struct cg_event *e;

	f->before = 0;
	vec_each(e, &f->p->events) {
		struct cg_view of = cg_view_of(f->view, e);

		f->event = e;
		f->base = cg_view_event_base(f->view, e);
		if (event)
			event(f);
		if (cg_walk(&of, &walk, visit, f) || f->nomem)
			return -1;
		f->before += f->event->samples;
	}
	return 0;
}

const char *cg_flame_title(const struct cg_profile *p)
{
	const struct cg_event *e;

	vec_each(e, &p->events)
		if (e->whole != p->events.v[0].whole)
			return "all events";
	return p->events.n ? p->events.v[0].whole : "no event";
}

static void write_style(struct sink *sink)
{
	sink_str(sink, "<style>#flame{--ground:#fbfbf8;--ink:#111;--pale:#555;--link:#2456b0}\n"
		       "@media screen and (prefers-color-scheme:dark){#flame{--ground:#1b1d21;"
		       "--ink:#e6e6e6;--pale:#a8a8a8;--link:#8db4ff}}\n"
		       "#flame{outline-offset:-2px}#flame text{fill:var(--ink)}"
		       "#flame .ground{fill:var(--ground)}#flame .pale{fill:var(--pale)}"
		       "#flame .button{cursor:pointer;fill:var(--link)}"
		       "#where rect{fill:var(--pale);opacity:.3}"
		       "#where rect+rect{fill:var(--link);opacity:1}"
		       "#flame .f{cursor:pointer}#flame .f text{pointer-events:none;fill:#000}"
		       "#flame .f rect{stroke:var(--ground);stroke-width:.5}"
		       "#flame .f:hover rect,#flame .at rect{stroke:var(--ink);stroke-width:1.5}"
		       "#flame .hit rect{fill:#c31bd8}#flame .hit text{fill:#fff}</style>\n");
}

static void write_head(const struct flame *f, unsigned int lines)
{
	sink_printf(f->sink,
		    "<svg xmlns=\"http://www.w3.org/2000/svg\" id=\"flame\" width=\"100%%\""
		    " height=\"%u\" data-deepest=\"%u\" data-head=\"%d\" data-row=\"%d\""
		    " data-total=\"%" PRIu64 "\" data-up=\"%d\" tabindex=\"0\""
		    " font-family=\"monospace\" font-size=\"12\">\n",
		    HEAD + (f->extent[f->cut].deepest + 1) * ROW + lines * LINE + 8,
		    f->extent[f->cut].deepest, HEAD, ROW, f->total,
		    !f->options->icicle);
	write_style(f->sink);
	sink_str(f->sink, "<rect class=\"ground\" width=\"100%\" height=\"100%\"/>\n"
			  "<text id=\"heading\" x=\"50%\" y=\"18\" text-anchor=\"middle\""
			  " font-size=\"15\">");
	cg_write_markup(f->sink, f->title);
	sink_printf(f->sink, ", %" PRIu64 " samples", f->total);
	if (f->view->base)
		sink_printf(f->sink, " (base %" PRIu64 ")", f->base_total);
	sink_str(
		f->sink,
		"</text>\n"
		"<text id=\"reset\" class=\"button\" x=\"8\" y=\"18\" tabindex=\"0\" "
		"role=\"button\""
		" style=\"display:none\">reset zoom</text>\n"
		"<text id=\"search\" class=\"button\" x=\"99%\" y=\"18\" text-anchor=\"end\""
		" tabindex=\"0\" role=\"button\">search</text>\n"
		"<text id=\"about\" x=\"8\" y=\"37\" aria-live=\"polite\"></text>\n"
		"<text id=\"found\" x=\"99%\" y=\"37\" text-anchor=\"end\"></text>\n"
		"<g id=\"where\" style=\"display:none\" role=\"img\" aria-label=\"where what is in "
		"view lies among all samples\"><rect y=\"40\" width=\"100%\" height=\"3\"/>"
		"<rect y=\"40\" height=\"3\"/></g>\n"
		"<g id=\"frames\">\n");
}

/* The lines below the picture: what it does not show, and what it is worth. */
static void write_notes(const struct flame *f, struct sink *sink)
{
	size_t hidden = f->frames - f->extent[f->cut].frames;

	if (f->view->base)
		sink_str(sink,
			 "red: a greater share of the samples than in the base, blue: a lesser"
			 " one, grey: chance alone explains the change\n");
	if (f->vanished)
		sink_printf(sink,
			    "not visible: %" PRIu64 " of the base's %" PRIu64
			    " samples (%.2f%%) are in call paths that are gone\n",
			    f->vanished, f->base_total, cg_percent(f->vanished, f->base_total));
	if (hidden)
		sink_printf(sink, "not drawn: %zu frames of less than %.3g%% of the samples each\n",
			    hidden, 100.0 / (NARROWEST >> f->cut));
	if (!f->options->within) {
		cg_write_origin(f->p, sink);
		cg_write_quality(f->view, sink);
	}
}

/* Ends each line of notes with NUL. */
static void write_foot(const struct flame *f, char *notes)
{
	unsigned int y = HEAD + (f->extent[f->cut].deepest + 1) * ROW + 14;
	char *end;

	/* The script draws the picture as high as what is wide enough to be seen. */
	sink_str(f->sink, "</g><g id=\"foot\">\n");
	for (; (end = strchr(notes, '\n')); notes = end + 1, y += LINE) {
		*end = '\0';
		sink_printf(f->sink, "<text class=\"pale\" x=\"8\" y=\"%u\">", y);
		cg_write_markup(f->sink, notes);
		sink_str(f->sink, "</text>\n");
	}
	sink_str(f->sink, "</g>\n<script><![CDATA[\n");
	sink_str(f->sink, script);
	sink_str(f->sink, "]]></script>\n</svg>\n");
}

/* Breaks long lines, which a picture cannot, behind a semicolon. */
static void wrap(char *text)
{
	char *line = text, *p;

	for (p = text; *p; p++) {
		if (*p == ' ' && p - line > 70 && p[-1] == ';')
			*p = '\n';
		if (*p == '\n')
			line = p + 1;
	}
}

static unsigned int count_lines(const char *text)
{
	unsigned int lines = 0;

	for (; (text = strchr(text, '\n')); text++)
		lines++;
	return lines;
}

static int prepare(struct flame *f)
{
	const struct cg_event *e;

	vec_each(e, &f->p->events) {
		f->total += e->samples;
		f->base_total += cg_view_event_base(f->view, e);
	}
	if (walk_all(f, measure_event, measure_node))
		return -1;
	while (f->extent[f->cut].frames > f->options->most_frames && f->cut + 1 < CUTS)
		f->cut++;
	if (!f->view->base)
		return 0;
	if (walk_all(f, NULL, collect_chance))
		return -1;
	f->comparisons = cg_share_comparisons(f->chance.v, f->chance.n);
	return walk_all(f, NULL, find_greatest);
}

int cg_flame_write(const struct cg_view *view, const struct cg_flame_options *options,
		   struct sink *sink, struct err *err)
{
	struct flame f = {.view = view,
			  .p = view->profile,
			  .options = options,
			  .sink = sink,
			  .title = cg_flame_title(view->profile)};
	struct sink *sheet = sink_to_memory();
	char *notes = NULL;
	int status = sheet ? prepare(&f) : -1;

	if (!status) {
		write_notes(&f, sheet);
		notes = strdup(sink_text(sheet, NULL));
		status = notes ? 0 : -1;
	}
	if (!status) {
		wrap(notes);
		write_head(&f, count_lines(notes));
		status = walk_all(&f, write_event, write_node);
	}
	if (!status)
		write_foot(&f, notes);
	free(notes);
	sink_free(sheet);
	vec_free(&f.chance);
	return status ? err_nomem(err) : 0;
}
