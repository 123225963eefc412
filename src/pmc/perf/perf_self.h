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
	int fd;					 /* of the event; borrowed */
	perf_counter_reader read;
	/* Its owner.  A child of fork(2) finds zeroes here, and nothing at all at page. */
	struct perf_self_owner {
		pthread_t thread;
		bool is_here;
	} * owner;
};

/*
 * Which of two ways a process takes.  In a virtual machine whose hypervisor wants to hear of each
 * read, an instruction takes up to four times as long as the system call.
 */
struct perf_self_choice {
	enum { PERF_SELF_UNTRIED, PERF_SELF_BY_PAGE, PERF_SELF_BY_CALL } way;
	uint64_t (*now)(void); /* nanoseconds */
	bool (*call)(int fd);  /* perf_self_call() */
};

/* One read by the system call, of an event whose format has three numbers. */
bool perf_self_call(int fd);

/* Maps the page of fd for the calling thread; without one there is no page, which is no error. */
void perf_self_map(struct perf_self *self, int fd, size_t page_size);
void perf_self_unmap(struct perf_self *self);
/*
 * perf_self_count() for the thread that mapped it; false for all others, and where the system call
 * is faster.  The first time both are tried.
 */
bool perf_self_read(const struct perf_self *self, struct perf_self_choice *choice,
		    uint64_t *count);
/* What x86's RDPMC takes for the event just now; false where it cannot read it. */
bool perf_self_index(const struct perf_self *self, uint32_t *index);

#endif
