// SPDX-License-Identifier: BSD-2-Clause
/*
 * chain DEPTH N	a loop of 2N instructions in a function that is DEPTH calls below main
 * chain leaf N		N calls of a function that does nothing, so that its first instruction,
 *			where it has no frame yet, is often seen
 */
#include <stdlib.h>
#include <string.h>

#include "loop.h"

#define KEPT __attribute__((noinline, noclone))

/* Compilers give a function that calls none a frame only where it is used. */
#define HAS_FRAME() __asm__ volatile("" : : "r"(__builtin_frame_address(0)) : "memory")

KEPT static void spin(unsigned long n)
{
	HAS_FRAME();
	loop(n);
}

KEPT static void below(unsigned int depth, unsigned long n)
{
	if (depth > 2)
		below(depth - 1, n);
	else
		spin(n);
	__asm__ volatile(""); /* no tail call */
}

KEPT static void leaf(void)
{
	HAS_FRAME();
}

KEPT static void calls_leaf(unsigned long n)
{
	for (; n; n--)
		leaf();
	__asm__ volatile("");
}

int main(int argc, char **argv)
{
	unsigned long n = argc > 2 ? strtoul(argv[2], NULL, 0) : 1000000;
	unsigned int depth = argc > 1 ? (unsigned int)strtoul(argv[1], NULL, 0) : 1;

	if (argc > 1 && !strcmp(argv[1], "leaf"))
		calls_leaf(n);
	else if (depth > 1)
		below(depth, n);
	else
		spin(n);
	return 0;
}
