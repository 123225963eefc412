// SPDX-License-Identifier: BSD-2-Clause
/* The list of outputs, and what they share. */
#include "callgraph/output.h"
#include "pmclog/text.h"

extern const struct cg_output cg_output_addresses;
extern const struct cg_output cg_output_annotate;
extern const struct cg_output cg_output_callees;
extern const struct cg_output cg_output_callers;
extern const struct cg_output cg_output_callgrind;
extern const struct cg_output cg_output_changes;
extern const struct cg_output cg_output_flamegraph;
extern const struct cg_output cg_output_flat;
extern const struct cg_output cg_output_folded;
extern const struct cg_output cg_output_gmon;
extern const struct cg_output cg_output_graph;
extern const struct cg_output cg_output_html;
extern const struct cg_output cg_output_icicle;
extern const struct cg_output cg_output_json;
extern const struct cg_output cg_output_pcmap;
extern const struct cg_output cg_output_pprof;
extern const struct cg_output cg_output_process_tree;
extern const struct cg_output cg_output_speedscope;
extern const struct cg_output cg_output_tree;

/* In the order of the help text. */
/* clang-format off */
const struct cg_output *const cg_outputs[] = {
	&cg_output_flat,
	&cg_output_tree,
	&cg_output_callers,
	&cg_output_callees,
	&cg_output_annotate,
	&cg_output_graph,
	&cg_output_folded,
	&cg_output_flamegraph,
	&cg_output_icicle,
	&cg_output_html,
	&cg_output_changes,
	&cg_output_gmon,
	&cg_output_callgrind,
#if HAVE_PROTOBUF_C
	&cg_output_pprof,
#endif
	&cg_output_speedscope,
	&cg_output_json,
	&cg_output_addresses,
	&cg_output_pcmap,
	&cg_output_process_tree,
	NULL,
};
/* clang-format on */

uint64_t cg_event_nanoseconds(const struct cg_event *e)
{
	static const char *const clocks[] = {"cpu-clock", "task-clock", "CLOCK.HARD", "CLOCK.STAT",
					     "CLOCK.PROF"};
	size_t i, n = strcspn(e->whole, ":");

	for (i = 0; i < sizeof(clocks) / sizeof(clocks[0]); i++)
		if (e->rate && n == strlen(clocks[i]) && !strncmp(e->whole, clocks[i], n))
			return e->frequency ? 1000000000 / e->rate : e->rate;
	return 0;
}

void cg_write_text(struct sink *sink, const char *text)
{
	pmclog_text_escaped(sink, text, strlen(text));
}

void cg_write_name(struct sink *sink, const char *name)
{
	const char *from = name;
	size_t skip;

	while (*name) {
		skip = *name == ' ' || *name == ';' ? 1 : pmclog_text_control(name);
		if (!skip) {
			name++;
			continue;
		}
		sink_write(sink, from, (size_t)(name - from));
		/* A semicolon separates frames of a folded stack. */
		sink_char(sink, *name == ';' ? ':' : '_');
		from = name += skip;
	}
	sink_write(sink, from, (size_t)(name - from));
}

int cg_write_times(struct sink *sink, struct sink *text, uint64_t count)
{
	size_t len;
	const char *bytes = sink_text(text, &len);

	if (sink_flush(text))
		return -1;
	while (count--)
		sink_write(sink, bytes, len);
	return 0;
}
