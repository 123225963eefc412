// SPDX-License-Identifier: BSD-2-Clause
/* What filter and cut have in common: records of a log, as they are, into another. */
#include <unistd.h>

#include "base/sink.h"
#include "pmclog/cmd/cmd.h"
#include "pmclog/text/json.h"
#include "pmclog/writer.h"

struct selecting {
	const char *name; /* of the log that is read */
	const struct pmclog_criteria *criteria;
	struct pmclog_filter *filter;
	struct sink *sink;
	bool json;
};

static int select_record(const struct pmclog_record *rec, void *arg, struct err *err)
{
	const struct selecting *s = arg;
	bool keep;

	if (pmclog_filter_record(s->filter, rec, &keep, err))
		return err_wrap(err, "%s", s->name);
	if (!keep)
		return 0;
	if (s->json)
		pmclog_json_record(s->sink, rec);
	else
		sink_write(s->sink, rec->raw, rec->length);
	sink_is_whole(s->sink);
	return 0;
}

/* Reads the log into the sink, and says how that went. */
static int copy(const struct pmclog_cmd *cmd, struct selecting *s, const char *to)
{
	struct pmclog_reading reading = {.each = select_record, .arg = s, .prints = s->json};
	char *argv[] = {(char *)(uintptr_t)cmd->name, (char *)(uintptr_t)s->name};
	int status = EX_OK, error;
	struct err err = {0};

	if (!s->criteria->negated) {
		reading.from = s->criteria->from;
		reading.to = s->criteria->to;
	}
	if (pmclog_cmd_read(cmd, 2, argv, &reading, &err))
		status = pmclog_cmd_fail(&err);
	else if (pmclog_filter_check(s->filter, s->name, reading.left_out.last, &err))
		status = pmclog_cmd_fail(&err);
	pmclog_cmd_tell_unknown(reading.stats.unknown);
	/* What was there before damage is kept. */
	if (!(error = sink_flush(s->sink)))
		return status;
	if (s->json)
		pmclog_cmd_text_failed(&err, to, error);
	else
		pmclog_write_failed(&err, pmclog_cmd_output(to), error, sink_written(s->sink));
	return pmclog_cmd_fail(&err);
}

int pmclog_cmd_select(const struct pmclog_cmd *cmd, const struct pmclog_criteria *criteria,
		      bool json, int argc, char **argv)
{
	struct selecting s = {.name = argc > 0 ? argv[0] : "-", .criteria = criteria, .json = json};
	const char *to = argc > 1 ? argv[1] : "-";
	char *log = (char *)(uintptr_t)s.name;
	struct err err = {0};
	int fd, status;

	if (argc > 2) {
		err_set(&err, EX_USAGE, "%s takes one log and the file to write", cmd->name);
		err_hint(&err, "usage: pmclog %s %s", cmd->name, cmd->args);
		return pmclog_cmd_fail(&err);
	}
	fd = pmclog_cmd_create(to, &log, 1, json, &err);
	if (fd < 0)
		return pmclog_cmd_fail(&err);
	s.filter = pmclog_filter_new(criteria);
	s.sink = sink_to_fd(fd);
	if (s.filter && s.sink) {
		status = copy(cmd, &s, to);
	} else {
		err_nomem(&err);
		status = pmclog_cmd_fail(&err);
	}
	sink_free(s.sink);
	pmclog_filter_free(s.filter);
	if (pmclog_cmd_close(fd, to, &err) && status == EX_OK)
		status = pmclog_cmd_fail(&err);
	return status;
}
