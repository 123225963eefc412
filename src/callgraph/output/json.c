// SPDX-License-Identifier: BSD-2-Clause
/* --json: all of a report for programs, as man/pmcstat-json.5 specifies. */
#include <inttypes.h>

#include "base/build_id.h"
#include "base/json.h"
#include "callgraph/read/merge.h"
#include "callgraph/output/output.h"
#include "callgraph/read/source_places.h"
#include "callgraph/read/sampled_functions.h"
#include "callgraph/model/times.h"

struct json {
	const struct cg_view *view;
	const struct cg_profile *p; /* of the view */
	struct sink *sink;
	struct cg_source_place *places;
	bool compares;
	uint32_t *image;	 /* of every image its index in the file; CG_NONE: not there */
	uint64_t *image_samples; /* of every image, with the leaf in it */
	uint64_t *image_base;	 /* in the base of a comparison */
	uint32_t *function;	 /* of every function its index in the event in hand */
	cg_sampled_functions functions;
	cg_merged_stacks stacks;
};

/* name is written with the punctuation around it: ",\"self\":". */
static void write_number(struct sink *sink, const char *name, uint64_t value)
{
	sink_str(sink, name);
	sink_u64(sink, value);
}

static void write_string(struct sink *sink, const char *name, const char *value)
{
	sink_str(sink, name);
	json_string(sink, value);
}

/* How chains end.  Without any, inclusive numbers are those of leaves and are not partial. */
static void write_ends(struct sink *sink, const struct cg_quality *q)
{
	unsigned int i;

	write_number(sink, ",\"chains\":", q->chains);
	sink_str(sink, ",\"ends\":{");
	for (i = 0; i < PMCLOG_NENDS; i++)
		sink_printf(sink, "%s\"%s\":%" PRIu64, i ? "," : "", cg_end_name(i), q->ends[i]);
	write_number(sink, "},\"at_unknown\":", q->at_unknown);
	write_number(sink, ",\"guessed\":", q->guessed);
	write_number(sink, ",\"stitched\":", q->stitched);
	sink_printf(sink, ",\"inclusive_partial\":%s", cg_chains_are_partial(q) ? "true" : "false");
}

/* What was lost by its cause, with what else is known of that cause. */
static void write_drops(struct sink *sink, const struct cg_quality *q)
{
	const struct pmclog_cause *c;

	for (c = pmclog_causes; c < pmclog_causes + pmclog_ncauses; c++) {
		if (!c->key)
			continue;
		sink_printf(sink, ",\"%s\":", c->key);
		sink_u64(sink, pmclog_drops_with(q->drops.of, c->cause));
		if (c->cause == PMCLOG_DROP_RING)
			write_number(sink, ",\"drops\":", q->drops.unsaid);
		if (c->cause != PMCLOG_DROP_THROTTLE)
			continue;
		write_number(sink, ",\"paused_ns\":", q->paused);
		write_number(sink, ",\"missed\":", q->missed);
		write_number(sink, ",\"shared\":", q->shared);
	}
}

static void write_quality(struct sink *sink, const char *name, const struct cg_quality *q)
{
	sink_str(sink, name);
	write_number(sink, "{\"samples\":", q->samples);
	write_number(sink, ",\"selected\":", q->selected);
	write_drops(sink, q);
	write_number(sink, ",\"unresolved\":", q->unresolved);
	write_number(sink, ",\"unmapped\":", q->unmapped);
	write_number(sink, ",\"truncated\":", q->truncated);
	write_ends(sink, q);
	write_number(sink, ",\"unannounced\":", q->unannounced);
	write_number(sink, ",\"foreign\":", q->foreign);
	sink_printf(sink, ",\"closed\":%s},\n", q->closed ? "true" : "false");
}

static void write_function(const struct json *j, const struct cg_sampled_function *sampled)
{
	const struct cg_function *f = &j->p->functions.v[sampled->function];
	const struct cg_source_place *place = &j->places[sampled->function];

	write_string(j->sink, "\n{\"name\":", f->name);
	write_string(j->sink, ",\"object\":", cg_object_of(j->p, f));
	if (f->image != CG_NONE)
		write_number(j->sink, ",\"image\":", j->image[f->image]);
	if (place->file)
		write_string(j->sink, ",\"file\":", place->file);
	if (place->line)
		write_number(j->sink, ",\"line\":", place->line);
	write_number(j->sink, ",\"self\":", sampled->self);
	write_number(j->sink, ",\"total\":", sampled->total);
	if (j->compares) {
		write_number(j->sink, ",\"base_self\":", sampled->base_self);
		write_number(j->sink, ",\"base_total\":", sampled->base_total);
	}
	sink_char(j->sink, '}');
}

static void write_stack(const struct json *j, const struct cg_merged *m)
{
	uint32_t i;

	write_string(j->sink, "\n{\"comm\":", j->p->groups.v[m->stack->group].comm);
	write_number(j->sink, ",\"samples\":", m->count);
	if (j->compares)
		write_number(j->sink, ",\"base_samples\":", m->base);
	sink_str(j->sink, ",\"functions\":[");
	for (i = m->stack->npcs; i-- > 0;) {
		sink_u64(j->sink, j->function[cg_function_of(j->p, m->stack, i)]);
		if (i)
			sink_char(j->sink, ',');
	}
	sink_str(j->sink, "]}");
}

/* How long the event's PMCs could sample, where the log says so. */
static void write_times(const struct json *j, const struct cg_event *e)
{
	unsigned int part = cg_time_share(&e->times);
	struct cg_sampled_time time = cg_sampled_time_of(j->p, e);

	if (time.all > 0) {
		write_number(j->sink, ",\"sampled_ns\":", (uint64_t)(time.sampled * 1e9));
		write_number(j->sink, ",\"to_sample_ns\":", (uint64_t)(time.all * 1e9));
	}
	if (e->times.enabled) {
		write_number(j->sink, ",\"enabled_ns\":", e->times.enabled);
		write_number(j->sink, ",\"running_ns\":", e->times.running);
		sink_printf(j->sink, ",\"share\":%u.%04u", part / CG_WHOLE_TIME,
			    part % CG_WHOLE_TIME);
	}
	if (e->times.paused)
		write_number(j->sink, ",\"paused_ns\":", e->times.paused);
	if (e->scaled)
		sink_str(j->sink, ",\"scaled\":true");
}

static void write_event_head(const struct json *j, const struct cg_event *e)
{
	write_string(j->sink, "\n{\"name\":", e->name);
	write_string(j->sink, ",\"whole\":", e->whole);
	if (*e->spec)
		write_string(j->sink, ",\"spec\":", e->spec);
	if (e->rate) {
		write_number(j->sink, ",\"rate\":", e->rate);
		write_string(j->sink, ",\"rate_unit\":", e->frequency ? "Hz" : "events");
	}
	if (cg_event_nanoseconds(e))
		write_number(j->sink, ",\"sample_ns\":", cg_event_nanoseconds(e));
	write_number(j->sink, ",\"samples\":", e->samples);
	if (j->compares)
		write_number(j->sink, ",\"base_samples\":", cg_view_event_base(j->view, e));
	else
		write_times(j, e);
}

static int write_event(struct json *j, uint32_t event)
{
	struct cg_view of = cg_view_of(j->view, &j->p->events.v[event]);
	const struct cg_merged *m;
	const struct cg_sampled_function *sampled;

	if (cg_sampled_functions_count(&of, &j->functions) || cg_merge_stacks(&of, &j->stacks))
		return -1;
	if (event)
		sink_char(j->sink, ',');
	write_event_head(j, of.event);
	sink_str(j->sink, ",\n\"functions\":[");
	vec_each(sampled, &j->functions) {
		j->function[sampled->function] = (uint32_t)(sampled - j->functions.v);
		if (sampled > j->functions.v)
			sink_char(j->sink, ',');
		write_function(j, sampled);
	}
	sink_str(j->sink, "],\n\"stacks\":[");
	vec_each(m, &j->stacks) {
		if (m > j->stacks.v)
			sink_char(j->sink, ',');
		write_stack(j, m);
	}
	sink_str(j->sink, "]}");
	return 0;
}

/* What is known of a file besides samples; a comparison may have two files of one path. */
static void write_file(const struct json *j, const struct cg_image *image)
{
	char build_id[2 * BUILD_ID_MAX + 1];

	if (j->compares)
		return;
	build_id_text(image->build_id, image->build_id_len, build_id);
	if (*build_id)
		write_string(j->sink, ",\"build_id\":", build_id);
	if (*symbol_image_problem(image->symbols))
		write_string(j->sink, ",\"problem\":", symbol_image_problem(image->symbols));
	if (*symbol_image_doubt(image->symbols))
		write_string(j->sink, ",\"doubt\":", symbol_image_doubt(image->symbols));
	if (*symbol_image_lines_problem(image->symbols))
		write_string(j->sink,
			     ",\"lines_problem\":", symbol_image_lines_problem(image->symbols));
}

static void write_images(const struct json *j)
{
	const struct cg_image *image;

	sink_str(j->sink, "\"images\":[");
	vec_each(image, &j->p->images) {
		size_t i = (size_t)(image - j->p->images.v);

		if (j->image[i] == CG_NONE)
			continue;
		write_string(j->sink, j->image[i] ? ",\n{\"path\":" : "\n{\"path\":", image->path);
		if (image->kernel)
			sink_str(j->sink, ",\"kernel\":true");
		write_number(j->sink, ",\"samples\":", j->image_samples[i]);
		if (j->compares)
			write_number(j->sink, ",\"base_samples\":", j->image_base[i]);
		write_file(j, image);
		sink_char(j->sink, '}');
	}
	sink_str(j->sink, "]");
}

/* Only images that chains go through are written. */
static void number_images(struct json *j)
{
	const struct cg_profile *p = j->p;
	const struct cg_stack *s;
	uint32_t i, n = 0;

	memset(j->image, 0xff, p->images.n * sizeof(*j->image));
	vec_each(s, &p->stacks) {
		uint32_t leaf = p->functions.v[cg_function_of(p, s, 0)].image;

		for (i = 0; i < s->npcs; i++) {
			uint32_t image = p->functions.v[cg_function_of(p, s, i)].image;

			if (image != CG_NONE)
				j->image[image] = 0;
		}
		if (leaf == CG_NONE)
			continue;
		j->image_samples[leaf] += s->count;
		if (j->compares)
			j->image_base[leaf] += cg_view_base(j->view, (uint32_t)(s - p->stacks.v));
	}
	for (i = 0; i < p->images.n; i++)
		if (!j->image[i])
			j->image[i] = n++;
}

static void write_ran(const struct json *j)
{
	write_number(j->sink, "\"elapsed_ns\":", (uint64_t)(j->p->seconds * 1e9));
	if (j->p->ran.known) {
		write_number(j->sink, ",\"user_ns\":", j->p->ran.user);
		write_number(j->sink, ",\"system_ns\":", j->p->ran.system);
	}
	sink_str(j->sink, ",\n");
}

static int write_all(struct json *j)
{
	uint32_t event;

	number_images(j);
	sink_str(j->sink, "{\"format\":\"pmcstat-report\",\"version\":1,\n");
	write_quality(j->sink, "\"quality\":", cg_view_quality(j->view));
	if (j->compares)
		write_quality(j->sink, "\"base_quality\":", &j->view->base->was->quality);
	if (!j->compares)
		write_ran(j);
	sink_str(j->sink, "\"events\":[");
	for (event = 0; event < j->p->events.n; event++)
		if (write_event(j, event))
			return -1;
	sink_str(j->sink, "],\n");
	write_images(j);
	sink_str(j->sink, "}\n");
	return 0;
}

static int write_json(const struct cg_view *view, const struct cg_output_options *options,
		      struct sink *sink, struct err *err)
{
	const struct cg_profile *p = view->profile;
	struct json j = {.view = view, .p = p, .sink = sink, .compares = view->base};
	int status = -1;

	(void)options;
	j.places = cg_source_places_new(p);
	j.image = calloc(p->images.n + 1, sizeof(*j.image));
	j.image_samples = calloc(p->images.n + 1, sizeof(*j.image_samples));
	j.image_base = calloc(p->images.n + 1, sizeof(*j.image_base));
	j.function = calloc(p->functions.n + 1, sizeof(*j.function));
	if (j.places && j.image && j.image_samples && j.image_base && j.function)
		status = write_all(&j);
	free(j.places);
	free(j.image);
	free(j.image_samples);
	free(j.image_base);
	free(j.function);
	vec_free(&j.functions);
	vec_free(&j.stacks);
	return status ? err_nomem(err) : 0;
}

const struct cg_output cg_output_json = {
	.name = "json",
	.needs = CG_NEEDS_LINES,
	.traits = CG_SHOWS_COUNTS,
	.has_quality = true,
	.compares = true,
	.summary = "all of the report for programs: pmcstat-json(5)",
	.write = write_json,
};
