/* SPDX-License-Identifier: BSD-2-Clause */
/* Names as people read them: the one rule of what is left out of long ones. */
#ifndef BASE_SHORT_NAME_H
#define BASE_SHORT_NAME_H

#include <stddef.h>

/*
 * Shortens a function's demangled name into size bytes, at least 1; what is longer ends there:
 *
 *	template arguments of more than 16 bytes become "..": "std::sort<..>(..)";
 *	Rust's "<Type as Trait>::f" keeps the two, shortened likewise
 *	hashes of Rust ("::h0123456789abcdef" at the end, "[0123456789abcdef]" behind a crate) and
 *	what LLVM appends (".llvm.123") are left out
 */
void short_name(const char *name, char *to, size_t size);

#endif
