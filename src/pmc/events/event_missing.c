// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/proc_text.h"
#include "pmc/events/event_missing.h"

#define DEVICES "/sys/bus/event_source/devices/"

/* A period for events of which any will do. */
enum { SOME_PERIOD = 1000003 };

/* Not for want of rights, memory, files or a free counter. */
static bool is_unsupported(int error)
{
	return error == -ENOENT || error == -EINVAL || error == -EOPNOTSUPP || error == -ENXIO;
}

/* On this process, or on the CPU that the event's PMU wants. */
static int try_attr(const struct event_refusal *r, const struct perf_event_attr *attr)
{
	struct perf_event_attr copy = *attr;
	int error = r->try(&copy, 0, -1);

	if (!error || !r->event->cpus[0])
		return error;
	copy = *attr;
	return r->try(&copy, -1, (int)strtol(r->event->cpus, NULL, 10));
}

/* The event alone: counted, in user mode or, by a PMU that knows no modes, in all. */
static int try_bare(const struct event_refusal *r, struct perf_event_attr *attr)
{
	int error;

	*attr = (struct perf_event_attr){.type = r->attr->type,
					 .size = sizeof(*attr),
					 .config = r->attr->config,
					 .config1 = r->attr->config1,
					 .config2 = r->attr->config2,
					 .disabled = 1,
					 .exclude_kernel = 1,
					 .exclude_hv = 1};
	error = try_attr(r, attr);
	if (error != -EINVAL && error != -EOPNOTSUPP)
		return error;
	attr->exclude_kernel = attr->exclude_hv = 0;
	return try_attr(r, attr);
}

static bool is_of_cpu(uint32_t type)
{
	return type == PERF_TYPE_HARDWARE || type == PERF_TYPE_HW_CACHE || type == PERF_TYPE_RAW;
}

/* Whether the CPUs' PMU counts anything. */
static bool has_pmu(const struct event_refusal *r)
{
	static const uint64_t usual[] = {PERF_COUNT_HW_CPU_CYCLES, PERF_COUNT_HW_INSTRUCTIONS,
					 PERF_COUNT_HW_BRANCH_INSTRUCTIONS};
	size_t i;

	for (i = 0; i < sizeof(usual) / sizeof(usual[0]); i++) {
		struct perf_event_attr attr = {.type = PERF_TYPE_HARDWARE,
					       .size = sizeof(attr),
					       .config = usual[i],
					       .disabled = 1,
					       .exclude_kernel = 1,
					       .exclude_hv = 1};

		if (!r->try(&attr, 0, -1))
			return true;
	}
	return false;
}

static void hint_working(const struct event_refusal *r, struct err *err)
{
	char text[256];

	pmcint_events_working(r->try, text, sizeof(text));
	if (text[0])
		err_hint(err, "these work: %s", text);
}

static bool no_event(const struct event_refusal *r, struct err *err)
{
	if (!is_of_cpu(r->attr->type))
		return false;
	err_set(err, EX_UNAVAILABLE,
		has_pmu(r)
			? "the PMU of this machine's CPUs cannot count %s"
			: "this machine has no counters for %s (a virtual machine without a PMU?)",
		r->event->name);
	hint_working(r, err);
	return true;
}

static bool no_sampling(const struct event_refusal *r, struct err *err)
{
	err_set(err, EX_UNAVAILABLE, "%s can be counted, but its PMU has no interrupt to sample by",
		r->event->name);
	err_hint(err, "count it with -p or -s, or sample cpu-clock");
	return true;
}

/* The type of the PMU whose files tell of the event. */
static uint32_t pmu_type(uint32_t type)
{
	return is_of_cpu(type) ? PERF_TYPE_RAW : type;
}

static bool no_precision(const struct event_refusal *r, struct err *err)
{
	const struct pmc_eventspec *e = r->event;
	char pmu[64] = "cpu", caps[128], path[PATH_MAX];
	long long max;

	pmcint_pmu_of_type(r->root, pmu_type(r->attr->type), pmu, sizeof(pmu));
	snprintf(caps, sizeof(caps), DEVICES "%s/caps/max_precise", pmu);
	snprintf(path, sizeof(path), "%s%s", r->root, caps);
	max = proc_read_number(path, -1);
	if (max < 0)
		err_set(err, EX_UNAVAILABLE,
			"%s: this machine has no precise sampling: %s is not "
			"there",
			e->spec, caps);
	else if (!max)
		err_set(err, EX_UNAVAILABLE, "%s: this machine has no precise sampling: %s is 0",
			e->spec, caps);
	else if (r->attr->precise_ip > max)
		err_set(err, EX_UNAVAILABLE,
			"%s: precise sampling of level %u is above %lld, the "
			"highest of this machine (%s)",
			e->spec, (unsigned int)r->attr->precise_ip, max, caps);
	else
		err_set(err, EX_UNAVAILABLE,
			"%s: the PMU cannot sample this event precisely, as it can others",
			e->spec);
	if (max > 0 && r->attr->precise_ip > max)
		err_hint(err, "precise=%lld", max);
	else
		err_hint(err, "leave it out: samples are then of a few instructions later");
	return true;
}

/* Kernels refuse precision in a count, where it has no meaning, as if they could not have it. */
static bool no_precise_count(const struct event_refusal *r, struct err *err)
{
	err_set(err, EX_UNAVAILABLE, "%s: precision is of samples, and this PMC counts",
		r->event->spec);
	err_hint(err, "leave it out");
	return true;
}

/* What can be left out of a count: first what modifiers alone leave out. */
enum mode { KERNEL, USER, HOST, IDLE, GUEST, HYPERVISOR, NMODES };

/* Has attr leave out one of these, if that is asked for; whether it is. */
static bool leave_out(const struct event_refusal *r, enum mode mode, struct perf_event_attr *attr)
{
	switch (mode) {
	case KERNEL: return (attr->exclude_kernel = r->attr->exclude_kernel);
	case USER: return (attr->exclude_user = r->attr->exclude_user);
	case HOST: return (attr->exclude_host = r->attr->exclude_host);
	case IDLE: return (attr->exclude_idle = r->attr->exclude_idle);
	case GUEST: return (attr->exclude_guest = r->attr->exclude_guest);
	case HYPERVISOR: return (attr->exclude_hv = r->attr->exclude_hv);
	default: return false;
	}
}

/* Whether the PMU refuses to leave that out; without rights it is tried in user mode. */
static bool is_refused(const struct event_refusal *r, enum mode mode)
{
	struct perf_event_attr attr;
	int error;

	if (try_bare(r, &attr))
		return false;
	attr.exclude_kernel = attr.exclude_hv = 0;
	if (!leave_out(r, mode, &attr))
		return false;
	error = try_attr(r, &attr);
	if (error == -EACCES || error == -EPERM) {
		attr.exclude_kernel = 1;
		error = try_attr(r, &attr);
	}
	return is_unsupported(error);
}

static bool no_mode(const struct event_refusal *r, struct err *err)
{
	static const struct {
		const char *what, *modifier;
	} texts[NMODES + 1] = {
		[KERNEL] = {"count user mode alone", " u"},
		[USER] = {"count kernel mode alone", " k"},
		[HOST] = {"count guests alone", " G"},
		[IDLE] = {"leave out the idle task", " I"},
		[GUEST] = {"leave out guests", " H"},
		[HYPERVISOR] = {"leave out the mode of a hypervisor", "s"},
		[NMODES] = {"count these modes together", "s"},
	};
	const struct pmc_eventspec *e = r->event;
	const char *what, *modifier;
	enum mode mode = KERNEL;

	while (mode < NMODES && !is_refused(r, mode))
		mode++;
	what = texts[mode].what;
	modifier = texts[mode].modifier;
	if (mode <= USER && r->attr->exclude_kernel && r->attr->exclude_user) {
		what = "count the mode of a hypervisor alone";
		modifier = " h";
	}
	err_set(err, EX_UNAVAILABLE, "%s: its PMU cannot %s", e->spec, what);
	if (mode == GUEST && !e->host)
		err_hint(err, "write the modifiers GH, which count guests too");
	else if (mode == HYPERVISOR && !pmc_event_names_modes(e))
		err_hint(err, "write the modifiers ukh, which count it too");
	else
		err_hint(err, "leave out the modifier%s", modifier);
	return true;
}

bool pmcint_event_missing(const struct event_refusal *r, struct err *err)
{
	const bool sampling = r->attr->sample_period != 0;
	struct perf_event_attr attr;
	int error = try_bare(r, &attr);
	enum mode mode;

	if (error)
		return is_unsupported(error) && no_event(r, err);
	attr.freq = r->attr->freq;
	attr.sample_period = r->attr->sample_period;
	if (sampling && is_unsupported(try_attr(r, &attr)))
		return no_sampling(r, err);
	attr.precise_ip = r->attr->precise_ip;
	if (attr.precise_ip && is_unsupported(try_attr(r, &attr))) {
		attr.sample_period = sampling ? r->attr->sample_period : SOME_PERIOD;
		return is_unsupported(try_attr(r, &attr)) ? no_precision(r, err)
							  : no_precise_count(r, err);
	}
	for (mode = KERNEL; mode < NMODES; mode++)
		leave_out(r, mode, &attr);
	return is_unsupported(try_attr(r, &attr)) && no_mode(r, err);
}
