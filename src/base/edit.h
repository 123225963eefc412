/* SPDX-License-Identifier: BSD-2-Clause */
/* How far a text is from a name, so that a slip can be told from another name. */
#ifndef BASE_EDIT_H
#define BASE_EDIT_H

#include <stddef.h>

/*
 * Into row[j], for each j up to m: how many letters must be changed, added or taken to make the
 * first j letters of name from the n of text.  fold gives letters that count as the same one value.
 */
void edit_distances(const char *text, size_t n, const char *name, size_t m, char (*fold)(char),
		    unsigned int row[]);

#endif
