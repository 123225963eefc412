// SPDX-License-Identifier: BSD-2-Clause
/*
 * The classes of counters that perf has here.  The kernel does not tell how many counters a CPU
 * has: what it refuses to have in one group is found by trial, on events that never count.
 */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/proc_text.h"
#include "pmc/counters.h"
#include "pmc/perf/perf_event.h"
#include "pmc/perf/perf_rows.h"

enum { SOFT_ROWS = 64 }; /* the kernel has no limit */

#define DEVICES "/sys/bus/event_source/devices"

/*
 * What is off is not reckoned among a group's counters, so only the leader is, and without it none
 * of them counts; it is reckoned as it could come on at an exec.
 */
static int open_in_group(uint64_t config, int leader)
{
	struct perf_event_attr attr = {.type = PERF_TYPE_HARDWARE,
				       .size = sizeof(attr),
				       .config = config,
				       .disabled = leader < 0,
				       .enable_on_exec = leader < 0,
				       .exclude_kernel = 1,
				       .exclude_hv = 1};

	return perf_open_grouped(&attr, 0, -1, leader);
}

/* More of one event, as many as can be used at once; how many there are then. */
static uint32_t fill_group(uint64_t config, int *fds, uint32_t n)
{
	int fd;

	while (n < COUNTERS_MAX) {
		fd = open_in_group(config, n ? fds[0] : -1);
		if (fd < 0)
			break;
		fds[n++] = fd;
	}
	return n;
}

/* Counters that can be used at once.  Those that can count one event alone come first. */
static uint32_t count_counters(int *fds)
{
	static const uint64_t fixed[] = {PERF_COUNT_HW_REF_CPU_CYCLES, PERF_COUNT_HW_INSTRUCTIONS};
	uint32_t n = 0, i;
	int fd;

	for (i = 0; i < sizeof(fixed) / sizeof(fixed[0]); i++) {
		fd = open_in_group(fixed[i], n ? fds[0] : -1);
		if (fd >= 0)
			fds[n++] = fd;
	}
	return fill_group(PERF_COUNT_HW_CPU_CYCLES, fds, n);
}

static void close_counters(const int *fds, uint32_t n)
{
	while (n)
		close(fds[--n]);
}

/* Bits of a counter, where its page tells; the kernel makes 64 of fewer. */
static uint32_t width_of(int fd, long page_size)
{
	struct perf_event_mmap_page *page =
		mmap(NULL, (size_t)page_size, PROT_READ, MAP_SHARED, fd, 0);
	uint32_t width;

	if (page == MAP_FAILED)
		return 64;
	width = page->pmc_width ? page->pmc_width : 64;
	munmap(page, (size_t)page_size);
	return width;
}

static bool exists(const char *path)
{
	return access(path, F_OK) == 0;
}

static uint32_t cpu_caps(void)
{
	uint32_t caps =
		PMC_CAP_INTERRUPT | PMC_CAP_USER | PMC_CAP_SYSTEM | PMC_CAP_READ | PMC_CAP_WRITE;

	if (exists(DEVICES "/cpu/format/edge"))
		caps |= PMC_CAP_EDGE;
	if (exists(DEVICES "/cpu/format/cmask"))
		caps |= PMC_CAP_THRESHOLD;
	if (exists(DEVICES "/cpu/format/inv"))
		caps |= PMC_CAP_INVERT;
	if (exists(DEVICES "/cpu/format/umask"))
		caps |= PMC_CAP_QUALIFIER;
	if (proc_read_number(DEVICES "/cpu/caps/max_precise", 0) > 0)
		caps |= PMC_CAP_PRECISE;
	return caps;
}

static void add_class(struct pmc_cpuinfo *info, struct pmc_classinfo pm_class)
{
	info->pm_classes[info->pm_nclass++] = pm_class;
	info->pm_npmc += pm_class.pm_num;
}

void perf_cpu_info(long page_size, struct pmc_cpuinfo *info)
{
	const uint32_t soft =
		PMC_CAP_INTERRUPT | PMC_CAP_USER | PMC_CAP_SYSTEM | PMC_CAP_READ | PMC_CAP_WRITE;
	int fds[COUNTERS_MAX];
	uint32_t n = count_counters(fds);

	add_class(info, (struct pmc_classinfo){PMC_CLASS_SOFT, soft, 64, SOFT_ROWS});
	if (exists(DEVICES "/msr/events/tsc"))
		add_class(info, (struct pmc_classinfo){PMC_CLASS_TSC, PMC_CAP_READ, 64, 1});
	if (n)
		add_class(info, (struct pmc_classinfo){PMC_CLASS_CPU, cpu_caps(),
						       width_of(fds[0], page_size), n});
	close_counters(fds, n);
}

uint32_t perf_rows_of_event(uint64_t config)
{
	int fds[COUNTERS_MAX];
	uint32_t n = fill_group(config, fds, 0);

	close_counters(fds, n);
	return n;
}
