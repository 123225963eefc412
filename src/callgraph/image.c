// SPDX-License-Identifier: BSD-2-Clause
/* Images of a profile: which file a mapping is of. */
#include "callgraph/state.h"

#define KERNEL_PID UINT32_MAX

/* Where a map ends at most when neither the log nor the file can tell: the reach of a near call. */
#define UNKNOWN_LENGTH (UINT64_C(2) << 30)

static bool is_image(const struct cg_image *a, const struct cg_image *b)
{
	return a->path == b->path && a->kernel == b->kernel && a->start == b->start &&
	       a->length == b->length && a->build_id_len == b->build_id_len &&
	       !memcmp(a->build_id, b->build_id, a->build_id_len);
}

/* The index of the image, made if it is new; CG_NONE when out of memory. */
static uint32_t intern_image(struct cg_profile *p, const struct cg_image *image)
{
	struct table *t = &p->state->image_of_ref;
	uint32_t hash = hash_bytes(image->build_id, sizeof(image->build_id)) ^
			hash_u64((uintptr_t)image->path ^ image->start);
	struct table_iter it;
	uint32_t i;

	for (i = table_first(t, hash, &it); i != TABLE_NONE; i = table_next(t, &it))
		if (is_image(&p->images.v[i], image))
			return i;
	if (vec_push(&p->images, *image) || table_insert(t, hash, (uint32_t)(p->images.n - 1)))
		return CG_NONE;
	return (uint32_t)(p->images.n - 1);
}

static struct symbol_store *open_store(struct cg_profile *p)
{
	if (!p->state->store)
		p->state->store = symbol_store_new(&p->state->symbols, NULL);
	return p->state->store;
}

struct symbol_image *cg_image_symbols(struct cg_profile *p, struct cg_image *image)
{
	struct symbol_ref ref = {.path = image->path,
				 .build_id = image->build_id,
				 .build_id_len = image->build_id_len,
				 .kernel = image->kernel,
				 .start = image->start,
				 .length = image->length};

	if (!image->symbols && open_store(p))
		image->symbols = symbol_image_get(p->state->store, &ref);
	return image->symbols;
}

/* Sets the end of a map that the log gives no length for. */
static int guess_end(struct cg_profile *p, struct cg_map *map)
{
	struct symbol_image *symbols = cg_image_symbols(p, &p->images.v[map->image]);
	uint64_t start, end, length = UNKNOWN_LENGTH;

	if (!symbols)
		return -1;
	if (symbol_image_span(symbols, &start, &end))
		length = start <= map->start && map->start < end ? end - map->start : end;
	map->end = map->start + length < map->start ? UINT64_MAX : map->start + length;
	map->open_end = true;
	return 0;
}

static int map_into(struct cg_profile *p, uint32_t pid, const struct cg_map *map)
{
	struct cg_state *st = p->state;
	uint32_t i;

	if (pid == KERNEL_PID)
		return cg_space_map(&st->spaces, &st->kernel_space, map);
	i = cg_process_of(p, pid);
	if (i == CG_NONE)
		return -1;
	return cg_space_map(&st->spaces, &st->processes.v[i].space, map);
}

int cg_map_in(struct cg_profile *p, const struct pmclog_record *rec)
{
	const struct pmclog_record *r = rec;
	struct cg_image image = {.kernel = r->u.map_in.pid == KERNEL_PID,
				 .build_id_len = r->u.map_in.build_id_len};
	struct cg_map map = {.start = r->u.map_in.start,
			     .end = r->u.map_in.start + r->u.map_in.length,
			     .file_offset = r->u.map_in.file_offset,
			     .has_file_offset = r->u.map_in.has_file_offset};
	uint32_t path = strpool_id(p->state->pool, r->u.map_in.path.s, r->u.map_in.path.len);

	/* What was sampled before has seen the maps as they are now. */
	if (path == UINT32_MAX || cg_samples_flush(p))
		return -1;
	image.path = strpool_text(p->state->pool, path);
	memcpy(image.build_id, r->u.map_in.build_id, image.build_id_len);
	if (image.kernel) {
		image.start = map.start;
		image.length = r->u.map_in.length;
	}
	map.image = intern_image(p, &image);
	if (map.image == CG_NONE)
		return -1;
	if (map.end < map.start)
		map.end = UINT64_MAX;
	if (map.end == map.start && guess_end(p, &map))
		return -1;
	return map_into(p, r->u.map_in.pid, &map);
}

int cg_map_out(struct cg_profile *p, const struct pmclog_record *rec)
{
	struct cg_state *st = p->state;
	uint32_t i;

	if (cg_samples_flush(p))
		return -1;
	if (rec->u.map_out.pid == KERNEL_PID)
		return cg_space_unmap(&st->spaces, &st->kernel_space, rec->u.map_out.start,
				      rec->u.map_out.end);
	i = cg_process_of(p, rec->u.map_out.pid);
	if (i == CG_NONE)
		return -1;
	return cg_space_unmap(&st->spaces, &st->processes.v[i].space, rec->u.map_out.start,
			      rec->u.map_out.end);
}
