// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
/*
 * What each user takes of the machine: the memory of logs, and PMCs.
 *
 * Logs are as perf's buffers: an ordinary user has a share for each CPU (user_log_kb), and what
 * goes beyond is bounded by the caller's RLIMIT_MEMLOCK.  PMCs (user_pmcs) are what perf bounds by
 * descriptors.  All that processes of one user have counts together.
 */
#include <linux/capability.h>
#include <linux/cpumask.h>
#include <linux/cred.h>
#include <linux/err.h>
#include <linux/list.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/uidgid.h>

#include "hwpmc_int.h"

/* A user's, as long as he has any of it. */
struct account {
	struct list_head of_accounts;
	kuid_t uid;
	u64 bytes;
	u32 pmcs;
	struct hwpmc_releasers *releasers; /* NULL: none were needed; hwpmc_lock */
};

struct hwpmc_charge {
	struct account *account;
	u64 bytes;
	u32 pmcs;
};

static DEFINE_SPINLOCK(accounts_lock);
static LIST_HEAD(accounts); /* accounts_lock */

/* accounts_lock.  That of uid, which is fresh if there was none. */
static struct account *account_of(kuid_t uid, struct account *fresh)
{
	struct account *account;

	list_for_each_entry(account, &accounts, of_accounts)
		if (uid_eq(account->uid, uid))
			return account;
	fresh->uid = uid;
	list_add_tail(&fresh->of_accounts, &accounts);
	return fresh;
}

/* accounts_lock.  What is to be freed: the account, if nothing is charged to it, or NULL. */
static struct account *account_end(struct account *account)
{
	if (account->bytes || account->pmcs)
		return NULL;
	list_del(&account->of_accounts);
	return account;
}

/* Of logs, what the caller's user may have in all. */
static u64 most_bytes(void)
{
	u64 share = (u64)READ_ONCE(hwpmc_user_log_kb) * 1024 * num_possible_cpus();
	u64 limit = rlimit(RLIMIT_MEMLOCK);

	if (capable(CAP_IPC_LOCK) || perfmon_capable())
		return U64_MAX;
	return limit < U64_MAX - share ? share + limit : U64_MAX;
}

static u32 most_pmcs(void)
{
	return perfmon_capable() ? U32_MAX : READ_ONCE(hwpmc_user_pmcs);
}

/* At most so much is charged to the caller's user then; -ENOBUFS. */
static int charge_to(struct hwpmc_charge *charge, struct account *fresh, u64 bytes, u32 pmcs)
{
	struct account *account, *unused = fresh;
	int error = -ENOBUFS;

	spin_lock_bh(&accounts_lock);
	account = account_of(current_uid(), fresh);
	if (charge->bytes <= bytes && account->bytes <= bytes - charge->bytes &&
	    charge->pmcs <= pmcs && account->pmcs <= pmcs - charge->pmcs) {
		account->bytes += charge->bytes;
		account->pmcs += charge->pmcs;
		charge->account = account;
		error = 0;
	}
	if (account == fresh)
		unused = account_end(fresh);
	spin_unlock_bh(&accounts_lock);
	kfree(unused); /* it has no releasers */
	return error;
}

static struct hwpmc_charge *charge_new(u64 bytes, u32 pmcs, u64 bytes_most, u32 pmcs_most)
{
	struct hwpmc_charge *charge = hwpmc_zalloc(sizeof(*charge));
	struct account *fresh = hwpmc_zalloc(sizeof(*fresh));
	int error;

	if (!charge || !fresh) {
		kfree(charge);
		kfree(fresh);
		return ERR_PTR(-ENOMEM);
	}
	charge->bytes = bytes;
	charge->pmcs = pmcs;
	error = charge_to(charge, fresh, bytes_most, pmcs_most);
	if (!error)
		return charge;
	kfree(charge);
	return ERR_PTR(error);
}

/* What the user has of the other is no matter, even where it is more than he may have by now. */
struct hwpmc_charge *hwpmc_charge_log(u64 bytes)
{
	return charge_new(bytes, 0, most_bytes(), U32_MAX);
}

struct hwpmc_charge *hwpmc_charge_pmc(void)
{
	return charge_new(0, 1, U64_MAX, most_pmcs());
}

struct hwpmc_releasers *hwpmc_charge_releasers(struct hwpmc_charge *charge)
{
	if (!charge->account->releasers)
		charge->account->releasers = hwpmc_releasers_hire();
	return charge->account->releasers;
}

void hwpmc_charge_free(struct hwpmc_charge *charge)
{
	struct account *ended;

	if (!charge)
		return;
	spin_lock_bh(&accounts_lock);
	charge->account->bytes -= charge->bytes;
	charge->account->pmcs -= charge->pmcs;
	ended = account_end(charge->account);
	spin_unlock_bh(&accounts_lock);
	if (ended)
		hwpmc_releasers_dismiss(ended->releasers);
	kfree(ended);
	kfree(charge);
}
