/* SPDX-License-Identifier: BSD-2-Clause */
/* What logs say is missing in them, by cause, and what each cause is called wherever it is told. */
#ifndef PMCLOG_DROPS_H
#define PMCLOG_DROPS_H

#include "base/sink.h"
#include "pmclog/reader.h"

/* One more than the last of enum pmclog_drop_cause. */
enum { PMCLOG_NCAUSES = PMCLOG_DROP_CPU_GAP + 1 };

/* What was counted of each cause. */
struct pmclog_drops {
	uint64_t of[PMCLOG_NCAUSES];
	uint64_t unsaid; /* DROPNOTIFY records without a count */
};

/*
 * How a cause is told.  In texts # stands for the count, @ for that of the samples that were lost
 * and of those that were not.
 */
struct pmclog_cause {
	enum pmclog_drop_cause cause;
	enum pmclog_drop_cause with; /* reports count it with this: itself, or an earlier row */
	const char *word;	     /* behind its count in readable logs; NULL: none */
	/* Of those that are counted with themselves: */
	const char *key;   /* in JSON */
	const char *label; /* of a number; NULL: reports have a way of their own to tell it */
	const char *line;  /* in a quality line */
	const char *brief; /* in a quality line that must be short */
	/* What a recording says at its end; NULL: it has a way of its own. */
	const char *sentence;
};

/* In the order in which reports tell them. */
extern const struct pmclog_cause pmclog_causes[];
extern const unsigned int pmclog_ncauses;

/* The row of a cause; of one that is not known that of lost samples. */
const struct pmclog_cause *pmclog_cause(uint32_t cause);

/* The row that has this word, NULL for none. */
const struct pmclog_cause *pmclog_cause_of_word(const char *word);

/* Counts what a DROPNOTIFY record says. */
void pmclog_drops_add(struct pmclog_drops *d, const struct pmclog_record *rec);

/* What is counted with a cause, of an array with a count for each. */
uint64_t pmclog_drops_with(const uint64_t *of, enum pmclog_drop_cause cause);

/* Writes a text of a cause. */
void pmclog_cause_write(struct sink *sink, const char *text, uint64_t count, uint64_t all);

#endif
