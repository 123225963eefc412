// SPDX-License-Identifier: BSD-2-Clause
#include <string.h>
#include <unistd.h>

#include "pmclog/cmd/cmd.h"
#include "pmclog/text/disassemble.h"

static int print(const struct pmclog_record *rec, void *arg, struct err *err)
{
	return pmclog_disassembler_record(arg, rec, err);
}

/* Writes the text of the log to the descriptor.  An exit status; errors have been said. */
static int write_text(const struct pmclog_cmd *cmd, char *log, int fd, const char *to)
{
	struct pmclog_reading reading = {
		.each = print, .keeps_unknown = true, .prints = fd == STDOUT_FILENO};
	char *argv[] = {(char *)(uintptr_t)cmd->name, log};
	struct sink *out = sink_to_fd(fd);
	int status = EX_OK, error;
	struct err err = {0};

	reading.arg = out ? pmclog_disassembler_new(out, &err) : NULL;
	if (!out)
		err_nomem(&err);
	if (!reading.arg || pmclog_cmd_read(cmd, 2, argv, &reading, &err))
		status = pmclog_cmd_fail(&err);
	pmclog_disassembler_free(reading.arg);
	error = out ? sink_flush(out) : 0;
	sink_free(out);
	if (!error)
		return status;
	pmclog_cmd_text_failed(&err, to, error);
	return pmclog_cmd_fail(&err);
}

static int run(const struct pmclog_cmd *cmd, int argc, char **argv)
{
	const char *to = argc > 2 ? argv[2] : "-";
	struct err err = {0};
	int fd = -1, status;
	char *log;

	log = (char *)(uintptr_t)pmclog_cmd_log(cmd, argc, argv, true, &err);
	if (log)
		fd = pmclog_cmd_create(to, &log, 1, true, &err);
	if (fd < 0)
		return pmclog_cmd_fail(&err);
	status = write_text(cmd, log, fd, to);
	if (pmclog_cmd_close(fd, to, &err) && status == EX_OK)
		status = pmclog_cmd_fail(&err);
	return status;
}

const struct pmclog_cmd pmclog_cmd_text = {
	.name = "text",
	.args = "[FILE [NEW]]",
	.summary = "write the log as text that can be edited",
	.run = run,
};
