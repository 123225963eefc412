// SPDX-License-Identifier: BSD-2-Clause
/* What the log has of the times that PMCs had counters, from what the kernel tells of events. */
#include <linux/perf_event.h>
#include <unistd.h>

#include "logbuf.h"
#include "pmc/perf/perf_share.h"
#include "pmclog/text/text.h"

enum { PMC = 0xfff02f01 };

/* One PMC, whose events are pipes: what is put in is read one by one. */
struct story {
	int fd;
	struct pmc_log_stats stats;
	struct perf_machine machine;
	struct perf_pmcs pmcs;
	struct perf_record_reader records;
	struct perf_share share;
	struct pmc pmc;
	struct perf_pmc perf;
	int in[4];
};

static struct story *story_new(enum pmc_mode mode, size_t events)
{
	static const struct pmclog_origin origin = {.cputype = 0x400, .tsc_freq = 1000000000};
	struct perf_source source = {.pmcid = PMC};
	struct story *s = calloc(1, sizeof(*s));
	size_t i;

	s->fd = logbuf_file();
	s->share = (struct perf_share){&s->machine, &s->pmcs, &s->records, 0};
	s->machine.has.format_lost = true;
	s->records.stats = &s->stats;
	s->records.writer = pmclog_writer_new(s->fd, "t.log", NULL);
	pmclog_write_initialize(s->records.writer, 1, &origin);
	s->pmc = (struct pmc){.id = PMC, .mode = mode, .cpu = 3};
	s->pmc.event.type = PERF_TYPE_HARDWARE;
	s->perf.pmc = &s->pmc;
	s->perf.source = perf_record_add_source(&s->records, &source);
	CHECK(!vec_push(&s->pmcs.v, &s->perf));
	for (i = 0; i < events; i++) {
		int ends[2];

		CHECK(!pipe2(ends, O_CLOEXEC | O_NONBLOCK));
		s->in[i] = ends[1];
		CHECK(!vec_push(&s->perf.fds.v, (struct perf_fd){ends[0], (int)i, 1}));
	}
	return s;
}

/* The next answer of an event. */
static void tells(struct story *s, size_t event, uint64_t enabled, uint64_t running)
{
	uint64_t v[4] = {1234, enabled, running, 0};
	size_t size = PMC_IS_SAMPLING_MODE(s->pmc.mode) ? sizeof(v) : 3 * sizeof(*v);

	CHECK(write(s->in[event], v, size) == (ssize_t)size);
}

static void begins(struct story *s)
{
	perf_share_begin(&s->share);
}

/* A round, when it is time. */
static void round_of(struct story *s)
{
	perf_share_round(&s->share, s->share.next);
}

static void ends(struct story *s)
{
	perf_share_end(&s->share);
}

/* Checks the text of the log behind INITIALIZE, and ends the story. */
static void story_is(struct story *s, const char *want)
{
	struct sink *text = sink_to_memory();
	struct pmclog_reader *r;
	struct pmclog_record rec;
	struct perf_fd *f;

	CHECK(!pmclog_writer_flush(s->records.writer, NULL));
	lseek(s->fd, 0, SEEK_SET);
	r = pmclog_reader_open_fd(s->fd, "t.log", NULL);
	while (pmclog_reader_next(r, &rec, NULL) == PMCLOG_RESULT_OK)
		if (rec.type != PMCLOG_WIRE_INITIALIZE) {
			CHECK_U64(rec.u.drop.pmcid, PMC);
			pmclog_text_record(text, &rec);
		}
	CHECK_STR(sink_text(text, NULL), want);
	pmclog_reader_close(r);
	sink_free(text);
	vec_each(f, &s->perf.fds.v) {
		close(f->fd);
		close(s->in[f - s->perf.fds.v.v]);
	}
	vec_free(&s->perf.fds.v);
	vec_free(&s->pmcs.v);
	pmclog_writer_free(s->records.writer);
	perf_record_reader_fini(&s->records);
	close(s->fd);
	free(s);
}

UNIT(a_pmc_that_always_ran_is_not_spoken_of)
{
	struct story *s = story_new(PMC_MODE_TS, 1);

	tells(s, 0, 0, 0);
	begins(s);
	tells(s, 0, 1000000, 1000000);
	round_of(s);
	/* Less than a thousandth is noise. */
	tells(s, 0, 2000000, 1999001);
	ends(s);
	story_is(s, "");
}

UNIT(events_that_are_not_read_at_one_moment_share_nothing)
{
	struct story *s = story_new(PMC_MODE_TS, 1);

	tells(s, 0, 0, 0);
	begins(s);
	/* A PMC that waits for another one waits for a millisecond at least. */
	tells(s, 0, 100000000, 99100000);
	round_of(s);
	tells(s, 0, 100000000, 98900000);
	ends(s);
	story_is(s, "drop      0 -1 shared 98900000 100000000\n");
}

UNIT(times_add_up_to_all_of_the_log)
{
	struct story *s = story_new(PMC_MODE_TS, 1);

	/* What was before the log is not in it. */
	tells(s, 0, 500, 400);
	begins(s);
	tells(s, 0, 1500, 900);
	round_of(s);
	/* Nobody shared then, and nothing is told before it has to be. */
	tells(s, 0, 2500, 1900);
	round_of(s);
	tells(s, 0, 3500, 2900);
	ends(s);
	story_is(s, "drop      0 -1 shared 500 1000\n"
		    "drop      0 -1 shared 2000 2000\n");
}

UNIT(a_pmc_that_never_ran_says_so)
{
	struct story *s = story_new(PMC_MODE_SS, 1);

	tells(s, 0, 0, 0);
	begins(s);
	tells(s, 0, 1000, 0);
	ends(s);
	story_is(s, "drop      0 3 shared 0 1000\n");
}

UNIT(a_thread_has_the_times_of_its_events_on_all_cpus)
{
	struct story *s = story_new(PMC_MODE_TS, 3);
	size_t i;

	for (i = 0; i < 3; i++)
		tells(s, i, 0, 0);
	begins(s);
	tells(s, 0, 1000, 200);
	tells(s, 1, 1000, 0);
	tells(s, 2, 1000, 228);
	ends(s);
	story_is(s, "drop      0 -1 shared 428 1000\n");
}

UNIT(a_pmc_that_was_paused_has_its_times_at_the_end)
{
	struct story *s = story_new(PMC_MODE_TS, 1);

	tells(s, 0, 0, 0);
	begins(s);
	s->records.sources.v[s->perf.source].throttled = true;
	tells(s, 0, 1000, 1000);
	round_of(s);
	tells(s, 0, 2000, 2000);
	ends(s);
	story_is(s, "drop      0 -1 shared 2000 2000\n");
}

UNIT(software_shares_nothing)
{
	struct story *s = story_new(PMC_MODE_TS, 1);

	s->pmc.event.type = PERF_TYPE_SOFTWARE;
	begins(s);
	tells(s, 0, 1000, 100);
	ends(s);
	story_is(s, "");
}

UNIT(counts_are_told_where_the_log_has_them)
{
	struct story *s = story_new(PMC_MODE_TC, 1);
	struct perf_tally tally = {.pmcid = PMC};

	tells(s, 0, 0, 0);
	begins(s);
	ends(s);
	s->perf.tally = &tally;
	tells(s, 0, 1000, 771);
	ends(s);
	story_is(s, "drop      0 -1 shared 771 1000\n");
}

UNIT(what_targets_that_are_gone_had_is_kept)
{
	struct story *s = story_new(PMC_MODE_TS, 1);

	tells(s, 0, 0, 0);
	begins(s);
	s->perf.enabled = 600;
	s->perf.running = 100;
	tells(s, 0, 400, 400);
	ends(s);
	story_is(s, "drop      0 -1 shared 500 1000\n");
}

UNIT(a_time_that_shrinks_is_not_told)
{
	struct story *s = story_new(PMC_MODE_TS, 1);

	tells(s, 0, 1000, 1000);
	begins(s);
	tells(s, 0, 900, 100);
	ends(s);
	story_is(s, "");
}

UNIT(rounds_are_seldom)
{
	struct story *s = story_new(PMC_MODE_TS, 1);
	uint64_t now;

	tells(s, 0, 0, 0);
	begins(s);
	now = s->share.next;
	/* Nothing is read before: there is nothing to read. */
	perf_share_round(&s->share, now - 1);
	tells(s, 0, 1000, 500);
	round_of(s);
	CHECK(s->share.next >= now + 1000000000);
	story_is(s, "drop      0 -1 shared 500 1000\n");
}

UNIT_MAIN(UNIT_ENTRY(a_pmc_that_always_ran_is_not_spoken_of),
	  UNIT_ENTRY(events_that_are_not_read_at_one_moment_share_nothing),
	  UNIT_ENTRY(times_add_up_to_all_of_the_log), UNIT_ENTRY(a_pmc_that_never_ran_says_so),
	  UNIT_ENTRY(a_thread_has_the_times_of_its_events_on_all_cpus),
	  UNIT_ENTRY(a_pmc_that_was_paused_has_its_times_at_the_end),
	  UNIT_ENTRY(software_shares_nothing), UNIT_ENTRY(counts_are_told_where_the_log_has_them),
	  UNIT_ENTRY(what_targets_that_are_gone_had_is_kept),
	  UNIT_ENTRY(a_time_that_shrinks_is_not_told), UNIT_ENTRY(rounds_are_seldom))
