// SPDX-License-Identifier: BSD-2-Clause
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "pmclog/drops.h"
#include "pmcstat/options/option_modes.h"
#include "pmcstat/record/record_pmcs.h"
#include "pmcstat/record/record_remarks.h"
#include "pmcstat/say.h"

/* CPU seconds in which a command is sampled at any sensible rate. */
#define WORTH_TELLING 0.05

#define HURRY	0.0001 /* seconds between samples that the kernel may not keep to */
#define IN_TIME 0.75   /* of the CPU time; samples that stand for less were late or never came */
#define ALL_TIME 0.9   /* of that of whole CPUs, which have no threads that end too soon */

enum { STARVED = 10 };	    /* ready without a CPU for more than one part of so many is told */
#define WORTH_WAITING 0.01 /* seconds */

static void tell_pauses(const struct pmc_log_stats *s)
{
	uint64_t throttled = s->drops[PMCLOG_DROP_THROTTLE];

	if (s->paused)
		say("the kernel paused PMCs %" PRIu64 " times, for %.1f ms in all, because samples "
		    "came too fast; see kernel.perf_event_max_sample_rate",
		    throttled, (double)s->paused / 1e6);
	else if (throttled)
		say("the kernel paused a PMC %" PRIu64 " times because samples came too fast; see "
		    "kernel.perf_event_max_sample_rate",
		    throttled);
}

void record_remarks_losses(const struct pmc_log_stats *stats)
{
	uint64_t all = stats->samples + pmclog_drops_with(stats->drops, PMCLOG_DROP_RING);
	const struct pmclog_cause *c;
	struct sink *text;

	for (c = pmclog_causes; c < pmclog_causes + pmclog_ncauses; c++) {
		if (c->cause == PMCLOG_DROP_THROTTLE)
			tell_pauses(stats);
		if (!c->sentence || !stats->drops[c->cause] || !(text = sink_to_memory()))
			continue;
		pmclog_cause_write(text, c->sentence, stats->drops[c->cause], all);
		say("%s", sink_text(text, NULL));
		sink_free(text);
	}
	if (stats->drops[PMCLOG_DROP_RING])
		say("hint: a lower rate or --unwind=fp needs less room; where more memory may be "
		    "locked (ulimit -l, kernel.perf_event_mlock_kb) the collector perf has more");
	if (stats->dropped)
		say("%" PRIu64 " samples could not be written to the log", stats->dropped);
}

void record_remarks_partial(void)
{
	struct pmc_log_stats stats;

	if (!pmc_get_log_stats(&stats) && stats.partial)
		say("%" PRIu64 " threads were created just while their process was attached to: "
		    "some of what they did may be missing",
		    stats.partial);
}

void record_remarks_nameless(const struct record_options *options)
{
	static const char initial[] = "pid:[4026531836]"; /* the kernel's constant */
	char link[64];
	ssize_t n = readlink("/proc/self/ns/pid", link, sizeof(link) - 1);

	link[n > 0 ? n : 0] = '\0';
	if (!options_have(options, mode_is_system) || !options_have(options, mode_is_sampling) ||
	    !link[0] || !strcmp(link, initial))
		return;
	say("processes outside of this pid namespace have no number in it: their samples are of "
	    "\"no-pid\", and those in the kernel may be of \"swapper\", as an idle CPU's are");
	say("hint: record outside of the container, or in one with the host's pids (--pid=host)");
}

/* Children that were waited for are in the time, and may be all of it. */
static void tell_unsampled(const struct record_command *c, uint64_t samples, bool descends)
{
	double seconds = record_command_user_seconds(c) + record_command_system_seconds(c);
	char number[32] = "no";

	if (samples)
		snprintf(number, sizeof(number), "%" PRIu64, samples);
	if (c->children_seconds <= 0)
		say("%s samples of %s, which used %.2f s of CPU time", number, c->name, seconds);
	else
		say("%s samples of %s, which used %.2f s of CPU time, %.2f s of it in its "
		    "children%s",
		    number, c->name, seconds, c->children_seconds,
		    descends ? "" : "; -d samples those too");
}

/* Where nothing else kept samples away: fewer events than one stands for, in each thread. */
static void hint_rate(const struct pmc_request *r)
{
	uint64_t rate = r->rate;

	if (!(r->flags & PMC_F_FREQUENCY) && (rate || !pmc_default_rate(r->spec, &rate)) &&
	    rate > 1)
		say("hint: a sample stands for %" PRIu64 " of %s: a smaller -n", rate, r->spec);
}

bool record_remarks_hidden(const char *name)
{
	const char *why = target_why_hidden(name);

	if (why)
		say("%s may not have been counted: it is %s, and the kernel takes the PMCs from "
		    "such a program when it starts",
		    name, why);
	return why;
}

/*
 * A command that ran and was never sampled, or whose children did most of what it did, unsampled:
 * its profile does not say why.  Whether there was such a thing to tell.  taken_away: the kernel
 * took or paused PMCs, which is told elsewhere.
 */
static bool tell_absent(const struct record_options *o, const struct record_command *c,
			uint64_t samples, bool taken_away)
{
	double seconds = record_command_user_seconds(c) + record_command_system_seconds(c);
	const struct pmc_request *r;
	bool descends = true;
	const char *why = NULL;

	if (!c->name || options_have(o, mode_is_system) || !options_have(o, mode_is_sampling))
		return false;
	vec_each(r, &o->requests)
		descends &= (r->flags & PMC_F_DESCENDANTS) != 0;
	if (samples && (descends || o->targets.n || c->children_seconds < seconds / 2))
		return false;
	if (!samples && (why = target_why_hidden(c->name)))
		say("no samples of %s: it is %s, and the kernel takes the PMCs from such a program "
		    "when it starts",
		    c->name, why);
	else if (seconds >= WORTH_TELLING)
		tell_unsampled(c, samples, descends);
	if (!samples && !why && seconds >= WORTH_TELLING && !taken_away && o->requests.n == 1 &&
	    (descends || c->children_seconds <= 0))
		hint_rate(o->requests.v);
	return true;
}

/*
 * How long the command was where an event that counts time is sampled; 0: nobody knows.  Of
 * children that are not sampled nobody tells in which mode they ran.
 */
static double sampled_seconds(const struct record_command *c, const char *event, bool descends)
{
	double used = record_command_user_seconds(c);
	bool modes = strchr(event, ':');

	if (strstr(event, ":k") || (modes && !descends && c->children_seconds > 0))
		return 0;
	if (!modes)
		used += record_command_system_seconds(c);
	return descends ? used : used - c->children_seconds;
}

/* Nothing else fits between the interrupts of a clock that comes so soon again. */
static void tell_hurry(const char *command, uint64_t samples, double period, double used)
{
	say("%" PRIu64 " samples stand for %.2f s of the %.2f s that %s was on a CPU: they come "
	    "later than after %g us, and what they take is in its time",
	    samples, (double)samples * period, used, command, period * 1e6);
	say("hint: a larger -n");
}

/*
 * A clock begins anew in each thread: one that ends before its first sample is never seen.  One
 * that a host holds back, which has other work for the CPU, makes one sample of several periods.
 */
static void tell_brief(const char *command, uint64_t samples, double period, double used)
{
	say("%" PRIu64 " samples stand for %.2f s of the %.2f s that %s was on a CPU: a process or "
	    "thread is only sampled after %g ms on one, and what comes late counts once",
	    samples, (double)samples * period, used, command, period * 1e3);
	say("hint: a smaller -n, or -S, samples short ones too");
}

static void tell_unshown(const struct record_options *o, const struct record_command *c,
			 const char *event, uint64_t samples)
{
	const struct pmc_request *r = o->requests.v;
	bool descends = r->flags & PMC_F_DESCENDANTS;
	double period, shown, used;

	if (!c->gone || o->requests.n != 1 || r->mode != PMC_MODE_TS || !record_pmc_is_clock(r))
		return;
	period = (double)record_pmc_nanoseconds(r) / 1e9;
	shown = (double)samples * period;
	used = sampled_seconds(c, event, descends);
	if (shown > used * IN_TIME || used - shown < WORTH_TELLING)
		return;
	if (period <= HURRY)
		tell_hurry(c->name, samples, period, used);
	else
		tell_brief(c->name, samples, period, used);
}

/* Samples that came, and whether the kernel took PMCs away: how long is not known then. */
static uint64_t samples_of(const struct pmc_log_stats *stats, bool *taken_away)
{
	*taken_away = stats->drops[PMCLOG_DROP_HIDDEN] || stats->drops[PMCLOG_DROP_THROTTLE];
	return stats->samples + pmclog_drops_with(stats->drops, PMCLOG_DROP_RING);
}

void record_remarks_few(const struct record_options *options, const struct record_command *command,
			const struct pmc_log_stats *stats, pmc_id_t first)
{
	struct pmc_count now = {0};
	bool taken_away;
	uint64_t taken = samples_of(stats, &taken_away);

	if (tell_absent(options, command, taken, taken_away) || !taken)
		return;
	if (!taken_away && !pmc_read_times(first, &now))
		tell_unshown(options, command, now.event, taken);
}

/* Of all the PMCs, as they are one for each CPU; -1: of a mode alone, or not known. */
static double sampled_time(const pmc_id_t *pmcs, size_t n)
{
	struct pmc_count one;
	double all = 0;

	for (; n; n--, pmcs++) {
		if (pmc_read_times(*pmcs, &one) || strchr(one.event, ':'))
			return -1;
		all += (double)one.enabled / 1e9;
	}
	return all;
}

void record_remarks_asleep(const struct record_options *o, const struct pmc_log_stats *stats,
			   const pmc_id_t *pmcs, size_t n)
{
	const struct pmc_request *r = o->requests.v;
	bool taken_away;
	uint64_t samples = samples_of(stats, &taken_away);
	double period, shown, sampled;

	if (taken_away || o->requests.n != 1 || r->mode != PMC_MODE_SS || !record_pmc_is_clock(r))
		return;
	period = (double)record_pmc_nanoseconds(r) / 1e9;
	shown = (double)samples * period;
	sampled = sampled_time(pmcs, n);
	/* Each CPU may be within a period. */
	if (shown > sampled * ALL_TIME ||
	    sampled - shown < WORTH_TELLING + period * (double)sysconf(_SC_NPROCESSORS_ONLN))
		return;
	say("%" PRIu64 " samples stand for %.2f s of the %.2f s that the CPUs were sampled: what "
	    "comes late, as of a CPU that sleeps, counts once",
	    samples, shown, sampled);
}

void record_remarks_uncounted(const struct record_command *c, double counted)
{
	double used = record_command_user_seconds(c) + record_command_system_seconds(c);

	if (!record_remarks_hidden(c->name) && counted >= 0 && counted < used / 2 &&
	    used - counted >= WORTH_TELLING)
		say("the clock counted %.2f s of the %.2f s that %s and its children ran: the "
		    "kernel takes the PMCs from programs that start with rights of their own "
		    "(set-user-ID or the like)",
		    counted, used, c->name);
}

void record_remarks_end(const struct record_command *command, const char *log)
{
	double user = record_command_user_seconds(command);
	double system = record_command_system_seconds(command);
	double elapsed = command->ended - command->began;
	char starved[64] = "";

	/* Of other threads and of children nobody tells. */
	if (command->starved_seconds > elapsed / STARVED &&
	    command->starved_seconds >= WORTH_WAITING)
		snprintf(starved, sizeof(starved), ", its first thread waited %.2f s for one",
			 command->starved_seconds);
	if (command->gone)
		say("%s ran for %.2f s: on a CPU %.2f s (user %.2f, system %.2f)%s; the log is %s",
		    command->name, elapsed, user + system, user, system, starved, log);
	else
		say("the log is %s", log);
}
