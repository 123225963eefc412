// SPDX-License-Identifier: BSD-2-Clause
#include "base/utf8.h"

size_t utf8_char(const char *text, uint32_t *point)
{
	static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
	const unsigned char *s = (const unsigned char *)text;
	size_t len, i;

	*point = *s;
	if (*s < 0x80)
		return *s != '\0';
	if (*s < 0xc2 || *s > 0xf4)
		return 0;
	len = *s < 0xe0 ? 2 : *s < 0xf0 ? 3 : 4;
	*point = *s & (0x7fu >> len);
	/* A text ends with a byte that continues nothing. */
	for (i = 1; i < len; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return 0;
		*point = *point << 6 | (s[i] & 0x3f);
	}
	/* What is written longer than need be, halves of UTF-16, and what is behind the end. */
	if (*point < least[len] || (*point >= 0xd800 && *point < 0xe000) || *point > 0x10ffff)
		return 0;
	return len;
}
