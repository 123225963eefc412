// SPDX-License-Identifier: BSD-2-Clause
/*
 * hwpmcctl: one process that does the operations of /dev/hwpmc that its standard input names, one a
 * line, and writes each with what came of it: "ok", the name of an errno, or values.
 *
 * PMCs and children have names.  What stands behind "other" is done by a second process, which
 * shares this one's descriptor.  With the argument "again", what the kernel had nothing left for is
 * done once more.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/perf_event.h>
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
#include <sys/syscall.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

#include "kdrv/hwpmc.h"
#include "loop.h"
#include "words.h"

#define MAX_WORDS 24

static int device = -1;
static bool had_nothing_left;		 /* the kernel, for what was told last */
static volatile sig_atomic_t signals[2]; /* SIGIO, SIGBUS that came */
static pthread_t thread;		 /* of "thread" */
static _Thread_local bool is_other_thread;
static const char *told_by_thread;

static void tell(int result)
{
	const char *what = result < 0 ? strerrorname_np(errno) : "ok";

	had_nothing_left = result < 0 && (errno == ENOMEM || errno == EAGAIN);
	if (is_other_thread)
		told_by_thread = what;
	else
		puts(what);
}

#include "children.h"

static void operate(unsigned long command, void *argument)
{
	tell(ioctl(device, command, argument));
}

static void on_signal(int sig)
{
	signals[sig == SIGBUS]++;
}

/* A copy that nothing can be written to. */
static void *readonly(const struct hwpmc_allocate *a)
{
	void *page =
		mmap(NULL, sizeof(*a), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (page == MAP_FAILED)
		exit(71);
	memcpy(page, a, sizeof(*a));
	mprotect(page, sizeof(*a), PROT_READ);
	return page;
}

static void op_allocate(char **w)
{
	struct hwpmc_allocate a = {
		.mode = number(w[2]),
		.pm_class = number(option(w, "class", "soft")),
		.flags = number(option(w, "flags", "0")),
		.cpu = number(option(w, "cpu", number(w[2]) < 2 ? "0" : "any")),
		.event = 0x20000,
		.type = strtoul(option(w, "type", "1"), NULL, 0),
		.depth = number(option(w, "depth", "0")),
		.config = number(option(w, "config", "task-clock")),
		.config1 = number(option(w, "config1", "0")),
		.config2 = number(option(w, "config2", "0")),
		.count = number(option(w, "count", number(w[2]) % 2 ? "0" : "10000000")),
		.precise = number(option(w, "precise", "0")),
		.pad = number(option(w, "pad", "0")),
	};
	int result;

	memset(a.name, 'x', sizeof(a.name));
	snprintf(a.name, sizeof(a.name), "%s", option(w, "name", "an-event"));
	if (option(w, "unterminated", NULL))
		memset(a.name, 'x', sizeof(a.name));
	result = ioctl(device, HWPMC_PMCALLOCATE, option(w, "readonly", NULL) ? readonly(&a) : &a);
	if (!result)
		make(w[1])->number = a.id;
	tell(result);
}

static void op_id(char **w)
{
	printf("0x%x\n", (unsigned int)number(w[1]));
}

static void with_id(unsigned long command, char **w)
{
	uint32_t id = number(w[1]);

	operate(command, &id);
}

static void op_release(char **w)
{
	with_id(HWPMC_PMCRELEASE, w);
}

static void op_start(char **w)
{
	with_id(HWPMC_PMCSTART, w);
}

static void op_stop(char **w)
{
	with_id(HWPMC_PMCSTOP, w);
}

/* restarts PMC N: stopped and started so many times */
static void op_restarts(char **w)
{
	uint32_t id = number(w[1]);
	uint64_t i;

	for (i = 0; i < number(w[2]); i++)
		if (ioctl(device, HWPMC_PMCSTOP, &id) || ioctl(device, HWPMC_PMCSTART, &id))
			return tell(-1);
	tell(0);
}

static void op_writelog(char **w)
{
	with_id(HWPMC_WRITELOG, w);
}

static void op_attach(char **w)
{
	struct hwpmc_attach a = {.id = number(w[1]), .pid = number(w[2])};

	operate(HWPMC_PMCATTACH, &a);
}

static void op_detach(char **w)
{
	struct hwpmc_attach a = {.id = number(w[1]), .pid = number(w[2])};

	operate(HWPMC_PMCDETACH, &a);
}

/* rw PMC FLAGS [VALUE] */
static void op_rw(char **w)
{
	struct hwpmc_rw a = {.id = number(w[1]), .flags = number(w[2])};
	struct named *n = find(w[1]);
	int result;

	a.value = w[3] ? number(w[3]) : 0;
	result = ioctl(device, HWPMC_PMCRW, &a);
	if (!result && n)
		n->value = a.value;
	tell(result);
}

/* is PMC =|>|< NUMBER|PMC: the value that was read last */
static void op_is(char **w)
{
	const struct named *n = find(w[1]), *other = find(w[3]);
	uint64_t value = n ? n->value : 0, with = other ? other->value : number(w[3]);
	bool yes = *w[2] == '=' ? value == with : *w[2] == '<' ? value < with : value > with;

	if (yes)
		puts("yes");
	else
		printf("no: %llu\n", (unsigned long long)value);
}

static void op_setcount(char **w)
{
	struct hwpmc_setcount a = {.id = number(w[1]), .count = number(w[2])};

	a.pad = number(option(w, "pad", "0"));
	operate(HWPMC_PMCSETCOUNT, &a);
}

static void op_getmsr(char **w)
{
	struct hwpmc_getmsr a = {.id = number(w[1])};

	operate(HWPMC_PMCGETMSR, &a);
}

/* log FILE, or -1, or fd=NUMBER */
static void op_log(char **w)
{
	struct hwpmc_configurelog a = {.cpuid = "a CPU"};

	a.fd = !strncmp(w[1], "fd=", 3) ? atoi(w[1] + 3)
	       : !strcmp(w[1], "-1")	? -1
				     : open(w[1], O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	operate(HWPMC_CONFIGURELOG, &a);
	if (a.fd > 2)
		close(a.fd);
}

/* A failed write sends SIGIO, which may come before the flush has been answered. */
static void op_flushlog(char **w)
{
	int result;

	(void)w;
	do
		result = ioctl(device, HWPMC_FLUSHLOG, NULL);
	while (result && errno == EINTR);
	tell(result);
}

static void op_closelog(char **w)
{
	(void)w;
	operate(HWPMC_CLOSELOG, NULL);
}

/* Of the log; false: there is none, which is told. */
static bool get_logstats(struct hwpmc_logstats *s)
{
	if (!ioctl(device, HWPMC_GETLOGSTATS, s))
		return true;
	tell(-1);
	return false;
}

static void op_logstats(char **w)
{
	struct hwpmc_logstats s;

	(void)w;
	if (!get_logstats(&s))
		return;
	printf("%s samples, %s bytes, %llu lost, %llu dropped, error %s\n",
	       s.samples ? "some" : "no", s.bytes ? "some" : "no", (unsigned long long)s.lost,
	       (unsigned long long)s.dropped, s.error ? strerrorname_np(s.error) : "0");
}

/* loglosses: of what is not samples, as a log is told of it */
static void op_loglosses(char **w)
{
	struct hwpmc_logstats s;

	(void)w;
	if (!get_logstats(&s))
		return;
	printf("%llu records, %llu threads\n", (unsigned long long)s.records_lost,
	       (unsigned long long)s.threads_missed);
}

static void op_cpuinfo(char **w)
{
	struct hwpmc_cpuinfo info;
	int result = ioctl(device, HWPMC_GETCPUINFO, &info);
	unsigned int i;

	(void)w;
	if (result)
		return tell(result);
	printf("%u CPUs,", info.ncpu);
	for (i = 0; i < info.nclass; i++)
		printf(" class %u: %u rows%s", info.classes[i].pm_class, info.classes[i].num,
		       i + 1 < info.nclass ? "," : "\n");
}

/* rowinfo CPU ROW */
static void op_rowinfo(char **w)
{
	static const char *const dispositions[] = {"standalone", "free", "thread"};
	struct hwpmc_rowinfo rows[HWPMC_ROWS_MAX];
	struct hwpmc_pmcinfo info = {.cpu = atoi(w[1]), .nrows = HWPMC_ROWS_MAX};
	const struct hwpmc_rowinfo *row;
	int result;

	info.rows = (uintptr_t)rows;
	result = ioctl(device, HWPMC_GETPMCINFO, &info);
	if (result || !w[2])
		return tell(result);
	row = &rows[number(w[2])];
	if (number(w[2]) >= info.nrows)
		puts("no such row");
	else
		printf("%s %s %s owner %s %s\n", row->name, dispositions[row->disposition % 3],
		       row->enabled ? "enabled" : "disabled",
		       row->owner == getpid() ? "self"
		       : row->owner == -1     ? "none"
					      : "other",
		       *row->event_name ? row->event_name : "-");
}

static void op_rate(char **w)
{
	struct hwpmc_rowinfo rows[HWPMC_ROWS_MAX];
	struct hwpmc_pmcinfo info = {.cpu = atoi(w[1]), .nrows = HWPMC_ROWS_MAX};

	info.rows = (uintptr_t)rows;
	if (ioctl(device, HWPMC_GETPMCINFO, &info))
		return tell(-1);
	printf("%llu\n", (unsigned long long)rows[number(w[2])].rate);
}

static void op_dynevents(char **w)
{
	struct hwpmc_dynevent events[64];
	struct hwpmc_dynevents info = {.pm_class = number(w[1]), .nevents = 64};
	uint32_t i;
	int result;

	info.events = (uintptr_t)events;
	result = ioctl(device, HWPMC_GETDYNEVENTINFO, &info);
	if (result)
		return tell(result);
	for (i = 0; i < info.nevents; i++)
		printf("%s%s", events[i].name, i + 1 < info.nevents ? " " : "\n");
}

/* admin CPU ROW ENABLE */
static void op_admin(char **w)
{
	struct hwpmc_admin a = {.cpu = atoi(w[1]), .row = number(w[2]), .enable = number(w[3])};

	a.pad = number(option(w, "pad", "0"));
	operate(HWPMC_PMCADMIN, &a);
}

static void op_version(char **w)
{
	uint32_t version = 0;
	int result = ioctl(device, HWPMC_GETMODULEVERSION, &version);

	(void)w;
	if (result)
		return tell(result);
	puts(version == HWPMC_VERSION ? "as in hwpmc.h" : "another");
}

/* driverstats: calls and errors of this process since the last time, where nobody else calls */
static void op_driverstats(char **w)
{
	static struct hwpmc_driverstats last;
	struct hwpmc_driverstats s;
	int result = ioctl(device, HWPMC_GETDRIVERSTATS, &s);

	(void)w;
	if (result)
		return tell(result);
	printf("%llu calls, %llu errors\n", (unsigned long long)(s.syscalls - last.syscalls),
	       (unsigned long long)(s.syscall_errors - last.syscall_errors));
	last = s;
}

/* The samples of a PMC's histogram in the kernel's text, and those outside it; -1 with errno. */
static int kgmon(const char *name, uint64_t *inside, uint64_t *outside)
{
	static uint32_t bins[1 << 20];
	struct hwpmc_kgmon a = {.id = number(name), .nbins = sizeof(bins) / sizeof(bins[0])};
	uint64_t i;

	a.bins = (uintptr_t)bins;
	if (ioctl(device, HWPMC_GETKGMON, &a))
		return -1;
	*inside = 0;
	for (i = 0; i < a.nbins && i < sizeof(bins) / sizeof(bins[0]); i++)
		*inside += bins[i];
	*outside = a.outside;
	return 0;
}

static void op_kgmon(char **w)
{
	uint64_t inside, outside;

	if (kgmon(w[1], &inside, &outside))
		return tell(-1);
	printf("%s in the kernel, %s outside\n", inside ? "some" : "none",
	       outside ? "some" : "none");
}

/* waitkgmon PMC: calls the kernel and spins until both were sampled; for at most 100 seconds */
static void op_waitkgmon(char **w)
{
	static char zeros[1 << 20];
	int zero = open("/dev/zero", O_RDONLY | O_CLOEXEC);
	uint64_t inside = 0, outside = 0;
	time_t end = time(NULL) + 100;

	while (!(inside && outside) && time(NULL) < end) {
		if (read(zero, zeros, sizeof(zeros)) < 0 || kgmon(w[1], &inside, &outside))
			break;
		loop(1000000);
	}
	close(zero);
	op_kgmon(w);
}

/* bad NUMBER: an address that is none; unknown NUMBER: a command that there is not */
static void op_bad(char **w)
{
	static const unsigned long commands[] = {
		0,
		HWPMC_CONFIGURELOG,
		0,
		0,
		HWPMC_WRITELOG,
		HWPMC_GETLOGSTATS,
		HWPMC_GETCPUINFO,
		HWPMC_GETDRIVERSTATS,
		HWPMC_GETMODULEVERSION,
		HWPMC_GETPMCINFO,
		HWPMC_GETDYNEVENTINFO,
		HWPMC_PMCADMIN,
		HWPMC_PMCALLOCATE,
		HWPMC_PMCATTACH,
		HWPMC_PMCDETACH,
		HWPMC_PMCGETMSR,
		HWPMC_PMCRELEASE,
		HWPMC_PMCRW,
		HWPMC_PMCSETCOUNT,
		HWPMC_PMCSTART,
		HWPMC_PMCSTOP,
		HWPMC_GETKGMON,
	};
	unsigned int n = number(w[1]);

	operate(n < sizeof(commands) / sizeof(commands[0]) ? commands[n] : n, (void *)16);
}

static void op_unknown(char **w)
{
	char buffer[512] = {0};

	operate(number(w[1]), buffer);
}

static void op_die(char **w)
{
	(void)w;
	puts("ok");
	fflush(stdout);
	kill(getpid(), SIGKILL);
}

/* spin MILLISECONDS of this process' time, most of it not in the clock */
static void op_spin(char **w)
{
	spin_for(number(w[1]));
	puts("ok");
}

/* fifo N: from now on real time, before the kernel's workers; children are, too */
static void op_fifo(char **w)
{
	const struct sched_param param = {.sched_priority = (int)number(w[1])};

	tell(sched_setscheduler(0, SCHED_FIFO, &param));
}

/* user ID [CAPABILITY]: one of capabilities(7), by its number, is kept */
static void op_user(char **w)
{
	struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
	struct __user_cap_data_struct kept[_LINUX_CAPABILITY_U32S_3] = {{0}};
	unsigned int capability = w[2] ? number(w[2]) : 0;
	int r;

	prctl(PR_SET_KEEPCAPS, !!w[2]);
	r = setgid(number(w[1])) || setuid(number(w[1])) ? -1 : 0;
	if (w[2] && !r) {
		kept[capability / 32].permitted = 1u << capability % 32;
		kept[capability / 32].effective = 1u << capability % 32;
		r = (int)syscall(SYS_capset, &header, kept);
	}
	tell(r);
	prctl(PR_SET_DUMPABLE, 1);
}

/* filecap FILE CAPABILITY: whoever executes the file has it */
static void op_filecap(char **w)
{
	struct vfs_cap_data caps = {.magic_etc = VFS_CAP_REVISION_2 | VFS_CAP_FLAGS_EFFECTIVE};
	unsigned int capability = number(w[2]);

	caps.data[capability / 32].permitted = 1u << capability % 32;
	tell(setxattr(w[1], "security.capability", &caps, XATTR_CAPS_SZ_2, 0));
}

static void op_userns(char **w)
{
	(void)w;
	tell(unshare(CLONE_NEWUSER));
}

static void op_signals(char **w)
{
	(void)w;
	printf("%d SIGIO, %d SIGBUS\n", (int)signals[0], (int)signals[1]);
	signals[0] = signals[1] = 0;
}

/* write FILE TEXT */
static void op_write(char **w)
{
	int fd = open(w[1], O_WRONLY);
	ssize_t n = fd < 0 ? -1 : write(fd, w[2], strlen(w[2]));

	tell(n < 0 ? -1 : 0);
	close(fd);
}

/* close: the descriptor alone */
static void op_close(char **w)
{
	(void)w;
	tell(close(device));
	device = -1;
}

/* waitrow CPU ROW: until nobody has it, for at most 100 seconds */
static void op_waitrow(char **w)
{
	struct hwpmc_rowinfo rows[HWPMC_ROWS_MAX];
	struct hwpmc_pmcinfo info = {.cpu = atoi(w[1])};
	unsigned int tries;

	for (tries = 0; tries < 10000; tries++) {
		info.nrows = HWPMC_ROWS_MAX;
		info.rows = (uintptr_t)rows;
		if (ioctl(device, HWPMC_GETPMCINFO, &info))
			return tell(-1);
		if (rows[number(w[2])].disposition == HWPMC_DISP_FREE)
			return tell(0);
		usleep(10000);
	}
	puts("it stays taken");
}

/* hog N [CPU]: N counters of 2 CPUs each or of one, through perf; a second gives them back */
static void op_hog(char **w)
{
	struct perf_event_attr attr = {.size = sizeof(attr), .pinned = 1};
	static int fds[64];
	static unsigned int nfds;
	unsigned int i, ncpus = w[2] ? 1 : 2;

	while (nfds)
		close(fds[--nfds]);
	for (i = 0; i < ncpus * number(w[1]); i++) {
		unsigned int cpu = w[2] ? number(w[2]) : i % 2;
		int fd = (int)syscall(SYS_perf_event_open, &attr, -1, cpu, -1, 0);

		if (fd < 0 || nfds == 64)
			return tell(-1);
		fds[nfds++] = fd;
	}
	tell(0);
}

/* waitcount PMC: until it counts, waitstart PMC: until it can be started; for at most 100 s */
static void op_waitcount(char **w)
{
	struct hwpmc_rw a = {.id = number(w[1]), .flags = PMC_F_OLDVALUE};
	uint64_t first;
	unsigned int tries;

	if (ioctl(device, HWPMC_PMCRW, &a))
		return tell(-1);
	first = a.value;
	for (tries = 0; tries < 10000; tries++) {
		if (ioctl(device, HWPMC_PMCRW, &a))
			return tell(-1);
		if (a.value > first)
			return tell(0);
		usleep(10000);
	}
	puts("it does not count");
}

static void op_waitstart(char **w)
{
	uint32_t id = number(w[1]);
	unsigned int tries;

	for (tries = 0; tries < 10000 && ioctl(device, HWPMC_PMCSTART, &id); tries++)
		usleep(10000);
	tell(tries < 10000 ? 0 : -1);
}

/* Until the field at offset of the log's statistics is so many, for at most 100 seconds. */
static void wait_for(uint64_t many, size_t offset)
{
	struct hwpmc_logstats s = {0};
	unsigned int tries;
	uint64_t value;

	for (tries = 0; tries < 10000; tries++) {
		if (!get_logstats(&s))
			return;
		memcpy(&value, (const char *)&s + offset, sizeof(value));
		if (value >= many)
			return tell(0);
		usleep(10000);
	}
	puts("too few");
}

/* waitstarved N: counters that others took; waitmissed N: threads that got no counter */
static void op_waitstarved(char **w)
{
	wait_for(number(w[1]), offsetof(struct hwpmc_logstats, starved));
}

static void op_waitmissed(char **w)
{
	wait_for(number(w[1]), offsetof(struct hwpmc_logstats, threads_missed));
}

/* waitsamples N: that many more in the file */
static void op_waitsamples(char **w)
{
	struct hwpmc_logstats s = {0};

	if (get_logstats(&s))
		wait_for(s.samples + number(w[1]), offsetof(struct hwpmc_logstats, samples));
}

static void join(char **w, char *line, size_t size)
{
	size_t n = 0;

	for (; *w && n < size; w++)
		n += (size_t)snprintf(line + n, size - n, n ? " %s" : "%s", *w);
}

/* sh COMMAND: what it prints, and its status */
static void op_sh(char **w)
{
	char line[512];

	join(w + 1, line, sizeof(line));
	fflush(stdout);
	printf("status %d\n", WEXITSTATUS(system(line)));
}

/* exec: this program anew, with the rest of its input */
static void op_exec(char **w)
{
	static char *const arguments[] = {"hwpmcctl", NULL};

	(void)w;
	puts("ok");
	fflush(stdout);
	execv("/proc/self/exe", arguments);
	tell(-1);
}

static void run(char *line);

static void serve(int from, int to)
{
	FILE *in = fdopen(from, "r");
	char line[512];

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	while (in && fgets(line, sizeof(line), in)) {
		run(line);
		if (write(to, "", 1) != 1)
			break;
	}
	_exit(0);
}

static void op_other(char **w)
{
	static int to = -1, from;
	int there[2], back[2];
	char line[512], done;

	fflush(stdout);
	if (to < 0) {
		if (pipe(there) || pipe(back))
			exit(71);
		if (!fork())
			serve(there[0], back[1]);
		to = there[1];
		from = back[0];
	}
	join(w + 1, line, sizeof(line) - 1);
	strcat(line, "\n");
	if (write(to, line, strlen(line)) < 0 || read(from, &done, 1) != 1)
		puts("it has gone");
}

static void *run_in_thread(void *line)
{
	is_other_thread = true;
	run(line);
	return NULL;
}

/* thread OPERATION: by another thread of this process; waitthread: what came of it, in the end */
static void op_thread(char **w)
{
	static char line[512];

	join(w + 1, line, sizeof(line));
	tell(pthread_create(&thread, NULL, run_in_thread, line) ? -1 : 0);
}

static void op_waitthread(char **w)
{
	(void)w;
	pthread_join(thread, NULL);
	puts(told_by_thread);
}

static const struct {
	const char *name;
	void (*operation)(char **w);
	int nwords; /* at least */
} operations[] = {
	{"allocate", op_allocate, 3},
	{"id", op_id, 2},
	{"release", op_release, 2},
	{"start", op_start, 2},
	{"stop", op_stop, 2},
	{"restarts", op_restarts, 3},
	{"attach", op_attach, 3},
	{"detach", op_detach, 3},
	{"rw", op_rw, 3},
	{"is", op_is, 4},
	{"setcount", op_setcount, 3},
	{"getmsr", op_getmsr, 2},
	{"log", op_log, 2},
	{"flushlog", op_flushlog, 1},
	{"closelog", op_closelog, 1},
	{"writelog", op_writelog, 2},
	{"logstats", op_logstats, 1},
	{"loglosses", op_loglosses, 1},
	{"cpuinfo", op_cpuinfo, 1},
	{"rowinfo", op_rowinfo, 2},
	{"rate", op_rate, 3},
	{"dynevents", op_dynevents, 2},
	{"admin", op_admin, 4},
	{"version", op_version, 1},
	{"driverstats", op_driverstats, 1},
	{"kgmon", op_kgmon, 2},
	{"waitkgmon", op_waitkgmon, 2},
	{"bad", op_bad, 2},
	{"unknown", op_unknown, 2},
	{"child", op_child, 2},
	{"forks", op_forks, 3},
	{"idle", op_idle, 2},
	{"heir", op_heir, 1},
	{"puppet", op_puppet, 2},
	{"does", op_does, 3},
	{"becomes", op_becomes, 4},
	{"kill", op_kill, 2},
	{"die", op_die, 1},
	{"spin", op_spin, 2},
	{"fifo", op_fifo, 2},
	{"user", op_user, 2},
	{"filecap", op_filecap, 3},
	{"userns", op_userns, 1},
	{"signals", op_signals, 1},
	{"write", op_write, 3},
	{"close", op_close, 1},
	{"hog", op_hog, 2},
	{"exec", op_exec, 1},
	{"waitcount", op_waitcount, 2},
	{"waitstart", op_waitstart, 2},
	{"waitstarved", op_waitstarved, 2},
	{"waitmissed", op_waitmissed, 2},
	{"waitsamples", op_waitsamples, 2},
	{"threads", op_threads, 3},
	{"waitrow", op_waitrow, 3},
	{"sh", op_sh, 2},
	{"thread", op_thread, 2},
	{"waitthread", op_waitthread, 1},
	{"other", op_other, 2},
};

static void run(char *line)
{
	char *w[MAX_WORDS + 1] = {NULL};
	unsigned int i;
	char *rest;
	int n = 0;

	line[strcspn(line, "\n")] = '\0';
	if (!is_other_thread)
		printf(strncmp(line, "other ", 6) ? "%s: " : "other ", line);
	for (char *word = strtok_r(line, " ", &rest); word && n < MAX_WORDS;
	     word = strtok_r(NULL, " ", &rest))
		w[n++] = word;
	for (i = 0; i < sizeof(operations) / sizeof(operations[0]); i++)
		if (!strcmp(operations[i].name, w[0]) && n >= operations[i].nwords) {
			operations[i].operation(w);
			fflush(stdout);
			return;
		}
	puts("not understood");
	exit(64);
}

int main(int argc, char **argv)
{
	bool again = argc > 1 && !strcmp(argv[1], "again");
	struct sigaction action = {.sa_handler = on_signal};
	char line[512], copy[sizeof(line)];

	sigaction(SIGIO, &action, NULL);
	sigaction(SIGBUS, &action, NULL);
	setvbuf(stdin, NULL, _IONBF, 0); /* what exec leaves unread */
	device = open(HWPMC_DEVICE, O_RDWR | O_CLOEXEC);
	if (device < 0) {
		perror(HWPMC_DEVICE);
		return 69;
	}
	while (fgets(line, sizeof(line), stdin)) {
		if (!line[strspn(line, " \n")] || *line == '#')
			continue;
		strcpy(copy, line);
		had_nothing_left = false;
		run(line);
		if (again && had_nothing_left)
			run(copy);
	}
	return 0;
}
