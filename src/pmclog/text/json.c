// SPDX-License-Identifier: BSD-2-Clause
/*
 * The keys are those of FreeBSD's pmc filter -j.  Addresses and sets of bits are texts in
 * hexadecimal, since readers of JSON need not keep more than 53 bits of a number.
 */
#include <string.h>

#include "base/json.h"
#include "pmclog/text/json.h"

static void put_key(struct sink *s, const char *key)
{
	sink_str(s, ",\"");
	sink_str(s, key);
	sink_str(s, "\":");
}

static void put_number(struct sink *s, const char *key, uint64_t v)
{
	put_key(s, key);
	sink_u64(s, v);
}

/* A count that the log has in 64 bits and means as signed. */
static void put_signed(struct sink *s, const char *key, uint64_t v)
{
	put_key(s, key);
	if ((int64_t)v < 0)
		sink_char(s, '-');
	sink_u64(s, (int64_t)v < 0 ? -v : v);
}

/* A pid or a tid: -1 for the kernel, or none. */
static void put_id(struct sink *s, const char *key, uint32_t v)
{
	put_signed(s, key, (uint64_t)(int64_t)(int32_t)v);
}

static void put_bare_hex(struct sink *s, uint64_t v)
{
	sink_char(s, '"');
	sink_hex(s, v);
	sink_char(s, '"');
}

static void put_hex(struct sink *s, const char *key, uint64_t v)
{
	put_key(s, key);
	put_bare_hex(s, v);
}

static void put_text(struct sink *s, const char *key, const struct pmclog_text *t)
{
	put_key(s, key);
	json_string(s, t->s ? t->s : "");
}

/* What the log need not say. */
static void put_known_text(struct sink *s, const char *key, const struct pmclog_text *t)
{
	if (t->len)
		put_text(s, key, t);
}

static void put_known_number(struct sink *s, const char *key, uint64_t v)
{
	if (v)
		put_number(s, key, v);
}

static void put_init(struct sink *s, const struct pmclog_record *rec)
{
	put_hex(s, "version", rec->u.init.version);
	put_hex(s, "arch", rec->u.init.cputype);
	put_text(s, "cpuid", &rec->u.init.cpuid);
	put_number(s, "tsc_freq", rec->u.init.tsc_freq);
	put_number(s, "sec", rec->u.init.ts_sec);
	put_number(s, "nsec", rec->u.init.ts_nsec);
	put_known_text(s, "host", &rec->u.init.host);
	put_known_text(s, "release", &rec->u.init.release);
	put_known_text(s, "machine", &rec->u.init.machine);
	put_known_text(s, "boot_id", &rec->u.init.boot_id);
	put_known_text(s, "command", &rec->u.init.command);
	put_known_text(s, "collector", &rec->u.init.collector);
}

static void put_drop(struct sink *s, const struct pmclog_record *rec)
{
	if (!rec->u.drop.count_known)
		return;
	put_number(s, "count", rec->u.drop.count);
	put_id(s, "cpu", rec->u.drop.cpu);
	put_number(s, "cause", rec->u.drop.cause);
	if (rec->u.drop.pmcid != UINT32_MAX)
		put_hex(s, "pmcid", rec->u.drop.pmcid);
	if (rec->u.drop.cause == PMCLOG_DROP_SHARED) {
		put_number(s, "enabled", rec->u.drop.enabled);
		put_number(s, "running", rec->u.drop.running);
	}
	put_known_number(s, "paused", rec->u.drop.paused);
}

static void put_alloc(struct sink *s, const struct pmclog_record *rec)
{
	put_hex(s, "pmcid", rec->u.alloc.pmcid);
	put_hex(s, "event", rec->u.alloc.event);
	put_hex(s, "flags", rec->u.alloc.flags);
	put_known_text(s, "evname", &rec->u.alloc.name);
	put_known_text(s, "spec", &rec->u.alloc.spec);
	put_known_text(s, "host", &rec->u.alloc.host);
	put_known_number(s, rec->u.alloc.frequency ? "frequency" : "rate", rec->u.alloc.rate);
	put_known_number(s, "max_depth", rec->u.alloc.max_depth);
}

/* Each argument has a NUL behind it, but for a last one that was cut. */
static void put_arguments(struct sink *s, const struct pmclog_text *t)
{
	char cut[PMCLOG_MAX_ARGUMENTS + 1];
	const char *p, *end;
	size_t len;

	if (!t->len)
		return;
	end = t->s + t->len;
	put_key(s, "arguments");
	sink_char(s, '[');
	for (p = t->s; p < end; p += len + 1) {
		if (p > t->s)
			sink_char(s, ',');
		len = strnlen(p, (size_t)(end - p));
		memcpy(cut, p, len);
		cut[len] = '\0';
		json_string(s, cut);
	}
	sink_char(s, ']');
	if (end[-1])
		sink_str(s, ",\"arguments_cut\":true");
}

static void put_exec(struct sink *s, const struct pmclog_record *rec)
{
	put_hex(s, "pmcid", rec->u.exec.pmcid);
	put_id(s, "pid", rec->u.exec.pid);
	if (rec->u.exec.has_base) {
		put_hex(s, "base", rec->u.exec.base);
		put_hex(s, "dyn", rec->u.exec.dyn);
	} else {
		put_hex(s, "start", rec->u.exec.entry);
	}
	put_text(s, "pathname", &rec->u.exec.path);
	put_arguments(s, &rec->u.exec.arguments);
}

static void put_map_in(struct sink *s, const struct pmclog_record *rec)
{
	uint32_t i;

	put_id(s, "pid", rec->u.map_in.pid);
	put_hex(s, "start", rec->u.map_in.start);
	put_text(s, "pathname", &rec->u.map_in.path);
	put_known_number(s, "length", rec->u.map_in.length);
	if (rec->u.map_in.has_file_offset)
		put_number(s, "file_offset", rec->u.map_in.file_offset);
	if (rec->u.map_in.device)
		put_hex(s, "device", rec->u.map_in.device);
	put_known_number(s, "inode", rec->u.map_in.inode);
	put_known_text(s, "symbol", &rec->u.map_in.symbol);
	if (!rec->u.map_in.build_id_len)
		return;
	put_key(s, "build_id");
	sink_char(s, '"');
	for (i = 0; i < rec->u.map_in.build_id_len; i++)
		sink_printf(s, "%02x", rec->u.map_in.build_id[i]);
	sink_char(s, '"');
}

static void put_marked(struct sink *s, const char *key, const struct pmclog_marks *m, uint32_t n)
{
	const char *before = "";
	uint32_t i;

	if (!m->length)
		return;
	put_key(s, key);
	sink_char(s, '[');
	for (i = 0; i < n && i / 8 < m->length; i++)
		if (pmclog_is_marked(m, i)) {
			sink_str(s, before);
			sink_u64(s, i);
			before = ",";
		}
	sink_char(s, ']');
}

static void put_chain(struct sink *s, const struct pmclog_record *rec)
{
	const char *end = pmclog_end_name(rec->u.chain.end);
	uint32_t i;

	put_hex(s, "pmcid", rec->u.chain.pmcid);
	put_id(s, "pid", rec->u.chain.pid);
	put_id(s, "tid", rec->u.chain.tid);
	put_number(s, "cpu", rec->u.chain.cpu);
	sink_str(s, rec->u.chain.usermode ? ",\"mode\":\"user\"" : ",\"mode\":\"system\"");
	if (!end)
		put_number(s, "end", rec->u.chain.end);
	else if (rec->u.chain.end)
		sink_printf(s, ",\"end\":\"%s\"", end);
	put_key(s, "pc");
	sink_char(s, '[');
	for (i = 0; i < rec->u.chain.npcs; i++) {
		if (i)
			sink_char(s, ',');
		put_bare_hex(s, rec->u.chain.pcs[i]);
	}
	sink_char(s, ']');
	put_known_number(s, "folded", rec->u.chain.nfolded);
	put_known_number(s, "stitched", rec->u.chain.stitched);
	put_marked(s, "guessed", &rec->u.chain.guessed, rec->u.chain.npcs);
	put_marked(s, "exact", &rec->u.chain.exact, rec->u.chain.npcs);
}

/* The records of processes and threads. */
static void put_task(struct sink *s, const struct pmclog_record *rec)
{
	switch (rec->type) {
	case PMCLOG_WIRE_PROCEXEC: put_exec(s, rec); break;
	case PMCLOG_WIRE_PROCFORK:
		put_id(s, "oldpid", rec->u.fork.oldpid);
		put_id(s, "newpid", rec->u.fork.newpid);
		break;
	case PMCLOG_WIRE_SYSEXIT: put_id(s, "pid", rec->u.sysexit.pid); break;
	case PMCLOG_WIRE_PROC_CREATE:
		put_id(s, "pid", rec->u.proc.pid);
		put_hex(s, "flags", rec->u.proc.flags);
		put_text(s, "pcomm", &rec->u.proc.comm);
		break;
	case PMCLOG_WIRE_THR_CREATE:
		put_id(s, "tid", rec->u.thr.tid);
		put_id(s, "pid", rec->u.thr.pid);
		put_hex(s, "flags", rec->u.thr.flags);
		put_text(s, "tdname", &rec->u.thr.name);
		break;
	case PMCLOG_WIRE_THR_EXIT: put_id(s, "tid", rec->u.thr.tid); break;
	case PMCLOG_WIRE_MAP_IN: put_map_in(s, rec); break;
	case PMCLOG_WIRE_MAP_OUT:
		put_id(s, "pid", rec->u.map_out.pid);
		put_hex(s, "start", rec->u.map_out.start);
		put_hex(s, "end", rec->u.map_out.end);
		break;
	default: break;
	}
}

/* The records of PMCs. */
static void put_pmc(struct sink *s, const struct pmclog_record *rec)
{
	switch (rec->type) {
	case PMCLOG_WIRE_PMCATTACH:
	case PMCLOG_WIRE_PMCDETACH:
		put_hex(s, "pmcid", rec->u.attach.pmcid);
		put_id(s, "pid", rec->u.attach.pid);
		if (rec->type == PMCLOG_WIRE_PMCATTACH)
			put_text(s, "pathname", &rec->u.attach.path);
		if (rec->u.attach.has_times) {
			put_number(s, "user_ns", rec->u.attach.user);
			put_number(s, "system_ns", rec->u.attach.system);
		}
		break;
	case PMCLOG_WIRE_PROCCSW:
		put_hex(s, "pmcid", rec->u.csw.pmcid);
		put_id(s, "pid", rec->u.csw.pid);
		put_id(s, "tid", rec->u.csw.tid);
		put_signed(s, "value", rec->u.csw.value);
		break;
	case PMCLOG_WIRE_PROCEXIT:
		put_hex(s, "pmcid", rec->u.exit.pmcid);
		put_id(s, "pid", rec->u.exit.pid);
		put_signed(s, "value", rec->u.exit.value);
		break;
	case PMCLOG_WIRE_GROUP_INHERIT_MISS:
		put_hex(s, "pmcid", rec->u.miss.pmcid);
		put_id(s, "pid", rec->u.miss.pid);
		break;
	default: put_task(s, rec); break;
	}
}

/* As FreeBSD names types: CALLCHAIN is callchain. */
static void put_type(struct sink *s, const struct pmclog_record *rec)
{
	const char *p;

	sink_str(s, "{\"type\":\"");
	for (p = pmclog_type_name(rec->type); *p; p++)
		sink_char(s, *p >= 'A' && *p <= 'Z' ? (char)(*p + 'a' - 'A') : *p);
	sink_char(s, '"');
	put_number(s, "tsc", rec->tsc);
}

void pmclog_json_record(struct sink *s, const struct pmclog_record *rec)
{
	put_type(s, rec);
	switch (rec->type) {
	case PMCLOG_WIRE_CALLCHAIN: put_chain(s, rec); break;
	case PMCLOG_WIRE_INITIALIZE: put_init(s, rec); break;
	case PMCLOG_WIRE_DROPNOTIFY: put_drop(s, rec); break;
	case PMCLOG_WIRE_USERDATA: put_hex(s, "userdata", rec->u.user.userdata); break;
	case PMCLOG_WIRE_PMCALLOCATE:
	case PMCLOG_WIRE_PMCALLOCATEDYN: put_alloc(s, rec); break;
	case PMCLOG_WIRE_APPENDIX:
		put_number(s, "block", rec->u.appendix.type);
		put_number(s, "size", rec->u.appendix.size);
		put_number(s, "left", rec->u.appendix.left);
		break;
	default: put_pmc(s, rec); break;
	}
	sink_write(s, "}\n", 2);
}
