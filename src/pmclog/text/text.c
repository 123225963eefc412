// SPDX-License-Identifier: BSD-2-Clause
#include <inttypes.h>
#include <string.h>

#include "pmclog/drops.h"
#include "pmclog/text/text.h"

/* enum pmc_cputype of FreeBSD 14. */
static const struct {
	uint32_t cputype;
	const char *name;
} cputypes[] = {
	{0x00, "AMD_K7"},
	{0x01, "AMD_K8"},
	{0x80, "INTEL_P5"},
	{0x81, "INTEL_P6"},
	{0x82, "INTEL_CL"},
	{0x83, "INTEL_PII"},
	{0x84, "INTEL_PIII"},
	{0x85, "INTEL_PM"},
	{0x86, "INTEL_PIV"},
	{0x87, "INTEL_CORE"},
	{0x88, "INTEL_CORE2"},
	{0x89, "INTEL_CORE2EXTREME"},
	{0x8a, "INTEL_ATOM"},
	{0x8b, "INTEL_COREI7"},
	{0x8c, "INTEL_WESTMERE"},
	{0x8d, "INTEL_SANDYBRIDGE"},
	{0x8e, "INTEL_IVYBRIDGE"},
	{0x8f, "INTEL_SANDYBRIDGE_XEON"},
	{0x90, "INTEL_IVYBRIDGE_XEON"},
	{0x91, "INTEL_HASWELL"},
	{0x92, "INTEL_ATOM_SILVERMONT"},
	{0x93, "INTEL_NEHALEM_EX"},
	{0x94, "INTEL_WESTMERE_EX"},
	{0x95, "INTEL_HASWELL_XEON"},
	{0x96, "INTEL_BROADWELL"},
	{0x97, "INTEL_BROADWELL_XEON"},
	{0x98, "INTEL_SKYLAKE"},
	{0x99, "INTEL_SKYLAKE_XEON"},
	{0x100, "INTEL_XSCALE"},
	{0x200, "MIPS_24K"},
	{0x201, "MIPS_OCTEON"},
	{0x202, "MIPS_74K"},
	{0x300, "PPC_7450"},
	{0x340, "PPC_E500"},
	{0x380, "PPC_970"},
	{0x400, "GENERIC"},
	{0x500, "ARMV7_CORTEX_A5"},
	{0x501, "ARMV7_CORTEX_A7"},
	{0x502, "ARMV7_CORTEX_A8"},
	{0x503, "ARMV7_CORTEX_A9"},
	{0x504, "ARMV7_CORTEX_A15"},
	{0x505, "ARMV7_CORTEX_A17"},
	{0x600, "ARMV8_CORTEX_A53"},
	{0x601, "ARMV8_CORTEX_A57"},
};

const char *pmclog_cputype_name(uint32_t cputype)
{
	size_t i;

	for (i = 0; i < sizeof(cputypes) / sizeof(cputypes[0]); i++)
		if (cputypes[i].cputype == cputype)
			return cputypes[i].name;
	return NULL;
}

/* A keyword in 9 columns and the space behind it. */
static void keyword(struct sink *s, const char *word)
{
	size_t len = strlen(word);

	sink_write(s, word, len);
	sink_fill(s, ' ', len < 9 ? 10 - len : 1);
}

/* Numbers that FreeBSD prints as signed: -1 is the kernel's process, or "every process". */
static void put_signed(struct sink *s, int64_t v)
{
	if (v < 0)
		sink_char(s, '-');
	sink_u64(s, v < 0 ? -(uint64_t)v : (uint64_t)v);
}

static void put_id(struct sink *s, uint32_t id)
{
	put_signed(s, (int32_t)id);
}

void pmclog_text_escaped(struct sink *s, const char *text, size_t len)
{
	size_t i, from = 0, end;
	bool control;

	for (i = 0; i < len; i = end) {
		end = i + pmclog_text_step(text + i, &control);
		if (!control)
			continue;
		sink_write(s, text + from, i - from);
		for (; i < end; i++)
			sink_printf(s, "\\%03o", (unsigned char)text[i]);
		from = end;
	}
	if (len > from)
		sink_write(s, text + from, len - from);
}

static void put_quoted(struct sink *s, const struct pmclog_text *t)
{
	sink_char(s, '"');
	pmclog_text_escaped(s, t->s, t->len);
	sink_char(s, '"');
}

/* The marked ones of n frames. */
static void put_marked(struct sink *s, const char *name, const struct pmclog_marks *m, uint32_t n)
{
	const char *before = name;
	uint32_t i;

	for (i = 0; i < n && i / 8 < m->length; i++)
		if (pmclog_is_marked(m, i)) {
			sink_str(s, before);
			sink_u64(s, i);
			before = ",";
		}
}

/* How the chain ended, and its marked frames: nothing of it is in FreeBSD's logs. */
static void put_marks(struct sink *s, const struct pmclog_record *rec)
{
	const char *end = pmclog_end_name(rec->u.chain.end);

	if (!end)
		sink_printf(s, " end=%u", rec->u.chain.end);
	else if (rec->u.chain.end)
		sink_printf(s, " end=%s", end);
	if (rec->u.chain.stitched)
		sink_printf(s, " stitched=%u", rec->u.chain.stitched);
	if (rec->u.chain.nfolded)
		sink_printf(s, " folded=%u", rec->u.chain.nfolded);
	put_marked(s, " guessed=", &rec->u.chain.guessed, rec->u.chain.npcs);
	put_marked(s, " exact=", &rec->u.chain.exact, rec->u.chain.npcs);
}

/* The hot path: one line per frame, put together here so that the sink is called once for each. */
static void put_chain(struct sink *s, const struct pmclog_record *rec)
{
	static const char hex[] = "0123456789abcdef";
	char line[32] = "...       0x";
	uint32_t i;

	keyword(s, "callchain");
	put_id(s, rec->u.chain.pid);
	sink_char(s, ' ');
	sink_hex(s, rec->u.chain.pmcid);
	sink_char(s, ' ');
	sink_u64(s, rec->u.chain.cpu);
	sink_char(s, ' ');
	sink_u64(s, rec->u.chain.npcs);
	sink_write(s, rec->u.chain.usermode ? " u" : " s", 2);
	if (rec->u.chain.end || rec->u.chain.stitched || rec->u.chain.nfolded ||
	    rec->u.chain.guessed.length || rec->u.chain.exact.length)
		put_marks(s, rec);
	sink_char(s, '\n');
	for (i = 0; i < rec->u.chain.npcs; i++) {
		uint64_t pc = rec->u.chain.pcs[i];
		int digits = pc ? 16 - __builtin_clzll(pc) / 4 : 1, d;

		for (d = digits; d > 0; d--, pc >>= 4)
			line[11 + d] = hex[pc & 15];
		line[12 + digits] = '\n';
		sink_write(s, line, (size_t)digits + 13);
	}
}

/* The event's name; PMCALLOCATE has none on the wire, then its number stands for it. */
static void put_alloc(struct sink *s, const struct pmclog_record *rec)
{
	bool dyn = rec->type == PMCLOG_WIRE_PMCALLOCATEDYN;

	keyword(s, dyn ? "allocatedyn" : "allocate");
	sink_hex(s, rec->u.alloc.pmcid);
	sink_char(s, ' ');
	if (dyn || rec->u.alloc.spec.len) {
		put_quoted(s, dyn ? &rec->u.alloc.name : &rec->u.alloc.spec);
	} else {
		sink_char(s, '"');
		sink_hex(s, rec->u.alloc.event);
		sink_char(s, '"');
	}
	sink_char(s, ' ');
	sink_hex(s, rec->u.alloc.flags);
}

static void put_init(struct sink *s, const struct pmclog_record *rec)
{
	const char *name = pmclog_cputype_name(rec->u.init.cputype);

	keyword(s, "initlog");
	sink_hex(s, rec->u.init.version);
	if (name)
		sink_printf(s, " \"%s\"", name);
	else
		sink_printf(s, " \"0x%x\"", rec->u.init.cputype);
}

/* One time or two, in nanoseconds. */
static void put_times(struct sink *s, uint64_t part, uint64_t whole)
{
	sink_char(s, ' ');
	sink_u64(s, part);
	if (!whole)
		return;
	sink_char(s, ' ');
	sink_u64(s, whole);
}

static void put_drop(struct sink *s, const struct pmclog_record *rec)
{
	const char *word = pmclog_cause(rec->u.drop.cause)->word;

	if (!rec->u.drop.count_known) {
		sink_str(s, "drop");
		return;
	}
	keyword(s, "drop");
	sink_u64(s, rec->u.drop.count);
	sink_char(s, ' ');
	put_id(s, rec->u.drop.cpu);
	if (word) {
		sink_char(s, ' ');
		sink_str(s, word);
	}
	if (rec->u.drop.cause == PMCLOG_DROP_SHARED)
		put_times(s, rec->u.drop.running, rec->u.drop.enabled);
	else if (rec->u.drop.paused)
		put_times(s, rec->u.drop.paused, 0);
}

/* keyword pmcid pid */
static void put_pmc_pid(struct sink *s, const char *word, uint32_t pmcid, uint32_t pid)
{
	keyword(s, word);
	sink_hex(s, pmcid);
	sink_char(s, ' ');
	put_id(s, pid);
}

/* The records of processes and threads. */
static void put_process(struct sink *s, const struct pmclog_record *rec)
{
	switch (rec->type) {
	case PMCLOG_WIRE_PROCEXEC:
		put_pmc_pid(s, "exec", rec->u.exec.pmcid, rec->u.exec.pid);
		sink_char(s, ' ');
		sink_hex(s, rec->u.exec.has_base ? rec->u.exec.base : rec->u.exec.entry);
		sink_char(s, ' ');
		if (rec->u.exec.has_base) {
			sink_hex(s, rec->u.exec.dyn);
			sink_char(s, ' ');
		}
		put_quoted(s, &rec->u.exec.path);
		break;
	case PMCLOG_WIRE_PROCFORK:
		keyword(s, "fork");
		put_id(s, rec->u.fork.oldpid);
		sink_char(s, ' ');
		put_id(s, rec->u.fork.newpid);
		break;
	case PMCLOG_WIRE_SYSEXIT:
		keyword(s, "exit");
		put_id(s, rec->u.sysexit.pid);
		break;
	case PMCLOG_WIRE_PROC_CREATE:
		keyword(s, "create");
		put_id(s, rec->u.proc.pid);
		sink_printf(s, " %x ", rec->u.proc.flags);
		put_quoted(s, &rec->u.proc.comm);
		break;
	case PMCLOG_WIRE_THR_CREATE:
		keyword(s, "thr-create");
		put_id(s, rec->u.thr.tid);
		sink_char(s, ' ');
		put_id(s, rec->u.thr.pid);
		sink_printf(s, " %x ", rec->u.thr.flags);
		put_quoted(s, &rec->u.thr.name);
		break;
	default:
		keyword(s, "thr-exit");
		put_id(s, rec->u.thr.tid);
		break;
	}
}

/* The records of a PMC and its values. */
static void put_pmc(struct sink *s, const struct pmclog_record *rec)
{
	switch (rec->type) {
	case PMCLOG_WIRE_PMCATTACH:
		put_pmc_pid(s, "attach", rec->u.attach.pmcid, rec->u.attach.pid);
		sink_char(s, ' ');
		put_quoted(s, &rec->u.attach.path);
		break;
	case PMCLOG_WIRE_PMCDETACH:
		put_pmc_pid(s, "detach", rec->u.attach.pmcid, rec->u.attach.pid);
		if (rec->u.attach.has_times)
			sink_printf(s, " user=%" PRIu64 " system=%" PRIu64, rec->u.attach.user,
				    rec->u.attach.system);
		break;
	case PMCLOG_WIRE_PROCCSW:
		put_pmc_pid(s, "cswval", rec->u.csw.pmcid, rec->u.csw.pid);
		sink_char(s, ' ');
		put_signed(s, (int64_t)rec->u.csw.value);
		break;
	case PMCLOG_WIRE_PROCEXIT:
		put_pmc_pid(s, "exitval", rec->u.exit.pmcid, rec->u.exit.pid);
		sink_char(s, ' ');
		put_signed(s, (int64_t)rec->u.exit.value);
		break;
	default:
		put_pmc_pid(s, "group-inherit-miss", rec->u.miss.pmcid, rec->u.miss.pid);
		sink_str(s, "    ");
		sink_u64(s, rec->tsc);
		break;
	}
}

static void put_map(struct sink *s, const struct pmclog_record *rec)
{
	bool in = rec->type == PMCLOG_WIRE_MAP_IN;

	keyword(s, in ? "map-in" : "map-out");
	put_id(s, in ? rec->u.map_in.pid : rec->u.map_out.pid);
	sink_char(s, ' ');
	sink_hex(s, in ? rec->u.map_in.start : rec->u.map_out.start);
	sink_char(s, ' ');
	if (in)
		put_quoted(s, &rec->u.map_in.path);
	else
		sink_hex(s, rec->u.map_out.end);
}

void pmclog_text_record(struct sink *s, const struct pmclog_record *rec)
{
	switch (rec->type) {
	case PMCLOG_WIRE_CALLCHAIN: put_chain(s, rec); return;
	case PMCLOG_WIRE_CLOSELOG: sink_str(s, "closelog"); break;
	case PMCLOG_WIRE_DROPNOTIFY: put_drop(s, rec); break;
	case PMCLOG_WIRE_INITIALIZE: put_init(s, rec); break;
	case PMCLOG_WIRE_PMCALLOCATE:
	case PMCLOG_WIRE_PMCALLOCATEDYN: put_alloc(s, rec); break;
	case PMCLOG_WIRE_MAP_IN:
	case PMCLOG_WIRE_MAP_OUT: put_map(s, rec); break;
	case PMCLOG_WIRE_USERDATA:
		keyword(s, "userdata");
		sink_hex(s, rec->u.user.userdata);
		break;
	case PMCLOG_WIRE_PMCATTACH:
	case PMCLOG_WIRE_PMCDETACH:
	case PMCLOG_WIRE_PROCCSW:
	case PMCLOG_WIRE_PROCEXIT:
	case PMCLOG_WIRE_GROUP_INHERIT_MISS: put_pmc(s, rec); break;
	case PMCLOG_WIRE_APPENDIX:
		keyword(s, "appendix");
		sink_printf(s, "%" PRIu32 " %" PRIu32 " %" PRIu64, rec->u.appendix.type,
			    rec->u.appendix.size, rec->u.appendix.left);
		break;
	default: put_process(s, rec); break;
	}
	sink_char(s, '\n');
}
