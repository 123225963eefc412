// SPDX-License-Identifier: BSD-2-Clause
/* Images of a profile: which file a mapping is of. */
#include "callgraph/model/state.h"

static bool is_image(const struct cg_image *a, const struct cg_image *b)
{
	return a->path == b->path && a->kernel == b->kernel && a->jit_space == b->jit_space &&
	       a->start == b->start && a->length == b->length &&
	       a->device == b->device && a->inode == b->inode &&
	       a->build_id_len == b->build_id_len &&
	       !memcmp(a->build_id, b->build_id, a->build_id_len);
}

uint32_t cg_image_intern(struct cg_builder *b, const struct cg_image *image)
{
	struct table *t = &b->image_of_ref;
	uint32_t hash =
		hash_bytes(image->build_id, sizeof(image->build_id)) ^
		hash_u64((uintptr_t)image->path ^ image->start ^ (uint64_t)image->jit_space << 40);
	struct table_iter it;
	uint32_t i;

	for (i = table_first(t, hash, &it); i != TABLE_NONE; i = table_next(t, &it))
		if (is_image(&b->p.images.v[i], image)) {
			if (image->pids[1])
				b->p.images.v[i].pids[1] = image->pids[1];
			return i;
		}
	if (vec_push(&b->p.images, *image) || table_insert(t, hash, (uint32_t)(b->p.images.n - 1)))
		return CG_NONE;
	return (uint32_t)(b->p.images.n - 1);
}

struct symbol_store *cg_symbol_store(struct cg_builder *b)
{
	if (!b->p.store)
		b->p.store = symbol_store_new(&b->symbols, NULL);
	return b->p.store;
}

struct symbol_image *cg_image_symbols(struct cg_builder *b, struct cg_image *image)
{
	struct symbol_ref ref = {.path = image->path,
				 .build_id = image->build_id,
				 .build_id_len = image->build_id_len,
				 .device = image->device,
				 .inode = image->inode,
				 .mapped = image->mapped,
				 .pids = image->pids,
				 .kernel = image->kernel,
				 .start = image->start,
				 .length = image->length};

	if (!image->symbols && cg_symbol_store(b))
		image->symbols = symbol_image_get(b->p.store, &ref);
	return image->symbols;
}
