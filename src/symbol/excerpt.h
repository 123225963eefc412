/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * An excerpt of an image: what it answers for some of its functions, as bytes and read again.
 *
 * The bytes are unsigned LEB128 numbers but where it says otherwise, in this order: the version;
 * the length of the texts and the texts, each with a NUL behind it, the first one empty (further
 * on a text is the number of bytes before it); path, kernel, start and build-id of the mapping,
 * bytes being preceded by their number; the facts of the image as in excerpt.c, file_facts(); its
 * segments; symbols, ranges, bounds without a name, places in the source, code, each with how many
 * there are before them.
 */
#ifndef SYMBOL_EXCERPT_H
#define SYMBOL_EXCERPT_H

#include "symbol/image.h"

enum { EXCERPT_VERSION = 1 };

/* Of a function, of code, or of a place in the source; sorted, they do not overlap. */
struct excerpt_bounds {
	uint64_t from, to;
};

/* Frames from first on, innermost first. */
struct excerpt_place {
	struct excerpt_bounds at;
	uint32_t first, frames;
};

/* Texts; 0: not known. */
struct excerpt_frame {
	uint32_t function, file, line;
};

struct excerpt_code {
	struct excerpt_bounds at;
	const uint8_t *bytes;
};

/* As it is read: names as the object has them. */
struct excerpt {
	uint8_t *bytes;		/* own; the texts and the code are in them */
	struct symbol_image of; /* what it says of the image */
	const char *texts, *problem, *lines_problem;
	size_t texts_len;
	VEC(struct excerpt_bounds) unnamed;
	VEC(struct excerpt_place) places;
	VEC(struct excerpt_frame) frames;
	VEC(struct excerpt_code) code;
};

/* The excerpt of an image that is about to be opened; NULL: none. */
const struct excerpt *excerpt_find(const struct symbol_store *store,
				   const struct symbol_image *image);

/* Opens an image by its excerpt.  0, or -1 when out of memory. */
int excerpt_open(struct symbol_image *image, const struct excerpt *x);

/* The answers of an image that was opened by one, as symbol.h has them; image.h has another. */
uint32_t excerpt_frames(struct symbol_image *image, uint64_t address,
			struct symbol_frame frames[SYMBOL_MAX_FRAMES]);
size_t excerpt_code(const struct excerpt *x, uint64_t address, void *buf, size_t len);

void excerpt_free(struct excerpt *x);

#endif
