// SPDX-License-Identifier: BSD-2-Clause
/* What the subcommands have in common: a pass over a log, and how its end is told. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/open_files.h"
#include "pmclog/cmd/cmd.h"

/* Records from one look at the clock to the next. */
enum { LOOK = 4096 };

int pmclog_cmd_fail(const struct err *err)
{
	fprintf(stderr, "pmclog: %s\n", err->msg);
	if (err->hint[0])
		fprintf(stderr, "pmclog: hint: %s\n", err->hint);
	return err->code;
}

const char *pmclog_cmd_log(const struct pmclog_cmd *cmd, int argc, char **argv, bool writes,
			   struct err *err)
{
	const char *name = argc > 1 ? argv[1] : "-";

	if (argc > (writes ? 3 : 2) || (name[0] == '-' && name[1]))
		err_set(err, EX_USAGE, "%s takes one log%s and no options", cmd->name,
			writes ? ", the file to write" : "");
	else if (!strcmp(name, "-") && isatty(STDIN_FILENO))
		err_set(err, EX_USAGE, "standard input is a terminal, not a log");
	else
		return name;
	err_hint(err, "usage: pmclog %s %s", cmd->name, cmd->args);
	return NULL;
}

int pmclog_cmd_read(const struct pmclog_cmd *cmd, int argc, char **argv, struct pmclog_reading *to,
		    struct err *err)
{
	const struct pmclog_reader_stats *stats;
	struct status_line status = {0};
	struct pmclog_record rec;
	struct pmclog_reader *r;
	enum pmclog_result res;
	int failed = 0;

	*err = (struct err){0};
	to->name = pmclog_cmd_log(cmd, argc, argv, false, err);
	if (!to->name || !(r = pmclog_reader_open(to->name, err)))
		return -1;
	pmclog_reader_limit(r, to->from, to->to);
	if (to->keeps_unknown)
		pmclog_reader_keep_unknown(r);
	stats = pmclog_reader_stats(r);
	/* Not in the middle of a text that the same terminal gets. */
	if (!to->prints || !isatty(STDOUT_FILENO))
		status_start(&status);
	do {
		res = pmclog_reader_next(r, &rec, err);
		if (stats->records % LOOK == 0)
			status_step(&status, "reading the log", stats->bytes,
				    pmclog_reader_size(r));
	} while (res == PMCLOG_RESULT_OK && !(failed = to->each(&rec, to->arg, err)));
	status_end(&status);
	if (res == PMCLOG_RESULT_NEED_DATA)
		err_set(err, EX_TEMPFAIL, "%s: no data yet, and it does not block", to->name);
	to->stats = *stats;
	to->left_out = pmclog_reader_left_out(r);
	to->machine = pmclog_reader_machine(r);
	pmclog_reader_close(r);
	return failed || res != PMCLOG_RESULT_EOF ? -1 : 0;
}

/* Whether both are the same regular file. */
static bool is_same_file(const char *log, int fd)
{
	struct stat a, b;

	if (strcmp(log, "-") ? stat(log, &a) : fstat(STDIN_FILENO, &a))
		return false;
	return !fstat(fd, &b) && S_ISREG(b.st_mode) && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

/* The one of the logs that the file is, NULL for none. */
static const char *find_same(char *const *logs, size_t n, int fd)
{
	for (; n; logs++, n--)
		if (is_same_file(*logs, fd))
			return *logs;
	return NULL;
}

int pmclog_cmd_create(const char *name, char *const *logs, size_t n, bool is_text, struct err *err)
{
	const char *same;
	size_t i;
	int fd;

	/* Before the file is made: a name that is no log must not cost another file. */
	for (i = 0; i < n; i++)
		if (strcmp(logs[i], "-") && access(logs[i], R_OK))
			return err_set(err, EX_NOINPUT, "%s: cannot open: %s", logs[i],
				       strerror(errno));
	fd = strcmp(name, "-") ? open(name, O_WRONLY | O_CREAT | O_CLOEXEC, 0666) : STDOUT_FILENO;
	if (fd < 0)
		return open_files_fail(err, EX_CANTCREAT, "%s: cannot create", name);
	if ((same = find_same(logs, n, fd))) {
		err_set(err, EX_USAGE, "%s is the log that is read",
			strcmp(name, "-") ? name : same);
		err_hint(err, "name another file to write");
	} else if (fd == STDOUT_FILENO && !is_text && isatty(fd)) {
		err_set(err, EX_USAGE, "standard output is a terminal, and a log is no text");
		err_hint(err, "name a file behind the log, or redirect the output");
	} else if (fd == STDOUT_FILENO || !ftruncate(fd, 0) || errno == EINVAL) {
		return fd; /* what is no regular file has nothing to be cut */
	} else {
		err_set(err, EX_CANTCREAT, "%s: cannot empty: %s", name, strerror(errno));
	}
	if (fd != STDOUT_FILENO)
		close(fd);
	return -1;
}

int pmclog_cmd_close(int fd, const char *name, struct err *err)
{
	if (fd == STDOUT_FILENO || !close(fd))
		return 0;
	return err_set(err, EX_IOERR, "%s: cannot write: %s", name, strerror(errno));
}

const char *pmclog_cmd_output(const char *name)
{
	return strcmp(name, "-") ? name : "standard output";
}

int pmclog_cmd_text_failed(struct err *err, const char *name, int error)
{
	err_set(err, EX_IOERR, "%s: cannot write: %s", pmclog_cmd_output(name), strerror(error));
	return err_hint_full(err, error);
}

void pmclog_cmd_tell_read(struct status_line *s, const char *what, int fd)
{
	off_t done = lseek(fd, 0, SEEK_CUR);
	struct stat st = {.st_size = 0};

	/* A pipe has no place, and other files have no size. */
	if (done < 0 || fstat(fd, &st) || !S_ISREG(st.st_mode))
		done = st.st_size = 0;
	status_step(s, what, (uint64_t)done, (uint64_t)st.st_size);
}

void pmclog_cmd_tell_unknown(uint64_t unknown)
{
	if (unknown)
		fprintf(stderr, "pmclog: %" PRIu64 " records of unknown types were left out\n",
			unknown);
}
