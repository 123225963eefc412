// SPDX-License-Identifier: BSD-2-Clause
/* The list of outputs: on top of all of them, and nothing that they use. */
#include "callgraph/output/output.h"

extern const struct cg_output cg_output_addresses;
extern const struct cg_output cg_output_annotate;
extern const struct cg_output cg_output_archive;
extern const struct cg_output cg_output_callees;
extern const struct cg_output cg_output_callers;
extern const struct cg_output cg_output_callgrind;
extern const struct cg_output cg_output_changes;
extern const struct cg_output cg_output_firefox;
extern const struct cg_output cg_output_flamegraph;
extern const struct cg_output cg_output_flat;
extern const struct cg_output cg_output_folded;
extern const struct cg_output cg_output_gmon;
extern const struct cg_output cg_output_graph;
extern const struct cg_output cg_output_html;
extern const struct cg_output cg_output_icicle;
extern const struct cg_output cg_output_json;
extern const struct cg_output cg_output_overview;
extern const struct cg_output cg_output_pack;
extern const struct cg_output cg_output_pcmap;
extern const struct cg_output cg_output_perf_script;
extern const struct cg_output cg_output_pprof;
extern const struct cg_output cg_output_process_tree;
extern const struct cg_output cg_output_speedscope;
extern const struct cg_output cg_output_tree;

/* In the order of the help text. */
/* clang-format off */
const struct cg_output *const cg_outputs[] = {
	&cg_output_overview,
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
	&cg_output_firefox,
	&cg_output_perf_script,
	&cg_output_json,
	&cg_output_addresses,
	&cg_output_pcmap,
	&cg_output_process_tree,
	&cg_output_archive,
	&cg_output_pack,
	NULL,
};
/* clang-format on */
