/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_VM_LOOP_H
#define TESTS_VM_LOOP_H

/* Exactly 2n instructions, of which the compiler makes no other; n > 0. */
static inline __attribute__((always_inline)) void loop(unsigned long n)
{
#if defined(__aarch64__) || defined(__arm__)
	__asm__ volatile("1: subs %0, %0, #1\n\tbne 1b" : "+r"(n) : : "cc");
#else
	__asm__ volatile("1: dec %0\n\tjnz 1b" : "+r"(n) : : "cc");
#endif
}

#endif
