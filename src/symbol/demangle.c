// SPDX-License-Identifier: BSD-2-Clause
/* Names as users see them: C++ and Rust demangled, and in one line. */
#include <setjmp.h>
#include <stdio.h>

#ifdef HAVE_LIBIBERTY
#include <libiberty/demangle.h>
#endif

#include "symbol/image.h"

enum { MANGLED_MAX = 16 << 10, DEMANGLED_MAX = 64 << 10 };

/* Longer names are cut: no compiler makes them, and every report would carry them. */
enum { NAME_SHOWN = 16 << 10 };

#ifdef HAVE_LIBIBERTY

struct output {
	jmp_buf full;
	size_t len;
	char text[DEMANGLED_MAX];
};

/* A short name can stand for an endless one, and the demangler can only be left by a jump. */
static void append(const char *text, size_t len, void *opaque)
{
	struct output *o = opaque;

	if (len >= sizeof(o->text) - o->len)
		longjmp(o->full, 1);
	memcpy(o->text + o->len, text, len);
	o->len += len;
}

/* Whether name was one; the text is then in o. */
static bool demangle_into(struct output *o, const char *name)
{
	const int options = DMGL_PARAMS | DMGL_ANSI;

	o->len = 0;
	if (setjmp(o->full))
		return false;
	if (rust_demangle_callback(name, options, append, o))
		return true;
	o->len = 0;
	return name[1] == 'Z' && cplus_demangle_v3_callback(name, options, append, o);
}

static const char *demangled(struct strpool *pool, const char *name, const char *suffix)
{
	struct output *o = malloc(sizeof(*o));
	const char *text = NULL;
	uint32_t id;

	if (o && demangle_into(o, name) && o->len && !memchr(o->text, '\0', o->len)) {
		size_t n = strlen(suffix);

		if (n < sizeof(o->text) - o->len) {
			memcpy(o->text + o->len, suffix, n);
			id = strpool_id(pool, o->text, o->len + n);
			text = id == UINT32_MAX ? NULL : strpool_text(pool, id);
		}
	}
	free(o);
	return text;
}

#else

static const char *demangled(struct strpool *pool, const char *name, const char *suffix)
{
	(void)pool, (void)name, (void)suffix;
	return NULL;
}

#endif

const char *demangle(struct strpool *pool, const char *name, const char *suffix, bool raw)
{
	const char *text = NULL;
	char *both;

	if (!raw && name[0] == '_' && (name[1] == 'Z' || name[1] == 'R') &&
	    strnlen(name, MANGLED_MAX) < MANGLED_MAX)
		text = demangled(pool, name, suffix);
	if (text)
		return text;
	if (!*suffix)
		return strpool_intern(pool, name);
	if (asprintf(&both, "%s%s", name, suffix) < 0)
		return NULL;
	text = strpool_intern(pool, both);
	free(both);
	return text;
}

const char *symbol_shown_name(struct symbol_store *store, const char *name, const char *suffix)
{
	char *p, cut[NAME_SHOWN];
	size_t n = strnlen(name, sizeof(cut));

	if (n == sizeof(cut))
		n--;
	memcpy(cut, name, n);
	cut[n] = '\0';
	for (p = cut; *p; p++)
		if ((unsigned char)*p < ' ' || *p == 0x7f)
			*p = '?';
	return demangle(store->pool, cut, suffix, store->no_demangle);
}
