// SPDX-License-Identifier: BSD-2-Clause
/* A profile of a recording without an end: what is given up when it has grown too large. */
#include "callgraph/model/state.h"

/* What spaces, with maps or names, take. */
static size_t spaces_size(const struct cg_spaces *s)
{
	size_t size = (s->v.n - s->unused.n) * sizeof(*s->v.v) + table_size(&s->map_of_key) +
		      s->maps.n * (sizeof(*s->maps.v) + sizeof(struct cg_range));
	const struct cg_space *space;

	vec_each(space, &s->v)
		size += space->unmapped.n * sizeof(*space->unmapped.v);
	return size;
}

/* What distinct addresses take once they have names. */
static size_t names_size(const struct cg_profile *p)
{
	const struct cg_state *st = p->state;

	return p->locations.n * sizeof(*p->locations.v) + table_size(&st->location_of_address) +
	       p->functions.n * sizeof(*p->functions.v) + table_size(&st->function_of_start) +
	       p->frames.n * sizeof(*p->frames.v) + p->images.n * sizeof(*p->images.v) +
	       table_size(&st->image_of_ref) + strpool_size(st->pool) +
	       (st->store ? symbol_store_size(st->store) : 0);
}

size_t cg_profile_size(const struct cg_profile *p)
{
	const struct cg_state *st = p->state;

	return names_size(p) + spaces_size(&st->spaces) + spaces_size(&st->jit_spaces) +
	       p->words.n * (sizeof(*p->words.v) + sizeof(*p->locations_of.v)) +
	       p->stacks.n * (sizeof(*p->stacks.v) + 2 * sizeof(struct table_slot)) +
	       p->moments.n * sizeof(*p->moments.v) +
	       p->groups.n * (sizeof(*p->groups.v) + 2 * sizeof(struct table_slot)) +
	       st->processes.n * (sizeof(*st->processes.v) + 2 * sizeof(struct table_slot)) +
	       st->threads.n * (sizeof(*st->threads.v) + 2 * sizeof(struct table_slot)) +
	       st->jit_processes.n * sizeof(*st->jit_processes.v);
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
	vec_free(&p->moments);
	vec_free(&p->groups);
	table_clear(&st->stack_of_chain);
	table_clear(&st->group_of_key);
	st->resolved = 0;
	vec_each(e, &p->events)
		e->samples = e->truncated = e->guessed = e->stitched = e->first = e->stacks = 0;
	/* Contexts name groups. */
	st->epoch++;
}

/* Distinct addresses, those where nothing is mapped too: no chain has them any more. */
static void forget_addresses(struct cg_profile *p)
{
	struct cg_state *st = p->state;
	struct cg_space *space;

	vec_free(&p->locations);
	vec_free(&p->functions);
	vec_free(&p->frames);
	table_clear(&st->location_of_address);
	table_clear(&st->function_of_start);
	memset(st->cache, 0, CG_LOCATION_CACHE * sizeof(*st->cache));
	vec_each(space, &st->spaces.v)
		vec_free(&space->unmapped);
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

/* Moves a text into pool.  0, or -1 when out of memory. */
static int move(struct strpool *pool, const char **text)
{
	return *text && !(*text = strpool_intern(pool, *text)) ? -1 : 0;
}

/* Keeps an image, whose index is another one then.  0, or -1 when out of memory. */
static int keep_image(struct cg_profile *p, struct strpool *pool, const struct cg_image *all,
		      uint32_t *index)
{
	struct cg_image image = all[*index];

	if (image.symbols)
		symbol_image_keep(image.symbols);
	*index = move(pool, &image.path) ? CG_NONE : cg_image_intern(p, &image);
	return *index == CG_NONE ? -1 : 0;
}

/* Only images that are mapped are kept, or will be when a sample shows where. */
static int forget_images(struct cg_profile *p, struct strpool *pool)
{
	struct cg_state *st = p->state;
	VEC(struct cg_image) all = {0};
	struct cg_process *proc;
	struct cg_map *map;
	int ret = 0;

	vec_move(&all, &p->images);
	table_clear(&st->image_of_ref);
	vec_each(map, &st->spaces.maps)
		ret |= keep_image(p, pool, all.v, &map->image);
	vec_each(proc, &st->processes)
		if (proc->program != CG_NONE)
			ret |= keep_image(p, pool, all.v, &proc->program);
	vec_free(&all);
	return ret || (st->store && symbol_store_forget(st->store)) ? -1 : 0;
}

static int move_config(struct cg_state *st, struct strpool *pool)
{
	struct symbol_config *s = &st->symbols;

	return move(pool, &s->fsroot) || move(pool, &s->kernel) || move(pool, &s->debug_dir) ||
	       move(pool, &s->log_boot_id);
}

static int move_event(struct cg_event *e, struct strpool *pool)
{
	return move(pool, &e->name) || move(pool, &e->whole) || move(pool, &e->spec);
}

static int move_origin(struct cg_origin *o, struct strpool *pool)
{
	return move(pool, &o->host) || move(pool, &o->release) || move(pool, &o->command);
}

/* Moves all texts but those of images to pool. */
static int move_texts(struct cg_profile *p, struct strpool *pool)
{
	struct cg_state *st = p->state;
	int bad = move_config(st, pool) || move_origin(&p->origin, pool);
	struct cg_process *proc;
	struct cg_thread *thread;
	struct cg_event *e;
	struct cg_pmc *pmc;
	struct cg_lifetime *life;
	struct cg_map *name;

	vec_each(e, &p->events)
		bad |= move_event(e, pool);
	vec_each(pmc, &st->pmcs)
		bad |= move_event(&pmc->announced, pool) || move(pool, &pmc->host);
	vec_each(proc, &st->processes)
		bad |= move(pool, &proc->comm);
	vec_each(thread, &st->threads)
		bad |= move(pool, &thread->name);
	vec_each(life, &p->lives)
		bad |= move(pool, &life->command);
	vec_each(name, &st->jit_spaces.maps) {
		const char *text = strpool_text(st->pool, name->image);

		name->image = strpool_id(pool, text, strlen(text));
		bad |= name->image == UINT32_MAX;
	}
	return bad ? -1 : 0;
}

/* Only images and texts that something still has are kept. */
static int forget_names(struct cg_profile *p)
{
	struct cg_state *st = p->state;
	struct strpool *pool = strpool_new();

	if (!pool || forget_images(p, pool) || move_texts(p, pool)) {
		strpool_free(pool);
		return -1;
	}
	strpool_free(st->pool);
	st->pool = pool;
	/* Maps are found by what they have of both. */
	return cg_spaces_compact(&st->spaces) || cg_spaces_compact(&st->jit_spaces) ? -1 : 0;
}

int cg_profile_forget(struct cg_profile *p, struct err *err)
{
	struct cg_state *st = p->state;

	if (cg_samples_flush(p))
		return err_nomem(err);
	forget_samples(p);
	forget_addresses(p);
	if (forget_processes(st) || forget_threads(st) || cg_jit_forget(p) || forget_names(p))
		return err_nomem(err);
	return 0;
}
