// SPDX-License-Identifier: BSD-2-Clause
/* What a read of a PMC costs: pmc_read(), which needs no system call where it can, and read(2). */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "pmc/pmc.h"

static unsigned int reads = 1000000;

static uint64_t now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

/* Nanoseconds a read; the count that it took in *spent. */
static double measure(pmc_id_t id, bool by_call, uint64_t *spent)
{
	struct pmc_count count = {0};
	pmc_value_t first = 0, last = 0;
	uint64_t begin;
	unsigned int i;

	pmc_read(id, &first);
	begin = now();
	for (i = 0; i < reads; i++) {
		if (by_call)
			pmc_read_count(id, &count);
		else
			pmc_read(id, &last);
	}
	begin = now() - begin;
	pmc_read(id, &last);
	*spent = (last - first) / reads;
	return (double)begin / reads;
}

static void show(const char *event, const char *unit)
{
	uint64_t fast_spent, call_spent;
	double fast, call;
	pmc_id_t id;

	if (pmc_allocate(event, PMC_MODE_TC, PMC_F_SELF, PMC_CPU_ANY, &id, 0) || pmc_start(id)) {
		printf("%-14s not measured: %s\n", event, pmc_error());
		return;
	}
	fast = measure(id, false, &fast_spent);
	call = measure(id, true, &call_spent);
	printf("%-14s pmc_read %7.1f ns %6llu %s   read(2) %7.1f ns %6llu %s\n", event, fast,
	       (unsigned long long)fast_spent, unit, call, (unsigned long long)call_spent, unit);
	pmc_release(id);
}

/* The argument is the number of reads, for slow machines. */
int main(int argc, char **argv)
{
	if (argc > 1 && atoi(argv[1]) > 0)
		reads = (unsigned int)atoi(argv[1]);
	if (pmc_set_collector("perf") || pmc_init()) {
		printf("not measured: %s\n", pmc_error());
		return 0;
	}
	show("cycles", "cycles");
	show("instructions:u", "instructions");
	show("task-clock", "ns");
	return 0;
}
