// SPDX-License-Identifier: BSD-2-Clause
/*
 * What a read of a counter of the calling thread costs: by pmc_read(), which needs no system call
 * where it can; by pmc_read_count(), which makes one; by a plain read(2) of an event of perf; and
 * by PAPI_read(), where PAPI was there when this was built and can count the event.
 */
#include <linux/perf_event.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#ifdef HAVE_PAPI
#include <papi.h>
#endif

#include "pmc/pmc.h"

struct event {
	const char *pmc, *papi, *unit;
	uint32_t type;
	uint64_t config;
	bool user_only;
};

static const struct event events[] = {
	{"cycles", "PAPI_TOT_CYC", "cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES, false},
	{"instructions:u", "PAPI_TOT_INS", "instructions", PERF_TYPE_HARDWARE,
	 PERF_COUNT_HW_INSTRUCTIONS, true},
	{"task-clock", "perf::TASK-CLOCK", "ns", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK,
	 false},
};

static unsigned int reads = 1000000;

static uint64_t now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

/* Reads the counter that handle stands for. */
typedef uint64_t (*read_fn)(uint64_t handle);

static uint64_t read_pmc(uint64_t id)
{
	pmc_value_t value = 0;

	pmc_read((pmc_id_t)id, &value);
	return value;
}

static uint64_t read_count(uint64_t id)
{
	struct pmc_count count = {0};

	pmc_read_count((pmc_id_t)id, &count);
	return count.value;
}

static uint64_t read_file(uint64_t fd)
{
	uint64_t value = 0;

	return read((int)fd, &value, sizeof(value)) == sizeof(value) ? value : 0;
}

static void measure(const char *name, const struct event *e, read_fn counter, uint64_t handle)
{
	uint64_t first = counter(handle), last = first, begin = now();
	unsigned int i;

	for (i = 0; i < reads; i++)
		last = counter(handle);
	printf("%-14s %-14s %8.1f ns %6llu %s\n", e->pmc, name, (double)(now() - begin) / reads,
	       (unsigned long long)((last - first) / reads), e->unit);
}

static void fails(const char *name, const struct event *e, const char *why)
{
	printf("%-14s %-14s not measured: %s\n", e->pmc, name, why);
}

static void measure_pmc(const struct event *e)
{
	pmc_id_t id;

	if (pmc_allocate(e->pmc, PMC_MODE_TC, PMC_F_SELF, PMC_CPU_ANY, &id, 0) || pmc_start(id)) {
		fails("pmc_read", e, pmc_error());
		return;
	}
	measure("pmc_read", e, read_pmc, id);
	measure("pmc_read_count", e, read_count, id);
	pmc_release(id);
}

static void measure_file(const struct event *e)
{
	struct perf_event_attr attr = {.type = e->type,
				       .size = sizeof(attr),
				       .config = e->config,
				       .exclude_kernel = e->user_only,
				       .exclude_hv = 1};
	int fd = (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);

	if (fd < 0)
		return;
	measure("read(2)", e, read_file, (uint64_t)fd);
	close(fd);
}

#ifdef HAVE_PAPI
static uint64_t read_papi(uint64_t set)
{
	long long value = 0;

	return PAPI_read((int)set, &value) == PAPI_OK ? (uint64_t)value : 0;
}

static void measure_papi(const struct event *e)
{
	static int state = PAPI_NULL;
	int set = PAPI_NULL, r;

	if (state == PAPI_NULL)
		state = PAPI_library_init(PAPI_VER_CURRENT);
	r = state == PAPI_VER_CURRENT ? PAPI_create_eventset(&set) : state;
	if (r == PAPI_OK)
		r = PAPI_add_named_event(set, e->papi);
	if (r == PAPI_OK)
		r = PAPI_start(set);
	if (r != PAPI_OK) {
		fails("PAPI_read", e, PAPI_strerror(r));
		return;
	}
	measure("PAPI_read", e, read_papi, (uint64_t)set);
	PAPI_stop(set, NULL);
	PAPI_cleanup_eventset(set);
	PAPI_destroy_eventset(&set);
}
#else
static void measure_papi(const struct event *e)
{
	fails("PAPI_read", e, "this was built without PAPI (libpapi-dev)");
}
#endif

/* The argument is the number of reads, for slow machines. */
int main(int argc, char **argv)
{
	size_t i;

	if (argc > 1 && atoi(argv[1]) > 0)
		reads = (unsigned int)atoi(argv[1]);
	if (pmc_set_collector("perf") || pmc_init()) {
		printf("not measured: %s\n", pmc_error());
		return 0;
	}
	for (i = 0; i < sizeof(events) / sizeof(events[0]); i++) {
		measure_pmc(&events[i]);
		measure_file(&events[i]);
		measure_papi(&events[i]);
	}
	return 0;
}
