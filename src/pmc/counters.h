/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Counters that a hypervisor announces and that never count: found by trial, remembered for a boot.
 *
 * The kernel chooses the counter of an event, and perf cannot ask for another.  What can be known
 * is how many PMCs can count at once before one is given a counter that does not: libpmc gives out
 * no more.  It tries that itself where a second PMC wants a counter and nothing is known.
 */
#ifndef PMC_COUNTERS_H
#define PMC_COUNTERS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "pmc/pmc.h"

enum { COUNTERS_MAX = 64 }; /* more than any CPU has */

struct counters {
	unsigned int tried; /* PMCs at once; 0: nothing is known */
	unsigned int good;  /* as many at once all count */
	unsigned int dead;  /* of those tried, the ones that did not */
};

/*
 * Counts, by n PMCs at once, a load that each counts at least `load` events of.  0, or -1 with err
 * set where n cannot be had.
 */
struct counters_trial {
	int (*run)(unsigned int n, struct pmc_count *counts, struct err *err);
	uint64_t load;
};

/*
 * Tries one PMC, two, and so on up to max, at most COUNTERS_MAX, or until they have to share: from
 * there on nothing can be told.  err: set where some could not be opened or read, not where they
 * had to share.
 */
struct counters counters_try(const struct counters_trial *trial, unsigned int max, struct err *err);

/*
 * The same, kept in the file path for this boot if all counters were tried: others may have had the
 * rest.  NULL: nowhere.
 */
struct counters counters_learn(const char *root, const char *path,
			       const struct counters_trial *trial, unsigned int max);

/*
 * The file for this user, below $XDG_RUNTIME_DIR, else $XDG_CACHE_HOME or ~/.cache; for root, of
 * whatever session, in /run, where all look.  false: there is no such directory.
 */
bool counters_path(char *path, size_t size);

/* What is written is for this boot, by the id in root's /proc. */
int counters_write(const char *root, const char *path, const struct counters *c, struct err *err);

/* false: not there, of another boot, damaged, or not to be trusted: of another user than uid. */
bool counters_read(const char *root, const char *path, uid_t uid, struct counters *c);

/* From this user's file, or root's. */
struct counters counters_known(void);

#endif
