// SPDX-License-Identifier: BSD-2-Clause
/*
 * What code says: whether a call ends at an address, what returns from signal handlers, and what
 * nobody called.
 */
#include <stdlib.h>
#include <string.h>

#include "unwind/unwind_int.h"

enum { PAGES = 16, PAGE = 4096 };

/* Text of an image, by the lowest bits of the page's number in the file. */
struct unwindint_pages {
	struct {
		uint64_t number; /* 0: none, else number + 1 */
		size_t n;	 /* bytes that could be read */
		uint8_t bytes[PAGE];
	} page[PAGES];
};

void unwindint_pages_free(struct unwind_image *image)
{
	free(image->pages);
}

/* Bytes of one page of the file: how many there are. */
static size_t page_read(struct unwind_image *image, uint64_t offset, uint8_t *buf, size_t n)
{
	uint64_t number = offset / PAGE;
	size_t from = offset % PAGE, i = number % PAGES;

	if (image->mem)
		return unwindint_read(image, offset, buf, n);
	if (!image->pages && !(image->pages = calloc(1, sizeof(*image->pages))))
		return 0;
	if (image->pages->page[i].number != number + 1) {
		image->pages->page[i].number = number + 1;
		image->pages->page[i].n =
			unwindint_read(image, number * PAGE, image->pages->page[i].bytes, PAGE);
	}
	if (from >= image->pages->page[i].n)
		return 0;
	if (n > image->pages->page[i].n - from)
		n = image->pages->page[i].n - from;
	memcpy(buf, image->pages->page[i].bytes + from, n);
	return n;
}

/* The executable segment that vaddr is in; NULL: none. */
static const struct unwind_segment *segment_of(const struct unwind_image *image, uint64_t vaddr)
{
	const struct unwind_segment *s;

	vec_each(s, &image->exec) {
		if (vaddr - s->vaddr < s->length)
			return s;
	}
	return NULL;
}

bool unwindint_is_text(const struct unwind_image *image, uint64_t vaddr)
{
	return segment_of(image, vaddr) != NULL;
}

size_t unwind_image_text(struct unwind_image *image, uint64_t vaddr, void *buf, size_t n)
{
	const struct unwind_segment *s = segment_of(image, vaddr);
	size_t got = 0;

	if (!s)
		return 0;
	if (n > s->length - (vaddr - s->vaddr))
		n = (size_t)(s->length - (vaddr - s->vaddr));
	while (got < n) {
		uint64_t offset = s->offset + (vaddr - s->vaddr) + got;
		size_t want = PAGE - offset % PAGE, r;

		r = page_read(image, offset, (uint8_t *)buf + got, want < n - got ? want : n - got);
		if (!r)
			break;
		got += r;
	}
	return got;
}

/* Bytes of FF /2 with that operand: with what follows the byte that tells it, on both x86. */
static size_t indirect_length(uint8_t modrm, uint8_t sib)
{
	unsigned int mod = modrm >> 6, rm = modrm & 7;

	switch (mod) {
	case 0:
		if (rm == 5)
			return 6;
		return rm == 4 ? (sib & 7) == 5 ? 7 : 3 : 2;
	case 1: return rm == 4 ? 4 : 3;
	case 2: return rm == 4 ? 7 : 6;
	}
	return 2;
}

/* Direct: E8; indirect: FF /2, and FF /3 from memory; x86 alone: 9A.  Prefixes may come before. */
static bool is_call_x86(bool is64, const uint8_t *bytes, size_t n)
{
	const uint8_t *end = bytes + n;
	size_t length;

	if (n >= 5 && end[-5] == 0xe8)
		return true;
	if (n >= 7 && end[-7] == 0x9a && !is64)
		return true;
	for (length = 2; length <= 7 && length <= n; length++) {
		uint8_t modrm = end[-(ptrdiff_t)length + 1];
		uint8_t sib = length > 2 ? end[-(ptrdiff_t)length + 2] : 0;
		unsigned int op = modrm >> 3 & 7;

		if (end[-(ptrdiff_t)length] == 0xff && (op == 2 || (op == 3 && modrm >> 6 != 3)) &&
		    indirect_length(modrm, sib) == length)
			return true;
	}
	return false;
}

/* BL, BLR, and BLRAA and its kin. */
static bool is_call_arm64(const uint8_t *bytes, size_t n)
{
	struct dwarf_cursor c =
		dwarf_cursor((struct dwarf_bytes){bytes, n}, n < 4 ? n : n - 4, UNWINDINT_SWAP);
	uint32_t w = dwarf_u32(&c);

	return !c.bad && ((w & 0xfc000000) == 0x94000000 || (w & 0xfffffc1f) == 0xd63f0000 ||
			  (w & 0xfefff800) == 0xd63f0800);
}

bool unwindint_is_call(enum unwind_machine machine, const uint8_t *bytes, size_t n)
{
	if (machine == UNWIND_ARM64)
		return is_call_arm64(bytes, n);
	return is_call_x86(machine == UNWIND_X86_64, bytes, n);
}

enum { BR_X17 = 0xd61f0220, PUSH_X16_LR = 0xa9bf7bf0 };

/* What a stub has before its BR: BTI c, ADRP x16, LDR x17 from x16, ADD to x16, AUTIA1716, NOP. */
static bool is_of_plt_arm64(uint32_t w)
{
	return w == 0xd503245f || (w & 0x9f00001f) == 0x90000010 ||
	       (w & 0xffc003ff) == 0xf9400211 || (w & 0xffc003ff) == 0x91000210 ||
	       w == 0xd503219f || w == 0xd503201f;
}

static uint32_t instruction(struct unwind_image *image, uint64_t vaddr)
{
	uint8_t code[4];
	size_t n = unwind_image_text(image, vaddr, code, sizeof(code));
	struct dwarf_cursor c = dwarf_cursor((struct dwarf_bytes){code, n}, 0, UNWINDINT_SWAP);

	return dwarf_u32(&c);
}

bool unwindint_is_plt_arm64(struct unwind_image *image, uint64_t vaddr, unsigned int *pushed)
{
	uint32_t w = instruction(image, vaddr);
	unsigned int i;

	*pushed = 0;
	for (i = 1; i <= 5 && (is_of_plt_arm64(w) || w == PUSH_X16_LR); i++)
		w = instruction(image, vaddr + 4 * i);
	if (w != BR_X17)
		return false;
	/* The first stub, which all others come to when they are first called. */
	for (i = 1; i <= 4; i++) {
		w = instruction(image, vaddr - 4 * i);
		if (w == PUSH_X16_LR)
			*pushed = 16;
		if (!is_of_plt_arm64(w))
			break;
	}
	return true;
}

/* What calls rt_sigreturn(2) or sigreturn(2), and the layout that the kernel gives their frames. */
static const struct sigreturn {
	enum unwind_machine machine;
	uint8_t n;
	uint8_t code[9];
	struct unwindint_sigframe frame;
} sigreturns[] = {
	/* mov $15, %rax; syscall */
	{UNWIND_X86_64,
	 9,
	 {0x48, 0xc7, 0xc0, 0x0f, 0, 0, 0, 0x0f, 0x05},
	 {.pc = 168, .sp = 160, .fp = 120}},
	/* mov $173, %eax; int $0x80 */
	{UNWIND_X86, 7, {0xb8, 0xad, 0, 0, 0, 0xcd, 0x80}, {.pc = 216, .sp = 188, .fp = 184}},
	/* pop %eax; mov $119, %eax; int $0x80 */
	{UNWIND_X86, 8, {0x58, 0xb8, 0x77, 0, 0, 0, 0xcd, 0x80}, {.pc = 60, .sp = 32, .fp = 28}},
	/* mov x8, #139; svc #0 */
	{UNWIND_ARM64,
	 8,
	 {0x68, 0x11, 0x80, 0xd2, 0x01, 0, 0, 0xd4},
	 {.pc = 568, .sp = 560, .fp = 544, .lr = 552}},
};

const struct unwindint_sigframe *unwindint_sigframe(struct unwind_image *image, uint64_t vaddr)
{
	uint8_t code[sizeof(sigreturns[0].code)];
	size_t i, n = unwind_image_text(image, vaddr, code, sizeof(code));

	for (i = 0; i < sizeof(sigreturns) / sizeof(sigreturns[0]); i++)
		if (sigreturns[i].machine == image->machine && n >= sigreturns[i].n &&
		    !memcmp(code, sigreturns[i].code, sigreturns[i].n))
			return &sigreturns[i].frame;
	return NULL;
}

/* What the first function of a context or thread returns to, as if that had called it. */
static const struct beginning {
	enum unwind_machine machine;
	uint8_t before; /* bytes of it that come before the return address */
	uint8_t n;
	uint8_t code[12];
	uint16_t any; /* bit i: byte i may be another */
} beginnings[] = {
	/* makecontext(3): mov %rbx, %rsp; mov (%rsp), %rdi; test %rdi, %rdi */
	{UNWIND_X86_64, 0, 10, {0x48, 0x89, 0xdc, 0x48, 0x8b, 0x3c, 0x24, 0x48, 0x85, 0xff}, 0},
	/* makecontext(3): lea (%esp,%ebx,4), %esp; cmpl $0, (%esp) */
	{UNWIND_X86, 0, 7, {0x8d, 0x24, 0x9c, 0x83, 0x3c, 0x24, 0}, 0},
	/* Go's goexit(): nop; call; nop; int3 */
	{UNWIND_X86_64, 1, 8, {0x90, 0xe8, 0, 0, 0, 0, 0x90, 0xcc}, 0x3c},
	{UNWIND_X86, 1, 8, {0x90, 0xe8, 0, 0, 0, 0, 0x90, 0xcc}, 0x3c},
	/* mov x0, x0; bl; udf */
	{UNWIND_ARM64, 4, 12, {0xe0, 0x03, 0, 0xaa, 0, 0, 0, 0x94, 0, 0, 0, 0}, 0x70},
};

static bool begins_with(const struct beginning *b, const uint8_t *code)
{
	size_t i;

	for (i = 0; i < b->n; i++)
		if (!(b->any >> i & 1) && code[i] != b->code[i])
			return false;
	return true;
}

bool unwindint_is_beginning(struct unwind_image *image, uint64_t vaddr)
{
	uint8_t code[sizeof(beginnings[0].code)];
	const struct beginning *b;
	size_t i;

	for (i = 0; i < sizeof(beginnings) / sizeof(beginnings[0]); i++) {
		b = &beginnings[i];
		if (b->machine == image->machine && vaddr >= b->before &&
		    unwind_image_text(image, vaddr - b->before, code, b->n) == b->n &&
		    begins_with(b, code))
			return true;
	}
	return false;
}
