// SPDX-License-Identifier: BSD-2-Clause
/*
 * Each record becomes a line, which is read again and made a record: where that is another one the
 * line is given up for the record's bytes.  So nothing that a record holds can be lost, whatever
 * the words above fail to say.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "pmclog/text/assemble.h"
#include "pmclog/text/disassemble.h"
#include "pmclog/drops.h"
#include "pmclog/fold.h"
#include "pmclog/text/text.h"

struct pmclog_disassembler {
	struct sink *out;
	struct sink *line;		    /* the record's */
	VEC(char) again;		    /* the line, for who takes it apart */
	struct pmclog_writer *writer;	    /* of no file */
	struct pmclogint_assembly assembly; /* what has been made of the lines so far */
};

/* A blank, and the name of a field. */
static void put_name(struct sink *s, const char *name)
{
	sink_char(s, ' ');
	sink_str(s, name);
}

static void put_number(struct sink *s, const char *name, uint64_t v)
{
	put_name(s, name);
	sink_u64(s, v);
}

static void put_hex(struct sink *s, const char *name, uint64_t v)
{
	put_name(s, name);
	sink_hex(s, v);
}

/* Whether a text of len bytes is a field as it stands. */
static bool is_plain(const char *text, size_t len)
{
	size_t i;

	for (i = 0; i < len; i++)
		if (text[i] <= ' ' || text[i] > '~' || strchr("\"#\\", text[i]))
			return false;
	return len > 0;
}

/* name and a text without NUL, in quotes where it needs them. */
static void put_text(struct sink *s, const char *name, const char *text, size_t len)
{
	size_t i, end;
	bool control;

	put_name(s, name);
	if (is_plain(text, len)) {
		sink_write(s, text, len);
		return;
	}
	sink_char(s, '"');
	for (i = 0; i < len;) {
		if (text[i] == '"' || text[i] == '\\')
			sink_char(s, '\\');
		for (end = i + pmclog_text_step(text + i, &control); i < end; i++)
			if (control)
				sink_printf(s, "\\x%02x", (unsigned char)text[i]);
			else
				sink_char(s, text[i]);
	}
	sink_char(s, '"');
}

/* A field that is left out where its text is not there. */
static void put_optional(struct sink *s, const char *name, const struct pmclog_text *t)
{
	if (t->s)
		put_text(s, name, t->s, t->len);
}

static void put_bytes(struct sink *s, const uint8_t *bytes, size_t len)
{
	static const char hex[] = "0123456789abcdef";
	size_t i;

	for (i = 0; i < len; i++) {
		sink_char(s, hex[bytes[i] >> 4]);
		sink_char(s, hex[bytes[i] & 15]);
	}
}

/* The process that a map is of. */
static void put_space(struct sink *s, uint32_t pid)
{
	if (pid == UINT32_MAX)
		put_name(s, "kernel");
	else
		put_number(s, "", pid);
}

static void put_origin(struct sink *s, const struct pmclog_record *rec)
{
	sink_str(s, "origin bare");
	put_optional(s, "host=", &rec->u.init.host);
	put_optional(s, "release=", &rec->u.init.release);
	put_optional(s, "machine=", &rec->u.init.machine);
	put_optional(s, "boot-id=", &rec->u.init.boot_id);
	put_optional(s, "collector=", &rec->u.init.collector);
	put_optional(s, "command=", &rec->u.init.command);
	if (rec->u.init.cpuid.len)
		put_optional(s, "cpuid=", &rec->u.init.cpuid);
	put_hex(s, "cputype=", rec->u.init.cputype);
	put_number(s, "freq=", rec->u.init.tsc_freq);
	put_number(s, "sec=", rec->u.init.ts_sec);
	put_number(s, "nsec=", rec->u.init.ts_nsec);
	if (rec->u.init.version == PMCLOG_WIRE_VERSION_10)
		put_name(s, "version=10");
}

static void put_pmc(struct sink *s, const struct pmclog_record *rec)
{
	sink_str(s, "pmc");
	put_hex(s, "", rec->u.alloc.pmcid);
	put_text(s, "", rec->u.alloc.name.s, rec->u.alloc.name.len);
	put_number(s, rec->u.alloc.frequency ? "hz=" : "rate=", rec->u.alloc.rate);
	put_hex(s, "flags=", rec->u.alloc.flags);
	if (rec->u.alloc.max_depth)
		put_number(s, "depth=", rec->u.alloc.max_depth);
	put_hex(s, "event=", rec->u.alloc.event);
	put_optional(s, "spec=", &rec->u.alloc.spec);
	put_optional(s, "host=", &rec->u.alloc.host);
}

/* Each argument, and whether the last one is cut. */
static void put_arguments(struct sink *s, const struct pmclog_text *t)
{
	size_t at, len;

	for (at = 0; at < t->len; at += len + 1) {
		len = strnlen(t->s + at, t->len - at);
		put_text(s, "arg=", t->s + at, len);
		if (at + len == t->len)
			put_name(s, "cut");
	}
}

static void put_exec(struct pmclog_disassembler *d, const struct pmclog_record *rec)
{
	const uint32_t pmcid = rec->u.exec.pmcid;
	struct sink *s = d->line;

	sink_str(s, "exec");
	put_number(s, "", rec->u.exec.pid);
	put_text(s, "", rec->u.exec.path.s, rec->u.exec.path.len);
	if (rec->u.exec.entry)
		put_hex(s, "entry=", rec->u.exec.entry);
	if (pmcid == pmclogint_assembly_pmc(&d->assembly, SCRIPT_EXEC))
		;
	else if (pmcid == UINT32_MAX)
		put_name(s, "pmc=none");
	else
		put_hex(s, "pmc=", pmcid);
	put_arguments(s, &rec->u.exec.arguments);
}

static void put_map(struct sink *s, const struct pmclog_record *rec)
{
	sink_str(s, "map");
	put_space(s, rec->u.map_in.pid);
	put_hex(s, "", rec->u.map_in.start);
	put_hex(s, "", rec->u.map_in.length);
	put_text(s, "", rec->u.map_in.path.s, rec->u.map_in.path.len);
	if (rec->u.map_in.file_offset)
		put_hex(s, "off=", rec->u.map_in.file_offset);
	if (rec->u.map_in.inode) {
		put_number(s, "dev=", rec->u.map_in.device >> 32);
		sink_char(s, ':');
		sink_u64(s, rec->u.map_in.device & UINT32_MAX);
		put_number(s, "inode=", rec->u.map_in.inode);
	}
	if (rec->u.map_in.build_id_len) {
		put_name(s, "build-id=");
		put_bytes(s, rec->u.map_in.build_id, rec->u.map_in.build_id_len);
	}
	put_optional(s, "sym=", &rec->u.map_in.symbol);
}

static void put_unmap(struct sink *s, const struct pmclog_record *rec)
{
	sink_str(s, "unmap");
	put_space(s, rec->u.map_out.pid);
	put_hex(s, "", rec->u.map_out.start);
	put_hex(s, "", rec->u.map_out.end);
}

/* Frames of a chain that repeats none. */
static void put_pcs(struct sink *s, const uint64_t *pcs, uint32_t n)
{
	uint32_t i;

	for (i = 0; i < n; i++) {
		if (i)
			sink_char(s, ',');
		sink_hex(s, pcs[i]);
	}
	if (!n)
		sink_char(s, '-');
}

/* The frames of a record, with the turns that it repeats. */
static void put_turns(struct sink *s, const struct pmclogint_folded *f)
{
	const struct pmclog_wire_repeat *r = f->repeats, *end = r + f->nrepeats;
	uint32_t i;

	for (i = 0; i < f->n; i++) {
		if (i)
			sink_char(s, ',');
		if (r < end && i == r->first)
			sink_char(s, '(');
		sink_hex(s, f->pcs[i]);
		if (r < end && i + 1 == r->first + r->frames) {
			sink_str(s, ")*");
			sink_u64(s, r->times);
			r++;
		}
	}
}

static const uint8_t *marks_of(const struct pmclog_marks *m, uint8_t *bits)
{
	if (m->length)
		memcpy(bits, m->bits, m->length);
	return bits;
}

/* A chain that repeats frames is written with its turns where they are all of it. */
static void put_frames(struct sink *s, const struct pmclog_record *rec)
{
	uint8_t guessed[PMCLOG_MAX_FRAMES / 8] = {0}, exact[PMCLOG_MAX_FRAMES / 8] = {0};
	const struct pmclog_chain chain = {
		.npcs = rec->u.chain.npcs,
		.pcs = rec->u.chain.pcs,
		.stitched = rec->u.chain.stitched,
		.guessed = marks_of(&rec->u.chain.guessed, guessed),
		.exact = marks_of(&rec->u.chain.exact, exact),
	};
	struct pmclogint_folded f;

	pmclogint_fold(&chain, &f);
	if (f.is_whole)
		put_turns(s, &f);
	else
		put_pcs(s, chain.pcs, chain.npcs);
}

/* The marked ones of n frames, as a list. */
static void put_marks(struct sink *s, const char *name, const struct pmclog_marks *m, uint32_t n)
{
	uint32_t i, first;

	for (i = 0; i < n && i / 8 < m->length; i++) {
		if (!pmclog_is_marked(m, i))
			continue;
		for (first = i; i + 1 < n && pmclog_is_marked(m, i + 1); i++)
			;
		if (*name)
			put_name(s, name);
		else
			sink_char(s, ',');
		name = "";
		sink_u64(s, first);
		if (i > first) {
			sink_char(s, '-');
			sink_u64(s, i);
		}
	}
}

static void put_sample(struct pmclog_disassembler *d, const struct pmclog_record *rec)
{
	const char *end = pmclog_end_name(rec->u.chain.end);
	struct sink *s = d->line;

	sink_str(s, "sample");
	put_number(s, "", rec->u.chain.pid);
	if (rec->u.chain.tid != rec->u.chain.pid) {
		sink_char(s, '/');
		sink_u64(s, rec->u.chain.tid);
	}
	sink_char(s, ' ');
	if (rec->u.chain.nfolded)
		put_frames(s, rec);
	else
		put_pcs(s, rec->u.chain.pcs, rec->u.chain.npcs);
	if (rec->u.chain.pmcid != pmclogint_assembly_pmc(&d->assembly, SCRIPT_SAMPLE))
		put_hex(s, "pmc=", rec->u.chain.pmcid);
	if (rec->u.chain.cpu)
		put_number(s, "cpu=", rec->u.chain.cpu);
	if (!rec->u.chain.usermode)
		put_name(s, "k");
	if (rec->u.chain.end && end)
		put_text(s, "end=", end, strlen(end));
	if (rec->u.chain.stitched)
		put_number(s, "stitched=", rec->u.chain.stitched);
	put_marks(s, "guessed=", &rec->u.chain.guessed, rec->u.chain.npcs);
	put_marks(s, "exact=", &rec->u.chain.exact, rec->u.chain.npcs);
}

static void put_drop(struct pmclog_disassembler *d, const struct pmclog_record *rec)
{
	const char *word = pmclog_cause(rec->u.drop.cause)->word;
	const bool shared = rec->u.drop.cause == PMCLOG_DROP_SHARED;
	struct sink *s = d->line;

	if (shared) {
		sink_str(s, "shared");
		put_number(s, "", rec->u.drop.enabled);
		put_number(s, "", rec->u.drop.running);
	} else {
		sink_str(s, "drop");
		put_number(s, "", rec->u.drop.count);
	}
	if (rec->u.drop.cpu)
		put_number(s, "cpu=", rec->u.drop.cpu);
	if (word && !shared)
		put_name(s, word);
	if (rec->u.drop.pmcid !=
	    pmclogint_assembly_pmc(&d->assembly, shared ? SCRIPT_SHARED : SCRIPT_DROP))
		put_hex(s, "pmc=", rec->u.drop.pmcid);
	if (rec->u.drop.paused)
		put_number(s, "paused=", rec->u.drop.paused);
}

/* A statement with the PMC and the process that it is about. */
static void put_of_pmc(struct sink *s, const char *word, uint32_t pmcid, uint32_t pid)
{
	sink_str(s, word);
	put_hex(s, "", pmcid);
	put_number(s, "", pid);
}

/* The records of PMCs; false: it is of another kind. */
static bool put_counting(struct sink *s, const struct pmclog_record *rec)
{
	switch (rec->type) {
	case PMCLOG_WIRE_PMCALLOCATEDYN: put_pmc(s, rec); break;
	case PMCLOG_WIRE_PMCATTACH:
		put_of_pmc(s, "attach", rec->u.attach.pmcid, rec->u.attach.pid);
		if (rec->u.attach.path.len)
			put_optional(s, "", &rec->u.attach.path);
		break;
	case PMCLOG_WIRE_PMCDETACH:
		put_of_pmc(s, "detach", rec->u.attach.pmcid, rec->u.attach.pid);
		if (rec->u.attach.has_times) {
			put_number(s, "ran=", rec->u.attach.user);
			sink_char(s, ',');
			sink_u64(s, rec->u.attach.system);
		}
		break;
	case PMCLOG_WIRE_PROCCSW:
		put_of_pmc(s, "csw", rec->u.csw.pmcid, rec->u.csw.pid);
		put_number(s, "", rec->u.csw.tid);
		put_number(s, "", rec->u.csw.value);
		break;
	case PMCLOG_WIRE_PROCEXIT:
		put_of_pmc(s, "exitval", rec->u.exit.pmcid, rec->u.exit.pid);
		put_number(s, "", rec->u.exit.value);
		break;
	default: return false;
	}
	return true;
}

/* One word and one number. */
static void put_single(struct sink *s, const char *word, uint64_t v)
{
	sink_str(s, word);
	put_number(s, "", v);
}

/* The records of processes and threads, and of the log; false: no statement writes such a one. */
static bool put_task(struct pmclog_disassembler *d, const struct pmclog_record *rec)
{
	struct sink *s = d->line;

	switch (rec->type) {
	case PMCLOG_WIRE_CLOSELOG: sink_str(s, "close"); break;
	case PMCLOG_WIRE_DROPNOTIFY: put_drop(d, rec); break;
	case PMCLOG_WIRE_USERDATA: put_single(s, "user", rec->u.user.userdata); break;
	case PMCLOG_WIRE_PROCEXEC: put_exec(d, rec); break;
	case PMCLOG_WIRE_PROCFORK:
		put_single(s, "fork", rec->u.fork.oldpid);
		put_number(s, "", rec->u.fork.newpid);
		break;
	case PMCLOG_WIRE_SYSEXIT: put_single(s, "exit", rec->u.sysexit.pid); break;
	case PMCLOG_WIRE_MAP_IN: put_map(s, rec); break;
	case PMCLOG_WIRE_MAP_OUT: put_unmap(s, rec); break;
	case PMCLOG_WIRE_THR_CREATE:
		put_single(s, "thread", rec->u.thr.tid);
		put_number(s, "", rec->u.thr.pid);
		put_text(s, "", rec->u.thr.name.s, rec->u.thr.name.len);
		break;
	case PMCLOG_WIRE_THR_EXIT: put_single(s, "thread-exit", rec->u.thr.tid); break;
	case PMCLOG_WIRE_PROC_CREATE:
		put_single(s, "proc", rec->u.proc.pid);
		put_text(s, "", rec->u.proc.comm.s, rec->u.proc.comm.len);
		break;
	default: return false;
	}
	return true;
}

/* The record's line, without its end; false: no statement writes such a record. */
static bool put_record(struct pmclog_disassembler *d, const struct pmclog_record *rec)
{
	struct sink *s = d->line;

	sink_clear(s);
	if (rec->type == PMCLOG_WIRE_NTYPES)
		return false;
	if (rec->tsc != d->assembly.player.clock) {
		sink_char(s, '@');
		sink_u64(s, rec->tsc);
		sink_char(s, ' ');
	}
	if (rec->type == PMCLOG_WIRE_INITIALIZE)
		put_origin(s, rec);
	else if (rec->type == PMCLOG_WIRE_CALLCHAIN)
		put_sample(d, rec);
	else
		return put_counting(s, rec) || put_task(d, rec);
	return true;
}

/* Has the line read; what is made of it is in the writer then. */
static int read_line(struct pmclog_disassembler *d, struct err *err)
{
	size_t len;
	const char *text = sink_text(d->line, &len);

	if (vec_reserve(&d->again, len + 1))
		return err_nomem(err);
	memcpy(d->again.v, text, len + 1);
	return pmclogint_assembly_add(&d->assembly, d->again.v, len, err);
}

/* Whether the line is the record. */
static bool is_record(struct pmclog_disassembler *d, const struct pmclog_record *rec)
{
	const uint8_t *bytes;
	size_t len;

	if (read_line(d, NULL) || (rec->type == PMCLOG_WIRE_INITIALIZE &&
				   pmclogint_assembly_end(&d->assembly, NULL)))
		return false;
	bytes = pmclog_writer_take(d->writer, &len);
	return len == rec->length && !memcmp(bytes, rec->raw, len);
}

static void write_line(struct pmclog_disassembler *d)
{
	size_t len;
	const char *text = sink_text(d->line, &len);

	sink_write(d->out, text, len);
	sink_char(d->out, '\n');
}

/* The log's first record cannot be said: what it says of later ones. */
static int write_no_origin(struct pmclog_disassembler *d, const struct pmclog_record *rec,
			   struct err *err)
{
	pmclogint_assembly_fini(&d->assembly);
	sink_clear(d->line);
	sink_str(d->line, "origin none bare");
	if (rec->u.init.version >> 24 == PMCLOG_WIRE_VERSION_10 >> 24)
		sink_str(d->line, " version=10");
	if (pmclogint_assembly_init(&d->assembly, d->writer, "text", false, err) ||
	    read_line(d, err) || pmclogint_assembly_end(&d->assembly, err))
		return -1;
	write_line(d);
	return 0;
}

static void write_raw(struct pmclog_disassembler *d, const struct pmclog_record *rec)
{
	sink_str(d->out, "raw ");
	put_bytes(d->out, rec->raw, rec->length);
	sink_str(d->out, " # ");
	sink_str(d->out, pmclog_type_name(rec->type));
	sink_char(d->out, '\n');
}

int pmclog_disassembler_record(struct pmclog_disassembler *d, const struct pmclog_record *rec,
			       struct err *err)
{
	struct pmclogint_assembly *a = &d->assembly;
	const uint64_t clock = a->player.clock;
	const uint32_t first = a->first;
	const bool has_pmc = a->has_pmc;

	if (put_record(d, rec) && is_record(d, rec)) {
		write_line(d);
		return 0;
	}
	/* As if the line had not been read. */
	a->player.clock = clock;
	a->first = first;
	a->has_pmc = has_pmc;
	if (pmclog_script_forget(a->script, err))
		return -1;
	if (rec->type == PMCLOG_WIRE_INITIALIZE && write_no_origin(d, rec, err))
		return -1;
	write_raw(d, rec);
	return 0;
}

struct pmclog_disassembler *pmclog_disassembler_new(struct sink *out, struct err *err)
{
	struct pmclog_disassembler *d = calloc(1, sizeof(*d));

	if (d) {
		d->out = out;
		d->line = sink_to_memory();
		d->writer = pmclog_writer_new(-1, "text", NULL);
		if (d->line && d->writer &&
		    !pmclogint_assembly_init(&d->assembly, d->writer, "text", false, NULL))
			return d;
	}
	pmclog_disassembler_free(d);
	err_nomem(err);
	return NULL;
}

void pmclog_disassembler_free(struct pmclog_disassembler *d)
{
	if (!d)
		return;
	pmclogint_assembly_fini(&d->assembly);
	pmclog_writer_free(d->writer);
	sink_free(d->line);
	vec_free(&d->again);
	free(d);
}
