/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The pmclog command: one file and one struct pmclog_cmd a subcommand, listed in main.c.
 */
#ifndef PMCLOG_CMD_H
#define PMCLOG_CMD_H

#include <stdint.h>

#include "base/err.h"
#include "base/status.h"
#include "pmclog/filter.h"
#include "pmclog/reader.h"

struct pmclog_cmd {
	const char *name;
	const char *args;    /* as usage shows them */
	const char *summary; /* one line, no full stop */
	/* argv[0] is the subcommand's name.  An exit status; what is to be said has been said. */
	int (*run)(const struct pmclog_cmd *cmd, int argc, char **argv);
};

extern const struct pmclog_cmd pmclog_cmd_dump;
extern const struct pmclog_cmd pmclog_cmd_check;
extern const struct pmclog_cmd pmclog_cmd_info;
extern const struct pmclog_cmd pmclog_cmd_convert;
extern const struct pmclog_cmd pmclog_cmd_filter;
extern const struct pmclog_cmd pmclog_cmd_cut;
extern const struct pmclog_cmd pmclog_cmd_merge;
extern const struct pmclog_cmd pmclog_cmd_compress;
extern const struct pmclog_cmd pmclog_cmd_expand;
extern const struct pmclog_cmd pmclog_cmd_recv;
extern const struct pmclog_cmd pmclog_cmd_assemble;
extern const struct pmclog_cmd pmclog_cmd_text;

/* Prints the error and its hint; returns its exit status. */
int pmclog_cmd_fail(const struct err *err);

/*
 * The name of the log that the first argument is, "-" without it.  NULL with err set: too many
 * arguments, where a second one may be the file to write; an option; or a terminal to be read.
 */
const char *pmclog_cmd_log(const struct pmclog_cmd *cmd, int argc, char **argv, bool writes,
			   struct err *err);

/* One pass over a log. */
struct pmclog_reading {
	/* Called for every record; 0, or -1 with err set to stop. */
	int (*each)(const struct pmclog_record *rec, void *arg, struct err *err);
	void *arg;
	bool prints;	    /* standard output gets text meanwhile */
	bool keeps_unknown; /* records of unknown types are among them */
	double from, to; /* seconds of samples that are wanted, as pmclog_reader_limit() has them */
	const char *name;		  /* filled in: the log's name, "-" for standard input */
	struct pmclog_reader_stats stats; /* filled in */
	struct pmclog_left_out left_out;  /* filled in */
	struct pmclog_machine machine;	  /* filled in */
};

/*
 * Reads the log that the one optional argument names, standard input without.  -1 with err set for
 * wrong usage, for a log that cannot be opened and for a damaged one, then after its last record.
 */
int pmclog_cmd_read(const struct pmclog_cmd *cmd, int argc, char **argv, struct pmclog_reading *to,
		    struct err *err);

/*
 * Opens the file to write what is made of n logs, empty; "-" is standard output, which must not be
 * a terminal unless it gets text.  The descriptor, or -1 with err set, also where it is a log of
 * them.
 */
int pmclog_cmd_create(const char *name, char *const *logs, size_t n, bool is_text, struct err *err);

/* Closes what pmclog_cmd_create() has opened.  0, or -1 with err set. */
int pmclog_cmd_close(int fd, const char *name, struct err *err);

/* What messages call the file to write of that name. */
const char *pmclog_cmd_output(const char *name);

/* Says that a text could not be written to the file of that name; always returns -1. */
int pmclog_cmd_text_failed(struct err *err, const char *name, int error);

/* A step that reads fd, which is at the end of what has been read. */
void pmclog_cmd_tell_read(struct status_line *s, const char *what, int fd);

/* Says on standard error how many records of unknown types are not in what was made, if any. */
void pmclog_cmd_tell_unknown(uint64_t unknown);

/*
 * Writes the records of a log that the criteria keep, as they are or as JSON.  argv holds what
 * follows the options: the log, standard input without it, and the file to write, which is made
 * anew, standard output without it.  An exit status; what is to be said has been said.
 */
int pmclog_cmd_select(const struct pmclog_cmd *cmd, const struct pmclog_criteria *criteria,
		      bool json, int argc, char **argv);

#endif
