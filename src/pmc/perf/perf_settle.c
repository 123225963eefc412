// SPDX-License-Identifier: BSD-2-Clause
#include "pmc/perf/perf_settle.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/proc_text.h"
#include "pmc/perf/perf_errors.h"
#include "pmc/perf/perf_exits.h"
#include "pmc/perf/unwind/perf_window.h"

enum { CLOCK_PERIOD_MIN = 10000 }; /* ns; the kernel silently takes it for anything less */

/* What tells counts where perf does not. */
#define OTHER_COUNTS                                                                               \
	"--collector=hwpmc, or -E without -d and -W: the count of the process that is started or " \
	"named alone"

/* The PMC's CPU has a ring if it was online when the rings were planned. */
static int check_cpu(const struct perf_machine *m, const struct pmc *pmc, struct err *err)
{
	char online[256] = "?";

	if (proc_cpus_have(&m->online, pmc->cpu))
		return 0;
	proc_read_text("/sys/devices/system/cpu/online", online, sizeof(online));
	return err_set(err, EX_UNAVAILABLE, "CPU %d is not online; these are: %s", pmc->cpu,
		       online);
}

int perf_settle_rate(const struct pmc *pmc, struct err *err)
{
	if (PMC_IS_SAMPLING_MODE(pmc->mode) && pmc->event.clock &&
	    !(pmc->flags & PMC_F_FREQUENCY) && pmc->rate < CLOCK_PERIOD_MIN) {
		err_set(err, EX_UNAVAILABLE,
			"%s: %llu ns between samples is below the kernel's minimum of %d ns",
			pmc->event.name, (unsigned long long)pmc->rate, CLOCK_PERIOD_MIN);
		return err_hint(err, "-n %d", CLOCK_PERIOD_MIN);
	}
	return 0;
}

/* What perf takes and then does not do. */
static int check_modes(const struct pmc *pmc, struct err *err)
{
	const struct pmc_eventspec *e = &pmc->event;

#ifdef __x86_64__
	if (e->hypervisor)
		return err_set(err, EX_UNAVAILABLE,
			       "%s: counters of x86 tell no hypervisor's mode apart", e->spec);
#endif
	if (!e->not_idle || PMC_IS_VIRTUAL_MODE(pmc->mode) ||
	    (e->clock && PMC_IS_SAMPLING_MODE(pmc->mode)))
		return 0;
	return err_set(err, EX_UNAVAILABLE,
		       "%s: in system scope Linux leaves the idle task out of samples of cpu-clock "
		       "and task-clock alone",
		       e->spec);
}

/* Counts at switches have one condition, those of processes that others make two. */
static int refuse_counts(const struct pmc *pmc, const char *release, struct err *err)
{
	err_set(err, EX_UNAVAILABLE,
		"Linux %s cannot tell the counts of threads that are created later (%s can)",
		release,
		pmc->flags & PMC_F_LOG_PROCEXIT && pmc->flags & PMC_F_DESCENDANTS ? "6.16"
										  : "6.12");
	return err_hint(err, OTHER_COUNTS);
}

int perf_settle_request(const struct perf_machine *m, const struct pmc *pmc, struct err *err)
{
	struct utsname u;

	if (check_modes(pmc, err))
		return -1;
	if (PMC_IS_SYSTEM_MODE(pmc->mode))
		return check_cpu(m, pmc, err) ? -1 : perf_settle_rate(pmc, err);
	if (!(pmc->flags & PMC_F_DESCENDANTS) && !m->has.inherit_thread && !uname(&u)) {
		err_set(err, EX_UNAVAILABLE,
			"Linux %s cannot follow new threads without new processes (5.13 can)",
			u.release);
		return err_hint(err, "use -d to follow both");
	}
	if (perf_logs_counts(pmc) && !m->has.inherit_read && !uname(&u))
		return refuse_counts(pmc, u.release, err);
	return perf_settle_rate(pmc, err);
}

/* Events that happen in the kernel only count nothing where the kernel is excluded. */
static bool is_kernel_event(const struct pmc_eventspec *e)
{
	return e->type == PERF_TYPE_TRACEPOINT ||
	       (e->type == PERF_TYPE_SOFTWARE && (e->config == PERF_COUNT_SW_CONTEXT_SWITCHES ||
						  e->config == PERF_COUNT_SW_CPU_MIGRATIONS));
}

/* Opens one event of the PMC, where it will be (system scope) or on ourselves: fd or -errno. */
static int try_event(const struct perf_machine *m, const struct perf_pmc *p)
{
	struct perf_event_attr attr;

	perf_attr_of_pmc(m, p, &attr);
	if (PMC_IS_SYSTEM_MODE(p->pmc->mode))
		return perf_open(&attr, -1, p->pmc->cpu);
	return perf_open(&attr, 0, -1);
}

/*
 * PMUs outside the cores take no exclude bits (EINVAL); an ordinary user may mostly not look into
 * the kernel (EACCES).  For a PMU that cannot do without it the first answer stands.
 */
int perf_settle_event(const struct perf_machine *m, const struct perf_pmcs *pmcs,
		      struct perf_pmc *p, struct err *err)
{
	struct pmc_eventspec *e = &p->pmc->event;
	size_t n = strlen(e->name);
	int fd, denied;

	p->unwinds = perf_window_wanted(p->pmc);
	fd = try_event(m, p);
	if ((fd == -EINVAL || fd == -EOPNOTSUPP) && p->unwinds) {
		p->unwinds = false;
		fd = try_event(m, p);
	}
	if ((fd == -EINVAL || fd == -EOPNOTSUPP) && !pmc_event_names_modes(e)) {
		p->no_exclude = true;
		fd = try_event(m, p);
	}
	if ((fd == -EACCES || fd == -EPERM) && PMC_IS_VIRTUAL_MODE(p->pmc->mode) &&
	    !e->exclude_kernel && !e->exclude_user && !p->no_exclude && !is_kernel_event(e)) {
		denied = fd;
		e->exclude_kernel = true;
		fd = try_event(m, p);
		e->exclude_kernel = fd >= 0;
		if (fd >= 0 && n + 2 < sizeof(e->name) &&
		    pmc_event_heeds_modes(e, p->pmc->mode))
			strcpy(e->name + n, ":u");
		if (fd == -EINVAL && PMC_IS_COUNTING_MODE(p->pmc->mode))
			fd = denied;
	}
	if (fd < 0)
		return perf_errors_open_pmc(m, pmcs, p, -fd, err);
	close(fd);
	return 0;
}

static int no_exits(struct err *err)
{
	char hint[sizeof(err->hint)];

	snprintf(hint, sizeof(hint), "%s", err ? err->hint : "");
	err_wrap(err, "the counts of processes and switches");
	if (err && err->code != EX_UNAVAILABLE)
		return -1;
	return err_hint(err, "%s%s" OTHER_COUNTS, hint, hint[0] ? "; or " : "");
}

/* Counts of processes that others make are told when they exit, or not at all. */
static int settle_exits(struct perf_machine *m, const struct perf_pmc *p, struct err *err)
{
	struct utsname u;

	if (!(p->pmc->flags & PMC_F_LOG_PROCEXIT) || !(p->pmc->flags & PMC_F_DESCENDANTS))
		return 0;
	if (m->has.exits < 0)
		m->has.exits = perf_exits_are_told(p->exit_event);
	if (m->has.exits || uname(&u))
		return 0;
	err_set(err, EX_UNAVAILABLE,
		"Linux %s tells that a process exits when its counts are gone: there are none at "
		"exits (6.16 has them)",
		u.release);
	return err_hint(err, OTHER_COUNTS);
}

int perf_settle_counts(struct perf_machine *m, const struct perf_pmcs *pmcs, struct perf_pmc *p,
		       struct err *err)
{
	struct perf_event_attr attr;
	struct perf_settings st;
	struct pmc_eventspec exits;
	int fd;

	if (!perf_logs_counts(p->pmc))
		return 0;
	if (pmc_event_parse("sched:sched_process_exit", &exits, err))
		return no_exits(err);
	p->exit_event = exits.config;
	perf_attr_of_switches(m, p, &attr);
	fd = perf_open(&attr, 0, -1);
	if (fd >= 0) {
		close(fd);
		return settle_exits(m, p, err);
	}
	if (fd != -EACCES && fd != -EPERM)
		return perf_errors_open_pmc(m, pmcs, p, -fd, err);
	perf_settings_read(&st, "", 0);
	return perf_errors_denied(err, &st, -fd, "the counts of processes and switches", false,
				  true);
}
