// SPDX-License-Identifier: BSD-2-Clause
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "callgraph/read/share.h"

/* The chance of a normal variable to be 3 standard errors or more off, on either side. */
#define LIMIT 0.0026997960632601866

/* lgamma() would write a global. */
static double log_factorial(double n)
{
	int sign;

	return lgamma_r(n + 1, &sign);
}

static double log_choose(double n, double k)
{
	return log_factorial(n) - log_factorial(k) - log_factorial(n - k);
}

/* Of some samples as many as fall to now, by chance; the rest fall to the base. */
struct split {
	double some, now, base;
};

static double log_probability(const struct split *s, double x)
{
	return log_choose(s->now, x) + log_choose(s->base, s->some - x) -
	       log_choose(s->now + s->base, s->some);
}

/* The probability of the next count above x by that of x, or of the next below. */
static double step_up(const struct split *s, double x)
{
	return (s->now - x) * (s->some - x) / ((x + 1) * (s->base - s->some + x + 1));
}

static double step_down(const struct split *s, double x)
{
	return x * (s->base - s->some + x) / ((s->now - x + 1) * (s->some - x + 1));
}

/* The probability of x and everything beyond it, away from the mean. */
static double tail(const struct split *s, double x)
{
	bool up = x * (s->now + s->base) >= s->some * s->now;
	double sum = 1, term = 1;

	/* The sum has no more terms that matter than some standard deviations. */
	while (term > sum * 1e-17) {
		term *= up ? step_up(s, x) : step_down(s, x);
		sum += term;
		x += up ? 1 : -1;
	}
	return sum;
}

static double both_sides(double chance)
{
	return chance < 0.5 ? 2 * chance : 1;
}

static double chance_of(struct cg_counts counts, struct cg_counts all)
{
	struct split s = {(double)counts.base + (double)counts.now, (double)all.now,
			  (double)all.base};
	double x = (double)counts.now;

	if (!all.base || !all.now)
		return 1;
	return both_sides(exp(log_probability(&s, x) + log(tail(&s, x))));
}

double cg_share_least_chance(struct cg_counts counts, struct cg_counts all)
{
	struct split s = {(double)counts.base + (double)counts.now, (double)all.now,
			  (double)all.base};

	if (!all.base || !all.now)
		return 1;
	return both_sides(exp(fmin(log_probability(&s, fmin(s.some, s.now)),
				   log_probability(&s, fmax(0, s.some - s.base)))));
}

struct cg_share cg_share_change(struct cg_counts counts, struct cg_counts all)
{
	double base = ((double)counts.base + 1) / ((double)all.base + 2);
	double now = ((double)counts.now + 1) / ((double)all.now + 2);

	return (struct cg_share){
		.change = 100 * ((all.now ? (double)counts.now / (double)all.now : 0) -
				 (all.base ? (double)counts.base / (double)all.base : 0)),
		.error = 100 * sqrt(base * (1 - base) / ((double)all.base + 2) +
				    now * (1 - now) / ((double)all.now + 2)),
		.chance = chance_of(counts, all)};
}

static int ascending(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

size_t cg_share_comparisons(double *least, size_t n)
{
	size_t k = 1;

	if (n)
		qsort(least, n, sizeof(*least), ascending);
	while (k < n && least[k] <= LIMIT / (double)k)
		k++;
	return k;
}

enum cg_verdict cg_share_verdict(double chance, size_t comparisons)
{
	if (chance <= LIMIT / (double)comparisons)
		return CG_REAL;
	return chance <= LIMIT ? CG_MAYBE : CG_NOISE;
}
