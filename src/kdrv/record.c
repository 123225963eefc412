// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
/*
 * Records of a log but samples: built in memory, laid out as pmclog(5) says, then queued.  Any
 * context but NMI; hwpmc_record_drop() also there.
 */
#include <linux/slab.h>
#include <linux/timekeeping.h>

#include "log_int.h"

#define CPUTYPE_GENERIC 0x400u

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
		queued = kzalloc(sizeof(*queued) + size, gfp | __GFP_NOWARN);
	else
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

/* Bytes that text takes with its NUL, at most max of them. */
static u32 text_size(const char *text, u32 max)
{
	return text ? strnlen(text, max - 1) + 1 : 1;
}

/* Appends text at offset at, where all is zero; the next offset. */
static u32 put_text(u8 *record, u32 at, const char *text, u32 max)
{
	u32 size = text_size(text, max);

	memcpy(record + at, text ? text : "", size - 1);
	return round_up(at + size, 8);
}

static u32 put_field(u8 *record, u32 at, enum pmclog_field type, const void *value, u32 length)
{
	const struct pmclog_wire_field field = {.type = type, .length = length};
	u32 end = at + sizeof(field) + length;

	memcpy(record + at, &field, sizeof(field));
	memcpy(record + at + sizeof(field), value, length);
	memset(record + end, 0, round_up(end, 8) - end);
	return round_up(end, 8);
}

static u32 put_u64(u8 *record, u32 at, enum pmclog_field type, u64 value)
{
	return put_field(record, at, type, &value, sizeof(value));
}

static u32 put_u32(u8 *record, u32 at, enum pmclog_field type, u32 value)
{
	return put_field(record, at, type, &value, sizeof(value));
}

/* The header of the trailer at offset at, whose last field ends at end. */
static void put_trailer(u8 *record, u32 at, u32 end)
{
	const struct pmclog_wire_trailer trailer = {.magic = PMCLOG_TRAILER_MAGIC,
						    .length = end - at};

	memcpy(record + at, &trailer, sizeof(trailer));
}

u32 hwpmc_record_drop(struct pmclog_wire_header *record, u64 count, u32 cpu, u32 cause, u32 pmcid)
{
	u32 at = sizeof(*record) + sizeof(struct pmclog_wire_trailer);
	u8 *bytes = (u8 *)record;

	at = put_u64(bytes, at, PMCLOG_FIELD_COUNT, count);
	at = put_u32(bytes, at, PMCLOG_FIELD_CPU, cpu);
	at = put_u32(bytes, at, PMCLOG_FIELD_CAUSE, cause);
	if (pmcid != U32_MAX)
		at = put_u32(bytes, at, PMCLOG_FIELD_PMCID, pmcid);
	put_trailer(bytes, sizeof(*record), at);
	return at;
}

void hwpmc_log_starved(struct hwpmc_log *log, const struct hwpmc_pmc *pmc)
{
	struct hwpmc_queued *queued =
		record_new(log, PMCLOG_WIRE_DROPNOTIFY, HWPMC_RECORD_DROP, GFP_KERNEL);
	u32 cpu = pmc->cpu == PMC_CPU_ANY ? 0 : pmc->cpu;

	if (queued)
		hwpmc_record_drop((void *)queued->record, 1, cpu, PMCLOG_DROP_STARVED, pmc->id);
	atomic64_inc(&log->starved);
	hwpmc_log_queue(log, queued, HWPMC_QUEUE_ALWAYS);
}

static bool is_initialize_text(const struct pmclog_wire_field *field, const u8 *value)
{
	if (field->type < PMCLOG_FIELD_HOST_NAME ||
	    (field->type > PMCLOG_FIELD_COMMAND && field->type != PMCLOG_FIELD_COLLECTOR))
		return false;
	return field->length && strnlen(value, field->length) == field->length - 1;
}

bool hwpmc_record_trailer_ok(const u8 *trailer, u32 length)
{
	const struct pmclog_wire_trailer *head = (const void *)trailer;
	u32 at = sizeof(*head), seen = 0;

	if (length < sizeof(*head) || length % 8 || head->magic != PMCLOG_TRAILER_MAGIC ||
	    head->length != length)
		return false;
	while (at < length) {
		const struct pmclog_wire_field *field = (const void *)(trailer + at);
		u32 end = at + sizeof(*field) + field->length;

		if (end > length || field->pad || !is_initialize_text(field, trailer + at + 8) ||
		    (seen & BIT(field->type)))
			return false;
		seen |= BIT(field->type);
		at = round_up(end, 8);
		if (memchr_inv(trailer + end, 0, at - end))
			return false;
	}
	return true;
}

struct hwpmc_queued *hwpmc_record_initialize(const char *cpuid, const void *trailer, u32 length)
{
	struct pmclog_wire_initialize *record;
	struct hwpmc_queued *queued;
	struct timespec64 wall;

	queued = record_new(NULL, PMCLOG_WIRE_INITIALIZE, sizeof(*record) + length, GFP_KERNEL);
	if (!queued)
		return NULL;
	record = (void *)queued->record;
	ktime_get_real_ts64(&wall);
	record->version = PMCLOG_WIRE_VERSION;
	record->cputype = CPUTYPE_GENERIC;
	record->tsc_freq = NSEC_PER_SEC;
	record->ts_sec = wall.tv_sec;
	record->ts_nsec = wall.tv_nsec;
	strscpy(record->cpuid, cpuid, sizeof(record->cpuid));
	memcpy(record + 1, trailer, length);
	return queued;
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
		at = put_u64(queued->record, at, PMCLOG_FIELD_RATE,
			     PMC_IS_SAMPLING_MODE(pmc->mode) ? pmc->rate : 0);
		if (pmc->flags & PMC_F_FREQUENCY)
			at = put_u32(queued->record, at, PMCLOG_FIELD_FREQUENCY, 1);
		if (pmc->flags & PMC_F_CALLCHAIN)
			at = put_u32(queued->record, at, PMCLOG_FIELD_MAX_DEPTH, pmc->depth);
		at = put_field(queued->record, at, PMCLOG_FIELD_EVENT_SPEC, pmc->spec,
			       text_size(pmc->spec, sizeof(pmc->spec)));
		put_trailer(queued->record, trailer, at);
		record_cut(queued, at);
	}
	hwpmc_log_queue(log, queued, HWPMC_QUEUE_ALWAYS);
}

void hwpmc_log_attach(struct hwpmc_log *log, const struct hwpmc_pmc *pmc, u32 pid, const char *path)
{
	struct pmclog_wire_pmcattach *record;
	struct hwpmc_queued *queued;

	queued = record_new(log, PMCLOG_WIRE_PMCATTACH,
			    sizeof(*record) + text_size(path, PMCLOG_MAX_PATH), GFP_ATOMIC);
	if (queued) {
		record = (void *)queued->record;
		record->pmcid = pmc->id;
		record->pid = pid;
		put_text(queued->record, sizeof(*record), path, PMCLOG_MAX_PATH);
	}
	hwpmc_log_queue(log, queued, HWPMC_QUEUE_TRY);
}

void hwpmc_log_procexec(struct hwpmc_log *log, const struct hwpmc_exec *exec, gfp_t gfp)
{
	u32 length = min(exec->arguments_length, PMCLOG_MAX_ARGUMENTS), trailer, at;
	struct pmclog_wire_procexec *record;
	struct hwpmc_queued *queued;

	queued = record_new(log, PMCLOG_WIRE_PROCEXEC,
			    sizeof(*record) + round_up(text_size(exec->path, PMCLOG_MAX_PATH), 8) +
				    sizeof(struct pmclog_wire_trailer) +
				    sizeof(struct pmclog_wire_field) + length,
			    gfp);
	if (queued) {
		record = (void *)queued->record;
		record->pid = exec->pid;
		record->pmcid = U32_MAX;
		record->entry = exec->entry;
		trailer = put_text(queued->record, sizeof(*record), exec->path, PMCLOG_MAX_PATH);
		at = trailer;
		if (length) {
			at = put_field(queued->record, at + sizeof(struct pmclog_wire_trailer),
				       PMCLOG_FIELD_ARGUMENTS, exec->arguments, length);
			put_trailer(queued->record, trailer, at);
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
			    sizeof(*record) + round_up(text_size(map->path, PMCLOG_MAX_PATH), 8) +
				    sizeof(struct pmclog_wire_trailer) + 4 * FIELD,
			    gfp);
	if (queued) {
		record = (void *)queued->record;
		record->pid = map->pid;
		record->start = map->start;
		trailer = put_text(queued->record, sizeof(*record), map->path, PMCLOG_MAX_PATH);
		at = trailer + sizeof(struct pmclog_wire_trailer);
		if (map->length)
			at = put_u64(queued->record, at, PMCLOG_FIELD_MAP_LENGTH, map->length);
		if (map->length || map->offset)
			at = put_u64(queued->record, at, PMCLOG_FIELD_FILE_OFFSET, map->offset);
		if (map->inode) {
			at = put_u64(queued->record, at, PMCLOG_FIELD_DEVICE, map->device);
			at = put_u64(queued->record, at, PMCLOG_FIELD_INODE, map->inode);
		}
		put_trailer(queued->record, trailer, at);
		record_cut(queued, at);
	}
	hwpmc_log_queue(log, queued,
			gfpflags_allow_blocking(gfp) ? HWPMC_QUEUE_WAIT : HWPMC_QUEUE_TRY);
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
