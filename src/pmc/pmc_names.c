// SPDX-License-Identifier: BSD-2-Clause
/* Names of pmc(3)'s constants, and of the events of a class. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "pmc/events.h"
#include "pmc/pmcint.h"

struct name {
	unsigned int value;
	const char *name;
};

#define LOOK_UP(table, value) look_up(table, sizeof(table) / sizeof((table)[0]), value)

static const char *look_up(const struct name *names, size_t n, unsigned int value)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (names[i].value == value)
			return names[i].name;
	errno = EINVAL;
	return NULL;
}

const char *pmc_name_of_capability(enum pmc_caps cap)
{
	static const struct name names[] = {
		{PMC_CAP_INTERRUPT, "INTERRUPT"}, {PMC_CAP_USER, "USER"},
		{PMC_CAP_SYSTEM, "SYSTEM"},	  {PMC_CAP_EDGE, "EDGE"},
		{PMC_CAP_THRESHOLD, "THRESHOLD"}, {PMC_CAP_READ, "READ"},
		{PMC_CAP_WRITE, "WRITE"},	  {PMC_CAP_INVERT, "INVERT"},
		{PMC_CAP_QUALIFIER, "QUALIFIER"}, {PMC_CAP_PRECISE, "PRECISE"},
		{PMC_CAP_TAGGING, "TAGGING"},	  {PMC_CAP_CASCADE, "CASCADE"}};

	return LOOK_UP(names, cap);
}

const char *pmc_name_of_class(enum pmc_class class)
{
	static const struct name names[] = {
		{PMC_CLASS_TSC, "TSC"}, {PMC_CLASS_CPU, "CPU"}, {PMC_CLASS_SOFT, "SOFT"}};

	return LOOK_UP(names, class);
}

const char *pmc_name_of_cputype(enum pmc_cputype cputype)
{
	static const struct name names[] = {{PMC_CPU_AMD_K7, "AMD K7"},
					    {PMC_CPU_AMD_K8, "AMD K8"},
					    {PMC_CPU_INTEL_CORE, "Intel Core"},
					    {PMC_CPU_INTEL_CORE2, "Intel Core2"},
					    {PMC_CPU_INTEL_ATOM, "Intel Atom"},
					    {PMC_CPU_INTEL_COREI7, "Intel Core i7"},
					    {PMC_CPU_INTEL_WESTMERE, "Intel Westmere"},
					    {PMC_CPU_INTEL_SANDYBRIDGE, "Intel Sandy Bridge"},
					    {PMC_CPU_GENERIC, "generic"}};

	return LOOK_UP(names, cputype);
}

const char *pmc_name_of_disposition(enum pmc_disp disp)
{
	static const struct name names[] = {{PMC_DISP_STANDALONE, "STANDALONE"},
					    {PMC_DISP_FREE, "FREE"},
					    {PMC_DISP_THREAD, "THREAD"}};

	return LOOK_UP(names, disp);
}

const char *pmc_name_of_mode(enum pmc_mode mode)
{
	static const struct name names[] = {
		{PMC_MODE_SS, "SS"}, {PMC_MODE_SC, "SC"}, {PMC_MODE_TS, "TS"}, {PMC_MODE_TC, "TC"}};

	return LOOK_UP(names, (unsigned int)mode);
}

const char *pmc_name_of_state(enum pmc_state state)
{
	static const struct name names[] = {
		{PMC_STATE_DISABLED, "DISABLED"},   {PMC_STATE_FREE, "FREE"},
		{PMC_STATE_ALLOCATED, "ALLOCATED"}, {PMC_STATE_STOPPED, "STOPPED"},
		{PMC_STATE_RUNNING, "RUNNING"},	    {PMC_STATE_DELETED, "DELETED"}};

	return LOOK_UP(names, state);
}

/* A PMC's name for its event says more than a table: modifiers, and what no table has. */
static const char *name_of_allocated(const struct pmcint *s, uint32_t number)
{
	size_t i;

	for (i = 0; i < s->pmcs.n; i++)
		if (s->pmcs.v[i]->pmc.event.number == number)
			return s->pmcs.v[i]->pmc.event.name;
	return NULL;
}

const char *pmc_name_of_event(enum pmc_event event)
{
	const char *name = name_of_allocated(pmcint_begin(), event);
	size_t i;

	pmcint_done(0);
	for (i = 0; i < pmcint_event_nrows && !name; i++)
		if (pmcint_event_number(&pmcint_event_rows[i]) == event)
			name = pmcint_event_rows[i].name;
	if (!name)
		errno = EINVAL;
	return name;
}

/* The names of a class, one behind the other with their NULs. */
struct names {
	enum pmc_class class;
	VEC(char) text;
	int n;
};

static int add_name(const struct pmc_event_info *info, void *arg)
{
	size_t size = strlen(info->name) + 1;
	struct pmc_eventspec event;
	struct names *names = arg;

	if (pmc_event_parse(info->name, &event, NULL) || event.class != names->class)
		return 0;
	if (vec_reserve(&names->text, names->text.n + size))
		return -1;
	memcpy(names->text.v + names->text.n, info->name, size);
	names->text.n += size;
	names->n++;
	return 0;
}

/* One block of memory: pointers, then what they point at. */
static const char **names_to_array(const struct names *names)
{
	size_t pointers = (size_t)names->n * sizeof(char *);
	const char **array = malloc(pointers + names->text.n + 1);
	char *text = (char *)array + pointers;
	int i;

	if (!array)
		return NULL;
	if (names->n)
		memcpy(text, names->text.v, names->text.n);
	for (i = 0; i < names->n; i++, text += strlen(text) + 1)
		array[i] = text;
	return array;
}

int pmc_event_names_of_class(enum pmc_class class, const char ***result, int *nresult)
{
	struct names names = {.class = class};
	const char **array = NULL;

	if (!result || !nresult)
		return pmcint_fail(pmcint_no_place("names"));
	if (!pmc_name_of_class(class))
		return pmcint_fail(pmcint_refuse(EINVAL, "there is no class %d", (int)class));
	if (!pmc_each_event(false, add_name, &names))
		array = names_to_array(&names);
	vec_free(&names.text);
	if (!array) {
		err_nomem(pmcint_last());
		return pmcint_fail(ENOMEM);
	}
	*result = array;
	*nresult = names.n;
	return 0;
}
