/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The state of the perf collector, shared by its files: collector_perf.c (the operations),
 * perf_attr.c (events), perf_rings.c, perf_attach.c (targets), perf_pump.c (the thread that reads).
 *
 * Everything here is used under c->log_lock, but for what is set once by open: see perf_pump.c.
 */
#ifndef PMC_PERF_SESSION_H
#define PMC_PERF_SESSION_H

#include <poll.h>
#include <pthread.h>

#include "pmc/collector.h"
#include "pmc/perf/perf_coverage.h"
#include "pmc/perf/perf_event.h"
#include "pmc/perf/perf_record.h"
#include "pmc/perf/perf_ring.h"
#include "pmc/perf/perf_self.h"
#include "pmc/perf/perf_unwind.h"
#include "pmc/proc_list.h"
#include "pmc/perf/proc_snapshot.h"

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

/* An open event. */
struct perf_fd {
	int fd;
	int cpu;      /* -1: any (counting without a ring) */
	pid_t target; /* as given to attach; 0 in system scope */
};

struct perf_fds {
	VEC(struct perf_fd) v;
};

/* A PMC's private part. */
struct perf_pmc {
	struct pmc *pmc;
	uint32_t source; /* index in records.sources */
	struct perf_fds fds;
	uint64_t enabled, running; /* nanoseconds of targets that are detached */
	struct pmc_count told;	   /* times that the present log has, or that were before it */
	bool shares;		   /* it has some of this PMC */
	bool starved;		   /* PMC_F_NO_SHARING: it lost its counter, which was told */
	struct perf_coverage coverage; /* by its events */
	bool unwinds;	       /* its samples have registers and stack */
	bool no_exclude;       /* the PMU cannot tell whom it counts: no exclude bits */
	uint64_t rate;	       /* that the events have */
	uint64_t base;	       /* counting: what to add to the sum of the events (modulo 2^64) */
	struct perf_self self; /* PMC_F_SELF: its page */
	bool armed;	       /* PMC_F_START_ON_EXEC: has been started once, by the exec */
	struct perf_tally *tally; /* PMC_F_LOG_PROCEXIT and PMC_F_LOG_PROCCSW; else NULL */
	/*
	 * Of a PMC that perf_logs_counts() is true of, else empty: events of switches and exits,
	 * each of whose samples has the count of an event of fds.
	 */
	struct perf_fds samplers;
	struct perf_fds watchers; /* switches alone, outside of the groups that take turns */
	uint64_t exit_event; /* the number of the tracepoint */
};

/* What a process that ran already when its target was recorded had run for until then. */
struct perf_before {
	pid_t pid;
	uint64_t started;
	struct pmclog_times times;
};

/* A process, and all it will create, that tells of its maps, names, forks and exits. */
struct perf_target {
	pid_t pid;
	bool descend;
	uint32_t source;
	unsigned int users; /* PMCs */
	struct perf_fds fds;
	bool on_exec;	  /* only PMCs that start at exec, which tells all; no snapshot */
	bool snapshotted; /* in the present log */
	VEC(struct perf_before) before; /* there then */
	struct pmclog_times told;	/* what earlier files of the log say that it ran for */
};

struct perf_session {
	struct pmc_collector *c;
	struct perf_features has;
	struct proc_cpus online;
	long page_size;
	unsigned int max_stack; /* frames the kernel keeps at most */
	size_t ring_pages;	/* of each ring; halved where the kernel refuses */

	VEC(struct perf_ring *) rings;
	VEC(struct perf_pmc *) pmcs;
	VEC(struct perf_target *) targets;
	struct perf_coverage sideband; /* of targets */
	struct perf_fds system_fds; /* side-band of the whole machine */
	bool system_snapshotted;    /* in the present log */
	struct perf_record_reader records;
	struct perf_merge merge;
	struct perf_unwind *unwind;  /* NULL: no PMC needs it */
	uint64_t last_round;	     /* time of the pump's previous round */
	uint64_t drained;	     /* time up to which the log has what there was */
	uint64_t last_flush;	     /* time when it last gave the log to the kernel */
	uint64_t next_share;	     /* time when it is to ask for shares of counters */
	uint64_t last_watch;	     /* time when it last looked for these: */
	struct proc_modules modules; /* loaded, as the log has them */
	struct proc_cpus late_cpus;  /* came online after the rings were made */
	bool logging;
	struct perf_self_choice self_choice; /* under the lock of pmc_state.c alone */

	pthread_t pump;
	pid_t pump_tid;
	VEC(struct pollfd) polled; /* the pump's own; the first is wake_fd */
	size_t polled_execs; /* its last ones */
	bool pump_runs;
	int wake_fd; /* eventfd: rings or logging changed, or the pump is to end */
	bool pump_ends;
};

/* perf_attr.c: what events are asked to be.  What the kernel knows of that goes to s->has. */
void perf_probe_features(struct perf_session *s);
/* Of an event that neither counts nor tells of anything, for the ring that it has. */
void perf_attr_of_nothing(const struct perf_session *s, struct perf_event_attr *attr);
void perf_attr_of_pmc(const struct perf_session *s, const struct perf_pmc *p,
		      struct perf_event_attr *attr);
/* Of what leads a group for each event of a PMC that logs its counts: context switches. */
void perf_attr_of_switches(const struct perf_session *s, const struct perf_pmc *p,
			   struct perf_event_attr *attr);
/* Of its second event: exits. */
void perf_attr_of_exits(const struct perf_session *s, const struct perf_pmc *p,
			struct perf_event_attr *attr);
/* Of what sees every switch, where the group has no counter at times. */
void perf_attr_of_watcher(const struct perf_session *s, const struct perf_pmc *p,
			  struct perf_event_attr *attr);
void perf_attr_of_sideband(const struct perf_session *s, bool system, bool descend,
			   struct perf_event_attr *attr);
/* Of the execs of the whole machine, each at once. */
void perf_attr_of_execs(const struct perf_session *s, uint64_t tracepoint,
			struct perf_event_attr *attr);
/* Whether a PMC logs counts that its events do not tell by themselves. */
bool perf_logs_counts(const struct pmc *pmc);

/* perf_rings.c: makes the rings of all CPUs that are online, unless they are there. */
int perf_rings_open(struct perf_session *s, struct err *err);
void perf_rings_free(struct perf_session *s);
/* Wakes the pump: rings or logging changed, or it is to end. */
void perf_rings_wake(struct perf_session *s);
/* The ring of a CPU; NULL: it was not online. */
struct perf_ring *perf_ring_of(const struct perf_session *s, int cpu);
/* What perf_event_open(2) calls pid, cpu and group_fd, the second by its ring. */
struct perf_spot {
	pid_t pid;
	const struct perf_ring *ring;
	int lead; /* -1: in no group */
};

/* Opens an event there, sends it to that ring, and notes its id: 0 or -errno. */
int perf_open_to_ring(struct perf_session *s, struct perf_event_attr *attr,
		      const struct perf_spot *spot, pid_t target, uint32_t source,
		      struct perf_fds *fds);
/* Makes the rings that execs come in; without the right to have them there are none. */
void perf_execs_open(struct perf_session *s);
void perf_execs_close(struct perf_session *s);

/* perf_fds.c: closes the events of target (0: all); what they lost is added to their rings. */
void perf_fds_close(struct perf_session *s, struct perf_fds *fds, pid_t target);
/* Closes all but the first n. */
void perf_fds_cut(struct perf_session *s, struct perf_fds *fds, size_t n);
void perf_fds_ioctl(const struct perf_fds *fds, pid_t target, unsigned long request);
/* Of the events of target (0: all). */
int perf_fds_sum(const struct perf_fds *fds, pid_t target, struct pmc_count *sum);
/*
 * The same of a PMC.  -ENODATA: one of its events was pinned and has lost its counter, or the one
 * that leads its group; of such a group that one alone knows.
 */
int perf_pmc_sum(const struct perf_pmc *p, pid_t target, struct pmc_count *sum);
/* The same of all targets, with those that were detached and what the PMC began with. */
int perf_pmc_total(const struct perf_pmc *p, struct pmc_count *total);
/* To all events of a PMC. */
void perf_pmc_ioctl(const struct perf_pmc *p, pid_t target, unsigned long request);
/* With those of its members. */
void perf_pmc_close(struct perf_session *s, struct perf_pmc *p, pid_t target);
/* Records lost by the open events of a ring, all told since they were opened. */
uint64_t perf_ring_lost(const struct perf_session *s, int cpu);

/* perf_attach.c */
int perf_attach(struct perf_session *s, struct perf_pmc *p, pid_t pid, struct err *err);
/* 0, or -1 with err set: what other targets need could not be given to them, so nothing changed. */
int perf_detach(struct perf_session *s, struct perf_pmc *p, pid_t pid, struct err *err);
/* From all targets. */
void perf_detach_all(struct perf_session *s, struct perf_pmc *p);
/* Opens events that tell of the whole machine; they stay until close. */
int perf_sideband_system(struct perf_session *s, struct err *err);
void perf_sideband_ioctl(struct perf_session *s, unsigned long request);
void perf_targets_free(struct perf_session *s);
/* Writes what runs already and the log does not know yet; the kernel too at the start of a log. */
int perf_snapshot(struct perf_session *s, bool log_begins, struct err *err);

/* perf_watch.c: what no record of the kernel tells, looked for once a second. */
void perf_watch(struct perf_session *s, uint64_t now);

/* perf_share.c: whether the events of a PMC need hardware, which others may have. */
bool perf_can_share(const struct pmc *pmc);
/* How long PMCs had counters, from the beginning of a log to its end. */
void perf_share_begin(struct perf_session *s);
void perf_share_round(struct perf_session *s, uint64_t now);
void perf_share_end(struct perf_session *s);
/* The end of a file of the log, and the beginning of the next one. */
void perf_share_turn(struct perf_session *s);
/* The same of one PMC, before its events go (last), or in between. */
void perf_share_tell(struct perf_session *s, struct perf_pmc *p, bool last);
/*
 * How much of the time enabled (ns) it had a counter, by times of events that are not read at one
 * moment: all of it, unless one was missing for a turn of the kernel's, or for much of the time.
 * Software always has what it counts with.
 */
uint64_t perf_share_running(const struct pmc *pmc, uint64_t enabled, uint64_t running);

/*
 * For a PMC of PMC_F_NO_SHARING: whether there is a counter for it beside those of the others that
 * are allocated.  0, or -1 with err set.
 */
int perf_share_check(struct perf_session *s, const struct perf_pmc *p, struct err *err);

/*
 * For a PMC that is to be a member of a group: whether all of it can have counters at once.  0, or
 * -1 with err set.
 */
int perf_share_check_group(struct perf_session *s, const struct perf_pmc *p, struct err *err);

/* perf_rows.c: adds the classes of counters that there are. */
void perf_cpu_info(const struct perf_session *s, struct pmc_cpuinfo *info);

/* perf_pump.c */
int perf_pump_start(struct perf_session *s, struct err *err);
void perf_pump_join(struct perf_session *s);
/* One round, under the lock: what is older than the round before it comes into the log. */
void perf_pump_round(struct perf_session *s);
void perf_drain(struct perf_session *s, uint64_t bound);
void perf_account_lost(struct perf_session *s);

#endif
