// SPDX-License-Identifier: BSD-2-Clause
/* Samples: the hot path of analysis, as far as the batch whose chains batch.c counts. */
#include "callgraph/model/state.h"

/* Whether an ascending list has a number; an empty one has all. */
static bool holds(const uint32_t *v, size_t n, uint32_t what)
{
	size_t lo = 0, hi = n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (v[mid] == what)
			return true;
		if (v[mid] < what)
			lo = mid + 1;
		else
			hi = mid;
	}
	return !n;
}

/* Linux on 64-bit machines has the kernel in the upper half of the address space. */
static bool is_kernel_half(uint64_t pc)
{
	return pc >> 63;
}

/* Whether no frame is a user's: such a chain means the same in every process. */
static bool is_all_kernel(const uint64_t *pcs, uint32_t npcs)
{
	/* Most chains with user frames end with one. */
	while (npcs && is_kernel_half(pcs[npcs - 1]))
		npcs--;
	return !npcs;
}

/* Takes the marks of frames that are no return addresses: the words that they fill. */
static uint8_t take_marks(const struct pmclog_record *rec, uint32_t npcs, uint64_t *words)
{
	uint32_t bytes = (npcs + 7) / 8, n;

	if (bytes > rec->u.chain.exact.length)
		bytes = rec->u.chain.exact.length;
	n = (bytes + 7) / 8;
	memset(words, 0, n * sizeof(*words));
	memcpy(words, rec->u.chain.exact.bits, bytes);
	while (n && !words[n - 1])
		n--;
	return (uint8_t)n;
}

/*
 * Frames that a record repeats take nothing in the log, and 12 bytes each here.  So that no log
 * makes memory grow far beyond its size, chains have all of them up to so many frames, and so many
 * more for each that was in a record; from there on they end at depth, with as many as the record.
 */
enum { UNFOLDED_FRAMES = 1 << 24, UNFOLDED_RATIO = 32 };

static bool has_room_unfolded(struct cg_builder *b, const struct pmclog_record *rec)
{
	b->folded += rec->u.chain.nfolded;
	return b->unfolded < UNFOLDED_FRAMES + UNFOLDED_RATIO * b->folded;
}

/* Takes a sample into the batch.  0, or -1 when out of memory. */
static int batch_take(struct cg_builder *b, const struct cg_context *c,
		      const struct pmclog_record *rec)
{
	const uint64_t *pcs = rec->u.chain.pcs;
	bool cut = rec->u.chain.nfolded && !has_room_unfolded(b, rec);
	uint32_t npcs = cut ? rec->u.chain.nfolded : rec->u.chain.npcs, n = npcs;
	const struct table *t = &b->stack_of_chain;
	struct cg_batch *batch = &b->batch;
	struct cg_batch_sample *s;

	if (rec->u.chain.exact.length)
		n += (npcs + 63) / 64;
	if ((batch->n == CG_BATCH || batch->used + n > CG_BATCH_WORDS) && cg_samples_flush(b))
		return -1;
	s = &batch->sample[batch->n++];
	s->first = batch->used;
	s->npcs = npcs;
	s->marks = n > npcs ? take_marks(rec, npcs, batch->words + batch->used + npcs) : 0;
	n = npcs + s->marks;
	s->space = c->space;
	s->group = c->group;
	s->generation = c->generation;
	s->kernel = c->kernel;
	s->end = rec->u.chain.end < PMCLOG_NENDS ? rec->u.chain.end : PMCLOG_END_UNSAID;
	s->end = cut ? PMCLOG_END_DEPTH : s->end;
	s->unfolded = rec->u.chain.nfolded && !cut;
	if (!c->usermode && is_all_kernel(pcs, npcs)) {
		s->space = CG_KERNEL_SPACE;
		s->generation = c->kernel;
	}
	memcpy(batch->words + batch->used, pcs, npcs * sizeof(*pcs));
	s->hash = hash_words(batch->words + batch->used, n,
			     (uint64_t)s->generation << 32 ^ (uint64_t)s->group << 16 ^ s->kernel ^
				     (uint64_t)s->end << 60,
			     b->secret);
	batch->used += n;
	if (t->slot)
		__builtin_prefetch(&t->slot[s->hash & t->mask]);
	return 0;
}

/* Fills in what samples of this process and PMC have in common until the next other record. */
static int set_context(struct cg_builder *b, const struct pmclog_record *rec, struct cg_context *c)
{
	const struct cg_pmc *pmc = cg_pmc_of(b, rec->u.chain.pmcid);
	uint32_t process = cg_process_of(b, rec->u.chain.pid), group;
	struct cg_group g = {.pid = CG_NONE, .tid = CG_NONE, .cpu = CG_NONE};
	const struct cg_process *proc;

	c->epoch = 0;
	if (!pmc || process == CG_NONE)
		return -1;
	proc = &b->processes.v[process];
	if (proc->program != CG_NONE && cg_exec_place(b, rec))
		return -1;
	g.event = pmc->event;
	g.comm = proc->comm;
	if (b->keys & CG_KEY_PID)
		g.pid = rec->u.chain.pid;
	if (b->keys & CG_KEY_TID)
		g.tid = rec->u.chain.tid;
	if (b->keys & CG_KEY_CPU)
		g.cpu = rec->u.chain.cpu;
	if (b->keys & CG_KEY_HOST)
		g.host = pmc->host ? pmc->host : b->p.origin.host ? b->p.origin.host : "";
	if (cg_names_threads(b) && g.tid != g.pid)
		g.life = cg_thread_of(b, g.pid, g.tid);
	group = g.life == CG_NONE ? CG_NONE : cg_group_intern(&b->p, &b->group_of_key, &g);
	if (group == CG_NONE)
		return -1;
	*c = (struct cg_context){.epoch = b->epoch,
				 .pid = rec->u.chain.pid,
				 .pmcid = rec->u.chain.pmcid,
				 .tid = rec->u.chain.tid & b->tid_mask,
				 .cpu = rec->u.chain.cpu & b->cpu_mask,
				 .usermode = rec->u.chain.usermode,
				 .selected = proc->selected,
				 .event = pmc->event,
				 .max_depth = pmc->max_depth,
				 .space = proc->space,
				 .group = group,
				 .generation = b->spaces.v.v[proc->space].generation,
				 .kernel = CG_NONE};
	if (!c->usermode)
		c->kernel = b->spaces.v.v[CG_KERNEL_SPACE].generation;
	/* The next sample may show where the program is. */
	if (proc->program != CG_NONE)
		c->epoch = 0;
	return 0;
}

/* The context of a sample.  NULL when out of memory. */
static const struct cg_context *context_of(struct cg_builder *b, const struct pmclog_record *rec)
{
	uint32_t pid = rec->u.chain.pid, pmcid = rec->u.chain.pmcid;
	uint32_t tid = rec->u.chain.tid & b->tid_mask;
	uint32_t cpu = rec->u.chain.cpu & b->cpu_mask;
	bool usermode = rec->u.chain.usermode;
	uint32_t mix = (pid + tid * 3 + (pmcid + cpu) * 0x9e3779b1u + usermode) * 0x85ebca6bu;
	struct cg_context *c = &b->context[mix >> 16 & (CG_CONTEXTS - 1)];

	if (c->epoch == b->epoch && c->pid == pid && c->pmcid == pmcid && c->tid == tid &&
	    c->cpu == cpu && c->usermode == usermode)
		return c;
	return set_context(b, rec, c) ? NULL : c;
}

/* Whether the selection takes a sample of a process that it takes. */
static bool is_selected(const struct cg_builder *b, const struct pmclog_record *rec)
{
	const struct cg_select *select = b->select;

	return holds(select->tids.v, select->tids.n, rec->u.chain.tid) &&
	       holds(select->cpus.v, select->cpus.n, rec->u.chain.cpu) &&
	       rec->tsc >= b->time_from && rec->tsc < b->time_to;
}

/* When the sample was that is the batch's last; its stack is known when the batch is counted. */
static int add_moment(struct cg_builder *b, const struct pmclog_record *rec)
{
	struct cg_moment moment = {cg_seconds_of(b, rec->tsc), CG_NONE};

	return vec_push(&b->p.moments, moment);
}

int cg_sample_add(struct cg_builder *b, const struct pmclog_record *rec)
{
	uint32_t npcs = rec->u.chain.npcs;
	const struct cg_context *c;
	struct cg_event *e;
	bool selected;

	/* A reader may leave out those of other times, but no multipart records. */
	selected = !b->by_sample || is_selected(b, rec);
	if (!npcs && (selected || rec->u.chain.foreign)) {
		b->p.quality.foreign++;
		return 0;
	}
	b->p.quality.samples++;
	if (!b->time_sampled)
		b->time_sampled = rec->tsc;
	if (b->paces.n)
		cg_pace_sample(b, rec);
	/* Any sample may show where a program is that exec(2) mapped. */
	if (!selected && !b->maps_programs)
		return 0;
	if (!(c = context_of(b, rec)))
		return -1;
	if (!selected || !c->selected)
		return 0;
	e = &b->p.events.v[c->event];
	e->samples++;
	e->truncated += npcs >= c->max_depth;
	e->guessed += rec->u.chain.guessed.length != 0;
	e->stitched += rec->u.chain.stitched != 0;
	if (b->timeline && cg_timeline_add(b, rec))
		return -1;
	return batch_take(b, c, rec) || (b->moments && add_moment(b, rec)) ? -1 : 0;
}
