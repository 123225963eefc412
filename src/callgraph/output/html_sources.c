// SPDX-License-Identifier: BSD-2-Clause
#include <inttypes.h>

#include "callgraph/output/annotate.h"
#include "callgraph/output/html_sources.h"
#include "callgraph/read/places.h"

enum {
	MOST_FUNCTIONS = 50,  /* of all events */
	MOST_BYTES = 1 << 20, /* after which no further one is begun */
	SELF = 6,	      /* columns of a line's own share */
};

struct cg_html_sources {
	const struct cg_profile *p;
	const struct cg_output_options *options;
	struct cg_place *places;
	struct sink *written;
	uint32_t n;
	uint32_t left_out; /* that have lines */
};

struct cg_html_sources *cg_html_sources_new(const struct cg_profile *p,
					    const struct cg_output_options *options)
{
	struct cg_html_sources *s = calloc(1, sizeof(*s));

	if (!s)
		return NULL;
	*s = (struct cg_html_sources){.p = p,
				      .options = options,
				      .places = cg_places_new(p),
				      .written = sink_to_memory()};
	if (s->places && s->written)
		return s;
	cg_html_sources_free(s);
	return NULL;
}

void cg_html_sources_free(struct cg_html_sources *s)
{
	if (!s)
		return;
	free(s->places);
	sink_free(s->written);
	free(s);
}

/* The share that is a line's own; 0 where that is not what it begins with. */
static double own_share(const char *line)
{
	return strspn(line, " .0123456789") >= SELF && line[SELF - 1] != ' ' ? strtod(line, NULL)
									     : 0;
}

/* Lines with samples have a bar behind them. */
static void write_lines(char *text, struct sink *sink)
{
	char *line;

	while ((line = strsep(&text, "\n"))) {
		double own = own_share(line);

		if (own > 0)
			sink_printf(sink, "<b style=\"--w:%.1f\">", own);
		cg_write_markup(sink, line);
		sink_str(sink, own > 0 ? "</b>" : "");
		sink_str(sink, text ? "\n" : "");
	}
}

static void write_heading(const struct cg_html_sources *s, const struct cg_subject *subject,
			  const struct cg_row *row)
{
	const struct cg_function *f = &s->p->functions.v[row->function];

	sink_printf(s->written, "<details class=\"source\" id=\"source%u\"><summary>", s->n);
	cg_write_markup(s->written, cg_shown_name(f));
	sink_str(s->written, " @ ");
	cg_write_markup(s->written, cg_shown_object(s->p, f));
	sink_printf(s->written, ": %" PRIu64 " samples of ", row->total);
	cg_write_markup(s->written, subject->event->name);
	sink_printf(s->written, ", %" PRIu64 " its own</summary>\n", row->self);
}

static int write_source(struct cg_html_sources *s, const struct cg_view *of,
			const struct cg_row *row)
{
	const struct cg_function *f = &s->p->functions.v[row->function];
	struct cg_output_options options = *s->options;
	struct cg_subject subject = {.view = *of,
				     .p = s->p,
				     .options = &options,
				     .event = of->event,
				     .function = row->function,
				     .total = row->total,
				     .sink = sink_to_memory()};
	char *text = NULL;
	int status = -1;

	options.columns = 0;
	if (subject.sink)
		status = f->end && options.with_asm ? cg_annotate_code(&subject)
						    : cg_annotate_lines(&subject);
	if (!status && !(text = strdup(sink_text(subject.sink, NULL))))
		status = -1;
	if (!status) {
		write_heading(s, &subject, row);
		sink_str(s->written, "<pre tabindex=\"0\">");
		write_lines(text, s->written);
		sink_str(s->written, "</pre></details>\n");
	}
	free(text);
	sink_free(subject.sink);
	return status;
}

int cg_html_source_add(struct cg_html_sources *s, const struct cg_view *of,
		       const struct cg_row *row, uint32_t *number)
{
	size_t bytes;

	*number = CG_NONE;
	if (!s || !row->self)
		return 0;
	if (!s->places[row->function].file &&
	    !(s->options->with_asm && s->p->functions.v[row->function].end))
		return 0;
	sink_text(s->written, &bytes);
	if (s->n >= MOST_FUNCTIONS || bytes >= MOST_BYTES) {
		s->left_out++;
		return 0;
	}
	if (write_source(s, of, row))
		return -1;
	*number = s->n++;
	return 0;
}

void cg_html_sources_write(struct cg_html_sources *s, struct sink *sink)
{
	if (!s)
		return;
	sink_printf(sink,
		    "<section id=\"sources\">\n<h2>%s</h2>\n<p class=\"hint\">Of the functions "
		    "with the most samples of their own, in all of the time",
		    s->options->with_asm ? "Instructions" : "Source lines");
	if (s->left_out)
		sink_printf(sink, "; %u more are left out", s->left_out);
	sink_str(sink, ".</p>\n");
	sink_str(sink, sink_text(s->written, NULL));
	sink_str(sink, "</section>\n");
}
