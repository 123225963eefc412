// SPDX-License-Identifier: BSD-2-Clause
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/same_file.h"

static bool is_inode(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

bool is_same_file(const char *a, const char *b)
{
	char x[PATH_MAX], y[PATH_MAX];
	struct stat s, t;
	bool is_there;

	if (!strcmp(a, "-") || !strcmp(b, "-"))
		return false;
	is_there = !stat(a, &s);
	if (is_there != !stat(b, &t))
		return false;
	if (is_there)
		return is_inode(&s, &t) && S_ISREG(s.st_mode);
	snprintf(x, sizeof(x), "%s", a);
	snprintf(y, sizeof(y), "%s", b);
	if (strcmp(basename(x), basename(y)) != 0)
		return false;
	snprintf(x, sizeof(x), "%s", a);
	snprintf(y, sizeof(y), "%s", b);
	return !stat(dirname(x), &s) && !stat(dirname(y), &t) && is_inode(&s, &t);
}
