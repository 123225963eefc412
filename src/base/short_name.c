// SPDX-License-Identifier: BSD-2-Clause
#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include "base/short_name.h"

enum {
	DEEPEST = 8,	   /* types in types that are shortened; deeper ones are left out */
	HASH = 16,	   /* digits of Rust's */
	ARGUMENTS_KEPT = 16
};

struct text {
	char *to;
	size_t n, size;
};

static void put(struct text *t, const char *from, size_t n)
{
	size_t room = t->size - 1 - t->n;

	n = n < room ? n : room;
	memcpy(t->to + t->n, from, n);
	t->n += n;
}

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '$' || (unsigned char)c >= 0x80;
}

/* The bytes of "operator<", "operator->*" and the like at s; 0: it is none with < or >. */
static size_t operator_at(const char *s, const char *begin)
{
	static const char *const signs[] = {"<=>", "<<=", ">>=", "->*", "<<", ">>",
					    "<=",  ">=",  "->",	 "<",	">"};
	size_t n = strlen("operator"), i;

	if (strncmp(s, "operator", n) != 0 || (s > begin && is_word(s[-1])))
		return 0;
	for (i = 0; i < sizeof(signs) / sizeof(signs[0]); i++)
		if (!strncmp(s + n, signs[i], strlen(signs[i])))
			return n + strlen(signs[i]);
	return 0;
}

/* The > that closes the < at s; NULL where none does before end. */
static const char *closing(const char *s, const char *end)
{
	const char *begin = s;
	size_t depth = 0, skip;

	for (; s < end; s++) {
		if ((skip = operator_at(s, begin)))
			s += skip - 1;
		else if (*s == '<')
			depth++;
		else if (*s == '>' && s[-1] != '-' && !--depth)
			return s;
	}
	return NULL;
}

/* The bytes of a hash at s that nobody needs to see; 0: it is none. */
static size_t hash_at(const char *s, const char *begin)
{
	size_t n;

	if (!strncmp(s, "::h", 3)) {
		n = strspn(s + 3, "0123456789abcdef");
		return n == HASH && !is_word(s[3 + n]) && s[3 + n] != ':' ? 3 + n : 0;
	}
	if (!strncmp(s, ".llvm.", 6))
		return 6 + strspn(s + 6, "0123456789");
	if (*s != '[' || s == begin || !is_word(s[-1]))
		return 0;
	n = strspn(s + 1, "0123456789abcdef");
	return n && n <= HASH && !strncmp(s + 1 + n, "]::", 3) ? n + 2 : 0;
}

/* Whether Rust's "<Type as Trait>::f" or "<Type>::f" begins at s, and ends at close. */
static bool is_qualified(const char *s, const char *begin, const char *close)
{
	return (s == begin || strchr("<(&*[ ,", s[-1])) && close[1] == ':';
}

static void shorten(struct text *t, const char *s, const char *end, unsigned int depth)
{
	const char *begin = s, *close;
	size_t n;

	while (s < end) {
		if ((n = hash_at(s, begin)) && s + n <= end) {
			s += n;
			continue;
		}
		n = operator_at(s, begin);
		if (n || *s != '<' || !(close = closing(s, end))) {
			/* What nothing closes is no template's. */
			n = n ? n : *s == '<' ? (size_t)(end - s) : 1;
			put(t, s, n);
			s += n;
			continue;
		}
		if (close - s - 1 <= ARGUMENTS_KEPT) {
			put(t, s, (size_t)(close - s + 1));
		} else if (depth < DEEPEST && is_qualified(s, begin, close)) {
			put(t, "<", 1);
			shorten(t, s + 1, close, depth + 1);
			put(t, ">", 1);
		} else {
			put(t, "<..>", 4);
		}
		s = close + 1;
	}
}

void short_name(const char *name, char *to, size_t size)
{
	struct text t = {.to = to, .size = size};

	shorten(&t, name, name + strlen(name), 0);
	t.to[t.n] = '\0';
}
