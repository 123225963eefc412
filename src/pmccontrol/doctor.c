// SPDX-License-Identifier: BSD-2-Clause
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "pmccontrol/doctor.h"
#include "pmccontrol/doctor_report.h"
#include "pmc/events/events.h"

enum { PMU_EVENTS_MAX = 8 };

/* ---- What somebody wants to do, each by one PMC ---- */

struct use_case {
	const char *title;
	struct doctor_trial trial;
};

static void tell_use_case(struct sink *sink, const struct use_case *u,
			  const struct doctor_outcome *o, const char *fix)
{
	const char *spec = u->trial.spec;
	bool sampling = PMC_IS_SAMPLING_MODE(u->trial.mode);

	if (o->result == DOCTOR_REFUSED)
		doctor_finding(sink, "no", u->title, *fix ? fix : o->err.hint, "%s", o->err.msg);
	else if (o->result == DOCTOR_WORKS)
		doctor_finding(sink, "ok", u->title, NULL, "%s: %s seen", spec,
			       sampling ? "samples" : "counts");
	else if (u->trial.target)
		doctor_finding(sink, "ok", u->title, NULL, "%s can be opened on process %d", spec,
			       (int)u->trial.target);
	else
		doctor_finding(sink, "no", u->title, fix,
			       "%s can be opened, but nothing was %s while this program worked",
			       spec, sampling ? "sampled" : "counted");
}

/* Whether programs of this user can be sampled. */
static bool try_use_cases(const struct doctor_machine *m, struct sink *sink)
{
	int cpu = sched_getcpu();
	const struct use_case use_cases[] = {
		{"sample own programs", {"cpu-clock", PMC_MODE_TS, 0, 0}},
		{"count in own programs", {"task-clock", PMC_MODE_TC, 0, 0}},
		{"sample the kernel", {"cpu-clock:k", PMC_MODE_TS, 0, 0}},
		{"sample whole CPUs", {"cpu-clock", PMC_MODE_SS, cpu < 0 ? 0 : cpu, 0}},
		{"others' processes", {"task-clock", PMC_MODE_TC, 0, 1}},
		{"tracepoints", {"sched:sched_switch", PMC_MODE_TC, 0, 0}},
		{"hardware counters", {"cycles", PMC_MODE_TC, 0, 0}},
		{"hardware sampling", {"cycles", PMC_MODE_TS, 0, 0}},
	};
	char no_pmu[512];
	bool sampled = false;
	size_t i;

	doctor_missing_pmu(m->root, no_pmu, sizeof(no_pmu));
	for (i = 0; i < sizeof(use_cases) / sizeof(use_cases[0]); i++) {
		const struct use_case *u = &use_cases[i];
		struct doctor_outcome outcome;

		bool is_cycles = !strcmp(u->trial.spec, "cycles");

		m->try(&u->trial, &outcome);
		tell_use_case(sink, u, &outcome, is_cycles ? no_pmu : "");
		if (!i)
			sampled = outcome.result == DOCTOR_WORKS;
		/* Sampling is of no interest where there is nothing to count. */
		if (u->trial.mode == PMC_MODE_TC && outcome.result == DOCTOR_REFUSED && is_cycles)
			break;
	}
	return sampled;
}

/* ---- Counters that are announced and count nothing ---- */

/*
 * That some count, while others had the rest, is nothing to go by; but how many the machine has is
 * not always known, and then as many as were tried before are all.
 */
static bool tells_all(const struct doctor_machine *m, const char *path, const struct counters *c,
		      unsigned int most)
{
	struct counters known;

	return c->dead || c->tried == most ||
	       (counters_read(m->root, path, geteuid(), &known) && c->tried >= known.tried);
}

/* Keeps what was found of at most so many for this boot: libpmc gives out no more than count. */
static void remember(const struct doctor_machine *m, struct sink *sink, const struct counters *c,
		     unsigned int most)
{
	struct err err = {0};
	char path[PATH_MAX];

	if (m->remember)
		snprintf(path, sizeof(path), "%s", m->remember);
	else if (!counters_path(path, sizeof(path)))
		err_set(&err, EX_CANTCREAT, "no directory for it: XDG_RUNTIME_DIR is not set");
	if (!err.code && tells_all(m, path, c, most))
		counters_write(m->root, path, c, &err);
	if (err.code && c->dead)
		doctor_finding(sink, "no", "what was found", "",
			       "cannot be kept for pmcstat, which will try them itself: %s",
			       err.msg);
}

static void try_counters(const struct doctor_machine *m, struct sink *sink)
{
	unsigned int n = m->counters ? m->counters() : 0;
	struct err err = {0};
	struct counters c;

	if (!n)
		return;
	c = counters_try(m->trial, n, &err);
	if (!c.tried && err.code) {
		doctor_finding(sink, "?", "counters at once", err.hint,
			       "not even one could be tried: %s", err.msg);
		return;
	}
	if (!c.tried) {
		doctor_finding(sink, "?", "counters at once",
			       "stop other profilers; sysctl kernel.nmi_watchdog=0 frees one",
			       "not even one could be watched: others use them");
		return;
	}
	if (c.good == c.tried)
		doctor_finding(sink, "ok", "counters at once", NULL, "%u of %u tried, all count",
			       c.tried, n);
	else
		doctor_finding(sink, "no", "counters at once",
			       c.good ? "ask the hypervisor for counters that count; until then "
					"pmcstat uses fewer events at once"
				      : "ask the hypervisor for counters that count",
			       "of %u, %u count nothing: %u PMCs at once count right, and more are "
			       "refused until the next boot",
			       c.tried, c.dead, c.good);
	remember(m, sink, &c, n);
}

/* ---- Every event of pmcstat -L, and one of each PMU ---- */

struct survey {
	const struct doctor_machine *machine;
	struct sink *sink;
	struct doctor_names counting, still;
	/* Events, one after the other, that are refused for the same reason. */
	struct doctor_names refused;
	struct err why;	   /* of the first of them */
	char reason[1024]; /* the same without the event's name */
};

static bool survey_init(struct survey *s, const struct doctor_machine *machine, struct sink *sink)
{
	*s = (struct survey){.machine = machine, .sink = sink};
	s->counting.text = sink_to_memory();
	s->still.text = sink_to_memory();
	s->refused.text = sink_to_memory();
	return s->counting.text && s->still.text && s->refused.text;
}

static void survey_fini(struct survey *s)
{
	sink_free(s->counting.text);
	sink_free(s->still.text);
	sink_free(s->refused.text);
}

/*
 * A program's own PMC.  Of a PMU that is one for many CPUs, that of the CPU it is read on; the TSC
 * is of no program either.
 */
static void try_event(const struct doctor_machine *m, const char *spec, struct doctor_outcome *o)
{
	struct doctor_trial trial = {.spec = spec, .mode = PMC_MODE_TC};
	struct pmc_eventspec event;
	int here = sched_getcpu();

	m->try(&trial, o);
	if (o->result != DOCTOR_REFUSED || pmcint_event_parse_at(m->root, spec, &event, NULL) ||
	    (!event.cpus[0] && event.pm_class != PMC_CLASS_TSC))
		return;
	trial.mode = PMC_MODE_SC;
	trial.cpu = event.cpus[0] ? (int)strtol(event.cpus, NULL, 10) : here < 0 ? 0 : here;
	m->try(&trial, o);
}

static void tell_refused(struct survey *s)
{
	doctor_names_write(s->sink, "no", "refused", &s->refused);
	if (s->refused.n)
		doctor_detail(s->sink, "why", s->why.msg);
	if (s->refused.n && s->why.hint[0])
		doctor_detail(s->sink, "fix", s->why.hint);
	sink_free(s->refused.text);
	s->refused = (struct doctor_names){.text = sink_to_memory()};
}

/* Why it is refused, without the event's name, if that is there. */
static void cut_name(const char *msg, const char *spec, char *reason, size_t size)
{
	const char *name = strstr(msg, spec);

	if (name)
		snprintf(reason, size, "%.*s%s", (int)(name - msg), msg, name + strlen(spec));
	else
		snprintf(reason, size, "%s", msg);
}

static void add_refused(struct survey *s, const char *spec, const struct err *err)
{
	char reason[sizeof(s->reason)];

	cut_name(err->msg, spec, reason, sizeof(reason));
	if (s->refused.n && strcmp(reason, s->reason))
		tell_refused(s);
	if (!s->refused.text)
		return;
	if (!s->refused.n) {
		s->why = *err;
		strcpy(s->reason, reason);
	}
	doctor_names_add(&s->refused, spec);
}

static enum doctor_result survey_event(struct survey *s, const char *spec)
{
	struct doctor_outcome o;

	try_event(s->machine, spec, &o);
	if (o.result == DOCTOR_WORKS)
		doctor_names_add(&s->counting, spec);
	else if (o.result == DOCTOR_OPENS)
		doctor_names_add(&s->still, spec);
	else
		add_refused(s, spec, &o.err);
	return o.result;
}

struct pmu_walk {
	const char *pmu;
	int (*each)(const char *spec, void *arg);
	void *arg;
	unsigned int left;
};

static int walk_event(const char *name, void *arg)
{
	struct pmu_walk *w = arg;
	char spec[256];

	if (!w->left--)
		return 1;
	snprintf(spec, sizeof(spec), "%s/%s/", w->pmu, name);
	return w->each(spec, w->arg);
}

/*
 * Calls each() with "pmu/event/" for the first few events that a PMU below root names, until it
 * returns non-zero: enough of them to see whether the PMU counts.
 */
static void pmu_events(const char *root, const char *pmu, int (*each)(const char *spec, void *arg),
		       void *arg)
{
	struct pmu_walk w = {pmu, each, arg, PMU_EVENTS_MAX};
	char dir[PATH_MAX];

	snprintf(dir, sizeof(dir), "%s/sys/bus/event_source/devices/%s/events", root, pmu);
	pmcint_each_entry(dir, walk_event, &w);
}

static int survey_pmu_event(const char *spec, void *arg)
{
	return survey_event(arg, spec) != DOCTOR_OPENS;
}

static int survey_pmu(const char *pmu, void *arg)
{
	struct survey *s = arg;

	pmu_events(s->machine->root, pmu, survey_pmu_event, s);
	return 0;
}

static void survey_events(struct survey *s)
{
	char dir[PATH_MAX];
	size_t i;

	for (i = 0; i < pmcint_event_nrows; i++)
		if (pmcint_event_rows[i].kind != EVENT_UNAVAILABLE)
			survey_event(s, pmcint_event_rows[i].name);
	snprintf(dir, sizeof(dir), "%s/sys/bus/event_source/devices", s->machine->root);
	pmcint_each_entry(dir, survey_pmu, s);
	tell_refused(s);
	if (!s->refused.text)
		doctor_finding(s->sink, "no", "memory", NULL, "is short: not all events are here");
	doctor_names_write(s->sink, "ok", "events that count", &s->counting);
	doctor_names_write(s->sink, "?", "opened, not moved", &s->still);
}

int doctor_examine(const struct doctor_machine *machine, struct sink *sink)
{
	struct survey survey;
	struct err err = {0};
	bool sampled = false;

	if (!survey_init(&survey, machine, sink)) {
		err_nomem(&err);
		doctor_finding(sink, "no", "memory", NULL, "%s", err.msg);
	} else if (machine->open(&err)) {
		doctor_finding(sink, "no", "perf_event_open(2)", err.hint, "%s", err.msg);
	} else {
		sampled = try_use_cases(machine, sink);
		try_counters(machine, sink);
		survey_events(&survey);
	}
	survey_fini(&survey);
	doctor_write_facts(machine->root, sink);
	sink_str(sink, sampled ? "programs of this user can be sampled\n"
			       : "nothing can be sampled here by this user\n");
	return sampled ? EX_OK : EX_UNAVAILABLE;
}

int doctor_write(struct sink *sink)
{
	return doctor_examine(&doctor_this_machine, sink);
}
