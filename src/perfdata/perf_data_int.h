/* SPDX-License-Identifier: BSD-2-Clause */
/* What the files of src/perfdata/ share. */
#ifndef PERFDATA_PERF_DATA_INT_H
#define PERFDATA_PERF_DATA_INT_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/hash.h"
#include "base/vec.h"
#include "perfdata/perf_data.h"

#define PERF_DATA_UNKNOWN_CPU UINT32_MAX

/* Records that perf itself makes; <linux/perf_event.h> has the kernel's. */
enum perf_data_type {
	PERF_DATA_HEADER_ATTR = 64,
	PERF_DATA_HEADER_TRACING_DATA = 66, /* with bytes behind it */
	PERF_DATA_HEADER_BUILD_ID = 67,
	PERF_DATA_FINISHED_ROUND = 68,
	PERF_DATA_ID_INDEX = 69,
	PERF_DATA_AUXTRACE = 71, /* likewise */
	PERF_DATA_EVENT_UPDATE = 78,
	PERF_DATA_HEADER_FEATURE = 80,
	PERF_DATA_COMPRESSED = 81,
	PERF_DATA_COMPRESSED2 = 83,
};

/* ---- The bytes: perf_data_stream.c. */

/* Records one behind the other, those that are compressed among them as if they were not. */
struct perf_data_stream {
	const struct perf_data_input *in;
	uint64_t at;   /* in the file: of the next byte that is not taken yet */
	uint64_t left; /* bytes of records that are still to come; UINT64_MAX: to the file's end */
	uint8_t *buf;
	size_t from, to;		 /* what of buf is not taken yet */
	struct perf_data_unpack *unpack; /* NULL: nothing compressed yet */
	const uint8_t *packed;		 /* of the record in hand: what is not unpacked yet */
	size_t npacked;
	uint64_t unpacked; /* bytes so far */
	uint64_t skipped;  /* bytes behind records */
	/* The record in hand, aligned. */
	uint64_t record[65536 / sizeof(uint64_t)];
	uint64_t offset; /* in the file */
};

/* The stream begins with the bytes of in->head. */
int perf_data_stream_init(struct perf_data_stream *s, const struct perf_data_input *in,
			  struct err *err);
void perf_data_stream_fini(struct perf_data_stream *s);

/* The next n bytes, at most 64 KB; NULL with err set where there are fewer, or none can be read. */
const void *perf_data_stream_take(struct perf_data_stream *s, size_t n, const char *what,
				  struct err *err);

/* Goes on at that offset of a file, with that many bytes to come. */
int perf_data_stream_seek(struct perf_data_stream *s, uint64_t offset, uint64_t length,
			  struct err *err);

/* The next record, in s->record until the next call.  1; 0 at the end; -1 with err set. */
int perf_data_stream_next(struct perf_data_stream *s, const struct perf_event_header **record,
			  struct err *err);

/* The bytes read so far. */
static inline uint64_t perf_data_stream_read(const struct perf_data_stream *s)
{
	return s->at;
}

/* ---- The events: perf_data_events.c. */

struct perf_data_event {
	struct perf_event_attr attr; /* what the file's is longer by is left out */
	char name[128];
	bool system;	/* of CPUs, whatever runs there */
	bool has_scope; /* that is known */
	uint64_t samples;
	uint64_t least, most; /* periods of samples */
};

struct perf_data_id {
	uint64_t id;
	uint32_t event; /* index */
	uint32_t cpu;
};

/* A zeroed one has none. */
struct perf_data_events {
	VEC(struct perf_data_event) v;
	VEC(struct perf_data_id) ids;
	struct table by_id;
};

void perf_data_events_fini(struct perf_data_events *e);

/* An attr of at most len bytes; -1 with err set where that cannot be. */
int perf_data_events_add(struct perf_data_events *e, const void *attr, size_t len, struct err *err);
/* An id of the last event. */
int perf_data_events_add_id(struct perf_data_events *e, uint64_t id, struct err *err);
void perf_data_events_name(struct perf_data_events *e, uint64_t id, const char *name, size_t len);
/* PERF_RECORD_ID_INDEX. */
void perf_data_events_place(struct perf_data_events *e, const struct perf_event_header *record);
/* Once all are known: names those that have no name; -1 where records cannot be told apart. */
int perf_data_events_settle(struct perf_data_events *e, struct err *err);

const struct perf_data_id *perf_data_events_find(const struct perf_data_events *e, uint64_t id);

/* ---- What the file says of itself: perf_data_header.c. */

struct perf_data_build_id {
	uint32_t path; /* offset in paths */
	uint8_t len;   /* 0: the file changed meanwhile */
	uint8_t id[20];
};

struct perf_data_header {
	char host[256], release[256], machine[256], cpuid[256], cpu[256], command[2048];
	bool has_clock;
	uint64_t wall, clock; /* ns: the time of day at the clock's time */
	bool is_pipe;
	bool is_open; /* perf record did not end in order */
	VEC(struct perf_data_build_id) build_ids;
	VEC(char) paths;
	struct table by_path; /* index into build_ids */
};

void perf_data_header_fini(struct perf_data_header *h);

/* Reads what is before the records, and behind them in a file; the stream is at the records. */
int perf_data_header_read(struct perf_data_header *h, struct perf_data_events *e,
			  struct perf_data_stream *s, struct err *err);

/* What records of a pipe say instead.  False: the record is none of those. */
bool perf_data_header_record(struct perf_data_header *h, struct perf_data_events *e,
			     const struct perf_event_header *record, struct err *err);

/* The build-id of a file that is mapped by this name; NULL: not known. */
const struct perf_data_build_id *perf_data_header_build_id(const struct perf_data_header *h,
							   const char *path);

/* ---- The kernel: perf_data_boot.c. */

/*
 * Whether fd has a recording of the kernel that runs here, in this boot of it, as far as can be
 * found out: its kernel began at start.  Then boot_id, of size bytes, is the boot's.
 */
bool perf_data_this_boot(const struct perf_data_header *h, int fd, uint64_t start, char *boot_id,
			 size_t size);

/* ---- Records in our own collector's layout: perf_data_record.c. */

/*
 * Instead of the kernel's id of an event: its index, and in system scope the CPU, of which there is
 * a PMC each.
 */
#define PERF_DATA_KEY(event, cpu) ((uint64_t)(event) | ((uint64_t)(cpu) + 1) << 32)
#define PERF_DATA_KEY_SIDE	  UINT64_MAX /* of no event */

static inline uint32_t perf_data_key_event(uint64_t key)
{
	return (uint32_t)key;
}

/* UINT32_MAX: of no CPU */
static inline uint32_t perf_data_key_cpu(uint64_t key)
{
	return (uint32_t)(key >> 32) - 1;
}

struct perf_data_shaper {
	struct perf_data_events *events;
	bool can_unwind;	 /* registers are those of this machine */
	uint64_t without_cpu;	 /* samples */
	uint64_t without_window; /* that were to have registers and stack, as we take them */
	uint64_t guest;		 /* samples with frames of guests, which are left out */
	uint64_t in_guest;	 /* samples */
	uint64_t parts;		 /* PERF_SAMPLE_* that samples had and we do not take */
	union {
		struct perf_event_header header;
		uint64_t words[65536 / sizeof(uint64_t) + 64];
	} out;
};

/*
 * The record, until the next call, and its time, 0 where it has none.  NULL: it is shorter than
 * what it says of itself.
 */
const struct perf_event_header *perf_data_shape(struct perf_data_shaper *s,
						const struct perf_event_header *record,
						uint64_t *time);

/* Whether samples of the event have registers and a stack that can be unwound. */
bool perf_data_has_window(const struct perf_data_shaper *s, const struct perf_data_event *event);

/* ---- The order of time: perf_data_order.c. */

struct perf_data_queued {
	uint64_t time, at; /* at: offset in bytes */
};

/* A zeroed one is empty. */
struct perf_data_order {
	VEC(struct perf_data_queued) v;
	VEC(uint8_t) bytes;
	uint64_t round;	 /* the latest time that a round before this one has */
	uint64_t latest; /* of all */
	uint64_t told;	 /* the latest that was given out */
	uint64_t late;	 /* records that came when later ones had been given out */
};

typedef void perf_data_emit_fn(void *arg, uint64_t time, const struct perf_event_header *record);

void perf_data_order_fini(struct perf_data_order *o);
int perf_data_order_push(struct perf_data_order *o, uint64_t time,
			 const struct perf_event_header *record, struct err *err);
/* A round has ended: what is as old as the round before it is given out, the oldest first. */
void perf_data_order_round(struct perf_data_order *o, perf_data_emit_fn *emit, void *arg);
/* Gives out the older half. */
void perf_data_order_half(struct perf_data_order *o, perf_data_emit_fn *emit, void *arg);
void perf_data_order_all(struct perf_data_order *o, perf_data_emit_fn *emit, void *arg);

#endif
