// SPDX-License-Identifier: BSD-2-Clause
/* What looks at the machine find, and that each finds what is new. */
#include <unistd.h>

#include "logbuf.h"
#include "pmc/perf/perf_watch.h"
#include "pmc/pmc.h"

UNIT(switches_without_counts_are_counted_once)
{
	static const struct pmclog_origin origin = {.cputype = 0x400, .tsc_freq = 1000000000};
	struct pmc_log_stats stats = {0};
	struct perf_tally tally = {.flags = PMC_F_LOG_PROCCSW, .shares = true};
	struct perf_record_reader *r = calloc(1, sizeof(*r));
	struct perf_watch w = {.records = r};
	int fd = logbuf_file(), i;

	r->writer = pmclog_writer_new(fd, "w.log", NULL);
	r->stats = &stats;
	CHECK(!vec_push(&r->tallies, &tally));
	pmclog_write_initialize(r->writer, 1, &origin);
	for (i = 0; i < 3; i++)
		perf_tally_switch(&tally);
	perf_watch_look(&w, 10);
	CHECK_U64(w.last, 10);
	/* Their counts may still come. */
	CHECK_U64(stats.drops[PMCLOG_DROP_SWITCH], 0);
	for (i = 20; i < 40; i += 10) {
		perf_watch_look(&w, (uint64_t)i);
		CHECK_U64(stats.drops[PMCLOG_DROP_SWITCH], 3);
	}
	CHECK(!r->nomem);
	pmclog_writer_free(r->writer);
	close(fd);
	perf_tally_fini(&tally);
	perf_watch_fini(&w);
	perf_record_reader_fini(r);
	free(r);
}

UNIT_MAIN(UNIT_ENTRY(switches_without_counts_are_counted_once))
