// SPDX-License-Identifier: BSD-2-Clause
#include <inttypes.h>
#include <stdbool.h>

#include "base/utf8.h"
#include "base/json.h"

/* Whether the character c, which p begins with, stands for itself in a string. */
static bool is_plain(const char *p, uint32_t c)
{
	if (c == '<')
		return p[1] != '/' && p[1] != '!';
	return !utf8_is_control(c) && c != '"' && c != '\\' && c != 0x2028 && c != 0x2029;
}

static void write_escape(struct sink *sink, uint32_t c)
{
	if (c == '"' || c == '\\')
		sink_printf(sink, "\\%c", (char)c);
	else if (c == '\n')
		sink_write(sink, "\\n", 2);
	else if (c == '\t')
		sink_write(sink, "\\t", 2);
	else
		sink_printf(sink, "\\u%04" PRIx32, c);
}

void json_string(struct sink *sink, const char *text)
{
	const char *p = text, *from = text;

	sink_char(sink, '"');
	while (*p) {
		uint32_t c;
		size_t len = utf8_char(p, &c);

		if (len && is_plain(p, c)) {
			p += len;
			continue;
		}
		sink_write(sink, from, (size_t)(p - from));
		if (len)
			write_escape(sink, c);
		else
			sink_write(sink, "\xef\xbf\xbd", 3);
		from = p += len ? len : 1;
	}
	sink_write(sink, from, (size_t)(p - from));
	sink_char(sink, '"');
}
