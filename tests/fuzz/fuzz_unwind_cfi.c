// SPDX-License-Identifier: BSD-2-Clause
/*
 * Any bytes as an ELF file with CFI: functions, rules and text all over its code.  Any bytes after
 * 'C', the kind of section and the machine: as that section alone, in a file that is sound.
 */
#include <stdlib.h>

#include "unwind/unwind.h"
#include "../unit/unwind_elf.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { LOOKUPS = 64 };

static void look(struct unwind_image *image, uint64_t vaddr)
{
	uint64_t start, end;
	struct unwind_rule rule;
	uint8_t text[16];

	if (unwind_image_function(image, vaddr, &start, &end) && (vaddr < start || vaddr >= end))
		__builtin_trap();
	if (!unwind_image_rule(image, vaddr, &rule) && rule.cfa != UNWIND_CFA_UNKNOWN)
		__builtin_trap();
	if (rule.cfa_reg >= UNWIND_REGS)
		__builtin_trap();
	if (unwind_image_text(image, vaddr, text, sizeof(text)) > sizeof(text))
		__builtin_trap();
}

static void walk(struct unwind_image *image)
{
	const struct unwind_segment *s;
	size_t n, i;
	uint64_t k, bias;

	unwind_image_cfi(image);
	unwind_image_keeps_frame_pointer(image);
	s = unwind_image_segments(image, &n);
	for (i = 0; i < n && i < 4; i++) {
		unwind_image_bias(image, 0x10000, s[i].offset, &bias);
		for (k = 0; k < LOOKUPS; k++)
			look(image, s[i].vaddr + s[i].length / LOOKUPS * k + k % 3);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct unwind_image *image;
	struct unwind_elf elf;

	if (size > 3 && data[0] == 'C') {
		unwind_elf_init(&elf, (enum unwind_machine)(1 + data[1] % 3));
		elf.debug = data[2] & 1;
		elf.cfi = data + 3;
		elf.cfi_length = size - 3;
		image = unwind_elf_image(&elf);
	} else {
		image = unwind_image_of_memory("input", data, size, NULL);
	}
	if (image)
		walk(image);
	unwind_image_free(image);
	return 0;
}
