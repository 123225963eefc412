/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The command line of pmcstat, understood and checked.
 *
 * One table row is one option: letter, long name, argument, help and what it does.  Usage, parsing
 * and completion derive from the table.
 */
#ifndef PMCSTAT_OPTIONS_H
#define PMCSTAT_OPTIONS_H

#include <stdbool.h>

#include "base/err.h"
#include "base/numbers.h"
#include "base/vec.h"
#include "callgraph/model/builder.h"
#include "callgraph/output/output.h"
#include "pmc/pmc.h"
#include "pmcstat/default_log.h"

/* One -P, -S, -p or -s, with the settings that stood before it. */
struct pmc_request {
	const char *spec; /* NULL until recording begins: default_event() */
	enum pmc_mode mode;
	uint32_t flags;	      /* PMC_F_* */
	uint64_t rate;	      /* 0: the event's default */
	bool member;	      /* of the group of the last before it that is none */
	bool cumulative;      /* counts are shown from the start on, not from the last line on */
	numbers cpus; /* system scope; empty: all */
};

struct output_request {
	const struct cg_output *output;
	const char *file;     /* "-": standard output */
	const char *argument; /* of an output whose argument is no file */
};

struct options {
	VEC(struct pmc_request) requests;
	VEC(char *) groups; /* texts that the specs of requests are parts of */
	VEC(struct output_request) outputs;
	VEC(const char *) targets; /* -t */
	char **command;		   /* NULL-terminated; NULL: none */
	const char *write_log;	   /* -O */
	const char *compression;   /* of it; NULL: none */
	const char *read_log;	   /* -R */
	const char *base_log;	   /* what it is compared with; NULL: nothing */
	const char *count_file;	   /* -o; NULL: standard error */
	const char *gmon_dir;	   /* -D; NULL: the working directory */
	const char *kgmon;	   /* the file for samples of the kernel; NULL: none */
	const char *collector;
	double duration; /* -l, seconds; 0: none */
	bool top;	 /* -T */
	bool dump;	 /* the log as text */
	bool keeps_log;	 /* in a file that gets its name when it is made: default_log.h */
	char newest_log[DEFAULT_LOG_SIZE]; /* read_log, where -R names none */
	double interval; /* -w, seconds; 0: none */
	bool count_json;
	bool summary;
	unsigned int runs;  /* of each group of a summary; 0: one */
	bool scale_counts;  /* of PMCs that had to share counters */
	bool no_arguments;  /* of programs in the log */
	bool no_sharing;    /* of counters among PMCs */
	enum pmc_unwind unwind;
	bool unwind_given;
	unsigned int depth; /* frames a chain is cut at; 0: the library's default */
	bool quiet;
	unsigned int verbosity;
	struct symbol_config symbols;
	struct cg_select select;
	enum cg_key by;
	bool show_offsets, show_inlined, full_names;
	struct cg_output_options output_options;

	/* Settings for the PMCs that follow, as FreeBSD's pmcstat has them. */
	uint32_t next_flags;
	uint64_t next_rate;
	numbers next_cpus;
	bool next_cumulative;
	bool rate_given, cpus_given, process_flags_given, cumulative_given;
	bool exits_given, switches_given;
	const char *unused_setting; /* the last that no PMC has followed yet; NULL: none */
	bool asked_help, asked_version, asked_events, asked_doctor;
	const char *described_event; /* NULL: none */
};

/* 0, or -1 with err set (EX_USAGE; EX_NOINPUT for a place of symbols that is not there). */
int options_parse(struct options *o, int argc, char **argv, struct err *err);
void options_free(struct options *o);

/* Writes the help text. */
void options_help(struct sink *sink);

#endif
