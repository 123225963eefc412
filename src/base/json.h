/* SPDX-License-Identifier: BSD-2-Clause */
/* Texts of logs and symbol tables, which may hold any bytes, as valid UTF-8 and JSON. */
#ifndef BASE_JSON_H
#define BASE_JSON_H

#include "base/sink.h"

/*
 * The text as a JSON string with its quotes.  A byte that is not UTF-8 becomes U+FFFD; control
 * characters are escaped, and so is what would end or change a script of an HTML page.
 */
void json_string(struct sink *sink, const char *text);

#endif
