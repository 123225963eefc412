// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "symbol/elf/elf_file.h"
#include "symbol/regular.h"

/* Bounds, since sparse files that hold anything cost nothing. */
enum {
	HEADERS_MAX = 1 << 20,
	SECTIONS_MAX = 1 << 30, /* bytes of all that are read */
	NOTES_MAX = 64 << 10,
	NOTE_SECTIONS_MAX = 64
};

static bool within(const struct elf_file *f, uint64_t offset, uint64_t len)
{
	return offset <= f->size && len <= f->size - offset;
}

int elf_file_read(const struct elf_file *f, uint64_t offset, void *buf, size_t len)
{
	uint8_t *p = buf;

	if (!within(f, offset, len))
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

bool elf_section_held(const struct elf_file *f, const GElf_Shdr *s)
{
	return s->sh_type != SHT_NOBITS && s->sh_type != SHT_NULL &&
	       within(f, s->sh_offset, s->sh_size);
}

/* The names are not by elf_strptr(), which looks for the NUL of each from the end of them all. */
const char *elf_section_name(const struct elf_file *f, const GElf_Shdr *s)
{
	return s->sh_name < f->names_len ? f->names + s->sh_name : "";
}

const GElf_Shdr *elf_section_of_type(const struct elf_file *f, uint32_t type)
{
	const GElf_Shdr *s;

	vec_each(s, &f->sections)
		if (s->sh_type == type)
			return s;
	return NULL;
}

const GElf_Shdr *elf_section_of_name(const struct elf_file *f, const char *name)
{
	const GElf_Shdr *s;

	vec_each(s, &f->sections)
		if (!strcmp(elf_section_name(f, s), name))
			return s;
	return NULL;
}

bool elf_file_has_code(const struct elf_file *f)
{
	const GElf_Shdr *s;
	bool exec = false;

	vec_each(s, &f->sections) {
		if (!(s->sh_flags & SHF_EXECINSTR))
			continue;
		if (s->sh_type != SHT_NOBITS)
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

/* The error of a libelf function that failed; errno must have been 0 before. */
static int unreadable(const struct elf_file *f, struct err *err, const char *what)
{
	if (errno == ENOMEM)
		return err_nomem(err);
	return err_set(err, EX_DATAERR, "%s: cannot read %s: %s", f->path, what, elf_errmsg(-1));
}

static Elf_Data *section_data(struct elf_file *f, const GElf_Shdr *s,
			      Elf_Data *(*get)(Elf_Scn *, Elf_Data *), struct err *err)
{
	const char *name = elf_section_name(f, s);
	Elf_Data *data;

	if (s->sh_type == SHT_NOBITS || s->sh_size > SECTIONS_MAX - f->taken) {
		err_set(err, EX_DATAERR,
			"%s: no table can be in the section %s of %" PRIu64 " bytes", f->path, name,
			s->sh_size);
		return NULL;
	}
	if (!within(f, s->sh_offset, s->sh_size)) {
		damaged(f, err, name, s->sh_offset, s->sh_size);
		return NULL;
	}
	errno = 0;
	data = get(elf_getscn(f->elf, (size_t)(s - f->sections.v)), NULL);
	/* Out of memory it can also give an empty one. */
	if (!data || data->d_size != s->sh_size) {
		unreadable(f, err, name);
		return NULL;
	}
	f->taken += s->sh_size;
	return data;
}

Elf_Data *elf_section_table(struct elf_file *f, const GElf_Shdr *s, struct err *err)
{
	return section_data(f, s, elf_getdata, err);
}

Elf_Data *elf_section_bytes(struct elf_file *f, const GElf_Shdr *s, struct err *err)
{
	return section_data(f, s, elf_rawdata, err);
}

/* Checks a table of count headers, which libelf takes to be of that size. */
static int check_table(const struct elf_file *f, const char *kind, uint64_t offset, uint64_t count,
		       unsigned int entry, size_t size, struct err *err)
{
	char what[32];

	if (entry != size)
		return err_set(err, EX_DATAERR, "%s: %s headers of %u bytes", f->path, kind, entry);
	if (count > HEADERS_MAX)
		return err_set(err, EX_DATAERR, "%s: %" PRIu64 " %s headers", f->path, count, kind);
	snprintf(what, sizeof(what), "the %s header table", kind);
	return within(f, offset, count * size) ? 0 : damaged(f, err, what, offset, count * size);
}

/* How many section headers there are; section 0 says it where the ELF header has no room. */
static uint64_t count_sections(const struct elf_file *f, Elf *head, const GElf_Ehdr *eh)
{
	union {
		Elf32_Shdr of32;
		Elf64_Shdr of64;
	} s;
	Elf_Data data = {.d_buf = &s,
			 .d_type = ELF_T_SHDR,
			 .d_size = gelf_fsize(head, ELF_T_SHDR, 1, EV_CURRENT),
			 .d_version = EV_CURRENT};

	if (eh->e_shnum)
		return eh->e_shnum;
	if (elf_file_read(f, eh->e_shoff, &s, data.d_size))
		return 1; /* which is not within the file */
	gelf_xlatetom(head, &data, &data, eh->e_ident[EI_DATA]);
	return f->is64 ? s.of64.sh_size : s.of32.sh_size;
}

/* Takes the ELF header, and checks what it says of the section headers. */
static int take_header(struct elf_file *f, Elf *head, GElf_Ehdr *eh, struct err *err)
{
	if (!gelf_getehdr(head, eh))
		return unreadable(f, err, "the ELF header");
	f->type = eh->e_type;
	f->machine = eh->e_machine;
	f->entry = eh->e_entry;
	if (f->type != ET_EXEC && f->type != ET_DYN && f->type != ET_REL)
		return err_set(err, EX_DATAERR, "%s: ELF type %d is no program, library or module",
			       f->path, f->type);
	if (!eh->e_shoff)
		return 0;
	return check_table(f, "section", eh->e_shoff, count_sections(f, head, eh), eh->e_shentsize,
			   gelf_fsize(head, ELF_T_SHDR, 1, EV_CURRENT), err);
}

/* The header comes first alone, since elf_begin() makes room for all sections that it tells of. */
static int read_header(struct elf_file *f, GElf_Ehdr *eh, struct err *err)
{
	union {
		unsigned char ident[EI_NIDENT];
		Elf64_Ehdr eh;
	} raw = {0};
	const unsigned char *ident = raw.ident;
	size_t size;
	Elf *head;
	int ret;

	if (elf_file_read(f, 0, &raw, EI_NIDENT) || memcmp(ident, ELFMAG, SELFMAG))
		return err_set(err, EX_DATAERR, "%s is no ELF file", f->path);
	if ((ident[EI_CLASS] != ELFCLASS32 && ident[EI_CLASS] != ELFCLASS64) ||
	    (ident[EI_DATA] != ELFDATA2LSB && ident[EI_DATA] != ELFDATA2MSB))
		return err_set(err, EX_DATAERR, "%s: ELF class %d with byte order %d", f->path,
			       ident[EI_CLASS], ident[EI_DATA]);
	if (ident[EI_VERSION] != elf_version(EV_CURRENT))
		return err_set(err, EX_DATAERR, "%s: ELF version %d", f->path, ident[EI_VERSION]);
	f->is64 = ident[EI_CLASS] == ELFCLASS64;
	f->is_big_endian = ident[EI_DATA] == ELFDATA2MSB;
	size = f->is64 ? sizeof(Elf64_Ehdr) : sizeof(Elf32_Ehdr);
	if (elf_file_read(f, 0, &raw, size))
		return damaged(f, err, "the ELF header", 0, size);
	errno = 0;
	head = elf_memory((char *)&raw, size);
	ret = take_header(f, head, eh, err);
	elf_end(head);
	return ret;
}

static int read_section_names(struct elf_file *f, struct err *err)
{
	const GElf_Shdr *s;
	const char *end;
	Elf_Data *data;
	size_t index;

	if (elf_getshdrstrndx(f->elf, &index) || index == SHN_UNDEF || index >= f->sections.n)
		return 0;
	s = &f->sections.v[index];
	if (!elf_section_held(f, s))
		return damaged(f, err, "the section name table", s->sh_offset, s->sh_size);
	data = elf_section_bytes(f, s, err);
	if (!data)
		return -1;
	end = data->d_size ? memrchr(data->d_buf, '\0', data->d_size) : NULL;
	f->names = data->d_buf;
	f->names_len = end ? (size_t)(end - f->names) + 1 : 0;
	return 0;
}

static int read_sections(struct elf_file *f, const GElf_Ehdr *eh, struct err *err)
{
	size_t count, i;

	if (!eh->e_shoff)
		return 0;
	errno = 0;
	if (elf_getshdrnum(f->elf, &count))
		return unreadable(f, err, "the section header table");
	if (vec_reserve(&f->sections, count))
		return err_nomem(err);
	for (i = 0; i < count; i++)
		if (!gelf_getshdr(elf_getscn(f->elf, i), &f->sections.v[i]))
			return unreadable(f, err, "the section header table");
	f->sections.n = count;
	return read_section_names(f, err);
}

static int read_segments(struct elf_file *f, const GElf_Ehdr *eh, struct err *err)
{
	size_t size = gelf_fsize(f->elf, ELF_T_PHDR, 1, EV_CURRENT);
	size_t count = eh->e_phnum, i;
	GElf_Phdr p;

	if (count == PN_XNUM && f->sections.n)
		count = f->sections.v[0].sh_info;
	if (!count || !eh->e_phoff)
		return 0;
	if (check_table(f, "program", eh->e_phoff, count, eh->e_phentsize, size, err))
		return -1;
	for (i = 0; i < count; i++) {
		errno = 0;
		if (!gelf_getphdr(f->elf, (int)i, &p))
			return unreadable(f, err, "the program header table");
		if (p.p_type == PT_INTERP) {
			f->linker_offset = p.p_offset;
			f->linker_len = p.p_filesz;
		}
		if (p.p_type != PT_LOAD || p.p_vaddr + p.p_memsz < p.p_vaddr)
			continue;
		if (vec_push(&f->segments, (struct elf_segment){.offset = p.p_offset,
								.vaddr = p.p_vaddr,
								.filesz = p.p_filesz,
								.memsz = p.p_memsz,
								.exec = p.p_flags & PF_X}))
			return err_nomem(err);
	}
	return 0;
}

/*
 * From the note sections: strippers that keep only the debug information leave program headers
 * that do not fit the file.
 */
static void read_build_id(struct elf_file *f)
{
	const GElf_Shdr *s;
	int left = NOTE_SECTIONS_MAX;

	vec_each(s, &f->sections) {
		Elf_Data *notes;

		if (s->sh_type != SHT_NOTE || !elf_section_held(f, s))
			continue;
		if (!left--)
			break;
		notes = elf_getdata_rawchunk(f->elf, (int64_t)s->sh_offset,
					     s->sh_size < NOTES_MAX ? s->sh_size : NOTES_MAX,
					     ELF_T_NHDR);
		if (notes && notes->d_size)
			f->build_id_len =
				build_id_of_notes(notes->d_buf, notes->d_size, f->build_id);
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
	GElf_Shdr *s;

	vec_each(s, &f->sections) {
		uint64_t align =
			s->sh_addralign && s->sh_addralign <= 1 << 20 ? s->sh_addralign : 1;

		if (!(s->sh_flags & SHF_ALLOC) || !(s->sh_flags & SHF_EXECINSTR))
			continue;
		if (!strncmp(elf_section_name(f, s), ".init", 5) || s->sh_size > f->size) {
			s->sh_flags &= ~(uint64_t)SHF_EXECINSTR;
			continue;
		}
		s->sh_addr = (text.memsz + align - 1) / align * align;
		text.memsz = s->sh_addr + s->sh_size;
	}
	return text.memsz && vec_push(&f->segments, text) ? err_nomem(err) : 0;
}

/* Closes f on failure. */
static int read_headers(struct elf_file *f, struct err *err)
{
	GElf_Ehdr eh;

	if (read_header(f, &eh, err))
		goto fail;
	errno = 0;
	/* ELF_C_READ only reads; elf_memory() changes nothing. */
	f->elf = f->mem ? elf_memory((char *)(uintptr_t)f->mem, f->size)
			: elf_begin(f->fd, ELF_C_READ, NULL);
	if (!f->elf) {
		unreadable(f, err, "the ELF header");
		goto fail;
	}
	if (read_sections(f, &eh, err) || read_segments(f, &eh, err))
		goto fail;
	read_build_id(f);
	if (f->type != ET_REL || !lay_out_module(f, err))
		return 0;
fail:
	elf_file_close(f);
	return -1;
}

int elf_file_memory(struct elf_file *f, const char *path, const void *mem, size_t len,
		    struct err *err)
{
	memset(f, 0, sizeof(*f));
	f->path = path;
	f->fd = -1;
	f->mem = mem;
	f->size = len;
	return read_headers(f, err);
}

int elf_file_open(struct elf_file *f, const char *path, struct err *err)
{
	memset(f, 0, sizeof(*f));
	f->path = path;
	f->fd = regular_open(path, &f->size, err);
	return f->fd < 0 ? -1 : read_headers(f, err);
}

int elf_file_adopt(struct elf_file *f, const char *path, int fd, struct err *err)
{
	struct stat st;

	memset(f, 0, sizeof(*f));
	f->path = path;
	f->fd = fd;
	if (fstat(fd, &st)) {
		err_fail(err, errno, "cannot read %s: %s", path, strerror(errno));
		elf_file_close(f);
		return -1;
	}
	f->size = (uint64_t)st.st_size;
	return read_headers(f, err);
}

void elf_file_close(struct elf_file *f)
{
	elf_end(f->elf);
	f->elf = NULL;
	if (f->fd >= 0)
		close(f->fd);
	f->fd = -1;
	vec_free(&f->segments);
	vec_free(&f->sections);
}
