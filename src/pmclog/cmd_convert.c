// SPDX-License-Identifier: BSD-2-Clause
/*
 * A log of ours in the version that either generation of FreeBSD's tools reads.  FreeBSD's own
 * logs stay as they are: what exec(2) maps is told by other fields in each version, and neither
 * has those of the other.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "pmclog/cmd.h"
#include "pmclog/write_record.h"

struct convert {
	struct pmclog_writer *writer;
	const char *name; /* of the log that is read */
};

static int convert_record(const struct pmclog_record *rec, void *arg, struct err *err)
{
	const struct convert *c = arg;

	if (rec->type == PMCLOG_WIRE_INITIALIZE && !rec->u.init.maps_at_exec)
		return err_set(err, EX_DATAERR,
			       "%s: a log of FreeBSD cannot be converted: what programs map when "
			       "they start is told in another way by each version",
			       c->name);
	if (!pmclog_write_record(c->writer, rec))
		return err_set(err, EX_DATAERR,
			       "%s: record %" PRIu64 " at 0x%" PRIx64 ": %s is in no log of ours",
			       c->name, rec->index, rec->offset, pmclog_type_name(rec->type));
	return pmclog_writer_errno(c->writer) ? pmclog_writer_flush(c->writer, err) : 0;
}

/* The version that the options ask for, 9 or 10; 0 with err set.  *skip: how many they are. */
static int version_of(const struct pmclog_cmd *cmd, int argc, char **argv, int *skip,
		      struct err *err)
{
	const char *option = argc > 1 ? argv[1] : "";
	const char *value = !strncmp(option, "--version=", 10) ? option + 10
			    : !strcmp(option, "--version") && argc > 2 ? argv[2]
								       : "";

	*skip = strchr(option, '=') ? 1 : 2;
	if (!strcmp(value, "9") || !strcmp(value, "10"))
		return value[0] == '9' ? 9 : 10;
	err_set(err, EX_USAGE, "%s needs --version 9 (FreeBSD 12, 13) or 10 (14, 15)", cmd->name);
	err_hint(err, "usage: pmclog %s %s", cmd->name, cmd->args);
	return 0;
}

static int run(const struct pmclog_cmd *cmd, int argc, char **argv)
{
	struct pmclog_reading reading = {.each = convert_record};
	struct convert c = {0};
	struct err err = {0};
	int skip, version = version_of(cmd, argc, argv, &skip, &err), status = EX_OK;

	if (version && isatty(STDOUT_FILENO)) {
		version = 0;
		err_set(&err, EX_USAGE, "standard output is a terminal, and a log is no text");
		err_hint(&err, "pmclog %s ... >new.log", cmd->name);
	}
	c.writer = version ? pmclog_writer_new(STDOUT_FILENO, "standard output", &err) : NULL;
	if (!c.writer)
		return pmclog_cmd_fail(&err);
	if (version == 10)
		pmclog_writer_use_version_10(c.writer);
	c.name = argc > skip + 1 ? argv[skip + 1] : "-";
	reading.arg = &c;
	if (pmclog_cmd_read(cmd, argc - skip, argv + skip, &reading, &err))
		status = pmclog_cmd_fail(&err);
	else if (reading.stats.unknown)
		fprintf(stderr, "pmclog: %" PRIu64 " records of unknown types were left out\n",
			reading.stats.unknown);
	/* What was there before the damage is converted. */
	if (!pmclog_writer_errno(c.writer) && pmclog_writer_flush(c.writer, &err))
		status = pmclog_cmd_fail(&err);
	pmclog_writer_free(c.writer);
	return status;
}

const struct pmclog_cmd pmclog_cmd_convert = {
	.name = "convert",
	.args = "--version 9|10 [FILE]",
	.summary = "write the log as that version to standard output",
	.run = run,
};
