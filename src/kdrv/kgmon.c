// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
/*
 * PMC_F_KGMON: samples of a PMC counted into a histogram of the kernel's text.
 *
 * Contexts: hwpmc_kgmon_count() is called from overflow handlers, in NMI on x86.  A PMC with this
 * flag has one event on one CPU, whose handler does not interrupt itself: so there is one writer,
 * and no lock.  All else is process context.
 */
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <linux/vmalloc.h>

#include "hwpmc_int.h"
#include "pmc_kapi.h"

/* Bytes of text: what compilers align functions to. */
#define BIN_BYTES 16u

struct hwpmc_kgmon_histogram {
	u64 low;
	u32 nbins;
	u64 outside; /* samples at no kernel text */
	struct rcu_head rcu;
	u32 bins[];
};

struct hwpmc_kgmon_histogram *hwpmc_kgmon_histogram_new(void)
{
	struct hwpmc_kgmon_histogram *h;
	u64 low, high, nbins;

	if (!hwpmc_kernel_text(&low, &high))
		return ERR_PTR(-EOPNOTSUPP);
	low = round_down(low, BIN_BYTES);
	nbins = DIV_ROUND_UP_ULL(high - low, BIN_BYTES);
	/* Some MB, of as many as there are rows; not on an account: see hwpmc_zalloc(). */
	h = vzalloc(struct_size(h, bins, nbins));
	if (!h)
		return ERR_PTR(-ENOMEM);
	h->low = low;
	h->nbins = nbins;
	return h;
}

/* Its events were stopped; handlers may still count. */
void hwpmc_kgmon_histogram_free(struct hwpmc_kgmon_histogram *h)
{
	kvfree_rcu(h, rcu);
}

int hwpmc_kgmon_new(struct hwpmc_pmc *pmc)
{
	struct hwpmc_kgmon_histogram *h = hwpmc_kgmon_histogram_new();

	if (IS_ERR(h))
		return PTR_ERR(h);
	pmc->kgmon = h;
	return 0;
}

/* No event of pmc counts any more.  Not with irqs off. */
void hwpmc_kgmon_free(struct hwpmc_pmc *pmc)
{
	hwpmc_kgmon_histogram_free(pmc->kgmon);
	pmc->kgmon = NULL;
}

/* A full bin stays full: the file that it goes to ends at 65,535 anyway. */
void hwpmc_kgmon_count(struct hwpmc_kgmon_histogram *h, u64 pc, bool user)
{
	u64 bin = (pc - h->low) / BIN_BYTES;

	if (user || pc < h->low || bin >= h->nbins)
		WRITE_ONCE(h->outside, h->outside + 1);
	else if (h->bins[bin] != U32_MAX)
		WRITE_ONCE(h->bins[bin], h->bins[bin] + 1);
}

void hwpmc_kgmon_histogram_add(const struct hwpmc_kgmon_histogram *h, struct pmc_profile *sum,
			       u32 room)
{
	u32 i;

	sum->low = h->low;
	sum->bin = BIN_BYTES;
	sum->nbins = h->nbins;
	sum->outside += READ_ONCE(h->outside);
	for (i = 0; i < h->nbins && i < room; i++)
		sum->bins[i] += READ_ONCE(h->bins[i]);
}

/* May sleep for the caller's memory. */
int hwpmc_kgmon_get(struct hwpmc_pmc *pmc, struct hwpmc_kgmon *args)
{
	const struct hwpmc_kgmon_histogram *h = pmc->kgmon;
	u64 room = args->nbins;

	if (!h)
		return -EINVAL;
	args->bin = BIN_BYTES;
	args->low = h->low;
	args->nbins = h->nbins;
	args->outside = READ_ONCE(h->outside);
	if (copy_to_user(u64_to_user_ptr(args->bins), h->bins,
			 min_t(u64, room, h->nbins) * sizeof(*h->bins)))
		return -EFAULT;
	return 0;
}
