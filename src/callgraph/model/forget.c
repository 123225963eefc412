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
static size_t names_size(const struct cg_builder *b)
{
	return b->p.locations.n * sizeof(*b->p.locations.v) + table_size(&b->location_of_address) +
	       b->p.functions.n * sizeof(*b->p.functions.v) + table_size(&b->function_of_start) +
	       b->p.frames.n * sizeof(*b->p.frames.v) + b->p.images.n * sizeof(*b->p.images.v) +
	       table_size(&b->image_of_ref) + strpool_size(b->p.pool) +
	       (b->p.store ? symbol_store_size(b->p.store) : 0);
}

size_t cg_builder_size(const struct cg_builder *b)
{
	return names_size(b) + spaces_size(&b->spaces) + spaces_size(&b->jit_spaces) +
	       b->p.words.n * (sizeof(*b->p.words.v) + sizeof(*b->p.locations_of.v)) +
	       b->p.stacks.n * (sizeof(*b->p.stacks.v) + 2 * sizeof(struct table_slot)) +
	       b->p.moments.n * sizeof(*b->p.moments.v) +
	       b->p.groups.n * (sizeof(*b->p.groups.v) + 2 * sizeof(struct table_slot)) +
	       b->processes.n * (sizeof(*b->processes.v) + 2 * sizeof(struct table_slot)) +
	       b->threads.n * (sizeof(*b->threads.v) + 2 * sizeof(struct table_slot)) +
	       b->jit_processes.n * sizeof(*b->jit_processes.v);
}

/* What the log says of its quality stays; the rest of it is assessed anew. */
static void forget_samples(struct cg_builder *b)
{
	struct cg_event *e;

	vec_free(&b->p.stacks);
	vec_free(&b->p.words);
	vec_free(&b->p.locations_of);
	vec_free(&b->p.by_event);
	vec_free(&b->p.moments);
	vec_free(&b->p.groups);
	table_clear(&b->stack_of_chain);
	table_clear(&b->group_of_key);
	b->resolved = 0;
	b->folded = b->unfolded = 0;
	b->time_sampled = 0;
	b->forgot = true;
	vec_each(e, &b->p.events)
		e->samples = e->truncated = e->guessed = e->stitched = e->first = e->stacks = 0;
	/* Contexts name groups. */
	b->epoch++;
}

/* Distinct addresses, those where nothing is mapped too: no chain has them any more. */
static void forget_addresses(struct cg_builder *b)
{
	struct cg_space *space;

	vec_free(&b->p.locations);
	vec_free(&b->p.functions);
	vec_free(&b->p.frames);
	table_clear(&b->location_of_address);
	table_clear(&b->function_of_start);
	memset(b->cache, 0, CG_LOCATION_CACHE * sizeof(*b->cache));
	vec_each(space, &b->spaces.v)
		vec_free(&space->unmapped);
}

/* Only processes that run are kept. */
static int forget_processes(struct cg_builder *b)
{
	size_t i, n = 0;

	table_clear(&b->process_of_pid);
	for (i = 0; i < b->processes.n; i++) {
		const struct cg_process *proc = &b->processes.v[i];

		if (proc->exited) {
			cg_space_unref(&b->spaces, proc->space);
			continue;
		}
		if (table_insert(&b->process_of_pid, hash_u64(proc->pid), (uint32_t)n))
			return -1;
		b->processes.v[n++] = *proc;
	}
	b->processes.n = n;
	return cg_spaces_compact(&b->spaces);
}

/* Only threads that run are kept; those without a name are made again when needed. */
static int forget_threads(struct cg_builder *b)
{
	size_t i, n = 0;

	table_clear(&b->thread_of_tid);
	for (i = 0; i < b->threads.n; i++) {
		const struct cg_thread *thread = &b->threads.v[i];

		if (thread->exited || !*thread->name)
			continue;
		if (table_insert(&b->thread_of_tid, hash_u64(thread->tid), (uint32_t)n))
			return -1;
		b->threads.v[n++] = *thread;
	}
	b->threads.n = n;
	return 0;
}

/* Keeps an image, whose index is another one then.  0, or -1 when out of memory. */
static int keep_image(struct cg_builder *b, struct strpool *pool, const struct cg_image *all,
		      uint32_t *index)
{
	struct cg_image image = all[*index];

	if (image.symbols)
		symbol_image_keep(image.symbols);
	*index = strpool_move(pool, &image.path) || strpool_move(pool, &image.jit_problem)
			 ? CG_NONE
			 : cg_image_intern(b, &image);
	return *index == CG_NONE ? -1 : 0;
}

/* Only images that are mapped are kept, or will be when a sample shows where. */
static int forget_images(struct cg_builder *b, struct strpool *pool)
{
	VEC(struct cg_image) all = {0};
	struct cg_process *proc;
	struct cg_map *map;
	int ret = 0;

	vec_move(&all, &b->p.images);
	table_clear(&b->image_of_ref);
	vec_each(map, &b->spaces.maps)
		ret |= keep_image(b, pool, all.v, &map->image);
	vec_each(proc, &b->processes)
		if (proc->program != CG_NONE)
			ret |= keep_image(b, pool, all.v, &proc->program);
	vec_free(&all);
	return ret || (b->p.store && symbol_store_forget(b->p.store)) ? -1 : 0;
}

static int move_event(struct cg_event *e, struct strpool *pool)
{
	return strpool_move(pool, &e->name) || strpool_move(pool, &e->whole) ||
	       strpool_move(pool, &e->spec);
}

static int move_origin(struct cg_origin *o, struct strpool *pool)
{
	return strpool_move(pool, &o->host) || strpool_move(pool, &o->cpu) ||
	       strpool_move(pool, &o->release) || strpool_move(pool, &o->collector) ||
	       strpool_move(pool, &o->command);
}

/* Moves all texts but those of images to pool. */
static int move_texts(struct cg_builder *b, struct strpool *pool)
{
	int bad = cg_symbols_move(b, pool) || move_origin(&b->p.origin, pool);
	struct cg_process *proc;
	struct cg_thread *thread;
	struct cg_event *e;
	struct cg_pmc *pmc;
	struct cg_lifetime *lifetime;
	struct cg_map *name;

	vec_each(e, &b->p.events)
		bad |= move_event(e, pool);
	vec_each(pmc, &b->pmcs)
		bad |= move_event(&pmc->announced, pool) || strpool_move(pool, &pmc->host);
	vec_each(proc, &b->processes)
		bad |= strpool_move(pool, &proc->comm);
	vec_each(thread, &b->threads)
		bad |= strpool_move(pool, &thread->name);
	vec_each(lifetime, &b->p.lifetimes)
		bad |= strpool_move(pool, &lifetime->command);
	vec_each(name, &b->jit_spaces.maps) {
		const char *text = strpool_text(b->p.pool, name->image);

		name->image = strpool_id(pool, text, strlen(text));
		bad |= name->image == UINT32_MAX;
	}
	return bad ? -1 : 0;
}

/* Only images and texts that something still has are kept. */
static int forget_names(struct cg_builder *b)
{
	struct strpool *pool = strpool_new();

	if (!pool || forget_images(b, pool) || move_texts(b, pool)) {
		strpool_free(pool);
		return -1;
	}
	strpool_free(b->p.pool);
	b->p.pool = pool;
	/* Maps are found by what they have of both. */
	return cg_spaces_compact(&b->spaces) || cg_spaces_compact(&b->jit_spaces) ? -1 : 0;
}

int cg_builder_forget(struct cg_builder *b, struct err *err)
{
	if (cg_samples_flush(b))
		return err_nomem(err);
	forget_samples(b);
	forget_addresses(b);
	if (forget_processes(b) || forget_threads(b) || cg_jit_forget(b) || forget_names(b))
		return err_nomem(err);
	return 0;
}
