/* SPDX-License-Identifier: BSD-2-Clause */
/* The PMCs of a recording, as options ask for them. */
#ifndef PMCSTAT_RECORD_PMCS_H
#define PMCSTAT_RECORD_PMCS_H

#include "pmcstat/record/count.h"

struct record_pmcs {
	VEC(pmc_id_t) all;
	VEC(pmc_id_t) leaders; /* those that are no members of groups */
};

/* Allocates them.  0, or an exit status after having said why.  counting: NULL for none. */
int record_pmcs_allocate(struct record_pmcs *pmcs, const struct record_options *options,
			 struct counting *counting);

/* 0, or an exit status after having said why. */
int record_pmcs_start(const struct record_pmcs *pmcs);
void record_pmcs_stop(const struct record_pmcs *pmcs);
void record_pmcs_release(const struct record_pmcs *pmcs);
void record_pmcs_fini(struct record_pmcs *pmcs);

/* Whether a PMC is one of processes. */
bool record_pmc_is_virtual(pmc_id_t id);

/* Those of processes, which run already: 0, or -1 and errno of pmc_attach_running(). */
int record_pmcs_attach(const struct record_pmcs *pmcs, pid_t pid);
void record_pmcs_detach(const struct record_pmcs *pmcs, pid_t pid);

/* Whether what it counts is time, and nothing that a frequency only follows. */
bool record_pmc_is_clock(const struct pmc_request *r);

/* How often a PMC samples; 0: not by time. */
uint64_t record_pmc_nanoseconds(const struct pmc_request *r);

#endif
