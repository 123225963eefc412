// SPDX-License-Identifier: BSD-2-Clause
/* The names of events: of one number, and of all of a class. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "pmc/events/events.h"
#include "pmc/pmcint.h"

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
struct class_names {
	enum pmc_class pm_class;
	VEC(char) text;
	int n;
};

static int add_name(const struct pmc_event_info *info, void *arg)
{
	size_t size = strlen(info->name) + 1;
	struct pmc_eventspec event;
	struct class_names *names = arg;

	if (pmc_event_parse(info->name, &event, NULL) || event.pm_class != names->pm_class)
		return 0;
	if (vec_reserve(&names->text, names->text.n + size))
		return -1;
	memcpy(names->text.v + names->text.n, info->name, size);
	names->text.n += size;
	names->n++;
	return 0;
}

/* One block of memory: pointers, then what they point at. */
static const char **names_to_array(const struct class_names *names)
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

int pmc_event_names_of_class(enum pmc_class pm_class, const char ***result, int *nresult)
{
	struct class_names names = {.pm_class = pm_class};
	const char **array = NULL;

	if (!result || !nresult)
		return pmcint_fail(pmcint_no_place("names"));
	if (pm_class != PMC_CLASS_TSC && pm_class != PMC_CLASS_CPU && pm_class != PMC_CLASS_SOFT)
		return pmcint_fail(pmcint_refuse(EINVAL, "class %d is none of TSC, CPU and SOFT",
						 (int)pm_class));
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
