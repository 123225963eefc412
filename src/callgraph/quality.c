// SPDX-License-Identifier: BSD-2-Clause
/* What a report says of its own worth: the quality line, and the files without symbols. */
#include <inttypes.h>

#include "callgraph/output.h"

static void write_event(const struct cg_event *e, struct sink *sink)
{
	cg_write_text(sink, e->whole);
	if (e->frequency)
		sink_printf(sink, " at %" PRIu64 " Hz", e->rate);
	else if (e->rate)
		sink_printf(sink, " every %" PRIu64, e->rate);
}

static void write_line(const struct cg_profile *p, const char *what, struct sink *sink)
{
	const struct cg_quality *q = &p->quality;
	const struct cg_event *e;

	sink_printf(sink, "%s: %" PRIu64 " samples", what, q->samples);
	vec_each(e, &p->events) {
		/* Another PMC of the same name may have had another rate. */
		if (e > p->events.v && e->whole == e[-1].whole && e->name != e->whole)
			continue;
		sink_str(sink, e == p->events.v ? " of " : ", ");
		write_event(e, sink);
	}
	if (q->selected != q->samples)
		sink_printf(sink, "; %" PRIu64 " selected", q->selected);
	sink_printf(sink, "; lost %" PRIu64 " (%.2f%%)", q->lost,
		    cg_percent(q->lost, q->lost + q->samples));
	if (q->drops)
		sink_printf(sink, " and %" PRIu64 " drops of unknown size", q->drops);
	sink_printf(sink, "; throttled %" PRIu64 "; unresolved %.2f%%, of them unmapped %.2f%%;",
		    q->throttled, cg_percent(q->unresolved, q->selected),
		    cg_percent(q->unmapped, q->selected));
	sink_printf(sink, " truncated chains %" PRIu64, q->truncated);
	if (q->unannounced)
		sink_printf(sink, "; %" PRIu64 " samples of unannounced PMCs", q->unannounced);
	if (q->foreign)
		sink_printf(sink, "; %" PRIu64 " records without a call chain", q->foreign);
	sink_char(sink, '\n');
}

void cg_write_quality(const struct cg_profile *p, struct sink *sink)
{
	if (p->of_now) {
		write_line(p->of_base, "base quality", sink);
		write_line(p->of_now, "quality", sink);
	} else {
		write_line(p, "quality", sink);
	}
}

static int by_samples(const void *a, const void *b)
{
	const struct cg_image *x = *(const struct cg_image *const *)a;
	const struct cg_image *y = *(const struct cg_image *const *)b;

	if (x->samples != y->samples)
		return x->samples < y->samples ? 1 : -1;
	return strcmp(x->path, y->path);
}

int cg_write_problems(const struct cg_profile *p, uint64_t min, struct sink *sink, struct err *err)
{
	VEC(const struct cg_image *) sorted = {0};
	const struct cg_image *image, **each;
	int status = 0;

	vec_each(image, &p->images) {
		if (image->samples > min && image->symbols &&
		    *symbol_image_problem(image->symbols) && vec_push(&sorted, image)) {
			status = err_nomem(err);
			break;
		}
	}
	if (sorted.n)
		qsort(sorted.v, sorted.n, sizeof(*sorted.v), by_samples);
	vec_each(each, &sorted) {
		sink_printf(sink, "%" PRIu64 " samples (%.2f%%): ", (*each)->samples,
			    cg_percent((*each)->samples, p->quality.selected));
		cg_write_text(sink, symbol_image_problem((*each)->symbols));
		sink_char(sink, '\n');
	}
	vec_free(&sorted);
	return status;
}
