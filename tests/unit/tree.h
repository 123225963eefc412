/* SPDX-License-Identifier: BSD-2-Clause */
/* A temporary directory for a test: made, filled with small files, removed. */
#ifndef TREE_H
#define TREE_H

#include <errno.h>
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct tree {
	char root[64];
};

/* Exits where the directory cannot be made: no test is of use then. */
static inline struct tree tree_new(void)
{
	struct tree t;

	strcpy(t.root, "/tmp/pmctest.XXXXXX");
	if (!mkdtemp(t.root)) {
		perror(t.root);
		exit(99);
	}
	return t;
}

/* Writes text to the file path below the tree, with the directories on the way. */
static inline void tree_file(const struct tree *t, const char *path, const char *text)
{
	char full[PATH_MAX], *p;
	FILE *f;

	snprintf(full, sizeof(full), "%s/%s", t->root, path);
	for (p = full + strlen(t->root) + 1; (p = strchr(p, '/')); *p++ = '/') {
		*p = '\0';
		mkdir(full, 0777);
	}
	f = fopen(full, "w");
	if (!f || fputs(text, f) < 0 || fclose(f)) {
		perror(full);
		exit(99);
	}
}

static inline const char *tree_path(const struct tree *t, const char *path, char full[PATH_MAX])
{
	snprintf(full, PATH_MAX, "%s/%s", t->root, path);
	return full;
}

static inline int tree_remove_one(const char *path, const struct stat *st, int type,
				  struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

static inline void tree_free(const struct tree *t)
{
	nftw(t->root, tree_remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

#endif
