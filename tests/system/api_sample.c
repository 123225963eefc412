// SPDX-License-Identifier: BSD-2-Clause
/* As a user of FreeBSD writes it from pmc(3): a program that logs samples of itself. */
#include <sys/param.h>
#include <sys/types.h>

#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <pmc.h>
#include <stdio.h>
#include <sysexits.h>
#include <unistd.h>

static volatile unsigned long sink;

__attribute__((noinline)) void busy(void)
{
	unsigned long i;

	for (i = 0; i < 200UL * 1000 * 1000; i++)
		sink += i;
}

int main(int argc, char **argv)
{
	pmc_id_t id;
	int fd;

	if (argc != 2)
		errx(EX_USAGE, "usage: api_sample log");
	if (pmc_init() < 0)
		err(EX_UNAVAILABLE, "hwpmc(4)");
	fd = open(argv[1], O_CREAT | O_TRUNC | O_WRONLY, 0666);
	if (fd < 0)
		err(EX_CANTCREAT, "%s", argv[1]);
	if (pmc_allocate("CLOCK.PROF", PMC_MODE_TS, PMC_F_CALLCHAIN, PMC_CPU_ANY, &id, 1000000) < 0)
		err(EX_OSERR, "CLOCK.PROF");
	if (pmc_start(id) == 0 || errno != EDOOFUS)
		errx(EX_SOFTWARE, "sampling began without a log");
	if (pmc_configure_logfile(fd) < 0)
		err(EX_OSERR, "%s", argv[1]);
	if (pmc_set(id, 2000000) < 0 || pmc_attach(id, 0) < 0 || pmc_start(id) < 0)
		err(EX_OSERR, "start");
	if (pmc_writelog(0xfeed) < 0)
		err(EX_OSERR, "writelog");
	busy();
	if (pmc_stop(id) < 0 || pmc_flush_logfile() < 0 || pmc_release(id) < 0)
		err(EX_OSERR, "stop");
	if (pmc_close_logfile() < 0)
		err(EX_IOERR, "%s", argv[1]);
	return close(fd) < 0 ? EX_IOERR : EX_OK;
}
