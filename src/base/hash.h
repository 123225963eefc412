/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Hash functions, and an open-addressing table from a hash to an index in the caller's array.
 *
 * The table stores no keys: the caller keeps the elements, compares candidates, and rehashing
 * needs only the stored hashes.
 *
 *	uint32_t h = hash_bytes(name, len);
 *	struct table_iter it;
 *	uint32_t i;
 *
 *	for (i = table_first(&t, h, &it); i != TABLE_NONE; i = table_next(&t, &it))
 *		if (matches(i))
 *			return i;
 *	table_insert(&t, h, new_index);
 */
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define TABLE_NONE UINT32_MAX

struct table_slot {
	uint32_t hash;
	uint32_t index; /* TABLE_NONE: free */
};

/* A zeroed table is empty and ready. */
struct table {
	struct table_slot *slot;
	uint32_t mask; /* slots - 1; slots are a power of two */
	uint32_t used;
};

struct table_iter {
	uint32_t hash;
	uint32_t pos;
};

/* 0, or -1 when out of memory (the table is then unchanged). */
int table_insert(struct table *t, uint32_t hash, uint32_t index);
/* What was inserted as from, and is there, is to from now on. */
void table_change(struct table *t, uint32_t hash, uint32_t from, uint32_t to);
/* Changes from to to, or inserts to where from is TABLE_NONE.  0, or -1 as above. */
int table_put(struct table *t, uint32_t hash, uint32_t from, uint32_t to);
/* What was inserted, and is there, is there no more. */
void table_remove(struct table *t, uint32_t hash, uint32_t index);
void table_empty(struct table *t); /* and keeps its memory */
void table_clear(struct table *t);

/* The bytes that it takes. */
static inline size_t table_size(const struct table *t)
{
	return t->slot ? ((size_t)t->mask + 1) * sizeof(*t->slot) : 0;
}

static inline uint32_t table_next(const struct table *t, struct table_iter *it)
{
	for (;; it->pos++) {
		const struct table_slot *s = &t->slot[it->pos & t->mask];

		if (s->index == TABLE_NONE)
			return TABLE_NONE;
		if (s->hash == it->hash) {
			it->pos++;
			return s->index;
		}
	}
}

static inline uint32_t table_first(const struct table *t, uint32_t hash, struct table_iter *it)
{
	it->hash = hash;
	it->pos = hash;
	return t->slot ? table_next(t, it) : TABLE_NONE;
}

/* The halves of a 64x64 to 128 bit product, xor'ed. */
static inline uint64_t hash_product(uint64_t a, uint64_t b)
{
#ifdef __SIZEOF_INT128__
	__uint128_t p = (__uint128_t)a * b;

	return (uint64_t)p ^ (uint64_t)(p >> 64);
#else
	uint64_t low = (a & UINT32_MAX) * (b & UINT32_MAX), high = (a >> 32) * (b >> 32);
	uint64_t one = (a >> 32) * (b & UINT32_MAX), other = (a & UINT32_MAX) * (b >> 32);
	uint64_t middle = (low >> 32) + (one & UINT32_MAX) + (other & UINT32_MAX);

	high += (one >> 32) + (other >> 32) + (middle >> 32);
	return (middle << 32 | (low & UINT32_MAX)) ^ high;
#endif
}

/* Mixes b into a. */
static inline uint64_t hash_mix(uint64_t a, uint64_t b)
{
	return hash_product(a ^ 0x9e3779b97f4a7c15u, b ^ 0xd1b54a32d192ed03u);
}

static inline uint32_t hash_fold(uint64_t h)
{
	return (uint32_t)(h ^ (h >> 32));
}

/*
 * A number that no other process has, and none that wrote what is hashed can know: without it, who
 * writes a log can have all that is in it collide.  What hashes by it must be written nowhere.
 */
uint64_t hash_secret(void);

/*
 * Four independent chains of products, so that they overlap; words is in host order.  The seed is
 * what else is hashed, the secret that of hash_secret().
 */
static inline uint32_t hash_words(const uint64_t *words, size_t n, uint64_t seed, uint64_t secret)
{
	uint64_t a = secret ^ seed, b = secret + n, c = secret << 1, d = ~secret;
	size_t i;

	for (i = 0; i + 4 <= n; i += 4) {
		a = hash_product(a ^ words[i], secret);
		b = hash_product(b ^ words[i + 1], secret);
		c = hash_product(c ^ words[i + 2], secret);
		d = hash_product(d ^ words[i + 3], secret);
	}
	for (; i < n; i++)
		a = hash_product(a ^ words[i], secret);
	/* By another factor, or words of two of them could change places. */
	return hash_fold(hash_mix(a * 0xd6e8feb86659fd93u + b, c * 0xd6e8feb86659fd93u + d));
}

/* These three hash by the secret. */
static inline uint32_t hash_pair(uint64_t a, uint64_t b)
{
	const uint64_t secret = hash_secret();

	return hash_fold(hash_product(hash_product(a ^ secret, secret) ^ b, secret));
}

static inline uint32_t hash_u64(uint64_t v)
{
	return hash_pair(v, 0);
}

static inline uint32_t hash_bytes(const void *data, size_t len)
{
	const uint64_t secret = hash_secret();
	const unsigned char *p = data;
	uint64_t h = secret, n = len, w;

	for (; len >= 8; p += 8, len -= 8) {
		memcpy(&w, p, 8);
		h = hash_product(h ^ w, secret);
	}
	w = 0;
	memcpy(&w, p, len);
	return hash_fold(hash_product(hash_product(h ^ w, secret) ^ n, secret));
}

/* Every process has the same of these: for what is written.  Anybody can have them collide. */
static inline uint32_t hash_fixed_u64(uint64_t v)
{
	return hash_fold(hash_mix(v, 1));
}

static inline uint32_t hash_fixed_bytes(const void *data, size_t len)
{
	const unsigned char *p = data;
	uint64_t h = len, w;

	for (; len >= 8; p += 8, len -= 8) {
		memcpy(&w, p, 8);
		h = hash_mix(h, w);
	}
	w = 0;
	memcpy(&w, p, len);
	return hash_fold(hash_mix(h, w));
}

#endif
