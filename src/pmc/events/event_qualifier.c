// SPDX-License-Identifier: BSD-2-Clause
/*
 * What stands behind an event: perf's modifiers, "cycles:up", or FreeBSD's qualifiers,
 * "cycles,usr,cmask=2,inv".  The machine says in sysfs which bits of a counter's control register
 * the latter are; modes, precision and how counters are shared are not bits for perf.
 */
#include <errno.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "pmc/events/events.h"

static const struct {
	const char *name;
	bool has_value;
} fields[] = {{"edge", false}, {"inv", false}, {"any", false}, {"cmask", true}, {"umask", true}};

/* The words that are switches, and the letters that say the same. */
static const struct {
	const char *name;
	char letter;
	size_t field;
} switches[] = {{"usr", 'u', offsetof(struct event_qualifiers, user)},
		{"os", 'k', offsetof(struct event_qualifiers, kernel)},
		{"hv", 'h', offsetof(struct event_qualifiers, hypervisor)},
		{"host", 'H', offsetof(struct event_qualifiers, host)},
		{"guest", 'G', offsetof(struct event_qualifiers, guest)},
		{"noidle", 'I', offsetof(struct event_qualifiers, not_idle)},
		{"pinned", 'D', offsetof(struct event_qualifiers, pinned)},
		{"exclusive", 'e', offsetof(struct event_qualifiers, exclusive)}};

enum { NSWITCHES = sizeof(switches) / sizeof(switches[0]) };

static void turn_on(struct event_qualifiers *q, size_t i)
{
	*(bool *)((char *)q + switches[i].field) = true;
}

/* Of u, k and p capitals do as well. */
static bool take_letter(char letter, struct event_qualifiers *q)
{
	size_t i;

	if (letter == 'p' || letter == 'P')
		return ++q->precise <= 3;
	if (letter == 'U' || letter == 'K')
		letter = letter == 'U' ? 'u' : 'k';
	for (i = 0; i < NSWITCHES; i++)
		if (switches[i].letter == letter) {
			turn_on(q, i);
			return true;
		}
	return false;
}

bool pmcint_take_modifiers(const char *text, struct event_qualifiers *q)
{
	struct event_qualifiers all = *q;

	if (!*text)
		return false;
	if (strpbrk(text, "pP"))
		all.precise = 0;
	while (*text)
		if (!take_letter(*text++, &all))
			return false;
	*q = all;
	return true;
}

static int refuse(const char *event, const char *text, struct err *err)
{
	err_set(err, EX_USAGE, "%s: the qualifier \"%s\" is not known", event, text);
	return err_hint(err, "qualifiers: usr, os, hv, host, guest, noidle, pinned, exclusive, "
			     "edge, inv, any, cmask=N, umask=N, precise");
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

static bool take_switch(const char *name, struct event_qualifiers *q)
{
	size_t i;

	for (i = 0; i < NSWITCHES; i++)
		if (strcasecmp(name, switches[i].name) == 0) {
			turn_on(q, i);
			return true;
		}
	return false;
}

int pmcint_take_qualifiers(const char *event, char *text, struct event_qualifiers *q,
			   struct err *err)
{
	char *name = text;

	while (name) {
		char *next = strchr(name, ','), *value;
		int r = 0;

		if (next)
			*next++ = '\0';
		value = strchr(name, '=');
		if (value)
			*value++ = '\0';
		if (strcasecmp(name, "precise") == 0)
			r = take_precise(event, value, q, err);
		else if (value || !take_switch(name, q))
			r = take_field(event, name, value, q, err);
		if (r)
			return -1;
		name = next;
	}
	return 0;
}

/* Not how it is counted, but what: two PMCs of one name count the same. */
static void add_modes(const struct event_qualifiers *q, struct pmc_eventspec *event)
{
	bool modes = q->user != q->kernel || q->hypervisor;
	char text[8] = ":";
	size_t n = strlen(event->name), len;

	snprintf(text + 1, sizeof(text) - 1, "%s%s%s%s%s%s", q->user && modes ? "u" : "",
		 q->kernel && modes ? "k" : "", q->hypervisor ? "h" : "", q->guest ? "G" : "",
		 q->guest && q->host ? "H" : "", q->not_idle ? "I" : "");
	len = strlen(text);
	if (len == 1)
		return;
	if (n > sizeof(event->name) - len - 1)
		n = sizeof(event->name) - len - 1;
	memcpy(event->name + n, text, len + 1);
}

static void apply_modes(const struct event_qualifiers *q, struct pmc_eventspec *event)
{
	if (q->user != q->kernel || q->hypervisor) {
		event->exclude_kernel = !q->kernel;
		event->exclude_user = !q->user;
	}
	event->hypervisor = q->hypervisor;
	event->host = q->host;
	event->guest = q->guest;
	event->not_idle = q->not_idle;
	event->pinned = q->pinned;
	event->exclusive = q->exclusive;
	add_modes(q, event);
}

int pmcint_apply_qualifiers(const char *root, const struct event_qualifiers *q,
			    struct pmc_eventspec *event, struct err *err)
{
	size_t n = strlen(event->name), room = sizeof(event->name) - n;

	if ((q->terms[0] || q->precise || q->hypervisor || q->guest) &&
	    event->pm_class != PMC_CLASS_CPU)
		return err_set(err, EX_USAGE,
			       "%s: %s is not counted by the CPU: it takes usr, os, noidle, pinned "
			       "and exclusive alone",
			       event->spec, event->name);
	if (q->precise > event->precise)
		event->precise = q->precise;
	if (q->terms[0]) {
		if (room > 2)
			snprintf(event->name + n, room, ",%.*s", (int)room - 2, q->terms);
		if (pmcint_event_fields(root, q->terms, event, err))
			return -1;
	}
	apply_modes(q, event);
	return 0;
}
