// SPDX-License-Identifier: BSD-2-Clause
/* spin N: a loop of 2N instructions, not counting what starts and ends a program. */
#include <stdlib.h>

static void spin(unsigned long n)
{
#if defined(__aarch64__)
	__asm__ volatile("1: subs %0, %0, #1\n\tb.ne 1b" : "+r"(n) : : "cc");
#else
	__asm__ volatile("1: dec %0\n\tjnz 1b" : "+r"(n) : : "cc");
#endif
}

int main(int argc, char **argv)
{
	spin(argc > 1 ? strtoul(argv[1], NULL, 0) : 10000000);
	return 0;
}
