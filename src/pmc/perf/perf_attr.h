/* SPDX-License-Identifier: BSD-2-Clause */
/* What events are asked to be: their attributes, by what the kernel here knows of them. */
#ifndef PMC_PERF_ATTR_H
#define PMC_PERF_ATTR_H

#include "pmc/perf/perf_event.h"
#include "pmc/perf/perf_pmc.h"
#include "pmc/proc_list.h"

/* PERF_FORMAT_LOST, which headers before Linux 6.0 lack. */
#define PERF_FORMAT_LOST_BIT (1u << 4)

/* What this kernel knows of what we would use. */
struct perf_features {
	bool format_lost;    /* Linux 6.0 */
	bool inherit_thread; /* 5.13 */
	bool build_id;	     /* 5.12 */
	bool ksymbol;	     /* 5.1 */
	bool inherit_read;   /* 6.12 */
	int exits;	     /* perf_exits_are_told(); -EAGAIN: not tried yet */
};

/* What attributes are made by. */
struct perf_machine {
	struct perf_features has;
	long page_size;
	unsigned int max_stack; /* frames the kernel keeps at most */
	size_t ring_pages;	/* of each ring; halved where the kernel refuses */
	struct proc_cpus online; /* when it was looked at: those that have rings */
};

/* Finds out what the kernel knows of that: m->has. */
void perf_probe_features(struct perf_machine *m);
/* Of an event that neither counts nor tells of anything, for the ring that it has. */
void perf_attr_of_nothing(const struct perf_machine *m, struct perf_event_attr *attr);
void perf_attr_of_pmc(const struct perf_machine *m, const struct perf_pmc *p,
		      struct perf_event_attr *attr);
/* Of what leads a group for each event of a PMC that logs its counts: context switches. */
void perf_attr_of_switches(const struct perf_machine *m, const struct perf_pmc *p,
			   struct perf_event_attr *attr);
/* Of its second event: exits. */
void perf_attr_of_exits(const struct perf_machine *m, const struct perf_pmc *p,
			struct perf_event_attr *attr);
/* Of what sees every switch, where the group has no counter at times. */
void perf_attr_of_watcher(const struct perf_machine *m, const struct perf_pmc *p,
			  struct perf_event_attr *attr);
void perf_attr_of_sideband(const struct perf_machine *m, bool system, bool descend,
			   struct perf_event_attr *attr);
/* Of the execs of the whole machine, each at once. */
void perf_attr_of_execs(const struct perf_machine *m, uint64_t tracepoint,
			struct perf_event_attr *attr);

#endif
