/* SPDX-License-Identifier: BSD-2-Clause */
/* What the tests of src/symbol share: files made from text in a directory of their own. */
#ifndef SYMBOL_STORY_H
#define SYMBOL_STORY_H

#include <limits.h>
#include <stdarg.h>
#include <sys/stat.h>

#include "symbol/symbol.h"
#include "unit.h"

static char story_dir[] = "/tmp/symbol-XXXXXX";
static pid_t story_owner;

static void story_end(void)
{
	char command[64];

	if (getpid() != story_owner)
		return;
	snprintf(command, sizeof(command), "rm -rf %s", story_dir);
	if (system(command))
		printf("# cannot remove %s\n", story_dir);
}

/* Each test begins with it: an empty directory, which is then the current one. */
static void story_begin(void)
{
	if (!mkdtemp(story_dir) || chdir(story_dir)) {
		printf("# no directory: %s\n", story_dir);
		exit(99);
	}
	story_owner = getpid();
	atexit(story_end);
}

/* The full path of a file of the story. */
static inline const char *at(const char *name)
{
	static char path[4][PATH_MAX];
	static unsigned int n;
	char *p = path[n++ % 4];

	snprintf(p, PATH_MAX, "%s/%s", story_dir, name);
	return p;
}

/* Runs a command of the shell. */
static inline void run(const char *fmt, ...)
{
	char command[4096];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(command, sizeof(command), fmt, ap);
	va_end(ap);
	if (system(command)) {
		printf("# failed: %s\n", command);
		unit_failures++;
	}
}

static inline void write_text(const char *name, const char *text)
{
	FILE *f;

	run("mkdir -p \"$(dirname %s)\"", name);
	f = fopen(name, "w");
	if (!f || fputs(text, f) < 0 || fclose(f))
		unit_failures++;
}

/* Makes an ELF file by mkelf. */
static inline void write_elf(const char *name, const char *spec)
{
	const char *builddir = getenv("builddir");

	write_text("spec", spec);
	run("mkdir -p \"$(dirname %s)\" && \"%s\"/tests/tools/mkelf %s <spec", name,
	    builddir ? builddir : ".", name);
}

/* An image of a file of the story; build_id is hex or NULL. */
static inline struct symbol_image *image_of(struct symbol_store *store, const char *path,
					    const char *build_id)
{
	uint8_t id[32];
	struct symbol_ref ref = {.path = path, .build_id = id};
	unsigned int byte;

	for (; build_id && sscanf(build_id, "%2x", &byte) == 1; build_id += 2)
		id[ref.build_id_len++] = (uint8_t)byte;
	return symbol_image_get(store, &ref);
}

static inline struct symbol_store *store_new(void)
{
	struct symbol_config config = {.debug_dir = at("debug")};

	return symbol_store_new(&config, NULL);
}

/* The name at an address, "-" for none. */
static inline const char *name_at(struct symbol_image *image, uint64_t address)
{
	struct symbol s;

	return symbol_find(image, address, &s) ? s.name : "-";
}

#endif
