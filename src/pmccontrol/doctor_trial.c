// SPDX-License-Identifier: BSD-2-Clause
/* PMCs that are opened and watched while this program does some of everything. */
#include <errno.h>
#include <sched.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "pmccontrol/doctor.h"
#include "pmc/perf/perf_trial.h"

/* A round of work is 3 ms of CPU time; an event that none of the rounds moved is not to be moved.
 */
enum { ROUNDS = 20, USER_NS = 2000000, KERNEL_NS = 1000000, FRESH_BYTES = 1 << 20 };

static uint64_t thread_ns(void)
{
	struct timespec ts = {0, 0};

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ts);
	return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

/* Instructions, branches, loads and stores, in user mode. */
static void compute(void)
{
	uint64_t end = thread_ns() + USER_NS;
	volatile unsigned int i;

	while (thread_ns() < end)
		for (i = 0; i < 10000; i++)
			;
}

/* Page faults, cache and TLB misses, and time in the kernel. */
static void touch_memory(void)
{
	uint64_t end = thread_ns() + KERNEL_NS;
	size_t at;

	while (thread_ns() < end) {
		char *p = mmap(NULL, FRESH_BYTES, PROT_READ | PROT_WRITE,
			       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		if (p == MAP_FAILED)
			return;
		for (at = 0; at < FRESH_BYTES; at += 1024)
			p[at] = 1;
		munmap(p, FRESH_BYTES);
	}
}

/* Moves this thread over the CPUs that it may use: two suffice. */
static void migrate(const cpu_set_t *allowed)
{
	int cpu, moves = 0;

	for (cpu = 0; cpu < CPU_SETSIZE && moves < 2; cpu++) {
		cpu_set_t one;

		if (!CPU_ISSET(cpu, allowed))
			continue;
		CPU_ZERO(&one);
		CPU_SET(cpu, &one);
		moves += !sched_setaffinity(0, sizeof(one), &one);
	}
}

/* cpu: where to work; PMC_CPU_ANY: on several. */
static void work(int cpu)
{
	static const struct timespec nap = {0, 100000};
	cpu_set_t allowed, one;
	bool known = !sched_getaffinity(0, sizeof(allowed), &allowed);

	if (known && cpu == PMC_CPU_ANY)
		migrate(&allowed);
	if (known && cpu >= 0 && cpu < CPU_SETSIZE) {
		CPU_ZERO(&one);
		CPU_SET(cpu, &one);
		sched_setaffinity(0, sizeof(one), &one);
	}
	compute();
	touch_memory();
	nanosleep(&nap, NULL);
	if (known)
		sched_setaffinity(0, sizeof(allowed), &allowed);
}

static void take_error(struct doctor_outcome *outcome)
{
	outcome->result = DOCTOR_REFUSED;
	err_set(&outcome->err, pmc_error_code(), "%s", pmc_error());
	err_hint(&outcome->err, "%s", pmc_error_hint());
}

/* What the PMC counted, or the samples that reached the log since libpmc was opened. */
static int read_pmc(const struct doctor_trial *trial, pmc_id_t id, uint64_t *value)
{
	struct pmc_log_stats stats;

	if (PMC_IS_COUNTING_MODE(trial->mode))
		return pmc_read(id, value);
	if (pmc_flush_logfile() || pmc_get_log_stats(&stats))
		return -1;
	*value = stats.samples;
	return 0;
}

static int watch(const struct doctor_trial *trial, pmc_id_t id, struct doctor_outcome *outcome)
{
	uint64_t before, now;
	int i;

	if (read_pmc(trial, id, &before) || pmc_start(id))
		return -1;
	for (i = 0; i < ROUNDS && !outcome->seen; i++) {
		work(PMC_IS_SYSTEM_MODE(trial->mode) ? trial->cpu : PMC_CPU_ANY);
		if (read_pmc(trial, id, &now))
			return -1;
		outcome->seen = now - before;
	}
	return 0;
}

/* Another process is left in peace: that the PMC could be attached to it is all that is tried. */
static int try_allocated(const struct doctor_trial *trial, pmc_id_t id,
			 struct doctor_outcome *outcome)
{
	if (PMC_IS_VIRTUAL_MODE(trial->mode) && pmc_attach(id, trial->target))
		return -1;
	outcome->result = DOCTOR_OPENS;
	if (trial->target)
		return 0;
	if (watch(trial, id, outcome))
		return -1;
	if (outcome->seen)
		outcome->result = DOCTOR_WORKS;
	return 0;
}

static int try_with_log(const struct doctor_trial *trial, struct doctor_outcome *outcome)
{
	int cpu = PMC_IS_SYSTEM_MODE(trial->mode) ? trial->cpu : PMC_CPU_ANY;
	pmc_id_t id;
	int status;

	if (pmc_allocate(trial->spec, trial->mode, 0, cpu, &id, 0))
		return -1;
	status = try_allocated(trial, id, outcome);
	if (status)
		take_error(outcome);
	pmc_release(id);
	return 0;
}

/* The log is in memory: /dev/null takes no bytes from the kernel itself, as hwpmc's are. */
static void try_pmc(const struct doctor_trial *trial, struct doctor_outcome *outcome)
{
	int fd;

	memset(outcome, 0, sizeof(*outcome));
	if (!PMC_IS_SAMPLING_MODE(trial->mode)) {
		if (try_with_log(trial, outcome))
			take_error(outcome);
		return;
	}
	fd = memfd_create("doctor", MFD_CLOEXEC);
	if (fd < 0) {
		outcome->result = DOCTOR_REFUSED;
		err_set(&outcome->err, EX_OSFILE, "memfd_create(2): %s", strerror(errno));
	} else if (pmc_configure_logfile(fd)) {
		take_error(outcome);
	} else {
		if (try_with_log(trial, outcome))
			take_error(outcome);
		pmc_close_logfile();
	}
	if (fd >= 0)
		close(fd);
}

static int open_libpmc(struct err *err)
{
	if (!pmc_init())
		return 0;
	err_set(err, pmc_error_code(), "%s", pmc_error());
	return err_hint(err, "%s", pmc_error_hint());
}

static unsigned int count_rows(void)
{
	const struct pmc_cpuinfo *info;
	uint32_t i;

	if (pmc_cpuinfo(&info))
		return 0;
	for (i = 0; i < info->pm_nclass; i++)
		if (info->pm_classes[i].pm_class == PMC_CLASS_CPU)
			return info->pm_classes[i].pm_num;
	return 0;
}

const struct doctor_machine doctor_this_machine = {
	.open = open_libpmc,
	.root = "",
	.try = try_pmc,
	.counters = count_rows,
	.trial = &perf_trial,
};
