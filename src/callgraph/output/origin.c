// SPDX-License-Identifier: BSD-2-Clause
/* Of what a page or a picture is: so that it can be told from others once it has left its log. */
#include <inttypes.h>

#include "base/date.h"
#include "callgraph/output/output.h"

enum { MOST_PROGRAMS = 4 };

struct program {
	const char *comm;
	uint64_t samples;
};

typedef VEC(struct program) programs;

static int by_comm(const void *a, const void *b)
{
	const struct program *x = a, *y = b;

	return strcmp(x->comm, y->comm);
}

static int most_first(const void *a, const void *b)
{
	const struct program *x = a, *y = b;

	return x->samples != y->samples ? (x->samples < y->samples ? 1 : -1) : by_comm(a, b);
}

/* Command names with their samples, most first.  0, or -1 when out of memory. */
static int find_programs(const struct cg_profile *p, programs *found)
{
	const struct cg_stack *s;
	size_t i, n = 0;

	vec_each(s, &p->stacks)
		if (vec_push(found, ((struct program){p->groups.v[s->group].comm, s->count})))
			return -1;
	if (!found->n)
		return 0;
	qsort(found->v, found->n, sizeof(*found->v), by_comm);
	for (i = 1; i < found->n; i++)
		if (!strcmp(found->v[i].comm, found->v[n].comm))
			found->v[n].samples += found->v[i].samples;
		else
			found->v[++n] = found->v[i];
	found->n = n + 1;
	qsort(found->v, found->n, sizeof(*found->v), most_first);
	return 0;
}

static void write_programs(const struct cg_profile *p, struct sink *sink)
{
	programs found = {0};
	size_t i;

	if (!find_programs(p, &found) && found.n) {
		sink_str(sink, "; processes: ");
		for (i = 0; i < found.n && i < MOST_PROGRAMS; i++) {
			sink_str(sink, i ? ", " : "");
			cg_write_text(sink, found.v[i].comm);
		}
		if (found.n > MOST_PROGRAMS)
			sink_printf(sink, ", %zu more", found.n - MOST_PROGRAMS);
	}
	vec_free(&found);
}

void cg_write_origin(const struct cg_profile *p, struct sink *sink)
{
	const struct cg_origin *o = &p->origin;
	const char *on = o->host && *o->host ? o->host : o->cpu;
	char date[DATE_SIZE];

	cg_write_text(sink, o->command && *o->command ? o->command : "a log");
	if (on && *on) {
		sink_str(sink, "; on ");
		cg_write_text(sink, on);
	}
	if (o->release && *o->release) {
		sink_str(sink, ", ");
		cg_write_text(sink, o->release);
	}
	if (o->time) {
		date_text(date, (time_t)o->time);
		sink_printf(sink, "; %s", date);
	}
	if (p->seconds > 0)
		sink_printf(sink, "; %.2f s", p->seconds);
	write_programs(p, sink);
	sink_char(sink, '\n');
}
