// SPDX-License-Identifier: BSD-2-Clause
#include "pmc/perf/perf_tally.h"
#include "pmc/pmc.h"

enum { GONE_MAX = 64 }; /* processes that are kept for nothing */

static struct perf_tally_process *find_process(const struct perf_tally *t, uint32_t pid)
{
	struct table_iter it;
	uint32_t i;

	for (i = table_first(&t->by_pid, hash_u64(pid), &it); i != TABLE_NONE;
	     i = table_next(&t->by_pid, &it))
		if (pid && t->processes.v[i].pid == pid)
			return &t->processes.v[i];
	return NULL;
}

/* The table forgets nothing, and is made anew when half of it is useless. */
static int compact(struct perf_tally *t)
{
	size_t i, n = 0;

	if (t->gone < GONE_MAX || t->gone < t->processes.n / 2)
		return 0;
	for (i = 0; i < t->processes.n; i++)
		if (t->processes.v[i].pid)
			t->processes.v[n++] = t->processes.v[i];
	t->processes.n = n;
	t->gone = 0;
	table_clear(&t->by_pid);
	for (i = 0; i < n; i++)
		if (table_insert(&t->by_pid, hash_u64(t->processes.v[i].pid), (uint32_t)i))
			return -1;
	return 0;
}

static struct perf_tally_process *process_of(struct perf_tally *t, uint32_t pid)
{
	struct perf_tally_process *p = find_process(t, pid);

	if (p || !pid)
		return p;
	if (compact(t) || t->processes.n >= TABLE_NONE ||
	    vec_push(&t->processes, (struct perf_tally_process){.pid = pid}))
		return NULL;
	if (table_insert(&t->by_pid, hash_u64(pid), (uint32_t)(t->processes.n - 1))) {
		t->processes.n--;
		return NULL;
	}
	return &t->processes.v[t->processes.n - 1];
}

static struct perf_tally_thread *find_thread(const struct perf_tally_process *p, uint32_t tid)
{
	struct perf_tally_thread *th;

	vec_each(th, &p->threads)
		if (th->tid == tid)
			return th;
	return NULL;
}

static struct perf_tally_thread *thread_of(struct perf_tally_process *p, uint32_t tid)
{
	struct perf_tally_thread *th = find_thread(p, tid);

	if (th)
		return th;
	return vec_push(&p->threads, (struct perf_tally_thread){.tid = tid})
		       ? NULL
		       : &p->threads.v[p->threads.n - 1];
}

/* The value of an event at the last sample. */
static uint64_t *value_of(struct perf_tally_thread *th, uint64_t id)
{
	struct perf_tally_event *e;

	vec_each(e, &th->events)
		if (e->id == id)
			return &e->value;
	return vec_push(&th->events, (struct perf_tally_event){.id = id})
		       ? NULL
		       : &th->events.v[th->events.n - 1].value;
}

static void drop_process(struct perf_tally *t, struct perf_tally_process *p)
{
	struct perf_tally_thread *th;

	vec_each(th, &p->threads)
		vec_free(&th->events);
	vec_free(&p->threads);
	p->pid = 0;
	t->gone++;
}

void perf_tally_fini(struct perf_tally *t)
{
	struct perf_tally_process *p;

	vec_each(p, &t->processes)
		drop_process(t, p);
	vec_free(&t->processes);
	table_clear(&t->by_pid);
}

void perf_tally_resume(struct perf_tally *t)
{
	struct perf_tally_process *p;

	vec_each(p, &t->processes)
		p->incomplete |= p->threads.n || p->value;
}

void perf_tally_sample(struct perf_tally *t, struct pmclog_writer *w,
		       const struct perf_tally_sample *s)
{
	struct perf_tally_process *p = process_of(t, s->pid);
	struct perf_tally_thread *th = p ? thread_of(p, s->tid) : NULL;
	uint64_t *value = th ? value_of(th, s->id) : NULL, added;

	if (!value) {
		t->nomem = true;
		return;
	}
	added = s->value - *value;
	*value = s->value;
	/* The first of the last ones is the exit itself. */
	t->counted += !s->last || th->leaves;
	th->leaves |= s->last;
	p->value += added;
	if (w && (t->flags & PMC_F_LOG_PROCCSW))
		pmclog_write_proccsw(w, s->time, t->pmcid, s->pid, s->tid, added);
}

void perf_tally_attach(struct perf_tally *t, uint32_t pid)
{
	if (pid && !process_of(t, pid))
		t->nomem = true;
}

/* A process of this number is gone, although nobody told. */
void perf_tally_fork(struct perf_tally *t, uint32_t parent, uint32_t pid)
{
	struct perf_tally_process *p = find_process(t, pid);

	if (p)
		drop_process(t, p);
	if (t->flags & PMC_F_DESCENDANTS && find_process(t, parent))
		perf_tally_attach(t, pid);
}

void perf_tally_switch(struct perf_tally *t)
{
	t->switches++;
}

static void write_drop(const struct perf_tally *t, struct pmclog_writer *w, uint64_t time,
		       enum pmclog_drop_cause cause, uint64_t count)
{
	struct pmclog_drop drop = {
		.cpu = UINT32_MAX, .cause = cause, .pmcid = t->pmcid, .count = count};

	if (w)
		pmclog_write_dropnotify(w, time, &drop);
}

/* Of the first so many switches. */
static uint64_t tell_missing(struct perf_tally *t, struct pmclog_writer *w, uint64_t time,
			     uint64_t switches)
{
	uint64_t missing = switches > t->counted ? switches - t->counted : 0;

	missing -= missing < t->told ? missing : t->told;
	if (missing)
		write_drop(t, w, time, PMCLOG_DROP_SWITCH, missing);
	t->told += missing;
	return missing;
}

uint64_t perf_tally_look(struct perf_tally *t, struct pmclog_writer *w, uint64_t time)
{
	uint64_t missing = tell_missing(t, w, time, t->looked);

	t->looked = t->switches;
	return missing;
}

uint64_t perf_tally_end(struct perf_tally *t, struct pmclog_writer *w, uint64_t time)
{
	return tell_missing(t, w, time, t->switches);
}

/* One thread lives on, whatever it was, and has the number of the process from now on. */
void perf_tally_exec(struct perf_tally *t, uint32_t pid)
{
	struct perf_tally_process *p = find_process(t, pid);

	if (p && p->threads.n == 1)
		p->threads.v[0].tid = pid;
}

/* Whether a thread's last sample is part of what is logged. */
static bool needs_last(const struct perf_tally *t)
{
	return t->flags & PMC_F_LOG_PROCCSW || !t->read;
}

bool perf_tally_exit(struct perf_tally *t, struct pmclog_writer *w, uint64_t time, uint32_t pid,
		     uint32_t tid, bool last)
{
	struct perf_tally_process *p = find_process(t, pid);
	struct perf_tally_thread *th = p ? find_thread(p, tid) : NULL;
	bool untold;

	if (!p)
		return false;
	untold = needs_last(t) && !(th && th->leaves);
	p->incomplete |= untold && !t->shares;
	if (untold)
		write_drop(t, w, time, PMCLOG_DROP_EXIT, 1);
	if (th) {
		vec_free(&th->events);
		vec_remove(&p->threads, (size_t)(th - p->threads.v), 1);
	}
	if (!last)
		return untold;
	if (t->read)
		p->incomplete = t->read(t->arg, pid, &p->value) != 0;
	if (w && (t->flags & PMC_F_LOG_PROCEXIT) && !p->incomplete)
		pmclog_write_procexit(w, time, t->pmcid, p->pid, p->value);
	drop_process(t, p);
	return untold;
}
