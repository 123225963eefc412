// SPDX-License-Identifier: BSD-2-Clause
/* split N: spends 60 % of 2N instructions in sixty() and 40 % in forty(), both called by work(). */
#include <stdlib.h>

/* Inlined into functions that get a frame by it: a leaf without one hides its caller. */
static inline __attribute__((always_inline)) void spin(unsigned long n)
{
	__asm__ volatile("" : : "r"(__builtin_frame_address(0)));
#if defined(__aarch64__)
	__asm__ volatile("1: subs %0, %0, #1\n\tb.ne 1b" : "+r"(n) : : "cc");
#else
	__asm__ volatile("1: dec %0\n\tjnz 1b" : "+r"(n) : : "cc");
#endif
}

static __attribute__((noinline)) void sixty(unsigned long n)
{
	spin(n / 10 * 6);
}

static __attribute__((noinline)) void forty(unsigned long n)
{
	spin(n / 10 * 4);
}

static __attribute__((noinline)) void work(unsigned long n)
{
	unsigned int turn;

	for (turn = 0; turn < 10; turn++) {
		sixty(n / 10);
		forty(n / 10);
	}
}

int main(int argc, char **argv)
{
	work(argc > 1 ? strtoul(argv[1], NULL, 0) : 10000000);
	return 0;
}
