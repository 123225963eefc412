// SPDX-License-Identifier: BSD-2-Clause
#include <inttypes.h>
#include <zlib.h>

#include "pmclog/reader_int.h"

/*
 * FreeBSD ends two records 4 bytes before our structs do, and i386 has a time of day of 8 bytes
 * instead of 16.
 */
enum {
	INITIALIZE_32_LENGTH = sizeof(struct pmclog_wire_initialize) - 8,
	THR_CREATE_LENGTH = sizeof(struct pmclog_wire_thr_create) - 4,
	PROC_CREATE_LENGTH = sizeof(struct pmclog_wire_proc_create) - 4,
	COMM_SIZE = 20,
	NAME_SIZE = 64,
	CPUID_SIZE = 64,
	NFIELDS = PMCLOG_FIELD_REPEATS + 1,
	/* Where pointers are. */
	EXEC_POINTERS = 24,
	MAP_POINTERS = 24,
	CHAIN_POINTERS = sizeof(struct pmclog_wire_callchain),
};

/* Every record: its name, and the bytes that it must have besides its pointers. */
static const struct {
	const char *name;
	uint32_t length;
	uint8_t pointers, pointers_10; /* below version 10, and in it */
} types[PMCLOG_WIRE_NTYPES] = {
	[PMCLOG_WIRE_CLOSELOG] = {"CLOSELOG", sizeof(struct pmclog_wire_header), 0, 0},
	[PMCLOG_WIRE_DROPNOTIFY] = {"DROPNOTIFY", sizeof(struct pmclog_wire_header), 0, 0},
	[PMCLOG_WIRE_INITIALIZE] = {"INITIALIZE", INITIALIZE_32_LENGTH, 0, 0},
	[PMCLOG_WIRE_PMCALLOCATE] = {"PMCALLOCATE", sizeof(struct pmclog_wire_pmcallocate), 0, 0},
	[PMCLOG_WIRE_PMCATTACH] = {"PMCATTACH", sizeof(struct pmclog_wire_pmcattach), 0, 0},
	[PMCLOG_WIRE_PMCDETACH] = {"PMCDETACH", sizeof(struct pmclog_wire_pmcdetach), 0, 0},
	[PMCLOG_WIRE_PROCCSW] = {"PROCCSW", sizeof(struct pmclog_wire_proccsw), 0, 0},
	[PMCLOG_WIRE_PROCEXEC] = {"PROCEXEC", EXEC_POINTERS, 1, 2},
	[PMCLOG_WIRE_PROCEXIT] = {"PROCEXIT", sizeof(struct pmclog_wire_procexit), 0, 0},
	[PMCLOG_WIRE_PROCFORK] = {"PROCFORK", sizeof(struct pmclog_wire_procfork), 0, 0},
	[PMCLOG_WIRE_SYSEXIT] = {"SYSEXIT", sizeof(struct pmclog_wire_sysexit), 0, 0},
	[PMCLOG_WIRE_USERDATA] = {"USERDATA", sizeof(struct pmclog_wire_userdata), 0, 0},
	[PMCLOG_WIRE_MAP_IN] = {"MAP_IN", MAP_POINTERS, 1, 1},
	[PMCLOG_WIRE_MAP_OUT] = {"MAP_OUT", MAP_POINTERS, 2, 2},
	[PMCLOG_WIRE_CALLCHAIN] = {"CALLCHAIN", sizeof(struct pmclog_wire_callchain), 0, 0},
	[PMCLOG_WIRE_PMCALLOCATEDYN] = {"PMCALLOCATEDYN", sizeof(struct pmclog_wire_pmcallocatedyn),
					0, 0},
	[PMCLOG_WIRE_THR_CREATE] = {"THR_CREATE", THR_CREATE_LENGTH, 0, 0},
	[PMCLOG_WIRE_THR_EXIT] = {"THR_EXIT", sizeof(struct pmclog_wire_thr_exit), 0, 0},
	[PMCLOG_WIRE_PROC_CREATE] = {"PROC_CREATE", PROC_CREATE_LENGTH, 0, 0},
	[PMCLOG_WIRE_GROUP_INHERIT_MISS] = {"GROUP_INHERIT_MISS",
					    sizeof(struct pmclog_wire_pmcdetach), 0, 0},
	[PMCLOG_WIRE_APPENDIX] = {"APPENDIX", sizeof(struct pmclog_wire_appendix), 0, 0},
};

const char *pmclog_type_name(enum pmclog_wire_type type)
{
	return type < PMCLOG_WIRE_NTYPES && types[type].name ? types[type].name : "unknown";
}

const char *pmclog_end_name(unsigned int end)
{
	static const char *const names[PMCLOG_NENDS] = {
		"unsaid", "complete", "window",	  "no-data", "bad-return",
		"depth",  "stale",    "overload", "no-stack",
	};

	return end < PMCLOG_NENDS ? names[end] : NULL;
}

int pmclogint_text(const struct pmclog_record *rec, uint32_t at, uint32_t max, const char *what,
		   struct pmclog_text *text, struct err *err)
{
	const char *s = (const char *)rec->raw + at;
	uint32_t left = rec->length > at ? rec->length - at : 0, room = left < max ? left : max;
	const char *nul = room ? memchr(s, '\0', room) : NULL;

	if (!nul)
		return err_set(err, EX_DATAERR, "no NUL in the %" PRIu32 " bytes of its %s", room,
			       what);
	text->s = s;
	text->len = (size_t)(nul - s);
	return 0;
}

int pmclogint_pcs(struct pmclogint_decoder *d, struct pmclog_record *rec, uint32_t at,
		  struct err *err)
{
	uint32_t size = d->ptr == 4 ? 4 : 8, bytes = rec->length - at, i;

	rec->u.chain.npcs = bytes / size;
	rec->u.chain.pcs = d->pcs;
	if (bytes % size)
		return err_set(err, EX_DATAERR,
			       "length %" PRIu32 " leaves %" PRIu32 " bytes behind %" PRIu32
			       " program counters",
			       rec->length, bytes % size, rec->u.chain.npcs);
	if (rec->u.chain.npcs > PMCLOG_MAX_DEPTH)
		return err_set(err, EX_DATAERR, "%" PRIu32 " program counters are above %u",
			       rec->u.chain.npcs, PMCLOG_MAX_DEPTH);
	for (i = 0; i < rec->u.chain.npcs; i++)
		d->pcs[i] = pmclogint_pointer(d, rec, at + i * size);
	return 0;
}

/* The fields of a record's trailer. */
struct fields {
	bool found;    /* there is a trailer */
	uint64_t have; /* 1 << type */
	uint64_t number[NFIELDS];
	struct pmclog_text text[NFIELDS];
	const uint8_t *build_id;
	uint32_t build_id_len;
	struct pmclog_marks guessed, exact;
	uint32_t repeats, nrepeats; /* offset in the record */
};

enum field_kind {
	KIND_UNKNOWN,
	KIND_U64,
	KIND_U32,
	KIND_TEXT,
	KIND_BUILD_ID,
	KIND_ARGUMENTS,
	KIND_MARKS,
	KIND_REPEATS
};

static const uint8_t field_kinds[NFIELDS] = {
	[PMCLOG_FIELD_MAP_LENGTH] = KIND_U64,	   [PMCLOG_FIELD_FILE_OFFSET] = KIND_U64,
	[PMCLOG_FIELD_DEVICE] = KIND_U64,	   [PMCLOG_FIELD_INODE] = KIND_U64,
	[PMCLOG_FIELD_BUILD_ID] = KIND_BUILD_ID,   [PMCLOG_FIELD_HOST_NAME] = KIND_TEXT,
	[PMCLOG_FIELD_RELEASE] = KIND_TEXT,	   [PMCLOG_FIELD_MACHINE] = KIND_TEXT,
	[PMCLOG_FIELD_BOOT_ID] = KIND_TEXT,	   [PMCLOG_FIELD_COMMAND] = KIND_TEXT,
	[PMCLOG_FIELD_COUNT] = KIND_U64,	   [PMCLOG_FIELD_CPU] = KIND_U32,
	[PMCLOG_FIELD_CAUSE] = KIND_U32,	   [PMCLOG_FIELD_RATE] = KIND_U64,
	[PMCLOG_FIELD_EVENT_SPEC] = KIND_TEXT,	   [PMCLOG_FIELD_FREQUENCY] = KIND_U32,
	[PMCLOG_FIELD_MAX_DEPTH] = KIND_U32,	   [PMCLOG_FIELD_COLLECTOR] = KIND_TEXT,
	[PMCLOG_FIELD_PMCID] = KIND_U32,	   [PMCLOG_FIELD_SYMBOL] = KIND_TEXT,
	[PMCLOG_FIELD_ARGUMENTS] = KIND_ARGUMENTS, [PMCLOG_FIELD_ENABLED] = KIND_U64,
	[PMCLOG_FIELD_RUNNING] = KIND_U64,	   [PMCLOG_FIELD_PAUSED] = KIND_U64,
	[PMCLOG_FIELD_GUESSED] = KIND_MARKS,	   [PMCLOG_FIELD_STITCHED] = KIND_U32,
	[PMCLOG_FIELD_EXACT] = KIND_MARKS,	   [PMCLOG_FIELD_USER_TIME] = KIND_U64,
	[PMCLOG_FIELD_SYSTEM_TIME] = KIND_U64,	   [PMCLOG_FIELD_REPEATS] = KIND_REPEATS,
};

_Static_assert(NFIELDS <= 64, "fields.have has a bit a field");

/* The value of a known field type, len bytes at offset at. */
static int decode_field(const struct pmclogint_decoder *d, const struct pmclog_record *rec,
			uint32_t type, uint32_t at, uint32_t len, struct fields *f, struct err *err)
{
	const uint8_t *p = (const uint8_t *)rec->raw + at;
	uint32_t kind = field_kinds[type], want = kind == KIND_U64 ? 8 : 4;

	if (f->have & 1ull << type)
		return err_set(err, EX_DATAERR, "trailer field %" PRIu32 " is there twice", type);
	f->have |= 1ull << type;
	if (kind == KIND_BUILD_ID) {
		if (!len || len > PMCLOG_MAX_BUILD_ID)
			return err_set(err, EX_DATAERR,
				       "a build-id of %" PRIu32 " bytes is not 1 to %u", len,
				       PMCLOG_MAX_BUILD_ID);
		f->build_id = p;
		f->build_id_len = len;
		return 0;
	}
	if (kind == KIND_ARGUMENTS) {
		if (!len || len > PMCLOG_MAX_ARGUMENTS)
			return err_set(err, EX_DATAERR,
				       "arguments of %" PRIu32 " bytes are not 1 to %u", len,
				       PMCLOG_MAX_ARGUMENTS);
		f->text[type] = (struct pmclog_text){(const char *)p, len};
		return 0;
	}
	if (kind == KIND_MARKS) {
		if (!len || len > PMCLOG_MAX_DEPTH / 8)
			return err_set(err, EX_DATAERR,
				       "marks of %" PRIu32 " bytes are not 1 to %u", len,
				       PMCLOG_MAX_DEPTH / 8);
		*(type == PMCLOG_FIELD_GUESSED ? &f->guessed : &f->exact) =
			(struct pmclog_marks){p, len};
		return 0;
	}
	if (kind == KIND_REPEATS) {
		f->repeats = at;
		f->nrepeats = len / (uint32_t)sizeof(struct pmclog_wire_repeat);
		if (f->nrepeats && f->nrepeats <= PMCLOG_MAX_REPEATS &&
		    len % sizeof(struct pmclog_wire_repeat) == 0)
			return 0;
		return err_set(err, EX_DATAERR,
			       "repeats of %" PRIu32 " bytes are not 1 to %u of 8 bytes", len,
			       PMCLOG_MAX_REPEATS);
	}
	if (kind == KIND_TEXT) {
		if (!len || p[len - 1])
			return err_set(err, EX_DATAERR,
				       "the text of trailer field %" PRIu32
				       " does not end with a NUL",
				       type);
		f->text[type] = (struct pmclog_text){(const char *)p, strlen((const char *)p)};
		return 0;
	}
	if (len != want)
		return err_set(err, EX_DATAERR,
			       "trailer field %" PRIu32 " has %" PRIu32 " bytes, not %" PRIu32,
			       type, len, want);
	f->number[type] = want == 8 ? pmclogint_u64(d, rec, at) : pmclogint_u32(d, rec, at);
	return 0;
}

/*
 * Decodes the trailer at the first multiple of 8 from offset at on.  Other bytes than a trailer's
 * are ignored there, as FreeBSD's readers do.
 */
static int decode_trailer(const struct pmclogint_decoder *d, const struct pmclog_record *rec,
			  uint32_t at, struct fields *f, struct err *err)
{
	uint32_t end, word, type, len;

	memset(f, 0, sizeof(*f));
	at = (at + 7) & ~7u;
	if (rec->length < at + sizeof(struct pmclog_wire_trailer) ||
	    pmclogint_u32(d, rec, at) != PMCLOG_TRAILER_MAGIC)
		return 0;
	len = pmclogint_u32(d, rec, at + 4);
	if (len < sizeof(struct pmclog_wire_trailer) || len % 8 || len > rec->length - at)
		return err_set(err, EX_DATAERR,
			       "trailer length %" PRIu32 " does not fit the %" PRIu32
			       " bytes left of the record",
			       len, rec->length - at);
	f->found = true;
	end = at + len;
	for (at += sizeof(struct pmclog_wire_trailer); at < end; at += (len + 7) & ~7u) {
		word = pmclogint_u32(d, rec, at);
		type = d->big ? word >> 16 : word & 0xffff;
		len = d->big ? word & 0xffff : word >> 16;
		at += sizeof(struct pmclog_wire_field);
		if (len > end - at)
			return err_set(err, EX_DATAERR,
				       "trailer field %" PRIu32 " of %" PRIu32
				       " bytes is longer than the %" PRIu32 " left of the trailer",
				       type, len, end - at);
		if (type < NFIELDS && field_kinds[type] != KIND_UNKNOWN &&
		    decode_field(d, rec, type, at, len, f, err))
			return -1;
	}
	return 0;
}

static void set_pointer_size(struct pmclogint_decoder *d, uint8_t size)
{
	d->ptr = size;
	d->copies = size != 8 || d->big || d->swap;
}

/*
 * The pointer size that a record shows, 0 when it shows none.  No field tells it, but two 32-bit
 * words make no 64-bit address, and neither do one and the first letters of a path.
 */
static uint8_t pointer_size(const struct pmclogint_decoder *d, uint32_t type,
			    const struct pmclog_record *rec)
{
	uint32_t bytes = rec->length - types[type].length;

	switch (type) {
	case PMCLOG_WIRE_MAP_OUT: return bytes > 8 ? 8 : 4;
	case PMCLOG_WIRE_MAP_IN:
	case PMCLOG_WIRE_PROCEXEC: return pmclogint_is_address(d, rec, MAP_POINTERS) ? 8 : 4;
	case PMCLOG_WIRE_CALLCHAIN:
		if (!bytes)
			return 0;
		/* Only 64-bit machines have parts, and the first word is no address then. */
		if (d->major >= 10 && pmclogint_u32(d, rec, 28) & PMCLOG_CC_MULTIPART)
			return 8;
		return bytes % 8 == 0 && pmclogint_is_address(d, rec, CHAIN_POINTERS) ? 8 : 4;
	default: return 0;
	}
}

/* The time of day, of machines with 32 or 64 bits of seconds and of nanoseconds. */
static void decode_time_of_day(const struct pmclogint_decoder *d, struct pmclog_record *rec)
{
	if (d->ptr == 4) {
		rec->u.init.ts_sec = pmclogint_u32(d, rec, 32);
		rec->u.init.ts_nsec = pmclogint_u32(d, rec, 36);
		return;
	}
	rec->u.init.ts_sec = pmclogint_stored(d, rec, 32);
	rec->u.init.ts_nsec = pmclogint_stored(d, rec, 40);
	/* Where the nanoseconds have 32 bits what follows them is not set. */
	if (rec->u.init.ts_nsec > 999999999)
		rec->u.init.ts_nsec = pmclogint_u32(d, rec, 40);
}

static int decode_initialize(struct pmclogint_decoder *d, struct pmclog_record *rec,
			     struct err *err)
{
	uint32_t end = sizeof(struct pmclog_wire_initialize);
	struct fields f;

	if (d->major)
		return err_set(err, EX_DATAERR, "a second INITIALIZE record");
	rec->u.init.version = pmclogint_u32(d, rec, 16);
	d->major = rec->u.init.version >> 24;
	d->copies = true;
	if (d->major != 9 && d->major != 10)
		return err_set(err, EX_DATAERR,
			       "version 0x%08" PRIx32 " is not known: 1 to 5, 9 and 10 are",
			       rec->u.init.version);
	if (rec->length < end) {
		end = INITIALIZE_32_LENGTH;
		set_pointer_size(d, 4);
	}
	rec->u.init.cputype = pmclogint_u32(d, rec, 20);
	rec->u.init.tsc_freq = pmclogint_u64(d, rec, 24);
	decode_time_of_day(d, rec);
	if (pmclogint_text(rec, end - CPUID_SIZE, CPUID_SIZE, "cpuid", &rec->u.init.cpuid, err) ||
	    decode_trailer(d, rec, end, &f, err))
		return -1;
	/* Trailers are written by this project alone, everywhere with 64-bit addresses. */
	if (f.found)
		set_pointer_size(d, 8);
	rec->u.init.maps_at_exec = f.found;
	rec->u.init.host = f.text[PMCLOG_FIELD_HOST_NAME];
	rec->u.init.release = f.text[PMCLOG_FIELD_RELEASE];
	rec->u.init.machine = f.text[PMCLOG_FIELD_MACHINE];
	rec->u.init.boot_id = f.text[PMCLOG_FIELD_BOOT_ID];
	rec->u.init.command = f.text[PMCLOG_FIELD_COMMAND];
	rec->u.init.collector = f.text[PMCLOG_FIELD_COLLECTOR];
	return 0;
}

static int decode_drop(struct pmclogint_decoder *d, struct pmclog_record *rec, struct err *err)
{
	struct fields f;

	if (decode_trailer(d, rec, sizeof(struct pmclog_wire_header), &f, err))
		return -1;
	rec->u.drop.count_known = f.have >> PMCLOG_FIELD_COUNT & 1;
	rec->u.drop.count = f.number[PMCLOG_FIELD_COUNT];
	rec->u.drop.cpu = (uint32_t)f.number[PMCLOG_FIELD_CPU];
	rec->u.drop.cause = (uint32_t)f.number[PMCLOG_FIELD_CAUSE];
	rec->u.drop.pmcid = f.have >> PMCLOG_FIELD_PMCID & 1
				    ? (uint32_t)f.number[PMCLOG_FIELD_PMCID]
				    : UINT32_MAX;
	rec->u.drop.enabled = f.number[PMCLOG_FIELD_ENABLED];
	rec->u.drop.running = f.number[PMCLOG_FIELD_RUNNING];
	rec->u.drop.paused = f.number[PMCLOG_FIELD_PAUSED];
	if (rec->u.drop.running > rec->u.drop.enabled)
		return err_set(err, EX_DATAERR,
			       "a PMC that had a counter for %" PRIu64 " ns of %" PRIu64 " ns",
			       rec->u.drop.running, rec->u.drop.enabled);
	return 0;
}

static int decode_detach(struct pmclogint_decoder *d, struct pmclog_record *rec, struct err *err)
{
	const uint64_t both = 1ull << PMCLOG_FIELD_USER_TIME | 1ull << PMCLOG_FIELD_SYSTEM_TIME;
	struct fields f;

	rec->u.attach.pmcid = pmclogint_u32(d, rec, 16);
	rec->u.attach.pid = pmclogint_u32(d, rec, 20);
	if (decode_trailer(d, rec, sizeof(struct pmclog_wire_pmcdetach), &f, err))
		return -1;
	rec->u.attach.has_times = (f.have & both) == both;
	rec->u.attach.user = f.number[PMCLOG_FIELD_USER_TIME];
	rec->u.attach.system = f.number[PMCLOG_FIELD_SYSTEM_TIME];
	return 0;
}

static void alloc_from_trailer(struct pmclog_record *rec, const struct fields *f)
{
	if (f->have >> PMCLOG_FIELD_RATE & 1)
		rec->u.alloc.rate = f->number[PMCLOG_FIELD_RATE];
	rec->u.alloc.frequency = f->number[PMCLOG_FIELD_FREQUENCY] != 0;
	rec->u.alloc.max_depth = (uint32_t)f->number[PMCLOG_FIELD_MAX_DEPTH];
	rec->u.alloc.spec = f->text[PMCLOG_FIELD_EVENT_SPEC];
	rec->u.alloc.host = f->text[PMCLOG_FIELD_HOST_NAME];
}

static int decode_allocate(struct pmclogint_decoder *d, struct pmclog_record *rec, struct err *err)
{
	struct fields f;

	rec->u.alloc.pmcid = pmclogint_u32(d, rec, 16);
	rec->u.alloc.event = pmclogint_u32(d, rec, 20);
	rec->u.alloc.flags = pmclogint_u32(d, rec, 24);
	rec->u.alloc.rate = pmclogint_u64(d, rec, 32);
	if (decode_trailer(d, rec, sizeof(struct pmclog_wire_pmcallocate), &f, err))
		return -1;
	alloc_from_trailer(rec, &f);
	return 0;
}

/*
 * FreeBSD's kernel puts the rate where the name belongs and the name behind it, into a record that
 * is not longer for that.  A name that ends within 8 bytes is followed by zeroes.
 */
static bool rate_before_name(const struct pmclog_record *rec)
{
	const uint8_t *p = (const uint8_t *)rec->raw + 32;

	return p[8] && memchr(p, '\0', 8);
}

static int decode_allocatedyn(struct pmclogint_decoder *d, struct pmclog_record *rec,
			      struct err *err)
{
	const uint32_t end = sizeof(struct pmclog_wire_pmcallocatedyn);
	uint32_t at = 32, size = NAME_SIZE;
	struct fields f;

	rec->u.alloc.pmcid = pmclogint_u32(d, rec, 16);
	rec->u.alloc.event = pmclogint_u32(d, rec, 20);
	rec->u.alloc.flags = pmclogint_u32(d, rec, 24);
	if (rate_before_name(rec)) {
		rec->u.alloc.rate = pmclogint_u64(d, rec, at);
		at += 8;
		size -= 8;
	}
	if (pmclogint_text(rec, at, size, "name", &rec->u.alloc.name, err) ||
	    decode_trailer(d, rec, end, &f, err))
		return -1;
	alloc_from_trailer(rec, &f);
	return 0;
}

static int decode_map_in(struct pmclogint_decoder *d, struct pmclog_record *rec, struct err *err)
{
	const uint32_t at = MAP_POINTERS + d->ptr;
	struct pmclog_text *path = &rec->u.map_in.path;
	struct fields f;

	rec->u.map_in.pid = pmclogint_u32(d, rec, 16);
	rec->u.map_in.start = pmclogint_pointer(d, rec, MAP_POINTERS);
	if (pmclogint_text(rec, at, PMCLOG_MAX_PATH, "path", path, err) ||
	    decode_trailer(d, rec, at + (uint32_t)path->len + 1, &f, err))
		return -1;
	rec->u.map_in.length = f.number[PMCLOG_FIELD_MAP_LENGTH];
	rec->u.map_in.has_file_offset = f.have >> PMCLOG_FIELD_FILE_OFFSET & 1;
	rec->u.map_in.file_offset = f.number[PMCLOG_FIELD_FILE_OFFSET];
	rec->u.map_in.device = f.number[PMCLOG_FIELD_DEVICE];
	rec->u.map_in.inode = f.number[PMCLOG_FIELD_INODE];
	rec->u.map_in.symbol = f.text[PMCLOG_FIELD_SYMBOL];
	rec->u.map_in.build_id_len = f.build_id_len;
	if (f.build_id_len)
		memcpy(rec->u.map_in.build_id, f.build_id, f.build_id_len);
	return 0;
}

static int decode_exec(struct pmclogint_decoder *d, struct pmclog_record *rec, struct err *err)
{
	uint32_t at = EXEC_POINTERS + d->ptr;
	struct pmclog_text *path = &rec->u.exec.path;
	struct fields f;

	rec->u.exec.pid = pmclogint_u32(d, rec, 16);
	rec->u.exec.pmcid = pmclogint_u32(d, rec, 20);
	if (d->major < 10) {
		rec->u.exec.entry = pmclogint_pointer(d, rec, EXEC_POINTERS);
	} else {
		rec->u.exec.has_base = true;
		rec->u.exec.base = pmclogint_pointer(d, rec, EXEC_POINTERS);
		rec->u.exec.dyn = pmclogint_pointer(d, rec, at);
		at += d->ptr;
	}
	if (pmclogint_text(rec, at, PMCLOG_MAX_PATH, "path", path, err) ||
	    decode_trailer(d, rec, at + (uint32_t)path->len + 1, &f, err))
		return -1;
	rec->u.exec.arguments = f.text[PMCLOG_FIELD_ARGUMENTS];
	return 0;
}

/*
 * A multipart chain: the first word holds pairs of bytes, kind and payload words, up to kind 0; the
 * payloads follow in this order.  The call chain is the last part and has the rest of the record.
 */
static int decode_multipart(struct pmclogint_decoder *d, struct pmclog_record *rec, struct err *err)
{
	enum { PAIRS = 4, KIND_NONE = 0, KIND_CALLCHAIN = 1 };
	const uint8_t *table = (const uint8_t *)rec->raw + sizeof(struct pmclog_wire_callchain);
	uint32_t words = rec->u.chain.npcs, at = 1, i;

	if (!words)
		return err_set(err, EX_DATAERR,
			       "a multipart call chain without its table of parts");
	if (d->ptr == 4)
		return err_set(err, EX_DATAERR,
			       "a multipart call chain in a log of a 32-bit machine, which has "
			       "none");
	for (i = 0; i < PAIRS && table[2 * i] != KIND_NONE && table[2 * i] != KIND_CALLCHAIN; i++) {
		uint32_t n = table[2 * i + 1];

		if (n > words - at)
			return err_set(err, EX_DATAERR,
				       "part %" PRIu32 " of %" PRIu32
				       " words is longer than the %" PRIu32 " left of the record",
				       i + 1, n, words - at);
		at += n;
		rec->u.chain.foreign++;
	}
	d->foreign += rec->u.chain.foreign;
	rec->u.chain.npcs = i < PAIRS && table[2 * i] == KIND_CALLCHAIN ? words - at : 0;
	rec->u.chain.pcs += at;
	return 0;
}

/* Puts the program counters of a chain into the form that this machine has them in. */
__attribute__((noinline)) static int copy_pcs(struct pmclogint_decoder *d,
					      struct pmclog_record *rec, struct err *err)
{
	if (!d->ptr)
		set_pointer_size(d, pointer_size(d, PMCLOG_WIRE_CALLCHAIN, rec));
	return pmclogint_pcs(d, rec, CHAIN_POINTERS, err);
}

/*
 * A repeat of a record, which has to be behind frame done and to leave the chain no longer than it
 * may be: *all frames so far.  -1 with err set.
 */
static int take_repeat(const struct pmclogint_decoder *d, const struct pmclog_record *rec,
		       uint32_t at, uint32_t done, uint32_t *all, struct pmclog_wire_repeat *r,
		       struct err *err)
{
	uint32_t word = pmclogint_u32(d, rec, at + 4), npcs = rec->u.chain.npcs, more;

	r->first = pmclogint_u32(d, rec, at);
	r->frames = (uint16_t)(d->big ? word >> 16 : word);
	r->times = (uint16_t)(d->big ? word : word >> 16);
	if (!r->frames || r->times < 2)
		return err_set(err, EX_DATAERR, "%u frames that stand %u times are no repeat",
			       r->frames, r->times);
	if (r->first < done || r->first > npcs || r->frames > npcs - r->first)
		return err_set(err, EX_DATAERR,
			       "%u frames that repeat from frame %" PRIu32
			       " on are not between frame %" PRIu32 " and the end, %" PRIu32,
			       r->frames, r->first, done, npcs);
	more = (uint32_t)r->frames * (r->times - 1u);
	if (more > PMCLOG_MAX_FRAMES - *all)
		return err_set(err, EX_DATAERR,
			       "a call chain of %" PRIu32
			       " frames, with those that repeat, is above %u",
			       *all + more, PMCLOG_MAX_FRAMES);
	*all += more;
	return 0;
}

/* Appends frames [from, to) of the record to the chain of n frames: how many there are then. */
static uint32_t unfold_frames(struct pmclogint_decoder *d, const struct pmclog_record *rec,
			      uint32_t from, uint32_t to, uint32_t n)
{
	for (; from < to; from++, n++) {
		uint8_t bit = (uint8_t)(1u << n % 8);

		d->unfolded.pcs[n] = rec->u.chain.pcs[from];
		if (pmclog_is_marked(&rec->u.chain.guessed, from))
			d->unfolded.guessed[n / 8] |= bit;
		if (pmclog_is_marked(&rec->u.chain.exact, from))
			d->unfolded.exact[n / 8] |= bit;
	}
	return n;
}

static void use_marks(struct pmclog_marks *m, const uint8_t *bits, uint32_t n)
{
	if (m->length)
		*m = (struct pmclog_marks){bits, (n + 7) / 8};
}

/* Makes the chain what it is with the frames that repeat. */
static int unfold(struct pmclogint_decoder *d, struct pmclog_record *rec, const struct fields *f,
		  struct err *err)
{
	uint32_t found = rec->u.chain.npcs - rec->u.chain.stitched, all = rec->u.chain.npcs;
	uint32_t n = 0, done = 0, i, k;
	struct pmclog_wire_repeat r;

	memset(d->unfolded.guessed, 0, sizeof(d->unfolded.guessed));
	memset(d->unfolded.exact, 0, sizeof(d->unfolded.exact));
	for (i = 0; i < f->nrepeats; i++) {
		if (take_repeat(d, rec, f->repeats + i * (uint32_t)sizeof(r), done, &all, &r, err))
			return -1;
		n = unfold_frames(d, rec, done, r.first, n);
		done = r.first + r.frames;
		for (k = 0; k < r.times; k++)
			n = unfold_frames(d, rec, r.first, done, n);
		if (done > found)
			rec->u.chain.stitched +=
				(r.times - 1u) * (done - (r.first > found ? r.first : found));
	}
	n = unfold_frames(d, rec, done, rec->u.chain.npcs, n);
	rec->u.chain.nfolded = rec->u.chain.npcs;
	rec->u.chain.folded = rec->u.chain.pcs;
	rec->u.chain.npcs = n;
	rec->u.chain.pcs = d->unfolded.pcs;
	use_marks(&rec->u.chain.guessed, d->unfolded.guessed, n);
	use_marks(&rec->u.chain.exact, d->unfolded.exact, n);
	return 0;
}

/* The trailer of so many words behind the program counters: which frames are marked. */
static int decode_marks(struct pmclogint_decoder *d, struct pmclog_record *rec, uint32_t words,
			struct err *err)
{
	struct fields f;

	if (words > rec->u.chain.npcs)
		return err_set(err, EX_DATAERR,
			       "a trailer of %" PRIu32 " words is longer than the %" PRIu32
			       " of the call chain",
			       words, rec->u.chain.npcs);
	rec->u.chain.npcs -= words;
	if (decode_trailer(d, rec, rec->length - words * 8, &f, err))
		return -1;
	rec->u.chain.guessed = f.guessed;
	rec->u.chain.exact = f.exact;
	rec->u.chain.stitched = (uint32_t)f.number[PMCLOG_FIELD_STITCHED];
	if (rec->u.chain.stitched > rec->u.chain.npcs)
		return err_set(err, EX_DATAERR,
			       "%" PRIu32 " stitched frames in a call chain of %" PRIu32,
			       rec->u.chain.stitched, rec->u.chain.npcs);
	return f.nrepeats ? unfold(d, rec, &f, err) : 0;
}

/* The hot path: everything is used where it lies unless it is misaligned or of another layout. */
static int decode_callchain(struct pmclogint_decoder *d, struct pmclog_record *rec, struct err *err)
{
	const uint8_t *pcs = (const uint8_t *)rec->raw + CHAIN_POINTERS;
	uint32_t cpuflags = pmclogint_u32(d, rec, 28);
	uint32_t words = cpuflags >> PMCLOG_CC_TRAILER_SHIFT & PMCLOG_CC_TRAILER_MASK;

	rec->u.chain.pid = pmclogint_u32(d, rec, 16);
	rec->u.chain.tid = pmclogint_u32(d, rec, 20);
	rec->u.chain.pmcid = pmclogint_u32(d, rec, 24);
	rec->u.chain.cpu = cpuflags >> 16;
	rec->u.chain.usermode = cpuflags & PMCLOG_CC_USERMODE;
	rec->u.chain.end = cpuflags >> PMCLOG_CC_END_SHIFT & PMCLOG_CC_END_MASK;
	rec->u.chain.foreign = rec->u.chain.stitched = rec->u.chain.nfolded = 0;
	rec->u.chain.guessed.length = rec->u.chain.exact.length = 0;
	rec->u.chain.npcs = (rec->length - CHAIN_POINTERS) / 8;
	rec->u.chain.pcs = (const uint64_t *)(const void *)pcs;
	if (__builtin_expect(d->copies || ((uintptr_t)pcs | rec->length) % 8, 0) &&
	    copy_pcs(d, rec, err))
		return -1;
	if (cpuflags & PMCLOG_CC_MULTIPART && d->major >= 10)
		return decode_multipart(d, rec, err);
	return words && d->ptr != 4 ? decode_marks(d, rec, words, err) : 0;
}

/* The records that are only numbers and names of fixed size. */
static int decode_fixed(const struct pmclogint_decoder *d, struct pmclog_record *rec,
			struct err *err)
{
	uint32_t a = rec->length >= 20 ? pmclogint_u32(d, rec, 16) : 0;
	uint32_t b = rec->length >= 24 ? pmclogint_u32(d, rec, 20) : 0;

	switch (rec->type) {
	case PMCLOG_WIRE_PROCCSW:
		rec->u.csw.value = pmclogint_u64(d, rec, 16);
		rec->u.csw.pmcid = pmclogint_u32(d, rec, 24);
		rec->u.csw.pid = pmclogint_u32(d, rec, 28);
		rec->u.csw.tid = pmclogint_u32(d, rec, 32);
		break;
	case PMCLOG_WIRE_PROCEXIT:
		rec->u.exit.pmcid = a;
		rec->u.exit.pid = b;
		rec->u.exit.value = pmclogint_u64(d, rec, 24);
		break;
	case PMCLOG_WIRE_PROCFORK:
		rec->u.fork.oldpid = a;
		rec->u.fork.newpid = b;
		break;
	case PMCLOG_WIRE_SYSEXIT: rec->u.sysexit.pid = a; break;
	case PMCLOG_WIRE_USERDATA: rec->u.user.userdata = a; break;
	case PMCLOG_WIRE_MAP_OUT:
		rec->u.map_out.pid = a;
		rec->u.map_out.start = pmclogint_pointer(d, rec, MAP_POINTERS);
		rec->u.map_out.end = pmclogint_pointer(d, rec, MAP_POINTERS + d->ptr);
		break;
	case PMCLOG_WIRE_THR_CREATE:
		rec->u.thr.tid = a;
		rec->u.thr.pid = b;
		rec->u.thr.flags = pmclogint_u32(d, rec, 24);
		return pmclogint_text(rec, 32, COMM_SIZE, "name", &rec->u.thr.name, err);
	case PMCLOG_WIRE_THR_EXIT: rec->u.thr.tid = a; break;
	case PMCLOG_WIRE_PROC_CREATE:
		rec->u.proc.pid = a;
		rec->u.proc.flags = b;
		return pmclogint_text(rec, 24, COMM_SIZE, "name", &rec->u.proc.comm, err);
	case PMCLOG_WIRE_GROUP_INHERIT_MISS:
		rec->u.miss.pmcid = a;
		rec->u.miss.pid = b;
		break;
	default: break;
	}
	return 0;
}

static int too_short(const struct pmclog_record *rec, uint32_t want, struct err *err)
{
	return err_set(err, EX_DATAERR, "length %" PRIu32 " is below the %" PRIu32 " bytes of %s",
		       rec->length, want, types[rec->type].name);
}

/* Whether a record has room for its pointers; the first one that has any shows their size. */
static int check_pointers(struct pmclogint_decoder *d, const struct pmclog_record *rec,
			  struct err *err)
{
	uint32_t n = d->major < 10 ? types[rec->type].pointers : types[rec->type].pointers_10, want;

	if (!n)
		return 0;
	if (!d->ptr)
		set_pointer_size(d, pointer_size(d, rec->type, rec));
	want = types[rec->type].length + n * d->ptr;
	return rec->length < want ? too_short(rec, want, err) : 0;
}

static int decode_appendix(struct pmclogint_decoder *d, struct pmclog_record *rec, struct err *err)
{
	uint32_t crc = pmclogint_u32(d, rec, 24), size = pmclogint_u32(d, rec, 28);
	uint64_t left = pmclogint_u64(d, rec, 32);
	bool begins = !d->appendix_left;

	rec->u.appendix.type = pmclogint_u32(d, rec, 20);
	rec->u.appendix.size = size;
	rec->u.appendix.left = left;
	rec->u.appendix.begins = begins;
	rec->u.appendix.bytes = (const uint8_t *)rec->raw + sizeof(struct pmclog_wire_appendix);
	if (!size || size > rec->length - sizeof(struct pmclog_wire_appendix))
		return err_set(err, EX_DATAERR,
			       "%" PRIu32 " bytes of a block are not in a record of %" PRIu32, size,
			       rec->length);
	if (crc32(0, rec->u.appendix.bytes, size) != crc)
		return err_set(err, EX_DATAERR,
			       "a block's bytes do not have the checksum 0x%" PRIx32, crc);
	if (!begins && (rec->u.appendix.type != d->appendix || left > d->appendix_left ||
			d->appendix_left - left != size))
		return err_set(err, EX_DATAERR,
			       "%" PRIu32 " and %" PRIu64 " bytes of a block of type %" PRIu32
			       " are not the %" PRIu64 " to come of type %" PRIu32,
			       size, left, rec->u.appendix.type, d->appendix_left, d->appendix);
	d->appendix = rec->u.appendix.type;
	d->appendix_left = left;
	return 0;
}

/* Not inlined, so that samples need not save the registers that it takes. */
__attribute__((noinline)) static int decode_rare(struct pmclogint_decoder *d,
						 struct pmclog_record *rec, struct err *err)
{
	memset(&rec->u, 0, sizeof(rec->u));
	if (check_pointers(d, rec, err))
		return -1;
	switch (rec->type) {
	case PMCLOG_WIRE_INITIALIZE: return decode_initialize(d, rec, err);
	case PMCLOG_WIRE_DROPNOTIFY: return decode_drop(d, rec, err);
	case PMCLOG_WIRE_PMCALLOCATE: return decode_allocate(d, rec, err);
	case PMCLOG_WIRE_PMCALLOCATEDYN: return decode_allocatedyn(d, rec, err);
	case PMCLOG_WIRE_PMCATTACH:
		rec->u.attach.pmcid = pmclogint_u32(d, rec, 16);
		rec->u.attach.pid = pmclogint_u32(d, rec, 20);
		return pmclogint_text(rec, sizeof(struct pmclog_wire_pmcattach), PMCLOG_MAX_PATH,
				      "path", &rec->u.attach.path, err);
	case PMCLOG_WIRE_PMCDETACH: return decode_detach(d, rec, err);
	case PMCLOG_WIRE_PROCEXEC: return decode_exec(d, rec, err);
	case PMCLOG_WIRE_MAP_IN: return decode_map_in(d, rec, err);
	case PMCLOG_WIRE_APPENDIX: return decode_appendix(d, rec, err);
	default: return decode_fixed(d, rec, err);
	}
}

/* FreeBSD may give the type to another record. */
static bool is_appendix(const struct pmclogint_decoder *d, const struct pmclog_record *rec)
{
	return rec->length >= sizeof(struct pmclog_wire_appendix) &&
	       pmclogint_u32(d, rec, sizeof(struct pmclog_wire_header)) == PMCLOG_APPENDIX_MAGIC;
}

enum pmclogint_decoded pmclogint_decode_v9(struct pmclogint_decoder *d, uint32_t type,
					   struct pmclog_record *rec, struct err *err)
{
	int failed;

	rec->type = type;
	if (type >= PMCLOG_WIRE_NTYPES || !types[type].length ||
	    (type == PMCLOG_WIRE_APPENDIX && !is_appendix(d, rec)))
		return DECODED_UNKNOWN;
	if (rec->length < types[type].length) {
		too_short(rec, types[type].length, err);
		return DECODED_CORRUPT;
	}
	rec->tsc = pmclogint_stored(d, rec, 8);
	failed = type == PMCLOG_WIRE_CALLCHAIN ? decode_callchain(d, rec, err)
					       : decode_rare(d, rec, err);
	return failed ? DECODED_CORRUPT : DECODED_OK;
}
