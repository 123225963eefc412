/* SPDX-License-Identifier: BSD-2-Clause */
/* The views of top: pure functions from chosen samples and the user's state to a grid. */
#ifndef PMCSTAT_TOP_VIEW_H
#define PMCSTAT_TOP_VIEW_H

#include "pmcstat/top/grid.h"
#include "pmcstat/top/top_code.h"
#include "pmcstat/top/top_data.h"

struct top_input {
	const struct top_data *data;
	const struct top_code *code; /* of TOP_CODE; NULL: it is yet to be read */
	const char *note; /* one sentence above the quality line; "": none */
	bool alarm;	  /* it is bad news */
	bool has_keys;
	uint64_t forgotten; /* samples that the profile had to forget */
	double at;	    /* seconds into a replayed log; < 0: nothing is replayed */
};

/* 0, or -1 when out of memory. */
int top_draw(const struct top_input *in, const struct top_state *s, struct grid *g,
	     struct top_shown *shown);

#endif
