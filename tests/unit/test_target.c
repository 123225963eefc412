// SPDX-License-Identifier: BSD-2-Clause
/* When a target is taken to be gone. */
#include <signal.h>

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

UNIT(a_process_that_awaits_its_parent_is_not_found_by_name)
{
	target_list list = {0};
	struct err err = {0};
	pid_t pid = fork();

	if (!pid) {
		FILE *f = fopen("/proc/self/comm", "w");

		_exit(f && fputs("awaits-parent", f) >= 0 && !fclose(f) ? 0 : 1);
	}
	/* It stays a zombie until it is waited for. */
	CHECK(!waitid(P_PID, (id_t)pid, &(siginfo_t){0}, WEXITED | WNOWAIT));
	CHECK(!target_find_more(&list, "^awaits-parent$", &err));
	CHECK_U64(list.n, 0);
	CHECK(target_find(&list, "^awaits-parent$", &err) && err.code == EX_NOUSER);
	waitpid(pid, NULL, 0);
	target_list_free(&list);
}

UNIT(names_that_are_found_again_are_one_target)
{
	target_list list = {0};
	pid_t pid = fork();
	FILE *f;

	if (!pid) {
		f = fopen("/proc/self/comm", "w");
		if (!f || fputs("found-again", f) < 0 || fclose(f))
			_exit(1);
		pause();
	}
	while (!target_find_more(&list, "^found-again$", NULL) && !list.n)
		CHECK(!kill(pid, 0));
	CHECK(!target_find_more(&list, "^found-again$", NULL));
	CHECK(!target_find(&list, "^found-again$", NULL));
	CHECK(!target_find_more(&list, "4711", NULL));
	CHECK_U64(list.n, 1);
	CHECK(list.v[0].pid == pid);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	target_remove(&list, 0);
	CHECK_U64(list.n, 0);
	target_list_free(&list);
}

UNIT_MAIN(UNIT_ENTRY(a_process_that_awaits_its_parent_is_not_found_by_name),
	  UNIT_ENTRY(names_that_are_found_again_are_one_target),
	  UNIT_ENTRY(without_a_descriptor_a_process_of_another_user_lives),
	  UNIT_ENTRY(without_a_descriptor_a_process_that_is_gone_is_gone))
