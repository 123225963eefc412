// SPDX-License-Identifier: BSD-2-Clause
/*
 * walked [LIBRARY]: what unwinding is hard at, once each, for stepwalk to go through.  It checks
 * nothing itself; walked_asm.S has what no compiler writes.
 */
#include <alloca.h>
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define FAR __attribute__((noinline, noclone))

extern char **environ;
volatile unsigned int sink;

void asm_with_cfi(void (*f)(void));
void asm_with_frame(void (*f)(void));
void asm_without(void (*f)(void));
void asm_behind_signal(void (*f)(void), long pid);

FAR void leaf(void)
{
	sink++;
}

FAR static unsigned int leaf_with_red_zone(unsigned int n)
{
	volatile unsigned int a[4] = {n, 1, 2, 3};

	return a[n & 3];
}

FAR static unsigned int last(unsigned int n)
{
	leaf();
	return n + sink;
}

FAR static unsigned int tail_call(unsigned int n)
{
	leaf();
	return last(n * 3);
}

FAR static void use(void *p, size_t n)
{
	memset(p, 1, n);
	sink += ((unsigned char *)p)[n / 2];
}

FAR static void allocates(size_t n)
{
	use(alloca(n), n);
}

/* With both, the CFA is what a slot of the frame says. */
FAR static void aligned(size_t n)
{
	char a[64] __attribute__((aligned(128)));

	use(a, sizeof(a));
	use(alloca(n), n);
}

FAR static unsigned int many(int a, int b, int c, int d, int e, int f, int g, int h, int i)
{
	leaf();
	return (unsigned int)(a + b * c + d * e + f * g + h * i);
}

FAR static unsigned int recursion(unsigned int n)
{
	char a[16];

	if (!n)
		return last(1);
	use(a, sizeof(a));
	return recursion(n - 1) + (unsigned char)a[3];
}

static int order(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

static void sorts(void)
{
	int v[] = {3, 1, 2, 5, 4};

	qsort(v, 5, sizeof(v[0]), order);
	sink += (unsigned int)v[0];
}

static void on_signal(int sig)
{
	sink += (unsigned int)sig;
	tail_call(sink);
}

static void on_info(int sig, siginfo_t *info, void *context)
{
	(void)info;
	(void)context;
	on_signal(sig);
}

static void signals(void)
{
	struct sigaction plain = {.sa_handler = on_signal};
	struct sigaction info = {.sa_sigaction = on_info, .sa_flags = SA_SIGINFO};
	stack_t stack = {.ss_size = 65536};

	sigaction(SIGUSR1, &plain, NULL);
	raise(SIGUSR1);
	stack.ss_sp = malloc(stack.ss_size);
	sigaltstack(&stack, NULL);
	info.sa_flags |= SA_ONSTACK;
	sigaction(SIGUSR2, &info, NULL);
	raise(SIGUSR2);
	stack.ss_flags = SS_DISABLE;
	sigaltstack(&stack, NULL);
	free(stack.ss_sp);
}

/* Interrupts a leaf, by a write to page 0 that the handler mends. */
static volatile uintptr_t target;

static void on_fault(int sig, siginfo_t *info, void *context)
{
	(void)info;
	(void)context;
	signal(sig, SIG_DFL);
	mprotect((void *)target, 4096, PROT_READ | PROT_WRITE);
	leaf();
}

FAR static void faults(volatile char *p)
{
	*p = 1;
}

static void fault(void)
{
	struct sigaction sa = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO};
	void *page = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	target = (uintptr_t)page;
	sigaction(SIGSEGV, &sa, NULL);
	faults(page);
	munmap(page, 4096);
}

static void *thread(void *arg)
{
	recursion(*(unsigned int *)arg);
	return NULL;
}

static void threads(void)
{
	unsigned int n = 5;
	pthread_t a, b;

	pthread_create(&a, NULL, thread, &n);
	pthread_create(&b, NULL, thread, &n);
	recursion(4);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
}

static void children(void)
{
	char *argv[] = {"/nonexistent/program", NULL};
	pid_t pid = vfork();
	int status;

	if (!pid)
		_exit(3);
	waitpid(pid, &status, 0);
	if (!posix_spawn(&pid, argv[0], NULL, NULL, argv, environ))
		waitpid(pid, &status, 0);
}

static void library(const char *path)
{
	int i;

	for (i = 0; i < 2; i++) {
		void *lib = dlopen(path, RTLD_LAZY);
		void (*f)(void (*)(void)) =
			lib ? (void (*)(void (*)(void)))dlsym(lib, "call") : NULL;

		if (!f) {
			fprintf(stderr, "walked: %s\n", dlerror());
			exit(1);
		}
		f(leaf);
		dlclose(lib);
	}
}

#ifdef __x86_64__
/* Written at run time: keeps a frame, calls what it is given. */
static void jit(void)
{
	static const unsigned char code[] = {0x55, 0x48, 0x89, 0xe5, 0x90,
					     0xff, 0xd7, 0x90, 0x5d, 0xc3};
	void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	memcpy(page, code, sizeof(code));
	mprotect(page, 4096, PROT_READ | PROT_EXEC);
	((void (*)(void (*)(void)))page)(leaf);
	munmap(page, 4096);
}
#endif

int main(int argc, char **argv)
{
	leaf();
	sink += leaf_with_red_zone(sink);
	tail_call(1);
	allocates(100 + sink % 3);
	aligned(50);
	sink += many(1, 2, 3, 4, 5, 6, 7, 8, 9);
	sorts();
	signals();
	fault();
	asm_with_cfi(leaf);
	asm_with_frame(leaf);
	asm_without(leaf);
	asm_behind_signal(leaf, getpid());
#ifdef __x86_64__
	jit();
#endif
	children();
	threads();
	if (argc > 1)
		library(argv[1]);
	recursion(400);
	printf("%s\n", sink ? "walked" : "");
	return 0;
}
