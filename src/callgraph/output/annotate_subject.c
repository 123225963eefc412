// SPDX-License-Identifier: BSD-2-Clause
/* What both kinds of lines of --annotate have: the columns of samples, and the source file. */
#include <inttypes.h>

#include "callgraph/output/annotate_subject.h"

/* Where a stack has samples of its own at a line, that is the first that is known of it there. */
void cg_hits_add_line(const struct cg_subject *s, struct cg_hits *hits, uint32_t stack,
		      bool is_self)
{
	struct cg_hit_log *log = s->log;

	if (log && hits->last != stack + 1) {
		hits->line = hits->line ? hits->line : ++log->lines;
		log->failed |= vec_push(&log->hits, (struct cg_hit){hits->line, stack, is_self});
	}
	cg_hits_add(hits, stack, cg_view_count(&s->view, stack), is_self);
}

static void log_row(const struct cg_subject *s, const struct cg_hits *hits)
{
	struct cg_hit_row row = {.line = hits->line, .own = cg_percent(hits->self, s->total)};

	sink_text(s->sink, &row.at);
	s->log->failed |= vec_push(&s->log->rows, row);
}

void cg_hits_write(const struct cg_subject *s, const struct cg_hits *hits)
{
	double scale = 100.0 / (double)s->total;

	if (!hits || !hits->total) {
		sink_fill(s->sink, ' ', sizeof(CG_HITS_HEADING) - 1);
		return;
	}
	if (s->log)
		log_row(s, hits);
	if (hits->self) {
		sink_printf(s->sink, "%6.2f ", (double)hits->self * scale);
		cg_write_amount(s->sink, s->event, s->options, 9, hits->self);
		sink_char(s->sink, ' ');
	} else {
		sink_fill(s->sink, ' ', 17);
	}
	sink_printf(s->sink, "%6.2f ", (double)hits->total * scale);
	cg_write_amount(s->sink, s->event, s->options, 9, hits->total);
}

/* Whether the source was changed behind the object that was made of it. */
static bool is_newer(const struct cg_subject *s, const struct source *source)
{
	return !s->file && source_is_newer(source, s->options->fsroot,
					   cg_object_of(s->p, &s->p->functions.v[s->function]));
}

int cg_subject_open(const struct cg_subject *s, const char *path, struct source **source)
{
	struct err err = {0};

	*source = source_open(s->p, s->options->fsroot, path, &err);
	if (!*source && err.code == EX_OSERR)
		return -1;
	if (!*source) {
		sink_char(s->sink, '(');
		cg_write_text(s->sink, err.msg);
		sink_str(s->sink, ")\n");
	} else if (is_newer(s, *source)) {
		sink_str(s->sink, "(it is newer than ");
		cg_write_text(s->sink, cg_object_of(s->p, &s->p->functions.v[s->function]));
		sink_str(s->sink, ": lines may have moved)\n");
	}
	return 0;
}
