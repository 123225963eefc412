/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What libpmc and its collectors say to each other.
 *
 * libpmc (pmc.c) owns the table of PMCs, checks states and arguments and serialises calls under one
 * mutex; a collector does the work for one PMC at a time and writes what it collects to the log.
 * A new collector is one file with one struct pmc_collector_ops, added to the array in pmc_init.c.
 */
#ifndef PMC_COLLECTOR_H
#define PMC_COLLECTOR_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/err.h"
#include "base/vec.h"
#include "pmc/pmc.h"
#include "pmclog/writer.h"

/* An event-spec, understood.  type and config are those of struct perf_event_attr. */
struct pmc_eventspec {
	char name[64];	 /* canonical: "cpu-clock", "instructions", "sched:sched_switch" */
	char spec[256];	 /* as the user wrote it */
	uint32_t number; /* for PMCALLOCATEDYN: from 0x20000 for software events */
	uint32_t type;
	uint64_t config, config1, config2;
	uint64_t default_rate; /* events a sample */
	enum pmc_class pm_class;
	unsigned int precise;		   /* of struct perf_event_attr: 0 to 3 */
	bool clock;			   /* the rate is in nanoseconds */
	bool exclude_kernel, exclude_user; /* ":u" and ":k" behind the event's name */
	bool hypervisor;		   /* ":h": its mode is counted too */
	bool host, guest;		   /* ":H", ":G": said; where neither is, the host alone */
	bool not_idle;			   /* ":I": not the idle task */
	bool pinned, exclusive;		   /* ":D", ":e": always in a counter; with no other */
	char cpus[256]; /* list of CPUs the event's PMU may be opened on; "" = all */
};

/* Whether ":u" and ":k" change what the event gives: clocks heed them in samples alone. */
static inline bool pmc_event_heeds_modes(const struct pmc_eventspec *event, enum pmc_mode mode)
{
	return !event->clock || PMC_IS_SAMPLING_MODE(mode);
}

/* Whether modifiers say in which modes it counts. */
static inline bool pmc_event_names_modes(const struct pmc_eventspec *event)
{
	return event->exclude_kernel || event->exclude_user || event->hypervisor || event->host ||
	       event->guest || event->not_idle;
}

/* Understands spec.  0, or -1 with err set: EX_USAGE for what no machine knows, EX_UNAVAILABLE. */
int pmc_event_parse(const char *spec, struct pmc_eventspec *event, struct err *err);

struct pmc {
	pmc_id_t id;
	struct pmc_eventspec event;
	enum pmc_mode mode;
	uint32_t flags;
	int cpu; /* system scope; PMC_CPU_ANY in process scope */
	/* Sampling: events a sample, or Hz under PMC_F_FREQUENCY; counting: the start value. */
	uint64_t rate;
	unsigned int max_depth; /* frames */
	enum pmc_unwind unwind;
	bool running;
	VEC(pid_t) targets;
	/* Of a group, whose events count at the same times: its leader, or of that the others. */
	struct pmc *leader;
	VEC(struct pmc *) members;
	void *priv; /* the collector's */
};

struct pmc_collector;

/*
 * The log of a collector that writes it whole, from INITIALIZE to CLOSELOG.  Every int function: 0,
 * or -1 with err set.
 */
struct pmc_log_ops {
	/* Begins a log with all that is allocated and attached already, and holds fd's file. */
	int (*open)(struct pmc_collector *c, int fd, const struct pmclog_origin *origin,
		    struct err *err);
	int (*flush)(struct pmc_collector *c, struct err *err);
	/* The log is closed even when this returns -1. */
	int (*close)(struct pmc_collector *c, struct err *err);
	int (*userdata)(struct pmc_collector *c, uint32_t userdata, struct err *err);
	/* Totals of all logs since the collector was opened.  Does not wait for a reader. */
	void (*stats)(struct pmc_collector *c, struct pmc_log_stats *stats);
};

/* Every int function: 0, or -1 with err set, whose errno value the API gives. */
struct pmc_collector_ops {
	const char *name;
	const char *summary;

	/* Finds out whether it can work here at all; arg is what stood behind the ':', or "". */
	int (*open)(struct pmc_collector *c, const char *arg, struct err *err);
	void (*close)(struct pmc_collector *c); /* every PMC is released before */

	/*
	 * Fails now for what start could only fail at: no such counter, no permission.  pmc->id has
	 * a row that is free for libpmc; a collector with pmc_info knows the rows of others too,
	 * and sets its own id.
	 */
	int (*allocate)(struct pmc_collector *c, struct pmc *pmc, struct err *err);
	void (*release)(struct pmc_collector *c, struct pmc *pmc);
	/*
	 * All threads of pid; libpmc keeps pmc->targets.  Each of a group is attached, detached,
	 * started and stopped for itself: the leader is attached and stopped first, started last.
	 */
	int (*attach)(struct pmc_collector *c, struct pmc *pmc, pid_t pid, struct err *err);
	int (*detach)(struct pmc_collector *c, struct pmc *pmc, pid_t pid, struct err *err);
	int (*start)(struct pmc_collector *c, struct pmc *pmc, struct err *err);
	int (*stop)(struct pmc_collector *c, struct pmc *pmc, struct err *err);
	/* Value and times of a counting PMC; both times 0 where they are not known. */
	int (*read)(struct pmc_collector *c, struct pmc *pmc, struct pmc_count *count,
		    struct err *err);
	int (*write)(struct pmc_collector *c, struct pmc *pmc, uint64_t value, struct err *err);

	/* NULL: libpmc writes the log.  Else the log_ functions and now are not used. */
	const struct pmc_log_ops *log;

	/*
	 * The log begins: fills in origin (texts that live until close).  libpmc then writes
	 * INITIALIZE and calls log_start; from then on the collector may write to the writer, with
	 * log_lock held, from any thread of its own, until log_stop returns.
	 */
	int (*log_origin)(struct pmc_collector *c, struct pmclog_origin *origin, struct err *err);
	int (*log_start)(struct pmc_collector *c, struct err *err);
	/* Drains, then flushes the writer. */
	int (*log_flush)(struct pmc_collector *c, struct err *err);
	/*
	 * With log_lock held: the log goes on in another file.  Writes what is to be in the present
	 * one; the time up to which that has records.  NULL: up to now, and nothing is missing.
	 */
	uint64_t (*log_turn)(struct pmc_collector *c);
	/* The last drain; CLOSELOG is libpmc's. */
	int (*log_stop)(struct pmc_collector *c, struct err *err);

	/*
	 * These may be NULL.  cpu_info says what libpmc numbers rows by: without it there are none,
	 * and PMCs of one CPU or of process scope are numbered through.
	 */
	int (*cpu_info)(struct pmc_collector *c, struct pmc_cpuinfo *info, struct err *err);
	/* All rows of an existing CPU; without it libpmc tells what this process has allocated. */
	int (*pmc_info)(struct pmc_collector *c, int cpu, struct pmc_info *rows, uint32_t nrows,
			struct err *err);
	/* Without it, rows are always enabled.  CPU and row exist. */
	int (*admin)(struct pmc_collector *c, int cpu, uint32_t row, bool enable, struct err *err);
	/* Without it libpmc counts calls of its own, and takes the rest from c->stats. */
	int (*driver_stats)(struct pmc_collector *c, struct pmc_driverstats *stats,
			    struct err *err);
	/*
	 * The value of a counting PMC of PMC_F_SELF, without a system call; false where that cannot
	 * be now.  Without it that flag is refused.
	 */
	bool (*read_self)(struct pmc_collector *c, struct pmc *pmc, uint64_t *value);
	/* Without it: ENOSYS.  The PMC counts in process scope, and in nobody but its owner. */
	int (*get_msr)(struct pmc_collector *c, struct pmc *pmc, uint32_t *msr, struct err *err);

	/*
	 * enabled and running of a PMC, whatever its mode.  NULL: every PMC has a counter of its
	 * own, or nobody knows.
	 */
	int (*times)(struct pmc_collector *c, struct pmc *pmc, struct pmc_count *count,
		     struct err *err);

	/* The histogram of a PMC with PMC_F_KGMON, on the heap.  NULL: no such PMCs. */
	int (*kgmon)(struct pmc_collector *c, struct pmc *pmc, struct pmc_kgmon **histogram,
		     struct err *err);

	uint64_t (*now)(struct pmc_collector *c); /* the time of a record, in ticks of the origin */
	/* Whether no more samples will come: a script has ended. */
	bool (*finished)(struct pmc_collector *c);
};

struct pmc_collector {
	const struct pmc_collector_ops *ops;
	bool logging;		      /* a log is configured */
	struct pmclog_writer *writer; /* of a log that libpmc writes; NULL: there is none */
	pthread_mutex_t log_lock;     /* taken around every use of writer and stats */
	struct pmc_log_stats stats;   /* under log_lock; libpmc fills in bytes and dropped */
	void *priv;
};

extern const struct pmc_collector_ops pmc_collector_hwpmc;
extern const struct pmc_collector_ops pmc_collector_perf;
extern const struct pmc_collector_ops pmc_collector_fake;

#endif
