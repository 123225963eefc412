// SPDX-License-Identifier: BSD-2-Clause
/*
 * Rules that were found, by image and address in its file: direct mapped.
 *
 * Not by address in a process: what a file says is the same for all processes that map it, wherever
 * and for however long.  So no exec, dlclose or exit ever makes an entry wrong.
 */
#include <stdlib.h>

#include "base/hash.h"
#include "unwind/unwind_int.h"

enum { ENTRIES = 16384, SERIAL_MAX = (1 << 30) - 1 };

struct unwind_cache {
	struct unwind_cache_stats stats;
	uint32_t serials; /* given to images */
	struct unwindint_entry entry[ENTRIES];
};

struct unwind_cache *unwind_cache_new(void)
{
	return calloc(1, sizeof(struct unwind_cache));
}

void unwind_cache_free(struct unwind_cache *cache)
{
	free(cache);
}

void unwind_cache_get_stats(const struct unwind_cache *cache, struct unwind_cache_stats *stats)
{
	*stats = cache->stats;
}

static void make(struct unwindint_entry *e, struct unwind_image *image, uint64_t vaddr)
{
	e->vaddr = vaddr;
	e->serial = image->serial;
	e->call = UNWINDINT_CALL_UNKNOWN;
	/* What is not found is kept, too. */
	unwind_image_rule(image, vaddr, &e->rule);
}

struct unwindint_entry *unwindint_lookup(struct unwind_cache *cache, struct unwind_image *image,
					 uint64_t vaddr, struct unwindint_entry *local)
{
	struct unwindint_entry *e = local;

	if (cache && !image->serial && cache->serials < SERIAL_MAX)
		image->serial = ++cache->serials;
	if (cache && image->serial) {
		e = &cache->entry[hash_mix(vaddr, image->serial) % ENTRIES];
		if (e->vaddr == vaddr && e->serial == image->serial) {
			cache->stats.hits++;
			return e;
		}
		cache->stats.misses++;
	}
	make(e, image, vaddr);
	return e;
}
