// SPDX-License-Identifier: BSD-2-Clause
/*
 * Event-specs on a machine of files.  The first line is the spec, the second what the PMU's format
 * file of "event" says, the third what its named event "mem-loads" says.
 */
#include <stdint.h>
#include <stdlib.h>

#include "../unit/tree.h"
#include "pmc/events/events.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define PMU "sys/bus/event_source/devices/cpu/"

static struct tree machine;

static void remove_machine(void)
{
	tree_free(&machine);
}

static void make_machine(void)
{
	if (machine.root[0])
		return;
	machine = tree_new();
	atexit(remove_machine);
	tree_file(&machine, PMU "type", "4\n");
	tree_file(&machine, PMU "cpumask", "0-3\n");
	tree_file(&machine, PMU "format/umask", "config:8-15\n");
	tree_file(&machine, PMU "format/ldlat", "config1:0-15\n");
	tree_file(&machine, "sys/kernel/tracing/events/sched/sched_switch/id", "316\n");
}

/* The next line of *rest, NUL-terminated, NULL at the end. */
static char *cut_line(char **rest)
{
	char *line = *rest, *end = line ? strchr(line, '\n') : NULL;

	if (end)
		*end++ = '\0';
	*rest = end;
	return line;
}

/* Writes what the input says of the machine; NULL: as usual. */
static void set_files(const char *format, const char *named)
{
	static int unusual = 1;

	if (!format && !unusual)
		return;
	tree_file(&machine, PMU "format/event", format ? format : "config:0-7,32-35\n");
	tree_file(&machine, PMU "events/mem-loads", named ? named : "event=0xcd,umask=?,ldlat=3\n");
	unusual = format != NULL;
}

static void must(int cond)
{
	if (!cond)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1), *rest = text, *spec, *format, *named;
	struct pmc_eventspec event;
	struct err err = {0};

	if (!text)
		return 0;
	memcpy(text, data, size);
	text[size] = '\0';
	make_machine();
	spec = cut_line(&rest);
	format = cut_line(&rest);
	named = cut_line(&rest);
	set_files(format, named);
	if (pmcint_event_parse_at(machine.root, spec, &event, &err) == 0) {
		must(event.name[0] && memchr(event.name, '\0', sizeof(event.name)) != NULL);
		must(event.default_rate > 0 && event.number > 0);
		must(!(event.exclude_kernel && event.exclude_user) || event.hypervisor);
	} else {
		must(err.code != 0 && err.msg[0]);
	}
	free(text);
	return 0;
}
