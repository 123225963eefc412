// SPDX-License-Identifier: BSD-2-Clause
/* Functions that no symbol covers: their bounds by the unwind data, which stripping leaves. */
#include <inttypes.h>
#include <stdio.h>

#include "symbol/image.h"
#include "unwind/unwind.h"

/* Opens the unwind data of the image's file; NULL: there is none that can be read. */
static struct unwind_image *open_unwind(const struct symbol_image *image)
{
	struct unwind_image *unwind;
	struct elf_file f;

	/* Debug files have no unwind data that is at its place, kernels have theirs elsewhere. */
	if (image->kind != IMAGE_MAPPED || image->offsets_lost || image_reopen(image, &f, NULL))
		return NULL;
	unwind = f.mem ? unwind_image_of_memory(f.path, f.mem, f.size, NULL)
		       : unwind_image_open(f.path, f.fd, NULL);
	elf_file_close(&f);
	return unwind;
}

bool symbol_find_unnamed(struct symbol_image *image, uint64_t address, struct symbol *out)
{
	const char *base = strrchr(image->path, '/');
	char name[NAME_MAX + 32];

	if (!image->unwind_tried)
		image->unwind = open_unwind(image);
	image->unwind_tried = true;
	if (image->excerpt
		    ? !excerpt_unnamed(image->excerpt, address, &out->start, &out->end)
		    : !image->unwind || !unwind_image_function(image->unwind, address, &out->start,
							       &out->end))
		return false;
	snprintf(name, sizeof(name), "%.*s+0x%" PRIx64 "..", NAME_MAX,
		 base ? base + 1 : image->path, out->start);
	out->name = symbol_shown_name(image->store, name, "");
	return out->name;
}
