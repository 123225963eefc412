// SPDX-License-Identifier: BSD-2-Clause
/*
 * The perf collector on this machine: programs that do known things, and the log of them.
 *
 * Skips where perf_event_open(2) is not to be had.  The programs are this one, run again with the
 * name of what to do.
 */
#include <errno.h>
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>

#include "pmc/pmc.h"
#include "pmclog/reader.h"
#include "../unit/unit.h"

enum { MS = 1000000, SPIN_MS = 60, MAPS_MAX = 256, TASKS_MAX = 64, CROWD = 20 };

static const char self[] = "/proc/self/exe";

static uint64_t cpu_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ts);
	return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

/* Mostly in user mode, so that those who may see that alone see it. */
static void *spin(void *arg)
{
	uint64_t end = cpu_ns() + SPIN_MS * (uint64_t)MS;
	volatile unsigned int i;

	while (cpu_ns() < end)
		for (i = 0; i < 20000; i++)
			;
	return arg;
}

/* ---- The programs ---- */

static int grandchild(void)
{
	spin(NULL);
	return 0;
}

/* Two more threads; a child that calls exec; a library. */
static int family(void)
{
	pthread_t t[2];
	int i, status;
	pid_t pid;

	for (i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, spin, NULL);
	for (i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	pid = fork();
	if (pid == 0) {
		execl(self, "test", "grandchild", (char *)NULL);
		_exit(127);
	}
	waitpid(pid, &status, 0);
	if (!dlopen("libanl.so.1", RTLD_NOW))
		return 1;
	spin(NULL);
	return status;
}

static void *spin_for_ever(void *arg)
{
	while (spin(arg) == arg)
		;
	return arg;
}

/* A process of many threads that run until it is killed; writes a byte when all are there. */
static int crowd(int fd)
{
	pthread_t t;
	int i;

	for (i = 1; i < CROWD; i++)
		pthread_create(&t, NULL, spin_for_ever, NULL);
	if (write(fd, "", 1) != 1)
		return 1;
	spin_for_ever(NULL);
	return 0;
}

static volatile sig_atomic_t told;

static void tell(int sig)
{
	told = sig;
}

/*
 * A process that rests, and its child that runs for ever: it writes its pid, and when it has been
 * told to load a library so.
 */
static int brood(int fd)
{
	pid_t pid;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	pid = fork();
	if (pid) {
		waitpid(pid, NULL, 0);
		return 0;
	}
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	signal(SIGUSR1, tell);
	pid = getpid();
	if (write(fd, &pid, sizeof(pid)) != sizeof(pid))
		return 1;
	for (;;) {
		spin(NULL);
		if (told && (!dlopen("libanl.so.1", RTLD_NOW) || write(fd, "", 1) != 1))
			return 1;
		told = 0;
	}
}

/* ---- What the log says ---- */

struct map {
	uint32_t pid;
	uint64_t start, end;
};

struct story {
	uint64_t last_tsc;
	unsigned int disorder; /* records more than 1 ms older than the one before */
	uint32_t target, child;
	bool target_exec, child_exec, exit_target, exit_child, library, childs_library, initialised;
	unsigned int allocs, attaches, threads, forks, samples, before_exec, strangers, unmapped;
	pmc_id_t ran; /* the PMC that the times of the target are told for */
	struct {
		uint32_t tid;
		unsigned int samples;
	} tasks[TASKS_MAX];
	size_t ntasks, nmaps;
	struct map maps[MAPS_MAX];
};

static unsigned int *task_samples(struct story *s, uint32_t tid)
{
	size_t i;

	for (i = 0; i < s->ntasks && s->tasks[i].tid != tid; i++)
		;
	if (i == s->ntasks && s->ntasks < TASKS_MAX)
		s->tasks[s->ntasks++].tid = tid;
	return &s->tasks[i < TASKS_MAX ? i : 0].samples;
}

static bool ends_with(const struct pmclog_text *t, const char *end)
{
	size_t n = strlen(end);

	return t->len >= n && !strcmp(t->s + t->len - n, end);
}

static void see_map(struct story *s, const struct pmclog_record *rec)
{
	if (s->nmaps < MAPS_MAX)
		s->maps[s->nmaps++] = (struct map){rec->u.map_in.pid, rec->u.map_in.start,
						   rec->u.map_in.start + rec->u.map_in.length};
	if (rec->u.map_in.pid == s->child)
		s->childs_library |= ends_with(&rec->u.map_in.path, "libanl.so.1");
	if (rec->u.map_in.pid == s->target && s->child_exec)
		s->library |= ends_with(&rec->u.map_in.path, "libanl.so.1");
}

static bool is_mapped(const struct story *s, uint32_t pid, uint64_t pc)
{
	size_t i;

	for (i = 0; i < s->nmaps; i++)
		if (s->maps[i].pid == pid && pc >= s->maps[i].start && pc < s->maps[i].end)
			return true;
	return false;
}

static void see_sample(struct story *s, const struct pmclog_record *rec)
{
	uint32_t pid = rec->u.chain.pid;

	s->samples++;
	++*task_samples(s, rec->u.chain.tid);
	s->strangers += pid != s->target && pid != s->child;
	s->before_exec += pid == s->target && !s->target_exec;
	/* Of the grandchild before its exec, the maps are those of its parent. */
	if (rec->u.chain.usermode && (pid == s->target || s->child_exec))
		s->unmapped += !is_mapped(s, pid, rec->u.chain.pcs[0]);
}

static void see_process(struct story *s, const struct pmclog_record *rec)
{
	switch (rec->type) {
	case PMCLOG_WIRE_PROCEXEC:
		s->target_exec |= rec->u.exec.pid == s->target;
		s->child_exec |= s->child && rec->u.exec.pid == s->child;
		break;
	case PMCLOG_WIRE_PROCFORK:
		s->forks++;
		if (rec->u.fork.oldpid == s->target)
			s->child = rec->u.fork.newpid;
		break;
	case PMCLOG_WIRE_THR_CREATE: s->threads++; break;
	case PMCLOG_WIRE_SYSEXIT:
		s->exit_target |= rec->u.sysexit.pid == s->target;
		s->exit_child |= rec->u.sysexit.pid == s->child;
		break;
	default: break;
	}
}

static void read_log(struct story *s, int fd)
{
	struct pmclog_reader *r;
	struct pmclog_record rec;
	enum pmclog_result result;
	struct err err = {0};

	lseek(fd, 0, SEEK_SET);
	r = pmclog_reader_open_fd(fd, "log", &err);
	while ((result = pmclog_reader_next(r, &rec, &err)) == PMCLOG_RESULT_OK) {
		s->disorder += rec.tsc + MS < s->last_tsc;
		s->last_tsc = rec.tsc > s->last_tsc ? rec.tsc : s->last_tsc;
		s->initialised |= rec.type == PMCLOG_WIRE_INITIALIZE;
		s->allocs += rec.type == PMCLOG_WIRE_PMCALLOCATEDYN;
		s->attaches += rec.type == PMCLOG_WIRE_PMCATTACH;
		if (rec.type == PMCLOG_WIRE_MAP_IN)
			see_map(s, &rec);
		else if (rec.type == PMCLOG_WIRE_CALLCHAIN)
			see_sample(s, &rec);
		else if (rec.type == PMCLOG_WIRE_PMCDETACH && rec.u.attach.has_times)
			s->ran = rec.u.attach.pmcid;
		else
			see_process(s, &rec);
	}
	CHECK(result == PMCLOG_RESULT_EOF);
	CHECK_STR(err.msg, "");
	pmclog_reader_close(r);
}

/* Starts this program again to do what, held back until *gate is closed. */
static pid_t run(const char *what, const char *arg, int *gate)
{
	int fds[2];
	pid_t pid;
	char c;

	if (pipe2(fds, O_CLOEXEC))
		exit(1);
	pid = fork();
	if (pid == 0) {
		close(fds[1]);
		/* A leak checker would add tasks of its own. */
		setenv("ASAN_OPTIONS", "detect_leaks=0", 1);
		if (read(fds[0], &c, 1) == 0)
			execl(self, "test", what, arg, (char *)NULL);
		_exit(127);
	}
	close(fds[0]);
	*gate = fds[1];
	return pid;
}

static int start_log(void)
{
	int fd = memfd_create("log", MFD_CLOEXEC);

	CHECK(!pmc_set_collector("perf"));
	CHECK(!pmc_init());
	CHECK(!pmc_configure_logfile(fd));
	return fd;
}

#define CHECK_PMC(call)                                                                      \
	do {                                                                                 \
		if (call) {                                                                  \
			printf("# %s:%d: %s: %s\n", __FILE__, __LINE__, #call, pmc_error()); \
			unit_failures++;                                                     \
		}                                                                            \
	} while (0)

UNIT(a_command_is_recorded_from_its_exec_with_threads_child_and_library)
{
	static struct story s;
	struct pmc_log_stats stats;
	int fd = start_log(), gate, status = -1;
	pmc_id_t id;

	CHECK_PMC(pmc_allocate("cpu-clock", PMC_MODE_TS,
			       PMC_F_CALLCHAIN | PMC_F_DESCENDANTS | PMC_F_START_ON_EXEC,
			       PMC_CPU_ANY, &id, MS));
	s.target = (uint32_t)run("family", NULL, &gate);
	CHECK_PMC(pmc_attach(id, (pid_t)s.target));
	CHECK_PMC(pmc_start(id));
	close(gate);
	waitpid((pid_t)s.target, &status, 0);
	CHECK_U64(status, 0);
	CHECK_PMC(pmc_stop(id));
	CHECK_PMC(pmc_flush_logfile());
	CHECK_PMC(pmc_release(id));
	CHECK_PMC(pmc_close_logfile());
	CHECK_PMC(pmc_get_log_stats(&stats));
	read_log(&s, fd);
	CHECK(s.initialised && s.target_exec && s.child_exec && s.exit_target && s.exit_child);
	CHECK(s.library);
	CHECK_U64(s.allocs, 1);
	CHECK_U64(s.attaches, 1);
	CHECK_U64(s.threads, 2);
	CHECK_U64(s.forks, 1);
	CHECK_U64(s.before_exec, 0);
	CHECK_U64(s.strangers, 0);
	CHECK_U64(s.unmapped, 0);
	CHECK_U64(s.disorder, 0);
	CHECK_U64(s.samples, stats.samples);
	CHECK_U64(stats.drops[PMCLOG_DROP_RING], 0);
	/* Four spins of 60 ms on four threads, a sample a millisecond. */
	CHECK_U64(s.ntasks, 4);
	CHECK(s.samples >= 4 * SPIN_MS * 9 / 10 && s.samples <= 4 * SPIN_MS * 2);
}

UNIT(every_thread_of_a_running_process_is_attached_once)
{
	static struct story s;
	int fd = start_log(), gate, ready[2];
	struct timespec half = {0, 500 * MS};
	unsigned int most = 0;
	pmc_id_t id;
	char arg[16], c;
	size_t i;

	CHECK(!pipe(ready));
	snprintf(arg, sizeof(arg), "%d", ready[1]);
	s.target = (uint32_t)run("crowd", arg, &gate);
	close(gate);
	CHECK_U64(read(ready[0], &c, 1), 1);
	CHECK_PMC(pmc_allocate("task-clock", PMC_MODE_TS, 0, PMC_CPU_ANY, &id, MS));
	CHECK_PMC(pmc_attach(id, (pid_t)s.target));
	CHECK_PMC(pmc_start(id));
	nanosleep(&half, NULL);
	CHECK_PMC(pmc_release(id));
	kill((pid_t)s.target, SIGKILL);
	waitpid((pid_t)s.target, NULL, 0);
	CHECK_PMC(pmc_close_logfile());
	read_log(&s, fd);
	CHECK(s.target_exec);
	CHECK_U64(s.threads, CROWD - 1);
	CHECK_U64(s.strangers, 0);
	CHECK_U64(s.unmapped, 0);
	CHECK_U64(s.ntasks, CROWD);
	for (i = 0; i < s.ntasks; i++)
		most = s.tasks[i].samples > most ? s.tasks[i].samples : most;
	/* A thread attached twice would have two samples a millisecond. */
	CHECK(most <= 600);
}

struct brood {
	pid_t parent, child;
	int ready;
};

static struct brood begin_brood(void)
{
	struct brood b = {0};
	int gate, ready[2];
	char arg[16];

	CHECK(!pipe(ready));
	snprintf(arg, sizeof(arg), "%d", ready[1]);
	b.parent = run("brood", arg, &gate);
	close(gate);
	CHECK_U64(read(ready[0], &b.child, sizeof(b.child)), sizeof(b.child));
	b.ready = ready[0];
	return b;
}

static void end_brood(const struct brood *b)
{
	kill(b->child, SIGKILL);
	waitpid(b->parent, NULL, 0);
	close(b->ready);
}

static void load_library(const struct brood *b)
{
	char c;

	kill(b->child, SIGUSR1);
	CHECK_U64(read(b->ready, &c, 1), 1);
}

static uint64_t cpu_of(pid_t pid)
{
	struct timespec ts = {0};
	clockid_t clock;

	CHECK(!clock_getcpuclockid(pid, &clock) && !clock_gettime(clock, &ts));
	return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

/*
 * The child's count grows as much as its time: neither less nor twice.  What a host takes of the
 * virtual CPU is in the count and not in the time: half as much again is not twice.
 */
static void check_count(pmc_id_t id, pid_t child)
{
	uint64_t before[2], after[2], slack = 5 * MS, most;
	pmc_value_t first = 0, last = 0;

	before[0] = cpu_of(child);
	CHECK_PMC(pmc_read(id, &first));
	before[1] = cpu_of(child);
	do
		after[0] = cpu_of(child);
	while (after[0] < before[1] + 100 * (uint64_t)MS);
	CHECK_PMC(pmc_read(id, &last));
	after[1] = cpu_of(child);
	CHECK(last - first + slack >= after[0] - before[1]);
	most = (after[1] - before[0]) * 3 / 2;
	CHECK(last - first <= most + slack);
}

UNIT(a_child_that_was_attached_too_is_counted_when_its_parent_is_detached)
{
	struct brood b = begin_brood();
	pmc_value_t before = 0, after = 0;
	pmc_id_t id;

	CHECK(!pmc_set_collector("perf"));
	CHECK_PMC(pmc_init());
	CHECK_PMC(pmc_allocate("task-clock", PMC_MODE_TC, PMC_F_DESCENDANTS, PMC_CPU_ANY, &id, 0));
	CHECK_PMC(pmc_attach(id, b.parent));
	CHECK_PMC(pmc_start(id));
	check_count(id, b.child);
	CHECK_PMC(pmc_stop(id));
	CHECK_PMC(pmc_attach(id, b.child));
	CHECK_PMC(pmc_start(id));
	check_count(id, b.child);
	CHECK_PMC(pmc_read(id, &before));
	CHECK_PMC(pmc_detach(id, b.parent));
	CHECK_PMC(pmc_read(id, &after));
	CHECK(after >= before);
	check_count(id, b.child);
	CHECK_PMC(pmc_detach(id, b.child));
	CHECK_PMC(pmc_release(id));
	end_brood(&b);
}

UNIT(a_group_stays_one_when_threads_come_and_targets_go)
{
	struct brood b = begin_brood();
	struct pmc_count leads, follows;
	pmc_id_t id, member;

	CHECK(!pmc_set_collector("perf"));
	CHECK_PMC(pmc_init());
	CHECK_PMC(pmc_allocate("task-clock", PMC_MODE_TC, PMC_F_DESCENDANTS, PMC_CPU_ANY, &id, 0));
	CHECK_PMC(pmc_allocate_member(id, "task-clock", &member, 0));
	CHECK_PMC(pmc_attach(id, b.parent));
	CHECK_PMC(pmc_attach(id, b.child));
	CHECK_PMC(pmc_start(id));
	check_count(member, b.child);
	CHECK_PMC(pmc_detach(id, b.parent));
	check_count(member, b.child);
	CHECK_PMC(pmc_stop(id));
	CHECK_PMC(pmc_read_count(id, &leads));
	CHECK_PMC(pmc_read_count(member, &follows));
	CHECK(leads.enabled > 0);
	CHECK_U64(follows.enabled, leads.enabled);
	CHECK_U64(follows.running, leads.running);
	CHECK_PMC(pmc_release(id));
	end_brood(&b);
}

/* The log of a child whose parent is detached or released in some way. */
static void record_child(struct story *s, const struct brood *b, int fd, pmc_id_t id)
{
	struct pmc_log_stats stats;
	uint64_t begin, end;

	CHECK_PMC(pmc_get_log_stats(&stats));
	begin = stats.samples;
	load_library(b);
	/* Of the child alone, as its parent rests: one a millisecond of its time. */
	end = cpu_of(b->child) + 10000ull * MS;
	do {
		CHECK_PMC(pmc_flush_logfile());
		CHECK_PMC(pmc_get_log_stats(&stats));
	} while (stats.samples < begin + 50 && cpu_of(b->child) < end);
	CHECK(stats.samples >= begin + 50);
	CHECK_PMC(pmc_release(id));
	CHECK_PMC(pmc_close_logfile());
	s->target = (uint32_t)b->parent;
	s->child = (uint32_t)b->child;
	read_log(s, fd);
	CHECK(s->child_exec && s->childs_library);
	CHECK_U64(s->strangers, 0);
	CHECK_U64(s->unmapped, 0);
	CHECK_U64(stats.drops[PMCLOG_DROP_RECORD], 0);
	end_brood(b);
}

static pmc_id_t sampler(void)
{
	pmc_id_t id = PMC_ID_INVALID;

	CHECK_PMC(pmc_allocate("task-clock", PMC_MODE_TS, PMC_F_DESCENDANTS, PMC_CPU_ANY, &id, MS));
	return id;
}

UNIT(a_child_is_sampled_when_its_parent_is_detached)
{
	static struct story s;
	struct brood b = begin_brood();
	int fd = start_log();
	pmc_id_t id = sampler();

	CHECK_PMC(pmc_attach(id, b.parent));
	CHECK_PMC(pmc_attach(id, b.child));
	CHECK_PMC(pmc_start(id));
	CHECK_PMC(pmc_detach(id, b.parent));
	record_child(&s, &b, fd, id);
}

UNIT(a_child_has_its_maps_told_when_its_parents_pmc_is_released)
{
	static struct story s;
	struct brood b = begin_brood();
	int fd = start_log();
	pmc_id_t of_parent = sampler(), of_child = sampler();

	CHECK_PMC(pmc_attach(of_parent, b.parent));
	CHECK_PMC(pmc_attach(of_child, b.child));
	CHECK_PMC(pmc_start(of_child));
	CHECK_PMC(pmc_release(of_parent));
	record_child(&s, &b, fd, of_child);
}

static unsigned int open_files(void)
{
	DIR *d = opendir("/proc/self/fd");
	unsigned int n = 0;

	while (d && readdir(d))
		n++;
	CHECK(d && !closedir(d));
	return n;
}

UNIT(what_a_target_has_mapped_is_told_once_and_not_by_each_pmc)
{
	static struct story s;
	struct brood b = begin_brood();
	unsigned int maps = 0, again = 0;
	int fd = start_log(), n;
	size_t i, j;

	for (n = 0; n < 2; n++)
		CHECK_PMC(pmc_attach(sampler(), b.parent));
	CHECK_PMC(pmc_close_logfile());
	read_log(&s, fd);
	CHECK_U64(s.attaches, 2);
	for (i = 0; i < s.nmaps; i++) {
		maps += s.maps[i].pid == (uint32_t)b.parent;
		for (j = 0; j < i; j++)
			again += s.maps[i].pid == s.maps[j].pid &&
				 s.maps[i].start == s.maps[j].start;
	}
	CHECK(maps > 0);
	CHECK_U64(again, 0);
	close(fd);
	end_brood(&b);
}

UNIT(a_pmc_that_is_released_leaves_no_event)
{
	struct brood b = begin_brood();
	int fd = start_log(), round;
	unsigned int files = 0;
	pmc_id_t id;

	/* The rings come with the first attach, and stay. */
	for (round = 0; round < 3; round++) {
		id = sampler();
		CHECK_PMC(pmc_attach(id, b.parent));
		CHECK_PMC(pmc_attach(id, b.child));
		CHECK_PMC(pmc_release(id));
		CHECK(!round || open_files() == files);
		files = open_files();
	}
	CHECK_PMC(pmc_close_logfile());
	close(fd);
	end_brood(&b);
}

/* Takes all descriptors but one.  The hard limit too: the collector raises the other itself. */
static size_t take_descriptors(int taken[], size_t most)
{
	struct rlimit limit = {open_files() + most / 2, open_files() + most / 2};
	size_t n = 0;

	CHECK(!setrlimit(RLIMIT_NOFILE, &limit));
	while (n < most && (taken[n] = dup(STDERR_FILENO)) >= 0)
		n++;
	CHECK(n > 0 && n < most && !close(taken[--n]));
	return n;
}

/* The child gets events of its own then, one on each CPU. */
UNIT(a_detach_that_finds_no_room_leaves_all_as_it_was)
{
	struct brood b = begin_brood();
	int fd = start_log(), taken[64], failed = 1;
	pmc_id_t id = sampler();
	unsigned int files, rounds = 0;
	size_t n;

	CHECK_PMC(pmc_attach(id, b.parent));
	CHECK_PMC(pmc_attach(id, b.child));
	n = take_descriptors(taken, 64);
	files = open_files();
	while (n && (failed = pmc_detach(id, b.parent))) {
		CHECK(errno == EMFILE);
		CHECK_U64(open_files(), files);
		close(taken[--n]);
		files--;
		rounds++;
	}
	CHECK(!failed);
	CHECK(rounds > 0);
	while (n)
		close(taken[--n]);
	CHECK_PMC(pmc_release(id));
	CHECK_PMC(pmc_close_logfile());
	close(fd);
	end_brood(&b);
}

UNIT(a_side_band_that_follows_children_takes_the_place_of_one_that_does_not)
{
	struct brood b = begin_brood();
	unsigned int files = 0, round;
	int fd = start_log();
	pmc_id_t id, alone;

	/* The last time the other one is there before. */
	for (round = 0; round < 3; round++) {
		id = sampler();
		CHECK_PMC(pmc_allocate("task-clock", PMC_MODE_TS, 0, PMC_CPU_ANY, &alone, MS));
		CHECK_PMC(pmc_attach(round == 2 ? alone : id, b.child));
		CHECK_PMC(pmc_attach(round == 2 ? id : alone, b.child));
		CHECK(!round || open_files() == files);
		files = open_files();
		CHECK_PMC(pmc_release(id));
		CHECK_PMC(pmc_release(alone));
	}
	CHECK_PMC(pmc_close_logfile());
	close(fd);
	end_brood(&b);
}

/* A PMC that samples the process alone, and one that follows its children and comes behind it. */
static pmc_id_t attach_two(pid_t pid)
{
	pmc_id_t alone = PMC_ID_INVALID, id;

	CHECK_PMC(pmc_allocate("task-clock", PMC_MODE_TS, 0, PMC_CPU_ANY, &alone, MS));
	CHECK_PMC(pmc_attach(alone, pid));
	id = sampler();
	CHECK_PMC(pmc_attach(id, pid));
	CHECK_PMC(pmc_start(id));
	return id;
}

UNIT(children_are_told_of_beside_a_pmc_that_does_not_follow_them)
{
	static struct story s;
	int fd = start_log(), gate;
	siginfo_t info;
	pmc_id_t id;

	s.target = (uint32_t)run("family", NULL, &gate);
	id = attach_two((pid_t)s.target);
	close(gate);
	/* It is told how long it ran for as long as nobody has waited for it. */
	CHECK(!waitid(P_PID, s.target, &info, WEXITED | WNOWAIT));
	CHECK_PMC(pmc_close_logfile());
	waitpid((pid_t)s.target, NULL, 0);
	read_log(&s, fd);
	CHECK_U64(s.forks, 1);
	CHECK(s.child_exec && s.exit_child);
	CHECK_U64(s.strangers, 0);
	CHECK_U64(s.unmapped, 0);
	CHECK_U64(s.ran, id);
}

UNIT(running_children_are_told_of_beside_a_pmc_that_does_not_follow_them)
{
	static struct story s;
	struct brood b = begin_brood();
	int fd = start_log();
	pmc_id_t id;

	id = attach_two(b.parent);
	record_child(&s, &b, fd, id);
	CHECK_U64(s.ran, id);
}

UNIT(a_child_is_attached_anew_by_another_pmc)
{
	static struct story s;
	struct brood b = begin_brood();
	int fd = start_log();
	pmc_id_t id = sampler(), anew;

	CHECK_PMC(pmc_attach(id, b.parent));
	CHECK_PMC(pmc_attach(id, b.child));
	CHECK_PMC(pmc_detach(id, b.parent));
	CHECK_PMC(pmc_release(id));
	anew = sampler();
	CHECK_PMC(pmc_attach(anew, b.child));
	CHECK_PMC(pmc_start(anew));
	record_child(&s, &b, fd, anew);
}

UNIT(counts_of_a_process_include_its_threads)
{
	int gate, status;
	pmc_id_t id, with_children;
	pmc_value_t alone = 0, both = 0, old = 0;
	pid_t pid;

	CHECK(!pmc_set_collector("perf"));
	CHECK_PMC(pmc_init());
	CHECK_PMC(
		pmc_allocate("task-clock", PMC_MODE_TC, PMC_F_START_ON_EXEC, PMC_CPU_ANY, &id, 0));
	CHECK_PMC(pmc_allocate("task-clock", PMC_MODE_TC, PMC_F_START_ON_EXEC | PMC_F_DESCENDANTS,
			       PMC_CPU_ANY, &with_children, 0));
	pid = run("family", NULL, &gate);
	CHECK_PMC(pmc_attach(id, pid));
	CHECK_PMC(pmc_attach(with_children, pid));
	CHECK_PMC(pmc_start(id));
	CHECK_PMC(pmc_start(with_children));
	close(gate);
	waitpid(pid, &status, 0);
	CHECK_PMC(pmc_stop(id));
	CHECK_PMC(pmc_stop(with_children));
	CHECK_PMC(pmc_read(id, &alone));
	CHECK_PMC(pmc_read(with_children, &both));
	/* Nanoseconds: three spins, and a fourth in the grandchild. */
	CHECK(alone >= 3ull * SPIN_MS * MS && alone < 4ull * SPIN_MS * MS);
	CHECK(both >= alone + (uint64_t)SPIN_MS * MS);
	CHECK_PMC(pmc_rw(id, 1000, &old));
	CHECK_U64(old, alone);
	CHECK_PMC(pmc_read(id, &old));
	CHECK_U64(old, 1000);
	CHECK_PMC(pmc_release(id));
	CHECK_PMC(pmc_release(with_children));
}

static void *touch(void *pages)
{
	size_t i, n = *(size_t *)pages, size = (size_t)sysconf(_SC_PAGESIZE);
	volatile char *p =
		mmap(NULL, n * size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	CHECK(p != MAP_FAILED);
	madvise((void *)p, n * size, MADV_NOHUGEPAGE);
	for (i = 0; i < n; i++)
		p[i * size] = 1;
	munmap((void *)p, n * size);
	return NULL;
}

UNIT(a_pmc_of_one_thread_counts_nobody_else)
{
	size_t mine = 500, others = 5000;
	pmc_value_t value = 0;
	struct pmc_count count;
	pthread_t thread;
	pmc_id_t id, all;
	uint32_t msr;

	CHECK(!pmc_set_collector("perf"));
	CHECK_PMC(pmc_init());
	CHECK_PMC(pmc_allocate("page-faults", PMC_MODE_TC, 0, PMC_CPU_ANY, &all, 0));
	CHECK_PMC(pmc_attach(all, 0));
	CHECK_PMC(pmc_allocate("page-faults", PMC_MODE_TC, PMC_F_SELF, PMC_CPU_ANY, &id, 10000));
	CHECK(pmc_attach(id, getppid()) == -1 && errno == EINVAL);
	CHECK_PMC(pmc_start(all));
	CHECK_PMC(pmc_start(id));
	touch(&mine);
	CHECK(!pthread_create(&thread, NULL, touch, &others));
	CHECK(!pthread_join(thread, NULL));
	CHECK_PMC(pmc_read(id, &value));
	CHECK(value >= 10000 + mine && value < 10000 + mine + others);
	CHECK_PMC(pmc_read_count(id, &count));
	CHECK(count.value >= value && count.enabled && count.running);
	/* No counter of the CPU counts faults. */
	CHECK(pmc_get_msr(id, &msr) == -1 && errno == ENOSYS);
	CHECK_PMC(pmc_stop(id));
	CHECK_PMC(pmc_rw(id, 5, &value));
	CHECK_PMC(pmc_read(id, &value));
	CHECK_U64(value, 5);
	CHECK_PMC(pmc_detach(id, 0));
	CHECK_PMC(pmc_release(id));
	/* The other PMC still has its target. */
	touch(&mine);
	CHECK_PMC(pmc_read(all, &value));
	CHECK(value >= 2 * mine + others);
	CHECK_PMC(pmc_release(all));
	CHECK(pmc_allocate("page-faults", PMC_MODE_TS, PMC_F_SELF, PMC_CPU_ANY, &id, 1) == -1);
	CHECK_U64(errno, EINVAL);
}

/* Where there are counters that programs may read, both ways of reading agree. */
UNIT(the_page_and_the_system_call_tell_the_same)
{
	pmc_value_t before, page;
	struct pmc_count count;
	pmc_id_t id;
	int i;

	CHECK(!pmc_set_collector("perf"));
	CHECK_PMC(pmc_init());
	if (pmc_allocate("instructions:u", PMC_MODE_TC, PMC_F_SELF, PMC_CPU_ANY, &id, 0) &&
	    pmc_allocate("cycles:u", PMC_MODE_TC, PMC_F_SELF, PMC_CPU_ANY, &id, 0)) {
		printf("# not tried: %s\n", pmc_error());
		return;
	}
	CHECK_PMC(pmc_start(id));
	for (i = 0; i < 1000; i++) {
		CHECK_PMC(pmc_read_count(id, &count));
		before = count.value;
		CHECK_PMC(pmc_read(id, &page));
		CHECK_PMC(pmc_read_count(id, &count));
		CHECK(before <= page && page <= count.value);
	}
	CHECK_PMC(pmc_stop(id));
	CHECK_PMC(pmc_read_count(id, &count));
	CHECK_PMC(pmc_read(id, &page));
	CHECK_U64(page, count.value);
	CHECK_PMC(pmc_release(id));
}

UNIT(a_program_that_profiles_itself_does_not_see_the_pump)
{
	static struct story s;
	int fd = start_log();
	pmc_id_t id;

	CHECK_PMC(pmc_allocate("cpu-clock", PMC_MODE_TS, 0, PMC_CPU_ANY, &id, MS));
	CHECK_PMC(pmc_attach(id, 0));
	CHECK_PMC(pmc_start(id));
	spin(NULL);
	CHECK_PMC(pmc_flush_logfile());
	spin(NULL);
	CHECK_PMC(pmc_release(id));
	CHECK_PMC(pmc_close_logfile());
	s.target = (uint32_t)getpid();
	read_log(&s, fd);
	CHECK_U64(s.strangers, 0);
	CHECK_U64(s.ntasks, 1);
	CHECK(s.samples >= SPIN_MS);
}

UNIT(a_target_that_is_gone_is_an_error_and_not_a_crash)
{
	int fd = start_log();
	pid_t pid = fork();
	pmc_id_t id;

	if (pid == 0)
		_exit(0);
	CHECK_PMC(pmc_allocate("cpu-clock", PMC_MODE_TS, 0, PMC_CPU_ANY, &id, MS));
	/* A zombie still has its pid, but nothing that could be profiled. */
	waitid(P_PID, (id_t)pid, &(siginfo_t){0}, WEXITED | WNOWAIT);
	CHECK(pmc_attach(id, pid) == -1);
	CHECK(pmc_error()[0]);
	waitpid(pid, NULL, 0);
	CHECK(pmc_attach(id, pid) == -1);
	CHECK_PMC(pmc_release(id));
	CHECK_PMC(pmc_close_logfile());
	close(fd);
}

/* Whether perf_event_open(2) is there for this user; says why not. */
static bool works(void)
{
	pmc_id_t id;
	bool ok;

	ok = !pmc_set_collector("perf") && !pmc_init() &&
	     !pmc_allocate("cpu-clock", PMC_MODE_TS, 0, PMC_CPU_ANY, &id, MS) && !pmc_release(id);
	if (!ok)
		printf("1..0 # SKIP %s\n", pmc_error());
	return ok;
}

int main(int argc, char **argv)
{
	static const struct unit tests[] = {
		UNIT_ENTRY(a_command_is_recorded_from_its_exec_with_threads_child_and_library),
		UNIT_ENTRY(every_thread_of_a_running_process_is_attached_once),
		UNIT_ENTRY(a_child_that_was_attached_too_is_counted_when_its_parent_is_detached),
		UNIT_ENTRY(a_group_stays_one_when_threads_come_and_targets_go),
		UNIT_ENTRY(a_child_is_sampled_when_its_parent_is_detached),
		UNIT_ENTRY(a_child_has_its_maps_told_when_its_parents_pmc_is_released),
		UNIT_ENTRY(what_a_target_has_mapped_is_told_once_and_not_by_each_pmc),
		UNIT_ENTRY(a_pmc_that_is_released_leaves_no_event),
		UNIT_ENTRY(a_detach_that_finds_no_room_leaves_all_as_it_was),
		UNIT_ENTRY(a_side_band_that_follows_children_takes_the_place_of_one_that_does_not),
		UNIT_ENTRY(children_are_told_of_beside_a_pmc_that_does_not_follow_them),
		UNIT_ENTRY(running_children_are_told_of_beside_a_pmc_that_does_not_follow_them),
		UNIT_ENTRY(a_child_is_attached_anew_by_another_pmc),
		UNIT_ENTRY(counts_of_a_process_include_its_threads),
		UNIT_ENTRY(a_pmc_of_one_thread_counts_nobody_else),
		UNIT_ENTRY(the_page_and_the_system_call_tell_the_same),
		UNIT_ENTRY(a_program_that_profiles_itself_does_not_see_the_pump),
		UNIT_ENTRY(a_target_that_is_gone_is_an_error_and_not_a_crash),
	};
	pid_t pid;
	int status;

	if (argc > 1 && !strcmp(argv[1], "grandchild"))
		return grandchild();
	if (argc > 1 && !strcmp(argv[1], "family"))
		return family();
	if (argc > 2 && !strcmp(argv[1], "crowd"))
		return crowd(atoi(argv[2]));
	if (argc > 2 && !strcmp(argv[1], "brood"))
		return brood(atoi(argv[2]));
	/* In a child, so that the tests' own children do not find a collector that is open. */
	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		bool ok = works();

		fflush(stdout);
		_exit(ok ? 0 : 1);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid || status)
		return 0;
	return unit_run(tests, sizeof(tests) / sizeof(tests[0]));
}
