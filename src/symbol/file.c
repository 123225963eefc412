// SPDX-License-Identifier: BSD-2-Clause
/* Where the file of a mapping is, and what is taken of it. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include "symbol/image.h"

/* That f has no symbol table; why: of a debug file that was not read, code 0: there is none. */
static void say_stripped(struct err *err, const struct elf_file *f, const struct err *why,
			 const char *rest)
{
	if (why->code)
		err_set(err, EX_NOINPUT, "%s is stripped, and its debug file was not read (%s)%s",
			f->path, why->msg, rest);
	else
		err_set(err, EX_NOINPUT, "%s is stripped and has no separate debug file%s", f->path,
			rest);
}

/* The status by which tables there are. */
static int judge(struct symbol_image *image, const struct elf_file *f, const struct err *why)
{
	const GElf_Shdr *symtab = elf_section_of_type(f, SHT_SYMTAB);
	struct err err = {0};

	/* The [vdso] has no functions but those that it exports. */
	if (image->debug || (!strcmp(image->path, "[vdso]") && elf_section_of_type(f, SHT_DYNSYM)))
		return 0;
	if (symtab && elf_section_held(f, symtab))
		return 0;
	if (symtab) {
		err_set(&err, EX_DATAERR, "%s: the symbol table reaches behind the file's end",
			f->path);
		return image_fail(image, SYMBOL_BAD_FILE, &err);
	}
	if (elf_has_packed_symbols(f)) {
#ifdef HAVE_LIBLZMA
		return 0;
#else
		err_set(&err, EX_NOINPUT,
			"%s is stripped but for symbols that are compressed with xz, which this "
			"pmcstat is built without: only the functions that it exports have names",
			f->path);
		return image_fail(image, SYMBOL_DYNAMIC_ONLY, &err);
#endif
	}
	if (elf_has_go_symbols(f)) {
		/* Go's own linker makes none: all code is Go's. */
		if (!elf_section_of_name(f, ".eh_frame"))
			return 0;
		say_stripped(&err, f, why,
			     ": only functions of Go and those that it exports have names");
		return image_fail(image, SYMBOL_DYNAMIC_ONLY, &err);
	}
	if (elf_section_of_type(f, SHT_DYNSYM)) {
		say_stripped(&err, f, why, ": only the functions that it exports have names");
		return image_fail(image, SYMBOL_DYNAMIC_ONLY, &err);
	}
	say_stripped(&err, f, why, "");
	return image_fail(image, SYMBOL_STRIPPED, &err);
}

/* Takes the path of the run-time linker that f names. */
static int take_linker(struct symbol_image *image, const struct elf_file *f)
{
	char path[PATH_MAX];

	if (f->linker_len < 2 || f->linker_len > sizeof(path) ||
	    elf_file_read(f, f->linker_offset, path, f->linker_len) || path[0] != '/' ||
	    path[f->linker_len - 1])
		return 0;
	image->linker = strpool_intern(image->store->pool, path);
	return image->linker ? 0 : -1;
}

int image_take(struct symbol_image *image, struct elf_file *f, enum image_kind kind)
{
	static const char *const names[] = {"_text", "_stext"};
	const struct elf_segment *s;
	struct err why = {0};
	uint64_t values[2];

	image->kind = kind;
	image->elf_type = f->type;
	image->entry = f->entry;
	image->layout = (struct symbol_layout){
		.is32 = !f->is64, .big_endian = f->is_big_endian, .machine = f->machine};
	image->offsets_lost = !elf_file_has_code(f);
	image->file_id_len = f->build_id_len;
	memcpy(image->file_id, f->build_id, sizeof(image->file_id));
	vec_each(s, &f->segments)
		if (vec_push(&image->segments, *s))
			return -1;
	if ((!image->mem && !(image->file = strdup(f->path))) || take_linker(image, f))
		return -1;
	if (kind == IMAGE_VMLINUX) {
		elf_symbol_values(f, names, values, 2);
		image->text = values[0];
		image->stext = values[1];
	}
	if (!elf_section_of_type(f, SHT_SYMTAB) && image_find_debug(image, f, &why))
		return -1;
	return judge(image, f, &why);
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

int image_by_build_id(struct symbol_image *image, enum image_kind kind, bool *taken)
{
	unsigned int n;
	image_path path;

	for (n = 0; !*taken; n++) {
		struct err err = {0};

		if (!image_path_of_build_id(image, image->build_id, image->build_id_len, n, path))
			break;
		if (image_try(image, path, kind, taken, &err))
			return -1;
	}
	return 0;
}

/* Whether a file is surely the one that was mapped, by its build-id or, without, its inode. */
static bool is_known(const struct symbol_image *image, const char *path, bool by_path)
{
	struct stat st;

	if (image->build_id_len)
		return true;
	return image->inode && !stat(path, &st) && image_has_inode(image, &st) &&
	       (by_path || image_is_on_device(image, &st));
}

int image_by_process(struct symbol_image *image, bool *taken)
{
	static const char *const links[] = {"root", "exe"};
	unsigned int i, k;
	image_path path;

	if (*image->store->fsroot || !same_boot(image->store, PROC_BOOT_ID, NULL))
		return 0;
	for (i = 0; i < SYMBOL_PIDS && image->pids[i]; i++)
		for (k = 0; k < 2 && !*taken; k++) {
			struct err err = {0};

			snprintf(path, sizeof(path), "/proc/%" PRIu32 "/%s%s", image->pids[i],
				 links[k], k ? "" : image->path);
			if (is_known(image, path, !k) &&
			    image_try(image, path, IMAGE_MAPPED, taken, &err))
				return -1;
			image->by_process = *taken;
		}
	return 0;
}

int image_by_held(struct symbol_image *image, bool *taken)
{
	struct err err = {0};
	struct elf_file f;

	if (*image->store->fsroot ||
	    (!image->build_id_len && !same_boot(image->store, PROC_BOOT_ID, NULL)))
		return 0;
	image->held = (struct held_file){.device = image->device,
					 .inode = image->inode,
					 .build_id_len = image->build_id_len};
	memcpy(image->held.build_id, image->build_id, image->build_id_len);
	if (image_open_held(image, &f, &err))
		return err.code == EX_OSERR ? -1 : 0;
	image->is_held = *taken = !image_take(image, &f, IMAGE_MAPPED);
	elf_file_close(&f);
	return *taken ? 0 : -1;
}

/* Of a log of this boot: what was at path has ended with its program, or is below another root. */
static void explain_absence(const struct symbol_image *image, const char *path, struct err *err)
{
	if (*image->store->fsroot || !same_boot(image->store, PROC_BOOT_ID, NULL) ||
	    !access(path, F_OK) || errno != ENOENT)
		return;
	err_set(err, EX_NOINPUT,
		"%s is not there any more: keep what is recorded (go build, not go run), record "
		"with --pack, or give -r the root that it was below",
		path);
}

int image_open_file(struct symbol_image *image)
{
	size_t before = image_path_before_deletion(image->path);
	struct err err = {0};
	bool taken = false;
	image_path path;

	image_path_set(path, image->store, "%s", image->path);
	if (image_try(image, path, IMAGE_MAPPED, &taken, &err))
		return -1;
	if (taken)
		return image_doubt(image);
	if (err.code == EX_NOINPUT && before) {
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
	if (!taken && image_by_process(image, &taken))
		return -1;
	if (!taken && image_by_held(image, &taken))
		return -1;
	if (taken)
		return 0;
	explain_absence(image, path, &err);
	return image_fail(image, image_status_of(&err), &err);
}
