/* SPDX-License-Identifier: BSD-2-Clause */
/* PMCs that are asked for, with the settings that stand before them.  0, or -1 with err set. */
#ifndef PMCSTAT_OPTION_EVENTS_H
#define PMCSTAT_OPTION_EVENTS_H

#include "pmcstat/options/options.h"

/* An event, or a group of them. */
int option_add_event(struct options *o, const char *spec, enum pmc_mode mode, struct err *err);

/* Settings behind the only PMC, or the only group, are meant for it. */
int option_settle_late(struct options *o, struct err *err);

/*
 * Without a PMC the processor's time is sampled, with who called the kernel: of the command or
 * targets, or all of it by -T and --push.
 */
int option_add_default_event(struct options *o, struct err *err);

#endif
