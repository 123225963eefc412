// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
/*
 * What the logs of each user take of the machine's memory.
 *
 * As perf does it for its buffers: an ordinary user has a share for each CPU (user_log_kb), and
 * what goes beyond is bounded by the caller's RLIMIT_MEMLOCK.  All logs of one user count together.
 *
 * Context: process; a mutex of its own, inside which nothing is waited for.
 */
#include <linux/capability.h>
#include <linux/cpumask.h>
#include <linux/cred.h>
#include <linux/err.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/uidgid.h>

#include "hwpmc_int.h"

/* One log's. */
struct hwpmc_charge {
	struct list_head of_charges;
	kuid_t uid;
	u64 bytes;
};

static DEFINE_MUTEX(charges_lock);
static LIST_HEAD(charges); /* charges_lock */

/* charges_lock. */
static u64 charged_to(kuid_t uid)
{
	const struct hwpmc_charge *charge;
	u64 bytes = 0;

	list_for_each_entry(charge, &charges, of_charges)
		if (uid_eq(charge->uid, uid))
			bytes += charge->bytes;
	return bytes;
}

/* What the caller's user may have in all. */
static u64 allowed(void)
{
	u64 share = (u64)READ_ONCE(hwpmc_user_log_kb) * 1024 * num_possible_cpus();
	u64 limit = rlimit(RLIMIT_MEMLOCK);

	if (capable(CAP_IPC_LOCK) || perfmon_capable())
		return U64_MAX;
	return limit < U64_MAX - share ? share + limit : U64_MAX;
}

struct hwpmc_charge *hwpmc_charge_new(u64 bytes)
{
	struct hwpmc_charge *charge = kzalloc(sizeof(*charge), GFP_KERNEL_ACCOUNT);
	u64 most = allowed();
	bool fits;

	if (!charge)
		return ERR_PTR(-ENOMEM);
	charge->uid = current_uid();
	charge->bytes = bytes;
	mutex_lock(&charges_lock);
	fits = bytes <= most && charged_to(charge->uid) <= most - bytes;
	if (fits)
		list_add_tail(&charge->of_charges, &charges);
	mutex_unlock(&charges_lock);
	if (fits)
		return charge;
	kfree(charge);
	return ERR_PTR(-ENOBUFS);
}

void hwpmc_charge_free(struct hwpmc_charge *charge)
{
	if (!charge)
		return;
	mutex_lock(&charges_lock);
	list_del(&charge->of_charges);
	mutex_unlock(&charges_lock);
	kfree(charge);
}
