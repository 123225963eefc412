// SPDX-License-Identifier: BSD-2-Clause
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "base/std_files.h"
#include "pmccontrol/control.h"
#include "pmccontrol/doctor.h"
#include "pmcstat/analyse.h"
#include "pmcstat/options/options.h"
#include "pmcstat/record/record.h"
#include "pmcstat/say.h"
#include "pmcstat/summary/summary.h"
#include "pmcstat/top/top.h"

/* Text that was asked for, to standard output. */
static int show(int (*write)(struct sink *sink))
{
	struct sink *sink = sink_to_fd(STDOUT_FILENO);
	struct err err = {0};
	int status = EX_OK;

	if (sink) {
		status = write(sink);
		sink_end(sink, "standard output", &err);
	} else {
		err_nomem(&err);
	}
	return err.code ? say_error(&err) : status;
}

/* Sinks remember what went wrong with them. */
static int describe_event(const char *event)
{
	struct sink *sink = sink_to_fd(STDOUT_FILENO);
	struct err err = {0};

	if (!sink) {
		err_nomem(&err);
		return say_error(&err);
	}
	control_describe(event, sink, &err);
	sink_end(sink, "standard output", &err);
	return err.code ? say_error(&err) : EX_OK;
}

static int write_help(struct sink *sink)
{
	options_help(sink);
	return EX_OK;
}

static int write_version(struct sink *sink)
{
	sink_str(sink, "pmcstat " PACKAGE_VERSION "\n");
	return EX_OK;
}

/* To who names nothing to do. */
static int introduce(void)
{
	fputs("pmcstat samples and counts what programs and the machine do:\n"
	      "  pmcstat COMMAND [ARG ...]       records a command, and shows where its time goes\n"
	      "  pmcstat -S cpu-clock -l 10      the same of the whole machine; -T shows it live\n"
	      "  pmcstat -R --html=report.html   shows more of the last log here; -R LOG: of that\n"
	      "  pmcstat --help                  lists the rest; --doctor says what works here\n",
	      stderr);
	return EX_USAGE;
}

/* A file that may not grow is told of, as a full disk is; a command is to have the signal. */
static int read_log(const struct options *o)
{
	signal(SIGXFSZ, SIG_IGN);
	return o->action.top ? top_replay(&o->report, o->count.interval, o->action.read_log)
			     : analyse_log(&o->report, o->action.read_log);
}

int main(int argc, char **argv)
{
	struct options options;
	struct err err = {0};
	int status;

	std_files_hold();
	if (argc == 1)
		return introduce();
	if (options_parse(&options, argc, argv, &err))
		status = say_error(&err);
	else if (options.action.help)
		status = show(write_help);
	else if (options.action.version)
		status = show(write_version);
	else if (options.action.list_events)
		status = show(control_write_events);
	else if (options.action.describe)
		status = describe_event(options.action.describe);
	else if (options.action.doctor)
		status = show(doctor_write);
	else if (options.action.summary)
		status = summary(&options.record, &options.count, options.action.runs,
				 options.report.quiet);
	else if (options.action.read_log)
		status = read_log(&options);
	else
		status = record(&options.record, &options.count, &options.report, &options.action,
				argv);
	options_free(&options);
	return status;
}
