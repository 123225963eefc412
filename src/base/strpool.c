// SPDX-License-Identifier: BSD-2-Clause
#include "base/hash.h"
#include "base/strpool.h"
#include "base/vec.h"

/* Texts live in chunks that never move, so that their addresses are stable. */
enum { CHUNK = 64 * 1024 };

struct strpool {
	VEC(const char *) text;
	VEC(char *) chunk;
	size_t bytes; /* of all chunks */
	size_t left;  /* free bytes at the end of the last chunk */
	char *next;
	struct table table;
};

struct strpool *strpool_new(void)
{
	return calloc(1, sizeof(struct strpool));
}

void strpool_free(struct strpool *pool)
{
	char **chunk;

	if (!pool)
		return;
	vec_each(chunk, &pool->chunk)
		free(*chunk);
	vec_free(&pool->chunk);
	vec_free(&pool->text);
	table_clear(&pool->table);
	free(pool);
}

size_t strpool_size(const struct strpool *pool)
{
	return pool->bytes - pool->left + pool->text.n * sizeof(*pool->text.v) +
	       table_size(&pool->table);
}

static char *room_for(struct strpool *pool, size_t len)
{
	if (pool->left < len) {
		size_t size = len > CHUNK ? len : CHUNK;
		char *chunk = malloc(size);

		if (!chunk)
			return NULL;
		if (vec_push(&pool->chunk, chunk)) {
			free(chunk);
			return NULL;
		}
		pool->bytes += size;
		pool->next = chunk;
		pool->left = size;
	}
	pool->next += len;
	pool->left -= len;
	return pool->next - len;
}

uint32_t strpool_id(struct strpool *pool, const char *s, size_t len)
{
	uint32_t h = hash_bytes(s, len), i;
	struct table_iter it;
	char *copy;

	for (i = table_first(&pool->table, h, &it); i != TABLE_NONE;
	     i = table_next(&pool->table, &it))
		if (!strncmp(pool->text.v[i], s, len) && !pool->text.v[i][len])
			return i;
	copy = room_for(pool, len + 1);
	if (!copy || vec_reserve(&pool->text, pool->text.n + 1) ||
	    table_insert(&pool->table, h, (uint32_t)pool->text.n))
		return UINT32_MAX;
	memcpy(copy, s, len);
	copy[len] = '\0';
	pool->text.v[pool->text.n] = copy;
	return (uint32_t)pool->text.n++;
}

const char *strpool_text(const struct strpool *pool, uint32_t id)
{
	return pool->text.v[id];
}

const char *strpool_intern(struct strpool *pool, const char *s)
{
	uint32_t id = strpool_id(pool, s, strlen(s));

	return id == UINT32_MAX ? NULL : pool->text.v[id];
}

int strpool_keep(struct strpool *pool, const char *s, size_t len, const char **kept)
{
	uint32_t id;

	*kept = NULL;
	if (!len)
		return 0;
	id = strpool_id(pool, s, len);
	if (id == UINT32_MAX)
		return -1;
	*kept = pool->text.v[id];
	return 0;
}

int strpool_move(struct strpool *pool, const char **text)
{
	return *text && !(*text = strpool_intern(pool, *text)) ? -1 : 0;
}
