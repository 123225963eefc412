// SPDX-License-Identifier: BSD-2-Clause
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

#include "base/proc_text.h"
#include "pmc/proc_list.h"
#include "pmc/perf/proc_snapshot.h"

bool proc_parse_map(char *line, struct proc_map *map)
{
	unsigned long long start, end, offset, inode;
	unsigned int major, minor;
	char perms[8];
	int at = 0;

	if (sscanf(line, "%llx-%llx %7s %llx %x:%x %llu %n", &start, &end, perms, &offset, &major,
		   &minor, &inode, &at) != 7 ||
	    strlen(perms) < 3 || perms[2] != 'x' || end <= start)
		return false;
	line[strcspn(line, "\n")] = '\0';
	map->start = start;
	map->length = end - start;
	map->file_offset = offset;
	map->major = major;
	map->minor = minor;
	map->inode = inode;
	/* The kernel's own word for it in a PERF_RECORD_MMAP2. */
	map->path = line[at] ? line + at : "//anon";
	return true;
}

static void write_map(const struct proc_snapshot *s, const struct proc_map *map)
{
	struct pmclog_map out = {.pid = map->pid,
				 .start = map->start,
				 .length = map->length,
				 .file_offset = map->file_offset,
				 .device = (uint64_t)map->major << 32 | map->minor,
				 .inode = map->inode,
				 .path = map->path};

	out.build_id_len = proc_images_build_id(s->images, map, &out.build_id);
	pmclog_write_map_in(s->writer, s->now, &out);
	perf_jit_map(s->jit, map);
}

static bool is_executable_of(const struct proc_map *map, const char *exe)
{
	return !strcmp(map->path, exe);
}

/*
 * PROCEXEC, then the maps; both need a file maps, PROCEXEC for the address of the entry.  It is
 * that of thread tid: a first thread that has ended, while others live on, shows none.
 */
static void write_image(const struct proc_snapshot *s, pid_t pid, pid_t tid, uint32_t pmcid,
			const char *comm)
{
	char path[64], exe[4096] = "", arguments[PMCLOG_MAX_ARGUMENTS + 2], *line = NULL;
	struct pmclog_exec exec = {
		.pid = (uint32_t)pid, .pmcid = pmcid, .path = exe, .arguments = arguments};
	struct proc_map map = {.pid = (uint32_t)pid};
	size_t size = 0;
	ssize_t n;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/task/%d/exe", pid, tid);
	n = readlink(path, exe, sizeof(exe) - 1);
	exe[n > 0 ? n : 0] = '\0';
	snprintf(path, sizeof(path), "/proc/%d/task/%d/maps", pid, tid);
	f = fopen(path, "re");
	while (f && exe[0] && !exec.entry && getline(&line, &size, f) > 0)
		if (proc_parse_map(line, &map) && is_executable_of(&map, exe))
			exec.entry = proc_images_entry(&map);
	if (s->arguments)
		exec.arguments_len = proc_cut_arguments(
			arguments, proc_read_arguments(pid, arguments, sizeof(arguments)));
	if (exe[0])
		pmclog_write_procexec(s->writer, s->now, &exec);
	pmclog_write_proc_create(s->writer, s->now, (uint32_t)pid, comm);
	if (f)
		rewind(f);
	while (f && getline(&line, &size, f) > 0)
		if (proc_parse_map(line, &map))
			write_map(s, &map);
	if (f)
		fclose(f);
	free(line);
}

/* The first thread mostly; pid where none lives. */
static pid_t living_thread(pid_t pid, const struct proc_threads *list)
{
	const struct proc_thread *t;

	vec_each(t, &list->threads)
		if (proc_thread_lives(pid, t->tid))
			return t->tid;
	return pid;
}

int proc_snapshot_process(struct proc_snapshot *s, pid_t pid, uint32_t pmcid)
{
	struct proc_threads list = {0};
	struct proc_thread *t;
	char path[64], comm[32];
	pid_t living;
	int r;

	snprintf(path, sizeof(path), "/proc/%d/comm", pid);
	if (proc_read_text(path, comm, sizeof(comm)) < 0)
		return 0;
	r = proc_list_threads(pid, &list);
	living = living_thread(pid, &list);
	write_image(s, pid, living, pmcid, comm);
	vec_each(t, &list.threads) {
		/* A first thread that has ended is listed, but no exit will tell of it. */
		if (t->tid == pid && living != pid)
			continue;
		snprintf(path, sizeof(path), "/proc/%d/task/%d/comm", pid, t->tid);
		if (r || (t->tid != pid && proc_read_text(path, comm, sizeof(comm)) < 0))
			continue;
		if (!perf_tasks_add(s->tasks, (uint32_t)pid, (uint32_t)t->tid, comm))
			r = -1;
		if (t->tid != pid)
			pmclog_write_thr_create(s->writer, s->now, (uint32_t)t->tid, (uint32_t)pid,
						comm);
	}
	vec_free(&list.threads);
	return r;
}

int proc_snapshot_all(struct proc_snapshot *s)
{
	struct proc_pids list = {0};
	pid_t *pid;
	int r = proc_list_all(&list);

	/* The idle loop, which /proc does not list. */
	pmclog_write_proc_create(s->writer, s->now, 0, "swapper");
	vec_each(pid, &list.pids)
		if (!r)
			r = proc_snapshot_process(s, *pid, UINT32_MAX);
	vec_free(&list.pids);
	return r;
}
