// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
/*
 * What records are made of, laid out as pmclog(5) says: texts, fields, trailers, and the records
 * that a log itself and the sample path write.  Below logs: nothing is queued here.  Any context,
 * but where memory is allocated.
 */
#include <linux/slab.h>
#include <linux/timekeeping.h>

#include "log_int.h"

#define CPUTYPE_GENERIC 0x400u

struct hwpmc_queued *hwpmc_record_alloc(enum pmclog_wire_type type, u32 length)
{
	const u32 size = round_up(length, 8);
	struct hwpmc_queued *queued = hwpmc_zalloc(sizeof(*queued) + size);

	if (queued)
		*(u32 *)queued->record = PMCLOG_WIRE_HEADER(type, size);
	return queued;
}

u32 hwpmc_text_size(const char *text, u32 max)
{
	return text ? strnlen(text, max - 1) + 1 : 1;
}

u32 hwpmc_put_text(u8 *record, u32 at, const char *text, u32 max)
{
	u32 size = hwpmc_text_size(text, max);

	memcpy(record + at, text ? text : "", size - 1);
	return round_up(at + size, 8);
}

u32 hwpmc_put_field(u8 *record, u32 at, enum pmclog_field type, const void *value, u32 length)
{
	const struct pmclog_wire_field field = {.type = type, .length = length};
	u32 end = at + sizeof(field) + length;

	memcpy(record + at, &field, sizeof(field));
	memcpy(record + at + sizeof(field), value, length);
	memset(record + end, 0, round_up(end, 8) - end);
	return round_up(end, 8);
}

u32 hwpmc_put_u64(u8 *record, u32 at, enum pmclog_field type, u64 value)
{
	return hwpmc_put_field(record, at, type, &value, sizeof(value));
}

u32 hwpmc_put_u32(u8 *record, u32 at, enum pmclog_field type, u32 value)
{
	return hwpmc_put_field(record, at, type, &value, sizeof(value));
}

void hwpmc_put_trailer(u8 *record, u32 at, u32 end)
{
	const struct pmclog_wire_trailer trailer = {.magic = PMCLOG_TRAILER_MAGIC,
						    .length = end - at};

	memcpy(record + at, &trailer, sizeof(trailer));
}

u32 hwpmc_record_drop(struct pmclog_wire_header *record, u64 count, u32 cpu, u32 cause, u32 pmcid)
{
	u32 at = sizeof(*record) + sizeof(struct pmclog_wire_trailer);
	u8 *bytes = (u8 *)record;

	at = hwpmc_put_u64(bytes, at, PMCLOG_FIELD_COUNT, count);
	at = hwpmc_put_u32(bytes, at, PMCLOG_FIELD_CPU, cpu);
	at = hwpmc_put_u32(bytes, at, PMCLOG_FIELD_CAUSE, cause);
	if (pmcid != U32_MAX)
		at = hwpmc_put_u32(bytes, at, PMCLOG_FIELD_PMCID, pmcid);
	hwpmc_put_trailer(bytes, sizeof(*record), at);
	return at;
}

u32 hwpmc_record_drop_pmcid(const struct pmclog_wire_header *record)
{
	return *(const u32 *)((const u8 *)record + HWPMC_RECORD_DROP - sizeof(u64));
}

u32 hwpmc_record_pause(struct pmclog_wire_header *record, u64 ns, u32 cpu, u32 pmcid)
{
	u32 at = hwpmc_record_drop(record, 0, cpu, PMCLOG_DROP_THROTTLE, pmcid);

	at = hwpmc_put_u64((u8 *)record, at, PMCLOG_FIELD_PAUSED, ns);
	hwpmc_put_trailer((u8 *)record, sizeof(*record), at);
	return at;
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

	queued = hwpmc_record_alloc(PMCLOG_WIRE_INITIALIZE, sizeof(*record) + length);
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
