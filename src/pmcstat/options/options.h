/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The command line of pmcstat, understood and checked.
 *
 * One row of option_table.c is one option: letter, long name, argument, help and what it does.
 * Usage, parsing and completion derive from the table.
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
#include "pmcstat/push/push_target.h"
#include "pmcstat/record/rotation.h"

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

/* What is recorded, how, and into which log. */
struct record_options {
	VEC(struct pmc_request) requests;
	VEC(char *) groups;	   /* texts that the specs of requests are parts of */
	VEC(const char *) targets; /* -t */
	char **command;		   /* NULL-terminated; NULL: none */
	const char *log;	   /* -O */
	const char *compression;   /* of it; NULL: none */
	unsigned int log_version;  /* of it; 0: not said */
	struct rotation rotation;
	struct push_options push;
	const char *kgmon;	   /* the file for samples of the kernel; NULL: none */
	const char *collector;
	double duration;    /* -l, seconds; 0: none */
	bool keeps_log;	    /* in a file that gets its name when it is made: default_log.h */
	bool no_arguments;  /* of programs in the log */
	bool no_sharing;    /* of counters among PMCs */
	enum pmc_unwind unwind;
	bool unwind_given;
	unsigned int depth; /* frames a chain is cut at; 0: the library's default */
};

/* How counts are shown while they are counted. */
struct count_options {
	const char *file; /* -o, if it is not for reports; NULL: standard error */
	double interval;  /* -w, seconds; 0: none */
	bool json;
	bool scale; /* of PMCs that had to share counters */
};

/* What is shown of a log, and how. */
struct report_options {
	VEC(struct output_request) outputs;
	const char *base_log; /* what it is compared with; NULL: nothing */
	const char *gmon_dir; /* -D; NULL: the working directory */
	const char *text_file; /* for the log as text; NULL: standard output */
	struct symbol_config symbols;
	struct cg_select select;
	enum cg_key by;
	bool show_offsets, show_inlined, full_names;
	bool scale; /* samples of PMCs that had to share counters */
	bool quiet;
	unsigned int verbosity;
	struct cg_output_options output;
};

/* What pmcstat is to do at all; nothing of it: to record. */
struct action_options {
	const char *read_log;		   /* -R */
	char newest_log[DEFAULT_LOG_SIZE]; /* read_log, where -R names none */
	bool top;			   /* -T */
	bool dump;			   /* the log as text */
	bool summary;
	unsigned int runs; /* of each group of a summary; 0: one */
	bool help, version, list_events, doctor;
	const char *describe; /* an event; NULL: none */
};

/* Settings for the PMCs that follow on the command line, as FreeBSD's pmcstat has them. */
struct next_options {
	uint32_t flags;
	uint64_t rate;
	numbers cpus;
	bool cumulative;
	bool rate_given, cpus_given, process_flags_given, cumulative_given;
	bool exits_given, switches_given;
	const char *unused; /* the last that no PMC has followed yet; NULL: none */
};

/* Who does one thing is handed its part. */
struct options {
	struct action_options action;
	struct record_options record;
	struct count_options count;
	struct report_options report;
	struct next_options next;
};

/* 0, or -1 with err set (EX_USAGE; EX_NOINPUT for a place of symbols that is not there). */
int options_parse(struct options *o, int argc, char **argv, struct err *err);
void options_free(struct options *o);

/* Writes the help text. */
void options_help(struct sink *sink);

#endif
