// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
/*
 * hwpmc.ko: loading and unloading.  Process context.
 *
 * Unloading is refused while a process owns a PMC or a log, or has the device open.  Only a forced
 * unload (MODULE_FORCE_UNLOAD, which distributions leave out) comes to owners: they get SIGBUS.
 */
#include <linux/init.h>
#include <linux/module.h>
#include <linux/rcupdate.h>

#include "hwpmc_int.h"

/* Over all objects of the module: see hwpmc_int.h. */
DEFINE_MUTEX(hwpmc_lock);
DEFINE_RAW_SPINLOCK(hwpmc_hash_lock);
struct hwpmc_counts hwpmc_counts;

/*
 * In the order of what needs what.  The device is the last to come and the first to go; then no
 * hook runs any more, so that nothing new begins while the rest is taken down.
 */
static const struct {
	int (*init)(void); /* NULL: nothing to do */
	void (*exit)(void);
} parts[] = {
	{hwpmc_tunables_init, hwpmc_tunables_exit}, {hwpmc_access_init, hwpmc_access_exit},
	{hwpmc_rows_init, hwpmc_rows_exit},	    {hwpmc_targets_init, hwpmc_targets_exit},
	{hwpmc_logs_init, hwpmc_logs_exit},	    {hwpmc_maps_init, hwpmc_maps_exit},
	{NULL, hwpmc_starve_exit},		    {hwpmc_owner_init, hwpmc_owner_exit},
	{hwpmc_kapi_init, hwpmc_kapi_exit},	    {NULL, hwpmc_works_exit},
	{hwpmc_hooks_init, hwpmc_hooks_exit},	    {hwpmc_hotplug_init, hwpmc_hotplug_exit},
	{hwpmc_device_init, hwpmc_device_exit},
};

static void leave(unsigned int nparts)
{
	while (nparts--)
		parts[nparts].exit();
	rcu_barrier();
}

static int __init hwpmc_module_init(void)
{
	unsigned int i;
	int err;

	for (i = 0; i < ARRAY_SIZE(parts); i++) {
		err = parts[i].init ? parts[i].init() : 0;
		if (err) {
			leave(i);
			return err;
		}
	}
	return 0;
}

static void __exit hwpmc_module_exit(void)
{
	leave(ARRAY_SIZE(parts));
}

module_init(hwpmc_module_init);
module_exit(hwpmc_module_exit);
MODULE_DESCRIPTION("Performance monitoring counters after FreeBSD's hwpmc(4)");
MODULE_AUTHOR("The pmcstat project");
MODULE_LICENSE("Dual BSD/GPL");
MODULE_VERSION(__stringify(1.0));
