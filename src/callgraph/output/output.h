/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Outputs: what a resolved profile can be written as.
 *
 * One output is one file with one struct cg_output, listed in outputs.c; options, help, completion
 * and tests walk that list.  An output reads a view of all of a profile.
 */
#ifndef CALLGRAPH_OUTPUT_H
#define CALLGRAPH_OUTPUT_H

#include "base/sink.h"
#include "callgraph/model/view.h"

struct cg_output_options {
	unsigned int graph_depth; /* frames above the leaf that a call graph shows; 0: all (-z) */
	unsigned int rows;    /* of tables that show functions; 0: as many as the output likes */
	unsigned int columns; /* of the terminal that the text goes to; 0: it goes to none */
	bool seconds;	      /* instead of samples, where a sample stands for some (--unit) */
	double threshold;  /* percent; less is left out (-f threshold=); < 0: as the output likes */
	bool skiplink;	   /* a dot for each caller that the threshold left out */
	bool with_asm;	   /* the machine instructions too (--asm) */
	bool with_sources; /* the source lines too, of a page (--html-sources) */
	bool archive_sources;  /* the source files too, of an archive (--archive-sources) */
	bool no_sources;       /* none in a packed log (--no-sources) */
	bool bsd_gmon;	       /* gmon.out as BSD has it (-e) */
	const char *gmon_map;  /* where -M's table goes; NULL: nowhere */
	const char *argument;  /* of an output whose argument is no file, or that opens it itself */
	const char *log;       /* where more can be seen of it; NULL: nowhere */
	int64_t began, lasted; /* nanoseconds since 1970, and of time, of an interval; 0: of all */
	const char *remark; /* a line besides the quality, where comments are; NULL or "": none */
	const char *fsroot; /* prefix of the paths of sources and objects; NULL: none (-r) */
};

/* What an output takes behind its name on the command line. */
enum cg_output_argument {
	CG_MAY_NAME_FILE,  /* nothing: standard output */
	CG_MUST_NAME_FILE, /* - is standard output */
	CG_NAMES_FUNCTION, /* options.argument; to standard output */
	CG_NAMES_NOTHING,  /* writes files below a directory (-D) */
};

/* What the profile must have for an output. */
enum cg_output_need {
	CG_NEEDS_LINES = 1,
	CG_NEEDS_TIMELINE = 2,
	CG_NEEDS_KEYS = 4, /* CG_KEY_PID, CG_KEY_TID, CG_KEY_CPU */
	CG_NEEDS_BASE = 8, /* it is a comparison */
	CG_NEEDS_LIFETIMES = 16,
	CG_NEEDS_MOMENTS = 32,
	CG_NEEDS_RAW_NAMES = 64, /* as objects have them: for the only output */
};

/* What options know of an output. */
enum cg_output_trait {
	CG_IS_DEFAULT = 1,   /* written where no other is asked for */
	CG_IS_LOG = 2,	     /* a log; of a recording it is the recording's */
	CG_SHOWS_COUNTS = 4, /* counts have the same form, where nothing was sampled */
	CG_HEEDS_ASM = 8,    /* options->with_asm, and so on */
	CG_HEEDS_SOURCES = 16,
	CG_HEEDS_ARCHIVE_SOURCES = 32,
	CG_IS_PUSHED = 64, /* what --push sends, or makes its own form of */
};

/* Where an output that makes several files puts them. */
struct cg_files {
	/*
	 * Makes DIR/subdir/name; without a subdir (NULL) name alone, as a user gave it: - is
	 * standard output.  One file is open at a time.  NULL with err set.
	 */
	struct sink *(*open)(struct cg_files *files, const char *subdir, const char *name,
			     struct err *err);
	/* Ends the file.  0, or -1 with err set when anything of it could not be written. */
	int (*close)(struct cg_files *files, struct sink *sink, struct err *err);
	/* Ends a file that is not whole, and takes away again what was written. */
	void (*discard)(struct cg_files *files, struct sink *sink);
	/* Tells the user one line on what the files cannot hold. */
	void (*remark)(struct cg_files *files, const char *line);
	/*
	 * Opens a file that is there, to write behind its end; until it is closed no signal ends
	 * us.  What cannot be written whole is taken away again then.  NULL with err set.
	 */
	struct sink *(*append)(struct cg_files *files, const char *name, struct err *err);
};

struct cg_output {
	const char *name; /* the long option: "flat" is --flat */
	char letter;	  /* the short option; 0: none */
	enum cg_output_argument argument;
	unsigned int needs;  /* enum cg_output_need, or-ed */
	unsigned int traits; /* enum cg_output_trait, or-ed */
	bool has_quality;    /* the text itself says what the quality line does */
	bool compares;	     /* can show two profiles and what changed */
	const char *summary;
	/*
	 * Writes all events of the view.  0, or -1 with err set when out of memory; outputs that
	 * name a function also, and then before they write anything, when there is none of that
	 * name (EX_DATAERR).  An output has one of the two; write_files alone can remark on what
	 * it writes, and fails for other reasons, too.
	 */
	int (*write)(const struct cg_view *view, const struct cg_output_options *options,
		     struct sink *sink, struct err *err);
	int (*write_files)(const struct cg_view *view, const struct cg_output_options *options,
			   struct cg_files *files, struct err *err);
};

/* Ends with NULL. */
extern const struct cg_output *const cg_outputs[];

/* "@42.8%": for what share of the time PMCs had counters; nothing where that was all. */
void cg_write_share(struct sink *sink, const struct cg_times *t);

/* "1000", "1000@42.8%" or (scaled) "~2336@42.8%". */
void cg_write_marked(struct sink *sink, uint64_t count, const struct cg_times *t, bool scaled);

/* The same of an event's samples, with that word behind it. */
void cg_write_samples(struct sink *sink, const struct cg_event *e);

/* "@ cpu-clock [1000 samples]": the line above what a text says of an event. */
void cg_write_heading(struct sink *sink, const struct cg_event *e);

/* Whether amounts of an event are seconds. */
bool cg_shows_seconds(const struct cg_event *e, const struct cg_output_options *options);

/* Writes samples, or the seconds that they stand for, at the right end of so many columns. */
void cg_write_amount(struct sink *sink, const struct cg_event *e,
		     const struct cg_output_options *options, int width, uint64_t samples);

/* On a CPU for less than one part of so many is mostly waiting; the log does not tell for what. */
enum { CG_MOSTLY = 5 };

/*
 * "on a CPU 0.05 s (user 0.03, system 0.02) in 3.20 s, mostly waiting, maybe for a CPU", of a ran
 * that is known.
 */
void cg_write_ran(struct sink *sink, const struct cg_profile *p);

/* A line: with which command the log was recorded, on which host, when, for how long, of whom. */
void cg_write_origin(const struct cg_profile *p, struct sink *sink);

/* Of enum pmclog_chain_end; "elsewhere" for what the log did not say. */
const char *cg_end_name(unsigned int end);

/* The quality line: samples taken, lost, throttled, unresolved, truncated, and the events. */
void cg_write_quality(const struct cg_view *view, struct sink *sink);

/* The same below a report that cg_write_ran() was a part of. */
void cg_write_quality_below_ran(const struct cg_view *view, struct sink *sink);

/*
 * One line for each reason why more than min samples have no names, or why lines and inlined
 * functions of a file with so many may be missing, most samples first: how many, which file, why.
 * 0, or -1 with err set when out of memory.
 */
int cg_write_problems(const struct cg_profile *p, uint64_t min, struct sink *sink, struct err *err);

/*
 * Texts of logs and symbol tables, which may hold anything: what would break a line or drive a
 * terminal is written as \ and octal digits.
 */
void cg_write_text(struct sink *sink, const char *text);

/* As much of it as fits into so many columns, with ".." where it was cut; 0: all of it. */
void cg_write_cut(struct sink *sink, const char *text, size_t columns);

/* Of a terminal's columns those that a line has left behind those used; 0: it goes to none. */
size_t cg_columns_left(size_t columns, size_t used);

/*
 * What fits into so many columns of a text's beginning and end, with room for ".." between them:
 * the bytes of the beginning, and where the end begins.  Of a text that fits the end is empty.
 */
size_t cg_text_ends(const char *text, size_t columns, const char **tail);

/*
 * A function's name, what stands between, and its object, as they are shown, in the columns that a
 * line has left behind those used.
 */
void cg_write_function(struct sink *sink, const struct cg_profile *p, const struct cg_function *f,
		       const char *between, const struct cg_output_options *options, size_t used);

/* The same as one word, for formats whose readers end a name at a blank: with _ for such bytes. */
void cg_write_name(struct sink *sink, const char *name);

/* Writes the text of a sink to memory so many times.  0, or -1 when that was out of memory. */
int cg_write_times(struct sink *sink, struct sink *text, uint64_t count);

/* The same as text or quoted attribute of XML and HTML; what cannot be shown as U+FFFD. */
void cg_write_markup(struct sink *sink, const char *text);

#endif
