/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What words of hwpmcctl's operations mean: names of PMCs and children, numbers, options.
 */
#ifndef TESTS_VM_WORDS_H
#define TESTS_VM_WORDS_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kdrv/hwpmc.h"

#define MAX_NAMES 64

struct named {
	char name[16];
	uint64_t number; /* a PMC's id, a child's pid */
	uint64_t value;	 /* a PMC's, as last read */
};

static struct named names[MAX_NAMES];
static unsigned int nnames;

static const struct {
	const char *word;
	uint32_t value;
} words[] = {
	{"ss", 0},
	{"sc", 1},
	{"ts", 2},
	{"tc", 3},
	{"tsc", 0},
	{"cpu", 1},
	{"soft", 15},
	{"descendants", PMC_F_DESCENDANTS},
	{"proccsw", PMC_F_LOG_PROCCSW},
	{"procexit", PMC_F_LOG_PROCEXIT},
	{"new", PMC_F_NEWVALUE},
	{"old", PMC_F_OLDVALUE},
	{"kgmon", PMC_F_KGMON},
	{"callchain", PMC_F_CALLCHAIN},
	{"userchain", PMC_F_USERCALLCHAIN},
	{"on-exec", PMC_F_START_ON_EXEC},
	{"frequency", PMC_F_FREQUENCY},
	{"arguments", PMC_F_LOG_ARGUMENTS},
	{"no-user", HWPMC_F_EXCL_USER},
	{"no-kernel", HWPMC_F_EXCL_KERNEL},
	{"any", UINT32_MAX},
	{"self", 0},
	{"cpu-clock", 0},
	{"task-clock", 1},
	{"page-faults", 2},
	{"switches", 3},
};

static struct named *find(const char *name)
{
	unsigned int i;

	for (i = 0; i < nnames; i++)
		if (!strcmp(names[i].name, name))
			return &names[i];
	return NULL;
}

static struct named *make(const char *name)
{
	struct named *n = find(name);

	if (n)
		return n;
	if (nnames == MAX_NAMES)
		exit(70);
	n = &names[nnames++];
	snprintf(n->name, sizeof(n->name), "%s", name);
	return n;
}

/* Words with commas between, PMCs and children, numbers. */
static uint64_t number(const char *text)
{
	const struct named *n = find(text);
	uint64_t value = 0;
	unsigned int i;
	size_t length;

	if (n)
		return n->number;
	for (; *text; text += length + (text[length] == ',')) {
		length = strcspn(text, ",");
		for (i = 0; i < sizeof(words) / sizeof(words[0]); i++)
			if (strlen(words[i].word) == length &&
			    !strncmp(words[i].word, text, length))
				break;
		value |= i < sizeof(words) / sizeof(words[0]) ? words[i].value
							      : strtoull(text, NULL, 0);
	}
	return value;
}

/* What stands behind "key=" in the words, or otherwise. */
static const char *option(char **w, const char *key, const char *otherwise)
{
	for (; *w; w++)
		if (!strncmp(*w, key, strlen(key)) && (*w)[strlen(key)] == '=')
			return *w + strlen(key) + 1;
	return otherwise;
}

#endif
