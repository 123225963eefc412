// SPDX-License-Identifier: BSD-2-Clause
/* pmccontrol: what FreeBSD's shows and does, as far as perf lets it. */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "pmc/control.h"
#include "pmc/doctor.h"

#ifndef PACKAGE_VERSION
#define PACKAGE_VERSION "(not configured)"
#endif

static int write_help(struct sink *sink)
{
	sink_str(sink,
		 "usage: pmccontrol [-L] [-l] [-s] [-c CPU | -e PMC | -d PMC] ...\n"
		 "       pmccontrol doctor\n\n"
		 "  -L, --list-events    list the events that can be named\n"
		 "  -l, --list           list the counters of each CPU and whether they count\n"
		 "  -s, --statistics     show what the kernel tells of its profiling\n"
		 "  -c, --cpu CPU        the CPU that the options behind are about; * is all\n"
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

static int show(int (*write)(struct sink *sink))
{
	struct sink *sink = sink_to_fd(STDOUT_FILENO);
	struct err err = {0};
	int status, error;

	if (!sink) {
		err_nomem(&err);
		return fail(&err);
	}
	status = write(sink);
	error = sink_flush(sink);
	sink_free(sink);
	if (!error)
		return status;
	err_set(&err, EX_IOERR, "standard output: %s", strerror(error));
	return fail(&err);
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
	if (parse_number("-c", text, 4094, cpu, err))
		return -1;
	if (*cpu >= 0 && !pmc_cpu_is_online((int)*cpu))
		return err_set(err, EX_UNAVAILABLE, "CPU %ld is not online", *cpu);
	return 0;
}

/* No collector that there is has a switch for counters. */
static int set_state(const char *verb, const char *text, const char *cpu, struct err *err)
{
	long row;

	if (!cpu) {
		err_set(err, EX_USAGE, "which CPU's PMC \"%s\" to %s is not said", text, verb);
		return err_hint(err, "put -c CPU before it");
	}
	if (parse_number(verb[0] == 'e' ? "-e" : "-d", text, 255, &row, err))
		return -1;
	return err_set(err, EX_UNAVAILABLE,
		       "PMC %s of CPU %s: the collector perf cannot %s it, Linux has no switch for "
		       "single counters",
		       text, cpu, verb);
}

static int take(int c, const char **cpu, struct err *err)
{
	long number;

	switch (c) {
	case 'L': return show(control_write_events);
	case 'l': return show(control_write_counters);
	case 's': return show(control_write_statistics);
	case 'h': return show(write_help);
	case 'V': return show(write_version);
	case 'c': *cpu = optarg; return set_cpu(optarg, &number, err) ? fail(err) : EX_OK;
	case 'e': set_state("enable", optarg, *cpu, err); return fail(err);
	case 'd': set_state("disable", optarg, *cpu, err); return fail(err);
	case ':': err_set(err, EX_USAGE, "an option needs an argument"); break;
	default: err_set(err, EX_USAGE, "there is no such option"); break;
	}
	err_hint(err, "pmccontrol --help lists them");
	return fail(err);
}

int main(int argc, char **argv)
{
	static const struct option longs[] = {{"list-events", no_argument, NULL, 'L'},
					      {"list", no_argument, NULL, 'l'},
					      {"statistics", no_argument, NULL, 's'},
					      {"cpu", required_argument, NULL, 'c'},
					      {"enable", required_argument, NULL, 'e'},
					      {"disable", required_argument, NULL, 'd'},
					      {"help", no_argument, NULL, 'h'},
					      {"version", no_argument, NULL, 'V'},
					      {NULL, 0, NULL, 0}};
	struct err err = {0};
	const char *cpu = NULL;
	int c, status = EX_OK;

	if (argc == 2 && !strcmp(argv[1], "doctor"))
		return show(doctor_write);
	opterr = 0;
	while (!status && (c = getopt_long(argc, argv, "+:Llsc:e:d:hV", longs, NULL)) != -1)
		status = take(c, &cpu, &err);
	if (status)
		return status;
	if (optind == 1)
		err_set(&err, EX_USAGE, "nothing to do");
	else if (optind < argc)
		err_set(&err, EX_USAGE, "\"%s\" is not an option", argv[optind]);
	else
		return EX_OK;
	err_hint(&err, "pmccontrol --help lists what it can do");
	return fail(&err);
}
