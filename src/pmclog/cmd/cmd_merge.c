// SPDX-License-Identifier: BSD-2-Clause
#include <getopt.h>
#include <sys/stat.h>
#include <unistd.h>

#include "pmclog/cmd/cmd.h"
#include "pmclog/merge.h"

static const struct option options[] = {
	{"output", required_argument, NULL, 'o'},
	{NULL, 0, NULL, 0},
};

/* The samples of a log that is named twice would count twice. */
static int check_twice(int n, char **names, struct err *err)
{
	struct stat a, b;
	int i, k;

	for (i = 0; i < n; i++)
		for (k = 0; k < i; k++)
			if (!stat(names[i], &a) && !stat(names[k], &b) && a.st_ino == b.st_ino &&
			    a.st_dev == b.st_dev && S_ISREG(a.st_mode))
				return err_set(err, EX_USAGE, "%s and %s are one file", names[k],
					       names[i]);
	return 0;
}

/* Opens the logs, all of them before the file to write is made.  0, or -1 with err set. */
static int open_logs(struct pmclog_merge *m, int n, char **names, struct err *err)
{
	int i;

	if (check_twice(n, names, err))
		return -1;
	for (i = 0; i < n; i++)
		if (pmclog_merge_add(m, names[i], err))
			return -1;
	return 0;
}

/* Says what became of the logs.  An exit status: that of the first one that is damaged. */
static int tell(const struct pmclog_merge *m, int n)
{
	const struct err *damage;
	int status = EX_OK, i;

	for (i = 0; i < n; i++)
		if ((damage = pmclog_merge_damage(m, (size_t)i)))
			status = pmclog_cmd_fail(damage);
	pmclog_cmd_tell_unknown(pmclog_merge_unknown(m));
	return status;
}

static void tell_progress(void *arg, uint64_t done, uint64_t total)
{
	status_step(arg, "merging the logs", done, total);
}

static int merge(struct pmclog_merge *m, int n, int fd, const char *to)
{
	struct err err = {0}, late = {0};
	struct pmclog_writer *w = pmclog_writer_new(fd, pmclog_cmd_output(to), &err);
	struct status_line line = {0};
	int failed, status;

	status_start(&line);
	failed = !w || pmclog_merge_write(m, w, tell_progress, &line, &err);
	status_end(&line);
	/* What was there before is kept. */
	if (w && !pmclog_writer_errno(w) && pmclog_writer_flush(w, failed ? &late : &err))
		failed = 1;
	pmclog_writer_free(w);
	status = tell(m, n);
	return failed ? pmclog_cmd_fail(&err) : status;
}

/* The file to write behind -o, "-" without it.  NULL with err set for wrong usage. */
static const char *output_of(const struct pmclog_cmd *cmd, int argc, char **argv, struct err *err)
{
	const char *to = "-";
	int option;

	opterr = 0;
	while ((option = getopt_long(argc, argv, "o:", options, NULL)) == 'o')
		to = optarg;
	if (option >= 0)
		err_set(err, EX_USAGE, "%s: unknown option, or -o without its file", cmd->name);
	else if (optind == argc)
		err_set(err, EX_USAGE, "%s needs the logs to be made one", cmd->name);
	else
		return to;
	err_hint(err, "usage: pmclog %s %s", cmd->name, cmd->args);
	return NULL;
}

static int run(const struct pmclog_cmd *cmd, int argc, char **argv)
{
	struct pmclog_merge *m = NULL;
	struct err err = {0};
	const char *to = output_of(cmd, argc, argv, &err);
	char **logs = argv + optind;
	int n = argc - optind, fd = -1, status;

	if (to && !(m = pmclog_merge_new()))
		err_nomem(&err);
	if (!m || open_logs(m, n, logs, &err) ||
	    (fd = pmclog_cmd_create(to, logs, (size_t)n, false, &err)) < 0) {
		pmclog_merge_free(m);
		return pmclog_cmd_fail(&err);
	}
	status = merge(m, n, fd, to);
	pmclog_merge_free(m);
	if (pmclog_cmd_close(fd, to, &err) && status == EX_OK)
		status = pmclog_cmd_fail(&err);
	return status;
}

const struct pmclog_cmd pmclog_cmd_merge = {
	.name = "merge",
	.args = "[-o NEW] FILE ...",
	.summary = "make one log of several, of one or more hosts",
	.run = run,
};
