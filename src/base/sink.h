/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Where outputs write: buffered bytes to a file descriptor or into memory.
 *
 * A sink remembers its first failure and from then on drops what it is given, so that writers need
 * not check each call: they check sink_flush() once at the end.  A regular file is then cut back to
 * where the sink was told that all before is whole, if it was, and nobody else has moved its end.
 */
#ifndef BASE_SINK_H
#define BASE_SINK_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct sink;

struct sink *sink_to_fd(int fd);   /* fd is borrowed; NULL when out of memory */
struct sink *sink_to_memory(void); /* NULL when out of memory */
void sink_free(struct sink *s);	   /* does not flush; NULL is legal */

void sink_write(struct sink *s, const void *data, size_t len);
void sink_str(struct sink *s, const char *text);
void sink_char(struct sink *s, char c);
void sink_fill(struct sink *s, char c, size_t count); /* count times c */
void sink_u64(struct sink *s, uint64_t v);	      /* decimal */
void sink_uleb(struct sink *s, uint64_t v);	      /* unsigned LEB128 */
void sink_hex(struct sink *s, uint64_t v);	      /* lower case, with 0x */
void sink_printf(struct sink *s, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* What comes next may be missing, and what was written is of use without it. */
void sink_is_whole(struct sink *s);

/* How many bytes are in the file. */
uint64_t sink_written(const struct sink *s);

/* Writes out what is buffered.  0, or the errno of the first failure since the start. */
int sink_flush(struct sink *s);

/* Flushes and frees a sink.  0, or -1 with err set where name, which it writes to, failed. */
int sink_end(struct sink *s, const char *name, struct err *err);

/* Empties a memory sink, so that it can be written again. */
void sink_clear(struct sink *s);

/* The bytes of a memory sink, NUL-terminated; valid until the next write; "" on failure. */
const char *sink_text(struct sink *s, size_t *len);

#endif
