// SPDX-License-Identifier: BSD-2-Clause
#include <elf.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/build_id.h"

enum { NOTES_MAX = 64 * 1024, SEGMENTS_MAX = 256 };

static uint32_t swap32(uint32_t v, bool swap)
{
	return swap ? __builtin_bswap32(v) : v;
}

static uint64_t swap64(uint64_t v, bool swap)
{
	return swap ? __builtin_bswap64(v) : v;
}

/* swap: of a machine of the other byte order. */
static size_t build_id_of_foreign_notes(const void *notes, size_t len, bool swap,
					uint8_t id[BUILD_ID_MAX])
{
	const uint8_t *p = notes;

	while (len >= sizeof(Elf32_Nhdr)) {
		Elf32_Nhdr n;
		size_t name, desc;

		memcpy(&n, p, sizeof(n));
		name = ((size_t)swap32(n.n_namesz, swap) + 3) & ~(size_t)3;
		desc = ((size_t)swap32(n.n_descsz, swap) + 3) & ~(size_t)3;
		p += sizeof(n);
		len -= sizeof(n);
		if (name > len || desc > len - name)
			return 0;
		if (swap32(n.n_type, swap) == NT_GNU_BUILD_ID && name == 4 &&
		    !memcmp(p, "GNU", 4)) {
			size_t size = swap32(n.n_descsz, swap);

			if (!size || size > BUILD_ID_MAX)
				return 0;
			memcpy(id, p + name, size);
			return size;
		}
		p += name + desc;
		len -= name + desc;
	}
	return 0;
}

size_t build_id_of_notes(const void *notes, size_t len, uint8_t id[BUILD_ID_MAX])
{
	return build_id_of_foreign_notes(notes, len, false, id);
}

size_t build_id_of_notes_file(const char *path, uint8_t id[BUILD_ID_MAX])
{
	/* A read(2) below /sys has a page at most. */
	FILE *f = fopen(path, "re");
	uint8_t notes[NOTES_MAX];
	size_t n = f ? fread(notes, 1, sizeof(notes), f) : 0;

	if (f)
		fclose(f);
	return build_id_of_notes(notes, n, id);
}

static size_t notes_at(int fd, uint64_t offset, uint64_t size, bool swap, uint8_t id[BUILD_ID_MAX])
{
	uint8_t buf[NOTES_MAX];
	ssize_t n = pread(fd, buf, size < sizeof(buf) ? size : sizeof(buf), (off_t)offset);

	return n > 0 ? build_id_of_foreign_notes(buf, (size_t)n, swap, id) : 0;
}

static size_t scan64(int fd, const Elf64_Ehdr *eh, bool swap, uint8_t id[BUILD_ID_MAX])
{
	unsigned int i, count = swap ? __builtin_bswap16(eh->e_phnum) : eh->e_phnum;
	uint64_t at = swap64(eh->e_phoff, swap);
	Elf64_Phdr ph;
	size_t n;

	for (i = 0; i < count && i < SEGMENTS_MAX; i++, at += sizeof(ph)) {
		if (pread(fd, &ph, sizeof(ph), (off_t)at) != sizeof(ph))
			return 0;
		if (swap32(ph.p_type, swap) == PT_NOTE &&
		    (n = notes_at(fd, swap64(ph.p_offset, swap), swap64(ph.p_filesz, swap), swap,
				  id)))
			return n;
	}
	return 0;
}

static size_t scan32(int fd, const Elf32_Ehdr *eh, bool swap, uint8_t id[BUILD_ID_MAX])
{
	unsigned int i, count = swap ? __builtin_bswap16(eh->e_phnum) : eh->e_phnum;
	uint64_t at = swap32(eh->e_phoff, swap);
	Elf32_Phdr ph;
	size_t n;

	for (i = 0; i < count && i < SEGMENTS_MAX; i++, at += sizeof(ph)) {
		if (pread(fd, &ph, sizeof(ph), (off_t)at) != sizeof(ph))
			return 0;
		if (swap32(ph.p_type, swap) == PT_NOTE &&
		    (n = notes_at(fd, swap32(ph.p_offset, swap), swap32(ph.p_filesz, swap), swap,
				  id)))
			return n;
	}
	return 0;
}

size_t build_id_of_fd(int fd, uint8_t id[BUILD_ID_MAX])
{
	const unsigned char here = __BYTE_ORDER == __LITTLE_ENDIAN ? ELFDATA2LSB : ELFDATA2MSB;
	union {
		Elf64_Ehdr e64;
		Elf32_Ehdr e32;
	} eh;
	ssize_t n = pread(fd, &eh, sizeof(eh), 0);
	bool swap;

	if (n < (ssize_t)sizeof(eh.e32) || memcmp(eh.e32.e_ident, ELFMAG, SELFMAG))
		return 0;
	swap = eh.e32.e_ident[EI_DATA] != here;
	if (eh.e32.e_ident[EI_CLASS] == ELFCLASS32)
		return scan32(fd, &eh.e32, swap, id);
	return n == (ssize_t)sizeof(eh.e64) ? scan64(fd, &eh.e64, swap, id) : 0;
}

size_t build_id_of_file(const char *path, uint8_t id[BUILD_ID_MAX])
{
	/* O_NONBLOCK: a mapped path may since have become a fifo. */
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	size_t n;

	if (fd < 0)
		return 0;
	n = build_id_of_fd(fd, id);
	close(fd);
	return n;
}

char *build_id_text(const uint8_t *id, size_t len, char text[2 * BUILD_ID_MAX + 1])
{
	size_t i;

	text[0] = '\0';
	for (i = 0; i < len && i < BUILD_ID_MAX; i++)
		snprintf(text + 2 * i, 3, "%02x", id[i]);
	return text;
}
