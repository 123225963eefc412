// SPDX-License-Identifier: BSD-2-Clause
#include <stdbool.h>

#include "callgraph/json_text.h"

static bool continues(unsigned char c)
{
	return (c & 0xc0) == 0x80;
}

size_t cg_utf8_length(const char *text)
{
	const unsigned char *p = (const unsigned char *)text;

	if (*p && *p < 0x80)
		return 1;
	/* The second byte bounds what is written longer than need be, surrogates and the end. */
	if (*p >= 0xc2 && *p <= 0xdf)
		return continues(p[1]) ? 2 : 0;
	if (*p >= 0xe0 && *p <= 0xef)
		return continues(p[1]) && (*p != 0xe0 || p[1] >= 0xa0) &&
				       (*p != 0xed || p[1] < 0xa0) && continues(p[2])
			       ? 3
			       : 0;
	if (*p >= 0xf0 && *p <= 0xf4)
		return continues(p[1]) && (*p != 0xf0 || p[1] >= 0x90) &&
				       (*p != 0xf4 || p[1] < 0x90) && continues(p[2]) &&
				       continues(p[3])
			       ? 4
			       : 0;
	return 0;
}

/* Whether the character that p begins with stands for itself in a string; len: its bytes. */
static bool is_plain(const unsigned char *p, size_t len)
{
	switch (len) {
	case 1:
		if (*p == '<')
			return p[1] != '/' && p[1] != '!';
		return *p >= ' ' && *p != '"' && *p != '\\' && *p != 0x7f;
	case 2: return *p != 0xc2 || p[1] >= 0xa0;			    /* U+0080 to U+009F */
	case 3: return *p != 0xe2 || p[1] != 0x80 || (p[2] & 0xfe) != 0xa8; /* U+2028, U+2029 */
	default: return len;
	}
}

static void write_escape(struct sink *sink, const unsigned char *p, size_t len)
{
	if (!len)
		sink_write(sink, "\xef\xbf\xbd", 3);
	else if (*p == '"' || *p == '\\')
		sink_printf(sink, "\\%c", *p);
	else if (*p == '\n')
		sink_write(sink, "\\n", 2);
	else if (*p == '\t')
		sink_write(sink, "\\t", 2);
	else
		sink_printf(sink, "\\u%04x",
			    len == 1   ? *p
			    : len == 2 ? (*p & 0x1fu) << 6 | (p[1] & 0x3fu)
				       : (*p & 0xfu) << 12 | (p[1] & 0x3fu) << 6 | (p[2] & 0x3fu));
}

void cg_json_string(struct sink *sink, const char *text)
{
	const char *p = text, *from = text;

	sink_char(sink, '"');
	while (*p) {
		size_t len = cg_utf8_length(p);

		if (is_plain((const unsigned char *)p, len)) {
			p += len;
			continue;
		}
		sink_write(sink, from, (size_t)(p - from));
		write_escape(sink, (const unsigned char *)p, len);
		from = p += len ? len : 1;
	}
	sink_write(sink, from, (size_t)(p - from));
	sink_char(sink, '"');
}
