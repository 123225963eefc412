// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>
#include <string.h>

#include "pmc/perf/perf_layout.h"
#include "pmc/perf/unwind/perf_regs.h"
#include "pmc/perf/unwind/perf_rest.h"
#include "pmc/perf/unwind/perf_unwind.h"

enum {
	CPUS_MAX = 1 << 16,
	HURRY_NS = 100000000,
	REST_AGE_NS = 30000000, /* the older, the more calls have returned since */
};

struct perf_unwind {
	const struct perf_record_reader *records;
	struct perf_spaces spaces;
	struct perf_stitch stitch;
	struct unwind_cache *cache;
	VEC(struct perf_queue *) queues; /* by CPU; NULL: none yet */
	VEC(struct perf_ring *) drained; /* those that there are */
	struct perf_merge merge;
	bool behind; /* rings fill faster than they are read: no time to unwind */
	/* Of the drain in hand, for a queue that is full. */
	perf_ring_emit_fn emit;
	void *arg;
	uint64_t now, hurries_until;
	/* Of the sample in hand. */
	struct unwind_frame frames[PERF_UNWIND_DEPTH];
	union {
		struct perf_ring_sample head;
		uint64_t words[(sizeof(struct perf_ring_sample) + sizeof(struct perf_unwound)) / 8 +
			       PERF_UNWIND_DEPTH + 2 * PERF_UNWIND_DEPTH / 64];
	} out;
	struct perf_rest rest;
};

/* What a sample has behind its head. */
struct parts {
	struct perf_frames kernel, user; /* the user's by frame pointers */
	uint64_t abi;
	const uint64_t *regs; /* NULL: none */
	const uint8_t *stack;
	uint64_t stack_len;
};

struct perf_unwind *perf_unwind_new(const struct perf_record_reader *records)
{
	struct perf_unwind *u = calloc(1, sizeof(*u));

	if (!u)
		return NULL;
	u->records = records;
	u->cache = unwind_cache_new();
	if (u->cache)
		return u;
	free(u);
	return NULL;
}

void perf_unwind_free(struct perf_unwind *u)
{
	struct perf_queue **q;

	if (!u)
		return;
	vec_each(q, &u->queues)
		perf_queue_free(*q);
	vec_free(&u->queues);
	vec_free(&u->drained);
	free(u->merge.heap);
	perf_stitch_fini(&u->stitch);
	perf_spaces_fini(&u->spaces);
	unwind_cache_free(u->cache);
	perf_rest_fini(&u->rest);
	free(u);
}

/* ---- Queues. */

static struct perf_queue *queue_of(struct perf_unwind *u, int cpu)
{
	struct perf_ring **heap;
	struct perf_queue *q;

	if (cpu < 0 || cpu >= CPUS_MAX || vec_reserve(&u->queues, (size_t)cpu + 1))
		return NULL;
	while (u->queues.n <= (size_t)cpu)
		u->queues.v[u->queues.n++] = NULL;
	if (u->queues.v[cpu])
		return u->queues.v[cpu];
	heap = realloc(u->merge.heap, (u->drained.n + 1) * sizeof(struct perf_ring *));
	if (!heap)
		return NULL;
	u->merge.heap = heap;
	q = perf_queue_new(cpu);
	if (!q || vec_push(&u->drained, &q->ring)) {
		perf_queue_free(q);
		return NULL;
	}
	return u->queues.v[cpu] = q;
}

/* Queues a record; where there is no room all are emptied first, with a little less order. */
static void pass_on(struct perf_unwind *u, struct perf_ring *ring,
		    const struct perf_event_header *record)
{
	struct perf_queue *q = queue_of(u, ring->cpu);

	if (q && !perf_queue_push(q, record))
		return;
	perf_ring_drain(&u->merge, u->drained.v, u->drained.n, UINT64_MAX, u->now, u->emit, u->arg);
	if (!q || perf_queue_push(q, record))
		u->emit(u->arg, ring, record);
}

/* ---- Records that change spaces. */

static const char *text_of(const struct perf_event_header *record, size_t at)
{
	const char *text = (const char *)record + at;

	return at < record->size && memchr(text, '\0', record->size - at) ? text : NULL;
}

static void take_map(struct perf_unwind *u, const struct perf_event_header *record)
{
	const struct rec_mmap2 *m = (const void *)record;
	bool has_id = record->misc & PERF_RECORD_MISC_MMAP_BUILD_ID;
	struct proc_map map = {.path = text_of(record, sizeof(*m))};

	if (!map.path || record->misc & PERF_RECORD_MISC_MMAP_DATA)
		return;
	map.pid = m->pid;
	map.start = m->start;
	map.length = m->length;
	map.file_offset = m->file_offset;
	if (!has_id) {
		map.major = m->u.file.major;
		map.minor = m->u.file.minor;
		map.inode = m->u.file.inode;
		map.inode_generation = m->u.file.generation;
	}
	perf_spaces_map(&u->spaces, &map, m->u.build_id.bytes,
			has_id && m->u.build_id.size <= sizeof(m->u.build_id.bytes)
				? m->u.build_id.size
				: 0);
}

static void take_side_record(struct perf_unwind *u, const struct perf_event_header *record)
{
	const struct rec_task *task = (const void *)record;
	const struct rec_comm *comm = (const void *)record;

	switch (record->type) {
	case PERF_RECORD_MMAP2:
		if (record->size > sizeof(struct rec_mmap2))
			take_map(u, record);
		return;
	case PERF_RECORD_COMM:
		if (record->size >= sizeof(*comm) && record->misc & PERF_RECORD_MISC_COMM_EXEC)
			perf_spaces_exec(&u->spaces, comm->pid);
		return;
	case PERF_RECORD_FORK:
		if (record->size < sizeof(*task) || task->pid == task->ppid)
			return;
		perf_spaces_find(&u->spaces, task->ppid, task->ptid);
		perf_spaces_fork(&u->spaces, task->ppid, task->pid);
		return;
	case PERF_RECORD_EXIT:
		if (record->size >= sizeof(*task) && task->pid == task->tid)
			perf_spaces_exit(&u->spaces, task->pid);
		return;
	case PERF_RECORD_LOST: perf_spaces_doubt(&u->spaces); return;
	default: return;
	}
}

/* ---- Samples. */

/* Takes count words at *at of n; NULL: there are not so many. */
static const uint64_t *take(const uint64_t *words, size_t n, size_t *at, uint64_t count)
{
	const uint64_t *p = words + *at;

	if (count > n - *at)
		return NULL;
	*at += count;
	return p;
}

/* As perf_attr_of_pmc() asks for them.  False: the record is too short for what it says. */
static bool find_parts(const struct perf_ring_sample *s, struct parts *p)
{
	const uint64_t *words = (const uint64_t *)(s + 1), *v;
	size_t n = (s->header.size - sizeof(*s)) / sizeof(*words), at = 0;

	memset(p, 0, sizeof(*p));
	if (!(v = take(words, n, &at, 1)) || *v > n || at + *v > n)
		return false;
	perf_record_split_chain(words + at, *v, &p->kernel, &p->user);
	at += *v;
	if (!(v = take(words, n, &at, 1)))
		return false;
	p->abi = *v;
	if (p->abi != PERF_SAMPLE_REGS_ABI_NONE &&
	    !(p->regs = take(words, n, &at, (uint64_t)__builtin_popcountll(perf_regs_mask))))
		return false;
	if (!(v = take(words, n, &at, 1)))
		return false;
	if (!*v)
		return true;
	p->stack_len = *v;
	if (*v % 8 || !(v = take(words, n, &at, *v / 8)))
		return false;
	p->stack = (const uint8_t *)v;
	if (!(v = take(words, n, &at, 1)) || *v > p->stack_len)
		return false;
	p->stack_len = *v;
	return true;
}

static void resolve(void *arg, uint64_t address, struct unwind_place *place)
{
	perf_spaces_resolve(arg, address, place);
}

static bool read_code(void *arg, uint64_t address, void *buf, size_t n)
{
	return perf_spaces_code(arg, address, buf, n);
}

static enum pmclog_chain_end logged_end(enum unwind_end end)
{
	switch (end) {
	case UNWIND_COMPLETE: return PMCLOG_END_COMPLETE;
	case UNWIND_WINDOW: return PMCLOG_END_WINDOW;
	case UNWIND_NO_RULE: return PMCLOG_END_NO_DATA;
	case UNWIND_BAD_RETURN: return PMCLOG_END_BAD_RETURN;
	default: return PMCLOG_END_DEPTH;
	}
}

/* The kept frames behind n of them, if the stack still has them all: how many in all, or 0. */
static size_t stitch(struct perf_unwind *u, struct unwind_job *job, struct space_process *process,
		     const struct stitch_thread *thread, size_t n, enum unwind_end *end)
{
	bool whole;
	size_t all;

	if (job->machine == UNWIND_ARM64)
		return 0;
	all = perf_stitch_append(&u->stitch, thread, job->frames, n, job->max, &whole);
	if (all == n || !perf_rest_read(&u->rest, process, job, n, job->frames[all - 2].cfa) ||
	    !perf_stitch_holds(job->frames, n, all, job->machine == UNWIND_X86 ? 4 : 8,
			       &job->window))
		return 0;
	*end = whole ? UNWIND_COMPLETE : UNWIND_DEPTH;
	return all;
}

/*
 * Unwinds what was read behind n frames: how many in all.  0: the last of the n are others by now,
 * or what follows makes no sense, so that it is of another moment.
 */
static size_t unwind_rest(struct unwind_job *job, size_t n, enum unwind_end *end)
{
	struct unwind_frame last[2], *at = &job->frames[n < 2 ? 0 : n - 2];
	size_t nlast = n < 2 ? n : 2, all, i;
	enum unwind_end then;
	bool same;

	memcpy(last, at, nlast * sizeof(*last));
	all = unwind_chain(job, &then);
	same = all >= n && then != UNWIND_BAD_RETURN;
	for (i = 0; i < nlast && same; i++)
		same = at[i].pc == last[i].pc && (!last[i].cfa || at[i].cfa == last[i].cfa);
	if (same) {
		*end = then;
		return all;
	}
	memcpy(at, last, nlast * sizeof(*last));
	return 0;
}

/* Leaves the job with what was copied. */
static void take_back(struct unwind_job *job, const struct unwind_window *was)
{
	job->window = *was;
	job->interrupted.length = 0;
}

/* What the process has behind n frames that end at the window; marked as of another moment. */
static size_t go_on(struct perf_unwind *u, struct unwind_job *job, struct space_process *process,
		    const struct stitch_thread *thread, size_t n, enum unwind_end *end)
{
	size_t i, all = n, found;

	/* The rest of a handler's own stack, and then that of what it interrupted. */
	for (i = 0; i < 2 && *end == UNWIND_WINDOW; i++) {
		const struct unwind_window was = job->window;

		found = stitch(u, job, process, thread, all, end);
		if (!found) {
			take_back(job, &was);
			if (perf_rest_read(&u->rest, process, job, all, UINT64_MAX))
				found = unwind_rest(job, all, end);
		}
		if (!found) {
			take_back(job, &was);
			break;
		}
		all = found;
	}
	for (i = n; i < all; i++)
		job->frames[i].how = UNWIND_HOW_STITCHED;
	return all;
}

/*
 * The leaf, and behind it the kernel's chain of frame pointers as far as it leads through code:
 * code that has none leads anywhere, so these are guesses.
 */
static size_t take_chain(struct perf_unwind *u, const struct parts *p,
			 struct space_process *process, size_t max)
{
	struct unwind_place place;
	size_t n;

	u->frames[0] = (struct unwind_frame){.pc = perf_regs_pc(p->regs)};
	for (n = 1; process && n < p->user.n && n < max; n++) {
		perf_spaces_resolve(process, p->user.pcs[n] - 1, &place);
		if (place.code == UNWIND_CODE_NONE)
			break;
		u->frames[n] = (struct unwind_frame){.pc = p->user.pcs[n], .how = UNWIND_HOW_FP};
	}
	return n;
}

/* Goes on where the kernel did, if that found the last of n frames there too. */
static size_t follow(struct unwind_job *job, const struct parts *p, size_t n, enum unwind_end *end)
{
	if (n >= p->user.n || p->user.pcs[n - 1] != job->frames[n - 1].pc ||
	    job->frames[n - 1].how != UNWIND_HOW_FP)
		return n;
	job->followed = p->user.pcs;
	job->nfollowed = p->user.n;
	return unwind_chain(job, end);
}

/* Whether the process' stack may still be that of the sample; those that follow are read sooner. */
static bool may_read_rest(struct perf_unwind *u, const struct perf_ring_sample *s,
			  const struct space_process *process)
{
	if (u->spaces.past || process->no_ptrace || (process->exited && s->tid == s->pid))
		return false;
	u->hurries_until = u->now + HURRY_NS;
	return u->now < s->time || u->now - s->time <= REST_AGE_NS;
}

/* Unwinds the user's part of a sample into u->frames: how many there are. */
static size_t unwind(struct perf_unwind *u, const struct perf_ring_sample *s, const struct parts *p,
		     struct space_process *process, size_t max, enum pmclog_chain_end *logged)
{
	struct unwind_regs regs;
	enum unwind_end end;
	struct unwind_job job = {.regs = &regs,
				 .window = {.bytes = p->stack, .length = p->stack_len},
				 .resolve = resolve,
				 .code = read_code,
				 .resolve_arg = process,
				 .cache = u->cache,
				 .frames = u->frames,
				 .max = max};
	const struct stitch_thread thread = {s->pid, s->tid, process->generation};
	size_t n;

	job.machine = perf_regs_read(p->regs, p->abi, &regs, &job.window.address);
	if (job.machine == UNWIND_NO_MACHINE) {
		*logged = PMCLOG_END_NO_DATA;
		return take_chain(u, p, process, max);
	}
	n = unwind_chain(&job, &end);
	if (end == UNWIND_WINDOW && may_read_rest(u, s, process))
		n = go_on(u, &job, process, &thread, n, &end);
	if (end == UNWIND_WINDOW || end == UNWIND_NO_RULE)
		n = follow(&job, p, n, &end);
	if (end == UNWIND_COMPLETE)
		perf_stitch_keep(&u->stitch, &thread, u->frames, n);
	*logged = end == UNWIND_WINDOW && !p->stack_len ? PMCLOG_END_NO_STACK : logged_end(end);
	return n;
}

/* The registers of another moment: those of an NMI that came while the kernel was entered. */
static bool is_stale(const struct perf_ring_sample *s, const struct parts *p, bool usermode)
{
	return usermode && p->regs && perf_regs_pc(p->regs) != s->ip;
}

/* The frames found, and behind them their marks: how many bytes. */
static size_t put_frames(struct perf_unwind *u, uint64_t *to, size_t n, uint16_t *stitched)
{
	size_t words = perf_unwound_mark_words(n), i;
	uint8_t *guessed = (uint8_t *)(to + n), *exact = guessed + 8 * words;

	memset(guessed, 0, 2 * 8 * words);
	for (i = 0; i < n; i++) {
		to[i] = u->frames[i].pc;
		*stitched += u->frames[i].how == UNWIND_HOW_STITCHED;
		guessed[i / 8] |= (uint8_t)((u->frames[i].how == UNWIND_HOW_FP) << i % 8);
		/* The leaf is so always. */
		exact[i / 8] |= (uint8_t)((i && u->frames[i].exact) << i % 8);
	}
	return 8 * (n + 2 * words);
}

/* Unwinds a sample into u->out. */
static void unwind_sample(struct perf_unwind *u, const struct perf_source *source,
			  const struct perf_ring_sample *s, const struct parts *p)
{
	unsigned int mode = s->header.misc & PERF_RECORD_MISC_CPUMODE_MASK;
	bool usermode = mode == PERF_RECORD_MISC_USER;
	struct perf_unwound *x = (void *)(u->out.words + sizeof(*s) / 8);
	enum pmclog_chain_end end = PMCLOG_END_UNSAID;
	struct space_process *process;
	size_t n = 0, max;

	max = source->depth < PERF_UNWIND_DEPTH ? source->depth : PERF_UNWIND_DEPTH;
	memset(x, 0, sizeof(*x));
	x->kernel = (uint16_t)(p->kernel.n < max ? p->kernel.n : max);
	if (x->kernel)
		memcpy(x->pc, p->kernel.pcs, x->kernel * sizeof(*x->pc));
	max -= x->kernel;
	if (max && (usermode || source->flags & PMC_F_USERCALLCHAIN)) {
		process = perf_spaces_find(&u->spaces, s->pid, s->tid);
		if (is_stale(s, p, usermode)) {
			end = PMCLOG_END_STALE;
		} else if (!p->regs) {
			/* Threads of the kernel have none; of others they were being written. */
			if (process && process->maps.n)
				end = PMCLOG_END_STALE;
		} else if (!s->pid) {
			/* Of another pid namespace: nobody knows whose stack it is. */
			end = PMCLOG_END_NO_STACK;
			n = take_chain(u, p, NULL, max);
		} else if (u->behind || !process) {
			end = PMCLOG_END_OVERLOAD;
			n = take_chain(u, p, process, max);
		} else {
			n = unwind(u, s, p, process, max, &end);
		}
	}
	x->user = (uint16_t)n;
	x->end = (uint16_t)end;
	u->out.head = *s;
	u->out.head.header.misc |= PERF_RING_UNWOUND;
	u->out.head.header.size = (uint16_t)(sizeof(*s) + sizeof(*x) + 8u * x->kernel +
					     put_frames(u, x->pc + x->kernel, n, &x->stitched));
}

void perf_unwind_past(struct perf_unwind *u, bool foreign)
{
	u->spaces.past = true;
	u->spaces.foreign_vdso = foreign;
}

void perf_unwind_renew(struct perf_unwind *u, uint32_t pid)
{
	perf_spaces_renew(&u->spaces, pid);
}

void perf_unwind_forget_all(struct perf_unwind *u)
{
	perf_spaces_forget_all(&u->spaces);
}

size_t perf_unwind_missing(const struct perf_unwind *u, const char **path)
{
	*path = u->spaces.missed;
	return u->spaces.missing;
}

const struct perf_event_header *perf_unwind_record(struct perf_unwind *u,
						   const struct perf_event_header *record)
{
	const struct perf_ring_sample *s = (const void *)record;
	const struct perf_source *source;
	struct parts parts;

	if (record->type != PERF_RECORD_SAMPLE) {
		take_side_record(u, record);
		return record;
	}
	source = record->size >= sizeof(*s) ? perf_record_sampled(u->records, s) : NULL;
	if (!source || !source->has_window || !u->records->writer)
		return record;
	if (!find_parts(s, &parts))
		memset(&parts, 0, sizeof(parts));
	unwind_sample(u, source, s, &parts);
	return &u->out.head.header;
}

static void take_in(void *arg, struct perf_ring *ring, const struct perf_event_header *record)
{
	struct perf_unwind *u = arg;

	pass_on(u, ring, perf_unwind_record(u, record));
}

/* Whether a ring is nearly full again, as soon as all have been read. */
static bool is_behind(struct perf_ring *const *rings, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (perf_ring_pending(rings[i]) > rings[i]->size / 4 * 3)
			return true;
	return false;
}

void perf_unwind_emit_to(struct perf_unwind *u, perf_ring_emit_fn emit, void *arg)
{
	u->emit = emit;
	u->arg = arg;
}

bool perf_unwind_hurries(const struct perf_unwind *u)
{
	return u->now < u->hurries_until;
}

void perf_unwind_drain(struct perf_unwind *u, struct perf_merge *m, struct perf_ring *const *rings,
		       size_t n, uint64_t bound, uint64_t now)
{
	/* Nobody knows how deep the first ones are. */
	if (!u->now)
		u->hurries_until = now + HURRY_NS;
	u->now = now;
	perf_spaces_next_round(&u->spaces);
	perf_ring_drain(m, rings, n, UINT64_MAX, now, take_in, u);
	u->behind = is_behind(rings, n);
	perf_ring_drain(&u->merge, u->drained.v, u->drained.n, bound, now, u->emit, u->arg);
}
