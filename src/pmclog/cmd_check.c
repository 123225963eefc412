// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "pmclog/cmd.h"

static int count_sample(const struct pmclog_record *rec, void *arg, struct err *err)
{
	uint64_t *samples = arg;

	(void)err;
	*samples += rec->type == PMCLOG_WIRE_CALLCHAIN;
	return 0;
}

static int run(const struct pmclog_cmd *cmd, int argc, char **argv)
{
	uint64_t samples = 0;
	struct pmclog_reading reading = {.each = count_sample, .arg = &samples};
	struct err err;

	if (pmclog_cmd_read(cmd, argc, argv, &reading, &err))
		return pmclog_cmd_fail(&err);
	printf("%s: %" PRIu64 " records, %" PRIu64 " samples, %s\n", reading.name,
	       reading.stats.records, samples, reading.stats.closed ? "closed" : "not closed");
	if (!fflush(stdout))
		return EX_OK;
	err_set(&err, EX_IOERR, "cannot write to standard output: %s", strerror(errno));
	return pmclog_cmd_fail(&err);
}

const struct pmclog_cmd pmclog_cmd_check = {
	.name = "check",
	.args = "[FILE]",
	.summary = "read all of a log and say whether it is sound",
	.run = run,
};
