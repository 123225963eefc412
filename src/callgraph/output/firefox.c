// SPDX-License-Identifier: BSD-2-Clause
/*
 * --firefox: what the Firefox Profiler opens, every sample at its time.
 *
 * Its "processed" format in version 60, described in docs-developer of the viewer's sources: tables
 * as columns, one after the other.  Stacks are a tree whose nodes name their parents, threads are
 * rows of time that name nodes.  Samples of several events are in threads of their own.
 */
#include <inttypes.h>
#include <math.h>

#include "base/build_id.h"
#include "base/hash.h"
#include "base/json.h"
#include "base/strpool.h"
#include "callgraph/model/times.h"
#include "callgraph/output/output.h"
#include "callgraph/read/source_places.h"

/* Readers in JavaScript know integers up to here. */
#define LARGEST (UINT64_C(1) << 53)

/* What a frame is of: indices of the list in write_meta(). */
enum category { OTHER, USER, KERNEL, JIT };

/* A function, inlined or not, at a location. */
struct frame {
	uint32_t location;
	uint32_t place; /* of the location's, 0 is the innermost */
};

struct node {
	uint32_t parent; /* index of nodes; CG_NONE: it is a root */
	uint32_t frame;
};

/* Samples of one event in a thread. */
struct thread {
	uint32_t event, pid, tid;
	uint32_t life, reused;	 /* which one of the number; how many had it before */
	const char *comm, *name; /* the last ones */
	uint64_t samples;
};

struct sample {
	uint32_t thread, order;
	double seconds;
	uint32_t node;
};

struct firefox {
	const struct cg_profile *p;
	struct sink *sink;
	struct strpool *texts;
	uint32_t ntexts;
	struct cg_source_place *places;
	uint32_t *first_frame;	    /* of each location */
	uint32_t *node_of_stack;
	uint32_t *thread_of_group;
	VEC(struct frame) frames;
	VEC(struct node) nodes;
	struct table node_of_key;
	VEC(struct thread) threads;
	struct table thread_of_key;
	VEC(struct sample) samples; /* by thread and time */
	uint64_t first_sample;	    /* of the thread that is written */
	VEC(const char *) sources;
	struct table source_of_file;
	bool failed; /* out of memory */
};

/* The index of a text in the file's table. */
static uint32_t text_index(struct firefox *f, const char *text)
{
	uint32_t id = strpool_id(f->texts, text, strlen(text));

	f->failed |= id == UINT32_MAX;
	if (id != UINT32_MAX && id >= f->ntexts)
		f->ntexts = id + 1;
	return id;
}

/* Frames: those of every location, the innermost first. */
static void number_frames(struct firefox *f)
{
	uint32_t i, j;

	for (i = 0; i < f->p->locations.n && !f->failed; i++) {
		const struct cg_location *l = &f->p->locations.v[i];

		f->first_frame[i] = (uint32_t)f->frames.n;
		for (j = 0; j < l->frames || !j; j++)
			f->failed |= vec_push(&f->frames, (struct frame){i, j}) != 0;
	}
}

/* The node of a frame below its caller's, made if it is new. */
static uint32_t node_of(struct firefox *f, uint32_t parent, uint32_t frame)
{
	uint32_t hash = hash_u64((uint64_t)parent << 32 | frame), i;
	struct table_iter it;

	for (i = table_first(&f->node_of_key, hash, &it); i != TABLE_NONE;
	     i = table_next(&f->node_of_key, &it))
		if (f->nodes.v[i].parent == parent && f->nodes.v[i].frame == frame)
			return i;
	i = (uint32_t)f->nodes.n;
	f->failed |= vec_push(&f->nodes, (struct node){parent, frame}) ||
		     table_insert(&f->node_of_key, hash, i);
	return i;
}

static void grow_tree(struct firefox *f)
{
	const struct cg_stack *s;
	uint32_t i, j;

	vec_each(s, &f->p->stacks) {
		uint32_t node = CG_NONE;

		for (i = s->npcs; i-- > 0 && !f->failed;) {
			uint32_t l = f->p->locations_of.v[s->first + i];
			uint32_t frames = f->p->locations.v[l].frames;

			for (j = frames ? frames : 1; j-- > 0 && !f->failed;)
				node = node_of(f, node, f->first_frame[l] + j);
		}
		f->node_of_stack[s - f->p->stacks.v] = node;
	}
}

/* Where the log says no threads a process is one, for viewers know only these. */
static uint32_t thread_of(struct firefox *f, const struct cg_group *g)
{
	uint32_t tid = g->tid == CG_NONE ? g->pid : g->tid;
	uint32_t hash = hash_u64(((uint64_t)g->pid << 32 | tid) ^ (uint64_t)g->event << 48), i;
	struct thread t = {.event = g->event, .pid = g->pid, .tid = tid, .life = g->life};
	struct table_iter it;

	for (i = table_first(&f->thread_of_key, hash, &it); i != TABLE_NONE;
	     i = table_next(&f->thread_of_key, &it)) {
		const struct thread *o = &f->threads.v[i];

		if (o->event != t.event || o->pid != t.pid || o->tid != t.tid)
			continue;
		if (o->life == t.life)
			return i;
		t.reused++;
	}
	i = (uint32_t)f->threads.n;
	f->failed |= vec_push(&f->threads, t) || table_insert(&f->thread_of_key, hash, i);
	return i;
}

static int by_thread_and_time(const void *a, const void *b)
{
	const struct sample *x = a, *y = b;

	if (x->thread != y->thread)
		return x->thread < y->thread ? -1 : 1;
	if (x->seconds != y->seconds)
		return x->seconds < y->seconds ? -1 : 1;
	return x->order < y->order ? -1 : x->order > y->order;
}

static void sort_samples(struct firefox *f)
{
	const struct cg_moment *m;
	uint32_t i;

	for (i = 0; i < f->p->groups.n && !f->failed; i++)
		f->thread_of_group[i] = thread_of(f, &f->p->groups.v[i]);
	if (f->failed || vec_reserve(&f->samples, f->p->moments.n)) {
		f->failed = true;
		return;
	}
	vec_each(m, &f->p->moments) {
		const struct cg_group *g = &f->p->groups.v[f->p->stacks.v[m->stack].group];
		uint32_t thread = f->thread_of_group[f->p->stacks.v[m->stack].group];
		struct thread *t = &f->threads.v[thread];

		t->samples++;
		t->comm = g->comm;
		t->name = g->thread ? g->thread : g->comm;
		f->samples.v[f->samples.n++] = (struct sample){
			thread, (uint32_t)(m - f->p->moments.v), m->seconds,
			f->node_of_stack[m->stack]};
	}
	if (f->samples.n)
		qsort(f->samples.v, f->samples.n, sizeof(*f->samples.v), by_thread_and_time);
}

/* The index of a source file; CG_NONE: NULL, or out of memory. */
static uint32_t source_of(struct firefox *f, const char *file)
{
	uint32_t hash = hash_u64((uintptr_t)file), i;
	struct table_iter it;

	if (!file)
		return CG_NONE;
	for (i = table_first(&f->source_of_file, hash, &it); i != TABLE_NONE;
	     i = table_next(&f->source_of_file, &it))
		if (f->sources.v[i] == file)
			return i;
	i = (uint32_t)f->sources.n;
	f->failed |= vec_push(&f->sources, file) || table_insert(&f->source_of_file, hash, i);
	return i;
}

static const struct cg_location *location_of(const struct firefox *f, uint32_t frame)
{
	return &f->p->locations.v[f->frames.v[frame].location];
}

static const struct cg_frame *place_of(const struct firefox *f, uint32_t frame)
{
	const struct cg_location *l = location_of(f, frame);

	return l->frames ? &f->p->frames.v[l->first_frame + f->frames.v[frame].place] : NULL;
}

static uint32_t function_of(const struct firefox *f, uint32_t frame)
{
	const struct cg_frame *place = place_of(f, frame);

	return place ? place->function : location_of(f, frame)->function;
}

static enum category category_of(const struct firefox *f, uint32_t frame)
{
	uint32_t image = f->p->functions.v[function_of(f, frame)].image;

	if (image == CG_NONE)
		return OTHER;
	if (f->p->images.v[image].kernel)
		return KERNEL;
	return f->p->images.v[image].jit_space ? JIT : USER;
}

/* A number, or what stands for none. */
static void put_or(struct firefox *f, uint64_t number, bool known, const char *none)
{
	if (known)
		sink_u64(f->sink, number);
	else
		sink_str(f->sink, none);
}

static void put_frame_address(struct firefox *f, uint32_t i)
{
	const struct cg_location *l = location_of(f, i);
	uint64_t address = l->address - l->is_return;

	put_or(f, address, l->image != CG_NONE && address < LARGEST, "-1");
}

static void put_frame_depth(struct firefox *f, uint32_t i)
{
	uint32_t frames = location_of(f, i)->frames;

	sink_u64(f->sink, frames ? frames - 1 - f->frames.v[i].place : 0);
}

static void put_frame_category(struct firefox *f, uint32_t i)
{
	sink_u64(f->sink, category_of(f, i));
}

static void put_frame_function(struct firefox *f, uint32_t i)
{
	sink_u64(f->sink, function_of(f, i));
}

static void put_frame_line(struct firefox *f, uint32_t i)
{
	const struct cg_frame *place = place_of(f, i);

	put_or(f, place ? place->line : 0, place && place->line, "null");
}

static void put_node_frame(struct firefox *f, uint32_t i)
{
	sink_u64(f->sink, f->nodes.v[i].frame);
}

static void put_node_parent(struct firefox *f, uint32_t i)
{
	put_or(f, f->nodes.v[i].parent, f->nodes.v[i].parent != CG_NONE, "null");
}

static void put_function_name(struct firefox *f, uint32_t i)
{
	sink_u64(f->sink, text_index(f, f->p->functions.v[i].name));
}

static void put_function_image(struct firefox *f, uint32_t i)
{
	put_or(f, f->p->functions.v[i].image, f->p->functions.v[i].image != CG_NONE, "-1");
}

static void put_function_source(struct firefox *f, uint32_t i)
{
	uint32_t source = source_of(f, f->places[i].file);

	put_or(f, source, source != CG_NONE, "null");
}

static void put_function_line(struct firefox *f, uint32_t i)
{
	put_or(f, f->places[i].line, f->places[i].line != 0, "null");
}

static void put_source_name(struct firefox *f, uint32_t i)
{
	sink_u64(f->sink, text_index(f, f->sources.v[i]));
}

static void put_image_name(struct firefox *f, uint32_t i)
{
	sink_u64(f->sink, text_index(f, cg_object_name(f->p->images.v[i].path)));
}

static void put_index(struct firefox *f, uint32_t i)
{
	sink_u64(f->sink, i);
}

/* What a column's every element is. */
static void put_null(struct firefox *f, uint32_t i)
{
	(void)i;
	sink_str(f->sink, "null");
}

static void put_zero(struct firefox *f, uint32_t i)
{
	(void)i;
	sink_char(f->sink, '0');
}

static void put_one(struct firefox *f, uint32_t i)
{
	(void)i;
	sink_char(f->sink, '1');
}

static void put_false(struct firefox *f, uint32_t i)
{
	(void)i;
	sink_str(f->sink, "false");
}

static void put_text(struct firefox *f, uint32_t i)
{
	json_string(f->sink, strpool_text(f->texts, i));
}

struct column {
	const char *name;
	void (*put)(struct firefox *f, uint32_t i);
};

static void write_column(struct firefox *f, const struct column *c, size_t n)
{
	uint32_t i;

	sink_printf(f->sink, "\"%s\":[", c->name);
	for (i = 0; i < n; i++) {
		if (i)
			sink_char(f->sink, ',');
		c->put(f, i);
	}
	sink_char(f->sink, ']');
}

static void write_table(struct firefox *f, const char *name, const struct column *columns, size_t n)
{
	sink_printf(f->sink, "\"%s\":{", name);
	for (; columns->name; columns++) {
		write_column(f, columns, n);
		sink_str(f->sink, ",\n");
	}
	sink_printf(f->sink, "\"length\":%zu}", n);
}

static void write_libs(struct firefox *f)
{
	const struct cg_image *image;
	char id[2 * BUILD_ID_MAX + 1];

	sink_str(f->sink, "\"libs\":[");
	vec_each(image, &f->p->images) {
		const char *name = cg_object_name(image->path);

		sink_str(f->sink, image > f->p->images.v ? ",\n{\"arch\":\"\",\"name\":"
							 : "\n{\"arch\":\"\",\"name\":");
		json_string(f->sink, name);
		sink_str(f->sink, ",\"path\":");
		json_string(f->sink, image->path);
		sink_str(f->sink, ",\"debugName\":");
		json_string(f->sink, name);
		sink_str(f->sink, ",\"debugPath\":");
		json_string(f->sink, image->path);
		build_id_text(image->build_id, image->build_id_len, id);
		sink_printf(f->sink, *id ? ",\"breakpadId\":\"\",\"codeId\":\"%s\"}"
					 : ",\"breakpadId\":\"\",\"codeId\":null%s}", id);
	}
	sink_str(f->sink, "],\n");
}

/* What threads share.  Texts come last, for the tables name them. */
static void write_shared(struct firefox *f)
{
	static const struct column stacks[] = {
		{"frame", put_node_frame}, {"prefix", put_node_parent}, {NULL, NULL}};
	static const struct column frames[] = {
		{"address", put_frame_address},	  {"inlineDepth", put_frame_depth},
		{"category", put_frame_category}, {"subcategory", put_zero},
		{"func", put_frame_function},	  {"nativeSymbol", put_null},
		{"innerWindowID", put_null},	  {"line", put_frame_line},
		{"column", put_null},		  {NULL, NULL}};
	static const struct column functions[] = {
		{"name", put_function_name},	 {"isJS", put_false},
		{"relevantForJS", put_false},	 {"resource", put_function_image},
		{"source", put_function_source}, {"lineNumber", put_function_line},
		{"columnNumber", put_null},	 {NULL, NULL}};
	static const struct column resources[] = {{"lib", put_index},
						  {"name", put_image_name},
						  {"host", put_null},
						  {"type", put_one}, /* a library */
						  {NULL, NULL}};
	static const struct column symbols[] = {{"libIndex", put_index},
						{"address", put_index},
						{"name", put_index},
						{"functionSize", put_index},
						{NULL, NULL}};
	static const struct column sources[] = {
		{"uuid", put_null}, {"filename", put_source_name}, {NULL, NULL}};
	static const struct column texts = {"stringArray", put_text};

	sink_str(f->sink, "\"shared\":{\n");
	write_table(f, "stackTable", stacks, f->nodes.n);
	sink_str(f->sink, ",\n");
	write_table(f, "frameTable", frames, f->frames.n);
	sink_str(f->sink, ",\n");
	write_table(f, "funcTable", functions, f->p->functions.n);
	sink_str(f->sink, ",\n");
	write_table(f, "resourceTable", resources, f->p->images.n);
	sink_str(f->sink, ",\n");
	write_table(f, "nativeSymbols", symbols, 0);
	sink_str(f->sink, ",\n");
	write_table(f, "sources", sources, f->sources.n);
	sink_str(f->sink, ",\n");
	if (!f->failed)
		write_column(f, &texts, f->ntexts);
	sink_str(f->sink, "},\n");
}

/* Where the viewer begins: the thread with the most samples, by its place among those written. */
static uint32_t hottest_thread(const struct firefox *f)
{
	uint32_t row = 0, best = 0;
	uint64_t most = 0;
	const struct thread *t;

	vec_each(t, &f->threads) {
		if (t->samples > most) {
			most = t->samples;
			best = row;
		}
		row += t->samples != 0;
	}
	return best;
}

/* The interval is what a sample of the first clock stands for: 1 ms where there is none. */
static void write_meta(struct firefox *f)
{
	uint64_t nanos = 0;
	const struct cg_event *e;

	vec_each(e, &f->p->events)
		if (!nanos)
			nanos = cg_event_nanoseconds(e);
	sink_printf(f->sink,
		    "\"meta\":{\"version\":27,\"preprocessedProfileVersion\":60,\n"
		    "\"product\":\"pmcstat\",\"startTime\":%" PRIu64 ",\"interval\":%.9g,\n"
		    "\"processType\":0,\"stackwalk\":1,\"symbolicated\":true,\n"
		    "\"usesOnlyOneStackType\":true,\"sourceCodeIsNotOnSearchfox\":true,\n"
		    "\"initialSelectedThreads\":[%u],\"markerSchema\":[],\n"
		    "\"sampleUnits\":{\"time\":\"ms\",\"eventDelay\":\"ms\","
		    "\"threadCPUDelta\":\"ns\"},\n",
		    f->p->origin.time * 1000, nanos ? (double)nanos / 1e6 : 1.0, hottest_thread(f));
	sink_str(f->sink,
		 "\"categories\":[\n"
		 "{\"name\":\"Other\",\"color\":\"grey\",\"subcategories\":[\"Other\"]},"
		 "\n{\"name\":\"User\",\"color\":\"yellow\",\"subcategories\":[\"Other\"]},"
		 "\n{\"name\":\"Kernel\",\"color\":\"orange\",\"subcategories\":[\"Other\"]},"
		 "\n{\"name\":\"JIT\",\"color\":\"green\",\"subcategories\":[\"Other\"]}]},\n");
}

/*
 * What a thread is called: where there are several events, or one that lacked a counter, with that
 * behind it.
 */
static void write_thread_name(struct firefox *f, const struct thread *t)
{
	const struct cg_event *e = &f->p->events.v[t->event];
	struct sink *name = sink_to_memory();

	if (!name) {
		f->failed = true;
		return;
	}
	sink_str(name, *t->name ? t->name : "[unknown]");
	if (f->p->events.n > 1 || cg_time_share(&e->times) < CG_WHOLE_TIME) {
		sink_printf(name, " (%s", e->name);
		cg_write_share(name, &e->times);
		sink_char(name, ')');
	}
	json_string(f->sink, sink_text(name, NULL));
	f->failed |= sink_flush(name) != 0;
	sink_free(name);
}

/* Viewers take a tid for that of one thread only. */
static void write_thread_ids(struct firefox *f, const struct thread *t)
{
	sink_printf(f->sink, ",\"isMainThread\":%s,\"pid\":\"%u\",\"tid\":",
		    t->pid == t->tid && !t->event ? "true" : "false", t->pid);
	if (t->event || t->reused) {
		sink_printf(f->sink, "\"%u", t->tid);
		if (t->reused)
			sink_printf(f->sink, " reused %u", t->reused);
		if (t->event)
			sink_printf(f->sink, " event %u", t->event);
		sink_char(f->sink, '"');
	} else {
		sink_u64(f->sink, t->tid);
	}
	sink_str(f->sink, ",\n\"processName\":");
	json_string(f->sink, t->comm);
}

static void put_sample_node(struct firefox *f, uint32_t i)
{
	sink_u64(f->sink, f->samples.v[f->first_sample + i].node);
}

/* In milliseconds. */
static void put_sample_time(struct firefox *f, uint32_t i)
{
	uint64_t us = (uint64_t)llround(f->samples.v[f->first_sample + i].seconds * 1e6);

	sink_printf(f->sink, "%" PRIu64 ".%03" PRIu64, us / 1000, us % 1000);
}

/* A sample of a clock says that the thread ran for so long since the one before. */
static void put_sample_ran(struct firefox *f, uint32_t i)
{
	uint32_t thread = f->samples.v[f->first_sample + i].thread;

	sink_u64(f->sink, cg_event_nanoseconds(&f->p->events.v[f->threads.v[thread].event]));
}

static void write_thread(struct firefox *f, const struct thread *t)
{
	static const struct column stack = {"stack", put_sample_node};
	static const struct column time = {"time", put_sample_time};
	static const struct column ran = {"threadCPUDelta", put_sample_ran};

	sink_str(f->sink, f->first_sample ? ",\n{\"name\":" : "\n{\"name\":");
	write_thread_name(f, t);
	write_thread_ids(f, t);
	sink_str(f->sink,
		 ",\"processType\":\"default\",\"processStartupTime\":0,\n"
		 "\"processShutdownTime\":null,\"registerTime\":0,\"unregisterTime\":null,\n"
		 "\"pausedRanges\":[],\"markers\":{\"data\":[],\"name\":[],\"startTime\":[],\n"
		 "\"endTime\":[],\"phase\":[],\"category\":[],\"length\":0},\n\"samples\":{");
	write_column(f, &stack, t->samples);
	sink_str(f->sink, ",\n");
	write_column(f, &time, t->samples);
	sink_str(f->sink, ",\n");
	if (cg_event_nanoseconds(&f->p->events.v[t->event])) {
		write_column(f, &ran, t->samples);
		sink_str(f->sink, ",\n");
	}
	sink_printf(f->sink, "\"weight\":null,\"weightType\":\"samples\",\"length\":%" PRIu64 "}}",
		    t->samples);
	f->first_sample += t->samples;
}

static void write_all(struct firefox *f)
{
	const struct thread *t;

	number_frames(f);
	grow_tree(f);
	sort_samples(f);
	if (f->failed)
		return;
	sink_char(f->sink, '{');
	write_meta(f);
	write_libs(f);
	write_shared(f);
	sink_str(f->sink, "\"threads\":[");
	vec_each(t, &f->threads)
		if (t->samples)
			write_thread(f, t);
	sink_str(f->sink, "]}\n");
}

static int write_firefox(const struct cg_view *view, const struct cg_output_options *options,
			 struct sink *sink, struct err *err)
{
	const struct cg_profile *p = view->profile;
	struct firefox f = {.p = p, .sink = sink, .texts = strpool_new()};

	(void)options;
	f.places = cg_source_places_new(p);
	f.first_frame = calloc(p->locations.n + 1, sizeof(*f.first_frame));
	f.node_of_stack = calloc(p->stacks.n + 1, sizeof(*f.node_of_stack));
	f.thread_of_group = calloc(p->groups.n + 1, sizeof(*f.thread_of_group));
	f.failed = !f.texts || !f.places || !f.first_frame || !f.node_of_stack ||
		   !f.thread_of_group;
	if (!f.failed)
		write_all(&f);
	strpool_free(f.texts);
	free(f.places);
	free(f.first_frame);
	free(f.node_of_stack);
	free(f.thread_of_group);
	vec_free(&f.frames);
	vec_free(&f.nodes);
	table_clear(&f.node_of_key);
	vec_free(&f.threads);
	table_clear(&f.thread_of_key);
	vec_free(&f.samples);
	vec_free(&f.sources);
	table_clear(&f.source_of_file);
	return f.failed ? err_nomem(err) : 0;
}

const struct cg_output cg_output_firefox = {
	.name = "firefox",
	.argument = CG_MUST_NAME_FILE,
	.needs = CG_NEEDS_LINES | CG_NEEDS_MOMENTS | CG_NEEDS_KEYS,
	.summary = "every sample at its time for the Firefox Profiler",
	.write = write_firefox,
};
