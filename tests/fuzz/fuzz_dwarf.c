// SPDX-License-Identifier: BSD-2-Clause
/* Any bytes as an ELF file with debug information: source places all over its code. */
#include "symbol/image.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { LOOKUPS = 256 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct symbol_config config = {.fsroot = "/nonexistent"};
	struct symbol_store *store = symbol_store_new(&config, NULL);
	struct symbol_frame frames[SYMBOL_MAX_FRAMES];
	struct symbol_image *image;
	uint64_t start = 0, end = 0;
	uint8_t code[64];
	uint32_t i, k, n;

	if (!store)
		return 0;
	image = symbolint_image_of_memory(store, "input", data, size);
	if (image && !symbol_image_span(image, &start, &end))
		end = 0x1000;
	for (i = 0; image && i < LOOKUPS; i++) {
		uint64_t at = start + (end - start) / LOOKUPS * i + i % 7;

		n = symbol_frames(image, at, frames);
		for (k = 0; k < n; k++)
			if (frames[k].file && !*frames[k].file)
				__builtin_trap();
		symbol_image_code(image, at, code, sizeof(code));
	}
	if (image)
		symbol_image_lines_problem(image);
	symbol_store_free(store);
	return 0;
}
