// SPDX-License-Identifier: BSD-2-Clause
/* Files that names come from, though nothing tells that they are those that were profiled. */
#include <sys/utsname.h>

#include "base/date.h"
#include "symbol/image.h"

const char *symbol_image_doubt(const struct symbol_image *image)
{
	return image->doubt ? image->doubt : "";
}

static int doubt(struct symbol_image *image, const struct err *why)
{
	free(image->doubt);
	image->doubt = strdup(why->msg);
	return image->doubt ? 0 : -1;
}

/*
 * A container has the boot of its host, and a machine that was started anew its name.  A log that
 * does not say when it was recorded, as one made by hand, says no host to go by either.
 */
static bool is_of_another_host(const struct symbol_image *image, struct err *why)
{
	const char *host = image->store->host;
	struct utsname u;

	if (!host || !*host || !image->mapped || uname(&u) || !strcmp(host, u.nodename) ||
	    same_boot(image->store, PROC_BOOT_ID, NULL))
		return false;
	err_set(why, EX_PROTOCOL,
		"named by files of this machine that have no build-id, but the log is of %s: -r "
		"names the root that its files are below",
		host);
	return true;
}

/* Without build-ids an inode tells files apart, though not which of them is here. */
static bool is_other_file_of_path(const struct symbol_image *a, const struct symbol_image *b)
{
	return a->path == b->path && a->file && b->file && !strcmp(a->file, b->file) &&
	       !a->build_id_len && !b->build_id_len && a->inode && b->inode &&
	       (a->device != b->device || a->inode != b->inode);
}

/* Doubts all images that have their names from one file and were different ones. */
static int doubt_shared(struct symbol_image *image)
{
	struct symbol_image **other;
	struct err why = {0};

	err_set(&why, EX_PROTOCOL,
		"%s has no build-id and stands for different files that had its path: it can be "
		"only one of them",
		image->file);
	vec_each(other, &image->store->images)
		if (is_other_file_of_path(image, *other) &&
		    (doubt(image, &why) || doubt(*other, &why)))
			return -1;
	return 0;
}

int image_doubt(struct symbol_image *image)
{
	struct err why = {0};
	struct stat st;

	if (image->build_id_len)
		return 0;
	if (!image->store->any_inode && !stat(image->file, &st) &&
	    (image_was_written(image, image->file, &st, &why) || is_of_another_host(image, &why)) &&
	    doubt(image, &why))
		return -1;
	return doubt_shared(image);
}
