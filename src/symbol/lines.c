// SPDX-License-Identifier: BSD-2-Clause
/* Source places of addresses, and the code at them. */
#include "symbol/dwarf/dwarf.h"
#include "symbol/excerpt.h"

static bool has_file(const struct symbol_image *image)
{
	return !image->excerpt && image->kind != IMAGE_UNKNOWN && image->kind != IMAGE_RUNTIME;
}

/* Keeps what was wrong beyond the lines themselves.  0, or -1 when out of memory. */
static int keep_problem(struct symbol_image *image)
{
	const char *text = dwarf_lines_problem(image->lines);

	if (!*text || image->lines_problem)
		return 0;
	image->lines_problem = strdup(text);
	return image->lines_problem ? 0 : -1;
}

static int close_lines(struct symbol_image *image)
{
	if (keep_problem(image))
		return -1;
	dwarf_lines_free(image->lines);
	image->lines = NULL;
	return 0;
}

int image_close_lines(struct symbol_store *store)
{
	struct symbol_image **image;

	vec_each(image, &store->with_lines)
		if (close_lines(*image))
			return -1;
	store->with_lines.n = 0;
	return 0;
}

/* Closes the lines of images that were opened before, until few enough are left. */
static int make_room(struct symbol_store *store)
{
	struct symbol_image **image;
	uint64_t size = 0;
	size_t n = 0;

	vec_each(image, &store->with_lines)
		size += dwarf_lines_size((*image)->lines);
	for (; size > store->lines_max && n < store->with_lines.n; n++) {
		size_t its = dwarf_lines_size(store->with_lines.v[n]->lines);

		if (close_lines(store->with_lines.v[n]))
			break;
		size -= its;
	}
	if (n)
		vec_remove(&store->with_lines, 0, n);
	return vec_reserve(&store->with_lines, store->with_lines.n + 1);
}

/* Once memory was too little it is not tried again: that takes as long, for each address. */
static bool open_lines(struct symbol_image *image)
{
	struct err err = {0};
	char *why;

	if (image->lines || image->no_lines)
		return image->lines != NULL;
	/* Later there is no room for it. */
	dwarf_no_memory(image, &err);
	why = strdup(err.msg);
	if (make_room(image->store) || !(image->lines = dwarf_lines_open(image))) {
		free(image->lines_problem);
		image->lines_problem = why;
		image->no_lines = true;
		return false;
	}
	free(why);
	return !vec_push(&image->store->with_lines, image);
}

uint32_t symbol_frames(struct symbol_image *image, uint64_t address,
		       struct symbol_frame frames[SYMBOL_MAX_FRAMES])
{
	struct symbol symbol;
	uint32_t n;

	if (image->excerpt)
		return excerpt_frames(image, address, frames);
	if (!has_file(image) || !open_lines(image))
		return 0;
	n = dwarf_lines_find(image->lines, address, frames);
	/* Of several names of one function there is one that all reports use. */
	if (n && symbol_find(image, address, &symbol))
		frames[n - 1].function = NULL;
	return n;
}

void image_complete_lines(struct symbol_image *image)
{
	if (has_file(image) && open_lines(image))
		dwarf_lines_complete(image->lines);
}

const char *symbol_image_lines_problem(const struct symbol_image *image)
{
	if (image->lines_problem)
		return image->lines_problem;
	if (image->no_lines)
		return "out of memory for debug information";
	return image->lines ? dwarf_lines_problem(image->lines) : "";
}

/* The file's bytes at an address, and how many there are from there on; 0: none. */
static uint64_t find_code(const struct elf_file *f, uint64_t address, uint64_t *offset)
{
	const struct elf_segment *seg;
	const GElf_Shdr *s;

	vec_each(seg, &f->segments)
		if (seg->exec && address >= seg->vaddr && address - seg->vaddr < seg->filesz) {
			*offset = seg->offset + (address - seg->vaddr);
			return seg->filesz - (address - seg->vaddr);
		}
	/* Modules have sections only. */
	vec_each(s, &f->sections)
		if (f->type == ET_REL && s->sh_flags & SHF_EXECINSTR && elf_section_held(f, s) &&
		    address >= s->sh_addr && address - s->sh_addr < s->sh_size) {
			*offset = s->sh_offset + (address - s->sh_addr);
			return s->sh_size - (address - s->sh_addr);
		}
	return 0;
}

size_t symbol_image_code(struct symbol_image *image, uint64_t address, void *buf, size_t len)
{
	struct elf_file f;
	uint64_t offset, n;

	if (image->excerpt)
		return excerpt_code(image->excerpt, address, buf, len);
	if (!has_file(image) || image->offsets_lost || image_reopen(image, &f, NULL))
		return 0;
	n = find_code(&f, address, &offset);
	if (n > len)
		n = len;
	if (n && elf_file_read(&f, offset, buf, (size_t)n))
		n = 0;
	elf_file_close(&f);
	return (size_t)n;
}
