// SPDX-License-Identifier: BSD-2-Clause
/*
 * attacks SCENE [PROGRAM]: what a user tries against others by /dev/hwpmc, and what comes of it.
 *
 * "user" is the user 1000 of the test machines, "other" 1001.
 */
#include <dirent.h>
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
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <linux/perf_event.h>

#include "kdrv/hwpmc.h"
#include "pmclog/pmclog_wire.h"

enum { TS = 2, TC = 3, CLASS_SOFT = 15, USER = 1000, OTHER = 1001, CHILDREN = 20 };

static int device = -1;

static void check(bool good, const char *what)
{
	if (good)
		return;
	fprintf(stderr, "attacks: %s: %s\n", what, strerror(errno));
	exit(1);
}

static const char *said(int result)
{
	return result ? strerrorname_np(errno) : "ok";
}

/* SIGIO, which comes when a PMC has no target any more, is looked for where it matters. */
static void use_device(int flags)
{
	sigset_t sigio;

	sigemptyset(&sigio);
	sigaddset(&sigio, SIGIO);
	sigprocmask(SIG_BLOCK, &sigio, NULL);
	device = open(HWPMC_DEVICE, O_RDWR | flags);
	check(device >= 0, HWPMC_DEVICE);
}

/* Of task-clock, which every machine has; its id.  With a period, in ns, it samples. */
static uint32_t allocate(uint32_t flags, uint64_t period)
{
	struct hwpmc_allocate a = {.mode = period ? TS : TC,
				   .pm_class = CLASS_SOFT,
				   .cpu = -1,
				   .flags = flags | HWPMC_F_EXCL_KERNEL,
				   .count = period,
				   .type = 1,
				   .config = 1,
				   .name = "task-clock",
				   .spec = "task-clock"};

	check(!ioctl(device, HWPMC_PMCALLOCATE, &a), "PMCALLOCATE");
	return a.id;
}

static int attach(uint32_t id, pid_t pid)
{
	struct hwpmc_attach a = {.id = id, .pid = pid};

	return ioctl(device, HWPMC_PMCATTACH, &a);
}

static int start(uint32_t id)
{
	return ioctl(device, HWPMC_PMCSTART, &id);
}

static int read_value(uint32_t id)
{
	struct hwpmc_rw rw = {.id = id, .flags = PMC_F_OLDVALUE};

	return ioctl(device, HWPMC_PMCRW, &rw);
}

static pid_t child_that(void (*act)(const char *), const char *arg)
{
	pid_t pid = fork();

	check(pid >= 0, "fork");
	if (!pid)
		act(arg);
	return pid;
}

/* A child that does act when it is let go by closing *go; one at a time. */
static pid_t child_new(void (*act)(const char *), const char *arg, int *go)
{
	int ends[2];
	pid_t pid;
	char c;

	check(!pipe2(ends, O_CLOEXEC), "pipe");
	pid = fork();
	check(pid >= 0, "fork");
	if (pid) {
		close(ends[0]);
		*go = ends[1];
		return pid;
	}
	close(ends[1]);
	if (!read(ends[0], &c, 1))
		act(arg);
	_exit(1);
}

static void execute(const char *program, const char *scene)
{
	execl(program, program, scene, NULL);
	perror(program);
	_exit(1);
}

/* The ids of this thread alone: libc changes those of all.  It stays open to its user. */
static void become(unsigned int id, unsigned int saved)
{
	check(!syscall(SYS_setresgid, id, id, saved), "setresgid");
	check(!syscall(SYS_setresuid, id, id, saved), "setresuid");
	prctl(PR_SET_DUMPABLE, 1);
}

/* ---- own: an exec gives back what the process owned ---- */

static void scene_own(const char *arg)
{
	uint32_t id;

	(void)arg;
	use_device(0);
	id = allocate(0, 0);
	check(!start(id), "PMCSTART");
	printf("before: %s\n", said(read_value(id)));
	fflush(stdout);
	/* Both descriptor and id are the same to the new program. */
	dup2(device, 9);
	check(!setenv("ID", (char[]){(char)('0' + (id & 0xff)), 0}, 1), "setenv");
	execute("/proc/self/exe", "own-after");
}

static void scene_own_after(const char *arg)
{
	uint32_t id = 0xfff00000u | TC << 12 | CLASS_SOFT << 8 | (uint32_t)(*getenv("ID") - '0');

	(void)arg;
	device = 9;
	printf("after: %s\n", said(read_value(id)));
	id = allocate(0, 0);
	check(!start(id), "PMCSTART");
	printf("again: %s\n", said(read_value(id)));
}

/* ---- children: of a program that may do more than its user ---- */

static void spin_a_little(void)
{
	volatile unsigned int n;

	for (n = 0; n < 100000; n++)
		;
}

static void scene_family(const char *arg)
{
	int n;

	(void)arg;
	for (n = 0; n < CHILDREN; n++) {
		pid_t pid = fork();

		spin_a_little();
		if (!pid)
			_exit(0);
		waitpid(pid, NULL, 0);
	}
}

static void act_family(const char *program)
{
	execute(program, "family");
}

/* What a log has of the program, and of processes that it made. */
static void tell_log(const char *program, const uint8_t *log, size_t size, pid_t pid)
{
	const struct pmclog_wire_header *h;
	bool known = false, counted = false;
	size_t at;

	for (at = 0; at + sizeof(*h) <= size; at += h->header & 0xffff) {
		h = (const void *)(log + at);
		switch (h->header >> 16 & 0xff) {
		case PMCLOG_WIRE_PROCEXEC:
			known |= ((const struct pmclog_wire_procexec *)h)->pid == (uint32_t)pid;
			break;
		case PMCLOG_WIRE_MAP_IN:
			known |= ((const struct pmclog_wire_map_in *)h)->pid == (uint32_t)pid;
			break;
		/* What the kernel unmaps while it loads a program says where that is. */
		case PMCLOG_WIRE_MAP_OUT:
			known |= ((const struct pmclog_wire_map_out *)h)->pid == (uint32_t)pid;
			break;
		case PMCLOG_WIRE_PROCFORK:
			counted |=
				((const struct pmclog_wire_procfork *)h)->oldpid == (uint32_t)pid;
			break;
		case PMCLOG_WIRE_PROCEXIT:
			counted |= ((const struct pmclog_wire_procexit *)h)->pid != (uint32_t)pid;
			break;
		}
	}
	printf("%s: of the program %s, of its children %s\n", program, known ? "known" : "nothing",
	       counted ? "counted" : "nothing");
}

static void scene_children(const char *program)
{
	static uint8_t log[1 << 20];
	int go, fd = open("children.log", O_CREAT | O_TRUNC | O_RDWR | O_CLOEXEC, 0600);
	struct hwpmc_configurelog configure = {.fd = fd, .cpuid = "test"};
	uint32_t ids[8];
	ssize_t size;
	off_t own; /* bytes of what the process is before the exec */
	size_t i;
	pid_t pid;

	check(fd >= 0, "children.log");
	use_device(O_CLOEXEC);
	check(!ioctl(device, HWPMC_CONFIGURELOG, &configure), "CONFIGURELOG");
	pid = child_new(act_family, program, &go);
	/* Several, so that it takes its time to end them. */
	for (i = 0; i < sizeof(ids) / sizeof(ids[0]); i++) {
		ids[i] = i ? allocate(PMC_F_DESCENDANTS | PMC_F_LOG_PROCEXIT, 0)
			   : allocate(PMC_F_DESCENDANTS, 1000000); /* whose log has maps */
		check(!attach(ids[i], pid) && !start(ids[i]), "PMCATTACH, PMCSTART");
	}
	check(!ioctl(device, HWPMC_FLUSHLOG), "FLUSHLOG");
	own = lseek(fd, 0, SEEK_END);
	close(go);
	waitpid(pid, NULL, 0);
	check(!ioctl(device, HWPMC_CLOSELOG), "CLOSELOG");
	size = pread(fd, log, sizeof(log), own);
	check(size > 0, "children.log");
	tell_log(program, log, (size_t)size, pid);
}

/* ---- signal: SIGIO for want of a target, or of a log's reader ---- */

/* A process that is user's for good. */
static pid_t user_new(void)
{
	int ready[2];
	pid_t pid;
	char c;

	check(!pipe(ready), "pipe");
	pid = fork();
	if (!pid) {
		become(USER, USER);
		check(write(ready[1], "", 1) == 1, "write");
		pause();
	}
	check(read(ready[0], &c, 1) == 1, "read");
	return pid;
}

/* seconds: in which it comes, if it does. */
static void tell_sigio(const char *title, time_t seconds)
{
	const struct timespec in = {.tv_sec = seconds};
	sigset_t sigio;

	sigemptyset(&sigio);
	sigaddset(&sigio, SIGIO);
	printf("%s: %s\n", title, sigtimedwait(&sigio, NULL, &in) == SIGIO ? "SIGIO" : "nothing");
	fflush(stdout);
	_exit(0);
}

/* The owner is user all along, or was it. */
static void signalled(const char *title, bool becomes_root, time_t seconds)
{
	pid_t pid = user_new();
	uint32_t id;

	use_device(O_CLOEXEC);
	become(USER, 0);
	id = allocate(0, 0);
	check(!attach(id, pid), "PMCATTACH");
	if (becomes_root)
		check(!setresuid(0, 0, 0), "setresuid");
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	while (!start(id))
		check(!ioctl(device, HWPMC_PMCSTOP, &id), "PMCSTOP");
	check(errno == ESRCH, "PMCSTART");
	/* It is sent when the last attachment is reaped, some time after its process has exited. */
	tell_sigio(title, seconds);
}

/* Root has opened the pipe, whose reader goes. */
static void signalled_of_log(const char *title, bool becomes_root)
{
	struct hwpmc_configurelog configure = {.cpuid = "test"};
	int ends[2];

	check(!pipe2(ends, O_CLOEXEC), "pipe");
	use_device(O_CLOEXEC);
	become(USER, 0);
	configure.fd = ends[1];
	check(!ioctl(device, HWPMC_CONFIGURELOG, &configure), "CONFIGURELOG");
	if (becomes_root)
		check(!setresuid(0, 0, 0), "setresuid");
	close(ends[0]);
	check(ioctl(device, HWPMC_FLUSHLOG) && errno == EPIPE, "FLUSHLOG");
	tell_sigio(title, 2);
}

static void scene_signal(const char *arg)
{
	(void)arg;
	if (!fork())
		signalled("own", false, 60);
	wait(NULL);
	if (!fork())
		signalled("another's", true, 2);
	wait(NULL);
	if (!fork())
		signalled_of_log("own log", false);
	wait(NULL);
	if (!fork())
		signalled_of_log("another's log", true);
	wait(NULL);
}

/* ---- stuck: an exec that does not end ---- */

static const char *const stuck_waiting = "/sys/module/stuck/parameters/waiting";

static void act_stuck(const char *arg)
{
	(void)arg;
	check(open("/dev/stuck", O_RDONLY | O_CLOEXEC) >= 0, "/dev/stuck");
	execute("/proc/self/exe", "nothing");
}

/* What a file says; "" where there is none. */
static const char *text_of(const char *path)
{
	static char text[4096];
	ssize_t n;
	int fd;

	fd = open(path, O_RDONLY | O_CLOEXEC);
	n = fd < 0 ? 0 : read(fd, text, sizeof(text) - 1);
	text[n > 0 ? n : 0] = '\0';
	if (fd >= 0)
		close(fd);
	return text;
}

static const char *proc_text(pid_t pid, const char *file)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/%s", pid, file);
	return text_of(path);
}

static char state_of(pid_t pid)
{
	const char *end = strrchr(proc_text(pid, "stat"), ')');

	return end ? end[2] : '?';
}

/* Until the process waits in an operation of the device, or has ended. */
static void wait_for_operation(pid_t pid)
{
	while (state_of(pid) != 'Z' &&
	       (state_of(pid) != 'D' || !strstr(proc_text(pid, "stack"), "hwpmc_ioctl")))
		usleep(10000);
}

static void act_attach(const char *arg)
{
	_exit(attach(allocate(PMC_F_LOG_PROCEXIT, 0), (pid_t)atoi(arg)) ? errno : 0);
}

static void act_other(const char *arg)
{
	uint32_t id = allocate(0, 0);

	(void)arg;
	_exit(attach(id, getpid()) || start(id) || read_value(id));
}

static bool ends_soon(pid_t pid)
{
	int n, status;

	for (n = 0; n < 1000; n++) {
		if (waitpid(pid, &status, WNOHANG) == pid)
			return true;
		usleep(10000);
	}
	return false;
}

static void scene_stuck(const char *arg)
{
	pid_t stuck, caller, other;
	char pid[16];

	(void)arg;
	use_device(O_CLOEXEC);
	stuck = child_that(act_stuck, NULL);
	/* Its stack cannot be read: that waits for the end of the exec, too. */
	while (atoi(text_of(stuck_waiting)) != 1)
		usleep(10000);
	snprintf(pid, sizeof(pid), "%d", stuck);
	caller = child_that(act_attach, pid);
	/* Linux 6.1 closes files before it locks the process out of attaches. */
	wait_for_operation(caller);
	other = child_that(act_other, NULL);
	printf("others: %s\n", ends_soon(other) ? "go on" : "wait");
	kill(caller, SIGKILL);
	printf("killed: the caller %s\n", ends_soon(caller) ? "ends" : "stays");
}

static void scene_asleep(const char *arg)
{
	(void)arg;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	pause();
}

/* ---- held: a target whose events perf has locked, for somebody whose memory does not come ---- */

/* While it waits its process can map nothing, and no page of what is mapped comes. */
static void *map_stuck(void *arg)
{
	int fd = open("/dev/stuck", O_RDWR | O_CLOEXEC);

	mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, fd, 0);
	return arg;
}

static void act_holder(const char *target)
{
	struct perf_event_attr attr = {.type = PERF_TYPE_SOFTWARE,
				       .size = sizeof(attr),
				       .config = PERF_COUNT_SW_TASK_CLOCK,
				       .exclude_kernel = 1};
	int fd = (int)syscall(SYS_perf_event_open, &attr, atoi(target), -1, -1, 0);
	pthread_t thread;
	uint64_t value;
	void *page;

	check(fd >= 0 && read(fd, &value, 8) == 8, "perf_event_open");
	/* All else that this thread uses is there. */
	check(!mlockall(MCL_CURRENT), "mlockall");
	page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	check(page != MAP_FAILED, "mmap");
	check(!pthread_create(&thread, NULL, map_stuck, NULL), "pthread_create");
	while (atoi(text_of(stuck_waiting)) != 1)
		usleep(10000);
	_exit(read(fd, page, 8) != 8);
}

/* Another owner's last target ends. */
static void act_other_target(const char *arg)
{
	const struct timespec in = {.tv_sec = 60};
	uint32_t id = allocate(PMC_F_LOG_PROCEXIT, 0);
	pid_t target = child_that(scene_asleep, NULL);
	sigset_t sigio;

	(void)arg;
	check(!attach(id, target), "PMCATTACH");
	kill(target, SIGKILL);
	waitpid(target, NULL, 0);
	sigemptyset(&sigio);
	sigaddset(&sigio, SIGIO);
	_exit(sigtimedwait(&sigio, NULL, &in) != SIGIO);
}

static void act_fork(const char *arg)
{
	pid_t pid;

	(void)arg;
	raise(SIGSTOP);
	pid = fork();
	_exit(pid && waitpid(pid, NULL, 0) != pid);
}

/* To two targets, of which the second keeps it waiting. */
static void act_attach_both(const char *arg)
{
	uint32_t id = allocate(PMC_F_DESCENDANTS | PMC_F_LOG_PROCEXIT, 0);
	pid_t first, second;

	check(sscanf(arg, "%d %d", &first, &second) == 2, "sscanf");
	check(!attach(id, first), "PMCATTACH");
	_exit(attach(id, second) != 0);
}

static void scene_held(const char *arg)
{
	pid_t target, forks, holder, caller;
	char pids[32];
	int answers;

	(void)arg;
	use_device(O_CLOEXEC);
	forks = child_that(act_fork, NULL);
	while (state_of(forks) != 'T')
		usleep(10000);
	target = child_that(scene_asleep, NULL);
	snprintf(pids, sizeof(pids), "%d", target);
	holder = child_that(act_holder, pids);
	/* In its read, which some kernels' stacks do not show. */
	while (atoi(text_of(stuck_waiting)) != 1 || state_of(holder) != 'D')
		usleep(10000);
	snprintf(pids, sizeof(pids), "%d %d", forks, target);
	caller = child_that(act_attach_both, pids);
	wait_for_operation(caller);
	kill(forks, SIGCONT);
	printf("others: %s\n", ends_soon(child_that(act_other, NULL)) ? "go on" : "wait");
	printf("others' targets: %s\n",
	       ends_soon(child_that(act_other_target, NULL)) ? "end" : "stay");
	printf("the caller's other targets: %s\n", ends_soon(forks) ? "fork" : "wait");
	printf("the caller: %s\n", state_of(caller) == 'D' ? "waits" : "goes on");
	answers = open("/sys/module/stuck/parameters/answers", O_WRONLY | O_CLOEXEC);
	check(write(answers, "1", 1) == 1, "answers");
	printf("let go: the caller %s\n", ends_soon(caller) ? "ends" : "stays");
	kill(target, SIGKILL);
}

/* ---- forker, refused, deep, below: children that come all the time, and many of them ---- */

enum { STACK = 4096, BELOW = 1000, YOUNG = 256, DEPTH = 256, REFUSALS = 10 };

/* It goes with its parent: who stays counts against what the user may have, in later scenes too. */
static int sleep_for_ever(void *arg)
{
	(void)arg;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (;;)
		pause();
	return 0;
}

/* One that costs little to make, for it shares memory. */
static pid_t sleeper_new(char *stack)
{
	return clone(sleep_for_ever, stack + STACK, CLONE_VM | SIGCHLD, NULL);
}

/* Returns when it is that program, as its name says: vfork(2) does before the exec is through. */
static void start_asleep(const char *program)
{
	const char *slash = strrchr(program, '/');
	pid_t pid = vfork();

	if (!pid)
		execute(program, "asleep");
	while (!strstr(proc_text(pid, "stat"), slash ? slash + 1 : program))
		;
}

static int program_runs[2]; /* a byte comes when the program of act_forker() runs */

/*
 * The oldest child goes for the newest; with a program half of them stay, and behind these one that
 * runs it.
 */
static void act_forker(const char *program)
{
	static char stacks[YOUNG][STACK] __attribute__((aligned(16)));
	static pid_t pids[YOUNG];
	const size_t stay = program ? YOUNG / 2 : 0;
	size_t n;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	signal(SIGCHLD, SIG_IGN);
	for (n = 0; n < stay; n++)
		sleeper_new(stacks[n]);
	if (program) {
		start_asleep(program);
		check(write(program_runs[1], "", 1) == 1, "write");
	}
	for (;; n = n + 1 < YOUNG ? n + 1 : stay) {
		if (pids[n] > 0)
			kill(pids[n], SIGKILL);
		pids[n] = sleeper_new(stacks[n]);
	}
}

/* A process with many children, which go with it. */
static pid_t parent_new(void)
{
	static char stacks[BELOW][STACK] __attribute__((aligned(16)));
	int ready[2];
	pid_t pid;
	size_t n;
	char c;

	check(!pipe(ready), "pipe");
	pid = fork();
	if (!pid) {
		setpgid(0, 0);
		for (n = 0; n < BELOW; n++)
			check(sleeper_new(stacks[n]) > 0, "clone");
		check(write(ready[1], "", 1) == 1, "write");
		pause();
	}
	close(ready[1]);
	check(read(ready[0], &c, 1) == 1, "read");
	return pid;
}

/* Each thread is to have an event of its own, at once. */
static void act_attach_below(const char *arg)
{
	const uint32_t flags = PMC_F_DESCENDANTS | PMC_F_LOG_PROCEXIT;

	_exit(attach(allocate(flags, 0), (pid_t)atoi(arg)) ? errno : 0);
}

static void scene_forker(const char *arg)
{
	pid_t forker, caller, other;
	char pid[16];

	(void)arg;
	use_device(O_CLOEXEC);
	forker = child_that(act_forker, NULL);
	usleep(200000);
	snprintf(pid, sizeof(pid), "%d", forker);
	caller = child_that(act_attach_below, pid);
	printf("attach: %s\n", ends_soon(caller) ? "ends" : "goes on");
	other = child_that(act_other, NULL);
	printf("others: %s\n", ends_soon(other) ? "go on" : "wait");
	caller = child_that(act_attach_below, pid);
	kill(caller, SIGKILL);
	printf("killed: the caller %s\n", ends_soon(caller) ? "ends" : "stays");
	kill(forker, SIGKILL);
}

static void *sleep_on(void *arg)
{
	pause();
	return arg;
}

/* ---- threads: of a process that makes them for ever ---- */

enum { LAST_THREAD = 1000 };

/* The module hookwait decides when it makes the next. */
static void act_threads(const char *arg)
{
	pthread_t thread;
	int n;

	(void)arg;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	prctl(PR_SET_NAME, "maker");
	for (n = 0; n < LAST_THREAD; n++)
		check(!pthread_create(&thread, NULL, sleep_on, NULL), "pthread_create");
	pause();
}

static void scene_threads(const char *arg)
{
	pid_t threads, caller, other;
	char pid[16];
	int status;

	(void)arg;
	use_device(O_CLOEXEC);
	threads = child_that(act_threads, NULL);
	while (atoi(text_of("/sys/module/hookwait/parameters/pid")) != threads)
		;
	snprintf(pid, sizeof(pid), "%d", threads);
	caller = child_that(act_attach, pid);
	check(waitpid(caller, &status, 0) == caller, "waitpid");
	status = WEXITSTATUS(status);
	printf("attach: %s\n", status ? strerrorname_np(status) : "ok");
	kill(threads, SIGKILL);
	other = child_that(act_other, NULL);
	printf("others: %s\n", ends_soon(other) ? "go on" : "wait");
}

/*
 * The child of parent with the least number above after; 0: there is none.  Not every kernel has
 * /proc/PID/task/TID/children.
 */
static pid_t next_child(pid_t parent, pid_t after)
{
	pid_t pid, ppid, next = 0;
	const struct dirent *entry;
	const char *name_end;
	DIR *proc;

	proc = opendir("/proc");
	check(proc, "/proc");
	while ((entry = readdir(proc))) {
		pid = (pid_t)atoi(entry->d_name);
		if (pid <= after || (next && pid >= next))
			continue;
		name_end = strrchr(proc_text(pid, "stat"), ')');
		if (name_end && sscanf(name_end, ") %*c %d", &ppid) == 1 && ppid == parent)
			next = pid;
	}
	closedir(proc);
	return next;
}

/* How many of the process and its children are targets, which they are then no more. */
static unsigned int detach_family(uint32_t id, pid_t pid)
{
	struct hwpmc_attach a = {.id = id, .pid = pid};
	unsigned int n = !ioctl(device, HWPMC_PMCDETACH, &a);

	for (a.pid = 0; (a.pid = next_child(pid, a.pid));)
		n += !ioctl(device, HWPMC_PMCDETACH, &a);
	return n;
}

/* One child may not be watched.  The others that are made meanwhile get to run while it stops. */
static void scene_refused(const char *program)
{
	unsigned int n, targets = 0;
	int error = EPERM;
	pid_t forker;
	uint32_t id;
	char c;

	use_device(O_CLOEXEC);
	id = allocate(PMC_F_DESCENDANTS, 0);
	check(!pipe2(program_runs, O_CLOEXEC), "pipe");
	forker = child_that(act_forker, program);
	check(read(program_runs[0], &c, 1) == 1, "read");
	for (n = 0; n < REFUSALS && error == EPERM; n++) {
		error = attach(id, forker) ? errno : 0;
		kill(forker, SIGSTOP);
		usleep(100000);
		targets += detach_family(id, forker);
		kill(forker, SIGCONT);
	}
	printf("attach: %s\n", error ? strerrorname_np(error) : "ok");
	printf("targets: %s\n", targets ? "some" : "none");
	kill(forker, SIGKILL);
}

/* A process with so many generations below it, which share memory: else their exits take long. */
static int generations_ready[2];

static int generation(void *below)
{
	static char stacks[DEPTH][STACK] __attribute__((aligned(16)));
	uintptr_t n = (uintptr_t)below;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (!n--)
		check(write(generations_ready[1], "", 1) == 1, "write");
	else
		clone(generation, stacks[n] + STACK, CLONE_VM | SIGCHLD, (void *)n);
	for (;;)
		pause();
	return 0;
}

static void scene_deep(const char *arg)
{
	uint32_t id;
	pid_t pid;
	char c;

	(void)arg;
	use_device(O_CLOEXEC);
	id = allocate(PMC_F_DESCENDANTS, 0);
	check(!pipe(generations_ready), "pipe");
	pid = fork();
	if (!pid) {
		setpgid(0, 0);
		generation((void *)DEPTH);
	}
	close(generations_ready[1]);
	check(read(generations_ready[0], &c, 1) == 1, "read");
	printf("%d generations: %s\n", DEPTH, said(attach(id, pid)));
	printf("targets: %s\n", detach_family(id, pid) ? "some" : "none");
	printf("%d generations: %s\n", DEPTH - 1, said(attach(id, next_child(pid, 0))));
	kill(-pid, SIGKILL);
	/* The last of them has closed its end, and what it had of the device. */
	check(!read(generations_ready[0], &c, 1), "read");
}

/* Seconds of CPU that an attach to all of them takes its caller, who is killed after so many us. */
static double attach_cost(const char *pid, useconds_t kill_after)
{
	pid_t caller = child_that(act_attach_below, pid);
	struct rusage usage;

	if (kill_after) {
		usleep(kill_after);
		kill(caller, SIGKILL);
	}
	check(wait4(caller, NULL, 0, &usage) == caller, "wait4");
	return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
	       (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

/*
 * Some tries: one may be killed before its attach begins, or late.  Who is not let go attaches to
 * all, and then detaches from them.
 */
static void scene_below(const char *arg)
{
	double whole = 1e9, cost;
	bool ends = false;
	pid_t parent;
	char pid[16];
	int n;

	(void)arg;
	use_device(O_CLOEXEC);
	parent = parent_new();
	snprintf(pid, sizeof(pid), "%d", parent);
	for (n = 0; n < 5; n++) {
		cost = attach_cost(pid, 0);
		whole = cost < whole ? cost : whole;
	}
	for (n = 1; n < 40 && !ends; n++) {
		cost = attach_cost(pid, (useconds_t)(whole * 1e6 * n / 40));
		ends = cost > whole / 20 && cost < whole * 0.7;
	}
	printf("killed: the caller %s\n", ends ? "ends" : "attaches to the rest first");
	kill(-parent, SIGKILL);
}

/* ---- leaderless, ids: who is asked whether a process may be watched ---- */

static void scene_without_leader(const char *arg)
{
	pthread_t thread;

	(void)arg;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	check(!pthread_create(&thread, NULL, sleep_on, NULL), "pthread_create");
	/* The first thread ends, libc's way would wait for others. */
	syscall(SYS_exit, 0);
}

static void act_without_leader(const char *program)
{
	execute(program, "without-leader");
}

static void scene_leaderless(const char *program)
{
	uint32_t id;
	pid_t pid;
	int go;

	use_device(O_CLOEXEC);
	id = allocate(0, 0);
	pid = child_new(act_without_leader, program, &go);
	close(go);
	while (state_of(pid) != 'Z')
		usleep(10000);
	printf("%s: %s\n", program, said(attach(id, pid)));
	kill(pid, SIGKILL);
}

static void *be_other(void *ready)
{
	become(OTHER, OTHER);
	check(write(*(int *)ready, "", 1) == 1, "write");
	pause();
	return NULL;
}

/* Two threads of user's, or one of user's and one of other's. */
static void target_ids(bool mixed, int ready)
{
	pthread_t thread;
	char c;

	if (mixed) {
		int ends[2];

		check(!pipe(ends), "pipe");
		check(!pthread_create(&thread, NULL, be_other, &ends[1]), "pthread_create");
		check(read(ends[0], &c, 1) == 1, "read");
	}
	become(USER, USER);
	if (!mixed)
		check(!pthread_create(&thread, NULL, sleep_on, NULL), "pthread_create");
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	check(write(ready, "", 1) == 1, "write");
	pause();
}

static void ids(const char *title, bool mixed)
{
	int ready[2];
	pid_t pid;
	char c;

	check(!pipe(ready), "pipe");
	pid = fork();
	if (!pid)
		target_ids(mixed, ready[1]);
	check(read(ready[0], &c, 1) == 1, "read");
	if (!fork()) {
		become(USER, USER);
		printf("%s: %s\n", title, said(attach(allocate(0, 0), pid)));
		fflush(stdout);
		_exit(0);
	}
	while (wait(NULL) == pid)
		;
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

static void scene_ids(const char *arg)
{
	(void)arg;
	use_device(O_CLOEXEC);
	ids("threads of one user", false);
	ids("threads of two", true);
}

static void scene_nothing(const char *arg)
{
	(void)arg;
}

static const struct {
	const char *name;
	void (*act)(const char *arg);
} scenes[] = {
	{"asleep", scene_asleep},
	{"below", scene_below},
	{"children", scene_children},
	{"deep", scene_deep},
	{"family", scene_family},
	{"forker", scene_forker},
	{"ids", scene_ids},
	{"leaderless", scene_leaderless},
	{"nothing", scene_nothing},
	{"own", scene_own},
	{"own-after", scene_own_after},
	{"refused", scene_refused},
	{"signal", scene_signal},
	{"stuck", scene_stuck},
	{"held", scene_held},
	{"holder", act_holder},
	{"threads", scene_threads},
	{"without-leader", scene_without_leader},
};

int main(int argc, char **argv)
{
	size_t i;

	for (i = 0; argc > 1 && i < sizeof(scenes) / sizeof(scenes[0]); i++)
		if (!strcmp(argv[1], scenes[i].name)) {
			scenes[i].act(argc > 2 ? argv[2] : "");
			return 0;
		}
	fprintf(stderr, "attacks: which scene?\n");
	return 64;
}
