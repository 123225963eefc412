/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Records as text: one line each, as man/pmclog.5 specifies and existing tools parse.
 */
#ifndef PMCLOG_TEXT_H
#define PMCLOG_TEXT_H

#include "base/sink.h"
#include "base/utf8.h"
#include "pmclog/reader.h"

void pmclog_text_record(struct sink *s, const struct pmclog_record *rec);

/*
 * The bytes of the character that a NUL-terminated text begins with, or 1 where it is none.
 * *control: terminals obey it.  Those of other encodings than UTF-8 take a lone byte of 0x80 to
 * 0x9f for one.
 */
static inline size_t pmclog_text_step(const char *p, bool *control)
{
	uint32_t point;
	size_t len = utf8_char(p, &point);

	*control = len ? utf8_is_control(point) : (unsigned char)*p < 0xa0;
	return len ? len : 1;
}

/* Text from a log; a control character, which could break a line, as \ and octal digits. */
void pmclog_text_escaped(struct sink *s, const char *text, size_t len);

/* FreeBSD's name of a cputype ("GENERIC"), NULL for one that is not known. */
const char *pmclog_cputype_name(uint32_t cputype);

#endif
