// SPDX-License-Identifier: BSD-2-Clause
/* What is real in a comparison, and the union of two profiles. */
#include <math.h>

#include "callgraph/model/builder.h"
#include "callgraph/transform/compare.h"
#include "callgraph/read/share.h"
#include "unit.h"

static bool near(double got, double want)
{
	return fabs(got - want) <= 1e-7 * fabs(want) + 1e-300;
}

/*
 * By whole numbers and fractions, in Python 3, for b of B samples in the base and n of N now:
 *
 *	k = b + n; lo = max(0, k - B); hi = min(k, N); s = comb(N + B, k)
 *	w = {x: comb(N, x) * comb(B, k - x) for x in range(lo, hi + 1)}
 *	up = Fraction(sum(w[x] for x in w if x >= n), s)
 *	down = Fraction(sum(w[x] for x in w if x <= n), s)
 *	chance = min(1, 2 * min(up, down)); least = min(1, 2 * min(w[lo], w[hi]) / s)
 *	q = (b + 1) / (B + 2); r = (n + 1) / (N + 2)
 *	change = 100 * (n / N - b / B)
 *	error = 100 * sqrt(q * (1 - q) / (B + 2) + r * (1 - r) / (N + 2))
 */
UNIT(shares_change_as_exact_arithmetic_says)
{
	static const struct {
		struct cg_counts counts, all;
		double change, error, chance, least;
	} known[] = {
		{{0, 5}, {100, 100}, 5, 2.52577161, 0.059383210468586585, 0.059383210468586585},
		{{3, 3}, {100, 200}, -1.5, 2.15749572, 0.6369992464367641, 0.0024761614331975323},
		{{10, 30},
		 {1000, 1000},
		 2,
		 0.638411848,
		 0.0020083335618300098,
		 1.2218871317217e-12},
		{{0, 12}, {5000, 1000}, 1.2, 0.358052029, 8.694034077367886e-10, 8.694034077e-10},
		{{50, 20}, {100, 50}, -10, 8.41479259, 0.3253312249353425, 1.6084984926581866e-23},
		{{2212, 2733}, {2212, 2733}, 0, 0.0580991956, 1, 1},
		{{1, 0}, {1, 1}, -100, 38.4900179, 1, 1},
	};
	struct cg_share share;
	size_t i;

	for (i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		share = cg_share_change(known[i].counts, known[i].all);
		CHECK(near(share.change, known[i].change));
		CHECK(near(share.error, known[i].error));
		CHECK(near(share.chance, known[i].chance));
		CHECK(near(cg_share_least_chance(known[i].counts, known[i].all), known[i].least));
	}
	/* 1.994e-34 and 5.412e-7 by the same program. */
	share = cg_share_change((struct cg_counts){401, 914}, (struct cg_counts){2212, 2733});
	CHECK(near(share.chance, 1.993729467753213e-34));
	share = cg_share_change((struct cg_counts){847, 859}, (struct cg_counts){2212, 2733});
	CHECK(near(share.chance, 5.412440818385257e-07));
	CHECK(cg_share_verdict(share.chance, 1000) == CG_REAL);
	CHECK(cg_share_verdict(share.chance, 10000) == CG_MAYBE);
	CHECK(cg_share_verdict(0.003, 1) == CG_NOISE);
}

/* Where a normal approximation holds the exact test agrees with it: 3.5238 standard errors. */
UNIT(many_samples_give_what_the_normal_distribution_does)
{
	struct cg_share share = cg_share_change((struct cg_counts){100000, 101500},
						(struct cg_counts){1000000, 1000000});

	CHECK(fabs(share.chance / 0.000425376 - 1) < 0.01);
	share = cg_share_change((struct cg_counts){UINT32_MAX / 4, UINT32_MAX / 4},
				(struct cg_counts){UINT32_MAX, UINT32_MAX});
	CHECK(share.chance > 0.99 && !(share.change < 0) && !(share.change > 0));
}

UNIT(no_samples_are_no_change)
{
	struct cg_share share = cg_share_change((struct cg_counts){5, 0}, (struct cg_counts){5, 0});

	CHECK(share.chance >= 1);
	share = cg_share_change((struct cg_counts){0, 0}, (struct cg_counts){0, 0});
	CHECK(share.chance >= 1 && isfinite(share.change) && isfinite(share.error));
}

/* Only what could pass counts as a comparison: 3 of these 5, since 0.002 > limit / 3. */
UNIT(comparisons_that_cannot_pass_are_not_counted)
{
	double least[] = {0.5, 1e-9, 0.002, 1e-12, 1e-5};

	CHECK_U64(cg_share_comparisons(least, 5), 3);
	CHECK_U64(cg_share_comparisons(least, 0), 1);
}

static uint64_t next_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

/* 300 comparisons of 40 functions that did not change, half of them rare. */
UNIT(nothing_is_real_where_nothing_changed)
{
	enum { FUNCTIONS = 40 };
	unsigned int round, i, maybe = 0, real = 0;
	uint64_t state = 7;

	for (round = 0; round < 300; round++) {
		struct cg_counts counts[FUNCTIONS] = {0}, all = {500, 2000};
		double least[FUNCTIONS];
		size_t comparisons;

		for (i = 0; i < 2500; i++) {
			uint64_t r = next_random(&state) >> 20;
			struct cg_counts *c = &counts[r % 16 ? r / 16 % 20 : 20 + r / 16 % 20];

			*(i < 500 ? &c->base : &c->now) += 1;
		}
		for (i = 0; i < FUNCTIONS; i++)
			least[i] = cg_share_least_chance(counts[i], all);
		comparisons = cg_share_comparisons(least, FUNCTIONS);
		CHECK(comparisons <= FUNCTIONS);
		for (i = 0; i < FUNCTIONS; i++) {
			double chance = cg_share_change(counts[i], all).chance;

			maybe += cg_share_verdict(chance, comparisons) == CG_MAYBE;
			real += cg_share_verdict(chance, comparisons) == CG_REAL;
		}
	}
	/* Of 12,000 comparisons 0.27 % may pass alone; of 300 families one at most, mostly none. */
	CHECK(real <= 2);
	CHECK(maybe > 0 && maybe <= 32);
}

static struct cg_profile *profile_of(const char *event, const char *path, uint64_t pc,
				     unsigned int samples)
{
	static const struct cg_config config = {.symbols = {.fsroot = "/nonexistent"}};
	struct cg_builder *b = cg_builder_new(&config, NULL);
	struct cg_profile *p;
	struct pmclog_record rec = {.type = PMCLOG_WIRE_PMCALLOCATEDYN,
				    .u.alloc = {.pmcid = 1, .name = {event, strlen(event)}}};

	CHECK(b && !cg_builder_add(b, &rec, NULL));
	rec = (struct pmclog_record){.type = PMCLOG_WIRE_MAP_IN,
				     .u.map_in = {.pid = 10,
						  .start = 0x1000,
						  .length = 0x1000,
						  .path = {path, strlen(path)}}};
	CHECK(!cg_builder_add(b, &rec, NULL));
	rec = (struct pmclog_record){
		.type = PMCLOG_WIRE_CALLCHAIN,
		.u.chain = {.pid = 10, .pmcid = 1, .usermode = true, .npcs = 1, .pcs = &pc}};
	while (samples--)
		CHECK(!cg_builder_add(b, &rec, NULL));
	p = cg_builder_finish(b, NULL);
	CHECK(p);
	return p;
}

/* Both have all of their samples in the union, and what is the same is there once. */
static void check_union(struct cg_profile *base, struct cg_profile *now, size_t events,
			size_t stacks, size_t functions)
{
	struct cg_comparison *c = cg_compare(base, now, false, NULL);
	const struct cg_profile *both;
	uint64_t in_base = 0, in_now = 0;
	size_t i;

	CHECK(c);
	both = c->both;
	CHECK_U64(both->events.n, events);
	CHECK_U64(both->stacks.n, stacks);
	CHECK_U64(c->stacks.n, stacks);
	CHECK_U64(both->functions.n, functions);
	for (i = 0; i < both->stacks.n; i++) {
		in_base += c->stacks.v[i];
		in_now += both->stacks.v[i].count;
	}
	CHECK_U64(in_base, base->quality.selected);
	CHECK_U64(in_now, now->quality.selected);
	for (i = 0, in_base = in_now = 0; i < both->events.n; i++) {
		in_base += c->events.v[i];
		in_now += both->events.v[i].samples;
	}
	CHECK_U64(in_base, base->quality.selected);
	CHECK_U64(in_now, now->quality.selected);
	cg_comparison_free(c);
	cg_profile_free(base);
	cg_profile_free(now);
}

UNIT(a_union_has_the_samples_of_both)
{
	check_union(profile_of("a", "/bin/x", 0x1010, 3), profile_of("a", "/bin/x", 0x1010, 5), 1,
		    1, 1);
	check_union(profile_of("a", "/bin/x", 0x1010, 3), profile_of("b", "/bin/x", 0x1010, 5), 2,
		    2, 1);
	check_union(profile_of("a", "/bin/x", 0x1010, 3), profile_of("a", "/bin/y", 0x1010, 5), 1,
		    2, 2);
	/* The same program elsewhere; an address means nothing in what may be another build. */
	check_union(profile_of("a", "/old/x", 0x1010, 3), profile_of("a", "/new/x", 0x1018, 5), 1,
		    1, 1);
	check_union(profile_of("a", "/bin/x", 0x1010, 0), profile_of("a", "/bin/x", 0x1010, 0), 1,
		    0, 0);
}

UNIT_MAIN(UNIT_ENTRY(shares_change_as_exact_arithmetic_says),
	  UNIT_ENTRY(many_samples_give_what_the_normal_distribution_does),
	  UNIT_ENTRY(no_samples_are_no_change),
	  UNIT_ENTRY(comparisons_that_cannot_pass_are_not_counted),
	  UNIT_ENTRY(nothing_is_real_where_nothing_changed),
	  UNIT_ENTRY(a_union_has_the_samples_of_both))
