// SPDX-License-Identifier: BSD-2-Clause
/*
 * targets [-c] SCENE [N]: target processes of /dev/hwpmc, seen from their owner.
 *
 * With -c a counter of the CPU counts its cycles where otherwise software counts time.
 * Each scene does something whose count is known and writes what was counted; "targets" lists them.
 * Counts of loops are told as the difference of two runs that differ in the length of their loops
 * only: what starts and ends a process is in both.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "kdrv/hwpmc.h"
#include "loop.h"

enum { TS = 2, TC = 3 };
enum { CLASS_CPU = 1, CLASS_SOFT = 15 };

static int device = -1;

static void check(bool good, const char *what)
{
	if (good)
		return;
	fprintf(stderr, "targets: %s: %s\n", what, strerror(errno));
	exit(1);
}

/* ---- the owner's operations ---- */

static sigset_t sigio;

static void use_device(void)
{
	sigemptyset(&sigio);
	sigaddset(&sigio, SIGIO);
	device = open(HWPMC_DEVICE, O_RDWR | O_CLOEXEC);
	check(device >= 0, HWPMC_DEVICE);
	sigprocmask(SIG_BLOCK, &sigio, NULL);
}

static uint32_t allocate(uint32_t pm_class, uint32_t type, uint64_t config, uint32_t flags)
{
	struct hwpmc_allocate a = {.mode = TC,
				   .pm_class = pm_class,
				   .cpu = -1,
				   .flags = flags,
				   .type = type,
				   .config = config,
				   .name = "event",
				   .spec = "event"};

	check(!ioctl(device, HWPMC_PMCALLOCATE, &a), "PMCALLOCATE");
	return a.id;
}

/* Instructions in user mode. */
static uint32_t instructions(uint32_t flags)
{
	return allocate(CLASS_CPU, 0, 1, flags | HWPMC_F_EXCL_KERNEL);
}

static bool cycles_count; /* -c */

/* Nanoseconds, which every machine can count, or cycles on a CPU: what grows all the time. */
static uint32_t time_on_cpu(uint32_t flags)
{
	return cycles_count ? allocate(CLASS_CPU, 0, 0, flags) : allocate(CLASS_SOFT, 1, 1, flags);
}

static int attach_to(uint32_t id, pid_t pid)
{
	struct hwpmc_attach a = {.id = id, .pid = pid};

	return ioctl(device, HWPMC_PMCATTACH, &a);
}

static void attach(uint32_t id, pid_t pid)
{
	check(!attach_to(id, pid), "PMCATTACH");
}

static void detach(uint32_t id, pid_t pid)
{
	struct hwpmc_attach a = {.id = id, .pid = pid};

	check(!ioctl(device, HWPMC_PMCDETACH, &a), "PMCDETACH");
}

static void start(uint32_t id)
{
	check(!ioctl(device, HWPMC_PMCSTART, &id), "PMCSTART");
}

static void stop(uint32_t id)
{
	check(!ioctl(device, HWPMC_PMCSTOP, &id), "PMCSTOP");
}

static void release(uint32_t id)
{
	check(!ioctl(device, HWPMC_PMCRELEASE, &id), "PMCRELEASE");
}

static uint64_t value(uint32_t id)
{
	struct hwpmc_rw rw = {.id = id, .flags = PMC_F_OLDVALUE};

	check(!ioctl(device, HWPMC_PMCRW, &rw), "PMCRW");
	return rw.value;
}

static int log_to(const char *path)
{
	int fd = open(path, O_CREAT | O_TRUNC | O_RDWR | O_CLOEXEC, 0600);
	struct hwpmc_configurelog log = {.fd = fd, .cpuid = "test"};

	check(fd >= 0, path);
	check(!ioctl(device, HWPMC_CONFIGURELOG, &log), "CONFIGURELOG");
	return fd;
}

/* ---- what targets do ---- */

/* Waits, stopped, until its owner lets it go on: then it does not do a single instruction more. */
static void pause_here(void)
{
	kill(getpid(), SIGSTOP);
}

static void await_pause(pid_t pid)
{
	int status;

	check(waitpid(pid, &status, WUNTRACED) == pid && WIFSTOPPED(status), "a child's pause");
}

/* It makes what is to be there when it is attached, and waits; then it acts. */
static pid_t child_new(void (*make)(unsigned long n), void (*act)(unsigned long n), unsigned long n)
{
	const pid_t owner = getpid();
	pid_t pid = fork();

	check(pid >= 0, "fork");
	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		/* An owner killed before that would leave it stopped for ever, with the device. */
		if (getppid() != owner)
			_exit(0);
		setpgid(0, 0);
		if (make)
			make(n);
		pause_here();
		act(n);
		_exit(0);
	}
	await_pause(pid);
	return pid;
}

static void child_go(pid_t pid)
{
	check(!kill(-pid, SIGCONT), "SIGCONT");
}

static void child_end(pid_t pid)
{
	int status;

	child_go(pid);
	check(waitpid(pid, &status, 0) == pid && !status, "a child");
}

static void act_twice(unsigned long n)
{
	loop(n);
	pause_here();
	loop(n);
}

enum { MANY = 40 };

static int gate[2];

static void *thread(void *arg)
{
	char byte;

	if (read(gate[0], &byte, 1) == 1)
		loop((unsigned long)arg);
	return NULL;
}

/*
 * Threads that wait at a gate, in the kernel.  One that ended before another is made would leave it
 * its stack, which costs other instructions than a new one.
 */
static void make_threads(unsigned long n, int count)
{
	pthread_t t;
	int i;

	check(!pipe(gate), "pipe");
	for (i = 0; i < count; i++)
		if (pthread_create(&t, NULL, thread, (void *)n))
			_exit(1);
}

/* The first thread goes first: no thread waits for another, which would cost instructions. */
static void open_gate(size_t count)
{
	char bytes[MANY] = {0};

	if (write(gate[1], bytes, count) != (ssize_t)count)
		_exit(1);
	syscall(SYS_exit, 0);
}

static void act_threads(unsigned long n)
{
	make_threads(n, 3);
	open_gate(3);
}

/* A child, a grandchild and a great-grandchild. */
static void act_family(unsigned long n)
{
	int i;

	for (i = 0; i < 3; i++)
		if (fork()) {
			loop(n);
			while (wait(NULL) > 0)
				;
			_exit(0);
		}
	loop(n);
}

/* Threads that are there before anybody attaches. */
static void make_many(unsigned long n)
{
	int i;

	make_threads(n, MANY);
	for (i = 0; i < 4 * MANY; i++)
		sched_yield();
}

static void act_many(unsigned long n)
{
	(void)n;
	open_gate(MANY);
}

static void relative(unsigned long n, bool parent)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	pause_here();
	loop(n);
	if (parent)
		wait(NULL);
	_exit(0);
}

/* A child that is there before anybody attaches, and has one too. */
static void make_family(unsigned long n)
{
	pid_t child, grandchild;

	child = fork();
	if (!child) {
		grandchild = fork();
		if (!grandchild)
			relative(n, false);
		await_pause(grandchild);
		relative(n, true);
	}
	await_pause(child);
}

static void act_made_family(unsigned long n)
{
	loop(n);
	wait(NULL);
}

static unsigned long before_exec;

static void act_exec_spin(unsigned long n)
{
	char text[32];

	snprintf(text, sizeof(text), "%lu", n);
	loop(before_exec);
	pause_here();
	execlp("spin", "spin", text, NULL);
	_exit(1);
}

/* ---- exact counts ---- */

static uint64_t count_one(void (*make)(unsigned long n), void (*act)(unsigned long n),
			  unsigned long n, uint32_t flags)
{
	pid_t pid = child_new(make, act, n);
	uint32_t id = instructions(flags);
	uint64_t counted;

	attach(id, pid);
	start(id);
	child_end(pid);
	counted = value(id);
	release(id);
	return counted;
}

static void tell_difference(const char *what, void (*make)(unsigned long n),
			    void (*act)(unsigned long n), uint32_t flags)
{
	uint64_t few = count_one(make, act, 1000000, flags);
	uint64_t many = count_one(make, act, 2000000, flags);

	printf("%s: %llu\n", what, (unsigned long long)(many - few));
}

static void scene_exact(unsigned long n)
{
	(void)n;
	tell_difference("a process", NULL, loop, 0);
	tell_difference("three threads", NULL, act_threads, 0);
	tell_difference("a family", NULL, act_family, PMC_F_DESCENDANTS);
	tell_difference("a family, its head alone", NULL, act_family, 0);
	tell_difference("forty threads that were there", make_many, act_many, 0);
	tell_difference("three processes that were there", make_family, act_made_family,
			PMC_F_DESCENDANTS);
	tell_difference("of them, the first alone", make_family, act_made_family, 0);
}

/* Of three targets one is let go in the middle. */
static uint64_t count_detached(unsigned long n)
{
	uint32_t id = instructions(0);
	uint64_t counted;
	pid_t pids[3];
	int i;

	for (i = 0; i < 3; i++) {
		pids[i] = child_new(NULL, act_twice, n);
		attach(id, pids[i]);
	}
	start(id);
	for (i = 0; i < 3; i++) {
		child_go(pids[i]);
		await_pause(pids[i]);
	}
	detach(id, pids[1]);
	for (i = 0; i < 3; i++)
		child_end(pids[i]);
	counted = value(id);
	release(id);
	return counted;
}

/* What a loop before exec and one behind it add to a PMC that starts there. */
static uint64_t count_exec(unsigned long before, unsigned long after, bool tell)
{
	uint32_t id = instructions(PMC_F_START_ON_EXEC);
	uint64_t counted;
	pid_t pid;

	before_exec = before;
	pid = child_new(NULL, act_exec_spin, after);
	attach(id, pid);
	start(id);
	child_go(pid);
	await_pause(pid);
	if (tell)
		printf("before exec: %llu\n", (unsigned long long)value(id));
	child_end(pid);
	counted = value(id);
	release(id);
	return counted;
}

static void scene_exec(unsigned long n)
{
	uint64_t first = count_exec(1000000, 1000000, true);

	(void)n;
	printf("2000000 more before exec: %llu\n",
	       (unsigned long long)(count_exec(2000000, 1000000, false) - first));
	printf("2000000 more after exec: %llu\n",
	       (unsigned long long)(count_exec(1000000, 2000000, false) - first));
}

static void scene_detach(unsigned long n)
{
	uint64_t few = count_detached(1000000), many = count_detached(3000000);

	(void)n;
	printf("five of six loops: %llu\n", (unsigned long long)(many - few));
}

/* ---- the log's sums ---- */

struct record {
	uint32_t header, spare;
	uint64_t tsc;
	uint8_t body[];
};

enum { PMCDETACH = 7, PROCCSW = 8, PROCEXIT = 10, SYSEXIT = 12 };

struct sums {
	uint64_t slices, exits;
	unsigned int nexits, nsysexits, ndetaches;
};

static uint64_t number(const struct record *r, unsigned int at, unsigned int bytes)
{
	uint64_t n = 0;

	memcpy(&n, (const uint8_t *)r + at, bytes);
	return n;
}

/* Of pid, or of all. */
static struct sums log_sums(const uint8_t *log, size_t size, uint32_t pid)
{
	struct sums s = {0};
	size_t at, length;

	for (at = 0; at + 16 <= size; at += length) {
		const struct record *r = (const void *)(log + at);

		length = r->header & 0xffff;
		if (length < 16)
			break;
		switch (r->header >> 16 & 0xff) {
		case PROCCSW:
			if (!pid || number(r, 28, 4) == pid)
				s.slices += number(r, 16, 8);
			break;
		case PROCEXIT:
			if (!pid || number(r, 20, 4) == pid) {
				s.exits += number(r, 24, 8);
				s.nexits++;
			}
			break;
		case PMCDETACH:
			if (number(r, 20, 4) == pid)
				s.ndetaches++;
			break;
		case SYSEXIT:
			if (!pid || number(r, 16, 4) == pid)
				s.nsysexits++;
			break;
		}
	}
	return s;
}

static const uint8_t *log_read(int fd, size_t *size)
{
	const uint8_t *log;
	off_t end;

	check(!ioctl(device, HWPMC_FLUSHLOG), "FLUSHLOG");
	end = lseek(fd, 0, SEEK_END);
	check(end > 0, "log");
	log = mmap(NULL, end, PROT_READ, MAP_SHARED, fd, 0);
	check(log != MAP_FAILED, "mmap");
	*size = end;
	return log;
}

/* All the values of one PMC, told three ways. */
static void tell_sums(int log, uint32_t id, const pid_t *pids, unsigned int npids)
{
	unsigned int i, wrong = 0, twice = 0;
	struct sums all, one;
	size_t size;
	const uint8_t *bytes = log_read(log, &size);

	all = log_sums(bytes, size, 0);
	for (i = 0; i < npids; i++) {
		one = log_sums(bytes, size, pids[i]);
		wrong += one.slices != one.exits;
		twice += one.nexits != 1 || one.nsysexits != 1;
	}
	printf("processes: %u, of them with other slices than total: %u, "
	       "without exactly one exit: %u\n",
	       npids, wrong, twice);
	if (all.slices != all.exits || all.exits != value(id))
		printf("slices %llu, exits %llu, value %llu\n", (unsigned long long)all.slices,
		       (unsigned long long)all.exits, (unsigned long long)value(id));
	else
		printf("slices = exits = value: %s\n", all.exits ? "yes" : "all 0");
}

/* Threads that take turns on the CPU, and end all at once. */
static void *thread_yields(void *arg)
{
	unsigned long i;

	for (i = 0; i < 20; i++) {
		loop((unsigned long)arg);
		sched_yield();
	}
	return NULL;
}

static void act_yield(unsigned long n)
{
	pthread_t t;
	int i;

	for (i = 0; i < 5; i++)
		if (pthread_create(&t, NULL, thread_yields, (void *)n))
			_exit(1);
	thread_yields((void *)n);
	/* and exit_group, with threads in the middle of it */
}

/* With stops, the PMC is stopped and started while the threads run. */
static void sums_of(uint32_t id, int log, unsigned long n, unsigned int stops)
{
	unsigned int j;
	pid_t anchor = child_new(NULL, loop, 1); /* so that there is a target all the time */
	pid_t *pids = calloc(n, sizeof(*pids));
	unsigned long i;

	check(pids, "calloc");
	attach(id, anchor);
	start(id);
	for (i = 0; i < n; i++) {
		pids[i] = child_new(NULL, act_yield, 2000);
		attach(id, pids[i]);
		child_go(pids[i]);
		for (j = 0; j < stops; j++) {
			stop(id);
			start(id);
		}
		child_end(pids[i]);
	}
	child_end(anchor);
	tell_sums(log, id, pids, n);
	free(pids);
}

static void scene_sums(unsigned long n)
{
	int log = log_to("targets.log");

	sums_of(time_on_cpu(PMC_F_LOG_PROCCSW | PMC_F_LOG_PROCEXIT), log, n ? n : 100, 0);
}

static void scene_sums_stopped(unsigned long n)
{
	int log = log_to("targets.log");

	sums_of(time_on_cpu(PMC_F_LOG_PROCCSW | PMC_F_LOG_PROCEXIT), log, n ? n : 100, 5);
}

static void scene_sums_exact(unsigned long n)
{
	int log = log_to("targets.log");

	sums_of(instructions(PMC_F_LOG_PROCCSW | PMC_F_LOG_PROCEXIT), log, n ? n : 20, 0);
}

/* ---- storms ---- */

static unsigned int dice(unsigned int *state, unsigned int sides)
{
	*state = *state * 1103515245 + 12345;
	return (*state >> 16) % sides;
}

static void *thread_of_storm(void *arg)
{
	loop(1000);
	return arg;
}

static void storm_child(unsigned int kind)
{
	pthread_t t;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (kind == 1)
		execl("/proc/self/exe", "targets", "nothing", NULL);
	if (kind == 2)
		pthread_create(&t, NULL, thread_of_storm, NULL);
	_exit(0);
}

/* Forks, threads and execs, a few at a time, until it is killed. */
static void act_storm(unsigned long seed)
{
	unsigned int state = seed, live = 0, kind;
	pthread_t t;
	pid_t pid;

	for (;;) {
		kind = dice(&state, 4);
		if (kind == 3) {
			if (!pthread_create(&t, NULL, thread_of_storm, NULL))
				pthread_detach(t);
			continue;
		}
		pid = fork();
		if (!pid)
			storm_child(kind);
		live += pid > 0;
		while (live && waitpid(-1, NULL, live > 4 ? 0 : WNOHANG) > 0)
			live--;
	}
}

enum { STORMS = 3 };

static void storms_begin(pid_t *pids, const uint32_t *ids, unsigned int seed)
{
	int i, j;

	for (i = 0; i < STORMS; i++) {
		pids[i] = child_new(NULL, act_storm, seed + i);
		for (j = 0; j < 2; j++)
			attach(ids[j], pids[i]);
	}
	for (j = 0; j < 2; j++)
		start(ids[j]);
	for (i = 0; i < STORMS; i++)
		child_go(pids[i]);
}

static void storms_end(const pid_t *pids)
{
	int i;

	for (i = 0; i < STORMS; i++)
		kill(pids[i], SIGKILL);
	while (wait(NULL) > 0)
		;
}

/* Reads, stops and starts; lets targets go and takes them again; a value never goes down. */
static unsigned int disturb(const uint32_t *ids, const pid_t *pids, unsigned long n)
{
	uint64_t last[2] = {0}, now;
	unsigned int state = 7, down = 0, j, i;

	while (n--) {
		j = dice(&state, 2);
		i = dice(&state, STORMS);
		switch (dice(&state, 6)) {
		case 0:
			stop(ids[j]);
			start(ids[j]);
			break;
		case 1:
			detach(ids[j], pids[i]);
			attach(ids[j], pids[i]);
			break;
		default:
			now = value(ids[j]);
			down += now < last[j];
			last[j] = now;
			break;
		}
	}
	return down;
}

static void scene_storm(unsigned long n)
{
	uint32_t ids[2];
	pid_t pids[STORMS];
	unsigned int down;

	log_to("targets.log");
	ids[0] = time_on_cpu(PMC_F_DESCENDANTS | PMC_F_LOG_PROCCSW | PMC_F_LOG_PROCEXIT);
	ids[1] = cycles_count ? time_on_cpu(PMC_F_DESCENDANTS)
			      : allocate(CLASS_SOFT, 1, 2, PMC_F_DESCENDANTS); /* page faults */
	storms_begin(pids, ids, 1);
	down = disturb(ids, pids, n ? n : 300);
	storms_end(pids);
	printf("values that went down: %u\n", down);
}

/* Owners that are killed in the middle of it. */
static void scene_storm_owners(unsigned long n)
{
	pid_t owner;
	int status;

	for (n = n ? n : 20; n; n--) {
		owner = fork();
		check(owner >= 0, "fork");
		if (!owner) {
			alarm(60);
			setpgid(0, 0);
			scene_storm(1000000);
			_exit(0);
		}
		usleep(1000 * (n % 16) * 10);
		/* The owner alone, and then those that it would have waited for. */
		kill(owner, SIGKILL);
		check(waitpid(owner, &status, 0) == owner && WIFSIGNALED(status), "an owner");
		kill(-owner, SIGKILL);
	}
	printf("owners killed\n");
}

/* ---- nothing is left behind ---- */

static long unreclaimable(void)
{
	FILE *f = fopen("/proc/meminfo", "r");
	char line[128];
	long kb = 0;

	check(f, "/proc/meminfo");
	while (fgets(line, sizeof(line), f))
		sscanf(line, "SUnreclaim: %ld kB", &kb);
	fclose(f);
	return kb;
}

static void cycles(unsigned long n, pid_t pid)
{
	uint32_t id;

	while (n--) {
		id = time_on_cpu(PMC_F_DESCENDANTS);
		attach(id, pid);
		attach(id, 0);
		start(id);
		if (n & 1)
			detach(id, pid);
		if (n & 2)
			stop(id);
		release(id);
	}
}

/* By more than 64 bytes a cycle. */
static bool leaks(unsigned long n, pid_t pid)
{
	long before = unreclaimable();
	unsigned int tries;

	cycles(n, pid);
	/* What was freed a moment ago may wait for a grace period still. */
	for (tries = 0; tries < 300 && unreclaimable() - before > (long)n / 16; tries++)
		usleep(100000);
	return tries == 300;
}

/* A leak grows each time; what a kernel keeps of what was freed, to be used again, does not. */
static void scene_cycles(unsigned long n)
{
	pid_t pid = child_new(NULL, act_threads, 1000);
	unsigned int rounds = 0;

	if (!n)
		n = 20000;
	cycles(n / 4, pid);
	while (rounds < 3 && leaks(n, pid))
		rounds++;
	child_end(pid);
	printf("grown: %s\n", rounds == 3 ? "yes" : "no");
}

/* ---- CPUs that go and come ---- */

static void cpu1(const char *online)
{
	int fd = open("/sys/devices/system/cpu/cpu1/online", O_WRONLY | O_CLOEXEC);

	check(fd >= 0 && write(fd, online, 1) == 1, "cpu1/online");
	close(fd);
}

static void stay_on_cpu1(void)
{
	cpu_set_t one;

	CPU_ZERO(&one);
	CPU_SET(1, &one);
	check(!sched_setaffinity(0, sizeof(one), &one), "sched_setaffinity");
}

static bool grows(uint32_t id)
{
	uint64_t before = value(id);
	int i;

	for (i = 0; i < 50; i++) {
		loop(1000000);
		if (value(id) > before)
			return true;
	}
	return false;
}

/* After the CPU has come back a worker starts its PMCs anew. */
static bool will_grow(uint32_t id)
{
	int tries;

	for (tries = 0; tries < 100; tries++)
		if (grows(id))
			return true;
	return false;
}

static void scene_hotplug(unsigned long n)
{
	struct hwpmc_allocate a = {.mode = 1,
				   .pm_class = CLASS_SOFT,
				   .cpu = 1,
				   .type = 1,
				   .name = "cpu-clock",
				   .spec = "cpu-clock"};
	uint32_t own = time_on_cpu(0);
	uint64_t before;

	check(!ioctl(device, HWPMC_PMCALLOCATE, &a), "PMCALLOCATE");
	start(a.id);
	start(own);
	for (n = n ? n : 3; n; n--) {
		printf("on: %s\n", will_grow(a.id) ? "counts" : "stands still");
		before = value(a.id);
		cpu1("0");
		printf("off: %s, %s\n", value(a.id) < before ? "lost" : "kept",
		       grows(a.id) ? "counts" : "stands still");
		if (!ioctl(device, HWPMC_PMCSTOP, &a.id) || errno != ENXIO)
			printf("stop: not ENXIO\n");
		before = value(a.id);
		cpu1("1");
		printf("on again: %s\n", value(a.id) < before ? "lost" : "kept");
	}
	printf("on: %s\n", will_grow(a.id) ? "counts" : "stands still");
	stay_on_cpu1();
	printf("the process: %s\n", grows(own) ? "counts" : "stands still");
}

/* ---- the module stays while somebody owns a PMC ---- */

/* Also when the owner has closed the device. */
static void scene_unload(unsigned long n)
{
	(void)n;
	time_on_cpu(0);
	close(device);
	check(system("rmmod hwpmc 2>/dev/null && echo unloaded || echo refused") >= 0, "rmmod");
}

/* ---- programs that may do more than their user ---- */

static const char *program;

static void act_exec(unsigned long n)
{
	(void)n;
	execl(program, program, "nothing", NULL);
	_exit(1);
}

static void tell_exec(const char *path)
{
	uint32_t id = time_on_cpu(PMC_F_LOG_PROCEXIT | HWPMC_F_EXCL_KERNEL);
	const uint8_t *log;
	struct sums sums;
	size_t size;
	pid_t pid;
	int fd;

	program = path;
	fd = log_to("exec.log");
	pid = child_new(NULL, act_exec, 0);
	attach(id, pid);
	start(id);
	child_end(pid);
	check(sigwaitinfo(&sigio, NULL) == SIGIO, "SIGIO"); /* the last target has gone */
	log = log_read(fd, &size);
	sums = log_sums(log, size, pid);
	printf("%s: %u detached, %u exits, %s\n", path, sums.ndetaches, sums.nexits,
	       value(id) ? "counted" : "not counted");
	release(id);
	check(!ioctl(device, HWPMC_CLOSELOG), "CLOSELOG");
	close(fd);
}

static void scene_setuid(unsigned long n)
{
	(void)n;
	tell_exec("./plain");
	tell_exec("./setuid");
}

/* ---- scenes ---- */

static const struct {
	const char *name;
	void (*act)(unsigned long n);
} scenes[] = {
	{"exact", scene_exact},
	{"detach", scene_detach},
	{"exec", scene_exec},
	{"sums", scene_sums},
	{"sums-stopped", scene_sums_stopped},
	{"sums-exact", scene_sums_exact},
	{"storm", scene_storm},
	{"storm-owners", scene_storm_owners},
	{"cycles", scene_cycles},
	{"hotplug", scene_hotplug},
	{"unload", scene_unload},
	{"setuid", scene_setuid},
};

int main(int argc, char **argv)
{
	size_t i;

	setvbuf(stdout, NULL, _IONBF, 0);
	cycles_count = argc > 1 && !strcmp(argv[1], "-c");
	argv += cycles_count;
	argc -= cycles_count;
	if (argc > 1 && !strcmp(argv[1], "nothing"))
		return 0;
	for (i = 0; i < sizeof(scenes) / sizeof(scenes[0]); i++)
		if (argc > 1 && !strcmp(argv[1], scenes[i].name)) {
			use_device();
			scenes[i].act(argc > 2 ? strtoul(argv[2], NULL, 0) : 0);
			return 0;
		}
	for (i = 0; i < sizeof(scenes) / sizeof(scenes[0]); i++)
		fprintf(stderr, "%s\n", scenes[i].name);
	return 64;
}
