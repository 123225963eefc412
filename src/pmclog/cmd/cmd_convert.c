// SPDX-License-Identifier: BSD-2-Clause
/*
 * A log of ours in the version that either generation of FreeBSD's tools reads.  FreeBSD's own
 * logs stay as they are: what exec(2) maps is told by other fields in each version, and neither
 * has those of the other.
 *
 * And what perf record has written, as a log of ours.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "perfdata/perf_data.h"
#include "pmclog/cmd/cmd.h"
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
	return pmclog_write_record(c->writer, rec, c->name, err);
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

/* Standard output as a log; NULL with err set. */
static struct pmclog_writer *open_output(struct err *err)
{
	if (!isatty(STDOUT_FILENO))
		return pmclog_writer_new(STDOUT_FILENO, "standard output", err);
	err_set(err, EX_USAGE, "standard output is a terminal, and a log is no text");
	err_hint(err, "pmclog convert ... >new.log");
	return NULL;
}

static int convert_log(const struct pmclog_cmd *cmd, int argc, char **argv)
{
	struct pmclog_reading reading = {.each = convert_record};
	struct convert c = {0};
	struct err err = {0};
	int skip, version = version_of(cmd, argc, argv, &skip, &err), status = EX_OK;

	c.writer = version ? open_output(&err) : NULL;
	if (!c.writer)
		return pmclog_cmd_fail(&err);
	if (version == 10)
		pmclog_writer_use_version_10(c.writer);
	c.name = argc > skip + 1 ? argv[skip + 1] : "-";
	reading.arg = &c;
	if (pmclog_cmd_read(cmd, argc - skip, argv + skip, &reading, &err))
		status = pmclog_cmd_fail(&err);
	else
		pmclog_cmd_tell_unknown(reading.stats.unknown);
	/* What was there before the damage is converted. */
	if (!pmclog_writer_errno(c.writer) && pmclog_writer_flush(c.writer, &err))
		status = pmclog_cmd_fail(&err);
	pmclog_writer_free(c.writer);
	return status;
}

/* ---- perf.data. */

struct converting {
	const char *name;
	int fd;
	struct status_line status;
};

static void say(void *arg, const char *sentence)
{
	struct converting *c = arg;

	status_end(&c->status);
	fprintf(stderr, "pmclog: %s: %s\n", c->name, sentence);
}

static void tell_progress(void *arg)
{
	struct converting *c = arg;

	pmclog_cmd_tell_read(&c->status, "converting what perf recorded", c->fd);
}

/* The first bytes, as many as there are.  -1 with err set. */
static ssize_t read_head(int fd, char *head, const char *name, struct err *err)
{
	size_t n = 0;
	ssize_t got;

	while (n < PERF_DATA_MAGIC) {
		got = read(fd, head + n, PERF_DATA_MAGIC - n);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0 && errno == EISDIR)
			return err_set(err, EX_NOINPUT,
				       "%s: a directory, as perf record --threads makes, which is "
				       "not read: record it again without",
				       name);
		if (got < 0)
			return err_set(err, EX_IOERR, "%s: cannot read: %s", name, strerror(errno));
		if (!got)
			break;
		n += (size_t)got;
	}
	return (ssize_t)n;
}

/* A log needs a version; what is none is told so, where it can be read once more. */
static int refuse(const struct pmclog_cmd *cmd, int fd, const char *name, struct err *err)
{
	struct pmclog_reader *r = NULL;
	struct pmclog_record rec;
	struct stat st;

	if (strcmp(name, "-") != 0 && !fstat(fd, &st) && S_ISREG(st.st_mode))
		r = pmclog_reader_open(name, err);
	if (r)
		pmclog_reader_next(r, &rec, err);
	pmclog_reader_close(r);
	if (err->code)
		return err_set(err, EX_DATAERR, "%s: neither a log nor what perf record writes",
			       name);
	err_set(err, EX_USAGE, "%s needs --version 9 (FreeBSD 12, 13) or 10 (14, 15)", cmd->name);
	return err_hint(err, "usage: pmclog %s %s", cmd->name, cmd->args);
}

/* What fd has, which is what perf record wrote or is not. */
static int convert_fd(const struct pmclog_cmd *cmd, int fd, const char *name, struct err *err)
{
	char head[PERF_DATA_MAGIC];
	ssize_t n = read_head(fd, head, name, err);
	struct converting c = {.name = name, .fd = fd};
	struct perf_data_input in = {.fd = fd,
				     .name = name,
				     .head = head,
				     .say = say,
				     .tell = tell_progress,
				     .arg = &c};
	struct pmclog_writer *w;
	int failed, status;

	if (n >= 0 && !perf_data_is(head, (size_t)n))
		refuse(cmd, fd, name, err);
	w = err->code ? NULL : open_output(err);
	if (!w)
		return pmclog_cmd_fail(err);
	in.head_len = (size_t)n;
	status_start(&c.status);
	failed = perf_data_convert(&in, w, err);
	status_end(&c.status);
	status = failed ? pmclog_cmd_fail(err) : EX_OK;
	/* What was there before the damage is converted. */
	if (!pmclog_writer_errno(w) && pmclog_writer_flush(w, err))
		status = pmclog_cmd_fail(err);
	pmclog_writer_free(w);
	return status;
}

static int run(const struct pmclog_cmd *cmd, int argc, char **argv)
{
	struct err err = {0};
	const char *name;
	int fd, status;

	if (argc > 1 && !strncmp(argv[1], "--version", 9))
		return convert_log(cmd, argc, argv);
	name = pmclog_cmd_log(cmd, argc, argv, false, &err);
	if (!name)
		return pmclog_cmd_fail(&err);
	if (!strcmp(name, "-"))
		return convert_fd(cmd, STDIN_FILENO, name, &err);
	fd = open(name, O_RDONLY | O_CLOEXEC);
	if (fd < 0) {
		err_set(&err, EX_NOINPUT, "%s: cannot open: %s", name, strerror(errno));
		return pmclog_cmd_fail(&err);
	}
	status = convert_fd(cmd, fd, name, &err);
	close(fd);
	return status;
}

const struct pmclog_cmd pmclog_cmd_convert = {
	.name = "convert",
	.args = "[--version 9|10] [FILE]",
	.summary = "write perf.data, or a log as that version, to standard output",
	.run = run,
};
