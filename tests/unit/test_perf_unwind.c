// SPDX-License-Identifier: BSD-2-Clause
/*
 * Stage 1 of the pump: queues, stitching, and samples made by hand of this process, whose chain
 * backtrace(3) knows as well.
 */
#include <execinfo.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include "pmc/perf/perf_layout.h"
#include "pmc/perf/unwind/perf_regs.h"
#include "pmc/perf/unwind/perf_unwind.h"
#include "pmc/perf/unwind/perf_window.h"
#include "unit.h"

/* ---- Which samples have stacks. */

static bool wanted(const char *event, uint64_t rate, uint32_t flags, enum pmc_unwind unwind)
{
	struct pmc pmc = {.mode = PMC_MODE_TS, .flags = PMC_F_CALLCHAIN | flags, .unwind = unwind};

	CHECK(!pmc_event_parse(event, &pmc.event, NULL));
	pmc.rate = rate ? rate : pmc.event.default_rate;
	return perf_window_wanted(&pmc);
}

UNIT(samples_that_may_come_in_a_burst_have_no_stack_unless_it_is_asked_for)
{
	bool can = perf_regs_mask != 0;
	struct pmc trace = {.mode = PMC_MODE_TS,
			    .flags = PMC_F_CALLCHAIN,
			    .event = {.type = PERF_TYPE_TRACEPOINT, .default_rate = 1},
			    .rate = 1};

	CHECK(wanted("cpu-clock", 0, 0, PMC_UNWIND_AUTO) == can);
	CHECK(wanted("cpu-clock", 100000, 0, PMC_UNWIND_AUTO) == can);
	CHECK(!wanted("cpu-clock", 99990, 0, PMC_UNWIND_AUTO));
	CHECK(wanted("cpu-clock", 10000, PMC_F_FREQUENCY, PMC_UNWIND_AUTO) == can);
	CHECK(!wanted("cpu-clock", 10001, PMC_F_FREQUENCY, PMC_UNWIND_AUTO));
	CHECK(!wanted("page-faults", 1, 0, PMC_UNWIND_AUTO));
	CHECK(!wanted("page-faults", 0, 0, PMC_UNWIND_AUTO));
	CHECK(wanted("page-faults", 1000, PMC_F_FREQUENCY, PMC_UNWIND_AUTO) == can);
	CHECK(wanted("page-faults", 1, 0, PMC_UNWIND_DWARF) == can);
	CHECK(!wanted("page-faults", 1, 0, PMC_UNWIND_FP));
	CHECK(!perf_window_wanted(&trace));
	trace.unwind = PMC_UNWIND_DWARF;
	CHECK(perf_window_wanted(&trace) == can);
}

UNIT(rings_are_as_large_as_may_be_locked)
{
	const size_t kib = 1024, page = 4096;

	CHECK_U64(perf_window_ring_pages(2, page, SIZE_MAX), 8192 * kib / page);
	/* All rings together, of machines that have many CPUs. */
	CHECK_U64(perf_window_ring_pages(64, page, SIZE_MAX), 4096 * kib / page);
	CHECK_U64(perf_window_ring_pages(1024, page, SIZE_MAX), 1024 * kib / page);
	/* 516 KiB a CPU and 8 MiB, the defaults: of them the rings for execs take a part. */
	CHECK_U64(perf_window_ring_pages(1, page, (516 + 8192) * kib), 8192 * kib / page);
	CHECK_U64(perf_window_ring_pages(2, page, (2 * 516 + 8192) * kib), 4096 * kib / page);
	CHECK_U64(perf_window_ring_pages(8, page, (8 * 516 + 8192) * kib), 1024 * kib / page);
	CHECK_U64(perf_window_ring_pages(2, page, 2 * (4096 + 256 + 8) * kib), 4096 * kib / page);
	CHECK_U64(perf_window_ring_pages(2, page, 2 * (4096 + 256 + 8) * kib - 2),
		  2048 * kib / page);
	CHECK_U64(perf_window_ring_pages(2, page, 0), 512 * kib / page);
}

UNIT(the_faster_samples_come_the_more_of_them_a_ring_holds)
{
	struct pmc pmc = {.flags = PMC_F_FREQUENCY, .rate = 1000};
	const size_t kib = 1024;

	CHECK_U64(perf_window_bytes(&pmc, 512 * kib), 32 * kib);
	pmc.rate = 1001;
	CHECK_U64(perf_window_bytes(&pmc, 512 * kib), 16 * kib);
	CHECK_U64(perf_window_bytes(&pmc, 1024 * kib), 32 * kib);
	pmc.rate = 4001;
	CHECK_U64(perf_window_bytes(&pmc, 512 * kib), 8 * kib);
	CHECK_U64(perf_window_bytes(&pmc, 4096 * kib), 32 * kib);
}

/* ---- Queues. */

static uint64_t seen[4096];
static size_t nseen;

static void note_ip(void *arg, struct perf_ring *ring, const struct perf_event_header *record)
{
	(void)arg;
	CHECK_U64((uint64_t)ring->cpu, 3);
	seen[nseen++ % 4096] = ((const struct perf_ring_sample *)record)->ip;
}

static struct perf_ring_sample plain_sample(uint64_t time)
{
	return (struct perf_ring_sample){
		.header = {.type = PERF_RECORD_SAMPLE, .size = sizeof(struct perf_ring_sample)},
		.ip = time,
		.time = time};
}

UNIT(a_queue_grows_and_keeps_its_order)
{
	struct perf_queue *q = perf_queue_new(3);
	struct perf_ring *list[] = {&q->ring}, *heap[1];
	struct perf_merge *m = calloc(1, sizeof(*m));
	uint64_t i, time = 0, told = 0;

	m->heap = heap;
	nseen = 0;
	/* So many are left in it that it is wrapped around when it grows. */
	for (i = 0; i < 4000; i++) {
		struct perf_ring_sample s = plain_sample(++time);

		CHECK(!perf_queue_push(q, &s.header));
		if (i % 1000 == 999)
			told += perf_ring_drain(m, list, 1, time - 600, 0, note_ip, NULL);
	}
	CHECK_U64(told, 4000 - 600);
	CHECK(q->ring.size > 65536);
	perf_ring_drain(m, list, 1, UINT64_MAX, 0, note_ip, NULL);
	CHECK_U64(nseen, 4000);
	for (i = 0; i < nseen; i++)
		CHECK_U64(seen[i], i + 1);
	perf_queue_free(q);
	free(m);
}

UNIT(a_queue_is_never_so_full_that_a_drain_would_hurry)
{
	struct perf_queue *q = perf_queue_new(0);
	struct perf_ring_sample s = plain_sample(1);
	size_t n = 0;

	while (!perf_queue_push(q, &s.header))
		n++;
	CHECK_U64(q->ring.size, PERF_QUEUE_MAX);
	CHECK_U64(n, PERF_QUEUE_MAX / 4 * 3 / sizeof(s));
	perf_queue_free(q);
}

/* ---- Stitching. */

static struct unwind_frame frame(uint64_t pc, uint64_t cfa)
{
	return (struct unwind_frame){.pc = pc, .cfa = cfa, .how = UNWIND_HOW_CFI};
}

UNIT(a_chain_goes_on_where_the_last_one_had_the_same_frame)
{
	struct perf_stitch *st = calloc(1, sizeof(*st));
	const struct stitch_thread t = {10, 11, 1}, execed = {10, 11, 2},
				   other = {10, 11 + PERF_STITCH_SLOTS, 1};
	struct unwind_frame whole[] = {frame(1, 100), frame(2, 200), frame(3, 300), frame(4, 0)};
	struct unwind_frame now[8] = {frame(7, 110), frame(2, 200)};
	bool all;

	whole[2].exact = true;
	perf_stitch_keep(st, &t, whole, 4);
	CHECK_U64(perf_stitch_append(st, &execed, now, 2, 8, &all), 2);
	CHECK_U64(perf_stitch_append(st, &other, now, 2, 8, &all), 2);
	CHECK_U64(perf_stitch_append(st, &t, now, 2, 8, &all), 4);
	CHECK(all);
	CHECK_U64(now[1].how, UNWIND_HOW_CFI);
	CHECK_U64(now[2].pc, 3);
	CHECK_U64(now[2].how, UNWIND_HOW_STITCHED);
	CHECK_U64(now[3].pc, 4);
	CHECK(now[2].exact && !now[3].exact);
	CHECK_U64(perf_stitch_append(st, &t, now, 2, 3, &all), 3);
	CHECK(!all);
	/* The same place on the stack, and another call; and one whose place is not known. */
	now[1] = frame(9, 200);
	CHECK_U64(perf_stitch_append(st, &t, now, 2, 8, &all), 2);
	now[1] = frame(4, 0);
	CHECK_U64(perf_stitch_append(st, &t, now, 2, 8, &all), 2);
	perf_stitch_fini(st);
	free(st);
}

UNIT(what_is_kept_of_all_threads_is_bounded)
{
	enum { DEEP = PMCLOG_MAX_FRAMES, THREADS = PERF_STITCH_ROOM / DEEP };
	static struct unwind_frame deep[DEEP], now[DEEP];
	struct perf_stitch *st = calloc(1, sizeof(*st));
	struct stitch_thread t = {10, 0, 1};
	bool all;
	size_t i;

	for (i = 0; i < DEEP; i++)
		deep[i] = frame(i + 1, 100 * (i + 1));
	now[0] = deep[0];
	for (; t.tid < THREADS; t.tid++)
		perf_stitch_keep(st, &t, deep, DEEP);
	CHECK_U64(st->room, PERF_STITCH_ROOM);
	t.tid = 0;
	CHECK_U64(perf_stitch_append(st, &t, now, 1, DEEP, &all), DEEP);
	CHECK(all);
	/* One more has the room of all others. */
	t.tid = THREADS;
	perf_stitch_keep(st, &t, deep, DEEP);
	CHECK_U64(st->room, DEEP);
	CHECK_U64(perf_stitch_append(st, &t, now, 1, DEEP, &all), DEEP);
	t.tid = 0;
	CHECK_U64(perf_stitch_append(st, &t, now, 1, DEEP, &all), 1);
	perf_stitch_fini(st);
	free(st);
}

UNIT(a_chain_goes_on_where_the_deepest_one_before_had_the_same_frame)
{
	struct perf_stitch *st = calloc(1, sizeof(*st));
	const struct stitch_thread t = {10, 11, 1}, execed = {10, 11, 2};
	struct unwind_frame deep[] = {frame(1, 100), frame(2, 200), frame(3, 300), frame(4, 400),
				      frame(5, 0)};
	const struct unwind_frame back[] = {frame(6, 300), frame(4, 400), frame(5, 0)};
	const struct unwind_frame elsewhere[] = {frame(6, 300), frame(7, 400), frame(5, 0)};
	struct unwind_frame now[8] = {frame(8, 110), frame(2, 200)};
	bool all;

	/* The deepest one stays, however many come behind it; the last one goes before it. */
	perf_stitch_keep(st, &t, deep, 5);
	perf_stitch_keep(st, &t, back, 3);
	perf_stitch_keep(st, &t, back + 1, 2);
	CHECK_U64(perf_stitch_append(st, &t, now, 2, 8, &all), 5);
	CHECK(all);
	CHECK_U64(now[2].pc, 3);
	CHECK_U64(now[2].how, UNWIND_HOW_STITCHED);
	deep[2].pc = 9;
	perf_stitch_keep(st, &t, deep + 1, 4);
	CHECK_U64(perf_stitch_append(st, &t, now, 2, 8, &all), 5);
	CHECK_U64(now[2].pc, 9);
	/* Another program has none of it. */
	CHECK_U64(perf_stitch_append(st, &execed, now, 2, 8, &all), 2);
	perf_stitch_keep(st, &execed, back, 3);
	perf_stitch_keep(st, &execed, back + 1, 2);
	CHECK_U64(perf_stitch_append(st, &execed, now, 2, 8, &all), 2);
	/* Nor has the thread once it is about something else, be it the last or the deepest one. */
	perf_stitch_keep(st, &t, deep, 5);
	perf_stitch_keep(st, &t, back, 3);
	perf_stitch_keep(st, &t, elsewhere, 3);
	CHECK_U64(perf_stitch_append(st, &t, now, 2, 8, &all), 2);
	perf_stitch_keep(st, &t, deep, 5);
	perf_stitch_keep(st, &t, elsewhere, 3);
	CHECK_U64(perf_stitch_append(st, &t, now, 2, 8, &all), 2);
	perf_stitch_fini(st);
	free(st);
}

UNIT(a_kept_chain_holds_where_the_stack_has_all_of_its_return_addresses)
{
	uint64_t stack[] = {0, 0, 0x1111, 5, 0, 0x2222, 7, 0};
	struct unwind_window w = {0x1000, (const uint8_t *)stack, sizeof(stack)};
	struct unwind_frame f[] = {frame(1, 0x1008), frame(2, 0x1018), frame(0x1111, 0x1030),
				   frame(0x2222, 0)};

	CHECK(perf_stitch_holds(f, 2, 4, 8, &w));
	/* Of the first of them nothing is asked. */
	CHECK(!perf_stitch_holds(f, 1, 4, 8, &w));
	stack[5]++;
	CHECK(!perf_stitch_holds(f, 2, 4, 8, &w));
	CHECK(perf_stitch_holds(f, 2, 3, 8, &w));
	stack[5]--;
	/* What a signal interrupted has not called. */
	f[3].exact = true;
	CHECK(!perf_stitch_holds(f, 2, 4, 8, &w));
	f[3].exact = false;
	w.length = 0x2f;
	CHECK(!perf_stitch_holds(f, 2, 4, 8, &w));
	w.length = 0x30;
	CHECK(perf_stitch_holds(f, 2, 4, 8, &w));
	/* Words of 32 bits. */
	CHECK(!perf_stitch_holds(f, 2, 4, 4, &w));
	f[1].cfa = 0x1014;
	f[2].cfa = 0x102c;
	CHECK(perf_stitch_holds(f, 2, 4, 4, &w));
}

/* ---- Samples. */

#if defined(__x86_64__) || defined(__aarch64__)

#ifdef __x86_64__
enum { REGS = 17, SP_AT = 7, PC_AT = 8 };
/* What the kernel keeps last of what a signal interrupts. */
#define LAST_REG(context) (&(context)->uc_mcontext.gregs[REG_EFL])
#else
enum { REGS = 33, SP_AT = 31, PC_AT = 32 };
#define LAST_REG(context) (&(context)->uc_mcontext.pstate)
#endif

enum { RING_SIZE = 1 << 20, STACK = 32768, FRAMES_MAX = 64 };

/* One ring, a reader of its records, and what came out of them. */
struct stage {
	struct perf_ring ring;
	struct perf_event_mmap_page ctl;
	struct perf_ring *list[1], *heap[1];
	struct perf_merge merge;
	struct perf_record_reader records;
	struct pmc_log_stats stats;
	struct perf_unwind *u;
	uint64_t chain[16]; /* the kernel's, of the samples that are made */
	size_t nchain;
	uint64_t now; /* when the ring is read */
	size_t emitted;
	struct perf_ring_sample head;
	uint64_t pc[PMCLOG_MAX_FRAMES];
	uint8_t guessed[PMCLOG_MAX_FRAMES / 8], exact[PMCLOG_MAX_FRAMES / 8];
	struct perf_unwound out; /* but for its frames and their marks, which are above */
};

extern void *__libc_stack_end;

/* This thread at a moment: registers, stack from its pointer on, and callers. */
struct moment {
	uint64_t regs[REGS]; /* as perf has them */
	uint8_t stack[STACK] __attribute__((aligned(8)));
	size_t length;
	void *callers[FRAMES_MAX]; /* from the caller of the sampled function on */
	int ncallers;
	void (*within)(struct moment *m); /* called by the sampled function; NULL: nothing is */
};

static struct stage *stage_new(void)
{
	struct stage *st = calloc(1, sizeof(*st));
	struct perf_source source = {.pmcid = 1,
				     .flags = PMC_F_CALLCHAIN | PMC_F_USERCALLCHAIN,
				     .depth = PERF_UNWIND_DEPTH,
				     .has_window = true};

	st->ring = (struct perf_ring){.ctl = &st->ctl, .size = RING_SIZE};
	st->ring.data = calloc(1, RING_SIZE);
	st->list[0] = &st->ring;
	st->merge.heap = st->heap;
	st->records.stats = &st->stats;
	/* Only that there is one matters here. */
	st->records.writer = (struct pmclog_writer *)st;
	perf_record_add_source(&st->records, &source);
	perf_record_add_id(&st->records, 77, 0);
	st->u = perf_unwind_new(&st->records);
	return st;
}

static void stage_free(struct stage *st)
{
	perf_unwind_free(st->u);
	st->records.writer = NULL;
	perf_record_reader_fini(&st->records);
	free(st->ring.data);
	free(st);
}

static void keep_unwound(void *arg, struct perf_ring *ring, const struct perf_event_header *record)
{
	const struct perf_unwound *x;
	struct stage *st = arg;

	(void)ring;
	st->emitted++;
	if (record->type != PERF_RECORD_SAMPLE || !(record->misc & PERF_RING_UNWOUND))
		return;
	memcpy(&st->head, record, sizeof(st->head));
	x = (const void *)((const char *)record + sizeof(st->head));
	st->out = *x;
	memcpy(st->pc, x->pc, (size_t)(x->kernel + x->user) * sizeof(*st->pc));
	memcpy(st->guessed, perf_unwound_guessed(x), (x->user + 7u) / 8);
	memcpy(st->exact, perf_unwound_exact(x), (x->user + 7u) / 8);
	CHECK_U64(record->size, sizeof(st->head) + sizeof(*x) +
					(x->kernel + x->user + 2u * ((x->user + 63u) / 64)) * 8u);
}

/* A sample of the moment with the first stack bytes of its stack, put through stage 1. */
static void sample(struct stage *st, const struct moment *m, size_t stack, uint64_t abi)
{
	struct perf_ring_sample head = {
		.header = {.type = PERF_RECORD_SAMPLE, .misc = PERF_RECORD_MISC_USER},
		.id = 77,
		.ip = m->regs[PC_AT],
		.pid = (uint32_t)getpid(),
		.tid = (uint32_t)gettid(),
		.time = 1};
	uint64_t *w = (uint64_t *)(st->ring.data + sizeof(head));

	*w++ = st->nchain;
	memcpy(w, st->chain, st->nchain * sizeof(*w));
	w += st->nchain;
	*w++ = abi;
	if (abi)
		memcpy(w, m->regs, sizeof(m->regs));
	w += abi ? REGS : 0;
	*w++ = stack;
	memcpy(w, m->stack, stack);
	w += stack / 8;
	if (stack)
		*w++ = stack;
	head.header.size = (uint16_t)((unsigned char *)w - st->ring.data);
	memcpy(st->ring.data, &head, sizeof(head));
	st->ctl.data_tail = 0;
	st->ctl.data_head = head.header.size;
	st->emitted = 0;
	perf_unwind_emit_to(st->u, keep_unwound, st);
	perf_unwind_drain(st->u, &st->merge, st->list, 1, UINT64_MAX, st->now);
	CHECK(st->emitted >= 1);
}

/* The registers here, the stack above with what sanitizers put between frames, and who called. */
__attribute__((noinline, no_sanitize("address"))) static void take_moment(struct moment *m)
{
	void *all[FRAMES_MAX];
	size_t at;
	int i, n, first;

	memset(m->regs, 0, sizeof(m->regs));
	/* The callee-saved ones, and where this is. */
#ifdef __x86_64__
	__asm__ volatile("movq %%rbx, %0\n\tmovq %%rbp, %1\n\tmovq %%rsp, %2\n\t"
			 "leaq (%%rip), %3\n\tmovq %%r12, %4\n\tmovq %%r13, %5\n\t"
			 "movq %%r14, %6\n\tmovq %%r15, %7"
			 : "=m"(m->regs[1]), "=m"(m->regs[6]), "=m"(m->regs[SP_AT]),
			   "=r"(m->regs[PC_AT]), "=m"(m->regs[13]), "=m"(m->regs[14]),
			   "=m"(m->regs[15]), "=m"(m->regs[16]));
#else
	__asm__ volatile("stp x19, x20, [%0, #152]\n\tstp x21, x22, [%0, #168]\n\t"
			 "stp x23, x24, [%0, #184]\n\tstp x25, x26, [%0, #200]\n\t"
			 "stp x27, x28, [%0, #216]\n\tstp x29, x30, [%0, #232]\n\t"
			 "mov x9, sp\n\tadr x10, .\n\tstp x9, x10, [%0, #248]"
			 :
			 : "r"(m->regs)
			 : "x9", "x10", "memory");
#endif
	m->length = (size_t)((uintptr_t)__libc_stack_end - m->regs[SP_AT]) & ~(size_t)7;
	if (m->length > STACK)
		m->length = STACK;
	for (at = 0; at < m->length; at += 8)
		*(volatile uint64_t *)(m->stack + at) =
			*(const volatile uint64_t *)(uintptr_t)(m->regs[SP_AT] + at);
	/* From this function's caller on: sanitizers have frames of their own before. */
	n = backtrace(all, FRAMES_MAX);
	for (first = 0; first < n && all[first] != __builtin_return_address(0); first++)
		;
	m->ncallers = n - first;
	for (i = 0; i < m->ncallers; i++)
		m->callers[i] = all[first + i];
	if (m->within)
		m->within(m);
}

/* Goes down so far that the stack has room for a moment's. */
__attribute__((noinline)) static int below(struct moment *m, int depth,
					   void (*then)(struct moment *m))
{
	volatile char room[512] = {0};

	if (depth)
		return below(m, depth - 1, then) + room[depth];
	take_moment(m);
	if (then)
		then(m);
	return room[0];
}

static void check_chain(const struct stage *st, const struct moment *m)
{
	uint16_t i;

	CHECK_U64(st->out.end, PMCLOG_END_COMPLETE);
	CHECK_U64(st->pc[0], m->regs[PC_AT]);
	CHECK_U64(st->out.user, (uint64_t)m->ncallers + 1);
	for (i = 0; i < m->ncallers && i + 1 < st->out.user; i++)
		CHECK_U64(st->pc[i + 1], (uint64_t)(uintptr_t)m->callers[i]);
}

static struct moment moment;

UNIT(a_sample_with_its_stack_becomes_the_chain_that_backtrace_knows)
{
	struct stage *st = stage_new();

	below(&moment, 4, NULL);
	sample(st, &moment, moment.length, PERF_SAMPLE_REGS_ABI_64);
	check_chain(st, &moment);
	CHECK_U64(st->out.stitched, 0);
	stage_free(st);
}

UNIT(the_end_of_a_thread_is_not_that_of_its_process)
{
	const uint32_t pid = (uint32_t)getpid();
	const struct rec_comm exec = {
		{PERF_RECORD_COMM, PERF_RECORD_MISC_COMM_EXEC, sizeof(exec)}, pid, pid};
	const struct rec_task end = {{PERF_RECORD_EXIT, 0, sizeof(end)}, pid, pid, pid + 1, pid, 1};
	const struct perf_event_header lost = {PERF_RECORD_LOST, 0, sizeof(lost)};
	struct stage *st = stage_new();

	perf_unwind_record(st->u, &exec.header);
	perf_unwind_record(st->u, &end.header);
	/* What was lost is read anew, unless the process is gone. */
	perf_unwind_record(st->u, &lost);
	below(&moment, 4, NULL);
	sample(st, &moment, moment.length, PERF_SAMPLE_REGS_ABI_64);
	check_chain(st, &moment);
	stage_free(st);
}

UNIT(without_a_stack_there_is_the_leaf_and_the_reason)
{
	struct stage *st = stage_new();

	below(&moment, 4, NULL);
	/* Nor does the process have one there. */
	moment.regs[SP_AT] = 65536;
	sample(st, &moment, 0, PERF_SAMPLE_REGS_ABI_64);
	CHECK_U64(st->out.end, PMCLOG_END_NO_STACK);
	CHECK_U64(st->out.user, 1);
	CHECK_U64(st->pc[0], moment.regs[PC_AT]);
	stage_free(st);
}

static struct stage *short_stage;

static void sample_none(struct moment *m)
{
	sample(short_stage, m, 0, PERF_SAMPLE_REGS_ABI_64);
}

UNIT(a_stack_that_could_not_be_copied_is_read_from_the_process)
{
	short_stage = stage_new();
	/* While the frames are still there. */
	moment.within = sample_none;
	below(&moment, 8, NULL);
	moment.within = NULL;
	check_chain(short_stage, &moment);
	CHECK_U64(short_stage->out.stitched, short_stage->out.user - 1u);
	stage_free(short_stage);
}

/* Of a frame that is larger than what is copied; its contents are others by now. */
static void sample_leaf(struct moment *m)
{
	m->stack[32] ^= 1;
	sample(short_stage, m, 64, PERF_SAMPLE_REGS_ABI_64);
}

/* A frame of arm64 may begin with the caller's frame pointer and the return address. */
static unsigned int is_caller_copied(const struct moment *m)
{
#ifdef __aarch64__
	return !memcmp(m->stack + 8, &m->callers[0], sizeof(m->callers[0]));
#else
	(void)m;
	return 0;
#endif
}

UNIT(so_are_the_callers_of_a_leaf_with_a_large_frame)
{
	short_stage = stage_new();
	moment.within = sample_leaf;
	below(&moment, 8, NULL);
	moment.within = NULL;
	check_chain(short_stage, &moment);
	CHECK_U64(short_stage->out.stitched + is_caller_copied(&moment),
		  short_stage->out.user - 1u);
	stage_free(short_stage);
}

static void sample_short(struct moment *m)
{
	sample(short_stage, m, 2048, PERF_SAMPLE_REGS_ABI_64);
}

UNIT(the_rest_of_a_short_stack_is_read_from_the_process)
{
	short_stage = stage_new();
	below(&moment, 8, sample_short);
	check_chain(short_stage, &moment);
	CHECK(short_stage->out.stitched >= 1);
	CHECK(short_stage->out.stitched < short_stage->out.user - 1);
	stage_free(short_stage);
}

UNIT(unless_the_sample_is_so_old_that_much_has_returned)
{
	short_stage = stage_new();
	short_stage->now = 30000001;
	below(&moment, 8, sample_short);
	check_chain(short_stage, &moment);
	short_stage->now = 30000002;
	below(&moment, 8, sample_short);
	CHECK_U64(short_stage->out.end, PMCLOG_END_WINDOW);
	CHECK_U64(short_stage->out.stitched, 0);
	stage_free(short_stage);
}

UNIT(rings_are_read_more_often_while_stacks_are_deep)
{
	const uint64_t ms = 1000000;
	struct stage *st = short_stage = stage_new();

	/* As long as it is not known how deep they are. */
	st->now = 1000 * ms;
	perf_unwind_drain(st->u, &st->merge, st->list, 1, UINT64_MAX, st->now);
	CHECK(perf_unwind_hurries(st->u));
	st->now = 1100 * ms;
	below(&moment, 4, NULL);
	sample(st, &moment, moment.length, PERF_SAMPLE_REGS_ABI_64);
	CHECK(!perf_unwind_hurries(st->u));
	below(&moment, 8, sample_short);
	CHECK(perf_unwind_hurries(st->u));
	stage_free(st);
}

/* Replaces an address wherever the stack has it beyond what is copied of it. */
__attribute__((no_sanitize("address"))) static void replace(const struct moment *m, uint64_t is,
							    uint64_t by)
{
	volatile uint64_t *word = (uint64_t *)(uintptr_t)(m->regs[SP_AT] + 2048); // NOLINT
	size_t n;

	for (n = (m->length - 2048) / sizeof(*word); n; n--, word++)
		if (*word == is)
			*word = by;
}

/*
 * What was copied is as it was, but one of the callers beyond it is another one by now than in the
 * chain before.
 */
static void sample_called_anew(struct moment *m)
{
	const uint64_t caller = (uint64_t)(uintptr_t)m->callers[m->ncallers - 3];

	sample(short_stage, m, m->length, PERF_SAMPLE_REGS_ABI_64);
	check_chain(short_stage, m);
	replace(m, caller, caller + 1);
	sample_short(m);
	replace(m, caller + 1, caller);
}

UNIT(what_is_read_and_no_return_address_takes_all_of_it_back)
{
	short_stage = stage_new();
	below(&moment, 8, sample_called_anew);
	CHECK_U64(short_stage->out.end, PMCLOG_END_WINDOW);
	CHECK_U64(short_stage->out.stitched, 0);
	CHECK(short_stage->out.user < moment.ncallers - 2);
	stage_free(short_stage);
}

/* Whether a byte of the signal frame was another one then. */
static bool signal_changed;

static void in_handler(int sig, siginfo_t *info, void *context)
{
	(void)sig;
	(void)info;
	take_moment(&moment);
	moment.stack[(uintptr_t)LAST_REG((ucontext_t *)context) - moment.regs[SP_AT]] ^=
		signal_changed;
	sample(short_stage, &moment, 8192, PERF_SAMPLE_REGS_ABI_64);
}

/* In a handler on a stack of its own, far away from what it interrupts. */
static void sample_in_handler(bool changed)
{
	static struct {
		char stack[1 << 20], behind[STACK];
	} own;
	stack_t stack = {.ss_sp = own.stack, .ss_size = sizeof(own.stack)}, before;
	struct sigaction sa = {.sa_sigaction = in_handler, .sa_flags = SA_ONSTACK | SA_SIGINFO};

	short_stage = stage_new();
	signal_changed = changed;
	CHECK(!sigaltstack(&stack, &before));
	CHECK(!sigaction(SIGUSR1, &sa, NULL));
	raise(SIGUSR1);
	signal(SIGUSR1, SIG_DFL);
	sigaltstack(&before, NULL);
}

UNIT(behind_a_handlers_own_stack_is_what_it_interrupted)
{
	int i, exact = 0;

	sample_in_handler(false);
	check_chain(short_stage, &moment);
	CHECK(short_stage->out.stitched >= 2);
	for (i = 0; i < FRAMES_MAX; i++)
		exact += short_stage->exact[i / 8] >> i % 8 & 1;
	/* What the handler returns to, and what was interrupted. */
	CHECK_U64((uint64_t)exact, 2);
	stage_free(short_stage);
}

UNIT(unless_the_signal_is_another_one_by_then)
{
	sample_in_handler(true);
	CHECK_U64(short_stage->out.end, PMCLOG_END_WINDOW);
	CHECK_U64(short_stage->out.stitched, 0);
	CHECK(short_stage->out.user < moment.ncallers);
	stage_free(short_stage);
}

/* The last return address in what was copied of the stack, where the thread has it. */
static volatile uint64_t *last_return(const struct moment *m)
{
	const uint64_t caller = (uint64_t)(uintptr_t)m->callers[1];
	size_t at = 2048;
	uint64_t word;

	do {
		at -= 8;
		memcpy(&word, m->stack + at, 8);
	} while (at && word != caller);
	CHECK_U64(word, caller);
	return (volatile uint64_t *)(uintptr_t)(m->regs[SP_AT] + at); // NOLINT
}

/* That one is another by now, and no worse. */
__attribute__((no_sanitize("address"))) static void sample_changed(struct moment *m)
{
	volatile uint64_t *at = last_return(m);
	const uint64_t was = *at;

	*at = (uint64_t)(uintptr_t)m->callers[m->ncallers - 3];
	sample_short(m);
	*at = was;
}

UNIT(the_rest_of_a_stack_that_has_changed_is_not_taken)
{
	short_stage = stage_new();
	below(&moment, 8, sample_changed);
	CHECK_U64(short_stage->out.stitched, 0);
	CHECK_U64(short_stage->out.end, PMCLOG_END_WINDOW);
	CHECK(short_stage->out.user < moment.ncallers - 2);
	stage_free(short_stage);
}

static void sample_changed_behind_whole(struct moment *m)
{
	sample(short_stage, m, m->length, PERF_SAMPLE_REGS_ABI_64);
	check_chain(short_stage, m);
	sample_changed(m);
}

UNIT(unless_the_last_chain_had_it_and_so_has_the_stack_now)
{
	short_stage = stage_new();
	below(&moment, 8, sample_changed_behind_whole);
#ifdef __x86_64__
	check_chain(short_stage, &moment);
	CHECK(short_stage->out.stitched >= 1);
#else
	/* Where return addresses lie only a walk can tell. */
	CHECK_U64(short_stage->out.end, PMCLOG_END_WINDOW);
#endif
	stage_free(short_stage);
}

UNIT(registers_of_another_moment_are_stale)
{
	struct stage *st = stage_new();
	uint64_t pc;

	below(&moment, 4, NULL);
	pc = moment.regs[PC_AT];
	/* The sample's own address is that of the registers here; in the record they differ. */
	sample(st, &moment, moment.length, PERF_SAMPLE_REGS_ABI_64);
	CHECK_U64(st->out.end, PMCLOG_END_COMPLETE);
	((struct perf_ring_sample *)st->ring.data)->ip = pc + 16;
	st->ctl.data_tail = 0;
	perf_unwind_emit_to(st->u, keep_unwound, st);
	perf_unwind_drain(st->u, &st->merge, st->list, 1, UINT64_MAX, 0);
	CHECK_U64(st->out.end, PMCLOG_END_STALE);
	CHECK_U64(st->out.user, 0);
	CHECK_U64(st->head.ip, pc + 16);
	/* None at all, of a process that has memory. */
	sample(st, &moment, 0, PERF_SAMPLE_REGS_ABI_NONE);
	CHECK_U64(st->out.end, PMCLOG_END_STALE);
	stage_free(st);
}

UNIT(lengths_that_lie_give_the_leaf)
{
	struct stage *st = stage_new();
	uint64_t *w = (uint64_t *)(st->ring.data + sizeof(struct perf_ring_sample));
	const size_t at[] = {0, 1 + 1 + REGS, 1 + 1 + REGS + 1 + 64 / 8};
	const uint64_t lies[] = {UINT64_MAX, UINT64_MAX / 8 + 1, 1u << 20, 63};
	size_t i, k;

	below(&moment, 4, NULL);
	for (i = 0; i < 3; i++)
		for (k = 0; k < 4; k++) {
			sample(st, &moment, 64, PERF_SAMPLE_REGS_ABI_64);
			if (i == 2 && k == 3)
				continue;
			w[at[i]] = lies[k];
			st->ctl.data_tail = st->emitted = 0;
			perf_unwind_emit_to(st->u, keep_unwound, st);
			perf_unwind_drain(st->u, &st->merge, st->list, 1, UINT64_MAX, 0);
			CHECK_U64(st->emitted, 1);
			CHECK_U64(st->out.user + st->out.kernel, 0);
		}
	stage_free(st);
}

/* What a queue without room gives out at once; meanwhile the kernel has filled the ring again. */
static void fill_again(void *arg, struct perf_ring *ring, const struct perf_event_header *record)
{
	struct stage *st = arg;

	(void)ring;
	(void)record;
	st->emitted++;
	st->ctl.data_head = st->ring.head + RING_SIZE / 4 * 3 + 8;
}

/* The kernel's frame, the leaf, two callers out of order, and what is no code. */
static void set_chain(struct stage *st, const struct moment *m)
{
	const uint64_t chain[] = {(uint64_t)PERF_CONTEXT_KERNEL,
				  0xffffffff81000010,
				  (uint64_t)PERF_CONTEXT_USER,
				  m->regs[PC_AT],
				  (uintptr_t)m->callers[1],
				  (uintptr_t)m->callers[0],
				  (uintptr_t)&moment,
				  (uintptr_t)m->callers[0]};

	memcpy(st->chain, chain, sizeof(chain));
	st->nchain = sizeof(chain) / sizeof(chain[0]);
}

/* A stage whose ring was full at once, and that then got a sample of at most depth frames. */
static struct stage *overloaded(bool chain, uint32_t depth)
{
	struct stage *st = stage_new();
	struct perf_ring_sample plain = plain_sample(1);
	size_t at, emitted = 0, pushed = 0;

	for (at = 0; at + sizeof(plain) <= RING_SIZE; at += sizeof(plain))
		memcpy(st->ring.data + at, &plain, sizeof(plain));
	while (!emitted && pushed < PERF_QUEUE_MAX) {
		st->ctl.data_tail = st->emitted = 0;
		st->ctl.data_head = at;
		perf_unwind_emit_to(st->u, fill_again, st);
		perf_unwind_drain(st->u, &st->merge, st->list, 1, 0, 0);
		emitted = st->emitted;
		pushed += at;
	}
	/* What went out early was all that the queue held. */
	CHECK(emitted > PERF_QUEUE_MAX / 4 * 3 / sizeof(plain) - 2);
	below(&moment, 4, NULL);
	if (chain)
		set_chain(st, &moment);
	st->records.sources.v[0].depth = depth;
	sample(st, &moment, moment.length, PERF_SAMPLE_REGS_ABI_64);
	return st;
}

UNIT(stacks_are_left_alone_while_rings_are_full_again_at_once)
{
	struct stage *st = overloaded(false, PERF_UNWIND_DEPTH);

	CHECK_U64(st->out.end, PMCLOG_END_OVERLOAD);
	CHECK_U64(st->out.user, 1);
	CHECK_U64(st->pc[0], moment.regs[PC_AT]);
	CHECK_U64(st->guessed[0], 0);
	sample(st, &moment, moment.length, PERF_SAMPLE_REGS_ABI_64);
	check_chain(st, &moment);
	stage_free(st);
}

UNIT(then_the_chain_is_the_kernels_as_far_as_it_leads_through_code)
{
	struct stage *st = overloaded(true, PERF_UNWIND_DEPTH);

	CHECK_U64(st->out.end, PMCLOG_END_OVERLOAD);
	CHECK_U64(st->out.kernel, 1);
	CHECK_U64(st->pc[0], 0xffffffff81000010);
	CHECK_U64(st->out.user, 3);
	CHECK_U64(st->pc[1], moment.regs[PC_AT]);
	CHECK_U64(st->pc[2], (uintptr_t)moment.callers[1]);
	CHECK_U64(st->pc[3], (uintptr_t)moment.callers[0]);
	/* All but the leaf may be wrong, and say so. */
	CHECK_U64(st->guessed[0], 1 << 1 | 1 << 2);
	CHECK_U64(st->out.stitched, 0);
	/* With time it is not asked. */
	sample(st, &moment, moment.length, PERF_SAMPLE_REGS_ABI_64);
	CHECK_U64(st->out.end, PMCLOG_END_COMPLETE);
	CHECK_U64(st->pc[2], (uintptr_t)moment.callers[0]);
	CHECK_U64(st->guessed[0], 0);
	stage_free(st);
}

UNIT(and_no_deeper_than_the_pmc_has_it)
{
	struct stage *st = overloaded(true, 3);

	CHECK_U64(st->out.end, PMCLOG_END_OVERLOAD);
	CHECK_U64(st->out.kernel, 1);
	CHECK_U64(st->out.user, 2);
	CHECK_U64(st->pc[2], (uintptr_t)moment.callers[1]);
	stage_free(st);
}

#define SAMPLES                                                                            \
	UNIT_ENTRY(a_sample_with_its_stack_becomes_the_chain_that_backtrace_knows),        \
		UNIT_ENTRY(the_end_of_a_thread_is_not_that_of_its_process),                \
		UNIT_ENTRY(without_a_stack_there_is_the_leaf_and_the_reason),              \
		UNIT_ENTRY(a_stack_that_could_not_be_copied_is_read_from_the_process),     \
		UNIT_ENTRY(so_are_the_callers_of_a_leaf_with_a_large_frame),               \
		UNIT_ENTRY(the_rest_of_a_short_stack_is_read_from_the_process),            \
		UNIT_ENTRY(unless_the_sample_is_so_old_that_much_has_returned),            \
		UNIT_ENTRY(rings_are_read_more_often_while_stacks_are_deep),               \
		UNIT_ENTRY(what_is_read_and_no_return_address_takes_all_of_it_back),       \
		UNIT_ENTRY(behind_a_handlers_own_stack_is_what_it_interrupted),            \
		UNIT_ENTRY(unless_the_signal_is_another_one_by_then),                      \
		UNIT_ENTRY(the_rest_of_a_stack_that_has_changed_is_not_taken),             \
		UNIT_ENTRY(unless_the_last_chain_had_it_and_so_has_the_stack_now),         \
		UNIT_ENTRY(registers_of_another_moment_are_stale),                         \
		UNIT_ENTRY(stacks_are_left_alone_while_rings_are_full_again_at_once),      \
		UNIT_ENTRY(then_the_chain_is_the_kernels_as_far_as_it_leads_through_code), \
		UNIT_ENTRY(and_no_deeper_than_the_pmc_has_it),                             \
		UNIT_ENTRY(lengths_that_lie_give_the_leaf),
#else
#define SAMPLES
#endif

UNIT_MAIN(SAMPLES UNIT_ENTRY(samples_that_may_come_in_a_burst_have_no_stack_unless_it_is_asked_for),
	  UNIT_ENTRY(rings_are_as_large_as_may_be_locked),
	  UNIT_ENTRY(the_faster_samples_come_the_more_of_them_a_ring_holds),
	  UNIT_ENTRY(a_queue_grows_and_keeps_its_order),
	  UNIT_ENTRY(a_queue_is_never_so_full_that_a_drain_would_hurry),
	  UNIT_ENTRY(a_chain_goes_on_where_the_last_one_had_the_same_frame),
	  UNIT_ENTRY(what_is_kept_of_all_threads_is_bounded),
	  UNIT_ENTRY(a_chain_goes_on_where_the_deepest_one_before_had_the_same_frame),
	  UNIT_ENTRY(a_kept_chain_holds_where_the_stack_has_all_of_its_return_addresses))
