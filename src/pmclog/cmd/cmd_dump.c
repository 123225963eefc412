// SPDX-License-Identifier: BSD-2-Clause
#include <string.h>
#include <unistd.h>

#include "pmclog/cmd/cmd.h"
#include "pmclog/text/json.h"
#include "pmclog/text/text.h"

static int print_text(const struct pmclog_record *rec, void *arg, struct err *err)
{
	(void)err;
	pmclog_text_record(arg, rec);
	return 0;
}

static int print_json(const struct pmclog_record *rec, void *arg, struct err *err)
{
	(void)err;
	pmclog_json_record(arg, rec);
	return 0;
}

static int run(const struct pmclog_cmd *cmd, int argc, char **argv)
{
	struct pmclog_reading reading = {.each = print_text, .prints = true};
	struct sink *out = sink_to_fd(STDOUT_FILENO);
	struct err err, full;
	int failed, error;

	if (!out) {
		err_nomem(&err);
		return pmclog_cmd_fail(&err);
	}
	if (argc > 1 && !strcmp(argv[1], "--json")) {
		reading.each = print_json;
		argc--;
		argv++;
	}
	reading.arg = out;
	failed = pmclog_cmd_read(cmd, argc, argv, &reading, &err);
	error = sink_flush(out);
	sink_free(out);
	if (failed)
		pmclog_cmd_fail(&err);
	if (error) {
		pmclog_cmd_text_failed(&full, "-", error);
		return pmclog_cmd_fail(&full);
	}
	return failed ? err.code : EX_OK;
}

const struct pmclog_cmd pmclog_cmd_dump = {
	.name = "dump",
	.args = "[--json] [FILE]",
	.summary = "print the records as text or JSON, one line each",
	.run = run,
};
