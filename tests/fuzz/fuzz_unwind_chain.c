// SPDX-License-Identifier: BSD-2-Clause
/*
 * Hostile registers, stack and CFI: the first byte is the machine, the second how many of the rest
 * are CFI (in units of 1/256); what is left are registers, then the stack.  No chain may have a
 * return address without a call before it.
 */
#include <stdlib.h>

#include "unwind/unwind.h"
#include "../unit/unwind_elf.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { FRAMES = 200, TEXT = 1024 };

#define BASE  UINT64_C(0x400000) /* of the image */
#define JIT   UINT64_C(0x800000)
#define STACK UINT64_C(0x7f0000)

static void resolve(void *arg, uint64_t address, struct unwind_place *place)
{
	if (address - BASE < UNWIND_ELF_TEXT_MAX + UNWIND_ELF_TEXT) {
		*place = (struct unwind_place){BASE, BASE + UNWIND_ELF_TEXT + UNWIND_ELF_TEXT_MAX,
					       BASE, arg, UNWIND_CODE_FILE};
	} else if (address - JIT < 4096) {
		*place = (struct unwind_place){JIT, JIT + 4096, 0, NULL, UNWIND_CODE_JIT};
	}
}

/* What is small becomes an address in text, JIT code or stack: else hardly any would be one. */
static uint64_t aimed(uint64_t v)
{
	switch (v >> 14 & 3) {
	case 0: return BASE + UNWIND_ELF_TEXT + (v & 0x3ff);
	case 1: return JIT + (v & 0xfff);
	case 2: return STACK + (v & 0x7f8);
	}
	return v;
}

static void check(const struct unwind_job *job, size_t n, enum unwind_end end)
{
	size_t i;

	if (!n || n > job->max || end >= UNWIND_ENDS || (end == UNWIND_DEPTH && n != job->max))
		__builtin_trap();
	for (i = 1; i < n; i++) {
		const struct unwind_frame *f = &job->frames[i];
		uint64_t at = f->pc - BASE - UNWIND_ELF_TEXT;

		if (!f->pc || f->how >= UNWIND_HOWS)
			__builtin_trap();
		/* Where text has calls. */
		if (!f->exact && !f->unread &&
		    (at > TEXT ||
		     !((at & 15) == 8 || ((at & 15) == 4 && job->machine == UNWIND_ARM64))))
			__builtin_trap();
	}
}

/* Registers of two bytes each, then a stack of two bytes for a word; every fourth word is real. */
static void chain(struct unwind_image *image, const uint8_t *data, size_t size)
{
	struct unwind_frame frames[FRAMES];
	struct unwind_regs regs = {.known = UINT64_MAX};
	uint64_t stack[256];
	struct unwind_job job = {.machine = unwind_image_machine(image),
				 .regs = &regs,
				 .window = {STACK, (const uint8_t *)stack, 0},
				 .resolve = resolve,
				 .resolve_arg = image,
				 .frames = frames,
				 .max = FRAMES};
	enum unwind_end end;
	size_t i, n = size / 2;

	for (i = 0; i < n && i < UNWIND_REGS + 1; i++) {
		uint64_t v = aimed(data[2 * i] | (uint64_t)data[2 * i + 1] << 8);

		if (i)
			regs.reg[i - 1] = v;
		else
			regs.pc = v;
	}
	regs.reg[UNWIND_X86_64_RSP] = regs.reg[UNWIND_ARM64_SP] = regs.reg[UNWIND_X86_ESP] = STACK;
	for (; i < n && job.window.length < sizeof(stack); i++, job.window.length += 8)
		stack[job.window.length / 8] = aimed(data[2 * i] | (uint64_t)data[2 * i + 1] << 8);
	/* Its upper half as that of what a signal interrupted. */
	if (n & 2 && job.window.length > sizeof(stack) / 2) {
		job.interrupted = (struct unwind_window){
			.address = STACK + sizeof(stack) / 2,
			.bytes = job.window.bytes + sizeof(stack) / 2,
			.length = job.window.length - sizeof(stack) / 2};
		job.window.length = sizeof(stack) / 2;
	}
	job.cache = n & 1 ? unwind_cache_new() : NULL;
	n = unwind_chain(&job, &end);
	check(&job, n, end);
	/* A full cache says the same as an empty one. */
	if (job.cache && (unwind_chain(&job, &end) != n))
		__builtin_trap();
	unwind_cache_free(job.cache);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct unwind_image *image;
	struct unwind_elf elf;
	size_t cfi;
	uint8_t text[TEXT];
	size_t i;

	if (size < 3)
		return 0;
	unwind_elf_init(&elf, (enum unwind_machine)(1 + data[0] % 3));
	cfi = (size - 2) * data[1] / 256;
	elf.cfi = data + 2;
	elf.cfi_length = cfi;
	/* Every other 8 bytes end with a call. */
	memset(text, 0x90, sizeof(text));
	for (i = 0; i + 8 <= sizeof(text); i += 16)
		memcpy(text + i,
		       elf.machine == UNWIND_ARM64 ? "\0\0\0\x94\0\0\0\x94"
						   : "\x90\x90\x90\xe8\0\0\0\0",
		       8);
	elf.text = text;
	elf.text_length = sizeof(text);
	image = unwind_elf_image(&elf);
	if (image)
		chain(image, data + 2 + cfi, size - 2 - cfi);
	unwind_image_free(image);
	return 0;
}
