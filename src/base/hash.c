// SPDX-License-Identifier: BSD-2-Clause
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/random.h>
#include <time.h>

#include "base/hash.h"

uint64_t hash_secret(void)
{
	static _Atomic uint64_t secret;
	uint64_t known = atomic_load(&secret), made = 0;
	struct timespec now;

	if (known)
		return known;
	if (getrandom(&made, sizeof(made), GRND_NONBLOCK) != sizeof(made)) {
		clock_gettime(CLOCK_MONOTONIC, &now);
		made = hash_mix((uint64_t)now.tv_nsec, (uintptr_t)&now);
	}
	/* Neither a factor that loses bits nor one of few; all threads have the first. */
	made |= UINT64_C(1) << 63 | 1;
	return atomic_compare_exchange_strong(&secret, &known, made) ? made : known;
}

static void place(struct table *t, struct table_slot s)
{
	uint32_t pos = s.hash;

	while (t->slot[pos & t->mask].index != TABLE_NONE)
		pos++;
	t->slot[pos & t->mask] = s;
}

static int grow(struct table *t)
{
	uint32_t slots = t->slot ? (t->mask + 1) * 2 : 64, i;
	struct table bigger = {.mask = slots - 1, .used = t->used};

	if (!slots || !(bigger.slot = malloc((size_t)slots * sizeof(*bigger.slot))))
		return -1;
	memset(bigger.slot, 0xff, (size_t)slots * sizeof(*bigger.slot));
	for (i = 0; t->slot && i <= t->mask; i++)
		if (t->slot[i].index != TABLE_NONE)
			place(&bigger, t->slot[i]);
	free(t->slot);
	*t = bigger;
	return 0;
}

int table_insert(struct table *t, uint32_t hash, uint32_t index)
{
	/* At most two thirds full. */
	if ((!t->slot || t->used > t->mask / 3 * 2) && grow(t))
		return -1;
	place(t, (struct table_slot){hash, index});
	t->used++;
	return 0;
}

/* The slot of what is there. */
static uint32_t slot_of(const struct table *t, uint32_t hash, uint32_t index)
{
	uint32_t pos = hash;

	while (t->slot[pos & t->mask].index != index)
		pos++;
	return pos & t->mask;
}

void table_change(struct table *t, uint32_t hash, uint32_t from, uint32_t to)
{
	t->slot[slot_of(t, hash, from)].index = to;
}

int table_put(struct table *t, uint32_t hash, uint32_t from, uint32_t to)
{
	if (from == TABLE_NONE)
		return table_insert(t, hash, to);
	table_change(t, hash, from, to);
	return 0;
}

/* Those behind the free slot that a search could no longer reach move up. */
void table_remove(struct table *t, uint32_t hash, uint32_t index)
{
	uint32_t hole = slot_of(t, hash, index), i = hole;

	for (;;) {
		const struct table_slot *s;

		i = (i + 1) & t->mask;
		s = &t->slot[i];
		if (s->index == TABLE_NONE)
			break;
		if (((i - s->hash) & t->mask) < ((i - hole) & t->mask))
			continue;
		t->slot[hole] = *s;
		hole = i;
	}
	t->slot[hole].index = TABLE_NONE;
	t->used--;
}

void table_empty(struct table *t)
{
	if (t->slot)
		memset(t->slot, 0xff, table_size(t));
	t->used = 0;
}

void table_clear(struct table *t)
{
	free(t->slot);
	*t = (struct table){0};
}
