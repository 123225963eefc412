/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Build-ids: the bytes by which a linker names what it linked (the NT_GNU_BUILD_ID note).
 *
 * Read without libelf, from the program headers alone, so that a recorder can afford it for every
 * mapping it sees.
 */
#ifndef BASE_BUILD_ID_H
#define BASE_BUILD_ID_H

#include <stddef.h>
#include <stdint.h>

enum { BUILD_ID_MAX = 32 };

/* The build-id of the ELF file open at fd, into id; its length, 0 when it has none. */
size_t build_id_of_fd(int fd, uint8_t id[BUILD_ID_MAX]);

/* The same of a file by name. */
size_t build_id_of_file(const char *path, uint8_t id[BUILD_ID_MAX]);

/* The build-id in a block of ELF notes of this machine, as in /sys/kernel/notes. */
size_t build_id_of_notes(const void *notes, size_t len, uint8_t id[BUILD_ID_MAX]);

/* The same of a file that has them. */
size_t build_id_of_notes_file(const char *path, uint8_t id[BUILD_ID_MAX]);

/* Writes id as lower-case hex and a NUL into text[2 * BUILD_ID_MAX + 1]; returns text. */
char *build_id_text(const uint8_t *id, size_t len, char text[2 * BUILD_ID_MAX + 1]);

#endif
