// SPDX-License-Identifier: BSD-2-Clause
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/proc_text.h"
#include "pmccontrol/control.h"
#include "pmc/pmc.h"

static bool is_idle(const struct pmc_info *row)
{
	return row->pm_enabled && row->pm_rowdisp == PMC_DISP_FREE && row->pm_ownerpid == -1;
}

/* How many rows from this one on are of one class and say nothing. */
static uint32_t count_idle(const struct pmc_info *rows, uint32_t n)
{
	uint32_t i;

	for (i = 0; i < n && is_idle(&rows[i]) && rows[i].pm_class == rows[0].pm_class; i++)
		;
	return i;
}

static const char *or_dash(const char *name)
{
	return name ? name : "-";
}

static void write_row(struct sink *sink, uint32_t first, uint32_t n, const struct pmc_info *row)
{
	char number[24], name[PMC_NAME_MAX + 24];

	snprintf(number, sizeof(number), n > 1 ? "%u-%u" : "%u", first, first + n - 1);
	snprintf(name, sizeof(name), n > 1 ? "%s ..." : "%s", row->pm_name);
	sink_printf(sink, "%7s %-16s %-6s %-8s %s", number, name,
		    or_dash(pmc_name_of_class(row->pm_class)),
		    row->pm_enabled ? "ENABLED" : "DISABLED",
		    or_dash(pmc_name_of_disposition(row->pm_rowdisp)));
	if (row->pm_ownerpid != -1)
		sink_printf(sink, " (pid %d) %s %s", (int)row->pm_ownerpid,
			    or_dash(pmc_name_of_event(row->pm_event)),
			    or_dash(pmc_name_of_mode(row->pm_mode)));
	if (row->pm_ownerpid != -1 && PMC_IS_SAMPLING_MODE(row->pm_mode))
		sink_printf(sink, " (reload count %llu)", (unsigned long long)row->pm_reloadcount);
	sink_str(sink, "\n");
}

static int write_cpu(struct sink *sink, int cpu, uint32_t npmc)
{
	struct pmc_pmcinfo *info;
	uint32_t i, n;

	if (pmc_pmcinfo(cpu, &info))
		return -1;
	sink_printf(sink, "CPU %d:\n%7s %-16s %-6s %-8s %s\n", cpu, "N", "NAME", "CLASS", "STATE",
		    "ROW-DISP");
	for (i = 0; i < npmc; i += n) {
		n = count_idle(&info->pm_pmcs[i], npmc - i);
		n = n ? n : 1;
		write_row(sink, i, n, &info->pm_pmcs[i]);
	}
	free(info);
	return 0;
}

int control_write_counters(struct sink *sink)
{
	const struct pmc_cpuinfo *info;
	uint32_t i;
	int cpu;

	if (pmc_cpuinfo(&info))
		return -1;
	for (i = 0; i < info->pm_nclass; i++) {
		const struct pmc_classinfo *classinfo = &info->pm_classes[i];
		uint32_t cap;

		sink_printf(sink, "%s: %u PMC%s of %u bits:",
			    or_dash(pmc_name_of_class(classinfo->pm_class)), classinfo->pm_num,
			    classinfo->pm_num == 1 ? "" : "s", classinfo->pm_width);
		for (cap = PMC_CAP_FIRST; cap <= PMC_CAP_LAST; cap <<= 1)
			if (classinfo->pm_caps & cap)
				sink_printf(sink, " %s", pmc_name_of_capability(cap));
		sink_str(sink, "\n");
	}
	for (cpu = 0; cpu < (int)info->pm_ncpu; cpu++)
		if (pmc_cpu_is_online(cpu) && write_cpu(sink, cpu, info->pm_npmc))
			return -1;
	return 0;
}

/* Interrupts of counters, one column a CPU: "PMI:   0   0   Performance monitoring interrupts". */
static void write_interrupts(struct sink *sink)
{
	char *line = NULL;
	size_t size = 0;
	FILE *f = fopen("/proc/interrupts", "re");
	bool found = false;

	while (f && !found && getline(&line, &size, f) > 0) {
		char *p = strstr(line, "PMI:"), *end;
		int cpu = 0;

		if (!p)
			continue;
		found = true;
		for (p += 4; strtoull(p, &end, 10), end != p; p = end)
			sink_printf(sink, "counter interrupts, column %-11d %11llu\n", cpu++,
				    strtoull(p, NULL, 10));
	}
	if (!found)
		sink_str(sink, "counter interrupts: /proc/interrupts has no line PMI\n");
	if (f)
		fclose(f);
	free(line);
}

static void write_settings(struct sink *sink)
{
	static const char *const settings[] = {
		"perf_event_max_sample_rate", "perf_cpu_time_max_percent", "perf_event_max_stack",
		"perf_event_mlock_kb",	      "perf_event_paranoid",	   "nmi_watchdog"};
	char path[128], text[4096];
	size_t i;

	if (proc_read_text("/sys/devices/system/cpu/online", text, sizeof(text)) > 0)
		sink_printf(sink, "%-40s %11s\n", "CPUs online", text);
	for (i = 0; i < sizeof(settings) / sizeof(settings[0]); i++) {
		snprintf(path, sizeof(path), "/proc/sys/kernel/%s", settings[i]);
		if (proc_read_text(path, text, sizeof(text)) > 0)
			sink_printf(sink, "kernel.%-33s %11s\n", settings[i], text);
	}
}

int control_write_statistics(struct sink *sink)
{
	struct pmc_driverstats stats;

	if (pmc_get_driver_stats(&stats))
		return -1;
	sink_printf(sink, "%-40s %11u\n", "interrupts processed", stats.pm_intr_processed);
	sink_printf(sink, "%-40s %11u\n", "interrupts ignored", stats.pm_intr_ignored);
	sink_printf(sink, "%-40s %11u\n", "samples without room", stats.pm_intr_bufferfull);
	sink_printf(sink, "%-40s %11u\n", "times that a PMC was paused", stats.pm_throttled);
	sink_printf(sink, "%-40s %11u\n", "system calls", stats.pm_syscalls);
	sink_printf(sink, "%-40s %11u\n", "system calls with errors", stats.pm_syscall_errors);
	sink_printf(sink, "%-40s %11u\n", "buffer requests", stats.pm_buffer_requests);
	sink_printf(sink, "%-40s %11u\n", "buffer requests failed",
		    stats.pm_buffer_requests_failed);
	sink_printf(sink, "%-40s %11u\n", "sampling log sweeps", stats.pm_log_sweeps);
	sink_printf(sink, "%-40s %11u\n", "log records without room", stats.pm_records_lost);
	sink_printf(sink, "%-40s %11u\n", "counters taken by others", stats.pm_starved);
	sink_printf(sink, "%-40s %11u\n", "threads without a counter", stats.pm_uncounted);
	write_settings(sink);
	write_interrupts(sink);
	return 0;
}

/* hwpmc(4) numbers the TSC's row where there is no TSC, too. */
static bool has_counter(const struct pmc_info *row, const struct pmc_cpuinfo *info)
{
	uint32_t i;

	for (i = 0; i < info->pm_nclass; i++)
		if (info->pm_classes[i].pm_class == row->pm_class)
			return true;
	return false;
}

static int switch_all(int cpu, const struct pmc_cpuinfo *info, int (*change)(int, int))
{
	struct pmc_pmcinfo *rows;
	uint32_t i;
	int ret = 0;

	if (pmc_pmcinfo(cpu, &rows))
		return -1;
	for (i = 0; i < info->pm_npmc && !ret; i++)
		if (has_counter(&rows->pm_pmcs[i], info))
			ret = change(cpu, (int)i);
	free(rows);
	return ret;
}

int control_switch(int cpu, int row, bool enable)
{
	int (*const change)(int, int) = enable ? pmc_enable : pmc_disable;
	int first_cpu = cpu < 0 ? 0 : cpu, last_cpu = cpu;
	const struct pmc_cpuinfo *info;

	if (pmc_cpuinfo(&info))
		return -1;
	if (cpu < 0)
		last_cpu = (int)info->pm_ncpu - 1;
	for (cpu = first_cpu; cpu <= last_cpu; cpu++) {
		if (first_cpu != last_cpu && !pmc_cpu_is_online(cpu))
			continue;
		if (row < 0 ? switch_all(cpu, info, change) : change(cpu, row))
			return -1;
	}
	return 0;
}
