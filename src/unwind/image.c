// SPDX-License-Identifier: BSD-2-Clause
/* Images: opened, asked for their segments, closed. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "unwind/unwind_int.h"

enum { PAGE_MAX = 65536 };

static int segment_order(const void *a, const void *b)
{
	const struct unwind_segment *x = a, *y = b;

	return (x->offset > y->offset) - (x->offset < y->offset);
}

/* Takes fd and mem. */
static struct unwind_image *image_new(const char *name, int fd, uint8_t *mem, uint64_t size,
				      struct err *err)
{
	struct unwind_image *image = calloc(1, sizeof(*image));

	if (!image) {
		if (fd >= 0)
			close(fd);
		free(mem);
		err_nomem(err);
		return NULL;
	}
	image->fd = fd;
	image->mem = mem;
	image->size = size;
	image->keeps_fp = -1;
	if (unwindint_headers_read(image, name, err)) {
		unwind_image_free(image);
		return NULL;
	}
	if (image->exec.n)
		qsort(image->exec.v, image->exec.n, sizeof(image->exec.v[0]), segment_order);
	return image;
}

struct unwind_image *unwind_image_open(const char *name, int fd, struct err *err)
{
	struct stat st;
	int own;

	if (fstat(fd, &st)) {
		err_set(err, EX_IOERR, "%s: %s", name, strerror(errno));
		return NULL;
	}
	if (!S_ISREG(st.st_mode)) {
		err_set(err, EX_DATAERR, "%s: no regular file", name);
		return NULL;
	}
	own = fcntl(fd, F_DUPFD_CLOEXEC, 0);
	if (own < 0) {
		err_set(err, EX_OSERR, "%s: %s", name, strerror(errno));
		return NULL;
	}
	return image_new(name, own, NULL, (uint64_t)st.st_size, err);
}

struct unwind_image *unwind_image_of_memory(const char *name, const void *bytes, size_t length,
					    struct err *err)
{
	uint8_t *copy = malloc(length ? length : 1);

	if (!copy) {
		err_nomem(err);
		return NULL;
	}
	if (length)
		memcpy(copy, bytes, length);
	return image_new(name, -1, copy, length, err);
}

void unwind_image_free(struct unwind_image *image)
{
	if (!image)
		return;
	unwindint_cfi_free(image);
	unwindint_pages_free(image);
	vec_free(&image->loads);
	vec_free(&image->exec);
	free(image->mem);
	if (image->fd >= 0)
		close(image->fd);
	free(image);
}

enum unwind_machine unwind_image_machine(const struct unwind_image *image)
{
	return image->machine;
}

const struct unwind_segment *unwind_image_segments(const struct unwind_image *image, size_t *n)
{
	*n = image->exec.n;
	return image->exec.v;
}

int unwind_image_bias(const struct unwind_image *image, uint64_t address, uint64_t offset,
		      uint64_t *bias)
{
	const struct unwind_segment *s;

	vec_each(s, &image->exec) {
		if (offset - s->offset < s->length)
			break;
	}
	/* Mappings begin at pages, segments need not. */
	if (s == image->exec.v + image->exec.n) {
		vec_each(s, &image->exec) {
			if (s->offset - offset < PAGE_MAX)
				break;
		}
	}
	if (s == image->exec.v + image->exec.n) {
		*bias = 0;
		return -1;
	}
	*bias = address - (s->vaddr + (offset - s->offset));
	return 0;
}
