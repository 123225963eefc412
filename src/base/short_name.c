// SPDX-License-Identifier: BSD-2-Clause
#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include "base/short_name.h"

enum { RUST_HASH = 16 + 3 /* ::h0123456789abcdef */ };

/* The length of a name without a hash of Rust's. */
static size_t length(const char *name)
{
	size_t n = strlen(name);
	const char *hash = n > RUST_HASH ? name + n - RUST_HASH : NULL;

	return hash && !strncmp(hash, "::h", 3) && strspn(hash + 3, "0123456789abcdef") == 16
		       ? n - RUST_HASH
		       : n;
}

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '$';
}

/* Whether a name has "operator" at i, and how long that is with what it is called: operator<<. */
static size_t operator_at(const char *name, size_t i)
{
	static const char word[] = "operator";
	size_t n = sizeof(word) - 1;

	if (strncmp(name + i, word, n) != 0 || (i && is_word(name[i - 1])) || is_word(name[i + n]))
		return 0;
	return n + strspn(name + i + n, "<>=-*");
}

/* The end of the template arguments that begin at i; 0: they have none. */
static size_t end_of_arguments(const char *name, size_t i, size_t n)
{
	unsigned int depth = 0;

	for (; i < n; i++) {
		size_t op = operator_at(name, i);

		if (op)
			i += op - 1;
		else if (name[i] == '<')
			depth++;
		else if (name[i] == '>' && name[i - 1] != '-' && !--depth)
			return i + 1;
	}
	return 0;
}

void short_name(const char *name, char *to, size_t size)
{
	size_t n = length(name), i = 0, at = 0;
	bool closed = true; /* what opens ends, as far as was looked */

	while (i < n && at + 1 < size) {
		size_t op = operator_at(name, i), end = 0;
		const char *from = name + i;
		size_t len = op ? op : 1;

		/* Behind a word; elsewhere it is a type of Rust's, <T as Trait>::name. */
		if (*from == '<' && i && closed && (is_word(from[-1]) || from[-1] == ' '))
			closed = (end = end_of_arguments(name, i, n)) > 0;
		if (end) {
			from = "<...>";
			len = strlen(from);
		}
		i = end ? end : i + len;
		len = len < size - 1 - at ? len : size - 1 - at;
		memcpy(to + at, from, len);
		at += len;
	}
	if (size)
		to[at] = '\0';
}
