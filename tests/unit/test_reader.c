// SPDX-License-Identifier: BSD-2-Clause
#include <zlib.h>

#include "logbuf.h"

enum { NCHAINS = 3 };

/* A log of version 9 with a map, three samples and a CLOSELOG; every length is a multiple of 4. */
static void small_log(struct logbuf *l)
{
	int i;

	logbuf_init(l, PMCLOG_WIRE_VERSION);
	logbuf_begin(l, PMCLOG_WIRE_MAP_IN, 2);
	logbuf_u32(l, 10);
	logbuf_u32(l, 0);
	logbuf_u64(l, 0x400000);
	logbuf_text(l, "/bin/app", 12);
	logbuf_end(l);
	for (i = 0; i < NCHAINS; i++) {
		logbuf_begin(l, PMCLOG_WIRE_CALLCHAIN, 3 + (uint64_t)i);
		logbuf_u32(l, 10);
		logbuf_u32(l, 11);
		logbuf_u32(l, 0x2f01);
		logbuf_u32(l, 3 << 16 | PMCLOG_CC_USERMODE);
		logbuf_u64(l, 0x401000 + (uint64_t)i);
		logbuf_u64(l, 0x402000);
		logbuf_end(l);
	}
	logbuf_begin(l, PMCLOG_WIRE_CLOSELOG, 9);
	logbuf_end(l);
}

/* Checks the records of small_log() that r gives, calling more() whenever it wants data. */
static void check_small_log(struct pmclog_reader *r, void (*more)(void *arg), void *arg)
{
	struct pmclog_record rec = {0};
	uint64_t records = 0, chains = 0;
	struct err err = {0};
	enum pmclog_result res;

	while ((res = pmclog_reader_next(r, &rec, &err)) <= PMCLOG_RESULT_NEED_DATA) {
		if (res == PMCLOG_RESULT_NEED_DATA) {
			more(arg);
			continue;
		}
		CHECK_U64(rec.index, ++records);
		if (rec.type == PMCLOG_WIRE_MAP_IN)
			CHECK_STR(rec.u.map_in.path.s, "/bin/app");
		if (rec.type != PMCLOG_WIRE_CALLCHAIN)
			continue;
		CHECK_U64(rec.u.chain.npcs, 2);
		CHECK_U64((uintptr_t)rec.u.chain.pcs % 8, 0);
		CHECK_U64(rec.u.chain.pcs[0], 0x401000 + chains++);
		CHECK_U64(rec.u.chain.pcs[1], 0x402000);
		CHECK_U64(rec.u.chain.cpu, 3);
	}
	CHECK(res == PMCLOG_RESULT_EOF);
	CHECK_STR(err.msg, "");
	CHECK_U64(records, NCHAINS + 3);
	CHECK_U64(chains, NCHAINS);
	CHECK_U64(pmclog_reader_stats(r)->records, records);
	CHECK(pmclog_reader_stats(r)->closed);
}

struct feeding {
	struct pmclog_reader *r;
	const struct logbuf *l;
	size_t at, step;
};

static void feed_step(void *arg)
{
	struct feeding *f = arg;
	size_t n = f->l->n - f->at < f->step ? f->l->n - f->at : f->step;

	if (n)
		CHECK(!pmclog_reader_feed(f->r, f->l->b + f->at, n, NULL));
	else
		pmclog_reader_feed_end(f->r);
	f->at += n;
}

UNIT(bytes_can_be_fed_in_pieces_of_any_size)
{
	static struct logbuf l;
	size_t step;

	small_log(&l);
	for (step = 1; step <= l.n; step++) {
		struct feeding f = {pmclog_reader_open_feed("t.log", NULL), &l, 0, step};

		check_small_log(f.r, feed_step, &f);
		CHECK_U64(pmclog_reader_stats(f.r)->bytes, l.n);
		pmclog_reader_close(f.r);
	}
}

UNIT(big_endian_logs_read_the_same)
{
	static struct logbuf l = {.big = true};
	struct pmclog_reader *r;

	small_log(&l);
	r = logbuf_reader(&l);
	check_small_log(r, NULL, NULL);
	pmclog_reader_close(r);
}

struct piping {
	const struct logbuf *l;
	size_t at;
	int fd;
};

static void write_byte(void *arg)
{
	struct piping *p = arg;

	if (p->at < p->l->n)
		CHECK(write(p->fd, p->l->b + p->at++, 1) == 1);
	else
		close(p->fd);
}

UNIT(a_nonblocking_pipe_asks_for_more)
{
	static struct logbuf l;
	struct pmclog_reader *r;
	struct piping p = {&l, 0, -1};
	int fds[2];

	small_log(&l);
	CHECK(!pipe2(fds, O_NONBLOCK));
	p.fd = fds[1];
	r = pmclog_reader_open_fd(fds[0], "pipe", NULL);
	check_small_log(r, write_byte, &p);
	CHECK_U64(pmclog_reader_size(r), 0);
	pmclog_reader_close(r);
	close(fds[0]);
}

UNIT(a_file_tells_its_size)
{
	static struct logbuf l;
	struct pmclog_reader *r;
	int fd = logbuf_file();

	small_log(&l);
	CHECK(write(fd, l.b, l.n) == (ssize_t)l.n);
	lseek(fd, 0, SEEK_SET);
	r = pmclog_reader_open_fd(fd, "t.log", NULL);
	CHECK_U64(pmclog_reader_size(r), l.n);
	check_small_log(r, NULL, NULL);
	pmclog_reader_close(r);
	close(fd);
}

/* l as one gzip member at the end of *out; the bytes there then. */
static size_t pack(const struct logbuf *l, uint8_t *out, size_t at, size_t cap)
{
	z_stream z = {0};

	CHECK(deflateInit2(&z, 6, Z_DEFLATED, 16 + 15, 8, Z_DEFAULT_STRATEGY) == Z_OK);
	z.next_in = (Bytef *)(uintptr_t)l->b;
	z.avail_in = (uInt)l->n;
	z.next_out = out + at;
	z.avail_out = (uInt)(cap - at);
	CHECK(deflate(&z, Z_FINISH) == Z_STREAM_END);
	at = cap - z.avail_out;
	deflateEnd(&z);
	return at;
}

/* A reader of the n bytes at p as a file. */
static struct pmclog_reader *file_reader(const uint8_t *p, size_t n, int *fd)
{
	*fd = logbuf_file();
	CHECK(write(*fd, p, n) == (ssize_t)n);
	lseek(*fd, 0, SEEK_SET);
	return pmclog_reader_open_fd(*fd, "t.log.gz", NULL);
}

UNIT(gzip_logs_are_unpacked)
{
	static uint8_t out[64 * 1024];
	static struct logbuf l;
	struct pmclog_reader *r;
	int fd;

	small_log(&l);
	r = file_reader(out, pack(&l, out, 0, sizeof(out)), &fd);
	check_small_log(r, NULL, NULL);
	CHECK_U64(pmclog_reader_size(r), 0);
	pmclog_reader_close(r);
	close(fd);
}

UNIT(gzip_logs_may_have_several_members)
{
	static uint8_t out[64 * 1024];
	static struct logbuf l, rest;
	struct pmclog_reader *r;
	size_t n;
	int fd;

	small_log(&l);
	rest.n = 100;
	memcpy(rest.b, l.b + l.n - rest.n, rest.n);
	l.n -= rest.n;
	n = pack(&l, out, 0, sizeof(out));
	r = file_reader(out, pack(&rest, out, n, sizeof(out)), &fd);
	check_small_log(r, NULL, NULL);
	pmclog_reader_close(r);
	close(fd);
}

UNIT(a_gzip_log_may_be_padded_with_zeros)
{
	static uint8_t out[256 * 1024];
	static struct logbuf l;
	struct pmclog_reader *r;
	size_t n;
	int fd;

	small_log(&l);
	n = pack(&l, out, 0, sizeof(out));
	r = file_reader(out, n + 1, &fd);
	check_small_log(r, NULL, NULL);
	pmclog_reader_close(r);
	close(fd);
	/* More than is read at once. */
	r = file_reader(out, sizeof(out), &fd);
	check_small_log(r, NULL, NULL);
	pmclog_reader_close(r);
	close(fd);
}

/* The result that ends the log, and its message. */
static enum pmclog_result read_all(struct pmclog_reader *r, uint64_t *records, struct err *err)
{
	enum pmclog_result res;
	struct pmclog_record rec;

	*records = 0;
	*err = (struct err){0};
	while ((res = pmclog_reader_next(r, &rec, err)) == PMCLOG_RESULT_OK)
		++*records;
	return res;
}

UNIT(a_cut_gzip_log_gives_what_it_has)
{
	static uint8_t out[64 * 1024];
	static struct logbuf l;
	struct pmclog_reader *r;
	struct err err;
	uint64_t n;
	int fd;

	small_log(&l);
	r = file_reader(out, pack(&l, out, 0, sizeof(out)) - 9, &fd);
	CHECK(read_all(r, &n, &err) == PMCLOG_RESULT_TRUNCATED);
	CHECK(n > 0);
	CHECK(strstr(err.msg, "t.log.gz: record ") &&
	      strstr(err.msg, "the gzip stream ends early"));
	pmclog_reader_close(r);
	close(fd);
}

UNIT(a_damaged_gzip_log_says_so)
{
	static uint8_t out[64 * 1024];
	static struct logbuf l;
	struct pmclog_reader *r;
	struct err err;
	uint64_t n;
	int fd;

	small_log(&l);
	n = pack(&l, out, 0, sizeof(out));
	memset(out + 20, 0xff, 10);
	r = file_reader(out, n, &fd);
	CHECK(read_all(r, &n, &err) == PMCLOG_RESULT_CORRUPT);
	CHECK_U64(err.code, EX_DATAERR);
	CHECK(strstr(err.msg, "the gzip stream is damaged: "));
	pmclog_reader_close(r);
	close(fd);
}

/* The last byte is of the length: nothing is left behind it for inflate() to fail at again. */
UNIT(a_gzip_log_damaged_at_its_very_end_is_not_called_cut)
{
	static uint8_t out[64 * 1024];
	static struct logbuf l;
	struct pmclog_reader *r;
	struct err err;
	uint64_t n;
	int fd;

	small_log(&l);
	n = pack(&l, out, 0, sizeof(out));
	out[n - 1] ^= 1;
	r = file_reader(out, n, &fd);
	CHECK(read_all(r, &n, &err) == PMCLOG_RESULT_CORRUPT);
	CHECK(n > 0 && strstr(err.msg, "the gzip stream is damaged: incorrect length check"));
	pmclog_reader_close(r);
	close(fd);
}

UNIT(a_final_result_stays)
{
	static struct logbuf l;
	struct pmclog_record rec;
	struct pmclog_reader *r;
	struct err err, again;
	uint64_t n;

	small_log(&l);
	l.n -= 5;
	r = logbuf_reader(&l);
	CHECK(read_all(r, &n, &err) == PMCLOG_RESULT_TRUNCATED);
	CHECK_U64(n, NCHAINS + 2);
	CHECK_STR(err.msg,
		  "t.log: record 6 at 0x12c: the log ends after 11 of the record's 16 bytes");
	CHECK_U64(err.code, EX_DATAERR);
	CHECK(pmclog_reader_next(r, &rec, &again) == PMCLOG_RESULT_TRUNCATED);
	CHECK_STR(again.msg, err.msg);
	CHECK(pmclog_reader_next(r, &rec, NULL) == PMCLOG_RESULT_TRUNCATED);
	CHECK(!pmclog_reader_stats(r)->closed);
	pmclog_reader_close(r);
}

UNIT(a_log_that_shrinks_while_it_is_read_ends)
{
	enum { BIG = 4 << 20 };
	static uint64_t pcs[16];
	struct pmclog_origin o = {.tsc_freq = 1};
	struct pmclog_chain c = {.npcs = 16, .pcs = pcs};
	int fd = logbuf_file();
	struct pmclog_writer *w = pmclog_writer_new(fd, "t.log", NULL);
	struct pmclog_record rec;
	struct pmclog_reader *r;
	struct err err;
	uint64_t n;

	pmclog_write_initialize(w, 1, &o);
	while (pmclog_writer_bytes(w) < BIG)
		pmclog_write_callchain(w, 2, &c);
	CHECK(!pmclog_writer_flush(w, NULL));
	lseek(fd, 0, SEEK_SET);
	r = pmclog_reader_open_fd(fd, "t.log", NULL);
	CHECK(pmclog_reader_next(r, &rec, NULL) == PMCLOG_RESULT_OK);
	CHECK(!ftruncate(fd, BIG / 2 + 1));
	CHECK(read_all(r, &n, &err) == PMCLOG_RESULT_TRUNCATED);
	CHECK(n > 1000 && pmclog_reader_stats(r)->bytes <= BIG / 2);
	pmclog_reader_close(r);
	pmclog_writer_free(w);
	close(fd);
}

UNIT(a_fed_reader_refuses_more_after_its_end)
{
	struct pmclog_reader *r = pmclog_reader_open_feed("t.log", NULL);
	struct err err;
	uint64_t n;

	CHECK(read_all(r, &n, &err) == PMCLOG_RESULT_NEED_DATA);
	CHECK(!pmclog_reader_feed(r, "", 0, &err));
	pmclog_reader_feed_end(r);
	CHECK(pmclog_reader_feed(r, "x", 1, &err) == -1);
	CHECK_STR(err.msg, "t.log: not open for feeding");
	CHECK(read_all(r, &n, &err) == PMCLOG_RESULT_TRUNCATED);
	CHECK_STR(err.msg, "t.log: empty, no INITIALIZE record");
	pmclog_reader_close(r);
}

UNIT(a_log_that_is_not_there_is_named)
{
	struct err err = {0};

	CHECK(!pmclog_reader_open("/nonexistent/out.log", &err));
	CHECK_U64(err.code, EX_NOINPUT);
	CHECK_STR(err.msg, "/nonexistent/out.log: cannot open: No such file or directory");
}

UNIT(a_directory_is_no_log)
{
	struct pmclog_reader *r = pmclog_reader_open("/", NULL);
	struct err err;
	uint64_t n;

	CHECK(read_all(r, &n, &err) == PMCLOG_RESULT_ERROR);
	CHECK_STR(err.msg, "/: cannot read: Is a directory");
	pmclog_reader_close(r);
}

UNIT(unknown_types_are_skipped_and_counted)
{
	static struct logbuf l;
	struct pmclog_record rec;
	struct pmclog_reader *r;

	logbuf_init(&l, PMCLOG_WIRE_VERSION);
	logbuf_begin(&l, 99, 2);
	logbuf_u64(&l, 0);
	logbuf_end(&l);
	logbuf_begin(&l, PMCLOG_WIRE_SYSEXIT, 3);
	logbuf_u64(&l, 10);
	logbuf_end(&l);
	r = logbuf_reader(&l);
	CHECK(pmclog_reader_next(r, &rec, NULL) == PMCLOG_RESULT_OK);
	CHECK(pmclog_reader_next(r, &rec, NULL) == PMCLOG_RESULT_OK);
	CHECK_U64(rec.type, PMCLOG_WIRE_SYSEXIT);
	CHECK_U64(rec.index, 3);
	CHECK_U64(rec.offset, 112 + 24);
	CHECK(pmclog_reader_next(r, &rec, NULL) == PMCLOG_RESULT_EOF);
	CHECK_U64(pmclog_reader_stats(r)->unknown, 1);
	CHECK_U64(pmclog_reader_stats(r)->records, 3);
	pmclog_reader_close(r);
}

/* A multipart chain of version 10: parts are pairs of kind and words, words the rest. */
static void multipart(struct logbuf *l, const uint8_t parts[8], const uint64_t *words, size_t n)
{
	size_t i;

	logbuf_begin(l, PMCLOG_WIRE_CALLCHAIN, 2);
	logbuf_u32(l, 10);
	logbuf_u32(l, 11);
	logbuf_u32(l, 0x2f01);
	logbuf_u32(l, PMCLOG_CC_MULTIPART);
	memcpy(l->b + l->n, parts, 8);
	l->n += 8;
	for (i = 0; i < n; i++)
		logbuf_u64(l, words[i]);
	logbuf_end(l);
}

UNIT(multipart_chains_give_their_call_chain)
{
	static const uint64_t words[] = {0xaaa, 0xbbb, 0xccc, 0x401000, 0x402000};
	static struct logbuf l;
	struct pmclog_record rec;
	struct pmclog_reader *r;

	logbuf_init(&l, 0x0a000000);
	multipart(&l, (const uint8_t[8]){2, 1, 3, 2, 1, 0}, words, 5);
	multipart(&l, (const uint8_t[8]){2, 1}, words, 1);
	r = logbuf_reader(&l);
	CHECK(pmclog_reader_next(r, &rec, NULL) == PMCLOG_RESULT_OK);
	CHECK(pmclog_reader_next(r, &rec, NULL) == PMCLOG_RESULT_OK);
	CHECK_U64(rec.u.chain.npcs, 2);
	CHECK_U64(rec.u.chain.foreign, 2);
	CHECK_U64(rec.u.chain.pcs[0], 0x401000);
	CHECK_U64(rec.u.chain.pcs[1], 0x402000);
	CHECK(pmclog_reader_next(r, &rec, NULL) == PMCLOG_RESULT_OK);
	CHECK_U64(rec.u.chain.npcs, 0);
	CHECK_U64(rec.u.chain.foreign, 1);
	CHECK(pmclog_reader_next(r, &rec, NULL) == PMCLOG_RESULT_EOF);
	CHECK_U64(pmclog_reader_stats(r)->foreign, 3);
	pmclog_reader_close(r);
}

/* Its table of eight bytes would go beyond a record with one pointer of four. */
UNIT(no_multipart_chains_come_from_a_32_bit_machine)
{
	static struct logbuf l;
	struct pmclog_record rec;
	struct pmclog_reader *r;
	struct err err = {0};

	/* As logbuf_init() does, with a time of day of that machine. */
	logbuf_begin(&l, PMCLOG_WIRE_INITIALIZE, 1);
	logbuf_u32(&l, 0x0a000000);
	logbuf_u32(&l, 0x400);
	logbuf_u64(&l, 1000000000);
	logbuf_u64(&l, 1700000000);
	logbuf_text(&l, "cpu", 64);
	logbuf_end(&l);
	logbuf_begin(&l, PMCLOG_WIRE_CALLCHAIN, 2);
	logbuf_u32(&l, 10);
	logbuf_u32(&l, 11);
	logbuf_u32(&l, 0x2f01);
	logbuf_u32(&l, PMCLOG_CC_MULTIPART);
	logbuf_u32(&l, 0x00020002);
	logbuf_end(&l);
	r = logbuf_reader(&l);
	CHECK(pmclog_reader_next(r, &rec, NULL) == PMCLOG_RESULT_OK);
	CHECK(pmclog_reader_next(r, &rec, &err) != PMCLOG_RESULT_OK);
	CHECK_STR(err.msg, "t.log: record 2 at 0x68: a multipart call chain in a log of a 32-bit "
			   "machine, which has none");
	pmclog_reader_close(r);
}

/* A log of FreeBSD 9: chains come first, so that they alone have to tell the pointer size. */
static void old_log(struct logbuf *l, int ptr, uint32_t version)
{
	uint64_t base = ptr == 8 ? 0x800600000 : 0x28060000;

	logbuf_begin_old(l, 2, 1500000000, 7);
	logbuf_u32(l, version);
	logbuf_u32(l, 0x8b);
	logbuf_end(l);
	logbuf_begin_old(l, PMCLOG_WIRE_CALLCHAIN, 1500000001, 8);
	logbuf_u32(l, 10);
	logbuf_u32(l, 0x2f01);
	logbuf_u32(l, 3 << 16 | PMCLOG_CC_USERMODE);
	logbuf_pointer(l, base + 1, ptr);
	logbuf_pointer(l, base + 2, ptr);
	logbuf_end(l);
	logbuf_begin_old(l, PMCLOG_WIRE_MAP_IN, 1500000001, 9);
	logbuf_u32(l, 10);
	logbuf_pointer(l, base, ptr);
	logbuf_text(l, "/lib/libc.so.7", 16);
	logbuf_end(l);
	logbuf_begin_old(l, PMCLOG_WIRE_PROCEXEC, 1500000001, 10);
	logbuf_u32(l, 10);
	logbuf_pointer(l, base, ptr);
	logbuf_u32(l, 0x2f01);
	logbuf_text(l, "/bin/app", 12);
	logbuf_end(l);
	logbuf_begin_old(l, 4, 1500000001, 11); /* PCSAMPLE */
	logbuf_u32(l, 10);
	logbuf_pointer(l, base + 3, ptr);
	logbuf_u32(l, 0x2f02);
	logbuf_u32(l, 1);
	logbuf_end(l);
	logbuf_begin_old(l, 0, 1500000001, 12); /* CLOSELOG */
	logbuf_end(l);
}

static void check_old_log(const struct logbuf *l, uint64_t base, uint32_t version)
{
	struct pmclog_reader *r = logbuf_reader(l);
	struct pmclog_record rec;
	struct err err = {0};

	CHECK(pmclog_reader_next(r, &rec, &err) == PMCLOG_RESULT_OK);
	CHECK_U64(rec.u.init.version, version);
	CHECK_U64(rec.u.init.cputype, 0x8b);
	CHECK_U64(rec.u.init.tsc_freq, 1000000000);
	CHECK_U64(rec.u.init.ts_sec, 1500000000);
	CHECK_U64(rec.tsc, 1500000000000000007);
	CHECK(pmclog_reader_next(r, &rec, &err) == PMCLOG_RESULT_OK);
	CHECK_U64(rec.type, PMCLOG_WIRE_CALLCHAIN);
	CHECK_U64(rec.u.chain.npcs, 2);
	CHECK_U64(rec.u.chain.pcs[0], base + 1);
	CHECK_U64(rec.u.chain.pcs[1], base + 2);
	CHECK_U64(rec.u.chain.tid, UINT32_MAX);
	CHECK(pmclog_reader_next(r, &rec, &err) == PMCLOG_RESULT_OK);
	CHECK_U64(rec.u.map_in.start, base);
	CHECK_STR(rec.u.map_in.path.s, "/lib/libc.so.7");
	CHECK(pmclog_reader_next(r, &rec, &err) == PMCLOG_RESULT_OK);
	CHECK_U64(rec.u.exec.entry, base);
	CHECK_U64(rec.u.exec.pmcid, 0x2f01);
	CHECK_STR(rec.u.exec.path.s, "/bin/app");
	CHECK(pmclog_reader_next(r, &rec, &err) == PMCLOG_RESULT_OK);
	CHECK_U64(rec.type, PMCLOG_WIRE_CALLCHAIN);
	CHECK_U64(rec.u.chain.npcs, 1);
	CHECK_U64(rec.u.chain.pcs[0], base + 3);
	CHECK_U64(rec.u.chain.pmcid, 0x2f02);
	CHECK(rec.u.chain.usermode);
	CHECK(pmclog_reader_next(r, &rec, &err) == PMCLOG_RESULT_OK);
	CHECK_U64(rec.type, PMCLOG_WIRE_CLOSELOG);
	CHECK(pmclog_reader_next(r, &rec, &err) == PMCLOG_RESULT_EOF);
	CHECK_STR(err.msg, "");
	pmclog_reader_close(r);
}

/* The clock of version 9: what the text of a log does not show. */
static void check_clock(bool big, int ptr, int time_bytes, bool trailer)
{
	static struct logbuf l;
	struct pmclog_reader *r;
	struct pmclog_record rec;

	l = (struct logbuf){.big = big};
	logbuf_begin(&l, PMCLOG_WIRE_INITIALIZE, 0x100000002);
	logbuf_u32(&l, 0x09030000);
	logbuf_u32(&l, 0x400);
	logbuf_u64(&l, 5000000000);
	logbuf_int(&l, 1700000000, time_bytes);
	logbuf_int(&l, 5, ptr);
	/* Where it ends in padding, that is what the kernel's stack held. */
	logbuf_int(&l, 0xdeadbeef, time_bytes - ptr);
	logbuf_text(&l, "cpu", 64);
	if (trailer)
		logbuf_u64(&l, UINT64_C(8) << 32 | PMCLOG_TRAILER_MAGIC);
	logbuf_end(&l);
	logbuf_begin(&l, PMCLOG_WIRE_CALLCHAIN, 0x100000003);
	logbuf_u32(&l, 10);
	logbuf_u32(&l, 11);
	logbuf_u32(&l, 0x2f01);
	logbuf_u32(&l, 0x30001);
	logbuf_pointer(&l, 0x401000, ptr);
	logbuf_pointer(&l, 0x402000, ptr);
	logbuf_end(&l);
	r = logbuf_reader(&l);
	CHECK(pmclog_reader_next(r, &rec, NULL) == PMCLOG_RESULT_OK);
	CHECK_U64(rec.tsc, 0x100000002);
	CHECK_U64(rec.u.init.tsc_freq, 5000000000);
	CHECK_U64(rec.u.init.ts_sec, 1700000000);
	CHECK_U64(rec.u.init.ts_nsec, 5);
	CHECK_STR(rec.u.init.cpuid.s, "cpu");
	CHECK_U64(rec.u.init.maps_at_exec, trailer);
	CHECK(pmclog_reader_next(r, &rec, NULL) == PMCLOG_RESULT_OK);
	CHECK_U64(rec.tsc, 0x100000003);
	CHECK_U64(rec.u.chain.npcs, 2);
	CHECK_U64(rec.u.chain.pcs[1], 0x402000);
	pmclog_reader_close(r);
}

UNIT(version_9_of_both_byte_orders_and_pointer_sizes)
{
	check_clock(false, 8, 8, false);
	check_clock(false, 8, 8, true);
	check_clock(false, 4, 8, false);
	check_clock(false, 4, 4, false);
	check_clock(true, 8, 8, false);
	check_clock(true, 4, 8, false);
}

UNIT(old_logs_of_both_byte_orders_and_pointer_sizes)
{
	static struct logbuf l;
	uint32_t major;
	int big;

	for (major = 1; major <= 5; major++) {
		for (big = 0; big < 2; big++) {
			l.n = 0;
			l.big = big;
			old_log(&l, 8, major << 24 | 0x10000);
			check_old_log(&l, 0x800600000, major << 24 | 0x10000);
			l.n = 0;
			old_log(&l, 4, major << 24 | 0x10000);
			check_old_log(&l, 0x28060000, major << 24 | 0x10000);
		}
	}
}

UNIT_MAIN(UNIT_ENTRY(bytes_can_be_fed_in_pieces_of_any_size),
	  UNIT_ENTRY(big_endian_logs_read_the_same), UNIT_ENTRY(a_nonblocking_pipe_asks_for_more),
	  UNIT_ENTRY(a_file_tells_its_size), UNIT_ENTRY(gzip_logs_are_unpacked),
	  UNIT_ENTRY(gzip_logs_may_have_several_members),
	  UNIT_ENTRY(a_gzip_log_may_be_padded_with_zeros),
	  UNIT_ENTRY(a_cut_gzip_log_gives_what_it_has), UNIT_ENTRY(a_damaged_gzip_log_says_so),
	  UNIT_ENTRY(a_gzip_log_damaged_at_its_very_end_is_not_called_cut),
	  UNIT_ENTRY(a_final_result_stays), UNIT_ENTRY(a_log_that_shrinks_while_it_is_read_ends),
	  UNIT_ENTRY(a_fed_reader_refuses_more_after_its_end),
	  UNIT_ENTRY(a_log_that_is_not_there_is_named), UNIT_ENTRY(a_directory_is_no_log),
	  UNIT_ENTRY(unknown_types_are_skipped_and_counted),
	  UNIT_ENTRY(multipart_chains_give_their_call_chain),
	  UNIT_ENTRY(no_multipart_chains_come_from_a_32_bit_machine),
	  UNIT_ENTRY(version_9_of_both_byte_orders_and_pointer_sizes),
	  UNIT_ENTRY(old_logs_of_both_byte_orders_and_pointer_sizes))
