// SPDX-License-Identifier: BSD-2-Clause
/*
 * Code that processes made while they ran.
 *
 * Its names come behind the samples of it, when the process ends, so they are not maps: each
 * process has a space of names, in which the later one takes the place of what it overlaps, and
 * addresses in memory without a file are looked up there when all is known.
 */
#include "base/perf_map.h"
#include "callgraph/state.h"

/* The names of a process, made if there are none yet; 0 when out of memory. */
static uint32_t names_of(struct cg_profile *p, uint32_t process)
{
	struct cg_process *proc = &p->state->processes.v[process];
	uint32_t names;

	if (!proc->names && (names = cg_space_new(&p->state->names)) != UINT32_MAX)
		proc->names = names;
	return proc->names;
}

int cg_jit_map(struct cg_profile *p, uint32_t pid, struct cg_image *image)
{
	uint32_t i;

	if (image->kernel || !perf_map_is_anonymous(image->path))
		return 0;
	i = cg_process_living(p, pid);
	image->names = i == CG_NONE ? 0 : names_of(p, i);
	return image->names ? 0 : -1;
}

int cg_jit_name(struct cg_profile *p, const struct pmclog_record *rec)
{
	const struct pmclog_text *name = &rec->u.map_in.symbol;
	uint32_t i = cg_process_of(p, rec->u.map_in.pid);
	struct cg_map map = {.start = rec->u.map_in.start,
			     .length = rec->u.map_in.length,
			     .image = strpool_id(p->state->pool, name->s, name->len)};
	uint64_t end = map.start + map.length < map.start ? UINT64_MAX : map.start + map.length;

	if (i == CG_NONE || map.image == UINT32_MAX || !names_of(p, i))
		return -1;
	return cg_space_map(&p->state->names, &p->state->processes.v[i].names, &map, end, false);
}

struct forking {
	struct cg_profile *p;
	uint32_t child;
};

/* What the child has in memory without a file has names of its own from now on. */
static int rename_map(void *arg, struct cg_map *map)
{
	struct forking *f = arg;
	struct cg_image image = f->p->images.v[map->image];

	if (!image.names)
		return 0;
	image.names = names_of(f->p, f->child);
	map->image = image.names ? cg_image_intern(f->p, &image) : CG_NONE;
	return map->image == CG_NONE ? -1 : 1;
}

int cg_jit_fork(struct cg_profile *p, uint32_t parent, uint32_t child)
{
	struct cg_process *processes = p->state->processes.v;
	struct forking f = {p, child};

	processes[child].names = 0;
	if (!processes[parent].names)
		return 0;
	return cg_space_rewrite(&p->state->spaces, &processes[child].space, rename_map, &f);
}

int cg_jit_find(struct cg_profile *p, uint32_t image, uint64_t address, struct cg_function *f)
{
	const struct cg_spaces *names = &p->state->names;
	uint32_t i = cg_space_find(names, p->images.v[image].names, address);
	struct cg_image jit = {0};

	if (i == CG_NO_MAP)
		return 0;
	jit.path = strpool_intern(p->state->pool, PERF_MAP_OBJECT);
	f->image = jit.path ? cg_image_intern(p, &jit) : CG_NONE;
	if (f->image == CG_NONE)
		return -1;
	f->name = strpool_text(p->state->pool, names->maps.v[i].image);
	f->start = names->maps.v[i].start;
	f->end = f->start + names->maps.v[i].length;
	f->resolved = true;
	return 1;
}
