// SPDX-License-Identifier: BSD-2-Clause
#include <string.h>
#include <unistd.h>

#include "pmcstat/analyse.h"
#include "pmcstat/options.h"
#include "pmcstat/record.h"
#include "pmcstat/say.h"
#include "pmcstat/top.h"

/* Text that was asked for, to standard output. */
static int show(void (*write)(struct sink *sink))
{
	struct sink *sink = sink_to_fd(STDOUT_FILENO);
	struct err err = {0};
	int error;

	if (sink) {
		write(sink);
		error = sink_flush(sink);
		sink_free(sink);
		if (error)
			err_set(&err, EX_IOERR, "standard output: %s", strerror(error));
	} else {
		err_nomem(&err);
	}
	return err.code ? say_error(&err) : EX_OK;
}

static void write_version(struct sink *sink)
{
	sink_str(sink, "pmcstat " PACKAGE_VERSION "\n");
}

static int list_event(const struct pmc_event_info *info, void *arg)
{
	sink_printf(arg, "%-28s %c %12llu  %s\n", info->name, info->works ? ' ' : '-',
		    (unsigned long long)info->default_rate, info->summary);
	return 0;
}

static void write_events(struct sink *sink)
{
	sink_printf(sink, "%-28s   %12s  %s\n", "EVENT (-: not on this machine)", "DEFAULT RATE",
		    "");
	pmc_each_event(true, list_event, sink);
}

int main(int argc, char **argv)
{
	struct options options;
	struct err err = {0};
	int status;

	if (options_parse(&options, argc, argv, &err))
		status = say_error(&err);
	else if (options.asked_help)
		status = show(options_help);
	else if (options.asked_version)
		status = show(write_version);
	else if (options.asked_events)
		status = show(write_events);
	else if (options.read_log && options.top)
		status = top_replay(&options, options.read_log);
	else if (options.read_log)
		status = analyse_log(&options, options.read_log);
	else
		status = record(&options, argc, argv);
	options_free(&options);
	return status;
}
