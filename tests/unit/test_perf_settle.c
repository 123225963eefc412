// SPDX-License-Identifier: BSD-2-Clause
/* What a kernel that lacks something is said to lack, and what to do then. */
#include <string.h>
#include <sys/utsname.h>

#include "pmc/perf/perf_settle.h"
#include "unit.h"

/* Counts with flags on a kernel that cannot read those of threads that inherit them. */
static int settle_old(uint32_t flags, struct err *err)
{
	const struct perf_machine old = {.has.inherit_thread = true};
	const struct pmc pmc = {.mode = PMC_MODE_TC, .flags = flags, .cpu = PMC_CPU_ANY};

	*err = (struct err){0};
	return perf_settle_request(&old, &pmc, err);
}

static void check_needs(const char *kernel, uint32_t flags)
{
	struct utsname here;
	struct err err;
	char msg[256];

	CHECK(!uname(&here));
	snprintf(msg, sizeof(msg),
		 "Linux %s cannot tell the counts of threads that are created later (%s can)",
		 here.release, kernel);
	CHECK(settle_old(flags, &err) == -1);
	CHECK_STR(err.msg, msg);
	CHECK_STR(err.hint, "--collector=hwpmc, or -E without -d and -W: the count of the process "
			    "that is started or named alone");
}

UNIT(an_old_kernel_is_told_of_the_one_that_has_the_counts)
{
	const uint32_t all = PMC_F_DESCENDANTS, exits = PMC_F_LOG_PROCEXIT;
	const uint32_t switches = PMC_F_LOG_PROCCSW;

	check_needs("6.12", switches);
	check_needs("6.12", switches | exits);
	check_needs("6.12", switches | all);
	check_needs("6.16", exits | all);
	check_needs("6.16", exits | switches | all);
}

UNIT(the_count_of_one_process_needs_no_new_kernel)
{
	struct err err;

	CHECK(!settle_old(PMC_F_LOG_PROCEXIT, &err));
}

UNIT_MAIN(UNIT_ENTRY(an_old_kernel_is_told_of_the_one_that_has_the_counts),
	  UNIT_ENTRY(the_count_of_one_process_needs_no_new_kernel))
