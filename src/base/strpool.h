/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Interned strings: the same text has the same id and the same address for the pool's life.
 */
#ifndef BASE_STRPOOL_H
#define BASE_STRPOOL_H

#include <stdint.h>
#include <stddef.h>

struct strpool;

struct strpool *strpool_new(void); /* NULL when out of memory */
void strpool_free(struct strpool *pool);
size_t strpool_size(const struct strpool *pool); /* the bytes that its texts take */

/* The id of the len bytes at s, no NUL among them, from 0 on; UINT32_MAX when out of memory. */
uint32_t strpool_id(struct strpool *pool, const char *s, size_t len);

/* The NUL-terminated text of an id that strpool_id() returned. */
const char *strpool_text(const struct strpool *pool, uint32_t id);

/* Both in one: the pooled copy of s, NULL when out of memory. */
const char *strpool_intern(struct strpool *pool, const char *s);

/* The same of len bytes, NULL where there are none.  0, or -1 when out of memory. */
int strpool_keep(struct strpool *pool, const char *s, size_t len, const char **kept);

/* Makes *text, which may be NULL, the pooled copy of itself.  0, or -1 when out of memory. */
int strpool_move(struct strpool *pool, const char **text);

#endif
