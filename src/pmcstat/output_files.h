/* SPDX-License-Identifier: BSD-2-Clause */
/* The files of outputs; of those that make several, each in a subdirectory of one directory. */
#ifndef PMCSTAT_OUTPUT_FILES_H
#define PMCSTAT_OUTPUT_FILES_H

#include <limits.h>
#include <signal.h>
#include <sys/types.h>

#include "callgraph/output/output.h"

struct output_files {
	struct cg_files ops; /* what the output is given */
	const char *dir;     /* borrowed */
	char path[PATH_MAX]; /* of the file that is open */
	int fd;		     /* of it */
	off_t kept;	     /* bytes that were there before, and stay; -1: none */
	sigset_t signals;    /* blocked before it was opened to be appended to */
};

/* 0 when a file, or with X_OK in mode a directory, can be written or made; else -1 with err set. */
int output_file_check(const char *path, int mode, struct err *err);

/* A descriptor to write the file of an output to, "-" is standard output; -1 with err set. */
int output_file_open(const char *file, struct err *err);

/* Ends such a file, and frees the sink to it (NULL: none).  0, or -1 with err set. */
int output_file_close(const char *file, int fd, struct sink *sink, struct err *err);

/* dir NULL: the working directory. */
void output_files_init(struct output_files *files, const char *dir);

#endif
