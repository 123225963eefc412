// SPDX-License-Identifier: BSD-2-Clause
/* elapsed COMMAND...: runs it and prints the nanoseconds that it took, from fork to wait. */
#include <stdint.h>
#include <stdio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

int main(int argc, char **argv)
{
	int64_t began = now();
	int status;
	pid_t pid;

	if (argc < 2)
		return 64;
	pid = fork();
	if (pid == 0) {
		execvp(argv[1], argv + 1);
		_exit(127);
	}
	if (pid < 0 || waitpid(pid, &status, 0) < 0)
		return 71;
	printf("%lld\n", (long long)(now() - began));
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
