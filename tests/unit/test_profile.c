// SPDX-License-Identifier: BSD-2-Clause
/* The profile as a value, and what every output must agree on. */
#include <malloc.h>
#include <time.h>

#include "base/strpool.h"
#include "callgraph/model/builder.h"
#include "callgraph/output/output.h"
#include "callgraph/model/space.h"
#include "callgraph/model/times.h"
#include "tree.h"
#include "unit.h"

static struct cg_builder *new_builder(void)
{
	static const struct cg_config config;
	struct cg_builder *b = cg_builder_new(&config, NULL);

	CHECK(b);
	return b;
}

/* What the builder has, named.  It is at one place as long as the builder is. */
static const struct cg_profile *look(struct cg_builder *b)
{
	const struct cg_profile *p = cg_builder_look(b, NULL);

	CHECK(p);
	return p;
}

static void add(struct cg_builder *b, struct pmclog_record rec)
{
	CHECK(!cg_builder_add(b, &rec, NULL));
}

static void add_chain(struct cg_builder *b, uint32_t pid, uint32_t pmcid, const uint64_t *pcs,
		      uint32_t npcs)
{
	add(b, (struct pmclog_record){.type = PMCLOG_WIRE_CALLCHAIN,
				      .u.chain = {.pid = pid,
						  .tid = pid,
						  .pmcid = pmcid,
						  .usermode = true,
						  .npcs = npcs,
						  .pcs = pcs}});
}

static uint64_t next_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

/* 50,000 samples of varied depth, process, event and address, most of them seen before. */
static struct cg_builder *random_builder(void)
{
	struct cg_builder *b = new_builder();
	uint64_t state = 42, pcs[PMCLOG_MAX_DEPTH];
	uint32_t i, j, depth;

	add(b, (struct pmclog_record){.type = PMCLOG_WIRE_PMCALLOCATEDYN,
				      .u.alloc = {.pmcid = 1, .name = {"first", 5}}});
	add(b, (struct pmclog_record){.type = PMCLOG_WIRE_PMCALLOCATEDYN,
				      .u.alloc = {.pmcid = 2, .name = {"second", 6}}});
	for (i = 0; i < 50000; i++) {
		uint64_t r = next_random(&state);

		depth = 1 + r % 9;
		for (j = 0; j < depth; j++)
			pcs[j] = 0x1000 * (1 + (r >> (8 + 2 * j)) % 3);
		add_chain(b, 10 + r % 4, 1 + (r >> 40) % 2, pcs, depth);
	}
	return b;
}

static struct cg_profile *random_profile(void)
{
	struct cg_profile *p = cg_builder_finish(random_builder(), NULL);

	CHECK(p);
	return p;
}

/* A batch has room for one such chain, and no other before it. */
UNIT(the_deepest_chain_keeps_its_marks)
{
	static uint64_t pcs[PMCLOG_MAX_FRAMES];
	static uint8_t exact[PMCLOG_MAX_FRAMES / 8];
	const uint32_t last = PMCLOG_MAX_FRAMES - 1;
	struct cg_builder *b = new_builder();
	const struct cg_profile *p = look(b);
	struct pmclog_record rec = {.type = PMCLOG_WIRE_CALLCHAIN,
				    .u.chain = {.pid = 10,
						.tid = 10,
						.pmcid = 1,
						.usermode = true,
						.npcs = PMCLOG_MAX_FRAMES,
						.pcs = pcs,
						.exact = {exact, sizeof(exact)}}};
	const struct cg_stack *deep;

	exact[last / 8] = (uint8_t)(1u << last % 8);
	add_chain(b, 10, 1, pcs, 50);
	add(b, rec);
	CHECK_U64(p->stacks.n, 1);
	p = look(b);
	CHECK_U64(p->stacks.n, 2);
	deep = &p->stacks.v[1];
	CHECK_U64(deep->npcs, PMCLOG_MAX_FRAMES);
	CHECK(p->locations.v[p->locations_of.v[deep->first + last - 1]].is_return);
	CHECK(!p->locations.v[p->locations_of.v[deep->first + last]].is_return);
	cg_builder_free(b);
}

/* 6000 chains of one frame that stands 4096 times, and of a leaf that no other has. */
UNIT(memory_does_not_grow_with_frames_that_records_repeat)
{
	enum { RECORDS = 6000, FRAMES = PMCLOG_MAX_FRAMES };
	static uint64_t pcs[FRAMES];
	uint64_t folded[2] = {0, 0x2000};
	struct cg_builder *b = new_builder();
	const struct cg_profile *p;
	struct pmclog_record rec = {.type = PMCLOG_WIRE_CALLCHAIN,
				    .u.chain = {.pid = 10,
						.tid = 10,
						.pmcid = 1,
						.usermode = true,
						.end = PMCLOG_END_COMPLETE,
						.npcs = FRAMES,
						.pcs = pcs,
						.nfolded = 2,
						.folded = folded}};
	uint64_t whole = 0, cut = 0;
	uint32_t i;

	for (i = 0; i < FRAMES; i++)
		pcs[i] = 0x2000;
	for (i = 0; i < RECORDS; i++) {
		pcs[0] = folded[0] = 0x10000 + i;
		add(b, rec);
	}
	p = look(b);
	CHECK_U64(p->stacks.n, RECORDS);
	for (i = 0; i < p->stacks.n; i++) {
		const struct cg_stack *s = &p->stacks.v[i];

		whole += s->npcs == FRAMES && s->end == PMCLOG_END_COMPLETE;
		cut += s->npcs == 2 && s->end == PMCLOG_END_DEPTH;
	}
	CHECK_U64(whole + cut, RECORDS);
	/* 2^24 frames and 32 for each in a record, to a batch of one chain. */
	CHECK(whole > 4096 && whole < 4300);
	CHECK(p->words.n < (1 << 24) + RECORDS * (64 + 2) + 2 * FRAMES);
	/* What is forgotten leaves its room. */
	CHECK(!cg_builder_forget(b, NULL));
	add(b, rec);
	CHECK_U64(look(b)->stacks.v[0].npcs, FRAMES);
	cg_builder_free(b);
}

/* The output of a name, as text that the caller frees. */
static char *text_of(const struct cg_profile *p, const char *name)
{
	const struct cg_view view = cg_view_all(p);
	struct cg_output_options options = {0};
	struct sink *sink = sink_to_memory();
	char *text;
	int i;

	for (i = 0; cg_outputs[i] && strcmp(cg_outputs[i]->name, name) != 0; i++)
		;
	CHECK(cg_outputs[i] && !cg_outputs[i]->write(&view, &options, sink, NULL));
	text = strdup(sink_text(sink, NULL));
	sink_free(sink);
	return text;
}

UNIT(folded_stacks_add_up_to_all_samples)
{
	struct cg_profile *p = random_profile();
	char *text = text_of(p, "folded"), *line, *rest = text;
	uint64_t sum = 0;

	while ((line = strsep(&rest, "\n")) && *line)
		sum += strtoull(strrchr(line, ' ') + 1, NULL, 10);
	CHECK_U64(sum, 50000);
	CHECK_U64(p->quality.selected, 50000);
	CHECK(p->stacks.n < 50000);
	free(text);
	cg_profile_free(p);
}

/* As stackcollapse-pmc.pl reads: a line that no deeper one follows ends a stack with its count. */
UNIT(a_reader_of_the_call_graph_gets_every_sample)
{
	struct cg_profile *p = random_profile();
	char *text = text_of(p, "graph"), *line, *rest = text;
	uint64_t sum = 0, count = 0;
	size_t depth = 0;

	while ((line = strsep(&rest, "\n"))) {
		size_t indent = strspn(line, " ");

		if (!strchr(line, '%'))
			continue;
		if (indent <= depth)
			sum += count;
		depth = indent;
		count = strtoull(strchr(line, '[') + 1, NULL, 10);
	}
	CHECK_U64(sum + count, 50000);
	free(text);
	cg_profile_free(p);
}

UNIT(flat_self_counts_add_up_to_all_samples)
{
	struct cg_profile *p = random_profile();
	char *text = text_of(p, "flat"), *line, *rest = text;
	uint64_t sum = 0, self, total;
	double share, total_share;

	while ((line = strsep(&rest, "\n")))
		if (sscanf(line, "%lf %" SCNu64 " %lf %" SCNu64, &share, &self, &total_share,
			   &total) == 4) {
			CHECK(self <= total);
			sum += self;
		}
	CHECK_U64(sum, 50000);
	free(text);
	cg_profile_free(p);
}

UNIT(two_profiles_do_not_disturb_each_other)
{
	struct cg_profile *a = random_profile(), *b = random_profile();
	char *x = text_of(a, "folded"), *y = text_of(b, "folded");

	CHECK_STR(x, y);
	free(x);
	free(y);
	cg_profile_free(a);
	x = text_of(b, "folded");
	CHECK(strlen(x) > 100);
	free(x);
	cg_profile_free(b);
}

UNIT(resolving_again_after_more_samples_adds_them)
{
	struct cg_builder *b = random_builder();
	const struct cg_profile *p = look(b);
	uint64_t pc = 0x77000;

	add_chain(b, 10, 1, &pc, 1);
	add_chain(b, 10, 1, &pc, 1);
	look(b);
	CHECK_U64(p->quality.selected, 50002);
	CHECK_U64(p->stacks.v[p->stacks.n - 1].count, 2);
	cg_builder_free(b);
}

static void map(struct cg_spaces *s, uint32_t *space, uint64_t start, uint64_t end, uint32_t image)
{
	struct cg_map m = {.start = start,
			   .length = end - start,
			   .file_offset = start,
			   .has_file_offset = true,
			   .image = image};

	CHECK(!cg_space_map(s, space, &m, end, false));
}

/* A map as FreeBSD's logs have it: it may reach up to end. */
static void guess(struct cg_spaces *s, uint32_t *space, uint64_t start, uint64_t end,
		  uint32_t image)
{
	struct cg_map m = {.start = start, .image = image};

	CHECK(!cg_space_map(s, space, &m, end, true));
}

/* The image that is mapped at an address, CG_NO_MAP for none. */
static uint32_t image_at(const struct cg_spaces *s, uint32_t space, uint64_t address)
{
	uint32_t i = cg_space_find(s, space, address);

	return i == CG_NO_MAP ? i : s->maps.v[i].image;
}

static size_t ranges_of(const struct cg_spaces *s, uint32_t space)
{
	struct cg_range_place at = {0};
	size_t n = 0;

	for (; cg_ranges_at(&s->v.v[space].ranges, at);
	     at = cg_ranges_next(&s->v.v[space].ranges, at))
		n++;
	return n;
}

static uint32_t generation(const struct cg_spaces *s, uint32_t space)
{
	return s->v.v[space].generation;
}

UNIT(a_map_over_others_cuts_them)
{
	struct cg_spaces s = {0};
	uint32_t space = 0;

	CHECK(!cg_spaces_init(&s));
	map(&s, &space, 0x1000, 0x9000, 1);
	map(&s, &space, 0x3000, 0x5000, 2);
	CHECK_U64(ranges_of(&s, space), 3);
	CHECK_U64(image_at(&s, space, 0x2fff), 1);
	CHECK_U64(image_at(&s, space, 0x3000), 2);
	CHECK_U64(image_at(&s, space, 0x4fff), 2);
	CHECK_U64(image_at(&s, space, 0x5000), 1);
	CHECK_U64(cg_space_find(&s, space, 0x1000), cg_space_find(&s, space, 0x8fff));
	map(&s, &space, 0x0, 0xa000, 3);
	CHECK_U64(ranges_of(&s, space), 1);
	CHECK_U64(image_at(&s, space, 0xa000), CG_NO_MAP);
	cg_spaces_fini(&s);
}

/* Against an array with an entry for each page. */
UNIT(thousands_of_maps_are_found_where_they_are)
{
	enum { PAGES = 8192 };
	static uint32_t image[PAGES + 256];
	struct cg_spaces s = {0};
	uint32_t space = 0, turn, i;
	uint64_t state = 7, start, end, r;

	CHECK(!cg_spaces_init(&s));
	for (i = 0; i < PAGES + 256; i++)
		image[i] = CG_NO_MAP;
	for (turn = 1; turn < 20000; turn++) {
		r = next_random(&state);
		start = r % PAGES;
		/* Most of one page, a few over many. */
		end = start + 1 + (r >> 30 & 63 ? 0 : (r >> 20) % 256);
		if (r >> 40 & 7)
			map(&s, &space, start << 12, end << 12, turn);
		else
			CHECK(!cg_space_unmap(&s, &space, start << 12, end << 12));
		for (i = (uint32_t)start; i < end; i++)
			image[i] = r >> 40 & 7 ? turn : CG_NO_MAP;
	}
	for (i = 0; i < PAGES; i++) {
		CHECK_U64(image_at(&s, space, (uint64_t)i << 12), image[i]);
		CHECK_U64(image_at(&s, space, ((uint64_t)i << 12) + 0xfff), image[i]);
	}
	CHECK(ranges_of(&s, space) > 1000);
	CHECK(!cg_space_unmap(&s, &space, 0, UINT64_MAX));
	CHECK_U64(ranges_of(&s, space), 0);
	cg_spaces_fini(&s);
}

UNIT(a_guessed_end_yields_to_what_lies_there)
{
	struct cg_spaces s = {0};
	uint32_t space = 0, turn;

	CHECK(!cg_spaces_init(&s));
	for (turn = 0; turn < 2; turn++) {
		/* Logs tell the same maps again for each PMC that is attached. */
		guess(&s, &space, 0x400000, 0x80400000, 1);
		guess(&s, &space, 0x800000, 0x80800000, 2);
		guess(&s, &space, 0x600000, 0x80600000, 3);
		CHECK_U64(ranges_of(&s, space), 3);
		CHECK_U64(image_at(&s, space, 0x5fffff), 1);
		CHECK_U64(image_at(&s, space, 0x7fffff), 3);
		CHECK_U64(image_at(&s, space, 0x900000), 2);
	}
	/* Another program at the place of the first leaves its libraries alone. */
	guess(&s, &space, 0x400000, 0x80400000, 4);
	CHECK_U64(image_at(&s, space, 0x5fffff), 4);
	CHECK_U64(image_at(&s, space, 0x600000), 3);
	CHECK_U64(image_at(&s, space, 0x900000), 2);
	cg_spaces_fini(&s);
}

UNIT(only_what_a_sample_may_have_seen_opens_a_generation)
{
	struct cg_spaces s = {0};
	uint32_t space, before;

	CHECK(!cg_spaces_init(&s));
	space = cg_space_new(&s);
	before = generation(&s, space);
	map(&s, &space, 0x1000, 0x2000, 1);
	map(&s, &space, 0x1000, 0x2000, 2);
	CHECK_U64(generation(&s, space), before);
	s.v.v[space].sampled = true;
	map(&s, &space, 0x5000, 0x6000, 2);
	/* The same bytes of the same image, and some more. */
	map(&s, &space, 0x4000, 0x7000, 2);
	CHECK(!cg_space_unmap(&s, &space, 0x8000, 0x9000));
	CHECK_U64(generation(&s, space), before);
	CHECK(!cg_space_unmap(&s, &space, 0x1800, 0x3000));
	CHECK(generation(&s, space) != before);
	CHECK_U64(image_at(&s, space, 0x17ff), 2);
	CHECK_U64(image_at(&s, space, 0x1800), CG_NO_MAP);
	before = generation(&s, space);
	map(&s, &space, 0x1000, 0x1800, 3);
	CHECK_U64(generation(&s, space), before);
	s.v.v[space].sampled = true;
	map(&s, &space, 0x1000, 0x1800, 4);
	CHECK(generation(&s, space) != before);
	cg_spaces_fini(&s);
}

UNIT(a_map_where_a_sample_found_none_opens_a_generation)
{
	struct cg_spaces s = {0};
	uint32_t space, before;
	uint64_t i;

	CHECK(!cg_spaces_init(&s));
	space = cg_space_new(&s);
	before = generation(&s, space);
	s.v.v[space].sampled = true;
	for (i = 0; i < 1000; i++) {
		/* Each twice, every other page, in no order. */
		CHECK(!cg_space_note(&s, space, i * 617 % 1000 << 13 | 0x234));
		CHECK(!cg_space_note(&s, space, i * 617 % 1000 << 13 | 0x567));
	}
	CHECK(!cg_space_note(&s, space, UINT64_MAX));
	CHECK(!cg_space_note(&s, space, UINT64_MAX));
	CHECK_U64(s.v.v[space].unmapped.n, 1001);
	for (i = 0; i < 1000; i++)
		map(&s, &space, i << 13 | 0x1000, (i + 1) << 13, 1);
	CHECK_U64(generation(&s, space), before);
	map(&s, &space, 777 << 13, 777 << 13 | 0x1000, 1);
	CHECK(generation(&s, space) != before);
	cg_spaces_fini(&s);
}

UNIT(a_shared_space_is_copied_before_any_change)
{
	struct cg_spaces s = {0};
	uint32_t parent, child;

	CHECK(!cg_spaces_init(&s));
	parent = child = cg_space_new(&s);
	cg_space_ref(&s, child);
	map(&s, &child, 0x1000, 0x2000, 1);
	CHECK(child != parent && image_at(&s, parent, 0x1000) == CG_NO_MAP);
	CHECK(generation(&s, child) != generation(&s, parent));
	CHECK_U64(s.v.v[parent].refs, 1);
	map(&s, &parent, 0x1000, 0x2000, 2);
	CHECK_U64(s.v.n, 3);
	cg_space_unref(&s, child);
	CHECK_U64(cg_space_new(&s), child);
	CHECK_U64(image_at(&s, child, 0x1000), CG_NO_MAP);
	cg_spaces_fini(&s);
}

static void add_map(struct cg_builder *b, uint32_t pid, uint64_t start, uint64_t length,
		    const char *path)
{
	add(b, (struct pmclog_record){.type = PMCLOG_WIRE_MAP_IN,
				      .u.map_in = {.pid = pid,
						   .start = start,
						   .length = length,
						   .path = {path, strlen(path)}}});
}

/* A program that maps and unmaps code all the time, as one that compiles while it runs. */
UNIT(memory_does_not_grow_with_what_was_mapped_once)
{
	struct cg_builder *b = new_builder();
	const struct cg_profile *p = look(b);
	uint64_t pc = 0x7f0000000010;
	uint32_t i;

	for (i = 0; i < 1000; i++)
		add_map(b, 10, 0x100000000 + i * 0x2000ull, 0x1000, "lib");
	for (i = 0; i < 1000; i++) {
		add_map(b, 10, 0x7f0000000000, 0x1000, i % 2 ? "one" : "two");
		add_chain(b, 10, 1, &pc, 1);
		add(b, (struct pmclog_record){.type = PMCLOG_WIRE_PROCFORK,
					      .u.fork = {.oldpid = 10, .newpid = 1000 + i}});
		add_map(b, 1000 + i, 0x1000, 0x1000, "child");
		add(b, (struct pmclog_record){.type = PMCLOG_WIRE_PROCEXEC,
					      .u.exec = {.pid = 1000 + i, .path = {"/bin/x", 6}}});
	}
	look(b);
	CHECK_U64(p->quality.selected, 1000);
	CHECK_U64(p->quality.unmapped, 0);
	/* An image each for lib, one, two and child, and one location in each that was sampled. */
	CHECK_U64(p->images.n, 4);
	CHECK_U64(p->locations.n, 2);
	cg_builder_free(b);
}

/* So many that finding one among them must not be a search through all. */
/* A pmcid of its own, i and i + n on CPUs of their own. */
static uint32_t one_of_many(uint32_t i, uint32_t n)
{
	return (i % n & 0xfff) | ((i % n >> 12) * 2 + i / n) << 20;
}

UNIT(pmcs_of_one_event_are_one_among_many)
{
	enum { EVENTS = 60000 };
	struct cg_builder *b = new_builder();
	const struct cg_profile *p = look(b);
	const uint64_t pc = 0x1000;
	uint32_t i, event;
	char name[16];

	for (i = 0; i < 2 * EVENTS; i++) {
		size_t n = (size_t)snprintf(name, sizeof(name), "event-%u", i % EVENTS);

		add(b, (struct pmclog_record){.type = PMCLOG_WIRE_PMCALLOCATEDYN,
					      .u.alloc = {.pmcid = one_of_many(i, EVENTS),
							  .name = {name, n}}});
	}
	CHECK_U64(p->events.n, EVENTS);
	for (i = 0; i < 2 * EVENTS; i++)
		add_chain(b, 10, one_of_many(i, EVENTS), &pc, 1);
	for (event = 0; event < EVENTS; event++)
		CHECK_U64(p->events.v[event].samples, 2);
	cg_builder_free(b);
}

/* 200 processes that each map the file elsewhere, are sampled there and exit. */
static void add_short_lives(struct cg_builder *b)
{
	uint32_t pid;

	for (pid = 1000; pid < 1200; pid++) {
		uint64_t start = 0x10000000ull * pid, pc = start + 0x10;

		add_map(b, pid, start, 0x1000, "app");
		add_chain(b, pid, 1, &pc, 1);
		add(b, (struct pmclog_record){.type = PMCLOG_WIRE_SYSEXIT, .u.sysexit = {pid}});
	}
	look(b);
}

UNIT(a_profile_that_forgets_knows_where_it_comes_from)
{
	static const struct cg_config config;
	struct cg_builder *b = cg_builder_new(&config, NULL);
	const struct cg_profile *p = look(b);
	char host[] = "here", command[] = "make all", collector[] = "hwpmc";
	const struct pmclog_machine machine = {.cpu = "Some CPU", .release = "16.0"};
	struct pmclog_record init = {.type = PMCLOG_WIRE_INITIALIZE,
				     .u.init = {.ts_sec = 7,
						.host = {host, strlen(host)},
						.collector = {collector, strlen(collector)},
						.command = {command, strlen(command)}}};

	add(b, init);
	CHECK(!cg_builder_machine(b, &machine, NULL));
	host[0] = command[0] = collector[0] = '?';
	CHECK(!cg_builder_forget(b, NULL));
	CHECK_STR(p->origin.host, "here");
	/* What it says is in the pool that it has now, not in the one that is gone. */
	CHECK(p->origin.collector == strpool_intern(p->pool, "hwpmc"));
	CHECK_STR(p->origin.command, "make all");
	CHECK_STR(p->origin.cpu, "Some CPU");
	CHECK_STR(p->origin.release, "16.0");
	CHECK_U64(p->origin.time, 7);
	cg_builder_free(b);
}

UNIT(times_are_of_what_is_not_forgotten)
{
	const uint32_t pmcid = 0xfff02f00; /* of processes */
	const uint64_t second = 1000000000, pc = 0x400010;
	struct cg_builder *b = new_builder();
	const struct cg_profile *p = look(b);
	struct pmclog_record rec = {.type = PMCLOG_WIRE_INITIALIZE,
				    .tsc = second,
				    .u.init = {.tsc_freq = second}};

	add(b, rec);
	add(b, (struct pmclog_record){.type = PMCLOG_WIRE_PMCALLOCATEDYN,
				      .u.alloc = {.pmcid = pmcid, .name = {"cpu-clock", 9}}});
	add(b, (struct pmclog_record){.type = PMCLOG_WIRE_PMCATTACH,
				      .u.attach = {.pmcid = pmcid, .pid = 10}});
	rec = (struct pmclog_record){.type = PMCLOG_WIRE_CALLCHAIN,
				     .tsc = 2 * second,
				     .u.chain = {.pid = 10, .pmcid = pmcid, .npcs = 1, .pcs = &pc}};
	add(b, rec);
	add(b, (struct pmclog_record){
		       .type = PMCLOG_WIRE_PMCDETACH,
		       .tsc = 5 * second,
		       .u.attach = {.pmcid = pmcid, .pid = 10, .has_times = true, .user = 7}});
	look(b);
	CHECK(p->seconds == 4 && p->sampled == 3);
	CHECK(p->ran.known && p->ran.user == 7);
	CHECK(!cg_builder_forget(b, NULL));
	rec.tsc = 6 * second;
	add(b, rec);
	rec.tsc = 7 * second;
	add(b, rec);
	look(b);
	CHECK(p->sampled == 1 && !p->ran.known);
	cg_builder_free(b);
}

UNIT(a_profile_forgets_all_but_what_runs)
{
	struct cg_builder *b = new_builder();
	const struct cg_profile *p = look(b);
	uint64_t pc = 0x400010;
	size_t size, lasting;

	add(b, (struct pmclog_record){.type = PMCLOG_WIRE_PMCALLOCATEDYN,
				      .u.alloc = {.pmcid = 1, .name = {"first", 5}}});
	add(b, (struct pmclog_record){.type = PMCLOG_WIRE_DROPNOTIFY,
				      .u.drop = {.count_known = 1, .count = 7}});
	add_map(b, 10, 0x400000, 0x1000, "lives");
	add_chain(b, 10, 1, &pc, 1);
	look(b);
	lasting = cg_builder_size(b);
	add_short_lives(b);
	CHECK_U64(p->quality.selected, 201);
	size = cg_builder_size(b);
	CHECK(!cg_builder_forget(b, NULL) && look(b));
	CHECK(cg_builder_size(b) <= lasting && lasting < size / 10);
	CHECK(p->stacks.n == 0 && p->quality.selected == 0);
	CHECK(p->quality.samples == 201 && p->quality.drops.of[PMCLOG_DROP_RING] == 7);
	/* Again and again it needs no more than once. */
	add_short_lives(b);
	CHECK(cg_builder_size(b) <= size);
	CHECK(!cg_builder_forget(b, NULL));
	add_chain(b, 10, 1, &pc, 1);
	add_chain(b, 1000, 1, &pc, 1);
	look(b);
	CHECK_U64(p->stacks.n, 2);
	CHECK_U64(p->events.v[0].samples, 2);
	CHECK_STR(cg_object_of(p, &p->functions.v[cg_function_of(p, &p->stacks.v[0], 0)]), "lives");
	CHECK_U64(p->quality.unmapped, 1);
	cg_builder_free(b);
}

static void add_thread_chain(struct cg_builder *b, uint32_t pid, uint32_t tid)
{
	const uint64_t pc = 0x1000;

	add(b, (struct pmclog_record){
		       .type = PMCLOG_WIRE_CALLCHAIN,
		       .u.chain = {.pid = pid, .tid = tid, .pmcid = 1, .npcs = 1, .pcs = &pc}});
}

static void add_code(struct cg_builder *b, uint32_t pid, uint64_t start, const char *path,
		     const char *symbol)
{
	add(b, (struct pmclog_record){.type = PMCLOG_WIRE_MAP_IN,
				      .u.map_in = {.pid = pid,
						   .start = start,
						   .length = 0x1000,
						   .path = {path, strlen(path)},
						   .symbol = {symbol, strlen(symbol)}}});
}

/*
 * 100,000 samples, each of an address that was never sampled before, in a file without symbols, in
 * memory without a file and where nothing is mapped, in a process with a name and a file of its own
 * for every 100 of them.
 */
static void add_distinct(struct cg_builder *b, uint32_t round)
{
	char name[32];
	uint32_t i;

	for (i = 0; i < 100000; i++) {
		uint32_t number = round * 1000 + i / 100, pid = 1000 + i / 100;
		uint64_t pc[] = {0x10000000 + (uint64_t)i * 4,
				 0x50000000 + (uint64_t)round * 0x100000 + i,
				 ((uint64_t)round << 32) + ((uint64_t)i << 12)};

		if (i % 100 == 0) {
			snprintf(name, sizeof(name), "/tmp/program-%u", number);
			add_code(b, pid, 0x10000000, name, "");
			add_code(b, pid, 0x50000000, "//anon", "");
			snprintf(name, sizeof(name), "compiled_%u", number);
			add_code(b, pid, 0x50000000, "[jit]", name);
			snprintf(name, sizeof(name), "name-%u", number);
			add(b, (struct pmclog_record){
				       .type = PMCLOG_WIRE_PROC_CREATE,
				       .u.proc = {.pid = pid, .comm = {name, strlen(name)}}});
		}
		add_chain(b, pid, 1, pc, 3);
		/* As in a process that runs on. */
		add_chain(b, 10, 1, pc + 2, 1);
		if (i % 100 == 99)
			add(b, (struct pmclog_record){.type = PMCLOG_WIRE_SYSEXIT,
						      .u.sysexit = {pid}});
	}
	look(b);
}

/* Bytes of the heap that are in use; 0 where the C library, or a sanitizer's, does not say. */
static size_t heap(void)
{
#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 33)
	struct mallinfo2 info = mallinfo2();

	return info.uordblks + info.hblkhd;
#else
	return 0;
#endif
}

static const char *leaf_of(const struct cg_profile *p, size_t stack)
{
	return p->functions.v[cg_function_of(p, &p->stacks.v[stack], 0)].name;
}

static const char *object_of_leaf(const struct cg_profile *p, size_t stack)
{
	return cg_object_of(p, &p->functions.v[cg_function_of(p, &p->stacks.v[stack], 0)]);
}

/* A server with many maps whose children map something each. */
UNIT(children_that_map_have_the_rest_in_common)
{
	enum { MAPS = 8000, CHILDREN = 1000 };
	struct cg_builder *b = new_builder();
	const struct cg_profile *p = look(b);
	uint64_t pc = 0x403010, own = 0x100000000010, middle = 0x400010 + MAPS / 2 * 0x1000;
	size_t before;
	uint32_t i;

	/* What is forgotten later gives its number to the maps behind it. */
	add_map(b, 20, 0x1000, 0x1000, "gone");
	add(b, (struct pmclog_record){.type = PMCLOG_WIRE_SYSEXIT, .u.sysexit = {20}});
	for (i = 0; i < MAPS; i++)
		add_map(b, 10, 0x400000 + i * UINT64_C(0x1000), 0x1000,
			i == MAPS / 2 ? "middle" : i % 2 ? "odd" : "even");
	before = heap();
	for (i = 1000; i < 1000 + CHILDREN; i++) {
		add(b, (struct pmclog_record){.type = PMCLOG_WIRE_PROCFORK,
					      .u.fork = {.oldpid = 10, .newpid = i}});
		add_map(b, i, 0x100000000000, 0x1000, "own");
		/* What one changes is the others' as it was. */
		add_map(b, i, 0x403000, 0x1000, i % 2 ? "even" : "odd");
	}
	if (before)
		CHECK(heap() - before < MAPS * CHILDREN * sizeof(struct cg_range) / 20);
	CHECK(!cg_builder_forget(b, NULL));
	add_chain(b, 1999, 1, &middle, 1);
	add_chain(b, 10, 1, &pc, 1);
	add_chain(b, 1000, 1, &pc, 1);
	add_chain(b, 1001, 1, &pc, 1);
	add_chain(b, 1001, 1, &own, 1);
	look(b);
	CHECK_STR(object_of_leaf(p, 0), "middle");
	CHECK_STR(object_of_leaf(p, 1), "odd");
	CHECK_STR(object_of_leaf(p, 2), "odd");
	CHECK_STR(object_of_leaf(p, 3), "even");
	CHECK_STR(object_of_leaf(p, 4), "own");
	cg_builder_free(b);
}

/* What a profile without an end takes does not depend on what it forgot. */
UNIT(memory_does_not_grow_with_what_was_forgotten)
{
	struct cg_builder *b = new_builder();
	const struct cg_profile *p = look(b);
	size_t before = heap(), grown, size = 0, kept = 0;
	uint64_t in_file = 0x20000010, in_code = 0x7010;
	uint32_t round;

	add_code(b, 10, 0x20000000, "/gone/lasting", "");
	add_code(b, 10, 0x7000, "//anon", "");
	add_code(b, 10, 0x7000, "[jit]", "lasting");
	for (round = 1; round <= 4; round++) {
		add_distinct(b, round);
		grown = cg_builder_size(b);
		/* It says what there is, but for the room that arrays grow into. */
		if (before)
			CHECK(grown < heap() - before && heap() - before < grown * 2);
		size = size ? size : grown;
		CHECK(grown <= size + size / 100);
		CHECK(!cg_builder_forget(b, NULL) && look(b));
		kept = kept ? kept : cg_builder_size(b);
		CHECK(cg_builder_size(b) <= kept && kept < size / 100);
		if (before)
			CHECK(heap() - before < size / 10);
	}
	CHECK(p->quality.samples == 800000 && p->stacks.n == 0);
	add_chain(b, 10, 1, &in_code, 1);
	add_chain(b, 10, 1, &in_file, 1);
	look(b);
	CHECK_STR(leaf_of(p, 0), "lasting");
	CHECK_STR(leaf_of(p, 1), "0x10");
	CHECK_STR(cg_object_of(p, &p->functions.v[cg_function_of(p, &p->stacks.v[1], 0)]),
		  "/gone/lasting");
	/* Both maps that there are, and what the code's name is in. */
	CHECK_U64(p->images.n, 3);
	cg_builder_free(b);
}

UNIT(threads_that_are_gone_are_forgotten)
{
	static const struct cg_config config = {.keys = CG_KEY_PID | CG_KEY_TID};
	struct cg_builder *b = cg_builder_new(&config, NULL);
	const struct cg_profile *p = look(b);
	size_t size = cg_builder_size(b);
	uint32_t tid;

	for (tid = 11; tid < 1000; tid++) {
		add(b, (struct pmclog_record){
			       .type = PMCLOG_WIRE_THR_CREATE,
			       .u.thr = {.pid = 10, .tid = tid, .name = {"worker", 6}}});
		if (tid > 11)
			add(b, (struct pmclog_record){.type = PMCLOG_WIRE_THR_EXIT,
						      .u.thr = {.tid = tid}});
	}
	CHECK(cg_builder_size(b) > size + 900 * sizeof(uint64_t));
	CHECK(!cg_builder_forget(b, NULL));
	CHECK(cg_builder_size(b) < size + 100 * sizeof(uint64_t));
	add_thread_chain(b, 10, 11);
	add_thread_chain(b, 10, 12);
	add_thread_chain(b, 20, 11);
	look(b);
	CHECK_U64(p->groups.n, 3);
	CHECK_STR(p->groups.v[0].thread, "worker");
	CHECK(!p->groups.v[1].thread && !p->groups.v[2].thread);
	cg_builder_free(b);
}

UNIT(code_is_named_when_its_name_comes_though_it_was_resolved_before)
{
	struct cg_builder *b = new_builder();
	const struct cg_profile *p = look(b);
	uint64_t pc = 0x7010;

	add_code(b, 10, 0x7000, "//anon", "");
	add_chain(b, 10, 1, &pc, 1);
	look(b);
	CHECK_STR(leaf_of(p, 0), "0x7010");
	CHECK_U64(p->quality.unresolved, 1);
	add_code(b, 10, 0x7000, "[jit]", "first");
	look(b);
	CHECK_STR(leaf_of(p, 0), "first");
	CHECK_U64(p->quality.unresolved, 0);
	add_code(b, 10, 0x7000, "[jit]", "last");
	look(b);
	CHECK_STR(leaf_of(p, 0), "last");
	cg_builder_free(b);
}

UNIT(names_of_a_process_that_is_gone_are_nobody_elses)
{
	struct cg_builder *b = new_builder();
	const struct cg_profile *p = look(b);
	uint64_t pc = 0x7010;
	size_t size = 0;
	uint32_t i;

	for (i = 0; i < 300; i++) {
		add_code(b, 10, 0x7000, "//anon", "");
		add_chain(b, 10, 1, &pc, 1);
		look(b);
		CHECK_STR(leaf_of(p, 0), "0x7010");
		add_code(b, 10, 0x7000, "[jit]", i % 2 ? "odd" : "even");
		look(b);
		CHECK_STR(leaf_of(p, 0), i % 2 ? "odd" : "even");
		add(b, (struct pmclog_record){.type = PMCLOG_WIRE_SYSEXIT, .u.sysexit = {10}});
		CHECK(!cg_builder_forget(b, NULL));
		size = size ? size : cg_builder_size(b);
		CHECK_U64(cg_builder_size(b), size);
	}
	cg_builder_free(b);
}

/* A profile of this boot of this machine, whose files of names are below t. */
static struct cg_builder *jit_builder(const struct tree *t)
{
	char boot_id[64] = "";
	struct cg_config config = {.symbols = {.fsroot = t->root, .log_boot_id = boot_id}};
	FILE *f = fopen("/proc/sys/kernel/random/boot_id", "re");
	struct cg_builder *b;

	CHECK(f && fscanf(f, "%63s", boot_id) == 1);
	if (f)
		fclose(f);
	b = cg_builder_new(&config, NULL);
	CHECK(b);
	return b;
}

UNIT(files_of_names_are_looked_for_in_the_place_of_forgotten_ones_too)
{
	struct tree t = tree_new();
	struct cg_builder *b = jit_builder(&t);
	const struct cg_profile *p = look(b);
	uint64_t pc = 0x7010;

	tree_file(&t, "tmp/perf-10.map", "7000 100 ten\n");
	tree_file(&t, "tmp/perf-11.map", "7000 100 eleven\n");
	add(b, (struct pmclog_record){.type = PMCLOG_WIRE_INITIALIZE,
				      .u.init = {.ts_sec = (uint64_t)time(NULL)}});
	add_code(b, 10, 0x7000, "//anon", "");
	add_chain(b, 10, 1, &pc, 1);
	look(b);
	CHECK_STR(leaf_of(p, 0), "ten");
	add(b, (struct pmclog_record){.type = PMCLOG_WIRE_SYSEXIT, .u.sysexit = {10}});
	CHECK(!cg_builder_forget(b, NULL));
	add_code(b, 11, 0x7000, "//anon", "");
	add_chain(b, 11, 1, &pc, 1);
	look(b);
	CHECK_STR(leaf_of(p, 0), "eleven");
	cg_builder_free(b);
	tree_free(&t);
}

UNIT(why_a_file_of_names_was_refused_outlasts_what_is_forgotten)
{
	static const char problem[] = "/tmp/perf-10.map was not used for process 10: it was last "
				      "written at ";
	struct tree t = tree_new();
	struct cg_builder *b = jit_builder(&t);
	const struct cg_profile *p = look(b);
	uint64_t pc = 0x7010;

	tree_file(&t, "tmp/perf-10.map", "7000 100 ten\n");
	/* The process began long after the file was written. */
	add(b, (struct pmclog_record){.type = PMCLOG_WIRE_INITIALIZE,
				      .u.init = {.ts_sec = (uint64_t)time(NULL) + 1000000}});
	add_code(b, 10, 0x7000, "//anon", "");
	add_chain(b, 10, 1, &pc, 1);
	look(b);
	CHECK(p->images.n == 1 && p->images.v[0].jit_problem);
	CHECK(!cg_builder_forget(b, NULL));
	CHECK_U64(p->images.n, 1);
	CHECK(p->images.v[0].jit_problem ==
	      strpool_intern(p->pool, p->images.v[0].jit_problem));
	CHECK(!strncmp(p->images.v[0].jit_problem, problem, strlen(problem)));
	cg_builder_free(b);
	tree_free(&t);
}

/* Doubles cannot tell the last of these from all of the time. */
UNIT(a_part_of_the_time_is_never_said_to_be_all_of_it)
{
	const uint64_t whole = UINT64_C(1) << 60;

	CHECK_U64(cg_time_share(&(struct cg_times){.enabled = 8, .running = 8}), CG_WHOLE_TIME);
	CHECK_U64(cg_time_share(&(struct cg_times){.enabled = 8, .running = 2}), CG_WHOLE_TIME / 4);
	CHECK_U64(cg_time_share(&(struct cg_times){.enabled = whole, .running = whole - 1}),
		  CG_WHOLE_TIME - 1);
}

UNIT_MAIN(UNIT_ENTRY(a_part_of_the_time_is_never_said_to_be_all_of_it),
	  UNIT_ENTRY(the_deepest_chain_keeps_its_marks),
	  UNIT_ENTRY(memory_does_not_grow_with_frames_that_records_repeat),
	  UNIT_ENTRY(why_a_file_of_names_was_refused_outlasts_what_is_forgotten),
	  UNIT_ENTRY(files_of_names_are_looked_for_in_the_place_of_forgotten_ones_too),
	  UNIT_ENTRY(a_profile_that_forgets_knows_where_it_comes_from),
	  UNIT_ENTRY(times_are_of_what_is_not_forgotten),
	  UNIT_ENTRY(a_profile_forgets_all_but_what_runs),
	  UNIT_ENTRY(memory_does_not_grow_with_what_was_forgotten),
	  UNIT_ENTRY(children_that_map_have_the_rest_in_common),
	  UNIT_ENTRY(threads_that_are_gone_are_forgotten),
	  UNIT_ENTRY(folded_stacks_add_up_to_all_samples),
	  UNIT_ENTRY(a_reader_of_the_call_graph_gets_every_sample),
	  UNIT_ENTRY(flat_self_counts_add_up_to_all_samples),
	  UNIT_ENTRY(two_profiles_do_not_disturb_each_other),
	  UNIT_ENTRY(resolving_again_after_more_samples_adds_them),
	  UNIT_ENTRY(a_map_over_others_cuts_them),
	  UNIT_ENTRY(thousands_of_maps_are_found_where_they_are),
	  UNIT_ENTRY(a_guessed_end_yields_to_what_lies_there),
	  UNIT_ENTRY(only_what_a_sample_may_have_seen_opens_a_generation),
	  UNIT_ENTRY(a_map_where_a_sample_found_none_opens_a_generation),
	  UNIT_ENTRY(a_shared_space_is_copied_before_any_change),
	  UNIT_ENTRY(memory_does_not_grow_with_what_was_mapped_once),
	  UNIT_ENTRY(pmcs_of_one_event_are_one_among_many),
	  UNIT_ENTRY(code_is_named_when_its_name_comes_though_it_was_resolved_before),
	  UNIT_ENTRY(names_of_a_process_that_is_gone_are_nobody_elses))
