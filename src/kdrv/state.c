// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
/*
 * What is the module's as a whole: its locks, its counts, its memory, and the lists of owners.  See
 * hwpmc_int.h for who has what under which lock.
 */
#include <linux/mm.h>
#include <linux/slab.h>

#include "hwpmc_int.h"

DEFINE_MUTEX(hwpmc_lock); /* over all objects: see there */
DEFINE_RAW_SPINLOCK(hwpmc_hash_lock);
struct hwpmc_counts hwpmc_counts;
LIST_HEAD(hwpmc_owners);
LIST_HEAD(hwpmc_system_owners);

/*
 * A cgroup above its memory.high sleeps for seconds in what it charges, and one at its memory.max
 * looks for memory first: so it is charged only where that needs no waiting.
 */
void *hwpmc_zalloc(size_t bytes)
{
	void *memory = kvzalloc(bytes, GFP_NOWAIT | __GFP_ACCOUNT | __GFP_NOWARN);

	return memory ? memory : kvzalloc(bytes, GFP_KERNEL);
}
