// SPDX-License-Identifier: BSD-2-Clause
/*
 * --pprof: pprof's profile.proto, compressed.
 *
 * A protobuf message may be cut: its parts behind each other mean the same as the whole.  So every
 * text, function, location and sample goes out by itself as a profile that has nothing else.
 * Addresses are link-time ones, and mappings say where in the file they are.
 */
#include "base/build_id.h"
#include "base/hash.h"
#include "base/utf8.h"
#include "callgraph/output/gzip.h"
#include "callgraph/output/otlp.h"
#include "callgraph/output/output.h"
#include "callgraph/output/pprof.pb-c.h"
#include "pmclog/text/text.h"

/* Every sample has a value of each type: events beyond share the last. */
enum { MAX_TYPES = 64 };

/* A function in a file: pprof's functions have one each. */
struct placed {
	uint32_t function;
	const char *file;
};

/* What the locations of an image have. */
struct extent {
	uint64_t start, end; /* link-time addresses; end 0: it has none */
	bool functions, files, lines;
};

struct pprof {
	const struct cg_view *view;
	const struct cg_output_options *options;
	const struct cg_profile *p; /* of the view */
	struct cg_gzip gzip;
	VEC(uint8_t) packed;
	VEC(const char *) texts; /* by index; as the profile has them */
	struct table index_of_text;
	VEC(struct placed) functions; /* by id - 1 */
	struct table id_of_function;
	bool *used;		/* of every location whether chains go through it */
	struct extent *extents; /* of every image */
	uint32_t *type;		/* of every event the index of its sample type */
	uint32_t types;
	const struct cg_event *clock; /* the first that is one; its time is the first type */
	VEC(uint64_t) chain; /* of the sample in hand */
	bool failed;	     /* out of memory: nothing more is written */
};

static void put(struct pprof *o, const Pprof__Profile *part)
{
	size_t size = pprof__profile__get_packed_size(part);

	if (o->failed || vec_reserve(&o->packed, size)) {
		o->failed = true;
		return;
	}
	cg_gzip_write(&o->gzip, o->packed.v, pprof__profile__pack(part, o->packed.v));
}

static void put_text(struct pprof *o, const char *text)
{
	char *one = (char *)(uintptr_t)text;
	Pprof__Profile part = PPROF__PROFILE__INIT;

	part.n_string_table = 1;
	part.string_table = &one;
	put(o, &part);
}

/* Texts must be UTF-8, and readers print them to terminals. */
static bool is_clean(const char *text)
{
	uint32_t point;
	size_t len;

	for (; *text; text += len) {
		len = utf8_char(text, &point);
		if (!len || utf8_is_control(point))
			return false;
	}
	return true;
}

static void put_cleaned(struct pprof *o, const char *text)
{
	struct sink *sink = sink_to_memory();
	uint32_t point;
	size_t len;

	if (!sink) {
		o->failed = true;
		return;
	}
	for (; *text; text += len) {
		len = utf8_char(text, &point);
		if (!len)
			sink_printf(sink, "\\%03o", (unsigned char)text[len++]);
		else
			pmclog_text_escaped(sink, text, len);
	}
	put_text(o, sink_text(sink, NULL));
	o->failed |= sink_flush(sink) != 0;
	sink_free(sink);
}

/* The index of a text that need not stay as it is. */
static int64_t new_text(struct pprof *o, const char *text)
{
	/* None that is looked for has this index. */
	if (vec_push(&o->texts, ""))
		o->failed = true;
	else if (is_clean(text))
		put_text(o, text);
	else
		put_cleaned(o, text);
	return (int64_t)o->texts.n - 1;
}

/* The index of a text, which must stay as it is until the end. */
static int64_t text_index(struct pprof *o, const char *text)
{
	uint32_t hash = hash_bytes(text, strlen(text)), i;
	struct table_iter it;

	for (i = table_first(&o->index_of_text, hash, &it); i != TABLE_NONE;
	     i = table_next(&o->index_of_text, &it))
		if (!strcmp(o->texts.v[i], text))
			return i;
	i = (uint32_t)new_text(o, text);
	if (o->failed || table_insert(&o->index_of_text, hash, i)) {
		o->failed = true;
		return 0;
	}
	o->texts.v[i] = text;
	return i;
}

static void put_function(struct pprof *o, const struct placed *f, uint64_t id)
{
	Pprof__Function function = PPROF__FUNCTION__INIT, *one = &function;
	Pprof__Profile part = PPROF__PROFILE__INIT;

	function.id = id;
	/* No system_name: pprof shortens those of C++ and Rust until some are the same. */
	function.name = text_index(o, o->p->functions.v[f->function].name);
	function.filename = f->file ? text_index(o, f->file) : 0;
	part.n_function = 1;
	part.function = &one;
	put(o, &part);
}

static uint64_t function_id(struct pprof *o, const struct placed *f)
{
	uint32_t hash = hash_u64((uintptr_t)f->file ^ (uint64_t)f->function << 40), i;
	struct table_iter it;

	for (i = table_first(&o->id_of_function, hash, &it); i != TABLE_NONE;
	     i = table_next(&o->id_of_function, &it))
		if (o->functions.v[i].function == f->function && o->functions.v[i].file == f->file)
			return i + 1;
	if (vec_push(&o->functions, *f) ||
	    table_insert(&o->id_of_function, hash, (uint32_t)(o->functions.n - 1))) {
		o->failed = true;
		return 0;
	}
	put_function(o, f, o->functions.n);
	return o->functions.n;
}

/* That of the function: named JIT-compiled code has another one than the memory it is in. */
static uint32_t image_of(const struct cg_profile *p, const struct cg_location *l)
{
	return p->functions.v[l->function].image;
}

static void put_location(struct pprof *o, uint32_t index)
{
	const struct cg_location *l = &o->p->locations.v[index];
	uint32_t i, image = image_of(o->p, l);
	Pprof__Location location = PPROF__LOCATION__INIT, *one = &location;
	Pprof__Line line[SYMBOL_MAX_FRAMES], *lines[SYMBOL_MAX_FRAMES];
	Pprof__Profile part = PPROF__PROFILE__INIT;

	location.id = index + 1;
	location.mapping_id = image == CG_NONE ? 0 : image + 1;
	location.address = l->address - l->is_return;
	location.line = lines;
	/* Before lines are found the function is all that is known. */
	for (i = 0; i < l->frames || !i; i++) {
		const struct cg_frame *f = l->frames ? &o->p->frames.v[l->first_frame + i] : NULL;
		struct placed placed = {f ? f->function : l->function, f ? f->file : NULL};

		pprof__line__init(&line[i]);
		line[i].function_id = function_id(o, &placed);
		line[i].line = f ? f->line : 0;
		lines[i] = &line[i];
	}
	location.n_line = i;
	part.n_location = 1;
	part.location = &one;
	put(o, &part);
}

static void put_mapping(struct pprof *o, uint32_t index)
{
	const struct cg_image *image = &o->p->images.v[index];
	const struct extent *e = &o->extents[index];
	char build_id[2 * BUILD_ID_MAX + 1];
	Pprof__Mapping mapping = PPROF__MAPPING__INIT, *one = &mapping;
	Pprof__Profile part = PPROF__PROFILE__INIT;

	mapping.id = index + 1;
	mapping.memory_start = e->start;
	mapping.memory_limit = e->end;
	symbol_image_file_offset(image->symbols, e->start, &mapping.file_offset);
	mapping.filename = text_index(o, image->path);
	mapping.has_functions = e->functions;
	mapping.has_filenames = e->files;
	mapping.has_line_numbers = mapping.has_inline_frames = e->lines;
	build_id_text(image->build_id, image->build_id_len, build_id);
	mapping.build_id = *build_id ? new_text(o, build_id) : 0;
	part.n_mapping = 1;
	part.mapping = &one;
	put(o, &part);
}

/* What chains go through, and where in its image it is. */
static void find_extents(struct pprof *o)
{
	const struct cg_profile *p = o->p;
	const struct cg_location *l;
	const struct cg_stack *s;
	struct extent *e;
	uint32_t i;

	vec_each(s, &p->stacks)
		for (i = 0; i < s->npcs; i++)
			o->used[p->locations_of.v[s->first + i]] = true;
	vec_each(l, &p->locations) {
		uint64_t address = l->address - l->is_return;
		uint32_t image = image_of(p, l);

		if (!o->used[l - p->locations.v] || image == CG_NONE)
			continue;
		e = &o->extents[image];
		if (!e->end || address < e->start)
			e->start = address;
		if (!e->end || address >= e->end)
			e->end = address == UINT64_MAX ? address : address + 1;
		e->functions |= p->functions.v[l->function].resolved;
		for (i = 0; i < l->frames; i++) {
			e->files |= p->frames.v[l->first_frame + i].file != NULL;
			e->lines |= p->frames.v[l->first_frame + i].line != 0;
		}
	}
}

/* All of the image's code. */
static void widen_extent(const struct pprof *o, uint32_t index)
{
	struct extent *e = &o->extents[index];
	uint64_t start, end;

	if (!symbol_image_span(o->p->images.v[index].symbols, &start, &end))
		return;
	e->start = start < e->start ? start : e->start;
	e->end = end > e->end ? end : e->end;
}

/* The first mapping is taken for the program: programs are mapped before their libraries. */
static void put_mappings(struct pprof *o)
{
	uint32_t i, program = 0;

	while (program < o->p->images.n &&
	       (!o->extents[program].end || o->p->images.v[program].kernel))
		program++;
	for (i = 0; i < o->p->images.n; i++)
		if (o->extents[i].end)
			widen_extent(o, i);
	if (program < o->p->images.n)
		put_mapping(o, program);
	for (i = 0; i < o->p->images.n; i++)
		if (o->extents[i].end && i != program)
			put_mapping(o, i);
}

static void put_type(struct pprof *o, const char *name, const char *unit)
{
	Pprof__ValueType type = PPROF__VALUE_TYPE__INIT, *one = &type;
	Pprof__Profile part = PPROF__PROFILE__INIT;

	type.type = text_index(o, name);
	type.unit = text_index(o, unit);
	part.n_sample_type = 1;
	part.sample_type = &one;
	put(o, &part);
}

/*
 * Go's own profiles of CPUs have this type, and pprof shows it as time.  One for each event comes
 * behind it; labels tell an event's parts apart, so these need none of their own.
 */
static void put_types(struct pprof *o)
{
	const struct cg_event *e;

	vec_each(e, &o->p->events)
		if (!o->clock && cg_event_nanoseconds(e))
			o->clock = e;
	if (o->clock)
		put_type(o, "cpu", "nanoseconds");
	vec_each(e, &o->p->events) {
		bool part = e > o->p->events.v && e->whole == e[-1].whole && e->name != e->whole;

		o->types += !part && o->types < MAX_TYPES;
		o->type[e - o->p->events.v] = o->types - 1;
		if (!part && o->types < MAX_TYPES)
			put_type(o, e->whole, "count");
	}
	if (o->types == MAX_TYPES)
		put_type(o, "[other events]", "count");
}

/* What the samples of a group have in common. */
struct labels {
	Pprof__Label label[4], *pointers[4];
	size_t n;
};

static void add_number(struct pprof *o, struct labels *l, const char *key, uint32_t value)
{
	Pprof__Label *label = &l->label[l->n];

	if (value == CG_NONE)
		return;
	pprof__label__init(label);
	label->key = text_index(o, key);
	label->num = value;
	/* Without a unit readers take 0 for missing. */
	label->num_unit = label->key;
	l->pointers[l->n++] = label;
}

static void set_labels(struct pprof *o, const struct cg_group *g, struct labels *l)
{
	l->n = 0;
	add_number(o, l, "pid", g->pid);
	add_number(o, l, "tid", g->tid);
	add_number(o, l, "cpu", g->cpu);
	if (!*g->comm)
		return;
	pprof__label__init(&l->label[l->n]);
	l->label[l->n].key = text_index(o, "comm");
	l->label[l->n].str = text_index(o, g->comm);
	l->pointers[l->n] = &l->label[l->n];
	l->n++;
}

/* The time that so many samples of an event stand for; 0: it is not the clock. */
static int64_t time_of(const struct pprof *o, uint32_t event, uint64_t samples)
{
	const struct cg_event *e = &o->p->events.v[event];
	uint64_t nanos = o->clock && e->whole == o->clock->whole ? cg_event_nanoseconds(e) : 0;

	return nanos && samples > INT64_MAX / nanos ? INT64_MAX : (int64_t)(samples * nanos);
}

static void put_sample(struct pprof *o, const struct cg_stack *s, struct labels *labels)
{
	Pprof__Sample sample = PPROF__SAMPLE__INIT, *one = &sample;
	Pprof__Profile part = PPROF__PROFILE__INIT;
	int64_t values[1 + MAX_TYPES] = {0}, *counts = values + (o->clock != NULL);
	uint32_t event = o->p->groups.v[s->group].event, i;

	if (vec_reserve(&o->chain, s->npcs)) {
		o->failed = true;
		return;
	}
	for (i = 0; i < s->npcs; i++)
		o->chain.v[i] = (uint64_t)o->p->locations_of.v[s->first + i] + 1;
	values[0] = time_of(o, event, s->count);
	counts[o->type[event]] = (int64_t)s->count;
	sample.n_location_id = s->npcs;
	sample.location_id = o->chain.v;
	sample.n_value = o->types + (o->clock != NULL);
	sample.value = values;
	sample.n_label = labels->n;
	sample.label = labels->pointers;
	part.n_sample = 1;
	part.sample = &one;
	put(o, &part);
}

static void put_samples(struct pprof *o)
{
	const struct cg_stack *s;
	struct labels labels = {.n = 0};
	uint32_t group = CG_NONE;

	vec_each(s, &o->p->stacks) {
		if (s->group != group)
			set_labels(o, &o->p->groups.v[s->group], &labels);
		group = s->group;
		put_sample(o, s, &labels);
	}
}

/* From the first selected sample to the last, to a slot of the timeline. */
static int64_t duration(const struct cg_timeline *t)
{
	uint32_t first = t->slots, end = 0, i;
	const struct cg_cpu_time *cpu;
	double nanos;

	vec_each(cpu, &t->cpus) {
		for (i = 0; i < t->slots; i++) {
			if (!cpu->samples[i])
				continue;
			first = i < first ? i : first;
			end = i + 1 > end ? i + 1 : end;
		}
	}
	nanos = end ? (end - first) * t->seconds * 1e9 : 0;
	return nanos < (double)INT64_MAX ? (int64_t)nanos : 0;
}

/* Each line of the quality as a comment; how many they are, of max. */
static size_t put_quality(struct pprof *o, int64_t *comments, size_t max)
{
	struct sink *sink = sink_to_memory();
	char *text = NULL, *rest, *line;
	size_t n = 0;

	if (sink) {
		cg_write_quality(o->view, sink);
		text = strdup(sink_text(sink, NULL));
	}
	for (rest = text; n < max && (line = strsep(&rest, "\n")) && *line;)
		comments[n++] = new_text(o, line);
	o->failed |= !n;
	free(text);
	sink_free(sink);
	return n;
}

/* The period can only be one: that of the first event, which is the one to show, too. */
static void put_rest(struct pprof *o)
{
	const struct cg_event *e = o->p->events.n ? &o->p->events.v[0] : NULL;
	uint64_t nanos = e ? cg_event_nanoseconds(e) : 0;
	Pprof__ValueType type = PPROF__VALUE_TYPE__INIT;
	Pprof__Profile part = PPROF__PROFILE__INIT;
	const struct cg_output_options *options = o->options;
	int64_t comments[CG_PPROF_COMMENTS];

	part.n_comment = put_quality(o, comments, CG_PPROF_COMMENTS - 1);
	part.comment = comments;
	if (options->remark && *options->remark)
		comments[part.n_comment++] = new_text(o, options->remark);
	part.time_nanos = options->began;
	part.duration_nanos = options->began ? options->lasted : duration(&o->p->timeline);
	if (e) {
		type.type = text_index(o, nanos ? "cpu" : e->whole);
		type.unit = text_index(o, nanos ? "nanoseconds" : "count");
		part.period_type = &type;
		part.period = (int64_t)(nanos ? nanos : e->frequency ? 0 : e->rate);
		part.default_sample_type = type.type;
	}
	put(o, &part);
}

static void put_all(struct pprof *o)
{
	uint32_t i;

	find_extents(o);
	/* The first text must be empty. */
	text_index(o, "");
	put_types(o);
	put_mappings(o);
	for (i = 0; i < o->p->locations.n; i++)
		if (o->used[i])
			put_location(o, i);
	put_samples(o);
	put_rest(o);
}

static int write_pprof(const struct cg_view *view, const struct cg_output_options *options,
		       struct sink *sink, struct err *err)
{
	const struct cg_profile *p = view->profile;
	struct pprof o = {.view = view, .options = options, .p = p};

	if (cg_gzip_init(&o.gzip, sink))
		return err_nomem(err);
	o.used = calloc(p->locations.n + 1, sizeof(*o.used));
	o.extents = calloc(p->images.n + 1, sizeof(*o.extents));
	o.type = calloc(p->events.n + 1, sizeof(*o.type));
	o.failed = !o.used || !o.extents || !o.type;
	if (!o.failed)
		put_all(&o);
	cg_gzip_fini(&o.gzip);
	free(o.used);
	free(o.extents);
	free(o.type);
	vec_free(&o.packed);
	vec_free(&o.texts);
	table_clear(&o.index_of_text);
	vec_free(&o.functions);
	table_clear(&o.id_of_function);
	vec_free(&o.chain);
	return o.failed ? err_nomem(err) : 0;
}

const struct cg_output cg_output_pprof = {
	.name = "pprof",
	.argument = CG_MUST_NAME_FILE,
	.needs = CG_NEEDS_LINES | CG_NEEDS_TIMELINE | CG_NEEDS_KEYS,
	.traits = CG_IS_PUSHED,
	.summary = "all call chains for pprof (profile.proto, compressed)",
	.write = write_pprof,
};
