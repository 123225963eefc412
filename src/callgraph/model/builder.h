/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What makes a profile of records.
 *
 * Raw call chains are interned first, one count per distinct (chain, address space generation,
 * group); each distinct address is named once, when all is there or somebody looks.  Memory grows
 * with distinct chains, and with samples only where the configuration asks for their moments.
 * Several builders may exist at a time; one is used by one thread at a time.
 */
#ifndef CALLGRAPH_BUILDER_H
#define CALLGRAPH_BUILDER_H

#include "callgraph/model/profile.h"

/* Which samples count; a zeroed one selects all. */
struct cg_select {
	numbers pids; /* ascending, as the next two */
	numbers tids;
	numbers cpus;
	VEC(const char *) comms;   /* shell patterns, as fnmatch(3); texts are borrowed */
	double time_from, time_to; /* seconds from the log's first record on; time_to 0: all */
};

struct cg_config {
	struct symbol_config symbols;
	const struct cg_select *select; /* borrowed; NULL: all */
	unsigned int keys;		/* CG_KEY_* that groups must tell apart, or-ed */
	bool timeline;			/* count samples over time */
	bool moments;			/* keep when each sample was taken */
	bool lifetimes;			/* keep what became of every process */
	/* Samples of events that shared counters stand for all of their time, once finished. */
	bool scale;
	struct cg_progress progress;
};

struct cg_builder;

/* config is copied, its texts too.  NULL with err set when out of memory. */
struct cg_builder *cg_builder_new(const struct cg_config *config, struct err *err);
void cg_builder_free(struct cg_builder *b); /* NULL is legal */

/* Adds one record.  0, or -1 with err set when out of memory: then only cg_builder_free() helps. */
int cg_builder_add(struct cg_builder *b, const struct pmclog_record *rec, struct err *err);

/*
 * Tells of samples outside of the selected time that the reader has left out.  Behind the last
 * record: its end is the log's.
 */
void cg_builder_left_out(struct cg_builder *b, const struct pmclog_left_out *left_out);

/* From the log's first record to its last, whatever is selected. */
double cg_builder_seconds(const struct cg_builder *b);

/* Tells what stands before the log, of its machine.  0, or -1 with err set when out of memory. */
int cg_builder_machine(struct cg_builder *b, const struct pmclog_machine *machine, struct err *err);

/*
 * The profile of what was added.  The builder is gone then, also when this fails.  NULL with err
 * set when out of memory.
 */
struct cg_profile *cg_builder_finish(struct cg_builder *b, struct err *err);

/*
 * For recordings that are shown while they go on: the profile of what was added so far.  It is the
 * builder's own and grows with what is added.  So it has all that there is until something is
 * added; after that its stacks up to those that there were, and what they name, until somebody
 * looks again: those behind them have no names.  NULL as above.
 */
const struct cg_profile *cg_builder_look(struct cg_builder *b, struct err *err);

/*
 * For recordings without an end: gives up what grows with them, which is every sample so far with
 * the names of its addresses, and what is known of processes that have exited.  Functions and
 * images have other indices then, and texts other addresses: nothing that was seen of the profile
 * holds any more.  What runs keeps its maps and names; samples, losses and pauses of the whole log
 * stay in quality.  0, or -1 as above.
 */
int cg_builder_forget(struct cg_builder *b, struct err *err);
/* The bytes that all of it takes, roughly. */
size_t cg_builder_size(const struct cg_builder *b);

#endif
