// SPDX-License-Identifier: BSD-2-Clause
/*
 * -a: every address of every chain with its place in the source, in FreeBSD's form.  Its readers
 * count blocks, so there is one for every sample.
 */
#include <inttypes.h>

#include "callgraph/output/output.h"

static void write_frame(const struct cg_profile *p, uint64_t pc, const struct cg_frame *frame,
			struct sink *sink)
{
	const struct cg_function *f = &p->functions.v[frame->function];

	sink_hex(sink, pc);
	sink_char(sink, ' ');
	cg_write_name(sink, cg_is_function(f) ? f->name : "<unknown>");
	sink_char(sink, ' ');
	cg_write_name(sink, frame->file ? frame->file : "??");
	sink_printf(sink, ":%" PRIu32 "\n", frame->line);
}

static void write_chain(const struct cg_profile *p, const struct cg_stack *s, struct sink *sink)
{
	uint32_t i, j;

	for (i = 0; i < s->npcs; i++) {
		const struct cg_location *l = &p->locations.v[p->locations_of.v[s->first + i]];

		for (j = 0; j < l->frames; j++)
			write_frame(p, p->words.v[s->first + i], &p->frames.v[l->first_frame + j],
				    sink);
	}
	sink_str(sink, "--\n");
}

static int write_addresses(const struct cg_view *view, const struct cg_output_options *options,
			   struct sink *sink, struct err *err)
{
	const struct cg_profile *p = view->profile;
	const struct cg_stack *s;
	int bad;

	(void)options;
	vec_each(s, &p->stacks) {
		struct sink *block = sink_to_memory();

		if (block)
			write_chain(p, s, block);
		bad = !block || cg_write_times(sink, block, s->count);
		sink_free(block);
		if (bad)
			return err_nomem(err);
	}
	return 0;
}

const struct cg_output cg_output_addresses = {
	.name = "addresses",
	.letter = 'a',
	.argument = CG_MUST_NAME_FILE,
	.needs = CG_NEEDS_LINES,
	.summary = "each sample's chain of addresses with function, file and line",
	.write = write_addresses,
};
