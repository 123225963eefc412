// SPDX-License-Identifier: BSD-2-Clause
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/vec.h"
#include "pmclog/merge.h"
#include "pmclog/reader.h"
#include "pmclog/write_record.h"

enum {
	ROWS = 256, /* of PMCs that differ in nothing else of their ids */
	HOSTS_TEXT = 1024,
	NANOSECONDS = 1000000000,
	FORKS = 32,	    /* that may be told by one log before another one tells the first */
	FORKS_APART = 1000, /* times a second: within that two logs tell of one fork */
};

struct pmc {
	uint32_t log, from; /* which log's, and its id there */
	uint32_t to;
	uint32_t event, flags, frequency, max_depth; /* as it was announced */
	uint64_t rate;
	char *name, *spec; /* likewise; NULL: it was not */
	bool goes_on;	   /* in a later log, under the same id */
};

/* Records from one word on progress to the next. */
enum { TELL = 4096 };

struct log {
	struct pmclog_reader *reader;
	struct pmclog_record rec; /* the next one, unless it has ended */
	bool ended, closed;
	uint32_t host;	/* number */
	uint64_t begin; /* ticks of its INITIALIZE */
	uint64_t shift; /* ticks that are added to its times */
	struct err damage;
	char *name;
};

struct fork {
	uint32_t log, parent, child;
	uint64_t tsc;
};

/* A boot of a machine. */
struct host {
	char *name, *boot_id;	  /* "": not said */
	uint64_t offset;	  /* wall clock minus time of its first log, ticks */
	struct fork forks[FORKS]; /* the last ones */
	uint64_t nforks;
};

/* The INITIALIZE record of a log, or what all of them have in common; texts are own ones. */
struct origin {
	struct pmclog_origin o;
	char *cpuid, *release, *machine, *command, *collector;
};

struct pmclog_merge {
	VEC(struct log) logs;
	VEC(struct host) hosts;
	struct origin origin;
	VEC(struct pmc) pmcs;
	struct table pmc_by_from, pmc_by_to;
	struct table pmc_by_id; /* in the logs that have announced it */
	uint64_t last; /* ticks of the latest record */
	uint64_t pcs[PMCLOG_MAX_FRAMES];
	char names[HOSTS_TEXT]; /* of the hosts */
};

struct pmclog_merge *pmclog_merge_new(void)
{
	return calloc(1, sizeof(struct pmclog_merge));
}

void pmclog_merge_free(struct pmclog_merge *m)
{
	struct origin *o;
	struct host *h;
	struct pmc *p;
	struct log *l;

	if (!m)
		return;
	vec_each(p, &m->pmcs) {
		free(p->name);
		free(p->spec);
	}
	vec_each(l, &m->logs) {
		pmclog_reader_close(l->reader);
		free(l->name);
	}
	vec_each(h, &m->hosts) {
		free(h->name);
		free(h->boot_id);
	}
	o = &m->origin;
	free(o->cpuid);
	free(o->release);
	free(o->machine);
	free(o->command);
	free(o->collector);
	vec_free(&m->logs);
	vec_free(&m->hosts);
	vec_free(&m->pmcs);
	table_clear(&m->pmc_by_from);
	table_clear(&m->pmc_by_to);
	table_clear(&m->pmc_by_id);
	free(m);
}

static char *copy(const struct pmclog_text *text)
{
	return strdup(text->s ? text->s : "");
}

/* The time of day as ticks. */
static uint64_t wall_ticks(const struct pmclog_record *init)
{
	return init->u.init.ts_sec * init->u.init.tsc_freq +
	       init->u.init.ts_nsec * init->u.init.tsc_freq / NANOSECONDS;
}

/* Whether a log can be merged at all, and with those before it. */
static int check(const struct pmclog_merge *m, const struct pmclog_record *init, struct err *err)
{
	const struct pmclog_origin *o = &m->origin.o;
	const uint64_t freq = init->u.init.tsc_freq;

	if (init->type != PMCLOG_WIRE_INITIALIZE || !init->u.init.maps_at_exec)
		return err_set(err, EX_DATAERR,
			       "a log of FreeBSD cannot be merged: what programs map when they "
			       "start is told in another way there");
	if (!freq || freq > 10ull * NANOSECONDS || init->u.init.ts_sec > UINT64_MAX / (2 * freq))
		return err_set(err, EX_DATAERR,
			       "%" PRIu64 " seconds since 1970 in %" PRIu64
			       " ticks a second are no time that others can be aligned with",
			       init->u.init.ts_sec, freq);
	if (!init->u.init.ts_sec)
		return err_set(err, EX_DATAERR, "it does not say when it was recorded");
	if (!m->logs.n)
		return 0;
	if (freq != o->tsc_freq)
		return err_set(err, EX_DATAERR,
			       "its clock has %" PRIu64 " ticks a second, that of %s has %" PRIu64,
			       freq, m->logs.v[0].name, o->tsc_freq);
	if (strcmp(init->u.init.machine.s ? init->u.init.machine.s : "", m->origin.machine) != 0)
		return err_set(err, EX_DATAERR,
			       "it is of a machine \"%s\", %s of \"%s\": their samples cannot be "
			       "in one log",
			       init->u.init.machine.s ? init->u.init.machine.s : "",
			       m->logs.v[0].name, m->origin.machine);
	return 0;
}

/* The number of the host that a log is of, UINT32_MAX with err set. */
static uint32_t host_of(struct pmclog_merge *m, const struct pmclog_record *init, struct err *err)
{
	const struct pmclog_text *boot = &init->u.init.boot_id;
	struct host h = {.offset = wall_ticks(init) - init->tsc};
	uint32_t i;

	for (i = 0; i < m->hosts.n; i++)
		if (boot->len && !strcmp(m->hosts.v[i].boot_id, boot->s))
			return i;
	if (i == PMCLOG_MERGE_HOSTS) {
		err_set(err, EX_DATAERR,
			"it is of one more than the %d hosts that one log can have",
			PMCLOG_MERGE_HOSTS);
		return UINT32_MAX;
	}
	h.name = copy(&init->u.init.host);
	h.boot_id = copy(boot);
	if (h.name && h.boot_id && !vec_push(&m->hosts, h))
		return i;
	free(h.name);
	free(h.boot_id);
	err_nomem(err);
	return UINT32_MAX;
}

/* What not all logs say alike is not said of the merged one.  0, or -1 when out of memory. */
static int keep_common(char **have, const struct pmclog_text *text)
{
	if (!*have)
		return (*have = copy(text)) ? 0 : -1;
	if (strcmp(*have, text->s ? text->s : "") != 0)
		**have = '\0';
	return 0;
}

static int take_origin(struct pmclog_merge *m, const struct pmclog_record *init, struct err *err)
{
	struct origin *o = &m->origin;

	if (!m->logs.n)
		o->o = (struct pmclog_origin){.cputype = init->u.init.cputype,
					      .tsc_freq = init->u.init.tsc_freq};
	if (keep_common(&o->cpuid, &init->u.init.cpuid) ||
	    keep_common(&o->release, &init->u.init.release) ||
	    keep_common(&o->machine, &init->u.init.machine) ||
	    keep_common(&o->command, &init->u.init.command) ||
	    keep_common(&o->collector, &init->u.init.collector))
		return err_nomem(err);
	return 0;
}

/* Reads the next record of a log, or that it has ended. */
static int next(struct log *l, struct err *err)
{
	enum pmclog_result res = pmclog_reader_next(l->reader, &l->rec, err);

	l->ended = res != PMCLOG_RESULT_OK;
	if (!l->ended || res == PMCLOG_RESULT_EOF)
		return 0;
	if (res == PMCLOG_RESULT_NEED_DATA)
		return err_set(err, EX_TEMPFAIL, "%s: no data yet, and it does not block", l->name);
	if (err->code != EX_DATAERR)
		return -1;
	l->damage = *err;
	*err = (struct err){0};
	return 0;
}

int pmclog_merge_add(struct pmclog_merge *m, const char *path, struct err *err)
{
	struct log l = {.name = strdup(path)};

	if (!l.name)
		return err_nomem(err);
	if (m->logs.n == PMCLOG_MERGE_LOGS) {
		err_set(err, EX_DATAERR, "%s is one more than the %d logs that can be merged", path,
			PMCLOG_MERGE_LOGS);
		goto fail;
	}
	l.reader = pmclog_reader_open(path, err);
	if (!l.reader)
		goto fail;
	if (pmclog_reader_next(l.reader, &l.rec, err) != PMCLOG_RESULT_OK) {
		if (!err->code)
			err_set(err, EX_TEMPFAIL, "%s: no data yet, and it does not block", path);
		goto fail;
	}
	if (check(m, &l.rec, err) || (l.host = host_of(m, &l.rec, err)) == UINT32_MAX ||
	    take_origin(m, &l.rec, err)) {
		err_wrap(err, "%s", path);
		goto fail;
	}
	l.begin = l.rec.tsc;
	if (!vec_push(&m->logs, l))
		return 0;
	err_nomem(err);
fail:
	pmclog_reader_close(l.reader);
	free(l.name);
	return -1;
}

/* The log that begins first, by the clocks of their hosts. */
static const struct log *first_log(const struct pmclog_merge *m)
{
	const struct log *l, *first = m->logs.v;

	vec_each(l, &m->logs)
		if (l->begin + m->hosts.v[l->host].offset <
		    first->begin + m->hosts.v[first->host].offset)
			first = l;
	return first;
}

/* Their names, each once, with commas between them. */
static void name_hosts(struct pmclog_merge *m)
{
	size_t n = 0, i, j, len;

	for (i = 0; i < m->hosts.n; i++) {
		const char *name = m->hosts.v[i].name;

		for (j = 0; j < i && strcmp(m->hosts.v[j].name, name) != 0;)
			j++;
		len = strlen(name);
		if (j < i || !len || n + len + 3 > sizeof(m->names))
			continue;
		memcpy(m->names + n, ", ", n ? 2 : 0);
		n += n ? 2 : 0;
		memcpy(m->names + n, name, len + 1);
		n += len;
	}
}

static void begin(struct pmclog_merge *m, struct pmclog_writer *w)
{
	const struct log *first = first_log(m);
	const uint64_t offset = m->hosts.v[first->host].offset;
	const uint64_t wall = first->begin + offset, freq = m->origin.o.tsc_freq;
	struct pmclog_origin o = m->origin.o;
	struct log *l;

	vec_each(l, &m->logs)
		l->shift = m->hosts.v[l->host].offset - offset;
	name_hosts(m);
	o.ts_sec = wall / freq;
	o.ts_nsec = wall % freq * NANOSECONDS / freq;
	o.cpuid = m->origin.cpuid;
	o.host = m->names;
	o.release = m->origin.release;
	o.machine = m->origin.machine;
	/* Of several boots none is that whose kernel's symbols a reader may take. */
	o.boot_id = m->hosts.n == 1 ? m->hosts.v[0].boot_id : "";
	o.command = m->origin.command;
	o.collector = m->origin.collector;
	pmclog_write_initialize(w, first->begin, &o);
	m->last = first->begin;
}

/* Whether an id is that of a PMC of the merged log. */
static bool is_taken(const struct pmclog_merge *m, uint32_t pmcid)
{
	struct table_iter it;
	uint32_t i;

	for (i = table_first(&m->pmc_by_to, hash_u64(pmcid), &it); i != TABLE_NONE;
	     i = table_next(&m->pmc_by_to, &it))
		if (m->pmcs.v[i].to == pmcid)
			return true;
	return false;
}

/* Gives the PMC of a log its id.  0, or -1 when out of memory. */
static int add_pmc(struct pmclog_merge *m, const struct pmc *pmc)
{
	uint32_t i = (uint32_t)m->pmcs.n;

	return vec_push(&m->pmcs, *pmc) ||
			       table_insert(&m->pmc_by_from,
					    hash_u64((uint64_t)pmc->log << 32 | pmc->from), i) ||
			       table_insert(&m->pmc_by_to, hash_u64(pmc->to), i)
		       ? -1
		       : 0;
}

/* The PMC of a log gets the id that it has there or else the next free row's. */
static int move_pmc(struct pmclog_merge *m, const struct log *l, uint32_t *pmcid, struct err *err)
{
	struct pmc pmc = {.log = (uint32_t)(l - m->logs.v), .from = *pmcid, .to = *pmcid};
	uint32_t hash = hash_u64((uint64_t)pmc.log << 32 | *pmcid), i;
	struct table_iter it;

	if (*pmcid == UINT32_MAX)
		return 0;
	for (i = table_first(&m->pmc_by_from, hash, &it); i != TABLE_NONE;
	     i = table_next(&m->pmc_by_from, &it))
		if (m->pmcs.v[i].log == pmc.log && m->pmcs.v[i].from == pmc.from) {
			*pmcid = m->pmcs.v[i].to;
			return 0;
		}
	for (i = 0; i < ROWS && is_taken(m, pmc.to); i++)
		pmc.to = (pmc.to & ~(ROWS - 1u)) | ((pmc.to + 1) & (ROWS - 1u));
	if (i == ROWS)
		return err_set(err, EX_DATAERR,
			       "PMC 0x%" PRIx32 " is one more than the %d of a class, mode and CPU "
			       "that one log can have",
			       *pmcid, ROWS);
	if (add_pmc(m, &pmc))
		return err_nomem(err);
	*pmcid = pmc.to;
	return 0;
}

static bool is_announced_so(const struct pmc *p, const struct pmclog_record *rec)
{
	const struct pmclog_text *name = &rec->u.alloc.name, *spec = &rec->u.alloc.spec;

	return p->event == rec->u.alloc.event && p->flags == rec->u.alloc.flags &&
	       p->frequency == rec->u.alloc.frequency && p->max_depth == rec->u.alloc.max_depth &&
	       p->rate == rec->u.alloc.rate && !strcmp(p->name, name->s ? name->s : "") &&
	       !strcmp(p->spec, spec->s ? spec->s : "");
}

/*
 * Whether a PMC that a log announces is that of an earlier one of its host, which has ended: as in
 * the files of one recording.  It has its id then.
 */
static bool goes_on(struct pmclog_merge *m, const struct log *l, const struct pmclog_record *rec,
		    uint32_t *to)
{
	struct pmc *first = NULL;
	struct table_iter it;
	uint32_t i;

	for (i = table_first(&m->pmc_by_id, hash_u64(rec->u.alloc.pmcid), &it); i != TABLE_NONE;
	     i = table_next(&m->pmc_by_id, &it)) {
		struct pmc *p = &m->pmcs.v[i];
		const struct log *before = &m->logs.v[p->log];

		/* The table has them in no order that all processes have. */
		if (p->from == rec->u.alloc.pmcid && !p->goes_on && before->ended &&
		    before->host == l->host && is_announced_so(p, rec) && (!first || p < first))
			first = p;
	}
	if (!first)
		return false;
	first->goes_on = true;
	*to = first->to;
	return true;
}

/* A number that each host has below most; what the kernel has for none, and 0, are nobody's. */
static int move(const struct pmclog_merge *m, const struct log *l, uint32_t *number, uint32_t most,
		const char *what, struct err *err)
{
	if (m->hosts.n == 1 || *number == UINT32_MAX)
		return 0;
	if (*number >= most) {
		err_set(err, EX_DATAERR,
			"%s %" PRIu32 " is not below %" PRIu32
			", from where on those of other hosts are",
			what, *number, most);
		return err_hint(err, "where it is a merged log, merge those that it was made of");
	}
	*number += l->host * most;
	return 0;
}

static int move_pid(const struct pmclog_merge *m, const struct log *l, uint32_t *pid,
		    struct err *err)
{
	return *pid ? move(m, l, pid, PMCLOG_MERGE_PIDS, "pid or tid", err) : 0;
}

static int move_cpu(const struct pmclog_merge *m, const struct log *l, uint32_t *cpu,
		    struct err *err)
{
	return move(m, l, cpu, PMCLOG_MERGE_CPUS, "CPU", err);
}

/* Each host's kernel has addresses of its own; what is a user's is told apart by its process. */
static uint64_t moved_address(const struct log *l, uint64_t address)
{
	return address >> 63 ? address ^ (uint64_t)l->host << PMCLOG_MERGE_ADDRESS_SHIFT : address;
}

static int move_chain(struct pmclog_merge *m, const struct log *l, struct pmclog_record *rec,
		      struct err *err)
{
	uint32_t i;

	for (i = 0; i < rec->u.chain.npcs; i++)
		m->pcs[i] = moved_address(l, rec->u.chain.pcs[i]);
	rec->u.chain.pcs = m->pcs;
	return move_pmc(m, l, &rec->u.chain.pmcid, err) || move_pid(m, l, &rec->u.chain.pid, err) ||
			       move_pid(m, l, &rec->u.chain.tid, err) ||
			       move_cpu(m, l, &rec->u.chain.cpu, err)
		       ? -1
		       : 0;
}

static int move_map(const struct pmclog_merge *m, const struct log *l, struct pmclog_record *rec,
		    struct err *err)
{
	if (rec->type == PMCLOG_WIRE_MAP_IN) {
		rec->u.map_in.start = moved_address(l, rec->u.map_in.start);
		return move_pid(m, l, &rec->u.map_in.pid, err);
	}
	rec->u.map_out.start = moved_address(l, rec->u.map_out.start);
	rec->u.map_out.end = moved_address(l, rec->u.map_out.end);
	return move_pid(m, l, &rec->u.map_out.pid, err);
}

/* Of the PMC that was added last: as what it was announced. */
static int note_announced(struct pmclog_merge *m, const struct pmclog_record *rec)
{
	struct pmc *p = &m->pmcs.v[m->pmcs.n - 1];

	p->event = rec->u.alloc.event;
	p->flags = rec->u.alloc.flags;
	p->frequency = rec->u.alloc.frequency;
	p->max_depth = rec->u.alloc.max_depth;
	p->rate = rec->u.alloc.rate;
	p->name = copy(&rec->u.alloc.name);
	p->spec = copy(&rec->u.alloc.spec);
	return !p->name || !p->spec ||
			       table_insert(&m->pmc_by_id, hash_u64(p->from),
					    (uint32_t)(m->pmcs.n - 1))
		       ? -1
		       : 0;
}

/* A PMC that the merged log has already is not announced again: *again. */
static int see_alloc(struct pmclog_merge *m, const struct log *l, const struct pmclog_record *rec,
		     bool *again, struct err *err)
{
	struct pmc pmc = {.log = (uint32_t)(l - m->logs.v), .from = rec->u.alloc.pmcid};
	uint32_t to = pmc.from;
	size_t n = m->pmcs.n;

	*again = goes_on(m, l, rec, &pmc.to);
	if (*again ? add_pmc(m, &pmc) : move_pmc(m, l, &to, err))
		return err->code ? -1 : err_nomem(err);
	return m->pmcs.n > n && note_announced(m, rec) ? err_nomem(err) : 0;
}

static int move_alloc(struct pmclog_merge *m, const struct log *l, struct pmclog_record *rec,
		      struct err *err)
{
	const char *host = m->hosts.v[l->host].name;
	uint32_t from = rec->u.alloc.pmcid;

	if (move_pmc(m, l, &rec->u.alloc.pmcid, err))
		return -1;
	/* A recording at the same time as another does not see what that sees once more. */
	if ((m->hosts.n > 1 || rec->u.alloc.pmcid != from) && !rec->u.alloc.host.len)
		rec->u.alloc.host = (struct pmclog_text){host, strlen(host)};
	return 0;
}

/* A pmcid and a pid of a record. */
static int move_both(struct pmclog_merge *m, const struct log *l, uint32_t *pmcid, uint32_t *pid,
		     struct err *err)
{
	return move_pmc(m, l, pmcid, err) || move_pid(m, l, pid, err) ? -1 : 0;
}

/* Gives the numbers of a record those that they have in the merged log. */
static int move_record(struct pmclog_merge *m, const struct log *l, struct pmclog_record *rec,
		       struct err *err)
{
	switch (rec->type) {
	case PMCLOG_WIRE_CALLCHAIN: return move_chain(m, l, rec, err);
	case PMCLOG_WIRE_MAP_IN:
	case PMCLOG_WIRE_MAP_OUT: return move_map(m, l, rec, err);
	case PMCLOG_WIRE_PMCALLOCATEDYN: return move_alloc(m, l, rec, err);
	case PMCLOG_WIRE_PMCATTACH:
	case PMCLOG_WIRE_PMCDETACH:
		return move_both(m, l, &rec->u.attach.pmcid, &rec->u.attach.pid, err);
	case PMCLOG_WIRE_PROCCSW:
		return move_both(m, l, &rec->u.csw.pmcid, &rec->u.csw.pid, err) ||
				       move_pid(m, l, &rec->u.csw.tid, err)
			       ? -1
			       : 0;
	case PMCLOG_WIRE_PROCEXEC:
		return move_both(m, l, &rec->u.exec.pmcid, &rec->u.exec.pid, err);
	case PMCLOG_WIRE_PROCEXIT:
		return move_both(m, l, &rec->u.exit.pmcid, &rec->u.exit.pid, err);
	case PMCLOG_WIRE_PROCFORK:
		return move_pid(m, l, &rec->u.fork.oldpid, err) ||
				       move_pid(m, l, &rec->u.fork.newpid, err)
			       ? -1
			       : 0;
	case PMCLOG_WIRE_SYSEXIT: return move_pid(m, l, &rec->u.sysexit.pid, err);
	case PMCLOG_WIRE_THR_CREATE:
	case PMCLOG_WIRE_THR_EXIT:
		return move_pid(m, l, &rec->u.thr.tid, err) || move_pid(m, l, &rec->u.thr.pid, err)
			       ? -1
			       : 0;
	case PMCLOG_WIRE_PROC_CREATE: return move_pid(m, l, &rec->u.proc.pid, err);
	case PMCLOG_WIRE_DROPNOTIFY:
		return move_pmc(m, l, &rec->u.drop.pmcid, err) ||
				       move_cpu(m, l, &rec->u.drop.cpu, err)
			       ? -1
			       : 0;
	default: return 0;
	}
}

/*
 * Whether another log of the host has told of the fork: where both were recorded at once.  Readers
 * would take it for one more process.
 */
static bool is_told(struct pmclog_merge *m, const struct log *l, const struct pmclog_record *rec)
{
	const uint64_t apart = m->origin.o.tsc_freq / FORKS_APART;
	const struct fork fork = {(uint32_t)(l - m->logs.v), rec->u.fork.oldpid, rec->u.fork.newpid,
				  rec->tsc};
	struct host *h = &m->hosts.v[l->host];
	const struct fork *f;

	for (f = h->forks; f < h->forks + FORKS && f < h->forks + h->nforks; f++)
		if (f->log != fork.log && f->parent == fork.parent && f->child == fork.child &&
		    fork.tsc - f->tsc < apart)
			return true;
	h->forks[h->nforks++ % FORKS] = fork;
	return false;
}

/* Writes the record that a log is at. */
static int write_record(struct pmclog_merge *m, struct log *l, struct pmclog_writer *w,
			struct err *err)
{
	struct pmclog_record rec = l->rec;
	bool again = false;

	rec.tsc += l->shift;
	m->last = rec.tsc > m->last ? rec.tsc : m->last;
	/* What is behind the end of a log would be within the merged one. */
	if (rec.type == PMCLOG_WIRE_APPENDIX)
		return 0;
	/* The merged log has one of its own. */
	if (rec.type == PMCLOG_WIRE_CLOSELOG) {
		l->closed = true;
		return 0;
	}
	if ((rec.type == PMCLOG_WIRE_PMCALLOCATEDYN && see_alloc(m, l, &rec, &again, err)) ||
	    (!again && move_record(m, l, &rec, err)))
		return err->code == EX_DATAERR
			       ? err_wrap(err, "%s: record %" PRIu64 " at 0x%" PRIx64, l->name,
					  rec.index, rec.offset)
			       : -1;
	if (again)
		return 0;
	if (rec.type == PMCLOG_WIRE_PROCFORK && is_told(m, l, &rec))
		return 0;
	return pmclog_write_record(w, &rec, l->name, err);
}

/* The log whose next record is the earliest, NULL where all have ended. */
static struct log *earliest(const struct pmclog_merge *m)
{
	struct log *l, *first = NULL;

	vec_each(l, &m->logs)
		if (!l->ended && (!first || l->rec.tsc + l->shift < first->rec.tsc + first->shift))
			first = l;
	return first;
}

static void tell_progress(const struct pmclog_merge *m, pmclog_merge_tell *tell, void *arg)
{
	uint64_t done = 0, total = 0, size;
	bool known = true;
	struct log *l;

	vec_each(l, &m->logs) {
		size = pmclog_reader_size(l->reader);
		known &= size != 0;
		done += pmclog_reader_stats(l->reader)->bytes;
		total += size;
	}
	tell(arg, done, known ? total : 0);
}

int pmclog_merge_write(struct pmclog_merge *m, struct pmclog_writer *w, pmclog_merge_tell *tell,
		       void *arg, struct err *err)
{
	unsigned int records = 0;
	bool closed = true;
	struct log *l;

	begin(m, w);
	vec_each(l, &m->logs)
		if (next(l, err))
			return -1;
	while ((l = earliest(m))) {
		if (write_record(m, l, w, err) || next(l, err))
			return -1;
		if (tell && ++records % TELL == 0)
			tell_progress(m, tell, arg);
	}
	vec_each(l, &m->logs)
		closed &= l->closed;
	if (closed)
		pmclog_write_closelog(w, m->last);
	return 0;
}

const struct err *pmclog_merge_damage(const struct pmclog_merge *m, size_t i)
{
	return i < m->logs.n && m->logs.v[i].damage.code ? &m->logs.v[i].damage : NULL;
}

uint64_t pmclog_merge_unknown(const struct pmclog_merge *m)
{
	const struct log *l;
	uint64_t n = 0;

	vec_each(l, &m->logs)
		n += pmclog_reader_stats(l->reader)->unknown;
	return n;
}
