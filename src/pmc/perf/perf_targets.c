// SPDX-License-Identifier: BSD-2-Clause
/*
 * Events that a thread inherited go with those of the attach that they came from.  So before an
 * attach ends, what it alone had covered of other attaches is given events of theirs.
 */
#include "base/open_files.h"
#include "pmc/perf/perf_targets.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

#include "pmc/perf/perf_attach.h"
#include "pmc/perf/perf_errors.h"
#include "pmc/perf/unwind/perf_unwind.h"

static bool is_logging(const struct perf_targets *ts)
{
	return ts->rings->records.writer;
}

static void target_free(struct perf_targets *ts, struct perf_target *t)
{
	perf_rings_close_events(ts->rings, &t->fds, 0);
	perf_ran_fini(&t->ran);
	free(t);
}

void perf_targets_fini(struct perf_targets *ts)
{
	size_t i;

	for (i = 0; i < ts->v.n; i++)
		target_free(ts, ts->v.v[i]);
	vec_free(&ts->v);
	perf_coverage_fini(&ts->sideband);
	perf_rings_close_events(ts->rings, &ts->system_fds, 0);
	vec_free(&ts->late_cpus.cpus);
}

static void sideband_ioctl(struct perf_targets *ts, unsigned long request)
{
	size_t i;

	perf_fds_ioctl(&ts->system_fds, 0, request);
	for (i = 0; i < ts->v.n; i++)
		perf_fds_ioctl(&ts->v.v[i]->fds, 0, request);
}

/* Another process may have the number of one that is known, which no record has told of. */
static int snapshot_process(struct proc_snapshot *shot, const struct perf_rings *rings, pid_t pid,
			    uint32_t pmcid)
{
	if (rings->unwind)
		perf_unwind_renew(rings->unwind, (uint32_t)pid);
	return proc_snapshot_process(shot, pid, pmcid);
}

static int snapshot_target(struct proc_snapshot *shot, const struct perf_rings *rings,
			   struct perf_target *t)
{
	const uint32_t pmcid = rings->records.sources.v[t->source].pmcid;
	struct proc_pids pids = {0};
	pid_t *pid;
	int r;

	t->ran.before.n = 0;
	r = t->descend ? proc_list_tree(t->pid, &pids) : vec_push(&pids.pids, t->pid);
	vec_each(pid, &pids.pids) {
		if (!r)
			r = perf_ran_begin(&t->ran, *pid, t->descend);
		if (!r)
			r = snapshot_process(shot, rings, *pid, pmcid);
	}
	vec_free(&pids.pids);
	t->snapshotted = true;
	return r;
}

/*
 * Writes what runs already and the log does not know yet; of a log that begins the kernel too,
 * whose modules go into modules, else NULL.
 */
static int snapshot(struct perf_targets *ts, struct pmclog_writer *w, struct proc_modules *modules,
		    struct err *err)
{
	struct perf_record_reader *records = &ts->rings->records;
	struct proc_snapshot shot = {.writer = w,
				     .images = records->images,
				     .tasks = &records->tasks,
				     .jit = &records->jit,
				     .modules = modules,
				     .now = perf_now(),
				     .arguments = records->execs.wanted};
	bool system = ts->system_fds.v.n && !ts->system_snapshotted;
	size_t i;
	int r = 0;

	perf_rings_drain(ts->rings, shot.now);
	if (ts->rings->unwind && (modules || system))
		perf_unwind_forget_all(ts->rings->unwind);
	if (modules) {
		/* The side-band may have been off since the last log: who lives is listed anew. */
		perf_tasks_clear(&records->tasks);
		perf_jit_end_all(&records->jit, NULL, 0);
		r = proc_snapshot_kernel(&shot);
	}
	if (!r && system) {
		r = proc_snapshot_all(&shot);
		ts->system_snapshotted = true;
	}
	for (i = 0; !r && !ts->system_fds.v.n && i < ts->v.n; i++)
		if (!ts->v.v[i]->snapshotted && !ts->v.v[i]->on_exec)
			r = snapshot_target(&shot, ts->rings, ts->v.v[i]);
	if (!r)
		return 0;
	return open_files_fail(err, EX_OSERR, "what runs already cannot be read from /proc");
}

static int snapshot_more(struct perf_targets *ts, struct err *err)
{
	return snapshot(ts, ts->rings->records.writer, NULL, err);
}

static struct perf_target *find_target(const struct perf_targets *ts, pid_t pid)
{
	size_t i;

	for (i = 0; i < ts->v.n; i++)
		if (ts->v.v[i]->pid == pid)
			return ts->v.v[i];
	return NULL;
}

/* A side-band that follows children takes the place of one that does not. */
static struct perf_target *target_of(struct perf_targets *ts, const struct pmc *pmc, pid_t pid)
{
	bool descend = pmc->flags & PMC_F_DESCENDANTS;
	struct perf_target *t = find_target(ts, pid);
	struct perf_source source = {.pmcid = pmc->id, .flags = pmc->flags & PMC_F_DESCENDANTS};
	uint32_t index;

	if (t && (t->descend || !descend))
		return t;
	index = perf_record_add_source(&ts->rings->records, &source);
	if (index == UINT32_MAX)
		return NULL;
	if (t) {
		perf_rings_close_events(ts->rings, &t->fds, 0);
		perf_coverage_forget(&ts->sideband, pid);
	} else {
		t = calloc(1, sizeof(*t));
		if (!t || vec_push(&ts->v, t)) {
			free(t);
			return NULL;
		}
		t->pid = pid;
		t->on_exec = true;
	}
	t->descend = descend;
	t->snapshotted = false;
	t->source = index;
	return t;
}

static void target_unuse(struct perf_targets *ts, pid_t pid)
{
	size_t i;

	for (i = 0; i < ts->v.n; i++)
		if (ts->v.v[i]->pid == pid && !--ts->v.v[i]->users) {
			perf_coverage_forget(&ts->sideband, pid);
			target_free(ts, ts->v.v[i]);
			vec_remove(&ts->v, i, 1);
			return;
		}
}

/*
 * Side-bands that other targets have by inheritance from this one alone are opened anew, while this
 * is still on.  Where that fails their maps and forks are not told from here on.
 */
static void give_sideband_back(struct perf_targets *ts, const struct perf_target *leaving)
{
	size_t i;
	int r;

	if (!leaving->descend || leaving->users > 1 || ts->system_fds.v.n)
		return;
	for (i = 0; i < ts->v.n; i++) {
		struct perf_target *t = ts->v.v[i];
		struct perf_attach a = {.targets = ts, .target = t, .without = leaving->pid};

		if (t == leaving || perf_attach_init(&a, NULL))
			continue;
		r = perf_attach_cover(&a);
		if (r && r != -ESRCH)
			perf_record_drop(&ts->rings->records, -1, PMCLOG_DROP_RECORD);
		if (!is_logging(ts))
			perf_fds_ioctl(&t->fds, 0, PERF_EVENT_IOC_DISABLE);
	}
}

static void target_leave(struct perf_targets *ts, pid_t pid)
{
	const struct perf_target *t = find_target(ts, pid);

	if (!t)
		return;
	give_sideband_back(ts, t);
	target_unuse(ts, pid);
}

/* Those of other targets that have the PMC's events by this one alone get events of their own. */
static int give_events_back(struct perf_targets *ts, struct perf_pmc *p, pid_t leaving,
			    struct err *err)
{
	const struct perf_attach whole = {.targets = ts, .p = p};
	const struct perf_attach_extent before = perf_attach_extent(&whole);
	const pid_t *pid;
	int r = 0;

	if (!(p->pmc->flags & PMC_F_DESCENDANTS))
		return 0;
	vec_each(pid, &p->pmc->targets) {
		struct perf_attach a = {
			.targets = ts, .target = find_target(ts, *pid), .p = p, .without = leaving};

		if (r || *pid == leaving || !a.target)
			continue;
		r = perf_attach_init(&a, err);
		if (!r && (r = perf_attach_cover(&a)))
			r = r == -ESRCH ? 0 : perf_attach_failed(&a, r, err);
		perf_attach_fini(&a);
	}
	if (r)
		perf_attach_cut(&whole, &before);
	return r ? -1 : 0;
}

/* Ends what an attach has opened of the PMC. */
static void close_target(struct perf_targets *ts, struct perf_pmc *p, pid_t pid)
{
	perf_rings_close_pmc(ts->rings, p, pid);
	perf_coverage_forget(&p->coverage, pid);
}

/* The target's side-band and the PMC's events; 0, or -1 with nothing opened. */
static int attach_target(struct perf_attach *a, struct err *err)
{
	const pid_t pid = a->target->pid;
	int r = perf_attach_init(a, err);

	if (r)
		return r;
	r = perf_attach_cover(a);
	if (!r && !a->opened && !a->run.had)
		r = -ESRCH;
	/* The words are found with files open, so those of the attach are closed before. */
	if (r) {
		close_target(a->targets, a->p, pid);
		return perf_attach_failed(a, r, err);
	}
	if (is_logging(a->targets) && snapshot_more(a->targets, err)) {
		close_target(a->targets, a->p, pid);
		return -1;
	}
	return 0;
}

int perf_targets_attach(struct perf_targets *ts, struct perf_pmc *p, pid_t pid, struct err *err)
{
	struct perf_attach a = {.targets = ts, .p = p};
	struct perf_failure failure;
	int r;

	if (perf_rings_open(ts->rings, &failure))
		return perf_errors_open(&ts->rings->machine, ts->pmcs, &failure, err);
	a.target = target_of(ts, p->pmc, pid);
	if (!a.target)
		return err_nomem(err);
	a.target->users++;
	a.target->on_exec &= !!(p->pmc->flags & PMC_F_START_ON_EXEC);
	sideband_ioctl(ts, PERF_EVENT_IOC_ENABLE);
	r = attach_target(&a, err);
	if (r)
		target_leave(ts, pid);
	else if (p->pmc->running)
		perf_pmc_ioctl(p, pid, PERF_EVENT_IOC_ENABLE);
	if (!is_logging(ts))
		sideband_ioctl(ts, PERF_EVENT_IOC_DISABLE);
	perf_attach_fini(&a);
	return r;
}

int perf_targets_detach(struct perf_targets *ts, struct perf_pmc *p, pid_t pid, struct err *err)
{
	struct pmc *const *m;
	const pid_t *other;

	if (give_events_back(ts, p, pid, err))
		return -1;
	perf_pmc_ioctl(p, pid, PERF_EVENT_IOC_DISABLE);
	vec_each(other, &p->pmc->targets)
		if (*other != pid && p->pmc->running)
			perf_pmc_ioctl(p, *other, PERF_EVENT_IOC_ENABLE);
	perf_rings_drain(ts->rings, perf_now());
	perf_pmc_keep(p, pid);
	vec_each(m, &p->pmc->members)
		perf_pmc_keep((*m)->priv, pid);
	close_target(ts, p, pid);
	target_leave(ts, pid);
	return 0;
}

void perf_targets_detach_all(struct perf_targets *ts, struct perf_pmc *p)
{
	const pid_t *pid;

	perf_rings_close_pmc(ts->rings, p, 0);
	vec_each(pid, &p->pmc->targets)
		target_leave(ts, *pid);
}

int perf_targets_open_system(struct perf_targets *ts, struct err *err)
{
	struct perf_rings *rings = ts->rings;
	struct perf_source source = {
		.pmcid = UINT32_MAX, .flags = PMC_F_DESCENDANTS, .system = true};
	struct perf_failure failure;
	struct perf_event_attr attr;
	uint32_t index;
	size_t i;
	int r = 0;

	if (ts->system_fds.v.n)
		return 0;
	if (perf_rings_open(rings, &failure))
		return perf_errors_open(&rings->machine, ts->pmcs, &failure, err);
	index = ts->system_source = perf_record_add_source(&rings->records, &source);
	if (index == UINT32_MAX)
		return err_nomem(err);
	perf_attr_of_sideband(&rings->machine, true, true, &attr);
	for (i = 0; i < rings->v.n; i++) {
		r = perf_rings_open_event(rings, &attr, &(struct perf_spot){-1, rings->v.v[i], -1},
					  0, index, &ts->system_fds);
		if (!r || r == -ENODEV)
			continue;
		perf_rings_close_events(rings, &ts->system_fds, 0);
		failure = (struct perf_failure){.error = -r, .pid = -1, .cpu = rings->v.v[i]->cpu};
		return perf_errors_open(&rings->machine, ts->pmcs, &failure, err);
	}
	r = 0;
	if (is_logging(ts)) {
		perf_fds_ioctl(&ts->system_fds, 0, PERF_EVENT_IOC_ENABLE);
		r = snapshot_more(ts, err);
	}
	for (i = 0; i < ts->v.n; i++)
		perf_rings_close_events(rings, &ts->v.v[i]->fds, 0);
	perf_coverage_forget(&ts->sideband, 0);
	return r;
}

void perf_targets_renew_system(struct perf_targets *ts, const struct proc_cpus *cpus)
{
	struct perf_rings *rings = ts->rings;
	struct perf_event_attr attr;
	struct perf_fd *f;

	perf_attr_of_sideband(&rings->machine, true, true, &attr);
	vec_each(f, &ts->system_fds.v)
		if (proc_cpus_have(cpus, f->cpu) &&
		    perf_rings_renew_event(rings, &attr, ts->system_source, f))
			perf_record_drop(&rings->records, f->cpu, PMCLOG_DROP_RECORD);
	if (!is_logging(ts))
		return;
	perf_fds_ioctl(&ts->system_fds, 0, PERF_EVENT_IOC_ENABLE);
	/* A process that is told anew has no names of code any more. */
	perf_jit_turn(&rings->records.jit, rings->records.writer, perf_now());
	ts->system_snapshotted = false;
	if (snapshot_more(ts, NULL))
		perf_record_drop(&rings->records, -1, PMCLOG_DROP_RECORD);
}

/* The side-band goes on before /proc is read, so that nothing falls between the two. */
int perf_targets_begin_log(struct perf_targets *ts, struct pmclog_writer *w,
			   struct proc_modules *modules, struct err *err)
{
	int r;
	size_t i;

	for (i = 0; i < ts->v.n; i++) {
		ts->v.v[i]->snapshotted = false;
		ts->v.v[i]->ran.told = (struct pmclog_times){0};
	}
	ts->system_snapshotted = false;
	ts->late_cpus.cpus.n = 0;
	sideband_ioctl(ts, PERF_EVENT_IOC_ENABLE);
	r = snapshot(ts, w, modules, err);
	if (r)
		sideband_ioctl(ts, PERF_EVENT_IOC_DISABLE);
	return r;
}

void perf_targets_end_log(struct perf_targets *ts)
{
	sideband_ioctl(ts, PERF_EVENT_IOC_DISABLE);
}

void perf_targets_tell_ran(struct perf_targets *ts, uint64_t now)
{
	struct perf_record_reader *r = &ts->rings->records;
	struct perf_target *const *each;
	struct pmclog_times times;

	vec_each(each, &ts->v) {
		struct perf_target *t = *each;

		/* Whose a process is that descends from one of several nothing tells. */
		if (t->descend && ts->v.n > 1)
			continue;
		if (perf_ran_tell(&t->ran, t->pid, t->descend ? &r->tasks : NULL, &times))
			pmclog_write_detach(r->writer, now, r->sources.v[t->source].pmcid,
					    (uint32_t)t->pid, &times);
	}
}

void perf_targets_ask_lost(const struct perf_targets *ts)
{
	struct perf_target *const *t;

	perf_rings_ask_lost(ts->rings, &ts->system_fds);
	vec_each(t, &ts->v)
		perf_rings_ask_lost(ts->rings, &(*t)->fds);
}
