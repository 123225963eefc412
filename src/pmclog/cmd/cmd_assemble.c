// SPDX-License-Identifier: BSD-2-Clause
#include <stdio.h>
#include <string.h>

#include "base/open_files.h"
#include "pmclog/text/assemble.h"
#include "pmclog/cmd/cmd.h"

/* The text, which is borrowed, becomes the log at to. */
static int write_log(FILE *text, const char *name, const char *to, struct err *err)
{
	char *log = (char *)(uintptr_t)name;
	int fd = pmclog_cmd_create(to, &log, 1, false, err), failed;
	struct err late = {0};

	if (fd < 0)
		return -1;
	failed = pmclog_assemble(text, strcmp(name, "-") ? name : "standard input", fd,
				 pmclog_cmd_output(to), err);
	return pmclog_cmd_close(fd, to, failed ? &late : err) ? -1 : failed;
}

static int run(const struct pmclog_cmd *cmd, int argc, char **argv)
{
	const char *name, *to = argc > 2 ? argv[2] : "-";
	struct err err = {0};
	int failed = -1;
	FILE *text = NULL;

	name = pmclog_cmd_log(cmd, argc, argv, true, &err);
	if (!name)
		return pmclog_cmd_fail(&err);
	text = strcmp(name, "-") ? fopen(name, "re") : stdin;
	if (text)
		failed = write_log(text, name, to, &err);
	else
		open_files_fail(&err, EX_NOINPUT, "%s: cannot open", name);
	if (text && text != stdin)
		fclose(text);
	return failed ? pmclog_cmd_fail(&err) : EX_OK;
}

const struct pmclog_cmd pmclog_cmd_assemble = {
	.name = "assemble",
	.args = "[FILE [NEW]]",
	.summary = "write the log that a text says",
	.run = run,
};
