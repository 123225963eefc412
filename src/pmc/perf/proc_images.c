// SPDX-License-Identifier: BSD-2-Clause
#include <elf.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/vec.h"
#include "pmc/perf/proc_images.h"

enum { SEGMENTS_MAX = 256, CACHE_MAX = 1000000 };

struct image {
	uint64_t device, inode, generation;
	struct image_state state; /* when it was read */
	uint8_t id[BUILD_ID_MAX];
	uint8_t len;
};

struct proc_images {
	struct table by_file;
	VEC(struct image) v;
	struct image vdso; /* ours, which is every 64-bit process's */
	uint8_t answer[BUILD_ID_MAX];
};

/* The vDSO lies in our own memory as a whole ELF file; the kernel vouches for it. */
static void read_vdso(struct image *im)
{
	const ElfW(Ehdr) *eh = (const void *)(uintptr_t)getauxval(AT_SYSINFO_EHDR);
	const ElfW(Phdr) * ph;
	unsigned int i;

	if (!eh || memcmp(eh->e_ident, ELFMAG, SELFMAG))
		return;
	ph = (const void *)((const char *)eh + eh->e_phoff);
	for (i = 0; i < eh->e_phnum && !im->len; i++)
		if (ph[i].p_type == PT_NOTE)
			im->len = (uint8_t)build_id_of_notes((const char *)eh + ph[i].p_offset,
							     ph[i].p_filesz, im->id);
}

struct proc_images *proc_images_new(void)
{
	struct proc_images *im = calloc(1, sizeof(*im));

	if (im)
		read_vdso(&im->vdso);
	return im;
}

void proc_images_free(struct proc_images *im)
{
	if (!im)
		return;
	table_clear(&im->by_file);
	vec_free(&im->v);
	free(im);
}

/* Whether a file is the mapped one, as far as that is known. */
static bool is_mapped(const struct proc_map *map, int fd, const struct stat *st)
{
	uint8_t id[BUILD_ID_MAX];

	if (!S_ISREG(st->st_mode) || (map->inode && st->st_ino != map->inode))
		return false;
	return !map->build_id_len || (build_id_of_fd(fd, id) == map->build_id_len &&
				      !memcmp(id, map->build_id, map->build_id_len));
}

static int open_image(const char *path, const struct proc_map *map)
{
	/* O_NONBLOCK: a mapped path may since have become a fifo. */
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct stat st;

	if (fd < 0)
		return -1;
	if (!fstat(fd, &st) && is_mapped(map, fd, &st))
		return fd;
	close(fd);
	return -1;
}

int proc_images_open_here(const struct proc_map *map)
{
	struct stat st;

	/* A name that a file gave: devices may do something when they are opened. */
	return stat(map->path, &st) || !S_ISREG(st.st_mode) ? -1 : open_image(map->path, map);
}

int proc_images_open(const struct proc_map *map)
{
	char path[PATH_MAX + 64];
	int fd;

	snprintf(path, sizeof(path), "/proc/%u/root%s", map->pid, map->path);
	fd = open_image(path, map);
	if (fd < 0)
		fd = open_image(map->path, map);
	if (fd >= 0)
		return fd;
	snprintf(path, sizeof(path), "/proc/%u/map_files/%llx-%llx", map->pid,
		 (unsigned long long)map->start, (unsigned long long)(map->start + map->length));
	fd = open_image(path, map);
	if (fd >= 0 || (!map->inode && !map->build_id_len))
		return fd;
	snprintf(path, sizeof(path), "/proc/%u/exe", map->pid);
	return open_image(path, map);
}

static struct image *find(const struct proc_images *im, const struct image *key, uint32_t hash)
{
	struct table_iter it;
	uint32_t i;

	for (i = table_first(&im->by_file, hash, &it); i != TABLE_NONE;
	     i = table_next(&im->by_file, &it)) {
		struct image *e = &im->v.v[i];

		if (e->device == key->device && e->inode == key->inode &&
		    e->generation == key->generation)
			return e;
	}
	return NULL;
}

struct image_state image_state_of(const struct stat *st)
{
	return (struct image_state){st->st_ctim, st->st_size};
}

bool image_state_is_of(const struct image_state *state, const struct stat *st)
{
	return state->size == st->st_size && state->changed.tv_sec == st->st_ctim.tv_sec &&
	       state->changed.tv_nsec == st->st_ctim.tv_nsec;
}

/* Whether what was read of a file holds; of one that is gone the inode's generation vouches. */
static bool holds(const struct image *e, int fd, const struct stat *st)
{
	return fd < 0 ? e->generation != 0 : image_state_is_of(&e->state, st);
}

/* Without room for it the answer is as right, and the next one slower. */
static void keep(struct proc_images *im, const struct image *image, uint32_t hash)
{
	if (im->v.n < CACHE_MAX && !vec_push(&im->v, *image) &&
	    table_insert(&im->by_file, hash, (uint32_t)(im->v.n - 1)))
		im->v.n--;
}

/* That of a file: what was read before, or reads it. */
static struct image image_of_file(struct proc_images *im, const struct proc_map *map)
{
	struct image image = {.device = (uint64_t)map->major << 32 | map->minor,
			      .inode = map->inode,
			      .generation = map->inode_generation};
	const uint32_t hash = hash_pair(image.inode, image.device ^ image.generation << 16);
	struct image *known = image.inode ? find(im, &image, hash) : NULL;
	int fd = proc_images_open(map);
	struct stat st;

	if (fd >= 0 && fstat(fd, &st)) {
		close(fd);
		fd = -1;
	}
	if (known && holds(known, fd, &st)) {
		image = *known;
	} else if (fd >= 0) {
		image.state = image_state_of(&st);
		image.len = (uint8_t)build_id_of_fd(fd, image.id);
		if (known)
			*known = image;
		else if (image.inode)
			keep(im, &image, hash);
	}
	if (fd >= 0)
		close(fd);
	return image;
}

size_t proc_images_build_id(struct proc_images *im, const struct proc_map *map, const uint8_t **id)
{
	struct image image;

	/* A 32-bit process, whose addresses are below 4 GiB, has a vDSO of its own. */
	if (!strcmp(map->path, "[vdso]") && map->start >> 32)
		image = im->vdso;
	else if (map->path[0] != '/' || map->path[1] == '/')
		return 0;
	else
		image = image_of_file(im, map);
	memcpy(im->answer, image.id, sizeof(im->answer));
	*id = im->answer;
	return image.len;
}

/* The offset in a 64-bit or 32-bit ELF file of this machine at which execution begins. */
static bool entry_offset(int fd, uint64_t *offset)
{
	union {
		Elf64_Ehdr e64;
		Elf32_Ehdr e32;
	} eh;
	bool wide;
	unsigned int i, n;
	uint64_t entry, at;

	if (pread(fd, &eh, sizeof(eh), 0) != sizeof(eh) || memcmp(eh.e32.e_ident, ELFMAG, SELFMAG))
		return false;
	wide = eh.e32.e_ident[EI_CLASS] == ELFCLASS64;
	entry = wide ? eh.e64.e_entry : eh.e32.e_entry;
	at = wide ? eh.e64.e_phoff : eh.e32.e_phoff;
	n = wide ? eh.e64.e_phnum : eh.e32.e_phnum;
	for (i = 0; i < n && i < SEGMENTS_MAX; i++) {
		uint64_t vaddr, size, off;
		Elf64_Phdr p64;
		Elf32_Phdr p32;
		ssize_t want = wide ? sizeof(p64) : sizeof(p32);

		if (pread(fd, wide ? (void *)&p64 : (void *)&p32, (size_t)want,
			  (off_t)(at + i * (uint64_t)want)) != want)
			return false;
		if ((wide ? p64.p_type : p32.p_type) != PT_LOAD)
			continue;
		vaddr = wide ? p64.p_vaddr : p32.p_vaddr;
		size = wide ? p64.p_filesz : p32.p_filesz;
		off = wide ? p64.p_offset : p32.p_offset;
		if (entry < vaddr || entry - vaddr >= size)
			continue;
		*offset = off + (entry - vaddr);
		return true;
	}
	return false;
}

uint64_t proc_images_entry(const struct proc_map *map)
{
	int fd = proc_images_open(map);
	uint64_t offset;
	bool found;

	if (fd < 0)
		return 0;
	found = entry_offset(fd, &offset);
	close(fd);
	if (!found || offset < map->file_offset || offset - map->file_offset >= map->length)
		return 0;
	return map->start + (offset - map->file_offset);
}
