/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the files of the pmc(3) API share: the state of the library, of which there is one a
 * process, and the log.  The functions here expect the lock to be held.
 */
#ifndef PMC_PMCINT_H
#define PMC_PMCINT_H

#include "pmc/collector.h"
#include "pmc/counters.h"

/* Frames that a call chain may be asked to have. */
enum { PMCINT_DEPTH_MAX = PMCLOG_MAX_FRAMES };

struct pmcint_pmc {
	struct pmc pmc;
	bool started;	/* at least once */
	bool attached;	/* at least once, to anything */
	bool msr_known; /* pmc_get_msr() has given it out */
};

struct pmcint {
	pthread_mutex_t lock;		/* held by every function of the API */
	struct pmc_collector collector; /* its ops are NULL before pmc_init() */
	VEC(struct pmcint_pmc *) pmcs;
	struct pmc_cpuinfo cpuinfo; /* of this collector, once known */
	bool has_cpuinfo;
	struct counters counters; /* what is known of them, once asked for */
	bool has_counters;
	bool tried_counters;	      /* by this process: no file told */
	unsigned int calls, failures; /* of the API, since the collector was opened */
	unsigned int max_depth;
	enum pmc_unwind unwind;
	enum pmclog_compression compression; /* of the next log */
	unsigned int log_version;	     /* of the next log; 0: 9 */
	bool rotates;			     /* it has more than one file */
	char *command;		     /* NULL: not said */
	int log_fd;		     /* of a log that libpmc writes: its own, not the caller's */
	struct pmc_log_stats closed; /* of logs that are closed: bytes, dropped, error */
	struct pmc_log_stats told;   /* what pmc_get_log_stats() said last */
};

/* Takes the lock.  A function of the API ends with pmcint_done(), which sets errno. */
struct pmcint *pmcint_begin(void);
int pmcint_done(int error);

/* 0, or ENXIO while no collector is open. */
int pmcint_ready(void);
/* The PMC of a pmcid: 0, or ENXIO, ESRCH or EINVAL. */
int pmcint_find(pmc_id_t id, struct pmcint_pmc **found);

/* The classes and rows of the collector; 0 or an errno value.  *info stays until it is closed. */
int pmcint_cpuinfo(struct pmcint *s, const struct pmc_cpuinfo **info);
/* The class in it; NULL: it has no such. */
const struct pmc_classinfo *pmcint_class(const struct pmc_cpuinfo *info, enum pmc_class pm_class);
/*
 * Gives a new PMC a row and its pmcid by hwpmc(4)'s dispositions: a row is used in one scope.
 * Where those of its class are taken it gets one behind them all: counters are then shared.
 */
int pmcint_choose_row(struct pmcint *s, struct pmc *pmc);

/*
 * pmc_group.c: a PMC and its members, as one; of a single one, that.  0, or -1 with err set and
 * nothing changed.  detach and stop go on where err is NULL.
 */
int pmcint_group_attach(struct pmcint *s, struct pmc *pmc, pid_t pid, struct err *err);
int pmcint_group_detach(struct pmcint *s, struct pmc *pmc, pid_t pid, struct err *err);
int pmcint_group_start(struct pmcint *s, struct pmc *pmc, struct err *err);
int pmcint_group_stop(struct pmcint *s, struct pmc *pmc, struct err *err);
bool pmcint_has_target(const struct pmc *pmc, pid_t pid);

/* The error of this thread that pmc_error() tells. */
struct err *pmcint_last(void);
/* Sets that error.  Returns the errno value, so that callers can return it. */
int pmcint_refuse(int error, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* The same where the place for a result is NULL: EFAULT. */
int pmcint_no_place(const char *what);
/* Sets errno to error and returns -1, for functions that need no lock. */
int pmcint_fail(int error);

/* Begins a log on fd: INITIALIZE, what is allocated and attached already, then the collector's
 * part. */
int pmcint_log_open(struct pmcint *s, int fd, struct err *err);
int pmcint_log_flush(struct pmcint *s, struct err *err);
/* Has the log go on in another file. */
int pmcint_log_rotate(struct pmcint *s, int fd, struct err *err);
/* Ends the log with CLOSELOG.  The log is closed even when this returns -1. */
int pmcint_log_close(struct pmcint *s, struct err *err);

/* There is a log. */
int pmcint_log_userdata(struct pmcint *s, uint32_t userdata, struct err *err);

/* One record each; nothing happens without a log, or where the collector writes it. */
void pmcint_log_alloc(struct pmcint *s, const struct pmc *pmc);
void pmcint_log_attach(struct pmcint *s, const struct pmc *pmc, pid_t pid);
void pmcint_log_detach(struct pmcint *s, const struct pmc *pmc, pid_t pid);

/* The totals of closed logs and of the one that is open; of the last time, where that is stuck. */
void pmcint_log_stats(struct pmcint *s, struct pmc_log_stats *stats);

#endif
