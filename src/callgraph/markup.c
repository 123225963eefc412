// SPDX-License-Identifier: BSD-2-Clause
#include "callgraph/output.h"

/*
 * The bytes of the character that a text begins with, 0 where they are no UTF-8; its code point
 * goes into *point.
 */
static size_t decode(const unsigned char *s, uint32_t *point)
{
	static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
	size_t len, i;

	if (*s < 0x80) {
		*point = *s;
		return 1;
	}
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
	return *point < least[len] || *point > 0x10ffff ? 0 : len;
}

/* Whether a document may have the character: no controls, nor what turns the direction of text. */
static bool is_shown(uint32_t c)
{
	if (c < ' ' || (c >= 0x7f && c < 0xa0) || (c >= 0xd800 && c < 0xe000))
		return false;
	if ((c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069))
		return false;
	return (c & 0xfffe) != 0xfffe;
}

void cg_write_markup(struct sink *sink, const char *text)
{
	while (*text) {
		uint32_t c = 0;
		size_t len = decode((const unsigned char *)text, &c);

		if (!len || !is_shown(c))
			sink_str(sink, "\xef\xbf\xbd");
		else if (c == '<')
			sink_str(sink, "&lt;");
		else if (c == '>')
			sink_str(sink, "&gt;");
		else if (c == '&')
			sink_str(sink, "&amp;");
		else if (c == '"')
			sink_str(sink, "&quot;");
		else if (c == '\'')
			sink_str(sink, "&#39;");
		else
			sink_write(sink, text, len);
		text += len ? len : 1;
	}
}
