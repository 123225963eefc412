// SPDX-License-Identifier: BSD-2-Clause
/*
 * Events of /sys/bus/event_source/devices: "pmu/term,term=value/".  A term is a field of format/,
 * whose file says which bits of config, config1 or config2 it fills; or an event of events/, whose
 * file holds terms; or config, config1, config2 whole.
 */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/proc_text.h"
#include "pmc/events/events.h"

#define DEVICES "/sys/bus/event_source/devices"

enum { TERM_MAX = 64, ALIAS_MAX = 1024 };

struct pmu {
	const char *spec;  /* "pmu/terms/", for messages */
	const char *terms; /* as the user gave them */
	char dir[PATH_MAX / 4];
	struct pmc_eventspec *event;
};

/* Decimal, or hexadecimal with 0x. */
static int parse_value(const char *text, uint64_t *value)
{
	char *end;

	if (!isdigit((unsigned char)text[0]))
		return -1;
	errno = 0;
	*value = strtoull(text, &end, text[0] == '0' && (text[1] | 0x20) == 'x' ? 16 : 10);
	return errno || *end ? -1 : 0;
}

/* One range of a format, "0-7" or "32": moves *p behind it. */
static int parse_range(const char **p, unsigned int *low, unsigned int *high)
{
	char *end;
	unsigned long v;

	if (!isdigit((unsigned char)**p))
		return -1;
	v = strtoul(*p, &end, 10);
	if (v > 63)
		return -1;
	*low = *high = (unsigned int)v;
	if (*end == '-') {
		if (!isdigit((unsigned char)end[1]))
			return -1;
		v = strtoul(end + 1, &end, 10);
		if (v > 63 || v < *low)
			return -1;
		*high = (unsigned int)v;
	}
	*p = end;
	return 0;
}

static uint64_t *config_word(struct pmc_eventspec *event, const char *name, size_t len)
{
	if (len == 6 && strncmp(name, "config", 6) == 0)
		return &event->config;
	if (len == 7 && strncmp(name, "config1", 7) == 0)
		return &event->config1;
	if (len == 7 && strncmp(name, "config2", 7) == 0)
		return &event->config2;
	return NULL;
}

/* Spreads value over the bits that format ("config:0-7,32-35") names, lowest first. */
static int scatter(struct pmu *pmu, const char *term, const char *format, uint64_t value,
		   struct err *err)
{
	const char *p = strchr(format, ':');
	uint64_t *word = p ? config_word(pmu->event, format, (size_t)(p - format)) : NULL;
	uint64_t rest = value;
	unsigned int low, high, bits = 0;

	if (!word)
		return err_set(err, EX_UNAVAILABLE,
			       "%s: the format \"%s\" of %s is not one this program knows",
			       pmu->spec, format, term);
	do {
		unsigned int width;
		uint64_t mask;

		p++;
		if (parse_range(&p, &low, &high) || (*p && *p != ','))
			return err_set(err, EX_UNAVAILABLE,
				       "%s: the format \"%s\" of %s has no bit range at \"%s\"",
				       pmu->spec, format, term, p);
		width = high - low + 1;
		mask = width == 64 ? UINT64_MAX : (1ull << width) - 1;
		*word = (*word & ~(mask << low)) | (rest & mask) << low;
		rest = width == 64 ? 0 : rest >> width;
		bits += width;
	} while (*p);
	if (rest)
		return err_set(err, EX_USAGE, "%s: %s=0x%llx does not fit into %u bits", pmu->spec,
			       term, (unsigned long long)value, bits);
	return 0;
}

static int plain_name(const struct dirent *e)
{
	/* Beside events lie files that end in ".scale" and ".unit". */
	return !strchr(e->d_name, '.');
}

int pmcint_each_entry(const char *dir, int (*each)(const char *name, void *arg), void *arg)
{
	struct dirent **list;
	int n = scandir(dir, &list, plain_name, alphasort), i, stop = 0;

	if (n < 0)
		return 0;
	for (i = 0; i < n; i++) {
		if (!stop)
			stop = each(list[i]->d_name, arg);
		free(list[i]);
	}
	free(list);
	return stop;
}

/* Names for a hint: "a, b, c". */
struct hint_names {
	char text[240];
	size_t n;
};

static int add_name(const char *name, void *arg)
{
	struct hint_names *names = arg;
	size_t room = sizeof(names->text) - names->n;

	if (strlen(name) + 8 > room) {
		snprintf(names->text + names->n, room, ", ...");
		return 1;
	}
	names->n +=
		(size_t)snprintf(names->text + names->n, room, "%s%s", names->n ? ", " : "", name);
	return 0;
}

/* The names in a directory. */
static void list_names(const char *dir, struct hint_names *names)
{
	names->n = 0;
	names->text[0] = '\0';
	pmcint_each_entry(dir, add_name, names);
	if (!names->n)
		snprintf(names->text, sizeof(names->text), "none");
}

static int unknown_term(struct pmu *pmu, const char *term, struct err *err)
{
	char dir[PATH_MAX];
	struct hint_names events, fields;

	err_set(err, EX_UNAVAILABLE, "%s: the PMU %s has no event or field \"%s\"", pmu->spec,
		strrchr(pmu->dir, '/') + 1, term);
	snprintf(dir, sizeof(dir), "%s/events", pmu->dir);
	list_names(dir, &events);
	snprintf(dir, sizeof(dir), "%s/format", pmu->dir);
	list_names(dir, &fields);
	return err_hint(err, "events: %s; fields: %s", events.text, fields.text);
}

static int apply_terms(struct pmu *pmu, const char *terms, bool in_alias, struct err *err);

/* A term that names an event of the PMU: the terms in its file. */
static int apply_alias(struct pmu *pmu, const char *term, struct err *err)
{
	char dir[PATH_MAX / 2], path[PATH_MAX], text[ALIAS_MAX];

	snprintf(dir, sizeof(dir), "%s/events", pmu->dir);
	if (strchr(term, '.') || pmcint_find_entry(dir, term, path, sizeof(path)))
		return unknown_term(pmu, term, err);
	if (proc_read_words(path, text, sizeof(text)) < 0)
		return err_set(err, EX_UNAVAILABLE, "%s: %s: %s", pmu->spec, path, strerror(errno));
	return apply_terms(pmu, text, true, err);
}

/* Whether terms gives name a value. */
static bool has_term(const char *terms, const char *name)
{
	size_t len = strlen(name);

	for (;; terms++) {
		if (strncasecmp(terms, name, len) == 0 && terms[len] == '=')
			return true;
		terms = strchr(terms, ',');
		if (!terms)
			return false;
	}
}

/* text NULL: the term stands alone. */
static int apply_term(struct pmu *pmu, const char *term, const char *text, bool in_alias,
		      struct err *err)
{
	uint64_t *word = config_word(pmu->event, term, strlen(term));
	char dir[PATH_MAX / 2], path[PATH_MAX], format[256];
	uint64_t value = 1;

	if (in_alias && text && strcmp(text, "?") == 0)
		return has_term(pmu->terms, term)
			       ? 0
			       : err_set(err, EX_USAGE, "%s: the event needs %s=NUMBER besides",
					 pmu->spec, term);
	if (text && parse_value(text, &value))
		return err_set(err, EX_USAGE, "%s: %s=%s is not a number of at most 64 bits",
			       pmu->spec, term, text);
	if (word && text) {
		*word = value;
		return 0;
	}
	snprintf(dir, sizeof(dir), "%s/format", pmu->dir);
	if (pmcint_find_entry(dir, term, path, sizeof(path)) == 0) {
		if (proc_read_words(path, format, sizeof(format)) < 0)
			return err_set(err, EX_UNAVAILABLE, "%s: %s: %s", pmu->spec, path,
				       strerror(errno));
		return scatter(pmu, term, format, value, err);
	}
	if (text || in_alias)
		return unknown_term(pmu, term, err);
	return apply_alias(pmu, term, err);
}

static int apply_terms(struct pmu *pmu, const char *terms, bool in_alias, struct err *err)
{
	while (*terms) {
		size_t len = strcspn(terms, ",");
		char term[TERM_MAX * 2], *text;

		if (!len || len >= sizeof(term))
			return err_set(err, EX_USAGE, "%s: a term of %zu bytes cannot be right",
				       pmu->spec, len);
		memcpy(term, terms, len);
		term[len] = '\0';
		text = strchr(term, '=');
		if (text)
			*text++ = '\0';
		if (!term[0] || (text && !text[0]))
			return err_set(err, EX_USAGE, "%s: the term \"%.*s\" lacks a name or value",
				       pmu->spec, (int)len, terms);
		if (apply_term(pmu, term, text, in_alias, err))
			return -1;
		terms += len;
		if (*terms == ',' && !*++terms)
			return err_set(err, EX_USAGE, "%s: a term is missing behind the last comma",
				       pmu->spec);
	}
	return 0;
}

/* The CPUs that the PMU is opened on: its cpumask (one a package) or its cpus (a kind of core). */
static int read_cpus(struct pmu *pmu, struct err *err)
{
	static const char *const files[] = {"cpumask", "cpus"};
	char path[PATH_MAX], text[4096];
	size_t i;

	for (i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		ssize_t n;

		snprintf(path, sizeof(path), "%s/%s", pmu->dir, files[i]);
		n = proc_read_words(path, text, sizeof(text));
		if (n < 0)
			continue;
		if (n >= (ssize_t)sizeof(pmu->event->cpus) || text[strspn(text, "0123456789,-")])
			return err_set(err, EX_UNAVAILABLE,
				       "%s: %s is not a list of CPUs of at most %zu bytes",
				       pmu->spec, path, sizeof(pmu->event->cpus) - 1);
		memcpy(pmu->event->cpus, text, (size_t)n + 1);
		return 0;
	}
	return 0;
}

static int no_pmu(const char *root, const char *name, struct err *err)
{
	char dir[PATH_MAX];
	struct hint_names names;

	snprintf(dir, sizeof(dir), "%s" DEVICES, root);
	list_names(dir, &names);
	err_set(err, EX_UNAVAILABLE, "this machine has no PMU \"%s\"", name);
	return err_hint(err, "%s has: %s", DEVICES, names.text);
}

int pmcint_event_sysfs(const char *root, const char *name, const char *terms,
		       struct pmc_eventspec *event, struct err *err)
{
	char spec[sizeof(event->spec) + 4], dir[PATH_MAX / 8], path[PATH_MAX], text[32];
	struct pmu pmu = {.spec = spec, .terms = terms, .event = event};
	uint64_t type;

	snprintf(spec, sizeof(spec), "%s/%s/", name, terms);
	snprintf(dir, sizeof(dir), "%s" DEVICES, root);
	if (pmcint_find_entry(dir, name, pmu.dir, sizeof(pmu.dir)))
		return no_pmu(root, name, err);
	snprintf(path, sizeof(path), "%s/type", pmu.dir);
	if (proc_read_words(path, text, sizeof(text)) < 0)
		return err_set(err, EX_UNAVAILABLE, "%s: %s: %s", spec, path, strerror(errno));
	if (parse_value(text, &type) || type > UINT32_MAX)
		return err_set(err, EX_UNAVAILABLE, "%s: %s: \"%s\" is not a PMU type", spec, path,
			       text);
	event->type = (uint32_t)type;
	event->pm_class = type == PERF_TYPE_SOFTWARE || type == PERF_TYPE_TRACEPOINT
				  ? PMC_CLASS_SOFT
				  : PMC_CLASS_CPU;
	event->default_rate = EVENT_RATE_RAW;
	return apply_terms(&pmu, terms, false, err) || read_cpus(&pmu, err) ? -1 : 0;
}

struct search {
	const char *dir;
	uint64_t type;
	char name[64];
};

static int is_of_type(const char *name, void *arg)
{
	struct search *s = arg;
	char path[PATH_MAX], text[32];
	uint64_t type;

	snprintf(path, sizeof(path), "%s/%s/type", s->dir, name);
	if (strlen(name) >= sizeof(s->name) || proc_read_words(path, text, sizeof(text)) < 0 ||
	    parse_value(text, &type) || type != s->type)
		return 0;
	strcpy(s->name, name);
	return 1;
}

bool pmcint_pmu_of_type(const char *root, uint32_t type, char *name, size_t size)
{
	char dir[PATH_MAX / 8];
	struct search search = {.dir = dir, .type = type};

	snprintf(dir, sizeof(dir), "%s" DEVICES, root);
	if (!pmcint_each_entry(dir, is_of_type, &search) || strlen(search.name) >= size)
		return false;
	strcpy(name, search.name);
	return true;
}

bool pmcint_is_of_cpus(const char *root, uint32_t type)
{
	char name[64], path[PATH_MAX / 4];

	if (type == PERF_TYPE_HARDWARE || type == PERF_TYPE_HW_CACHE || type == PERF_TYPE_RAW)
		return true;
	if (type < PERF_TYPE_MAX || !pmcint_pmu_of_type(root, type, name, sizeof(name)))
		return false;
	/* A PMU of CPUs lists them here; one of a chip has "cpumask". */
	snprintf(path, sizeof(path), "%s" DEVICES "/%s/cpus", root, name);
	return !access(path, F_OK);
}

/* What the kernel's general events are called below events/. */
static const char *general_name(uint64_t config)
{
	static const char *const names[] = {
		[PERF_COUNT_HW_CPU_CYCLES] = "cpu-cycles",
		[PERF_COUNT_HW_INSTRUCTIONS] = "instructions",
		[PERF_COUNT_HW_CACHE_REFERENCES] = "cache-references",
		[PERF_COUNT_HW_CACHE_MISSES] = "cache-misses",
		[PERF_COUNT_HW_BRANCH_INSTRUCTIONS] = "branch-instructions",
		[PERF_COUNT_HW_BRANCH_MISSES] = "branch-misses",
		[PERF_COUNT_HW_BUS_CYCLES] = "bus-cycles",
		[PERF_COUNT_HW_STALLED_CYCLES_FRONTEND] = "stalled-cycles-frontend",
		[PERF_COUNT_HW_STALLED_CYCLES_BACKEND] = "stalled-cycles-backend",
		[PERF_COUNT_HW_REF_CPU_CYCLES] = "ref-cycles"};

	return config < sizeof(names) / sizeof(names[0]) ? names[config] : NULL;
}

int pmcint_event_fields(const char *root, const char *terms, struct pmc_eventspec *event,
			struct err *err)
{
	struct pmu pmu = {.spec = event->spec, .terms = terms, .event = event};
	uint32_t type = event->type;
	const char *general = NULL;
	char name[64];

	if (type == PERF_TYPE_HARDWARE) {
		type = PERF_TYPE_RAW;
		general = general_name(event->config);
	}
	if (event->type == PERF_TYPE_HW_CACHE || (event->type == PERF_TYPE_HARDWARE && !general)) {
		err_set(err, EX_USAGE, "%s: this name stands for no one number of the CPU's",
			event->spec);
		return err_hint(err, "use the CPU's own name or rHEX");
	}
	if (!pmcint_pmu_of_type(root, type, name, sizeof(name)))
		return err_set(err, EX_UNAVAILABLE,
			       "%s: no PMU of this machine has the fields \"%s\"", event->spec,
			       terms);
	snprintf(pmu.dir, sizeof(pmu.dir), "%s" DEVICES "/%s", root, name);
	if (general) {
		event->type = PERF_TYPE_RAW;
		event->config = 0;
		if (apply_alias(&pmu, general, err))
			return -1;
	}
	return apply_terms(&pmu, terms, false, err);
}

/* pmcint_each_sysfs() at work: first in the directory of PMUs, then in the events of one. */
struct walk {
	const char *dir, *pmu;
	int (*each)(const char *name, void *arg);
	void *arg;
};

static int walk_event(const char *event, void *arg)
{
	const struct walk *w = arg;
	char name[256];
	int n = snprintf(name, sizeof(name), "%s/%s/", w->pmu, event);

	return n > 0 && (size_t)n < sizeof(name) ? w->each(name, w->arg) : 0;
}

static int walk_pmu(const char *pmu, void *arg)
{
	struct walk *w = arg;
	char path[PATH_MAX];

	w->pmu = pmu;
	snprintf(path, sizeof(path), "%s/%s/events", w->dir, pmu);
	return pmcint_each_entry(path, walk_event, w);
}

int pmcint_each_sysfs(const char *root, int (*each)(const char *name, void *arg), void *arg)
{
	char dir[PATH_MAX / 2];
	struct walk w = {.dir = dir, .each = each, .arg = arg};

	snprintf(dir, sizeof(dir), "%s" DEVICES, root);
	return pmcint_each_entry(dir, walk_pmu, &w);
}
