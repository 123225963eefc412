// SPDX-License-Identifier: BSD-2-Clause
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "base/numbers.h"
#include "pmclog/cmd/cmd.h"

enum { COMM = 256, TIME };

static const struct option options[] = {
	{"events", required_argument, NULL, 'e'},
	{"pids", required_argument, NULL, 'p'},
	{"lwps", required_argument, NULL, 't'},
	{"processes", required_argument, NULL, 'P'},
	{"threads", required_argument, NULL, 'T'},
	{"cpus", required_argument, NULL, 'c'},
	{"comm", required_argument, NULL, COMM},
	{"time", required_argument, NULL, TIME},
	{"invert", no_argument, NULL, 'x'},
	{"json", no_argument, NULL, 'j'},
	{NULL, 0, NULL, 0},
};

/* The next text of a list; commas between slashes are part of an event.  NULL behind the last. */
static char *next_text(char **rest)
{
	char *text = *rest, *p = text;
	bool inside = false;

	if (!text)
		return NULL;
	for (; *p && (*p != ',' || inside); p++)
		inside ^= *p == '/';
	*rest = *p ? p + 1 : NULL;
	*p = '\0';
	return text;
}

static int add_ranges(pmclog_ranges *list, int option, const char *arg, uint64_t max,
		      struct err *err)
{
	const char *p = arg;
	uint64_t first, last;

	do {
		if (!numbers_take_range(&p, &first, &last) || last > max)
			return err_set(err, EX_USAGE,
				       "-%c \"%s\" is not a list of numbers like 0,2-5", option,
				       arg);
		if (vec_push(list, (struct pmclog_range){(uint32_t)first, (uint32_t)last}))
			return err_nomem(err);
	} while (*p);
	return 0;
}

/* A list of texts into that of the option. */
static int add_texts(struct pmclog_criteria *c, int option, char *arg, struct err *err)
{
	char *text;
	int failed = 0;

	while (!failed && (text = next_text(&arg))) {
		const struct pmclog_name name = {.text = text};

		if (!*text)
			return err_set(err, EX_USAGE, "-%c has an empty name in its list", option);
		failed = option == 'e'	 ? vec_push(&c->events, text)
			 : option == 'P' ? vec_push(&c->processes, name)
					 : vec_push(&c->threads, name);
	}
	return failed ? err_nomem(err) : 0;
}

static int set_time(struct pmclog_criteria *c, const char *arg, struct err *err)
{
	if (numbers_seconds_range(arg, &c->from, &c->to))
		return 0;
	return err_set(err, EX_USAGE,
		       "--time \"%s\" is not a range of seconds like 1.5..3, 2.. or ..10", arg);
}

static int add_pattern(struct pmclog_criteria *c, const char *arg, struct err *err)
{
	const struct pmclog_name name = {.text = arg, .is_pattern = true};

	return vec_push(&c->processes, name) ? err_nomem(err) : 0;
}

static int set_option(struct pmclog_criteria *c, bool *json, int option, struct err *err)
{
	switch (option) {
	case 'e':
	case 'P':
	case 'T': return add_texts(c, option, optarg, err);
	case 'p': return add_ranges(&c->pids, option, optarg, UINT32_MAX, err);
	case 't': return add_ranges(&c->tids, option, optarg, UINT32_MAX, err);
	case 'c': return add_ranges(&c->cpus, option, optarg, UINT16_MAX, err);
	case COMM: return add_pattern(c, optarg, err);
	case TIME: return set_time(c, optarg, err);
	case 'x': c->negated = !c->negated; return 0;
	case 'j': *json = true; return 0;
	default: return err_set(err, EX_USAGE, "filter: unknown option, or one without its value");
	}
}

static int run(const struct pmclog_cmd *cmd, int argc, char **argv)
{
	struct pmclog_criteria c = {0};
	struct err err = {0};
	bool json = false;
	int option, status;

	opterr = 0;
	while (!err.code &&
	       (option = getopt_long(argc, argv, "e:p:t:P:T:c:xj", options, NULL)) >= 0)
		if (set_option(&c, &json, option, &err) && err.code == EX_USAGE)
			err_hint(&err, "usage: pmclog %s %s", cmd->name, cmd->args);
	status = err.code ? pmclog_cmd_fail(&err)
			  : pmclog_cmd_select(cmd, &c, json, argc - optind, argv + optind);
	pmclog_criteria_fini(&c);
	return status;
}

const struct pmclog_cmd pmclog_cmd_filter = {
	.name = "filter",
	.args = "[OPTION ...] [FILE [NEW]]",
	.summary = "write the log of some processes, CPUs, events or seconds",
	.run = run,
};
