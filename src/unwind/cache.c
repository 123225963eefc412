// SPDX-License-Identifier: BSD-2-Clause
/* Rules that were found, by image and address. */
#include <stdlib.h>

#include "unwind/unwind.h"

struct unwind_cache {
	struct unwind_cache_stats stats;
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
