/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Records as text: one line each, as man/pmclog.5 specifies and existing tools parse.
 */
#ifndef PMCLOG_TEXT_H
#define PMCLOG_TEXT_H

#include "base/sink.h"
#include "pmclog/reader.h"

void pmclog_text_record(struct sink *s, const struct pmclog_record *rec);

/*
 * The bytes of the control character that a NUL-terminated text begins with, 0 where it does not:
 * one of ASCII, or of the second set (U+0080 to U+009F) in UTF-8, which terminals obey too.
 */
static inline size_t pmclog_text_control(const char *p)
{
	unsigned char c = (unsigned char)*p;

	if (c < ' ' || c == 0x7f)
		return 1;
	return c == 0xc2 && ((unsigned char)p[1] & 0xe0) == 0x80 ? 2 : 0;
}

/* Text from a log; a control character, which could break a line, as \ and octal digits. */
void pmclog_text_escaped(struct sink *s, const char *text, size_t len);

/* FreeBSD's name of a cputype ("GENERIC"), NULL for one that is not known. */
const char *pmclog_cputype_name(uint32_t cputype);

#endif
