// SPDX-License-Identifier: BSD-2-Clause
/* As a user of FreeBSD writes it from pmclog(3): what a log holds. */
#include <sys/param.h>
#include <sys/types.h>

#include <err.h>
#include <fcntl.h>
#include <pmc.h>
#include <pmclog.h>
#include <stdio.h>
#include <string.h>
#include <sysexits.h>
#include <unistd.h>

static unsigned int samples, user, deepest, maps;

static void take(const struct pmclog_ev *ev)
{
	switch (ev->pl_type) {
	case PMCLOG_TYPE_INITIALIZE:
		printf("version %u arch %s\n", ev->pl_u.pl_i.pl_version >> 24,
		       pmc_name_of_cputype((enum pmc_cputype)ev->pl_u.pl_i.pl_arch));
		break;
	case PMCLOG_TYPE_PMCALLOCATEDYN:
		printf("allocate %s mode %s\n", ev->pl_u.pl_ad.pl_evname,
		       pmc_name_of_mode((enum pmc_mode)PMC_ID_TO_MODE(ev->pl_u.pl_ad.pl_pmcid)));
		break;
	case PMCLOG_TYPE_USERDATA: printf("userdata 0x%x\n", ev->pl_u.pl_u.pl_userdata); break;
	case PMCLOG_TYPE_MAP_IN:
		maps += strstr(ev->pl_u.pl_mi.pl_pathname, "api_sample") != NULL;
		break;
	case PMCLOG_TYPE_CALLCHAIN:
		samples++;
		user += PMC_CALLCHAIN_CPUFLAGS_TO_USERMODE(ev->pl_u.pl_cc.pl_cpuflags) != 0;
		deepest = MAX(deepest, ev->pl_u.pl_cc.pl_npc);
		break;
	default: break;
	}
}

int main(int argc, char **argv)
{
	struct pmclog_ev ev;
	void *cookie;
	int fd;

	if (argc != 2)
		errx(EX_USAGE, "usage: api_parse log");
	fd = open(argv[1], O_RDONLY);
	if (fd < 0 || (cookie = pmclog_open(fd)) == NULL)
		err(EX_NOINPUT, "%s", argv[1]);
	while (pmclog_read(cookie, &ev) == 0)
		take(&ev);
	if (ev.pl_state != PMCLOG_EOF)
		errx(EX_DATAERR, "%s: damaged", argv[1]);
	printf("samples %u user %u deepest %u maps %u\n", samples, user, deepest, maps);
	pmclog_close(cookie);
	return close(fd) < 0 ? EX_IOERR : EX_OK;
}
