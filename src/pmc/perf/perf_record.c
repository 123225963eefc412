// SPDX-License-Identifier: BSD-2-Clause
#include <stdio.h>
#include <string.h>

#include "pmc/perf/perf_event.h"
#include "pmc/perf/perf_layout.h"
#include "pmc/perf/perf_record.h"
#include "pmc/perf/perf_ring.h"
#include "pmc/perf/unwind/perf_unwound.h"

#define KERNEL_PID UINT32_MAX
#define NO_PID	   UINT32_MAX /* the kernel's own word, for who is gone */

/* Pauses that go on: more than events that can be on CPUs.  Those of threads that exit stay. */
enum { PAUSES_MAX = 1024 };

/* The fixed parts of more records; see <linux/perf_event.h>. */
struct rec_lost {
	struct perf_event_header header;
	uint64_t id, lost;
};

struct rec_lost_samples {
	struct perf_event_header header;
	uint64_t lost;
};

struct rec_throttle {
	struct perf_event_header header;
	uint64_t time, id, stream_id;
};

struct rec_ksymbol {
	struct perf_event_header header;
	uint64_t start;
	uint32_t length;
	uint16_t type, flags;
	char name[];
};

_Static_assert(sizeof(struct rec_ksymbol) == 24, "as the kernel lays it out");

/* A record that is not a sample, with what all of them end in. */
struct side_record {
	const struct perf_event_header *header;
	struct perf_ring_trailer trailer;
	size_t length; /* bytes without the trailer */
	uint32_t cpu;
	const struct perf_source *source; /* NULL: not known */
};

void perf_record_reader_fini(struct perf_record_reader *r)
{
	perf_tasks_clear(&r->tasks);
	perf_jit_end_all(&r->jit, NULL, 0);
	perf_execs_fini(&r->execs);
	table_clear(&r->by_id);
	vec_free(&r->ids);
	vec_free(&r->sources);
	vec_free(&r->tallies);
	vec_free(&r->pauses);
}

uint32_t perf_record_add_source(struct perf_record_reader *r, const struct perf_source *source)
{
	return vec_push(&r->sources, *source) ? UINT32_MAX : (uint32_t)(r->sources.n - 1);
}

int perf_record_add_id(struct perf_record_reader *r, uint64_t id, uint32_t source)
{
	if (r->ids.n >= UINT32_MAX || vec_push(&r->ids, (struct perf_id){id, source}))
		return -1;
	return table_insert(&r->by_id, hash_u64(id), (uint32_t)(r->ids.n - 1));
}

static struct perf_source *source_of(const struct perf_record_reader *r, uint64_t id)
{
	struct table_iter it;
	uint32_t i;

	for (i = table_first(&r->by_id, hash_u64(id), &it); i != TABLE_NONE;
	     i = table_next(&r->by_id, &it))
		if (r->ids.v[i].id == id)
			return &r->sources.v[r->ids.v[i].source];
	return NULL;
}

const struct perf_source *perf_record_source(const struct perf_record_reader *r, uint64_t id)
{
	return source_of(r, id);
}

/* An id that is not of ours is of another recorder's event, whose sample it is too: perf_soft.h. */
const struct perf_source *perf_record_sampled(const struct perf_record_reader *r,
					      const struct perf_ring_sample *s)
{
	const struct perf_source *of_id = source_of(r, s->id), *each, *only = NULL;

	if (of_id)
		return of_id;
	vec_each(each, &r->sources) {
		if (!each->soft || (each->system && each->cpu != (int)s->cpu))
			continue;
		if (only)
			return NULL;
		only = each;
	}
	return only;
}

/* Text of a record that the kernel padded with NULs; empty when it is not terminated. */
static const char *side_text(const struct side_record *s, size_t at)
{
	const char *text = (const char *)s->header + at;

	return at < s->length && memchr(text, '\0', s->length - at) ? text : "";
}

void perf_record_split_chain(const uint64_t *ips, uint64_t n, struct perf_frames *kernel,
			     struct perf_frames *user)
{
	struct perf_frames none = {NULL, 0}, *part = &none;
	uint64_t i;

	for (i = 0; i < n; i++) {
		if (ips[i] < (uint64_t)PERF_CONTEXT_MAX) {
			part->n++;
			continue;
		}
		part = ips[i] == (uint64_t)PERF_CONTEXT_KERNEL ? kernel
		       : ips[i] == (uint64_t)PERF_CONTEXT_USER ? user
							       : &none;
		/* A second part of one kind would not be contiguous. */
		if (part->n)
			part = &none;
		else
			part->pcs = ips + i + 1;
	}
}

/* The marks of n user frames as those of a chain of all, with so many of the kernel before them. */
static const uint8_t *shift_marks(uint8_t *to, const uint8_t *from, uint32_t n, uint32_t before,
				  uint32_t all)
{
	uint32_t i;

	memset(to, 0, (all + 7) / 8);
	for (i = 0; i < n; i++)
		if (from[i / 8] >> i % 8 & 1)
			to[(before + i) / 8] |= (uint8_t)(1u << (before + i) % 8);
	return to;
}

/* What the unwinder made of a sample, with its user frames behind so many of the kernel. */
static void take_unwound(struct perf_record_reader *r, const struct perf_unwound *x,
			 uint32_t before, struct pmclog_chain *c)
{
	uint32_t n = x->user < c->npcs - before ? x->user : c->npcs - before;

	c->end = (enum pmclog_chain_end)x->end;
	c->stitched = x->stitched < n ? x->stitched : n;
	c->guessed = perf_unwound_guessed(x);
	c->exact = perf_unwound_exact(x);
	/* Nearly always they are as they are wanted; a leaf that was not unwound has none. */
	if (!before && x->user == c->npcs)
		return;
	c->guessed = shift_marks(r->guessed, c->guessed, n, before, c->npcs);
	c->exact = shift_marks(r->exact, c->exact, n, before, c->npcs);
}

/*
 * Chooses the frames of a sample by FreeBSD's rule: one taken in the kernel has kernel frames, and
 * user frames behind them only under PMC_F_USERCALLCHAIN.  There is always a leaf.
 */
static void choose_frames(struct perf_record_reader *r, const struct perf_source *source,
			  const struct perf_ring_sample *s, struct pmclog_chain *c)
{
	struct perf_frames kernel = {NULL, 0}, user = {NULL, 0};
	const struct perf_unwound *x = NULL;
	const uint64_t *ips = (const uint64_t *)(s + 1);
	size_t room = (s->header.size - sizeof(*s)) / sizeof(*ips);
	struct perf_frames first, rest = {NULL, 0};

	if (s->header.misc & PERF_RING_UNWOUND) {
		x = (const void *)(s + 1);
		kernel = (struct perf_frames){x->pc, x->kernel};
		user = (struct perf_frames){x->pc + x->kernel, x->user};
	} else if ((source->flags & PMC_F_CALLCHAIN) && room && ips[0] < room) {
		perf_record_split_chain(ips + 1, ips[0], &kernel, &user);
	}
	first = c->usermode ? user : kernel;
	if (!first.n)
		first = (struct perf_frames){&s->ip, 1};
	if (!c->usermode && (source->flags & PMC_F_USERCALLCHAIN))
		rest = user;
	if (source->depth && kernel.n + user.n >= source->depth &&
	    (rest.n || c->usermode || !user.n))
		r->stats->truncated++;
	if (first.n > PMCLOG_MAX_FRAMES)
		first.n = PMCLOG_MAX_FRAMES;
	if (rest.n > PMCLOG_MAX_FRAMES - first.n)
		rest.n = PMCLOG_MAX_FRAMES - first.n;
	c->pcs = first.pcs;
	c->npcs = (uint32_t)(first.n + rest.n);
	if (x)
		take_unwound(r, x, rest.n ? (uint32_t)first.n : 0, c);
	if (!rest.n)
		return;
	memcpy(r->pcs, first.pcs, first.n * sizeof(*r->pcs));
	memcpy(r->pcs + first.n, rest.pcs, rest.n * sizeof(*r->pcs));
	c->pcs = r->pcs;
}

static void write_drop(struct perf_record_reader *r, uint64_t time, uint32_t cpu,
		       enum pmclog_drop_cause cause, uint32_t pmcid, uint64_t count)
{
	struct pmclog_drop drop = {.cpu = cpu, .cause = cause, .pmcid = pmcid, .count = count};

	if (r->writer)
		pmclog_write_dropnotify(r->writer, time, &drop);
}

void perf_record_lose(struct perf_record_reader *r, uint64_t time, uint32_t cpu, uint64_t count)
{
	if (!r->writer || !count)
		return;
	write_drop(r, time, cpu, PMCLOG_DROP_UNREADABLE, UINT32_MAX, count);
	r->stats->drops[PMCLOG_DROP_UNREADABLE] += count;
}

void perf_record_drop(struct perf_record_reader *r, int cpu, enum pmclog_drop_cause cause)
{
	write_drop(r, perf_now(), (uint32_t)cpu, cause, UINT32_MAX, 1);
	r->stats->drops[cause]++;
}

/* Behind the head of a sample of an event that is in no group. */
struct switch_count {
	uint64_t value, id;
};

/* A thread leaves a CPU, whether its PMC has a counter or not. */
static void read_switch(struct perf_record_reader *r, const struct perf_ring_sample *s)
{
	const struct switch_count *count = (const void *)(s + 1);
	const struct perf_source *source = source_of(r, count->id);

	if (source && source->tally)
		perf_tally_switch(source->tally);
	else
		perf_record_lose(r, s->time, s->cpu, 1);
}

/*
 * A thread leaves a CPU, or exits.  Behind the sample's head are counts, each with the id of its
 * event: of the switches, of the exits, and of the PMC.  The id in the head is not to be trusted:
 * where a switch is a sample of several events, the kernel (6.18 still) gives all of them that of
 * the first.
 */
static void read_count(struct perf_record_reader *r, const struct perf_ring_sample *s)
{
	const struct {
		uint64_t n;
		struct {
			uint64_t value, id;
		} count[3];
	} *group = (const void *)(s + 1);
	struct perf_tally_sample sample = {.time = s->time, .pid = s->pid, .tid = s->tid};
	const struct perf_source *source = NULL;

	if (s->header.size == sizeof(*s) + sizeof(struct switch_count)) {
		read_switch(r, s);
		return;
	}
	if (s->header.size >= sizeof(*s) + sizeof(*group) && group->n == 3)
		source = source_of(r, group->count[2].id);
	if (!source || !source->tally) {
		perf_record_lose(r, s->time, s->cpu, 1);
		return;
	}
	sample.id = group->count[2].id;
	sample.value = group->count[2].value;
	sample.last = group->count[1].value != 0;
	perf_tally_sample(source->tally, r->writer, &sample);
}

static void read_sample(struct perf_record_reader *r, uint32_t cpu,
			const struct perf_ring_sample *s)
{
	unsigned int mode = s->header.misc & PERF_RECORD_MISC_CPUMODE_MASK;
	const struct perf_source *source;
	struct pmclog_chain c = {0};

	if (s->header.size < sizeof(*s)) {
		perf_record_lose(r, r->last_time, cpu, 1);
		return;
	}
	r->last_time = s->time;
	source = perf_record_sampled(r, s);
	if (source && source->tally) {
		read_count(r, s);
		return;
	}
	if (!r->writer)
		return;
	if (!source) {
		perf_record_lose(r, s->time, cpu, 1);
		return;
	}
	c.pid = s->pid;
	c.tid = s->tid;
	c.pmcid = source->pmcid;
	c.cpu = s->cpu;
	c.usermode = mode == PERF_RECORD_MISC_USER || mode == PERF_RECORD_MISC_GUEST_USER;
	choose_frames(r, source, s, &c);
	/* No idle loop has a user's part: its process has no number in our pid namespace. */
	if (!c.pid && !(c.pcs[c.npcs - 1] >> 63))
		c.pid = c.tid = NO_PID;
	/* Users alone were asked for: the interrupt came late, and who ran before is not known. */
	if (!c.usermode && source->user_only)
		c.end = PMCLOG_END_STALE;
	pmclog_write_callchain(r->writer, s->time, &c);
	perf_jit_sample(&r->jit, &c);
	r->stats->samples++;
}

/*
 * PROCEXEC needs the path of the new image, which COMM does not tell.  The first file that is
 * mapped afterwards is the image (the kernel maps the interpreter and the vDSO later).
 */
static void finish_exec(struct perf_record_reader *r, const struct side_record *s, uint32_t pid,
			const char *path, uint64_t entry)
{
	struct perf_task *task = perf_tasks_find(&r->tasks, pid);
	struct pmclog_exec exec = {
		.pid = pid, .pmcid = s->source ? s->source->pmcid : UINT32_MAX, .entry = entry};
	const struct perf_exec *known;

	if (!task || !task->exec_pending)
		return;
	exec.path = path ? path : task->comm;
	task->exec_pending = false;
	if (!r->writer)
		return;
	known = perf_execs_find(&r->execs, pid, task->exec_time);
	if (known) {
		exec.arguments = known->arguments;
		exec.arguments_len = known->len;
	}
	pmclog_write_procexec(r->writer, s->trailer.time, &exec);
	pmclog_write_proc_create(r->writer, s->trailer.time, pid, task->comm);
}

static void read_mmap2(struct perf_record_reader *r, const struct side_record *s)
{
	const struct rec_mmap2 *m = (const void *)s->header;
	bool has_id = s->header->misc & PERF_RECORD_MISC_MMAP_BUILD_ID;
	struct proc_map map;
	struct pmclog_map out;

	if (s->header->misc & PERF_RECORD_MISC_MMAP_DATA)
		return;
	map = (struct proc_map){.pid = m->pid,
				.start = m->start,
				.length = m->length,
				.file_offset = m->file_offset,
				.path = side_text(s, sizeof(*m))};
	if (!has_id) {
		map.major = m->u.file.major;
		map.minor = m->u.file.minor;
		map.inode = m->u.file.inode;
		map.inode_generation = m->u.file.generation;
	} else if (m->u.build_id.size <= sizeof(m->u.build_id.bytes)) {
		map.build_id = m->u.build_id.bytes;
		map.build_id_len = m->u.build_id.size;
	}
	if (map.path[0] == '/' && map.path[1] != '/')
		finish_exec(r, s, m->pid, map.path, r->images ? proc_images_entry(&map) : 0);
	if (!r->writer)
		return;
	if (!r->past)
		perf_jit_map(&r->jit, &map);
	out = (struct pmclog_map){.pid = map.pid,
				  .start = map.start,
				  .length = map.length,
				  .file_offset = map.file_offset,
				  .device = (uint64_t)map.major << 32 | map.minor,
				  .inode = map.inode,
				  .build_id = map.build_id,
				  .build_id_len = map.build_id_len,
				  .path = map.path};
	if (!map.build_id && r->images)
		out.build_id_len = proc_images_build_id(r->images, &map, &out.build_id);
	pmclog_write_map_in(r->writer, s->trailer.time, &out);
}

static void read_comm(struct perf_record_reader *r, const struct side_record *s)
{
	const struct rec_comm *rec = (const void *)s->header;
	const char *comm = side_text(s, sizeof(*rec));
	struct perf_tally **tally;
	struct perf_task *task;

	finish_exec(r, s, rec->pid, NULL, 0);
	if (s->header->misc & PERF_RECORD_MISC_COMM_EXEC) {
		perf_tasks_exec(&r->tasks, rec->pid);
		vec_each(tally, &r->tallies)
			perf_tally_exec(*tally, rec->pid);
		perf_jit_end(&r->jit, rec->pid, r->writer, s->trailer.time);
	}
	task = perf_tasks_add(&r->tasks, rec->pid, rec->tid, comm);
	if (task)
		snprintf(task->comm, sizeof(task->comm), "%s", comm);
	else
		r->nomem |= rec->tid != 0;
	if (task && (s->header->misc & PERF_RECORD_MISC_COMM_EXEC)) {
		task->exec_pending = true;
		task->exec_time = s->trailer.time;
		return;
	}
	if (!r->writer)
		return;
	if (rec->pid == rec->tid)
		pmclog_write_proc_create(r->writer, s->trailer.time, rec->pid, comm);
	else
		pmclog_write_thr_create(r->writer, s->trailer.time, rec->tid, rec->pid, comm);
}

static void read_fork(struct perf_record_reader *r, const struct side_record *s)
{
	const struct rec_task *rec = (const void *)s->header;
	bool thread = rec->pid == rec->ppid;
	struct perf_tally **tally;
	struct perf_task *task;
	char comm[sizeof(task->comm)] = "";

	/* A child of a target without descendants is nobody's target. */
	if (!thread && s->source && s->source->pmcid != UINT32_MAX &&
	    !(s->source->flags & PMC_F_DESCENDANTS))
		return;
	finish_exec(r, s, rec->ppid, NULL, 0);
	task = perf_tasks_find(&r->tasks, rec->ptid);
	if (task)
		memcpy(comm, task->comm, sizeof(comm));
	vec_each(tally, &r->tallies)
		if (!thread)
			perf_tally_fork(*tally, rec->ppid, rec->pid);
	task = perf_tasks_add(&r->tasks, rec->pid, rec->tid, comm);
	if (task) {
		task->parent = rec->ptid;
		task->born = s->trailer.time;
	} else {
		r->nomem |= rec->tid != 0;
	}
	if (!r->writer)
		return;
	if (thread) {
		pmclog_write_thr_create(r->writer, s->trailer.time, rec->tid, rec->pid, comm);
		return;
	}
	if (rec->ppid)
		pmclog_write_procfork(r->writer, s->trailer.time, rec->ppid, rec->pid);
	/* One that exited unseen may have had the pid. */
	perf_jit_end(&r->jit, rec->pid, NULL, 0);
	perf_jit_fork(&r->jit, rec->ppid, rec->pid);
}

static void read_exit(struct perf_record_reader *r, const struct side_record *s)
{
	const struct rec_task *rec = (const void *)s->header;
	struct perf_tally **tally;
	struct perf_task *task;
	bool last, pending;

	task = perf_tasks_find(&r->tasks, rec->pid);
	pending = task && task->exec_pending;
	/* Its events were taken from a program with rights of its own: those of CPUs go on. */
	if (pending && s->source && s->source->system)
		return;
	finish_exec(r, s, rec->pid, NULL, 0);
	/* Where records were lost its maps may be among them. */
	if (pending && r->lost_time < task->exec_time) {
		write_drop(r, s->trailer.time, s->cpu, PMCLOG_DROP_HIDDEN, UINT32_MAX, 1);
		r->stats->drops[PMCLOG_DROP_HIDDEN]++;
	}
	last = perf_tasks_exit(&r->tasks, rec->pid, rec->tid);
	vec_each(tally, &r->tallies)
		r->stats->drops[PMCLOG_DROP_EXIT] += perf_tally_exit(
			*tally, r->writer, s->trailer.time, rec->pid, rec->tid, last);
	if (!r->writer)
		return;
	pmclog_write_thr_exit(r->writer, s->trailer.time, rec->tid);
	if (!last)
		return;
	perf_jit_end(&r->jit, rec->pid, r->writer, s->trailer.time);
	pmclog_write_sysexit(r->writer, s->trailer.time, rec->pid);
}

static uint64_t read_lost(struct perf_record_reader *r, const struct side_record *s)
{
	const struct rec_lost *rec = (const void *)s->header;

	write_drop(r, s->trailer.time, s->cpu, PMCLOG_DROP_RING, UINT32_MAX, rec->lost);
	r->stats->drops[PMCLOG_DROP_RING] += rec->lost;
	r->lost_time = s->trailer.time;
	return rec->lost;
}

/* Samples that the counters' hardware lost; the ring knows nothing of them. */
static void read_lost_samples(struct perf_record_reader *r, const struct side_record *s)
{
	const struct rec_lost_samples *rec = (const void *)s->header;

	write_drop(r, s->trailer.time, s->cpu, PMCLOG_DROP_RING,
		   s->source ? s->source->pmcid : UINT32_MAX, rec->lost);
	r->stats->drops[PMCLOG_DROP_RING] += rec->lost;
}

/* Forgets the pause of an event.  When it began; 0: there is none. */
static uint64_t end_pause(struct perf_record_reader *r, uint64_t stream)
{
	uint64_t since;
	size_t i;

	for (i = r->pauses.n; i-- > 0;)
		if (r->pauses.v[i].stream == stream) {
			since = r->pauses.v[i].since;
			vec_remove(&r->pauses, i, 1);
			return since;
		}
	return 0;
}

static void read_throttle(struct perf_record_reader *r, const struct side_record *s)
{
	const struct rec_throttle *rec = (const void *)s->header;
	struct perf_source *source;

	source = source_of(r, rec->id);
	write_drop(r, s->trailer.time, s->cpu, PMCLOG_DROP_THROTTLE,
		   source ? source->pmcid : UINT32_MAX, 1);
	r->stats->drops[PMCLOG_DROP_THROTTLE]++;
	if (!source)
		return;
	source->throttled = true;
	end_pause(r, rec->stream_id);
	if (r->pauses.n == PAUSES_MAX)
		vec_remove(&r->pauses, 0, 1);
	/* Without memory one more is of unknown length. */
	if (vec_push(&r->pauses, (struct perf_pause){rec->stream_id, rec->time}))
		return;
}

/*
 * The event goes on: at the next tick of the clock, or with the thread, which may have been off
 * the CPU since long.  What it did not count is then no more than until that tick.
 */
static void read_unthrottle(struct perf_record_reader *r, const struct side_record *s)
{
	const struct rec_throttle *rec = (const void *)s->header;
	const struct perf_source *source = source_of(r, rec->id);
	uint64_t since = end_pause(r, rec->stream_id);
	struct pmclog_drop drop = {.cpu = s->cpu, .cause = PMCLOG_DROP_THROTTLE};

	if (!source || !since || rec->time <= since || !r->writer)
		return;
	drop.pmcid = source->pmcid;
	drop.paused = rec->time - since;
	if (!source->system && r->tick && drop.paused > r->tick)
		drop.paused = r->tick;
	pmclog_write_dropnotify(r->writer, s->trailer.time, &drop);
	r->stats->paused += drop.paused;
}

/* Code that comes and goes in the kernel: BPF programs, trampolines, probes. */
static void read_ksymbol(struct perf_record_reader *r, const struct side_record *s)
{
	const struct rec_ksymbol *rec = (const void *)s->header;
	char path[512];

	if (!rec->length || !r->writer)
		return;
	if (rec->flags & PERF_RECORD_KSYMBOL_FLAGS_UNREGISTER) {
		pmclog_write_map_out(r->writer, s->trailer.time, KERNEL_PID, rec->start,
				     rec->start + rec->length);
		return;
	}
	snprintf(path, sizeof(path), "[%s]", side_text(s, sizeof(*rec)));
	pmclog_write_map_in(r->writer, s->trailer.time,
			    &(struct pmclog_map){.pid = KERNEL_PID,
						 .start = rec->start,
						 .length = rec->length,
						 .path = path});
}

/* The bytes that a record has at least, without its trailer; 0: of a type that is not read. */
static const size_t least[] = {
	[PERF_RECORD_MMAP2] = sizeof(struct rec_mmap2),
	[PERF_RECORD_COMM] = sizeof(struct rec_comm),
	[PERF_RECORD_FORK] = sizeof(struct rec_task),
	[PERF_RECORD_EXIT] = sizeof(struct rec_task),
	[PERF_RECORD_LOST] = sizeof(struct rec_lost),
	[PERF_RECORD_LOST_SAMPLES] = sizeof(struct rec_lost_samples),
	[PERF_RECORD_THROTTLE] = sizeof(struct rec_throttle),
	[PERF_RECORD_UNTHROTTLE] = sizeof(struct rec_throttle),
	[PERF_RECORD_KSYMBOL] = sizeof(struct rec_ksymbol),
};

/*
 * Of a process that has no number in our pid namespace: to the kernel it is 0, as the idle loop,
 * which does none of this.  Logs of perf name that.
 */
static bool is_elsewhere(const struct perf_record_reader *r, const struct perf_event_header *record)
{
	const struct rec_task *rec = (const void *)record;

	switch (record->type) {
	case PERF_RECORD_COMM: return !rec->pid && !r->past;
	case PERF_RECORD_MMAP2:
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT: return !rec->pid;
	default: return false;
	}
}

uint64_t perf_record_read(struct perf_record_reader *r, uint32_t cpu,
			  const struct perf_event_header *record)
{
	struct side_record s = {.header = record, .cpu = cpu};

	if (record->type == PERF_RECORD_SAMPLE) {
		read_sample(r, cpu, (const struct perf_ring_sample *)record);
		return 0;
	}
	if (record->type >= sizeof(least) / sizeof(least[0]) || !least[record->type])
		return 0;
	if (record->size < least[record->type] + sizeof(s.trailer)) {
		perf_record_lose(r, r->last_time, cpu, 1);
		return 0;
	}
	s.length = record->size - sizeof(s.trailer);
	memcpy(&s.trailer, (const char *)record + s.length, sizeof(s.trailer));
	r->last_time = s.trailer.time;
	s.source = source_of(r, s.trailer.id);
	if (is_elsewhere(r, record))
		return 0;
	switch (record->type) {
	case PERF_RECORD_MMAP2: read_mmap2(r, &s); break;
	case PERF_RECORD_COMM: read_comm(r, &s); break;
	case PERF_RECORD_FORK: read_fork(r, &s); break;
	case PERF_RECORD_EXIT: read_exit(r, &s); break;
	case PERF_RECORD_LOST: return read_lost(r, &s);
	case PERF_RECORD_LOST_SAMPLES: read_lost_samples(r, &s); break;
	case PERF_RECORD_THROTTLE: read_throttle(r, &s); break;
	case PERF_RECORD_UNTHROTTLE: read_unthrottle(r, &s); break;
	case PERF_RECORD_KSYMBOL: read_ksymbol(r, &s); break;
	default: break;
	}
	return 0;
}
