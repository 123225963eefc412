// SPDX-License-Identifier: BSD-2-Clause
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/date.h"
#include "base/hash.h"
#include "base/vec.h"
#include "pmclog/cmd/cmd.h"
#include "pmclog/drops.h"
#include "pmclog/text/text.h"

struct pmc_info {
	uint32_t pmcid;
	uint64_t samples;
	uint64_t rate;
	uint64_t enabled, running; /* ns; 0: it always had a counter, or nobody knows */
	uint64_t paused;	   /* ns */
	bool allocated, frequency;
	char host[64]; /* of a merged log */
	char name[64];
};

/* What a pass over the log has gathered. */
struct info {
	struct {
		bool known;
		uint32_t version, cputype;
		uint64_t tsc_freq, ts_sec;
	} init;
	struct sink *origin; /* the lines on where the log was made */
	uint64_t count[PMCLOG_WIRE_NTYPES];
	uint64_t appendix; /* bytes of its blocks, as they are compressed */
	uint64_t first, last; /* tsc */
	struct pmclog_drops drops;
	VEC(struct pmc_info) pmcs;
	struct table pmc_by_id;
	VEC(uint32_t) pids;
	struct table pid_table;
};

static struct pmc_info *pmc_of(struct info *in, uint32_t pmcid)
{
	uint32_t h = hash_u64(pmcid), i;
	struct table_iter it;

	for (i = table_first(&in->pmc_by_id, h, &it); i != TABLE_NONE;
	     i = table_next(&in->pmc_by_id, &it))
		if (in->pmcs.v[i].pmcid == pmcid)
			return &in->pmcs.v[i];
	i = (uint32_t)in->pmcs.n;
	if (vec_push(&in->pmcs, (struct pmc_info){.pmcid = pmcid}) ||
	    table_insert(&in->pmc_by_id, h, i))
		return NULL;
	return &in->pmcs.v[i];
}

static int see_pid(struct info *in, uint32_t pid)
{
	uint32_t h = hash_u64(pid), i;
	struct table_iter it;

	if (pid == UINT32_MAX)
		return 0;
	for (i = table_first(&in->pid_table, h, &it); i != TABLE_NONE;
	     i = table_next(&in->pid_table, &it))
		if (in->pids.v[i] == pid)
			return 0;
	i = (uint32_t)in->pids.n;
	return vec_push(&in->pids, pid) || table_insert(&in->pid_table, h, i) ? -1 : 0;
}

static void text_line(struct sink *sink, const char *what, const char *s, size_t len)
{
	if (!len)
		return;
	sink_printf(sink, "%-10s ", what);
	pmclog_text_escaped(sink, s, len);
	sink_char(sink, '\n');
}

static void origin_line(struct info *in, const char *what, const struct pmclog_text *t)
{
	text_line(in->origin, what, t->s, t->len);
}

static void see_initialize(struct info *in, const struct pmclog_record *rec)
{
	in->init.known = true;
	in->init.version = rec->u.init.version;
	in->init.cputype = rec->u.init.cputype;
	in->init.tsc_freq = rec->u.init.tsc_freq;
	in->init.ts_sec = rec->u.init.ts_sec;
	in->first = in->last = rec->tsc;
	origin_line(in, "host", &rec->u.init.host);
	origin_line(in, "release", &rec->u.init.release);
	origin_line(in, "machine", &rec->u.init.machine);
	origin_line(in, "boot", &rec->u.init.boot_id);
	origin_line(in, "cpuid", &rec->u.init.cpuid);
	origin_line(in, "collector", &rec->u.init.collector);
	origin_line(in, "command", &rec->u.init.command);
}

static int see_allocate(struct info *in, const struct pmclog_record *rec)
{
	const struct pmclog_text *name =
		rec->u.alloc.spec.len ? &rec->u.alloc.spec : &rec->u.alloc.name;
	struct pmc_info *pmc = pmc_of(in, rec->u.alloc.pmcid);

	if (!pmc)
		return -1;
	pmc->allocated = true;
	pmc->rate = rec->u.alloc.rate;
	pmc->frequency = rec->u.alloc.frequency;
	if (rec->u.alloc.host.len)
		snprintf(pmc->host, sizeof(pmc->host), "%s", rec->u.alloc.host.s);
	if (name->len)
		snprintf(pmc->name, sizeof(pmc->name), "%s", name->s);
	else
		snprintf(pmc->name, sizeof(pmc->name), "0x%" PRIx32, rec->u.alloc.event);
	return 0;
}

/* How long a PMC had a counter, and was paused.  0, or -1 when out of memory. */
static int see_times(struct info *in, const struct pmclog_record *rec)
{
	struct pmc_info *pmc;

	if (!rec->u.drop.enabled && !rec->u.drop.paused)
		return 0;
	if (!(pmc = pmc_of(in, rec->u.drop.pmcid)))
		return -1;
	pmc->enabled += rec->u.drop.enabled;
	pmc->running += rec->u.drop.running;
	pmc->paused += rec->u.drop.paused;
	return 0;
}

static int see_record(const struct pmclog_record *rec, void *arg, struct err *err)
{
	struct info *in = arg;
	struct pmc_info *pmc;
	int failed = 0;

	in->count[rec->type]++;
	in->first = rec->tsc < in->first ? rec->tsc : in->first;
	in->last = rec->tsc > in->last ? rec->tsc : in->last;
	switch (rec->type) {
	case PMCLOG_WIRE_CALLCHAIN:
		if ((pmc = pmc_of(in, rec->u.chain.pmcid)))
			pmc->samples++;
		failed = !pmc || see_pid(in, rec->u.chain.pid);
		break;
	case PMCLOG_WIRE_INITIALIZE: see_initialize(in, rec); break;
	case PMCLOG_WIRE_PMCALLOCATE:
	case PMCLOG_WIRE_PMCALLOCATEDYN: failed = see_allocate(in, rec); break;
	case PMCLOG_WIRE_DROPNOTIFY:
		pmclog_drops_add(&in->drops, rec);
		failed = see_times(in, rec);
		break;
	case PMCLOG_WIRE_PROCEXEC: failed = see_pid(in, rec->u.exec.pid); break;
	case PMCLOG_WIRE_PROCFORK: failed = see_pid(in, rec->u.fork.newpid); break;
	case PMCLOG_WIRE_PROC_CREATE: failed = see_pid(in, rec->u.proc.pid); break;
	case PMCLOG_WIRE_PMCATTACH: failed = see_pid(in, rec->u.attach.pid); break;
	case PMCLOG_WIRE_MAP_IN: failed = see_pid(in, rec->u.map_in.pid); break;
	case PMCLOG_WIRE_APPENDIX: in->appendix += rec->u.appendix.size; break;
	default: break;
	}
	return failed ? err_nomem(err) : 0;
}

/* The PMCs with their rates and samples. */
static void print_pmcs(struct sink *out, const struct info *in)
{
	const struct pmc_info *p;

	vec_each(p, &in->pmcs) {
		sink_printf(out, "pmc        0x%" PRIx32 " ", p->pmcid);
		if (p->allocated)
			pmclog_text_escaped(out, p->name, strlen(p->name));
		else
			sink_str(out, "without a PMCALLOCATE record");
		if (*p->host) {
			sink_str(out, " on ");
			pmclog_text_escaped(out, p->host, strlen(p->host));
		}
		if (p->rate)
			sink_printf(out, p->frequency ? ", %" PRIu64 " Hz" : ", rate %" PRIu64,
				    p->rate);
		sink_printf(out, ", %" PRIu64 " samples", p->samples);
		if (p->enabled)
			sink_printf(out, ", had a counter for %.6f of %.6f s",
				    (double)p->running / 1e9, (double)p->enabled / 1e9);
		if (p->paused)
			sink_printf(out, ", paused for %.6f s", (double)p->paused / 1e9);
		sink_char(out, '\n');
	}
}

/* Where and when the log was made. */
static void print_origin(struct sink *out, const struct info *in, const struct pmclog_machine *m)
{
	const char *cpu = pmclog_cputype_name(in->init.cputype);
	time_t t = (time_t)in->init.ts_sec;
	char when[DATE_SIZE];
	size_t len;
	const char *text = sink_text(in->origin, &len);

	sink_printf(out, "version    0x%08" PRIx32 "\n", in->init.version);
	if (t) {
		date_text(when, t);
		sink_printf(out, "began      %s\n", when);
	}
	if (in->init.tsc_freq)
		sink_printf(out, "time       %.3f s\n",
			    (double)(in->last - in->first) / (double)in->init.tsc_freq);
	sink_printf(out, "cputype    0x%" PRIx32 " %s\n", in->init.cputype, cpu ? cpu : "unknown");
	sink_write(out, text, len);
	text_line(out, "cpu", m->cpu, strlen(m->cpu));
	text_line(out, "release", m->release, strlen(m->release));
	text_line(out, "machine", m->name, m->name ? strlen(m->name) : 0);
	text_line(out, "kernel", m->build_id, strlen(m->build_id));
}

/* Of what is told as one number, how much each cause has that has a word of its own. */
static void print_parts(struct sink *out, const uint64_t *of, const struct pmclog_cause *whole)
{
	const struct pmclog_cause *c;
	const char *before = " (";
	unsigned int rows = 0;

	for (c = pmclog_causes; c < pmclog_causes + pmclog_ncauses; c++)
		rows += c->with == whole->cause;
	for (c = pmclog_causes; rows > 1 && c < pmclog_causes + pmclog_ncauses; c++) {
		if (c->with != whole->cause || !c->word || !of[c->cause])
			continue;
		sink_printf(out, "%s%" PRIu64 " %s", before, of[c->cause], c->word);
		before = ", ";
	}
	if (*before == ',')
		sink_char(out, ')');
}

/* What is missing. */
static void print_drops(struct sink *out, const struct pmclog_drops *d)
{
	const struct pmclog_cause *c;
	uint64_t count;

	sink_printf(out, "lost       %" PRIu64 " samples",
		    pmclog_drops_with(d->of, PMCLOG_DROP_RING));
	print_parts(out, d->of, pmclog_cause(PMCLOG_DROP_RING));
	if (d->unsaid)
		sink_printf(out, ", and %" PRIu64 " times a number that is not said", d->unsaid);
	for (c = pmclog_causes; c < pmclog_causes + pmclog_ncauses; c++) {
		count = pmclog_drops_with(d->of, c->cause);
		if (!count || !c->label)
			continue;
		sink_printf(out, "\n           %" PRIu64 " %s", count, c->label);
		print_parts(out, d->of, c);
	}
	sink_printf(out, "\nthrottled  %" PRIu64 " times\n", d->of[PMCLOG_DROP_THROTTLE]);
}

static void print_info(struct sink *out, const struct info *in,
		       const struct pmclog_reading *reading)
{
	const struct pmclog_reader_stats *st = &reading->stats;
	int i;

	sink_printf(out, "log        %s\n", reading->name);
	print_origin(out, in, &reading->machine);
	print_pmcs(out, in);
	sink_printf(out, "processes  %zu\n", in->pids.n);
	sink_printf(out, "records    %" PRIu64 " in %" PRIu64 " bytes\n", st->records, st->bytes);
	for (i = 0; i < PMCLOG_WIRE_NTYPES; i++)
		if (in->count[i])
			sink_printf(out, "           %-18s %" PRIu64 "\n",
				    pmclog_type_name((enum pmclog_wire_type)i), in->count[i]);
	if (st->unknown)
		sink_printf(out, "           %-18s %" PRIu64 "\n", "unknown types", st->unknown);
	if (st->foreign)
		sink_printf(out, "skipped    %" PRIu64 " parts of multipart call chains\n",
			    st->foreign);
	print_drops(out, &in->drops);
	sink_printf(out, "closed     %s\n", st->closed ? "yes" : "no");
	if (in->appendix)
		sink_printf(out, "appendix   %" PRIu64 " bytes for readers without the files\n",
			    in->appendix);
}

static int run(const struct pmclog_cmd *cmd, int argc, char **argv)
{
	struct info in = {.origin = sink_to_memory()};
	struct sink *out = sink_to_fd(STDOUT_FILENO);
	struct pmclog_reading reading = {.each = see_record, .arg = &in};
	int status = EX_OK, error;
	struct err err = {0};

	if (!in.origin || !out)
		err_nomem(&err);
	else if (pmclog_cmd_read(cmd, argc, argv, &reading, &err))
		status = err.code;
	if (in.init.known)
		print_info(out, &in, &reading);
	error = out ? sink_flush(out) : 0;
	if (err.code)
		status = pmclog_cmd_fail(&err);
	if (error) {
		pmclog_cmd_text_failed(&err, "-", error);
		status = pmclog_cmd_fail(&err);
	}
	sink_free(out);
	sink_free(in.origin);
	vec_free(&in.pmcs);
	vec_free(&in.pids);
	table_clear(&in.pmc_by_id);
	table_clear(&in.pid_table);
	return status;
}

const struct pmclog_cmd pmclog_cmd_info = {
	.name = "info",
	.args = "[FILE]",
	.summary = "tell where a log was made and what it holds",
	.run = run,
};
