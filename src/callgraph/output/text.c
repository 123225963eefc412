// SPDX-License-Identifier: BSD-2-Clause
/* Texts of logs and symbol tables, written so that they break no line and drive no terminal. */
#include "callgraph/output/output.h"
#include "pmclog/text.h"

void cg_write_text(struct sink *sink, const char *text)
{
	pmclog_text_escaped(sink, text, strlen(text));
}

void cg_write_name(struct sink *sink, const char *name)
{
	const char *from = name;
	size_t skip;

	while (*name) {
		skip = *name == ' ' || *name == ';' ? 1 : pmclog_text_control(name);
		if (!skip) {
			name++;
			continue;
		}
		sink_write(sink, from, (size_t)(name - from));
		/* A semicolon separates frames of a folded stack. */
		sink_char(sink, *name == ';' ? ':' : '_');
		from = name += skip;
	}
	sink_write(sink, from, (size_t)(name - from));
}

int cg_write_times(struct sink *sink, struct sink *text, uint64_t count)
{
	size_t len;
	const char *bytes = sink_text(text, &len);

	if (sink_flush(text))
		return -1;
	while (count--)
		sink_write(sink, bytes, len);
	return 0;
}
