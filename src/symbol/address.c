// SPDX-License-Identifier: BSD-2-Clause
/*
 * From runtime addresses to link-time ones.
 *
 * FreeBSD's logs give no file offset, and their start means either the load base or the address of
 * the executable mapping, which differ when code has a segment of its own.
 */
#include "symbol/image.h"

#define PAGE UINT64_C(4096)

static uint64_t page_down(uint64_t v)
{
	return v & ~(PAGE - 1);
}

static uint64_t page_up(uint64_t v)
{
	return v > UINT64_MAX - PAGE ? UINT64_MAX : page_down(v + PAGE - 1);
}

/* Whether [start, start + size), to whole pages, holds v. */
static bool pages_hold(uint64_t start, uint64_t size, uint64_t v)
{
	uint64_t end = start + size < start ? UINT64_MAX : page_up(start + size);

	return v >= page_down(start) && v < end;
}

/* The code segment that the image has at a link-time address, NULL for none. */
static const struct elf_segment *code_at(const struct symbol_image *image, uint64_t address)
{
	const struct elf_segment *s;

	vec_each(s, &image->segments)
		if (s->exec && pages_hold(s->vaddr, s->memsz, address))
			return s;
	return NULL;
}

/* The code segment that a mapping of that length is all of, if there is just one such. */
static const struct elf_segment *code_of_length(const struct symbol_image *image, uint64_t length)
{
	const struct elf_segment *s, *found = NULL;

	vec_each(s, &image->segments) {
		if (!s->exec ||
		    page_up(s->vaddr + s->memsz) - page_down(s->vaddr) != page_up(length))
			continue;
		if (found)
			return NULL;
		found = s;
	}
	return found;
}

static uint64_t lowest_vaddr(const struct symbol_image *image)
{
	const struct elf_segment *s;
	uint64_t lowest = UINT64_MAX;

	vec_each(s, &image->segments)
		if (s->vaddr < lowest)
			lowest = s->vaddr;
	return page_down(lowest);
}

static uint64_t highest_vaddr(const struct symbol_image *image)
{
	const struct elf_segment *s;
	uint64_t highest = 0;

	vec_each(s, &image->segments)
		if (s->vaddr + s->memsz > highest)
			highest = s->vaddr + s->memsz;
	return page_up(highest);
}

/* The segment that holds a place in the file: the code that has it, has its page, any that has it.
 */
static const struct elf_segment *segment_of_offset(const struct symbol_image *image,
						   uint64_t offset)
{
	const struct elf_segment *s, *near = NULL, *other = NULL;

	vec_each(s, &image->segments) {
		if (s->exec && offset >= s->offset && offset - s->offset < s->filesz)
			return s;
		if (!pages_hold(s->offset, s->filesz, offset))
			continue;
		if (s->exec && !near)
			near = s;
		if (!other)
			other = s;
	}
	return near ? near : other;
}

/* Into a mapping whose start says nothing but where it is. */
static uint64_t by_start(const struct symbol_image *image, uint64_t start, uint64_t length,
			 uint64_t runtime)
{
	uint64_t into = runtime - start, lowest = lowest_vaddr(image);
	const struct elf_segment *s = length ? code_of_length(image, length) : NULL;

	if (image->elf_type == ET_EXEC && code_at(image, runtime))
		return runtime;
	if (s)
		return into + page_down(s->vaddr);
	if (page_up(length) == highest_vaddr(image) - lowest)
		return into + lowest;
	vec_each(s, &image->segments) {
		uint64_t address = into + page_down(s->vaddr);

		if (s->exec && code_at(image, address) == s)
			return address;
	}
	return into + lowest;
}

/*
 * By the file offset, where the file at hand is a separate debug file with offsets of its own.
 * Linkers put code at offsets equal to its distance from the lowest address, or lower ones.
 */
static uint64_t by_lost_offset(const struct symbol_image *image, uint64_t start, uint64_t length,
			       uint64_t offset, uint64_t runtime)
{
	uint64_t address = runtime - start + offset + lowest_vaddr(image);

	if (!code_of_length(image, length) && code_at(image, address))
		return address;
	return by_start(image, start, length, runtime);
}

/* How far the kernel was moved: log writers take _stext or _text for its start. */
static uint64_t kernel_slide(const struct symbol_image *image, uint64_t start)
{
	uint64_t a = image->text ? start - image->text : UINT64_MAX;
	uint64_t b = image->stext ? start - image->stext : UINT64_MAX;

	if (!start)
		return 0;
	/* It is moved by large powers of two: the rounder distance is the right one. */
	if (!a || !b)
		return 0;
	a = __builtin_ctzll(a) > __builtin_ctzll(b) ? a : b;
	return a % PAGE ? 0 : a;
}

uint64_t symbol_image_address(const struct symbol_image *image, uint64_t start, uint64_t length,
			      bool has_file_offset, uint64_t file_offset, uint64_t runtime)
{
	uint64_t offset = runtime - start + (has_file_offset ? file_offset : 0);
	const struct elf_segment *s;

	switch (image->kind) {
	case IMAGE_RUNTIME: return runtime;
	case IMAGE_VMLINUX: return runtime - kernel_slide(image, start);
	case IMAGE_MODULE: return runtime - start;
	case IMAGE_UNKNOWN: return image->kernel ? runtime : offset;
	case IMAGE_MAPPED: break;
	}
	if (!image->segments.n)
		return offset;
	if (!has_file_offset)
		return by_start(image, start, length, runtime);
	if (image->offsets_lost)
		return by_lost_offset(image, start, length, file_offset, runtime);
	s = segment_of_offset(image, offset);
	return s ? offset - s->offset + s->vaddr : by_start(image, start, length, runtime);
}

bool symbol_image_span(const struct symbol_image *image, uint64_t *start, uint64_t *end)
{
	const struct elf_segment *s;
	bool any = false;

	*start = UINT64_MAX;
	*end = 0;
	vec_each(s, &image->segments) {
		if (!s->exec)
			continue;
		any = true;
		if (s->vaddr < *start)
			*start = s->vaddr;
		if (s->vaddr + s->memsz > *end)
			*end = s->vaddr + s->memsz;
	}
	return any;
}

bool symbol_image_segment(const struct symbol_image *image, uint32_t n, struct symbol_segment *out)
{
	const struct elf_segment *s;

	if (image->kind != IMAGE_MAPPED)
		return false;
	vec_each(s, &image->segments) {
		if (!s->exec || n--)
			continue;
		*out = (struct symbol_segment){s->vaddr, s->memsz, s->offset};
		return true;
	}
	return false;
}

bool symbol_image_program(const struct symbol_image *image, struct symbol_program *out)
{
	struct symbol_segment first;

	if (!symbol_image_segment(image, 0, &first))
		return false;
	*out = (struct symbol_program){.is_fixed = image->elf_type == ET_EXEC,
				       .entry = image->entry,
				       .lowest = lowest_vaddr(image),
				       .linker = image->linker};
	return true;
}

bool symbol_image_file_offset(const struct symbol_image *image, uint64_t address, uint64_t *offset)
{
	const struct elf_segment *s;

	vec_each(s, &image->segments) {
		if (!s->exec || address < s->vaddr || address - s->vaddr >= s->filesz)
			continue;
		*offset = s->offset + (address - s->vaddr);
		return !image->offsets_lost;
	}
	return false;
}
