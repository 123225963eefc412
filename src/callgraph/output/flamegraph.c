// SPDX-License-Identifier: BSD-2-Clause
/* --flamegraph and --icicle: the picture as a file of its own, which needs nothing else. */
#include "callgraph/output/flame.h"

/* What a browser still draws without delay. */
enum { MOST_FRAMES = 20000 };

static int write_picture(const struct cg_view *view, bool icicle, struct sink *sink,
			 struct err *err)
{
	struct cg_flame_options options = {.icicle = icicle, .most_frames = MOST_FRAMES};

	sink_str(sink, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
	return cg_flame_write(view, &options, sink, err);
}

static int write_flamegraph(const struct cg_view *view, const struct cg_output_options *options,
			    struct sink *sink, struct err *err)
{
	(void)options;
	return write_picture(view, false, sink, err);
}

static int write_icicle(const struct cg_view *view, const struct cg_output_options *options,
			struct sink *sink, struct err *err)
{
	(void)options;
	return write_picture(view, true, sink, err);
}

const struct cg_output cg_output_flamegraph = {
	.name = "flamegraph",
	.compares = true,
	.summary = "a picture of all call chains to click through (SVG), callers below",
	.write = write_flamegraph,
};

const struct cg_output cg_output_icicle = {
	.name = "icicle",
	.compares = true,
	.summary = "the same with callers above",
	.write = write_icicle,
};
