// SPDX-License-Identifier: BSD-2-Clause
/* The reader of src/symbol/dwarf/: it reads a unit when an address in it is looked up. */
#include "bench/dwarf_peer.h"
#include "symbol/symbol.h"

enum { STEP = 16 }; /* bytes from one address to the next */

static struct symbol_store *store;
static struct symbol_image *image;

bool peer_open(const char *path)
{
	static const struct symbol_config config = {.no_demangle = true};

	store = symbol_store_new(&config, NULL);
	image = store ? symbol_image_get(store, &(struct symbol_ref){.path = path}) : NULL;
	return image != NULL;
}

struct peer_found peer_read(void)
{
	struct symbol_frame frames[SYMBOL_MAX_FRAMES];
	struct peer_found found = {0};
	uint64_t at, end;

	if (!symbol_image_span(image, &at, &end))
		return (struct peer_found){.failed = true};
	for (; at < end; at += STEP)
		found.entries += symbol_frames(image, at, frames);
	found.failed = *symbol_image_lines_problem(image) != '\0';
	return found;
}

void peer_close(void)
{
	symbol_store_free(store);
}
