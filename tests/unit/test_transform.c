// SPDX-License-Identifier: BSD-2-Clause
/* What is done to a resolved profile before outputs read it loses no sample and invents none. */
#include <sys/resource.h>

#include "callgraph/model/builder.h"
#include "callgraph/read/sampled_functions.h"
#include "callgraph/read/walk.h"
#include "callgraph/transform/shorten.h"
#include "callgraph/transform/steps.h"
#include "unit.h"

static struct cg_builder *new_builder(unsigned int keys, bool timeline)
{
	struct cg_config config = {.keys = keys, .timeline = timeline};
	struct cg_builder *b = cg_builder_new(&config, NULL);
	struct pmclog_record init = {
		.type = PMCLOG_WIRE_INITIALIZE, .tsc = 5000000, .u.init = {.tsc_freq = 1000000}};
	struct pmclog_record pmc = {.type = PMCLOG_WIRE_PMCALLOCATEDYN,
				    .u.alloc = {.pmcid = 1, .name = {"clock", 5}}};

	CHECK(b && !cg_builder_add(b, &init, NULL) && !cg_builder_add(b, &pmc, NULL));
	return b;
}

/* A sample of a chain, leaf first, with microseconds since the log's start. */
static void add_chain(struct cg_builder *b, uint32_t pid, uint32_t cpu, uint64_t time,
		      const uint64_t *pcs, uint32_t npcs)
{
	struct pmclog_record rec = {.type = PMCLOG_WIRE_CALLCHAIN,
				    .tsc = 5000000 + time,
				    .u.chain = {.pid = pid / 4,
						.tid = pid,
						.pmcid = 1,
						.cpu = cpu,
						.usermode = true,
						.npcs = npcs,
						.pcs = pcs}};

	CHECK(!cg_builder_add(b, &rec, NULL));
}

static uint64_t samples_of_events(const struct cg_profile *p)
{
	const struct cg_event *e;
	uint64_t sum = 0;

	vec_each(e, &p->events)
		sum += e->samples;
	return sum;
}

/* 10,000 samples of 40 threads of 10 processes on 3 CPUs. */
static struct cg_profile *mixed_profile(unsigned int keys)
{
	struct cg_builder *b = new_builder(keys, false);
	struct cg_profile *p;
	uint64_t pcs[2];
	uint32_t i;

	for (i = 0; i < 10000; i++) {
		pcs[0] = 0x1000 * (1 + i % 7);
		pcs[1] = 0x100000;
		add_chain(b, i % 40, i % 3, i, pcs, 2);
	}
	p = cg_builder_finish(b, NULL);
	CHECK(p);
	return p;
}

static void check_division(enum cg_key key, size_t parts)
{
	struct cg_profile *p = mixed_profile(key);
	cg_sampled_functions functions = {0};
	const struct cg_sampled_function *sampled;
	struct cg_view all, of;
	uint64_t self = 0;
	uint32_t i;

	CHECK(!cg_profile_divide_events(p, key, NULL));
	all = cg_view_all(p);
	CHECK_U64(p->events.n, parts);
	CHECK_U64(samples_of_events(p), 10000);
	for (i = 0; i < p->events.n; i++) {
		CHECK(!i || p->events.v[i - 1].samples >= p->events.v[i].samples);
		of = cg_view_of(&all, &p->events.v[i]);
		CHECK(!cg_sampled_functions_count(&of, &functions));
		vec_each(sampled, &functions)
			self += sampled->self;
	}
	CHECK_U64(self, 10000);
	vec_free(&functions);
	cg_profile_free(p);
}

UNIT(every_division_keeps_all_samples)
{
	check_division(CG_KEY_EVENT, 1);
	check_division(CG_KEY_PID, 10);
	check_division(CG_KEY_TID, 40);
	check_division(CG_KEY_CPU, 3);
	check_division(CG_KEY_COMM, 10);
	check_division(CG_KEY_OBJECT, 1);
}

UNIT(a_timeline_widens_and_keeps_all_samples)
{
	struct cg_builder *b = new_builder(0, true);
	struct cg_profile *p;
	const struct cg_cpu_time *cpu;
	uint64_t pc = 0x1000, sum = 0;
	uint32_t i;

	/* A sample every 10 ms for 100 s, by turns on CPUs 7 and 3. */
	for (i = 0; i < 10000; i++)
		add_chain(b, 1, i % 2 ? 3 : 7, i * 10000, &pc, 1);
	p = cg_builder_finish(b, NULL);
	CHECK(p);
	CHECK(p->timeline.seconds > 0.255 && p->timeline.seconds < 0.257);
	CHECK_U64(p->timeline.slots, 391);
	CHECK_U64(p->timeline.cpus.n, 2);
	CHECK_U64(p->timeline.cpus.v[0].cpu, 3);
	CHECK_U64(p->timeline.cpus.v[1].cpu, 7);
	vec_each(cpu, &p->timeline.cpus)
		for (i = 0; i < p->timeline.slots; i++) {
			sum += cpu->samples[i];
			/* 256 ms hold 12 or 13 of one CPU; the last slot is cut. */
			CHECK(cpu->samples[i] >= 11 || i + 1 == p->timeline.slots);
		}
	CHECK_U64(sum, 10000);
	cg_profile_free(p);
}

/* A log can name 65536 CPUs, in the worst order; a quarter of them is enough to see. */
UNIT(a_timeline_takes_samples_of_many_cpus)
{
	enum { CPUS = 16384 };
	struct cg_builder *b = new_builder(0, true);
	struct cg_profile *p;
	const uint64_t pc = 0x1000;
	uint32_t i;

	for (i = CPUS; i-- > 0;)
		add_chain(b, 1, i, 0, &pc, 1);
	p = cg_builder_finish(b, NULL);
	CHECK(p);
	CHECK_U64(p->timeline.cpus.n, CPUS);
	for (i = 0; i < CPUS; i++) {
		CHECK_U64(p->timeline.cpus.v[i].cpu, i);
		CHECK_U64(p->timeline.cpus.v[i].samples[0], 1);
	}
	cg_profile_free(p);
}

/* Says that a location's code lies in a function that was inlined twice. */
static void inline_twice(struct cg_profile *p, struct cg_location *l)
{
	static const char *const names[] = {"innermost", "middle"};
	uint32_t i;

	l->first_frame = p->frames.n;
	l->frames = 3;
	for (i = 0; i < 2; i++) {
		CHECK(!vec_push(&p->functions, (struct cg_function){.name = names[i],
								    .image = CG_NONE,
								    .is_inlined = true}));
		CHECK(!vec_push(&p->frames,
				(struct cg_frame){.function = (uint32_t)p->functions.n - 1}));
	}
	CHECK(!vec_push(&p->frames, (struct cg_frame){.function = l->function}));
}

UNIT(inlined_functions_become_frames)
{
	const uint64_t one[] = {0x1000, 0x2000, 0x3000}, two[] = {0x2000, 0x1000};
	struct cg_builder *b = new_builder(0, false);
	struct cg_profile *p;
	const struct cg_stack *s;
	struct cg_view view;
	cg_sampled_functions functions = {0};

	add_chain(b, 1, 0, 0, one, 3);
	add_chain(b, 1, 0, 0, one, 3);
	add_chain(b, 1, 0, 0, two, 2);
	p = cg_builder_finish(b, NULL);
	CHECK(p);
	CHECK(!cg_profile_add_lines(p, NULL));
	CHECK_U64(p->frames.n, p->locations.n);
	/* The caller at 0x2000 of the first chain. */
	inline_twice(p, &p->locations.v[p->locations_of.v[p->stacks.v[0].first + 1]]);
	CHECK(!cg_profile_show_inlined(p, NULL));
	s = &p->stacks.v[0];
	CHECK_U64(s->npcs, 5);
	CHECK_U64(s->count, 2);
	CHECK_STR(p->functions.v[cg_function_of(p, s, 1)].name, "innermost");
	CHECK_STR(p->functions.v[cg_function_of(p, s, 2)].name, "middle");
	/* As a leaf 0x2000 is another location, of which nothing was said. */
	CHECK_U64(p->stacks.v[1].npcs, 2);
	CHECK_U64(p->stacks.v[1].count, 1);
	view = cg_view_all(p);
	CHECK(!cg_sampled_functions_count(&view, &functions));
	CHECK_U64(functions.v[0].total, 3);
	vec_free(&functions);
	cg_profile_free(p);
}

static void sum_leaves(void *arg, const struct cg_node *n)
{
	uint64_t *sum = arg;

	if (!n->depth) {
		sum[0] += n->count;
		sum[1] += n->base;
	}
}

UNIT(other_weights_replace_or_join_those_of_the_stacks)
{
	const uint64_t one[] = {0x1000, 0x3000}, two[] = {0x2000, 0x3000};
	struct cg_builder *b = new_builder(0, false);
	struct cg_profile *p;
	const uint64_t counts[] = {10, 20}, in_base[] = {3, 4};
	const struct cg_base base = {.stacks = in_base};
	const struct cg_walk_options walk = {0};
	struct cg_view view;
	uint64_t sum[2] = {0, 0};
	cg_sampled_functions functions = {0};

	add_chain(b, 1, 0, 0, one, 2);
	add_chain(b, 1, 0, 0, two, 2);
	p = cg_builder_finish(b, NULL);
	CHECK(p);
	view = cg_view_all(p);
	view.counts = counts;
	view.base = &base;
	CHECK(!cg_walk(&view, &walk, sum_leaves, sum));
	CHECK_U64(sum[0], 30);
	CHECK_U64(sum[1], 7);
	CHECK(!cg_sampled_functions_count(&view, &functions));
	CHECK_U64(functions.v[0].total, 30);
	CHECK_U64(functions.v[0].base_total, 7);
	CHECK_U64(functions.v[0].base_self, 7);
	vec_free(&functions);
	cg_profile_free(p);
}

struct depths {
	uint32_t visits, deepest;
};

static void note_depth(void *arg, const struct cg_node *node)
{
	struct depths *d = arg;

	d->visits++;
	d->deepest = node->depth > d->deepest ? node->depth : d->deepest;
}

/* Two chains of one function, as deep as inlined frames can make them, on a small stack. */
UNIT(deep_chains_are_walked_without_deep_recursion)
{
	enum { DEPTH = PMCLOG_MAX_DEPTH * SYMBOL_MAX_FRAMES };
	struct cg_builder *b = new_builder(0, false);
	struct cg_profile *p;
	struct cg_walk_options options = {.from_root = true};
	struct rlimit limit = {512 << 10, 512 << 10};
	const uint64_t pcs[2] = {0x1000, 0x1000};
	struct depths d = {0};
	struct cg_view view;
	struct cg_stack *s;
	uint32_t i;

	add_chain(b, 0, 0, 0, pcs, 1);
	add_chain(b, 0, 0, 0, pcs, 2);
	p = cg_builder_finish(b, NULL);
	CHECK(p);
	CHECK_U64(p->stacks.n, 2);
	vec_each(s, &p->stacks) {
		s->first = p->locations_of.n;
		s->npcs = DEPTH;
		for (i = 0; i < DEPTH; i++)
			CHECK(!vec_push(&p->locations_of, p->locations_of.v[0]));
	}
	CHECK(!setrlimit(RLIMIT_STACK, &limit));
	view = cg_view_all(p);
	CHECK(!cg_walk(&view, &options, note_depth, &d));
	CHECK_U64(d.deepest, DEPTH - 1);
	CHECK_U64(d.visits, DEPTH);
	cg_profile_free(p);
}

static void name_function(struct cg_profile *p, uint32_t i, const char *name)
{
	CHECK(i < p->functions.n);
	p->functions.v[i].name = name;
}

UNIT(names_that_would_become_one_stay)
{
	struct cg_builder *b = new_builder(0, false);
	struct cg_profile *p;
	uint64_t pcs[] = {0x1000, 0x2000, 0x3000, 0x4000, 0x5000};

	add_chain(b, 0, 0, 0, pcs, 5);
	p = cg_builder_finish(b, NULL);
	CHECK(p);
	CHECK(!vec_push(&p->functions, p->functions.v[0]) &&
	      !vec_push(&p->functions, p->functions.v[0]) &&
	      !vec_push(&p->functions, p->functions.v[0]) &&
	      !vec_push(&p->functions, p->functions.v[0]));
	name_function(p, 0, "sort<std::pair<int, long>>");
	name_function(p, 1, "sort<std::pair<int, char>>");
	name_function(p, 2, "find<std::pair<int, char>>");
	name_function(p, 3, "find<std::pair<int, char>>");
	name_function(p, 4, "plain");
	CHECK(!cg_profile_shorten(p, NULL));
	CHECK_STR(cg_shown_name(&p->functions.v[0]), "sort<std::pair<int, long>>");
	CHECK_STR(cg_shown_name(&p->functions.v[1]), "sort<std::pair<int, char>>");
	CHECK_STR(cg_shown_name(&p->functions.v[2]), "find<..>");
	CHECK_STR(cg_shown_name(&p->functions.v[3]), "find<..>");
	CHECK_STR(cg_shown_name(&p->functions.v[4]), "plain");
	cg_profile_free(p);
}

UNIT_MAIN(UNIT_ENTRY(every_division_keeps_all_samples),
	  UNIT_ENTRY(a_timeline_widens_and_keeps_all_samples),
	  UNIT_ENTRY(a_timeline_takes_samples_of_many_cpus),
	  UNIT_ENTRY(inlined_functions_become_frames),
	  UNIT_ENTRY(other_weights_replace_or_join_those_of_the_stacks),
	  UNIT_ENTRY(deep_chains_are_walked_without_deep_recursion),
	  UNIT_ENTRY(names_that_would_become_one_stay))
