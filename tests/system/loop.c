// SPDX-License-Identifier: BSD-2-Clause
/*
 * loop ROUNDS [wait]: runs a loop of two instructions ROUNDS times, and nearly nothing else: it has
 * no libraries, and starts and ends by itself.  wait: for a byte on standard input.
 */

#if defined(__x86_64__)
__asm__(".globl _start\n_start: mov %rsp, %rdi\n and $-16, %rsp\n call start\n");

static long system_call(long number, long a, long b, long c)
{
	long result;

	__asm__ volatile("syscall"
			 : "=a"(result)
			 : "a"(number), "D"(a), "S"(b), "d"(c)
			 : "rcx", "r11", "memory");
	return result;
}

static void loop(unsigned long rounds)
{
	__asm__ volatile("1: dec %0\n jnz 1b" : "+r"(rounds) : : "cc");
}

enum { SYS_READ = 0, SYS_EXIT_GROUP = 231 };
#elif defined(__aarch64__)
__asm__(".globl _start\n_start: mov x0, sp\n bl start\n");

static long system_call(long number, long a, long b, long c)
{
	register long x8 __asm__("x8") = number;
	register long x0 __asm__("x0") = a;
	register long x1 __asm__("x1") = b;
	register long x2 __asm__("x2") = c;

	__asm__ volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2) : "memory");
	return x0;
}

static void loop(unsigned long rounds)
{
	__asm__ volatile("1: subs %0, %0, #1\n b.ne 1b" : "+r"(rounds) : : "cc");
}

enum { SYS_READ = 63, SYS_EXIT_GROUP = 94 };
#else
#error no loop is written for this CPU
#endif

/* stack: argc, argv. */
void start(long *stack)
{
	const char *text = stack[0] > 1 ? (const char *)stack[2] : "";
	unsigned long rounds = 0;
	char byte;

	while (*text >= '0' && *text <= '9')
		rounds = rounds * 10 + (unsigned long)(*text++ - '0');
	if (stack[0] > 2)
		system_call(SYS_READ, 0, (long)&byte, 1);
	if (rounds)
		loop(rounds);
	system_call(SYS_EXIT_GROUP, 0, 0, 0);
	__builtin_unreachable();
}
