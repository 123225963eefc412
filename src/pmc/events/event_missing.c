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
	if (error != -EINVAL)
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

static bool no_mode(const struct event_refusal *r, struct err *err)
{
	err_set(err, EX_UNAVAILABLE, "%s: its PMU cannot count %s", r->event->name,
		r->attr->exclude_host				    ? "guests alone"
		: r->attr->exclude_kernel && !r->attr->exclude_user ? "user mode alone"
		: r->attr->exclude_user && !r->attr->exclude_kernel ? "kernel mode alone"
								    : "in some modes alone");
	err_hint(err, "leave out the modifier");
	return true;
}

bool pmcint_event_missing(const struct event_refusal *r, struct err *err)
{
	const bool sampling = r->attr->sample_period != 0;
	struct perf_event_attr attr;
	int error = try_bare(r, &attr);

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
	attr.exclude_user = r->attr->exclude_user;
	attr.exclude_kernel = r->attr->exclude_kernel;
	attr.exclude_hv = r->attr->exclude_hv;
	attr.exclude_host = r->attr->exclude_host;
	attr.exclude_guest = r->attr->exclude_guest;
	attr.exclude_idle = r->attr->exclude_idle;
	return is_unsupported(try_attr(r, &attr)) && no_mode(r, err);
}
