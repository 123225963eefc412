// SPDX-License-Identifier: BSD-2-Clause
/* PMCs that count together: what libpmc lets be done with them, and that perf's do. */
#include <signal.h>
#include <sys/wait.h>

#include "fake.h"

#define CHECK_FAILS(call, want_errno, want_msg)            \
	do {                                               \
		errno = 0;                                 \
		CHECK((call) == -1);                       \
		CHECK_U64(errno, want_errno);              \
		if (!strstr(pmc_error(), want_msg))        \
			CHECK_STR(pmc_error(), want_msg);  \
	} while (0)

static pmc_id_t leader_of(uint32_t flags)
{
	pmc_id_t id = PMC_ID_INVALID;

	CHECK(pmc_allocate("cycles", PMC_MODE_TC, flags, PMC_CPU_ANY, &id, 0) == 0);
	return id;
}

UNIT(a_group_is_led_by_its_first)
{
	pmc_id_t leader, member;

	fake_begin("pmc 1 cycles\n");
	leader = leader_of(0);
	CHECK(pmc_allocate_member(leader, "instructions", &member, 7) == 0);
	CHECK_U64(PMC_ID_TO_MODE(member), PMC_MODE_TC);
	CHECK_FAILS(pmc_attach(member, 0), EINVAL, "is a member of a group: its leader 0x");
	CHECK_FAILS(pmc_start(member), EINVAL, "is a member of a group");
	CHECK(pmc_attach(leader, 0) == 0);
	CHECK(pmc_start(leader) == 0);
	/* Both run. */
	CHECK_FAILS(pmc_write(leader, 1), EBUSY, "is running");
	CHECK_FAILS(pmc_write(member, 1), EBUSY, "is running");
	CHECK_FAILS(pmc_stop(member), EINVAL, "is a member of a group");
	CHECK(pmc_stop(leader) == 0);
	CHECK(pmc_write(member, 1) == 0);
	CHECK(pmc_detach(leader, 0) == 0);
	CHECK_FAILS(pmc_detach(leader, 0), ESRCH, "no PMC is attached");
	CHECK_FAILS(pmc_release(member), EINVAL, "is a member of a group");
	CHECK(pmc_release(leader) == 0);
	CHECK_FAILS(pmc_read(member, &(pmc_value_t){0}), ESRCH, "has allocated no PMC");
	fake_end();
}

UNIT(members_come_before_anything_is_measured)
{
	pmc_id_t leader, member, other;

	fake_begin("pmc 1 cycles\n");
	leader = leader_of(0);
	CHECK(pmc_allocate_member(leader, "instructions", &member, 0) == 0);
	CHECK_FAILS(pmc_allocate_member(member, "branches", &other, 0), EINVAL,
		    "is a member of a group, and leads none");
	CHECK_FAILS(pmc_allocate_member(leader, NULL, &other, 0), EFAULT, "event");
	CHECK_FAILS(pmc_allocate_member(leader, "branches:D", &other, 0), EINVAL,
		    "branches:D: whether a group is pinned or exclusive is said behind its first "
		    "event");
	CHECK_FAILS(pmc_allocate_member(leader, "branches:e", &other, 0), EINVAL, "branches:e");
	CHECK(pmc_attach(leader, 0) == 0);
	CHECK_FAILS(pmc_allocate_member(leader, "branches", &other, 0), EBUSY,
		    "its members come before");
	CHECK(pmc_release(leader) == 0);
	leader = leader_of(PMC_F_LOG_PROCEXIT);
	CHECK_FAILS(pmc_allocate_member(leader, "branches", &other, 0), EINVAL,
		    "counts at switches and exits are logged of single PMCs, not of groups");
	CHECK(pmc_release(leader) == 0);
	fake_end();
}

UNIT(a_group_has_as_many_events_as_fit)
{
	pmc_id_t leader, member;

	fake_begin("pmc 1 cycles\n");
	leader = leader_of(0);
	CHECK(pmc_allocate_member(leader, "instructions", &member, 0) == 0);
	CHECK(pmc_allocate_member(leader, "branches", &member, 0) == 0);
	CHECK(pmc_allocate_member(leader, "branch-misses", &member, 0) == 0);
	CHECK(pmc_allocate_member(leader, "task-clock", &member, 0) == 0);
	CHECK_FAILS(pmc_allocate_member(leader, "cache-misses", &member, 0), ENXIO,
		    "cache-misses: the script's machine has 4 counters, and the group of cycles "
		    "needs 5");
	CHECK(pmc_release(leader) == 0);
	fake_end();
}

static void work(void)
{
	volatile unsigned int n;

	for (n = 0; n < 1000000; n++)
		;
}

static void work_in_child(void)
{
	pid_t pid = fork();

	if (pid == 0) {
		work();
		_exit(0);
	}
	waitpid(pid, NULL, 0);
}

/* Three that perf starts and stops by one switch have been on for the same time, to the last ns. */
static void check_times(enum pmc_mode mode, uint32_t flags, int cpu)
{
	pmc_id_t id[3];
	struct pmc_count count[3];
	size_t i;

	if (pmc_set_collector("perf") || pmc_init() ||
	    pmc_allocate("cpu-clock", mode, flags, cpu, &id[0], 0)) {
		printf("# skipped: %s\n", pmc_error());
		return;
	}
	CHECK(pmc_allocate_member(id[0], "page-faults", &id[1], 0) == 0);
	CHECK(pmc_allocate_member(id[0], "cpu-clock", &id[2], 5) == 0);
	CHECK(mode == PMC_MODE_SC || pmc_attach(id[0], 0) == 0);
	/* What was before does not count. */
	work();
	CHECK(pmc_start(id[0]) == 0);
	work();
	work_in_child();
	CHECK(pmc_stop(id[0]) == 0);
	work();
	for (i = 0; i < 3; i++)
		CHECK(pmc_read_count(id[i], &count[i]) == 0);
	CHECK(count[0].enabled > 0);
	CHECK(count[0].value > 0 && count[2].value > 5);
	CHECK_U64(count[1].enabled, count[0].enabled);
	CHECK_U64(count[2].enabled, count[0].enabled);
	CHECK_U64(count[2].running, count[0].running);
	CHECK(pmc_release(id[0]) == 0);
}

UNIT(events_of_a_group_count_at_the_same_times_in_process_scope)
{
	check_times(PMC_MODE_TC, PMC_F_DESCENDANTS, PMC_CPU_ANY);
}

UNIT(and_in_system_scope)
{
	check_times(PMC_MODE_SC, 0, 0);
}

UNIT_MAIN(UNIT_ENTRY(a_group_is_led_by_its_first),
	  UNIT_ENTRY(members_come_before_anything_is_measured),
	  UNIT_ENTRY(a_group_has_as_many_events_as_fit),
	  UNIT_ENTRY(events_of_a_group_count_at_the_same_times_in_process_scope),
	  UNIT_ENTRY(and_in_system_scope))
