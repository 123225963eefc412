// SPDX-License-Identifier: BSD-2-Clause
/*
 * The parts of a sample, and the ids behind other records, are those that attr.sample_type has, in
 * the order of <linux/perf_event.h>.  Our collector's are always the same.
 */
#include <string.h>

#include "perfdata/perf_data_int.h"
#include "pmc/perf/perf_layout.h"
#include "pmc/perf/unwind/perf_regs.h"
#include "pmc/perf/perf_ring.h"

#define BRANCH_HW_INDEX (1u << 17)
#define BRANCH_COUNTERS (1u << 19)
#define FORMAT_LOST	(1u << 4)

/* What a log has no place for. */
#define PARTS_LEFT_OUT                                                                      \
	(PERF_SAMPLE_ADDR | PERF_SAMPLE_READ | PERF_SAMPLE_RAW | PERF_SAMPLE_BRANCH_STACK | \
	 PERF_SAMPLE_REGS_INTR | PERF_SAMPLE_WEIGHT_TYPE | PERF_SAMPLE_DATA_SRC |           \
	 PERF_SAMPLE_TRANSACTION | PERF_SAMPLE_PHYS_ADDR | PERF_SAMPLE_CGROUP |             \
	 PERF_SAMPLE_DATA_PAGE_SIZE | PERF_SAMPLE_CODE_PAGE_SIZE | PERF_SAMPLE_AUX)

/* The words of a record that are still to be read. */
struct words {
	const uint64_t *p;
	size_t n;
};

struct sample {
	uint64_t id, ip, time, period;
	uint32_t pid, tid, cpu;
	uint64_t nchain;
	const uint64_t *chain;
	uint64_t abi;
	const uint64_t *regs; /* NULL: none */
	uint64_t stack_words, stack_used;
	const uint64_t *stack;
};

struct rec_mmap {
	struct perf_event_header header;
	uint32_t pid, tid;
	uint64_t start, length, file_offset;
	char path[];
};

struct rec_id {
	struct perf_event_header header;
	uint64_t time, id, stream_id;
};

/* The end of records that are no samples: what of these attr.sample_type has. */
struct ids {
	uint32_t pid, tid, cpu;
	uint64_t time, id;
};

/* The next count words; NULL: there are not so many. */
static const uint64_t *take(struct words *w, uint64_t count)
{
	const uint64_t *p = w->p;

	if (count > w->n)
		return NULL;
	w->p += count;
	w->n -= count;
	return p;
}

/* One word; a part that a sample does not have leaves *to as it is. */
static bool take_word(struct words *w, bool has, uint64_t *to)
{
	if (!has)
		return true;
	if (!w->n)
		return false;
	*to = *w->p++;
	w->n--;
	return true;
}

static uint32_t low(uint64_t word)
{
	uint32_t half[2];

	memcpy(half, &word, sizeof(word));
	return half[0];
}

static uint32_t high(uint64_t word)
{
	uint32_t half[2];

	memcpy(half, &word, sizeof(word));
	return half[1];
}

static bool skip_read(struct words *w, uint64_t format)
{
	uint64_t times = !!(format & PERF_FORMAT_TOTAL_TIME_ENABLED) +
			 !!(format & PERF_FORMAT_TOTAL_TIME_RUNNING),
		 each = 1 + !!(format & PERF_FORMAT_ID) + !!(format & FORMAT_LOST), n = 1;

	if (format & PERF_FORMAT_GROUP && !take_word(w, true, &n))
		return false;
	return n <= w->n && take(w, times + n * each);
}

/* A length in bytes and so many of them, in whole words together. */
static bool skip_raw(struct words *w)
{
	uint64_t first = 0;

	if (!w->n)
		return false;
	first = *w->p;
	return take(w, ((uint64_t)low(first) + sizeof(uint32_t) + 7) / 8);
}

static bool skip_branches(struct words *w, uint64_t type)
{
	uint64_t n = 0, none;

	if (!take_word(w, true, &n) || !take_word(w, type & BRANCH_HW_INDEX, &none) || n > w->n)
		return false;
	return take(w, n * (type & BRANCH_COUNTERS ? 4 : 3));
}

/* The last parts that are taken: what follows has no place in a log. */
static bool read_window(const struct perf_event_attr *a, struct words *w, struct sample *s)
{
	uint64_t bytes = 0;

	if (a->sample_type & PERF_SAMPLE_REGS_USER) {
		if (!take_word(w, true, &s->abi))
			return false;
		if (s->abi &&
		    !(s->regs = take(w, (uint64_t)__builtin_popcountll(a->sample_regs_user))))
			return false;
	}
	if (!(a->sample_type & PERF_SAMPLE_STACK_USER))
		return true;
	if (!take_word(w, true, &bytes) || bytes % 8 || bytes / 8 > w->n)
		return false;
	if (!bytes)
		return true;
	s->stack_words = bytes / 8;
	s->stack = take(w, s->stack_words);
	return take_word(w, true, &s->stack_used) && s->stack_used <= bytes;
}

static bool read_sample(const struct perf_event_attr *a, const struct perf_event_header *record,
			struct sample *s)
{
	struct words w = {(const uint64_t *)(record + 1), (record->size - sizeof(*record)) / 8};
	uint64_t type = a->sample_type, tid = 0, cpu = PERF_DATA_UNKNOWN_CPU, none = 0;

	memset(s, 0, sizeof(*s));
	if (!take_word(&w, type & PERF_SAMPLE_IDENTIFIER, &s->id) ||
	    !take_word(&w, type & PERF_SAMPLE_IP, &s->ip) ||
	    !take_word(&w, type & PERF_SAMPLE_TID, &tid) ||
	    !take_word(&w, type & PERF_SAMPLE_TIME, &s->time) ||
	    !take_word(&w, type & PERF_SAMPLE_ADDR, &none) ||
	    !take_word(&w, type & PERF_SAMPLE_ID, &s->id) ||
	    !take_word(&w, type & PERF_SAMPLE_STREAM_ID, &none) ||
	    !take_word(&w, type & PERF_SAMPLE_CPU, &cpu) ||
	    !take_word(&w, type & PERF_SAMPLE_PERIOD, &s->period))
		return false;
	s->pid = low(tid);
	s->tid = high(tid);
	s->cpu = low(cpu);
	if (type & PERF_SAMPLE_READ && !skip_read(&w, a->read_format))
		return false;
	if (type & PERF_SAMPLE_CALLCHAIN &&
	    (!take_word(&w, true, &s->nchain) || !(s->chain = take(&w, s->nchain))))
		return false;
	if (type & PERF_SAMPLE_RAW && !skip_raw(&w))
		return false;
	if (type & PERF_SAMPLE_BRANCH_STACK && !skip_branches(&w, a->branch_sample_type))
		return false;
	return read_window(a, &w, s);
}

/* The event whose id a record has at its beginning (samples) or end.  Index, or UINT32_MAX. */
static uint32_t event_of(const struct perf_data_events *e, const struct perf_event_header *record)
{
	uint64_t type = e->v.v[0].attr.sample_type, n = (record->size - sizeof(*record)) / 8;
	const uint64_t *words = (const uint64_t *)(record + 1);
	bool sample = record->type == PERF_RECORD_SAMPLE;
	const struct perf_data_id *id;

	/* Of one event there need be no id. */
	if (e->v.n == 1 || !n)
		return 0;
	if (type & PERF_SAMPLE_IDENTIFIER) {
		id = perf_data_events_find(e, words[sample ? 0 : n - 1]);
		/* perf's own records have none, and the kernel's all the same length. */
		return id ? id->event : sample ? UINT32_MAX : 0;
	}
	n = !!(type & PERF_SAMPLE_IP) + !!(type & PERF_SAMPLE_TID) + !!(type & PERF_SAMPLE_TIME) +
	    !!(type & PERF_SAMPLE_ADDR);
	if (!sample || !(type & PERF_SAMPLE_ID) || n >= (record->size - sizeof(*record)) / 8)
		return sample ? UINT32_MAX : 0;
	id = perf_data_events_find(e, words[n]);
	return id ? id->event : UINT32_MAX;
}

/* ---- Samples. */

bool perf_data_has_window(const struct perf_data_shaper *s, const struct perf_data_event *event)
{
	const struct perf_event_attr *a = &event->attr;

	return s->can_unwind && perf_regs_mask && a->sample_type & PERF_SAMPLE_REGS_USER &&
	       !(perf_regs_mask & ~a->sample_regs_user);
}

static bool has_guest(const struct sample *s)
{
	uint64_t i;

	for (i = 0; i < s->nchain; i++)
		if (s->chain[i] == (uint64_t)PERF_CONTEXT_GUEST ||
		    s->chain[i] == (uint64_t)PERF_CONTEXT_GUEST_KERNEL ||
		    s->chain[i] == (uint64_t)PERF_CONTEXT_GUEST_USER)
			return true;
	return false;
}

/* Registers and stack as struct perf_ring_sample has them behind it; where they end. */
static uint64_t *put_window(uint64_t *to, const uint64_t *end, const struct sample *s,
			    uint64_t mask)
{
	uint64_t words = (s->stack_used + 7) / 8, i;
	size_t n = 0;

	*to++ = s->regs ? s->abi : PERF_SAMPLE_REGS_ABI_NONE;
	for (i = 0; s->regs && i < 64; i++) {
		if (perf_regs_mask >> i & 1)
			*to++ = s->regs[n];
		n += mask >> i & 1;
	}
	if (words > (uint64_t)(end - to) - 2)
		words = (uint64_t)(end - to) - 2;
	*to++ = words * 8;
	if (!words)
		return to;
	memcpy(to, s->stack, words * 8);
	to += words;
	*to++ = s->stack_used < words * 8 ? s->stack_used : words * 8;
	return to;
}

static void note(struct perf_data_shaper *s, struct perf_data_event *event,
		 const struct sample *sample)
{
	event->samples++;
	s->parts |= event->attr.sample_type & PARTS_LEFT_OUT;
	s->guest += has_guest(sample);
	if (event->attr.sample_type & PERF_SAMPLE_STACK_USER && !perf_data_has_window(s, event))
		s->without_window++;
	if (!(event->attr.sample_type & PERF_SAMPLE_PERIOD))
		return;
	if (sample->period < event->least)
		event->least = sample->period;
	if (sample->period > event->most)
		event->most = sample->period;
}

static const struct perf_event_header *shape_sample(struct perf_data_shaper *s,
						    const struct perf_event_header *record,
						    uint64_t *time)
{
	uint32_t index = event_of(s->events, record);
	struct perf_ring_sample *head = (void *)s->out.words;
	const uint64_t *end = s->out.words + 65528 / sizeof(uint64_t);
	uint64_t *to = (uint64_t *)(head + 1);
	const struct perf_data_id *id;
	struct perf_data_event *event;
	uint16_t mode = record->misc & PERF_RECORD_MISC_CPUMODE_MASK;
	struct sample in;

	if (index == UINT32_MAX || !read_sample(&s->events->v.v[index].attr, record, &in))
		return NULL;
	event = &s->events->v.v[index];
	id = in.cpu == PERF_DATA_UNKNOWN_CPU && in.id ? perf_data_events_find(s->events, in.id)
						      : NULL;
	if (id)
		in.cpu = id->cpu;
	s->without_cpu += in.cpu == PERF_DATA_UNKNOWN_CPU;
	if (in.cpu == PERF_DATA_UNKNOWN_CPU)
		in.cpu = 0;
	note(s, event, &in);
	s->in_guest += mode == PERF_RECORD_MISC_GUEST_KERNEL || mode == PERF_RECORD_MISC_GUEST_USER;
	*head = (struct perf_ring_sample){
		.header = {.type = PERF_RECORD_SAMPLE, .misc = mode},
		.id = PERF_DATA_KEY(index, event->system ? in.cpu : UINT32_MAX),
		.ip = in.ip,
		.pid = in.pid,
		.tid = in.tid,
		.time = in.time,
		.cpu = in.cpu};
	if (in.nchain > (uint64_t)(end - to) - 64)
		in.nchain = (uint64_t)(end - to) - 64;
	*to++ = in.nchain;
	if (in.nchain)
		memcpy(to, in.chain, in.nchain * 8);
	to += in.nchain;
	if (perf_data_has_window(s, event))
		to = put_window(to, end, &in, event->attr.sample_regs_user);
	head->header.size = (uint16_t)((uint8_t *)to - (uint8_t *)head);
	*time = in.time;
	return &s->out.header;
}

/* ---- Other records. */

/* How many bytes of ids the record ends in; false: it is shorter. */
static bool read_ids(const struct perf_event_attr *a, const struct perf_event_header *record,
		     struct ids *ids, size_t *len)
{
	uint64_t type = a->sample_type, tid = 0, cpu = PERF_DATA_UNKNOWN_CPU, none = 0;
	struct words w;

	*ids = (struct ids){.cpu = PERF_DATA_UNKNOWN_CPU};
	*len = 0;
	if (!a->sample_id_all)
		return true;
	*len = 8u *
	       (unsigned int)__builtin_popcountll(
		       type & (PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ID |
			       PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU | PERF_SAMPLE_IDENTIFIER));
	if (record->size % 8 || record->size < sizeof(*record) + *len)
		return false;
	w = (struct words){(const uint64_t *)((const char *)record + record->size - *len),
			   *len / 8};
	if (!take_word(&w, type & PERF_SAMPLE_TID, &tid) ||
	    !take_word(&w, type & PERF_SAMPLE_TIME, &ids->time) ||
	    !take_word(&w, type & PERF_SAMPLE_ID, &ids->id) ||
	    !take_word(&w, type & PERF_SAMPLE_STREAM_ID, &none) ||
	    !take_word(&w, type & PERF_SAMPLE_CPU, &cpu) ||
	    !take_word(&w, type & PERF_SAMPLE_IDENTIFIER, &ids->id))
		return false;
	ids->pid = low(tid);
	ids->tid = high(tid);
	ids->cpu = low(cpu);
	return true;
}

/* The older kind of map, as the newer one: without inode and protection. */
static size_t put_map(struct perf_data_shaper *s, const struct perf_event_header *record,
		      size_t len)
{
	const struct rec_mmap *from = (const void *)record;
	struct rec_mmap2 *to = (void *)s->out.words;
	size_t path = len - sizeof(*from);

	if (len < sizeof(*from) || sizeof(*to) + path > 65536 - 64)
		return 0;
	*to = (struct rec_mmap2){.header = from->header,
				 .pid = from->pid,
				 .tid = from->tid,
				 .start = from->start,
				 .length = from->length,
				 .file_offset = from->file_offset};
	to->header.type = PERF_RECORD_MMAP2;
	memcpy(to + 1, from->path, path);
	return sizeof(*to) + path;
}

/* The event that a record is about, as a key. */
static uint64_t key_of(const struct perf_data_shaper *s, uint64_t id)
{
	const struct perf_data_id *known = perf_data_events_find(s->events, id);

	if (!known)
		return PERF_DATA_KEY_SIDE;
	return PERF_DATA_KEY(known->event,
			     s->events->v.v[known->event].system ? known->cpu : UINT32_MAX);
}

static const struct perf_event_header *shape_other(struct perf_data_shaper *s,
						   const struct perf_event_header *record,
						   uint64_t *time)
{
	struct perf_ring_trailer *trailer;
	struct ids ids;
	size_t len, n;

	if (!read_ids(&s->events->v.v[event_of(s->events, record)].attr, record, &ids, &len))
		return NULL;
	n = record->size - len;
	if (record->type == PERF_RECORD_MMAP)
		n = put_map(s, record, n);
	else
		memcpy(s->out.words, record, n);
	n = (n + 7) & ~(size_t)7;
	if (!n || n + sizeof(*trailer) > UINT16_MAX)
		return NULL;
	if ((record->type == PERF_RECORD_THROTTLE || record->type == PERF_RECORD_UNTHROTTLE) &&
	    n >= sizeof(struct rec_id))
		((struct rec_id *)s->out.words)->id =
			key_of(s, ((struct rec_id *)s->out.words)->id);
	trailer = (void *)((char *)s->out.words + n);
	*trailer = (struct perf_ring_trailer){.pid = ids.pid,
					      .tid = ids.tid,
					      .time = ids.time,
					      .cpu = ids.cpu == PERF_DATA_UNKNOWN_CPU ? 0 : ids.cpu,
					      .id = record->type == PERF_RECORD_LOST_SAMPLES
							    ? key_of(s, ids.id)
							    : PERF_DATA_KEY_SIDE};
	s->out.header.size = (uint16_t)(n + sizeof(*trailer));
	*time = ids.time;
	return &s->out.header;
}

const struct perf_event_header *perf_data_shape(struct perf_data_shaper *s,
						const struct perf_event_header *record,
						uint64_t *time)
{
	*time = 0;
	return record->type == PERF_RECORD_SAMPLE ? shape_sample(s, record, time)
						  : shape_other(s, record, time);
}
