// SPDX-License-Identifier: BSD-2-Clause
/*
 * Spends its time 60/40 in two leaf functions and 80/20 below two callers, by construction: every
 * leaf runs the same aligned loop of registers alone, so time goes with the number of rounds.
 *
 *	split SECONDS
 */
#include <stdlib.h>
#include <time.h>

#define PLAIN __attribute__((noinline, noclone, aligned(64)))

static volatile unsigned long calls; /* keeps callers from becoming jumps */

/* Asking for the frame's address gives a leaf a frame, without which its caller is not seen. */
#define SPIN(rounds)                                                    \
	do {                                                            \
		unsigned long left = (rounds);                          \
		__asm__ volatile("" ::"r"(__builtin_frame_address(0))); \
		while (left--)                                          \
			__asm__ volatile("" : "+r"(left));              \
	} while (0)

PLAIN void leaf_sixty(unsigned long rounds);
PLAIN void leaf_forty(unsigned long rounds);
PLAIN void caller_eighty(unsigned long rounds);
PLAIN void caller_twenty(unsigned long rounds);

PLAIN void leaf_sixty(unsigned long rounds)
{
	SPIN(rounds);
}

PLAIN void leaf_forty(unsigned long rounds)
{
	SPIN(rounds);
}

PLAIN void caller_eighty(unsigned long rounds)
{
	leaf_sixty(rounds * 48);
	leaf_forty(rounds * 32);
	calls++;
}

PLAIN void caller_twenty(unsigned long rounds)
{
	leaf_sixty(rounds * 12);
	leaf_forty(rounds * 8);
	calls++;
}

int main(int argc, char **argv)
{
	struct timespec start, now;
	double seconds = argc > 1 ? atof(argv[1]) : 1, gone;
	unsigned int random = 1;

	clock_gettime(CLOCK_MONOTONIC, &start);
	do {
		/* Rounds of varying length, so that no loop keeps step with the sampling clock. */
		random = random * 1664525 + 1013904223;
		caller_eighty(5000 + random % 5000);
		caller_twenty(5000 + random % 5000);
		clock_gettime(CLOCK_MONOTONIC, &now);
		gone = (double)(now.tv_sec - start.tv_sec) +
		       (double)(now.tv_nsec - start.tv_nsec) / 1e9;
	} while (gone < seconds);
	return 0;
}
