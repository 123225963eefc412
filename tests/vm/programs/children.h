/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Children of hwpmcctl, which PMCs are attached to, and the operations that make them.  What comes
 * of an operation is told by tell().
 */
#ifndef TESTS_VM_CHILDREN_H
#define TESTS_VM_CHILDREN_H

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "loop.h"
#include "words.h"

/* So many executable maps more, none beside another. */
static void map_code(uint64_t n)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	char *at = mmap(NULL, 2 * n * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	uint64_t i;

	if (n && at == MAP_FAILED)
		_exit(71);
	for (i = 0; i < n; i++)
		if (mprotect(at + 2 * i * page, page, PROT_READ | PROT_EXEC))
			_exit(71);
}

/*
 * A child: 0 in it, which dies with this process, also where that is gone before it runs for the
 * first time.  Here, told is whether there is one, and with ready, a pipe that it writes to, has
 * come so far.
 */
static pid_t bear(const char *name, int *ready)
{
	pid_t parent = getpid(), pid;
	char c;

	fflush(stdout);
	if (ready && pipe(ready))
		exit(71);
	pid = fork();
	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (getppid() != parent)
			_exit(0);
		return 0;
	}
	make(name)->number = pid;
	if (ready) {
		close(ready[1]);
		tell(read(ready[0], &c, 1) == 1 ? 0 : -1);
		close(ready[0]);
	} else {
		tell(pid < 0 ? -1 : 0);
	}
	return pid;
}

static void is_ready(const int *ready)
{
	if (write(ready[1], "", 1) != 1)
		_exit(71);
}

static void spin_always(void)
{
	for (;;)
		__asm__ volatile("");
}

/* child NAME [MAPS]: one that spins */
static void op_child(char **w)
{
	int ready[2];

	if (bear(w[1], w[2] ? ready : NULL))
		return;
	if (w[2]) {
		map_code(number(w[2]));
		is_ready(ready);
	}
	spin_always();
}

/* forks NAME MAPS: one that forks for ever; each child spins for a while */
static void op_forks(char **w)
{
	int ready[2];
	pid_t pid;

	if (bear(w[1], ready))
		return;
	map_code(number(w[2]));
	is_ready(ready);
	for (;;) {
		pid = fork();
		if (!pid) {
			loop(5000000);
			_exit(0);
		}
		waitpid(pid, NULL, 0);
	}
}

/* idle NAME: one that waits */
static void op_idle(char **w)
{
	if (!bear(w[1], NULL))
		for (;;)
			pause();
}

/* becomes NAME MAPS FILE [ARGUMENT]: one that calls exec of the file when there is one */
static void op_becomes(char **w)
{
	int ready[2];

	if (bear(w[1], ready))
		return;
	map_code(number(w[2]));
	is_ready(ready);
	for (;;) {
		execl(w[3], w[3], w[4], NULL);
		usleep(10000);
	}
}

static void *wait_always(void *arg)
{
	for (;;)
		pause();
	return arg;
}

/* threads NAME N: a child with N threads besides its first, which all wait */
static void op_threads(char **w)
{
	unsigned int i, n = number(w[2]);
	int ready[2];
	pthread_t t;

	if (bear(w[1], ready))
		return;
	for (i = 0; i < n; i++)
		if (pthread_create(&t, NULL, wait_always, NULL))
			_exit(71);
	is_ready(ready);
	wait_always(NULL);
}

/* heir: a child that keeps the device open when this process is gone */
static void op_heir(char **w)
{
	pid_t pid;

	(void)w;
	fflush(stdout);
	pid = fork();
	if (!pid) {
		close(0);
		close(1);
		close(2);
		for (;;)
			pause();
	}
	puts("ok");
}

static void op_kill(char **w)
{
	pid_t pid = number(w[1]);

	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	puts("ok");
}

/* This process has had the CPU for so long. */
static void spin_for(uint64_t milliseconds)
{
	clock_t end = clock() + (clock_t)(milliseconds * (CLOCKS_PER_SEC / 1000));

	while (clock() < end)
		loop(50000);
}

/* ---- puppets: processes that do what "does" says ---- */

#define MAX_PUPPETS 16

static struct {
	int to[2], back[2]; /* lines; a pid for each that is done */
} puppets[MAX_PUPPETS];

static unsigned int npuppets;

static void puppet_new(unsigned int n);

/* N generations, each of which is gone when the next has begun; the last has the strings. */
static void chain(uint64_t n)
{
	pid_t pid;

	while (n--) {
		pid = fork();
		if (pid)
			_exit(pid < 0);
	}
}

static void puppet_does(unsigned int n, char **w)
{
	pid_t pid;

	if (!strcmp(w[0], "fork") && !fork())
		puppet_new(number(w[1]));
	if (!strcmp(w[0], "spin"))
		spin_for(number(w[1]));
	if (!strcmp(w[0], "name"))
		prctl(PR_SET_NAME, w[1]);
	if (!strcmp(w[0], "chain"))
		chain(number(w[1]));
	pid = getpid();
	if (write(puppets[n].back[1], &pid, sizeof(pid)) != sizeof(pid) || !strcmp(w[0], "exit"))
		_exit(0);
	if (!strcmp(w[0], "later"))
		spin_for(1000); /* where a CPU is held, its timers are: on PREEMPT_RT */
	if (!strcmp(w[0], "exec") || !strcmp(w[0], "later"))
		execl(w[1], w[1], w[2], NULL);
}

/* Until its strings are cut. */
static void puppet_new(unsigned int n)
{
	char line[64], *w[4] = {NULL};
	pid_t pid = getpid();
	unsigned int i;
	FILE *in;

	for (i = 0; i < MAX_PUPPETS; i++) {
		close(puppets[i].to[1]);
		close(puppets[i].back[0]);
	}
	signal(SIGCHLD, SIG_IGN);
	in = fdopen(puppets[n].to[0], "r");
	if (!in || write(puppets[n].back[1], &pid, sizeof(pid)) != sizeof(pid))
		_exit(71);
	setvbuf(in, NULL, _IONBF, 0);
	while (fgets(line, sizeof(line), in)) {
		w[0] = strtok(line, " \n");
		for (i = 1; i < 3; i++)
			w[i] = strtok(NULL, " \n");
		puppet_does(n, w);
	}
	_exit(0);
}

/* It is done: who it is now. */
static void puppet_await(unsigned int n, const char *name)
{
	pid_t pid;

	if (read(puppets[n].back[0], &pid, sizeof(pid)) != sizeof(pid))
		exit(71);
	make(name)->number = pid;
	make(name)->value = n;
}

/* puppet NAME: one that waits for what it is to do */
static void op_puppet(char **w)
{
	fflush(stdout);
	for (; npuppets < MAX_PUPPETS; npuppets++)
		if (pipe(puppets[npuppets].to) || pipe(puppets[npuppets].back))
			exit(71);
	if (!fork())
		puppet_new(0);
	puppet_await(0, w[1]);
	tell(0);
}

/*
 * does NAME fork OTHER|spin MILLISECONDS|name COMM|chain N|exec FILE [ARGUMENT]|exit: on return it
 * has, or is about to; spin is of its own time, chain: it forks, and is no more, and its child the
 * same, so many times; later FILE: exec behind a second of its own time
 */
static void op_does(char **w)
{
	unsigned int n = find(w[1])->value, other = 0;
	static unsigned int nforked;

	if (!strcmp(w[2], "fork")) {
		other = ++nforked;
		dprintf(puppets[n].to[1], "fork %u\n", other);
		puppet_await(other, w[3]);
	} else {
		dprintf(puppets[n].to[1], "%s %s %s\n", w[2], w[3] ? w[3] : "",
			w[3] && w[4] ? w[4] : "");
	}
	puppet_await(n, w[1]);
	tell(0);
}

#endif
