// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
/*
 * Records of a log but samples: built in memory of what format.c has, then queued.  Any context but
 * NMI.
 */
#include "log_int.h"

/* The flags that FreeBSD knows; a log carries no others. */
#define LOG_FLAGS                                                                       \
	(PMC_F_DESCENDANTS | PMC_F_LOG_PROCCSW | PMC_F_LOG_PROCEXIT | PMC_F_CALLCHAIN | \
	 PMC_F_USERCALLCHAIN)

#define FIELD (sizeof(struct pmclog_wire_field) + sizeof(u64)) /* a number's bytes */

/*
 * Zeroed memory for a record of at most length bytes: of its own, or, for who may not sleep, of the
 * log's pool.  NULL is counted by hwpmc_log_queue().
 */
static struct hwpmc_queued *record_new(struct hwpmc_log *log, enum pmclog_wire_type type,
				       u32 length, gfp_t gfp)
{
	const u32 size = round_up(length, 8);
	struct hwpmc_queued *queued;

	if (gfpflags_allow_blocking(gfp))
		return hwpmc_record_alloc(type, length);
	queued = hwpmc_log_take(log, size);
	if (!queued)
		return NULL;
	memset(queued->record, 0, size);
	*(u32 *)queued->record = PMCLOG_WIRE_HEADER(type, size);
	return queued;
}

void hwpmc_log_no_memory(struct hwpmc_log *log, size_t n)
{
	while (n--)
		hwpmc_log_queue(log, NULL, HWPMC_QUEUE_TRY);
}

static void record_cut(struct hwpmc_queued *queued, u32 length)
{
	struct pmclog_wire_header *record = (void *)queued->record;

	record->header = PMCLOG_WIRE_HEADER(hwpmc_record_type(record), length);
}

/* An owner could have it told as often as it likes to a reader that does not read. */
static void log_drop(struct hwpmc_log *log, u32 cpu, enum pmclog_drop_cause cause, u32 pmcid)
{
	struct hwpmc_queued *queued =
		record_new(log, PMCLOG_WIRE_DROPNOTIFY, HWPMC_RECORD_DROP, GFP_KERNEL);

	if (queued)
		record_cut(queued,
			   hwpmc_record_drop((void *)queued->record, 1, cpu, cause, pmcid));
	hwpmc_log_queue(log, queued,
			hwpmc_log_is_behind(log) ? HWPMC_QUEUE_TRY : HWPMC_QUEUE_ALWAYS);
}

void hwpmc_log_starved(struct hwpmc_log *log, const struct hwpmc_pmc *pmc)
{
	atomic64_inc(&log->starved);
	log_drop(log, pmc->cpu == PMC_CPU_ANY ? 0 : pmc->cpu, PMCLOG_DROP_STARVED, pmc->id);
}

void hwpmc_log_hidden(struct hwpmc_log *log)
{
	atomic64_inc(&log->hidden);
	log_drop(log, 0, PMCLOG_DROP_HIDDEN, U32_MAX);
}

void hwpmc_log_late_cpu(struct hwpmc_log *log, u32 cpu)
{
	atomic64_inc(&log->late_cpus);
	log_drop(log, cpu, PMCLOG_DROP_LATE_CPU, U32_MAX);
}

void hwpmc_log_allocate(struct hwpmc_log *log, const struct hwpmc_pmc *pmc)
{
	u32 at = sizeof(struct pmclog_wire_pmcallocatedyn), trailer = at;
	struct pmclog_wire_pmcallocatedyn *record;
	struct hwpmc_queued *queued;

	queued = record_new(log, PMCLOG_WIRE_PMCALLOCATEDYN,
			    at + sizeof(struct pmclog_wire_trailer) + 3 * FIELD +
				    sizeof(struct pmclog_wire_field) + sizeof(pmc->spec),
			    GFP_KERNEL);
	if (queued) {
		record = (void *)queued->record;
		record->pmcid = pmc->id;
		record->event = pmc->event_number;
		record->flags = pmc->flags & LOG_FLAGS;
		strscpy(record->name, pmc->name, sizeof(record->name));
		at += sizeof(struct pmclog_wire_trailer);
		at = hwpmc_put_u64(queued->record, at, PMCLOG_FIELD_RATE,
				   PMC_IS_SAMPLING_MODE(pmc->mode) ? pmc->rate : 0);
		if (pmc->flags & PMC_F_FREQUENCY)
			at = hwpmc_put_u32(queued->record, at, PMCLOG_FIELD_FREQUENCY, 1);
		if (pmc->flags & PMC_F_CALLCHAIN)
			at = hwpmc_put_u32(queued->record, at, PMCLOG_FIELD_MAX_DEPTH, pmc->depth);
		at = hwpmc_put_field(queued->record, at, PMCLOG_FIELD_EVENT_SPEC, pmc->spec,
				     hwpmc_text_size(pmc->spec, sizeof(pmc->spec)));
		hwpmc_put_trailer(queued->record, trailer, at);
		record_cut(queued, at);
	}
	hwpmc_log_queue(log, queued, HWPMC_QUEUE_ALWAYS);
}

void hwpmc_log_attach(struct hwpmc_log *log, const struct hwpmc_pmc *pmc, u32 pid, const char *path)
{
	struct pmclog_wire_pmcattach *record;
	struct hwpmc_queued *queued;

	queued = record_new(log, PMCLOG_WIRE_PMCATTACH,
			    sizeof(*record) + hwpmc_text_size(path, PMCLOG_MAX_PATH), GFP_ATOMIC);
	if (queued) {
		record = (void *)queued->record;
		record->pmcid = pmc->id;
		record->pid = pid;
		hwpmc_put_text(queued->record, sizeof(*record), path, PMCLOG_MAX_PATH);
	}
	hwpmc_log_queue(log, queued, HWPMC_QUEUE_TRY);
}

void hwpmc_log_procexec(struct hwpmc_log *log, const struct hwpmc_exec *exec, gfp_t gfp)
{
	u32 length = min(exec->arguments_length, PMCLOG_MAX_ARGUMENTS), trailer, at;
	struct pmclog_wire_procexec *record;
	struct hwpmc_queued *queued;

	queued = record_new(log, PMCLOG_WIRE_PROCEXEC,
			    sizeof(*record) +
				    round_up(hwpmc_text_size(exec->path, PMCLOG_MAX_PATH), 8) +
				    sizeof(struct pmclog_wire_trailer) +
				    sizeof(struct pmclog_wire_field) + length,
			    gfp);
	if (queued) {
		record = (void *)queued->record;
		record->pid = exec->pid;
		record->pmcid = U32_MAX;
		record->entry = exec->entry;
		trailer = hwpmc_put_text(queued->record, sizeof(*record), exec->path,
					 PMCLOG_MAX_PATH);
		at = trailer;
		if (length) {
			at = hwpmc_put_field(queued->record,
					     at + sizeof(struct pmclog_wire_trailer),
					     PMCLOG_FIELD_ARGUMENTS, exec->arguments, length);
			hwpmc_put_trailer(queued->record, trailer, at);
		}
		record_cut(queued, at);
	}
	hwpmc_log_queue(log, queued,
			gfpflags_allow_blocking(gfp) ? HWPMC_QUEUE_WAIT : HWPMC_QUEUE_TRY);
}

void hwpmc_log_map_in(struct hwpmc_log *log, const struct hwpmc_map *map, gfp_t gfp)
{
	struct pmclog_wire_map_in *record;
	struct hwpmc_queued *queued;
	u32 trailer, at;

	queued = record_new(log, PMCLOG_WIRE_MAP_IN,
			    sizeof(*record) +
				    round_up(hwpmc_text_size(map->path, PMCLOG_MAX_PATH), 8) +
				    sizeof(struct pmclog_wire_trailer) + 4 * FIELD,
			    gfp);
	if (queued) {
		record = (void *)queued->record;
		record->pid = map->pid;
		record->start = map->start;
		trailer =
			hwpmc_put_text(queued->record, sizeof(*record), map->path, PMCLOG_MAX_PATH);
		at = trailer + sizeof(struct pmclog_wire_trailer);
		if (map->length)
			at = hwpmc_put_u64(queued->record, at, PMCLOG_FIELD_MAP_LENGTH,
					   map->length);
		if (map->length || map->offset)
			at = hwpmc_put_u64(queued->record, at, PMCLOG_FIELD_FILE_OFFSET,
					   map->offset);
		if (map->inode) {
			at = hwpmc_put_u64(queued->record, at, PMCLOG_FIELD_DEVICE, map->device);
			at = hwpmc_put_u64(queued->record, at, PMCLOG_FIELD_INODE, map->inode);
		}
		hwpmc_put_trailer(queued->record, trailer, at);
		record_cut(queued, at);
	}
	hwpmc_log_queue(log, queued, HWPMC_QUEUE_TRY);
}

/* A record that is only its fixed fields; its header is made here. */
static void put_fixed(struct hwpmc_log *log, enum pmclog_wire_type type, const void *fields,
		      u32 size, gfp_t gfp)
{
	struct hwpmc_queued *queued = record_new(log, type, size, gfp);
	const u32 header = sizeof(struct pmclog_wire_header);

	if (queued)
		memcpy(queued->record + header, (const u8 *)fields + header, size - header);
	hwpmc_log_queue(log, queued,
			gfpflags_allow_blocking(gfp) ? HWPMC_QUEUE_WAIT : HWPMC_QUEUE_TRY);
}

void hwpmc_log_detach(struct hwpmc_log *log, const struct hwpmc_pmc *pmc, u32 pid)
{
	const struct pmclog_wire_pmcdetach record = {.pmcid = pmc->id, .pid = pid};

	put_fixed(log, PMCLOG_WIRE_PMCDETACH, &record, sizeof(record), GFP_ATOMIC);
}

void hwpmc_log_procexit(struct hwpmc_log *log, const struct hwpmc_pmc *pmc, u32 pid, u64 value)
{
	const struct pmclog_wire_procexit record = {.pmcid = pmc->id, .pid = pid, .value = value};

	put_fixed(log, PMCLOG_WIRE_PROCEXIT, &record, sizeof(record), GFP_ATOMIC);
}

void hwpmc_log_procfork(struct hwpmc_log *log, u32 oldpid, u32 newpid)
{
	const struct pmclog_wire_procfork record = {.oldpid = oldpid, .newpid = newpid};

	put_fixed(log, PMCLOG_WIRE_PROCFORK, &record, sizeof(record), GFP_ATOMIC);
}

void hwpmc_log_sysexit(struct hwpmc_log *log, u32 pid)
{
	const struct pmclog_wire_sysexit record = {.pid = pid};

	put_fixed(log, PMCLOG_WIRE_SYSEXIT, &record, sizeof(record), GFP_ATOMIC);
}

void hwpmc_log_userdata(struct hwpmc_log *log, u32 userdata)
{
	const struct pmclog_wire_userdata record = {.userdata = userdata};

	put_fixed(log, PMCLOG_WIRE_USERDATA, &record, sizeof(record), GFP_ATOMIC);
}

void hwpmc_log_map_out(struct hwpmc_log *log, u32 pid, u64 start, u64 end)
{
	const struct pmclog_wire_map_out record = {.pid = pid, .start = start, .end = end};

	put_fixed(log, PMCLOG_WIRE_MAP_OUT, &record, sizeof(record), GFP_ATOMIC);
}

void hwpmc_log_thr_create(struct hwpmc_log *log, u32 tid, u32 pid, const char *name, gfp_t gfp)
{
	struct pmclog_wire_thr_create record = {.tid = tid, .pid = pid};

	memcpy(record.name, name, strnlen(name, sizeof(record.name) - 1));
	put_fixed(log, PMCLOG_WIRE_THR_CREATE, &record, sizeof(record), gfp);
}

void hwpmc_log_thr_exit(struct hwpmc_log *log, u32 tid)
{
	const struct pmclog_wire_thr_exit record = {.tid = tid};

	put_fixed(log, PMCLOG_WIRE_THR_EXIT, &record, sizeof(record), GFP_ATOMIC);
}

void hwpmc_log_proc_create(struct hwpmc_log *log, u32 pid, const char *comm, gfp_t gfp)
{
	struct pmclog_wire_proc_create record = {.pid = pid};

	memcpy(record.comm, comm, strnlen(comm, sizeof(record.comm) - 1));
	put_fixed(log, PMCLOG_WIRE_PROC_CREATE, &record, sizeof(record), gfp);
}
