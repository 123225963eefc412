/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Source files, read line by line wherever that is.
 *
 * Memory does not grow with the file but for a mark every few hundred lines; of a huge file only
 * the beginning is read.
 */
#ifndef CALLGRAPH_SOURCE_H
#define CALLGRAPH_SOURCE_H

#include <stdbool.h>
#include <stdint.h>

#include "callgraph/model/profile.h"

struct source;

/*
 * Opens a regular file, or what the packed log of a profile (NULL: none) has of it, which must stay
 * as it is; fsroot (NULL: none) goes before the path of a file.  NULL with err set; its code is
 * EX_OSERR when out of memory.
 */
struct source *source_open(const struct cg_profile *p, const char *fsroot, const char *path,
			   struct err *err);
void source_close(struct source *s); /* NULL is legal */

/* Whether it was changed behind the object that was made of it; fsroot as above. */
bool source_is_newer(const struct source *s, const char *fsroot, const char *object);

/*
 * A line, from 1, without its end: tabs as blanks, a NUL as ?, the rest of a very long one left
 * out.  Valid until the next call; NULL when the file has no such line.
 */
const char *source_line(struct source *s, uint32_t line);

#endif
