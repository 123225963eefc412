// SPDX-License-Identifier: BSD-2-Clause
/*
 * burst N: N children, none of which runs before all are there: all are to run on one CPU, in the
 * order in which they came, once their parent waits for them.
 */
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	const struct sched_param lowest = {.sched_priority = 1};
	int n = argc == 2 ? atoi(argv[1]) : 0;
	cpu_set_t first;
	pid_t pid;

	CPU_ZERO(&first);
	CPU_SET(0, &first);
	if (sched_setaffinity(0, sizeof(first), &first) ||
	    sched_setscheduler(0, SCHED_FIFO, &lowest)) {
		perror("burst");
		return 1;
	}
	while (n-- > 0) {
		pid = fork();
		if (pid < 0)
			perror("burst: fork");
		if (pid <= 0)
			_exit(0);
	}
	while (wait(NULL) > 0)
		;
	return 0;
}
