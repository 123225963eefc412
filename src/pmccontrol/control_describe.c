// SPDX-License-Identifier: BSD-2-Clause
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>

#include "pmccontrol/control.h"
#include "pmc/events/events.h"

static int write_attribute(const char *name, const char *text, void *arg)
{
	/* The event itself comes first, and its name is there already. */
	if (name[0] == ':')
		sink_printf(arg, "\t%-24s %s\n", name, text);
	else
		sink_printf(arg, "\t%s\n", text);
	return 0;
}

static void write_how(const struct pmc_eventspec *e, struct sink *sink)
{
	sink_printf(sink, "\tclass %s, number 0x%x; perf: type %u, config 0x%llx",
		    pmc_name_of_class(e->pm_class), e->number, e->type,
		    (unsigned long long)e->config);
	if (e->config1)
		sink_printf(sink, ", config1 0x%llx", (unsigned long long)e->config1);
	if (e->config2)
		sink_printf(sink, ", config2 0x%llx", (unsigned long long)e->config2);
	if (e->precise)
		sink_printf(sink, ", precise %u", e->precise);
	if (e->hypervisor)
		sink_str(sink, e->exclude_kernel && e->exclude_user ? "; hypervisor's mode alone"
								    : "; hypervisor's mode too");
	else if (e->exclude_kernel || e->exclude_user)
		sink_printf(sink, "; %s mode alone", e->exclude_kernel ? "user" : "kernel");
	if (e->guest)
		sink_str(sink, e->host ? "; guests too" : "; guests alone");
	sink_printf(sink, "%s%s%s\n", e->not_idle ? "; not the idle task" : "",
		    e->pinned ? "; pinned" : "", e->exclusive ? "; exclusive" : "");
	if (e->pm_class != PMC_CLASS_TSC)
		sink_printf(sink, "\ta sample each %llu %s, unless -n says otherwise\n",
			    (unsigned long long)e->default_rate, e->clock ? "ns" : "events");
	if (e->cpus[0])
		sink_printf(sink, "\tcounts on the CPUs %s\n", e->cpus);
}

static void describe(const struct pmc_eventspec *e, struct sink *sink)
{
	const struct event_row *row;
	char name[sizeof(e->spec)];

	snprintf(name, sizeof(name), "%.*s", (int)strcspn(e->spec, ","), e->spec);
	sink_printf(sink, "%s\n", e->name);
	row = pmcint_find_row(name);
	if (!row) {
		snprintf(name, sizeof(name), "%.*s", (int)strcspn(e->name, ":,"), e->name);
		row = pmcint_find_row(name);
	}
	if (row)
		sink_printf(sink, "\t%s\n", row->summary);
	else if (e->type == PERF_TYPE_TRACEPOINT)
		sink_str(sink, "\ttracepoint of the kernel\n");
	else
		pmcint_describe_pfm(name, write_attribute, sink);
	write_how(e, sink);
}

struct match {
	const char *text;
	struct sink *sink;
	unsigned int n;
};

static int write_match(const struct pmc_event_info *info, void *arg)
{
	struct match *m = arg;

	if (!strcasestr(info->name, m->text) && !strcasestr(info->summary, m->text))
		return 0;
	sink_printf(m->sink, "%-28s %s\n", info->name, info->summary);
	m->n++;
	return 0;
}

int control_describe(const char *event, struct sink *sink, struct err *err)
{
	struct match match = {.text = event, .sink = sink};
	struct pmc_eventspec spec;

	struct err why = {0};

	if (!pmc_event_parse(event, &spec, &why)) {
		describe(&spec, sink);
		return 0;
	}
	if (event[0])
		pmc_each_event(false, write_match, &match);
	if (match.n)
		return 0;
	*err = why;
	return -1;
}
