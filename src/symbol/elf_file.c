// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <inttypes.h>
#include <unistd.h>

#include "symbol/elf_file.h"
#include "symbol/regular.h"

/* Bounds on what is read at once, in bytes. */
enum {
	SECTION_MAX = 1 << 30,
	SECTION_NAMES_MAX = 64 << 20,
	NOTES_MAX = 64 << 10,
	NOTE_SECTIONS_MAX = 64
};

int elf_file_read(const struct elf_file *f, uint64_t offset, void *buf, size_t len)
{
	uint8_t *p = buf;

	if (offset > f->size || len > f->size - offset)
		return -1;
	if (f->mem) {
		memcpy(buf, f->mem + offset, len);
		return 0;
	}
	while (len) {
		ssize_t n = pread(f->fd, p, len, (off_t)offset);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return -1;
		p += n;
		offset += (uint64_t)n;
		len -= (size_t)n;
	}
	return 0;
}

bool elf_section_held(const struct elf_file *f, const struct elf_section *s)
{
	return s->type != SHT_NOBITS && s->type != SHT_NULL && s->offset <= f->size &&
	       s->size <= f->size - s->offset;
}

const char *elf_section_name(const struct elf_file *f, const struct elf_section *s)
{
	return s->name < f->names_len ? f->names + s->name : "";
}

const struct elf_section *elf_section_of_type(const struct elf_file *f, uint32_t type)
{
	const struct elf_section *s;

	vec_each(s, &f->sections)
		if (s->type == type)
			return s;
	return NULL;
}

const struct elf_section *elf_section_of_name(const struct elf_file *f, const char *name)
{
	const struct elf_section *s;

	vec_each(s, &f->sections)
		if (!strcmp(elf_section_name(f, s), name))
			return s;
	return NULL;
}

bool elf_file_has_code(const struct elf_file *f)
{
	const struct elf_section *s;
	bool exec = false;

	vec_each(s, &f->sections) {
		if (!(s->flags & SHF_EXECINSTR))
			continue;
		if (s->type != SHT_NOBITS)
			return true;
		exec = true;
	}
	return !exec;
}

static int damaged(const struct elf_file *f, struct err *err, const char *what, uint64_t offset,
		   uint64_t len)
{
	return err_set(err, EX_DATAERR,
		       "%s: %s at 0x%" PRIx64 " of %" PRIu64
		       " bytes is not within the file's %" PRIu64 " bytes",
		       f->path, what, offset, len, f->size);
}

/* The bytes of a table of count entries in the file, to be freed; NULL with err set. */
static uint8_t *read_table(const struct elf_file *f, const char *what, uint64_t offset,
			   uint64_t count, uint64_t entry, struct err *err)
{
	uint8_t *p;

	if (offset > f->size || count > (f->size - offset) / entry) {
		damaged(f, err, what, offset, count * entry);
		return NULL;
	}
	p = malloc(count * entry + 1);
	if (!p) {
		err_nomem(err);
		return NULL;
	}
	if (!elf_file_read(f, offset, p, count * entry))
		return p;
	free(p);
	damaged(f, err, what, offset, count * entry);
	return NULL;
}

uint8_t *elf_section_read(const struct elf_file *f, const struct elf_section *s, struct err *err)
{
	if (s->type == SHT_NOBITS || s->size > SECTION_MAX) {
		err_set(err, EX_DATAERR,
			"%s: no table can be in the section %s of %" PRIu64 " bytes", f->path,
			elf_section_name(f, s), s->size);
		return NULL;
	}
	return read_table(f, elf_section_name(f, s), s->offset, s->size, 1, err);
}

static int read_segments(struct elf_file *f, uint64_t offset, uint64_t count, uint64_t entry,
			 struct err *err)
{
	uint8_t *table, *p;
	int ret = 0;

	if (!count)
		return 0;
	if (entry < ELF_SIZE(f, Phdr))
		return err_set(err, EX_DATAERR, "%s: program headers of %" PRIu64 " bytes", f->path,
			       entry);
	table = read_table(f, "the program header table", offset, count, entry, err);
	if (!table)
		return -1;
	for (p = table; p < table + count * entry && !ret; p += entry) {
		struct elf_segment s = {.offset = ELF_GET(f, p, Phdr, p_offset),
					.vaddr = ELF_GET(f, p, Phdr, p_vaddr),
					.filesz = ELF_GET(f, p, Phdr, p_filesz),
					.memsz = ELF_GET(f, p, Phdr, p_memsz),
					.exec = ELF_GET(f, p, Phdr, p_flags) & PF_X};

		if (ELF_GET(f, p, Phdr, p_type) != PT_LOAD || s.vaddr + s.memsz < s.vaddr)
			continue;
		if (vec_push(&f->segments, s))
			ret = err_nomem(err);
	}
	free(table);
	return ret;
}

static void get_section(const struct elf_file *f, const uint8_t *p, struct elf_section *s)
{
	s->name = (uint32_t)ELF_GET(f, p, Shdr, sh_name);
	s->type = (uint32_t)ELF_GET(f, p, Shdr, sh_type);
	s->link = (uint32_t)ELF_GET(f, p, Shdr, sh_link);
	s->flags = ELF_GET(f, p, Shdr, sh_flags);
	s->addr = ELF_GET(f, p, Shdr, sh_addr);
	s->offset = ELF_GET(f, p, Shdr, sh_offset);
	s->size = ELF_GET(f, p, Shdr, sh_size);
	s->entsize = ELF_GET(f, p, Shdr, sh_entsize);
	s->align = ELF_GET(f, p, Shdr, sh_addralign);
}

static int read_section_names(struct elf_file *f, uint64_t index, struct err *err)
{
	const struct elf_section *s;

	if (index >= f->sections.n)
		return 0;
	s = &f->sections.v[index];
	if (!elf_section_held(f, s) || s->size > SECTION_NAMES_MAX)
		return damaged(f, err, "the section name table", s->offset, s->size);
	f->names = malloc(s->size + 1);
	if (!f->names)
		return err_nomem(err);
	f->names[s->size] = '\0';
	f->names_len = s->size;
	if (elf_file_read(f, s->offset, f->names, s->size))
		return damaged(f, err, "the section name table", s->offset, s->size);
	return 0;
}

/* Counts that do not fit in the header are in section 0. */
static int read_sections(struct elf_file *f, const uint8_t *eh, uint64_t *segments, struct err *err)
{
	uint64_t offset = ELF_GET(f, eh, Ehdr, e_shoff);
	uint64_t count = ELF_GET(f, eh, Ehdr, e_shnum), names = ELF_GET(f, eh, Ehdr, e_shstrndx);
	uint64_t entry = ELF_GET(f, eh, Ehdr, e_shentsize), i;
	uint8_t first[sizeof(Elf64_Shdr)], *table;

	if (!offset)
		return 0;
	if (entry < ELF_SIZE(f, Shdr))
		return err_set(err, EX_DATAERR, "%s: section headers of %" PRIu64 " bytes", f->path,
			       entry);
	if (elf_file_read(f, offset, first, ELF_SIZE(f, Shdr)))
		return damaged(f, err, "the section header table", offset, count * entry);
	if (!count)
		count = ELF_GET(f, first, Shdr, sh_size);
	if (names == SHN_XINDEX)
		names = ELF_GET(f, first, Shdr, sh_link);
	if (*segments == PN_XNUM)
		*segments = ELF_GET(f, first, Shdr, sh_info);
	table = read_table(f, "the section header table", offset, count, entry, err);
	if (!table)
		return -1;
	if (vec_reserve(&f->sections, count)) {
		free(table);
		return err_nomem(err);
	}
	for (i = 0; i < count; i++)
		get_section(f, table + i * entry, &f->sections.v[i]);
	f->sections.n = count;
	free(table);
	return read_section_names(f, names, err);
}

static size_t notes_at(struct elf_file *f, uint64_t offset, uint64_t size)
{
	size_t n = size < NOTES_MAX ? size : NOTES_MAX;
	uint8_t *buf = malloc(n + 1);
	size_t len = 0;

	if (buf && !elf_file_read(f, offset, buf, n))
		len = build_id_of_foreign_notes(buf, n, f->swap, f->build_id);
	free(buf);
	return len;
}

/*
 * From the note sections: strippers that keep only the debug information leave program headers
 * that do not fit the file.
 */
static void read_build_id(struct elf_file *f)
{
	const struct elf_section *s;
	int left = NOTE_SECTIONS_MAX;

	vec_each(s, &f->sections) {
		if (s->type != SHT_NOTE || !elf_section_held(f, s))
			continue;
		if (!left--)
			break;
		f->build_id_len = notes_at(f, s->offset, s->size);
		if (f->build_id_len)
			return;
	}
	if (!f->mem)
		f->build_id_len = build_id_of_fd(f->fd, f->build_id);
}

/*
 * Gives the code sections of a kernel module the addresses that the kernel gives them: one after
 * the other from the start of the module, without those of the initialisation.
 */
static int lay_out_module(struct elf_file *f, struct err *err)
{
	struct elf_segment text = {.exec = true};
	struct elf_section *s;

	vec_each(s, &f->sections) {
		uint64_t align = s->align && s->align <= 1 << 20 ? s->align : 1;

		if (!(s->flags & SHF_ALLOC) || !(s->flags & SHF_EXECINSTR))
			continue;
		if (!strncmp(elf_section_name(f, s), ".init", 5) || s->size > f->size) {
			s->flags &= ~(uint64_t)SHF_EXECINSTR;
			continue;
		}
		s->addr = (text.memsz + align - 1) / align * align;
		text.memsz = s->addr + s->size;
	}
	return text.memsz && vec_push(&f->segments, text) ? err_nomem(err) : 0;
}

static int read_headers(struct elf_file *f, struct err *err)
{
	const uint8_t here = __BYTE_ORDER == __LITTLE_ENDIAN ? ELFDATA2LSB : ELFDATA2MSB;
	uint8_t eh[sizeof(Elf64_Ehdr)] = {0};
	uint64_t segments;

	if (elf_file_read(f, 0, eh, EI_NIDENT) || memcmp(eh, ELFMAG, SELFMAG))
		return err_set(err, EX_DATAERR, "%s is no ELF file", f->path);
	if ((eh[EI_CLASS] != ELFCLASS32 && eh[EI_CLASS] != ELFCLASS64) ||
	    (eh[EI_DATA] != ELFDATA2LSB && eh[EI_DATA] != ELFDATA2MSB))
		return err_set(err, EX_DATAERR, "%s: ELF class %d with byte order %d", f->path,
			       eh[EI_CLASS], eh[EI_DATA]);
	f->is64 = eh[EI_CLASS] == ELFCLASS64;
	f->swap = eh[EI_DATA] != here;
	if (elf_file_read(f, 0, eh, ELF_SIZE(f, Ehdr)))
		return damaged(f, err, "the ELF header", 0, ELF_SIZE(f, Ehdr));
	f->type = (uint16_t)ELF_GET(f, eh, Ehdr, e_type);
	f->machine = (uint16_t)ELF_GET(f, eh, Ehdr, e_machine);
	if (f->type != ET_EXEC && f->type != ET_DYN && f->type != ET_REL)
		return err_set(err, EX_DATAERR, "%s: ELF type %d is no program, library or module",
			       f->path, f->type);
	segments = ELF_GET(f, eh, Ehdr, e_phnum);
	if (read_sections(f, eh, &segments, err) ||
	    read_segments(f, ELF_GET(f, eh, Ehdr, e_phoff), segments,
			  ELF_GET(f, eh, Ehdr, e_phentsize), err))
		return -1;
	read_build_id(f);
	return f->type == ET_REL ? lay_out_module(f, err) : 0;
}

int elf_file_memory(struct elf_file *f, const char *path, const void *mem, size_t len,
		    struct err *err)
{
	memset(f, 0, sizeof(*f));
	f->path = path;
	f->fd = -1;
	f->mem = mem;
	f->size = len;
	if (!read_headers(f, err))
		return 0;
	elf_file_close(f);
	return -1;
}

int elf_file_open(struct elf_file *f, const char *path, struct err *err)
{
	memset(f, 0, sizeof(*f));
	f->path = path;
	f->fd = regular_open(path, &f->size, err);
	if (f->fd < 0)
		return -1;
	if (!read_headers(f, err))
		return 0;
	elf_file_close(f);
	return -1;
}

void elf_file_close(struct elf_file *f)
{
	if (f->fd >= 0)
		close(f->fd);
	f->fd = -1;
	vec_free(&f->segments);
	vec_free(&f->sections);
	free(f->names);
	f->names = NULL;
}
