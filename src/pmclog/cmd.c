// SPDX-License-Identifier: BSD-2-Clause
/* What the subcommands have in common: a pass over a log, and how its end is told. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "pmclog/cmd.h"

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
