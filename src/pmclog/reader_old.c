// SPDX-License-Identifier: BSD-2-Clause
/*
 * The logs of FreeBSD 6 to 11, versions 1 to 5: a 12-byte header with seconds and nanoseconds,
 * types that count from 0, pointers as wide as the machine that wrote them.
 */
#include <inttypes.h>

#include "pmclog/reader_int.h"

enum old_type {
	OLD_CLOSELOG = 0,
	OLD_DROPNOTIFY = 1,
	OLD_INITIALIZE = 2,
	OLD_PCSAMPLE = 4,
	OLD_PMCALLOCATE = 5, /* from here on as in version 9 */
	OLD_LAST = PMCLOG_WIRE_PMCALLOCATEDYN,
};

enum { BODY = 12, NAME_SIZE = 64 };

/*
 * The bytes of each record up to its path, name or program counters, without what its pointers
 * need, and the number of those pointers.
 */
static const struct {
	uint8_t fixed, pointers;
} sizes[OLD_LAST + 1] = {
	[OLD_CLOSELOG] = {BODY, 0},
	[OLD_DROPNOTIFY] = {BODY, 0},
	[OLD_INITIALIZE] = {20, 0},
	[OLD_PCSAMPLE] = {24, 1},
	[PMCLOG_WIRE_PMCALLOCATE] = {24, 0},
	[PMCLOG_WIRE_PMCATTACH] = {20, 0},
	[PMCLOG_WIRE_PMCDETACH] = {20, 0},
	[PMCLOG_WIRE_PROCCSW] = {28, 0},
	[PMCLOG_WIRE_PROCEXEC] = {20, 1},
	[PMCLOG_WIRE_PROCEXIT] = {28, 0},
	[PMCLOG_WIRE_PROCFORK] = {20, 0},
	[PMCLOG_WIRE_SYSEXIT] = {16, 0},
	[PMCLOG_WIRE_USERDATA] = {16, 0},
	[PMCLOG_WIRE_MAP_IN] = {16, 1},
	[PMCLOG_WIRE_MAP_OUT] = {16, 2},
	[PMCLOG_WIRE_CALLCHAIN] = {24, 0},
	[PMCLOG_WIRE_PMCALLOCATEDYN] = {24, 0},
};

static enum pmclog_wire_type wire_type(uint32_t type)
{
	switch (type) {
	case OLD_CLOSELOG: return PMCLOG_WIRE_CLOSELOG;
	case OLD_DROPNOTIFY: return PMCLOG_WIRE_DROPNOTIFY;
	case OLD_INITIALIZE: return PMCLOG_WIRE_INITIALIZE;
	case OLD_PCSAMPLE: return PMCLOG_WIRE_CALLCHAIN;
	default: return (enum pmclog_wire_type)type;
	}
}

/*
 * The pointer size that a record shows, 0 when it shows none.  No field tells it; but record
 * lengths differ, and where they do not, two 32-bit words make no 64-bit address.
 */
static uint8_t pointer_size(const struct pmclogint_decoder *d, uint32_t type,
			    const struct pmclog_record *rec)
{
	bool wide;

	switch (type) {
	case OLD_PCSAMPLE: wide = rec->length >= 32; break;
	case PMCLOG_WIRE_MAP_OUT: wide = rec->length >= 32; break;
	case PMCLOG_WIRE_MAP_IN: wide = rec->length > 24 && pmclogint_is_address(d, rec, 16); break;
	case PMCLOG_WIRE_PROCEXEC:
		/* The path begins at 24 or at 28. */
		wide = rec->length > 28 && pmclogint_is_address(d, rec, 16) &&
		       ((const uint8_t *)rec->raw)[24] != '/';
		break;
	case PMCLOG_WIRE_CALLCHAIN:
		if (rec->length <= 24)
			return 0;
		wide = rec->length % 8 == 0 && pmclogint_is_address(d, rec, 24);
		break;
	default: return 0;
	}
	return wide ? 8 : 4;
}

static int decode_initialize(struct pmclogint_decoder *d, struct pmclog_record *rec,
			     struct err *err)
{
	if (d->major)
		return err_set(err, EX_DATAERR, "a second INITIALIZE record");
	rec->u.init.version = pmclogint_u32(d, rec, 12);
	d->major = rec->u.init.version >> 24;
	if (!d->major || d->major > 5)
		return err_set(err, EX_DATAERR,
			       "version 0x%08" PRIx32 " is not known: 1 to 5, 9 and 10 are",
			       rec->u.init.version);
	rec->u.init.cputype = pmclogint_u32(d, rec, 16);
	rec->u.init.tsc_freq = 1000000000;
	rec->u.init.ts_sec = rec->tsc / 1000000000;
	rec->u.init.ts_nsec = rec->tsc % 1000000000;
	return 0;
}

static int decode_callchain(struct pmclogint_decoder *d, struct pmclog_record *rec, struct err *err)
{
	uint32_t cpuflags = pmclogint_u32(d, rec, 20);

	rec->u.chain.pid = pmclogint_u32(d, rec, 12);
	rec->u.chain.tid = UINT32_MAX;
	rec->u.chain.pmcid = pmclogint_u32(d, rec, 16);
	rec->u.chain.cpu = cpuflags >> 16;
	rec->u.chain.usermode = cpuflags & PMCLOG_CC_USERMODE;
	return pmclogint_pcs(d, rec, 24, err);
}

/* A sample without a chain, as logs before call chains had them. */
static void decode_pcsample(struct pmclogint_decoder *d, struct pmclog_record *rec)
{
	rec->u.chain.pid = pmclogint_u32(d, rec, 12);
	rec->u.chain.tid = UINT32_MAX;
	d->pcs[0] = pmclogint_pointer(d, rec, 16);
	rec->u.chain.pmcid = pmclogint_u32(d, rec, 16 + d->ptr);
	rec->u.chain.usermode = pmclogint_u32(d, rec, 20 + d->ptr) != 0;
	rec->u.chain.npcs = 1;
	rec->u.chain.pcs = d->pcs;
}

static int decode_path(struct pmclogint_decoder *d, struct pmclog_record *rec, struct err *err)
{
	const uint32_t ptr = d->ptr;

	switch (rec->type) {
	case PMCLOG_WIRE_PMCATTACH:
		rec->u.attach.pmcid = pmclogint_u32(d, rec, 12);
		rec->u.attach.pid = pmclogint_u32(d, rec, 16);
		return pmclogint_text(rec, 20, PMCLOG_MAX_PATH, "path", &rec->u.attach.path, err);
	case PMCLOG_WIRE_PROCEXEC:
		rec->u.exec.pid = pmclogint_u32(d, rec, 12);
		rec->u.exec.entry = pmclogint_pointer(d, rec, 16);
		rec->u.exec.pmcid = pmclogint_u32(d, rec, 16 + ptr);
		return pmclogint_text(rec, 20 + ptr, PMCLOG_MAX_PATH, "path", &rec->u.exec.path,
				      err);
	default:
		rec->u.map_in.pid = pmclogint_u32(d, rec, 12);
		rec->u.map_in.start = pmclogint_pointer(d, rec, 16);
		return pmclogint_text(rec, 16 + ptr, PMCLOG_MAX_PATH, "path", &rec->u.map_in.path,
				      err);
	}
}

/* The records that are only numbers. */
static void decode_fixed(const struct pmclogint_decoder *d, struct pmclog_record *rec)
{
	uint32_t a = rec->length >= 16 ? pmclogint_u32(d, rec, 12) : 0;
	uint32_t b = rec->length >= 20 ? pmclogint_u32(d, rec, 16) : 0;

	switch (rec->type) {
	case PMCLOG_WIRE_DROPNOTIFY: rec->u.drop.pmcid = UINT32_MAX; break;
	case PMCLOG_WIRE_PMCDETACH:
		rec->u.attach.pmcid = a;
		rec->u.attach.pid = b;
		break;
	case PMCLOG_WIRE_PROCCSW:
		rec->u.csw.pmcid = a;
		rec->u.csw.value = pmclogint_u64(d, rec, 16);
		rec->u.csw.pid = pmclogint_u32(d, rec, 24);
		break;
	case PMCLOG_WIRE_PROCEXIT:
		rec->u.exit.pmcid = a;
		rec->u.exit.value = pmclogint_u64(d, rec, 16);
		rec->u.exit.pid = pmclogint_u32(d, rec, 24);
		break;
	case PMCLOG_WIRE_PROCFORK:
		rec->u.fork.oldpid = a;
		rec->u.fork.newpid = b;
		break;
	case PMCLOG_WIRE_SYSEXIT: rec->u.sysexit.pid = a; break;
	case PMCLOG_WIRE_USERDATA: rec->u.user.userdata = a; break;
	case PMCLOG_WIRE_MAP_OUT:
		rec->u.map_out.pid = a;
		rec->u.map_out.start = pmclogint_pointer(d, rec, 16);
		rec->u.map_out.end = pmclogint_pointer(d, rec, 16 + d->ptr);
		break;
	default: break;
	}
}

static int decode(struct pmclogint_decoder *d, uint32_t type, struct pmclog_record *rec,
		  struct err *err)
{
	switch (type) {
	case OLD_INITIALIZE: return decode_initialize(d, rec, err);
	case OLD_PCSAMPLE: decode_pcsample(d, rec); return 0;
	case PMCLOG_WIRE_CALLCHAIN: return decode_callchain(d, rec, err);
	case PMCLOG_WIRE_PMCATTACH:
	case PMCLOG_WIRE_PROCEXEC:
	case PMCLOG_WIRE_MAP_IN: return decode_path(d, rec, err);
	case PMCLOG_WIRE_PMCALLOCATE:
	case PMCLOG_WIRE_PMCALLOCATEDYN:
		rec->u.alloc.pmcid = pmclogint_u32(d, rec, 12);
		rec->u.alloc.event = pmclogint_u32(d, rec, 16);
		rec->u.alloc.flags = pmclogint_u32(d, rec, 20);
		if (type == PMCLOG_WIRE_PMCALLOCATE)
			return 0;
		return pmclogint_text(rec, 24, NAME_SIZE, "name", &rec->u.alloc.name, err);
	default: decode_fixed(d, rec); return 0;
	}
}

enum pmclogint_decoded pmclogint_decode_old(struct pmclogint_decoder *d, uint32_t type,
					    struct pmclog_record *rec, struct err *err)
{
	uint32_t want;

	if (type > OLD_LAST || !sizes[type].fixed)
		return DECODED_UNKNOWN;
	if (!d->ptr)
		d->ptr = pointer_size(d, type, rec);
	rec->type = wire_type(type);
	want = sizes[type].fixed + (uint32_t)sizes[type].pointers * d->ptr;
	if (rec->length < want) {
		err_set(err, EX_DATAERR, "length %" PRIu32 " is below the %" PRIu32 " bytes of %s",
			rec->length, want,
			type == OLD_PCSAMPLE ? "PCSAMPLE" : pmclog_type_name(rec->type));
		return DECODED_CORRUPT;
	}
	rec->tsc = pmclogint_u32(d, rec, 4) * 1000000000ull + pmclogint_u32(d, rec, 8);
	memset(&rec->u, 0, sizeof(rec->u));
	return decode(d, type, rec, err) ? DECODED_CORRUPT : DECODED_OK;
}
