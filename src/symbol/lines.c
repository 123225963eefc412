// SPDX-License-Identifier: BSD-2-Clause
/* Source places of addresses, and the code at them. */
#include "symbol/dwarf.h"

/* What an image without a file of its own, or without memory for its lines, has instead. */
static bool has_file(const struct symbol_image *image)
{
	return image->kind != IMAGE_UNKNOWN && image->kind != IMAGE_RUNTIME;
}

uint32_t symbol_frames(struct symbol_image *image, uint64_t address,
		       struct symbol_frame frames[SYMBOL_MAX_FRAMES])
{
	struct symbol symbol;
	uint32_t n;

	if (!has_file(image))
		return 0;
	if (!image->lines && !image->lines_tried)
		image->lines = dwarf_lines_open(image);
	image->lines_tried = true;
	n = image->lines ? dwarf_lines_find(image->lines, address, frames) : 0;
	/* Of several names of one function there is one that all reports use. */
	if (n && symbol_find(image, address, &symbol))
		frames[n - 1].function = NULL;
	return n;
}

const char *symbol_image_lines_problem(const struct symbol_image *image)
{
	if (image->lines)
		return dwarf_lines_problem(image->lines);
	return image->lines_tried ? "out of memory for debug information" : "";
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
