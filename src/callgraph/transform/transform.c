// SPDX-License-Identifier: BSD-2-Clause
#include "callgraph/transform/shorten.h"
#include "callgraph/transform/steps.h"
#include "callgraph/transform/transform.h"

static int transform(struct cg_profile *p, const struct cg_transforms *what, struct err *err)
{
	if ((what->offsets && cg_profile_show_offsets(p, err)) ||
	    (what->lines != CG_LINES_NONE && cg_profile_add_lines(p, err)) ||
	    (what->lines == CG_LINES_INLINED && cg_profile_show_inlined(p, err)) ||
	    cg_profile_divide_events(p, what->divide_by, err))
		return -1;
	return what->short_names ? cg_profile_shorten(p, err) : 0;
}

const struct cg_profile *cg_transform(struct cg_profile *p, const struct cg_transforms *what,
				      struct err *err)
{
	if (!transform(p, what, err))
		return p;
	cg_profile_free(p);
	return NULL;
}
