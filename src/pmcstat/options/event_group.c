// SPDX-License-Identifier: BSD-2-Clause
#include <string.h>

#include "pmcstat/options/event_group.h"

bool event_group_is(const char *spec)
{
	return spec[0] == '{';
}

/* Where an event ends: at a comma or a brace, but for those among the terms of a PMU. */
static char *end_of(char *p)
{
	bool in_terms = false;

	for (; *p && (in_terms || (*p != ',' && *p != '}')); p++)
		in_terms ^= *p == '/';
	return p;
}

char *event_group_next(const char *spec, char **rest, struct err *err)
{
	char *event = *rest, *end = end_of(event), last = *end;

	if (!last || end == event) {
		err_set(err, EX_USAGE, "the group \"%s\" %s", spec,
			last ? "has an event without a name" : "has no closing brace");
		err_hint(err, "write it '{cycles,instructions}', in quotes for the shell");
		return NULL;
	}
	if (last == '}' && end[1]) {
		err_set(err, EX_USAGE, "the group \"%s\" goes on behind its brace", spec);
		err_hint(err, "modifiers stand behind each event: '{cycles:u,instructions:u}'");
		return NULL;
	}
	*end = '\0';
	*rest = last == ',' ? end + 1 : NULL;
	return event;
}
