/* SPDX-License-Identifier: BSD-2-Clause */
/* Words as sh(1) has them. */
#ifndef BASE_SHELL_WORD_H
#define BASE_SHELL_WORD_H

#include <stddef.h>

#include "base/sink.h"

/* Writes the bytes as one word, in quotes where a shell needs them. */
void sink_shell_word(struct sink *line, const char *s, size_t len);

/* Writes all of a NULL-terminated list, with blanks between them. */
void sink_shell_words(struct sink *line, char *const *words);

#endif
