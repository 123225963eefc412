// SPDX-License-Identifier: BSD-2-Clause
/* An image: its status, its files once they are found, and the look-up of its symbols. */
#include <stdio.h>

#include "symbol/image.h"

/* Longer names are cut: no compiler makes them, and every report would carry them. */
enum { NAME_SHOWN = 16 << 10 };

enum symbol_status symbol_image_status(const struct symbol_image *image)
{
	return image->status;
}

const char *symbol_image_problem(const struct symbol_image *image)
{
	return image->problem ? image->problem : "";
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

bool image_accepts(const struct symbol_image *image, const struct elf_file *f, struct err *err)
{
	char want[2 * BUILD_ID_MAX + 1], have[2 * BUILD_ID_MAX + 1];

	if (!image->build_id_len || (image->build_id_len == f->build_id_len &&
				     !memcmp(image->build_id, f->build_id, f->build_id_len)))
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

/* The status by which tables there are. */
static int judge(struct symbol_image *image, const struct elf_file *f)
{
	const GElf_Shdr *symtab = elf_section_of_type(f, SHT_SYMTAB);
	struct err err = {0};

	/* The [vdso] has no functions but those that it exports. */
	if (image->debug || (image->mem && elf_section_of_type(f, SHT_DYNSYM)))
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
	if (elf_section_of_type(f, SHT_DYNSYM)) {
		err_set(&err, EX_NOINPUT,
			"%s is stripped and has no separate debug file: only the functions that it "
			"exports have names",
			f->path);
		return image_fail(image, SYMBOL_DYNAMIC_ONLY, &err);
	}
	err_set(&err, EX_NOINPUT, "%s is stripped and has no separate debug file", f->path);
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
	if (!elf_section_of_type(f, SHT_SYMTAB) && image_find_debug(image, f))
		return -1;
	return judge(image, f);
}

int image_reopen(const struct symbol_image *image, struct elf_file *f, struct err *err)
{
	if (image->mem)
		return elf_file_memory(f, image->path, image->mem, image->mem_len, err);
	if (elf_file_open(f, image->file, err))
		return -1;
	if (f->build_id_len == image->file_id_len && f->type == image->elf_type &&
	    !memcmp(f->build_id, image->file_id, f->build_id_len))
		return 0;
	elf_file_close(f);
	return err_set(err, EX_DATAERR, "%s was replaced while it was in use", image->file);
}

static int load_debug(struct symbol_image *image, struct err *err)
{
	struct elf_file f;
	int ret;

	if (!image->debug)
		return 0;
	if (elf_file_open(&f, image->debug, err))
		return -1;
	ret = elf_add_symbols(&image->symtab, &f, SHT_SYMTAB, NULL, err);
	elf_file_close(&f);
	return ret;
}

/* A damaged table does not keep the others from being read; err is of the last. */
static int load_file(struct symbol_image *image, struct err *err)
{
	struct symtab *t = &image->symtab;
	struct elf_file f;
	uint32_t names;
	int ret;

	if (image_reopen(image, &f, err))
		return -1;
	ret = elf_add_symbols(t, &f, SHT_SYMTAB, NULL, err);
	if (!image->debug && !elf_section_of_type(&f, SHT_SYMTAB) &&
	    elf_add_packed_symbols(t, &f, err))
		ret = -1;
	if (elf_add_symbols(t, &f, SHT_DYNSYM, &names, err) || elf_add_plt(t, &f, names, err))
		ret = -1;
	if (symtab_build(t)) {
		symtab_fini(t);
		ret = err_nomem(err);
	} else if (elf_add_ifunc_plt(t, &f, err)) {
		ret = -1;
	}
	elf_file_close(&f);
	return ret;
}

static int load(struct symbol_image *image)
{
	struct err err = {0};
	int ret;

	image->loaded = true;
	if (image->kind == IMAGE_UNKNOWN || image->kind == IMAGE_RUNTIME)
		return 0;
	ret = load_debug(image, &err);
	if (load_file(image, &err) || ret)
		return image_fail(image, SYMBOL_BAD_FILE, &err);
	if (image->symtab.syms.n || image->status == SYMBOL_BAD_FILE)
		return 0;
	err_set(&err, EX_NOINPUT, "%s has a symbol table without functions",
		image->file ? image->file : image->path);
	return image_fail(image, SYMBOL_STRIPPED, &err);
}

const char *symbol_shown_name(struct symbol_store *store, const char *name, const char *suffix)
{
	char *p, cut[NAME_SHOWN];
	size_t n = strnlen(name, sizeof(cut));

	if (n == sizeof(cut))
		n--;
	memcpy(cut, name, n);
	cut[n] = '\0';
	for (p = cut; *p; p++)
		if ((unsigned char)*p < ' ' || *p == 0x7f)
			*p = '?';
	return demangle(store->pool, cut, suffix, store->no_demangle);
}

static const char *show(struct symbol_image *image, struct symtab_sym *s)
{
	const char *name = image->symtab.names + s->name;

	s->shown = symbol_shown_name(image->store, name, s->rank == RANK_PLT ? "@plt" : "");
	return s->shown ? s->shown : name;
}

static void describe(struct symbol_image *image, struct symtab_sym *s, struct symbol *out)
{
	out->name = s->shown ? s->shown : show(image, s);
	out->start = s->start;
	out->end = s->start + s->size;
}

bool symbol_find(struct symbol_image *image, uint64_t address, struct symbol *out)
{
	struct symtab_sym *s;

	if (!image->loaded && load(image))
		return false;
	s = symtab_find(&image->symtab, address);
	if (!s)
		return false;
	describe(image, s, out);
	return true;
}

bool symbol_find_name(struct symbol_image *image, const char *name, struct symbol *out)
{
	struct symtab_sym *s;

	if (!image->loaded && load(image))
		return false;
	vec_each(s, &image->symtab.syms) {
		if (strcmp(image->symtab.names + s->name, name))
			continue;
		describe(image, s, out);
		return true;
	}
	return false;
}
