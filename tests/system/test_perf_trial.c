// SPDX-License-Identifier: BSD-2-Clause
/*
 * Who asks for a second counter has all of them tried: by libpmc, on counters that this program
 * plays.  Skips where not even events of the kernel's software are to be had, and where root has
 * found out about this machine's already.
 */
#include <dlfcn.h>
#include <linux/perf_event.h>
#include <stdarg.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "pmc/pmc.h"
#include "../unit/tree.h"
#include "../unit/unit.h"

#define ROOTS_FILE "/run/pmcstat-counters"

/* The lowest that is free is given out, above those that somebody else has. */
static struct {
	unsigned int counters, others, dead; /* dead: its number, from 1 */
	int refuses;			     /* errno of all events */
	unsigned int opened, enabled, members;
} machine;

static long play_open(int leader)
{
	int fd;

	machine.opened++;
	machine.members = leader < 0 ? 1 : machine.members + 1;
	if (machine.refuses || machine.members > machine.counters) {
		errno = machine.refuses ? machine.refuses : EINVAL;
		return -1;
	}
	fd = memfd_create("counter", MFD_CLOEXEC);
	/* It has a page, as events have. */
	CHECK(fd >= 0 && !ftruncate(fd, sysconf(_SC_PAGESIZE)));
	return fd;
}

static int play_switch(int fd, unsigned long request)
{
	/* Value, times enabled and running. */
	uint64_t words[3] = {0, 100, 0};
	unsigned int counter;

	if (request != PERF_EVENT_IOC_ENABLE) {
		machine.enabled -= request == PERF_EVENT_IOC_DISABLE;
		return 0;
	}
	counter = machine.others + ++machine.enabled;
	if (counter <= machine.counters)
		words[2] = words[1];
	if (counter <= machine.counters && counter != machine.dead)
		words[0] = 1000000;
	return pwrite(fd, words, sizeof(words), 0) == (ssize_t)sizeof(words) ? 0 : -1;
}

static bool is_played(int fd)
{
	char link[64], name[64] = "";

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	return readlink(link, name, sizeof(name) - 1) > 0 && !strncmp(name, "/memfd:counter", 14);
}

/* In place of the C library's. */
long syscall(long number, ...)
{
	static long (*real)(long, ...);
	long a[6];
	va_list ap;
	int i;

	va_start(ap, number);
	for (i = 0; i < 6; i++)
		a[i] = va_arg(ap, long);
	va_end(ap);
	if (number == SYS_perf_event_open &&
	    ((const struct perf_event_attr *)a[0])->type == PERF_TYPE_HARDWARE)
		return play_open((int)a[3]);
	if (!real)
		*(void **)&real = dlsym(RTLD_NEXT, "syscall");
	return real(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

int ioctl(int fd, unsigned long request, ...)
{
	static int (*real)(int, unsigned long, ...);
	va_list ap;
	void *arg;

	va_start(ap, request);
	arg = va_arg(ap, void *);
	va_end(ap);
	if (is_played(fd))
		return play_switch(fd, request);
	if (!real)
		*(void **)&real = dlsym(RTLD_NEXT, "ioctl");
	return real(fd, request, arg);
}

static struct tree room;
static pmc_id_t ids[8];
static unsigned int nids;

static void begin(unsigned int counters)
{
	memset(&machine, 0, sizeof(machine));
	machine.counters = counters;
	room = tree_new();
	chmod(room.root, 0777);
	setenv("XDG_RUNTIME_DIR", room.root, 1);
	/* What root's user finds is not for the machine that this runs on. */
	CHECK(geteuid() || !seteuid(65534));
	CHECK(!pmc_set_collector("perf") && !pmc_init());
}

static void release_all(void)
{
	while (nids)
		CHECK(!pmc_release(ids[--nids]));
}

static void end(void)
{
	release_all();
	CHECK(!pmc_set_collector("auto"));
	CHECK(getuid() || !seteuid(0));
	tree_free(&room);
}

/* n more of them; the words of the one that is refused. */
static const char *allocate(unsigned int n)
{
	while (n--) {
		if (pmc_allocate("instructions:u", PMC_MODE_TC, 0, PMC_CPU_ANY, &ids[nids], 0))
			return pmc_error();
		nids++;
	}
	return "";
}

/* What the file has behind the id of the boot, in one line. */
static const char *kept(void)
{
	static char text[256];
	char path[PATH_MAX], *p;
	FILE *f = fopen(tree_path(&room, "pmcstat-counters", path), "r");

	if (!f)
		return "nothing";
	text[fread(text, 1, sizeof(text) - 1, f)] = '\0';
	fclose(f);
	for (p = text; (p = strchr(p, '\n'));)
		*p = ' ';
	p = strstr(text, "tried");
	return p ? p : text;
}

UNIT(a_counter_that_counts_nothing_is_found_by_who_wants_two)
{
	begin(6);
	machine.dead = 6;
	CHECK_STR(allocate(1), "");
	CHECK_STR(kept(), "nothing");
	CHECK_STR(allocate(1), "");
	CHECK_STR(kept(), "tried 6 good 5 dead 1 ");
	CHECK_STR(allocate(3), "");
	CHECK_STR(allocate(1), "instructions:u: of 6 counters of this machine 1 count nothing: 5 "
			       "PMCs at once count right, and not more");
	end();
}

UNIT(it_is_tried_once_a_boot)
{
	unsigned int opened;

	begin(6);
	CHECK_STR(allocate(6), "");
	CHECK_STR(kept(), "tried 6 good 6 dead 0 ");
	opened = machine.opened;
	release_all();
	CHECK_STR(allocate(6), "");
	/* One for each PMC. */
	CHECK_U64(machine.opened - opened, 6);
	release_all();
	/* As another process. */
	CHECK(!pmc_set_collector("perf") && !pmc_init());
	opened = machine.opened;
	machine.dead = 2;
	CHECK_STR(allocate(6), "");
	/* And what a process finds out of the event and the row. */
	CHECK_U64(machine.opened - opened, 6 + 7);
	end();
}

UNIT(what_others_have_is_not_called_dead)
{
	begin(6);
	machine.others = 2;
	CHECK_STR(allocate(6), "");
	CHECK_STR(kept(), "nothing");
	end();
}

UNIT(what_cannot_be_kept_holds_for_the_process)
{
	begin(4);
	machine.others = 1;
	machine.dead = 4;
	CHECK_STR(allocate(2), "");
	CHECK_STR(allocate(1), "instructions:u: of 3 counters of this machine 1 count nothing: 2 "
			       "PMCs at once count right, and not more");
	CHECK_STR(kept(), "nothing");
	end();
}

UNIT(who_may_count_nothing_is_not_hindered)
{
	begin(6);
	CHECK_STR(allocate(1), "");
	machine.refuses = EACCES;
	CHECK(strstr(allocate(1), "instructions:u"));
	CHECK_STR(kept(), "nothing");
	machine.refuses = 0;
	CHECK_STR(allocate(5), "");
	CHECK_STR(kept(), "nothing");
	end();
}

UNIT(nothing_is_tried_while_pmcs_of_ours_count)
{
	begin(4);
	machine.dead = 4;
	CHECK_STR(allocate(1), "");
	CHECK(!pmc_attach(ids[0], 0) && !pmc_start(ids[0]));
	CHECK_STR(allocate(1), "");
	CHECK_STR(kept(), "nothing");
	CHECK(!pmc_stop(ids[0]));
	CHECK_STR(allocate(1), "");
	CHECK_STR(kept(), "tried 4 good 3 dead 1 ");
	end();
}

/* In a child, so that the tests do not find a collector that is open. */
static const char *hindrance(void)
{
	int status = -1;
	pid_t pid;

	if (!access(ROOTS_FILE, F_OK))
		return ROOTS_FILE " is there";
	fflush(stdout);
	pid = fork();
	if (pid == 0)
		_exit((!geteuid() && seteuid(65534)) || pmc_set_collector("perf") || pmc_init());
	waitpid(pid, &status, 0);
	return status ? "perf_event_open(2) is not to be had" : "";
}

int main(void)
{
	static const struct unit tests[] = {
		UNIT_ENTRY(a_counter_that_counts_nothing_is_found_by_who_wants_two),
		UNIT_ENTRY(it_is_tried_once_a_boot),
		UNIT_ENTRY(what_others_have_is_not_called_dead),
		UNIT_ENTRY(what_cannot_be_kept_holds_for_the_process),
		UNIT_ENTRY(who_may_count_nothing_is_not_hindered),
		UNIT_ENTRY(nothing_is_tried_while_pmcs_of_ours_count),
	};
	const char *why = hindrance();

	if (!why[0])
		return unit_run(tests, sizeof(tests) / sizeof(tests[0]));
	printf("1..0 # SKIP %s\n", why);
	return 0;
}
