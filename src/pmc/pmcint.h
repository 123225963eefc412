/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What pmc.c, pmc_log.c and pmc_error.c share: the state of the library behind the pmc(3) API, of
 * which there is one a process, and the log.  The functions here expect the lock to be held.
 */
#ifndef PMC_PMCINT_H
#define PMC_PMCINT_H

#include "pmc/collector.h"

struct pmcint_pmc {
	struct pmc pmc;
	bool started; /* at least once */
};

struct pmcint {
	pthread_mutex_t lock;		/* held by every function of the API */
	struct pmc_collector collector; /* its ops are NULL before pmc_init() */
	VEC(struct pmcint_pmc *) pmcs;
	unsigned int max_depth;
	char *command;		     /* NULL: not said */
	struct pmc_log_stats closed; /* of logs that are closed: bytes, dropped, error */
	struct pmc_log_stats told;   /* what pmc_get_log_stats() said last */
};

/* The error of this thread that pmc_error() tells. */
struct err *pmcint_last(void);
/* The errno value of that error, where a collector or the log has set it. */
int pmcint_last_errno(const struct pmcint *s);
/* Sets that error for a wrong use of the API.  Returns error, so that callers can return it. */
int pmcint_refuse(int error, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Begins a log on fd: INITIALIZE, what is allocated and attached already, then the collector's
 * part. */
int pmcint_log_open(struct pmcint *s, int fd, struct err *err);
int pmcint_log_flush(struct pmcint *s, struct err *err);
/* Ends the log with CLOSELOG.  The log is closed even when this returns -1. */
int pmcint_log_close(struct pmcint *s, struct err *err);

/* One record each; nothing happens without a log. */
void pmcint_log_alloc(struct pmcint *s, const struct pmc *pmc);
void pmcint_log_attach(struct pmcint *s, const struct pmc *pmc, pid_t pid);
void pmcint_log_detach(struct pmcint *s, const struct pmc *pmc, pid_t pid);
void pmcint_log_userdata(struct pmcint *s, uint32_t userdata);

/* The totals of closed logs and of the one that is open; of the last time, where that is stuck. */
void pmcint_log_stats(struct pmcint *s, struct pmc_log_stats *stats);

#endif
