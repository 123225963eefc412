// SPDX-License-Identifier: BSD-2-Clause
/* As a user of FreeBSD writes it from pmc(3): what a command counts, in the style of time(1). */
#include <sys/param.h>
#include <sys/types.h>
#include <sys/wait.h>

#include <err.h>
#include <errno.h>
#include <pmc.h>
#include <stdio.h>
#include <stdlib.h>
#include <sysexits.h>
#include <unistd.h>

#ifndef nitems
#define nitems(x) (sizeof(x) / sizeof((x)[0]))
#endif

static void print_class(pmc_id_t id)
{
	uint32_t caps, width;
	enum pmc_caps c;

	if (pmc_capabilities(id, &caps) < 0 || pmc_width(id, &width) < 0)
		err(EX_OSERR, "class of 0x%x", id);
	printf("class %s width %u", pmc_name_of_class(PMC_ID_TO_CLASS(id)), width);
	for (c = PMC_CAP_FIRST; c <= PMC_CAP_LAST; c <<= 1)
		if (caps & c)
			printf(" %s", pmc_name_of_capability(c));
	printf("\n");
}

/* A row whose owner we are must be one of process scope. */
static void check_rows(void)
{
	const struct pmc_cpuinfo *ci;
	struct pmc_pmcinfo *pi;
	uint32_t i;

	if (pmc_cpuinfo(&ci) < 0 || pmc_pmcinfo(0, &pi) < 0)
		err(EX_OSERR, "rows");
	for (i = 0; i < ci->pm_npmc; i++)
		if (pi->pm_pmcs[i].pm_ownerpid == getpid())
			printf("row %u %s %s %s\n", i, pi->pm_pmcs[i].pm_name,
			       pmc_name_of_disposition(pi->pm_pmcs[i].pm_rowdisp),
			       pmc_name_of_event(pi->pm_pmcs[i].pm_event));
	free(pi);
}

int main(int argc, char **argv)
{
	static const char *const events[] = {"PAGE_FAULT.ALL", "task-clock"};
	pmc_id_t ids[nitems(events)];
	int status, ready[2];
	pmc_value_t v;
	size_t i;
	pid_t pid;
	char c;

	if (argc < 2)
		errx(EX_USAGE, "usage: api_count command ...");
	if (pmc_init() < 0)
		err(EX_UNAVAILABLE, "hwpmc(4)");
	if (pipe(ready) < 0 || (pid = fork()) < 0)
		err(EX_OSERR, "fork");
	if (pid == 0) {
		close(ready[1]);
		if (read(ready[0], &c, 1) != 0)
			_exit(EX_OSERR);
		execvp(argv[1], argv + 1);
		_exit(EX_NOINPUT);
	}
	for (i = 0; i < nitems(events); i++) {
		if (pmc_allocate(events[i], PMC_MODE_TC, PMC_F_DESCENDANTS, PMC_CPU_ANY, &ids[i],
				 0) < 0)
			err(EX_OSERR, "%s", events[i]);
		if (pmc_attach(ids[i], pid) < 0 || pmc_start(ids[i]) < 0)
			err(EX_OSERR, "attach to %d", (int)pid);
	}
	print_class(ids[0]);
	check_rows();
	close(ready[0]);
	close(ready[1]);
	if (waitpid(pid, &status, 0) < 0 || !WIFEXITED(status))
		err(EX_OSERR, "wait");
	for (i = 0; i < nitems(events); i++) {
		if (pmc_write(ids[i], 0) == 0 || errno != EBUSY)
			errx(EX_SOFTWARE, "a running PMC was written");
		if (pmc_stop(ids[i]) < 0 || pmc_rw(ids[i], 7, &v) < 0)
			err(EX_OSERR, "%s", events[i]);
		printf("%s %ju\n", events[i], (uintmax_t)v);
		if (pmc_read(ids[i], &v) < 0 || v != 7 || pmc_release(ids[i]) < 0)
			err(EX_OSERR, "%s", events[i]);
	}
	return WEXITSTATUS(status);
}
