// SPDX-License-Identifier: BSD-2-Clause
/*
 * The pmc(3) API: the table of this process's PMCs over one collector, which pmc_init.c opens.
 *
 * The functions of the API take the lock, do their work in a static function of the same name that
 * returns an errno value, and end in pmcint_done().
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/proc_text.h"
#include "pmc/pmcint.h"
#include "pmc/proc_list.h"

#define KNOWN_FLAGS                                                                               \
	(PMC_F_DESCENDANTS | PMC_F_LOG_PROCCSW | PMC_F_LOG_PROCEXIT | PMC_F_CALLCHAIN |           \
	 PMC_F_USERCALLCHAIN | PMC_F_START_ON_EXEC | PMC_F_FREQUENCY | PMC_F_KGMON | PMC_F_SELF | \
	 PMC_F_LOG_ARGUMENTS | PMC_F_NO_SHARING)

int pmc_default_rate(const char *eventspec, uint64_t *rate)
{
	struct pmc_eventspec event;

	if (!eventspec || !rate)
		return pmcint_fail(pmcint_no_place(eventspec ? "rate" : "event"));
	if (pmc_event_parse(eventspec, &event, pmcint_last()))
		return pmcint_fail(EINVAL);
	*rate = event.default_rate;
	return 0;
}

static int check_kgmon(const struct pmcint *s, enum pmc_mode mode, uint32_t flags)
{
	if (!(flags & PMC_F_KGMON))
		return 0;
	if (mode != PMC_MODE_SS || (flags & PMC_F_CALLCHAIN))
		return pmcint_refuse(EINVAL, "PMC_F_KGMON is for system-scope sampling without "
					     "call chains");
	if (s->collector.ops->kgmon)
		return 0;
	pmcint_refuse(EOPNOTSUPP, "the collector %s cannot count samples into a histogram",
		      s->collector.ops->name);
	err_hint(pmcint_last(), "load the kernel module hwpmc, which can");
	return EOPNOTSUPP;
}

static int check_self(const struct pmcint *s, enum pmc_mode mode, uint32_t flags)
{
	const uint32_t others = PMC_F_DESCENDANTS | PMC_F_LOG_PROCCSW | PMC_F_LOG_PROCEXIT |
				PMC_F_LOG_ARGUMENTS | PMC_F_START_ON_EXEC;

	if (!(flags & PMC_F_SELF))
		return 0;
	if (mode != PMC_MODE_TC || flags & others)
		return pmcint_refuse(EINVAL, "PMC_F_SELF is for one thread that is counted");
	if (s->collector.ops->read_self)
		return 0;
	return pmcint_refuse(EOPNOTSUPP, "the collector %s counts no single threads",
			     s->collector.ops->name);
}

static int check_flags(struct pmcint *s, enum pmc_mode mode, uint32_t flags)
{
	const uint32_t process = PMC_F_DESCENDANTS | PMC_F_LOG_PROCCSW | PMC_F_LOG_PROCEXIT |
				 PMC_F_LOG_ARGUMENTS | PMC_F_START_ON_EXEC;
	int error;

	if (mode < PMC_MODE_SS || mode > PMC_MODE_TC)
		return pmcint_refuse(EINVAL, "mode %d is none of SS, SC, TS and TC", (int)mode);
	if (flags & ~KNOWN_FLAGS)
		return pmcint_refuse(EINVAL, "the flags 0x%x are not known", flags & ~KNOWN_FLAGS);
	if (PMC_IS_SYSTEM_MODE(mode) && (flags & process))
		return pmcint_refuse(EINVAL, "the flags 0x%x need process scope", flags & process);
	if (PMC_IS_SAMPLING_MODE(mode) && (flags & (PMC_F_LOG_PROCCSW | PMC_F_LOG_PROCEXIT)))
		return pmcint_refuse(EINVAL, "counts at switches and exits need counting mode");
	if (PMC_IS_COUNTING_MODE(mode) && (flags & PMC_F_FREQUENCY))
		return pmcint_refuse(EINVAL, "a frequency needs sampling mode");
	if ((flags & PMC_F_USERCALLCHAIN) && !(flags & PMC_F_CALLCHAIN))
		return pmcint_refuse(EINVAL, "user call chains need PMC_F_CALLCHAIN");
	error = check_kgmon(s, mode, flags);
	return error ? error : check_self(s, mode, flags);
}

static int check_cpu(struct pmcint *s, enum pmc_mode mode, int cpu)
{
	const struct pmc_cpuinfo *info;
	int error = pmcint_cpuinfo(s, &info);

	if (error)
		return error;
	if (PMC_IS_VIRTUAL_MODE(mode) && cpu != PMC_CPU_ANY)
		return pmcint_refuse(EINVAL, "process scope takes PMC_CPU_ANY, not CPU %d", cpu);
	if (PMC_IS_SYSTEM_MODE(mode) && (cpu < 0 || (uint32_t)cpu >= info->pm_ncpu))
		return pmcint_refuse(EINVAL, "system scope takes a CPU from 0 to %u, not %d",
				     info->pm_ncpu - 1, cpu);
	return 0;
}

/* Whether the event's counters are on the PMC's CPU; events that name no CPUs count on all. */
static bool counts_on_cpu(const struct pmc *pmc)
{
	struct proc_cpus cpus = {0};
	bool counts = !pmc->event.cpus[0] ||
		      (proc_parse_cpus(pmc->event.cpus, &cpus) && proc_cpus_have(&cpus, pmc->cpu));

	vec_free(&cpus.cpus);
	return counts;
}

/* Whether the counters of its class can do what a PMC is to do. */
static int check_class(struct pmcint *s, const struct pmc *pmc)
{
	const struct pmc_classinfo *classinfo;
	const struct pmc_cpuinfo *info;
	int error = pmcint_cpuinfo(s, &info);
	uint32_t need = 0;

	if (error)
		return error;
	if (pmc->event.pm_class == PMC_CLASS_TSC && PMC_IS_VIRTUAL_MODE(pmc->mode))
		return pmcint_refuse(EINVAL, "%s counts in system scope alone", pmc->event.name);
	classinfo = pmcint_class(info, pmc->event.pm_class);
	if (PMC_IS_SAMPLING_MODE(pmc->mode))
		need |= PMC_CAP_INTERRUPT;
	if (pmc->event.exclude_kernel)
		need |= PMC_CAP_USER;
	if (pmc->event.exclude_user)
		need |= PMC_CAP_SYSTEM;
	if (!classinfo || (classinfo->pm_caps & need) == need)
		return 0;
	return pmcint_refuse(EOPNOTSUPP, "%s: counters of the class %s cannot %s", pmc->event.spec,
			     pmc_name_of_class(classinfo->pm_class),
			     need & ~classinfo->pm_caps & PMC_CAP_INTERRUPT
				     ? "sample"
				     : "tell user mode from kernel mode");
}

/* Perf takes the modes of a clock that is counted, and counts the time in all of them. */
static int check_clock(const struct pmc *pmc)
{
	if (pmc_event_heeds_modes(&pmc->event, pmc->mode) ||
	    pmc->event.exclude_kernel == pmc->event.exclude_user)
		return 0;
	pmcint_refuse(EOPNOTSUPP,
		      "%s: Linux counts this clock in user mode and in the kernel alike; only its "
		      "samples tell them apart",
		      pmc->event.spec);
	err_hint(pmcint_last(), "count it without modes, or sample it with -P or -S");
	return EOPNOTSUPP;
}

/* Fills in all of a new PMC from the arguments of pmc_allocate(). */
static int set_up(struct pmcint *s, struct pmc *pmc, const char *spec, uint64_t count)
{
	int error;

	if (pmc_event_parse(spec, &pmc->event, pmcint_last()))
		return pmcint_last()->code == EX_NOPERM ? EPERM : EINVAL;
	if (pmc->leader && (pmc->event.pinned || pmc->event.exclusive))
		return pmcint_refuse(EINVAL,
				     "%s: whether a group is pinned or exclusive is said behind "
				     "its first event",
				     pmc->event.spec);
	if (pmc->event.pinned)
		pmc->flags |= PMC_F_NO_SHARING;
	if (PMC_IS_SYSTEM_MODE(pmc->mode) && !counts_on_cpu(pmc))
		return pmcint_refuse(ENXIO, "%s counts on the CPUs %s, not on CPU %d",
				     pmc->event.spec, pmc->event.cpus, pmc->cpu);
	error = check_class(s, pmc);
	if (!error)
		error = check_clock(pmc);
	if (!error)
		error = pmcint_choose_row(s, pmc);
	if (error)
		return error;
	pmc->max_depth = s->max_depth;
	pmc->unwind = s->unwind;
	pmc->rate = count;
	if (PMC_IS_SAMPLING_MODE(pmc->mode) && !count) {
		if (pmc->flags & PMC_F_FREQUENCY)
			return pmcint_refuse(EINVAL, "%s: a frequency of 0 samples a second", spec);
		pmc->rate = pmc->event.default_rate;
	}
	return 0;
}

/* Allocates p, whose mode, flags, CPU and leader are set; takes it over. */
static int add_pmc(struct pmcint *s, struct pmcint_pmc *p, const char *spec, pmc_id_t *id,
		   uint64_t count)
{
	int error = set_up(s, &p->pmc, spec, count);

	if (!error && vec_reserve(&s->pmcs, s->pmcs.n + 1)) {
		err_nomem(pmcint_last());
		error = ENOMEM;
	}
	if (!error && s->collector.ops->allocate(&s->collector, &p->pmc, pmcint_last()))
		error = pmcint_last()->error;
	if (error) {
		free(p);
		return error;
	}
	s->pmcs.v[s->pmcs.n++] = p;
	pmcint_log_alloc(s, &p->pmc);
	*id = p->pmc.id;
	return 0;
}

static struct pmcint_pmc *new_pmc(enum pmc_mode mode, uint32_t flags, int cpu)
{
	struct pmcint_pmc *p = calloc(1, sizeof(*p));

	if (!p) {
		err_nomem(pmcint_last());
		return NULL;
	}
	p->pmc.mode = mode;
	p->pmc.flags = flags;
	p->pmc.cpu = cpu;
	return p;
}

static int allocate(struct pmcint *s, const char *spec, enum pmc_mode mode, uint32_t flags, int cpu,
		    pmc_id_t *id, uint64_t count)
{
	struct pmcint_pmc *p;
	int error;

	if (pmcint_ready())
		return ENXIO;
	if (!spec || !id)
		return pmcint_no_place(spec ? "pmcid" : "event");
	error = check_flags(s, mode, flags);
	if (!error)
		error = check_cpu(s, mode, cpu);
	if (error)
		return error;
	p = new_pmc(mode, flags, cpu);
	return p ? add_pmc(s, p, spec, id, count) : ENOMEM;
}

int pmc_allocate(const char *eventspec, enum pmc_mode mode, uint32_t flags, int cpu,
		 pmc_id_t *pmcid, uint64_t count)
{
	struct pmcint *s = pmcint_begin();

	return pmcint_done(allocate(s, eventspec, mode, flags, cpu, pmcid, count));
}

/* Whether a PMC can have one more member. */
static int check_leader(const struct pmcint_pmc *leader)
{
	const struct pmc *pmc = &leader->pmc;

	if (pmc->leader)
		return pmcint_refuse(EINVAL, "PMC 0x%x is a member of a group, and leads none",
				     pmc->id);
	if (pmc->flags & (PMC_F_LOG_PROCCSW | PMC_F_LOG_PROCEXIT))
		return pmcint_refuse(EINVAL, "counts at switches and exits are logged of single "
					     "PMCs, not of groups");
	if (pmc->flags & (PMC_F_SELF | PMC_F_KGMON))
		return pmcint_refuse(EINVAL, "a PMC with %s has no group",
				     pmc->flags & PMC_F_SELF ? "PMC_F_SELF" : "PMC_F_KGMON");
	if (leader->attached || leader->started)
		return pmcint_refuse(EBUSY,
				     "PMC 0x%x was attached or started: its members come before",
				     pmc->id);
	return 0;
}

static int allocate_member(struct pmcint *s, pmc_id_t id, const char *spec, pmc_id_t *member,
			   uint64_t count)
{
	struct pmcint_pmc *leader, *p;
	int error = pmcint_find(id, &leader);

	if (error)
		return error;
	if (!spec || !member)
		return pmcint_no_place(spec ? "pmcid" : "event");
	error = check_leader(leader);
	if (error)
		return error;
	if (vec_reserve(&leader->pmc.members, leader->pmc.members.n + 1)) {
		err_nomem(pmcint_last());
		return ENOMEM;
	}
	p = new_pmc(leader->pmc.mode, leader->pmc.flags, leader->pmc.cpu);
	if (!p)
		return ENOMEM;
	p->pmc.leader = &leader->pmc;
	error = add_pmc(s, p, spec, member, count);
	if (!error)
		leader->pmc.members.v[leader->pmc.members.n++] = &p->pmc;
	return error;
}

int pmc_allocate_member(pmc_id_t leader, const char *eventspec, pmc_id_t *pmcid, uint64_t count)
{
	struct pmcint *s = pmcint_begin();

	return pmcint_done(allocate_member(s, leader, eventspec, pmcid, count));
}

/* Finds a PMC that acts for itself or for its group. */
static int find_leader(pmc_id_t id, struct pmcint_pmc **p)
{
	int error = pmcint_find(id, p);

	if (error || !(*p)->pmc.leader)
		return error;
	return pmcint_refuse(EINVAL,
			     "PMC 0x%x is a member of a group: its leader 0x%x stands for all", id,
			     (*p)->pmc.leader->id);
}

/* Finds a PMC of process scope, and turns pid 0 into this process. */
static int find_target(pmc_id_t id, pid_t *pid, struct pmcint_pmc **p)
{
	int error = find_leader(id, p);

	if (error)
		return error;
	if (PMC_IS_SYSTEM_MODE((*p)->pmc.mode))
		return pmcint_refuse(EINVAL, "PMC 0x%x has system scope: it has no targets", id);
	if (*pid < 0)
		return pmcint_refuse(EINVAL, "PMC 0x%x: %d is not a process", id, (int)*pid);
	if (!*pid)
		*pid = getpid();
	return 0;
}

/* Whether there is no such process, or one that waits for its parent alone. */
static bool gone(pid_t pid)
{
	struct proc_threads list = {0};
	const struct proc_thread *t;
	bool lives;

	if (kill(pid, 0))
		return errno == ESRCH;
	lives = proc_thread_lives(pid, pid);
	/* The first thread may have ended before the others. */
	if (!lives && !proc_list_threads(pid, &list))
		vec_each(t, &list.threads)
			lives |= proc_thread_lives(t->pid, t->tid);
	vec_free(&list.threads);
	return !lives;
}

static int no_process(pid_t pid)
{
	return pmcint_refuse(ESRCH, "there is no process %d", (int)pid);
}

/* A thread's id finds its process in most places, but maps and forks are the process's. */
static int check_process(pid_t pid)
{
	char path[64], text[1024], *p = NULL;
	int process;

	snprintf(path, sizeof(path), "/proc/%d/status", (int)pid);
	if (proc_read_text(path, text, sizeof(text)) > 0)
		p = strstr(text, "\nTgid:");
	if (!p || sscanf(p + 6, "%d", &process) != 1 || process == pid)
		return 0;
	return pmcint_refuse(EINVAL, "%d is not a process but a thread of process %d", (int)pid,
			     process);
}

static int attach_to(struct pmcint *s, struct pmcint_pmc *p, pid_t pid)
{
	struct pmc *pmc = &p->pmc;
	int error = check_process(pid);

	if (error)
		return error;
	if (p->msr_known)
		return pmcint_refuse(
			EPERM,
			"PMC 0x%x is read by its owner without us: it cannot have other targets",
			pmc->id);
	if (pmc->flags & PMC_F_SELF && pid != getpid())
		return pmcint_refuse(EINVAL, "PMC 0x%x counts a thread of its owner", pmc->id);
	if (pmcint_has_target(pmc, pid))
		return pmcint_refuse(EEXIST, "PMC 0x%x is attached to process %d already", pmc->id,
				     (int)pid);
	if (gone(pid))
		return no_process(pid);
	if (pmcint_group_attach(s, pmc, pid, pmcint_last()))
		return gone(pid) ? no_process(pid) : pmcint_last()->error;
	p->attached = true;
	return 0;
}

static int attach(struct pmcint *s, pmc_id_t id, pid_t pid, bool may_run)
{
	struct pmcint_pmc *p;
	int error = find_target(id, &pid, &p);

	if (error)
		return error;
	if (p->pmc.running && !may_run)
		return pmcint_refuse(EBUSY, "PMC 0x%x is running: stop it to attach it", id);
	return attach_to(s, p, pid);
}

int pmc_attach(pmc_id_t pmcid, pid_t pid)
{
	struct pmcint *s = pmcint_begin();

	return pmcint_done(attach(s, pmcid, pid, false));
}

int pmc_attach_running(pmc_id_t pmcid, pid_t pid)
{
	struct pmcint *s = pmcint_begin();

	return pmcint_done(attach(s, pmcid, pid, true));
}

static int not_a_target(const struct pmcint *s, pmc_id_t id, pid_t pid)
{
	size_t i;

	if (gone(pid))
		return no_process(pid);
	for (i = 0; i < s->pmcs.n; i++)
		if (pmcint_has_target(&s->pmcs.v[i]->pmc, pid))
			return pmcint_refuse(EINVAL, "PMC 0x%x is not attached to process %d", id,
					     (int)pid);
	return pmcint_refuse(ESRCH, "no PMC is attached to process %d", (int)pid);
}

/*
 * As on FreeBSD an error, but what the process held is given up.  What descends from it is measured
 * on, so then nothing is.
 */
static int detach_gone(struct pmcint *s, struct pmcint_pmc *p, pid_t pid)
{
	if (!(p->pmc.flags & PMC_F_DESCENDANTS))
		pmcint_group_detach(s, &p->pmc, pid, NULL);
	return no_process(pid);
}

static int detach(struct pmcint *s, pmc_id_t id, pid_t pid)
{
	struct pmcint_pmc *p;
	int error = find_target(id, &pid, &p);
	struct pmc **m;

	if (error)
		return error;
	if (!pmcint_has_target(&p->pmc, pid))
		return not_a_target(s, id, pid);
	if (gone(pid))
		return detach_gone(s, p, pid);
	if (pmcint_group_detach(s, &p->pmc, pid, pmcint_last()))
		return pmcint_last()->error;
	pmcint_log_detach(s, &p->pmc, pid);
	vec_each(m, &p->pmc.members)
		pmcint_log_detach(s, *m, pid);
	return 0;
}

int pmc_detach(pmc_id_t pmcid, pid_t pid)
{
	struct pmcint *s = pmcint_begin();

	return pmcint_done(detach(s, pmcid, pid));
}

static int find_stopped(pmc_id_t id, struct pmcint_pmc **p)
{
	int error = pmcint_find(id, p);

	if (!error && (*p)->pmc.running)
		return pmcint_refuse(EBUSY, "PMC 0x%x is running", id);
	return error;
}

static int set(struct pmcint *s, pmc_id_t id, pmc_value_t value)
{
	struct pmcint_pmc *p;
	int error = find_stopped(id, &p);

	if (error)
		return error;
	if (PMC_IS_COUNTING_MODE(p->pmc.mode))
		return s->collector.ops->write(&s->collector, &p->pmc, value, pmcint_last())
			       ? pmcint_last()->error
			       : 0;
	if (!value)
		return pmcint_refuse(EINVAL, "PMC 0x%x: a rate of 0 events a sample", id);
	if (p->pmc.rate == value)
		return 0;
	/* Collectors look at the rate when the PMC starts; the log's newest allocation counts. */
	p->pmc.rate = value;
	pmcint_log_alloc(s, &p->pmc);
	return 0;
}

int pmc_set(pmc_id_t pmcid, pmc_value_t value)
{
	struct pmcint *s = pmcint_begin();

	return pmcint_done(set(s, pmcid, value));
}

static int no_targets(pmc_id_t id)
{
	return pmcint_refuse(ESRCH, "PMC 0x%x is detached from all its targets", id);
}

static bool needs_log(const struct pmc *pmc)
{
	return (PMC_IS_SAMPLING_MODE(pmc->mode) && !(pmc->flags & PMC_F_KGMON)) ||
	       (pmc->flags & (PMC_F_LOG_PROCCSW | PMC_F_LOG_PROCEXIT));
}

static int start(struct pmcint *s, pmc_id_t id)
{
	struct pmcint_pmc *p;
	int error = find_leader(id, &p);

	if (error)
		return error;
	if (p->pmc.running)
		return 0;
	if (!s->collector.logging && needs_log(&p->pmc))
		return pmcint_refuse(
			EDOOFUS, "PMC 0x%x needs a log: pmc_configure_logfile() comes first", id);
	if (PMC_IS_VIRTUAL_MODE(p->pmc.mode) && !p->pmc.targets.n) {
		if (p->attached)
			return no_targets(id);
		error = attach_to(s, p, getpid());
		if (error)
			return error;
	}
	if (pmcint_group_start(s, &p->pmc, pmcint_last()))
		return pmcint_last()->error;
	p->started = true;
	return 0;
}

int pmc_start(pmc_id_t pmcid)
{
	struct pmcint *s = pmcint_begin();

	return pmcint_done(start(s, pmcid));
}

static int stop(struct pmcint *s, pmc_id_t id)
{
	struct pmcint_pmc *p;
	int error = find_leader(id, &p);

	if (error)
		return error;
	if (!p->pmc.running)
		return p->started ? 0 : pmcint_refuse(EINVAL, "PMC 0x%x was never started", id);
	return pmcint_group_stop(s, &p->pmc, pmcint_last()) ? pmcint_last()->error : 0;
}

int pmc_stop(pmc_id_t pmcid)
{
	struct pmcint *s = pmcint_begin();

	return pmcint_done(stop(s, pmcid));
}

static int read_pmc(struct pmcint *s, struct pmcint_pmc *p, struct pmc_count *count)
{
	*count = (struct pmc_count){.value = p->pmc.rate, .event = p->pmc.event.name};
	if (PMC_IS_COUNTING_MODE(p->pmc.mode) &&
	    s->collector.ops->read(&s->collector, &p->pmc, count, pmcint_last()))
		return pmcint_last()->error;
	return 0;
}

/* The value alone, which may be had without a system call. */
static int read_value(struct pmcint *s, struct pmcint_pmc *p, pmc_value_t *value)
{
	struct pmc_count count;
	int error;

	if (p->pmc.flags & PMC_F_SELF && s->collector.ops->read_self(&s->collector, &p->pmc, value))
		return 0;
	error = read_pmc(s, p, &count);
	if (!error)
		*value = count.value;
	return error;
}

/* Reads, writes, or does both, where the pointers are not NULL. */
static int access_value(struct pmcint *s, pmc_id_t id, const pmc_value_t *value, pmc_value_t *old)
{
	struct pmcint_pmc *p;
	int error = value ? find_stopped(id, &p) : pmcint_find(id, &p);

	if (error)
		return error;
	if (value && PMC_IS_SAMPLING_MODE(p->pmc.mode))
		return pmcint_refuse(EINVAL, "PMC 0x%x samples: its rate is set by pmc_set()", id);
	if (old) {
		error = read_value(s, p, old);
		if (error)
			return error;
	}
	if (value && s->collector.ops->write(&s->collector, &p->pmc, *value, pmcint_last()))
		return pmcint_last()->error;
	return 0;
}

int pmc_read(pmc_id_t pmcid, pmc_value_t *value)
{
	struct pmcint *s = pmcint_begin();

	return pmcint_done(value ? access_value(s, pmcid, NULL, value) : pmcint_no_place("value"));
}

static int read_count(struct pmcint *s, pmc_id_t id, struct pmc_count *count)
{
	struct pmcint_pmc *p;
	int error = pmcint_find(id, &p);

	if (error)
		return error;
	if (PMC_IS_SAMPLING_MODE(p->pmc.mode))
		return pmcint_refuse(EINVAL, "PMC 0x%x samples: it has no count", id);
	return read_pmc(s, p, count);
}

int pmc_read_count(pmc_id_t pmcid, struct pmc_count *count)
{
	struct pmcint *s = pmcint_begin();

	return pmcint_done(count ? read_count(s, pmcid, count) : pmcint_no_place("count"));
}

static int read_times(struct pmcint *s, pmc_id_t id, struct pmc_count *count)
{
	struct pmcint_pmc *p;
	int error = pmcint_find(id, &p);

	if (error)
		return error;
	*count = (struct pmc_count){.event = p->pmc.event.name};
	if (PMC_IS_SAMPLING_MODE(p->pmc.mode))
		count->value = p->pmc.rate;
	if (s->collector.ops->times &&
	    s->collector.ops->times(&s->collector, &p->pmc, count, pmcint_last()))
		return pmcint_last()->error;
	return 0;
}

int pmc_read_times(pmc_id_t pmcid, struct pmc_count *count)
{
	struct pmcint *s = pmcint_begin();

	return pmcint_done(count ? read_times(s, pmcid, count) : pmcint_no_place("count"));
}

int pmc_rw(pmc_id_t pmcid, pmc_value_t newvalue, pmc_value_t *oldvalue)
{
	struct pmcint *s = pmcint_begin();

	return pmcint_done(access_value(s, pmcid, &newvalue, oldvalue));
}

int pmc_write(pmc_id_t pmcid, pmc_value_t value)
{
	struct pmcint *s = pmcint_begin();

	return pmcint_done(access_value(s, pmcid, &value, NULL));
}

/* Gives up one PMC, which does not run. */
static void forget(struct pmcint *s, struct pmc *pmc)
{
	size_t i;

	s->collector.ops->release(&s->collector, pmc);
	for (i = 0; &s->pmcs.v[i]->pmc != pmc; i++)
		;
	vec_free(&pmc->targets);
	vec_free(&pmc->members);
	free(s->pmcs.v[i]);
	vec_remove(&s->pmcs, i, 1);
}

/* The members go with their leader, and before it. */
static int release(struct pmcint *s, pmc_id_t id)
{
	struct pmcint_pmc *p;
	int error = find_leader(id, &p);

	if (error)
		return error;
	/* The PMC goes whether it stops well or not. */
	pmcint_group_stop(s, &p->pmc, NULL);
	while (p->pmc.members.n)
		forget(s, p->pmc.members.v[--p->pmc.members.n]);
	forget(s, &p->pmc);
	return 0;
}

int pmc_release(pmc_id_t pmcid)
{
	struct pmcint *s = pmcint_begin();

	return pmcint_done(release(s, pmcid));
}

static int need_log(const struct pmcint *s)
{
	if (pmcint_ready())
		return ENXIO;
	return s->collector.logging ? 0 : pmcint_refuse(EINVAL, "no log is configured");
}

static int close_log(struct pmcint *s)
{
	int error = need_log(s);

	if (error)
		return error;
	return pmcint_log_close(s, pmcint_last()) ? pmcint_last()->error : 0;
}

static int configure_log(struct pmcint *s, int fd)
{
	if (pmcint_ready())
		return ENXIO;
	if (fd == -1)
		return close_log(s);
	if (s->collector.logging)
		return pmcint_refuse(EBUSY, "a log is configured already");
	if (fcntl(fd, F_GETFL) < 0)
		return pmcint_refuse(EBADF, "descriptor %d is not open", fd);
	return pmcint_log_open(s, fd, pmcint_last()) ? pmcint_last()->error : 0;
}

int pmc_configure_logfile(int fd)
{
	struct pmcint *s = pmcint_begin();

	return pmcint_done(configure_log(s, fd));
}

int pmc_flush_logfile(void)
{
	struct pmcint *s = pmcint_begin();
	int error = need_log(s);

	if (!error && pmcint_log_flush(s, pmcint_last()))
		error = pmcint_last()->error;
	return pmcint_done(error);
}

static int rotate_log(struct pmcint *s, int fd)
{
	int error = need_log(s);

	if (error)
		return error;
	if (!s->collector.writer || !pmclog_writer_rotates(s->collector.writer))
		return pmcint_refuse(EINVAL, "the log was begun without pmc_set_rotation()");
	if (fcntl(fd, F_GETFL) < 0)
		return pmcint_refuse(EBADF, "descriptor %d is not open", fd);
	return pmcint_log_rotate(s, fd, pmcint_last()) ? pmcint_last()->error : 0;
}

int pmc_rotate_logfile(int fd)
{
	struct pmcint *s = pmcint_begin();

	return pmcint_done(rotate_log(s, fd));
}

int pmc_close_logfile(void)
{
	struct pmcint *s = pmcint_begin();

	return pmcint_done(close_log(s));
}

int pmc_writelog(uint32_t userdata)
{
	struct pmcint *s = pmcint_begin();
	int error = need_log(s);

	if (!error && pmcint_log_userdata(s, userdata, pmcint_last()))
		error = pmcint_last()->error;
	return pmcint_done(error);
}

int pmc_get_log_stats(struct pmc_log_stats *stats)
{
	struct pmcint *s = pmcint_begin();

	if (!stats)
		return pmcint_done(pmcint_no_place("statistics"));
	if (pmcint_ready())
		return pmcint_done(ENXIO);
	pmcint_log_stats(s, stats);
	return pmcint_done(0);
}

bool pmc_finished(void)
{
	struct pmcint *s = pmcint_begin();
	const struct pmc_collector_ops *ops = s->collector.ops;
	bool finished = ops && ops->finished && ops->finished(&s->collector);

	pmcint_done(0);
	return finished;
}
