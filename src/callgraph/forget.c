// SPDX-License-Identifier: BSD-2-Clause
/* A profile of a recording without an end: what is given up when it has grown too large. */
#include "callgraph/state.h"

size_t cg_profile_size(const struct cg_profile *p)
{
	const struct cg_state *st = p->state;

	return p->words.n * (sizeof(*p->words.v) + sizeof(*p->locations_of.v)) +
	       p->stacks.n * (sizeof(*p->stacks.v) + 2 * sizeof(struct table_slot)) +
	       p->groups.n * (sizeof(*p->groups.v) + 2 * sizeof(struct table_slot)) +
	       (st->spaces.maps.n + st->names.maps.n) *
		       (2 * sizeof(struct cg_map) + 2 * sizeof(struct table_slot)) +
	       st->processes.n * (sizeof(*st->processes.v) + sizeof(struct cg_space)) +
	       st->threads.n * (sizeof(*st->threads.v) + 2 * sizeof(struct table_slot)) +
	       st->compilers.n * (sizeof(*st->compilers.v) + sizeof(struct cg_space));
}

/* What the log says of its quality stays; the rest of it is assessed anew. */
static void forget_samples(struct cg_profile *p)
{
	struct cg_state *st = p->state;
	struct cg_event *e;

	vec_free(&p->stacks);
	vec_free(&p->words);
	vec_free(&p->locations_of);
	vec_free(&p->by_event);
	vec_free(&p->groups);
	table_clear(&st->stack_of_chain);
	table_clear(&st->group_of_key);
	st->resolved = 0;
	vec_each(e, &p->events)
		e->samples = e->truncated = e->guessed = e->stitched = e->first = e->stacks = 0;
}

/* Only processes that run are kept. */
static int forget_processes(struct cg_state *st)
{
	size_t i, n = 0;

	table_clear(&st->process_of_pid);
	for (i = 0; i < st->processes.n; i++) {
		const struct cg_process *proc = &st->processes.v[i];

		if (proc->exited) {
			cg_space_unref(&st->spaces, proc->space);
			continue;
		}
		if (table_insert(&st->process_of_pid, hash_u64(proc->pid), (uint32_t)n))
			return -1;
		st->processes.v[n++] = *proc;
	}
	st->processes.n = n;
	return cg_spaces_compact(&st->spaces);
}

/* Only threads that run are kept. */
static int forget_threads(struct cg_state *st)
{
	size_t i, n = 0;

	table_clear(&st->thread_of_tid);
	for (i = 0; i < st->threads.n; i++) {
		const struct cg_thread *thread = &st->threads.v[i];

		if (thread->exited)
			continue;
		if (table_insert(&st->thread_of_tid, hash_u64(thread->tid), (uint32_t)n))
			return -1;
		st->threads.v[n++] = *thread;
	}
	st->threads.n = n;
	return 0;
}

int cg_profile_forget(struct cg_profile *p, struct err *err)
{
	struct cg_state *st = p->state;

	if (cg_samples_flush(p))
		return err_nomem(err);
	forget_samples(p);
	/* Contexts name groups, the cache names maps. */
	st->epoch++;
	memset(st->cache, 0, CG_LOCATION_CACHE * sizeof(*st->cache));
	return forget_processes(st) || forget_threads(st) || cg_jit_forget(p) ? err_nomem(err) : 0;
}
