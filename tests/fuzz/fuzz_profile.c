// SPDX-License-Identifier: BSD-2-Clause
/*
 * The way from a log to reports.  The input's first byte chooses the selection; with bit 7 the rest
 * is a log as it stands, else a program whose steps write records with few processes, addresses and
 * names, so that they meet often.  Whatever the log, the reports must agree with each other.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../unit/outputs.h"
#include "callgraph/model/builder.h"
#include "callgraph/transform/compare.h"
#include "callgraph/transform/steps.h"
#include "pmclog/reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The rest of the input. */
struct input {
	const uint8_t *p;
	size_t left;
};

typedef VEC(uint8_t) bytes;

static uint8_t take(struct input *in)
{
	if (!in->left)
		return 0;
	in->left--;
	return *in->p++;
}

static void need(bool holds, const char *what)
{
	if (holds)
		return;
	fprintf(stderr, "fuzz_profile: not so: %s\n", what);
	abort();
}

static void put(bytes *log, const void *data, size_t len)
{
	if (vec_reserve(log, log->n + len + 8))
		abort();
	memcpy(log->v + log->n, data, len);
	log->n += len;
}

/* Ends the record that begins at byte at of the log: pads it and gives it its header. */
static void put_end(bytes *log, size_t at, uint32_t type)
{
	const uint64_t zero = 0;
	uint32_t header;

	put(log, &zero, -log->n & 7);
	header = PMCLOG_WIRE_HEADER(type, (log->n - at) & 0xffff);
	memcpy(log->v + at, &header, sizeof(header));
}

/* A name or path: a usual one, or bytes of the input. */
static void put_text(bytes *log, struct input *in, size_t room)
{
	static const char *const usual[] = {"/bin/a", "/bin/b",	  "/lib/c d;e", "[vdso]",
					    "//anon", "[kernel]", "[ext4]",	""};
	uint8_t c = take(in);
	char text[32] = "";
	size_t i;

	if (c & 0x80)
		for (i = 0; i < (c & 15u); i++)
			text[i] = (char)take(in);
	else
		snprintf(text, sizeof(text), "%s", usual[c % 8]);
	text[room < sizeof(text) ? room - 1 : sizeof(text) - 1] = '\0';
	put(log, text, room < sizeof(text) ? room : strlen(text) + 1);
}

static uint64_t address(struct input *in)
{
	static const uint64_t bases[] = {0,
					 0x400000,
					 0x7f0000000000,
					 0xffffffff81000000,
					 0xffffffffc0000000,
					 UINT64_MAX - 0xffff,
					 0xc0000000,
					 0x8000000000000000};
	uint8_t c = take(in);

	return bases[c >> 5] + (c & 31u) * 0x400;
}

static uint32_t pid_of(uint8_t c)
{
	return c == 0xff ? UINT32_MAX : c % 5;
}

static void put_field(bytes *log, uint16_t type, uint64_t value)
{
	const struct pmclog_wire_field field = {.type = type, .length = 8};

	put(log, &field, sizeof(field));
	put(log, &value, sizeof(value));
}

static void put_map(bytes *log, struct input *in)
{
	const struct pmclog_wire_map_in r = {.pid = pid_of(take(in)), .start = address(in)};
	struct pmclog_wire_trailer trailer = {PMCLOG_TRAILER_MAGIC, sizeof(trailer)};
	uint8_t what = take(in);
	const uint64_t zero = 0;
	size_t at = log->n, trailer_at;

	put(log, &r, sizeof(r));
	put_text(log, in, SIZE_MAX);
	put(log, &zero, -log->n & 7);
	trailer_at = log->n;
	put(log, &trailer, sizeof(trailer));
	if (what & 1)
		put_field(log, PMCLOG_FIELD_MAP_LENGTH,
			  what & 2 ? address(in) : (what >> 3) * 0x400ull);
	if (what & 4)
		put_field(log, PMCLOG_FIELD_FILE_OFFSET, (what >> 4) * 0x400ull);
	/* In little endian a text of one letter. */
	if ((what & 9) == 9)
		put_field(log, PMCLOG_FIELD_SYMBOL, 'a' + (what >> 5));
	trailer.length = (uint32_t)(log->n - trailer_at);
	memcpy(log->v + trailer_at, &trailer, sizeof(trailer));
	put_end(log, at, PMCLOG_WIRE_MAP_IN);
}

static void put_sample(bytes *log, struct input *in)
{
	uint8_t what = take(in), who = take(in);
	bool marked = who > 0xbf;
	const struct pmclog_wire_callchain r = {.pid = pid_of(who),
						.tid = who % 5u + who % 2u,
						.pmcid = what >> 6,
						.cpuflags = (who % 3u) << 16 | (what & 1) |
							    (marked ? 3u << PMCLOG_CC_TRAILER_SHIFT
								    : 0)};
	const struct pmclog_wire_trailer trailer = {PMCLOG_TRAILER_MAGIC, 24};
	uint32_t n = what >> 1 & 31, i;
	size_t at = log->n;

	put(log, &r, sizeof(r));
	for (i = 0; i < n; i++) {
		uint64_t pc = address(in);

		put(log, &pc, sizeof(pc));
	}
	if (marked) {
		put(log, &trailer, sizeof(trailer));
		put_field(log, PMCLOG_FIELD_EXACT, 1u << take(in) % 32u);
	}
	put_end(log, at, PMCLOG_WIRE_CALLCHAIN);
}

static void put_alloc(bytes *log, struct input *in)
{
	struct pmclog_wire_pmcallocatedyn r = {.pmcid = take(in) >> 6};
	struct pmclog_wire_trailer trailer = {PMCLOG_TRAILER_MAGIC, 24};
	size_t at = log->n;

	put(log, &r, offsetof(struct pmclog_wire_pmcallocatedyn, name));
	put_text(log, in, sizeof(r.name) / 4);
	put(log, r.name, sizeof(r.name) - sizeof(r.name) / 4);
	put(log, &trailer, sizeof(trailer));
	put_field(log, PMCLOG_FIELD_RATE, take(in));
	put_end(log, at, PMCLOG_WIRE_PMCALLOCATEDYN);
}

/* The records of processes that differ in their paths and sizes. */
static void put_process(bytes *log, struct input *in, uint32_t type)
{
	const struct pmclog_wire_procexec exec = {.pid = pid_of(take(in))};
	const struct pmclog_wire_pmcattach attach = {.pid = exec.pid};
	const struct pmclog_wire_thr_create thread = {.tid = exec.pid, .pid = pid_of(take(in))};
	const struct pmclog_wire_proc_create proc = {.pid = exec.pid};
	const uint64_t zero = 0;
	size_t at = log->n;

	switch (type) {
	case PMCLOG_WIRE_PROCEXEC: put(log, &exec, sizeof(exec)); break;
	case PMCLOG_WIRE_PMCATTACH: put(log, &attach, sizeof(attach)); break;
	case PMCLOG_WIRE_THR_CREATE: put(log, &thread, 32); break;
	default: put(log, &proc, 24); break;
	}
	put_text(log, in, type < PMCLOG_WIRE_THR_CREATE ? SIZE_MAX : 20);
	put(log, &zero, 4);
	put_end(log, at, type);
}

/* One record. */
static void put_record(bytes *log, struct input *in)
{
	const uint8_t step = take(in);
	struct pmclog_wire_map_out out = {0};
	struct pmclog_wire_procfork fork = {0};
	struct pmclog_wire_sysexit end = {0};
	size_t at = log->n, i;

	switch (step % 16) {
	default: put_sample(log, in); return;
	case 7: put_alloc(log, in); return;
	case 8: put_process(log, in, PMCLOG_WIRE_PROCEXEC); return;
	case 9: put_process(log, in, PMCLOG_WIRE_PROC_CREATE); return;
	case 10:
		put_process(log, in, step & 16 ? PMCLOG_WIRE_PMCATTACH : PMCLOG_WIRE_THR_CREATE);
		return;
	case 11:
	case 12: put_map(log, in); return;
	case 13:
		out.pid = pid_of(take(in));
		out.start = address(in);
		out.end = step & 16 ? out.start + 0x400 : address(in);
		put(log, &out, sizeof(out));
		put_end(log, at, PMCLOG_WIRE_MAP_OUT);
		return;
	case 14:
		fork.oldpid = end.pid = pid_of(take(in));
		fork.newpid = pid_of(take(in));
		if (step & 16)
			put(log, &fork, sizeof(fork));
		else
			put(log, &end, sizeof(end));
		put_end(log, at, step & 16 ? PMCLOG_WIRE_PROCFORK : PMCLOG_WIRE_SYSEXIT);
		return;
	case 15:
		/* Any bytes as any record. */
		put(log, &end, sizeof(end.h));
		for (i = 0; i < step >> 4; i++) {
			uint32_t word = take(in) | (uint32_t)take(in) << 24;

			put(log, &word, sizeof(word));
		}
		put_end(log, at, take(in));
		return;
	}
}

static void put_log(bytes *log, struct input *in)
{
	const struct pmclog_wire_initialize init = {.version = PMCLOG_WIRE_VERSION};

	put(log, &init, sizeof(init));
	put_end(log, 0, PMCLOG_WIRE_INITIALIZE);
	while (in->left)
		put_record(log, in);
}

/* Whether the line of a tree has its depth before the name: indentation began anew. */
static bool is_deep(const char *text)
{
	size_t digits = strspn(text, "0123456789");

	return digits && !strncmp(text + digits, ": ", 2);
}

/* What readers of a report find: the sum of its samples. */
static uint64_t sum_of(const char *name, char *text)
{
	uint64_t sum = 0, open = 0, self = 0, total;
	double share, total_share;
	size_t depth = 0, indent;
	char *line;

	while ((line = strsep(&text, "\n"))) {
		indent = strspn(line, " ");
		if (!strcmp(name, "folded") && *line) {
			need(strrchr(line, ' ') && strchr(line, ' ') == strrchr(line, ' '),
			     "a folded line has one blank");
			sum += strtoull(strrchr(line, ' '), NULL, 10);
		} else if (!strcmp(name, "json") && !strncmp(line, "{\"comm\":", 8)) {
			sum += strtoull(strstr(line, ",\"samples\":") + 11, NULL, 10);
		} else if (!strcmp(name, "flat") &&
			   sscanf(line, "%lf %" SCNu64 " %lf %" SCNu64, &share, &self, &total_share,
				  &total) == 4) {
			need(self <= total, "a function's own samples are among its total");
			sum += self;
		} else if (!strcmp(name, "graph") && line[indent] != '@' && strchr(line, '%')) {
			/* A line that no deeper one follows ends a stack. */
			sum += indent <= depth ? open : 0;
			open = strtoull(strchr(line, '[') + 1, NULL, 10);
			depth = indent;
		} else if (!strcmp(name, "tree") && indent < 7 &&
			   (sscanf(line, "%lf %lf %" SCNu64, &share, &total_share, &total) == 3 ||
			    sscanf(line, "%lf %" SCNu64 "  ...", &share, &total) == 2)) {
			/* The roots, and what is left out beside them, are all. */
			sum += line[25] == ' ' || is_deep(line + 25) ? 0 : total;
		} else if (!strcmp(name, "pc-map")) {
			sum += *line != '\0';
		} else if (!strcmp(name, "addresses")) {
			sum += !strcmp(line, "--");
		}
	}
	return sum + open;
}

static void check_output(const struct cg_view *view, const struct cg_output *output,
			 unsigned int graph_depth)
{
	static const char *const texts[] = {"flat",   "graph",	   "folded", "tree",
					    "pc-map", "addresses", "json"};
	/* With a threshold the flat profile leaves rows out. */
	struct cg_output_options options = {.graph_depth = graph_depth,
					    .threshold = strcmp(output->name, "flat") ? 20 : 0};
	struct sink *sink = sink_to_memory();
	struct err err = {0};
	bool is_text = false;
	char *text;
	size_t i, len;

	for (i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		is_text = is_text || !strcmp(output->name, texts[i]);
	/* Without samples there is no function to annotate. */
	need(sink && (!outputs_write(view, output, options, sink, &err) || err.code == EX_DATAERR),
	     "the output was written");
	sink_text(sink, &len);
	text = strdup(sink_text(sink, NULL));
	need(text && (!is_text || strlen(text) == len), "the output has no NUL");
	for (i = 0; i < len && is_text; i++)
		need(text[i] == '\n' || ((unsigned char)text[i] >= ' ' && text[i] != 0x7f),
		     "no control character gets into a report");
	/* Comparisons have other columns; their sums are checked as numbers. */
	if (is_text && !view->base)
		need(sum_of(output->name, text) == view->profile->quality.selected,
		     "a report has all samples");
	free(text);
	sink_free(sink);
}

static void check_profile(struct cg_profile *p)
{
	const struct cg_quality *q = &p->quality;
	const struct cg_event *e;
	struct cg_view view;
	uint64_t samples = 0;
	int i;

	vec_each(e, &p->events)
		samples += e->samples;
	need(samples == q->selected && q->selected <= q->samples, "events have all samples");
	need(q->unmapped <= q->unresolved && q->unresolved <= q->selected,
	     "the quality is of the selected samples");
	need(!cg_profile_add_lines(p, NULL), "lines were looked for");
	view = cg_view_all(p);
	for (i = 0; cg_outputs[i]; i++) {
		check_output(&view, cg_outputs[i], 0);
		if (!strcmp(cg_outputs[i]->name, "graph"))
			check_output(&view, cg_outputs[i], 2);
	}
}

/* A profile does not differ from itself, and its comparison has all of its samples twice. */
static void check_comparison(const struct cg_profile *p)
{
	struct cg_comparison *c = cg_compare(p, p, true, NULL);
	const struct cg_profile *both;
	uint64_t base = 0, now = 0;
	struct cg_view view;
	size_t i;

	need(c, "the profile was compared");
	view = cg_comparison_view(c);
	both = c->both;
	for (i = 0; i < both->stacks.n; i++) {
		need(c->stacks.v[i] == both->stacks.v[i].count, "nothing changed");
		base += c->stacks.v[i];
		now += both->stacks.v[i].count;
	}
	need(base == p->quality.selected && now == base, "no sample was lost");
	for (i = 0; cg_outputs[i]; i++)
		if (cg_outputs[i]->compares)
			check_output(&view, cg_outputs[i], 0);
	cg_comparison_free(c);
}

static void profile_log(const bytes *log, const struct cg_config *config, bool twice)
{
	struct pmclog_reader *r = pmclog_reader_open_feed("log", NULL);
	struct cg_builder *b = cg_builder_new(config, NULL);
	struct cg_profile *p;
	struct pmclog_record rec;
	struct cg_view view;
	uint64_t n = 0;

	need(r && b && !pmclog_reader_feed(r, log->v, log->n, NULL), "there is memory");
	pmclog_reader_feed_end(r);
	while (pmclog_reader_next(r, &rec, NULL) == PMCLOG_RESULT_OK) {
		need(!cg_builder_add(b, &rec, NULL), "the record was added");
		if (twice && ++n % 16 == 0)
			need(cg_builder_look(b, NULL), "the profile was looked at");
	}
	p = cg_builder_finish(b, NULL);
	need(p, "the profile was finished");
	check_profile(p);
	need(!cg_profile_show_inlined(p, NULL) && !cg_profile_divide_events(p, config->keys, NULL),
	     "the profile was divided");
	view = cg_view_all(p);
	check_output(&view, cg_outputs[0], 0);
	check_comparison(p);
	cg_profile_free(p);
	pmclog_reader_close(r);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct cg_config config = {
		.symbols = {.fsroot = "/nonexistent", .log_boot_id = "another machine"},
		.lifetimes = true};
	uint32_t one = 1, two = 2;
	const char *pattern = "*a*";
	struct cg_select select = {0};
	struct input in = {data, size};
	uint8_t how = take(&in);
	bytes log = {0};

	if (!size)
		return 0;
	if (how & 1)
		select.pids.v = &one, select.pids.n = 1;
	if (how & 2)
		select.tids.v = &two, select.tids.n = 1;
	if (how & 4)
		select.cpus.v = &one, select.cpus.n = 1;
	if (how & 8)
		select.comms.v = &pattern, select.comms.n = 1;
	if (how & 16)
		config.select = &select;
	if (how & 64)
		config.keys = how & 1 ? CG_KEY_PID : CG_KEY_CPU;
	if (how & 0x80)
		put(&log, in.p, in.left);
	else
		put_log(&log, &in);
	profile_log(&log, &config, how & 32);
	vec_free(&log);
	return 0;
}
