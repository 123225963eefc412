/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Records as text: one line each, as man/pmclog.5 specifies and existing tools parse.
 */
#ifndef PMCLOG_TEXT_H
#define PMCLOG_TEXT_H

#include "base/sink.h"
#include "pmclog/reader.h"

void pmclog_text_record(struct sink *s, const struct pmclog_record *rec);

/* Text from a log; a control character, which could break a line, as \ and octal digits. */
void pmclog_text_escaped(struct sink *s, const char *text, size_t len);

/* FreeBSD's name of a cputype ("GENERIC"), NULL for one that is not known. */
const char *pmclog_cputype_name(uint32_t cputype);

#endif
