// SPDX-License-Identifier: BSD-2-Clause
#include <inttypes.h>
#include <string.h>

#include "pmclog/write_record.h"

static void write_initialize(struct pmclog_writer *w, const struct pmclog_record *rec)
{
	const struct pmclog_origin origin = {
		.cputype = rec->u.init.cputype,
		.tsc_freq = rec->u.init.tsc_freq,
		.ts_sec = rec->u.init.ts_sec,
		.ts_nsec = rec->u.init.ts_nsec,
		.cpuid = rec->u.init.cpuid.s,
		.host = rec->u.init.host.s,
		.release = rec->u.init.release.s,
		.machine = rec->u.init.machine.s,
		.boot_id = rec->u.init.boot_id.s,
		.command = rec->u.init.command.s,
		.collector = rec->u.init.collector.s,
	};

	pmclog_write_initialize(w, rec->tsc, &origin);
}

static void write_alloc(struct pmclog_writer *w, const struct pmclog_record *rec)
{
	const struct pmclog_alloc alloc = {
		.pmcid = rec->u.alloc.pmcid,
		.event = rec->u.alloc.event,
		.flags = rec->u.alloc.flags,
		.frequency = rec->u.alloc.frequency,
		.max_depth = rec->u.alloc.max_depth,
		.rate = rec->u.alloc.rate,
		.name = rec->u.alloc.name.s,
		.spec = rec->u.alloc.spec.s,
		.host = rec->u.alloc.host.s,
	};

	pmclog_write_allocatedyn(w, rec->tsc, &alloc);
}

/* Version 10 has no entry, and none comes back from it. */
static void write_exec(struct pmclog_writer *w, const struct pmclog_record *rec)
{
	const struct pmclog_exec exec = {
		.pid = rec->u.exec.pid,
		.pmcid = rec->u.exec.pmcid,
		.entry = rec->u.exec.entry,
		.path = rec->u.exec.path.s,
		.arguments = rec->u.exec.arguments.s,
		.arguments_len = rec->u.exec.arguments.len,
	};

	pmclog_write_procexec(w, rec->tsc, &exec);
}

static void write_map_in(struct pmclog_writer *w, const struct pmclog_record *rec)
{
	const struct pmclog_map map = {
		.pid = rec->u.map_in.pid,
		.start = rec->u.map_in.start,
		.length = rec->u.map_in.length,
		.file_offset = rec->u.map_in.file_offset,
		.device = rec->u.map_in.device,
		.inode = rec->u.map_in.inode,
		.path = rec->u.map_in.path.s,
		.symbol = rec->u.map_in.symbol.len ? rec->u.map_in.symbol.s : NULL,
		.build_id = rec->u.map_in.build_id,
		.build_id_len = rec->u.map_in.build_id_len,
	};

	pmclog_write_map_in(w, rec->tsc, &map);
}

/* As the writer takes them, with a bit for every frame; NULL: none. */
static const uint8_t *copy_marks(uint8_t *bits, const struct pmclog_marks *m)
{
	if (!m->length)
		return NULL;
	memcpy(bits, m->bits, m->length);
	return bits;
}

static void write_chain(struct pmclog_writer *w, const struct pmclog_record *rec)
{
	uint8_t guessed[PMCLOG_MAX_FRAMES / 8] = {0}, exact[PMCLOG_MAX_FRAMES / 8] = {0};
	struct pmclog_chain chain = {
		.pid = rec->u.chain.pid,
		.tid = rec->u.chain.tid,
		.pmcid = rec->u.chain.pmcid,
		.cpu = rec->u.chain.cpu,
		.usermode = rec->u.chain.usermode,
		.end = (enum pmclog_chain_end)rec->u.chain.end,
		.npcs = rec->u.chain.npcs,
		.pcs = rec->u.chain.pcs,
		.stitched = rec->u.chain.stitched,
		.guessed = copy_marks(guessed, &rec->u.chain.guessed),
		.exact = copy_marks(exact, &rec->u.chain.exact),
	};

	pmclog_write_callchain(w, rec->tsc, &chain);
}

static void write_drop(struct pmclog_writer *w, const struct pmclog_record *rec)
{
	const struct pmclog_drop drop = {
		.cpu = rec->u.drop.cpu,
		.cause = rec->u.drop.cause,
		.pmcid = rec->u.drop.pmcid,
		.count = rec->u.drop.count,
		.unknown = !rec->u.drop.count_known,
		.enabled = rec->u.drop.enabled,
		.running = rec->u.drop.running,
		.paused = rec->u.drop.paused,
	};

	pmclog_write_dropnotify(w, rec->tsc, &drop);
}

/* The records of processes and threads; false: it is of another kind. */
static bool write_task(struct pmclog_writer *w, const struct pmclog_record *rec)
{
	switch (rec->type) {
	case PMCLOG_WIRE_PROCEXEC: write_exec(w, rec); break;
	case PMCLOG_WIRE_PROCFORK:
		pmclog_write_procfork(w, rec->tsc, rec->u.fork.oldpid, rec->u.fork.newpid);
		break;
	case PMCLOG_WIRE_SYSEXIT: pmclog_write_sysexit(w, rec->tsc, rec->u.sysexit.pid); break;
	case PMCLOG_WIRE_THR_CREATE:
		pmclog_write_thr_create(w, rec->tsc, rec->u.thr.tid, rec->u.thr.pid,
					rec->u.thr.name.s);
		break;
	case PMCLOG_WIRE_THR_EXIT: pmclog_write_thr_exit(w, rec->tsc, rec->u.thr.tid); break;
	case PMCLOG_WIRE_PROC_CREATE:
		pmclog_write_proc_create(w, rec->tsc, rec->u.proc.pid, rec->u.proc.comm.s);
		break;
	case PMCLOG_WIRE_MAP_IN: write_map_in(w, rec); break;
	case PMCLOG_WIRE_MAP_OUT:
		pmclog_write_map_out(w, rec->tsc, rec->u.map_out.pid, rec->u.map_out.start,
				     rec->u.map_out.end);
		break;
	default: return false;
	}
	return true;
}

/* The records of PMCs and of the log; false: no recorder of ours writes it. */
static bool write_other(struct pmclog_writer *w, const struct pmclog_record *rec)
{
	struct pmclog_times times;

	switch (rec->type) {
	case PMCLOG_WIRE_INITIALIZE: write_initialize(w, rec); break;
	case PMCLOG_WIRE_CLOSELOG: pmclog_write_closelog(w, rec->tsc); break;
	case PMCLOG_WIRE_DROPNOTIFY: write_drop(w, rec); break;
	case PMCLOG_WIRE_USERDATA: pmclog_write_userdata(w, rec->tsc, rec->u.user.userdata); break;
	case PMCLOG_WIRE_PMCALLOCATEDYN: write_alloc(w, rec); break;
	case PMCLOG_WIRE_PMCATTACH:
		pmclog_write_attach(w, rec->tsc, rec->u.attach.pmcid, rec->u.attach.pid,
				    rec->u.attach.path.s);
		break;
	case PMCLOG_WIRE_PMCDETACH:
		times.user = rec->u.attach.user;
		times.system = rec->u.attach.system;
		pmclog_write_detach(w, rec->tsc, rec->u.attach.pmcid, rec->u.attach.pid,
				    rec->u.attach.has_times ? &times : NULL);
		break;
	case PMCLOG_WIRE_PROCCSW:
		pmclog_write_proccsw(w, rec->tsc, rec->u.csw.pmcid, rec->u.csw.pid,
				     rec->u.csw.tid, rec->u.csw.value);
		break;
	case PMCLOG_WIRE_PROCEXIT:
		pmclog_write_procexit(w, rec->tsc, rec->u.exit.pmcid, rec->u.exit.pid,
				      rec->u.exit.value);
		break;
	case PMCLOG_WIRE_CALLCHAIN: write_chain(w, rec); break;
	default: return false;
	}
	return true;
}

int pmclog_write_record(struct pmclog_writer *w, const struct pmclog_record *rec, const char *name,
			struct err *err)
{
	if (!write_task(w, rec) && !write_other(w, rec))
		return err_set(err, EX_DATAERR,
			       "%s: record %" PRIu64 " at 0x%" PRIx64 ": %s is in no log of ours",
			       name, rec->index, rec->offset, pmclog_type_name(rec->type));
	return pmclog_writer_errno(w) ? pmclog_writer_flush(w, err) : 0;
}
