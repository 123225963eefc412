// SPDX-License-Identifier: BSD-2-Clause
/* --flat: each function's own samples and those of what it called, by event. */
#include <inttypes.h>

#include "callgraph/output/output.h"
#include "callgraph/read/rows.h"
#include "callgraph/model/times.h"

/* A count and its share, with those of the base before them in a comparison. */
static void write_cell(uint64_t base, uint64_t now, const struct cg_event *e, bool compares,
		       struct sink *sink)
{
	if (compares)
		sink_printf(sink, "%7.2f ", cg_percent(base, e->base));
	sink_printf(sink, "%7.2f ", cg_percent(now, e->samples));
	if (compares)
		sink_printf(sink, "%10" PRIu64 " ", base);
	sink_printf(sink, "%10" PRIu64 " ", now);
}

static void write_row(const struct cg_profile *p, const struct cg_row *row,
		      const struct cg_event *e, struct sink *sink)
{
	const struct cg_function *f = &p->functions.v[row->function];

	write_cell(row->base_self, row->self, e, p->of_base, sink);
	write_cell(row->base_total, row->total, e, p->of_base, sink);
	sink_char(sink, ' ');
	cg_write_text(sink, f->name);
	sink_str(sink, "  ");
	cg_write_text(sink, cg_object_of(p, f));
	sink_char(sink, '\n');
}

static void write_event(const struct cg_profile *p, const struct cg_event *e, const cg_rows *rows,
			struct sink *sink)
{
	const struct cg_row *row;

	if (p->of_base) {
		sink_str(sink, "@ ");
		cg_write_text(sink, e->name);
		sink_printf(sink, " [base %" PRIu64 " samples, now %" PRIu64 "]\n", e->base,
			    e->samples);
	} else {
		cg_write_heading(sink, e);
	}
	sink_str(sink, p->of_base ? "  BASE%   SELF%       BASE       SELF   BASE%  TOTAL%"
				    "       BASE      TOTAL  FUNCTION  OBJECT\n"
				  : "  SELF%       SELF  TOTAL%      TOTAL  FUNCTION  OBJECT\n");
	vec_each(row, rows)
		write_row(p, row, e, sink);
	sink_char(sink, '\n');
}

static int write_flat(const struct cg_profile *p, const struct cg_output_options *options,
		      struct sink *sink, struct err *err)
{
	cg_rows rows = {0};
	uint32_t event;
	int bad = 0;

	(void)options;
	for (event = 0; event < p->events.n && !bad; event++) {
		bad = cg_rows_count(p, event, NULL, &rows);
		if (!bad)
			write_event(p, &p->events.v[event], &rows, sink);
	}
	cg_write_quality(p, sink);
	vec_free(&rows);
	return bad ? err_nomem(err) : 0;
}

const struct cg_output cg_output_flat = {
	.name = "flat",
	.summary = "functions by their own samples and by those of what they called",
	.has_quality = true,
	.compares = true,
	.write = write_flat,
};
