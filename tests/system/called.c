// SPDX-License-Identifier: BSD-2-Clause
/*
 * Spends processor time in spin(), called in one known way: called SECONDS HOW, where HOW is
 *
 *	plain		main, one, two
 *	threads		four threads in worker, two
 *	signal		a handler on the stack that it interrupts, below raise(3)
 *	altstack	a handler on a stack of its own
 *	context		a function on a stack of its own, by makecontext()
 *	traps		a handler that interrupts the first instruction of traps
 *	deep		400 calls of down
 *	turns N		N calls of list, item and value, one after the other
 *	orphan N	the same in a thread, when the first one has ended
 *	faults		the same as deep, and page faults one after the other
 *	library FILE	in_library of a library that is opened and closed again and again
 *	vfork		a child that calls exec at once, with "plain"
 *	deleted		plain, after the program has unlinked its own file
 *	replaced FILE	plain, after FILE took the place of the program's own
 *	exits		children, each of which ends after a hundredth of the time
 *	leaf		leaf, which has no frame, instead of spin
 *	tail		asm_tail, which jumps to spins
 *	alloca		allocates, whose frame has a size that is not known before
 *	aligned		aligned, whose frame is that, and begins where the stack pointer allows
 *	cfi		asm_with_cfi, which has another register for its frame
 *	frame		asm_with_frame, which keeps a frame pointer and has no CFI
 *	nothing		asm_without, which has neither
 *	lazy FILE	binds of a library whose calls are bound as they come, again and again
 *
 * walked_asm.S has what no compiler writes.
 */
#define _GNU_SOURCE
#include <alloca.h>
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#define apart __attribute__((noinline, noclone))

void asm_tail(void (*f)(void));
void asm_with_cfi(void (*f)(void));
void asm_with_frame(void (*f)(void));
void asm_without(void (*f)(void));

static volatile long sink;
static double seconds;

static double spent(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ts);
	return (double)ts.tv_sec + (double)ts.tv_nsec * 1e-9;
}

apart void spin(double until)
{
	long i;

	do {
		for (i = 0; i < 100000; i++)
			sink += i;
	} while (spent() < until);
}

apart void two(double until)
{
	spin(until);
	sink++;
}

apart void one(double until)
{
	two(until);
	sink++;
}

apart void *worker(void *arg)
{
	two(seconds / 4);
	sink++;
	return arg;
}

apart void handler(int sig)
{
	two(seconds);
	sink += sig;
}

/* Faults on every page of some memory, again and again. */
apart void fault(double until)
{
	const size_t length = 32 << 20, page = 4096;
	char *p = mmap(NULL, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	size_t i;

	if (p == MAP_FAILED)
		exit(1);
	madvise(p, length, MADV_NOHUGEPAGE);
	do {
		for (i = 0; i < length; i += page)
			p[i] = 1;
		madvise(p, length, MADV_DONTNEED);
	} while (spent() < until);
	munmap(p, length);
}

apart void down(int depth, void (*last)(double))
{
	if (depth)
		down(depth - 1, last);
	else
		last(seconds);
	sink++;
}

apart void list(int depth);

apart void value(int depth)
{
	if (depth)
		list(depth - 1);
	else
		spin(seconds);
	sink++;
}

apart void item(int depth)
{
	if (depth)
		value(depth - 1);
	else
		spin(seconds);
	sink++;
}

void list(int depth)
{
	if (depth)
		item(depth - 1);
	else
		spin(seconds);
	sink++;
}

apart void spins(void)
{
	spin(seconds);
	sink++;
}

apart void leaf(void)
{
	long i;

	for (i = 0; i < 100000; i++)
		sink += i;
}

apart void leaves(void)
{
	do
		leaf();
	while (spent() < seconds);
}

apart void use(volatile char *room, size_t length)
{
	room[length / 2] = 1;
	spins();
	sink += room[0];
}

apart void allocates(size_t length)
{
	use(alloca(length), length);
	sink++;
}

/* With both, the CFA is what a slot of the frame says. */
apart void aligned(size_t length)
{
	char room[64] __attribute__((aligned(128)));

	use(room, sizeof(room));
	use(alloca(length), length);
	sink++;
}

apart void assembly(void (*f)(void (*)(void)))
{
	f(spins);
	sink++;
}

#if defined(__aarch64__)
#define TRAP ".inst 0"
enum { TRAP_BYTES = 4 };
#define PC_OF(context) ((context)->uc_mcontext.pc)
#else
#define TRAP "ud2"
enum { TRAP_BYTES = 2 };
#ifdef __i386__
#define REG_RIP REG_EIP
#endif
#define PC_OF(context) ((context)->uc_mcontext.gregs[REG_RIP])
#endif

/* An address before the first instruction of traps is in another function. */
void traps(void);
__asm__(".text\n"
	".type before, %function\n"
	"before: .cfi_startproc\n"
	"	ret\n"
	"	.cfi_endproc\n"
	".size before, . - before\n"
	".globl traps\n"
	".type traps, %function\n"
	"traps:	.cfi_startproc\n"
	"	" TRAP "\n"
	"	ret\n"
	"	.cfi_endproc\n"
	".size traps, . - traps\n");

apart void trapped(int sig, siginfo_t *info, void *context)
{
	(void)sig;
	(void)info;
	two(seconds);
	PC_OF((ucontext_t *)context) += TRAP_BYTES;
}

apart void in_trap(void)
{
	struct sigaction sa = {.sa_sigaction = trapped, .sa_flags = SA_SIGINFO};

	sigaction(SIGILL, &sa, NULL);
	traps();
	sink++;
}

static void threads(void)
{
	pthread_t t[4];
	int i;

	for (i = 0; i < 4; i++)
		if (pthread_create(&t[i], NULL, worker, NULL))
			exit(1);
	for (i = 0; i < 4; i++)
		pthread_join(t[i], NULL);
}

static pthread_t first;

/* The first thread is joined, so it has ended. */
static void *orphan(void *calls)
{
	pthread_join(first, NULL);
	list(atoi(calls) - 1);
	exit(0);
}

static void leave(char *calls)
{
	pthread_t t;

	first = pthread_self();
	if (pthread_create(&t, NULL, orphan, calls))
		exit(1);
	pthread_exit(NULL);
}

static void in_handler(int flags)
{
	static char room[65536];
	stack_t stack = {.ss_sp = room, .ss_size = sizeof(room)};
	struct sigaction sa = {.sa_handler = handler, .sa_flags = flags};

	sigaltstack(&stack, NULL);
	sigaction(SIGUSR1, &sa, NULL);
	raise(SIGUSR1);
}

apart void begun(void)
{
	two(seconds);
	sink++;
}

static void context(void)
{
	static char room[65536];
	static ucontext_t here, there;

	getcontext(&there);
	there.uc_stack = (stack_t){.ss_sp = room, .ss_size = sizeof(room)};
	there.uc_link = &here;
	makecontext(&there, begun, 0);
	swapcontext(&here, &there);
}

static void in_library(const char *file)
{
	int i;

	for (i = 1; i <= 20; i++) {
		void *lib = dlopen(file, RTLD_NOW);
		void (*call)(void (*)(double), double);

		if (!lib)
			exit(1);
		*(void **)&call = dlsym(lib, "in_library");
		call(spin, seconds * i / 20);
		dlclose(lib);
	}
}

apart void lazy(const char *file)
{
	do {
		void *lib = dlopen(file, RTLD_LAZY);
		void (*binds)(void);

		if (!lib)
			exit(1);
		*(void **)&binds = dlsym(lib, "binds");
		binds();
		dlclose(lib);
	} while (spent() < seconds);
}

static void children(const char *self, const char *time, int exec)
{
	int i, n = exec ? 1 : 100;

	for (i = 0; i < n; i++) {
		pid_t pid = exec ? vfork() : fork();

		if (!pid && exec)
			execl(self, "called", time, "plain", (char *)NULL);
		if (!pid) {
			if (!exec)
				one(seconds / n);
			_exit(0);
		}
		waitpid(pid, NULL, 0);
	}
}

/* One of the ways that are a function alone. */
static int is_alone(const char *how)
{
	if (!strcmp(how, "leaf"))
		leaves();
	else if (!strcmp(how, "tail"))
		assembly(asm_tail);
	else if (!strcmp(how, "alloca"))
		allocates(100 + (size_t)sink);
	else if (!strcmp(how, "aligned"))
		aligned(100 + (size_t)sink);
	else if (!strcmp(how, "cfi"))
		assembly(asm_with_cfi);
	else if (!strcmp(how, "frame"))
		assembly(asm_with_frame);
	else if (!strcmp(how, "nothing"))
		assembly(asm_without);
	else
		return 0;
	return 1;
}

int main(int argc, char **argv)
{
	const char *how = argc > 2 ? argv[2] : "plain";

	seconds = argc > 1 ? atof(argv[1]) : 1;
	if (is_alone(how))
		return 0;
	if (!strcmp(how, "deleted"))
		unlink(argv[0]);
	if (!strcmp(how, "replaced") && rename(argv[3], argv[0]))
		return 1;
	if (!strcmp(how, "plain") || !strcmp(how, "deleted") || !strcmp(how, "replaced"))
		one(seconds);
	else if (!strcmp(how, "threads"))
		threads();
	else if (!strcmp(how, "orphan"))
		leave(argv[3]);
	else if (!strcmp(how, "signal") || !strcmp(how, "altstack"))
		in_handler(*how == 'a' ? SA_ONSTACK : 0);
	else if (!strcmp(how, "context"))
		context();
	else if (!strcmp(how, "traps"))
		in_trap();
	else if (!strcmp(how, "deep"))
		down(400, spin);
	else if (!strcmp(how, "turns"))
		list(atoi(argv[3]) - 1);
	else if (!strcmp(how, "faults"))
		down(400, fault);
	else if (!strcmp(how, "library"))
		in_library(argv[3]);
	else if (!strcmp(how, "lazy"))
		lazy(argv[3]);
	else
		children(argv[0], argv[1], !strcmp(how, "vfork"));
	return 0;
}
