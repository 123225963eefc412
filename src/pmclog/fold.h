/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Chains that are deeper than a record has room for: recursion repeats the same frames, so turns of
 * it are taken out, and the record says how often what is left of them stands (REPEATS).
 */
#ifndef PMCLOG_FOLD_H
#define PMCLOG_FOLD_H

#include "pmclog/chain.h"

/* A chain as its record has it.  What is folded away is there again in the repeats. */
struct pmclogint_folded {
	uint32_t n;    /* frames */
	bool is_whole; /* no frame was left out: they and the repeats are all */
	uint32_t stitched;
	uint32_t nrepeats;
	struct pmclog_wire_repeat repeats[PMCLOG_MAX_REPEATS];
	uint64_t pcs[PMCLOG_MAX_DEPTH];
	uint8_t guessed[PMCLOG_MAX_DEPTH / 8], exact[PMCLOG_MAX_DEPTH / 8];
};

/*
 * Folds all that can be folded of a chain, the innermost frames first.  The same chain is always
 * folded alike; time is linear in its frames.
 */
void pmclogint_fold(const struct pmclog_chain *c, struct pmclogint_folded *f);

#endif
