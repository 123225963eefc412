// SPDX-License-Identifier: BSD-2-Clause
#include "base/utf8.h"
#include "callgraph/output/output.h"

/* Whether a document may have the character. */
static bool is_shown(uint32_t c)
{
	return !utf8_is_control(c) && (c & 0xfffe) != 0xfffe;
}

void cg_write_markup(struct sink *sink, const char *text)
{
	while (*text) {
		uint32_t c;
		size_t len = utf8_char(text, &c);

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
