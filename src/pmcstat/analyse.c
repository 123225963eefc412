// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "callgraph/transform/compare.h"
#include "callgraph/transform/transform.h"
#include "pmc/proc_list.h"
#include "pmclog/text/text.h"
#include "pmcstat/analyse.h"
#include "pmcstat/output_files.h"
#include "pmcstat/say.h"
#include "pmcstat/status.h"

struct analysis {
	const struct report_options *options;
	const char *log;	    /* the file; NULL: it can be read once only */
	struct cg_builder *builder; /* what the records go to; NULL: it is done, or they are text */
	const struct cg_profile *profile; /* what was made of them; NULL: not yet */
	struct cg_view shown; /* by the outputs: of the same, or of a comparison with it */
	struct sink *text;    /* of a log that is shown as such; NULL: it is not */
	int text_fd;	      /* what that writes to; -1: nothing */
	struct status_line status;
};

static void tell_progress(void *arg, const char *step, uint64_t done, uint64_t total)
{
	struct analysis *a = arg;

	status_step(&a->status, step, done, total);
}

/* What the outputs need of the profile, or-ed CG_NEEDS_*. */
static unsigned int needs_of(const struct report_options *options)
{
	const struct output_request *r;
	bool lines = options->show_inlined || options->output.with_sources;
	unsigned int needs = lines ? CG_NEEDS_LINES : 0;

	vec_each(r, &options->outputs)
		needs |= r->output->needs;
	return needs;
}

static const char *text_file(const struct report_options *options)
{
	return options->text_file ? options->text_file : "-";
}

static int close_text(struct analysis *a, struct err *err)
{
	struct sink *text = a->text;
	int fd = a->text_fd;

	a->text = NULL;
	a->text_fd = -1;
	return fd < 0 ? 0 : output_file_close(text_file(a->options), fd, text, err);
}

struct analysis *analysis_new(const struct report_options *options, struct err *err)
{
	unsigned int needs = needs_of(options);
	struct cg_config config = {.symbols = options->symbols,
				   .select = &options->select,
				   .keys = options->by,
				   .timeline = needs & CG_NEEDS_TIMELINE,
				   .moments = needs & CG_NEEDS_MOMENTS,
				   .lifetimes = needs & CG_NEEDS_LIFETIMES,
				   .scale = options->scale,
				   .progress = {.tell = tell_progress}};
	struct analysis *a = calloc(1, sizeof(*a));

	if (!a) {
		err_nomem(err);
		return NULL;
	}
	a->text_fd = -1;
	/* A tid may have been that of threads of several processes. */
	if (options->by == CG_KEY_TID)
		config.keys |= CG_KEY_PID;
	if (needs & CG_NEEDS_KEYS)
		config.keys |= CG_KEY_PID | CG_KEY_TID | CG_KEY_CPU;
	if (needs & CG_NEEDS_RAW_NAMES)
		config.symbols.no_demangle = true;
	config.progress.arg = a;
	a->options = options;
	if (options->outputs.n)
		a->builder = cg_builder_new(&config, err);
	else if ((a->text_fd = output_file_open(text_file(options), err)) >= 0 &&
		 !(a->text = sink_to_fd(a->text_fd)))
		err_nomem(err);
	if (!a->builder && !a->text) {
		analysis_free(a);
		return NULL;
	}
	return a;
}

void analysis_free(struct analysis *a)
{
	if (!a)
		return;
	cg_builder_free(a->builder);
	cg_profile_free(a->profile);
	close_text(a, NULL);
	free(a);
}

/* What a record says cannot be, or there is no memory for it. */
static enum pmclog_result fail(const struct pmclog_reader *r, struct err *err)
{
	if (err->code != EX_DATAERR)
		return PMCLOG_RESULT_ERROR;
	err_wrap(err, "%s", pmclog_reader_name(r));
	return PMCLOG_RESULT_CORRUPT;
}

enum pmclog_result analysis_read(struct analysis *a, struct pmclog_reader *r, struct err *err)
{
	struct pmclog_record rec;
	enum pmclog_result result;

	while ((result = pmclog_reader_next(r, &rec, err)) == PMCLOG_RESULT_OK) {
		if (rec.index % 65536 == 0)
			status_step(&a->status, "reading the log", pmclog_reader_stats(r)->bytes,
				    pmclog_reader_size(r));
		if (a->text)
			pmclog_text_record(a->text, &rec);
		else if (cg_builder_add(a->builder, &rec, err))
			return fail(r, err);
	}
	/* A reader of live text wants it now. */
	if (a->text && sink_flush(a->text)) {
		err_unwritten(err,
			      a->options->text_file ? a->options->text_file : "standard output",
			      sink_flush(a->text));
		return PMCLOG_RESULT_ERROR;
	}
	return result;
}

static int write_text(const struct analysis *a, const struct output_request *r,
		      const struct cg_output_options *options, struct err *err)
{
	int fd = output_file_open(r->file, err), status;
	struct sink *sink;

	if (fd < 0)
		return -1;
	sink = sink_to_fd(fd);
	status = sink ? r->output->write(&a->shown, options, sink, err) : err_nomem(err);
	if (output_file_close(r->file, fd, sink, status ? NULL : err))
		status = -1;
	return status;
}

/* The columns of the terminal that standard output is; 0: it is none. */
static unsigned int terminal_columns(void)
{
	struct winsize size;

	return isatty(STDOUT_FILENO) && !ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) ? size.ws_col : 0;
}

static int write_output(struct analysis *a, const struct output_request *r, struct err *err)
{
	struct cg_output_options options = a->options->output;
	struct output_files files;

	options.argument = r->argument;
	options.columns = strcmp(r->file, "-") ? 0 : terminal_columns();
	options.log = a->log;
	if (strcmp(r->file, "-") != 0)
		status_step(&a->status, r->output->summary, 0, 0);
	else
		status_end(&a->status);
	options.fsroot = a->options->symbols.fsroot;
	if (r->output->write)
		return write_text(a, r, &options, err);
	if (r->output->argument == CG_MUST_NAME_FILE)
		options.argument = r->file;
	output_files_init(&files, a->options->gmon_dir);
	return r->output->write_files(&a->shown, &options, &files.ops, err);
}

/*
 * The files without symbols, or without lines that were asked for: all of them when asked, else
 * those with over 1 % of the samples.  Nothing without any, no heading either.
 */
static void tell_problems(const struct analysis *a, const char *heading)
{
	struct sink *sink = sink_to_memory();
	size_t empty, len;
	const char *text;

	if (!sink)
		return;
	sink_str(sink, heading);
	sink_text(sink, &empty);
	cg_write_problems(a->profile,
			  a->options->verbosity ? 0 : a->profile->quality.selected / 100, sink,
			  NULL);
	text = sink_text(sink, &len);
	if (len > empty)
		say_lines(text);
	sink_free(sink);
}

/* On standard error unless an output that went to standard output ended with it. */
static void tell_quality(const struct analysis *a)
{
	const struct output_request *r;
	struct sink *sink;

	vec_each(r, &a->options->outputs) {
		if (r->output->has_quality && !strcmp(r->file, "-"))
			return;
	}
	if (!(sink = sink_to_memory()))
		return;
	cg_write_quality(&a->shown, sink);
	say_lines(sink_text(sink, NULL));
	sink_free(sink);
}

/* That there are samples, but none that is selected, and names that no process can have. */
static void tell_empty(const struct analysis *a)
{
	const struct cg_quality *q = &a->profile->quality;
	const struct cg_select *s = &a->options->select;
	const char **comm;

	if (q->selected)
		return;
	if (q->samples && (s->pids.n || s->tids.n || s->cpus.n || s->comms.n))
		say("none of the %" PRIu64 " samples is of the processes, threads or CPUs that -i, "
		    "--pid, --comm and -c name: without them --by=comm shows whose they are",
		    q->samples);
	vec_each(comm, &s->comms)
		if (strlen(*comm) > PROC_NAME_MAX && !strpbrk(*comm, "*?["))
			say("no sample is of %s: Linux keeps %d characters of a name, FreeBSD 19",
			    *comm, PROC_NAME_MAX);
}

/* From records to what outputs read. */
static int prepare(struct analysis *a, bool short_names, struct err *err)
{
	const struct report_options *o = a->options;
	const struct cg_transforms what = {.offsets = o->show_offsets,
					   .lines = o->show_inlined ? CG_LINES_INLINED
						    : needs_of(o) & CG_NEEDS_LINES ? CG_LINES_FOUND
										   : CG_LINES_NONE,
					   .divide_by = o->by,
					   .short_names = short_names};
	struct cg_profile *p = cg_builder_finish(a->builder, err);

	a->builder = NULL;
	if (p && (needs_of(o) & CG_NEEDS_LIFETIMES) && !p->lifetime_counts.n) {
		cg_profile_free(p);
		err_set(err, EX_DATAERR, "the log has no counts of processes");
		return err_hint(err, "record it with -d -E -p EVENT");
	}
	a->profile = p ? cg_transform(p, &what, err) : NULL;
	return a->profile ? 0 : -1;
}

static int write_outputs(struct analysis *a, struct err *err)
{
	const struct output_request *r;

	vec_each(r, &a->options->outputs)
		if (write_output(a, r, err))
			return -1;
	return 0;
}

int analysis_report(struct analysis *a, struct err *err)
{
	int status;

	if (!a->builder)
		return close_text(a, err);
	status = prepare(a, !a->options->full_names, err);
	if (!status) {
		a->shown = cg_view_all(a->profile);
		status = write_outputs(a, err);
	}
	status_end(&a->status);
	if (!status && !a->options->quiet) {
		tell_empty(a);
		tell_problems(a, "");
		tell_quality(a);
	}
	return status;
}

/* What was sampled by different events has nothing to be compared. */
static int check_events(const struct analysis *base, const struct analysis *now, struct err *err)
{
	const struct cg_event *a, *b;

	vec_each(a, &base->profile->events)
		vec_each(b, &now->profile->events)
			if (!strcmp(a->whole, b->whole))
				return 0;
	if (!base->profile->events.n || !now->profile->events.n)
		return 0;
	return err_set(err, EX_DATAERR,
		       "no event is in both logs, so nothing can be compared: %s in the base, %s "
		       "now",
		       base->profile->events.v->whole, now->profile->events.v->whole);
}

/* Writes what changed from one log to another. */
static int report_changes(struct analysis *base, struct analysis *now, struct err *err)
{
	struct cg_comparison *c = NULL;
	int status = -1;

	/* Names are compared as they are, and shortened where they are shown. */
	if (!prepare(base, false, err) && !prepare(now, false, err) &&
	    (c = cg_compare(base->profile, now->profile, !now->options->full_names, err))) {
		now->shown = cg_comparison_view(c);
		status = write_outputs(now, err);
	}
	status_end(&base->status);
	status_end(&now->status);
	if (!status && !now->options->quiet) {
		tell_problems(base, "in the base:\n");
		tell_problems(now, "now:\n");
		tell_quality(now);
	}
	cg_comparison_free(c);
	return status ? status : check_events(base, now, err);
}

/* What the reader knows, and no record says. */
static int hear_reader(struct analysis *a, const struct pmclog_reader *r, struct err *err)
{
	const struct pmclog_left_out left_out = pmclog_reader_left_out(r);
	const struct pmclog_machine machine = pmclog_reader_machine(r);

	cg_builder_left_out(a->builder, &left_out);
	return cg_builder_machine(a->builder, &machine, err);
}

/* A log that ends before the time that is asked for has nothing to report. */
static int check_time(const struct analysis *a, const struct pmclog_reader *r, struct err *err)
{
	const struct cg_select *s = &a->options->select;

	if (!pmclog_check_seconds("--time ", s->time_from, s->time_to,
				  cg_builder_seconds(a->builder), err))
		return 0;
	return err_wrap(err, "%s", pmclog_reader_name(r));
}

/* Reads the whole log.  A damaged one is told, and *status set: it is taken as far as it goes.
 * NULL where nothing can be reported. */
static struct analysis *read_whole(const struct report_options *options, const char *path,
				   int *status)
{
	/* Whoever made standard input may have left it non-blocking. */
	struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
	enum pmclog_result result = PMCLOG_RESULT_ERROR;
	struct err err = {0};
	struct pmclog_reader *r = pmclog_reader_open(path, &err);
	struct analysis *a = r ? analysis_new(options, &err) : NULL;

	if (a && strcmp(path, "-") != 0)
		a->log = path;
	if (a && a->builder && !options->quiet)
		status_start(&a->status);
	if (a)
		pmclog_reader_limit(r, options->select.time_from, options->select.time_to);
	while (a && (result = analysis_read(a, r, &err)) == PMCLOG_RESULT_NEED_DATA)
		poll(&input, 1, -1);
	if (a && a->builder && hear_reader(a, r, &err))
		result = PMCLOG_RESULT_ERROR;
	if (a && a->builder && result == PMCLOG_RESULT_EOF && check_time(a, r, &err))
		result = PMCLOG_RESULT_ERROR;
	if (a)
		status_step(&a->status, "adding up", 0, 0);
	if (a && result != PMCLOG_RESULT_EOF)
		status_end(&a->status);
	if (result != PMCLOG_RESULT_EOF)
		*status = say_error(&err);
	else if (a->builder && !options->quiet && !pmclog_reader_stats(r)->closed)
		say_unclosed(pmclog_reader_name(r));
	/* What has no record is no log. */
	if (r && result != PMCLOG_RESULT_EOF && !pmclog_reader_stats(r)->records)
		result = PMCLOG_RESULT_ERROR;
	pmclog_reader_close(r);
	if (result != PMCLOG_RESULT_ERROR)
		return a;
	analysis_free(a);
	return NULL;
}

int analyse_log(const struct report_options *options, const char *path)
{
	struct analysis *base = NULL, *now = NULL;
	struct err err = {0};
	int status = EX_OK;

	if (options->base_log)
		base = read_whole(options, options->base_log, &status);
	if (base)
		status_end(&base->status);
	if (base || !options->base_log)
		now = read_whole(options, path, &status);
	if (now && (base ? report_changes(base, now, &err) : analysis_report(now, &err)))
		status = say_error(&err);
	analysis_free(base);
	analysis_free(now);
	return status;
}
