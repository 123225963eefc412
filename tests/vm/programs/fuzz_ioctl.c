// SPDX-License-Identifier: BSD-2-Clause
/*
 * fuzz_ioctl SEED SECONDS [PROCESSES [PROGRAM]]: random operations of /dev/hwpmc from several
 * processes.
 *
 * Most operations make sense where they stand: they name PMCs, processes and files that there are.
 * A quarter is damaged: single words of the argument, its address, or the command.  Processes are
 * killed at random times and come again.  At the end nothing may be left: every row is free.
 *
 * With PROGRAM, a path of a set-user-ID copy, targets and workers become that, or go into
 * namespaces of their own; logs stay here, fuzz-*, and are looked through for what such a user may
 * not see: where the kernel is, what PROGRAM has mapped, and what it and its children do.  These
 * note their pids in the file notes, so no pid may come again: kernel.pid_max is to be at its most.
 * It takes SECONDS again until there are records enough.
 *
 * The seed is printed first; it gives each process the same operations again, not the same timing.
 */
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "kdrv/hwpmc.h"
#include "pmclog/pmclog_wire.h"

enum {
	IDS = 24,
	CHILDREN = 4,
	MOST_PROCESSES = 8,
	PAGE = 65536,
	BIG = 16 << 20,
	ROUNDS = 40,
	ENOUGH = 1000,
	ENOUGH_TARGETS = 20,
	PIDS = 1 << 22 /* kernel.pid_max at its most */
};

#define NOTES "notes"

/* What processes know of each other; with PROGRAM a file, which that opens, too. */
static struct shared {
	pid_t workers[MOST_PROCESSES];
	uint64_t operations, refused;
	pid_t latest;	      /* process that was closed */
	uint64_t since[PIDS]; /* when a process or thread was, in ns of logs; 0: it was not */
} * shared;

static uint64_t state;
static int device = -1;
static const char *secret; /* PROGRAM; NULL: none */
static bool is_closed;	   /* this process is PROGRAM, or a child of it */
/* In a user namespace of its own, where PROGRAM's owner has no number: that is no more than he. */
static bool is_apart;
static uint32_t ids[IDS], msr_type, tracepoint;
static unsigned int nids;
static pid_t children[CHILDREN];
static unsigned char *page, *big; /* each with an unmapped page behind its end */

static uint64_t draw(void)
{
	state ^= state >> 12;
	state ^= state << 25;
	state ^= state >> 27;
	return state * 0x2545f4914f6cdd1du;
}

static uint64_t below(uint64_t n)
{
	return draw() % n;
}

static bool once_in(unsigned int n)
{
	return below(n) == 0;
}

static const uint64_t odd[] = {
	0,
	1,
	2,
	16,
	64,
	127,
	128,
	255,
	4095,
	4096,
	65535,
	INT32_MAX,
	0x80000000u,
	UINT32_MAX,
	INT64_MAX,
	0x8000000000000000u,
	0xffff888000000000u, /* the kernel's */
	UINT64_MAX,
};

static uint64_t draw_odd(void)
{
	return once_in(3) ? draw() : odd[below(sizeof(odd) / sizeof(odd[0]))];
}

/* Memory for size bytes, or an address that is none. */
static uint64_t draw_address(size_t size)
{
	static const uint64_t none[] = {0, 16, 0xffff888000000000u, UINT64_MAX - 7};

	return once_in(10) ? none[below(4)] : (uintptr_t)(big + BIG - (size < BIG ? size : BIG));
}

/* ftrace:function patches every function of the kernel: minutes, in an emulator. */
static bool traces_functions(const struct hwpmc_allocate *a)
{
	return a->type == 2 && (uint32_t)a->config == 1;
}

/*
 * Calls the operation with a copy of argument, perhaps damaged; but the address at offset address
 * (0: none) stays, since what the kernel writes is not to hit us.
 */
static int call(unsigned long command, void *argument, size_t size, size_t address)
{
	unsigned char *copy = page + PAGE - (size ? size : 8);
	uint32_t word;
	int result, n;

	memcpy(copy, argument, size);
	for (n = once_in(4) ? 1 + (int)below(3) : 0; n && size >= 4; n--) {
		size_t at = below(size / 4) * 4;

		if (address && at >= address && at < address + 8)
			continue;
		memcpy(&word, copy + at, 4);
		word = once_in(2) ? word ^ 1u << below(32) : (uint32_t)draw_odd();
		memcpy(copy + at, &word, 4);
	}
	if (size == sizeof(struct hwpmc_allocate) && traces_functions((const void *)copy))
		memset(copy, 0, size);
	if (once_in(40))
		copy += 1 + below(64);
	if (once_in(60))
		command ^= 1ul << below(32);
	result = ioctl(device, command, once_in(60) ? (void *)draw_odd() : copy);
	__atomic_fetch_add(&shared->operations, 1, __ATOMIC_RELAXED);
	if (result)
		__atomic_fetch_add(&shared->refused, 1, __ATOMIC_RELAXED);
	else if (copy + size <= page + PAGE)
		memcpy(argument, copy, size);
	return result;
}

static uint32_t draw_id(void)
{
	return nids && !once_in(20) ? ids[below(nids)] : (uint32_t)draw_odd();
}

static pid_t draw_pid(void)
{
	switch (below(8)) {
	case 0: return 0;
	case 1: return getpid();
	case 2: return shared->workers[below(MOST_PROCESSES)];
	case 3: return once_in(2) ? shared->latest : (pid_t)below(400);
	default: return children[below(CHILDREN)];
	}
}

static uint32_t draw_flags(bool process, bool samples)
{
	uint32_t flags = 0;

	if (process)
		flags |= (once_in(2) ? PMC_F_DESCENDANTS : 0) |
			 (once_in(6) ? PMC_F_START_ON_EXEC : 0);
	if (process && !samples)
		flags |= (once_in(2) ? PMC_F_LOG_PROCCSW : 0) |
			 (once_in(2) ? PMC_F_LOG_PROCEXIT : 0);
	if (samples && once_in(2))
		flags |= PMC_F_CALLCHAIN | (once_in(2) ? PMC_F_USERCALLCHAIN : 0) |
			 (once_in(4) ? PMC_F_FREQUENCY : 0);
	else if (samples && !process && once_in(3))
		flags |= PMC_F_KGMON;
	if (once_in(4))
		flags |= once_in(2) ? HWPMC_F_EXCL_USER : HWPMC_F_EXCL_KERNEL;
	else if (secret)
		flags |= HWPMC_F_EXCL_KERNEL; /* else it is refused */
	return flags;
}

/* The event, and how often it may be sampled: a clock's nanoseconds, or events. */
static void draw_event(struct hwpmc_allocate *a)
{
	static const struct {
		uint32_t pm_class, type, config;
		uint64_t rate;
	} events[] = {
		{15, 1, 0, 1000000},  {15, 1, 1, 1000000}, {15, 1, 2, 20},    {15, 1, 3, 3},
		{15, 1, 9, 1},	      {1, 0, 0, 1000000},  {1, 0, 1, 500000}, {1, 0, 5, 1000},
		{1, 4, 0x11, 100000}, {0, 0, 0, 0},	   {15, 2, 0, 10},
	};
	unsigned int n = (unsigned int)below(sizeof(events) / sizeof(events[0]));

	a->pm_class = events[n].pm_class;
	a->type = a->pm_class ? events[n].type : msr_type;
	a->config = a->type == 2 ? tracepoint : events[n].config;
	a->count = events[n].rate;
	if (a->flags & PMC_F_FREQUENCY)
		a->count = 1 + below(1000);
}

static void do_allocate(void)
{
	uint32_t mode = secret && !once_in(8) ? 2 + (uint32_t)below(2) : (uint32_t)below(4);
	bool process = mode >= 2, samples = !(mode & 1);
	struct hwpmc_allocate a = {
		.mode = mode,
		.flags = draw_flags(process, samples),
		.cpu = process ? -1 : (int)below(2),
		.event = 0x20000,
		.depth = (uint32_t)below(HWPMC_DEPTH_MAX + 1),
		.name = "fuzz",
		.spec = "fuzz:u",
	};

	draw_event(&a);
	if (call(HWPMC_PMCALLOCATE, &a, sizeof(a), 0) || nids == IDS)
		return;
	ids[nids++] = a.id;
}

static void do_attach(void)
{
	struct hwpmc_attach a = {.id = draw_id(), .pid = draw_pid()};

	call(once_in(3) ? HWPMC_PMCDETACH : HWPMC_PMCATTACH, &a, sizeof(a), 0);
}

static void do_start(void)
{
	uint32_t id = draw_id();

	call(HWPMC_PMCSTART, &id, sizeof(id), 0);
}

static void do_stop(void)
{
	uint32_t id = draw_id();

	call(HWPMC_PMCSTOP, &id, sizeof(id), 0);
}

static void do_release(void)
{
	unsigned int n = nids ? (unsigned int)below(nids) : 0;
	uint32_t id = nids ? ids[n] : 0;

	if (!call(HWPMC_PMCRELEASE, &id, sizeof(id), 0) && nids)
		ids[n] = ids[--nids];
}

static void do_rw(void)
{
	struct hwpmc_rw a = {
		.id = draw_id(), .flags = PMC_F_NEWVALUE << below(3), .value = draw_odd()};

	if (a.flags > PMC_F_OLDVALUE)
		a.flags = PMC_F_NEWVALUE | PMC_F_OLDVALUE;
	call(HWPMC_PMCRW, &a, sizeof(a), 0);
}

static void do_setcount(void)
{
	struct hwpmc_setcount a = {.id = draw_id(), .count = 1000000 + below(10000000)};

	call(HWPMC_PMCSETCOUNT, &a, sizeof(a), 0);
}

static void do_getmsr(void)
{
	struct hwpmc_getmsr a = {.id = draw_id()};

	call(HWPMC_PMCGETMSR, &a, sizeof(a), 0);
}

/* A file, a pipe (full, read by nobody, or closed), a socket, a device. */
static int draw_log(void)
{
	static const char *const files[] = {"/dev/null", "/dev/full", HWPMC_DEVICE,
					    "/proc/self/comm"};
	char name[] = "/tmp/fuzz-XXXXXX";
	int fd, pair[2];

	/* Most are to stay where they are looked through. */
	switch (below(secret ? 12 : 6)) {
	case 0: return open(files[below(4)], O_WRONLY | O_CLOEXEC);
	case 1:
		if (pipe(pair))
			return -1;
		if (once_in(2))
			close(pair[0]);
		return pair[1];
	case 2:
		if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair))
			return -1;
		return pair[1];
	case 3: return 3 + (int)below(13);
	default:
		/* Of two logs in one file each write is whole. */
		fd = secret ? mkostemp(strcpy(name, "fuzz-XXXXXX"), O_APPEND) : mkstemp(name);
		if (fd >= 0 && !secret)
			unlink(name);
		return fd;
	}
}

static void close_files(void)
{
	int fd;

	for (fd = 3; fd < 64; fd++)
		if (fd != device)
			close(fd);
}

static void do_log(void)
{
	struct hwpmc_configurelog a = {.fd = once_in(5) ? -1 : draw_log(), .cpuid = "fuzz"};

	if (once_in(3)) {
		a.trailer_length = (uint32_t)below(3200);
		a.trailer = draw_address(a.trailer_length);
	}
	call(HWPMC_CONFIGURELOG, &a, sizeof(a), offsetof(struct hwpmc_configurelog, trailer));
	if (once_in(3))
		close_files();
}

static void do_flush(void)
{
	call(once_in(3) ? HWPMC_CLOSELOG : HWPMC_FLUSHLOG, &(uint64_t){0}, 0, 0);
}

static void do_write(void)
{
	uint32_t word = (uint32_t)draw();

	call(HWPMC_WRITELOG, &word, sizeof(word), 0);
}

static void do_ask(void)
{
	union {
		struct hwpmc_logstats log;
		struct hwpmc_cpuinfo cpu;
		struct hwpmc_driverstats driver;
		uint32_t version;
	} u;

	memset(&u, 0, sizeof(u));
	switch (below(4)) {
	case 0: call(HWPMC_GETLOGSTATS, &u, sizeof(u.log), 0); break;
	case 1: call(HWPMC_GETCPUINFO, &u, sizeof(u.cpu), 0); break;
	case 2: call(HWPMC_GETDRIVERSTATS, &u, sizeof(u.driver), 0); break;
	default: call(HWPMC_GETMODULEVERSION, &u, sizeof(u.version), 0);
	}
}

static void do_rows(void)
{
	struct hwpmc_pmcinfo a = {.cpu = (int)below(3), .nrows = (uint32_t)below(70)};
	struct hwpmc_dynevents e = {.pm_class = once_in(2) ? 15 : (uint32_t)below(16),
				    .nevents = (uint32_t)below(40)};

	a.rows = draw_address(a.nrows * sizeof(struct hwpmc_rowinfo));
	e.events = draw_address(e.nevents * sizeof(struct hwpmc_dynevent));
	if (once_in(2))
		call(HWPMC_GETPMCINFO, &a, sizeof(a), offsetof(struct hwpmc_pmcinfo, rows));
	else
		call(HWPMC_GETDYNEVENTINFO, &e, sizeof(e),
		     offsetof(struct hwpmc_dynevents, events));
}

static void do_admin(void)
{
	struct hwpmc_admin a = {
		.cpu = (int)below(2), .row = (uint32_t)below(30), .enable = !once_in(4)};

	call(HWPMC_PMCADMIN, &a, sizeof(a), 0);
}

static void do_kgmon(void)
{
	struct hwpmc_kgmon a = {.id = draw_id(), .nbins = below(BIG / 4)};

	a.bins = draw_address(a.nbins * 4);
	call(HWPMC_GETKGMON, &a, sizeof(a), offsetof(struct hwpmc_kgmon, bins));
}

static void spin(uint64_t turns)
{
	while (turns--)
		__asm__ volatile("" ::: "memory");
}

/* The process or thread is nobody's to watch from since on; 1: it never was. */
static void note(pid_t id, uint64_t since)
{
	if (!shared->since[id])
		shared->since[id] = since;
}

static void *thread(void *turns)
{
	if (is_closed)
		note(gettid(), 1);
	spin(*(uint64_t *)turns);
	return NULL;
}

static void do_threads(void)
{
	static uint64_t turns;
	pthread_t threads[3];
	int n = 0;

	turns = below(300000);
	while (n < 3 && !pthread_create(&threads[n], NULL, thread, &turns))
		n++;
	while (n)
		pthread_join(threads[--n], NULL);
}

/* Executable memory comes and goes. */
static void do_map(void)
{
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	void *p = mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);

	close(fd);
	if (p != MAP_FAILED)
		munmap(p, 4096);
}

/* What logs have times of. */
static uint64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void note_process(uint64_t since)
{
	note(getpid(), since);
	shared->latest = getpid();
}

/* PROGRAM's, which may have the user's ids again: then its memory alone is closed to him. */
static void begin_closed_child(void)
{
	note_process(1);
	if (once_in(2))
		return;
	if (setresuid(getuid(), getuid(), getuid()))
		_exit(71);
	usleep((useconds_t)below(100000)); /* that he may try to attach to it */
}

/* PROGRAM forks at once, while what was attached to who became it is about to end. */
static _Noreturn void be_closed(void)
{
	uint64_t since = now();
	int fd = open(NOTES, O_RDWR | O_CLOEXEC);
	pid_t pid;

	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (shared == MAP_FAILED)
		_exit(71);
	is_closed = true;
	state = since | 1;
	note_process(since);
	pid = fork();
	if (!pid)
		begin_closed_child();
	spin(500000);
	do_map();
	if (once_in(2))
		do_threads();
	_exit(0);
}

/*
 * It may be a target by then.  Where its user may have it so, it keeps its CPU, and the work that
 * ends what was attached before waits there for its turn.
 */
static void become_closed(void)
{
	const struct sched_param first = {.sched_priority = 1};

	usleep((useconds_t)below(20000));
	if (once_in(2))
		sched_setscheduler(0, SCHED_FIFO, &first);
	execl(secret, secret, "child", (char *)NULL);
}

/* What a target does until it ends. */
static _Noreturn void be_child(void)
{
	pid_t pid;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (secret && once_in(4))
		unshare(CLONE_NEWUSER);
	else if (secret && !is_apart && once_in(2))
		become_closed();
	if (once_in(3))
		execl("/proc/self/exe", "fuzz_ioctl", "child", (char *)NULL);
	if (once_in(3))
		do_threads();
	spin(below(1000000));
	pid = once_in(3) ? fork() : -1;
	if (!pid)
		_exit(0);
	if (once_in(3))
		pause();
	if (once_in(2))
		call(HWPMC_PMCSTART, &(uint32_t){draw_id()}, 4, 0);
	_exit(0);
}

/* All that the worker has, which at random would seldom be attached, and run, in time. */
static void follow(pid_t pid)
{
	unsigned int n;

	for (n = 0; n < nids; n++) {
		struct hwpmc_attach a = {.id = ids[n], .pid = pid};
		uint32_t id = ids[n];

		call(HWPMC_PMCATTACH, &a, sizeof(a), 0);
		call(HWPMC_PMCSTART, &id, sizeof(id), 0);
	}
}

static void do_child(void)
{
	unsigned int n = (unsigned int)below(CHILDREN);

	if (children[n]) {
		kill(children[n], SIGKILL);
		waitpid(children[n], NULL, 0);
		children[n] = 0;
		return;
	}
	children[n] = fork();
	if (!children[n]) {
		draw();
		be_child();
	}
	if (children[n] < 0)
		children[n] = 0;
	else if (secret && once_in(2))
		follow(once_in(4) ? shared->latest : children[n]);
}

static void do_reopen(void)
{
	close(device);
	device = open(HWPMC_DEVICE, O_RDWR | O_CLOEXEC);
}

/* What the worker has attached to itself is not to go on with PROGRAM. */
static void do_become(void)
{
	if (!secret || is_apart || !once_in(16))
		return;
	if (once_in(2))
		fcntl(device, F_SETFD, 0);
	become_closed();
}

/* It ends with who began it; what waits for a reader that does not come is interrupted. */
static void begin_worker(void)
{
	struct itimerval timer = {.it_interval.tv_usec = 300000, .it_value.tv_usec = 300000};

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	setitimer(ITIMER_REAL, &timer, NULL);
}

/*
 * The worker goes on with all capabilities of a user namespace, and what it had before; or a child
 * does, where pids are others.
 */
static void do_unshare(void)
{
	bool pids = once_in(2);
	int alive[2];
	pid_t pid;

	if (!secret || is_apart || !once_in(8) || pipe(alive) ||
	    unshare(CLONE_NEWUSER | (pids ? CLONE_NEWPID : 0)))
		return;
	is_apart = true;
	if (!pids)
		return;
	pid = fork();
	if (pid) {
		while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
			;
		_exit(0);
	}
	close(alive[1]);
	begin_worker();
	/* Not where who began it was killed before. */
	if (poll(&(struct pollfd){.fd = alive[0]}, 1, 0))
		_exit(0);
	memset(children, 0, sizeof(children));
	if (once_in(2))
		do_reopen();
}

/* do_allocate three times as often as do_rows, and so on. */
static void (*const actions[])(void) = {
	do_allocate, do_allocate, do_allocate, do_attach,  do_attach,  do_start,
	do_start,    do_start,	  do_stop,     do_release, do_rw,      do_rw,
	do_setcount, do_getmsr,	  do_log,      do_log,	   do_flush,   do_write,
	do_ask,	     do_rows,	  do_admin,    do_kgmon,   do_threads, do_child,
	do_child,    do_map,	  do_reopen,   do_become,  do_unshare,
};

static void on_alarm(int sig)
{
	(void)sig;
}

static _Noreturn void be_worker(uint64_t seed)
{
	struct sigaction action = {.sa_handler = on_alarm};
	int null = open("/dev/null", O_RDWR), fd;

	/* Logs go to any descriptor: not to what the fuzzer says. */
	for (fd = 0; fd < 3; fd++)
		dup2(null, fd);
	sigaction(SIGALRM, &action, NULL);
	sigaction(SIGIO, &action, NULL);
	begin_worker();
	state = seed * 0x9e3779b97f4a7c15u | 1;
	device = open(HWPMC_DEVICE, O_RDWR | O_CLOEXEC);
	for (;;)
		actions[below(sizeof(actions) / sizeof(actions[0]))]();
}

/* What a file says, or a number that nothing has. */
static uint32_t number_of(const char *path)
{
	FILE *f = fopen(path, "re");
	uint32_t value = 0;

	if (!f || fscanf(f, "%u", &value) != 1)
		value = 99999;
	if (f)
		fclose(f);
	return value;
}

/* size bytes, and an unmapped page behind. */
static unsigned char *guarded(size_t size)
{
	unsigned char *p = mmap(NULL, size + PAGE, PROT_READ | PROT_WRITE,
				MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (p == MAP_FAILED || munmap(p + size, PAGE))
		exit(71);
	return p;
}

static uint64_t done(void)
{
	return __atomic_load_n(&shared->operations, __ATOMIC_RELAXED);
}

/* Some time, and on a machine that is slow until something was done in it. */
static void let_live(void)
{
	uint64_t enough = done() + below(200);
	unsigned int tries;

	usleep((useconds_t)below(400000));
	for (tries = 0; done() < enough && tries < 300; tries++)
		usleep(10000);
}

/* Starts those that are missing, ends one at random. */
static void supervise(uint64_t seed, unsigned int n, time_t end)
{
	uint64_t started = 0;
	unsigned int i;
	pid_t pid;

	while (time(NULL) < end) {
		for (i = 0; i < n; i++) {
			if (shared->workers[i] &&
			    waitpid(shared->workers[i], NULL, WNOHANG) != shared->workers[i])
				continue;
			pid = fork();
			if (!pid)
				be_worker(seed + started);
			shared->workers[i] = pid > 0 ? pid : 0;
			started++;
		}
		let_live();
		i = (unsigned int)below(n);
		if (shared->workers[i])
			kill(shared->workers[i], SIGKILL);
	}
	for (i = 0; i < n; i++) {
		if (!shared->workers[i])
			continue;
		kill(shared->workers[i], SIGKILL);
		waitpid(shared->workers[i], NULL, 0);
		shared->workers[i] = 0;
	}
}

#define AT(record, field) (offsetof(struct pmclog_wire_##record, field) / 4)

/* Words of records that are ids of processes or threads; 0: none. */
static const struct {
	uint8_t id, other;
	/* The log may be told of what a process was before PROGRAM, and that it is no target. */
	bool late;
} names[PMCLOG_WIRE_NTYPES] = {
	[PMCLOG_WIRE_PMCATTACH] = {AT(pmcattach, pid), .late = true},
	[PMCLOG_WIRE_PMCDETACH] = {AT(pmcdetach, pid), .late = true},
	[PMCLOG_WIRE_PROCCSW] = {AT(proccsw, pid), AT(proccsw, tid)},
	[PMCLOG_WIRE_PROCEXEC] = {AT(procexec, pid), .late = true},
	[PMCLOG_WIRE_PROCEXIT] = {AT(procexit, pid)},
	[PMCLOG_WIRE_PROCFORK] = {AT(procfork, oldpid), AT(procfork, newpid)},
	[PMCLOG_WIRE_SYSEXIT] = {AT(sysexit, pid)},
	[PMCLOG_WIRE_MAP_IN] = {AT(map_in, pid), .late = true},
	[PMCLOG_WIRE_MAP_OUT] = {AT(map_out, pid)},
	[PMCLOG_WIRE_CALLCHAIN] = {AT(callchain, pid), AT(callchain, tid)},
	[PMCLOG_WIRE_THR_CREATE] = {AT(thr_create, pid), AT(thr_create, tid), .late = true},
	[PMCLOG_WIRE_THR_EXIT] = {AT(thr_exit, tid)},
	[PMCLOG_WIRE_PROC_CREATE] = {AT(proc_create, pid), .late = true},
};

static uint64_t closed_since(const struct pmclog_wire_header *h, unsigned int word)
{
	uint32_t id = ((const uint32_t *)(const void *)h)[word];

	return word && id < PIDS ? shared->since[id] : 0;
}

/* Whether a record is of what a process or thread did when it was nobody's to watch. */
static bool is_of_closed(const struct pmclog_wire_header *h, unsigned int word, bool late)
{
	uint64_t since = closed_since(h, word);

	return since && h->tsc >= since && (since == 1 || !late);
}

static bool tells_of_closed(const struct pmclog_wire_header *h, uint32_t type)
{
	return is_of_closed(h, names[type].id, names[type].late) ||
	       is_of_closed(h, names[type].other, names[type].late);
}

/* Whether a record says what who may not sample the kernel is not to know. */
static bool tells(const struct pmclog_wire_header *h, uint32_t type)
{
	const struct pmclog_wire_callchain *chain = (const void *)h;
	const struct pmclog_wire_map_in *map = (const void *)h;
	const uint64_t *pcs = (const void *)(chain + 1);
	size_t i, n;

	switch (type) {
	case PMCLOG_WIRE_MAP_IN:
		return map->pid == UINT32_MAX || map->start >> 63 ||
		       strstr((const char *)(map + 1), strrchr(secret, '/'));
	case PMCLOG_WIRE_PROCEXEC: return strstr((const char *)h + 32, strrchr(secret, '/'));
	case PMCLOG_WIRE_PMCATTACH: return strstr((const char *)h + 24, strrchr(secret, '/'));
	case PMCLOG_WIRE_CALLCHAIN:
		n = ((h->header & 0xffff) - sizeof(*chain)) / 8 - (chain->cpuflags >> 8 & 0xff);
		for (i = 0; i < n; i++)
			if (pcs[i] >> 63)
				return true;
		return false;
	default: return false;
	}
}

/* Records of logs, those of them that tell, what the last of these is; targets that were closed. */
struct found {
	unsigned int records, tell, type, targets;
};

static void look_through(const char *path, struct found *found)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	const struct pmclog_wire_header *h;
	size_t at, length;
	unsigned char *log;
	uint32_t type;
	struct stat st;

	if (fd < 0 || fstat(fd, &st))
		exit(71);
	/* Zeroes follow. */
	log = mmap(NULL, (size_t)st.st_size + PAGE, PROT_READ | PROT_WRITE,
		   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (log == MAP_FAILED || read(fd, log, (size_t)st.st_size) != st.st_size)
		exit(71);
	for (at = 0; at + sizeof(*h) <= (size_t)st.st_size; at += length) {
		h = (const void *)(log + at);
		length = h->header & 0xffff;
		if (length < sizeof(*h))
			break;
		type = h->header >> 16 & 0xff;
		if (type >= PMCLOG_WIRE_NTYPES)
			break;
		found->records++;
		found->targets += type == PMCLOG_WIRE_PMCDETACH && closed_since(h, names[type].id);
		if (!tells(h, type) && !tells_of_closed(h, type))
			continue;
		found->tell++;
		found->type = type;
	}
	munmap(log, (size_t)st.st_size + PAGE);
	close(fd);
}

static struct found look_through_all(void)
{
	struct found found = {0};
	glob_t logs;
	size_t i;

	if (glob("fuzz-*", 0, NULL, &logs))
		return found;
	for (i = 0; i < logs.gl_pathc; i++)
		look_through(logs.gl_pathv[i], &found);
	globfree(&logs);
	return found;
}

/* Rows that are not free on cpu; what was switched off is switched on before. */
static unsigned int rows_taken(int cpu)
{
	struct hwpmc_rowinfo rows[HWPMC_ROWS_MAX];
	struct hwpmc_pmcinfo info = {.cpu = cpu, .nrows = HWPMC_ROWS_MAX, .rows = (uintptr_t)rows};
	unsigned int taken = 0;
	uint32_t i;

	if (ioctl(device, HWPMC_GETPMCINFO, &info))
		return 0;
	for (i = 0; i < info.nrows && i < HWPMC_ROWS_MAX; i++) {
		struct hwpmc_admin on = {.cpu = cpu, .row = i, .enable = 1};

		ioctl(device, HWPMC_PMCADMIN, &on);
	}
	if (ioctl(device, HWPMC_GETPMCINFO, &info))
		return 0;
	for (i = 0; i < info.nrows && i < HWPMC_ROWS_MAX; i++)
		taken += rows[i].disposition != HWPMC_DISP_FREE;
	return taken;
}

static bool is_enough(struct found found)
{
	return found.records >= ENOUGH && found.targets >= ENOUGH_TARGETS;
}

/* A busy machine does little in a time: the user's logs are to have enough in them. */
static void supervise_until(uint64_t seed, unsigned int n, int seconds)
{
	unsigned int round = 0;
	struct found found;

	do {
		supervise((seed << 20) + (round << 16), n, time(NULL) + seconds);
		if (secret)
			found = look_through_all();
	} while (secret && ++round < ROUNDS && !found.tell && !is_enough(found));
}

/* Whether none tells. */
static bool logs_are_good(void)
{
	struct found found = look_through_all();

	if (found.tell)
		printf("%u of %u records tell what they should not, the last of type %u\n",
		       found.tell, found.records, found.type);
	else
		printf("no log tells more than it may\n");
	if (!is_enough(found))
		printf("only %u records were logged, of %u targets that were closed\n",
		       found.records, found.targets);
	return !found.tell && is_enough(found);
}

static struct shared *shared_new(void)
{
	int fd = secret ? open(NOTES, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600) : -1;
	void *p;

	if (secret && (fd < 0 || ftruncate(fd, sizeof(*shared))))
		exit(71);
	p = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE,
		 MAP_SHARED | (secret ? 0 : MAP_ANONYMOUS), fd, 0);
	if (p == MAP_FAILED)
		exit(71);
	if (secret)
		close(fd);
	return p;
}

int main(int argc, char **argv)
{
	unsigned int n = argc > 3 ? (unsigned int)atoi(argv[3]) : 4, taken = 1;
	uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 0) : 0;
	time_t end;

	if (argc == 2 && !strcmp(argv[1], "child")) {
		if (geteuid() != getuid())
			be_closed();
		spin(500000);
		return 0;
	}
	if (argc < 3 || n < 1 || n > MOST_PROCESSES) {
		fputs("usage: fuzz_ioctl SEED SECONDS [PROCESSES [PROGRAM]]\n", stderr);
		return 64;
	}
	secret = argc > 4 ? argv[4] : NULL;
	shared = shared_new();
	page = guarded(PAGE);
	big = guarded(BIG);
	msr_type = number_of("/sys/bus/event_source/devices/msr/type");
	tracepoint = number_of("/sys/kernel/tracing/events/sched/sched_switch/id");
	printf("seed %llu\n", (unsigned long long)seed);
	fflush(stdout);
	state = seed | 1;
	supervise_until(seed, n, atoi(argv[2]));
	fprintf(stderr, "%llu operations, %llu of them refused\n",
		(unsigned long long)shared->operations, (unsigned long long)shared->refused);
	device = open(HWPMC_DEVICE, O_RDWR | O_CLOEXEC);
	/* What processes had goes a moment after they have. */
	for (end = time(NULL) + 60; taken && time(NULL) < end; usleep(10000))
		taken = rows_taken(0) + rows_taken(1);
	printf(taken ? "%u rows are not free\n" : "all rows are free\n", taken);
	if (secret && !logs_are_good())
		return 1;
	return taken || shared->operations - shared->refused < 100;
}
