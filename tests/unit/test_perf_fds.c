// SPDX-License-Identifier: BSD-2-Clause
/* What the open events of a PMC say together. */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "pmc/perf/perf_pmc.h"
#include "unit.h"

/* Adds an event of a target on a CPU, which answers with so many bytes of a count and its times. */
static void event(struct perf_fds *fds, pid_t target, int cpu, const uint64_t v[3], size_t size)
{
	int ends[2];

	CHECK(!pipe2(ends, O_CLOEXEC));
	CHECK(write(ends[1], v, size) == (ssize_t)size);
	close(ends[1]);
	CHECK(!vec_push(&fds->v, (struct perf_fd){ends[0], cpu, target}));
}

static void fini(struct perf_fds *fds)
{
	struct perf_fd *f;

	vec_each(f, &fds->v)
		close(f->fd);
	vec_free(&fds->v);
}

/* As the kernel answers for a pinned event that found or kept no counter. */
UNIT(an_event_that_says_nothing_is_no_count_of_zero)
{
	const uint64_t v[] = {5, 10, 10};
	struct perf_fds fds = {0};
	struct pmc_count sum;

	event(&fds, 1, 0, v, sizeof(v));
	event(&fds, 2, 0, v, 0);
	errno = 0;
	CHECK(perf_fds_sum(&fds, 0, &sum) == -ENODATA);
	fini(&fds);
	event(&fds, 1, 0, v, sizeof(v) - 1);
	errno = 0;
	CHECK(perf_fds_sum(&fds, 0, &sum) == -ENODATA);
	fini(&fds);
	CHECK(!vec_push(&fds.v, (struct perf_fd){-1, 0, 1}));
	CHECK(perf_fds_sum(&fds, 0, &sum) == -EBADF);
	vec_free(&fds.v);
}

UNIT(a_target_has_the_counts_of_its_threads)
{
	const uint64_t one[] = {5, 10, 8}, other[] = {7, 20, 30}, foreign[] = {100, 100, 100};
	struct perf_fds fds = {0};
	struct pmc_count sum;

	event(&fds, 1, -1, one, sizeof(one));
	event(&fds, 2, -1, foreign, sizeof(foreign));
	event(&fds, 1, -1, other, sizeof(other));
	CHECK(!perf_fds_sum(&fds, 1, &sum));
	CHECK_U64(sum.value, 12);
	CHECK_U64(sum.enabled, 30);
	/* One ran no longer than it was enabled. */
	CHECK_U64(sum.running, 28);
	fini(&fds);
}

UNIT_MAIN(UNIT_ENTRY(an_event_that_says_nothing_is_no_count_of_zero),
	  UNIT_ENTRY(a_target_has_the_counts_of_its_threads))
