// SPDX-License-Identifier: BSD-2-Clause
/* -I: leaves by instruction instead of by function; without a symbol it is the address alone. */
#include <inttypes.h>
#include <stdio.h>

#include "callgraph/model/make.h"
#include "callgraph/transform/steps.h"

/* A function for one instruction; CG_NONE when out of memory. */
static uint32_t instruction(struct cg_profile *p, const struct cg_location *l)
{
	struct cg_function f = p->functions.v[l->function];
	size_t size = strlen(f.name) + 24;
	char *name = malloc(size);

	if (!name)
		return CG_NONE;
	if (f.resolved)
		snprintf(name, size, "%s+0x%" PRIx64, f.name, l->address - l->start);
	else
		snprintf(name, size, "0x%" PRIx64, l->address);
	f.name = strpool_intern(p->pool, name);
	free(name);
	if (!f.name || vec_push(&p->functions, f))
		return CG_NONE;
	return (uint32_t)(p->functions.n - 1);
}

int cg_profile_show_offsets(struct cg_profile *p, struct err *err)
{
	uint32_t *made = calloc(p->locations.n + 1, sizeof(*made)); /* 1 + the leaf's location */
	const struct cg_stack *s;
	int status = made ? 0 : -1;

	/* A location is not a leaf everywhere, so the leaves get locations of their own. */
	vec_each(s, &p->stacks) {
		uint32_t *at = &p->locations_of.v[s->first];
		struct cg_location l = p->locations.v[*at];

		if (status)
			break;
		if (!cg_is_function(&p->functions.v[l.function]))
			continue;
		if (!made[*at]) {
			l.function = instruction(p, &l);
			status = l.function == CG_NONE || vec_push(&p->locations, l) ? -1 : 0;
			made[*at] = (uint32_t)p->locations.n;
		}
		*at = made[*at] - 1;
	}
	free(made);
	return status ? err_nomem(err) : 0;
}
