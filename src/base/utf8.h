/* SPDX-License-Identifier: BSD-2-Clause */
/* Texts of logs, files and symbol tables, which need not be UTF-8. */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include <stddef.h>
#include <stdint.h>

/*
 * The bytes of the UTF-8 character that a NUL-terminated text begins with, and its code point in
 * *point; 0: it begins with none, be it that it has ended.
 */
size_t utf8_char(const char *text, uint32_t *point);

#endif
