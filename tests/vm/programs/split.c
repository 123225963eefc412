// SPDX-License-Identifier: BSD-2-Clause
/*
 * split N [M]: spends 60 % of 2N instructions in sixty() and 40 % in forty(), both called by
 * work(); with a system call after each 2M of them: QEMU sees that a counter of instructions has
 * overflowed only when the CPU enters the kernel.
 */
#include <stdlib.h>
#include <sys/syscall.h>

#include "loop.h"

#define INLINE static inline __attribute__((always_inline))

INLINE void call_kernel(void)
{
#if defined(__aarch64__)
	register long number __asm__("x8") = SYS_getppid;
	register long result __asm__("x0");

	__asm__ volatile("svc #0" : "=r"(result) : "r"(number) : "memory");
#else
	long result = SYS_getppid;

	__asm__ volatile("syscall" : "+a"(result) : : "rcx", "r11", "memory");
#endif
}

/* Inlined into functions that get a frame by it: a leaf without one hides its caller. */
INLINE void spin(unsigned long n, unsigned long m)
{
	__asm__ volatile("" : : "r"(__builtin_frame_address(0)));
	for (; m && n > m; n -= m) {
		loop(m);
		call_kernel();
	}
	loop(n);
}

static __attribute__((noinline)) void sixty(unsigned long n, unsigned long m)
{
	spin(n / 10 * 6, m);
}

static __attribute__((noinline)) void forty(unsigned long n, unsigned long m)
{
	spin(n / 10 * 4, m);
}

static __attribute__((noinline)) void work(unsigned long n, unsigned long m)
{
	unsigned int i;

	for (i = 0; i < 10; i++) {
		sixty(n / 10, m);
		forty(n / 10, m);
	}
}

int main(int argc, char **argv)
{
	work(argc > 1 ? strtoul(argv[1], NULL, 0) : 10000000,
	     argc > 2 ? strtoul(argv[2], NULL, 0) : 0);
	return 0;
}
