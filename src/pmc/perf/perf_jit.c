// SPDX-License-Identifier: BSD-2-Clause
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/date.h"
#include "base/hash.h"
#include "base/perf_map.h"
#include "base/proc_text.h"
#include "base/vec.h"
#include "pmc/perf/perf_jit.h"
#include "pmc/proc_list.h"

/* No more of these than a machine at work has: the processes may not mean us well. */
enum {
	PROCESSES_MAX = 4096,
	RANGES_MAX = 4096,  /* of one process */
	PCS_MAX = 1 << 22,  /* of all processes */
	WORK_MAX = 1 << 26, /* addresses that the lines of one file cover, each time counted */
};

/* ns between two tellings of a process's names. */
#define TELL_FIRST UINT64_C(1000000000)
#define TELL_LAST  UINT64_C(32000000000)

struct range {
	uint64_t start, end;
};

struct perf_jit_process {
	struct perf_jit_process *next;
	uint32_t pid;
	uint32_t own_pid;    /* as it knows itself, in its pid namespace */
	uint32_t parent_pid; /* likewise of whom it has its memory; 0: of nobody */
	int tmp;	     /* its /tmp, where that is not ours; -1 */
	uid_t user;
	time_t since, parent_since;   /* when they were started, or a little before */
	VEC(struct range) ranges;     /* memory without a file, by address, disjoint */
	VEC(uint64_t) pcs;	      /* sampled addresses there */
	struct table by_pc;	      /* index into pcs */
	size_t told;		      /* of pcs: whose names were looked for */
	uint64_t next_tell, tell_gap; /* when that is due again, and how much later then */
};

static struct perf_jit_process **place_of(struct perf_jit *jit, uint32_t pid)
{
	struct perf_jit_process **p = &jit->bucket[pid % PERF_JIT_BUCKETS];

	while (*p && (*p)->pid != pid)
		p = &(*p)->next;
	return p;
}

static void process_free(struct perf_jit *jit, struct perf_jit_process *p)
{
	jit->processes--;
	jit->pcs -= p->pcs.n;
	if (p->tmp >= 0)
		close(p->tmp);
	vec_free(&p->ranges);
	vec_free(&p->pcs);
	table_clear(&p->by_pc);
	free(p);
}

/* The last number of a line of /proc/PID/status, or its second; fallback without the line. */
static uint32_t status_number(const char *status, const char *key, bool last, uint32_t fallback)
{
	const char *line = strstr(status, key), *p;
	char *end;
	unsigned long v;
	int n = 0;

	for (p = line ? line + strlen(key) : ""; *p && *p != '\n'; p = end, n++) {
		v = strtoul(p, &end, 10);
		if (end == p)
			break;
		fallback = (uint32_t)v;
		if (!last && n)
			break;
	}
	return fallback;
}

/* When the process was started, in seconds since 1970. */
static time_t start_time(uint32_t pid)
{
	struct timespec now = {0}, up = {0};
	struct proc_stat stat;
	char path[64];

	clock_gettime(CLOCK_REALTIME, &now);
	clock_gettime(CLOCK_BOOTTIME, &up);
	snprintf(path, sizeof(path), "/proc/%u/stat", pid);
	if (!proc_read_stat(path, &stat))
		return now.tv_sec - DATE_SLACK;
	return now.tv_sec - up.tv_sec +
	       (time_t)(stat.started / (unsigned long)sysconf(_SC_CLK_TCK)) - DATE_SLACK;
}

/* Opens its /tmp unless it is ours: it will not be reachable when the process is gone. */
static int open_tmp(uint32_t pid)
{
	struct stat ours, its;
	char path[64];

	snprintf(path, sizeof(path), "/proc/%u/root/tmp", pid);
	if (stat(path, &its) || stat("/tmp", &ours) ||
	    (its.st_dev == ours.st_dev && its.st_ino == ours.st_ino))
		return -1;
	return open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
}

/* While the process lives: who it is, for when it does no more. */
static struct perf_jit_process *process_new(struct perf_jit *jit, uint32_t pid)
{
	struct perf_jit_process *p;
	char path[64], status[4096];

	if (jit->processes >= PROCESSES_MAX || !(p = calloc(1, sizeof(*p))))
		return NULL;
	snprintf(path, sizeof(path), "/proc/%u/status", pid);
	if (proc_read_text(path, status, sizeof(status)) < 0)
		status[0] = '\0';
	p->pid = pid;
	p->own_pid = status_number(status, "\nNSpid:", true, pid);
	p->user = status_number(status, "\nUid:", false, geteuid());
	p->since = start_time(pid);
	p->tmp = open_tmp(pid);
	jit->processes++;
	p->next = jit->bucket[pid % PERF_JIT_BUCKETS];
	jit->bucket[pid % PERF_JIT_BUCKETS] = p;
	return p;
}

/* The first range that ends at address or behind it. */
static size_t range_at(const struct perf_jit_process *p, uint64_t address)
{
	return address ? vec_above(&p->ranges, end, address - 1) : 0;
}

static void add_range(struct perf_jit_process *p, struct range add)
{
	size_t first = range_at(p, add.start), end;

	for (end = first; end < p->ranges.n && p->ranges.v[end].start <= add.end; end++) {
		if (p->ranges.v[end].start < add.start)
			add.start = p->ranges.v[end].start;
		if (p->ranges.v[end].end > add.end)
			add.end = p->ranges.v[end].end;
	}
	if (end > first) {
		p->ranges.v[first] = add;
		vec_remove(&p->ranges, first + 1, end - first - 1);
	} else if (p->ranges.n < RANGES_MAX) {
		(void)vec_insert(&p->ranges, first, add);
	}
}

void perf_jit_map(struct perf_jit *jit, const struct proc_map *map)
{
	struct perf_jit_process *p;

	if (!perf_map_is_anonymous(map->path) || map->start + map->length < map->start)
		return;
	p = *place_of(jit, map->pid);
	if (!p)
		p = process_new(jit, map->pid);
	if (p)
		add_range(p, (struct range){map->start, map->start + map->length});
}

static void note_pc(struct perf_jit *jit, struct perf_jit_process *p, uint64_t pc)
{
	uint32_t hash = hash_u64(pc), i;
	struct table_iter it;

	for (i = table_first(&p->by_pc, hash, &it); i != TABLE_NONE; i = table_next(&p->by_pc, &it))
		if (p->pcs.v[i] == pc)
			return;
	if (jit->pcs >= PCS_MAX || vec_push(&p->pcs, pc))
		return;
	if (table_insert(&p->by_pc, hash, (uint32_t)(p->pcs.n - 1)))
		p->pcs.n--;
	else
		jit->pcs++;
}

void perf_jit_sample(struct perf_jit *jit, const struct pmclog_chain *chain)
{
	struct perf_jit_process *p;
	uint32_t i;

	if (!jit->processes || !(p = *place_of(jit, chain->pid)))
		return;
	for (i = 0; i < chain->npcs; i++) {
		const uint64_t *pc = &chain->pcs[i];
		/* A return address may lie behind the last byte of the caller. */
		bool exact = pmclog_chain_marks(chain->exact, i);
		uint64_t at = *pc - (i && !(pc[-1] >> 63) && !exact);
		size_t r = *pc >> 63 ? p->ranges.n : range_at(p, at + 1);

		if (r < p->ranges.n && p->ranges.v[r].start <= at)
			note_pc(jit, p, at);
	}
}

void perf_jit_fork(struct perf_jit *jit, uint32_t parent, uint32_t child)
{
	struct perf_jit_process *from = *place_of(jit, parent), *to;
	const struct range *r;

	if (!from || *place_of(jit, child) || !(to = process_new(jit, child)))
		return;
	to->parent_pid = from->own_pid;
	to->parent_since = from->since;
	vec_each(r, &from->ranges)
		add_range(to, *r);
}

/* One reading of a file. */
struct naming {
	const struct perf_jit_process *p;
	uint64_t *pcs;	   /* those to be named, sorted */
	uint32_t *line_of; /* for each the last line that covers it */
	size_t n;
	size_t work;
	struct pmclog_writer *w;
	uint64_t time;
};

/* The first of the sampled addresses that is not below address. */
static size_t pc_from(const struct naming *n, uint64_t address)
{
	size_t lo = 0, hi = n->n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (n->pcs[mid] < address)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

static int find_line(void *arg, uint32_t line, const struct perf_map_symbol *s)
{
	struct naming *n = arg;
	size_t i = pc_from(n, s->start);

	for (; i < n->n && n->pcs[i] - s->start < s->size; i++) {
		n->line_of[i] = line;
		n->work++;
	}
	return n->work > WORK_MAX;
}

static int write_line(void *arg, uint32_t line, const struct perf_map_symbol *s)
{
	struct naming *n = arg;
	size_t i = pc_from(n, s->start);

	for (; i < n->n && n->pcs[i] - s->start < s->size; i++) {
		if (n->line_of[i] == line) {
			pmclog_write_map_in(n->w, n->time,
					    &(struct pmclog_map){.pid = n->p->pid,
								 .start = s->start,
								 .length = s->size,
								 .path = PERF_MAP_OBJECT,
								 .symbol = s->name});
			return 0;
		}
		n->work++;
	}
	return n->work > 2 * (size_t)WORK_MAX;
}

/*
 * The file that a process left: under the name that it knows itself by where it has its /tmp, in
 * ours under the name that we know it by, or else the one of the process that it has its memory of.
 */
static int open_map(const struct perf_jit_process *p)
{
	int ours = open("/tmp", O_PATH | O_DIRECTORY | O_CLOEXEC), its = p->tmp, fd;

	if (its < 0)
		its = ours;
	fd = perf_map_open(its, p->own_pid, p->user, p->since);
	if (fd < 0 && (its != ours || p->own_pid != p->pid))
		fd = perf_map_open(ours, p->pid, p->user, p->since);
	if (fd < 0 && p->parent_pid)
		fd = perf_map_open(its, p->parent_pid, p->user, p->parent_since);
	if (ours >= 0)
		close(ours);
	return fd;
}

static int by_value(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

/*
 * Writes the names of the addresses that were noted from index first on.  Twice over the file,
 * since the last line of an address names it, and names need no memory so.
 */
static void write_names(const struct perf_jit_process *p, size_t first, struct pmclog_writer *w,
			uint64_t time)
{
	struct naming n = {.p = p, .n = p->pcs.n - first, .w = w, .time = time};
	int fd = n.n ? open_map(p) : -1;

	if (fd < 0)
		return;
	n.pcs = malloc(n.n * sizeof(*n.pcs));
	n.line_of = malloc(n.n * sizeof(*n.line_of));
	if (n.pcs && n.line_of) {
		memcpy(n.pcs, p->pcs.v + first, n.n * sizeof(*n.pcs));
		qsort(n.pcs, n.n, sizeof(*n.pcs), by_value);
		memset(n.line_of, 0xff, n.n * sizeof(*n.line_of));
		perf_map_read(fd, find_line, &n);
		perf_map_read(fd, write_line, &n);
	}
	free(n.pcs);
	free(n.line_of);
	close(fd);
}

void perf_jit_tell(struct perf_jit *jit, struct pmclog_writer *w, uint64_t time)
{
	struct perf_jit_process *p;
	size_t i;

	for (i = 0; jit->processes && i < PERF_JIT_BUCKETS; i++)
		for (p = jit->bucket[i]; p; p = p->next) {
			if (p->told == p->pcs.n || time < p->next_tell)
				continue;
			write_names(p, p->told, w, time);
			p->told = p->pcs.n;
			/* Files grow, and are read whole: more and more rarely. */
			p->tell_gap = p->tell_gap ? p->tell_gap * 2 : TELL_FIRST;
			if (p->tell_gap > TELL_LAST)
				p->tell_gap = TELL_LAST;
			p->next_tell = time + p->tell_gap;
		}
}

void perf_jit_turn(struct perf_jit *jit, struct pmclog_writer *w, uint64_t time)
{
	struct perf_jit_process *p;
	size_t i;

	for (i = 0; jit->processes && i < PERF_JIT_BUCKETS; i++)
		for (p = jit->bucket[i]; p; p = p->next) {
			write_names(p, 0, w, time);
			jit->pcs -= p->pcs.n;
			p->pcs.n = p->told = 0;
			table_clear(&p->by_pc);
		}
}

void perf_jit_end(struct perf_jit *jit, uint32_t pid, struct pmclog_writer *w, uint64_t time)
{
	struct perf_jit_process **place = place_of(jit, pid), *p = *place;

	if (!p)
		return;
	if (w)
		write_names(p, 0, w, time);
	*place = p->next;
	process_free(jit, p);
}

void perf_jit_end_all(struct perf_jit *jit, struct pmclog_writer *w, uint64_t time)
{
	size_t i;

	for (i = 0; i < PERF_JIT_BUCKETS; i++)
		while (jit->bucket[i])
			perf_jit_end(jit, jit->bucket[i]->pid, w, time);
}
