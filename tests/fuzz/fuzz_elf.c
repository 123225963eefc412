// SPDX-License-Identifier: BSD-2-Clause
/* Any bytes as an ELF file: opened, mapped, and looked up in, also at the ends of all symbols. */
#include "symbol/image.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { LOOKUPS = 4096 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct symbol_config config = {.fsroot = "/nonexistent"};
	struct symbol_store *store = symbol_store_new(&config, NULL);
	struct symbol_image *image;
	uint64_t start = 0, end = 0;
	struct symbol s;
	size_t i;

	if (!store)
		return 0;
	image = symbolint_image_of_memory(store, "input", data, size);
	if (image) {
		if (symbol_image_span(image, &start, &end))
			symbol_image_address(image, start, end - start, false, 0, end - 1);
		symbol_image_address(image, 0x1000, 0x1000, true, 0x1000, 0x1100);
		symbol_image_address(image, 0x1000, 0, false, 0, 0x1100);
		symbol_find(image, start, &s);
		for (i = 0; i < LOOKUPS && start + i < end; i++)
			symbol_find_unnamed(image, start + i, &s);
		for (i = 0; i < image->symtab.syms.n && i < LOOKUPS; i++) {
			const struct symtab_sym *sym = &image->symtab.syms.v[i];

			symbol_find(image, sym->start, &s);
			symbol_find(image, sym->start + sym->size - 1, &s);
			symbol_find(image, sym->start + sym->size, &s);
		}
	}
	symbol_store_free(store);
	return 0;
}
