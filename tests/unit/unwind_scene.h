/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Writes CFI by hand, makes an image of it, and walks through that from registers and a stack.
 */
#ifndef UNWIND_SCENE_H
#define UNWIND_SCENE_H

#include "base/dwarf_constants.h"
#include "unit.h"
#include "unwind/unwind_int.h"
#include "unwind_elf.h"

#define TEXT UNWIND_ELF_TEXT
#define BIAS UINT64_C(0x400000)
#define SP   UINT64_C(0x7ffe0000)

enum { FRAMES = 64 };

/* ---- CFI, as it is written. */

struct cfi {
	uint8_t b[32768];
	size_t n, cie;
};

static inline void put(struct cfi *c, uint64_t v, size_t n)
{
	memcpy(c->b + c->n, &v, n);
	c->n += n;
}

/* Instructions, which end with the list's last byte; padded, and the length at start is filled. */
static inline void entry_end(struct cfi *c, size_t start, const uint8_t *code, size_t n)
{
	uint32_t length;

	memcpy(c->b + c->n, code, n);
	c->n += n;
	while ((c->n - start) % 8 != 4)
		c->b[c->n++] = DW_CFA_nop;
	length = (uint32_t)(c->n - start - 4);
	memcpy(c->b + start, &length, 4);
}

/* A CIE with pc-relative addresses of four bytes. */
static inline void cie(struct cfi *c, const char *letters, uint8_t code, int8_t data, uint8_t ra,
		       const uint8_t *ins, size_t n)
{
	c->cie = c->n;
	put(c, 0, 8);
	put(c, 1, 1);
	memcpy(c->b + c->n, letters, strlen(letters) + 1);
	c->n += strlen(letters) + 1;
	put(c, code, 1);
	put(c, (uint8_t)data & 0x7f, 1);
	put(c, ra, 1);
	put(c, 1, 1);
	put(c, DW_EH_PE_pcrel | DW_EH_PE_sdata4, 1);
	entry_end(c, c->cie, ins, n);
}

static inline void fde(struct cfi *c, uint64_t at, uint32_t length, const uint8_t *ins, size_t n)
{
	size_t start = c->n;

	put(c, 0, 4);
	put(c, c->n - c->cie, 4);
	put(c, TEXT + at - (UNWIND_ELF_CFI + c->n), 4);
	put(c, length, 4);
	put(c, 0, 1);
	entry_end(c, start, ins, n);
}

#define BYTES(...) (const uint8_t[]){__VA_ARGS__}, sizeof((const uint8_t[]){__VA_ARGS__})

/* What begins every function of x86-64: CFA = rsp + 8, return address at CFA - 8. */
static inline void cie_x86_64(struct cfi *c, const char *letters)
{
	cie(c, letters, 1, -8, 16, BYTES(DW_CFA_def_cfa, 7, 8, DW_CFA_offset | 16, 1));
}

static inline void cie_arm64(struct cfi *c)
{
	cie(c, "zR", 4, -8, 30, BYTES(DW_CFA_def_cfa, 31, 0));
}

/* Two functions, at 0x00 and 0x100, and one at 0x200 that has no caller. */
static inline void functions(struct cfi *c)
{
	*c = (struct cfi){0};
	cie_x86_64(c, "zR");
	/* push %rbx at 0; 1 */
	fde(c, 0, 0x100,
	    BYTES(DW_CFA_advance_loc | 1, DW_CFA_def_cfa_offset, 16, DW_CFA_offset | 3, 2,
		  DW_CFA_advance_loc | 0x20, DW_CFA_remember_state, DW_CFA_restore | 3,
		  DW_CFA_def_cfa_offset, 8, DW_CFA_advance_loc | 1, DW_CFA_restore_state));
	/* A frame by rbp from 0x104 on; popped at 0x1f0, as GCC leaves it. */
	fde(c, 0x100, 0x100,
	    BYTES(DW_CFA_advance_loc | 1, DW_CFA_def_cfa_offset, 16, DW_CFA_offset | 6, 2,
		  DW_CFA_advance_loc | 3, DW_CFA_def_cfa_register, 6, DW_CFA_advance_loc1, 0xec,
		  DW_CFA_def_cfa, 7, 8));
	fde(c, 0x200, 0x100, BYTES(DW_CFA_undefined, 16));
}

/* ---- Images and chains. */

/* What nobody calls: makecontext(3)'s function, and Go's goexit() behind its first instruction. */
enum { CONTEXT = 0xe08, GOEXIT_X86_64 = 0xe29, GOEXIT_ARM64 = 0xe2c };

/* Text whose every 16th byte follows a call: of x86 (E8), or of arm64 (BL). */
static inline const uint8_t *text_of(enum unwind_machine machine)
{
	static uint8_t text[0x1000];
	size_t i;

	memset(text, 0x90, sizeof(text));
	for (i = 0; i < sizeof(text); i += 16)
		if (machine == UNWIND_ARM64)
			memcpy(text + i + 12, "\0\0\0\x94", 4);
		else
			memcpy(text + i + 11, "\xe8\0\0\0\0", 5);
	if (machine == UNWIND_ARM64) {
		memcpy(text + GOEXIT_ARM64 - 4, "\xe0\3\0\xaa\1\0\0\x94\0\0\0", 12);
	} else {
		memcpy(text + CONTEXT, "\x48\x89\xdc\x48\x8b\x3c\x24\x48\x85\xff", 10);
		memcpy(text + GOEXIT_X86_64 - 1, "\x90\xe8\1\2\3\4\x90\xcc", 8);
	}
	return text;
}

static inline struct unwind_image *image_of(const struct cfi *c, enum unwind_machine machine,
					    bool debug)
{
	struct unwind_elf elf;

	unwind_elf_init(&elf, machine);
	elf.cfi = c->b;
	elf.cfi_length = c->n;
	elf.debug = debug;
	elf.text = text_of(machine);
	elf.text_length = 0x1000;
	return unwind_elf_image(&elf);
}

struct scene {
	struct unwind_image *image;
	enum unwind_code code; /* of what is not in the image */
	uint64_t stack[128];
	size_t words;
	struct unwind_regs regs;
	struct unwind_frame frames[FRAMES];
	struct unwind_job job;
	enum unwind_end end;
	unsigned int resolved;
};

static inline void resolve(void *arg, uint64_t address, struct unwind_place *place)
{
	struct scene *s = arg;

	s->resolved++;
	/* All of the file, as if mapped before its other segments were. */
	if (address >= BIAS + TEXT && address < BIAS + UNWIND_ELF_CFI + 0x1000)
		*place = (struct unwind_place){BIAS + TEXT, BIAS + UNWIND_ELF_CFI + 0x1000, BIAS,
					       s->image, UNWIND_CODE_FILE};
	else if (address >> 20 == 0x90)
		*place = (struct unwind_place){0x9000000, 0x9100000, 0, NULL, s->code};
}

static inline void scene(struct scene *s, const struct cfi *c, enum unwind_machine machine)
{
	*s = (struct scene){.image = image_of(c, machine, false)};
	s->regs.known = UINT64_MAX;
	s->regs.reg[machine == UNWIND_X86_64 ? UNWIND_X86_64_RSP : UNWIND_ARM64_SP] = SP;
	s->job = (struct unwind_job){.machine = machine,
				     .regs = &s->regs,
				     .window = {SP, (const uint8_t *)s->stack, 0},
				     .resolve = resolve,
				     .resolve_arg = s,
				     .frames = s->frames,
				     .max = FRAMES};
	CHECK(s->image);
}

/* Words of the stack from the stack pointer on. */
#define STACK(s, ...)                                                 \
	do {                                                          \
		const uint64_t stack_words[] = {__VA_ARGS__};         \
		memcpy((s)->stack, stack_words, sizeof(stack_words)); \
		(s)->words = sizeof(stack_words) / sizeof(uint64_t);  \
	} while (0)

/* The chain from pc, an address in text, as texts: "pc how cfa ..." */
static inline size_t walk(struct scene *s, uint64_t at)
{
	s->regs.pc = BIAS + TEXT + at;
	s->job.window.length = s->words * 8;
	return unwind_chain(&s->job, &s->end);
}

#define RA(at) (BIAS + TEXT + (at))

#endif
