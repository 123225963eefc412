// SPDX-License-Identifier: BSD-2-Clause
/* The list of outputs, and what they share. */
#include "callgraph/output.h"

extern const struct cg_output cg_output_flat, cg_output_graph, cg_output_folded;

const struct cg_output *const cg_outputs[] = {
	&cg_output_flat,
	&cg_output_graph,
	&cg_output_folded,
	NULL,
};

void cg_write_name(struct sink *sink, const char *name)
{
	size_t plain;

	while (name[plain = strcspn(name, " \t\n;")]) {
		sink_write(sink, name, plain);
		/* A semicolon separates frames of a folded stack. */
		sink_char(sink, name[plain] == ';' ? ':' : '_');
		name += plain + 1;
	}
	sink_write(sink, name, plain);
}
