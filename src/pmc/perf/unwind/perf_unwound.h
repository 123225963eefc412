/* SPDX-License-Identifier: BSD-2-Clause */
/* A sample that stage 1 of the pump has unwound, as stage 2 gets it. */
#ifndef PMC_PERF_UNWOUND_H
#define PMC_PERF_UNWOUND_H

#include <stddef.h>
#include <stdint.h>

/*
 * Set in the header's misc of a sample that was unwound: behind its head is struct perf_unwound.
 * The kernel knows of no such bit in samples.
 */
#define PERF_RING_UNWOUND (1u << 8)

/* The frames of a sample: those of the kernel, then those of the user. */
struct perf_unwound {
	uint16_t kernel, user;
	uint16_t stitched; /* outermost user frames */
	uint16_t end;	   /* enum pmclog_chain_end */
	/* Behind them the marks of user frames: see perf_unwound_guessed(). */
	uint64_t pc[];
};

/* The words that a bit for each of n frames takes, the leaf first. */
static inline size_t perf_unwound_mark_words(size_t n)
{
	return (n + 63) / 64;
}

/* The frames that are guessed, and those that are exact: bytes of whole words. */
static inline const uint8_t *perf_unwound_guessed(const struct perf_unwound *x)
{
	return (const uint8_t *)(x->pc + x->kernel + x->user);
}

static inline const uint8_t *perf_unwound_exact(const struct perf_unwound *x)
{
	return perf_unwound_guessed(x) + 8 * perf_unwound_mark_words(x->user);
}

#endif
