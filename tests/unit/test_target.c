// SPDX-License-Identifier: BSD-2-Clause
/* When a target is taken to be gone. */
#include "pmcstat/target.h"
#include "unit.h"

/* As on kernels without pidfd_open(2), and in containers that deny it. */
UNIT(without_a_descriptor_a_process_of_another_user_lives)
{
	struct target first = {.pid = 1, .pidfd = -1};

	/* So that process 1 is another user's for root too. */
	CHECK(geteuid() || !setuid(65534));
	CHECK(!target_has_exited(&first));
}

UNIT(without_a_descriptor_a_process_that_is_gone_is_gone)
{
	struct target gone = {.pidfd = -1};

	gone.pid = fork();
	if (!gone.pid)
		_exit(0);
	CHECK(gone.pid > 0 && waitpid(gone.pid, NULL, 0) == gone.pid);
	CHECK(target_has_exited(&gone));
}

UNIT_MAIN(UNIT_ENTRY(without_a_descriptor_a_process_of_another_user_lives),
	  UNIT_ENTRY(without_a_descriptor_a_process_that_is_gone_is_gone))
