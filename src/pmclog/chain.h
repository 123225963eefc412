/* SPDX-License-Identifier: BSD-2-Clause */
/* A sample with its call chain, as the writer takes it. */
#ifndef PMCLOG_CHAIN_H
#define PMCLOG_CHAIN_H

#include <stdbool.h>
#include <stdint.h>

#include "pmclog/pmclog_wire.h"

struct pmclog_chain {
	uint32_t pid, tid, pmcid, cpu;
	bool usermode;
	enum pmclog_chain_end end;
	/*
	 * At most PMCLOG_MAX_FRAMES.  Of more than the record has room for, recursion is folded;
	 * the outermost frames are left out if that is not enough.
	 */
	uint32_t npcs;
	const uint64_t *pcs; /* leaf first */
	/* Marked frames: the outermost ones, and a bit for each, the leaf first; NULL: none. */
	uint32_t stitched;
	const uint8_t *guessed, *exact; /* as many bits as pcs */
};

/* Whether frame i has such a mark. */
static inline bool pmclog_chain_marks(const uint8_t *marks, uint32_t i)
{
	return marks && marks[i / 8] >> i % 8 & 1;
}

#endif
