// SPDX-License-Identifier: BSD-2-Clause
#include "callgraph/output/html_digits.h"

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

void cg_digits_put(struct cg_digits *d, uint64_t number)
{
	do {
		if (d->sink)
			sink_char(d->sink, digits[(number & 31) + (number > 31 ? 32 : 0)]);
		number >>= 5;
		d->used++;
	} while (number);
}

/* The end of the samples in the step that begins with that of i. */
static size_t step_end(const uint16_t *slots, size_t i, size_t n, unsigned int shift)
{
	size_t first = i;

	while (i < n && slots[i] >> shift == slots[first] >> shift)
		i++;
	return i;
}

uint64_t cg_digits_count_steps(const uint16_t *slots, size_t n, unsigned int shift)
{
	uint64_t steps = 0;
	size_t i;

	for (i = 0; i < n; i = step_end(slots, i, n, shift))
		steps++;
	return steps;
}

void cg_digits_put_steps(struct cg_digits *d, const uint16_t *slots, size_t n, unsigned int shift)
{
	uint32_t last = 0, step;
	size_t i, next;

	for (i = 0; i < n; i = next) {
		next = step_end(slots, i, n, shift);
		step = (uint32_t)slots[i] >> shift;
		cg_digits_put(d, 2 * (uint64_t)(step - last) + (next - i > 1));
		if (next - i > 1)
			cg_digits_put(d, next - i - 2);
		last = step;
	}
}

int cg_digits_by_time(const void *a, const void *b)
{
	return *(const uint16_t *)a - *(const uint16_t *)b;
}
