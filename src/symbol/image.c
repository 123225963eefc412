// SPDX-License-Identifier: BSD-2-Clause
/* An image: its status, and its file again once that is found. */
#include <fnmatch.h>
#include <inttypes.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "base/date.h"
#include "symbol/image.h"

enum symbol_status symbol_image_status(const struct symbol_image *image)
{
	return image->status;
}

const char *symbol_image_problem(const struct symbol_image *image)
{
	return image->problem ? image->problem : "";
}

bool symbol_image_is_packed(const struct symbol_image *image)
{
	return image->excerpt != NULL;
}

const char *symbol_image_path(const struct symbol_image *image)
{
	return image->path;
}

struct symbol_layout symbol_image_layout(const struct symbol_image *image)
{
	return image->layout;
}

int image_fail(struct symbol_image *image, enum symbol_status status, const struct err *err)
{
	free(image->problem);
	image->status = status;
	image->problem = strdup(err->msg);
	return image->problem ? 0 : -1;
}

enum symbol_status image_status_of(const struct err *err)
{
	return err->code == EX_PROTOCOL	 ? SYMBOL_WRONG_BUILD_ID
	       : err->code == EX_DATAERR ? SYMBOL_BAD_FILE
					 : SYMBOL_NO_FILE;
}

bool image_is_on_device(const struct symbol_image *image, const struct stat *st)
{
	return image->device == ((uint64_t)major(st->st_dev) << 32 | minor(st->st_dev));
}

bool image_was_written(const struct symbol_image *image, const char *path, const struct stat *st,
		       struct err *err)
{
	char written[DATE_SIZE], mapped[DATE_SIZE];

	if (!image->mapped || st->st_mtime - DATE_SLACK <= image->mapped)
		return false;
	date_text(written, st->st_mtime);
	date_text(mapped, image->mapped);
	err_set(err, EX_PROTOCOL,
		"%s has no build-id and was written at %s, after it was profiled, from %s on: -r / "
		"says that it is the right one",
		path, written, mapped);
	return true;
}

bool image_has_inode(const struct symbol_image *image, const struct stat *st)
{
	if (image_is_on_device(image, st))
		return image->inode == st->st_ino;
	return (uint32_t)image->inode == (uint32_t)st->st_ino;
}

/*
 * Whether f is another file than the one that was mapped, which has no build-id to tell: it has the
 * name now, or here, on this machine since it was started.  A copy below a root directory has
 * inodes of its own.
 */
static bool is_another(const struct symbol_image *image, const struct elf_file *f, struct err *err)
{
	struct stat st;

	if (!image->inode || image->store->any_inode || fstat(f->fd, &st) ||
	    !same_boot(image->store, PROC_BOOT_ID, NULL))
		return false;
	if (image_has_inode(image, &st))
		return image_is_on_device(image, &st) &&
		       image_was_written(image, f->path, &st, err);
	err_set(err, EX_PROTOCOL,
		"%s has no build-id and is not the file that was profiled, which had inode %" PRIu64
		", not %" PRIu64,
		f->path, image->inode, (uint64_t)st.st_ino);
	return true;
}

/* Whose code a machine can run, by what uname(1) -m calls it. */
static const struct {
	const char *machine; /* a pattern */
	uint16_t elf[2];     /* the first is its own */
} machines[] = {
	{"x86_64", {EM_X86_64, EM_386}},
	{"i?86", {EM_386, EM_X86_64}},
	{"aarch64", {EM_AARCH64, EM_ARM}},
	{"arm*", {EM_ARM, EM_AARCH64}},
	{"riscv*", {EM_RISCV}},
	{"ppc*", {EM_PPC64, EM_PPC}},
	{"s390*", {EM_S390}},
};

enum { MACHINES = sizeof(machines) / sizeof(machines[0]) };

/* Whether the machine that was profiled cannot run f: it is a file of this machine's. */
static bool is_of_another_machine(const struct symbol_image *image, const struct elf_file *f,
				  struct err *err)
{
	const char *machine = image->store->machine, *its = "another machine";
	size_t i, k;

	for (i = 0; machine && i < MACHINES; i++)
		if (!fnmatch(machines[i].machine, machine, 0))
			break;
	if (!machine || i == MACHINES || f->machine == machines[i].elf[0] ||
	    f->machine == machines[i].elf[1])
		return false;
	for (k = 0; k < MACHINES; k++)
		if (f->machine == machines[k].elf[0])
			its = machines[k].machine;
	err_set(err, EX_PROTOCOL,
		"%s has no build-id and is for %s, but the log is of %s: -r names the root that "
		"its files are below",
		f->path, its, machine);
	return true;
}

bool image_accepts(const struct symbol_image *image, const struct elf_file *f, struct err *err)
{
	char want[2 * BUILD_ID_MAX + 1], have[2 * BUILD_ID_MAX + 1];

	if (!image->build_id_len)
		return !is_of_another_machine(image, f, err) && !is_another(image, f, err);
	if (image->build_id_len == f->build_id_len &&
	    !memcmp(image->build_id, f->build_id, f->build_id_len))
		return true;
	build_id_text(image->build_id, image->build_id_len, want);
	build_id_text(f->build_id, f->build_id_len, have);
	if (f->build_id_len)
		err_set(err, EX_PROTOCOL,
			"%s has build-id %s, but the file that was profiled has %s", f->path, have,
			want);
	else
		err_set(err, EX_PROTOCOL,
			"%s has no build-id, but the file that was profiled has %s", f->path, want);
	return false;
}

int image_open_held(const struct symbol_image *image, struct elf_file *f, struct err *err)
{
	int fd = held_files_open(&image->held);

	if (fd < 0)
		return err_set(err, EX_NOINPUT, "%s is not there any more", image->path);
	return elf_file_adopt(f, image->path, fd, err);
}

int image_reopen(const struct symbol_image *image, struct elf_file *f, struct err *err)
{
	struct stat st;

	if (image->mem)
		return elf_file_memory(f, image->path, image->mem, image->mem_len, err);
	if (image->is_held)
		return image_open_held(image, f, err);
	if (elf_file_open(f, image->file, err))
		return -1;
	if (f->build_id_len == image->file_id_len && f->type == image->elf_type &&
	    !memcmp(f->build_id, image->file_id, f->build_id_len) &&
	    (!image->by_process || f->build_id_len ||
	     (!fstat(f->fd, &st) && st.st_ino == image->inode)))
		return 0;
	elf_file_close(f);
	return err_set(err, EX_DATAERR, "%s was replaced while it was in use", image->file);
}

int image_note(struct symbol_image *image, const char *path, const uint8_t *build_id,
	       size_t build_id_len, bool by_build_id)
{
	struct image_source source = {.build_id_len = build_id_len, .by_build_id = by_build_id};
	const struct image_source *s;

	vec_each(s, &image->sources)
		if (!strcmp(s->path, path))
			return 0;
	source.path = strdup(path);
	if (build_id_len)
		memcpy(source.build_id, build_id, build_id_len);
	if (source.path && !vec_push(&image->sources, source))
		return 0;
	free(source.path);
	return -1;
}

int image_note_as(struct symbol_image *image, const char *path, const char *as)
{
	size_t n = image->sources.n;

	if (image_note(image, path, NULL, 0, false))
		return -1;
	if (image->sources.n == n || !strcmp(path, as))
		return 0;
	image->sources.v[n].as = strdup(as);
	return image->sources.v[n].as ? 0 : -1;
}
