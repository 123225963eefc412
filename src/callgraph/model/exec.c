// SPDX-License-Identifier: BSD-2-Clause
/*
 * What exec(2) maps, for logs that do not say it.
 *
 * FreeBSD's kernel logs what mmap(2) maps, and of exec(2) only PROCEXEC: its readers map the
 * program and the run-time linker that it names.  Up to version 9 the record has no place of a
 * program that can be moved; a sample shows it then, whose outermost caller must be in _start.
 */
#include "callgraph/model/state.h"

enum {
	PAGE = 4096,
	START_LENGTH = 256, /* bytes that _start has at most where no symbol tells */
};

/* The image of a mapped file, opened.  CG_NONE when out of memory. */
static uint32_t open_image(struct cg_builder *b, const char *path, size_t len)
{
	uint32_t id = strpool_id(b->p.pool, path, len), i;
	struct cg_image image = {0};

	if (id == UINT32_MAX)
		return CG_NONE;
	image.path = strpool_text(b->p.pool, id);
	i = cg_image_intern(b, &image);
	return i != CG_NONE && cg_image_symbols(b, &b->p.images.v[i]) ? i : CG_NONE;
}

/* Maps the code of an image that is moved by bias bytes. */
static int map_code(struct cg_builder *b, uint32_t pid, uint32_t image, uint64_t bias)
{
	struct symbol_segment s;
	uint32_t n;

	for (n = 0; symbol_image_segment(b->p.images.v[image].symbols, n, &s); n++) {
		struct cg_map map = {.start = s.address + bias,
				     .length = s.length,
				     .file_offset = s.file_offset,
				     .has_file_offset = true,
				     .image = image};

		if (s.length && cg_map_into(b, pid, &map, s.length))
			return -1;
	}
	return 0;
}

/*
 * Maps a file that is not at hand from start on, up to whatever else is mapped, so that its samples
 * are its own.  bias: how far it is moved; 0 where nobody knows.
 */
static int map_missing(struct cg_builder *b, uint32_t pid, uint32_t image, uint64_t start,
		       uint64_t bias)
{
	struct cg_map map = {.start = start,
			     .file_offset = start - bias,
			     .has_file_offset = true,
			     .image = image};
	uint64_t length = cg_map_guess_length(b, &map);

	return length ? cg_map_into(b, pid, &map, length) : -1;
}

static int map_linker(struct cg_builder *b, const struct pmclog_record *rec, const char *path)
{
	uint32_t image = open_image(b, path, strlen(path)), pid = rec->u.exec.pid;
	uint64_t base = rec->u.exec.base, entry = rec->u.exec.entry;
	struct symbol_program linker;

	if (image == CG_NONE)
		return -1;
	if (!(rec->u.exec.has_base ? base : entry))
		return 0;
	if (!symbol_image_program(b->p.images.v[image].symbols, &linker))
		return rec->u.exec.has_base ? map_missing(b, pid, image, base, base)
					    : map_missing(b, pid, image, entry / PAGE * PAGE, 0);
	return map_code(b, pid, image,
			rec->u.exec.has_base ? base - linker.lowest : entry - linker.entry);
}

int cg_exec_map(struct cg_builder *b, const struct pmclog_record *rec)
{
	uint32_t image = open_image(b, rec->u.exec.path.s, rec->u.exec.path.len), i;
	uint32_t pid = rec->u.exec.pid;
	struct symbol_program program;

	if (image == CG_NONE)
		return -1;
	/* It is not at hand: those that are not moved lie at the lowest addresses. */
	if (!symbol_image_program(b->p.images.v[image].symbols, &program))
		return map_missing(b, pid, image, rec->u.exec.dyn ? rec->u.exec.dyn : PAGE,
				   rec->u.exec.dyn);
	if (program.linker && map_linker(b, rec, program.linker))
		return -1;
	if (program.is_fixed || rec->u.exec.has_base)
		return map_code(b, pid, image, program.is_fixed ? 0 : rec->u.exec.dyn);
	if (!program.linker)
		return map_code(b, pid, image, rec->u.exec.entry - program.entry);
	i = cg_process_of(b, pid);
	if (i == CG_NONE)
		return -1;
	b->processes.v[i].program = image;
	return 0;
}

/* Whether a program that is moved by bias lies where nothing else is known to be. */
static bool has_room(const struct cg_builder *b, const struct cg_process *proc, uint64_t bias)
{
	struct symbol_segment s;
	uint32_t n;

	for (n = 0; symbol_image_segment(b->p.images.v[proc->program].symbols, n, &s); n++)
		if (!cg_space_is_free(&b->spaces, proc->space, s.address + bias,
				      s.address + bias + s.length))
			return false;
	return true;
}

int cg_exec_place(struct cg_builder *b, const struct pmclog_record *rec)
{
	const struct cg_process *proc = &b->processes.v[cg_process_of(b, rec->u.chain.pid)];
	struct symbol_image *symbols = b->p.images.v[proc->program].symbols;
	uint64_t root = rec->u.chain.pcs[rec->u.chain.npcs - 1], call = root - 1, bias, end;
	struct symbol_program program;
	struct symbol start;

	if (proc->exited || rec->u.chain.npcs < 2 || root >> 63 ||
	    !symbol_image_program(symbols, &program) || call < program.entry)
		return 0;
	bias = (call - program.entry) / PAGE * PAGE;
	end = symbol_find(symbols, program.entry, &start) ? start.end
							  : program.entry + START_LENGTH;
	if (call - bias >= end || !has_room(b, proc, bias))
		return 0;
	b->epoch++;
	return cg_samples_flush(b) || map_code(b, proc->pid, proc->program, bias) ? -1 : 0;
}
