// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>

#include "base/dwarf_read.h"
#include "callgraph/model/packed_source.h"

static int read_older(struct cg_packed_source *s, struct dwarf_cursor *c)
{
	uint64_t n = dwarf_uleb(c);

	for (; n && !c->bad; n--)
		if (vec_push(&s->older, dwarf_text(c)))
			return -1;
	return 0;
}

static int read_lines(struct cg_packed_source *s, struct dwarf_cursor *c)
{
	struct cg_packed_line l = {0};
	uint64_t left_out;

	while (dwarf_left(c)) {
		left_out = dwarf_uleb(c);
		if (left_out >= UINT32_MAX - l.line)
			dwarf_overrun(c);
		l.line += (uint32_t)left_out + 1;
		l.text = dwarf_text(c);
		if (!c->bad && vec_push(&s->lines, l))
			return -1;
	}
	return 0;
}

int cg_packed_source_read(struct cg_packed_source *s, uint8_t *bytes, size_t len, struct err *err)
{
	struct dwarf_cursor c = dwarf_cursor((struct dwarf_bytes){bytes, len}, 0, false);

	*s = (struct cg_packed_source){.bytes = bytes};
	if (dwarf_uleb(&c) != CG_PACKED_SOURCE_VERSION)
		dwarf_overrun(&c);
	s->path = dwarf_text(&c);
	s->problem = dwarf_text(&c);
	if (read_older(s, &c) || read_lines(s, &c))
		err_nomem(err);
	else if (c.bad)
		err_set(err, EX_DATAERR,
			"%zu bytes that are not the lines of a source file in version %d", len,
			CG_PACKED_SOURCE_VERSION);
	else
		return 0;
	cg_packed_source_fini(s);
	return -1;
}

void cg_packed_source_fini(struct cg_packed_source *s)
{
	vec_free(&s->older);
	vec_free(&s->lines);
	free(s->bytes);
}

const char *cg_packed_source_line(const struct cg_packed_source *s, uint32_t line)
{
	size_t lo = 0, hi = s->lines.n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (s->lines.v[mid].line < line)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < s->lines.n && s->lines.v[lo].line == line ? s->lines.v[lo].text : NULL;
}
