// SPDX-License-Identifier: BSD-2-Clause
/* Chains cut into calls: what is counted once, what crosses objects, what a threshold folds. */
#include "callgraph/model/builder.h"
#include "callgraph/read/arcs.h"
#include "callgraph/read/sampled_functions.h"
#include "callgraph/transform/steps.h"
#include "unit.h"

/* Addresses without symbols, each of which is a function: in object a, in b, and in neither. */
enum { A = 0x10000, B = 0x20000, NOWHERE = 0x90000 };

static void add(struct cg_builder *b, struct pmclog_record rec)
{
	CHECK(!cg_builder_add(b, &rec, NULL));
}

static void add_map(struct cg_builder *b, uint64_t start, const char *path)
{
	add(b, (struct pmclog_record){.type = PMCLOG_WIRE_MAP_IN,
				      .u.map_in = {.pid = 1,
						   .start = start,
						   .length = 0x10000,
						   .file_offset = start,
						   .has_file_offset = true,
						   .path = {path, strlen(path)}}});
}

static struct cg_builder *new_builder(void)
{
	static const struct cg_config config = {.symbols = {.fsroot = "/nonexistent"}};
	struct cg_builder *b = cg_builder_new(&config, NULL);

	CHECK(b);
	add(b, (struct pmclog_record){.type = PMCLOG_WIRE_PMCALLOCATEDYN,
				      .u.alloc = {.pmcid = 1, .name = {"clock", 5}}});
	add_map(b, A, "/a");
	add_map(b, B, "/b");
	return b;
}

/* times samples of a chain, leaf first. */
static void add_chain(struct cg_builder *b, uint64_t times, uint32_t npcs, const uint64_t *pcs)
{
	while (times--)
		add(b, (struct pmclog_record){.type = PMCLOG_WIRE_CALLCHAIN,
					      .u.chain = {
						      .pid = 1,
						      .tid = 1,
						      .pmcid = 1,
						      .usermode = true,
						      .npcs = npcs,
						      .pcs = pcs,
					      }});
}

#define CHAIN(b, times, ...)                                                                  \
	add_chain(b, times, (uint32_t)(sizeof((uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t)), \
		  (const uint64_t[]){__VA_ARGS__})

/* The arc from a caller (0: none) to a callee; one with no samples where there is none. */
static struct cg_arc arc_of(const struct cg_profile *p, const struct cg_arcs *a, uint64_t caller,
			    uint64_t callee)
{
	struct cg_arc none = {.site = CG_NONE};
	const struct cg_arc *arc;

	vec_each(arc, &a->arcs) {
		uint64_t from = arc->site == CG_NONE ? 0 : p->locations.v[arc->site].address;

		if (from == caller && p->functions.v[arc->callee].start == callee)
			return *arc;
	}
	return none;
}

static void recount(const struct cg_profile *p, struct cg_arcs *a,
		    const struct cg_arcs_options *options)
{
	const struct cg_view view = cg_view_all(p);

	CHECK(!cg_arcs_count(a, &view, options));
}

static void count(const struct cg_profile *p, struct cg_arcs *a,
		  const struct cg_arcs_options *options)
{
	CHECK(!cg_arcs_init(a, p));
	recount(p, a, options);
}

static uint64_t self_of(const struct cg_profile *p, const struct cg_arcs *a, uint64_t address)
{
	const uint32_t *leaf;
	uint64_t sum = 0;

	vec_each(leaf, &a->leaves)
		if (p->locations.v[*leaf].address == address)
			sum += a->self[*leaf];
	return sum;
}

/* The costs of the arcs to each function are its total, the leaves' samples its self. */
static void check_totals(const struct cg_profile *p, const struct cg_arcs *a)
{
	const struct cg_view view = cg_view_all(p);
	uint64_t *total = calloc(p->functions.n, sizeof(*total));
	cg_sampled_functions functions = {0};
	const struct cg_arc *arc;
	const struct cg_sampled_function *sampled;

	CHECK(total && !cg_sampled_functions_count(&view, &functions));
	vec_each(arc, &a->arcs) {
		CHECK(arc->cost <= arc->count);
		total[arc->callee] += arc->cost;
	}
	vec_each(sampled, &functions)
		CHECK_U64(total[sampled->function], sampled->total);
	vec_free(&functions);
	free(total);
}

UNIT(a_call_counts_once_a_sample)
{
	static const struct cg_arcs_options all;
	struct cg_builder *b = new_builder();
	struct cg_profile *p;
	struct cg_arcs a;

	CHAIN(b, 3, A + 1, A + 1, A + 1, A + 9);
	CHAIN(b, 4, A + 2, A + 3, A + 2, A + 3, A + 9);
	p = cg_builder_finish(b, NULL);
	CHECK(p);
	count(p, &a, &all);
	CHECK_U64(self_of(p, &a, A + 1), 3);
	CHECK_U64(arc_of(p, &a, A + 1, A + 1).count, 3);
	CHECK_U64(arc_of(p, &a, A + 1, A + 1).cost, 0);
	CHECK_U64(arc_of(p, &a, A + 9, A + 1).count, 3);
	CHECK_U64(arc_of(p, &a, A + 9, A + 1).cost, 3);
	CHECK_U64(arc_of(p, &a, A + 3, A + 2).count, 4);
	CHECK_U64(arc_of(p, &a, A + 2, A + 3).count, 4);
	CHECK_U64(arc_of(p, &a, A + 2, A + 3).cost, 0);
	CHECK_U64(arc_of(p, &a, 0, A + 9).cost, 7);
	check_totals(p, &a);
	/* Counting anew forgets what was counted. */
	recount(p, &a, &all);
	CHECK_U64(arc_of(p, &a, 0, A + 9).cost, 7);
	check_totals(p, &a);
	cg_arcs_fini(&a);
	cg_profile_free(p);
}

UNIT(costs_to_a_function_are_its_total_in_any_chains)
{
	static const struct cg_arcs_options all;
	struct cg_builder *b = new_builder();
	struct cg_profile *p;
	uint64_t state = 99, pcs[40], samples = 0;
	const uint32_t *leaf;
	struct cg_arcs a;
	uint32_t i, j, n;

	for (i = 0; i < 5000; i++) {
		n = 1 + i % 40;
		for (j = 0; j < n; j++) {
			state = state * 6364136223846793005u + 1442695040888963407u;
			pcs[j] = A + (state >> 33) % 30;
		}
		add_chain(b, 1 + i % 3, n, pcs);
	}
	p = cg_builder_finish(b, NULL);
	CHECK(p);
	count(p, &a, &all);
	check_totals(p, &a);
	vec_each(leaf, &a.leaves)
		samples += a.self[*leaf];
	CHECK_U64(samples, p->quality.selected);
	cg_arcs_fini(&a);
	cg_profile_free(p);
}

UNIT(calls_within_an_object_lead_through_others)
{
	static const struct cg_arcs_options within = {.within_objects = true};
	struct cg_builder *b = new_builder();
	struct cg_profile *p;
	struct cg_arcs a;

	/* A callback: a's main calls b, which calls a; once through code that nothing maps. */
	CHAIN(b, 5, A + 1, B + 1, A + 9);
	CHAIN(b, 2, A + 1, NOWHERE, A + 9);
	CHAIN(b, 3, B + 1, A + 9);
	p = cg_builder_finish(b, NULL);
	CHECK(p);
	count(p, &a, &within);
	CHECK_U64(arc_of(p, &a, A + 9, A + 1).count, 7);
	CHECK_U64(arc_of(p, &a, 0, B + 1).count, 8);
	CHECK_U64(arc_of(p, &a, B + 1, A + 1).count, 0);
	CHECK_U64(arc_of(p, &a, A + 9, B + 1).count, 0);
	CHECK_U64(self_of(p, &a, B + 1), 3);
	CHECK_U64(a.arcs.n, 3);
	cg_arcs_fini(&a);
	cg_profile_free(p);
}

UNIT(folded_functions_become_part_of_their_callers)
{
	struct cg_builder *b = new_builder();
	struct cg_profile *p;
	struct cg_arcs_options options = {0};
	bool *folded;
	struct cg_arcs a;
	size_t i;

	CHAIN(b, 1, A + 1, A + 2, A + 9);
	CHAIN(b, 2, A + 3, A + 1, A + 9);
	CHAIN(b, 4, A + 1);
	p = cg_builder_finish(b, NULL);
	CHECK(p);
	options.folded = folded = calloc(p->functions.n, sizeof(*folded));
	for (i = 0; i < p->functions.n; i++)
		folded[i] = p->functions.v[i].start == A + 1;
	count(p, &a, &options);
	/* A leaf's samples go to the call of it, a caller's callees to its caller. */
	CHECK_U64(self_of(p, &a, A + 2), 1);
	CHECK_U64(arc_of(p, &a, A + 9, A + 2).cost, 1);
	CHECK_U64(arc_of(p, &a, A + 9, A + 3).cost, 2);
	CHECK_U64(arc_of(p, &a, A + 9, A + 1).count, 0);
	/* Where nothing else is left it stays. */
	CHECK_U64(self_of(p, &a, A + 1), 4);
	CHECK_U64(arc_of(p, &a, 0, A + 1).cost, 4);
	free(folded);
	cg_arcs_fini(&a);
	cg_profile_free(p);
}

/* Says that a location's code was inlined, from a function that also exists on its own. */
static void make_inlined(struct cg_profile *p, uint32_t location, uint32_t function)
{
	struct cg_location *l = &p->locations.v[location];

	l->first_frame = p->frames.n;
	l->frames = 2;
	CHECK(!vec_push(&p->frames, (struct cg_frame){.function = function}));
	CHECK(!vec_push(&p->frames, (struct cg_frame){.function = l->function}));
}

UNIT(inlined_frames_are_no_calls_within_an_object)
{
	static const struct cg_arcs_options within = {.within_objects = true}, all;
	struct cg_builder *b = new_builder();
	struct cg_profile *p;
	struct cg_arcs a;
	uint32_t site;

	/* The last chain recurs at a call that is inlined. */
	CHAIN(b, 1, A + 5);
	CHAIN(b, 2, A + 1, A + 2, A + 9);
	CHAIN(b, 4, A + 1, A + 2, A + 2, A + 9);
	p = cg_builder_finish(b, NULL);
	CHECK(p);
	CHECK(!cg_profile_add_lines(p, NULL));
	site = p->locations_of.v[p->stacks.v[1].first + 1];
	make_inlined(p, site, cg_function_of(p, &p->stacks.v[0], 0));
	CHECK(!cg_profile_show_inlined(p, NULL));
	CHECK_U64(p->stacks.v[1].npcs, 4);
	CHECK_U64(p->stacks.v[2].npcs, 6);
	CHECK(!cg_arcs_init(&a, p));
	recount(p, &a, &within);
	CHECK_U64(arc_of(p, &a, A + 2, A + 1).count, 6);
	CHECK_U64(arc_of(p, &a, A + 2, A + 2).count, 4);
	CHECK_U64(arc_of(p, &a, A + 2, A + 5).count, 0);
	CHECK_U64(arc_of(p, &a, A + 9, A + 2).count, 6);
	recount(p, &a, &all);
	CHECK_U64(arc_of(p, &a, A + 2, A + 5).count, 6);
	check_totals(p, &a);
	cg_arcs_fini(&a);
	cg_profile_free(p);
}

UNIT_MAIN(UNIT_ENTRY(a_call_counts_once_a_sample),
	  UNIT_ENTRY(costs_to_a_function_are_its_total_in_any_chains),
	  UNIT_ENTRY(calls_within_an_object_lead_through_others),
	  UNIT_ENTRY(folded_functions_become_part_of_their_callers),
	  UNIT_ENTRY(inlined_frames_are_no_calls_within_an_object))
