// SPDX-License-Identifier: BSD-2-Clause
/* pmccontrol: what FreeBSD's shows and does, through pmc(3). */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/std_files.h"
#include "pmccontrol/control.h"
#include "pmccontrol/doctor.h"
#include "pmc/pmc.h"

#ifndef PACKAGE_VERSION
#define PACKAGE_VERSION "(not configured)"
#endif

enum { OPTION_COLLECTOR = 256 };

static int write_help(struct sink *sink)
{
	sink_str(sink,
		 "usage: pmccontrol [--collector NAME] [-L] [-u EVENT] [-l] [-s] [-c CPU | -e PMC "
		 "| -d PMC] "
		 "...\n"
		 "       pmccontrol doctor\n\n"
		 "      --collector NAME auto (default), hwpmc, perf or fake:FILE; before others\n"
		 "  -L, --list-events    list the events that can be named\n"
		 "  -u, --describe EVENT say what EVENT is, or which have it in name or text\n"
		 "  -l, --list           list the counters of each CPU and what they are used for\n"
		 "  -s, --statistics     show what the driver and the kernel tell of their "
		 "profiling\n"
		 "  -c, --cpu CPU        the CPU that the options behind are about; * (default) is "
		 "all\n"
		 "  -e, --enable PMC     allow PMC there, a row's number; * is all\n"
		 "  -d, --disable PMC    forbid it\n"
		 "  -h, --help           show this text\n"
		 "  -V, --version        show the version\n"
		 "  doctor               say what can be counted and sampled here, what refuses,\n"
		 "                       why, and what to do about it\n");
	return EX_OK;
}

static int write_version(struct sink *sink)
{
	sink_str(sink, "pmccontrol " PACKAGE_VERSION "\n");
	return EX_OK;
}

static int fail(const struct err *err)
{
	fprintf(stderr, "pmccontrol: %s\n", err->msg);
	if (err->hint[0])
		fprintf(stderr, "pmccontrol: hint: %s\n", err->hint);
	return err->code;
}

static int flush(struct sink *sink, int status)
{
	struct err err = {0};

	return sink_end(sink, "standard output", &err) ? fail(&err) : status;
}

static int describe(const char *event)
{
	struct sink *sink = sink_to_fd(STDOUT_FILENO);
	struct err err = {0};

	if (!sink) {
		err_nomem(&err);
		return fail(&err);
	}
	return flush(sink, control_describe(event, sink, &err) ? fail(&err) : EX_OK);
}

/* Shows what needs no collector; write returns the exit status. */
static int show(int (*write)(struct sink *sink))
{
	struct sink *sink = sink_to_fd(STDOUT_FILENO);
	struct err err = {0};

	if (sink)
		return flush(sink, write(sink));
	err_nomem(&err);
	return fail(&err);
}

static int fail_pmc(void)
{
	struct err err = {0};

	err_set(&err, pmc_error_code(), "%s", pmc_error());
	err_hint(&err, "%s", pmc_error_hint());
	return fail(&err);
}

static int show_pmc(int (*write)(struct sink *sink))
{
	struct sink *sink;
	struct err err = {0};
	int ret;

	if (pmc_init())
		return fail_pmc();
	sink = sink_to_fd(STDOUT_FILENO);
	if (!sink) {
		err_nomem(&err);
		return fail(&err);
	}
	ret = write(sink);
	return flush(sink, ret ? fail_pmc() : EX_OK);
}

/* A number up to max, or * for all, which is -1. */
static int parse_number(const char *what, const char *text, long max, long *number, struct err *err)
{
	char *end;

	*number = -1;
	if (!strcmp(text, "*"))
		return 0;
	errno = 0;
	*number = strtol(text, &end, 10);
	if (errno || end == text || *end || *number < 0 || *number > max)
		return err_set(err, EX_USAGE, "%s \"%s\" is not a number from 0 to %ld, nor *",
			       what, text, max);
	return 0;
}

static int set_cpu(const char *text, long *cpu, struct err *err)
{
	return parse_number("-c", text, 4094, cpu, err);
}

static int set_state(bool enable, const char *text, long cpu)
{
	struct err err = {0};
	long row;

	if (parse_number(enable ? "-e" : "-d", text, 255, &row, &err))
		return fail(&err);
	return pmc_init() || control_switch((int)cpu, (int)row, enable) ? fail_pmc() : EX_OK;
}

/* What getopt found no sense in; given: the word that it is in. */
static int refuse(int c, const char *given)
{
	const bool is_long = !strncmp(given, "--", 2);
	char name[64] = {'-', (char)optopt, '\0'};
	struct err err = {0};

	if (is_long)
		snprintf(name, sizeof(name), "%.*s", (int)strcspn(given, "="), given);
	if (c == ':')
		err_set(&err, EX_USAGE, "option %s needs an argument", name);
	else if (is_long && optopt)
		err_set(&err, EX_USAGE, "option %s takes no argument", name);
	else
		err_set(&err, EX_USAGE, "unknown option %s", name);
	err_hint(&err, "pmccontrol --help lists the options");
	return fail(&err);
}

static int take(int c, const char *given, long *cpu)
{
	struct err err = {0};

	switch (c) {
	case 'L': return show(control_write_events);
	case 'u': return describe(optarg);
	case 'l': return show_pmc(control_write_counters);
	case 's': return show_pmc(control_write_statistics);
	case 'h': return show(write_help);
	case 'V': return show(write_version);
	case 'c': return set_cpu(optarg, cpu, &err) ? fail(&err) : EX_OK;
	case 'e': return set_state(true, optarg, *cpu);
	case 'd': return set_state(false, optarg, *cpu);
	case OPTION_COLLECTOR: return pmc_set_collector(optarg) ? fail_pmc() : EX_OK;
	default: return refuse(c, given);
	}
}

int main(int argc, char **argv)
{
	static const struct option longs[] = {
		{"list-events", no_argument, NULL, 'L'},
		{"list", no_argument, NULL, 'l'},
		{"describe", required_argument, NULL, 'u'},
		{"statistics", no_argument, NULL, 's'},
		{"cpu", required_argument, NULL, 'c'},
		{"enable", required_argument, NULL, 'e'},
		{"collector", required_argument, NULL, OPTION_COLLECTOR},
		{"disable", required_argument, NULL, 'd'},
		{"help", no_argument, NULL, 'h'},
		{"version", no_argument, NULL, 'V'},
		{NULL, 0, NULL, 0}};
	struct err err = {0};
	long cpu = -1;
	const char *given;
	bool idle = true;
	int c, status = EX_OK;

	std_files_hold();
	if (argc == 2 && !strcmp(argv[1], "doctor"))
		return show(doctor_write);
	opterr = 0;
	for (given = argv[1];
	     !status && (c = getopt_long(argc, argv, "+:Llu:sc:e:d:hV", longs, NULL)) != -1;
	     given = argv[optind]) {
		status = take(c, given, &cpu);
		/* It only says what others do something with. */
		idle &= c == 'c';
	}
	if (status)
		return status;
	if (optind < argc && !strcmp(argv[1], "doctor"))
		err_set(&err, EX_USAGE, "doctor stands alone, without \"%s\"", argv[2]);
	else if (optind < argc)
		err_set(&err, EX_USAGE, "\"%s\" is not an option", argv[optind]);
	else if (idle)
		err_set(&err, EX_USAGE, "nothing to do");
	else
		return EX_OK;
	err_hint(&err, "pmccontrol --help lists what it can do");
	return fail(&err);
}
