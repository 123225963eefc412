// SPDX-License-Identifier: BSD-2-Clause
/* Records of perf_event_open(2), made by hand, and the text of the log that comes of them. */
#include "logbuf.h"
#include "pmc/perf/perf_record.h"
#include "pmc/perf/perf_ring.h"
#include "pmc/perf/perf_rings.h"
#include "pmc/perf/unwind/perf_unwind.h"
#include "pmclog/text/text.h"

enum {
	SIDEBAND_ID = 7,
	PMC_ID = 8,
	USER_PMC_ID = 9,
	PLAIN_PMC_ID = 10,
	TARGET_ID = 11,
	USER_ONLY_ID = 12
};
enum { PMC = 0xfff02f01, TARGET_PMC = 0xfff02f05 };

/* One run: kernel records in, the log's text out. */
struct story {
	int fd;
	struct pmclog_writer *w;
	struct pmc_log_stats stats;
	struct perf_record_reader reader;
	struct {
		uint64_t words[8192];
		size_t len;
	} rec;
	uint64_t time;
};

static void add_source(struct story *s, uint64_t id, uint32_t pmcid, uint32_t flags)
{
	struct perf_source source = {.pmcid = pmcid, .flags = flags, .depth = 5};

	CHECK(!perf_record_add_id(&s->reader, id, perf_record_add_source(&s->reader, &source)));
}

static struct story *story_new(void)
{
	static const struct pmclog_origin origin = {.cputype = 0x400, .tsc_freq = 1000000000};
	struct story *s = calloc(1, sizeof(*s));

	s->fd = logbuf_file();
	s->w = pmclog_writer_new(s->fd, "t.log", NULL);
	pmclog_write_initialize(s->w, 1, &origin);
	s->reader.writer = s->w;
	s->reader.stats = &s->stats;
	s->time = 100;
	add_source(s, SIDEBAND_ID, UINT32_MAX, PMC_F_DESCENDANTS);
	add_source(s, PMC_ID, PMC, PMC_F_CALLCHAIN);
	add_source(s, USER_PMC_ID, PMC, PMC_F_CALLCHAIN | PMC_F_USERCALLCHAIN);
	add_source(s, PLAIN_PMC_ID, PMC, 0);
	add_source(s, TARGET_ID, TARGET_PMC, 0);
	return s;
}

static void put(struct story *s, const void *data, size_t len)
{
	memcpy((char *)s->rec.words + s->rec.len, data, len);
	s->rec.len += len;
}

static void put32(struct story *s, uint32_t a, uint32_t b)
{
	put(s, &a, 4);
	put(s, &b, 4);
}

static void put64(struct story *s, uint64_t v)
{
	put(s, &v, 8);
}

/* Text, padded with NULs to a multiple of 8. */
static void put_text(struct story *s, const char *text)
{
	static const char zeros[8];
	size_t len = strlen(text) + 1;

	put(s, text, len);
	put(s, zeros, -len & 7);
}

static void begin(struct story *s, uint32_t type, uint16_t misc)
{
	struct perf_event_header h = {.type = type, .misc = misc};

	s->rec.len = 0;
	put(s, &h, sizeof(h));
}

/* Whatever the reader leaves unset shall not happen to be 0. */
static __attribute__((noinline)) void dirty_stack(void)
{
	volatile char stack[4096];
	size_t i;

	for (i = 0; i < sizeof(stack); i++)
		stack[i] = (char)0xd5;
}

static uint64_t end_raw(struct story *s)
{
	uint16_t size = (uint16_t)s->rec.len;

	memcpy((char *)s->rec.words + offsetof(struct perf_event_header, size), &size,
	       sizeof(size));
	dirty_stack();
	return perf_record_read(&s->reader, 3, (const void *)s->rec.words);
}

/* Ends a record that is not a sample as coming from event id. */
static uint64_t end_of(struct story *s, uint64_t id)
{
	struct perf_ring_trailer t = {.time = s->time++, .cpu = 3, .id = id};

	put(s, &t, sizeof(t));
	return end_raw(s);
}

static void fork_record(struct story *s, uint64_t id, uint32_t ppid, uint32_t ptid, uint32_t pid,
			uint32_t tid)
{
	begin(s, PERF_RECORD_FORK, 0);
	put32(s, pid, ppid);
	put32(s, tid, ptid);
	put64(s, s->time);
	end_of(s, id);
}

static void exit_record(struct story *s, uint32_t pid, uint32_t tid)
{
	begin(s, PERF_RECORD_EXIT, 0);
	put32(s, pid, 1);
	put32(s, tid, 1);
	put64(s, s->time);
	end_of(s, SIDEBAND_ID);
}

static void comm_record(struct story *s, uint32_t pid, uint32_t tid, const char *comm, bool exec)
{
	begin(s, PERF_RECORD_COMM, exec ? PERF_RECORD_MISC_COMM_EXEC : 0);
	put32(s, pid, tid);
	put_text(s, comm);
	end_of(s, SIDEBAND_ID);
}

static void mmap_begin(struct story *s, uint16_t misc, uint32_t pid, uint64_t start)
{
	begin(s, PERF_RECORD_MMAP2, PERF_RECORD_MISC_USER | misc);
	put32(s, pid, pid);
	put64(s, start);
	put64(s, 0x2000);
	put64(s, 0x1000);
}

static void mmap_record(struct story *s, uint32_t pid, uint64_t start, const char *path)
{
	mmap_begin(s, 0, pid, start);
	put32(s, 8, 1);
	put64(s, 1234);
	put64(s, 1);
	put32(s, 5, 2);
	put_text(s, path);
	end_of(s, SIDEBAND_ID);
}

static void sample(struct story *s, uint64_t id, uint16_t mode, uint64_t ip, const uint64_t *chain,
		   uint64_t n)
{
	begin(s, PERF_RECORD_SAMPLE, mode);
	put64(s, id);
	put64(s, ip);
	put32(s, 10, 11);
	put64(s, s->time++);
	put32(s, 3, 0);
	if (chain) {
		put64(s, n);
		put(s, chain, n * 8);
	}
	end_raw(s);
}

/* A reader of what was written so far, behind INITIALIZE. */
static struct pmclog_reader *story_read(struct story *s)
{
	struct pmclog_reader *r;
	struct pmclog_record rec;

	CHECK(!pmclog_writer_flush(s->w, NULL));
	lseek(s->fd, 0, SEEK_SET);
	r = pmclog_reader_open_fd(s->fd, "t.log", NULL);
	CHECK(pmclog_reader_next(r, &rec, NULL) == PMCLOG_RESULT_OK);
	return r;
}

static void story_free(struct story *s)
{
	pmclog_writer_free(s->w);
	perf_record_reader_fini(&s->reader);
	close(s->fd);
	free(s);
}

/* Checks the text of the log and ends the story. */
static void story_is(struct story *s, const char *want)
{
	struct sink *text = sink_to_memory();
	struct pmclog_reader *r = story_read(s);
	struct pmclog_record rec;
	struct err err = {0};

	while (pmclog_reader_next(r, &rec, &err) == PMCLOG_RESULT_OK)
		pmclog_text_record(text, &rec);
	CHECK_STR(err.msg, "");
	CHECK_STR(sink_text(text, NULL), want);
	pmclog_reader_close(r);
	sink_free(text);
	story_free(s);
}

static const uint64_t both[] = {PERF_CONTEXT_KERNEL, 0xffff10, 0xffff20,
				PERF_CONTEXT_USER,   0x400,    0x500};

UNIT(a_user_sample_has_its_user_frames)
{
	static const uint64_t chain[] = {PERF_CONTEXT_USER, 0x401, 0x402};
	struct story *s = story_new();

	sample(s, PMC_ID, PERF_RECORD_MISC_USER, 0x401, chain, 3);
	CHECK_U64(s->stats.samples, 1);
	story_is(s, "callchain 10 0xfff02f01 3 2 u\n"
		    "...       0x401\n"
		    "...       0x402\n");
}

UNIT(a_kernel_sample_has_kernel_frames_only)
{
	struct story *s = story_new();

	sample(s, PMC_ID, PERF_RECORD_MISC_KERNEL, 0xffff10, both, 6);
	CHECK_U64(s->stats.truncated, 0);
	story_is(s, "callchain 10 0xfff02f01 3 2 s\n"
		    "...       0xffff10\n"
		    "...       0xffff20\n");
}

UNIT(user_callchain_puts_user_frames_behind_the_kernels)
{
	struct story *s = story_new();

	sample(s, USER_PMC_ID, PERF_RECORD_MISC_KERNEL, 0xffff10, both, 6);
	story_is(s, "callchain 10 0xfff02f01 3 4 s\n"
		    "...       0xffff10\n"
		    "...       0xffff20\n"
		    "...       0x400\n"
		    "...       0x500\n");
}

/* The head of a sample that was unwound, up to its frames. */
static void begin_unwound(struct story *s, unsigned int mode, const struct perf_unwound *x)
{
	begin(s, PERF_RECORD_SAMPLE, (uint16_t)(mode | PERF_RING_UNWOUND));
	put64(s, USER_PMC_ID);
	put64(s, 0xffff10);
	put32(s, 10, 11);
	put64(s, s->time++);
	put32(s, 3, 0);
	put(s, x, sizeof(*x));
}

/* Three frames, of which the second is guessed and the third exact. */
static void unwound(struct story *s, unsigned int mode)
{
	const struct perf_unwound x = {.user = 3, .end = PMCLOG_END_COMPLETE};

	begin_unwound(s, mode, &x);
	put64(s, 0x400);
	put64(s, 0x500);
	put64(s, 0x600);
	put64(s, 1 << 1);
	put64(s, 1 << 2);
	end_raw(s);
}

UNIT(marks_are_of_user_frames_wherever_these_begin)
{
	struct story *s = story_new();
	struct pmclog_reader *r;
	struct pmclog_record rec;
	uint32_t leaf, i;

	unwound(s, PERF_RECORD_MISC_USER);
	unwound(s, PERF_RECORD_MISC_KERNEL);
	r = story_read(s);
	for (leaf = 0; leaf < 2; leaf++) {
		CHECK(pmclog_reader_next(r, &rec, NULL) == PMCLOG_RESULT_OK);
		CHECK_U64(rec.u.chain.npcs, leaf + 3);
		for (i = 0; i < leaf + 3; i++) {
			CHECK(pmclog_is_marked(&rec.u.chain.guessed, i) == (i == leaf + 1));
			CHECK(pmclog_is_marked(&rec.u.chain.exact, i) == (i == leaf + 2));
		}
	}
	pmclog_reader_close(r);
	story_free(s);
}

/* A leaf alone: behind such a sample is the next one's memory, which shall mark nothing. */
UNIT(a_leaf_that_was_not_unwound_has_no_marks)
{
	const struct perf_unwound x = {.end = PMCLOG_END_COMPLETE};
	struct story *s = story_new();
	struct pmclog_reader *r;
	struct pmclog_record rec;

	memset(s->rec.words, 0xff, sizeof(s->rec.words));
	begin_unwound(s, PERF_RECORD_MISC_USER, &x);
	end_raw(s);
	r = story_read(s);
	CHECK(pmclog_reader_next(r, &rec, NULL) == PMCLOG_RESULT_OK);
	CHECK_U64(rec.u.chain.npcs, 1);
	CHECK(!pmclog_is_marked(&rec.u.chain.guessed, 0));
	CHECK(!pmclog_is_marked(&rec.u.chain.exact, 0));
	pmclog_reader_close(r);
	story_free(s);
}

/* As many user frames as there may be, behind a leaf of the kernel: one too many. */
UNIT(the_deepest_chain_has_room_for_its_marks)
{
	static const uint64_t turn[] = {0x400, 0x500, 0x600};
	const struct perf_unwound x = {.user = PERF_UNWIND_DEPTH,
				       .stitched = PERF_UNWIND_DEPTH,
				       .end = PMCLOG_END_COMPLETE};
	static uint64_t marks[2 * PERF_UNWIND_DEPTH / 64];
	struct story *s = story_new();
	struct pmclog_reader *r;
	struct pmclog_record rec;
	int i;

	memset(marks, 0xff, sizeof(marks) / 2);
	begin_unwound(s, PERF_RECORD_MISC_KERNEL, &x);
	for (i = 0; i < PERF_UNWIND_DEPTH; i++)
		put64(s, turn[i % 3]);
	put(s, marks, sizeof(marks));
	end_raw(s);
	r = story_read(s);
	CHECK(pmclog_reader_next(r, &rec, NULL) == PMCLOG_RESULT_OK);
	CHECK_U64(rec.u.chain.npcs, PERF_UNWIND_DEPTH);
	CHECK_U64(rec.u.chain.pcs[0], 0xffff10);
	CHECK_U64(rec.u.chain.pcs[PERF_UNWIND_DEPTH - 1], turn[(PERF_UNWIND_DEPTH - 2) % 3]);
	CHECK_U64(rec.u.chain.stitched, PERF_UNWIND_DEPTH - 1);
	CHECK(!pmclog_is_marked(&rec.u.chain.guessed, 0));
	CHECK(pmclog_is_marked(&rec.u.chain.guessed, 1));
	CHECK(pmclog_is_marked(&rec.u.chain.guessed, PERF_UNWIND_DEPTH - 1));
	CHECK_U64(rec.u.chain.exact.length, 0);
	pmclog_reader_close(r);
	story_free(s);
}

/* The interrupt of an event of user code that came when the kernel had been entered. */
UNIT(a_sample_in_the_kernel_of_a_pmc_that_leaves_it_out_is_stale)
{
	static const uint64_t chain[] = {PERF_CONTEXT_USER, 0x401, 0x402};
	struct story *s = story_new();
	struct perf_source source = {
		.pmcid = PMC, .flags = PMC_F_CALLCHAIN, .depth = 5, .user_only = true};

	CHECK(!perf_record_add_id(&s->reader, USER_ONLY_ID,
				  perf_record_add_source(&s->reader, &source)));
	sample(s, USER_ONLY_ID, PERF_RECORD_MISC_KERNEL, 0xffff10, chain, 3);
	sample(s, USER_ONLY_ID, PERF_RECORD_MISC_USER, 0x401, chain, 3);
	/* Of one that samples the kernel it is what it looks like. */
	sample(s, PMC_ID, PERF_RECORD_MISC_KERNEL, 0xffff10, NULL, 0);
	CHECK_U64(s->stats.samples, 3);
	story_is(s, "callchain 10 0xfff02f01 3 1 s end=stale\n"
		    "...       0xffff10\n"
		    "callchain 10 0xfff02f01 3 2 u\n"
		    "...       0x401\n"
		    "...       0x402\n"
		    "callchain 10 0xfff02f01 3 1 s\n"
		    "...       0xffff10\n");
}

UNIT(a_chain_that_is_empty_or_not_asked_for_still_has_its_leaf)
{
	struct story *s = story_new();

	sample(s, PMC_ID, PERF_RECORD_MISC_USER, 0x777, both, 0);
	sample(s, PMC_ID, PERF_RECORD_MISC_USER, 0x778, both, 3);
	sample(s, PLAIN_PMC_ID, PERF_RECORD_MISC_KERNEL, 0xffff779, NULL, 0);
	story_is(s, "callchain 10 0xfff02f01 3 1 u\n"
		    "...       0x777\n"
		    "callchain 10 0xfff02f01 3 1 u\n"
		    "...       0x778\n"
		    "callchain 10 0xfff02f01 3 1 s\n"
		    "...       0xffff779\n");
}

UNIT(a_chain_cut_at_the_depth_limit_is_counted_where_frames_are_missing)
{
	static const uint64_t user[] = {PERF_CONTEXT_USER, 1, 2, 3, 4, 5};
	static const uint64_t kernel[] = {PERF_CONTEXT_KERNEL, 1, 2, 3, 4, 5};
	static const uint64_t mixed[] = {PERF_CONTEXT_KERNEL, 1, PERF_CONTEXT_USER, 2, 3, 4, 5};
	struct story *s = story_new();

	sample(s, PMC_ID, PERF_RECORD_MISC_USER, 1, user, 6);
	CHECK_U64(s->stats.truncated, 1);
	sample(s, PMC_ID, PERF_RECORD_MISC_KERNEL, 1, kernel, 6);
	CHECK_U64(s->stats.truncated, 2);
	/* All kernel frames are there, and the user's, of which some lack, are not wanted. */
	sample(s, PMC_ID, PERF_RECORD_MISC_KERNEL, 1, mixed, 7);
	CHECK_U64(s->stats.truncated, 2);
	sample(s, USER_PMC_ID, PERF_RECORD_MISC_KERNEL, 1, mixed, 7);
	CHECK_U64(s->stats.truncated, 3);
	story_free(s);
}

UNIT(guests_and_unknown_contexts_are_left_out)
{
	static const uint64_t chain[] = {PERF_CONTEXT_GUEST_KERNEL, 1, PERF_CONTEXT_HV,	  2,
					 PERF_CONTEXT_USER,	    3, PERF_CONTEXT_USER, 4};
	struct story *s = story_new();

	sample(s, PMC_ID, PERF_RECORD_MISC_USER, 3, chain, 8);
	story_is(s, "callchain 10 0xfff02f01 3 1 u\n"
		    "...       0x3\n");
}

UNIT(exec_names_the_first_file_that_is_mapped)
{
	struct story *s = story_new();

	fork_record(s, SIDEBAND_ID, 9, 9, 10, 10);
	comm_record(s, 10, 10, "xz", true);
	mmap_record(s, 10, 0x7ffff000, "[stack]");
	mmap_record(s, 10, 0x400000, "/usr/bin/xz");
	mmap_record(s, 10, 0x7f0000, "/lib/ld.so");
	story_is(s, "fork      9 10\n"
		    "map-in    10 0x7ffff000 \"[stack]\"\n"
		    "exec      0xffffffff 10 0x0 \"/usr/bin/xz\"\n"
		    "create    10 0 \"xz\"\n"
		    "map-in    10 0x400000 \"/usr/bin/xz\"\n"
		    "map-in    10 0x7f0000 \"/lib/ld.so\"\n");
}

UNIT(a_program_that_ends_before_it_is_mapped_is_hidden)
{
	struct story *s = story_new();

	comm_record(s, 10, 10, "ghost", true);
	exit_record(s, 10, 10);
	story_is(s, "exec      0xffffffff 10 0x0 \"ghost\"\n"
		    "create    10 0 \"ghost\"\n"
		    "drop      1 3 hidden\n"
		    "thr-exit  10\n"
		    "exit      10\n");
}

UNIT(of_a_cpu_such_a_program_goes_on)
{
	struct story *s = story_new();

	s->reader.sources.v[0].system = true;
	comm_record(s, 10, 10, "su", true);
	exit_record(s, 10, 10);
	mmap_record(s, 10, 0x400000, "/usr/bin/su");
	exit_record(s, 10, 10);
	story_is(s, "exec      0xffffffff 10 0x0 \"/usr/bin/su\"\n"
		    "create    10 0 \"su\"\n"
		    "map-in    10 0x400000 \"/usr/bin/su\"\n"
		    "thr-exit  10\n"
		    "exit      10\n");
}

UNIT(where_records_were_lost_the_maps_may_be_among_them)
{
	struct story *s = story_new();

	comm_record(s, 10, 10, "ghost", true);
	begin(s, PERF_RECORD_LOST, 0);
	put64(s, PMC_ID);
	put64(s, 5);
	end_of(s, SIDEBAND_ID);
	exit_record(s, 10, 10);
	story_is(s, "drop      5 3\n"
		    "exec      0xffffffff 10 0x0 \"ghost\"\n"
		    "create    10 0 \"ghost\"\n"
		    "thr-exit  10\n"
		    "exit      10\n");
}

UNIT(a_map_carries_what_the_kernel_says_of_its_file)
{
	struct story *s = story_new();
	struct pmclog_reader *r;
	struct pmclog_record rec;
	static const uint8_t id[20] = {0xab, 0xcd, [19] = 0xef};

	mmap_record(s, 10, 0x400000, "/usr/bin/xz");
	mmap_begin(s, PERF_RECORD_MISC_MMAP_BUILD_ID, 10, 0x500000);
	put(s, (const uint8_t[]){20, 0, 0, 0}, 4);
	put(s, id, 20);
	put32(s, 5, 2);
	put_text(s, "/lib/libz.so");
	end_of(s, SIDEBAND_ID);
	r = story_read(s);
	CHECK(pmclog_reader_next(r, &rec, NULL) == PMCLOG_RESULT_OK);
	CHECK_U64(rec.u.map_in.length, 0x2000);
	CHECK_U64(rec.u.map_in.file_offset, 0x1000);
	CHECK_U64(rec.u.map_in.device, 8ull << 32 | 1);
	CHECK_U64(rec.u.map_in.inode, 1234);
	CHECK_U64(rec.u.map_in.build_id_len, 0);
	CHECK(pmclog_reader_next(r, &rec, NULL) == PMCLOG_RESULT_OK);
	CHECK_U64(rec.u.map_in.build_id_len, 20);
	CHECK(!memcmp(rec.u.map_in.build_id, id, 20));
	CHECK_U64(rec.u.map_in.inode, 0);
	pmclog_reader_close(r);
	story_is(s, "map-in    10 0x400000 \"/usr/bin/xz\"\n"
		    "map-in    10 0x500000 \"/lib/libz.so\"\n");
}

UNIT(threads_are_named_by_their_creator_until_they_rename_themselves)
{
	struct story *s = story_new();

	comm_record(s, 10, 10, "server", false);
	fork_record(s, SIDEBAND_ID, 10, 10, 10, 11);
	comm_record(s, 10, 11, "worker", false);
	fork_record(s, SIDEBAND_ID, 10, 11, 10, 12);
	exit_record(s, 10, 10);
	exit_record(s, 10, 11);
	exit_record(s, 10, 12);
	story_is(s, "create    10 0 \"server\"\n"
		    "thr-create 11 10 0 \"server\"\n"
		    "thr-create 11 10 0 \"worker\"\n"
		    "thr-create 12 10 0 \"worker\"\n"
		    "thr-exit  10\n"
		    "thr-exit  11\n"
		    "thr-exit  12\n"
		    "exit      10\n");
}

/* A sample in a process, at an address of its own or of the kernel. */
static void sample_in(struct story *s, uint32_t pid, uint16_t mode, uint64_t ip)
{
	begin(s, PERF_RECORD_SAMPLE, mode);
	put64(s, PMC_ID);
	put64(s, ip);
	put32(s, pid, pid);
	put64(s, s->time++);
	put32(s, 3, 0);
	end_raw(s);
}

UNIT(who_has_no_number_in_our_pid_namespace_is_not_the_idle_loop)
{
	const uint64_t kernel = UINT64_C(0xffffffff81000010);
	struct story *s = story_new();

	comm_record(s, 0, 0, "outside", true);
	mmap_record(s, 0, 0x400000, "/bin/outside");
	sample_in(s, 0, PERF_RECORD_MISC_USER, 0x400010);
	sample_in(s, 0, PERF_RECORD_MISC_KERNEL, kernel);
	fork_record(s, SIDEBAND_ID, 0, 0, 0, 0);
	fork_record(s, SIDEBAND_ID, 0, 0, 10, 10);
	comm_record(s, 10, 10, "entered", false);
	exit_record(s, 0, 0);
	story_is(s, "callchain -1 0xfff02f01 3 1 u\n"
		    "...       0x400010\n"
		    "callchain 0 0xfff02f01 3 1 s\n"
		    "...       0xffffffff81000010\n"
		    "create    10 0 \"entered\"\n");
}

UNIT(children_of_a_target_without_descendants_are_not_told_of)
{
	struct story *s = story_new();

	fork_record(s, TARGET_ID, 10, 10, 11, 11);
	fork_record(s, TARGET_ID, 10, 10, 10, 12);
	story_is(s, "thr-create 12 10 0 \"\"\n");
}

static void check_drop(struct pmclog_reader *r, uint32_t cause, uint64_t count, uint32_t pmcid)
{
	struct pmclog_record rec;

	CHECK(pmclog_reader_next(r, &rec, NULL) == PMCLOG_RESULT_OK);
	CHECK_U64(rec.type, PMCLOG_WIRE_DROPNOTIFY);
	CHECK_U64(rec.u.drop.cause, cause);
	CHECK_U64(rec.u.drop.count, count);
	CHECK_U64(rec.u.drop.pmcid, pmcid);
	CHECK_U64(rec.u.drop.cpu, 3);
}

UNIT(losses_and_pauses_are_told_and_counted)
{
	struct story *s = story_new();
	struct pmclog_reader *r;

	begin(s, PERF_RECORD_LOST, 0);
	put64(s, PMC_ID);
	put64(s, 42);
	CHECK_U64(end_of(s, PMC_ID), 42);
	begin(s, PERF_RECORD_LOST_SAMPLES, 0);
	put64(s, 3);
	CHECK_U64(end_of(s, PMC_ID), 0);
	begin(s, PERF_RECORD_THROTTLE, 0);
	put64(s, 1);
	put64(s, PMC_ID);
	put64(s, PMC_ID);
	CHECK_U64(end_of(s, PMC_ID), 0);
	CHECK_U64(s->stats.drops[PMCLOG_DROP_RING], 45);
	CHECK_U64(s->stats.drops[PMCLOG_DROP_THROTTLE], 1);
	r = story_read(s);
	check_drop(r, PMCLOG_DROP_RING, 42, UINT32_MAX);
	check_drop(r, PMCLOG_DROP_RING, 3, PMC);
	check_drop(r, PMCLOG_DROP_THROTTLE, 1, PMC);
	pmclog_reader_close(r);
	story_free(s);
}

/* THROTTLE or UNTHROTTLE of a PMC's event; stream: that of one thread. */
static void throttle_record(struct story *s, uint32_t type, uint64_t time, uint64_t stream)
{
	begin(s, type, 0);
	put64(s, time);
	put64(s, PMC_ID);
	put64(s, stream);
	end_of(s, PMC_ID);
}

UNIT(a_pause_has_a_length_when_it_ends)
{
	struct story *s = story_new();

	s->reader.tick = 4000000;
	throttle_record(s, PERF_RECORD_THROTTLE, 1000000, 71);
	throttle_record(s, PERF_RECORD_THROTTLE, 1500000, 72);
	throttle_record(s, PERF_RECORD_UNTHROTTLE, 3000000, 71);
	/* Its end is not that of another, and one that goes on again had no pause. */
	throttle_record(s, PERF_RECORD_UNTHROTTLE, 3100000, 71);
	throttle_record(s, PERF_RECORD_UNTHROTTLE, 3200000, 73);
	/* The thread was off the CPU. */
	throttle_record(s, PERF_RECORD_UNTHROTTLE, 9000000, 72);
	throttle_record(s, PERF_RECORD_THROTTLE, 9500000, 71);
	CHECK_U64(s->stats.drops[PMCLOG_DROP_THROTTLE], 3);
	CHECK_U64(s->reader.sources.v[1].throttled, true);
	CHECK_U64(s->reader.sources.v[2].throttled, false);
	story_is(s, "drop      1 3 throttle\n"
		    "drop      1 3 throttle\n"
		    "drop      0 3 throttle 2000000\n"
		    "drop      0 3 throttle 4000000\n"
		    "drop      1 3 throttle\n");
}

UNIT(a_pause_of_a_cpu_lasts_as_long_as_it_does)
{
	struct story *s = story_new();

	s->reader.tick = 4000000;
	s->reader.sources.v[1].system = true;
	throttle_record(s, PERF_RECORD_THROTTLE, 1000000, 71);
	throttle_record(s, PERF_RECORD_UNTHROTTLE, 9000000, 71);
	story_is(s, "drop      1 3 throttle\n"
		    "drop      0 3 throttle 8000000\n");
}

UNIT(pauses_without_an_end_are_given_up)
{
	struct story *s = story_new();
	uint64_t i;

	for (i = 0; i < 2000; i++)
		throttle_record(s, PERF_RECORD_THROTTLE, 1000 + i, 100 + i);
	CHECK_U64(s->reader.pauses.n, 1024);
	CHECK_U64(s->reader.pauses.v[0].stream, 100 + 2000 - 1024);
	story_free(s);
}

UNIT(a_sample_of_an_event_that_nobody_opened_is_lost)
{
	struct story *s = story_new();
	struct pmclog_reader *r;

	sample(s, 4711, PERF_RECORD_MISC_USER, 1, both, 6);
	sample(s, PMC_ID, PERF_RECORD_MISC_USER, 1, both, 6);
	CHECK_U64(s->stats.samples, 1);
	CHECK_U64(s->stats.drops[PMCLOG_DROP_RING], 0);
	CHECK_U64(s->stats.drops[PMCLOG_DROP_UNREADABLE], 1);
	r = story_read(s);
	check_drop(r, PMCLOG_DROP_UNREADABLE, 1, UINT32_MAX);
	pmclog_reader_close(r);
	story_free(s);
}

/* Two recorders of page faults: the kernel gives both samples the id of one of their events. */
UNIT(a_sample_with_the_id_of_another_recorder_is_of_the_only_pmc_it_may_be_of)
{
	const struct perf_source soft[] = {
		{.pmcid = 0x31, .soft = true, .system = true, .cpu = 0},
		{.pmcid = 0x32, .soft = true, .system = true, .cpu = 1},
		{.pmcid = 0x33, .soft = true, .cpu = PMC_CPU_ANY},
	};
	struct perf_ring_sample on_0 = {.id = 4711}, on_1 = {.id = 4711, .cpu = 1},
				own = {.id = PMC_ID, .cpu = 1};
	struct story *s = story_new();

	CHECK(!perf_record_sampled(&s->reader, &on_0));
	perf_record_add_source(&s->reader, &soft[0]);
	perf_record_add_source(&s->reader, &soft[1]);
	CHECK_U64(perf_record_sampled(&s->reader, &on_0)->pmcid, 0x31);
	CHECK_U64(perf_record_sampled(&s->reader, &on_1)->pmcid, 0x32);
	CHECK_U64(perf_record_sampled(&s->reader, &own)->pmcid, PMC);
	/* It may be of either. */
	perf_record_add_source(&s->reader, &soft[2]);
	CHECK(!perf_record_sampled(&s->reader, &on_1));
	CHECK_U64(perf_record_sampled(&s->reader, &own)->pmcid, PMC);
	story_free(s);
}

UNIT(bytes_of_a_ring_that_are_no_record_are_lost)
{
	struct story *s = story_new();
	struct perf_rings *rings = calloc(1, sizeof(*rings));
	struct perf_event_mmap_page *ctl = calloc(1, sizeof(*ctl));
	struct perf_ring *heap[1], ring = {.cpu = 3, .ctl = ctl, .size = 4096};
	struct pmclog_reader *r;

	/* All zero: a record of no size. */
	ring.data = calloc(1, ring.size);
	ctl->data_head = 200;
	rings->records = s->reader;
	rings->merge.heap = heap;
	CHECK(!vec_push(&rings->v, &ring));
	perf_rings_drain(rings, UINT64_MAX);
	perf_rings_drain(rings, UINT64_MAX);
	CHECK_U64(s->stats.drops[PMCLOG_DROP_RING], 0);
	CHECK_U64(s->stats.drops[PMCLOG_DROP_UNREADABLE], 5);
	r = story_read(s);
	check_drop(r, PMCLOG_DROP_UNREADABLE, 5, UINT32_MAX);
	CHECK_U64(pmclog_reader_stats(r)->records, 2);
	pmclog_reader_close(r);
	vec_free(&rings->v);
	free(ring.data);
	free(ctl);
	free(rings);
	story_free(s);
}

UNIT(kernel_code_that_comes_and_goes_is_mapped_and_unmapped)
{
	struct story *s = story_new();
	uint16_t i;

	for (i = 0; i < 2; i++) {
		uint16_t type_flags[2] = {PERF_RECORD_KSYMBOL_TYPE_BPF, i};
		uint32_t length = 0x80;

		begin(s, PERF_RECORD_KSYMBOL, 0);
		put64(s, 0xffffffffc0000000);
		put(s, &length, 4);
		put(s, type_flags, 4);
		put_text(s, "bpf_prog_6deef7357e7b4530");
		end_of(s, SIDEBAND_ID);
	}
	story_is(s, "map-in    -1 0xffffffffc0000000 \"[bpf_prog_6deef7357e7b4530]\"\n"
		    "map-out   -1 0xffffffffc0000000 0xffffffffc0000080\n");
}

/* Every type at every length below its own, and with a text that lacks its end. */
UNIT(records_that_are_too_short_are_lost)
{
	struct story *s = story_new();
	uint32_t type;
	/* Of each type that is read: how many multiples of 8 are too few; and strange samples. */
	size_t len, lost = 12 + 5 + 7 + 7 + 6 + 5 + 7 + 7 + 5 + 6 + 15;

	memset(s->rec.words, 0xff, sizeof(s->rec.words));
	for (type = 0; type < 24; type++)
		for (len = 8; len <= 160; len += 8) {
			struct perf_event_header h = {.type = type, .size = (uint16_t)len};
			void *exact = malloc(len);

			memset(exact, 0xff, len);
			memcpy(exact, &h, sizeof(h));
			perf_record_read(&s->reader, 0, exact);
			free(exact);
		}
	/* A chain whose count is larger than the record. */
	begin(s, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER);
	put64(s, PMC_ID);
	put64(s, 0x1);
	put32(s, 10, 11);
	put64(s, 1);
	put32(s, 3, 0);
	put64(s, UINT64_MAX);
	end_raw(s);
	CHECK_U64(s->stats.samples, 1);
	CHECK_U64(s->stats.drops[PMCLOG_DROP_UNREADABLE], lost);
	CHECK(!pmclog_writer_flush(s->w, NULL));
	story_free(s);
}

/* A sample of a group: switches, exits and the PMC, each with its id. */
static void count_sample(struct story *s, uint32_t tid, uint64_t head_id, uint64_t n,
			 uint64_t exits, uint64_t value, uint64_t id)
{
	begin(s, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_KERNEL);
	put64(s, head_id);
	put64(s, 0xffff10);
	put32(s, 10, tid);
	put64(s, s->time++);
	put32(s, 3, 0);
	put64(s, n);
	put64(s, 7);
	put64(s, 21);
	put64(s, exits);
	put64(s, 22);
	put64(s, value);
	put64(s, id);
	end_raw(s);
}

UNIT(counts_of_threads_belong_to_the_pmc_whose_id_is_in_their_group)
{
	enum { FIRST = 30, SECOND = 31, UNKNOWN = 32 };
	struct perf_tally first = {.pmcid = 1, .flags = PMC_F_LOG_PROCCSW},
			  second = {.pmcid = 2, .flags = PMC_F_LOG_PROCEXIT};
	struct story *s = story_new();
	size_t i;

	add_source(s, FIRST, 1, 0);
	add_source(s, SECOND, 2, 0);
	for (i = 0; i < s->reader.ids.n; i++) {
		struct perf_source *source = &s->reader.sources.v[s->reader.ids.v[i].source];

		source->tally = source->pmcid == 1 ? &first : source->pmcid == 2 ? &second : NULL;
	}
	CHECK(!vec_push(&s->reader.tallies, &first) && !vec_push(&s->reader.tallies, &second));
	/* As the kernel tells a switch that two events sample: both with the id of one. */
	count_sample(s, 11, FIRST, 3, 0, 500, FIRST);
	count_sample(s, 11, FIRST, 3, 0, 40, SECOND);
	count_sample(s, 11, SECOND, 3, 1, 502, FIRST);
	count_sample(s, 11, SECOND, 3, 1, 44, SECOND);
	count_sample(s, 10, FIRST, 3, 1, 7, FIRST);
	count_sample(s, 10, SECOND, 3, 1, 8, SECOND);
	/* Not what was asked for: counted as lost. */
	count_sample(s, 11, FIRST, 2, 0, 1, FIRST);
	count_sample(s, 11, FIRST, 3, 0, 1, UNKNOWN);
	count_sample(s, 11, FIRST, 3, 0, 1, PMC_ID);
	CHECK_U64(s->stats.drops[PMCLOG_DROP_UNREADABLE], 3);
	exit_record(s, 10, 11);
	CHECK_U64(second.processes.n - second.gone, 1);
	exit_record(s, 10, 10);
	CHECK_U64(second.processes.n - second.gone, 0);
	perf_tally_fini(&first);
	perf_tally_fini(&second);
	story_is(s, "cswval    0x1 10 500\n"
		    "cswval    0x1 10 2\n"
		    "cswval    0x1 10 7\n"
		    "drop      1 3 unreadable\n"
		    "drop      1 3 unreadable\n"
		    "drop      1 3 unreadable\n"
		    "thr-exit  11\n"
		    "exitval   0x2 10 52\n"
		    "thr-exit  10\n"
		    "exit      10\n");
}

/* A sample of an event in no group, which sees switches. */
static void switch_sample(struct story *s, uint64_t head_id, uint64_t id)
{
	begin(s, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_KERNEL);
	put64(s, head_id);
	put64(s, 0xffff10);
	put32(s, 10, 11);
	put64(s, s->time++);
	put32(s, 3, 0);
	put64(s, 7);
	put64(s, id);
	end_raw(s);
}

UNIT(switches_are_seen_without_a_counter)
{
	enum { FIRST = 30, SECOND = 31 };
	struct perf_tally first = {.pmcid = 1, .flags = PMC_F_LOG_PROCCSW, .shares = true},
			  second = {.pmcid = 2, .flags = PMC_F_LOG_PROCCSW, .shares = true};
	struct story *s = story_new();

	add_source(s, FIRST, 1, 0);
	s->reader.sources.v[s->reader.sources.n - 1].tally = &first;
	add_source(s, SECOND, 2, 0);
	s->reader.sources.v[s->reader.sources.n - 1].tally = &second;
	/* Both have the id of one in their heads. */
	switch_sample(s, FIRST, FIRST);
	switch_sample(s, FIRST, SECOND);
	switch_sample(s, FIRST, SECOND);
	switch_sample(s, FIRST, PMC_ID);
	count_sample(s, 11, FIRST, 3, 0, 40, SECOND);
	CHECK_U64(first.switches, 1);
	CHECK_U64(first.counted, 0);
	CHECK_U64(second.switches, 2);
	CHECK_U64(second.counted, 1);
	CHECK_U64(s->stats.drops[PMCLOG_DROP_UNREADABLE], 1);
	perf_tally_fini(&first);
	perf_tally_fini(&second);
	story_is(s, "drop      1 3 unreadable\n"
		    "cswval    0x2 10 40\n");
}

UNIT(without_a_log_births_are_still_noted)
{
	struct story *s = story_new();
	const struct perf_task *task;

	s->reader.writer = NULL;
	fork_record(s, SIDEBAND_ID, 10, 10, 10, 11);
	comm_record(s, 10, 11, "worker", false);
	sample(s, PMC_ID, PERF_RECORD_MISC_USER, 1, both, 6);
	task = perf_tasks_find(&s->reader.tasks, 11);
	CHECK(task && task->born == 100 && task->parent == 10);
	CHECK_U64(s->stats.samples, 0);
	story_is(s, "");
}

UNIT_MAIN(UNIT_ENTRY(a_user_sample_has_its_user_frames),
	  UNIT_ENTRY(marks_are_of_user_frames_wherever_these_begin),
	  UNIT_ENTRY(a_leaf_that_was_not_unwound_has_no_marks),
	  UNIT_ENTRY(the_deepest_chain_has_room_for_its_marks),
	  UNIT_ENTRY(a_kernel_sample_has_kernel_frames_only),
	  UNIT_ENTRY(user_callchain_puts_user_frames_behind_the_kernels),
	  UNIT_ENTRY(a_sample_in_the_kernel_of_a_pmc_that_leaves_it_out_is_stale),
	  UNIT_ENTRY(a_chain_that_is_empty_or_not_asked_for_still_has_its_leaf),
	  UNIT_ENTRY(a_chain_cut_at_the_depth_limit_is_counted_where_frames_are_missing),
	  UNIT_ENTRY(guests_and_unknown_contexts_are_left_out),
	  UNIT_ENTRY(exec_names_the_first_file_that_is_mapped),
	  UNIT_ENTRY(a_program_that_ends_before_it_is_mapped_is_hidden),
	  UNIT_ENTRY(of_a_cpu_such_a_program_goes_on),
	  UNIT_ENTRY(where_records_were_lost_the_maps_may_be_among_them),
	  UNIT_ENTRY(a_map_carries_what_the_kernel_says_of_its_file),
	  UNIT_ENTRY(threads_are_named_by_their_creator_until_they_rename_themselves),
	  UNIT_ENTRY(who_has_no_number_in_our_pid_namespace_is_not_the_idle_loop),
	  UNIT_ENTRY(children_of_a_target_without_descendants_are_not_told_of),
	  UNIT_ENTRY(losses_and_pauses_are_told_and_counted),
	  UNIT_ENTRY(a_pause_has_a_length_when_it_ends),
	  UNIT_ENTRY(a_pause_of_a_cpu_lasts_as_long_as_it_does),
	  UNIT_ENTRY(pauses_without_an_end_are_given_up),
	  UNIT_ENTRY(a_sample_of_an_event_that_nobody_opened_is_lost),
	  UNIT_ENTRY(a_sample_with_the_id_of_another_recorder_is_of_the_only_pmc_it_may_be_of),
	  UNIT_ENTRY(bytes_of_a_ring_that_are_no_record_are_lost),
	  UNIT_ENTRY(kernel_code_that_comes_and_goes_is_mapped_and_unmapped),
	  UNIT_ENTRY(records_that_are_too_short_are_lost),
	  UNIT_ENTRY(counts_of_threads_belong_to_the_pmc_whose_id_is_in_their_group),
	  UNIT_ENTRY(switches_are_seen_without_a_counter),
	  UNIT_ENTRY(without_a_log_births_are_still_noted))
