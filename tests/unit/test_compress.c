// SPDX-License-Identifier: BSD-2-Clause
/* Logs that are compressed while they are written: what is in them, when, and after a failure. */
#include <errno.h>
#include <signal.h>
#include <sys/resource.h>

#include "logbuf.h"
#include "pmclog/pack/pack.h"

#define MS 1000000ull

static const uint64_t pcs[] = {0x401010, 0x401120, 0x401230, 0x401340};
static const enum pmclog_compression all[] = {PMCLOG_COMPRESS_ZLIB, PMCLOG_COMPRESS_GZIP,
					      PMCLOG_COMPRESS_ZSTD};

/* Zstandard is the last, and may be missing. */
#define EACH(how) for (how = all; how < all + 2 + pmclog_pack_knows(PMCLOG_PACK_ZSTD); how++)

static struct pmclog_writer *compressing(int fd, enum pmclog_compression how)
{
	struct pmclog_writer *w = pmclog_writer_new(fd, "t.log", NULL);

	CHECK(!pmclog_writer_compress(w, how, NULL));
	pmclog_write_initialize(w, 1, &(struct pmclog_origin){.tsc_freq = 1000000000});
	return w;
}

/* Samples whose addresses pack badly, until a write fails; how many were given. */
static uint64_t write_until_failure(struct pmclog_writer *w)
{
	static uint64_t seed = 1;
	uint64_t deep[64], n;
	size_t i;

	for (n = 0; n < 100000 && !pmclog_writer_errno(w); n++) {
		for (i = 0; i < 64; i++)
			deep[i] = seed = seed * 6364136223846793005u + 1442695040888963407u;
		pmclog_write_callchain(w, n,
				       &(struct pmclog_chain){.pid = 10, .npcs = 64, .pcs = deep});
	}
	return n;
}

static void write_sample(struct pmclog_writer *w, uint64_t tsc)
{
	pmclog_write_callchain(w, tsc, &(struct pmclog_chain){.pid = 10, .npcs = 4, .pcs = pcs});
}

/* The samples of the log at fd; how its reading ends. */
static uint64_t count_samples(int fd, enum pmclog_result *end)
{
	struct pmclog_reader *r;
	struct pmclog_record rec;
	uint64_t n = 0;

	lseek(fd, 0, SEEK_SET);
	r = pmclog_reader_open_fd(fd, "t.log", NULL);
	while ((*end = pmclog_reader_next(r, &rec, NULL)) == PMCLOG_RESULT_OK)
		n += rec.type == PMCLOG_WIRE_CALLCHAIN;
	pmclog_reader_close(r);
	lseek(fd, 0, SEEK_END);
	return n;
}

UNIT(what_is_compressed_is_read_again)
{
	const enum pmclog_compression *how;
	enum pmclog_result end;

	EACH(how)
	{
		int fd = logbuf_file(), i;
		struct pmclog_writer *w = compressing(fd, *how);
		off_t size;

		for (i = 0; i < 20000; i++)
			write_sample(w, (uint64_t)i);
		CHECK(!pmclog_writer_flush(w, NULL));
		size = lseek(fd, 0, SEEK_END);
		CHECK(size > 0 && (uint64_t)size * 8 < pmclog_writer_bytes(w));
		CHECK_U64(count_samples(fd, &end), 20000);
		CHECK(end == PMCLOG_RESULT_EOF);
		pmclog_writer_free(w);
		close(fd);
	}
}

UNIT(a_piece_is_written_once_a_second)
{
	const enum pmclog_compression *how;
	enum pmclog_result end;

	EACH(how)
	{
		int fd = logbuf_file();
		struct pmclog_writer *w = compressing(fd, *how);

		write_sample(w, 1);
		pmclog_writer_tick(w, 5000 * MS);
		CHECK_U64(count_samples(fd, &end), 1);
		write_sample(w, 2);
		pmclog_writer_tick(w, 5999 * MS);
		CHECK_U64(count_samples(fd, &end), 1);
		CHECK(end == PMCLOG_RESULT_EOF);
		pmclog_writer_tick(w, 6000 * MS);
		CHECK_U64(count_samples(fd, &end), 2);
		write_sample(w, 3);
		CHECK(!pmclog_writer_flush(w, NULL));
		CHECK_U64(count_samples(fd, &end), 3);
		CHECK(end == PMCLOG_RESULT_EOF);
		pmclog_writer_free(w);
		close(fd);
	}
}

UNIT(a_plain_log_is_written_at_every_tick)
{
	enum pmclog_result end;
	int fd = logbuf_file();
	struct pmclog_writer *w = compressing(fd, PMCLOG_COMPRESS_NONE);

	write_sample(w, 1);
	pmclog_writer_tick(w, 5000 * MS);
	write_sample(w, 2);
	pmclog_writer_tick(w, 5001 * MS);
	CHECK_U64(count_samples(fd, &end), 2);
	pmclog_writer_free(w);
	close(fd);
}

UNIT(a_log_that_hits_a_limit_is_cut_to_its_last_whole_piece)
{
	const enum pmclog_compression *how;
	enum pmclog_result end;
	struct rlimit limit;

	signal(SIGXFSZ, SIG_IGN);
	getrlimit(RLIMIT_FSIZE, &limit);
	limit.rlim_cur = 600 * 1024 + 13;
	CHECK(!setrlimit(RLIMIT_FSIZE, &limit));
	EACH(how)
	{
		int fd = logbuf_file();
		struct pmclog_writer *w = compressing(fd, *how);
		uint64_t given = write_until_failure(w);
		off_t size;

		CHECK_U64(pmclog_writer_errno(w), EFBIG);
		size = lseek(fd, 0, SEEK_END);
		CHECK(size > 300 * 1024 && size <= 600 * 1024 + 13);
		CHECK_U64(count_samples(fd, &end) + pmclog_writer_dropped(w), given);
		CHECK(end == PMCLOG_RESULT_EOF);
		CHECK(pmclog_writer_dropped(w) > 0);
		CHECK(pmclog_writer_flush(w, NULL) == -1);
		pmclog_writer_free(w);
		close(fd);
	}
}

UNIT(a_log_that_grows_is_read_as_it_comes)
{
	static const enum pmclog_compression kinds[] = {PMCLOG_COMPRESS_NONE, PMCLOG_COMPRESS_ZLIB,
							PMCLOG_COMPRESS_GZIP};
	struct pmclog_record rec;
	size_t i;

	for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		char name[] = "/proc/self/fd/0000000000";
		int fd = logbuf_file();
		struct pmclog_reader *r;
		struct pmclog_writer *w;

		snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
		r = pmclog_reader_open(name, NULL);
		pmclog_reader_grows(r, true);
		CHECK(pmclog_reader_next(r, &rec, NULL) == PMCLOG_RESULT_NEED_DATA);
		w = compressing(fd, kinds[i]);
		CHECK(!pmclog_writer_flush(w, NULL));
		CHECK(pmclog_reader_next(r, &rec, NULL) == PMCLOG_RESULT_OK);
		CHECK(pmclog_reader_next(r, &rec, NULL) == PMCLOG_RESULT_NEED_DATA);
		write_sample(w, 7);
		CHECK(!pmclog_writer_flush(w, NULL));
		CHECK(pmclog_reader_next(r, &rec, NULL) == PMCLOG_RESULT_OK);
		CHECK_U64(rec.tsc, 7);
		CHECK(pmclog_reader_next(r, &rec, NULL) == PMCLOG_RESULT_NEED_DATA);
		pmclog_reader_grows(r, false);
		CHECK(pmclog_reader_next(r, &rec, NULL) == PMCLOG_RESULT_EOF);
		pmclog_reader_close(r);
		pmclog_writer_free(w);
		close(fd);
	}
}

/* Samples of one moment take no room, and much memory of some readers. */
UNIT(a_log_that_is_a_bomb_is_refused_with_its_ratio)
{
	int fd = logbuf_file(), i;
	struct pmclog_writer *w = compressing(fd, PMCLOG_COMPRESS_ZLIB);
	struct pmclog_record rec;
	struct pmclog_reader *r;
	struct err err = {0};
	uint64_t n = 0;

	for (i = 0; i < 2400000; i++)
		pmclog_write_callchain(w, 1, &(struct pmclog_chain){.pid = 10});
	CHECK(!pmclog_writer_flush(w, NULL));
	lseek(fd, 0, SEEK_SET);
	r = pmclog_reader_open_fd(fd, "t.log", NULL);
	while (pmclog_reader_next(r, &rec, &err) == PMCLOG_RESULT_OK)
		n++;
	CHECK(n > 2000000 && n < 2200000 && err.code == EX_DATAERR);
	CHECK(strstr(err.msg, " of records without their call chains, ") &&
	      strstr(err.msg, " times as many; 128 times is the most"));
	pmclog_reader_close(r);
	pmclog_writer_free(w);
	close(fd);
}

UNIT(names_of_compressions)
{
	enum pmclog_compression how = PMCLOG_COMPRESS_NONE;
	struct err err = {0};

	CHECK(!pmclog_compression_find("gzip", &how, &err) && how == PMCLOG_COMPRESS_GZIP);
	CHECK(!pmclog_compression_find("zlib", &how, &err) && how == PMCLOG_COMPRESS_ZLIB);
	CHECK(!pmclog_compression_find("none", &how, &err) && how == PMCLOG_COMPRESS_NONE);
	if (pmclog_pack_knows(PMCLOG_PACK_ZSTD)) {
		CHECK(!pmclog_compression_find("zstd", &how, &err) && how == PMCLOG_COMPRESS_ZSTD);
	} else {
		CHECK(pmclog_compression_find("zstd", &how, &err) == -1);
		CHECK_U64(err.code, EX_UNAVAILABLE);
	}
	CHECK(pmclog_compression_find("bzip2", &how, &err) == -1);
	CHECK_U64(err.code, EX_USAGE);
}

UNIT_MAIN(UNIT_ENTRY(what_is_compressed_is_read_again),
	  UNIT_ENTRY(a_piece_is_written_once_a_second),
	  UNIT_ENTRY(a_plain_log_is_written_at_every_tick),
	  UNIT_ENTRY(a_log_that_hits_a_limit_is_cut_to_its_last_whole_piece),
	  UNIT_ENTRY(a_log_that_grows_is_read_as_it_comes),
	  UNIT_ENTRY(a_log_that_is_a_bomb_is_refused_with_its_ratio),
	  UNIT_ENTRY(names_of_compressions))
