// SPDX-License-Identifier: BSD-2-Clause
/*
 * split N [M]: spends 60 % of 2N instructions in sixty() and 40 % in forty(), both called by
 * work(); with a system call after each 2M of them: QEMU sees that a counter of instructions has
 * overflowed only when the CPU enters the kernel.
 *
 * split time MS: spends 60 and 40 % of so many milliseconds there, since how many instructions an
 * emulated CPU does in a time is another number for each loop.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>

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
	if (n)
		loop(n);
}

/* Of a clock that is read without the kernel. */
INLINE uint64_t ticks(void)
{
#if defined(__aarch64__)
	uint64_t now;

	__asm__ volatile("isb\n\tmrs %0, cntvct_el0" : "=r"(now) : : "memory");
	return now;
#else
	return __builtin_ia32_rdtsc();
#endif
}

INLINE void spend(uint64_t time)
{
	uint64_t start = ticks();

	__asm__ volatile("" : : "r"(__builtin_frame_address(0)));
	while (ticks() - start < time)
		loop(100);
}

static __attribute__((noinline)) void sixty(unsigned long n, unsigned long m, uint64_t time)
{
	spin(n / 10 * 6, m);
	spend(time / 10 * 6);
}

static __attribute__((noinline)) void forty(unsigned long n, unsigned long m, uint64_t time)
{
	spin(n / 10 * 4, m);
	spend(time / 10 * 4);
}

/*
 * Rounds take from half their time to one and a half: where samples come with the kernel's ticks
 * and rounds of one length are a multiple of these, all samples would be at one place of a round.
 */
static __attribute__((noinline)) void work(unsigned int rounds, unsigned long n, unsigned long m,
					   uint64_t time)
{
	uint32_t random = 1;

	while (rounds--) {
		uint64_t varied = time / 2 + (time * (random >> 16) >> 16);

		sixty(n, m, varied);
		forty(n, m, varied);
		random = random * 1103515245 + 12345;
	}
}

static double seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static double ticks_in_ms(void)
{
	uint64_t from = ticks();
	double start = seconds(), took;

	do
		took = seconds() - start;
	while (took < 0.01);
	return (double)(ticks() - from) / took / 1000;
}

int main(int argc, char **argv)
{
	const double round = 1.37;
	unsigned long n = argc > 1 ? strtoul(argv[1], NULL, 0) : 10000000;

	if (argc > 2 && !strcmp(argv[1], "time"))
		work((unsigned int)(strtod(argv[2], NULL) / round), 0, 0,
		     (uint64_t)(round * ticks_in_ms()));
	else
		work(10, n / 10, argc > 2 ? strtoul(argv[2], NULL, 0) : 0, 0);
	return 0;
}
