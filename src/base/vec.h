/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A growing array of any type.  A zeroed one is empty; vec_free() makes it empty again.
 *
 *	VEC(struct map) maps = {0};
 *	if (vec_push(&maps, m))
 *		return err_nomem(err);
 */
#ifndef BASE_VEC_H
#define BASE_VEC_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define VEC(T)                 \
	struct {               \
		T *v;          \
		size_t n, cap; \
	}

/* Makes room for n elements in all.  0, or -1 when out of memory (the array is then unchanged). */
#define vec_reserve(vec, want) \
	vec_grow((void **)&(vec)->v, &(vec)->cap, (want), sizeof((vec)->v[0]))

/* Appends one element.  0, or -1 when out of memory. */
#define vec_push(vec, ...) \
	(vec_reserve((vec), (vec)->n + 1) ? -1 : ((vec)->v[(vec)->n++] = (__VA_ARGS__), 0))

/* Inserts one element before index at.  0, or -1 when out of memory. */
#define vec_insert(vec, at, ...)                                                        \
	(vec_reserve((vec), (vec)->n + 1)                                               \
		 ? -1                                                                   \
		 : ((vec)->v[vec_gap((vec)->v, &(vec)->n, (at), sizeof((vec)->v[0]))] = \
			    (__VA_ARGS__),                                              \
		    0))

/* Removes count elements from index at on. */
#define vec_remove(vec, at, count)                                   \
	(memmove(&(vec)->v[(at)], &(vec)->v[(at) + (count)],         \
		 ((vec)->n - (at) - (count)) * sizeof((vec)->v[0])), \
	 (vec)->n -= (count))

/* Gives to, which is empty, what from has; from is empty then.  They may be of two VEC() types. */
#define vec_move(to, from)                                                                    \
	((to)->v = (from)->v, (to)->n = (from)->n, (to)->cap = (from)->cap, (from)->v = NULL, \
	 (from)->n = (from)->cap = 0)

/*
 * The index of the first element whose member, a uint64_t, is above value; n if none is.  The
 * elements are in order of that member.
 */
#define vec_above(vec, member, value)                                                          \
	vec_search((vec)->n ? &(vec)->v[0].member : NULL, (vec)->n, sizeof((vec)->v[0]), (value))

#define vec_free(vec) (free((vec)->v), (vec)->v = NULL, (vec)->n = (vec)->cap = 0)

/* n comes first because an empty array has no address to add to. */
#define vec_each(p, vec) for ((p) = (vec)->v; (vec)->n && (p) < (vec)->v + (vec)->n; (p)++)

static inline int vec_grow(void **v, size_t *cap, size_t want, size_t size)
{
	size_t n = *cap ? *cap : 8;
	void *p;

	if (want <= *cap)
		return 0;
	while (n < want)
		n += n / 2;
	if (n > (size_t)-1 / 2 / size || !(p = realloc(*v, n * size)))
		return -1;
	*v = p;
	*cap = n;
	return 0;
}

/* Moves the elements from index at on up by one, into room that is there; returns at. */
static inline size_t vec_gap(void *v, size_t *n, size_t at, size_t size)
{
	char *p = v;

	memmove(p + (at + 1) * size, p + at * size, (*n - at) * size);
	(*n)++;
	return at;
}

static inline size_t vec_search(const uint64_t *first, size_t n, size_t size, uint64_t value)
{
	size_t lo = 0, mid;

	while (lo < n) {
		mid = lo + (n - lo) / 2;
		if (*(const uint64_t *)(const void *)((const char *)first + mid * size) > value)
			n = mid;
		else
			lo = mid + 1;
	}
	return lo;
}

#endif
