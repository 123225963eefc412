// SPDX-License-Identifier: BSD-2-Clause
/* The separate debug file of an image's file: by build-id, by .gnu_debuglink, from a server. */
#include <errno.h>
#include <stdio.h>
#include <zlib.h>

#include "symbol/dwarf/dwarf.h"
#include "symbol/regular.h"

/* Larger debug files are not read through for their checksum: they have build-ids. */
#define CRC_MAX (UINT64_C(4) << 30)

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
	bool lines;	 /* it must have these, not just symbols */
	char *found;	 /* its path; NULL: not yet */
	struct err *why; /* of the first file that is there and could not be read */
	bool from_server;
};

static bool is_enough(const struct search *s, const struct elf_file *d)
{
	const GElf_Shdr *symtab = elf_section_of_type(d, SHT_SYMTAB);

	return s->lines ? dwarf_is_in(d) : symtab && elf_section_held(d, symtab);
}

/* 0, or -1 when out of memory. */
static int not_opened(struct search *s, const struct err *err)
{
	if (!regular_is_missing(err) && !s->why->code)
		*s->why = *err;
	return err->error == ENOMEM ? -1 : 0;
}

/* Takes path as the debug file if it is: by build-id, or by checksum if crc is given. */
static int try_debug(struct search *s, const char *path, const uint32_t *crc)
{
	const struct elf_file *f = s->f;
	struct err err = {0};
	struct elf_file d;
	uint32_t have;
	int ret = 0;

	if (elf_file_open(&d, path, &err))
		return not_opened(s, &err);
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
	int ret = debuginfod_fetch(s->image->store, s->f->build_id, s->f->build_id_len, &path,
				   s->why->code ? NULL : s->why);

	if (path && !ret)
		ret = try_debug(s, path, NULL);
	s->from_server = s->found;
	free(path);
	return ret;
}

static int look_all_over(struct search *s)
{
	const struct elf_file *f = s->f;
	unsigned int n;
	image_path path;

	for (n = 0;
	     !s->found && image_path_of_build_id(s->image, f->build_id, f->build_id_len, n, path);
	     n++)
		if (try_debug(s, path, NULL))
			return -1;
	if (!s->found && try_debuglink(s))
		return -1;
	return s->found ? 0 : try_servers(s);
}

static int search(struct search *s)
{
	if (look_all_over(s))
		return -1;
	return s->found ? image_note(s->image, s->found, s->f->build_id, s->f->build_id_len,
				     s->from_server)
			: 0;
}

int image_find_debug(struct symbol_image *image, struct elf_file *f, struct err *why)
{
	struct search s = {.image = image, .f = f, .why = why};
	int ret = search(&s);

	image->debug = s.found;
	return ret;
}

int image_find_lines(struct symbol_image *image, struct elf_file *f, char **path, struct err *why)
{
	struct search s = {.image = image, .f = f, .why = why, .lines = true};
	int ret = image->debug ? try_debug(&s, image->debug, NULL) : 0;

	if (!ret && !s.found)
		ret = search(&s);
	*path = s.found;
	return ret;
}
