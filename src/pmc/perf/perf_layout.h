/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The fixed parts of the records of perf_event_open(2) that have one; see <linux/perf_event.h>.
 * perf_ring.h has those of samples, and the end of all others.
 */
#ifndef PMC_PERF_LAYOUT_H
#define PMC_PERF_LAYOUT_H

#include <linux/perf_event.h>
#include <stdint.h>

struct rec_mmap2 {
	struct perf_event_header header;
	uint32_t pid, tid;
	uint64_t start, length, file_offset;
	union {
		struct {
			uint32_t major, minor;
			uint64_t inode, generation;
		} file;
		struct {
			uint8_t size, pad[3];
			uint8_t bytes[20];
		} build_id;
	} u;
	uint32_t prot, flags;
	char path[];
};

struct rec_comm {
	struct perf_event_header header;
	uint32_t pid, tid;
	char comm[];
};

struct rec_task {
	struct perf_event_header header;
	uint32_t pid, ppid, tid, ptid;
	uint64_t time;
};

_Static_assert(sizeof(struct rec_mmap2) == 72, "as the kernel lays it out");

#endif
