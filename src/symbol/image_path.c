// SPDX-License-Identifier: BSD-2-Clause
/* Paths of files below the store's fsroot, and where those of a build-id are. */
#include <stdio.h>

#include "symbol/image.h"

static const char deleted[] = " (deleted)";

void image_path_set(image_path out, const struct symbol_store *store, const char *fmt, ...)
{
	size_t n = strlen(store->fsroot);
	va_list ap;

	if (n >= PATH_MAX - 1)
		n = 0;
	memcpy(out, store->fsroot, n);
	va_start(ap, fmt);
	vsnprintf(out + n, PATH_MAX - n, fmt, ap);
	va_end(ap);
	if (n && out[n] != '/') {
		memmove(out + n + 1, out + n, PATH_MAX - n - 1);
		out[n] = '/';
		out[PATH_MAX - 1] = '\0';
	}
}

void image_path_join(image_path out, const char *dir, const char *name)
{
	size_t n = strnlen(dir, PATH_MAX - 2);

	memmove(out, dir, n);
	out[n++] = '/';
	snprintf(out + n, PATH_MAX - n, "%s", name);
}

size_t image_path_before_deletion(const char *path)
{
	size_t n = strlen(path), m = sizeof(deleted) - 1;

	return n > m && !strcmp(path + n - m, deleted) ? n - m : 0;
}

static int path_length(const char *path)
{
	size_t n = image_path_before_deletion(path);

	return (int)(n ? n : strnlen(path, PATH_MAX));
}

bool image_path_of_build_id(const struct symbol_image *image, const uint8_t *id, size_t len,
			    unsigned int n, image_path out)
{
	static const char *const suffix[] = {"", ".debug"}; /* the code before its debug file */
	const struct symbol_store *store = image->store;
	char text[2 * BUILD_ID_MAX + 1];

	if (len < 2 || n >= 4)
		return false;
	build_id_text(id, len, text);
	if (n < 2)
		image_path_set(out, store, "%s/.build-id/%.2s/%s%s", store->debug_dir, text,
			       text + 2, suffix[n]);
	else
		image_path_set(out, store, "%s%s%.*s%s", store->debug_dir,
			       image->path[0] == '/' ? "" : "/", path_length(image->path),
			       image->path, suffix[n - 2]);
	return true;
}
