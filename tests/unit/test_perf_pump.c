// SPDX-License-Identifier: BSD-2-Clause
/* Rounds of the pump over rings in plain memory: the order of the log, and what was lost. */
#include "logbuf.h"
#include "pmc/perf/perf_session.h"
#include "pmclog/text/text.h"

enum { PMC = 0xfff02f01, EVENT = 8, RING_SIZE = 4096, CPUS = 2 };

struct story {
	int fd;
	struct pmc_collector collector;
	struct perf_session session;
	struct pmc pmc;
	struct perf_pmc perf;
	int in[CPUS]; /* what the PMC's events answer comes from here */
	struct perf_ring rings[CPUS], *heap[CPUS];
	struct perf_event_mmap_page ctl[CPUS];
	_Alignas(8) unsigned char data[CPUS][RING_SIZE];
};

/* An event of a CPU, whose ring the test fills, and whose answers are a pipe's. */
static void add_event(struct story *s, int cpu)
{
	struct perf_session *session = &s->session;
	int ends[2];

	s->rings[cpu] = (struct perf_ring){
		.cpu = cpu, .ctl = &s->ctl[cpu], .data = s->data[cpu], .size = RING_SIZE};
	CHECK(!vec_push(&session->rings.v, &s->rings[cpu]));
	CHECK(!pipe2(ends, O_CLOEXEC | O_NONBLOCK));
	s->in[cpu] = ends[1];
	CHECK(!vec_push(&s->perf.fds.v, (struct perf_fd){ends[0], cpu, 1}));
}

static struct story *story_new(void)
{
	static const struct pmclog_origin origin = {.cputype = 0x400, .tsc_freq = 1000000000};
	struct perf_source source = {.pmcid = PMC, .depth = 5};
	struct story *s = calloc(1, sizeof(*s));
	struct perf_session *session = &s->session;
	uint32_t index;

	s->fd = logbuf_file();
	session->c = &s->collector;
	session->rings.records.stats = &s->collector.stats;
	session->rings.records.writer = s->collector.writer =
		pmclog_writer_new(s->fd, "t.log", NULL);
	pmclog_write_initialize(s->collector.writer, 1, &origin);
	s->pmc = (struct pmc){.id = PMC, .mode = PMC_MODE_SS};
	s->perf.pmc = &s->pmc;
	index = s->perf.source = perf_record_add_source(&session->rings.records, &source);
	CHECK(!perf_record_add_id(&session->rings.records, EVENT, index));
	CHECK(!vec_push(&session->pmcs.v, &s->perf));
	session->rings.merge.heap = s->heap;
	add_event(s, 0);
	add_event(s, 1);
	session->logging = session->rings.machine.has.format_lost = true;
	session->share = (struct perf_share){&session->rings.machine, &session->pmcs,
					     &session->rings.records, perf_now()};
	session->last_round = session->watch.last = perf_now();
	return s;
}

/* The kernel takes a sample. */
static void sample(struct story *s, int cpu, uint64_t time, uint64_t ip)
{
	struct perf_ring_sample x = {
		.header = {.type = PERF_RECORD_SAMPLE, .size = sizeof(x)},
		.id = EVENT,
		.ip = ip,
		.pid = 10,
		.tid = 10,
		.time = time,
		.cpu = (uint32_t)cpu,
	};

	x.header.misc = PERF_RECORD_MISC_USER;
	memcpy(s->data[cpu] + s->ctl[cpu].data_head, &x, sizeof(x));
	s->ctl[cpu].data_head += sizeof(x);
}

/* The next answer of a CPU's event: it has lost so many by now. */
static void has_lost(struct story *s, int cpu, uint64_t lost)
{
	uint64_t v[4] = {1, 0, 0, lost};

	CHECK(write(s->in[cpu], v, sizeof(v)) == (ssize_t)sizeof(v));
}

/* Checks the text of samples and losses in the log. */
static void log_is(struct story *s, const char *want)
{
	struct sink *text = sink_to_memory();
	struct pmclog_reader *r;
	struct pmclog_record rec;

	CHECK(!pmclog_writer_flush(s->collector.writer, NULL));
	lseek(s->fd, 0, SEEK_SET);
	r = pmclog_reader_open_fd(s->fd, "t.log", NULL);
	while (pmclog_reader_next(r, &rec, NULL) == PMCLOG_RESULT_OK)
		if (rec.type == PMCLOG_WIRE_CALLCHAIN)
			sink_printf(text, "0x%" PRIx64 "\n", rec.u.chain.pcs[0]);
		else if (rec.type == PMCLOG_WIRE_DROPNOTIFY)
			pmclog_text_record(text, &rec);
	CHECK_STR(sink_text(text, NULL), want);
	pmclog_reader_close(r);
	sink_free(text);
	lseek(s->fd, 0, SEEK_END);
}

static void story_free(struct story *s)
{
	struct perf_fd *f;

	vec_each(f, &s->perf.fds.v)
		close(f->fd);
	close(s->in[0]);
	close(s->in[1]);
	vec_free(&s->perf.fds.v);
	vec_free(&s->session.pmcs.v);
	vec_free(&s->session.rings.v);
	perf_record_reader_fini(&s->session.rings.records);
	pmclog_writer_free(s->collector.writer);
	close(s->fd);
	free(s);
}

/* A record of another CPU may become visible only after one that is younger. */
UNIT(what_comes_late_from_another_cpu_is_in_order)
{
	struct story *s = story_new();
	uint64_t first = perf_now(), second = perf_now();

	sample(s, 0, second, 0x2000);
	perf_pump_round(&s->session);
	log_is(s, "");
	sample(s, 1, first, 0x1000);
	perf_pump_round(&s->session);
	log_is(s, "0x1000\n0x2000\n");
	story_free(s);
}

UNIT(a_round_ends_where_the_one_before_it_began)
{
	struct story *s = story_new();
	uint64_t before = perf_now();

	perf_pump_round(&s->session);
	sample(s, 0, before, 0x1000);
	sample(s, 0, perf_now(), 0x2000);
	perf_pump_round(&s->session);
	log_is(s, "0x1000\n");
	perf_pump_round(&s->session);
	log_is(s, "0x1000\n0x2000\n");
	story_free(s);
}

UNIT(nothing_is_read_while_there_is_no_log)
{
	struct story *s = story_new();

	s->session.logging = false;
	sample(s, 0, perf_now(), 0x1000);
	perf_pump_round(&s->session);
	perf_pump_round(&s->session);
	log_is(s, "");
	story_free(s);
}

/* What LOST records do not tell, for want of a next record, the events do. */
UNIT(what_only_the_events_know_to_be_lost_is_told_once)
{
	struct story *s = story_new();

	has_lost(s, 0, 0);
	has_lost(s, 1, 7);
	perf_pump_tell_lost(&s->session);
	log_is(s, "drop      7 1\n");
	CHECK_U64(s->collector.stats.drops[PMCLOG_DROP_RING], 7);
	has_lost(s, 0, 3);
	has_lost(s, 1, 7);
	perf_pump_tell_lost(&s->session);
	log_is(s, "drop      7 1\ndrop      3 0\n");
	CHECK_U64(s->collector.stats.drops[PMCLOG_DROP_RING], 10);
	story_free(s);
}

UNIT(what_a_lost_record_has_told_is_not_told_again)
{
	struct story *s = story_new();

	s->rings[0].told = 5;
	s->rings[1].told = 5;
	s->rings[1].lost = 4; /* of events that are closed */
	has_lost(s, 0, 5);
	has_lost(s, 1, 3);
	perf_pump_tell_lost(&s->session);
	log_is(s, "drop      2 1\n");
	CHECK_U64(s->collector.stats.drops[PMCLOG_DROP_RING], 2);
	story_free(s);
}

UNIT_MAIN(UNIT_ENTRY(what_comes_late_from_another_cpu_is_in_order),
	  UNIT_ENTRY(a_round_ends_where_the_one_before_it_began),
	  UNIT_ENTRY(nothing_is_read_while_there_is_no_log),
	  UNIT_ENTRY(what_only_the_events_know_to_be_lost_is_told_once),
	  UNIT_ENTRY(what_a_lost_record_has_told_is_not_told_again))
