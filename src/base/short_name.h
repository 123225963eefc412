/* SPDX-License-Identifier: BSD-2-Clause */
/* Names of C++ and Rust where there is little room. */
#ifndef BASE_SHORT_NAME_H
#define BASE_SHORT_NAME_H

#include <stddef.h>

/*
 * Writes a demangled name, as much of it as there is room for: template arguments as <...>, and
 * without the hash that Rust ends its names with.
 */
void short_name(const char *name, char *to, size_t size);

#endif
