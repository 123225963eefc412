// SPDX-License-Identifier: BSD-2-Clause
#include "callgraph/read/source_places.h"

static void note(struct cg_source_place *place, const struct cg_frame *frame)
{
	if (!frame->file)
		return;
	if (!place->file)
		*place = (struct cg_source_place){frame->file, frame->line};
	else if (place->file == frame->file && frame->line &&
		 (!place->line || frame->line < place->line))
		place->line = frame->line;
}

struct cg_source_place *cg_source_places_new(const struct cg_profile *p)
{
	struct cg_source_place *places = calloc(p->functions.n + 1, sizeof(*places));
	const struct cg_location *l;
	uint32_t i;

	if (!places)
		return NULL;
	vec_each(l, &p->locations) {
		for (i = 0; i < l->frames; i++) {
			const struct cg_frame *frame = &p->frames.v[l->first_frame + i];

			note(&places[frame->function], frame);
		}
	}
	return places;
}
