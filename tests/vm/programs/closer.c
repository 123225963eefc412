// SPDX-License-Identifier: BSD-2-Clause
/* A program with a log that hears SIGIO, as those after FreeBSD's pmc(3) do: closer FILE. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>

#include "pmc/pmc.h"

static void hear(int sig)
{
	(void)sig;
}

int main(int argc, char **argv)
{
	struct sigaction action = {.sa_handler = hear};
	int fd = argc == 2 ? open(argv[1], O_WRONLY) : -1;

	sigaction(SIGIO, &action, NULL);
	if (fd < 0 || pmc_set_collector("hwpmc") || pmc_init() || pmc_configure_logfile(fd)) {
		printf("no log: %s\n", pmc_error());
		return 1;
	}
	puts(pmc_close_logfile() ? pmc_error() : "closed");
	return 0;
}
