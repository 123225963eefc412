// SPDX-License-Identifier: BSD-2-Clause
#include <elf.h>
#include <errno.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/held_files.h"
#include "base/open_files.h"
#include "pmc/perf/unwind/perf_present.h"
#include "pmc/perf/unwind/perf_spaces.h"
#include "pmc/perf/proc_snapshot.h"

enum {
	MAPS_MAX = 65536,	 /* of a process */
	INHERITED_MAX = 1 << 20, /* by all: a record of fork(2) stands for any number of maps */
	EXITED_MAX = 1024,	 /* processes that are kept for late samples */
	IMAGES_IDLE_MAX = 64,	 /* more than these, and what has exited is forgotten at once */
	TRIES_MAX = 4,		 /* to open a file, each for another process that maps it */
	VDSO_MAX = 65536,	 /* bytes of another process's */
};

#define VDSO   "[vdso]"
#define VDSO32 "[vdso32]"

/* ---- Images. */

static void image_unref(struct perf_spaces *sp, struct space_image *im)
{
	struct space_image **p;

	if (!im || --im->refs)
		return;
	for (p = &sp->image[im->hash % PERF_SPACES_BUCKETS]; *p != im; p = &(*p)->next)
		;
	*p = im->next;
	unwind_image_free(im->unwind);
	free(im);
	sp->images--;
}

static bool is_same_file(const struct space_image *im, const struct proc_map *map,
			 const uint8_t *build_id, size_t build_id_len)
{
	if (strcmp(im->path, map->path) || im->build_id_len != build_id_len)
		return false;
	if (build_id_len)
		return !memcmp(im->build_id, build_id, build_id_len);
	return im->inode == map->inode && im->generation == map->inode_generation &&
	       im->device_major == map->major && im->device_minor == map->minor;
}

/*
 * Whether an open file without build-id is still what its path has: it may have been written into,
 * or have gone, and another one have its inode.
 */
static bool is_current(const struct space_image *im, uint32_t pid)
{
	char path[PATH_MAX + 64];
	struct stat now;

	snprintf(path, sizeof(path), "/proc/%u/root%s", pid, im->path);
	return stat(path, &now) || now.st_ino != im->inode || image_state_is_of(&im->state, &now);
}

/* Memory that no file holds, or one that the kernel made for it. */
static bool has_file(const char *path)
{
	return path[0] == '/' && path[1] != '/' && strncmp(path, "/dev/zero", 9) &&
	       strncmp(path, "/SYSV", 5);
}

/* A file in memory alone: a program that was started from there, or code that one has made. */
static bool is_memfd(const char *path)
{
	return !strncmp(path, "/memfd:", 7);
}

/* The path of a map's image, or the name of the kernel's; NULL: it has none. */
static const char *image_path(const struct proc_map *map)
{
	if (has_file(map->path))
		return map->path;
	if (strcmp(map->path, VDSO) != 0)
		return NULL;
	/* A 32-bit process has all that it has below 4 GiB. */
	return map->start >> 32 ? VDSO : VDSO32;
}

/* The image of a map with another reference; NULL: none, or out of memory. */
static struct space_image *image_ref(struct perf_spaces *sp, const struct proc_map *map,
				     const uint8_t *build_id, size_t build_id_len)
{
	uint32_t hash = build_id_len ? hash_bytes(build_id, build_id_len)
				     : hash_u64(map->inode ^ (uint64_t)map->minor << 48);
	struct space_image **bucket = &sp->image[hash % PERF_SPACES_BUCKETS], *im;
	size_t len = strlen(map->path) + 1;

	if (build_id_len > BUILD_ID_MAX)
		build_id_len = 0;
	for (im = *bucket; im; im = im->next)
		if (im->hash == hash && is_same_file(im, map, build_id, build_id_len) &&
		    (build_id_len || sp->past || !im->unwind || is_current(im, map->pid))) {
			im->refs++;
			return im;
		}
	im = calloc(1, sizeof(*im) + len);
	if (!im)
		return NULL;
	im->refs = 1;
	im->hash = hash;
	im->device_major = map->major;
	im->device_minor = map->minor;
	im->inode = map->inode;
	im->generation = map->inode_generation;
	if (build_id_len)
		memcpy(im->build_id, build_id, build_id_len);
	im->build_id_len = (uint32_t)build_id_len;
	im->code = is_memfd(map->path) ? UNWIND_CODE_JIT : UNWIND_CODE_FILE;
	memcpy(im->path, map->path, len);
	im->next = *bucket;
	*bucket = im;
	sp->images++;
	return im;
}

/* The bytes of an ELF file that lies in our own memory. */
static size_t memory_length(const ElfW(Ehdr) * eh)
{
	const ElfW(Phdr) *ph = (const void *)((const char *)eh + eh->e_phoff);
	size_t end = eh->e_shoff + (size_t)eh->e_shnum * eh->e_shentsize, i;

	for (i = 0; i < eh->e_phnum; i++)
		if (ph[i].p_offset + ph[i].p_filesz > end)
			end = ph[i].p_offset + ph[i].p_filesz;
	return end;
}

/* Our own vDSO, which is every 64-bit process's. */
static struct unwind_image *open_vdso(void)
{
	const ElfW(Ehdr) *eh = (const void *)(uintptr_t)getauxval(AT_SYSINFO_EHDR);

	if (!eh || memcmp(eh->e_ident, ELFMAG, SELFMAG))
		return NULL;
	return unwind_image_of_memory(VDSO, eh, memory_length(eh), NULL);
}

/* That of a 32-bit process, from its memory: NULL if it is gone, or may not be looked into. */
static struct unwind_image *read_vdso32(const struct space_process *process,
					const struct space_map *m)
{
	struct iovec remote = {(void *)(uintptr_t)m->from, m->length}; // NOLINT
	struct iovec local = {.iov_len = m->length};
	struct unwind_image *image = NULL;
	ssize_t got;

	if (m->length > VDSO_MAX || !(local.iov_base = malloc(m->length)))
		return NULL;
	got = process_vm_readv((pid_t)perf_spaces_thread(process), &local, 1, &remote, 1, 0);
	if (got > 0)
		image = unwind_image_of_memory(VDSO32, local.iov_base, (size_t)got, NULL);
	free(local.iov_base);
	return image;
}

static void note_missing(struct perf_spaces *sp, const char *path)
{
	if (!sp->missing++)
		snprintf(sp->missed, sizeof(sp->missed), "%s", path);
}

/* Who names its functions later may find it no more. */
static void hold_image(const struct space_image *im, int fd)
{
	struct held_file file = {.device = (uint64_t)im->device_major << 32 | im->device_minor,
				 .inode = im->inode};

	file.build_id_len = build_id_of_fd(fd, file.build_id);
	held_files_add(&file, fd);
}

/* Opens the file of a map, unless it is another by now. */
static void open_image(struct space_image *im, const struct space_process *process,
		       const struct space_map *m)
{
	struct perf_spaces *sp = process->spaces;
	struct proc_map map = {.pid = perf_spaces_thread(process),
			       .start = m->from,
			       .length = m->length,
			       .inode = im->inode,
			       .build_id = im->build_id,
			       .build_id_len = im->build_id_len,
			       .path = im->path};
	struct err err = {0};
	struct stat st;
	int fd;

	im->tries++;
	if (!strcmp(im->path, VDSO)) {
		im->unwind = sp->foreign_vdso ? NULL : open_vdso();
		im->tries = TRIES_MAX;
		return;
	}
	if (!strcmp(im->path, VDSO32)) {
		im->unwind = sp->past ? NULL : read_vdso32(process, m);
		return;
	}
	fd = sp->past ? proc_images_open_here(&map) : proc_images_open(&map);
	if (fd < 0 && sp->past) {
		note_missing(sp, im->path);
		im->tries = TRIES_MAX;
	}
	if (fd < 0)
		return;
	im->unwind = unwind_image_open(im->path, fd, &err);
	/* It has a descriptor of its own, and callers are worth more than names later. */
	while (!im->unwind && err.code == EX_OSERR && (open_files_raise() || held_files_end()))
		im->unwind = unwind_image_open(im->path, fd, &err);
	/* Code in a file that is no ELF file was written there by a program. */
	if (!im->unwind && err.code == EX_DATAERR)
		im->code = UNWIND_CODE_JIT;
	if (im->unwind)
		im->code = UNWIND_CODE_FILE;
	if (im->unwind && !fstat(fd, &st))
		im->state = image_state_of(&st);
	if (im->unwind && !sp->past)
		hold_image(im, fd);
	im->tries = TRIES_MAX;
	close(fd);
}

/* ---- Processes. */

static struct space_process *find(const struct perf_spaces *sp, uint32_t pid)
{
	struct space_process *p = sp->process[pid % PERF_SPACES_BUCKETS];

	while (p && p->pid != pid)
		p = p->next;
	return p;
}

static void clear_maps(struct perf_spaces *sp, struct space_process *p)
{
	struct space_map *m;

	vec_each(m, &p->maps)
		image_unref(sp, m->image);
	p->maps.n = 0;
	sp->inherited -= p->inherited;
	p->inherited = 0;
}

static void process_free(struct perf_spaces *sp, struct space_process *p)
{
	clear_maps(sp, p);
	vec_free(&p->maps);
	sp->processes--;
	sp->exited -= p->exited;
	free(p);
}

/* Those of a bucket, all or what has exited of them. */
static void forget_bucket(struct perf_spaces *sp, struct space_process **at, bool all)
{
	struct space_process *p;

	while ((p = *at)) {
		if (!all && !p->exited) {
			at = &p->next;
			continue;
		}
		*at = p->next;
		process_free(sp, p);
	}
}

static void forget(struct perf_spaces *sp, bool all)
{
	size_t i;

	for (i = 0; i < PERF_SPACES_BUCKETS; i++)
		forget_bucket(sp, &sp->process[i], all);
}

void perf_spaces_forget_all(struct perf_spaces *sp)
{
	forget(sp, true);
}

static void forget_process(struct perf_spaces *sp, uint32_t pid)
{
	struct space_process **at = &sp->process[pid % PERF_SPACES_BUCKETS], *p;

	while ((p = *at) && p->pid != pid)
		at = &p->next;
	if (!p)
		return;
	*at = p->next;
	process_free(sp, p);
}

void perf_spaces_fini(struct perf_spaces *sp)
{
	perf_spaces_forget_all(sp);
	memset(sp, 0, sizeof(*sp));
}

static struct space_process *add(struct perf_spaces *sp, uint32_t pid)
{
	struct space_process *p;

	if (sp->exited > EXITED_MAX || (sp->exited && sp->images > IMAGES_IDLE_MAX))
		forget(sp, false);
	p = calloc(1, sizeof(*p));
	if (!p)
		return NULL;
	p->pid = pid;
	p->spaces = sp;
	p->told = sp->doubts;
	p->generation = ++sp->generations;
	p->next = sp->process[pid % PERF_SPACES_BUCKETS];
	sp->process[pid % PERF_SPACES_BUCKETS] = p;
	sp->processes++;
	return p;
}

/* ---- Maps. */

/* Takes [start, end) out of the maps; 0, or -1 when out of memory. */
static int cut(struct perf_spaces *sp, struct space_process *p, uint64_t start, uint64_t end)
{
	size_t i = vec_above(&p->maps, end, start);

	if (i < p->maps.n && p->maps.v[i].start < start) {
		struct space_map rest = p->maps.v[i];

		if (rest.end > end) {
			if (vec_insert(&p->maps, i + 1, rest))
				return -1;
			if (rest.image)
				rest.image->refs++;
		}
		p->maps.v[i++].end = start;
		if (rest.end > end) {
			p->maps.v[i].offset += end - rest.start;
			p->maps.v[i].start = end;
			return 0;
		}
	}
	while (i < p->maps.n && p->maps.v[i].end <= end) {
		image_unref(sp, p->maps.v[i].image);
		vec_remove(&p->maps, i, 1);
	}
	if (i < p->maps.n && p->maps.v[i].start < end) {
		p->maps.v[i].offset += end - p->maps.v[i].start;
		p->maps.v[i].start = end;
	}
	return 0;
}

static void map_into(struct perf_spaces *sp, struct space_process *p, const struct proc_map *map,
		     const uint8_t *build_id, size_t build_id_len)
{
	struct space_map m = {.start = map->start,
			      .end = map->start + map->length,
			      .offset = map->file_offset,
			      .from = map->start,
			      .length = map->length};
	struct proc_map of = *map;

	if (m.end <= m.start || p->maps.n >= MAPS_MAX || cut(sp, p, m.start, m.end))
		return;
	of.path = image_path(map);
	if (of.path && !(m.image = image_ref(sp, &of, build_id, build_id_len)))
		return;
	if (vec_insert(&p->maps, vec_above(&p->maps, end, m.start), m))
		image_unref(sp, m.image);
}

/* What runs now has these; one that is gone has none. */
static void read_maps(struct perf_spaces *sp, struct space_process *p)
{
	struct proc_map map = {.pid = perf_spaces_thread(p)};
	VEC(struct space_map) before;
	const struct space_map *m;
	char path[64], *line = NULL;
	size_t size = 0;
	FILE *f;

	p->told = sp->doubts;
	snprintf(path, sizeof(path), "/proc/%u/maps", map.pid);
	f = fopen(path, "re");
	if (!f)
		return;
	/* Files that are still mapped stay open, and what was learned of them is kept. */
	vec_move(&before, &p->maps);
	while (getline(&line, &size, f) > 0)
		if (proc_parse_map(line, &map))
			map_into(sp, p, &map, NULL, 0);
	/* One that has ended and waits to be reaped has an empty file. */
	if (!p->maps.n) {
		vec_free(&p->maps);
		vec_move(&p->maps, &before);
	}
	vec_each(m, &before)
		image_unref(sp, m->image);
	vec_free(&before);
	free(line);
	fclose(f);
}

uint32_t perf_spaces_thread(const struct space_process *process)
{
	return process->exited ? process->tid : process->pid;
}

struct space_process *perf_spaces_find(struct perf_spaces *sp, uint32_t pid, uint32_t tid)
{
	struct space_process *known = find(sp, pid), *p = known;

	if (!p && pid)
		p = add(sp, pid);
	if (!p)
		return NULL;
	p->tid = tid;
	if (sp->past || (known && p->told == sp->doubts))
		return p;
	read_maps(sp, p);
	/* A first thread that has ended has nothing; others may live on. */
	if (!known && !p->maps.n && tid != pid) {
		perf_spaces_exit(sp, pid);
		read_maps(sp, p);
	}
	return p;
}

void perf_spaces_renew(struct perf_spaces *sp, uint32_t pid)
{
	struct space_process *p;

	forget_process(sp, pid);
	p = perf_spaces_find(sp, pid, pid);
	/* Its first thread has ended, and a sample will name another. */
	if (p && !p->maps.n)
		forget_process(sp, pid);
}

void perf_spaces_map(struct perf_spaces *sp, const struct proc_map *map, const uint8_t *build_id,
		     size_t build_id_len)
{
	struct space_process *p = find(sp, map->pid);

	/* Of one that is not known yet all is read when it is needed, if it can be. */
	if (!p && sp->past)
		p = add(sp, map->pid);
	if (p)
		map_into(sp, p, map, build_id, build_id_len);
}

void perf_spaces_fork(struct perf_spaces *sp, uint32_t parent, uint32_t child)
{
	struct space_process *from = perf_spaces_find(sp, parent, parent), *p = find(sp, child);
	const struct space_map *m;

	if (!from)
		return;
	if (p)
		clear_maps(sp, p);
	else
		p = add(sp, child);
	/* Making room may have taken a parent that has exited. */
	from = find(sp, parent);
	if (!p || !from || sp->inherited + from->maps.n > INHERITED_MAX ||
	    vec_reserve(&p->maps, from->maps.n))
		return;
	sp->exited -= p->exited;
	p->exited = p->no_ptrace = false;
	p->generation = ++sp->generations;
	vec_each(m, &from->maps) {
		if (m->image)
			m->image->refs++;
		p->maps.v[p->maps.n++] = *m;
	}
	p->inherited = p->maps.n;
	sp->inherited += p->inherited;
}

void perf_spaces_exec(struct perf_spaces *sp, uint32_t pid)
{
	struct space_process *p = find(sp, pid);

	if (!p && pid)
		p = add(sp, pid);
	if (!p)
		return;
	clear_maps(sp, p);
	sp->exited -= p->exited;
	p->exited = p->no_ptrace = false;
	p->generation = ++sp->generations;
}

void perf_spaces_exit(struct perf_spaces *sp, uint32_t pid)
{
	struct space_process *p = find(sp, pid);

	if (!p || p->exited)
		return;
	p->exited = true;
	sp->exited++;
}

void perf_spaces_doubt(struct perf_spaces *sp)
{
	sp->doubts++;
}

void perf_spaces_resolve(struct space_process *process, uint64_t address,
			 struct unwind_place *place)
{
	size_t i = vec_above(&process->maps, end, address);
	struct space_map *m = i < process->maps.n ? &process->maps.v[i] : NULL;

	memset(place, 0, sizeof(*place));
	place->start = i ? process->maps.v[i - 1].end : 0;
	place->end = m ? m->start : UINT64_MAX;
	if (!m || m->start > address)
		return;
	place->start = m->start;
	place->end = m->end;
	place->code = UNWIND_CODE_JIT;
	if (!m->image)
		return;
	if (!m->image->unwind && m->image->tries < TRIES_MAX)
		open_image(m->image, process, m);
	place->code = m->image->code;
	if (m->image->unwind && !m->has_bias) {
		if (unwind_image_bias(m->image->unwind, m->start, m->offset, &m->bias))
			return;
		m->has_bias = true;
	}
	place->image = m->image->unwind;
	place->bias = m->bias;
}

/* Of one page, as the process has it now. */
static bool read_code(struct space_process *process, uint64_t address, void *buf, size_t n)
{
	struct iovec remote = {(void *)(uintptr_t)address, n}; // NOLINT
	struct iovec local = {buf, n};
	ssize_t got;
	bool there;

	if (process->spaces->past || process->no_ptrace ||
	    !perf_present(perf_spaces_thread(process), address, &there, 1))
		return false;
	got = process_vm_readv((pid_t)perf_spaces_thread(process), &local, 1, &remote, 1, 0);
	process->no_ptrace = got < 0 && errno == EPERM;
	return got == (ssize_t)n;
}

/* What the process had when it was read last, if nothing can be read any more. */
static bool take_page(struct space_process *process, struct space_code *page, uint64_t address)
{
	struct space_code now = {.pid = process->pid,
				 .generation = process->generation,
				 .round = process->spaces->round,
				 .address = address};
	bool known = page->pid == now.pid && page->generation == now.generation &&
		     page->address == address;

	if (known && page->round == now.round)
		return true;
	if (!read_code(process, address, now.bytes, sizeof(now.bytes)))
		return known;
	*page = now;
	return true;
}

bool perf_spaces_code(struct space_process *process, uint64_t address, void *buf, size_t n)
{
	struct space_code *pages = process->spaces->code, *page;
	size_t from, part, got;

	for (got = 0; got < n; got += part) {
		from = (address + got) % SPACE_PAGE;
		part = n - got < SPACE_PAGE - from ? n - got : SPACE_PAGE - from;
		page = &pages[(address + got) / SPACE_PAGE % SPACE_PAGES];
		if (!take_page(process, page, address + got - from))
			return false;
		memcpy((uint8_t *)buf + got, page->bytes + from, part);
	}
	return true;
}

void perf_spaces_next_round(struct perf_spaces *sp)
{
	sp->round++;
}
