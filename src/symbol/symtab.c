// SPDX-License-Identifier: BSD-2-Clause
#include "symbol/symtab.h"

/* Names that are equal for so long are equal enough; bounds the work on hostile tables. */
enum { NAME_COMPARED = 1024 };

typedef VEC(uint32_t) stack_of_syms;

int symtab_add(struct symtab *t, uint64_t start, uint64_t size, uint64_t limit, uint32_t name,
	       unsigned int rank)
{
	struct symtab_sym s = {.start = start, .name = name, .rank = (uint8_t)rank};

	if (start >= limit || t->syms.n >= UINT32_MAX / 2)
		return 0;
	s.open = !size;
	if (!size || size > limit - start)
		size = limit - start;
	s.size = size < UINT32_MAX ? (uint32_t)size : UINT32_MAX;
	return vec_push(&t->syms, s);
}

static uint64_t end_of(const struct symtab_sym *s)
{
	return s->start + s->size;
}

static bool is_function(const struct symtab_sym *s)
{
	return s->rank >= RANK_FUNC;
}

/* A place in code that nobody calls a function, and that has no bytes. */
static bool is_label(const struct symtab_sym *s)
{
	return s->open && !is_function(s) && s->rank != RANK_PLT;
}

/* By address, and at one address the best name last. */
static int compare(const void *pa, const void *pb, void *names)
{
	const struct symtab_sym *a = pa, *b = pb;
	const char *x = (const char *)names + a->name, *y = (const char *)names + b->name;
	size_t u, v;
	int diff;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	/* A PLT entry is one only where nothing else is; then binding counts before type. */
	diff = (a->rank != RANK_PLT) - (b->rank != RANK_PLT);
	if (!diff)
		diff = is_label(b) - is_label(a);
	if (!diff)
		diff = a->rank % RANK_FUNC - b->rank % RANK_FUNC;
	if (!diff)
		diff = a->rank - b->rank;
	if (!diff)
		diff = b->open - a->open;
	if (diff)
		return diff;
	u = strspn(x, "_");
	v = strspn(y, "_");
	if (u != v)
		return u < v ? 1 : -1;
	u = strnlen(x, NAME_COMPARED);
	v = strnlen(y, NAME_COMPARED);
	if (u != v)
		return u < v ? 1 : -1;
	diff = strncmp(x, y, NAME_COMPARED);
	if (diff)
		return diff < 0 ? 1 : -1;
	return (a->size > b->size) - (a->size < b->size);
}

static void sort_part(struct symtab *t, size_t first, size_t last)
{
	if (last - first > 1)
		qsort_r(t->syms.v + first, last - first, sizeof(*t->syms.v), compare,
			(void *)(uintptr_t)t->names);
}

/* Those of kernels, and those that were sorted before, are in order but for aliases. */
static void sort(struct symtab *t)
{
	const struct symtab_sym *v = t->syms.v;
	size_t n = t->syms.n, first = 0, i;

	for (i = 1; i < n; i++)
		if (v[i].start < v[i - 1].start) {
			sort_part(t, 0, n);
			return;
		}
	for (i = 1; i <= n; i++)
		if (i == n || v[i].start != v[first].start) {
			sort_part(t, first, i);
			first = i;
		}
}

/*
 * Of the symbols at one address, v[first] to v[last], keeps the best and those that reach behind
 * what is better; a best one without a size takes the largest.  They are moved to end before to,
 * the best last; returns the index of the first of them.
 */
static size_t merge_aliases(struct symtab_sym *v, size_t first, size_t last, size_t to)
{
	struct symtab_sym best = v[last];
	uint32_t reach, largest = 0;
	size_t i;

	for (i = first; i < last; i++)
		if (!v[i].open && v[i].size > largest)
			largest = v[i].size;
	if (best.open && largest) {
		best.size = largest;
		best.open = false;
	}
	reach = best.size;
	v[--to] = best;
	for (i = last; i-- > first;) {
		if (v[i].open || v[i].size <= reach)
			continue;
		reach = v[i].size;
		v[--to] = v[i];
	}
	return to;
}

/* Ends open symbols at the next address and drops aliases; from the last to the first. */
static void settle(struct symtab *t)
{
	struct symtab_sym *v = t->syms.v;
	size_t last = t->syms.n, to = t->syms.n;
	uint64_t next = UINT64_MAX;

	while (last-- > 0) {
		size_t first = last;

		while (first > 0 && v[first - 1].start == v[last].start)
			first--;
		to = merge_aliases(v, first, last, to);
		if (v[to].open && v[to].size > next - v[to].start)
			v[to].size = (uint32_t)(next - v[to].start);
		next = v[to].start;
		last = first;
	}
	vec_remove(&t->syms, 0, to);
}

/* From this address on symbol i is the innermost. */
static int add_range(struct symtab *t, uint64_t from, uint32_t i)
{
	if (t->ranges.n && t->ranges.v[t->ranges.n - 1].from == from) {
		t->ranges.v[t->ranges.n - 1].sym = i;
		return 0;
	}
	return vec_push(&t->ranges, (struct symtab_range){.from = from, .sym = i});
}

/* Takes from the stack what ends up to address; what lies below resumes where it reaches further.
 */
static int leave(struct symtab *t, stack_of_syms *stack, uint64_t address)
{
	while (stack->n) {
		uint64_t end = end_of(&t->syms.v[stack->v[stack->n - 1]]);

		if (end > address)
			return 0;
		while (stack->n && end_of(&t->syms.v[stack->v[stack->n - 1]]) <= end)
			stack->n--;
		if (stack->n && add_range(t, end, stack->v[stack->n - 1]))
			return -1;
	}
	return 0;
}

static int make_ranges(struct symtab *t)
{
	stack_of_syms stack = {0};
	uint32_t i;
	int ret = 0;

	t->ranges.n = 0;
	for (i = 0; i < t->syms.n && !ret; i++) {
		struct symtab_sym *s = &t->syms.v[i];

		ret = leave(t, &stack, s->start);
		if (!ret && s->open && stack.n) {
			const struct symtab_sym *outer = &t->syms.v[stack.v[stack.n - 1]];

			/* The code at a label within a function is that function's. */
			if (is_label(s) && is_function(outer) && !outer->open)
				continue;
			if (end_of(s) > end_of(outer))
				s->size = (uint32_t)(end_of(outer) - s->start);
		}
		if (!ret)
			ret = add_range(t, s->start, i) || vec_push(&stack, i);
	}
	if (!ret)
		ret = leave(t, &stack, UINT64_MAX);
	vec_free(&stack);
	return ret ? -1 : 0;
}

/* As many parts as there are ranges, more or less. */
int symtab_index(struct symtab *t)
{
	const struct symtab_range *r = t->ranges.v;
	size_t n = t->ranges.n, parts, i, part = 0;

	t->index.n = 0;
	if (!n)
		return 0;
	for (t->part_bits = 0; (r[n - 1].from - r[0].from) >> t->part_bits >= n; t->part_bits++)
		;
	parts = ((r[n - 1].from - r[0].from) >> t->part_bits) + 1;
	if (vec_reserve(&t->index, parts + 1))
		return -1;
	for (i = 0; i < n; i++)
		while (part <= (r[i].from - r[0].from) >> t->part_bits)
			t->index.v[part++] = (uint32_t)i;
	t->index.v[part++] = (uint32_t)n;
	t->index.n = part;
	return 0;
}

int symtab_build(struct symtab *t)
{
	if (t->syms.n) {
		sort(t);
		settle(t);
	}
	return make_ranges(t) || symtab_index(t) ? -1 : 0;
}

struct symtab_sym *symtab_find(struct symtab *t, uint64_t address)
{
	const struct symtab_range *r = t->ranges.v;
	struct symtab_sym *s;
	size_t first, end;
	uint64_t part;

	if (!t->index.n || address < r[0].from)
		return NULL;
	part = (address - r[0].from) >> t->part_bits;
	if (part > t->index.n - 2)
		part = t->index.n - 2;
	/* The last one from address or before: in this part, or the one before its first. */
	first = t->index.v[part];
	end = t->index.v[part + 1];
	while (first < end) {
		size_t middle = first + (end - first) / 2;

		if (r[middle].from <= address)
			first = middle + 1;
		else
			end = middle;
	}
	s = &t->syms.v[r[first - 1].sym];
	return address - s->start < s->size ? s : NULL;
}

size_t symtab_size(const struct symtab *t)
{
	return t->syms.cap * sizeof(*t->syms.v) + t->ranges.cap * sizeof(*t->ranges.v) +
	       t->index.cap * sizeof(*t->index.v) + (t->own_names ? t->names_len : 0);
}

void symtab_fini(struct symtab *t)
{
	vec_free(&t->syms);
	vec_free(&t->ranges);
	vec_free(&t->index);
	free(t->own_names);
	memset(t, 0, sizeof(*t));
}
