// SPDX-License-Identifier: BSD-2-Clause
#include <string.h>

#include "base/numbers.h"
#include "pmclog/cmd/cmd.h"

static int run(const struct pmclog_cmd *cmd, int argc, char **argv)
{
	struct pmclog_criteria c = {.cut = true};
	struct err err = {0};

	if (argc < 2 || !numbers_seconds_range(argv[1], &c.from, &c.to)) {
		if (argc < 2)
			err_set(&err, EX_USAGE, "%s needs a range of seconds", cmd->name);
		else
			err_set(&err, EX_USAGE,
				"\"%s\" is not a range of seconds like 1.5..3, 2.. or ..10",
				argv[1]);
		err_hint(&err, "usage: pmclog %s %s", cmd->name, cmd->args);
		return pmclog_cmd_fail(&err);
	}
	return pmclog_cmd_select(cmd, &c, false, argc - 2, argv + 2);
}

const struct pmclog_cmd pmclog_cmd_cut = {
	.name = "cut",
	.args = "FROM..TO [FILE [NEW]]",
	.summary = "write the log of these seconds",
	.run = run,
};
