// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "pmclog/cmd/cmd.h"
#include "pmclog/text/freebsd.h"

struct check {
	uint64_t samples;
	uint32_t major; /* of the log's version */
	bool for_freebsd;
	struct pmclog_freebsd freebsd;
};

static int see_record(const struct pmclog_record *rec, void *arg, struct err *err)
{
	struct check *c = arg;

	c->samples += rec->type == PMCLOG_WIRE_CALLCHAIN;
	if (rec->type == PMCLOG_WIRE_INITIALIZE)
		c->major = rec->u.init.version >> 24;
	return c->for_freebsd ? pmclog_freebsd_see(&c->freebsd, rec, err) : 0;
}

/* Tells each fault with the first record that has it.  EX_OK, or EX_DATAERR where there is one. */
static int tell_faults(const struct check *c, const struct pmclog_reading *reading)
{
	const struct pmclog_freebsd_finding *f;
	int status = EX_OK, i;

	for (i = 0; i < PMCLOG_FREEBSD_NFAULTS; i++) {
		f = &c->freebsd.found[i];
		if (!f->records)
			continue;
		status = EX_DATAERR;
		fprintf(stderr,
			"pmclog: %s: for FreeBSD: record %" PRIu64 " at byte %" PRIu64
			", %s, %s",
			reading->name, f->index, f->offset, pmclog_type_name(f->type),
			pmclog_freebsd_fault_text(i));
		fprintf(stderr, f->records > 1 ? "; so do %" PRIu64 " others\n" : "\n",
			f->records - 1);
	}
	if (reading->stats.unknown) {
		status = EX_DATAERR;
		fprintf(stderr,
			"pmclog: %s: for FreeBSD: records of types that no version has, which end "
			"their reading: %" PRIu64 "\n",
			reading->name, reading->stats.unknown);
	}
	return status;
}

static int run(const struct pmclog_cmd *cmd, int argc, char **argv)
{
	struct check c = {.samples = 0};
	struct pmclog_reading reading = {.each = see_record, .arg = &c};
	int status = EX_OK;
	struct err err;

	if (argc > 1 && !strcmp(argv[1], "--freebsd")) {
		c.for_freebsd = true;
		argc--;
		argv++;
	}
	if (pmclog_cmd_read(cmd, argc, argv, &reading, &err)) {
		pmclog_freebsd_fini(&c.freebsd);
		return pmclog_cmd_fail(&err);
	}
	if (c.for_freebsd)
		status = tell_faults(&c, &reading);
	printf("%s: %" PRIu64 " records, %" PRIu64 " samples, %s%s\n", reading.name,
	       reading.stats.records, c.samples, reading.stats.closed ? "closed" : "not closed",
	       !c.for_freebsd || status	? ""
	       : c.major == 9		? "; the tools of FreeBSD 12 and 13 read all of it"
					: "; the tools of FreeBSD 14 and 15 read all of it");
	pmclog_freebsd_fini(&c.freebsd);
	if (!fflush(stdout))
		return status;
	pmclog_cmd_text_failed(&err, "-", errno);
	return pmclog_cmd_fail(&err);
}

const struct pmclog_cmd pmclog_cmd_check = {
	.name = "check",
	.args = "[--freebsd] [FILE]",
	.summary = "read all of a log and say whether it is sound",
	.run = run,
};
