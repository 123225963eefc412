// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
/*
 * What is the module's as a whole: its locks, its counts, and the lists of owners.  See
 * hwpmc_int.h for who has what under which lock.
 */
#include "hwpmc_int.h"

DEFINE_MUTEX(hwpmc_lock); /* over all objects: see there */
DEFINE_RAW_SPINLOCK(hwpmc_hash_lock);
struct hwpmc_counts hwpmc_counts;
LIST_HEAD(hwpmc_owners);
LIST_HEAD(hwpmc_system_owners);
