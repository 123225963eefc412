// SPDX-License-Identifier: BSD-2-Clause
/*
 * Event-specs: NAME, rHEX, PMU/TERMS/ or SYSTEM:NAME, then modifiers (":ukp") or qualifiers
 * (",usr").
 */
#include <ctype.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/edit.h"
#include "pmc/events/events.h"
#include "pmc/pmcint.h"

/* A character of a name with case and kind of separator taken away. */
static char fold(char c)
{
	return strchr("._ -", c) && c ? '-' : (char)tolower((unsigned char)c);
}

static bool same_name(const char *a, const char *b)
{
	while (*a && fold(*a) == fold(*b))
		a++, b++;
	return !*a && !*b;
}

/* Sets the name, cut where it is too long: the spec carries it whole. */
static void __attribute__((format(printf, 2, 3)))
set_name(struct pmc_eventspec *event, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(event->name, sizeof(event->name), fmt, ap);
	va_end(ap);
}

const struct event_row *pmcint_find_row(const char *name)
{
	size_t i;

	for (i = 0; i < pmcint_event_naliases; i++) {
		if (!same_name(name, pmcint_event_aliases[i].alias))
			continue;
		name = pmcint_event_aliases[i].name;
		break;
	}
	for (i = 0; i < pmcint_event_nrows; i++)
		if (same_name(name, pmcint_event_rows[i].name))
			return &pmcint_event_rows[i];
	return NULL;
}

enum pmc_class pmcint_event_class(const struct event_row *row)
{
	if (row->kind == EVENT_TSC)
		return PMC_CLASS_TSC;
	return row->type == PERF_TYPE_SOFTWARE || row->type == PERF_TYPE_TRACEPOINT ? PMC_CLASS_SOFT
										    : PMC_CLASS_CPU;
}

/* No reader of logs resolves these: the record PMCALLOCATEDYN carries the name. */
uint32_t pmcint_event_number(const struct event_row *row)
{
	uint32_t index = (uint32_t)(row - pmcint_event_rows);

	switch (pmcint_event_class(row)) {
	case PMC_CLASS_TSC: return PMC_EV_TSC_TSC;
	case PMC_CLASS_SOFT: return PMC_EV_SOFT_FIRST + index;
	default: return PMC_EV_CPU_FIRST + index;
	}
}

static int use_row(const char *root, const struct event_row *row, struct pmc_eventspec *event,
		   struct err *err)
{
	if (row->kind == EVENT_UNAVAILABLE) {
		err_set(err, EX_UNAVAILABLE, "%s: %s", row->name, row->where);
		return err_hint(err, "pmcstat -L lists the events");
	}
	if (row->kind == EVENT_TRACEPOINT) {
		const char *colon = strchr(row->where, ':');
		char system[32];

		snprintf(system, sizeof(system), "%.*s", (int)(colon - row->where), row->where);
		if (pmcint_event_tracepoint(root, system, colon + 1, event, err))
			return err_wrap(err, "%s", row->name);
	} else if (row->kind == EVENT_TSC) {
		if (pmcint_event_sysfs(root, row->where, "tsc", event, err))
			return err_wrap(err, "%s", row->name);
	} else {
		event->type = row->type;
		event->config = row->config;
	}
	event->pm_class = pmcint_event_class(row);
	event->number = pmcint_event_number(row);
	event->clock = row->kind == EVENT_CLOCK;
	event->default_rate = row->rate;
	set_name(event, "%s", row->name);
	return 0;
}

/* "r1a8": a number for the CPU's own event register. */
static bool use_raw(const char *name, struct pmc_eventspec *event)
{
	size_t len = strlen(name);

	if (tolower((unsigned char)name[0]) != 'r' || len < 2 || len > 17 ||
	    name[1 + strspn(name + 1, "0123456789abcdefABCDEF")])
		return false;
	event->type = PERF_TYPE_RAW;
	event->config = strtoull(name + 1, NULL, 16);
	event->pm_class = PMC_CLASS_CPU;
	event->default_rate = EVENT_RATE_RAW;
	set_name(event, "r%llx", (unsigned long long)event->config);
	return true;
}

/* Changes of one character that turn a into b, counted up to the length of either. */
static unsigned int distance(const char *a, const char *b)
{
	unsigned int row[64];
	size_t n = strlen(b);

	if (n >= sizeof(row) / sizeof(row[0]))
		return (unsigned int)n;
	edit_distances(a, strlen(a), b, n, fold, row);
	return row[n];
}

/* Up to three names of the table that name could be a slip of. */
static void near_names(const char *name, char *text, size_t size)
{
	size_t len = strlen(name), n = 0, i;
	unsigned int limit = len < 6 ? 1 : len < 12 ? 2 : 3, at, found = 0;

	text[0] = '\0';
	for (at = 0; at <= limit; at++)
		for (i = 0; i < pmcint_event_nrows + pmcint_event_naliases && found < 3; i++) {
			const char *known =
				i < pmcint_event_nrows
					? pmcint_event_rows[i].name
					: pmcint_event_aliases[i - pmcint_event_nrows].alias;

			if (distance(name, known) != at)
				continue;
			n += (size_t)snprintf(text + n, size - n, "%s%s", found++ ? ", " : "",
					      known);
		}
}

/* Makers of CPUs write their names in one of these ways: EX_RET_INSTR, inst_retired.any. */
static bool is_vendors(const char *name)
{
	return strpbrk(name, "_.") && !strpbrk(name, "-/ ");
}

/* typed: with the class before the name, if it is one: cpu-clok is not meant for one. */
static int unknown(const char *typed, const char *name, struct err *err)
{
	char near[128], pmus[256];
	enum pfm_state state = pmcint_pfm_pmus(pmus, sizeof(pmus));

	near_names(typed, near, sizeof(near));
	if (!near[0])
		near_names(name, near, sizeof(near));
	if (!near[0] && is_vendors(name) && state != PFM_KNOWN_CPU) {
		err_set(err, EX_UNAVAILABLE, "%s: %s", name,
			state == PFM_ABSENT
				? "this program was built without libpfm4, which knows the names "
				  "of CPUs' makers"
				: "libpfm4, which knows the names of CPUs' makers, does not know "
				  "this CPU");
		return err_hint(err, "write the event's number: rHEX, or cpu/event=0x3c,umask=0/; "
				     "pmcstat -L lists the events");
	}
	err_set(err, EX_USAGE, "unknown event \"%s\"", typed);
	if (near[0])
		return err_hint(err, "is it %s?  pmcstat -L lists the events", near);
	return err_hint(err, "pmcstat -L lists the events");
}

/*
 * The length of FreeBSD's prefix of a class, "SOFT-", and what the class is here: all that are not
 * SOFT or TSC are counters of the CPU.  0: there is none.
 */
static size_t class_prefix(const char *name, enum pmc_class *pm_class)
{
	size_t len = strcspn(name, "-");
	int c;

	/* Its number is that of the class CPU here, and so is its name. */
	if (!strncasecmp(name, "k7-", 3)) {
		*pm_class = PMC_CLASS_CPU;
		return 3;
	}
	for (c = PMC_CLASS_FIRST; name[len] && c <= PMC_CLASS_LAST; c++) {
		const char *known = pmc_name_of_class((enum pmc_class)c);

		if (!known || strlen(known) != len || strncasecmp(name, known, len) != 0)
			continue;
		*pm_class = c == PMC_CLASS_SOFT || c == PMC_CLASS_TSC ? (enum pmc_class)c
								      : PMC_CLASS_CPU;
		return len + 1;
	}
	return 0;
}

/* Linux writes the systems of tracepoints small, the makers of CPUs their names in capitals. */
static bool is_in_capitals(const char *name)
{
	return !name[strcspn(name, "abcdefghijklmnopqrstuvwxyz")];
}

/* Of text, which stands behind an event's colon, and the last group of modifiers behind that. */
static int refuse_modifiers(const char *event, const char *text, const char *last, struct err *err)
{
	char together[sizeof(((struct pmc_eventspec *)NULL)->spec)];
	struct event_qualifiers q = {0};
	char *to = together;
	const char *p;

	snprintf(together, sizeof(together), "%s%s", text, last);
	for (p = together; *p; p++)
		if (*p != ':')
			*to++ = *p;
	*to = '\0';
	if (pmcint_take_modifiers(together, &q)) {
		err_set(err, EX_USAGE, "%s: modifiers stand together, behind one colon", event);
		return err_hint(err, "try: %s:%s", event, together);
	}
	err_set(err, EX_USAGE, "%s: the modifier \"%s\" is not known", event, text);
	return err_hint(err, EVENT_MODIFIERS);
}

/* NAME, rHEX or SYSTEM:NAME behind the prefix of typed, without the last modifiers. */
static int use_bare_name(const char *root, char *typed, size_t prefix, const char *last,
			 struct pmc_eventspec *event, struct err *err)
{
	char *name = typed + prefix;
	const struct event_row *row = pmcint_find_row(name);
	char *colon = strchr(name, ':');
	bool tracepoint = colon && colon > name && colon[1] && colon[1] != ':';

	if (row)
		return use_row(root, row, event, err);
	if (use_raw(name, event))
		return 0;
	if (tracepoint) {
		*colon = '\0';
		if (pmcint_find_row(name))
			return refuse_modifiers(name, colon + 1, last, err);
		if (pmcint_event_tracepoint(root, name, colon + 1, event, err) == 0)
			return 0;
		*colon = ':';
	}
	if (pmcint_event_pfm(name, event))
		return 0;
	return tracepoint && !is_in_capitals(name) ? -1 : unknown(typed, name, err);
}

/* The same, perhaps behind its class; but "cpu-clock" is a name. */
static int use_name(const char *root, char *name, const char *last, struct pmc_eventspec *event,
		    struct err *err)
{
	enum pmc_class pm_class = PMC_CLASS_CPU;
	size_t prefix = pmcint_find_row(name) ? 0 : class_prefix(name, &pm_class);

	if (use_bare_name(root, name, prefix, last, event, err))
		return -1;
	if (!prefix || event->pm_class == pm_class)
		return 0;
	return err_set(err, EX_USAGE, "%s is an event of the class %s, not of %s", name + prefix,
		       pmc_name_of_class(event->pm_class), pmc_name_of_class(pm_class));
}

/* What stands behind the last '/': ":up", "up" or ",usr,precise". */
static int take_behind_slash(const char *event, char *text, struct event_qualifiers *q,
			     struct err *err)
{
	if (*text == ',')
		return pmcint_take_qualifiers(event, text + 1, q, err);
	text += *text == ':';
	if (!*text || pmcint_take_modifiers(text, q))
		return 0;
	return refuse_modifiers(event, text, "", err);
}

static int parse_sysfs(const char *root, char *text, struct pmc_eventspec *event, struct err *err)
{
	char *terms = strchr(text, '/') + 1, *end = strrchr(text, '/');
	char name[sizeof(event->spec) + 2];
	struct event_qualifiers q = {0};
	const struct event_row *row;

	if (terms > end || terms - 1 == text) {
		err_set(err, EX_USAGE, "%s: a PMU's event is written PMU/EVENT/", text);
		return err_hint(err, "try: cpu/event=0x3c,umask=0/");
	}
	terms[-1] = *end = '\0';
	snprintf(name, sizeof(name), "%s/%s/", text, terms);
	if (take_behind_slash(name, end + 1, &q, err) ||
	    pmcint_event_sysfs(root, text, terms, event, err))
		return -1;
	row = pmcint_find_row(terms);
	if (row && row->kind == EVENT_PERF && event->pm_class == PMC_CLASS_CPU)
		event->default_rate = row->rate;
	set_name(event, "%s", name);
	return pmcint_apply_qualifiers(root, &q, event, err);
}

/*
 * libpfm4 has modifiers of its own, among them an "e" that means something else: behind its names
 * u, k and p alone are ours.
 */
static bool is_vendors_modifier(char *text, char *colon)
{
	struct pmc_eventspec scratch = {0};
	bool known;

	if (!colon[1 + strspn(colon + 1, "ukpUKP")])
		return false;
	*colon = '\0';
	known = !pmcint_find_row(text) && !use_raw(text, &scratch) &&
		pmcint_event_pfm(text, &scratch);
	*colon = ':';
	return known;
}

static int parse_plain(const char *root, char *text, struct pmc_eventspec *event, struct err *err)
{
	struct event_qualifiers q = {0};
	char *comma = strchr(text, ','), *colon;
	const char *last = "";

	if (comma)
		*comma = '\0';
	if (comma && pmcint_take_qualifiers(text, comma + 1, &q, err))
		return -1;
	colon = strrchr(text, ':');
	if (colon && !is_vendors_modifier(text, colon) && pmcint_take_modifiers(colon + 1, &q)) {
		*colon = '\0';
		last = colon + 1;
	}
	if (use_name(root, text, last, event, err))
		return -1;
	if (!event->name[0])
		set_name(event, "%s", text);
	return pmcint_apply_qualifiers(root, &q, event, err);
}

int pmcint_event_parse_at(const char *root, const char *spec, struct pmc_eventspec *event,
			  struct err *err)
{
	char text[sizeof(event->spec)];
	size_t len, i;

	memset(event, 0, sizeof(*event));
	spec += strspn(spec, " \t");
	len = strlen(spec);
	while (len && strchr(" \t", spec[len - 1]))
		len--;
	if (!len)
		return err_set(err, EX_USAGE, "the event's name is empty");
	if (len >= sizeof(text))
		return err_set(err, EX_USAGE, "an event-spec has at most %zu bytes, this one %zu",
			       sizeof(text) - 1, len);
	for (i = 0; i < len; i++)
		if (iscntrl((unsigned char)spec[i]))
			return err_set(
				err, EX_USAGE,
				"byte %zu of the event's name is the control character 0x%02x",
				i + 1, (unsigned char)spec[i]);
	memcpy(text, spec, len);
	text[len] = '\0';
	memcpy(event->spec, text, len + 1);
	if (strchr(text, '/') ? parse_sysfs(root, text, event, err)
			      : parse_plain(root, text, event, err))
		return -1;
	if (!event->number)
		event->number = PMC_EV_OTHER_FIRST | (hash_fixed_bytes(event->spec, len) & 0xffff);
	return 0;
}

int pmc_event_parse(const char *spec, struct pmc_eventspec *event, struct err *err)
{
	return pmcint_event_parse_at("", spec, event, err);
}

int pmcint_try_event(struct perf_event_attr *attr, pid_t pid, int cpu)
{
	long fd = syscall(SYS_perf_event_open, attr, pid, cpu, -1, PERF_FLAG_FD_CLOEXEC);

	if (fd < 0)
		return -errno;
	close((int)fd);
	return 0;
}

/* Whether the event counts in user mode alone; switches, migrations and tracepoints never do. */
static bool counts_in_user_mode(const struct pmc_eventspec *event)
{
	if (event->type == PERF_TYPE_SOFTWARE)
		return event->config != PERF_COUNT_SW_CONTEXT_SWITCHES &&
		       event->config != PERF_COUNT_SW_CPU_MIGRATIONS;
	return event->type != PERF_TYPE_TRACEPOINT;
}

bool pmcint_event_works(const struct pmc_eventspec *event, pmcint_try try)
{
	struct perf_event_attr attr = {
		.type = event->type,
		.size = sizeof(attr),
		.config = event->config,
		.config1 = event->config1,
		.config2 = event->config2,
		.disabled = 1,
		.exclude_user = event->exclude_user,
		.exclude_kernel = event->exclude_kernel,
	};
	int error;

	error = try(&attr, 0, -1);
	if (error && event->cpus[0])
		error = try(&attr, -1, (int)strtoul(event->cpus, NULL, 10));
	if ((error != -EACCES && error != -EPERM) || event->exclude_user ||
	    !counts_in_user_mode(event))
		return !error;
	attr.exclude_kernel = 1;
	attr.exclude_hv = 1;
	return !try(&attr, 0, -1);
}

struct listing {
	const char *root;
	bool probe;
	int (*each)(const struct pmc_event_info *info, void *arg);
	void *arg;
};

static int list_event(const struct listing *l, const char *name, const char *summary, uint64_t rate)
{
	struct pmc_event_info info = {
		.name = name, .summary = summary, .default_rate = rate, .works = -1};
	struct pmc_eventspec event;

	if (l->probe)
		info.works = pmcint_event_parse_at(l->root, name, &event, NULL) == 0 &&
			     pmcint_event_works(&event, pmcint_try_event);
	return l->each(&info, l->arg);
}

static int list_sysfs(const char *name, void *arg)
{
	return list_event(arg, name, "event of this machine", EVENT_RATE_RAW);
}

/* There are hundreds of them, so those that do not work here are passed over. */
static int list_pfm(const char *name, const char *text, void *arg)
{
	const struct listing *l = arg;
	struct pmc_eventspec event;

	if (l->probe && (pmcint_event_parse_at(l->root, name, &event, NULL) ||
			 !pmcint_event_works(&event, pmcint_try_event)))
		return 0;
	return list_event(l, name, text, EVENT_RATE_RAW);
}

int pmcint_each_event_at(const char *root, bool probe,
			 int (*each)(const struct pmc_event_info *info, void *arg), void *arg)
{
	struct listing l = {.root = root, .probe = probe, .each = each, .arg = arg};
	int stop = 0;
	size_t i;

	for (i = 0; i < pmcint_event_nrows && !stop; i++) {
		const struct event_row *row = &pmcint_event_rows[i];

		if (row->kind != EVENT_UNAVAILABLE)
			stop = list_event(&l, row->name, row->summary, row->rate);
	}
	for (i = 0; i < pmcint_event_naliases && !stop; i++) {
		const struct event_alias *a = &pmcint_event_aliases[i];
		char summary[80];

		snprintf(summary, sizeof(summary), "the same as %s", a->name);
		stop = list_event(&l, a->alias, summary, pmcint_find_row(a->name)->rate);
	}
	if (!stop)
		stop = pmcint_each_sysfs(root, list_sysfs, &l);
	return stop ? stop : pmcint_each_pfm(list_pfm, &l);
}

int pmc_each_event(bool probe, int (*each)(const struct pmc_event_info *info, void *arg), void *arg)
{
	if (!each)
		return pmcint_fail(pmcint_refuse(EFAULT, "the function for each event is NULL"));
	return pmcint_each_event_at("", probe, each, arg);
}

char *pmcint_events_working(pmcint_try try, char *text, size_t size)
{
	static const char *const names[] = {"cycles",		"instructions",	    "branches",
					    "branch-misses",	"cache-references", "cache-misses",
					    "cpu-clock",	"task-clock",	    "page-faults",
					    "context-switches", "cpu-migrations"};
	struct pmc_eventspec event;
	size_t n = 0, i;

	text[0] = '\0';
	for (i = 0; i < sizeof(names) / sizeof(names[0]) && n < size; i++)
		if (!pmc_event_parse(names[i], &event, NULL) && pmcint_event_works(&event, try))
			n += (size_t)snprintf(text + n, size - n, "%s%s", n ? ", " : "", names[i]);
	return text;
}
