// SPDX-License-Identifier: BSD-2-Clause
/* The files that answers on an image came from, for who takes them to another machine. */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "symbol/image.h"
#include "symbol/regular.h"

/* What lies at paths with a release in them is looked for by that of the kernel that runs. */
static bool is_of_kernel(const struct symbol_image *image)
{
	return (image->kernel || !strcmp(image->path, "[vdso]")) && image->build_id_len > 1;
}

bool symbol_image_file(struct symbol_image *image, uint32_t n, struct symbol_file *out)
{
	const struct image_source *source;

	if (!n)
		image_complete_lines(image);
	if ((image->file || image->mem) && !n--) {
		*out = (struct symbol_file){.path = image->file,
					    .bytes = image->mem,
					    .len = image->mem_len,
					    .build_id = image->file_id,
					    .build_id_len = image->file_id_len,
					    .held = image->is_held ? &image->held : NULL,
					    .by_build_id = is_of_kernel(image) ||
							   image->by_process};
		return true;
	}
	if (n >= image->sources.n)
		return false;
	source = &image->sources.v[n];
	*out = (struct symbol_file){.path = source->path,
				    .as = source->as,
				    .build_id = source->build_id,
				    .build_id_len = source->build_id_len,
				    .by_build_id =
					    source->by_build_id ||
					    (source->build_id_len > 1 && is_of_kernel(image)),
				    .is_debug = true};
	return true;
}

int symbol_file_open(const struct symbol_file *file, struct err *err)
{
	struct elf_file f;
	uint64_t size;
	int fd;

	if (file->held) {
		fd = held_files_open(file->held);
		return fd < 0 ? err_set(err, EX_NOINPUT, "%s is not there any more", file->path)
			      : fd;
	}
	if (!file->build_id_len)
		return regular_open(file->path, &size, err);
	if (elf_file_open(&f, file->path, err))
		return -1;
	if (f.build_id_len != file->build_id_len ||
	    memcmp(f.build_id, file->build_id, f.build_id_len) != 0) {
		fd = err_set(err, EX_DATAERR, "%s was replaced while it was in use", file->path);
	} else {
		fd = fcntl(f.fd, F_DUPFD_CLOEXEC, 0);
		if (fd < 0)
			err_fail(err, errno, "cannot open %s: %s", file->path, strerror(errno));
	}
	elf_file_close(&f);
	return fd;
}
