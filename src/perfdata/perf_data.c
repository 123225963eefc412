// SPDX-License-Identifier: BSD-2-Clause
/* Records in order of time, as those of a collector: announced, unwound, written. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>

#include "perfdata/perf_data_int.h"
#include "pmc/perf/perf_layout.h"
#include "pmc/perf/perf_record.h"
#include "pmc/perf/unwind/perf_unwind.h"

enum {
	/* Bytes that wait to be put in order: as many times those read, and in any case. */
	WAITING_RATIO = 16,
	WAITING_LEAST = 16 << 20,
	WAITING_MOST = 256 << 20,
	TYPES = 96, /* of records that are counted by name */
	TICKS_A_SECOND = 1000000000,
	CPUTYPE_GENERIC = 0x400,
	CLASS_SOFT = 0xf,
	CPU_OF_PROCESS = 0xfff,
};

#define KERNEL_PID	   UINT32_MAX
#define MISC_FORK_EXEC	   (1u << 13) /* perf saw it, not the kernel: it has maps of its own */
#define MISC_LOST_BPF	   (1u << 15) /* a filter left them out: no loss */
#define KERNEL_HALF	   0x8000000000000000u
#define KERNEL_HALF_LENGTH 0x7ffffffffffff000u

struct convert {
	const struct perf_data_input *in;
	struct perf_data_stream stream;
	struct perf_data_header header;
	struct perf_data_events events;
	struct perf_data_shaper shaper;
	struct perf_data_order order;
	struct perf_record_reader records;
	struct pmc_log_stats stats;
	struct perf_unwind *unwind; /* NULL: no samples that can be */
	struct table by_key;
	bool settled;	 /* all events are known */
	bool begun;	 /* INITIALIZE is written */
	bool has_kernel; /* and where the kernel is */
	bool nomem;
	bool is_foreign; /* of another kernel than runs here */
	uint64_t base;	 /* the first time */
	uint64_t now;
	uint64_t lost, lost_told; /* by samples of perf and records of the kernel */
	uint64_t damaged;
	uint64_t left_out[TYPES];
};

static void say(const struct convert *c, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

static void say(const struct convert *c, const char *fmt, ...)
{
	char text[1024];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	c->in->say(c->in->arg, text);
}

/* ---- The head of the log. */

/* perf writes "GenuineIntel,6,85,4", our recorder "GenuineIntel-6-55-4". */
static void cpu_text(const struct perf_data_header *h, char *text, size_t size)
{
	unsigned int family, model, step;
	char vendor[32];

	if (sscanf(h->cpuid, "%31[^,],%u,%u,%u", vendor, &family, &model, &step) == 4)
		snprintf(text, size, "%s-%u-%X-%X", vendor, family, model, step);
	else
		snprintf(text, size, "%.*s", (int)size - 1, h->cpuid[0] ? h->cpuid : h->cpu);
}

static const char *known(const char *text)
{
	return text[0] ? text : NULL;
}

static void write_initialize(struct convert *c, uint64_t kernel)
{
	const struct perf_data_header *h = &c->header;
	struct pmclog_origin o = {.cputype = CPUTYPE_GENERIC,
				  .tsc_freq = TICKS_A_SECOND,
				  .host = known(h->host),
				  .release = known(h->release),
				  .machine = known(h->machine),
				  .command = known(h->command),
				  .collector = "perf"};
	char cpu[64], boot_id[64];

	cpu_text(h, cpu, sizeof(cpu));
	o.cpuid = cpu;
	if (perf_data_this_boot(h, c->in->fd, kernel, boot_id, sizeof(boot_id)))
		o.boot_id = boot_id;
	if (h->has_clock) {
		uint64_t wall = h->wall + (c->base - h->clock);

		o.ts_sec = wall / TICKS_A_SECOND;
		o.ts_nsec = wall % TICKS_A_SECOND;
	}
	pmclog_write_initialize(c->records.writer, c->base, &o);
}

/* A PMC, when its first sample comes or the log begins.  0, or -1 when out of memory. */
static int announce(struct convert *c, uint64_t key)
{
	uint32_t index = perf_data_key_event(key), cpu = perf_data_key_cpu(key), source;
	const struct perf_data_event *event = &c->events.v.v[index];
	const struct perf_event_attr *a = &event->attr;
	bool system = cpu != UINT32_MAX;
	struct pmclog_alloc alloc = {.pmcid = PMC_ID_MAKE_ID(system ? cpu : CPU_OF_PROCESS,
							     system ? PMC_MODE_SS : PMC_MODE_TS,
							     CLASS_SOFT - (index >> 8), index),
				     .event = PMC_EV_OTHER_FIRST + index,
				     .flags = system ? 0 : PMC_F_DESCENDANTS,
				     .frequency = a->freq,
				     .max_depth = a->sample_max_stack,
				     .rate = a->sample_period,
				     .name = event->name,
				     .spec = event->name};
	struct perf_source sampled = {.pmcid = alloc.pmcid,
				      .system = system,
				      .depth = a->sample_max_stack,
				      .has_window = perf_data_has_window(&c->shaper, event),
				      .user_only = a->exclude_kernel};

	if (a->sample_type & PERF_SAMPLE_CALLCHAIN || sampled.has_window)
		alloc.flags |= PMC_F_CALLCHAIN | PMC_F_USERCALLCHAIN;
	if (sampled.has_window || !sampled.depth)
		sampled.depth = PERF_UNWIND_DEPTH;
	sampled.flags = alloc.flags;
	source = perf_record_add_source(&c->records, &sampled);
	if (source == UINT32_MAX || perf_record_add_id(&c->records, key, source))
		return -1;
	pmclog_write_allocatedyn(c->records.writer, c->now, &alloc);
	return 0;
}

/* What only carries records that are no samples. */
static bool is_dummy(const struct perf_event_attr *a)
{
	return a->type == PERF_TYPE_SOFTWARE && a->config == PERF_COUNT_SW_DUMMY;
}

static void begin(struct convert *c, uint64_t time)
{
	struct perf_source side = {.pmcid = UINT32_MAX, .flags = PMC_F_DESCENDANTS};
	struct perf_data_event *event;
	struct perf_data_queued *q;
	uint64_t kernel = 0;

	/* What has no time comes before all that has. */
	vec_each(q, &c->order.v) {
		const struct rec_mmap2 *m = (const void *)(c->order.bytes.v + q->at);

		if (q->time && (!time || q->time < time))
			time = q->time;
		if (m->header.type == PERF_RECORD_MMAP2 && m->header.size > sizeof(*m) &&
		    m->pid == KERNEL_PID && m->path[0] == '[' && !kernel)
			kernel = m->start;
	}
	c->begun = true;
	c->base = c->now = time;
	write_initialize(c, kernel);
	vec_each(event, &c->events.v)
		side.system |= event->system;
	c->nomem |= perf_record_add_id(&c->records, PERF_DATA_KEY_SIDE,
				       perf_record_add_source(&c->records, &side)) != 0;
	vec_each(event, &c->events.v)
		if (!event->system && !is_dummy(&event->attr))
			c->nomem |= announce(c, PERF_DATA_KEY(event - c->events.v.v, UINT32_MAX));
	if (side.system)
		pmclog_write_proc_create(c->records.writer, c->now, 0, "swapper");
}

/* ---- Records, in order of time. */

/* The name that our recorder has for what the kernel maps: of the kernel, or of a module. */
static void kernel_name(const char *path, char *to, size_t size)
{
	const char *name = strrchr(path, '/');
	size_t i, len;

	name = name ? name + 1 : path;
	if (!strncmp(name, "[kernel.", 8)) {
		snprintf(to, size, "[kernel]");
		return;
	}
	len = name[0] == '[' ? strcspn(++name, "]") : strcspn(name, ".");
	snprintf(to, size, "[%.*s]", (int)(len < 64 ? len : 64), name);
	for (i = 0; to[i]; i++)
		if (to[i] == '-')
			to[i] = '_';
}

static void write_kernel_map(struct convert *c, uint64_t start, uint64_t length, const char *path)
{
	const struct perf_data_build_id *id;
	struct pmclog_map map = {.pid = KERNEL_PID, .start = start, .length = length};
	char name[80], bare[64];

	kernel_name(path, name, sizeof(name));
	map.path = name;
	/* "[kernel.kallsyms]_text" is "[kernel.kallsyms]" in the table. */
	snprintf(bare, sizeof(bare), "%.*s", (int)(strcspn(path, "]") + 1), path);
	id = perf_data_header_build_id(&c->header, path[0] == '[' ? bare : path);
	if (id) {
		map.build_id = id->id;
		map.build_id_len = id->len;
	}
	pmclog_write_map_in(c->records.writer, c->now, &map);
	c->has_kernel |= !strcmp(name, "[kernel]");
}

/* The text that a record ends in, before its trailer; "" where it has no end. */
static const char *text_at(const struct perf_event_header *record, size_t at)
{
	const char *text = (const char *)record + at;
	size_t end = record->size - sizeof(struct perf_ring_trailer);

	return at < end && memchr(text, '\0', end - at) ? text : "";
}

/* Maps of the kernel are written at once; false: it is one of a process. */
static bool take_kernel_map(struct convert *c, const struct perf_event_header *record)
{
	const struct rec_mmap2 *m = (const void *)record;
	unsigned int mode = record->misc & PERF_RECORD_MISC_CPUMODE_MASK;

	if (record->size < sizeof(*m) + sizeof(struct perf_ring_trailer))
		return false;
	if (mode == PERF_RECORD_MISC_GUEST_KERNEL) {
		c->left_out[record->type]++;
		return true;
	}
	if (m->pid != KERNEL_PID && mode != PERF_RECORD_MISC_KERNEL)
		return false;
	if (m->length)
		write_kernel_map(c, m->start, m->length, text_at(record, sizeof(*m)));
	return true;
}

/* The table of build-ids knows what a map itself does not tell. */
static const struct perf_event_header *with_build_id(struct convert *c,
						     const struct perf_event_header *record)
{
	struct rec_mmap2 *m = (void *)(uintptr_t)record;
	const struct perf_data_build_id *id;

	if (record->size < sizeof(*m) + sizeof(struct perf_ring_trailer) ||
	    record->misc & PERF_RECORD_MISC_MMAP_BUILD_ID)
		return record;
	id = perf_data_header_build_id(&c->header, text_at(record, sizeof(*m)));
	if (!id)
		return record;
	memset(&m->u, 0, sizeof(m->u));
	m->u.build_id.size = id->len;
	memcpy(m->u.build_id.bytes, id->id, id->len);
	m->header.misc |= PERF_RECORD_MISC_MMAP_BUILD_ID;
	return record;
}

/* Samples that perf asked for at the end: the kernel's own records may have told of them. */
static bool take_lost_samples(struct convert *c, const struct perf_event_header *record,
			      uint64_t time)
{
	uint64_t n;

	if (record->size < sizeof(*record) + sizeof(n) + sizeof(struct perf_ring_trailer))
		return false;
	memcpy(&n, record + 1, sizeof(n));
	if (time)
		return false;
	if (record->misc & MISC_LOST_BPF)
		c->left_out[record->type]++;
	else
		c->lost += n;
	return true;
}

/* Whether a record is done with here, or has nothing for the log. */
static bool is_taken(struct convert *c, const struct perf_event_header *record, uint64_t time)
{
	const struct rec_task *task = (const void *)record;

	switch (record->type) {
	case PERF_RECORD_MMAP2: return take_kernel_map(c, record);
	case PERF_RECORD_LOST_SAMPLES: return take_lost_samples(c, record, time);
	case PERF_RECORD_FORK:
		/* Of processes that ran before: it tells nothing of their maps. */
		if (record->size < sizeof(*task) || task->pid == task->ppid ||
		    (time && !(record->misc & MISC_FORK_EXEC)))
			return false;
		c->left_out[record->type]++;
		return true;
	case PERF_RECORD_UNTHROTTLE:
		/* How long a pause of a thread was is known of our own kernel only. */
		if (c->events.v.v[0].system)
			return false;
		c->left_out[record->type]++;
		return true;
	default: return false;
	}
}

static void take_sample(struct convert *c, const struct perf_event_header *record)
{
	uint64_t key = ((const struct perf_ring_sample *)(const void *)record)->id;

	if (!c->has_kernel) {
		/* Addresses were hidden: frames of the kernel are at least known to be its. */
		write_kernel_map(c, KERNEL_HALF, KERNEL_HALF_LENGTH, "[kernel.kallsyms]");
		c->has_kernel = true;
	}
	if (!perf_record_source(&c->records, key))
		c->nomem |= announce(c, key) != 0;
}

/* The time of a record as the log has it: what has none is of the moment. */
static void set_time(struct convert *c, const struct perf_event_header *record)
{
	struct perf_ring_sample *s = (void *)(uintptr_t)record;
	char *end = (char *)(uintptr_t)record + record->size - sizeof(struct perf_ring_trailer);

	if (record->type == PERF_RECORD_SAMPLE)
		s->time = c->now;
	else
		((struct perf_ring_trailer *)(void *)end)->time = c->now;
}

/* That a record which is no sample was written on. */
static uint32_t cpu_of(const struct perf_event_header *record)
{
	const char *end = (const char *)record + record->size;

	if (record->type == PERF_RECORD_SAMPLE)
		return 0;
	return ((const struct perf_ring_trailer *)(const void *)end)[-1].cpu;
}

static void emit(void *arg, uint64_t time, const struct perf_event_header *record)
{
	struct convert *c = arg;

	if (!c->begun)
		begin(c, time);
	if (time)
		c->now = time < c->base ? c->base : time;
	set_time(c, record);
	if (is_taken(c, record, time))
		return;
	if (record->type == PERF_RECORD_SAMPLE)
		take_sample(c, record);
	if (record->type == PERF_RECORD_MMAP2)
		record = with_build_id(c, record);
	if (c->unwind)
		record = perf_unwind_record(c->unwind, record);
	c->lost_told += perf_record_read(&c->records, cpu_of(record), record);
}

/* ---- Records, in order of the file. */

static bool is_machine_ours(const struct convert *c, const struct utsname *u)
{
	return !c->header.machine[0] || !strcmp(c->header.machine, u->machine);
}

/* Once the events are known. */
static int settle(struct convert *c, struct err *err)
{
	const struct perf_data_event *event;
	struct utsname u = {0};

	if (perf_data_events_settle(&c->events, err))
		return -1;
	c->settled = true;
	c->shaper.events = &c->events;
	uname(&u);
	c->shaper.can_unwind = is_machine_ours(c, &u);
	c->is_foreign = strcmp(c->header.release, u.release) != 0;
	vec_each(event, &c->events.v) {
		if (!perf_data_has_window(&c->shaper, event) || c->unwind)
			continue;
		c->unwind = perf_unwind_new(&c->records);
		if (!c->unwind)
			return err_nomem(err);
		perf_unwind_past(c->unwind, c->is_foreign);
	}
	return 0;
}

static size_t waiting_max(const struct convert *c)
{
	uint64_t max = WAITING_RATIO * perf_data_stream_read(&c->stream);

	return max < WAITING_LEAST  ? WAITING_LEAST
	       : max > WAITING_MOST ? WAITING_MOST
				    : (size_t)max;
}

/* Records of the kernel that are brought into order and read. */
static bool is_wanted(uint32_t type)
{
	switch (type) {
	case PERF_RECORD_MMAP:
	case PERF_RECORD_LOST:
	case PERF_RECORD_COMM:
	case PERF_RECORD_EXIT:
	case PERF_RECORD_THROTTLE:
	case PERF_RECORD_UNTHROTTLE:
	case PERF_RECORD_FORK:
	case PERF_RECORD_SAMPLE:
	case PERF_RECORD_MMAP2:
	case PERF_RECORD_LOST_SAMPLES:
	case PERF_RECORD_KSYMBOL: return true;
	default: return false;
	}
}

static int take_in(struct convert *c, const struct perf_event_header *record, struct err *err)
{
	const struct perf_event_header *shaped;
	uint64_t time;

	if (record->type == PERF_DATA_FINISHED_ROUND) {
		perf_data_order_round(&c->order, emit, c);
		return 0;
	}
	if (perf_data_header_record(&c->header, &c->events, record, err))
		return err->code ? -1 : 0;
	if (!is_wanted(record->type)) {
		c->left_out[record->type < TYPES ? record->type : TYPES - 1]++;
		return 0;
	}
	if (!c->settled && settle(c, err))
		return -1;
	shaped = perf_data_shape(&c->shaper, record, &time);
	if (!shaped) {
		c->damaged++;
		return 0;
	}
	if (perf_data_order_push(&c->order, time, shaped, err))
		return -1;
	if (c->order.bytes.n > waiting_max(c))
		perf_data_order_half(&c->order, emit, c);
	return 0;
}

/* Records from one word on progress to the next: there is a stack of 32 KB in each, maybe. */
enum { TELL = 256 };

/* All records that there are.  -1 with err set. */
static int read_records(struct convert *c, struct err *err)
{
	const struct perf_event_header *record;
	unsigned int records = 0;
	int r;

	while ((r = perf_data_stream_next(&c->stream, &record, err)) > 0) {
		if (take_in(c, record, err))
			return -1;
		if (c->nomem)
			return err_nomem(err);
		if (pmclog_writer_errno(c->records.writer))
			return pmclog_writer_flush(c->records.writer, err);
		if (c->in->tell && ++records % TELL == 0)
			c->in->tell(c->in->arg);
	}
	return r;
}

/* The end of the log, be the file damaged or not. */
static void finish(struct convert *c)
{
	perf_data_order_all(&c->order, emit, c);
	if (!c->begun)
		begin(c, 0);
	if (c->lost > c->lost_told) {
		c->stats.drops[PMCLOG_DROP_RING] += c->lost - c->lost_told;
		pmclog_write_dropnotify(c->records.writer, c->now,
					&(struct pmclog_drop){.cause = PMCLOG_DROP_RING,
							      .pmcid = UINT32_MAX,
							      .count = c->lost - c->lost_told});
	}
	perf_record_lose(&c->records, c->now, 0, c->damaged);
	pmclog_write_closelog(c->records.writer, c->now);
}

/* ---- What is said of it. */

static const char *type_name(size_t type)
{
	static const char *const names[TYPES] = {
		[PERF_RECORD_FORK] = "FORK of processes that were there before",
		[PERF_RECORD_UNTHROTTLE] = "UNTHROTTLE",
		[PERF_RECORD_MMAP2] = "MMAP2 of guests",
		[PERF_RECORD_READ] = "READ",
		[PERF_RECORD_AUX] = "AUX",
		[PERF_RECORD_ITRACE_START] = "ITRACE_START",
		[PERF_RECORD_LOST_SAMPLES] = "LOST_SAMPLES of filters",
		[PERF_RECORD_SWITCH] = "SWITCH",
		[PERF_RECORD_SWITCH_CPU_WIDE] = "SWITCH_CPU_WIDE",
		[PERF_RECORD_NAMESPACES] = "NAMESPACES",
		[PERF_RECORD_BPF_EVENT] = "BPF_EVENT",
		[PERF_RECORD_CGROUP] = "CGROUP",
		[PERF_RECORD_TEXT_POKE] = "TEXT_POKE",
		[PERF_RECORD_AUX_OUTPUT_HW_ID] = "AUX_OUTPUT_HW_ID",
		[22] = "CALLCHAIN_DEFERRED",
		[65] = "HEADER_EVENT_TYPE",
		[PERF_DATA_HEADER_TRACING_DATA] = "HEADER_TRACING_DATA",
		[70] = "AUXTRACE_INFO",
		[PERF_DATA_AUXTRACE] = "AUXTRACE",
		[72] = "AUXTRACE_ERROR",
		[75] = "STAT_CONFIG",
		[76] = "STAT",
		[77] = "STAT_ROUND",
	};

	return names[type];
}

/* What perf writes for itself: threads, CPUs, the clock, and that it has begun. */
static bool is_perfs_own(size_t type)
{
	return type == 73 || type == 74 || type == 79 || type == 82;
}

static void say_left_out(const struct convert *c)
{
	char text[768] = "";
	size_t type, used = 0;

	for (type = 0; type < TYPES && used < sizeof(text); type++) {
		const char *name = type_name(type);
		char number[32];

		if (!c->left_out[type] || is_perfs_own(type))
			continue;
		snprintf(number, sizeof(number), type == TYPES - 1 ? "other" : "type %zu", type);
		used += (size_t)snprintf(text + used, sizeof(text) - used, "%s%" PRIu64 " %s",
					 used ? ", " : "", c->left_out[type], name ? name : number);
	}
	if (used)
		say(c, "records that are left out: %s", text);
	if (c->stream.skipped)
		say(c, "left out: %" PRIu64 " bytes of traces", c->stream.skipped);
}

/* Parts of samples. */
static void say_parts(const struct convert *c)
{
	static const struct {
		uint32_t bit;
		const char *name;
	} parts[] = {
		{PERF_SAMPLE_ADDR, "addresses of data"},
		{PERF_SAMPLE_READ, "counts"},
		{PERF_SAMPLE_RAW, "fields of tracepoints"},
		{PERF_SAMPLE_BRANCH_STACK, "branches"},
		{PERF_SAMPLE_REGS_INTR, "registers at interrupts"},
		{PERF_SAMPLE_WEIGHT_TYPE, "weights"},
		{PERF_SAMPLE_DATA_SRC, "sources of data"},
		{PERF_SAMPLE_TRANSACTION, "transactions"},
		{PERF_SAMPLE_PHYS_ADDR, "physical addresses"},
		{PERF_SAMPLE_CGROUP, "cgroups"},
		{PERF_SAMPLE_DATA_PAGE_SIZE | PERF_SAMPLE_CODE_PAGE_SIZE, "sizes of pages"},
		{PERF_SAMPLE_AUX, "AUX data"},
	};
	char text[512] = "";
	size_t i, used = 0;

	for (i = 0; i < sizeof(parts) / sizeof(*parts); i++)
		if (c->shaper.parts & parts[i].bit)
			used += (size_t)snprintf(text + used, sizeof(text) - used, "%s%s",
						 used ? ", " : "", parts[i].name);
	if (used)
		say(c, "parts of samples that are left out: %s", text);
}

/* perf report weighs samples by their periods. */
static void say_periods(const struct convert *c)
{
	const struct perf_data_event *e;

	vec_each(e, &c->events.v)
		if (e->samples && e->least < e->most)
			say(c,
			    "%s: its %" PRIu64 " samples stand for %" PRIu64 " to %" PRIu64
			    " events each; the log counts samples, perf report events",
			    e->name, e->samples, e->least, e->most);
}

static void say_chains(const struct convert *c)
{
	const char *path;
	size_t n = c->unwind ? perf_unwind_missing(c->unwind, &path) : 0;

	if (c->shaper.without_window)
		say(c,
		    "%" PRIu64
		    " samples have stacks that are not unwound: %s; they have the chains "
		    "that perf recorded",
		    c->shaper.without_window,
		    c->shaper.can_unwind ? "not all registers are with them"
					 : "they are of another kind of machine");
	if (n)
		say(c,
		    "%zu files that stacks lead through are not here or are others, %s first: "
		    "chains there go by frame pointers, or end",
		    n, path);
	if (c->shaper.in_guest)
		say(c,
		    "%" PRIu64 " samples were taken in guests: the log cannot say so, and their "
		    "addresses look like the host's",
		    c->shaper.in_guest);
	if (c->shaper.guest)
		say(c, "left out: the frames of guests in %" PRIu64 " samples", c->shaper.guest);
}

static void report(const struct convert *c)
{
	uint64_t lost = c->stats.drops[PMCLOG_DROP_RING];
	uint64_t damaged = c->stats.drops[PMCLOG_DROP_UNREADABLE];

	if (c->header.is_open)
		say(c,
		    "perf record was not ended in order: what it writes at its end is not there");
	say_left_out(c);
	say_parts(c);
	say_periods(c);
	say_chains(c);
	if (c->shaper.without_cpu)
		say(c,
		    "%" PRIu64 " samples do not say on which CPU they were taken: CPU 0 stands "
		    "for all (perf record --sample-cpu)",
		    c->shaper.without_cpu);
	if (c->order.late)
		say(c,
		    "%" PRIu64 " records came when later ones had been written: what was mapped "
		    "may be wrong for some samples",
		    c->order.late);
	if (damaged)
		say(c,
		    "%" PRIu64 " records are shorter than they have to be, or of no event: left "
		    "out, and counted as lost",
		    damaged);
	if (lost)
		say(c, "perf lost %" PRIu64 " records: the log says so", lost);
}

static void fini(struct convert *c)
{
	perf_unwind_free(c->unwind);
	perf_record_reader_fini(&c->records);
	perf_data_order_fini(&c->order);
	perf_data_events_fini(&c->events);
	perf_data_header_fini(&c->header);
	perf_data_stream_fini(&c->stream);
	free(c);
}

static int convert(struct convert *c, struct err *err)
{
	int r;

	if (perf_data_stream_init(&c->stream, c->in, err) ||
	    perf_data_header_read(&c->header, &c->events, &c->stream, err))
		return -1;
	if (!c->header.is_pipe && settle(c, err))
		return -1;
	r = read_records(c, err);
	if (c->settled && !c->nomem) {
		finish(c);
		report(c);
	}
	return r;
}

int perf_data_convert(const struct perf_data_input *in, struct pmclog_writer *w, struct err *err)
{
	struct convert *c = calloc(1, sizeof(*c));
	struct err own = {0};
	int r;

	if (!c)
		return err_nomem(err);
	c->in = in;
	c->records.writer = w;
	c->records.stats = &c->stats;
	c->records.past = true;
	r = convert(c, &own);
	if (r && own.code == EX_DATAERR)
		err_wrap(&own, "%s", in->name);
	if (r && err)
		*err = own;
	fini(c);
	return r;
}
