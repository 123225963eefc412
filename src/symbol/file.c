// SPDX-License-Identifier: BSD-2-Clause
/* Where the file of a mapping is, and its separate debug file. */
#include <stdio.h>
#include <zlib.h>

#include "symbol/dwarf.h"

static const char deleted[] = " (deleted)";

/* Larger debug files are not read through for their checksum: they have build-ids. */
#define CRC_MAX (UINT64_C(4) << 30)

enum symbol_status image_status_of(const struct err *err)
{
	return err->code == EX_PROTOCOL	 ? SYMBOL_WRONG_BUILD_ID
	       : err->code == EX_DATAERR ? SYMBOL_BAD_FILE
					 : SYMBOL_NO_FILE;
}

/* The length of the path as it was before the file was deleted; 0: it was not. */
static size_t length_before_deletion(const char *path)
{
	size_t n = strlen(path), m = sizeof(deleted) - 1;

	return n > m && !strcmp(path + n - m, deleted) ? n - m : 0;
}

static int path_length(const char *path)
{
	size_t n = length_before_deletion(path);

	return (int)(n ? n : strnlen(path, PATH_MAX));
}

int image_try(struct symbol_image *image, const char *path, enum image_kind kind, bool *taken,
	      struct err *err)
{
	struct elf_file f;
	int ret = 0;

	if (elf_file_open(&f, path, err))
		return err->code == EX_OSERR ? -1 : 0;
	if (kind == IMAGE_VMLINUX && !image->store->kernel &&
	    !elf_section_of_type(&f, SHT_SYMTAB)) {
		/* What the running kernel tells is better. */
		err_set(err, EX_NOINPUT, "%s is stripped", path);
	} else if (image_accepts(image, &f, err)) {
		ret = image_take(image, &f, kind);
		*taken = !ret;
	}
	elf_file_close(&f);
	return ret;
}

/* Fills out with the n-th place below the debug directory for a build-id; false after the last. */
static bool build_id_place(const struct symbol_image *image, const uint8_t *id, size_t len,
			   unsigned int n, image_path out)
{
	static const char *const suffix[] = {".debug", ""};
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

int image_by_build_id(struct symbol_image *image, enum image_kind kind, bool *taken)
{
	unsigned int n;
	image_path path;

	for (n = 0; !*taken; n++) {
		struct err err = {0};

		if (!build_id_place(image, image->build_id, image->build_id_len, n, path))
			break;
		if (image_try(image, path, kind, taken, &err))
			return -1;
	}
	return 0;
}

/* The file's CRC-32; false when it cannot be read. */
static bool crc_of(const struct elf_file *f, uint32_t *crc)
{
	uint8_t buf[64 << 10];
	uLong sum = crc32(0, NULL, 0);
	uint64_t at = 0;

	if (f->size > CRC_MAX)
		return false;
	while (at < f->size) {
		size_t n = f->size - at < sizeof(buf) ? f->size - at : sizeof(buf);

		if (elf_file_read(f, at, buf, n))
			return false;
		sum = crc32(sum, buf, (uInt)n);
		at += n;
	}
	*crc = (uint32_t)sum;
	return true;
}

/* A search for the debug file of f, the image's file. */
struct search {
	struct symbol_image *image;
	struct elf_file *f;
	bool lines;  /* it must have these, not just symbols */
	char *found; /* its path; NULL: not yet */
};

static bool is_enough(const struct search *s, const struct elf_file *d)
{
	const GElf_Shdr *symtab = elf_section_of_type(d, SHT_SYMTAB);

	return s->lines ? dwarf_is_in(d) : symtab && elf_section_held(d, symtab);
}

/* Takes path as the debug file if it is: by build-id, or by checksum if crc is given. */
static int try_debug(struct search *s, const char *path, const uint32_t *crc)
{
	const struct elf_file *f = s->f;
	struct elf_file d;
	uint32_t have;
	int ret = 0;

	if (elf_file_open(&d, path, NULL))
		return 0;
	if (is_enough(s, &d) && d.machine == f->machine && d.is64 == f->is64 &&
	    d.build_id_len == f->build_id_len &&
	    !memcmp(d.build_id, f->build_id, f->build_id_len) &&
	    (!crc || (crc_of(&d, &have) && have == *crc)))
		ret = (s->found = strdup(path)) ? 0 : -1;
	elf_file_close(&d);
	return ret;
}

/* The .gnu_debuglink: a file name, and behind it, 4-aligned, the checksum.  NULL for none. */
static const char *debuglink_of(struct elf_file *f, uint32_t *crc)
{
	const GElf_Shdr *s = elf_section_of_name(f, ".gnu_debuglink");
	Elf_Data *link = s && s->sh_size > 4 && s->sh_size <= PATH_MAX
				 ? elf_section_bytes(f, s, NULL)
				 : NULL;
	Elf_Data *sum;
	size_t n, at;

	if (!link)
		return NULL;
	n = strnlen(link->d_buf, s->sh_size);
	at = (n + 4) & ~(size_t)3;
	if (!n || at + 4 > s->sh_size || memchr(link->d_buf, '/', n))
		return NULL;
	sum = elf_getdata_rawchunk(f->elf, (int64_t)(s->sh_offset + at), 4, ELF_T_WORD);
	if (!sum)
		return NULL;
	memcpy(crc, sum->d_buf, sizeof(*crc));
	return link->d_buf;
}

/* The length of a path up to its last slash. */
static int directory_length(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? (int)(slash - path) : 0;
}

static int try_debuglink(struct search *s)
{
	const struct symbol_image *image = s->image;
	int n = directory_length(s->f->path), m = directory_length(image->path), i, ret = 0;
	const char *here = n || s->f->path[0] == '/' ? "" : ".";
	image_path path[3];
	uint32_t crc;
	const char *link = debuglink_of(s->f, &crc);

	if (!link)
		return 0;
	snprintf(path[0], PATH_MAX, "%s%.*s/%s", here, n, s->f->path, link);
	snprintf(path[1], PATH_MAX, "%s%.*s/.debug/%s", here, n, s->f->path, link);
	image_path_set(path[2], image->store, "%s%s%.*s/%s", image->store->debug_dir,
		       image->path[0] == '/' ? "" : "/", m, image->path, link);
	for (i = 0; i < 3 && !s->found && !ret; i++)
		ret = try_debug(s, path[i], &crc);
	return ret;
}

static int try_servers(struct search *s)
{
	char *path = NULL;
	int ret = debuginfod_fetch(s->image->store, s->f->build_id, s->f->build_id_len, &path);

	if (path && !ret)
		ret = try_debug(s, path, NULL);
	free(path);
	return ret;
}

static int search(struct search *s)
{
	const struct elf_file *f = s->f;
	unsigned int n;
	image_path path;

	for (n = 0; !s->found && build_id_place(s->image, f->build_id, f->build_id_len, n, path);
	     n++)
		if (try_debug(s, path, NULL))
			return -1;
	if (!s->found && try_debuglink(s))
		return -1;
	return s->found ? 0 : try_servers(s);
}

int image_find_debug(struct symbol_image *image, struct elf_file *f)
{
	struct search s = {.image = image, .f = f};
	int ret = search(&s);

	image->debug = s.found;
	return ret;
}

int image_find_lines(struct symbol_image *image, struct elf_file *f, char **path)
{
	struct search s = {.image = image, .f = f, .lines = true};
	int ret = image->debug ? try_debug(&s, image->debug, NULL) : 0;

	if (!ret && !s.found)
		ret = search(&s);
	*path = s.found;
	return ret;
}

int image_open_file(struct symbol_image *image)
{
	size_t before = length_before_deletion(image->path);
	struct err err = {0};
	bool taken = false;
	image_path path;

	image_path_set(path, image->store, "%s", image->path);
	if (image_try(image, path, IMAGE_MAPPED, &taken, &err))
		return -1;
	if (!taken && err.code == EX_NOINPUT && before) {
		image_path_set(path, image->store, "%.*s", (int)before, image->path);
		if (!image->build_id_len)
			err_set(&err, EX_NOINPUT,
				"%s was deleted after it was mapped, and no build-id tells whether "
				"what is there now is the same",
				path);
		else if (image_try(image, path, IMAGE_MAPPED, &taken, &err))
			return -1;
	}
	if (!taken && image_by_build_id(image, IMAGE_MAPPED, &taken))
		return -1;
	return taken ? 0 : image_fail(image, image_status_of(&err), &err);
}
