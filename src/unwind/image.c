// SPDX-License-Identifier: BSD-2-Clause
/* What an ELF file says of its segments, and where its CFI is. */
#include <stdlib.h>

#include "unwind/unwind.h"

struct unwind_image *unwind_image_open(const char *name, int fd, struct err *err)
{
	(void)fd;
	err_set(err, EX_DATAERR, "%s: cannot be read yet", name);
	return NULL;
}

struct unwind_image *unwind_image_of_memory(const char *name, const void *bytes, size_t length,
					    struct err *err)
{
	(void)bytes;
	(void)length;
	err_set(err, EX_DATAERR, "%s: cannot be read yet", name);
	return NULL;
}

void unwind_image_free(struct unwind_image *image)
{
	(void)image;
}

enum unwind_machine unwind_image_machine(const struct unwind_image *image)
{
	(void)image;
	return UNWIND_NO_MACHINE;
}

const struct unwind_segment *unwind_image_segments(const struct unwind_image *image, size_t *n)
{
	(void)image;
	*n = 0;
	return NULL;
}

int unwind_image_bias(const struct unwind_image *image, uint64_t address, uint64_t offset,
		      uint64_t *bias)
{
	(void)image;
	(void)address;
	(void)offset;
	*bias = 0;
	return -1;
}

enum unwind_cfi unwind_image_cfi(struct unwind_image *image)
{
	(void)image;
	return UNWIND_CFI_NONE;
}

bool unwind_image_keeps_frame_pointer(struct unwind_image *image)
{
	(void)image;
	return false;
}

bool unwind_image_function(struct unwind_image *image, uint64_t vaddr, uint64_t *start,
			   uint64_t *end)
{
	(void)image;
	(void)vaddr;
	*start = *end = 0;
	return false;
}

size_t unwind_image_text(struct unwind_image *image, uint64_t vaddr, void *buf, size_t n)
{
	(void)image;
	(void)vaddr;
	(void)buf;
	(void)n;
	return 0;
}

bool unwind_image_rule(struct unwind_image *image, uint64_t vaddr, struct unwind_rule *rule)
{
	(void)image;
	(void)vaddr;
	*rule = (struct unwind_rule){0};
	return false;
}
