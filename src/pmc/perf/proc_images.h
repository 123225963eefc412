/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Build-ids of what processes map, each file read once unless it changes.
 */
#ifndef PMC_PROC_IMAGES_H
#define PMC_PROC_IMAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <time.h>

#include "base/build_id.h"

struct proc_images;

/* One mapping, as /proc/PID/maps or a PERF_RECORD_MMAP2 tells it. */
struct proc_map {
	uint32_t pid;
	uint64_t start, length, file_offset;
	uint32_t major, minor;
	uint64_t inode, inode_generation; /* 0: not known */
	const uint8_t *build_id;	  /* borrowed */
	size_t build_id_len;		  /* 0: not known, or none */
	const char *path;
};

/* What differs when a file was written into, or another one has its inode. */
struct image_state {
	struct timespec changed; /* the inode */
	off_t size;
};

struct image_state image_state_of(const struct stat *st);
bool image_state_is_of(const struct image_state *state, const struct stat *st);

struct proc_images *proc_images_new(void); /* NULL when out of memory */
void proc_images_free(struct proc_images *im);

/*
 * The build-id of what is mapped: its length, 0 for none or not to be had.  *id lives until the
 * next call.  A file outside our mount namespace is found through its process.
 */
size_t proc_images_build_id(struct proc_images *im, const struct proc_map *map, const uint8_t **id);

/*
 * Opens what is mapped: by its path as the process sees it, by its path as we see it (the process
 * may be gone), by the mapping itself (the file may be gone; needs privileges), or as the program
 * of the process.  Only the very file, where the inode or the build-id is known.  A descriptor, or
 * -1.
 */
int proc_images_open(const struct proc_map *map);

/* The same by its path as we see it alone: the process is not one that runs here now. */
int proc_images_open_here(const struct proc_map *map);

/* The address at which the executable that is mapped so begins to run; 0 when it cannot be told. */
uint64_t proc_images_entry(const struct proc_map *map);

#endif
