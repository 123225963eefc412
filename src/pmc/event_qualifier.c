// SPDX-License-Identifier: BSD-2-Clause
/*
 * FreeBSD's qualifiers, "cycles,usr,cmask=2,inv": what a counter's control register has beside the
 * event's number.  The machine says in sysfs which bits are which; modes and precision are not bits
 * for perf.
 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "pmc/events.h"

static const struct {
	const char *name;
	bool has_value;
} fields[] = {{"edge", false}, {"inv", false}, {"any", false}, {"cmask", true}, {"umask", true}};

static int refuse(const char *event, const char *text, struct err *err)
{
	err_set(err, EX_USAGE, "%s: the qualifier \"%s\" is not known", event, text);
	return err_hint(err, "qualifiers: usr, os, edge, inv, any, cmask=N, umask=N, precise");
}

static int take_precise(const char *event, const char *value, struct event_qualifiers *q,
			struct err *err)
{
	q->precise = 1;
	if (!value)
		return 0;
	if (value[0] < '1' || value[0] > '3' || value[1])
		return err_set(err, EX_USAGE, "%s: precise=%s is not a number from 1 to 3", event,
			       value);
	q->precise = (unsigned int)(value[0] - '0');
	return 0;
}

static int take_field(const char *event, char *name, const char *value, struct event_qualifiers *q,
		      struct err *err)
{
	size_t i, n = strlen(q->terms);
	int len;

	for (i = 0; i < sizeof(fields) / sizeof(fields[0]); i++)
		if (strcasecmp(name, fields[i].name) == 0)
			break;
	if (i == sizeof(fields) / sizeof(fields[0]))
		return refuse(event, name, err);
	if (fields[i].has_value != (value != NULL))
		return err_set(err, EX_USAGE, "%s: the qualifier %s %s", event, fields[i].name,
			       value ? "takes no value" : "needs a value");
	len = snprintf(q->terms + n, sizeof(q->terms) - n, "%s%s%s%s", n ? "," : "", fields[i].name,
		       value ? "=" : "", value ? value : "");
	if (len < 0 || (size_t)len >= sizeof(q->terms) - n)
		return err_set(err, EX_USAGE, "%s: qualifiers of more than %zu bytes", event,
			       sizeof(q->terms) - 1);
	return 0;
}

int pmcint_take_qualifiers(char *text, struct event_qualifiers *q, struct err *err)
{
	char *comma = strchr(text, ','), *name = comma;

	if (!comma)
		return 0;
	*comma = '\0';
	while (name) {
		char *next = strchr(++name, ','), *value;
		int r = 0;

		if (next)
			*next = '\0';
		value = strchr(name, '=');
		if (value)
			*value++ = '\0';
		if (!value && strcasecmp(name, "usr") == 0)
			q->user = true;
		else if (!value && strcasecmp(name, "os") == 0)
			q->kernel = true;
		else if (strcasecmp(name, "precise") == 0)
			r = take_precise(text, value, q, err);
		else
			r = take_field(text, name, value, q, err);
		if (r)
			return -1;
		name = next;
	}
	return 0;
}

int pmcint_apply_qualifiers(const char *root, const struct event_qualifiers *q,
			    struct pmc_eventspec *event, struct err *err)
{
	size_t n = strlen(event->name), room = sizeof(event->name) - n;

	if ((q->terms[0] || q->precise) && event->class != PMC_CLASS_CPU)
		return err_set(err, EX_USAGE,
			       "%s: %s is not counted by the CPU: it takes usr and os alone",
			       event->spec, event->name);
	if (q->precise > event->precise)
		event->precise = q->precise;
	if (!q->terms[0])
		return 0;
	if (room > 2)
		snprintf(event->name + n, room, ",%.*s", (int)room - 2, q->terms);
	return pmcint_event_fields(root, q->terms, event, err);
}
