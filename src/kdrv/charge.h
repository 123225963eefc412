/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* What users have, and who releases events for them; for all files of hwpmc.ko. */
#ifndef HWPMC_CHARGE_H
#define HWPMC_CHARGE_H

#include <linux/atomic.h>
#include <linux/perf_event.h>
#include <linux/types.h>
#include <linux/workqueue.h>

struct hwpmc_charge;
struct hwpmc_pmc;

/* ---- charge.c: what users have; process context ---- */

/* For the caller's user.  ERR_PTR: -ENOBUFS, more than that may have; -ENOMEM. */
struct hwpmc_charge *hwpmc_charge_log(u64 bytes);
struct hwpmc_charge *hwpmc_charge_pmc(void);
/* Of its user; NULL: no memory.  As long as that has charges; hwpmc_lock. */
struct hwpmc_releasers *hwpmc_charge_releasers(struct hwpmc_charge *charge);
void hwpmc_charge_free(struct hwpmc_charge *charge); /* NULL is legal; any context but irqs */

/* ---- releasers.c: workers that release events ---- */

struct hwpmc_releasers {
	struct workqueue_struct *workers;
	atomic_t room; /* for how many more events */
	struct work_struct end;
};

extern struct hwpmc_releasers *hwpmc_kernel_releasers; /* for events that no PMC has */
struct hwpmc_releasers *hwpmc_releasers_hire(void); /* NULL: no memory */
/* They have nothing to do any more, and end; NULL is legal; any context. */
void hwpmc_releasers_dismiss(struct hwpmc_releasers *releasers);
int hwpmc_releasers_init(void);
void hwpmc_releasers_exit(void); /* waits for users' to end; nobody has events any more */

/* ---- release.c: the end of perf events; process context ---- */

/*
 * The caller's last word on an event, whose handler does not run any more: what that needs may go.
 * Events of tracepoints, and on PREEMPT_RT all, are freed later.  pmc: whose it is, or NULL.
 */
void hwpmc_event_release(struct perf_event *event, struct hwpmc_pmc *pmc);
bool hwpmc_releases_wait(const struct perf_event_attr *attr); /* its event is one of these */

#endif
