/* SPDX-License-Identifier: BSD-2-Clause */
/* Any output into memory, whatever it takes on the command line. */
#ifndef UNIT_OUTPUTS_H
#define UNIT_OUTPUTS_H

#include "callgraph/output/output.h"

struct outputs_files {
	struct cg_files ops;
	struct sink *sink; /* takes the contents of all files */
};

static inline struct sink *outputs_open(struct cg_files *files, const char *subdir,
					const char *name, struct err *err)
{
	struct sink *sink = sink_to_memory();

	(void)files;
	(void)subdir;
	(void)name;
	if (!sink)
		err_nomem(err);
	return sink;
}

static inline int outputs_close(struct cg_files *files, struct sink *sink, struct err *err)
{
	struct outputs_files *f = (struct outputs_files *)files;
	size_t len;
	const char *text = sink_text(sink, &len);
	int failed = sink_flush(sink);

	sink_write(f->sink, text, len);
	sink_free(sink);
	return failed ? err_nomem(err) : 0;
}

static inline void outputs_discard(struct cg_files *files, struct sink *sink)
{
	(void)files;
	sink_free(sink);
}

static inline void outputs_remark(struct cg_files *files, const char *line)
{
	(void)files;
	(void)line;
}

/* 0, or -1 with err set.  Functions that an output asks for are all of them. */
static inline int outputs_write(const struct cg_view *view, const struct cg_output *output,
				struct cg_output_options options, struct sink *sink,
				struct err *err)
{
	struct outputs_files files = {
		{outputs_open, outputs_close, outputs_discard, outputs_remark, NULL}, sink};

	if (output->argument == CG_NAMES_FUNCTION)
		options.argument = "*";
	if (output->argument == CG_MUST_NAME_FILE)
		options.argument = "file";
	if (output->write_files)
		return output->write_files(view, &options, &files.ops, err);
	return output->write(view, &options, sink, err);
}

#endif
