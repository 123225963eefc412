// SPDX-License-Identifier: BSD-2-Clause
/*
 * The pmc(3) API: the table of this process's PMCs over one collector.
 *
 * The functions of the API take the lock, do their work in a static function of the same name that
 * returns an errno value, and end in pmcint_done().
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "pmc/pmcint.h"
#include "pmc/proc_list.h"

enum { DEPTH_MAX = 500 };

#define KNOWN_FLAGS                                                                               \
	(PMC_F_DESCENDANTS | PMC_F_LOG_PROCCSW | PMC_F_LOG_PROCEXIT | PMC_F_CALLCHAIN |           \
	 PMC_F_USERCALLCHAIN | PMC_F_START_ON_EXEC | PMC_F_FREQUENCY | PMC_F_KGMON | PMC_F_SELF | \
	 PMC_F_LOG_ARGUMENTS | PMC_F_NO_SHARING)

/* The collectors, in the order in which "auto" tries them. */
static const struct {
	const struct pmc_collector_ops *ops;
	bool in_auto;
} collectors[] = {
	{&pmc_collector_hwpmc, true},
	{&pmc_collector_perf, true},
	{&pmc_collector_fake, false},
};

enum { NCOLLECTORS = sizeof(collectors) / sizeof(collectors[0]) };

static struct pmcint lib = {
	.lock = PTHREAD_MUTEX_INITIALIZER,
	.collector.log_lock = PTHREAD_MUTEX_INITIALIZER,
	.max_depth = DEPTH_MAX,
};

/* The choice of pmc_set_collector(); NULL ops: auto. */
static const struct pmc_collector_ops *chosen;
static char chosen_arg[PATH_MAX];

struct pmcint *pmcint_begin(void)
{
	pthread_mutex_lock(&lib.lock);
	return &lib;
}

int pmcint_done(int error)
{
	lib.calls++;
	lib.failures += error != 0;
	pthread_mutex_unlock(&lib.lock);
	if (!error)
		return 0;
	errno = error;
	return -1;
}

static int open_collector(const struct pmc_collector_ops *ops, const char *arg)
{
	lib.collector.ops = ops;
	memset(&lib.collector.stats, 0, sizeof(lib.collector.stats));
	memset(&lib.closed, 0, sizeof(lib.closed));
	memset(&lib.told, 0, sizeof(lib.told));
	lib.has_cpuinfo = lib.has_counters = lib.tries_counters = false;
	lib.calls = lib.failures = 0;
	if (ops->open(&lib.collector, arg, pmcint_last()) == 0)
		return 0;
	lib.collector.ops = NULL;
	return pmcint_last_errno(&lib);
}

static int init(void)
{
	int error = ENXIO;
	size_t i;

	if (lib.collector.ops)
		return 0;
	if (chosen)
		return open_collector(chosen, chosen_arg);
	for (i = 0; i < NCOLLECTORS && error; i++)
		if (collectors[i].in_auto)
			error = open_collector(collectors[i].ops, "");
	return error;
}

int pmc_init(void)
{
	pmcint_begin();
	return pmcint_done(init());
}

static int set_collector(const char *spec)
{
	size_t len = strcspn(spec, ":"), i;
	const char *arg = spec[len] ? spec + len + 1 : "";
	const struct pmc_collector_ops *ops = NULL;

	for (i = 0; i < NCOLLECTORS; i++)
		if (strlen(collectors[i].ops->name) == len &&
		    strncmp(spec, collectors[i].ops->name, len) == 0)
			ops = collectors[i].ops;
	if (!ops && strcmp(spec, "auto") != 0) {
		pmcint_refuse(EINVAL, "unknown collector \"%s\"", spec);
		err_hint(pmcint_last(), "collectors: auto, hwpmc, perf, fake:FILE");
		return EINVAL;
	}
	if (strlen(arg) >= sizeof(chosen_arg))
		return pmcint_refuse(EINVAL,
				     "the collector's argument has %zu bytes, more than %zu",
				     strlen(arg), sizeof(chosen_arg) - 1);
	if (lib.pmcs.n || lib.collector.logging)
		return pmcint_refuse(EBUSY,
				     "the collector cannot change while PMCs or a log exist");
	if (lib.collector.ops)
		lib.collector.ops->close(&lib.collector);
	lib.collector.ops = NULL;
	chosen = ops;
	strcpy(chosen_arg, arg);
	return 0;
}

int pmc_set_collector(const char *spec)
{
	pmcint_begin();
	return pmcint_done(spec ? set_collector(spec) : pmcint_no_place("collector"));
}

static int set_command(const char *command)
{
	char *copy = command ? strdup(command) : NULL;

	if (command && !copy) {
		err_nomem(pmcint_last());
		return ENOMEM;
	}
	free(lib.command);
	lib.command = copy;
	return 0;
}

int pmc_set_command(const char *command)
{
	pmcint_begin();
	return pmcint_done(set_command(command));
}

int pmc_set_callchain_depth(unsigned int depth)
{
	pmcint_begin();
	if (depth < 1 || depth > DEPTH_MAX)
		return pmcint_done(pmcint_refuse(EINVAL, "a call chain has 1 to %d frames, not %u",
						 DEPTH_MAX, depth));
	lib.max_depth = depth;
	return pmcint_done(0);
}

int pmc_set_unwind(enum pmc_unwind unwind)
{
	pmcint_begin();
	if (unwind > PMC_UNWIND_OFF)
		return pmcint_done(pmcint_refuse(EINVAL, "no way to unwind has the number %u",
						 (unsigned int)unwind));
	lib.unwind = unwind;
	return pmcint_done(0);
}

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

int pmcint_ready(void)
{
	if (lib.collector.ops)
		return 0;
	return pmcint_refuse(ENXIO, "no collector is open: pmc_init() comes first");
}

int pmcint_find(pmc_id_t id, struct pmcint_pmc **found)
{
	struct pmcint_pmc **p;

	*found = NULL;
	if (pmcint_ready())
		return ENXIO;
	if (!lib.pmcs.n)
		return pmcint_refuse(ESRCH, "PMC 0x%x: this process has allocated no PMC", id);
	vec_each(p, &lib.pmcs)
		if ((*p)->pmc.id == id) {
			*found = *p;
			return 0;
		}
	return pmcint_refuse(EINVAL, "PMC 0x%x is not one that this process has allocated", id);
}

static int check_kgmon(enum pmc_mode mode, uint32_t flags)
{
	if (!(flags & PMC_F_KGMON))
		return 0;
	if (mode != PMC_MODE_SS || (flags & PMC_F_CALLCHAIN))
		return pmcint_refuse(EINVAL, "PMC_F_KGMON is for system-scope sampling without "
					     "call chains");
	if (lib.collector.ops->kgmon)
		return 0;
	err_set(pmcint_last(), EX_UNAVAILABLE,
		"the collector %s cannot count samples into a histogram", lib.collector.ops->name);
	err_hint(pmcint_last(), "load the kernel module hwpmc, which can");
	return EOPNOTSUPP;
}

static int check_self(enum pmc_mode mode, uint32_t flags)
{
	const uint32_t others = PMC_F_DESCENDANTS | PMC_F_LOG_PROCCSW | PMC_F_LOG_PROCEXIT |
				PMC_F_LOG_ARGUMENTS | PMC_F_START_ON_EXEC;

	if (!(flags & PMC_F_SELF))
		return 0;
	if (mode != PMC_MODE_TC || flags & others)
		return pmcint_refuse(EINVAL, "PMC_F_SELF is for one thread that is counted");
	if (lib.collector.ops->read_self)
		return 0;
	err_set(pmcint_last(), EX_UNAVAILABLE, "the collector %s counts no single threads",
		lib.collector.ops->name);
	return EOPNOTSUPP;
}

static int check_flags(enum pmc_mode mode, uint32_t flags)
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
	error = check_kgmon(mode, flags);
	return error ? error : check_self(mode, flags);
}

static int check_cpu(enum pmc_mode mode, int cpu)
{
	const struct pmc_cpuinfo *info;
	int error = pmcint_cpuinfo(&lib, &info);

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
static int check_class(const struct pmc *pmc)
{
	const struct pmc_classinfo *class;
	const struct pmc_cpuinfo *info;
	int error = pmcint_cpuinfo(&lib, &info);
	uint32_t need = 0;

	if (error)
		return error;
	if (pmc->event.class == PMC_CLASS_TSC && PMC_IS_VIRTUAL_MODE(pmc->mode))
		return pmcint_refuse(EINVAL, "%s counts in system scope alone", pmc->event.name);
	class = pmcint_class(info, pmc->event.class);
	if (PMC_IS_SAMPLING_MODE(pmc->mode))
		need |= PMC_CAP_INTERRUPT;
	if (pmc->event.exclude_kernel)
		need |= PMC_CAP_USER;
	if (pmc->event.exclude_user)
		need |= PMC_CAP_SYSTEM;
	if (!class || (class->pm_caps & need) == need)
		return 0;
	return pmcint_refuse(EOPNOTSUPP, "%s: counters of the class %s cannot %s", pmc->event.spec,
			     pmc_name_of_class(class->pm_class),
			     need & ~class->pm_caps & PMC_CAP_INTERRUPT
				     ? "sample"
				     : "tell user mode from kernel mode");
}

/* Fills in all of a new PMC from the arguments of pmc_allocate(). */
static int set_up(struct pmc *pmc, const char *spec, uint64_t count)
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
	if (PMC_IS_SYSTEM_MODE(pmc->mode) && !counts_on_cpu(pmc)) {
		err_set(pmcint_last(), EX_UNAVAILABLE, "%s counts on the CPUs %s, not on CPU %d",
			pmc->event.spec, pmc->event.cpus, pmc->cpu);
		return ENXIO;
	}
	error = check_class(pmc);
	if (!error)
		error = pmcint_choose_row(&lib, pmc);
	if (error)
		return error;
	pmc->max_depth = lib.max_depth;
	pmc->unwind = lib.unwind;
	pmc->rate = count;
	if (PMC_IS_SAMPLING_MODE(pmc->mode) && !count) {
		if (pmc->flags & PMC_F_FREQUENCY)
			return pmcint_refuse(EINVAL, "%s: a frequency of 0 samples a second", spec);
		pmc->rate = pmc->event.default_rate;
	}
	return 0;
}

/* Allocates p, whose mode, flags, CPU and leader are set; takes it over. */
static int add_pmc(struct pmcint_pmc *p, const char *spec, pmc_id_t *id, uint64_t count)
{
	int error = set_up(&p->pmc, spec, count);

	if (!error && vec_reserve(&lib.pmcs, lib.pmcs.n + 1)) {
		err_nomem(pmcint_last());
		error = ENOMEM;
	}
	if (!error && lib.collector.ops->allocate(&lib.collector, &p->pmc, pmcint_last()))
		error = pmcint_last_errno(&lib);
	if (error) {
		free(p);
		return error;
	}
	lib.pmcs.v[lib.pmcs.n++] = p;
	pmcint_log_alloc(&lib, &p->pmc);
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

static int allocate(const char *spec, enum pmc_mode mode, uint32_t flags, int cpu, pmc_id_t *id,
		    uint64_t count)
{
	struct pmcint_pmc *p;
	int error;

	if (pmcint_ready())
		return ENXIO;
	if (!spec || !id)
		return pmcint_no_place(spec ? "pmcid" : "event");
	error = check_flags(mode, flags);
	if (!error)
		error = check_cpu(mode, cpu);
	if (error)
		return error;
	p = new_pmc(mode, flags, cpu);
	return p ? add_pmc(p, spec, id, count) : ENOMEM;
}

int pmc_allocate(const char *eventspec, enum pmc_mode mode, uint32_t flags, int cpu,
		 pmc_id_t *pmcid, uint64_t count)
{
	pmcint_begin();
	return pmcint_done(allocate(eventspec, mode, flags, cpu, pmcid, count));
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

static int allocate_member(pmc_id_t id, const char *spec, pmc_id_t *member, uint64_t count)
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
	error = add_pmc(p, spec, member, count);
	if (!error)
		leader->pmc.members.v[leader->pmc.members.n++] = &p->pmc;
	return error;
}

int pmc_allocate_member(pmc_id_t leader, const char *eventspec, pmc_id_t *pmcid, uint64_t count)
{
	pmcint_begin();
	return pmcint_done(allocate_member(leader, eventspec, pmcid, count));
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
	err_set(pmcint_last(), EX_NOUSER, "there is no process %d", (int)pid);
	return ESRCH;
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

static int attach_to(struct pmcint_pmc *p, pid_t pid)
{
	struct pmc *pmc = &p->pmc;
	int error = check_process(pid);

	if (error)
		return error;
	if (p->msr_known) {
		err_set(pmcint_last(), EX_NOPERM,
			"PMC 0x%x is read by its owner without us: it cannot have other targets",
			pmc->id);
		return EPERM;
	}
	if (pmc->flags & PMC_F_SELF && pid != getpid())
		return pmcint_refuse(EINVAL, "PMC 0x%x counts a thread of its owner", pmc->id);
	if (pmcint_has_target(pmc, pid))
		return pmcint_refuse(EEXIST, "PMC 0x%x is attached to process %d already", pmc->id,
				     (int)pid);
	if (gone(pid))
		return no_process(pid);
	if (pmcint_group_attach(&lib, pmc, pid, pmcint_last()))
		return gone(pid) ? no_process(pid) : pmcint_last_errno(&lib);
	p->attached = true;
	return 0;
}

static int attach(pmc_id_t id, pid_t pid, bool may_run)
{
	struct pmcint_pmc *p;
	int error = find_target(id, &pid, &p);

	if (error)
		return error;
	if (p->pmc.running && !may_run)
		return pmcint_refuse(EBUSY, "PMC 0x%x is running: stop it to attach it", id);
	return attach_to(p, pid);
}

int pmc_attach(pmc_id_t pmcid, pid_t pid)
{
	pmcint_begin();
	return pmcint_done(attach(pmcid, pid, false));
}

int pmc_attach_running(pmc_id_t pmcid, pid_t pid)
{
	pmcint_begin();
	return pmcint_done(attach(pmcid, pid, true));
}

static int not_a_target(pmc_id_t id, pid_t pid)
{
	size_t i;

	if (gone(pid))
		return no_process(pid);
	for (i = 0; i < lib.pmcs.n; i++)
		if (pmcint_has_target(&lib.pmcs.v[i]->pmc, pid))
			return pmcint_refuse(EINVAL, "PMC 0x%x is not attached to process %d", id,
					     (int)pid);
	err_set(pmcint_last(), EX_NOUSER, "no PMC is attached to process %d", (int)pid);
	return ESRCH;
}

/*
 * As on FreeBSD an error, but what the process held is given up.  What descends from it is measured
 * on, so then nothing is.
 */
static int detach_gone(struct pmcint_pmc *p, pid_t pid)
{
	if (!(p->pmc.flags & PMC_F_DESCENDANTS))
		pmcint_group_detach(&lib, &p->pmc, pid, NULL);
	return no_process(pid);
}

static int detach(pmc_id_t id, pid_t pid)
{
	struct pmcint_pmc *p;
	int error = find_target(id, &pid, &p);
	struct pmc **m;

	if (error)
		return error;
	if (!pmcint_has_target(&p->pmc, pid))
		return not_a_target(id, pid);
	if (gone(pid))
		return detach_gone(p, pid);
	if (pmcint_group_detach(&lib, &p->pmc, pid, pmcint_last()))
		return pmcint_last_errno(&lib);
	pmcint_log_detach(&lib, &p->pmc, pid);
	vec_each(m, &p->pmc.members)
		pmcint_log_detach(&lib, *m, pid);
	return 0;
}

int pmc_detach(pmc_id_t pmcid, pid_t pid)
{
	pmcint_begin();
	return pmcint_done(detach(pmcid, pid));
}

static int find_stopped(pmc_id_t id, struct pmcint_pmc **p)
{
	int error = pmcint_find(id, p);

	if (!error && (*p)->pmc.running)
		return pmcint_refuse(EBUSY, "PMC 0x%x is running", id);
	return error;
}

static int set(pmc_id_t id, pmc_value_t value)
{
	struct pmcint_pmc *p;
	int error = find_stopped(id, &p);

	if (error)
		return error;
	if (PMC_IS_COUNTING_MODE(p->pmc.mode))
		return lib.collector.ops->write(&lib.collector, &p->pmc, value, pmcint_last())
			       ? pmcint_last_errno(&lib)
			       : 0;
	if (!value)
		return pmcint_refuse(EINVAL, "PMC 0x%x: a rate of 0 events a sample", id);
	if (p->pmc.rate == value)
		return 0;
	/* Collectors look at the rate when the PMC starts; the log's newest allocation counts. */
	p->pmc.rate = value;
	pmcint_log_alloc(&lib, &p->pmc);
	return 0;
}

int pmc_set(pmc_id_t pmcid, pmc_value_t value)
{
	pmcint_begin();
	return pmcint_done(set(pmcid, value));
}

static int no_targets(pmc_id_t id)
{
	err_set(pmcint_last(), EX_NOUSER, "PMC 0x%x is detached from all its targets", id);
	return ESRCH;
}

static bool needs_log(const struct pmc *pmc)
{
	return (PMC_IS_SAMPLING_MODE(pmc->mode) && !(pmc->flags & PMC_F_KGMON)) ||
	       (pmc->flags & (PMC_F_LOG_PROCCSW | PMC_F_LOG_PROCEXIT));
}

static int start(pmc_id_t id)
{
	struct pmcint_pmc *p;
	int error = find_leader(id, &p);

	if (error)
		return error;
	if (p->pmc.running)
		return 0;
	if (!lib.collector.logging && needs_log(&p->pmc))
		return pmcint_refuse(
			EDOOFUS, "PMC 0x%x needs a log: pmc_configure_logfile() comes first", id);
	if (PMC_IS_VIRTUAL_MODE(p->pmc.mode) && !p->pmc.targets.n) {
		if (p->attached)
			return no_targets(id);
		error = attach_to(p, getpid());
		if (error)
			return error;
	}
	if (pmcint_group_start(&lib, &p->pmc, pmcint_last()))
		return pmcint_last_errno(&lib);
	p->started = true;
	return 0;
}

int pmc_start(pmc_id_t pmcid)
{
	pmcint_begin();
	return pmcint_done(start(pmcid));
}

static int stop(pmc_id_t id)
{
	struct pmcint_pmc *p;
	int error = find_leader(id, &p);

	if (error)
		return error;
	if (!p->pmc.running)
		return p->started ? 0 : pmcint_refuse(EINVAL, "PMC 0x%x was never started", id);
	return pmcint_group_stop(&lib, &p->pmc, pmcint_last()) ? pmcint_last_errno(&lib) : 0;
}

int pmc_stop(pmc_id_t pmcid)
{
	pmcint_begin();
	return pmcint_done(stop(pmcid));
}

static int read_pmc(struct pmcint_pmc *p, struct pmc_count *count)
{
	*count = (struct pmc_count){.value = p->pmc.rate, .event = p->pmc.event.name};
	if (PMC_IS_COUNTING_MODE(p->pmc.mode) &&
	    lib.collector.ops->read(&lib.collector, &p->pmc, count, pmcint_last()))
		return pmcint_last_errno(&lib);
	return 0;
}

/* The value alone, which may be had without a system call. */
static int read_value(struct pmcint_pmc *p, pmc_value_t *value)
{
	struct pmc_count count;
	int error;

	if (p->pmc.flags & PMC_F_SELF &&
	    lib.collector.ops->read_self(&lib.collector, &p->pmc, value))
		return 0;
	error = read_pmc(p, &count);
	if (!error)
		*value = count.value;
	return error;
}

/* Reads, writes, or does both, where the pointers are not NULL. */
static int access_value(pmc_id_t id, const pmc_value_t *new, pmc_value_t *old)
{
	struct pmcint_pmc *p;
	int error = new ? find_stopped(id, &p) : pmcint_find(id, &p);

	if (error)
		return error;
	if (new &&PMC_IS_SAMPLING_MODE(p->pmc.mode))
		return pmcint_refuse(EINVAL, "PMC 0x%x samples: its rate is set by pmc_set()", id);
	if (old) {
		error = read_value(p, old);
		if (error)
			return error;
	}
	if (new &&lib.collector.ops->write(&lib.collector, &p->pmc, *new, pmcint_last()))
		return pmcint_last_errno(&lib);
	return 0;
}

int pmc_read(pmc_id_t pmcid, pmc_value_t *value)
{
	pmcint_begin();
	return pmcint_done(value ? access_value(pmcid, NULL, value) : pmcint_no_place("value"));
}

static int read_count(pmc_id_t id, struct pmc_count *count)
{
	struct pmcint_pmc *p;
	int error = pmcint_find(id, &p);

	if (error)
		return error;
	if (PMC_IS_SAMPLING_MODE(p->pmc.mode))
		return pmcint_refuse(EINVAL, "PMC 0x%x samples: it has no count", id);
	return read_pmc(p, count);
}

int pmc_read_count(pmc_id_t pmcid, struct pmc_count *count)
{
	pmcint_begin();
	return pmcint_done(count ? read_count(pmcid, count) : pmcint_no_place("count"));
}

static int read_times(pmc_id_t id, struct pmc_count *count)
{
	struct pmcint_pmc *p;
	int error = pmcint_find(id, &p);

	if (error)
		return error;
	*count = (struct pmc_count){.event = p->pmc.event.name};
	if (PMC_IS_SAMPLING_MODE(p->pmc.mode))
		count->value = p->pmc.rate;
	if (lib.collector.ops->times &&
	    lib.collector.ops->times(&lib.collector, &p->pmc, count, pmcint_last()))
		return pmcint_last_errno(&lib);
	return 0;
}

int pmc_read_times(pmc_id_t pmcid, struct pmc_count *count)
{
	pmcint_begin();
	return pmcint_done(count ? read_times(pmcid, count) : pmcint_no_place("count"));
}

int pmc_rw(pmc_id_t pmcid, pmc_value_t newvalue, pmc_value_t *oldvalue)
{
	pmcint_begin();
	return pmcint_done(access_value(pmcid, &newvalue, oldvalue));
}

int pmc_write(pmc_id_t pmcid, pmc_value_t value)
{
	pmcint_begin();
	return pmcint_done(access_value(pmcid, &value, NULL));
}

/* Gives up one PMC, which does not run. */
static void forget(struct pmc *pmc)
{
	size_t i;

	lib.collector.ops->release(&lib.collector, pmc);
	for (i = 0; &lib.pmcs.v[i]->pmc != pmc; i++)
		;
	vec_free(&pmc->targets);
	vec_free(&pmc->members);
	free(lib.pmcs.v[i]);
	vec_remove(&lib.pmcs, i, 1);
}

/* The members go with their leader, and before it. */
static int release(pmc_id_t id)
{
	struct pmcint_pmc *p;
	int error = find_leader(id, &p);

	if (error)
		return error;
	/* The PMC goes whether it stops well or not. */
	pmcint_group_stop(&lib, &p->pmc, NULL);
	while (p->pmc.members.n)
		forget(p->pmc.members.v[--p->pmc.members.n]);
	forget(&p->pmc);
	return 0;
}

int pmc_release(pmc_id_t pmcid)
{
	pmcint_begin();
	return pmcint_done(release(pmcid));
}

static int need_log(void)
{
	if (pmcint_ready())
		return ENXIO;
	return lib.collector.logging ? 0 : pmcint_refuse(EINVAL, "no log is configured");
}

static int close_log(void)
{
	int error = need_log();

	if (error)
		return error;
	return pmcint_log_close(&lib, pmcint_last()) ? pmcint_last_errno(&lib) : 0;
}

static int configure_log(int fd)
{
	if (pmcint_ready())
		return ENXIO;
	if (fd == -1)
		return close_log();
	if (lib.collector.logging)
		return pmcint_refuse(EBUSY, "a log is configured already");
	if (fcntl(fd, F_GETFL) < 0)
		return pmcint_refuse(EBADF, "descriptor %d is not open", fd);
	return pmcint_log_open(&lib, fd, pmcint_last()) ? pmcint_last_errno(&lib) : 0;
}

int pmc_configure_logfile(int fd)
{
	pmcint_begin();
	return pmcint_done(configure_log(fd));
}

int pmc_flush_logfile(void)
{
	int error;

	pmcint_begin();
	error = need_log();
	if (!error && pmcint_log_flush(&lib, pmcint_last()))
		error = pmcint_last_errno(&lib);
	return pmcint_done(error);
}

int pmc_close_logfile(void)
{
	pmcint_begin();
	return pmcint_done(close_log());
}

int pmc_writelog(uint32_t userdata)
{
	int error;

	pmcint_begin();
	error = need_log();
	if (!error && pmcint_log_userdata(&lib, userdata, pmcint_last()))
		error = pmcint_last_errno(&lib);
	return pmcint_done(error);
}

int pmc_get_log_stats(struct pmc_log_stats *stats)
{
	pmcint_begin();
	if (!stats)
		return pmcint_done(pmcint_no_place("statistics"));
	if (pmcint_ready())
		return pmcint_done(ENXIO);
	pmcint_log_stats(&lib, stats);
	return pmcint_done(0);
}

bool pmc_finished(void)
{
	const struct pmc_collector_ops *ops;
	bool finished;

	pmcint_begin();
	ops = lib.collector.ops;
	finished = ops && ops->finished && ops->finished(&lib.collector);
	pmcint_done(0);
	return finished;
}
