// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
/*
 * hwpmc(4)'s tunables: parameters of the module, shown in /proc/sys/kernel/hwpmc/.
 *
 * As in hwpmc(4), sizes are set when the module is loaded and only read after that; what limits or
 * permits can be changed any time.  There is no mtxpoolsize: the pool of spin mutexes that it sized
 * protects the targets' counts from two CPUs that switch threads of one process at the same time;
 * here each thread has a counter of its own, and totals are under one lock.
 *
 * Context: process.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/module.h>
#include <linux/printk.h>
#include <linux/sysctl.h>

#include "hwpmc_int.h"

#define LOGBUFFERSIZE_MOST 65536 /* KB */
#define NBUFFERS_MOST	   65536
#define HASHSIZE_MOST	   65536
#define NSAMPLES_MOST	   65535
#define USER_LOG_KB_MOST   (1024 * 1024)
#define USER_PMCS_MOST	   65536

int hwpmc_callchaindepth = HWPMC_DEPTH_MAX;
int hwpmc_hashsize = 1024;
int hwpmc_logbuffersize = 4;
int hwpmc_nbuffers = 64;
int hwpmc_nsamples = 512;
int hwpmc_debugflags;
int hwpmc_min_period_ns = 10000;
int hwpmc_unprivileged_syspmcs;
int hwpmc_unprivileged_proc_debug = 1;
int hwpmc_user_log_kb = 2560; /* two logs of the default size, on two CPUs or more */
int hwpmc_user_pmcs = 1024; /* as many as a process may have open files */
int hwpmc_kept_counters = 3;
int hwpmc_unthrottle;

/* Written through /proc/sys/kernel/hwpmc/ alone, where ranges are checked. */
#define TUNABLE(name, text)                                \
	module_param_named(name, hwpmc_##name, int, 0444); \
	MODULE_PARM_DESC(name, text)

TUNABLE(callchaindepth, "frames of a call chain, 1 to 127");
TUNABLE(hashsize, "rows of the hash tables of targets");
TUNABLE(logbuffersize, "KB of a log buffer");
TUNABLE(nbuffers, "log buffers of a log");
TUNABLE(nsamples, "samples that a CPU's ring has room for, to 65535");
TUNABLE(debugflags, "what to write to the kernel's log: 1 operations, 2 rows");
TUNABLE(min_period_ns, "shortest time between samples of a clock");
TUNABLE(unprivileged_syspmcs, "1: processes without privilege may have system-wide PMCs");
TUNABLE(unprivileged_proc_debug,
	"0: processes without privilege may attach PMCs to themselves alone");
TUNABLE(user_log_kb, "KB a CPU of logs that an ordinary user has besides RLIMIT_MEMLOCK");
TUNABLE(user_pmcs, "PMCs that an ordinary user may have");
TUNABLE(kept_counters, "counters of each CPU that counting PMCs of processes may keep");
TUNABLE(unthrottle, "1: perf does not pause PMCs that interrupt too often");

static int one = 1, least_period = 1000, longest_period = NSEC_PER_SEC;
static int most_log_kb = USER_LOG_KB_MOST, most_pmcs = USER_PMCS_MOST, most_kept = HWPMC_ROWS_MAX;

#define READ_ONLY(name)                                                                        \
	{                                                                                      \
		.procname = #name, .data = &hwpmc_##name, .maxlen = sizeof(int), .mode = 0444, \
		.proc_handler = proc_dointvec                                                  \
	}
#define WRITABLE(name, least, most)                                                            \
	{                                                                                      \
		.procname = #name, .data = &hwpmc_##name, .maxlen = sizeof(int), .mode = 0644, \
		.proc_handler = proc_dointvec_minmax, .extra1 = (least), .extra2 = (most)      \
	}

static struct ctl_table tunables[] = {READ_ONLY(callchaindepth),
				      READ_ONLY(hashsize),
				      READ_ONLY(logbuffersize),
				      READ_ONLY(nbuffers),
				      READ_ONLY(nsamples),
				      WRITABLE(debugflags, NULL, NULL),
				      WRITABLE(kept_counters, SYSCTL_ZERO, &most_kept),
				      WRITABLE(min_period_ns, &least_period, &longest_period),
				      WRITABLE(unprivileged_syspmcs, SYSCTL_ZERO, &one),
				      WRITABLE(unprivileged_proc_debug, SYSCTL_ZERO, &one),
				      WRITABLE(user_log_kb, SYSCTL_ZERO, &most_log_kb),
				      WRITABLE(user_pmcs, SYSCTL_ZERO, &most_pmcs),
				      WRITABLE(unthrottle, SYSCTL_ZERO, &one),
				      HWPMC_SYSCTL_END};

static struct ctl_table_header *header;

/* hwpmc(4)'s DIAGNOSTICS; its nlogbuffers is the tunable nbuffers. */
static bool is_positive(const char *name, int value, int most)
{
	if (value <= 0)
		pr_err("tunable %s=%d must be greater than zero.\n", name, value);
	else if (value > most)
		pr_err("tunable %s=%d out of range.\n", name, value);
	return value > 0 && value <= most;
}

static bool is_within(const char *name, int value, int least, int most)
{
	if (value >= least && value <= most)
		return true;
	pr_err("tunable %s=%d out of range.\n", name, value);
	return false;
}

int hwpmc_tunables_init(void)
{
	bool good = is_positive("hashsize", hwpmc_hashsize, HASHSIZE_MOST);

	good &= is_positive("logbuffersize", hwpmc_logbuffersize, LOGBUFFERSIZE_MOST);
	good &= is_positive("nlogbuffers", hwpmc_nbuffers, NBUFFERS_MOST);
	good &= is_within("nsamples", hwpmc_nsamples, 1, NSAMPLES_MOST);
	good &= is_within("callchaindepth", hwpmc_callchaindepth, 1, HWPMC_DEPTH_MAX);
	good &= is_within("min_period_ns", hwpmc_min_period_ns, least_period, longest_period);
	good &= is_within("unprivileged_syspmcs", hwpmc_unprivileged_syspmcs, 0, 1);
	good &= is_within("unprivileged_proc_debug", hwpmc_unprivileged_proc_debug, 0, 1);
	good &= is_within("user_log_kb", hwpmc_user_log_kb, 0, USER_LOG_KB_MOST);
	good &= is_within("user_pmcs", hwpmc_user_pmcs, 0, USER_PMCS_MOST);
	good &= is_within("kept_counters", hwpmc_kept_counters, 0, HWPMC_ROWS_MAX);
	good &= is_within("unthrottle", hwpmc_unthrottle, 0, 1);
	if (!good)
		return -EINVAL;
	header = register_sysctl("kernel/hwpmc", tunables);
	if (!header && IS_ENABLED(CONFIG_SYSCTL))
		return -ENOMEM;
	return 0;
}

void hwpmc_tunables_exit(void)
{
	if (header)
		unregister_sysctl_table(header);
	header = NULL;
}
