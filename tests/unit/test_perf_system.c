// SPDX-License-Identifier: BSD-2-Clause
/* Whether the event of a CPU is seen to stand still, from what the kernel tells of its times. */
#include <fcntl.h>
#include <time.h>
#include <unistd.h>

#include "pmc/perf/perf_system.h"
#include "unit.h"

/* A PMC of a CPU whose event is a pipe: what is put in is read one by one. */
struct story {
	struct pmc pmc;
	struct perf_pmc perf;
	int in;
};

static void begin(struct story *s, int cpu)
{
	int ends[2];

	*s = (struct story){.pmc = {.mode = PMC_MODE_SC, .cpu = cpu}};
	s->perf.pmc = &s->pmc;
	s->pmc.priv = &s->perf;
	CHECK(!pipe2(ends, O_CLOEXEC | O_NONBLOCK));
	s->in = ends[1];
	CHECK(!vec_push(&s->perf.fds.v, (struct perf_fd){ends[0], cpu, 0}));
}

/* The next answer of the event, in ms. */
static void tells(struct story *s, uint64_t enabled)
{
	const uint64_t v[3] = {1234, enabled * 1000000, enabled * 1000000};

	CHECK(write(s->in, v, sizeof(v)) == sizeof(v));
}

/* As perf_system_start() has it, which opens events. */
static void starts(struct story *s)
{
	struct pmc_count sum;

	CHECK(!perf_fds_sum(&s->perf.fds, 0, &sum));
	s->perf.seen = (struct perf_seen){.at = perf_now(), .enabled = sum.enabled};
}

static void passes(unsigned int ms)
{
	const struct timespec t = {.tv_nsec = (long)ms * 1000000};

	nanosleep(&t, NULL);
}

static void end(struct story *s)
{
	close(s->in);
	close(s->perf.fds.v.v[0].fd);
	vec_free(&s->perf.fds.v);
}

/* Of the first CPU that is online: most machines have no file that puts it off. */
static int some_cpu(void)
{
	int cpu = 0;

	while (!pmc_cpu_is_online(cpu))
		cpu++;
	return cpu;
}

UNIT(an_event_that_had_no_time_since_the_last_look_stands_still)
{
	struct story s;

	begin(&s, some_cpu());
	tells(&s, 500);
	starts(&s);
	/* Nobody looks again at once. */
	CHECK(!perf_system_stands_still(&s.perf));
	passes(120);
	tells(&s, 520000);
	CHECK(!perf_system_stands_still(&s.perf));
	passes(120);
	/* Its CPU was off for a part of that, and is back. */
	tells(&s, 520050);
	CHECK(perf_system_stands_still(&s.perf));
	/* It does until it is opened anew. */
	tells(&s, 520050);
	CHECK(perf_system_stands_still(&s.perf));
	end(&s);
}

UNIT(one_of_a_cpu_that_is_off_misses_nothing)
{
	struct story s;

	begin(&s, 1 << 20);
	tells(&s, 0);
	starts(&s);
	passes(120);
	tells(&s, 0);
	CHECK(!perf_system_stands_still(&s.perf));
	end(&s);
}

UNIT(one_that_does_not_run_is_not_looked_at)
{
	struct story s;

	begin(&s, some_cpu());
	CHECK(!perf_system_stands_still(&s.perf));
	tells(&s, 0);
	starts(&s);
	perf_system_stop(&s.perf);
	passes(120);
	tells(&s, 0);
	CHECK(!perf_system_stands_still(&s.perf));
	end(&s);
}

/* How many CPUs were late for PMCs of these modes, on the CPU of the rings, after two looks. */
static uint64_t late_for(const enum pmc_mode *modes, size_t n, int ring)
{
	struct perf_rings *rings = calloc(1, sizeof(*rings));
	struct pmc_log_stats stats = {0};
	struct perf_pmcs pmcs = {0};
	struct perf_targets ts = {.rings = rings, .pmcs = &pmcs};
	struct pmc pmc[2] = {0};
	struct perf_pmc perf[2] = {0};
	size_t i;

	rings->records.stats = &stats;
	CHECK(!vec_push(&rings->machine.online.cpus, ring));
	for (i = 0; i < n; i++) {
		pmc[i] = (struct pmc){.mode = modes[i], .cpu = ring};
		perf[i].pmc = &pmc[i];
		pmc[i].priv = &perf[i];
		CHECK(!vec_push(&pmcs.v, &perf[i]));
	}
	for (i = 0; i < 2; i++)
		perf_system_look(&ts, false);
	vec_free(&ts.late_cpus.cpus);
	vec_free(&pmcs.v);
	vec_free(&rings->machine.online.cpus);
	free(rings);
	return stats.drops[PMCLOG_DROP_LATE_CPU];
}

UNIT(cpus_that_are_new_are_told_once_where_they_matter)
{
	static const enum pmc_mode threads[] = {PMC_MODE_TS}, all[] = {PMC_MODE_SC, PMC_MODE_SS},
				   counts[] = {PMC_MODE_SC};
	const uint64_t online = (uint64_t)sysconf(_SC_NPROCESSORS_ONLN);

	CHECK_U64(late_for(threads, 1, 1 << 20), online);
	CHECK_U64(late_for(all, 2, 1 << 20), online);
	CHECK_U64(late_for(all, 2, some_cpu()), online - 1);
	CHECK_U64(late_for(counts, 1, 1 << 20), 0);
}

UNIT_MAIN(UNIT_ENTRY(an_event_that_had_no_time_since_the_last_look_stands_still),
	  UNIT_ENTRY(one_of_a_cpu_that_is_off_misses_nothing),
	  UNIT_ENTRY(one_that_does_not_run_is_not_looked_at),
	  UNIT_ENTRY(cpus_that_are_new_are_told_once_where_they_matter))
