// SPDX-License-Identifier: BSD-2-Clause
#include <fnmatch.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/hash.h"
#include "base/strpool.h"
#include "pmclog/filter.h"

/* A process or a thread. */
struct named {
	uint32_t id;
	uint32_t pid;	  /* of a thread: numbers are used again in another process */
	const char *name; /* of the pool; NULL: the log has not told it */
	bool gone;	  /* it exited, or runs another program, after the end of a cut */
};

struct named_table {
	VEC(struct named) v;
	struct table by_id;
};

struct pmc {
	uint32_t pmcid;
	bool wanted;
};

struct pmclog_filter {
	const struct pmclog_criteria *c;
	struct strpool *pool;
	struct named_table processes, threads;
	VEC(struct pmc) pmcs;
	struct table pmc_by_id;
	VEC(bool) event_seen; /* for each event of the criteria */
	uint64_t from, to;    /* ticks */
	uint64_t first, last; /* ticks: the log's */
	double freq;	      /* ticks a second */
};

/* What a record says of itself; NONE: nothing. */
struct subject {
	uint64_t pid, tid, cpu, pmcid;
};

#define NONE UINT64_MAX

void pmclog_criteria_fini(struct pmclog_criteria *c)
{
	vec_free(&c->pids);
	vec_free(&c->tids);
	vec_free(&c->cpus);
	vec_free(&c->events);
	vec_free(&c->processes);
	vec_free(&c->threads);
}

struct pmclog_filter *pmclog_filter_new(const struct pmclog_criteria *c)
{
	struct pmclog_filter *f = calloc(1, sizeof(*f));
	size_t i;

	if (!f)
		return NULL;
	f->c = c;
	f->pool = strpool_new();
	for (i = 0; f->pool && i < c->events.n && !vec_push(&f->event_seen, false);)
		i++;
	if (f->pool && i == c->events.n)
		return f;
	pmclog_filter_free(f);
	return NULL;
}

void pmclog_filter_free(struct pmclog_filter *f)
{
	if (!f)
		return;
	strpool_free(f->pool);
	vec_free(&f->processes.v);
	table_clear(&f->processes.by_id);
	vec_free(&f->threads.v);
	table_clear(&f->threads.by_id);
	vec_free(&f->pmcs);
	table_clear(&f->pmc_by_id);
	vec_free(&f->event_seen);
	free(f);
}

static struct named *find(const struct named_table *t, uint32_t id)
{
	struct table_iter it;
	uint32_t i;

	for (i = table_first(&t->by_id, hash_u64(id), &it); i != TABLE_NONE;
	     i = table_next(&t->by_id, &it))
		if (t->v.v[i].id == id)
			return &t->v.v[i];
	return NULL;
}

/* The entry of that id, a new one where there is none.  NULL when out of memory. */
static struct named *find_or_add(struct named_table *t, uint32_t id)
{
	struct named *known = find(t, id);

	if (known)
		return known;
	if (vec_push(&t->v, (struct named){.id = id}) ||
	    table_insert(&t->by_id, hash_u64(id), (uint32_t)(t->v.n - 1)))
		return NULL;
	return &t->v.v[t->v.n - 1];
}

/* Names a process or a thread; len 0 leaves it as it is.  NULL: it could not be added. */
static int set_name(struct pmclog_filter *f, struct named *n, const char *name, size_t len)
{
	uint32_t text = len ? strpool_id(f->pool, name, len) : 0;

	if (!n || text == UINT32_MAX)
		return -1;
	if (len)
		n->name = strpool_text(f->pool, text);
	return 0;
}

/* A process by the last part of its program's path, as the reports have it. */
static int set_name_by_path(struct pmclog_filter *f, uint32_t pid, const struct pmclog_text *path)
{
	size_t at = path->len;

	while (at && path->s[at - 1] != '/')
		at--;
	return set_name(f, find_or_add(&f->processes, pid), path->s + at, path->len - at);
}

/* The child is not the one that had this pid before, and has the name of its parent, if any. */
static int fork_process(struct pmclog_filter *f, uint32_t parent, uint32_t child)
{
	const struct named *from = find(&f->processes, parent);
	const char *name = from ? from->name : NULL;
	struct named *to = find_or_add(&f->processes, child);

	if (!to)
		return -1;
	to->name = name;
	return 0;
}

/* The name of a process is that of its main thread. */
static int name_thread(struct pmclog_filter *f, const struct pmclog_record *rec)
{
	const struct pmclog_text *name = &rec->u.thr.name;
	struct named *thread;

	if (rec->u.thr.tid == rec->u.thr.pid)
		return set_name(f, find_or_add(&f->processes, rec->u.thr.pid), name->s, name->len);
	thread = find_or_add(&f->threads, rec->u.thr.tid);
	if (!thread)
		return -1;
	thread->pid = rec->u.thr.pid;
	thread->name = NULL;
	return set_name(f, thread, name->s, name->len);
}

static void end_thread(struct pmclog_filter *f, uint32_t tid)
{
	struct named *thread = find(&f->threads, tid);

	if (thread)
		thread->name = NULL;
}

/* Whether the event, as text, is that of the PMC. */
static bool is_event(const struct pmclog_record *rec, const char *text)
{
	const struct pmclog_text *name = &rec->u.alloc.name, *spec = &rec->u.alloc.spec;
	char number[16];

	snprintf(number, sizeof(number), "0x%" PRIx32, rec->u.alloc.event);
	return (name->len && !strcasecmp(name->s, text)) ||
	       (spec->len && !strcasecmp(spec->s, text)) || !strcasecmp(number, text);
}

static int see_allocate(struct pmclog_filter *f, const struct pmclog_record *rec)
{
	struct pmc pmc = {.pmcid = rec->u.alloc.pmcid};
	uint32_t hash = hash_u64(pmc.pmcid), i;
	struct table_iter it;
	size_t e;

	for (e = 0; e < f->c->events.n; e++)
		if (is_event(rec, f->c->events.v[e]))
			pmc.wanted = f->event_seen.v[e] = true;
	for (i = table_first(&f->pmc_by_id, hash, &it); i != TABLE_NONE;
	     i = table_next(&f->pmc_by_id, &it))
		if (f->pmcs.v[i].pmcid == pmc.pmcid) {
			f->pmcs.v[i] = pmc;
			return 0;
		}
	return vec_push(&f->pmcs, pmc) ||
			       table_insert(&f->pmc_by_id, hash, (uint32_t)(f->pmcs.n - 1))
		       ? -1
		       : 0;
}

static bool has_event(const struct pmclog_filter *f, uint64_t pmcid)
{
	struct table_iter it;
	uint32_t i;

	for (i = table_first(&f->pmc_by_id, hash_u64(pmcid), &it); i != TABLE_NONE;
	     i = table_next(&f->pmc_by_id, &it))
		if (f->pmcs.v[i].pmcid == pmcid)
			return f->pmcs.v[i].wanted;
	return false;
}

static bool in_ranges(const pmclog_ranges *ranges, uint64_t v)
{
	const struct pmclog_range *r;

	vec_each(r, ranges)
		if (v >= r->first && v <= r->last)
			return true;
	return false;
}

static bool is_named(const struct pmclog_name *want, size_t n, const char *name)
{
	for (; n; want++, n--)
		if (want->is_pattern ? !fnmatch(want->text, name, 0) : !!strstr(name, want->text))
			return true;
	return false;
}

static const char *process_name(const struct pmclog_filter *f, uint64_t pid)
{
	const struct named *n = find(&f->processes, (uint32_t)pid);

	return n && n->name ? n->name : "";
}

/* A thread that has no name of its own has that of its process. */
static const char *thread_name(const struct pmclog_filter *f, const struct subject *s)
{
	const struct named *n = find(&f->threads, (uint32_t)s->tid);

	return n && n->name && n->pid == s->pid ? n->name : process_name(f, s->pid);
}

static bool in_time(const struct pmclog_filter *f, uint64_t tsc)
{
	return tsc >= f->from && tsc < f->to;
}

/* Whether a sample, count or loss meets the criteria. */
static bool meets(const struct pmclog_filter *f, const struct subject *s, uint64_t tsc)
{
	const struct pmclog_criteria *c = f->c;
	const bool yes = !c->negated;

	if (c->pids.n && s->pid != NONE && in_ranges(&c->pids, s->pid) != yes)
		return false;
	if (c->tids.n && s->tid != NONE && in_ranges(&c->tids, s->tid) != yes)
		return false;
	if (c->cpus.n && s->cpu != NONE && in_ranges(&c->cpus, s->cpu) != yes)
		return false;
	if (c->events.n && s->pmcid != NONE && has_event(f, s->pmcid) != yes)
		return false;
	if (c->processes.n && s->pid != NONE &&
	    is_named(c->processes.v, c->processes.n, process_name(f, s->pid)) != yes)
		return false;
	if (c->threads.n && s->tid != NONE &&
	    is_named(c->threads.v, c->threads.n, thread_name(f, s)) != yes)
		return false;
	return (c->from <= 0 && c->to <= 0) || in_time(f, tsc) == yes;
}

static uint64_t or_none(uint32_t v)
{
	return v == UINT32_MAX ? NONE : v;
}

/* Of what the record is a measure; false: it is none. */
static bool subject_of(const struct pmclog_record *rec, struct subject *s)
{
	*s = (struct subject){NONE, NONE, NONE, NONE};
	switch (rec->type) {
	case PMCLOG_WIRE_CALLCHAIN:
		*s = (struct subject){rec->u.chain.pid, rec->u.chain.tid, rec->u.chain.cpu,
				      rec->u.chain.pmcid};
		return true;
	case PMCLOG_WIRE_PROCCSW:
		*s = (struct subject){rec->u.csw.pid, rec->u.csw.tid, NONE, rec->u.csw.pmcid};
		return true;
	case PMCLOG_WIRE_PROCEXIT:
		*s = (struct subject){rec->u.exit.pid, NONE, NONE, rec->u.exit.pmcid};
		return true;
	case PMCLOG_WIRE_DROPNOTIFY:
		if (rec->u.drop.count_known)
			s->cpu = or_none(rec->u.drop.cpu);
		s->pmcid = or_none(rec->u.drop.pmcid);
		return true;
	default: return false;
	}
}

static int see_initialize(struct pmclog_filter *f, const struct pmclog_record *rec, struct err *err)
{
	f->first = rec->tsc;
	f->freq = (double)rec->u.init.tsc_freq;
	f->from = pmclog_ticks_at(rec, f->c->from, 0);
	f->to = pmclog_ticks_at(rec, f->c->to, UINT64_MAX);
	if (rec->u.init.tsc_freq || (f->c->from <= 0 && f->c->to <= 0))
		return 0;
	return err_set(err, EX_DATAERR, "the log does not say how many ticks a second has");
}

/* Learns from a record that is no measure.  0, or -1 when out of memory. */
static int learn(struct pmclog_filter *f, const struct pmclog_record *rec)
{
	switch (rec->type) {
	case PMCLOG_WIRE_PMCALLOCATE:
	case PMCLOG_WIRE_PMCALLOCATEDYN: return see_allocate(f, rec);
	case PMCLOG_WIRE_PROC_CREATE:
		return set_name(f, find_or_add(&f->processes, rec->u.proc.pid), rec->u.proc.comm.s,
				rec->u.proc.comm.len);
	case PMCLOG_WIRE_THR_CREATE: return name_thread(f, rec);
	case PMCLOG_WIRE_THR_EXIT: end_thread(f, rec->u.thr.tid); return 0;
	case PMCLOG_WIRE_PROCEXEC: return set_name_by_path(f, rec->u.exec.pid, &rec->u.exec.path);
	case PMCLOG_WIRE_PMCATTACH:
		return set_name_by_path(f, rec->u.attach.pid, &rec->u.attach.path);
	case PMCLOG_WIRE_PROCFORK: return fork_process(f, rec->u.fork.oldpid, rec->u.fork.newpid);
	default: return 0;
	}
}

/*
 * A record of after a cut's end.  JIT compilers' names of functions come behind the samples of
 * them, until their process exits or runs another program.  0, or -1 when out of memory.
 */
static int see_after(struct pmclog_filter *f, const struct pmclog_record *rec, bool *keep)
{
	const struct named *process;
	struct named *ends;

	*keep = rec->type == PMCLOG_WIRE_CLOSELOG || rec->type == PMCLOG_WIRE_APPENDIX;
	if (rec->type == PMCLOG_WIRE_MAP_IN && rec->u.map_in.symbol.len) {
		process = find(&f->processes, rec->u.map_in.pid);
		*keep = !process || !process->gone;
	} else if (rec->type == PMCLOG_WIRE_SYSEXIT || rec->type == PMCLOG_WIRE_PROCEXEC) {
		ends = find_or_add(&f->processes, rec->type == PMCLOG_WIRE_SYSEXIT
							  ? rec->u.sysexit.pid
							  : rec->u.exec.pid);
		if (!ends)
			return -1;
		ends->gone = true;
	}
	return 0;
}

/* What a target ran for in all of the log says nothing of a part of it. */
static bool is_of_all(const struct pmclog_record *rec)
{
	return rec->type == PMCLOG_WIRE_PMCDETACH && rec->u.attach.has_times;
}

static bool selects(const struct pmclog_criteria *c)
{
	return c->pids.n || c->tids.n || c->cpus.n || c->processes.n || c->threads.n ||
	       c->from > 0 || c->to > 0;
}

int pmclog_filter_record(struct pmclog_filter *f, const struct pmclog_record *rec, bool *keep,
			 struct err *err)
{
	struct subject s;
	int failed;

	*keep = true;
	if (rec->tsc > f->last)
		f->last = rec->tsc;
	if (rec->type == PMCLOG_WIRE_INITIALIZE)
		return see_initialize(f, rec, err);
	if (subject_of(rec, &s)) {
		*keep = meets(f, &s, rec->tsc);
		return 0;
	}
	if (is_of_all(rec) && selects(f->c)) {
		*keep = false;
		return 0;
	}
	failed = f->c->cut && rec->tsc >= f->to ? see_after(f, rec, keep) : learn(f, rec);
	return failed ? err_nomem(err) : 0;
}

int pmclog_filter_check(const struct pmclog_filter *f, const char *name, uint64_t left_out,
			struct err *err)
{
	const struct pmclog_criteria *c = f->c;
	const uint64_t last = left_out > f->last ? left_out : f->last;
	size_t i;

	for (i = 0; i < c->events.n; i++)
		if (!f->event_seen.v[i]) {
			err_set(err, EX_DATAERR, "%s: no PMC of the log has the event \"%s\"", name,
				c->events.v[i]);
			return err_hint(err, "pmclog info %s lists the events", name);
		}
	/* All of the log is what is not behind its end. */
	if (c->negated || f->freq <= 0 ||
	    !pmclog_check_seconds(c->cut ? "" : "--time ", c->from, c->to,
				  (double)(last - f->first) / f->freq, err))
		return 0;
	return err_wrap(err, "%s", name);
}
