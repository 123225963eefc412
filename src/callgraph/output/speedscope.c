// SPDX-License-Identifier: BSD-2-Clause
/* --speedscope: the file format of speedscope.app, a sampled profile for each event. */
#include "base/hash.h"
#include "base/json.h"
#include "callgraph/model/times.h"
#include "callgraph/read/merge.h"
#include "callgraph/output/output.h"
#include "callgraph/read/source_places.h"

/* Readers in JavaScript know integers up to here. */
#define LARGEST (UINT64_C(1) << 53)

struct speedscope {
	const struct cg_view *view;
	const struct cg_profile *p; /* of the view */
	struct sink *sink;
	struct cg_source_place *places;
	uint32_t *of_function; /* of every function the index of its frame; CG_NONE: in no chain */
	uint32_t *of_group;    /* of every group that of its command's frame */
	uint32_t frames;
	VEC(const char *) comms; /* those with frames, which are the last ones */
	struct table comm_of_text;
	cg_merged_stacks stacks;
};

/* The index in comms, made if it is new; CG_NONE when out of memory. */
static uint32_t intern_comm(struct speedscope *s, const char *comm)
{
	uint32_t hash = hash_bytes(comm, strlen(comm)), i;
	struct table_iter it;

	for (i = table_first(&s->comm_of_text, hash, &it); i != TABLE_NONE;
	     i = table_next(&s->comm_of_text, &it))
		if (!strcmp(s->comms.v[i], comm))
			return i;
	if (vec_push(&s->comms, comm) ||
	    table_insert(&s->comm_of_text, hash, (uint32_t)(s->comms.n - 1)))
		return CG_NONE;
	return (uint32_t)(s->comms.n - 1);
}

/* Numbers what chains go through: functions in their order, then commands. */
static int number_frames(struct speedscope *s)
{
	const struct cg_stack *stack;
	uint32_t i;

	memset(s->of_function, 0xff, s->p->functions.n * sizeof(*s->of_function));
	vec_each(stack, &s->p->stacks)
		for (i = 0; i < stack->npcs; i++)
			s->of_function[cg_function_of(s->p, stack, i)] = 0;
	for (i = 0; i < s->p->functions.n; i++)
		if (!s->of_function[i])
			s->of_function[i] = s->frames++;
	vec_each(stack, &s->p->stacks) {
		i = intern_comm(s, s->p->groups.v[stack->group].comm);
		if (i == CG_NONE)
			return -1;
		s->of_group[stack->group] = s->frames + i;
	}
	return 0;
}

/* The file of a function is that of its source, or else its object. */
static void write_function(const struct speedscope *s, uint32_t function)
{
	const struct cg_function *f = &s->p->functions.v[function];
	const struct cg_source_place *place = &s->places[function];

	sink_str(s->sink, s->of_function[function] ? ",\n{\"name\":" : "\n{\"name\":");
	json_string(s->sink, f->name);
	if (place->file || f->image != CG_NONE) {
		sink_str(s->sink, ",\"file\":");
		json_string(s->sink, place->file ? place->file : cg_object_of(s->p, f));
	}
	if (place->line) {
		sink_str(s->sink, ",\"line\":");
		sink_u64(s->sink, place->line);
	}
	sink_char(s->sink, '}');
}

static void write_frames(const struct speedscope *s)
{
	const char **comm;
	uint32_t i;

	sink_str(s->sink, "\"shared\":{\"frames\":[");
	for (i = 0; i < s->p->functions.n; i++)
		if (s->of_function[i] != CG_NONE)
			write_function(s, i);
	vec_each(comm, &s->comms) {
		sink_str(s->sink,
			 s->frames || comm > s->comms.v ? ",\n{\"name\":" : "\n{\"name\":");
		json_string(s->sink, *comm);
		sink_char(s->sink, '}');
	}
	sink_str(s->sink, "]},\n");
}

static void write_stacks(const struct speedscope *s)
{
	const struct cg_merged *m;
	uint32_t i;

	sink_str(s->sink, "\"samples\":[");
	vec_each(m, &s->stacks) {
		sink_str(s->sink, m > s->stacks.v ? ",\n[" : "\n[");
		sink_u64(s->sink, s->of_group[m->stack->group]);
		for (i = m->stack->npcs; i-- > 0;) {
			sink_char(s->sink, ',');
			sink_u64(s->sink, s->of_function[cg_function_of(s->p, m->stack, i)]);
		}
		sink_char(s->sink, ']');
	}
	sink_str(s->sink, "],\n");
}

/* The name of an event, with its samples where they are of a part of the time. */
static int write_name(struct speedscope *s, const struct cg_event *e)
{
	struct sink *name = sink_to_memory();
	int status;

	if (!name)
		return -1;
	sink_str(name, e->name);
	if (cg_time_share(&e->times) < CG_WHOLE_TIME) {
		sink_str(name, " [");
		cg_write_samples(name, e);
		sink_char(name, ']');
	}
	json_string(s->sink, sink_text(name, NULL));
	status = sink_flush(name) ? -1 : 0;
	sink_free(name);
	return status;
}

static int write_event(struct speedscope *s, uint32_t event)
{
	const struct cg_event *e = &s->p->events.v[event];
	uint64_t unit = cg_event_nanoseconds(e);
	struct cg_view of = cg_view_of(s->view, e);
	const struct cg_merged *m;
	bool is_time = unit && e->samples <= LARGEST / unit;

	if (cg_merge_stacks(&of, &s->stacks))
		return -1;
	unit = is_time ? unit : 1;
	sink_str(s->sink, event ? ",\n{\"type\":\"sampled\",\"name\":"
				: "\n{\"type\":\"sampled\",\"name\":");
	if (write_name(s, e))
		return -1;
	sink_str(s->sink, is_time ? ",\"unit\":\"nanoseconds\"" : ",\"unit\":\"none\"");
	sink_str(s->sink, ",\"startValue\":0,\"endValue\":");
	sink_u64(s->sink, e->samples * unit);
	sink_str(s->sink, ",\n");
	write_stacks(s);
	sink_str(s->sink, "\"weights\":[");
	vec_each(m, &s->stacks) {
		if (m > s->stacks.v)
			sink_char(s->sink, ',');
		sink_u64(s->sink, m->count * unit);
	}
	sink_str(s->sink, "]}");
	return 0;
}

static int write_all(struct speedscope *s)
{
	uint32_t event;

	if (number_frames(s))
		return -1;
	sink_str(s->sink, "{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\n"
			  "\"exporter\":\"pmcstat\",\n");
	write_frames(s);
	sink_str(s->sink, "\"profiles\":[");
	for (event = 0; event < s->p->events.n; event++)
		if (write_event(s, event))
			return -1;
	sink_str(s->sink, "]}\n");
	return 0;
}

static int write_speedscope(const struct cg_view *view, const struct cg_output_options *options,
			    struct sink *sink, struct err *err)
{
	const struct cg_profile *p = view->profile;
	struct speedscope s = {.view = view, .p = p, .sink = sink};
	int status = -1;

	(void)options;
	s.places = cg_source_places_new(p);
	s.of_function = malloc((p->functions.n + 1) * sizeof(*s.of_function));
	s.of_group = calloc(p->groups.n + 1, sizeof(*s.of_group));
	if (s.places && s.of_function && s.of_group)
		status = write_all(&s);
	free(s.places);
	free(s.of_function);
	free(s.of_group);
	vec_free(&s.comms);
	table_clear(&s.comm_of_text);
	vec_free(&s.stacks);
	return status ? err_nomem(err) : 0;
}

const struct cg_output cg_output_speedscope = {
	.name = "speedscope",
	.argument = CG_MUST_NAME_FILE,
	.needs = CG_NEEDS_LINES,
	.summary = "all call chains for the viewer speedscope",
	.write = write_speedscope,
};
