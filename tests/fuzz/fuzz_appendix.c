// SPDX-License-Identifier: BSD-2-Clause
/* Any bytes as blocks of the appendix: an excerpt of an image, opened, and asked at the ends of all
 * that is in it; and the lines of a source file. */
#include "callgraph/model/packed_source.h"
#include "symbol/excerpt.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { LOOKUPS = 256 };

static void ask(struct symbol_image *image, uint64_t address)
{
	struct symbol_frame frames[SYMBOL_MAX_FRAMES];
	uint8_t code[64];
	struct symbol s;

	if (!symbol_find(image, address, &s))
		symbol_find_unnamed(image, address, &s);
	symbol_frames(image, address, frames);
	symbol_image_code(image, address, code, sizeof(code));
}

static void ask_all(struct symbol_image *image, const struct excerpt *x)
{
	uint64_t start, end;
	size_t i;

	if (symbol_image_span(image, &start, &end))
		symbol_image_address(image, start, end - start, false, 0, end - 1);
	symbol_image_address(image, 0x1000, 0x1000, true, 0x1000, 0x1100);
	for (i = 0; i < LOOKUPS; i++) {
		ask(image, i < image->symtab.syms.n ? image->symtab.syms.v[i].start : i);
		if (i < x->unnamed.n)
			ask(image, x->unnamed.v[i].to - 1);
		if (i < x->places.n)
			ask(image, x->places.v[i].at.to - 1);
		if (i < x->code.n)
			ask(image, x->code.v[i].at.to - 1);
	}
}

static void read_source(const uint8_t *data, size_t size)
{
	const struct cg_packed_line *l;
	struct cg_packed_source s;
	uint8_t *copy = malloc(size + 1);

	if (!copy)
		return;
	if (size)
		memcpy(copy, data, size);
	if (cg_packed_source_read(&s, copy, size, NULL))
		return;
	vec_each(l, &s.lines)
		if (cg_packed_source_line(&s, l->line) != l->text)
			abort();
	cg_packed_source_fini(&s);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct symbol_config config = {.fsroot = "/nonexistent"};
	struct symbol_store *store = symbol_store_new(&config, NULL);
	uint8_t *copy = malloc(size + 1);
	struct symbol_image *image;

	read_source(data, size);
	if (copy && size)
		memcpy(copy, data, size);
	if (store && copy && !symbol_store_add_excerpt(store, copy, size, NULL)) {
		const struct excerpt *x = store->excerpts.v[0];
		struct symbol_ref ref = {.path = x->of.path,
					 .kernel = x->of.kernel,
					 .start = x->of.start,
					 .build_id = x->of.build_id,
					 .build_id_len = x->of.build_id_len};

		image = symbol_image_get(store, &ref);
		if (image)
			ask_all(image, x);
	} else if (!store) {
		free(copy);
	}
	symbol_store_free(store);
	return 0;
}
