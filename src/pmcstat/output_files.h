/* SPDX-License-Identifier: BSD-2-Clause */
/* The files of outputs that make several: below one directory, each in a subdirectory. */
#ifndef PMCSTAT_OUTPUT_FILES_H
#define PMCSTAT_OUTPUT_FILES_H

#include <limits.h>

#include "callgraph/output.h"

struct output_files {
	struct cg_files ops; /* what the output is given */
	const char *dir;     /* borrowed */
	char path[PATH_MAX]; /* of the file that is open */
	int fd;		     /* of it */
};

/* dir NULL: the working directory. */
void output_files_init(struct output_files *files, const char *dir);

#endif
