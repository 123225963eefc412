// SPDX-License-Identifier: BSD-2-Clause
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/numbers.h"
#include "base/proc_text.h"
#include "pmc/proc_list.h"
#include "pmclog/pmclog_wire.h"

enum { CPUS_MAX = 65536 };

size_t proc_cut_arguments(const char *text, size_t len)
{
	if (len <= PMCLOG_MAX_ARGUMENTS)
		return len;
	return PMCLOG_MAX_ARGUMENTS - !text[PMCLOG_MAX_ARGUMENTS - 1];
}

size_t proc_read_arguments(pid_t pid, char *text, size_t size)
{
	char path[64];
	ssize_t n;

	snprintf(path, sizeof(path), "/proc/%d/cmdline", pid);
	n = proc_read_text(path, text, size);
	return n < 0 ? 0 : (size_t)n;
}

/* Calls each() for every entry of dir that is a number, until it returns non-zero with errno. */
static int each_number(const char *dir, int (*each)(pid_t n, void *arg), void *arg)
{
	DIR *d = opendir(dir);
	struct dirent *e;
	int r = 0;

	if (!d)
		return errno == EMFILE || errno == ENFILE || errno == ENOMEM ? -1 : 0;
	while (!r && (e = readdir(d))) {
		char *end;
		long n = strtol(e->d_name, &end, 10);

		if (end != e->d_name && !*end && n > 0)
			r = each((pid_t)n, arg);
	}
	closedir(d);
	return r;
}

static int add_pid(pid_t pid, void *arg)
{
	struct proc_pids *list = arg;

	return vec_push(&list->pids, pid);
}

int proc_list_all(struct proc_pids *list)
{
	return each_number("/proc", add_pid, list);
}

struct thread_walk {
	pid_t pid;
	struct proc_threads *list;
};

static int add_thread(pid_t tid, void *arg)
{
	struct thread_walk *w = arg;

	return vec_push(&w->list->threads, (struct proc_thread){w->pid, tid});
}

int proc_list_threads(pid_t pid, struct proc_threads *list)
{
	struct thread_walk w = {pid, list};
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	return each_number(path, add_thread, &w);
}

bool proc_read_stat(const char *path, struct proc_stat *stat)
{
	char text[1024], *p;

	if (proc_read_text(path, text, sizeof(text)) < 0)
		return false;
	errno = ESRCH;
	/* Fields are counted behind the name, which may hold anything. */
	p = strrchr(text, ')');
	return p && sscanf(p + 1,
			   " %c %d" /* 5 to 13: */ " %*s %*s %*s %*s %*s %*s %*s %*s %*s"
			   " %llu %llu %llu %llu" /* 18 to 21: */ " %*s %*s %*s %*s %llu",
			   &stat->state, &stat->parent, &stat->user, &stat->system,
			   &stat->children_user, &stat->children_system, &stat->started) == 7;
}

/* The parent of a process; 0 when it is gone. */
static pid_t parent_of(pid_t pid)
{
	struct proc_stat stat;
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	return proc_read_stat(path, &stat) ? stat.parent : 0;
}

bool proc_thread_lives(pid_t pid, pid_t tid)
{
	struct proc_stat stat;
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/task/%d/stat", pid, tid);
	if (!proc_read_stat(path, &stat))
		return errno != ENOENT && errno != ESRCH;
	return stat.state != 'Z' && stat.state != 'X';
}

struct child {
	pid_t parent, pid;
};

static int by_parent(const void *a, const void *b)
{
	const struct child *x = a, *y = b;

	return (x->parent > y->parent) - (x->parent < y->parent);
}

/*
 * Whether it is sure that a process has no child, as a command that is yet to call exec(2).  A list
 * of children that has one may lack others, which of all processes does not.
 */
static bool is_childless(pid_t pid)
{
	struct proc_threads list = {0};
	char path[64], text[2];
	bool r;

	snprintf(path, sizeof(path), "/proc/%d/task/%d/children", pid, pid);
	r = !proc_list_threads(pid, &list) && list.threads.n == 1 &&
	    proc_read_text(path, text, sizeof(text)) == 0;
	vec_free(&list.threads);
	return r;
}

int proc_list_tree(pid_t root, struct proc_pids *list)
{
	struct proc_pids all = {0};
	VEC(struct child) children = {0};
	size_t i, done = list->pids.n;
	pid_t *pid;
	int r;

	if (is_childless(root))
		return vec_push(&list->pids, root);
	r = proc_list_all(&all);
	vec_each(pid, &all.pids)
		if (!r)
			r = vec_push(&children, (struct child){parent_of(*pid), *pid});
	if (children.n)
		qsort(children.v, children.n, sizeof(*children.v), by_parent);
	if (!r)
		r = vec_push(&list->pids, root);
	for (; !r && done < list->pids.n; done++) {
		const struct child key = {list->pids.v[done], 0};
		const struct child *c = children.n ? bsearch(&key, children.v, children.n,
							     sizeof(*children.v), by_parent)
						   : NULL;

		if (!c)
			continue;
		for (i = (size_t)(c - children.v); i && children.v[i - 1].parent == key.parent;)
			i--;
		for (; !r && i < children.n && children.v[i].parent == key.parent; i++)
			r = vec_push(&list->pids, children.v[i].pid);
	}
	vec_free(&all.pids);
	vec_free(&children);
	return r;
}

bool proc_parse_cpus(const char *text, struct proc_cpus *cpus)
{
	uint64_t cpu, last;

	while (*text) {
		if (!numbers_take_range(&text, &cpu, &last) || last >= CPUS_MAX)
			return false;
		for (; cpu <= last; cpu++)
			if (vec_push(&cpus->cpus, (int)cpu))
				return false;
	}
	return true;
}

bool proc_cpus_have(const struct proc_cpus *cpus, int cpu)
{
	const int *p;

	vec_each(p, &cpus->cpus)
		if (*p == cpu)
			return true;
	return false;
}
