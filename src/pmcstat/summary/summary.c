// SPDX-License-Identifier: BSD-2-Clause
/*
 * Metrics are counted in sets that stand together in the table, so that what is divided comes from
 * one group of PMCs, which count at the same times.  A set begins with as many counters as nearly
 * every CPU has, and is halved where they are not free for a group.
 *
 * The command runs once, with the groups of all sets, which take turns at the counters: what had
 * one for a part of the time is marked.  Under --runs it runs for one set after the other, and for
 * each of them again in two halves where the set had to take turns with others.
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

#include "base/vec.h"
#include "pmcstat/record/record_remarks.h"
#include "pmcstat/say.h"
#include "pmcstat/status.h"
#include "pmcstat/summary/summary.h"
#include "pmcstat/summary/summary_metrics.h"
#include "pmcstat/summary/summary_results.h"
#include "pmcstat/target.h"

enum { COUNTERS = 4, EVENTS_MAX = 32, UNFIT = -1 };

/* An event of a set. */
struct counted {
	const char *name;
	pmc_id_t id;
	bool grouped; /* in the set's group, all of which count at the same times */
	bool member;  /* of the group of one before */
	double count;
	double share; /* of the time: it had a counter */
};

/* The events of the metrics from first to end. */
struct set {
	size_t first, end;
	struct counted events[EVENTS_MAX];
	size_t nevents;
	bool apart; /* each alone, for want of counters for a group */
};

struct summary {
	char **command;
	unsigned int runs; /* of each group; 0: one of all */
	bool quiet;
	struct summary_results found;
	VEC(struct set) sets; /* of one run, with their PMCs */
	bool stops;	      /* a signal ended the command */
	bool reads_once;      /* standard input is a pipe: only one run has it */
	bool told_full;	      /* it was said that there is no room for all beside each other */
	off_t input;	      /* where standard input, a file, began; -1: it is none */
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
static void try_events(struct summary_results *found)
{
	struct pmc_count count;
	size_t i, k;
	pmc_id_t id;

	for (i = 0; i < nmetrics; i++) {
		found->v[i].share = 1;
		for (k = 0; k < METRIC_EVENTS && metrics[i].events[k]; k++) {
			const char *event = metrics[i].events[k];

			if (is_elapsed(event))
				continue;
			if (!allocate(event, &id)) {
				found->v[i].in_user_mode[k] = !strchr(event, ':') &&
							      !pmc_read_count(id, &count) &&
							      strchr(count.event, ':');
				pmc_release(id);
				continue;
			}
			if (!found->why[0])
				snprintf(found->why, sizeof(found->why), "%s", pmc_error());
			if (!found->v[i].missing)
				found->v[i].missing = event;
		}
	}
}

static const struct counted *find_event(const struct set *set, const char *name)
{
	size_t i;

	for (i = 0; i < set->nevents; i++)
		if (!strcmp(set->events[i].name, name))
			return &set->events[i];
	return NULL;
}

static size_t count_hardware(const struct set *set)
{
	size_t i, hardware = 0;

	for (i = 0; i < set->nevents; i++)
		hardware += metric_event_is_hardware(set->events[i].name);
	return hardware;
}

/* Adds the events of a metric to the set.  False, and none added: these are too many. */
static bool add_metric(struct set *set, const struct metric *m, unsigned int counters)
{
	size_t k, before = set->nevents;

	for (k = 0; k < METRIC_EVENTS && m->events[k]; k++)
		if (!find_event(set, m->events[k]) && set->nevents < EVENTS_MAX)
			set->events[set->nevents++] = (struct counted){.name = m->events[k]};
	/* A metric alone is counted as well as it can be. */
	if (count_hardware(set) <= counters || !before)
		return true;
	set->nevents = before;
	return false;
}

/* The set of the metrics from first on, which ends at end if not before. */
static struct set gather(const struct summary *s, size_t first, size_t end, unsigned int counters)
{
	struct set set = {.first = first, .end = first};

	while (set.end < end && (s->found.v[set.end].missing ||
				 add_metric(&set, &metrics[set.end], counters)))
		set.end++;
	return set;
}

/*
 * Whether an event is in the set's group.  One of software always counts, in a group only while
 * that has counters: so it is for a ratio that is counted alone.
 */
static bool is_grouped(const struct set *set, const struct counted *e)
{
	return !set->apart && !is_elapsed(e->name) && count_hardware(set) &&
	       (metric_event_is_hardware(e->name) || set->nevents <= METRIC_EVENTS);
}

static void release_set(struct set *set)
{
	size_t i;

	for (i = 0; i < set->nevents; i++) {
		struct counted *e = &set->events[i];

		if (e->id != PMC_ID_INVALID && !e->member)
			pmc_release(e->id);
		e->id = PMC_ID_INVALID;
	}
}

static void release_sets(struct summary *s)
{
	struct set *set;

	vec_each(set, &s->sets)
		release_set(set);
	s->sets.n = 0;
}

/* 0, an exit status, or UNFIT: there are no counters for all of the group, or for an event. */
static int allocate_set(struct set *set)
{
	pmc_id_t leader = PMC_ID_INVALID;
	int status = 0;
	size_t i;

	for (i = 0; i < set->nevents; i++) {
		struct counted *e = &set->events[i];

		e->id = PMC_ID_INVALID;
		e->grouped = is_grouped(set, e);
		e->member = e->grouped && leader != PMC_ID_INVALID;
		if (is_elapsed(e->name) || status)
			continue;
		if (e->member ? pmc_allocate_member(leader, e->name, &e->id, 0)
			      : allocate(e->name, &e->id))
			status = pmc_error_code() == EX_UNAVAILABLE ? UNFIT : say_pmc_error();
		else if (e->grouped && !e->member)
			leader = e->id;
	}
	if (status)
		release_set(set);
	return status;
}

static int add_set(struct summary *s, struct set *set)
{
	struct err err = {0};

	if (!vec_push(&s->sets, *set))
		return 0;
	release_set(set);
	err_nomem(&err);
	return say_error(&err);
}

static int start_set(const struct set *set, pid_t pid)
{
	size_t i;

	for (i = 0; i < set->nevents; i++) {
		const struct counted *e = &set->events[i];

		if (e->id != PMC_ID_INVALID && !e->member &&
		    (pmc_attach(e->id, pid) || pmc_start(e->id)))
			return say_pmc_error();
	}
	return 0;
}

static void stop_set(const struct set *set)
{
	size_t i;

	for (i = 0; i < set->nevents; i++)
		if (set->events[i].id != PMC_ID_INVALID && !set->events[i].member)
			pmc_stop(set->events[i].id);
}

/* Reads the events where they ran.  0, or an exit status. */
static int read_set(struct set *set, double elapsed)
{
	struct pmc_count count;
	size_t i;

	for (i = 0; i < set->nevents; i++) {
		struct counted *e = &set->events[i];

		e->share = 1;
		e->count = elapsed;
		if (is_elapsed(e->name))
			continue;
		if (e->id == PMC_ID_INVALID) {
			e->share = 0;
			continue;
		}
		if (pmc_read_count(e->id, &count))
			return say_pmc_error();
		e->count = (double)count.value;
		if (count.running < count.enabled)
			e->share = (double)count.running / (double)count.enabled;
	}
	return 0;
}

static int start_sets(const struct summary *s, pid_t pid)
{
	const struct set *set;
	int status = 0;

	vec_each(set, &s->sets)
		if (!status)
			status = start_set(set, pid);
	return status;
}

static int read_sets(struct summary *s, double elapsed)
{
	struct set *set;
	int status = 0;

	vec_each(set, &s->sets)
		stop_set(set);
	vec_each(set, &s->sets)
		if (!status)
			status = read_set(set, elapsed);
	return status;
}

static void note_status(struct summary *s, int status)
{
	int code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);

	s->stops |= WIFSIGNALED(status);
	if (!s->found.command_status)
		s->found.command_status = code;
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

/* Runs the command once under the PMCs of the sets.  0, or an exit status. */
static int run_once(struct summary *s)
{
	char **argv = s->command;
	target_list list = {0};
	struct err err = {0};
	double elapsed, began;
	pid_t pid = -1;
	int status;

	/* Each run has the same input. */
	if (s->input >= 0)
		lseek(STDIN_FILENO, s->input, SEEK_SET);
	if (target_prepare_command(&list, argv, &err)) {
		target_list_free(&list);
		return say_error(&err);
	}
	pid = list.v->pid;
	status = start_sets(s, pid);
	began = status_now();
	if (!status && target_release_command(list.v, argv[0], &err))
		status = say_error(&err);
	if (status) {
		/* A command that was not released ends when it hears that it will not be. */
		target_list_free(&list);
		waitpid(pid, NULL, 0);
	} else {
		elapsed = wait_for(s, pid, began);
		s->found.runs++;
		status = read_sets(s, elapsed);
		target_list_free(&list);
	}
	return status;
}

static bool takes_turns(const struct set *set)
{
	size_t i;

	for (i = 0; i < set->nevents; i++)
		if (set->events[i].share < 1)
			return true;
	return false;
}

/*
 * Takes the value of a metric from its set's last run.  Events of one group have counted at the
 * same times, and their ratio is that of these times; all other counts of a part of the time are
 * scaled to all of it.
 */
static void take_value(struct metric_result *r, const struct metric *m, const struct set *set)
{
	const struct counted *e[METRIC_EVENTS] = {NULL};
	double counts[METRIC_EVENTS] = {0}, share = 1, value, delta;
	bool scales;
	size_t k;

	for (k = 0; k < METRIC_EVENTS && m->events[k]; k++) {
		e[k] = find_event(set, m->events[k]);
		counts[k] = e[k]->count;
		share = fmin(share, e[k]->share);
	}
	scales = share < 1 && !(e[1] && e[0]->grouped && e[1]->grouped);
	for (k = 0; k < METRIC_EVENTS && e[k] && scales; k++)
		counts[k] /= e[k]->share;
	value = share > 0 ? m->value(counts) : NAN;
	r->share = fmin(r->share, share);
	r->scaled |= scales;
	r->apart |= set->apart && e[1] && share > 0;
	delta = value - r->mean;
	r->mean += delta / ++r->runs;
	r->squares += delta * (value - r->mean);
}

static void take_values(struct summary *s, const struct set *set)
{
	size_t i;

	for (i = set->first; i < set->end; i++)
		if (!s->found.v[i].missing)
			take_value(&s->found.v[i], &metrics[i], set);
}

/* Runs the command under a set alone.  0, an exit status, or UNFIT: it did not run. */
static int run_set(struct summary *s, struct set *set, bool can_halve)
{
	int status = allocate_set(set);

	if (status == UNFIT && !can_halve) {
		set->apart = true;
		status = allocate_set(set);
		if (status == UNFIT)
			status = say_pmc_error();
	}
	if (!status)
		status = add_set(s, set);
	if (!status)
		status = run_once(s);
	if (!status)
		*set = s->sets.v[0];
	release_sets(s);
	return status;
}

/*
 * Runs the command under a set alone as often as is wanted.  *run: how often that was of use;
 * 0 where the set is to be halved.
 */
static int count_set(struct summary *s, struct set *set, bool can_halve, unsigned int *run)
{
	int status;

	for (*run = 0; *run < s->runs && set->nevents && !s->stops; ++*run) {
		status = run_set(s, set, can_halve && !*run);
		if (status)
			return status;
		if (s->stops || (takes_turns(set) && can_halve && !*run))
			break;
		take_values(s, set);
	}
	return 0;
}

/* Counts the metrics from first to end, in as many sets and runs as that takes. */
static int count_apart(struct summary *s, size_t first, size_t end, unsigned int counters)
{
	struct set set;
	unsigned int run;
	int status;

	for (; first < end && !s->stops; first = set.end) {
		set = gather(s, first, end, counters);
		status = count_set(s, &set, counters > 1 && !s->reads_once, &run);
		if (status && status != UNFIT)
			return status;
		/* They took turns at the counters: with fewer they need not. */
		if (set.nevents && !run && !s->stops) {
			status = count_apart(s, first, set.end, counters / 2);
			if (status)
				return status;
		}
	}
	return 0;
}

/* Why metrics will have no value; once. */
static void tell_full(struct summary *s)
{
	if (s->told_full)
		return;
	s->told_full = true;
	say("not all is counted: %s", pmc_error());
	if (!s->reads_once)
		say("hint: --runs 1 counts the rest in runs of their own");
}

/*
 * Allocates the sets of the metrics from first to end beside each other, with fewer counters
 * where there are not as many for a group.  What cannot even be beside the others has no PMC.
 */
static int allocate_sets(struct summary *s, size_t first, size_t end, unsigned int counters)
{
	struct set set;
	int status = 0;

	for (; first < end && !status; first = set.end) {
		set = gather(s, first, end, counters);
		status = allocate_set(&set);
		if (status == UNFIT && counters > 1) {
			status = allocate_sets(s, first, set.end, counters / 2);
			continue;
		}
		if (status == UNFIT) {
			set.apart = true;
			status = allocate_set(&set);
		}
		if (status == UNFIT)
			tell_full(s);
		if (!status || status == UNFIT)
			status = add_set(s, &set);
	}
	return status;
}

/* Counts all metrics in one run. */
static int count_together(struct summary *s)
{
	const struct set *set;
	int status = allocate_sets(s, 0, nmetrics, COUNTERS);

	if (!status)
		status = run_once(s);
	vec_each(set, &s->sets)
		if (!status)
			take_values(s, set);
	release_sets(s);
	return status;
}

/* How many sets all metrics take at first. */
static unsigned int count_sets(const struct summary *s)
{
	unsigned int sets = 0;
	struct set set;

	for (set.end = 0; set.end < nmetrics; sets += set.nevents > 0)
		set = gather(s, set.end, nmetrics, COUNTERS);
	return sets;
}

/*
 * What the runs will read, and how many they are: said before the command does anything more than
 * once.  0, or an exit status.
 */
static int plan(struct summary *s)
{
	unsigned int wanted = s->runs, sets = count_sets(s), runs = sets * wanted;
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
			runs, s->command[0]);
		err_hint(&err, "give it a file: < FILE, or < /dev/null");
		return say_error(&err);
	}
	if (s->quiet)
		return 0;
	if (sets > 1)
		say("%s will run at least %u times: %u for each of %u sets of events",
		    s->command[0], runs, wanted, sets);
	else
		say("%s will run at least %u times", s->command[0], runs);
	return 0;
}

/* What the marks in the summary of one run mean, and how there are none. */
static void tell_sharing(const struct summary *s)
{
	bool shared = false;
	size_t i;

	for (i = 0; i < nmetrics; i++)
		shared |= s->found.v[i].share < 1;
	if (!shared || s->runs || s->quiet)
		return;
	say("events shared counters: @ is the part of the time that a metric was counted for, "
	    "~ scaled to all of it");
	say("hint: --runs 1 counts fewer events at a time, in several runs of %s", s->command[0]);
}

int summary(const struct record_options *record, const struct count_options *count,
	    unsigned int runs, bool quiet)
{
	struct summary s = {.command = record->command, .runs = runs, .quiet = quiet};
	struct err err = {0};
	int status;

	s.found.v = calloc(nmetrics, sizeof(*s.found.v));
	if (!s.found.v) {
		err_nomem(&err);
		return say_error(&err);
	}
	if (pmc_set_collector(record->collector) || pmc_init()) {
		status = say_pmc_error();
	} else {
		try_events(&s.found);
		status = plan(&s);
		if (!status)
			status = runs ? count_apart(&s, 0, nmetrics, COUNTERS) : count_together(&s);
		if (!status && s.found.runs) {
			record_remarks_hidden(s.command[0]);
			tell_sharing(&s);
			status = summary_results_write(&s.found, s.command, runs > 1, count);
		}
	}
	vec_free(&s.sets);
	free(s.found.v);
	return status ? status : s.found.command_status;
}
