// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
/*
 * Classes of PMCs, their rows, and who has what of a row: hwpmc(4)'s dispositions.
 *
 * A row is a counter on every CPU.  Row 0 is the TSC, rows 1 to 16 are SOFT, those behind are the
 * counters that each CPU really has.  Rows are bookkeeping: that an event finds its counter is seen
 * to by perf, which refuses a pinned event that finds none.
 *
 * Context: everything here runs in process context under hwpmc_lock.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/capability.h>
#include <linux/cpumask.h>
#include <linux/printk.h>
#include <linux/slab.h>
#ifdef CONFIG_X86
#include <asm/cpufeature.h>
#endif
#ifdef CONFIG_ARM64
#include <asm/cpufeature.h>
#include <asm/sysreg.h>
#endif

#include "hwpmc_int.h"

#define TSC_ROWS  1u
#define SOFT_ROWS 16u
#define CPU_FIRST (TSC_ROWS + SOFT_ROWS)
#define CPU_MOST  (HWPMC_ROWS_MAX - CPU_FIRST)

#define SOFT_RESERVED 4u
#define CPU_RESERVED  1u

#define CPUTYPE_GENERIC 0x400u

/* A bit a row. */
struct cpu_rows {
	u64 taken;    /* by PMCs of system scope */
	u64 disabled; /* by PMCADMIN */
};

static struct {
	struct cpu_rows *cpus;		/* [nr_cpu_ids] */
	u32 threads[HWPMC_ROWS_MAX];	/* PMCs of process scope */
	u32 standalone[HWPMC_ROWS_MAX]; /* CPUs on which it is taken or disabled */
	u32 cpu_rows, cpu_width;	/* of class CPU; 0: none found yet */
} rows;

static const enum hwpmc_class classes[] = {PMC_CLASS_TSC, PMC_CLASS_SOFT, PMC_CLASS_CPU};

static u32 class_first(enum hwpmc_class pm_class)
{
	return pm_class == PMC_CLASS_TSC ? 0 : pm_class == PMC_CLASS_SOFT ? TSC_ROWS : CPU_FIRST;
}

static const char *class_name(enum hwpmc_class pm_class)
{
	return pm_class == PMC_CLASS_TSC ? "TSC" : pm_class == PMC_CLASS_SOFT ? "SOFT" : "CPU";
}

static enum hwpmc_class class_of_row(u32 row)
{
	return row < TSC_ROWS ? PMC_CLASS_TSC : row < CPU_FIRST ? PMC_CLASS_SOFT : PMC_CLASS_CPU;
}

/*
 * Counters of class CPU that perf gives to pinned events now, on a CPU that is online; 0: none, or
 * no memory for so many events.
 */
static u32 count_by_trial(void)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_HARDWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_HW_CPU_CYCLES,
		.pinned = 1,
	};
	int cpu = cpumask_first(cpu_online_mask);
	struct perf_event **events;
	u32 n, given = 0, made;

	events = kcalloc(CPU_MOST, sizeof(*events), GFP_KERNEL);
	if (!events)
		return 0;
	for (made = 0; made < CPU_MOST && given == made; made++) {
		events[made] = perf_event_create_kernel_counter(&attr, cpu, NULL, NULL, NULL);
		if (IS_ERR(events[made])) {
			if (PTR_ERR(events[made]) == -ENOMEM)
				given = 0;
			break;
		}
		given += READ_ONCE(events[made]->state) == PERF_EVENT_STATE_ACTIVE;
	}
	for (n = 0; n < made; n++)
		perf_event_release_kernel(events[n]);
	kfree(events);
	return given;
}

/*
 * What the CPU says of itself: counters, and bits of each in *width; 0: it does not say.  Perf
 * knows it, but tells the kernel's own KVM alone.
 */
static u32 count_by_cpu(u32 *width)
{
#ifdef CONFIG_X86
	if (boot_cpu_has(X86_FEATURE_ARCH_PERFMON)) {
		u32 eax = cpuid_eax(0xa);

		*width = eax >> 16 & 0xff;
		/* Those for general purposes, and fixed ones. */
		return (eax >> 8 & 0xff) + (cpuid_edx(0xa) & 0x1f);
	}
	if (boot_cpu_has(X86_FEATURE_PERFCTR_CORE)) {
		*width = 48;
		return boot_cpu_has(X86_FEATURE_PERFMON_V2) ? cpuid_ebx(0x80000022) & 0xf : 6;
	}
	return 0;
#elif defined(CONFIG_ARM64)
	u32 version = read_sanitised_ftr_reg(SYS_ID_AA64DFR0_EL1) >> 8 & 0xf;

	if (!version || version == 0xf)
		return 0;
	*width = version >= 6 ? 64 : 32; /* PMUv3 for Armv8.5 */
	/* PMCR_EL0.N, and the cycle counter, which it does not count. */
	return (read_sysreg(pmcr_el0) >> 11 & 0x1f) + 1;
#else
	return 0;
#endif
}

/*
 * Counts class CPU's rows, unless that was done.  A PMU can register later, even as a module.  What
 * the CPU says holds only where perf has a driver for it; a driver for another PMU is tried.
 */
static void find_cpu_rows(void)
{
	u32 width = 64, n, by_trial;

	if (rows.cpu_rows)
		return;
	by_trial = count_by_trial();
	if (!by_trial)
		return;
	n = count_by_cpu(&width);
	rows.cpu_rows = min(n ? n : by_trial, CPU_MOST);
	rows.cpu_width = n ? width : 64;
}

static void class_info(enum hwpmc_class pm_class, struct hwpmc_classinfo *info)
{
	static const u32 sampled =
		PMC_CAP_INTERRUPT | PMC_CAP_USER | PMC_CAP_SYSTEM | PMC_CAP_READ | PMC_CAP_WRITE;

	*info = (struct hwpmc_classinfo){.pm_class = pm_class, .width = 64};
	switch (pm_class) {
	case PMC_CLASS_TSC:
		/* Only x86 has an event for it; elsewhere its row stays unused. */
		info->num = IS_ENABLED(CONFIG_X86) ? TSC_ROWS : 0;
		info->caps = PMC_CAP_READ;
		break;
	case PMC_CLASS_SOFT:
		info->num = SOFT_ROWS;
		info->caps = sampled;
		break;
	case PMC_CLASS_CPU:
		info->num = rows.cpu_rows;
		info->width = rows.cpu_width;
		info->caps = sampled | PMC_CAP_EDGE | PMC_CAP_THRESHOLD;
		break;
	}
}

int hwpmc_row_class(u32 row)
{
	struct hwpmc_classinfo info;

	if (row >= HWPMC_ROWS_MAX)
		return -EINVAL;
	class_info(class_of_row(row), &info);
	return row - class_first(info.pm_class) < info.num ? (int)info.pm_class : -EINVAL;
}

u32 hwpmc_rows_number(void)
{
	find_cpu_rows();
	return CPU_FIRST + rows.cpu_rows;
}

u32 hwpmc_rows_of_cpu(void)
{
	return rows.cpu_rows;
}

static enum hwpmc_disposition row_disposition(u32 row)
{
	if (rows.threads[row])
		return HWPMC_DISP_THREAD;
	return rows.standalone[row] ? HWPMC_DISP_STANDALONE : HWPMC_DISP_FREE;
}

/* hwpmc(4)'s line: class, rows and capabilities of each class. */
static void announce(void)
{
	static const char *const names[] = {"INT", "USR", "SYS", "EDG", "THR", "REA", "WRI"};
	struct hwpmc_classinfo info;
	char text[160];
	u32 i, bit;
	int at = 0;

	for (i = 0; i < ARRAY_SIZE(classes); i++) {
		const char *before = "<";

		class_info(classes[i], &info);
		if (!info.num)
			continue;
		at += scnprintf(text + at, sizeof(text) - at, " %s/%u/0x%x", class_name(classes[i]),
				info.num, info.caps);
		for (bit = 0; bit < ARRAY_SIZE(names); bit++) {
			if (!(info.caps & 1u << bit))
				continue;
			at += scnprintf(text + at, sizeof(text) - at, "%s%s", before, names[bit]);
			before = ",";
		}
		at += scnprintf(text + at, sizeof(text) - at, ">");
	}
	pr_info("%s\n", text + 1);
}

int hwpmc_rows_init(void)
{
	rows.cpus = kcalloc(nr_cpu_ids, sizeof(*rows.cpus), GFP_KERNEL);
	if (!rows.cpus)
		return -ENOMEM;
	find_cpu_rows();
	announce();
	return 0;
}

void hwpmc_rows_exit(void)
{
	kfree(rows.cpus);
	rows.cpus = NULL;
}

static bool owner_has(const struct hwpmc_owner *owner, u32 row)
{
	const struct hwpmc_pmc *pmc;

	list_for_each_entry(pmc, &owner->pmcs, of_owner)
		if (pmc->row == row && !PMC_IS_SYSTEM_MODE(pmc->mode))
			return true;
	return false;
}

static void tell(const char *what, u32 row, int cpu)
{
	if (READ_ONCE(hwpmc_debugflags) & HWPMC_DEBUG_ROWS)
		pr_info("row %u of CPU %d: %s by process %d\n", row, cpu, what,
			task_tgid_nr(current));
}

/* cpu PMC_CPU_ANY: process scope. */
int hwpmc_row_take_at(const struct hwpmc_owner *owner, u32 row, int cpu)
{
	struct cpu_rows *here = cpu == PMC_CPU_ANY ? NULL : &rows.cpus[cpu];
	u64 bit = 1ull << row;

	if (here) {
		if (rows.threads[row] || ((here->taken | here->disabled) & bit))
			return -EINVAL;
		here->taken |= bit;
		rows.standalone[row]++;
	} else {
		if (rows.standalone[row] || (owner && owner_has(owner, row)))
			return -EINVAL;
		rows.threads[row]++;
	}
	tell("taken", row, cpu);
	return row;
}

/*
 * Rows that only privileged owners take: else one user's PMCs of process scope, which may have all
 * rows of a class, would keep everybody from system scope.
 */
static u32 reserved_rows(enum hwpmc_class pm_class, u32 rows_of_class)
{
	if (perfmon_capable() || rows_of_class < 2)
		return 0;
	return pm_class == PMC_CLASS_SOFT ? SOFT_RESERVED : CPU_RESERVED;
}

int hwpmc_row_take(const struct hwpmc_owner *owner, enum hwpmc_class pm_class, enum hwpmc_mode mode,
		   int cpu)
{
	struct hwpmc_classinfo info;
	u32 n;

	if (pm_class == PMC_CLASS_CPU)
		find_cpu_rows();
	class_info(pm_class, &info);
	info.num -= reserved_rows(pm_class, info.num);
	for (n = 0; n < info.num; n++) {
		int row = hwpmc_row_take_at(owner, class_first(pm_class) + n,
					    PMC_IS_SYSTEM_MODE(mode) ? cpu : PMC_CPU_ANY);

		if (row >= 0)
			return row;
	}
	return -EINVAL;
}

void hwpmc_row_give(enum hwpmc_class pm_class, u32 row, int cpu)
{
	tell("given back", row, cpu);
	if (cpu == PMC_CPU_ANY) {
		rows.threads[row]--;
		return;
	}
	rows.cpus[cpu].taken &= ~(1ull << row);
	rows.standalone[row]--;
}

/* A CPU that there is not is EINVAL, one that is not online ENXIO. */
static int cpu_check(int cpu)
{
	if (cpu < 0 || cpu >= nr_cpu_ids)
		return -EINVAL;
	return cpu_online(cpu) ? 0 : -ENXIO;
}

int hwpmc_row_admin(const struct hwpmc_admin *admin)
{
	u64 bit = 1ull << (admin->row & (HWPMC_ROWS_MAX - 1));
	struct cpu_rows *here;
	int error = hwpmc_may_admin();

	if (!error)
		error = cpu_check(admin->cpu);
	if (error)
		return error;
	find_cpu_rows();
	if (admin->enable > 1 || admin->pad || hwpmc_row_class(admin->row) < 0)
		return -EINVAL;
	here = &rows.cpus[admin->cpu];
	if ((!admin->enable && rows.threads[admin->row]) || (here->taken & bit))
		return -EBUSY;
	if (!admin->enable == !!(here->disabled & bit))
		return 0;
	here->disabled ^= bit;
	rows.standalone[admin->row] += admin->enable ? -1 : 1;
	return 0;
}

void hwpmc_rows_cpuinfo(struct hwpmc_cpuinfo *info)
{
	u32 i;

	*info = (struct hwpmc_cpuinfo){
		.cputype = CPUTYPE_GENERIC,
		.ncpu = nr_cpu_ids,
		.npmc = hwpmc_rows_number(),
	};
	for (i = 0; i < ARRAY_SIZE(classes); i++) {
		class_info(classes[i], &info->classes[info->nclass]);
		info->nclass += info->classes[info->nclass].num > 0;
	}
	if (info->nclass < ARRAY_SIZE(classes))
		info->classes[info->nclass] = (struct hwpmc_classinfo){};
}

static void row_info(u32 row, int cpu, struct hwpmc_rowinfo *info)
{
	enum hwpmc_class pm_class = class_of_row(row);

	*info = (struct hwpmc_rowinfo){
		.pm_class = pm_class,
		.enabled = hwpmc_row_class(row) >= 0 && !(rows.cpus[cpu].disabled & 1ull << row),
		.disposition = row_disposition(row),
		.owner = -1,
		.mode = -1,
	};
	snprintf(info->name, sizeof(info->name), "%s-%u", class_name(pm_class),
		 row - class_first(pm_class));
}

/* Of the row of a PMC of system scope. */
static void row_info_pmc(const struct hwpmc_pmc *pmc, struct hwpmc_rowinfo *info)
{
	info->owner = pid_vnr(pmc->owner->tgid);
	info->mode = pmc->mode;
	info->event = pmc->event_number;
	info->flags = pmc->flags;
	info->rate = pmc->rate;
	strscpy(info->event_name, pmc->name, sizeof(info->event_name));
}

/* Others wait meanwhile: each PMC is looked at once. */
int hwpmc_rows_pmcinfo(int cpu, struct hwpmc_rowinfo *info, u32 room)
{
	const struct hwpmc_owner *owner;
	const struct hwpmc_pmc *pmc;
	u32 row, n = hwpmc_rows_number();
	int error = cpu_check(cpu);

	if (error)
		return error;
	room = min(room, n);
	for (row = 0; row < room; row++)
		row_info(row, cpu, &info[row]);
	list_for_each_entry(owner, &hwpmc_owners, of_owners)
		list_for_each_entry(pmc, &owner->pmcs, of_owner)
			if (pmc->cpu == cpu && pmc->row < room)
				row_info_pmc(pmc, &info[pmc->row]);
	return n;
}
