// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "pmclog/head.h"
#include "pmclog/pmclog_wire.h"

enum {
	BUCKETS = 1024,
	MAPS_MAX = 65536, /* of a process; no kernel lets it have more at a time */
	/*
	 * What has exited is sampled on, in system scope, while the kernel takes it apart: so many
	 * are kept, for seconds.
	 */
	LATE_MAX = 1024,
	LATE = 2,
	MODE_SS = 0, /* in a pmcid: man/pmclog.5 */
};

/* Bytes of the log; children share those that they have from their parent. */
struct record {
	uint32_t refs;
	uint32_t len;
	uint8_t bytes[];
};

struct kept {
	struct record *rec; /* NULL: none */
	uint64_t number;    /* of the record in the log, for the order within a process */
};

/* What is to be seen of a map. */
struct map {
	uint64_t start, end;
	struct kept from;
};

struct process {
	uint32_t pid;
	uint64_t number; /* of the record that named it first */
	struct kept exec, name;
	VEC(struct kept) attached;
	VEC(struct map) maps; /* by address, not overlapping */
	uint64_t exited;      /* time; 0: it lives */
	struct process *next; /* in its bucket */
};

/* A process that has exited, which may be another one by now. */
struct late {
	uint32_t pid;
	uint64_t number;
};

struct thread {
	uint32_t tid, pid;
	struct kept name;
	uint64_t exited; /* as of a process */
	struct thread *next;
};

struct pmclogint_head {
	uint64_t number; /* of records so far */
	bool nomem;
	struct kept initialize;
	VEC(struct kept) pmcs;
	struct process *process[BUCKETS]; /* by pid */
	size_t processes;
	struct thread *thread[BUCKETS]; /* by tid */
	bool samples_system;
	uint64_t grace; /* ticks that the late ones are kept for */
	VEC(struct late) late;
	size_t late_threads;
};

static uint16_t le16(const uint8_t *p)
{
	return (uint16_t)(p[0] | p[1] << 8);
}

static uint32_t le32(const uint8_t *p)
{
	return le16(p) | (uint32_t)le16(p + 2) << 16;
}

static uint64_t le64(const uint8_t *p)
{
	return le32(p) | (uint64_t)le32(p + 4) << 32;
}

static void put32(uint8_t *p, uint32_t v)
{
	int i;

	for (i = 0; i < 4; i++)
		p[i] = (uint8_t)(v >> 8 * i);
}

static void put64(uint8_t *p, uint64_t v)
{
	put32(p, (uint32_t)v);
	put32(p + 4, (uint32_t)(v >> 32));
}

/* The first and second word of a record behind its header. */
#define FIRST(record)  le32((record) + sizeof(struct pmclog_wire_header))
#define SECOND(record) le32((record) + sizeof(struct pmclog_wire_header) + 4)

static uint64_t time_of(const uint8_t *record)
{
	return le64(record + offsetof(struct pmclog_wire_header, tsc));
}

/* ---- Records. */

static void drop(struct kept *k)
{
	if (k->rec && !--k->rec->refs)
		free(k->rec);
	k->rec = NULL;
}

static struct kept share(const struct kept *k)
{
	if (k->rec)
		k->rec->refs++;
	return *k;
}

/* The present record; without memory none, which is told by pmclogint_head_each(). */
static struct kept keep(struct pmclogint_head *h, const uint8_t *record)
{
	uint32_t len = le32(record) & 0xffff;
	struct kept k = {malloc(sizeof(*k.rec) + len), h->number};

	if (!k.rec) {
		h->nomem = true;
		return k;
	}
	k.rec->refs = 1;
	k.rec->len = len;
	memcpy(k.rec->bytes, record, len);
	return k;
}

static void replace(struct pmclogint_head *h, struct kept *k, const uint8_t *record)
{
	drop(k);
	*k = keep(h, record);
}

/* ---- Processes. */

static struct process **place_of(struct pmclogint_head *h, uint32_t pid)
{
	struct process **p = &h->process[pid % BUCKETS];

	while (*p && (*p)->pid != pid)
		p = &(*p)->next;
	return p;
}

static void clear_maps(struct process *p)
{
	struct map *m;

	vec_each(m, &p->maps)
		drop(&m->from);
	p->maps.n = 0;
}

static void remove_process(struct pmclogint_head *h, uint32_t pid)
{
	struct process **place = place_of(h, pid), *p = *place;
	struct kept *a;

	if (!p)
		return;
	*place = p->next;
	clear_maps(p);
	vec_free(&p->maps);
	vec_each(a, &p->attached)
		drop(a);
	vec_free(&p->attached);
	drop(&p->exec);
	drop(&p->name);
	free(p);
	h->processes--;
}

/* The process that lives, made if it is new; NULL when out of memory. */
static struct process *process_of(struct pmclogint_head *h, uint32_t pid)
{
	struct process **place = place_of(h, pid), *p = *place;

	if (p && !p->exited)
		return p;
	remove_process(h, pid);
	place = place_of(h, pid);
	p = *place = calloc(1, sizeof(*p));
	if (!p) {
		h->nomem = true;
		return NULL;
	}
	p->pid = pid;
	p->number = h->number;
	h->processes++;
	return p;
}

static void attach(struct pmclogint_head *h, const uint8_t *record)
{
	struct process *p = process_of(h, SECOND(record));
	struct kept *a;

	if (!p)
		return;
	vec_each(a, &p->attached)
		if (a->rec && FIRST(a->rec->bytes) == FIRST(record)) {
			replace(h, a, record);
			return;
		}
	if (vec_reserve(&p->attached, p->attached.n + 1))
		h->nomem = true;
	else
		p->attached.v[p->attached.n++] = keep(h, record);
}

/* One that has times is of the end of a file, and the PMC stays with the process. */
static void detach(struct pmclogint_head *h, const uint8_t *record)
{
	struct process *p = *place_of(h, SECOND(record));
	size_t i;

	if (!p || (le32(record) & 0xffff) > sizeof(struct pmclog_wire_pmcdetach))
		return;
	for (i = 0; i < p->attached.n; i++)
		if (p->attached.v[i].rec && FIRST(p->attached.v[i].rec->bytes) == FIRST(record)) {
			drop(&p->attached.v[i]);
			vec_remove(&p->attached, i, 1);
			return;
		}
}

static void fork_process(struct pmclogint_head *h, uint32_t parent, uint32_t child)
{
	const struct process *from;
	const struct map *m;
	struct process *p;

	if (parent == child)
		return;
	remove_process(h, child);
	p = process_of(h, child);
	from = *place_of(h, parent);
	if (!p || !from)
		return;
	p->exec = share(&from->exec);
	p->name = share(&from->name);
	if (vec_reserve(&p->maps, from->maps.n)) {
		h->nomem = true;
		return;
	}
	vec_each(m, &from->maps)
		p->maps.v[p->maps.n++] = (struct map){m->start, m->end, share(&m->from)};
}

static void exec(struct pmclogint_head *h, const uint8_t *record)
{
	struct process *p = process_of(h, FIRST(record));

	if (!p)
		return;
	clear_maps(p);
	replace(h, &p->exec, record);
}

/*
 * Forgets those that exited so long before now that there are no samples of them any more, and of
 * the others all but the last most.
 */
static void forget_late(struct pmclogint_head *h, uint64_t now, size_t most)
{
	size_t n = 0, i;

	for (i = 0; i < h->late.n; i++) {
		const struct late *late = &h->late.v[i];
		const struct process *p = *place_of(h, late->pid);

		if (!p || p->number != late->number || !p->exited)
			continue;
		if (i + most >= h->late.n && now - p->exited < h->grace)
			h->late.v[n++] = *late;
		else
			remove_process(h, late->pid);
	}
	h->late.n = n;
}

static void exit_process(struct pmclogint_head *h, const uint8_t *record)
{
	struct process *p = *place_of(h, FIRST(record));

	if (!p || p->exited)
		return;
	if (h->late.n == LATE_MAX)
		forget_late(h, time_of(record), LATE_MAX / 2);
	if (!h->samples_system || vec_push(&h->late, (struct late){p->pid, p->number}))
		remove_process(h, p->pid);
	else
		p->exited = time_of(record);
}

static void name_process(struct pmclogint_head *h, uint32_t pid, const uint8_t *record)
{
	struct process *p = process_of(h, pid);

	if (p)
		replace(h, &p->name, record);
}

/* ---- Threads. */

static void remove_thread(struct thread **place)
{
	struct thread *t = *place;

	*place = t->next;
	drop(&t->name);
	free(t);
}

static struct thread **thread_place(struct pmclogint_head *h, uint32_t tid)
{
	struct thread **t = &h->thread[tid % BUCKETS];

	while (*t && (*t)->tid != tid)
		t = &(*t)->next;
	return t;
}

static void name_thread(struct pmclogint_head *h, const uint8_t *record)
{
	uint32_t tid = FIRST(record), pid = SECOND(record);
	struct thread **place = thread_place(h, tid);

	/* The first one's name is the process's. */
	if (tid == pid) {
		name_process(h, pid, record);
		return;
	}
	if (!process_of(h, pid))
		return;
	if (!*place && !(*place = calloc(1, sizeof(**place)))) {
		h->nomem = true;
		return;
	}
	(*place)->tid = tid;
	(*place)->pid = pid;
	(*place)->exited = 0;
	replace(h, &(*place)->name, record);
}

/* Those that exited long ago, or whose process has gone. */
static void forget_threads(struct pmclogint_head *h, uint64_t now)
{
	struct thread **t;
	size_t i;

	for (i = 0; i < BUCKETS; i++)
		for (t = &h->thread[i]; *t;)
			if (!*place_of(h, (*t)->pid) ||
			    ((*t)->exited && now - (*t)->exited >= h->grace))
				remove_thread(t);
			else
				t = &(*t)->next;
	h->late_threads = 0;
}

static void exit_thread(struct pmclogint_head *h, const uint8_t *record)
{
	struct thread **place = thread_place(h, FIRST(record));

	if (!*place)
		return;
	(*place)->exited = time_of(record);
	if (!h->samples_system)
		remove_thread(place);
	else if (++h->late_threads == LATE_MAX)
		forget_threads(h, time_of(record));
}

/* ---- Maps. */

/* The value of a field of a MAP_IN's trailer; NULL: it has none such. */
static const uint8_t *field_of(const uint8_t *record, enum pmclog_field type)
{
	const uint8_t *end = record + (le32(record) & 0xffff);
	size_t path = sizeof(struct pmclog_wire_map_in);
	const uint8_t *at = record + path;

	at += (strlen((const char *)at) + 1 + 7) & ~(size_t)7;
	for (at += sizeof(struct pmclog_wire_trailer); at < end;
	     at += sizeof(struct pmclog_wire_field) + ((le16(at + 2) + 7u) & ~7u))
		if (le16(at) == type)
			return at + sizeof(struct pmclog_wire_field);
	return NULL;
}

static uint64_t start_of(const uint8_t *record)
{
	return le64(record + offsetof(struct pmclog_wire_map_in, start));
}

/* Where a map ends; of one whose length is not said, behind its first byte. */
static uint64_t end_of(const uint8_t *record)
{
	const uint8_t *length = field_of(record, PMCLOG_FIELD_MAP_LENGTH);
	uint64_t start = start_of(record), end = start + (length ? le64(length) : 1);

	return end < start ? UINT64_MAX : end;
}

/* Takes [start, end) out of the maps; there is room for one more.  The index of what is behind. */
static size_t cut(struct process *p, uint64_t start, uint64_t end)
{
	size_t i = vec_above(&p->maps, end, start), first;

	if (i < p->maps.n && p->maps.v[i].start < start) {
		struct map rest = p->maps.v[i];

		p->maps.v[i++].end = start;
		if (rest.end > end) {
			rest.start = end;
			rest.from.rec->refs++;
			(void)vec_insert(&p->maps, i, rest);
			return i;
		}
	}
	for (first = i; i < p->maps.n && p->maps.v[i].end <= end; i++)
		drop(&p->maps.v[i].from);
	vec_remove(&p->maps, first, i - first);
	if (first < p->maps.n && p->maps.v[first].start < end)
		p->maps.v[first].start = end;
	return first;
}

/* Nothing tells what a process unmaps: what was mapped longest ago is the least likely there. */
static void forget_old_maps(struct process *p)
{
	uint64_t first = UINT64_MAX, last = 0;
	size_t i, n = 0;

	for (i = 0; i < p->maps.n; i++) {
		uint64_t number = p->maps.v[i].from.number;

		first = number < first ? number : first;
		last = number > last ? number : last;
	}
	for (i = 0; i < p->maps.n; i++)
		if (p->maps.v[i].from.number <= first + (last - first) / 2)
			drop(&p->maps.v[i].from);
		else
			p->maps.v[n++] = p->maps.v[i];
	p->maps.n = n;
}

/* Names of JIT-compiled code come behind the samples of it: those that follow have their own. */
static void map_in(struct pmclogint_head *h, const uint8_t *record)
{
	struct map m = {start_of(record), end_of(record), {NULL, 0}};
	struct process *p;

	if (m.end <= m.start || field_of(record, PMCLOG_FIELD_SYMBOL) ||
	    !(p = process_of(h, FIRST(record))))
		return;
	if (p->maps.n >= MAPS_MAX)
		forget_old_maps(p);
	m.from = keep(h, record);
	if (!m.from.rec)
		return;
	/* One is cut in two by another. */
	if (vec_reserve(&p->maps, p->maps.n + 2)) {
		drop(&m.from);
		h->nomem = true;
		return;
	}
	(void)vec_insert(&p->maps, cut(p, m.start, m.end), m);
}

static void map_out(struct pmclogint_head *h, const uint8_t *record)
{
	uint64_t end = le64(record + offsetof(struct pmclog_wire_map_out, end));
	struct process *p = *place_of(h, FIRST(record));

	if (!p || end <= start_of(record))
		return;
	if (vec_reserve(&p->maps, p->maps.n + 1))
		h->nomem = true;
	else
		cut(p, start_of(record), end);
}

/* ---- All of them. */

static void begin(struct pmclogint_head *h, const uint8_t *record)
{
	h->grace = LATE * le64(record + offsetof(struct pmclog_wire_initialize, tsc_freq));
	replace(h, &h->initialize, record);
}

static void announce(struct pmclogint_head *h, const uint8_t *record)
{
	struct kept *pmc;

	h->samples_system |= (FIRST(record) >> 12 & 0xff) == MODE_SS;
	vec_each(pmc, &h->pmcs)
		if (pmc->rec && FIRST(pmc->rec->bytes) == FIRST(record)) {
			replace(h, pmc, record);
			return;
		}
	if (vec_reserve(&h->pmcs, h->pmcs.n + 1))
		h->nomem = true;
	else
		h->pmcs.v[h->pmcs.n++] = keep(h, record);
}

struct pmclogint_head *pmclogint_head_new(void)
{
	return calloc(1, sizeof(struct pmclogint_head));
}

void pmclogint_head_free(struct pmclogint_head *h)
{
	struct kept *pmc;
	size_t i;

	if (!h)
		return;
	for (i = 0; i < BUCKETS; i++) {
		while (h->process[i])
			remove_process(h, h->process[i]->pid);
		while (h->thread[i])
			remove_thread(&h->thread[i]);
	}
	vec_each(pmc, &h->pmcs)
		drop(pmc);
	vec_free(&h->pmcs);
	vec_free(&h->late);
	drop(&h->initialize);
	free(h);
}

void pmclogint_head_add(struct pmclogint_head *h, const uint8_t *record)
{
	h->number++;
	switch (le32(record) >> 16 & 0xff) {
	case PMCLOG_WIRE_INITIALIZE: begin(h, record); break;
	case PMCLOG_WIRE_PMCALLOCATEDYN: announce(h, record); break;
	case PMCLOG_WIRE_PMCATTACH: attach(h, record); break;
	case PMCLOG_WIRE_PMCDETACH: detach(h, record); break;
	case PMCLOG_WIRE_PROCFORK: fork_process(h, FIRST(record), SECOND(record)); break;
	case PMCLOG_WIRE_PROCEXEC: exec(h, record); break;
	case PMCLOG_WIRE_PROC_CREATE: name_process(h, FIRST(record), record); break;
	case PMCLOG_WIRE_SYSEXIT: exit_process(h, record); break;
	case PMCLOG_WIRE_THR_CREATE: name_thread(h, record); break;
	case PMCLOG_WIRE_THR_EXIT: exit_thread(h, record); break;
	case PMCLOG_WIRE_MAP_IN: map_in(h, record); break;
	case PMCLOG_WIRE_MAP_OUT: map_out(h, record); break;
	default: break;
	}
}

/* ---- What is kept, as records. */

struct writing {
	void (*put)(void *arg, const uint8_t *record, size_t len);
	void *arg;
	VEC(struct kept) records; /* of a process, borrowed */
};

static int by_number(const void *a, const void *b)
{
	const struct kept *x = a, *y = b;

	return x->number < y->number ? -1 : x->number > y->number;
}

/* What the process has from its parent is its own in the record. */
static void put_of(const struct writing *w, uint32_t pid, const struct record *rec)
{
	uint8_t copy[PMCLOG_MAX_RECORD];
	uint32_t type = le32(rec->bytes) >> 16 & 0xff;

	memcpy(copy, rec->bytes, rec->len);
	if (type != PMCLOG_WIRE_PMCATTACH)
		put32(copy + sizeof(struct pmclog_wire_header), pid);
	if (type == PMCLOG_WIRE_THR_CREATE)
		put32(copy + sizeof(struct pmclog_wire_header) + 4, pid);
	w->put(w->arg, copy, rec->len);
}

static void put_map_out(const struct writing *w, uint32_t pid, uint64_t start, uint64_t end)
{
	uint8_t record[sizeof(struct pmclog_wire_map_out)] = {0};

	put32(record, PMCLOG_WIRE_HEADER(PMCLOG_WIRE_MAP_OUT, sizeof(record)));
	put32(record + offsetof(struct pmclog_wire_map_out, pid), pid);
	put64(record + offsetof(struct pmclog_wire_map_out, start), start);
	put64(record + offsetof(struct pmclog_wire_map_out, end), end);
	w->put(w->arg, record, sizeof(record));
}

/* What was taken out of a map and nothing has taken the place of. */
static void put_holes(const struct writing *w, const struct process *p, const uint8_t *record)
{
	uint64_t at = start_of(record), end = end_of(record);
	size_t i = vec_above(&p->maps, end, at);

	for (; i < p->maps.n && p->maps.v[i].start < end; at = p->maps.v[i++].end)
		if (p->maps.v[i].start > at)
			put_map_out(w, p->pid, at, p->maps.v[i].start);
	if (at < end)
		put_map_out(w, p->pid, at, end);
}

static void put_exit(const struct writing *w, uint32_t pid)
{
	uint8_t record[sizeof(struct pmclog_wire_sysexit)] = {0};

	put32(record, PMCLOG_WIRE_HEADER(PMCLOG_WIRE_SYSEXIT, sizeof(record)));
	put32(record + offsetof(struct pmclog_wire_sysexit, pid), pid);
	w->put(w->arg, record, sizeof(record));
}

static bool is_new(const struct writing *w, size_t i)
{
	return !i || w->records.v[i - 1].number != w->records.v[i].number;
}

static int put_process(struct writing *w, const struct process *p)
{
	const struct kept *k;
	const struct map *m;
	size_t i;

	w->records.n = 0;
	if (vec_reserve(&w->records, p->maps.n + p->attached.n + 2))
		return -1;
	if (p->exec.rec)
		w->records.v[w->records.n++] = p->exec;
	if (p->name.rec)
		w->records.v[w->records.n++] = p->name;
	vec_each(k, &p->attached)
		w->records.v[w->records.n++] = *k;
	vec_each(m, &p->maps)
		w->records.v[w->records.n++] = m->from;
	if (w->records.n)
		qsort(w->records.v, w->records.n, sizeof(*w->records.v), by_number);
	for (i = 0; i < w->records.n; i++)
		if (is_new(w, i))
			put_of(w, p->pid, w->records.v[i].rec);
	for (i = 0; i < w->records.n; i++)
		if (is_new(w, i) &&
		    (le32(w->records.v[i].rec->bytes) >> 16 & 0xff) == PMCLOG_WIRE_MAP_IN)
			put_holes(w, p, w->records.v[i].rec->bytes);
	if (p->exited)
		put_exit(w, p->pid);
	return 0;
}

static int by_birth(const void *a, const void *b)
{
	const struct process *const *x = a, *const *y = b;

	return (*x)->number < (*y)->number ? -1 : (*x)->number > (*y)->number;
}

static int put_processes(struct pmclogint_head *h, struct writing *w)
{
	const struct process **list = malloc((h->processes + 1) * sizeof(const struct process *));
	const struct process *p;
	size_t i, n = 0;
	int r = 0;

	if (!list)
		return -1;
	for (i = 0; i < BUCKETS; i++)
		for (p = h->process[i]; p; p = p->next)
			list[n++] = p;
	qsort(list, n, sizeof(*list), by_birth);
	for (i = 0; i < n && !r; i++)
		r = put_process(w, list[i]);
	free(list);
	return r;
}

static void put_threads(struct pmclogint_head *h, const struct writing *w)
{
	const struct thread *t;
	size_t i;

	for (i = 0; i < BUCKETS; i++)
		for (t = h->thread[i]; t; t = t->next)
			w->put(w->arg, t->name.rec->bytes, t->name.rec->len);
}

int pmclogint_head_each(struct pmclogint_head *h, uint64_t now,
			void (*put)(void *arg, const uint8_t *record, size_t len), void *arg)
{
	struct writing w = {.put = put, .arg = arg};
	const struct kept *pmc;
	int r;

	if (h->nomem || !h->initialize.rec)
		return -1;
	forget_late(h, now, LATE_MAX);
	forget_threads(h, now);
	put(arg, h->initialize.rec->bytes, h->initialize.rec->len);
	vec_each(pmc, &h->pmcs)
		put(arg, pmc->rec->bytes, pmc->rec->len);
	r = put_processes(h, &w);
	if (!r)
		put_threads(h, &w);
	vec_free(&w.records);
	return r;
}
