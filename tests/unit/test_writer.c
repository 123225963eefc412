// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <signal.h>
#include <sys/resource.h>

#include "logbuf.h"

static const struct pmclog_origin origin = {
	.cputype = 0x400,
	.tsc_freq = 1000000000,
	.ts_sec = 1700000000,
	.ts_nsec = 42,
	.cpuid = "GenuineIntel-6-55-4",
	.host = "build7",
	.release = "6.1.0-28-amd64",
	.machine = "x86_64",
	.boot_id = "0f1e2d3c-0000-4000-8000-000000000001",
	.command = "pmcstat -P cpu-clock -O out.log -- make",
	.collector = "fake",
};

static const uint64_t pcs[] = {0x401000, 0x402000, 0x403000};
static const struct pmclog_chain chain = {.pid = 10,
					  .tid = 11,
					  .pmcid = 0xfff02f01,
					  .cpu = 3,
					  .usermode = true,
					  .npcs = 3,
					  .pcs = pcs};

/* A log in an anonymous file, with a reader of it once it is written. */
struct trip {
	int fd;
	struct pmclog_writer *w;
	struct pmclog_reader *r;
	struct pmclog_record rec;
	struct err err;
};

static struct trip trip_begin(void)
{
	struct trip t = {.fd = logbuf_file()};

	t.w = pmclog_writer_new(t.fd, "t.log", &t.err);
	pmclog_write_initialize(t.w, 1, &origin);
	return t;
}

/* Writes the log out and reads it up to its second record. */
static void trip_read(struct trip *t)
{
	CHECK(!pmclog_writer_flush(t->w, &t->err));
	lseek(t->fd, 0, SEEK_SET);
	t->r = pmclog_reader_open_fd(t->fd, "t.log", &t->err);
	CHECK(pmclog_reader_next(t->r, &t->rec, &t->err) == PMCLOG_RESULT_OK);
	CHECK_U64(t->rec.type, PMCLOG_WIRE_INITIALIZE);
	CHECK(pmclog_reader_next(t->r, &t->rec, &t->err) == PMCLOG_RESULT_OK);
	CHECK_STR(t->err.msg, "");
}

static void trip_end(struct trip *t)
{
	CHECK(pmclog_reader_next(t->r, &t->rec, &t->err) == PMCLOG_RESULT_EOF);
	pmclog_reader_close(t->r);
	pmclog_writer_free(t->w);
	close(t->fd);
}

UNIT(initialize_keeps_the_origin)
{
	struct trip t = trip_begin();

	CHECK(!pmclog_writer_flush(t.w, &t.err));
	lseek(t.fd, 0, SEEK_SET);
	t.r = pmclog_reader_open_fd(t.fd, "t.log", &t.err);
	CHECK(pmclog_reader_next(t.r, &t.rec, &t.err) == PMCLOG_RESULT_OK);
	CHECK_U64(t.rec.tsc, 1);
	CHECK_U64(t.rec.index, 1);
	CHECK_U64(t.rec.offset, 0);
	CHECK_U64(t.rec.length, pmclog_writer_bytes(t.w));
	CHECK_U64(t.rec.u.init.version, PMCLOG_WIRE_VERSION);
	CHECK_U64(t.rec.u.init.cputype, 0x400);
	CHECK_U64(t.rec.u.init.tsc_freq, 1000000000);
	CHECK_U64(t.rec.u.init.ts_sec, 1700000000);
	CHECK_U64(t.rec.u.init.ts_nsec, 42);
	CHECK_STR(t.rec.u.init.cpuid.s, origin.cpuid);
	CHECK_STR(t.rec.u.init.host.s, origin.host);
	CHECK_STR(t.rec.u.init.release.s, origin.release);
	CHECK_STR(t.rec.u.init.machine.s, origin.machine);
	CHECK_STR(t.rec.u.init.boot_id.s, origin.boot_id);
	CHECK_STR(t.rec.u.init.command.s, origin.command);
	CHECK_STR(t.rec.u.init.collector.s, origin.collector);
	CHECK_U64(t.rec.u.init.command.len, strlen(origin.command));
	trip_end(&t);
}

UNIT(allocatedyn_keeps_name_rate_and_spec)
{
	struct pmclog_alloc a = {.pmcid = 0xfff02f01,
				 .event = 0x20001,
				 .flags = 0x80,
				 .max_depth = 127,
				 .rate = 1000000,
				 .name = "cpu-clock",
				 .spec = "CPU_CLOCK:u"};
	struct trip t = trip_begin();

	pmclog_write_allocatedyn(t.w, 7, &a);
	trip_read(&t);
	CHECK_U64(t.rec.type, PMCLOG_WIRE_PMCALLOCATEDYN);
	CHECK_U64(t.rec.tsc, 7);
	CHECK_U64(t.rec.u.alloc.pmcid, 0xfff02f01);
	CHECK_U64(t.rec.u.alloc.event, 0x20001);
	CHECK_U64(t.rec.u.alloc.flags, 0x80);
	CHECK_U64(t.rec.u.alloc.max_depth, 127);
	CHECK_U64(t.rec.u.alloc.frequency, 0);
	CHECK_U64(t.rec.u.alloc.rate, 1000000);
	CHECK_STR(t.rec.u.alloc.name.s, "cpu-clock");
	CHECK_STR(t.rec.u.alloc.spec.s, "CPU_CLOCK:u");
	trip_end(&t);
}

UNIT(a_long_event_name_is_cut_but_its_spec_is_whole)
{
	char spec[200];
	struct pmclog_alloc a = {.name = spec, .spec = spec, .frequency = true, .rate = 999};
	struct trip t = trip_begin();

	memset(spec, 'e', sizeof(spec));
	spec[sizeof(spec) - 1] = '\0';
	pmclog_write_allocatedyn(t.w, 7, &a);
	trip_read(&t);
	CHECK_U64(t.rec.u.alloc.name.len, 63);
	CHECK_STR(t.rec.u.alloc.spec.s, spec);
	CHECK_U64(t.rec.u.alloc.frequency, 1);
	CHECK_U64(t.rec.u.alloc.rate, 999);
	trip_end(&t);
}

UNIT(map_in_keeps_what_the_trailer_says)
{
	const uint8_t id[] = {1,  2,  3,  4,  5,  6,  7,  8,  9,  10,
			      11, 12, 13, 14, 15, 16, 17, 18, 19, 20};
	struct pmclog_map m = {.pid = 10,
			       .start = 0x7f0000001000,
			       .length = 0x5000,
			       .file_offset = 0x1000,
			       .device = 8ull << 32 | 1,
			       .inode = 77,
			       .path = "/usr/lib/libc.so.6",
			       .build_id = id,
			       .build_id_len = sizeof(id)};
	struct trip t = trip_begin();

	pmclog_write_map_in(t.w, 8, &m);
	trip_read(&t);
	CHECK_U64(t.rec.type, PMCLOG_WIRE_MAP_IN);
	CHECK_U64(t.rec.u.map_in.pid, 10);
	CHECK_U64(t.rec.u.map_in.start, 0x7f0000001000);
	CHECK_U64(t.rec.u.map_in.length, 0x5000);
	CHECK(t.rec.u.map_in.has_file_offset);
	CHECK_U64(t.rec.u.map_in.file_offset, 0x1000);
	CHECK_U64(t.rec.u.map_in.device, 8ull << 32 | 1);
	CHECK_U64(t.rec.u.map_in.inode, 77);
	CHECK_STR(t.rec.u.map_in.path.s, "/usr/lib/libc.so.6");
	CHECK_U64(t.rec.u.map_in.build_id_len, sizeof(id));
	CHECK(!memcmp(t.rec.u.map_in.build_id, id, sizeof(id)));
	trip_end(&t);
}

UNIT(the_symbol_of_a_map_survives)
{
	struct pmclog_map m = {.pid = 10,
			       .start = 0x7f0000001000,
			       .length = 0x50,
			       .path = "[jit]",
			       .symbol = "JS:*inner /a b.js:1:15"};
	struct trip t = trip_begin();

	pmclog_write_map_in(t.w, 8, &m);
	trip_read(&t);
	CHECK_U64(t.rec.u.map_in.start, 0x7f0000001000);
	CHECK_U64(t.rec.u.map_in.length, 0x50);
	CHECK_STR(t.rec.u.map_in.path.s, "[jit]");
	CHECK_STR(t.rec.u.map_in.symbol.s, "JS:*inner /a b.js:1:15");
	CHECK_U64(t.rec.u.map_in.symbol.len, 22);
	trip_end(&t);
}

/* Of a path of path_len bytes, with the arguments; what the record has of them. */
static size_t exec_arguments(size_t path_len, const char *arguments, size_t len)
{
	char path[1100];
	struct pmclog_exec e = {
		.pid = 10, .arguments = arguments, .arguments_len = len, .path = path};
	struct trip t = trip_begin();
	size_t kept;

	memset(path, 'p', path_len);
	path[path_len] = '\0';
	pmclog_write_procexec(t.w, 8, &e);
	trip_read(&t);
	kept = t.rec.u.exec.arguments.len;
	CHECK(kept <= len && (!kept || !memcmp(t.rec.u.exec.arguments.s, arguments, kept)));
	CHECK_U64(t.rec.length % 8, 0);
	CHECK(t.rec.length <= PMCLOG_MAX_RECORD);
	trip_end(&t);
	return kept;
}

UNIT(the_arguments_of_a_program_survive)
{
	static char longest[5000];

	memset(longest, 'x', sizeof(longest));
	CHECK_U64(exec_arguments(8, "cc1\0-quiet\0\0", 12), 12);
	CHECK_U64(exec_arguments(8, "cut", 3), 3);
	CHECK_U64(exec_arguments(8, NULL, 0), 0);
	CHECK_U64(exec_arguments(1023, longest, 3048), 3048);
	CHECK_U64(exec_arguments(1023, longest, sizeof(longest)), 3048);
}

UNIT(version_10_differs_in_exec)
{
	static char path[1024], arguments[3048];
	const struct pmclog_exec e = {.pid = 10,
				      .pmcid = UINT32_MAX,
				      .entry = 0x401000,
				      .path = path,
				      .arguments = arguments,
				      .arguments_len = sizeof(arguments)};
	struct trip t = {.fd = logbuf_file()};

	memset(path, 'p', sizeof(path) - 1);
	memset(arguments, 'a', sizeof(arguments));
	t.w = pmclog_writer_new(t.fd, "t.log", &t.err);
	pmclog_writer_use_version_10(t.w);
	pmclog_write_initialize(t.w, 1, &origin);
	pmclog_write_procexec(t.w, 8, &e);
	trip_read(&t);
	CHECK_U64(t.rec.length, PMCLOG_MAX_RECORD);
	CHECK_U64(t.rec.u.exec.pid, 10);
	CHECK_U64(t.rec.u.exec.pmcid, UINT32_MAX);
	CHECK(t.rec.u.exec.has_base);
	CHECK_U64(t.rec.u.exec.base, 0);
	CHECK_U64(t.rec.u.exec.dyn, 0);
	CHECK_STR(t.rec.u.exec.path.s, path);
	CHECK((const uint8_t *)t.rec.u.exec.path.s == (const uint8_t *)t.rec.raw + 40);
	CHECK_U64(t.rec.u.exec.arguments.len, sizeof(arguments));
	trip_end(&t);
}

UNIT(a_map_without_an_extent_says_so)
{
	struct pmclog_map m = {.pid = UINT32_MAX, .start = 0xffffffff81000000, .path = "[kernel]"};
	struct trip t = trip_begin();

	pmclog_write_map_in(t.w, 8, &m);
	trip_read(&t);
	CHECK_U64(t.rec.u.map_in.pid, UINT32_MAX);
	CHECK_U64(t.rec.u.map_in.length, 0);
	CHECK_U64(t.rec.u.map_in.symbol.len, 0);
	CHECK(!t.rec.u.map_in.has_file_offset);
	CHECK_U64(t.rec.u.map_in.build_id_len, 0);
	trip_end(&t);
}

UNIT(paths_of_every_length_survive)
{
	char path[1100];
	size_t len;

	memset(path, 'p', sizeof(path));
	for (len = 0; len < sizeof(path); len += len < 20 || len > 1015 ? 1 : 97) {
		struct pmclog_map m = {
			.pid = UINT32_MAX, .length = 4096, .path = path, .symbol = path};
		struct trip t = trip_begin();

		path[len] = '\0';
		pmclog_write_map_in(t.w, 8, &m);
		trip_read(&t);
		CHECK_U64(t.rec.u.map_in.path.len, len < 1023 ? len : 1023);
		CHECK_U64(t.rec.u.map_in.symbol.len, len < 1023 ? len : 1023);
		CHECK_U64(t.rec.length % 8, 0);
		CHECK(t.rec.u.map_in.has_file_offset);
		path[len] = 'p';
		trip_end(&t);
	}
}

UNIT(callchain_keeps_its_frames)
{
	struct trip t = trip_begin();

	pmclog_write_callchain(t.w, 9, &chain);
	trip_read(&t);
	CHECK_U64(t.rec.type, PMCLOG_WIRE_CALLCHAIN);
	CHECK_U64(t.rec.tsc, 9);
	CHECK_U64(t.rec.length, 32 + 3 * 8);
	CHECK_U64(t.rec.u.chain.pid, 10);
	CHECK_U64(t.rec.u.chain.tid, 11);
	CHECK_U64(t.rec.u.chain.pmcid, 0xfff02f01);
	CHECK_U64(t.rec.u.chain.cpu, 3);
	CHECK(t.rec.u.chain.usermode);
	CHECK_U64(t.rec.u.chain.npcs, 3);
	CHECK(!memcmp(t.rec.u.chain.pcs, pcs, sizeof(pcs)));
	trip_end(&t);
}

UNIT(callchain_keeps_its_end_and_its_marks)
{
	const uint8_t guessed[] = {0x2}, exact[] = {0x4};
	struct pmclog_chain c = chain;
	struct trip t = trip_begin();

	c.end = PMCLOG_END_BAD_RETURN;
	c.stitched = 2;
	c.guessed = guessed;
	c.exact = exact;
	pmclog_write_callchain(t.w, 9, &c);
	trip_read(&t);
	CHECK_U64(t.rec.length, 32 + 3 * 8 + 8 + 16 + 16 + 16);
	CHECK_U64(t.rec.u.chain.end, PMCLOG_END_BAD_RETURN);
	CHECK_U64(t.rec.u.chain.cpu, 3);
	CHECK(t.rec.u.chain.usermode);
	CHECK_U64(t.rec.u.chain.npcs, 3);
	CHECK(!memcmp(t.rec.u.chain.pcs, pcs, sizeof(pcs)));
	CHECK_U64(t.rec.u.chain.stitched, 2);
	CHECK(!pmclog_is_marked(&t.rec.u.chain.guessed, 0));
	CHECK(pmclog_is_marked(&t.rec.u.chain.guessed, 1));
	CHECK(!pmclog_is_marked(&t.rec.u.chain.guessed, 2));
	CHECK(!pmclog_is_marked(&t.rec.u.chain.guessed, 511));
	CHECK(!pmclog_is_marked(&t.rec.u.chain.exact, 1));
	CHECK(pmclog_is_marked(&t.rec.u.chain.exact, 2));
	trip_end(&t);
}

/* FreeBSD's readers take what stands behind for program counters: it must be rare. */
UNIT(callchain_without_marked_frames_has_no_trailer)
{
	const uint8_t none[1] = {0};
	struct pmclog_chain c = chain;
	struct trip t = trip_begin();

	c.end = PMCLOG_END_COMPLETE;
	c.guessed = c.exact = none;
	pmclog_write_callchain(t.w, 9, &c);
	trip_read(&t);
	CHECK_U64(t.rec.length, 32 + 3 * 8);
	CHECK_U64(t.rec.u.chain.end, PMCLOG_END_COMPLETE);
	CHECK_U64(t.rec.u.chain.stitched, 0);
	CHECK_U64(t.rec.u.chain.guessed.length + t.rec.u.chain.exact.length, 0);
	trip_end(&t);
}

/* n frames of which no two are equal. */
static const uint64_t *different(size_t n)
{
	static uint64_t all[PMCLOG_MAX_FRAMES + 100];
	size_t i;

	for (i = 0; i < n; i++)
		all[i] = 0x401000 + i;
	return all;
}

UNIT(marks_have_room_in_the_longest_chain)
{
	uint8_t guessed[75];
	struct pmclog_chain c = {
		.npcs = 600, .pcs = different(600), .guessed = guessed, .stitched = 200};
	struct trip t = trip_begin();

	memset(guessed, 0xff, sizeof(guessed));
	pmclog_write_callchain(t.w, 9, &c);
	trip_read(&t);
	CHECK_U64(t.rec.u.chain.npcs, 500);
	CHECK_U64(t.rec.u.chain.stitched, 100);
	CHECK_U64(t.rec.u.chain.end, PMCLOG_END_UNSAID);
	CHECK(pmclog_is_marked(&t.rec.u.chain.guessed, 499));
	CHECK(t.rec.length <= PMCLOG_MAX_RECORD);
	trip_end(&t);
	t = trip_begin();
	c.exact = guessed;
	c.end = PMCLOG_END_COMPLETE;
	pmclog_write_callchain(t.w, 9, &c);
	trip_read(&t);
	CHECK_U64(t.rec.u.chain.npcs, 491);
	CHECK_U64(t.rec.u.chain.stitched, 91);
	CHECK_U64(t.rec.u.chain.end, PMCLOG_END_DEPTH);
	CHECK(pmclog_is_marked(&t.rec.u.chain.exact, 490));
	CHECK(t.rec.length <= PMCLOG_MAX_RECORD);
	trip_end(&t);
}

UNIT(a_chain_above_the_limit_is_cut_to_it)
{
	struct pmclog_chain c = {.npcs = 600, .pcs = different(600), .end = PMCLOG_END_COMPLETE};
	struct trip t = trip_begin();

	pmclog_write_callchain(t.w, 9, &c);
	trip_read(&t);
	CHECK_U64(t.rec.u.chain.npcs, PMCLOG_MAX_DEPTH);
	CHECK_U64(t.rec.u.chain.nfolded, 0);
	CHECK_U64(t.rec.u.chain.end, PMCLOG_END_DEPTH);
	CHECK_U64(t.rec.length, PMCLOG_MAX_RECORD);
	trip_end(&t);
}

/* Ordinary logs are what they are without repeats. */
UNIT(a_chain_that_has_room_is_not_folded)
{
	static uint64_t same[PMCLOG_MAX_DEPTH];
	struct pmclog_chain c = {.npcs = PMCLOG_MAX_DEPTH, .pcs = same};
	struct trip t = trip_begin();

	pmclog_write_callchain(t.w, 9, &c);
	trip_read(&t);
	CHECK_U64(t.rec.u.chain.npcs, PMCLOG_MAX_DEPTH);
	CHECK_U64(t.rec.u.chain.nfolded, 0);
	CHECK_U64(t.rec.length, PMCLOG_MAX_RECORD);
	trip_end(&t);
	t = trip_begin();
	c.npcs = PMCLOG_MAX_DEPTH - 3;
	c.stitched = 1;
	pmclog_write_callchain(t.w, 9, &c);
	trip_read(&t);
	CHECK_U64(t.rec.u.chain.npcs, PMCLOG_MAX_DEPTH - 3);
	CHECK_U64(t.rec.u.chain.nfolded, 0);
	CHECK_U64(t.rec.length, PMCLOG_MAX_RECORD);
	trip_end(&t);
}

/* A leaf, 700 turns of three functions, main; what FreeBSD's readers see has one turn. */
UNIT(recursion_is_folded)
{
	static uint64_t deep[2102];
	const uint64_t record[] = {0x401310, 0x401200, 0x401300, 0x401400, 0x401500};
	struct pmclog_chain c = {.npcs = 2102, .pcs = deep, .end = PMCLOG_END_COMPLETE};
	struct trip t = trip_begin();
	size_t i;

	for (i = 0; i < 2102; i++)
		deep[i] = i ? record[1 + (i - 1) % 3] : record[0];
	deep[2101] = record[4];
	pmclog_write_callchain(t.w, 9, &c);
	trip_read(&t);
	CHECK_U64(t.rec.length, 32 + 5 * 8 + 8 + 16);
	CHECK(!memcmp((const uint8_t *)t.rec.raw + 32, record, sizeof(record)));
	CHECK_U64(t.rec.u.chain.nfolded, 5);
	CHECK(!memcmp(t.rec.u.chain.folded, record, sizeof(record)));
	CHECK_U64(t.rec.u.chain.end, PMCLOG_END_COMPLETE);
	CHECK_U64(t.rec.u.chain.npcs, 2102);
	CHECK(!memcmp(t.rec.u.chain.pcs, deep, sizeof(deep)));
	trip_end(&t);
}

static uint32_t below(uint32_t n)
{
	static uint64_t state = 88172645463325252u;

	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (uint32_t)(state >> 33) % n;
}

/* Recursion of all kinds, more of it than fits: runs of turns between frames of their own. */
static uint32_t make_recursion(uint64_t *to, uint32_t most)
{
	uint32_t n = 0, turn, from, i;

	while (n < most) {
		turn = 1 + below(30);
		from = n;
		for (i = 0; i < turn && n < most; i++)
			to[n++] = 0x401000 + below(below(2) ? 4 : 1000);
		for (i = below(3) ? turn * below(100) : 0; i && n < most; i--, n++)
			to[n] = to[n - (n - from < turn ? 1 : turn)];
	}
	return n;
}

static void mark_some(uint8_t *marks, uint32_t n)
{
	uint32_t i;

	memset(marks, 0, (PMCLOG_MAX_FRAMES + 100) / 8 + 1);
	for (i = 0; i < below(5); i++) {
		uint32_t at = below(n);

		marks[at / 8] |= (uint8_t)(1u << at % 8);
	}
}

static void check_marks(const struct pmclog_marks *m, const uint8_t *marks, uint32_t n)
{
	uint32_t i, wrong = 0;

	for (i = 0; i < n; i++)
		wrong += pmclog_is_marked(m, i) != (marks[i / 8] >> i % 8 & 1);
	CHECK_U64(wrong, 0);
}

/* Whatever is folded is read as it was, and what has no room is only cut. */
UNIT(folding_loses_nothing_but_outermost_frames)
{
	static uint64_t deep[PMCLOG_MAX_FRAMES + 100];
	uint8_t guessed[sizeof(deep) / 64 + 1], exact[sizeof(deep) / 64 + 1];
	uint32_t i, n, whole = 0, cut = 0;

	for (i = 0; i < 2000; i++) {
		struct pmclog_chain c = {.pcs = deep, .guessed = guessed, .exact = exact};
		struct trip t = trip_begin();

		c.npcs = make_recursion(deep, 1 + below(sizeof(deep) / 8));
		c.stitched = below(2) ? 0 : below(c.npcs);
		c.end = PMCLOG_END_COMPLETE;
		mark_some(guessed, c.npcs);
		mark_some(exact, c.npcs);
		pmclog_write_callchain(t.w, 9, &c);
		trip_read(&t);
		n = t.rec.u.chain.npcs;
		CHECK(n <= c.npcs && (n == c.npcs || n >= PMCLOG_MAX_DEPTH - 86));
		CHECK(!memcmp(t.rec.u.chain.pcs, deep, n * sizeof(*deep)));
		check_marks(&t.rec.u.chain.guessed, guessed, n);
		check_marks(&t.rec.u.chain.exact, exact, n);
		CHECK_U64(t.rec.u.chain.stitched,
			  c.stitched > c.npcs - n ? c.stitched - (c.npcs - n) : 0);
		CHECK_U64(t.rec.u.chain.end,
			  n == c.npcs ? PMCLOG_END_COMPLETE : PMCLOG_END_DEPTH);
		whole += n == c.npcs && n > PMCLOG_MAX_DEPTH;
		cut += n < c.npcs;
		trip_end(&t);
	}
	CHECK(whole > 100);
	CHECK(cut > 100);
}

UNIT(no_chain_has_more_frames_than_may_be)
{
	static uint64_t same[PMCLOG_MAX_FRAMES + 1];
	struct pmclog_chain c = {
		.npcs = PMCLOG_MAX_FRAMES, .pcs = same, .end = PMCLOG_END_COMPLETE};
	struct trip t = trip_begin();

	pmclog_write_callchain(t.w, 9, &c);
	trip_read(&t);
	CHECK_U64(t.rec.u.chain.npcs, PMCLOG_MAX_FRAMES);
	CHECK_U64(t.rec.u.chain.end, PMCLOG_END_COMPLETE);
	trip_end(&t);
	t = trip_begin();
	c.npcs++;
	pmclog_write_callchain(t.w, 9, &c);
	trip_read(&t);
	CHECK_U64(t.rec.u.chain.npcs, PMCLOG_MAX_FRAMES);
	CHECK_U64(t.rec.u.chain.end, PMCLOG_END_DEPTH);
	trip_end(&t);
}

UNIT(dropnotify_keeps_the_count)
{
	struct pmclog_drop d = {.cpu = 2, .cause = 1, .pmcid = 0xfff02f01, .count = 12345678901};
	struct trip t = trip_begin();

	pmclog_write_dropnotify(t.w, 10, &d);
	trip_read(&t);
	CHECK_U64(t.rec.type, PMCLOG_WIRE_DROPNOTIFY);
	CHECK_U64(t.rec.u.drop.count_known, 1);
	CHECK_U64(t.rec.u.drop.cpu, 2);
	CHECK_U64(t.rec.u.drop.cause, PMCLOG_DROP_THROTTLE);
	CHECK_U64(t.rec.u.drop.pmcid, 0xfff02f01);
	CHECK_U64(t.rec.u.drop.count, 12345678901);
	trip_end(&t);
}

UNIT(dropnotify_keeps_the_times_of_a_pmc)
{
	struct pmclog_drop d = {.cpu = UINT32_MAX,
				.cause = PMCLOG_DROP_SHARED,
				.pmcid = 0xfff02f01,
				.enabled = 0x123456789a,
				.running = 0x23456789};
	struct trip t = trip_begin();

	pmclog_write_dropnotify(t.w, 10, &d);
	trip_read(&t);
	CHECK_U64(t.rec.u.drop.count_known, 1);
	CHECK_U64(t.rec.u.drop.cause, PMCLOG_DROP_SHARED);
	CHECK_U64(t.rec.u.drop.cpu, UINT32_MAX);
	CHECK_U64(t.rec.u.drop.pmcid, 0xfff02f01);
	CHECK_U64(t.rec.u.drop.count, 0);
	CHECK_U64(t.rec.u.drop.enabled, 0x123456789a);
	CHECK_U64(t.rec.u.drop.running, 0x23456789);
	CHECK_U64(t.rec.u.drop.paused, 0);
	trip_end(&t);
}

UNIT(dropnotify_keeps_the_length_of_a_pause)
{
	struct pmclog_drop d = {.cause = PMCLOG_DROP_THROTTLE, .pmcid = 7, .paused = 0x987654321};
	struct trip t = trip_begin();

	pmclog_write_dropnotify(t.w, 10, &d);
	trip_read(&t);
	CHECK_U64(t.rec.u.drop.cause, PMCLOG_DROP_THROTTLE);
	CHECK_U64(t.rec.u.drop.count, 0);
	CHECK_U64(t.rec.u.drop.paused, 0x987654321);
	CHECK_U64(t.rec.u.drop.enabled, 0);
	CHECK_U64(t.rec.u.drop.running, 0);
	trip_end(&t);
}

/* The next record, which is to have this type and time. */
static const struct pmclog_record *expect(struct trip *t, enum pmclog_wire_type type, uint64_t tsc)
{
	CHECK(pmclog_reader_next(t->r, &t->rec, &t->err) == PMCLOG_RESULT_OK);
	CHECK_U64(t->rec.type, type);
	CHECK_U64(t->rec.tsc, tsc);
	return &t->rec;
}

UNIT(a_detach_keeps_the_times_that_a_process_ran_for)
{
	struct trip t = trip_begin();
	const struct pmclog_record *rec = &t.rec;

	pmclog_write_detach(t.w, 20, 0x2f01, 10, &(struct pmclog_times){1ull << 40, 0});
	trip_read(&t);
	CHECK_U64(rec->type, PMCLOG_WIRE_PMCDETACH);
	CHECK_U64(rec->length % 8, 0);
	CHECK_U64(rec->u.attach.pid, 10);
	CHECK(rec->u.attach.has_times);
	CHECK_U64(rec->u.attach.user, 1ull << 40);
	CHECK_U64(rec->u.attach.system, 0);
	trip_end(&t);
}

UNIT(every_other_record_keeps_its_fields)
{
	struct trip t = trip_begin();
	const struct pmclog_record *rec = &t.rec;

	pmclog_write_attach(t.w, 20, 0x2f01, 10, "/bin/app");
	pmclog_write_detach(t.w, 21, 0x2f01, 10, NULL);
	pmclog_write_proccsw(t.w, 22, 0x2f01, 10, 11, 1ull << 40);
	pmclog_write_procexec(
		t.w, 23,
		&(struct pmclog_exec){
			.pid = 10, .pmcid = UINT32_MAX, .entry = 0x401000, .path = "/bin/app"});
	pmclog_write_procexit(t.w, 24, 0x2f01, 10, 99);
	pmclog_write_procfork(t.w, 25, 10, 12);
	pmclog_write_sysexit(t.w, 26, 12);
	pmclog_write_userdata(t.w, 27, 0xdeadbeef);
	pmclog_write_map_out(t.w, 28, 10, 0x1000, 0x2000);
	pmclog_write_thr_create(t.w, 29, 11, 10, "worker with a very long name");
	pmclog_write_thr_exit(t.w, 30, 11);
	pmclog_write_proc_create(t.w, 31, 10, "app");
	pmclog_write_closelog(t.w, 32);
	trip_read(&t);
	CHECK_U64(rec->u.attach.pmcid, 0x2f01);
	CHECK_STR(rec->u.attach.path.s, "/bin/app");
	CHECK_U64(expect(&t, PMCLOG_WIRE_PMCDETACH, 21)->u.attach.pid, 10);
	CHECK(!rec->u.attach.has_times);
	CHECK_U64(expect(&t, PMCLOG_WIRE_PROCCSW, 22)->u.csw.value, 1ull << 40);
	CHECK_U64(rec->u.csw.tid, 11);
	CHECK_U64(expect(&t, PMCLOG_WIRE_PROCEXEC, 23)->u.exec.entry, 0x401000);
	CHECK_U64(rec->u.exec.pmcid, UINT32_MAX);
	CHECK_U64(expect(&t, PMCLOG_WIRE_PROCEXIT, 24)->u.exit.value, 99);
	CHECK_U64(expect(&t, PMCLOG_WIRE_PROCFORK, 25)->u.fork.newpid, 12);
	CHECK_U64(expect(&t, PMCLOG_WIRE_SYSEXIT, 26)->u.sysexit.pid, 12);
	CHECK_U64(expect(&t, PMCLOG_WIRE_USERDATA, 27)->u.user.userdata, 0xdeadbeef);
	CHECK_U64(expect(&t, PMCLOG_WIRE_MAP_OUT, 28)->u.map_out.end, 0x2000);
	CHECK_STR(expect(&t, PMCLOG_WIRE_THR_CREATE, 29)->u.thr.name.s, "worker with a very ");
	CHECK_U64(expect(&t, PMCLOG_WIRE_THR_EXIT, 30)->u.thr.tid, 11);
	CHECK_STR(expect(&t, PMCLOG_WIRE_PROC_CREATE, 31)->u.proc.comm.s, "app");
	CHECK(!pmclog_reader_stats(t.r)->closed);
	expect(&t, PMCLOG_WIRE_CLOSELOG, 32);
	CHECK(pmclog_reader_stats(t.r)->closed);
	trip_end(&t);
}

/* Writes records that have pads, and returns the bytes of all that is in the file. */
static uint8_t *padded_records(struct pmclog_writer *w, int fd, size_t *len)
{
	const uint8_t id[] = {1, 2, 3};
	struct pmclog_map m = {.pid = 1, .path = "abc", .build_id = id, .build_id_len = sizeof(id)};

	CHECK(!ftruncate(fd, 0));
	lseek(fd, 0, SEEK_SET);
	pmclog_write_initialize(w, 1, &origin);
	pmclog_write_map_in(w, 1, &m);
	pmclog_write_attach(w, 1, 1, 1, "/x");
	pmclog_write_sysexit(w, 1, 1);
	pmclog_write_thr_create(w, 1, 1, 1, "t");
	CHECK(!pmclog_writer_flush(w, NULL));
	return logbuf_bytes(fd, len);
}

UNIT(pads_hold_nothing_of_earlier_records)
{
	static uint64_t ones[PMCLOG_MAX_DEPTH];
	struct pmclog_chain c = {.npcs = PMCLOG_MAX_DEPTH, .pcs = ones};
	int fd = logbuf_file(), i;
	struct pmclog_writer *w = pmclog_writer_new(fd, "t.log", NULL);
	size_t len, again;
	uint8_t *first, *second;

	first = padded_records(w, fd, &len);
	memset(ones, 0xff, sizeof(ones));
	for (i = 0; i < 60; i++)
		pmclog_write_callchain(w, 1, &c);
	CHECK(!pmclog_writer_flush(w, NULL));
	second = padded_records(w, fd, &again);
	CHECK_U64(again, len);
	CHECK(len && !memcmp(first, second, len));
	for (i = 4; i < 8; i++)
		CHECK_U64(first[i], 0);
	free(first);
	free(second);
	pmclog_writer_free(w);
	close(fd);
}

/* Fills the log until the writer says that a write has failed; the chains that were given. */
static uint64_t write_until_failure(struct pmclog_writer *w)
{
	uint64_t n = 0;

	while (!pmclog_writer_errno(w) && n < 1000000) {
		pmclog_write_callchain(w, n, &chain);
		n++;
	}
	return n;
}

UNIT(a_full_device_is_reported_and_remembered)
{
	int fd = open("/dev/full", O_WRONLY);
	struct err err = {0};
	struct pmclog_writer *w;

	if (fd < 0)
		return;
	w = pmclog_writer_new(fd, "/dev/full", &err);
	pmclog_write_initialize(w, 1, &origin);
	pmclog_write_callchain(w, 2, &chain);
	CHECK(pmclog_writer_flush(w, &err) == -1);
	CHECK_U64(err.code, EX_IOERR);
	CHECK_STR(err.msg,
		  "/dev/full: cannot write: No space left on device (0 bytes are in the log)");
	CHECK_U64(pmclog_writer_errno(w), ENOSPC);
	CHECK_U64(pmclog_writer_dropped(w), 1);
	pmclog_write_callchain(w, 3, &chain);
	CHECK_U64(pmclog_writer_dropped(w), 2);
	CHECK(pmclog_writer_flush(w, NULL) == -1);
	pmclog_writer_free(w);
	close(fd);
}

UNIT(a_closed_pipe_is_reported)
{
	struct err err = {0};
	struct pmclog_writer *w;
	int fds[2];

	signal(SIGPIPE, SIG_IGN);
	CHECK(!pipe(fds));
	close(fds[0]);
	w = pmclog_writer_new(fds[1], "pipe", &err);
	pmclog_write_initialize(w, 1, &origin);
	CHECK(pmclog_writer_flush(w, &err) == -1);
	CHECK_STR(err.msg, "pipe: cannot write: Broken pipe (0 bytes were sent)");
	pmclog_writer_free(w);
	close(fds[1]);
}

/* Reads the whole log at fd, which has to be sound; its chains. */
static uint64_t count_chains(int fd)
{
	struct err err = {0};
	struct pmclog_record rec;
	struct pmclog_reader *r;
	uint64_t n = 0;
	enum pmclog_result res;

	lseek(fd, 0, SEEK_SET);
	r = pmclog_reader_open_fd(fd, "t.log", &err);
	while ((res = pmclog_reader_next(r, &rec, &err)) == PMCLOG_RESULT_OK)
		n += rec.type == PMCLOG_WIRE_CALLCHAIN;
	CHECK(res == PMCLOG_RESULT_EOF);
	CHECK_STR(err.msg, "");
	pmclog_reader_close(r);
	return n;
}

UNIT(a_log_that_hits_a_limit_is_cut_to_its_last_whole_record)
{
	struct rlimit limit;
	int fd = logbuf_file();
	struct err err = {0};
	struct pmclog_writer *w = pmclog_writer_new(fd, "t.log", &err);
	uint64_t given;
	off_t size;

	signal(SIGXFSZ, SIG_IGN);
	getrlimit(RLIMIT_FSIZE, &limit);
	limit.rlim_cur = 300 * 1024 + 13;
	CHECK(!setrlimit(RLIMIT_FSIZE, &limit));
	pmclog_write_initialize(w, 1, &origin);
	given = write_until_failure(w);
	CHECK(pmclog_writer_flush(w, &err) == -1);
	CHECK_U64(pmclog_writer_errno(w), EFBIG);
	size = lseek(fd, 0, SEEK_END);
	CHECK(size > 299 * 1024 && size <= 300 * 1024 + 13);
	CHECK_U64(count_chains(fd), given - pmclog_writer_dropped(w));
	CHECK(pmclog_writer_dropped(w) > 0);
	pmclog_writer_free(w);
	close(fd);
}

UNIT(a_log_behind_other_bytes_leaves_them_alone)
{
	struct rlimit limit;
	int fd = logbuf_file();
	char head[6] = {0};
	struct pmclog_writer *w;

	signal(SIGXFSZ, SIG_IGN);
	CHECK(write(fd, "before", 6) == 6);
	getrlimit(RLIMIT_FSIZE, &limit);
	limit.rlim_cur = 20;
	CHECK(!setrlimit(RLIMIT_FSIZE, &limit));
	w = pmclog_writer_new(fd, "t.log", NULL);
	pmclog_write_initialize(w, 1, &origin);
	CHECK(pmclog_writer_flush(w, NULL) == -1);
	CHECK_U64(lseek(fd, 0, SEEK_END), 6);
	CHECK(pread(fd, head, 6, 0) == 6 && !memcmp(head, "before", 6));
	pmclog_writer_free(w);
	close(fd);
}

UNIT(a_slow_nonblocking_pipe_gets_everything)
{
	struct pmclog_writer *w;
	uint64_t i;
	int fds[2], status;
	pid_t pid;

	CHECK(!pipe2(fds, O_CLOEXEC));
	pid = fork();
	if (!pid) {
		struct pmclog_record rec;
		struct pmclog_reader *r = pmclog_reader_open_fd(fds[0], "pipe", NULL);
		uint64_t n = 0;

		close(fds[1]);
		while (pmclog_reader_next(r, &rec, NULL) == PMCLOG_RESULT_OK)
			n += rec.type == PMCLOG_WIRE_CALLCHAIN;
		pmclog_reader_close(r);
		_exit(n == 20000 ? 0 : 1);
	}
	close(fds[0]);
	CHECK(!fcntl(fds[1], F_SETFL, O_NONBLOCK));
	w = pmclog_writer_new(fds[1], "pipe", NULL);
	pmclog_write_initialize(w, 1, &origin);
	for (i = 0; i < 20000; i++)
		pmclog_write_callchain(w, i, &chain);
	CHECK(!pmclog_writer_flush(w, NULL));
	close(fds[1]);
	CHECK(waitpid(pid, &status, 0) == pid && status == 0);
	pmclog_writer_free(w);
}

UNIT_MAIN(UNIT_ENTRY(initialize_keeps_the_origin), UNIT_ENTRY(allocatedyn_keeps_name_rate_and_spec),
	  UNIT_ENTRY(a_long_event_name_is_cut_but_its_spec_is_whole),
	  UNIT_ENTRY(map_in_keeps_what_the_trailer_says), UNIT_ENTRY(the_symbol_of_a_map_survives),
	  UNIT_ENTRY(the_arguments_of_a_program_survive), UNIT_ENTRY(version_10_differs_in_exec),
	  UNIT_ENTRY(a_map_without_an_extent_says_so), UNIT_ENTRY(paths_of_every_length_survive),
	  UNIT_ENTRY(callchain_keeps_its_frames), UNIT_ENTRY(callchain_keeps_its_end_and_its_marks),
	  UNIT_ENTRY(callchain_without_marked_frames_has_no_trailer),
	  UNIT_ENTRY(marks_have_room_in_the_longest_chain),
	  UNIT_ENTRY(a_chain_above_the_limit_is_cut_to_it),
	  UNIT_ENTRY(a_chain_that_has_room_is_not_folded), UNIT_ENTRY(recursion_is_folded),
	  UNIT_ENTRY(folding_loses_nothing_but_outermost_frames),
	  UNIT_ENTRY(no_chain_has_more_frames_than_may_be), UNIT_ENTRY(dropnotify_keeps_the_count),
	  UNIT_ENTRY(dropnotify_keeps_the_times_of_a_pmc),
	  UNIT_ENTRY(dropnotify_keeps_the_length_of_a_pause),
	  UNIT_ENTRY(a_detach_keeps_the_times_that_a_process_ran_for),
		UNIT_ENTRY(every_other_record_keeps_its_fields),
	  UNIT_ENTRY(pads_hold_nothing_of_earlier_records),
	  UNIT_ENTRY(a_full_device_is_reported_and_remembered),
	  UNIT_ENTRY(a_closed_pipe_is_reported),
	  UNIT_ENTRY(a_log_that_hits_a_limit_is_cut_to_its_last_whole_record),
	  UNIT_ENTRY(a_log_behind_other_bytes_leaves_them_alone),
	  UNIT_ENTRY(a_slow_nonblocking_pipe_gets_everything))
