// SPDX-License-Identifier: BSD-2-Clause
/*
 * Metrics are counted in sets that stand together in the table, so that what is divided comes from
 * one run, and there from one group of PMCs, which count at the same times.  A set begins with as
 * many counters as nearly every CPU has; where they are not free for a group, or it had to take
 * turns with others, it is counted again in two halves.
 */
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/json.h"
#include "pmcstat/output_files.h"
#include "pmcstat/say.h"
#include "pmcstat/status.h"
#include "pmcstat/summary.h"
#include "pmcstat/summary_metrics.h"
#include "pmcstat/target.h"

enum { COUNTERS = 4, EVENTS_MAX = 32, UNFIT = -1 };

/* What was found of a metric. */
struct result {
	const char *missing; /* the event that cannot be counted; NULL: all can */
	unsigned int runs;
	double mean, squares; /* of the runs: the sum of squared differences from the mean */
	double share;	      /* the least part of the time that an event had a counter */
	bool apart;	      /* its events were in no group */
};

/* An event of a set. */
struct counted {
	const char *name;
	pmc_id_t id;
	bool member; /* of the group of one before */
	double count;
	double share;
};

struct summary {
	const struct options *options;
	struct result *results; /* of each metric */
	char why[1200];		/* the first event that is missing is so; "": none is */
	bool user_only;		/* an event does not count the kernel */
	unsigned int runs;	/* of the command */
	int command_status;	/* the first that was not 0, as a shell has it */
	bool stops;		/* a signal ended the command */
	bool reads_once;	/* standard input is a pipe: only one run has it */
	off_t input;		/* where standard input, a file, began; -1: it is none */
	/* Of the set in hand: */
	struct counted events[EVENTS_MAX];
	size_t nevents;
	bool apart; /* each alone, for want of counters for a group */
};

static int allocate(const char *event, pmc_id_t *id)
{
	return pmc_allocate(event, PMC_MODE_TC, PMC_F_DESCENDANTS | PMC_F_START_ON_EXEC,
			    PMC_CPU_ANY, id, 0);
}

static bool is_elapsed(const char *event)
{
	return !strcmp(event, METRIC_ELAPSED);
}

/* Finds out which metrics there can be. */
static void try_events(struct summary *s)
{
	struct pmc_count count;
	size_t i, k;
	pmc_id_t id;

	for (i = 0; i < nmetrics; i++) {
		s->results[i].share = 1;
		for (k = 0; k < METRIC_EVENTS && metrics[i].events[k]; k++) {
			const char *event = metrics[i].events[k];

			if (is_elapsed(event))
				continue;
			if (!allocate(event, &id)) {
				if (!pmc_read_count(id, &count) && !strchr(event, ':'))
					s->user_only |= strchr(count.event, ':') != NULL;
				pmc_release(id);
				continue;
			}
			if (!s->why[0])
				snprintf(s->why, sizeof(s->why), "%s", pmc_error());
			if (!s->results[i].missing)
				s->results[i].missing = event;
		}
	}
}

static struct counted *find_event(struct summary *s, const char *name)
{
	size_t i;

	for (i = 0; i < s->nevents; i++)
		if (!strcmp(s->events[i].name, name))
			return &s->events[i];
	return NULL;
}

/* Adds the events of a metric to the set.  False, and none added: these are too many. */
static bool add_metric(struct summary *s, const struct metric *m, unsigned int counters)
{
	size_t k, before = s->nevents, hardware = 0;

	for (k = 0; k < METRIC_EVENTS && m->events[k]; k++)
		if (!find_event(s, m->events[k]) && s->nevents < EVENTS_MAX)
			s->events[s->nevents++] = (struct counted){.name = m->events[k]};
	for (k = 0; k < s->nevents; k++)
		hardware += metric_event_is_hardware(s->events[k].name);
	/* A metric alone is counted as well as it can be. */
	if (hardware <= counters || !before)
		return true;
	s->nevents = before;
	return false;
}

/* Makes the set of the metrics from first on.  Where it ends. */
static size_t gather(struct summary *s, size_t first, size_t end, unsigned int counters)
{
	size_t i;

	s->nevents = 0;
	for (i = first; i < end; i++)
		if (!s->results[i].missing && !add_metric(s, &metrics[i], counters))
			break;
	return i;
}

/*
 * Whether an event is in the set's group.  One of software always counts, in a group only while
 * that has counters: so it is for a ratio that is counted alone.
 */
static bool is_grouped(const struct summary *s, const struct counted *e)
{
	size_t i, hardware = 0;

	for (i = 0; i < s->nevents; i++)
		hardware += metric_event_is_hardware(s->events[i].name);
	return !s->apart && !is_elapsed(e->name) && hardware &&
	       (metric_event_is_hardware(e->name) || s->nevents <= METRIC_EVENTS);
}

static void release_events(struct summary *s)
{
	size_t i;

	for (i = 0; i < s->nevents; i++) {
		struct counted *e = &s->events[i];

		if (e->id != PMC_ID_INVALID && !e->member)
			pmc_release(e->id);
		e->id = PMC_ID_INVALID;
	}
}

/* 0, an exit status, or UNFIT: there are no counters for all of the group. */
static int allocate_events(struct summary *s)
{
	pmc_id_t leader = PMC_ID_INVALID;
	int status = 0;
	size_t i;

	for (i = 0; i < s->nevents; i++) {
		struct counted *e = &s->events[i];
		bool grouped = is_grouped(s, e);

		e->id = PMC_ID_INVALID;
		e->member = grouped && leader != PMC_ID_INVALID;
		if (is_elapsed(e->name) || status)
			continue;
		if (e->member && pmc_allocate_member(leader, e->name, &e->id, 0))
			status = pmc_error_code() == EX_UNAVAILABLE ? UNFIT : say_pmc_error();
		else if (!e->member && allocate(e->name, &e->id))
			status = say_pmc_error();
		else if (grouped && !e->member)
			leader = e->id;
	}
	if (status)
		release_events(s);
	return status;
}

static int start_events(struct summary *s, pid_t pid)
{
	size_t i;

	for (i = 0; i < s->nevents; i++) {
		const struct counted *e = &s->events[i];

		if (e->id != PMC_ID_INVALID && !e->member &&
		    (pmc_attach(e->id, pid) || pmc_start(e->id)))
			return say_pmc_error();
	}
	return 0;
}

/* Reads the events where they ran.  0, or an exit status. */
static int read_events(struct summary *s, double elapsed)
{
	struct pmc_count count;
	size_t i;

	for (i = 0; i < s->nevents; i++)
		if (s->events[i].id != PMC_ID_INVALID && !s->events[i].member)
			pmc_stop(s->events[i].id);
	for (i = 0; i < s->nevents; i++) {
		struct counted *e = &s->events[i];

		e->share = 1;
		e->count = elapsed;
		if (e->id == PMC_ID_INVALID)
			continue;
		if (pmc_read_count(e->id, &count))
			return say_pmc_error();
		e->count = (double)count.value;
		if (count.running < count.enabled)
			e->share = (double)count.running / (double)count.enabled;
	}
	return 0;
}

static void note_status(struct summary *s, int status)
{
	int code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);

	s->stops |= WIFSIGNALED(status);
	if (!s->command_status)
		s->command_status = code;
}

/* Waits for the command as one who shares its terminal: Ctrl-C is for the command. */
static double wait_for(struct summary *s, pid_t pid, double began)
{
	sighandler_t interrupt = signal(SIGINT, SIG_IGN), quit = signal(SIGQUIT, SIG_IGN);
	int status = 0;

	while (waitpid(pid, &status, 0) < 0)
		;
	began = status_now() - began;
	signal(SIGINT, interrupt);
	signal(SIGQUIT, quit);
	note_status(s, status);
	return began;
}

/* Runs the command once under the events of the set.  0, an exit status, or UNFIT: it did not. */
static int run_once(struct summary *s)
{
	char **argv = s->options->command;
	target_list list = {0};
	struct err err = {0};
	double elapsed, began;
	pid_t pid = -1;
	int status = allocate_events(s);

	if (status)
		return status;
	/* Each run has the same input. */
	if (s->input >= 0)
		lseek(STDIN_FILENO, s->input, SEEK_SET);
	if (target_prepare_command(&list, argv, &err)) {
		target_list_free(&list);
		release_events(s);
		return say_error(&err);
	}
	pid = list.v->pid;
	status = start_events(s, pid);
	began = status_now();
	if (!status && target_release_command(list.v, argv[0], &err))
		status = say_error(&err);
	if (status) {
		/* A command that was not released ends when it hears that it will not be. */
		target_list_free(&list);
		waitpid(pid, NULL, 0);
	} else {
		elapsed = wait_for(s, pid, began);
		s->runs++;
		status = read_events(s, elapsed);
		target_list_free(&list);
	}
	release_events(s);
	return status;
}

static double least_share(const struct summary *s)
{
	double least = 1;
	size_t i;

	for (i = 0; i < s->nevents; i++)
		least = fmin(least, s->events[i].share);
	return least;
}

/* Takes the values of the metrics of a set from its last run. */
static void take_values(struct summary *s, size_t first, size_t end)
{
	double counts[METRIC_EVENTS], value, delta;
	size_t i, k;

	for (i = first; i < end; i++) {
		struct result *r = &s->results[i];

		if (r->missing)
			continue;
		for (k = 0; k < METRIC_EVENTS && metrics[i].events[k]; k++) {
			const struct counted *e = find_event(s, metrics[i].events[k]);

			counts[k] = e->count;
			r->share = fmin(r->share, e->share);
		}
		r->apart |= s->apart;
		value = metrics[i].value(counts);
		delta = value - r->mean;
		r->mean += delta / ++r->runs;
		r->squares += delta * (value - r->mean);
	}
}

static unsigned int wanted_runs(const struct summary *s)
{
	return s->options->runs ? s->options->runs : 1;
}

/* Runs the command for the set of the metrics from first to end as often as is wanted. */
static int count_set(struct summary *s, size_t first, size_t end, bool can_halve, unsigned int *run)
{
	unsigned int wanted = wanted_runs(s);
	int status;

	s->apart = false;
	for (*run = 0; *run < wanted && s->nevents && !s->stops; ++*run) {
		status = run_once(s);
		if (status == UNFIT && (!can_halve || *run)) {
			s->apart = true;
			status = run_once(s);
		}
		if (status)
			return status;
		if (s->stops || (least_share(s) < 1 && can_halve && !*run))
			break;
		take_values(s, first, end);
	}
	return 0;
}

/* Counts the metrics from first to end, in as many sets and runs as that takes. */
static int count_metrics(struct summary *s, size_t first, size_t end, unsigned int counters)
{
	unsigned int run;
	size_t until;
	int status;

	while (first < end && !s->stops) {
		until = gather(s, first, end, counters);
		status = count_set(s, first, until, counters > 1 && !s->reads_once, &run);
		if (status && status != UNFIT)
			return status;
		/* They took turns at the counters: with fewer they need not. */
		if (s->nevents && !run && !s->stops) {
			status = count_metrics(s, first, until, counters / 2);
			if (status)
				return status;
		}
		first = until;
	}
	return 0;
}

/* How many sets all metrics take at first. */
static unsigned int count_sets(struct summary *s)
{
	unsigned int sets = 0;
	size_t first;

	for (first = 0; first < nmetrics; sets += s->nevents > 0)
		first = gather(s, first, nmetrics, COUNTERS);
	return sets;
}

/*
 * What the runs will read, and how many they are: said before the command does anything more than
 * once.  0, or an exit status.
 */
static int plan(struct summary *s)
{
	unsigned int sets = count_sets(s), runs = sets * wanted_runs(s);
	struct err err = {0};
	struct stat st;

	s->input = -1;
	if (!fstat(STDIN_FILENO, &st)) {
		s->reads_once = S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode);
		if (S_ISREG(st.st_mode))
			s->input = lseek(STDIN_FILENO, 0, SEEK_CUR);
	}
	if (runs < 2)
		return 0;
	if (s->reads_once) {
		err_set(&err, EX_USAGE,
			"standard input is a pipe, and only the first of %u runs of %s could "
			"read it",
			runs, s->options->command[0]);
		err_hint(&err, "give it a file: < FILE, or < /dev/null");
		return say_error(&err);
	}
	if (s->options->quiet)
		return 0;
	if (sets > 1)
		say("%s will run at least %u times: %u for each of %u sets of events",
		    s->options->command[0], runs, wanted_runs(s), sets);
	else
		say("%s will run at least %u times", s->options->command[0], runs);
	return 0;
}

static double deviation(const struct result *r)
{
	return r->runs > 1 ? sqrt(r->squares / (r->runs - 1)) : 0;
}

static void write_number(struct sink *sink, double value, int digits, int width)
{
	if (isfinite(value))
		sink_printf(sink, "%*.*f", width, digits, value);
	else
		sink_printf(sink, "%*s", width, "-");
}

static void write_metric(const struct summary *s, size_t i, struct sink *sink)
{
	const struct result *r = &s->results[i];
	const struct metric *m = &metrics[i];

	sink_printf(sink, "%-31s ", m->name);
	write_number(sink, r->mean, m->digits, 16);
	if (s->options->runs > 1) {
		sink_char(sink, ' ');
		write_number(sink, isfinite(r->mean) ? deviation(r) : NAN,
			     m->digits ? m->digits : 1, 14);
	}
	sink_printf(sink, "  %-5s  %s", m->unit, m->formula);
	if (r->share < 1)
		sink_printf(sink, "  @%.1f%%%s", floor(r->share * 1000) / 10,
			    r->apart && m->events[1] ? ", not in one group" : "");
	sink_char(sink, '\n');
}

static void write_missing(const struct summary *s, struct sink *sink)
{
	size_t i;

	if (!s->why[0])
		return;
	sink_str(sink, "\nMissing, for want of the event:\n");
	for (i = 0; i < nmetrics; i++)
		if (s->results[i].missing)
			sink_printf(sink, "%-31s %s\n", metrics[i].name, s->results[i].missing);
	sink_printf(sink, "%s; pmcstat --doctor tells more\n", s->why);
}

static void write_text(const struct summary *s, struct sink *sink)
{
	char **arg = s->options->command;
	size_t i;

	sink_printf(sink, "# %u %s of", s->runs, s->runs == 1 ? "run" : "runs");
	for (; *arg; arg++) {
		sink_char(sink, ' ');
		cg_write_text(sink, *arg);
	}
	sink_printf(sink, "%s\n", s->user_only ? ", in user mode alone" : "");
	sink_printf(sink, "%-31s %16s", "METRIC", s->options->runs > 1 ? "MEAN" : "VALUE");
	if (s->options->runs > 1)
		sink_printf(sink, " %14s", "DEVIATION");
	sink_str(sink, "  UNIT   FORMULA\n");
	for (i = 0; i < nmetrics; i++)
		if (s->results[i].runs)
			write_metric(s, i, sink);
	write_missing(s, sink);
}

static void write_json_number(struct sink *sink, const char *name, double value)
{
	if (isfinite(value))
		sink_printf(sink, ",\"%s\":%.9g", name, value);
	else
		sink_printf(sink, ",\"%s\":null", name);
}

static void write_json(const struct summary *s, struct sink *sink)
{
	size_t i;

	for (i = 0; i < nmetrics; i++) {
		const struct result *r = &s->results[i];

		if (!r->runs && !r->missing)
			continue;
		sink_str(sink, "{\"metric\":");
		json_string(sink, metrics[i].name);
		sink_str(sink, ",\"unit\":");
		json_string(sink, metrics[i].unit);
		sink_str(sink, ",\"formula\":");
		json_string(sink, metrics[i].formula);
		sink_printf(sink, ",\"runs\":%u", r->runs);
		if (r->missing) {
			sink_str(sink, ",\"missing\":");
			json_string(sink, r->missing);
		} else {
			write_json_number(sink, "mean", r->mean);
			write_json_number(sink, "deviation",
					  isfinite(r->mean) ? deviation(r) : NAN);
			sink_printf(sink, ",\"share\":%.4f%s", r->share,
				    r->apart && metrics[i].events[1] ? ",\"apart\":true" : "");
		}
		sink_str(sink, "}\n");
	}
}

static int write_summary(const struct summary *s)
{
	const char *file = s->options->count_file;
	struct err err = {0};
	struct sink *sink;
	int fd = file ? output_file_open(file, &err) : STDERR_FILENO, error;

	if (fd < 0)
		return say_error(&err);
	sink = sink_to_fd(fd);
	if (sink && s->options->count_json)
		write_json(s, sink);
	else if (sink)
		write_text(s, sink);
	if (file)
		return output_file_close(file, fd, sink, &err) ? say_error(&err) : 0;
	error = sink ? sink_flush(sink) : ENOMEM;
	sink_free(sink);
	return error ? EX_IOERR : 0;
}

/* A program that runs with other rights than its caller's loses its PMCs when it starts. */
static void tell_hidden(const struct summary *s)
{
	const char *why = target_why_hidden(s->options->command[0]);

	if (why)
		say("%s may not have been counted: it is %s, and the kernel takes the PMCs from "
		    "such a program when it starts",
		    s->options->command[0], why);
}

int summary(const struct options *options)
{
	struct summary s = {.options = options};
	struct err err = {0};
	int status;

	s.results = calloc(nmetrics, sizeof(*s.results));
	if (!s.results) {
		err_nomem(&err);
		return say_error(&err);
	}
	if (pmc_set_collector(options->collector) || pmc_init()) {
		status = say_pmc_error();
	} else {
		try_events(&s);
		status = plan(&s);
		if (!status)
			status = count_metrics(&s, 0, nmetrics, COUNTERS);
		if (!status && s.runs) {
			tell_hidden(&s);
			status = write_summary(&s);
		}
	}
	free(s.results);
	return status ? status : s.command_status;
}
