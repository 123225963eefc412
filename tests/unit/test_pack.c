// SPDX-License-Identifier: BSD-2-Clause
/* Packed logs: the same bytes come back, and nothing else is taken for a block. */
#include <sysexits.h>
#include <zlib.h>

#include "base/vec.h"
#include "logbuf.h"
#include "pmclog/pack/pack.h"

enum { HEADER = sizeof(struct pmclog_pack_header) };

typedef VEC(uint8_t) bytes;

static uint32_t seed = 1;
static enum pmclog_pack_method method = PMCLOG_PACK_ZLIB;

static uint32_t any(uint32_t below)
{
	seed = seed * 1664525 + 1013904223;
	return (seed >> 8) % below;
}

static void append(bytes *b, const void *data, size_t len)
{
	CHECK(!vec_reserve(b, b->n + len));
	memcpy(b->v + b->n, data, len);
	b->n += len;
}

/* Packs records in pieces of up to piece bytes, whole records each. */
static bytes pack(const void *records, size_t len, size_t piece, int level)
{
	struct pmclog_packer *p = pmclog_packer_new(method, level);
	const uint8_t *from = records, *block;
	size_t at, n, size;
	struct err err = {0};
	bytes b = {0};

	for (at = 0; at < len; at += n) {
		n = pmclog_pack_whole(from + at, len - at < piece ? len - at : piece);
		n = n ? n : len - at;
		CHECK(!pmclog_packer_pack(p, from + at, n, &block, &size, &err));
		append(&b, block, size);
	}
	pmclog_packer_free(p);
	return b;
}

/* Unpacks blocks from offset at on; what came out before the first error, which is in err. */
static bytes unpack(const bytes *packed, size_t at, struct err *err)
{
	struct pmclog_unpacker *u = pmclog_unpacker_new();
	const uint8_t *records;
	size_t length, n;
	bytes b = {0};

	*err = (struct err){0};
	while (at < packed->n && packed->n - at >= HEADER) {
		if (pmclog_unpacker_header(u, packed->v + at, &length, err))
			break;
		if (length > packed->n - at - HEADER)
			break;
		if (pmclog_unpacker_block(u, packed->v + at + HEADER, &records, &n, err))
			break;
		append(&b, records, n);
		at += HEADER + length;
	}
	pmclog_unpacker_free(u);
	return b;
}

static void check_same_by_method(const void *records, size_t len, size_t piece)
{
	bytes packed = pack(records, len, piece, 1), back;
	struct err err;

	back = unpack(&packed, 0, &err);
	CHECK_STR(err.msg, "");
	CHECK_U64(back.n, len);
	CHECK(back.n == len && (!len || !memcmp(back.v, records, len)));
	vec_free(&packed);
	vec_free(&back);
}

/* By each method that this build has. */
static void check_same(const void *records, size_t len, size_t piece)
{
	check_same_by_method(records, len, piece);
	if (!pmclog_pack_knows(PMCLOG_PACK_ZSTD))
		return;
	method = PMCLOG_PACK_ZSTD;
	check_same_by_method(records, len, piece);
	method = PMCLOG_PACK_ZLIB;
}

/* A log of n samples of some threads on 4 CPUs, which wander through calls as programs do. */
static bytes wandering(size_t n)
{
	struct pmclog_writer *w;
	uint64_t pcs[8][64], tsc[4] = {0};
	uint32_t depth[8] = {0}, i;
	uint8_t marks[PMCLOG_MAX_DEPTH / 8] = {0x41};
	int fd = logbuf_file();
	bytes b = {0};

	w = pmclog_writer_new(fd, "log", NULL);
	pmclog_write_initialize(w, 1, &(struct pmclog_origin){.tsc_freq = 1000000000});
	for (; n; n--) {
		uint32_t t = any(8), cpu = any(4),
			 keep = depth[t] - any(depth[t] < 4 ? depth[t] + 1 : 4);
		uint64_t chain[64];

		depth[t] = keep + any(4);
		depth[t] = depth[t] > 60 ? 60 : depth[t] ? depth[t] : 1;
		for (i = keep; i < depth[t]; i++)
			pcs[t][i] = 0x401000 + 0x400 * i + 16 * any(4);
		for (i = 0; i < depth[t]; i++)
			chain[i] = pcs[t][depth[t] - 1 - i];
		tsc[cpu] += 1000000 + any(1000);
		pmclog_write_callchain(w, tsc[cpu],
				       &(struct pmclog_chain){.pid = 10,
							      .tid = 10 + t,
							      .pmcid = 1,
							      .cpu = cpu,
							      .usermode = any(8),
							      .end = PMCLOG_END_COMPLETE,
							      .npcs = depth[t],
							      .pcs = chain,
							      .guessed = any(20) ? NULL : marks});
		if (!any(50))
			pmclog_write_procfork(w, tsc[cpu], 10, 1000 + any(1000));
	}
	CHECK(!pmclog_writer_flush(w, NULL));
	pmclog_writer_free(w);
	b.v = logbuf_bytes(fd, &b.n);
	close(fd);
	return b;
}

UNIT(samples_come_back_to_the_byte)
{
	bytes log = wandering(5000);

	check_same(log.v, log.n, PMCLOG_PACK_BLOCK);
	check_same(log.v, log.n, 5000);
	/* A block is made of whole records, but any will do. */
	check_same(log.v + 1, log.n - 1, PMCLOG_PACK_BLOCK);
	check_same(log.v, log.n - 3, PMCLOG_PACK_BLOCK);
	vec_free(&log);
}

UNIT(any_bytes_come_back)
{
	static uint8_t data[PMCLOG_PACK_BLOCK];
	size_t i, n;

	for (n = 1; n < 40; n++)
		check_same(data, n, PMCLOG_PACK_BLOCK);
	for (i = 0; i < sizeof(data); i++)
		data[i] = (uint8_t)any(256);
	check_same(data, sizeof(data), PMCLOG_PACK_BLOCK);
	/* Samples of every length and with every bit of their fields. */
	for (i = 0; i + PMCLOG_MAX_RECORD < sizeof(data); i += n) {
		n = 32 + 8 * any(512);
		memcpy(data + i, &(uint32_t){PMCLOG_WIRE_HEADER(PMCLOG_WIRE_CALLCHAIN, n)}, 4);
		if (any(4))
			memset(data + i + 4, 0, 4);
		if (any(4))
			memset(data + i + 28, 0, 2);
	}
	check_same(data, i, PMCLOG_PACK_BLOCK);
}

UNIT(bytes_that_look_like_a_sample_come_back)
{
	uint32_t rec[24] = {PMCLOG_WIRE_HEADER(PMCLOG_WIRE_CALLCHAIN, 48)};

	rec[12] = PMCLOG_WIRE_CALLCHAIN << 16; /* no magic and no length */
	check_same(rec, sizeof(rec), PMCLOG_PACK_BLOCK);
	check_same(rec + 12, sizeof(rec) / 2, PMCLOG_PACK_BLOCK);
}

UNIT(many_contexts_and_callees_come_back)
{
	static uint32_t rec[12];
	bytes log = {0};
	uint32_t i;

	/* More than have ranks; old ones come again. */
	for (i = 0; i < 5000; i++) {
		rec[0] = PMCLOG_WIRE_HEADER(PMCLOG_WIRE_CALLCHAIN, sizeof(rec));
		rec[4] = any(1000);
		rec[5] = rec[4];
		rec[8] = any(700) * 4;
		rec[10] = 0x1000;
		append(&log, rec, sizeof(rec));
	}
	check_same(log.v, log.n, PMCLOG_PACK_BLOCK);
	vec_free(&log);
}

/* Where the nth block that begins afresh is, 0 being the first. */
static size_t find_fresh(const bytes *packed, int n)
{
	struct pmclog_pack_header h;
	size_t at = 0;

	for (; at < packed->n; at += HEADER + h.length) {
		memcpy(&h, packed->v + at, HEADER);
		if (h.flags & PMCLOG_PACK_IS_FRESH && !n--)
			return at;
	}
	return SIZE_MAX;
}

UNIT(a_block_that_begins_afresh_needs_none_before_it)
{
	bytes log = wandering(40000), packed = pack(log.v, log.n, PMCLOG_PACK_BLOCK, 1), back;
	size_t second = find_fresh(&packed, 1), next;
	struct pmclog_pack_header h = {0};
	struct err err;

	CHECK(log.n > PMCLOG_PACK_FRESH && second < packed.n);
	memcpy(&h, packed.v + second, HEADER);
	CHECK(h.offset <= PMCLOG_PACK_FRESH && h.offset > PMCLOG_PACK_FRESH - PMCLOG_PACK_BLOCK);
	back = unpack(&packed, second, &err);
	CHECK_STR(err.msg, "");
	CHECK(back.n == log.n - h.offset && !memcmp(back.v, log.v + h.offset, back.n));
	vec_free(&back);
	/* The one behind it needs it. */
	next = second + HEADER + h.length;
	CHECK(next < packed.n);
	back = unpack(&packed, next, &err);
	CHECK_U64(back.n, 0);
	CHECK_STR(err.msg, "it needs the blocks before it, which are missing");
	vec_free(&back);
	vec_free(&packed);
	vec_free(&log);
}

UNIT(a_header_tells_the_times_of_its_records)
{
	struct logbuf l = {0};
	struct pmclog_pack_header h;
	bytes packed;

	logbuf_begin(&l, PMCLOG_WIRE_CLOSELOG, 500);
	logbuf_end(&l);
	logbuf_begin(&l, PMCLOG_WIRE_CLOSELOG, 300);
	logbuf_end(&l);
	logbuf_begin(&l, PMCLOG_WIRE_CLOSELOG, 900);
	logbuf_end(&l);
	packed = pack(l.b, l.n, PMCLOG_PACK_BLOCK, 1);
	memcpy(&h, packed.v, HEADER);
	CHECK(h.first == 300 && h.last == 900 && h.records == l.n && !h.offset);
	vec_free(&packed);
	/* What is no record can be of any time. */
	packed = pack("some text, and more", 19, PMCLOG_PACK_BLOCK, 1);
	memcpy(&h, packed.v, HEADER);
	CHECK(h.first == 0 && h.last == UINT64_MAX);
	vec_free(&packed);
}

UNIT(a_block_missing_in_between_is_told)
{
	bytes log = wandering(3000), packed = pack(log.v, log.n, 20000, 1), back;
	struct pmclog_pack_header h;
	size_t first;
	struct err err;

	memcpy(&h, packed.v, HEADER);
	first = HEADER + h.length;
	memcpy(&h, packed.v + first, HEADER);
	vec_remove(&packed, first, HEADER + h.length);
	back = unpack(&packed, 0, &err);
	CHECK(back.n > 0 && back.n <= 20000 && !memcmp(back.v, log.v, back.n));
	CHECK(strstr(err.msg, "blocks are missing"));
	vec_free(&back);
	vec_free(&packed);
	vec_free(&log);
}

UNIT(every_flipped_bit_is_found)
{
	bytes log = wandering(60), packed = pack(log.v, log.n, PMCLOG_PACK_BLOCK, 1), back;
	struct err err;
	size_t bit;

	for (bit = 0; bit < 8 * packed.n; bit++) {
		packed.v[bit / 8] ^= (uint8_t)(1 << bit % 8);
		back = unpack(&packed, 0, &err);
		/* A length beyond the end is no error: the rest can come yet. */
		CHECK(!back.n);
		vec_free(&back);
		packed.v[bit / 8] ^= (uint8_t)(1 << bit % 8);
	}
	vec_free(&packed);
	vec_free(&log);
}

/* Makes the checksums of the only block right. */
static void seal(bytes *packed)
{
	struct pmclog_pack_header h;

	memcpy(&h, packed->v, HEADER);
	h.length = (uint32_t)packed->n - HEADER;
	h.crc = (uint32_t)crc32(0, packed->v + HEADER, h.length);
	h.header_crc = (uint32_t)crc32(0, (const uint8_t *)&h, HEADER - 4);
	memcpy(packed->v, &h, HEADER);
}

UNIT(wrong_columns_with_right_checksums_do_no_harm)
{
	bytes log = wandering(60), packed, back;
	struct err err;
	size_t at;
	int i;

	for (at = HEADER; at < HEADER + 200; at++)
		for (i = 0; i < 8; i++) {
			packed = pack(log.v, log.n, PMCLOG_PACK_BLOCK, 1);
			if (at >= packed.n)
				break;
			packed.v[at] = (uint8_t)any(256);
			seal(&packed);
			back = unpack(&packed, 0, &err);
			CHECK(back.n == log.n || err.code == EX_DATAERR);
			vec_free(&back);
			vec_free(&packed);
		}
	vec_free(&packed);
	vec_free(&log);
}

/* Columns so short that they stand as they are: each byte of them, with every limit. */
UNIT(any_byte_of_a_block_can_be_wrong)
{
	static const uint8_t values[] = {0,   1,   2,	5,   0x10, 0x7f, 0x80,
					 250, 251, 252, 253, 254,  255};
	uint32_t rec[16] = {PMCLOG_WIRE_HEADER(PMCLOG_WIRE_CALLCHAIN, 64), 0, 7, 0, 10, 11, 1, 1};
	bytes packed = pack(rec, sizeof(rec), PMCLOG_PACK_BLOCK, 1), back;
	struct err err;
	size_t at, i;
	uint8_t was;

	for (at = HEADER; at < packed.n; at++)
		for (i = 0; i < sizeof(values); i++) {
			was = packed.v[at];
			packed.v[at] = values[i];
			seal(&packed);
			back = unpack(&packed, 0, &err);
			CHECK(back.n == sizeof(rec) || (!back.n && err.code == EX_DATAERR));
			vec_free(&back);
			packed.v[at] = was;
		}
	vec_free(&packed);
}

UNIT(a_bomb_is_refused)
{
	bytes packed = {0}, back;
	struct pmclog_pack_header h = {.magic = PMCLOG_PACK_MAGIC,
				       .version = PMCLOG_PACK_VERSION,
				       .method = PMCLOG_PACK_ZLIB,
				       .flags = PMCLOG_PACK_IS_FRESH,
				       .records = PMCLOG_PACK_BLOCK};
	struct err err;

	append(&packed, &h, HEADER);
	append(&packed, &(uint8_t[30]){0}, 30);
	seal(&packed);
	back = unpack(&packed, 0, &err);
	CHECK_STR(err.msg, "262144 bytes of records in 30 bytes are more than the 8192 times as "
			   "many that can be");
	h.records = PMCLOG_PACK_BLOCK + 1;
	memcpy(packed.v, &h, HEADER);
	seal(&packed);
	vec_free(&back);
	back = unpack(&packed, 0, &err);
	CHECK_STR(err.msg, "30 bytes for 262145 bytes of records cannot be");
	vec_free(&back);
	vec_free(&packed);
}

/* Of what packs best the most that a block holds is no bomb. */
UNIT(the_best_that_can_be_packed_is_read)
{
	static uint32_t rec[PMCLOG_MAX_RECORD / 4];
	bytes log = {0};

	rec[0] = PMCLOG_WIRE_HEADER(PMCLOG_WIRE_CALLCHAIN, PMCLOG_MAX_RECORD);
	while (log.n + sizeof(rec) <= PMCLOG_PACK_BLOCK)
		append(&log, rec, sizeof(rec));
	check_same(log.v, log.n, PMCLOG_PACK_BLOCK);
	memset(log.v, 0, log.n);
	check_same(log.v, log.n, PMCLOG_PACK_BLOCK);
	vec_free(&log);
}

UNIT(samples_take_a_tenth_of_the_room)
{
	bytes log = wandering(20000), packed = pack(log.v, log.n, PMCLOG_PACK_BLOCK, 1);

	CHECK(packed.n * 10 < log.n);
	printf("# %.1f bytes a sample, packed %.1f\n", (double)log.n / 20000,
	       (double)packed.n / 20000);
	vec_free(&packed);
	vec_free(&log);
}

/* The log, through a reader, as a pipe brings it: piece by piece. */
UNIT(a_reader_takes_blocks_as_they_come)
{
	bytes log = wandering(2000), packed = pack(log.v, log.n, 20000, 1);
	struct pmclog_record rec;
	enum pmclog_result res = PMCLOG_RESULT_OK;
	struct pmclog_reader *r;
	int fds[2];
	size_t at = 0, n, got = 0;

	CHECK(!pipe2(fds, O_NONBLOCK | O_CLOEXEC));
	r = pmclog_reader_open_fd(fds[0], "pipe", NULL);
	while (at < packed.n) {
		n = packed.n - at < 7 ? packed.n - at : 1 + any(7);
		CHECK(write(fds[1], packed.v + at, n) == (ssize_t)n);
		at += n;
		while ((res = pmclog_reader_next(r, &rec, NULL)) == PMCLOG_RESULT_OK) {
			CHECK(!memcmp(rec.raw, log.v + got, rec.length));
			got += rec.length;
		}
		CHECK_U64(res, PMCLOG_RESULT_NEED_DATA);
	}
	close(fds[1]);
	CHECK_U64(pmclog_reader_next(r, &rec, NULL), PMCLOG_RESULT_EOF);
	CHECK_U64(got, log.n);
	CHECK_U64(pmclog_reader_size(r), 0);
	pmclog_reader_close(r);
	close(fds[0]);
	vec_free(&packed);
	vec_free(&log);
}

/* Whether a block begins at that offset. */
static bool is_boundary(const bytes *packed, size_t cut)
{
	struct pmclog_pack_header h;
	size_t at = 0;

	for (; at < cut; at += HEADER + h.length)
		memcpy(&h, packed->v + at, HEADER);
	return at == cut;
}

UNIT(a_log_cut_anywhere_has_all_records_of_its_whole_blocks)
{
	bytes log = wandering(300), packed = pack(log.v, log.n, 8000, 1), one, back;
	struct pmclog_record rec;
	struct pmclog_reader *r;
	enum pmclog_result res;
	struct err err;
	size_t cut, got;
	int fd;

	for (cut = 1; cut < packed.n; cut += 13) {
		one = (bytes){packed.v, cut, cut};
		back = unpack(&one, 0, &err);
		fd = logbuf_file();
		CHECK(write(fd, packed.v, cut) == (ssize_t)cut && !lseek(fd, 0, SEEK_SET));
		r = pmclog_reader_open_fd(fd, "cut", NULL);
		for (got = 0; (res = pmclog_reader_next(r, &rec, &err)) == PMCLOG_RESULT_OK;)
			got += rec.length;
		CHECK_U64(got, back.n);
		CHECK_U64(res,
			  is_boundary(&packed, cut) ? PMCLOG_RESULT_EOF : PMCLOG_RESULT_TRUNCATED);
		pmclog_reader_close(r);
		close(fd);
		vec_free(&back);
	}
	vec_free(&packed);
	vec_free(&log);
}

/* What a reader gave of a log. */
struct given {
	uint64_t samples, wanted, others, hash; /* hash: of those in the wanted time, and others */
	uint64_t last;				/* ticks of the latest record */
	struct pmclog_left_out left_out;
};

/* All that comes of the packed log when samples of from to to are wanted, in seconds. */
static struct given read_limited(const bytes *packed, double from, double to, bool limit)
{
	const struct pmclog_record init = {.tsc = 1, .u.init.tsc_freq = 1000000000};
	const uint64_t first = pmclog_ticks_at(&init, from, 0);
	const uint64_t end = pmclog_ticks_at(&init, to, UINT64_MAX);
	struct given g = {0};
	struct pmclog_record rec;
	struct pmclog_reader *r;
	int fd = logbuf_file();

	CHECK(write(fd, packed->v, packed->n) == (ssize_t)packed->n && !lseek(fd, 0, SEEK_SET));
	r = pmclog_reader_open_fd(fd, "packed", NULL);
	if (limit)
		pmclog_reader_limit(r, from, to);
	while (pmclog_reader_next(r, &rec, NULL) == PMCLOG_RESULT_OK) {
		bool sample = rec.type == PMCLOG_WIRE_CALLCHAIN;

		g.samples += sample;
		g.others += !sample;
		g.last = rec.tsc > g.last ? rec.tsc : g.last;
		if (sample && (rec.tsc < first || rec.tsc >= end))
			continue;
		g.wanted += sample;
		g.hash = g.hash * 31 + crc32(0, rec.raw, rec.length);
	}
	g.left_out = pmclog_reader_left_out(r);
	pmclog_reader_close(r);
	close(fd);
	return g;
}

UNIT(samples_of_other_times_need_not_be_unpacked)
{
	/* The narrow ones are within a block, most of them. */
	static const double ranges[][2] = {{0, 0.5},   {2, 3},	      {9, 9.01},    {10, 10.01},
					   {11, 11.01}, {14.5, 0}, {14.5, 14.6}, {1000, 0}};
	bytes log = wandering(60000), packed = pack(log.v, log.n, PMCLOG_PACK_BLOCK, 1);
	struct given all, some;
	size_t i;

	CHECK(log.n > 2 * PMCLOG_PACK_FRESH);
	for (i = 0; i < sizeof(ranges) / sizeof(ranges[0]); i++) {
		all = read_limited(&packed, ranges[i][0], ranges[i][1], false);
		some = read_limited(&packed, ranges[i][0], ranges[i][1], true);
		CHECK_U64(all.samples, 60000);
		CHECK_U64(some.wanted, all.wanted);
		CHECK_U64(some.others, all.others);
		CHECK_U64(some.hash, all.hash);
		CHECK(some.samples < 60000);
		CHECK_U64(some.samples + some.left_out.samples, 60000);
		CHECK_U64(some.left_out.last > some.last ? some.left_out.last : some.last,
			  all.last);
		CHECK_U64(all.left_out.samples + all.left_out.last, 0);
	}
	vec_free(&packed);
	vec_free(&log);
}

UNIT(a_damaged_block_of_another_time_is_found)
{
	bytes log = wandering(60000), packed = pack(log.v, log.n, PMCLOG_PACK_BLOCK, 1);
	struct given all;

	packed.v[find_fresh(&packed, 1) + HEADER + 1000] ^= 1;
	all = read_limited(&packed, 0, 0.5, false);
	CHECK_U64(read_limited(&packed, 0, 0.5, true).others, all.others);
	CHECK(all.samples < 60000);
	vec_free(&packed);
	vec_free(&log);
}

/*
 * Packer and unpacker that learn alike, but otherwise than those of old.pmcz, agree with each other
 * alone.  It has threads that share a chain, contexts and callees without a rank, deep chains.
 */
UNIT(a_log_that_was_packed_long_ago_is_read)
{
	static uint8_t old[32768];
	bytes packed = {.v = old}, back;
	char path[4096];
	struct err err;
	FILE *f;

	snprintf(path, sizeof(path), "%s/tests/unit/old.pmcz", getenv("srcdir"));
	f = fopen(path, "re");
	CHECK(f != NULL);
	if (!f)
		return;
	packed.n = fread(old, 1, sizeof(old), f);
	fclose(f);
	back = unpack(&packed, 0, &err);
	CHECK_STR(err.msg, "");
	CHECK_U64(back.n, 206808);
	CHECK_U64(crc32(0, back.v, (uInt)back.n), 0x95ee155d);
	vec_free(&back);
}

UNIT_MAIN(UNIT_ENTRY(samples_of_other_times_need_not_be_unpacked),
	  UNIT_ENTRY(a_damaged_block_of_another_time_is_found),
	  UNIT_ENTRY(a_log_that_was_packed_long_ago_is_read),
	  UNIT_ENTRY(samples_come_back_to_the_byte), UNIT_ENTRY(any_bytes_come_back),
	  UNIT_ENTRY(bytes_that_look_like_a_sample_come_back),
	  UNIT_ENTRY(many_contexts_and_callees_come_back),
	  UNIT_ENTRY(a_block_that_begins_afresh_needs_none_before_it),
	  UNIT_ENTRY(a_header_tells_the_times_of_its_records),
	  UNIT_ENTRY(a_block_missing_in_between_is_told), UNIT_ENTRY(every_flipped_bit_is_found),
	  UNIT_ENTRY(wrong_columns_with_right_checksums_do_no_harm),
	  UNIT_ENTRY(any_byte_of_a_block_can_be_wrong), UNIT_ENTRY(a_bomb_is_refused),
	  UNIT_ENTRY(the_best_that_can_be_packed_is_read),
	  UNIT_ENTRY(samples_take_a_tenth_of_the_room),
	  UNIT_ENTRY(a_reader_takes_blocks_as_they_come),
	  UNIT_ENTRY(a_log_cut_anywhere_has_all_records_of_its_whole_blocks))
