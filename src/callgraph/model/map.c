// SPDX-License-Identifier: BSD-2-Clause
/* Maps: what a log says of them, into address spaces. */
#include "callgraph/model/state.h"

#define KERNEL_PID UINT32_MAX

/* Where a map ends at most when neither the log nor the file can tell: the reach of a near call. */
#define UNKNOWN_LENGTH (UINT64_C(2) << 30)

uint64_t cg_map_guess_length(struct cg_builder *b, const struct cg_map *map)
{
	struct symbol_image *symbols = cg_image_symbols(b, &b->p.images.v[map->image]);
	uint64_t start, end;

	if (!symbols)
		return 0;
	if (!symbol_image_span(symbols, &start, &end) || !end)
		return UNKNOWN_LENGTH;
	return start <= map->start && map->start < end ? end - map->start : end;
}

int cg_map_into(struct cg_builder *b, uint32_t pid, const struct cg_map *map, uint64_t length)
{
	uint32_t kernel = CG_KERNEL_SPACE, i = 0, *space = &kernel;
	uint64_t end = map->start + length;

	if (end < map->start)
		end = UINT64_MAX;
	if (pid != KERNEL_PID) {
		i = cg_process_living(b, pid);
		if (i == CG_NONE)
			return -1;
		space = &b->processes.v[i].space;
	}
	/* The log itself says where the program is. */
	if (pid != KERNEL_PID && b->processes.v[i].program == map->image)
		b->processes.v[i].program = CG_NONE;
	return cg_space_map(&b->spaces, space, map, end, !map->length);
}

int cg_map_in(struct cg_builder *b, const struct pmclog_record *rec)
{
	struct cg_image image = {.kernel = rec->u.map_in.pid == KERNEL_PID,
				 .build_id_len = rec->u.map_in.build_id_len};
	struct cg_map map = {.start = rec->u.map_in.start,
			     .length = rec->u.map_in.length,
			     .file_offset = rec->u.map_in.file_offset,
			     .has_file_offset = rec->u.map_in.has_file_offset};
	uint32_t path = strpool_id(b->p.pool, rec->u.map_in.path.s, rec->u.map_in.path.len);
	uint64_t length;

	if (rec->u.map_in.symbol.len)
		return cg_jit_name(b, rec);
	if (path == UINT32_MAX)
		return -1;
	image.path = strpool_text(b->p.pool, path);
	memcpy(image.build_id, rec->u.map_in.build_id, image.build_id_len);
	if (!image.build_id_len) {
		image.device = rec->u.map_in.device;
		image.inode = rec->u.map_in.inode;
		image.mapped = cg_date_of(b, rec->tsc);
	}
	image.pids[0] = image.pids[1] = rec->u.map_in.pid;
	if (image.kernel) {
		image.start = map.start;
		image.length = map.length;
	}
	map.image = cg_jit_map(b, rec->u.map_in.pid, &image) ? CG_NONE : cg_image_intern(b, &image);
	if (map.image == CG_NONE)
		return -1;
	length = map.length ? map.length : cg_map_guess_length(b, &map);
	return length ? cg_map_into(b, rec->u.map_in.pid, &map, length) : -1;
}

int cg_map_out(struct cg_builder *b, const struct pmclog_record *rec)
{
	struct cg_spaces *spaces = &b->spaces;
	uint64_t start = rec->u.map_out.start, end = rec->u.map_out.end;
	uint32_t kernel = CG_KERNEL_SPACE, i;

	if (rec->u.map_out.pid == KERNEL_PID)
		return cg_space_unmap(spaces, &kernel, start, end);
	i = cg_process_of(b, rec->u.map_out.pid);
	if (i == CG_NONE)
		return -1;
	return cg_space_unmap(spaces, &b->processes.v[i].space, start, end);
}
