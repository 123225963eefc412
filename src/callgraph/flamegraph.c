// SPDX-License-Identifier: BSD-2-Clause
/*
 * --flamegraph and --icicle: all call chains as a picture, in one SVG file that needs nothing else.
 * A frame is as wide as its samples and lies on its caller (below it in an icicle graph).
 */
#include <inttypes.h>
#include <stdio.h>

#include "base/hash.h"
#include "callgraph/output.h"
#include "callgraph/walk.h"

static const char script[] =
#include "callgraph/flamegraph_js.h"
	;

enum {
	ROW = 17,	 /* pixels from frame to frame */
	HEAD = 44,	 /* pixels above the frames */
	NARROWEST = 2000 /* a frame below one part in so many of the samples is not drawn */
};

struct flame {
	const struct cg_profile *p;
	struct sink *sink;
	bool icicle;
	uint64_t total;	  /* samples of all events */
	uint64_t before;  /* of the events before the one in hand */
	uint32_t deepest; /* depth of the deepest frame drawn */
};

/* Text of an XML document: log and symbol names may hold anything. */
static void write_xml(struct sink *sink, const char *text)
{
	for (; *text; text++) {
		unsigned char c = (unsigned char)*text;

		if (c == '<')
			sink_str(sink, "&lt;");
		else if (c == '>')
			sink_str(sink, "&gt;");
		else if (c == '&')
			sink_str(sink, "&amp;");
		else if (c == '"')
			sink_str(sink, "&quot;");
		else if (c != '\n')
			sink_char(sink, c < ' ' || c >= 0x7f ? '?' : (char)c);
	}
}

/* A colour that is the same wherever the object is met: kernel red, others by the name's hash. */
static void write_colour(struct sink *sink, const char *object)
{
	uint32_t h = hash_bytes(object, strlen(object));

	if (!strcmp(object, "[kernel]"))
		sink_str(sink, "#e9785a");
	else if (!strcmp(object, "[unknown]"))
		sink_str(sink, "#b8b8b8");
	else
		sink_printf(sink, "hsl(%u,%u%%,%u%%)", 30 + h % 250, 50 + (h >> 8) % 20,
			    66 + (h >> 16) % 10);
}

static bool is_drawn(const struct flame *f, const struct cg_node *n)
{
	return n->function != CG_END && n->count >= f->total / NARROWEST;
}

static void find_deepest(void *arg, const struct cg_node *n)
{
	struct flame *f = arg;

	if (is_drawn(f, n) && n->depth + 1 > f->deepest)
		f->deepest = n->depth + 1;
}

/* A frame; depth counts from the root frame of its event, which has depth 0. */
static void write_frame(const struct flame *f, const char *name, const char *object, uint64_t start,
			uint64_t count, uint32_t depth)
{
	uint32_t row = f->icicle ? depth : f->deepest - depth;
	double scale = 100.0 / (double)f->total;

	sink_printf(f->sink,
		    "<g class=\"f\" data-s=\"%" PRIu64 "\" data-n=\"%" PRIu64 "\" data-d=\"%u\"",
		    start, count, depth);
	sink_str(f->sink, " data-name=\"");
	write_xml(f->sink, name);
	sink_str(f->sink, "\"><title>");
	write_xml(f->sink, name);
	if (*object) {
		sink_str(f->sink, " (");
		write_xml(f->sink, object);
		sink_char(f->sink, ')');
	}
	sink_printf(f->sink, ": %" PRIu64 " samples, %.2f%%</title>", count, (double)count * scale);
	sink_printf(f->sink,
		    "<rect x=\"%.3f%%\" y=\"%u\" width=\"%.3f%%\" height=\"%d\" rx=\"1\" fill=\"",
		    (double)start * scale, HEAD + row * ROW, (double)count * scale, ROW - 1);
	if (*object)
		write_colour(f->sink, object);
	else
		sink_str(f->sink, "#d0d4dc");
	sink_printf(f->sink, "\"/><text x=\"%.3f%%\" y=\"%u\"></text></g>\n", (double)start * scale,
		    HEAD + row * ROW + 12);
}

static void write_node(void *arg, const struct cg_node *n)
{
	const struct flame *f = arg;
	const struct cg_function *function;

	if (!is_drawn(f, n))
		return;
	function = &f->p->functions.v[n->function];
	write_frame(f, function->name, cg_object_of(f->p, function), f->before + n->start, n->count,
		    n->depth + 1);
}

static void write_head(const struct flame *f)
{
	sink_printf(f->sink,
		    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
		    "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"100%%\" height=\"%u\""
		    " data-total=\"%" PRIu64 "\" font-family=\"monospace\" font-size=\"12\">\n",
		    HEAD + (f->deepest + 1) * ROW + ROW + 8, f->total);
	sink_str(f->sink, "<style>.f{cursor:pointer}.f text{pointer-events:none}"
			  ".f:hover rect{stroke:#000;stroke-width:.7}.hit rect{fill:#c31bd8}"
			  ".button{cursor:pointer;fill:#2456b0}</style>\n"
			  "<rect width=\"100%\" height=\"100%\" fill=\"#fbfbf8\"/>\n"
			  "<text x=\"50%\" y=\"18\" text-anchor=\"middle\" font-size=\"15\">");
	write_xml(f->sink, f->p->events.n == 1 ? f->p->events.v[0].name : "all events");
	sink_printf(f->sink, ", %" PRIu64 " samples</text>\n", f->total);
	sink_str(f->sink,
		 "<text id=\"reset\" class=\"button\" x=\"8\" y=\"18\" style=\"display:none\">"
		 "reset zoom</text>\n"
		 "<text id=\"search\" class=\"button\" x=\"99%\" y=\"18\" text-anchor=\"end\">"
		 "search</text>\n"
		 "<text id=\"about\" x=\"8\" y=\"37\"></text>\n"
		 "<text id=\"found\" x=\"99%\" y=\"37\" text-anchor=\"end\"></text>\n");
}

/* Runs visit over every event. */
static int walk_all(struct flame *f, void (*visit)(void *arg, const struct cg_node *n), bool frames)
{
	struct cg_walk_options walk = {.from_root = true, .by_name = true};

	f->before = 0;
	for (walk.event = 0; walk.event < f->p->events.n; walk.event++) {
		const struct cg_event *e = &f->p->events.v[walk.event];

		if (frames && e->samples)
			write_frame(f, e->name, "", f->before, e->samples, 0);
		if (cg_walk(f->p, &walk, visit, f))
			return -1;
		f->before += e->samples;
	}
	return 0;
}

static int write_picture(const struct cg_profile *p, struct sink *sink, bool icicle,
			 struct err *err)
{
	struct flame f = {.p = p, .sink = sink, .icicle = icicle};
	const struct cg_event *e;
	struct sink *quality;

	vec_each(e, &p->events)
		f.total += e->samples;
	if (walk_all(&f, find_deepest, false) || !(quality = sink_to_memory()))
		return err_nomem(err);
	write_head(&f);
	if (walk_all(&f, write_node, true)) {
		sink_free(quality);
		return err_nomem(err);
	}
	cg_write_quality(p, quality);
	sink_printf(sink, "<text x=\"8\" y=\"%u\" fill=\"#555\">",
		    HEAD + (f.deepest + 1) * ROW + 14);
	write_xml(sink, sink_text(quality, NULL));
	sink_str(sink, "</text>\n<script><![CDATA[\n");
	sink_str(sink, script);
	sink_str(sink, "]]></script>\n</svg>\n");
	sink_free(quality);
	return 0;
}

static int write_flamegraph(const struct cg_profile *p, const struct cg_output_options *options,
			    struct sink *sink, struct err *err)
{
	(void)options;
	return write_picture(p, sink, false, err);
}

static int write_icicle(const struct cg_profile *p, const struct cg_output_options *options,
			struct sink *sink, struct err *err)
{
	(void)options;
	return write_picture(p, sink, true, err);
}

const struct cg_output cg_output_flamegraph = {
	.name = "flamegraph",
	.summary = "a picture of all call chains to click through (SVG), callers below",
	.write = write_flamegraph,
};

const struct cg_output cg_output_icicle = {
	.name = "icicle",
	.summary = "the same with callers above",
	.write = write_icicle,
};
