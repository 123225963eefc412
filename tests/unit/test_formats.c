// SPDX-License-Identifier: BSD-2-Clause
/* What no log can say in --json, --speedscope and --pprof: source places and inlining. */
#include "callgraph/model/builder.h"
#include "callgraph/output/output.h"
#include "callgraph/transform/steps.h"
#include "unit.h"
#if HAVE_PROTOBUF_C
#include <zlib.h>

#include "callgraph/output/otlp.h"
#include "callgraph/output/pprof.pb-c.h"
#endif

static void add(struct cg_builder *b, struct pmclog_record rec)
{
	CHECK(!cg_builder_add(b, &rec, NULL));
}

static void add_sample(struct cg_builder *b, const uint64_t *pcs, uint32_t npcs)
{
	add(b, (struct pmclog_record){.type = PMCLOG_WIRE_CALLCHAIN,
				      .u.chain = {.pid = 7,
						  .tid = 8,
						  .pmcid = 1,
						  .cpu = 0,
						  .usermode = true,
						  .npcs = npcs,
						  .pcs = pcs}});
}

/* Makes a location's code lie in a function "inner", inlined at a.c:20 into its own. */
static void add_inlined(struct cg_profile *p, struct cg_location *l)
{
	l->first_frame = p->frames.n;
	l->frames = 2;
	CHECK(!vec_push(&p->functions, (struct cg_function){.name = "inner",
							    .image = l->image,
							    .resolved = true,
							    .is_inlined = true}));
	CHECK(!vec_push(&p->frames,
			(struct cg_frame){(uint32_t)p->functions.n - 1, 5, "/src/a.h"}));
	CHECK(!vec_push(&p->frames, (struct cg_frame){l->function, 20, "/src/a.c"}));
}

/*
 * Three samples of 0x1000, called from 0x2000, and one of 0x2000 in a file that is not there.
 * Debug information knows all of the first and the line of the call.
 */
static struct cg_profile *profile(void)
{
	const struct cg_config config = {.keys = CG_KEY_PID | CG_KEY_TID | CG_KEY_CPU};
	struct cg_builder *b = cg_builder_new(&config, NULL);
	struct cg_profile *p;
	const uint64_t chain[] = {0x1000, 0x2001}, leaf[] = {0x2000};
	const struct cg_stack *s;
	int i;

	CHECK(b);
	add(b, (struct pmclog_record){
		       .type = PMCLOG_WIRE_PMCALLOCATEDYN,
		       .u.alloc = {.pmcid = 1, .name = {"cpu-clock", 9}, .rate = 1000}});
	add(b, (struct pmclog_record){.type = PMCLOG_WIRE_PROC_CREATE,
				      .u.proc = {.pid = 7, .comm = {"app", 3}}});
	add(b, (struct pmclog_record){
		       .type = PMCLOG_WIRE_MAP_IN,
		       .u.map_in = {.pid = 7, .length = 0x10000, .path = {"/nonexistent/a", 14}}});
	for (i = 0; i < 3; i++)
		add_sample(b, chain, 2);
	add_sample(b, leaf, 1);
	p = cg_builder_finish(b, NULL);
	CHECK(p);
	CHECK(!cg_profile_add_lines(p, NULL));
	s = &p->stacks.v[0];
	add_inlined(p, &p->locations.v[p->locations_of.v[s->first]]);
	p->frames.v[p->locations.v[p->locations_of.v[s->first + 1]].first_frame] =
		(struct cg_frame){cg_function_of(p, s, 1), 30, "/src/a.c"};
	return p;
}

static struct sink *written_as(const struct cg_profile *p, const char *name,
			       const struct cg_output_options options)
{
	const struct cg_view view = cg_view_all(p);
	struct sink *sink = sink_to_memory();
	int i;

	for (i = 0; cg_outputs[i] && strcmp(cg_outputs[i]->name, name); i++)
		;
	CHECK(sink && cg_outputs[i] && !cg_outputs[i]->write(&view, &options, sink, NULL));
	return sink;
}

static struct sink *written(const struct cg_profile *p, const char *name)
{
	return written_as(p, name, (struct cg_output_options){0});
}

/* The output from a text on, with ' for ". */
static void check_text(const struct cg_profile *p, const char *name, const char *from,
		       const char *want)
{
	struct sink *sink = written(p, name);
	char *text = strdup(sink_text(sink, NULL)), *c;

	CHECK(text);
	for (c = text; *c; c++)
		if (*c == '"')
			*c = '\'';
	CHECK_STR(strstr(text, from), want);
	free(text);
	sink_free(sink);
}

#define IMAGES                                              \
	"'images':[\n{'path':'/nonexistent/a','samples':4," \
	"'problem':'cannot open /nonexistent/a: No such file or directory'}]}\n"

UNIT(json_has_source_places)
{
	struct cg_profile *p = profile();

	check_text(p, "json", "'functions':",
		   "'functions':[\n"
		   "{'name':'0x1000','object':'/nonexistent/a','image':0,"
		   "'file':'/src/a.c','line':20,'self':3,'total':3},\n"
		   "{'name':'0x2000','object':'/nonexistent/a','image':0,'self':1,'total':1},\n"
		   "{'name':'0x2001','object':'/nonexistent/a','image':0,"
		   "'file':'/src/a.c','line':30,'self':0,'total':3}],\n"
		   "'stacks':[\n"
		   "{'comm':'app','samples':3,'functions':[2,0]},\n"
		   "{'comm':'app','samples':1,'functions':[1]}]}],\n" IMAGES);
	cg_profile_free(p);
}

UNIT(json_has_inlined_functions)
{
	struct cg_profile *p = profile();

	CHECK(!cg_profile_show_inlined(p, NULL));
	check_text(p, "json", "'events':",
		   "'events':[\n"
		   "{'name':'cpu-clock','whole':'cpu-clock','rate':1000,'rate_unit':'events',"
		   "'sample_ns':1000,'samples':4,\n"
		   "'functions':[\n"
		   "{'name':'inner','object':'/nonexistent/a','image':0,"
		   "'file':'/src/a.h','line':5,"
		   "'self':3,'total':3},\n"
		   "{'name':'0x2000','object':'/nonexistent/a','image':0,"
		   "'self':1,'total':1},\n"
		   "{'name':'0x1000','object':'/nonexistent/a','image':0,"
		   "'file':'/src/a.c','line':20,"
		   "'self':0,'total':3},\n"
		   "{'name':'0x2001','object':'/nonexistent/a','image':0,"
		   "'file':'/src/a.c','line':30,"
		   "'self':0,'total':3}],\n"
		   "'stacks':[\n"
		   "{'comm':'app','samples':3,'functions':[3,2,0]},\n"
		   "{'comm':'app','samples':1,'functions':[1]}]}],\n" IMAGES);
	cg_profile_free(p);
}

/* What is inlined in it comes first, and is of a header. */
UNIT(a_file_is_annotated_with_what_is_inlined_in_it_alone)
{
	struct cg_profile *p = profile();
	const struct cg_location *caller =
		&p->locations.v[p->locations_of.v[p->stacks.v[0].first + 1]];
	struct sink *sink;

	p->frames.v[caller->first_frame].file = "/src/b.c";
	sink = written_as(p, "annotate", (struct cg_output_options){.argument = "a.c"});
	CHECK(strstr(sink_text(sink, NULL), "/src/a.c: 3 samples"));
	CHECK(!strstr(sink_text(sink, NULL), "/src/b.c"));
	sink_free(sink);
	cg_profile_free(p);
}

UNIT(speedscope_has_source_places)
{
	struct cg_profile *p = profile();

	CHECK(!cg_profile_show_inlined(p, NULL));
	check_text(p, "speedscope", "'shared':",
		   "'shared':{'frames':[\n"
		   "{'name':'0x1000','file':'/src/a.c','line':20},\n"
		   "{'name':'0x2001','file':'/src/a.c','line':30},\n"
		   "{'name':'0x2000','file':'/nonexistent/a'},\n"
		   "{'name':'inner','file':'/src/a.h','line':5},\n"
		   "{'name':'app'}]},\n"
		   "'profiles':[\n"
		   "{'type':'sampled','name':'cpu-clock','unit':'nanoseconds',"
		   "'startValue':0,'endValue':4000,\n"
		   "'samples':[\n[4,1,0,3],\n[4,2]],\n"
		   "'weights':[3000,1000]}]}\n");
	cg_profile_free(p);
}

#if HAVE_PROTOBUF_C
/* What is compressed in a sink, which is freed, into room; its bytes. */
static size_t inflated(struct sink *sink, uint8_t *room, size_t size)
{
	z_stream z = {.next_out = room, .avail_out = (uInt)size};
	size_t len;

	z.next_in = (void *)(uintptr_t)sink_text(sink, &len);
	z.avail_in = (uInt)len;
	CHECK(inflateInit2(&z, 16 + MAX_WBITS) == Z_OK && inflate(&z, Z_FINISH) == Z_STREAM_END);
	CHECK_U64(z.avail_in, 0);
	inflateEnd(&z);
	sink_free(sink);
	return z.total_out;
}

/* The message of a pprof file that is smaller than room. */
static Pprof__Profile *unpacked(const struct cg_profile *p, uint8_t *room, size_t size)
{
	size_t n = inflated(written(p, "pprof"), room, size);
	Pprof__Profile *profile = pprof__profile__unpack(NULL, n, room);

	CHECK(profile);
	return profile;
}

static bool has(const uint8_t *bytes, size_t n, const char *text)
{
	return memmem(bytes, n, text, strlen(text));
}

UNIT(otlp_has_all_that_pprof_says_of_a_profile)
{
	static const char remark[] = "7 profiles of this recording were dropped";
	struct cg_profile *p = profile();
	uint8_t room[1 << 14];
	struct sink *pprof, *sink = sink_to_memory();
	const char *file;
	size_t n;

	/* A line of the quality tells of chains that are not whole. */
	p->quality.chains = 4;
	pprof = written_as(p, "pprof", (struct cg_output_options){.remark = remark});
	file = sink_text(pprof, &n);
	CHECK(!cg_write_otlp(file, n, NULL, 0, sink));
	sink_free(pprof);
	n = inflated(sink, room, sizeof(room));
	CHECK(has(room, n, "quality: 4 samples"));
	CHECK(has(room, n, "inclusive numbers and callers are partial"));
	CHECK(has(room, n, remark));
	cg_profile_free(p);
}

static void check_line(const Pprof__Profile *o, const Pprof__Line *line, const char *name,
		       const char *file, int64_t number)
{
	const Pprof__Function *f = o->function[line->function_id - 1];

	CHECK_U64(f->id, line->function_id);
	CHECK_STR(o->string_table[f->name], name);
	CHECK_STR(o->string_table[f->filename], file);
	CHECK_U64(line->line, number);
}

UNIT(pprof_has_inlined_functions_first)
{
	struct cg_profile *p = profile();
	uint8_t room[4096];
	Pprof__Profile *o = unpacked(p, room, sizeof(room));

	CHECK_U64(o->n_location, 3);
	CHECK_U64(o->location[0]->n_line, 2);
	check_line(o, o->location[0]->line[0], "inner", "/src/a.h", 5);
	check_line(o, o->location[0]->line[1], "0x1000", "/src/a.c", 20);
	/* The line of a call is that of the instruction before the return address. */
	CHECK_U64(o->location[1]->address, 0x2000);
	check_line(o, o->location[1]->line[0], "0x2001", "/src/a.c", 30);
	check_line(o, o->location[2]->line[0], "0x2000", "", 0);
	CHECK_U64(o->n_mapping, 1);
	CHECK(!o->mapping[0]->has_functions && o->mapping[0]->has_filenames &&
	      o->mapping[0]->has_line_numbers && o->mapping[0]->has_inline_frames);
	CHECK_U64(o->n_sample, 2);
	CHECK_U64(o->sample[0]->n_value, 2);
	CHECK_U64(o->sample[0]->value[0], 3000);
	CHECK_U64(o->sample[0]->value[1], 3);
	CHECK_U64(o->sample[0]->n_location_id, 2);
	CHECK_U64(o->sample[0]->location_id[0], o->location[0]->id);
	pprof__profile__free_unpacked(o, NULL);
	cg_profile_free(p);
}
#endif

UNIT_MAIN(UNIT_ENTRY(json_has_source_places), UNIT_ENTRY(json_has_inlined_functions),
#if HAVE_PROTOBUF_C
	  UNIT_ENTRY(pprof_has_inlined_functions_first),
	  UNIT_ENTRY(otlp_has_all_that_pprof_says_of_a_profile),
#endif
	  UNIT_ENTRY(a_file_is_annotated_with_what_is_inlined_in_it_alone),
	  UNIT_ENTRY(speedscope_has_source_places))
