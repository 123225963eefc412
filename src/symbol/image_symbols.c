// SPDX-License-Identifier: BSD-2-Clause
/* The symbols of an image: read on the first look-up, from all the tables that there are. */
#include "symbol/image.h"

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
	    (elf_add_packed_symbols(t, &f, err) || elf_add_go_symbols(t, &f, err)))
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
	if (image->symtab.syms.n || image->status != SYMBOL_OK)
		return 0;
	err_set(&err, EX_NOINPUT, "%s has a symbol table without functions",
		image->file ? image->file : image->path);
	return image_fail(image, SYMBOL_STRIPPED, &err);
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
