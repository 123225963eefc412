// SPDX-License-Identifier: BSD-2-Clause
/* The profile as a value, and what every output must agree on. */
#include "callgraph/output.h"
#include "callgraph/space.h"
#include "unit.h"

static struct cg_profile *new_profile(void)
{
	static const struct cg_config config;
	struct cg_profile *p = cg_profile_new(&config, NULL);

	CHECK(p);
	return p;
}

static void add(struct cg_profile *p, struct pmclog_record rec)
{
	CHECK(!cg_profile_add(p, &rec, NULL));
}

static void add_chain(struct cg_profile *p, uint32_t pid, uint32_t pmcid, const uint64_t *pcs,
		      uint32_t npcs)
{
	add(p, (struct pmclog_record){.type = PMCLOG_WIRE_CALLCHAIN,
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
static struct cg_profile *random_profile(void)
{
	struct cg_profile *p = new_profile();
	uint64_t state = 42, pcs[PMCLOG_MAX_DEPTH];
	uint32_t i, j, depth;

	add(p, (struct pmclog_record){.type = PMCLOG_WIRE_PMCALLOCATEDYN,
				      .u.alloc = {.pmcid = 1, .name = {"first", 5}}});
	add(p, (struct pmclog_record){.type = PMCLOG_WIRE_PMCALLOCATEDYN,
				      .u.alloc = {.pmcid = 2, .name = {"second", 6}}});
	for (i = 0; i < 50000; i++) {
		uint64_t r = next_random(&state);

		depth = 1 + r % 9;
		for (j = 0; j < depth; j++)
			pcs[j] = 0x1000 * (1 + (r >> (8 + 2 * j)) % 3);
		add_chain(p, 10 + r % 4, 1 + (r >> 40) % 2, pcs, depth);
	}
	CHECK(!cg_profile_resolve(p, NULL));
	return p;
}

/* The output of a name, as text that the caller frees. */
static char *text_of(const struct cg_profile *p, const char *name)
{
	struct cg_output_options options = {0};
	struct sink *sink = sink_to_memory();
	char *text;
	int i;

	for (i = 0; cg_outputs[i] && strcmp(cg_outputs[i]->name, name) != 0; i++)
		;
	CHECK(cg_outputs[i] && !cg_outputs[i]->write(p, &options, sink, NULL));
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
	struct cg_profile *p = random_profile();
	uint64_t pc = 0x77000;

	add_chain(p, 10, 1, &pc, 1);
	add_chain(p, 10, 1, &pc, 1);
	CHECK(!cg_profile_resolve(p, NULL));
	CHECK_U64(p->quality.selected, 50002);
	CHECK_U64(p->stacks.v[p->stacks.n - 1].count, 2);
	cg_profile_free(p);
}

static void map(struct cg_spaces *s, uint32_t *space, uint64_t start, uint64_t end, uint32_t image)
{
	struct cg_map m = {.start = start,
			   .end = end,
			   .file_offset = start,
			   .has_file_offset = true,
			   .image = image};

	CHECK(!cg_space_map(s, space, &m));
}

UNIT(a_map_over_others_cuts_them)
{
	struct cg_spaces s = {0};
	uint32_t space = 0;
	const struct cg_map *m;

	CHECK(!cg_spaces_init(&s));
	map(&s, &space, 0x1000, 0x9000, 1);
	map(&s, &space, 0x3000, 0x5000, 2);
	CHECK_U64(s.v.v[space].maps.n, 3);
	CHECK_U64(cg_space_find(&s, space, 0x2fff)->image, 1);
	CHECK_U64(cg_space_find(&s, space, 0x3000)->image, 2);
	m = cg_space_find(&s, space, 0x5000);
	CHECK(m->image == 1 && m->file_offset == 0x5000 && m->end == 0x9000);
	map(&s, &space, 0x0, 0xa000, 3);
	CHECK_U64(s.v.v[space].maps.n, 1);
	CHECK(!cg_space_find(&s, space, 0xa000));
	cg_spaces_fini(&s);
}

UNIT(a_sampled_space_keeps_what_it_lost)
{
	struct cg_spaces s = {0};
	uint32_t before, space;

	CHECK(!cg_spaces_init(&s));
	space = before = cg_space_new(&s);
	map(&s, &space, 0x1000, 0x2000, 1);
	s.v.v[space].sampled = true;
	map(&s, &space, 0x5000, 0x6000, 2);
	CHECK_U64(space, before);
	CHECK(!cg_space_unmap(&s, &space, 0x1800, 0x3000));
	CHECK(space != before);
	CHECK(cg_space_find(&s, before, 0x1800) && !cg_space_find(&s, space, 0x1800));
	CHECK(cg_space_find(&s, space, 0x17ff) && cg_space_find(&s, space, 0x5000));
	cg_spaces_fini(&s);
}

UNIT(a_map_where_a_sample_found_none_opens_a_new_space)
{
	struct cg_spaces s = {0};
	uint32_t before, space;

	CHECK(!cg_spaces_init(&s));
	space = before = cg_space_new(&s);
	s.v.v[space].sampled = true;
	CHECK(!cg_space_note(&s, space, 0x1234));
	map(&s, &space, 0x1000, 0x2000, 1);
	CHECK(space != before && !cg_space_find(&s, before, 0x1234));
	CHECK(cg_space_find(&s, space, 0x1234));
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
	CHECK(child != parent && !cg_space_find(&s, parent, 0x1000));
	CHECK_U64(s.v.v[parent].refs, 1);
	map(&s, &parent, 0x1000, 0x2000, 2);
	CHECK_U64(s.v.n, 3);
	cg_spaces_fini(&s);
}

UNIT_MAIN(UNIT_ENTRY(folded_stacks_add_up_to_all_samples),
	  UNIT_ENTRY(a_reader_of_the_call_graph_gets_every_sample),
	  UNIT_ENTRY(flat_self_counts_add_up_to_all_samples),
	  UNIT_ENTRY(two_profiles_do_not_disturb_each_other),
	  UNIT_ENTRY(resolving_again_after_more_samples_adds_them),
	  UNIT_ENTRY(a_map_over_others_cuts_them), UNIT_ENTRY(a_sampled_space_keeps_what_it_lost),
	  UNIT_ENTRY(a_map_where_a_sample_found_none_opens_a_new_space),
	  UNIT_ENTRY(a_shared_space_is_copied_before_any_change))
