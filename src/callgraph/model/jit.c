// SPDX-License-Identifier: BSD-2-Clause
/*
 * Code that processes made while they ran.
 *
 * Its names come behind the samples of it, when the process ends, so they are not maps: each
 * process has a space of names, in which the later one takes the place of what it overlaps, and
 * addresses in memory without a file are looked up there when all is known.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/date.h"
#include "base/dwarf_read.h"
#include "base/perf_map.h"
#include "callgraph/model/state.h"

/* That a log can have us read, be it as strange as it may. */
enum { FILES_MAX = 1000 };

/* The names of a process, made if there are none yet; 0 when out of memory. */
static uint32_t jit_space_of(struct cg_builder *b, uint32_t process)
{
	struct cg_process *proc = &b->processes.v[process];
	struct cg_jit_process c = {.pid = proc->pid, .since = proc->since, .end = UINT64_MAX};

	if (proc->jit_space)
		return proc->jit_space;
	c.jit_space = cg_space_new(&b->jit_spaces);
	if (c.jit_space == UINT32_MAX)
		return 0;
	/* Spaces are numbered from 1 on, and used again. */
	if (c.jit_space <= b->jit_processes.n)
		b->jit_processes.v[c.jit_space - 1] = c;
	else if (vec_push(&b->jit_processes, c))
		return 0;
	/* Its file was not looked for, if that of one before it was. */
	if (b->jit_processes_read >= c.jit_space)
		b->jit_processes_read = c.jit_space - 1;
	return proc->jit_space = c.jit_space;
}

/* Spaces are numbered from 1 on, the processes that they are of from 0. */
static struct cg_jit_process *jit_process_of(struct cg_builder *b, uint32_t space)
{
	return &b->jit_processes.v[space - 1];
}

int cg_jit_map(struct cg_builder *b, uint32_t pid, struct cg_image *image)
{
	uint32_t i;

	if (image->kernel || !perf_map_is_anonymous(image->path))
		return 0;
	i = cg_process_living(b, pid);
	image->jit_space = i == CG_NONE ? 0 : jit_space_of(b, i);
	return image->jit_space ? 0 : -1;
}

/* Names [start, start + length). */
static int add_name(struct cg_builder *b, uint32_t space, uint64_t start, uint64_t length,
		    const char *name, size_t len)
{
	struct cg_map map = {
		.start = start, .length = length, .image = strpool_id(b->p.pool, name, len)};
	uint64_t end = start + length < start ? UINT64_MAX : start + length;

	b->renamed = true;
	return map.image == UINT32_MAX ? -1
				       : cg_space_map(&b->jit_spaces, &space, &map, end, false);
}

int cg_jit_name(struct cg_builder *b, const struct pmclog_record *rec)
{
	uint32_t i = cg_process_of(b, rec->u.map_in.pid);
	uint32_t space = i == CG_NONE ? 0 : jit_space_of(b, i);

	if (!space)
		return -1;
	jit_process_of(b, space)->named = true;
	return add_name(b, space, rec->u.map_in.start, rec->u.map_in.length, rec->u.map_in.symbol.s,
			rec->u.map_in.symbol.len);
}

void cg_jit_end(struct cg_builder *b, uint32_t pid, uint64_t tsc)
{
	uint32_t i = cg_process_of(b, pid);
	uint32_t space = i == CG_NONE ? 0 : b->processes.v[i].jit_space;

	if (i != CG_NONE)
		b->processes.v[i].since = tsc;
	if (space && jit_process_of(b, space)->end == UINT64_MAX)
		jit_process_of(b, space)->end = tsc;
}

struct completing {
	struct cg_builder *b;
	uint32_t space;
};

static int complete(void *arg, uint32_t line, const struct perf_map_symbol *s)
{
	struct completing *c = arg;

	(void)line;
	return add_name(c->b, c->space, s->start, s->size, s->name, strlen(s->name));
}

/* Says of the code of the process why the file, last written at mtime, does not name it. */
static int refuse_file(struct cg_builder *b, const struct cg_jit_process *c, time_t mtime,
		       const char *than, time_t t)
{
	char text[256], written[DATE_SIZE], other[DATE_SIZE];
	struct cg_image *image;
	const char *problem;

	date_text(written, mtime);
	date_text(other, t);
	snprintf(text, sizeof(text),
		 "/tmp/perf-%" PRIu32 ".map was not used for process %" PRIu32
		 ": it was last written at %s, %s at %s",
		 c->pid, c->pid, written, than, other);
	problem = strpool_intern(b->p.pool, text);
	if (!problem)
		return -1;
	vec_each(image, &b->p.images)
		if (image->jit_space == c->jit_space)
			image->jit_problem = problem;
	return 0;
}

/*
 * Whether the file was written while the process ran: pids are used again, and files stay.
 * 1, 0, or -1 when out of memory.
 */
static int is_of(struct cg_builder *b, const struct cg_jit_process *c, int fd)
{
	time_t since = cg_date_of(b, c->since), end = cg_date_of(b, c->end);
	struct stat stat;

	if (fstat(fd, &stat))
		return 0;
	if (stat.st_mtime < since - DATE_SLACK)
		return refuse_file(b, c, stat.st_mtime,
				   c->since ? "before that began" : "before the log began", since);
	if (c->end != UINT64_MAX && stat.st_mtime > end + DATE_SLACK)
		return refuse_file(b, c, stat.st_mtime, "after that had ended", end);
	return 1;
}

/* Takes the names of the process's file, if it is that process's.  0, or -1: out of memory. */
static int read_file(struct cg_builder *b, struct cg_jit_process *c, int fd)
{
	struct completing arg = {b, c->jit_space};
	int its = is_of(b, c, fd);

	if (its <= 0)
		return its;
	c->named = c->of_file = true;
	return perf_map_read(fd, complete, &arg);
}

int cg_jit_complete(struct cg_builder *b)
{
	char path[PATH_MAX];
	int dir = -1, fd, status = 0, files = 0;

	if (b->jit_processes_read == b->jit_processes.n || !b->p.origin.time || !b->ticks)
		return 0;
	if (!cg_symbol_store(b))
		return -1;
	snprintf(path, sizeof(path), "%s/tmp", b->symbols.fsroot ? b->symbols.fsroot : "");
	if (symbol_store_is_here(b->p.store))
		dir = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	for (; !status && b->jit_processes_read < b->jit_processes.n; b->jit_processes_read++) {
		struct cg_jit_process *c = &b->jit_processes.v[b->jit_processes_read];

		if (!c->jit_space || c->named || dir < 0 || files == FILES_MAX)
			continue;
		fd = perf_map_open(dir, c->pid, geteuid(), 0);
		if (fd < 0)
			continue;
		status = read_file(b, c, fd);
		files++;
		close(fd);
	}
	if (dir >= 0)
		close(dir);
	return status;
}

static uint32_t hash_of(uint32_t pid, uint64_t end)
{
	return hash_pair(pid, end);
}

/* The process of a pid that ended then; NULL: the log has no code of it. */
static struct cg_jit_process *find_process(struct cg_builder *b, const struct table *t,
					   uint32_t pid, uint64_t end)
{
	struct table_iter it;
	uint32_t i;

	for (i = table_first(t, hash_of(pid, end), &it); i != TABLE_NONE; i = table_next(t, &it))
		if (b->jit_processes.v[i].pid == pid && b->jit_processes.v[i].end == end)
			return &b->jit_processes.v[i];
	return NULL;
}

/* Reads the names up to the end of the block.  0, or -1 when out of memory. */
static int read_names(struct cg_builder *b, const struct table *t, struct dwarf_cursor *c)
{
	struct cg_jit_process *process;
	uint64_t pid, end, start, length;
	const char *name;

	if (dwarf_uleb(c) != CG_JIT_VERSION)
		dwarf_overrun(c);
	while (dwarf_left(c)) {
		pid = dwarf_uleb(c);
		end = dwarf_uleb(c);
		start = dwarf_uleb(c);
		length = dwarf_uleb(c);
		name = dwarf_text(c);
		process = pid > UINT32_MAX ? NULL : find_process(b, t, (uint32_t)pid, end);
		if (c->bad || !process || !process->jit_space)
			continue;
		process->named = process->of_file = true;
		if (add_name(b, process->jit_space, start, length, name, strlen(name)))
			return -1;
	}
	return 0;
}

int cg_jit_unpack(struct cg_builder *b, const uint8_t *block, size_t len, struct err *err)
{
	struct dwarf_cursor c = dwarf_cursor((struct dwarf_bytes){block, len}, 0, false);
	struct table t = {0};
	uint32_t i;
	int failed = 0;

	/* One block has all of them: processes are sorted once. */
	if (b->jit_unpacked)
		return 0;
	b->jit_unpacked = true;
	for (i = 0; i < b->jit_processes.n && !failed; i++)
		failed = table_insert(
			&t, hash_of(b->jit_processes.v[i].pid, b->jit_processes.v[i].end), i);
	if (!failed)
		failed = read_names(b, &t, &c);
	table_clear(&t);
	if (failed)
		return err_nomem(err);
	return c.bad ? err_set(err, EX_DATAERR, "%zu bytes that are no names of version %d", len,
			       CG_JIT_VERSION)
		     : 0;
}

/* A name that samples have. */
struct kept {
	uint32_t space, map; /* as the numbers grow, names came */
};

static int by_map(const void *pa, const void *pb)
{
	const struct kept *a = pa, *b = pb;

	if (a->space != b->space)
		return a->space < b->space ? -1 : 1;
	return (a->map > b->map) - (a->map < b->map);
}

static int keep_name(struct cg_builder *b, const struct kept *k)
{
	const struct cg_jit_process *process = jit_process_of(b, k->space);
	const struct cg_map *map = &b->jit_spaces.maps.v[k->map];

	return vec_push(&b->p.jit_names,
			(struct cg_jit_name){process->pid, process->end, map->start, map->length,
					     strpool_text(b->p.pool, map->image)});
}

int cg_jit_keep(struct cg_builder *b)
{
	VEC(struct kept) kept = {0};
	const struct cg_location *l;
	int failed = 0;
	size_t i;

	vec_each(l, &b->p.locations) {
		struct kept k = {l->image == CG_NONE ? 0 : b->p.images.v[l->image].jit_space, 0};

		if (failed || !k.space || !jit_process_of(b, k.space)->of_file)
			continue;
		k.map = cg_space_find(&b->jit_spaces, k.space, l->address - l->is_return);
		failed = k.map != CG_NO_MAP && vec_push(&kept, k);
	}
	if (kept.n)
		qsort(kept.v, kept.n, sizeof(*kept.v), by_map);
	for (i = 0; i < kept.n && !failed; i++)
		if (!i || by_map(&kept.v[i - 1], &kept.v[i]))
			failed = keep_name(b, &kept.v[i]);
	vec_free(&kept);
	return failed;
}

int cg_jit_forget(struct cg_builder *b)
{
	bool *used = calloc(b->jit_processes.n + 1, sizeof(*used));
	const struct cg_process *proc;
	struct cg_jit_process *c;

	if (!used)
		return -1;
	vec_each(proc, &b->processes)
		used[proc->jit_space] = true;
	vec_each(c, &b->jit_processes) {
		if (!c->jit_space || used[c->jit_space])
			continue;
		cg_space_unref(&b->jit_spaces, c->jit_space);
		c->jit_space = 0;
		/* Another process may get the space. */
		b->renamed = true;
	}
	free(used);
	return cg_spaces_compact(&b->jit_spaces);
}

struct forking {
	struct cg_builder *b;
	uint32_t child;
};

/* What the child has in memory without a file has names of its own from now on. */
static int rename_map(void *arg, struct cg_map *map)
{
	struct forking *f = arg;
	struct cg_image image = f->b->p.images.v[map->image];

	if (!image.jit_space)
		return 0;
	image.jit_space = jit_space_of(f->b, f->child);
	map->image = image.jit_space ? cg_image_intern(f->b, &image) : CG_NONE;
	return map->image == CG_NONE ? -1 : 1;
}

int cg_jit_fork(struct cg_builder *b, uint32_t parent, uint32_t child)
{
	uint32_t from = cg_process_of(b, parent), to = cg_process_of(b, child);
	struct cg_process *processes = b->processes.v;
	struct forking f = {b, to};

	if (from == CG_NONE || to == CG_NONE)
		return -1;
	if (from == to)
		return 0;
	processes[to].jit_space = 0;
	if (!processes[from].jit_space)
		return 0;
	return cg_space_rewrite(&b->spaces, &processes[to].space, rename_map, &f);
}

int cg_jit_find(struct cg_builder *b, uint32_t image, uint64_t address, struct cg_function *f)
{
	const struct cg_spaces *spaces = &b->jit_spaces;
	uint32_t i = cg_space_find(spaces, b->p.images.v[image].jit_space, address);
	struct cg_image jit = {0};

	if (i == CG_NO_MAP)
		return 0;
	jit.path = strpool_intern(b->p.pool, PERF_MAP_OBJECT);
	f->image = jit.path ? cg_image_intern(b, &jit) : CG_NONE;
	/* Outputs may ask every image that has samples for what it is. */
	if (f->image == CG_NONE || !cg_image_symbols(b, &b->p.images.v[f->image]))
		return -1;
	f->name = strpool_text(b->p.pool, spaces->maps.v[i].image);
	f->start = spaces->maps.v[i].start;
	f->end = f->start + spaces->maps.v[i].length;
	f->resolved = true;
	return 1;
}
