// SPDX-License-Identifier: BSD-2-Clause
/*
 * pmclog filter and dump --json on any log.  The bits of the first byte are the criteria.  What is
 * kept of a log of this project must be a log that has the kept records and no others.
 */
#include <stdlib.h>
#include <string.h>

#include "base/sink.h"
#include "pmclog/filter.h"
#include "pmclog/text/json.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { JSON_LIMIT = 1 << 20 };

enum {
	BY_PID = 1,
	BY_TID = 2,
	BY_CPU = 4,
	BY_EVENT = 8,
	BY_PROCESS = 16,
	BY_THREAD = 32,
	BY_TIME = 64,
	NEGATED = 128,
};

static void set_criteria(struct pmclog_criteria *c, uint8_t bits)
{
	int failed = 0;

	if (bits & BY_PID)
		failed |= vec_push(&c->pids, (struct pmclog_range){1, 10});
	if (bits & BY_TID)
		failed |= vec_push(&c->tids, (struct pmclog_range){11, 100});
	if (bits & BY_CPU)
		failed |= vec_push(&c->cpus, (struct pmclog_range){0, 2});
	if (bits & BY_EVENT)
		failed |= vec_push(&c->events, "cpu-clock");
	if (bits & BY_PROCESS)
		failed |= vec_push(&c->processes, (struct pmclog_name){"a*", true});
	if (bits & BY_THREAD)
		failed |= vec_push(&c->threads, (struct pmclog_name){"a", false});
	if (bits & BY_TIME) {
		c->from = 1e-6;
		c->to = 1e-5;
		c->cut = bits & BY_PID;
	}
	c->negated = bits & NEGATED && !c->cut;
	if (failed)
		abort();
}

/* What the filter kept is read again. */
static void check(const char *kept, size_t len, uint64_t records)
{
	struct pmclog_reader *r = pmclog_reader_open_feed("kept", NULL);
	struct pmclog_record rec;

	if (!r || pmclog_reader_feed(r, kept, len, NULL))
		abort();
	pmclog_reader_feed_end(r);
	for (; records; records--)
		if (pmclog_reader_next(r, &rec, NULL) != PMCLOG_RESULT_OK)
			abort();
	if (pmclog_reader_next(r, &rec, NULL) != PMCLOG_RESULT_EOF)
		abort();
	pmclog_reader_close(r);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pmclog_reader *r = pmclog_reader_open_feed("log", NULL);
	struct sink *kept = sink_to_memory(), *text = sink_to_memory();
	struct pmclog_criteria c = {0};
	struct pmclog_filter *f;
	struct pmclog_record rec;
	bool keep, ours = false;
	uint64_t records = 0;
	const char *bytes;
	size_t len = 0;

	if (size)
		set_criteria(&c, data[0]);
	f = pmclog_filter_new(&c);
	if (!r || !kept || !text || !f || (size && pmclog_reader_feed(r, data + 1, size - 1, NULL)))
		abort();
	pmclog_reader_feed_end(r);
	while (pmclog_reader_next(r, &rec, NULL) == PMCLOG_RESULT_OK) {
		if (rec.type == PMCLOG_WIRE_INITIALIZE)
			ours = rec.u.init.maps_at_exec;
		if (pmclog_filter_record(f, &rec, &keep, NULL))
			break;
		if (len < JSON_LIMIT)
			pmclog_json_record(text, &rec);
		sink_text(text, &len);
		if (!keep)
			continue;
		sink_write(kept, rec.raw, rec.length);
		records++;
	}
	pmclog_filter_check(f, "log", 0, NULL);
	bytes = sink_text(kept, &len);
	if (ours && records)
		check(bytes, len, records);
	pmclog_filter_free(f);
	pmclog_criteria_fini(&c);
	pmclog_reader_close(r);
	sink_free(kept);
	sink_free(text);
	return 0;
}
