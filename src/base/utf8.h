/* SPDX-License-Identifier: BSD-2-Clause */
/* Texts of logs, files and symbol tables, which need not be UTF-8. */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The bytes of the UTF-8 character that a NUL-terminated text begins with, and its code point in
 * *point; 0: it begins with none, be it that it has ended.
 */
size_t utf8_char(const char *text, uint32_t *point);

/* Whether it is not shown but obeyed: a control character, or what turns the direction of text. */
static inline bool utf8_is_control(uint32_t point)
{
	return point < ' ' || (point >= 0x7f && point < 0xa0) ||
	       (point >= 0x202a && point <= 0x202e) || (point >= 0x2066 && point <= 0x2069);
}

#endif
