// SPDX-License-Identifier: BSD-2-Clause
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pmc/control.h"
#include "pmc/doctor.h"
#include "pmc/events.h"
#include "pmc/proc_list.h"

#define DEVICES "/sys/bus/event_source/devices"

struct listing {
	struct sink *sink;
	int cpu;
	unsigned int row; /* on this CPU */
	struct err why;	  /* of the first refusal on any */
	/* Of the PMU at hand: the event that was tried last. */
	bool tried, elsewhere;
	struct pmc_eventspec event;
	struct doctor_outcome outcome;
};

static const char *class_name(enum pmc_class class)
{
	return class == PMC_CLASS_SOFT ? "SOFT" : class == PMC_CLASS_TSC ? "TSC" : "CPU";
}

static bool is_on_cpu(const struct pmc_eventspec *event, int cpu)
{
	struct proc_cpus cpus = {0};
	bool found = !event->cpus[0];
	int *p;

	proc_parse_cpus(event->cpus, &cpus);
	vec_each(p, &cpus.cpus)
		found |= *p == cpu;
	vec_free(&cpus.cpus);
	return found;
}

/* One try after the other, until an event of the PMU counts or is refused. */
static int try_event(const char *spec, void *arg)
{
	struct listing *l = arg;
	const struct doctor_trial trial = {.spec = spec, .mode = PMC_MODE_SC, .cpu = l->cpu};

	l->tried = !pmc_event_parse(spec, &l->event, NULL);
	if (!l->tried)
		return 0;
	l->elsewhere = !is_on_cpu(&l->event, l->cpu);
	if (l->elsewhere)
		return 1;
	doctor_this_machine.try(&trial, &l->outcome);
	return l->outcome.result != DOCTOR_OPENS;
}

static int list_pmu(const char *pmu, void *arg)
{
	static const char *const states[] = {
		[DOCTOR_WORKS] = "counts", [DOCTOR_OPENS] = "opens", [DOCTOR_REFUSED] = "refused"};
	struct listing *l = arg;

	l->tried = l->elsewhere = false;
	if (!strcmp(pmu, "software"))
		try_event("cpu-clock", l);
	else
		doctor_pmu_events("", pmu, try_event, l);
	if (l->elsewhere)
		return 0;
	if (!l->tried) {
		sink_printf(l->sink, "%5u %-16s %-5s %-8s %s\n", l->row++, pmu, "-", "-", "-");
		return 0;
	}
	sink_printf(l->sink, "%5u %-16s %-5s %-8s %s\n", l->row++, pmu, class_name(l->event.class),
		    states[l->outcome.result], l->event.spec);
	if (l->outcome.result == DOCTOR_REFUSED && !l->why.code)
		l->why = l->outcome.err;
	return 0;
}

static int online_cpus(struct proc_cpus *cpus)
{
	char text[4096];

	return proc_read_text("/sys/devices/system/cpu/online", text, sizeof(text)) > 0 &&
			       proc_parse_cpus(text, cpus)
		       ? 0
		       : -1;
}

int control_write_counters(struct sink *sink)
{
	struct listing l = {.sink = sink};
	struct proc_cpus cpus = {0};
	struct err err = {0};
	int *cpu;

	if (online_cpus(&cpus)) {
		vec_free(&cpus.cpus);
		sink_str(sink, "/sys/devices/system/cpu/online does not tell which CPUs there "
			       "are\n");
		return EX_OSFILE;
	}
	if (doctor_this_machine.open(&err))
		l.why = err;
	vec_each(cpu, &cpus.cpus) {
		if (err.code)
			break;
		l.cpu = *cpu;
		l.row = 0;
		sink_printf(sink, "CPU %d:\n%5s %-16s %-5s %-8s %s\n", *cpu, "ROW", "PMU", "CLASS",
			    "STATE", "TRIED");
		pmcint_each_entry(DEVICES, list_pmu, &l);
	}
	vec_free(&cpus.cpus);
	if (l.why.code)
		sink_printf(sink, "refused: %s\n%s%s%s", l.why.msg, l.why.hint[0] ? "fix: " : "",
			    l.why.hint, l.why.hint[0] ? "\n" : "");
	sink_str(sink, "The collector perf takes counters for each event anew: it has no lasting "
		       "rows, and\nwhat other processes hold, and as what, the kernel does not "
		       "tell.\n");
	return err.code ? err.code : EX_OK;
}

/* Interrupts of counters, one column a CPU: "PMI:   0   0   Performance monitoring interrupts". */
static void write_interrupts(struct sink *sink)
{
	char *line = NULL;
	size_t size = 0;
	FILE *f = fopen("/proc/interrupts", "re");
	bool found = false;

	while (f && !found && getline(&line, &size, f) > 0) {
		char *p = strstr(line, "PMI:"), *end;
		int cpu = 0;

		if (!p)
			continue;
		found = true;
		for (p += 4; strtoull(p, &end, 10), end != p; p = end)
			sink_printf(sink, "counter interrupts, column %d %*llu\n", cpu++, 17,
				    strtoull(p, NULL, 10));
	}
	if (!found)
		sink_str(sink, "counter interrupts: /proc/interrupts has no line PMI\n");
	if (f)
		fclose(f);
	free(line);
}

int control_write_statistics(struct sink *sink)
{
	static const char *const settings[] = {
		"perf_event_max_sample_rate", "perf_cpu_time_max_percent", "perf_event_max_stack",
		"perf_event_mlock_kb",	      "perf_event_paranoid",	   "nmi_watchdog"};
	char path[128], text[4096];
	size_t i;

	if (proc_read_text("/sys/devices/system/cpu/online", text, sizeof(text)) > 0)
		sink_printf(sink, "%-36s %11s\n", "CPUs online", text);
	for (i = 0; i < sizeof(settings) / sizeof(settings[0]); i++) {
		snprintf(path, sizeof(path), "/proc/sys/kernel/%s", settings[i]);
		if (proc_read_text(path, text, sizeof(text)) > 0)
			sink_printf(sink, "kernel.%-29s %11s\n", settings[i], text);
	}
	write_interrupts(sink);
	sink_str(sink, "The kernel keeps no totals of samples or of what was lost; each log has "
		       "its own.\n");
	return EX_OK;
}
