// SPDX-License-Identifier: BSD-2-Clause
/* Source places of addresses, and the code at them. */
#include "symbol/image.h"

uint32_t symbol_frames(struct symbol_image *image, uint64_t address,
		       struct symbol_frame frames[SYMBOL_MAX_FRAMES])
{
	(void)image;
	(void)address;
	(void)frames;
	return 0;
}

const char *symbol_image_lines_problem(const struct symbol_image *image)
{
	(void)image;
	return "";
}

size_t symbol_image_code(struct symbol_image *image, uint64_t address, void *buf, size_t len)
{
	(void)image;
	(void)address;
	(void)buf;
	(void)len;
	return 0;
}
