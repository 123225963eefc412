/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Reading a PMC of the calling thread without a system call: the kernel shows in a page which
 * counter the event is in and what to add to it, and the CPU lets the program read that counter.
 */
#ifndef PMC_PERF_SELF_H
#define PMC_PERF_SELF_H

#include <linux/perf_event.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How a program reads a counter of its CPU; index counts from 0. */
typedef uint64_t (*perf_counter_reader)(uint32_t index);

/*
 * The count of the event that a page is of.  False where the page cannot tell: the event is in no
 * counter just now, or programs may not read counters.
 */
bool perf_self_count(const volatile struct perf_event_mmap_page *page, perf_counter_reader read,
		     uint64_t *count);

/* The page of one event, for the thread that opened it. */
struct perf_self {
	const struct perf_event_mmap_page *page; /* NULL: none */
	size_t size;				 /* of either mapping */
	/* Its owner.  A child of fork(2) finds zeroes here, and nothing at all at page. */
	struct perf_self_owner {
		pthread_t thread;
		bool is_here;
	} * owner;
};

/* Maps the page of fd for the calling thread; without one there is no page, which is no error. */
void perf_self_map(struct perf_self *self, int fd, size_t page_size);
void perf_self_unmap(struct perf_self *self);
/* perf_self_count() for the thread that mapped it; false for all others. */
bool perf_self_read(const struct perf_self *self, uint64_t *count);
/* What x86's RDPMC takes for the event just now; false where it cannot read it. */
bool perf_self_index(const struct perf_self *self, uint32_t *index);

#endif
