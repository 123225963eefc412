// SPDX-License-Identifier: BSD-2-Clause
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "pmclog/cmd.h"

#ifndef PACKAGE_VERSION
#define PACKAGE_VERSION "(not configured)"
#endif

static const struct pmclog_cmd *const commands[] = {
	&pmclog_cmd_dump,
	&pmclog_cmd_check,
	&pmclog_cmd_info,
	&pmclog_cmd_convert,
};

enum { NCOMMANDS = sizeof(commands) / sizeof(commands[0]) };

int pmclog_cmd_fail(const struct err *err)
{
	fprintf(stderr, "pmclog: %s\n", err->msg);
	if (err->hint[0])
		fprintf(stderr, "pmclog: hint: %s\n", err->hint);
	return err->code;
}

int pmclog_cmd_read(const struct pmclog_cmd *cmd, int argc, char **argv, struct pmclog_reading *to,
		    struct err *err)
{
	struct pmclog_record rec;
	struct pmclog_reader *r;
	enum pmclog_result res;
	int failed = 0;

	*err = (struct err){0};
	to->name = argc > 1 ? argv[1] : "-";
	if (argc > 2 || (to->name[0] == '-' && to->name[1])) {
		err_set(err, EX_USAGE, "%s takes one log and no options", cmd->name);
		return err_hint(err, "usage: pmclog %s %s", cmd->name, cmd->args);
	}
	if (!strcmp(to->name, "-") && isatty(STDIN_FILENO)) {
		err_set(err, EX_USAGE, "standard input is a terminal, not a log");
		return err_hint(err, "usage: pmclog %s %s", cmd->name, cmd->args);
	}
	if (!(r = pmclog_reader_open(to->name, err)))
		return -1;
	do
		res = pmclog_reader_next(r, &rec, err);
	while (res == PMCLOG_RESULT_OK && !(failed = to->each(&rec, to->arg, err)));
	if (res == PMCLOG_RESULT_NEED_DATA)
		err_set(err, EX_TEMPFAIL, "%s: no data yet, and it does not block", to->name);
	to->stats = *pmclog_reader_stats(r);
	pmclog_reader_close(r);
	return failed || res != PMCLOG_RESULT_EOF ? -1 : 0;
}

static int help(void)
{
	size_t i;

	printf("usage: pmclog COMMAND [ARGUMENT ...]\n\n");
	for (i = 0; i < NCOMMANDS; i++)
		printf("  %-7s %-22s %s\n", commands[i]->name, commands[i]->args,
		       commands[i]->summary);
	printf("\n  --help            this text\n  --version         the version\n"
	       "\nFILE is a log, plain or gzip; without it, or as -, standard input.\n"
	       "Exit status: 0, or as in sysexits(3): 64 usage, 65 damaged log, 66 no such log.\n");
	return fflush(stdout) ? EX_IOERR : EX_OK;
}

int main(int argc, char **argv)
{
	size_t i;

	if (argc < 2) {
		fprintf(stderr, "usage: pmclog COMMAND [ARGUMENT ...]\ntry: pmclog --help\n");
		return EX_USAGE;
	}
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "help"))
		return help();
	if (!strcmp(argv[1], "--version")) {
		printf("pmclog %s\n", PACKAGE_VERSION);
		return fflush(stdout) ? EX_IOERR : EX_OK;
	}
	for (i = 0; i < NCOMMANDS; i++)
		if (!strcmp(argv[1], commands[i]->name))
			return commands[i]->run(commands[i], argc - 1, argv + 1);
	fprintf(stderr, "pmclog: unknown command %s (have:", argv[1]);
	for (i = 0; i < NCOMMANDS; i++)
		fprintf(stderr, " %s", commands[i]->name);
	fprintf(stderr, ")\n");
	return EX_USAGE;
}
