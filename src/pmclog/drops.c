// SPDX-License-Identifier: BSD-2-Clause
#include <string.h>

#include "base/numbers.h"
#include "pmclog/drops.h"

const struct pmclog_cause pmclog_causes[] = {
	{
		.cause = PMCLOG_DROP_RING,
		.with = PMCLOG_DROP_RING,
		.key = "lost",
		.sentence = "# of @ samples were lost: the ring buffers were full",
	},
	{
		.cause = PMCLOG_DROP_UNREADABLE,
		.with = PMCLOG_DROP_RING,
		.word = "unreadable",
		.sentence = "up to # of @ samples were lost: the kernel's records of them could "
			    "not be understood",
	},
	{
		.cause = PMCLOG_DROP_RECORD,
		.with = PMCLOG_DROP_RECORD,
		.word = "records",
		.key = "records_lost",
		.label = "other records lost",
		.line = "lost # other records: maps and names may be missing",
		.brief = "lost # other records",
		.sentence = "# records of the log that are no samples were lost: maps, forks, "
			    "names or counts may be missing",
	},
	{
		.cause = PMCLOG_DROP_THROTTLE,
		.with = PMCLOG_DROP_THROTTLE,
		.word = "throttle",
		.key = "throttled",
	},
	{
		.cause = PMCLOG_DROP_STARVED,
		.with = PMCLOG_DROP_STARVED,
		.word = "starved",
		.key = "starved",
		.label = "counters taken by others",
		.line = "# counters taken by others",
		.brief = "# counters taken",
		.sentence = "# times another user of the hardware took a PMC's counter: nothing "
			    "was counted there from then on",
	},
	{
		.cause = PMCLOG_DROP_UNCOUNTED,
		.with = PMCLOG_DROP_UNCOUNTED,
		.word = "uncounted",
		.key = "uncounted",
		.label = "threads without a counter",
		.line = "# threads without a counter",
		.brief = "# threads uncounted",
		.sentence = "# times a thread got no counter, for want of memory or of hardware: "
			    "nothing of it was counted",
	},
	{
		.cause = PMCLOG_DROP_EXIT,
		.with = PMCLOG_DROP_EXIT,
		.word = "exits",
		.key = "untold",
		.label = "exits and switches without a counter",
		.line = "# exits and switches without a counter",
		.brief = "# exits and switches uncounted",
		.sentence = "# threads exited while their PMC had no counter: counts lack what "
			    "those counted last",
	},
	{
		.cause = PMCLOG_DROP_SWITCH,
		.with = PMCLOG_DROP_EXIT,
		.word = "switches",
		.sentence = "# times a thread left a CPU while its PMC had no counter: what it "
			    "counted is in a later switch",
	},
	{
		.cause = PMCLOG_DROP_HIDDEN,
		.with = PMCLOG_DROP_HIDDEN,
		.word = "hidden",
		.key = "hidden",
		.label = "programs hidden by the kernel",
		.line = "# programs hidden by the kernel",
		.brief = "# programs hidden",
		.sentence = "# programs started with rights of their own (set-user-ID or the "
			    "like), or cannot be read: the kernel took the PMCs from them, and "
			    "nothing of them is in the log",
	},
	{
		.cause = PMCLOG_DROP_LATE_CPU,
		.with = PMCLOG_DROP_LATE_CPU,
		.word = "late-cpus",
		.key = "cpus",
		.label = "CPUs that came online",
		.line = "# CPUs came online, and were not sampled, or not at once",
		.brief = "# CPUs came online",
		.sentence = "# times a CPU came online while the recording went on: nothing was "
			    "sampled there from then on",
	},
	{
		.cause = PMCLOG_DROP_CPU_GAP,
		.with = PMCLOG_DROP_LATE_CPU,
		.word = "cpu-gaps",
		.sentence = "# times a CPU was off and came back: what ran there in the first "
			    "second or two is missing",
	},
	/* Its record says how long; a count that it has all the same is one of samples. */
	{
		.cause = PMCLOG_DROP_SHARED,
		.with = PMCLOG_DROP_RING,
		.word = "shared",
	},
	{
		.cause = PMCLOG_DROP_UNSENT,
		.with = PMCLOG_DROP_RING,
		.word = "unsent",
		.sentence = "up to # of @ samples were lost: they were sent through a connection "
			    "that was, too, or while there was none",
	},
};
const unsigned int pmclog_ncauses = sizeof(pmclog_causes) / sizeof(pmclog_causes[0]);
pmclog_assert(sizeof(pmclog_causes) / sizeof(pmclog_causes[0]) == PMCLOG_NCAUSES);

const struct pmclog_cause *pmclog_cause(uint32_t cause)
{
	unsigned int i;

	for (i = 0; i < pmclog_ncauses; i++)
		if (pmclog_causes[i].cause == cause)
			return &pmclog_causes[i];
	return &pmclog_causes[0];
}

const struct pmclog_cause *pmclog_cause_of_word(const char *word)
{
	unsigned int i;

	for (i = 0; i < pmclog_ncauses; i++)
		if (pmclog_causes[i].word && !strcmp(pmclog_causes[i].word, word))
			return &pmclog_causes[i];
	return NULL;
}

void pmclog_drops_add(struct pmclog_drops *d, const struct pmclog_record *rec)
{
	uint64_t *of = &d->of[pmclog_cause(rec->u.drop.cause)->cause];

	if (rec->u.drop.count_known)
		*of = numbers_sum(*of, rec->u.drop.count);
	else
		d->unsaid++;
}

uint64_t pmclog_drops_with(const uint64_t *of, enum pmclog_drop_cause cause)
{
	uint64_t sum = 0;
	unsigned int i;

	for (i = 0; i < pmclog_ncauses; i++)
		if (pmclog_causes[i].with == cause)
			sum = numbers_sum(sum, of[pmclog_causes[i].cause]);
	return sum;
}

void pmclog_cause_write(struct sink *sink, const char *text, uint64_t count, uint64_t all)
{
	for (; *text; text++)
		if (*text == '#')
			sink_u64(sink, count);
		else if (*text == '@')
			sink_u64(sink, all);
		else
			sink_char(sink, *text);
}
