// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pmclog/cmd/cmd.h"
#include "pmclog/recv/recv.h"

static const struct option options[] = {
	{"directory", required_argument, NULL, 'd'},
	{"max-bytes", required_argument, NULL, 'm'},
	{"count", required_argument, NULL, 'c'},
	{"keep", required_argument, NULL, 'k'},
	{NULL, 0, NULL, 0},
};

static volatile sig_atomic_t stop;

static void on_signal(int sig)
{
	(void)sig;
	stop = 1;
}

static void tell(const char *line)
{
	fprintf(stderr, "pmclog: %s\n", line);
}

/* A whole number above 0, with one of the units behind it. */
static int take_number(const char *what, const char *arg, const char *units, uint64_t *value,
		       struct err *err)
{
	const char *unit;
	char *end;

	errno = 0;
	*value = strtoull(arg, &end, 10);
	unit = *end ? strchr(units, *end) : NULL;
	if (*arg >= '0' && *arg <= '9' && !errno && *value && (!*end || (unit && !end[1]))) {
		unsigned int shift = unit ? 10 * (unsigned int)(unit - units + 1) : 0;

		if (*value <= UINT64_MAX >> shift) {
			*value <<= shift;
			return 0;
		}
	}
	return err_set(err, EX_USAGE, "%s \"%s\" is not a number%s", what, arg,
		       *units ? " of bytes like 500M or 16G" : " above 0");
}

static int parse(struct pmclog_recv_options *o, const struct pmclog_cmd *cmd, int argc, char **argv,
		 struct err *err)
{
	int option, failed = 0;

	opterr = 0;
	while (!failed && (option = getopt_long(argc, argv, "d:m:c:k:", options, NULL)) >= 0) {
		switch (option) {
		case 'd': o->directory = optarg; break;
		case 'm': failed = take_number("-m", optarg, "KMGT", &o->bytes, err); break;
		case 'c': failed = take_number("-c", optarg, "", &o->count, err); break;
		case 'k': failed = take_number("-k", optarg, "", &o->keep, err); break;
		default:
			failed = err_set(err, EX_USAGE,
					 "%s: unknown option, or one without its argument",
					 cmd->name);
		}
	}
	if (!failed && argc == optind)
		failed = err_set(err, EX_USAGE, "%s needs the port to listen at", cmd->name);
	else if (!failed && argc - optind > 1)
		failed = err_set(err, EX_USAGE, "%s listens at one port: what is \"%s\"?",
				 cmd->name, argv[optind + 1]);
	if (failed)
		return err->hint[0] ? -1
				    : err_hint(err, "usage: pmclog %s %s", cmd->name, cmd->args);
	o->at = argv[optind];
	return 0;
}

static int run(const struct pmclog_cmd *cmd, int argc, char **argv)
{
	struct pmclog_recv_options o = {
		.directory = ".", .bytes = (uint64_t)16 << 30, .tell = tell};
	struct sigaction act = {.sa_handler = on_signal};
	sigset_t block, wait;
	struct err err = {0};

	if (parse(&o, cmd, argc, argv, &err))
		return pmclog_cmd_fail(&err);
	sigemptyset(&block);
	sigaddset(&block, SIGINT);
	sigaddset(&block, SIGTERM);
	sigaddset(&block, SIGHUP);
	sigprocmask(SIG_BLOCK, &block, &wait);
	sigaction(SIGINT, &act, NULL);
	sigaction(SIGTERM, &act, NULL);
	sigaction(SIGHUP, &act, NULL);
	sigdelset(&wait, SIGINT);
	sigdelset(&wait, SIGTERM);
	sigdelset(&wait, SIGHUP);
	return pmclog_recv(&o, &stop, &wait, &err) ? pmclog_cmd_fail(&err) : EX_OK;
}

const struct pmclog_cmd pmclog_cmd_recv = {
	.name = "recv",
	.args = "[-d DIR] [-m BYTES] [-k FILES] [-c COUNT] [ADDR:]PORT",
	.summary = "write the logs that pmcstat -O HOST:PORT sends to files",
	.run = run,
};
