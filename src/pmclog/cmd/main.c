// SPDX-License-Identifier: BSD-2-Clause
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/sink.h"
#include "base/std_files.h"
#include "pmclog/cmd/cmd.h"

#ifndef PACKAGE_VERSION
#define PACKAGE_VERSION "(not configured)"
#endif

static const struct pmclog_cmd *const commands[] = {
	&pmclog_cmd_dump,   &pmclog_cmd_check, &pmclog_cmd_info,     &pmclog_cmd_convert,
	&pmclog_cmd_filter, &pmclog_cmd_cut,   &pmclog_cmd_merge,    &pmclog_cmd_compress,
	&pmclog_cmd_expand, &pmclog_cmd_recv,  &pmclog_cmd_text,     &pmclog_cmd_assemble,
};

enum { NCOMMANDS = sizeof(commands) / sizeof(commands[0]) };

static void write_help(struct sink *sink)
{
	size_t i;

	sink_str(sink, "usage: pmclog COMMAND [ARGUMENT ...]\n\n");
	for (i = 0; i < NCOMMANDS; i++)
		sink_printf(sink, "  %-8s %-32s %s\n", commands[i]->name, commands[i]->args,
			    commands[i]->summary);
	sink_str(sink,
		 "\n  --help            this text\n  --version         the version\n"
		 "\nFILE is a log, plain, compressed or gzip; without it, or as -, standard "
		 "input.\nExit status: 0, or as in sysexits(3): 64 usage, 65 damaged log, "
		 "66 no such log.\n");
}

static void write_version(struct sink *sink)
{
	sink_str(sink, "pmclog " PACKAGE_VERSION "\n");
}

/* Text that was asked for, to standard output. */
static int show(void (*write)(struct sink *sink))
{
	struct sink *sink = sink_to_fd(STDOUT_FILENO);
	struct err err = {0};
	int error;

	if (!sink) {
		err_nomem(&err);
		return pmclog_cmd_fail(&err);
	}
	write(sink);
	error = sink_flush(sink);
	sink_free(sink);
	if (!error)
		return EX_OK;
	pmclog_cmd_text_failed(&err, "-", error);
	return pmclog_cmd_fail(&err);
}

int main(int argc, char **argv)
{
	size_t i;

	std_files_hold();
	/* A file that may not grow is told of, as a full disk is. */
	signal(SIGXFSZ, SIG_IGN);
	if (argc < 2) {
		fprintf(stderr, "usage: pmclog COMMAND [ARGUMENT ...]\ntry: pmclog --help\n");
		return EX_USAGE;
	}
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "help"))
		return show(write_help);
	if (!strcmp(argv[1], "--version"))
		return show(write_version);
	for (i = 0; i < NCOMMANDS; i++)
		if (!strcmp(argv[1], commands[i]->name))
			return commands[i]->run(commands[i], argc - 1, argv + 1);
	fprintf(stderr, "pmclog: unknown command %s (have:", argv[1]);
	for (i = 0; i < NCOMMANDS; i++)
		fprintf(stderr, " %s", commands[i]->name);
	fprintf(stderr, ")\n");
	return EX_USAGE;
}
