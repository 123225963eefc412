// SPDX-License-Identifier: BSD-2-Clause
/* The appendix of a packed log: its blocks, and excerpts of images, also those of bad people. */
#include <limits.h>

#include "logbuf.h"
#include "pmclog/appendix.h"
#include "symbol/image.h"

enum { LARGE = 100000 };

/* The bytes of an APPENDIX record, or of several, as a log: behind INITIALIZE. */
static struct pmclog_reader *open_log(struct sink *sink)
{
	struct pmclog_reader *r = pmclog_reader_open_feed("log", NULL);
	struct pmclog_wire_initialize init = {
		.h.header = PMCLOG_WIRE_HEADER(PMCLOG_WIRE_INITIALIZE, sizeof(init)),
		.version = PMCLOG_WIRE_VERSION};
	struct pmclog_record rec;
	const char *bytes;
	size_t len;

	bytes = sink_text(sink, &len);
	CHECK(r && !pmclog_reader_feed(r, &init, sizeof(init), NULL) &&
	      !pmclog_reader_feed(r, bytes, len, NULL));
	pmclog_reader_feed_end(r);
	CHECK_U64(pmclog_reader_next(r, &rec, NULL), PMCLOG_RESULT_OK);
	return r;
}

/* Reads the next whole block; the result of its last record. */
static int next_block(struct pmclog_reader *r, uint8_t **block, size_t *len, struct err *err)
{
	struct pmclog_appendix a = {0};
	struct pmclog_record rec;
	int failed = 0;

	*block = NULL;
	while (!failed && !*block) {
		if (pmclog_reader_next(r, &rec, err) != PMCLOG_RESULT_OK) {
			failed = -1;
			break;
		}
		failed = pmclog_appendix_add(&a, &rec, block, len, err);
	}
	pmclog_appendix_fini(&a);
	return failed;
}

__attribute__((noinline)) static void fill(uint8_t *data, size_t n, bool repeats)
{
	uint32_t x = 1;
	size_t i;

	for (i = 0; i < n; i++) {
		x = x * 1664525 + 1013904223;
		data[i] = repeats ? 7 : (uint8_t)(x >> 24);
	}
}

/* Whether a block comes back; its bytes in records. */
static size_t check_block(size_t n, bool repeats)
{
	struct sink *sink = sink_to_memory();
	uint8_t *data = malloc(n), *back;
	struct pmclog_reader *r;
	size_t len, stored;

	CHECK(sink && data);
	fill(data, n, repeats);
	CHECK(!pmclog_appendix_write(sink, PMCLOG_APPENDIX_IMAGE, 5, data, n, NULL));
	CHECK(!pmclog_appendix_write(sink, PMCLOG_APPENDIX_IMAGE, 5, "x", 1, NULL));
	r = open_log(sink);
	CHECK(!next_block(r, &back, &len, NULL));
	CHECK(back && len == n && !memcmp(back, data, n));
	free(back);
	CHECK(!next_block(r, &back, &len, NULL));
	CHECK(back && len == 1 && *back == 'x');
	sink_text(sink, &stored);
	pmclog_reader_close(r);
	sink_free(sink);
	free(data);
	free(back);
	return stored;
}

UNIT(blocks_of_any_size_come_back)
{
	CHECK(check_block(1, false) < 200);
	CHECK(check_block(4000, false) > 4000);
	CHECK(check_block(LARGE, false) > LARGE);
}

UNIT(what_could_be_a_bomb_is_not_compressed)
{
	CHECK(check_block(LARGE, true) > LARGE);
}

/* A record with these bytes of a block. */
static void add_record(struct sink *sink, const uint8_t *bytes, uint32_t n, uint64_t left,
		       uint32_t crc)
{
	uint32_t padded = (n + 7) & ~7u;
	struct pmclog_wire_appendix h = {
		.h.header = PMCLOG_WIRE_HEADER(PMCLOG_WIRE_APPENDIX, sizeof(h) + padded),
		.magic = PMCLOG_APPENDIX_MAGIC,
		.type = PMCLOG_APPENDIX_IMAGE,
		.crc = crc,
		.size = n,
		.left = left};

	sink_write(sink, &h, sizeof(h));
	sink_write(sink, bytes, n);
	sink_fill(sink, '\0', padded - n);
}

static void check_bad(const uint8_t *bytes, uint32_t n, uint32_t crc, const char *says)
{
	struct sink *sink = sink_to_memory();
	struct pmclog_reader *r;
	struct err err = {0};
	uint8_t *block;
	size_t len;

	add_record(sink, bytes, n, 0, crc);
	r = open_log(sink);
	CHECK(next_block(r, &block, &len, &err) && err.code == EX_DATAERR);
	CHECK(strstr(err.msg, says));
	CHECK_STR(strstr(err.msg, says) ? "" : err.msg, "");
	pmclog_reader_close(r);
	sink_free(sink);
}

UNIT(a_bomb_is_refused_with_its_ratio)
{
	/* A byte that says to be a terabyte. */
	static const uint8_t bomb[] = {0, 0, 0, 0, 0, 1, 0, 0, 1};
	static const uint8_t other[] = {1, 2, 3, 4, 0, 0, 0, 0, 9, 9, 9, 9};
	static const uint8_t junk[] = {4, 0, 0, 0, 0, 0, 0, 0, 9, 9, 9, 9};
	static const uint8_t nothing[] = {4, 0, 0};

	check_bad(bomb, sizeof(bomb), 0x29b2435d, "1099511627776 times as many; 32 times");
	check_bad(other, sizeof(other), 0, "do not have the checksum 0x0");
	check_bad(junk, sizeof(junk), 0xa2148af8, "12 compressed bytes are not 4 in any way");
	check_bad(nothing, sizeof(nothing), 0xf84871ce, "a block of 3 bytes without any content");
}

/* This program as an image of a store. */
static struct symbol_image *open_self(struct symbol_store *store)
{
	static char path[PATH_MAX];
	struct symbol_ref ref = {.path = path};
	ssize_t n = readlink("/proc/self/exe", path, sizeof(path) - 1);

	CHECK(n > 0);
	return symbol_image_get(store, &ref);
}

/* An excerpt of this program; *len bytes for free(). */
static uint8_t *excerpt_of_self(struct symbol_store *store, const char *const names[], size_t *len)
{
	struct symbol_image *image = open_self(store);
	struct symbol_excerpt *e = symbol_excerpt_new(image);
	struct sink *sink = sink_to_memory();
	const char *text;
	uint8_t *bytes;
	struct symbol s;

	for (; *names; names++) {
		CHECK(symbol_find_name(image, *names, &s));
		CHECK(!symbol_excerpt_add(e, s.start + 1));
	}
	CHECK(!symbol_excerpt_add_name(e, "_start") && !symbol_excerpt_add_name(e, "no such"));
	CHECK(!symbol_excerpt_write(e, sink));
	text = sink_text(sink, len);
	bytes = malloc(*len + 1);
	memcpy(bytes, text, *len);
	sink_free(sink);
	symbol_excerpt_free(e);
	return bytes;
}

static const char *const names[] = {"main", "fill", "blocks_of_any_size_come_back", NULL};

static void check_same(struct symbol_image *a, struct symbol_image *b, uint64_t address)
{
	struct symbol_frame f[SYMBOL_MAX_FRAMES], g[SYMBOL_MAX_FRAMES];
	uint32_t n = symbol_frames(a, address, f), i;
	struct symbol s = {0}, t = {0};

	CHECK(symbol_find(a, address, &s) && symbol_find(b, address, &t));
	CHECK_STR(t.name, s.name);
	CHECK(s.start == t.start && s.end == t.end);
	CHECK_U64(symbol_frames(b, address, g), n);
	for (i = 0; i < n; i++) {
		CHECK_U64(g[i].line, f[i].line);
		CHECK(!f[i].file == !g[i].file && (!f[i].file || !strcmp(f[i].file, g[i].file)));
		CHECK(!f[i].function == !g[i].function &&
		      (!f[i].function || !strcmp(f[i].function, g[i].function)));
	}
}

UNIT(an_excerpt_answers_as_the_file_does)
{
	struct symbol_config config = {.no_demangle = true}, nothing = {.fsroot = "/nonexistent"};
	struct symbol_store *there = symbol_store_new(&config, NULL),
			    *here = symbol_store_new(&nothing, NULL);
	uint8_t code[2][16];
	const char *const *name;
	struct symbol_image *a, *b;
	uint8_t *bytes;
	struct symbol s;
	uint64_t at;
	size_t len;

	bytes = excerpt_of_self(there, names, &len);
	CHECK(!symbol_store_add_excerpt(here, bytes, len, NULL));
	a = open_self(there);
	b = open_self(here);
	CHECK_U64(symbol_image_status(b), symbol_image_status(a));
	CHECK_STR(symbol_image_problem(b), symbol_image_problem(a));
	for (name = names; *name; name++) {
		CHECK(symbol_find_name(a, *name, &s));
		for (at = s.start; at < s.end; at++)
			check_same(a, b, at);
		CHECK_U64(symbol_image_code(a, s.start, code[0], 16), 16);
		CHECK_U64(symbol_image_code(b, s.start, code[1], 16), 16);
		CHECK(!memcmp(code[0], code[1], 16));
	}
	CHECK(symbol_find_name(b, "_start", &s));
	CHECK(!symbol_find_name(b, "what_could_be_a_bomb_is_not_compressed", &s));
	CHECK(symbol_find_name(a, "what_could_be_a_bomb_is_not_compressed", &s));
	CHECK(!symbol_find(b, s.start, &s));
	symbol_store_free(there);
	symbol_store_free(here);
}

/* Takes changed bytes for an excerpt, whose store need not like them. */
static bool try_bytes(const uint8_t *bytes, size_t len, uint64_t address)
{
	struct symbol_config nothing = {.fsroot = "/nonexistent"};
	struct symbol_store *store = symbol_store_new(&nothing, NULL);
	struct symbol_frame frames[SYMBOL_MAX_FRAMES];
	uint8_t *copy = malloc(len + 1), code[16];
	struct symbol_image *image;
	struct err err = {0};
	struct symbol s;
	bool taken;

	memcpy(copy, bytes, len);
	taken = !symbol_store_add_excerpt(store, copy, len, &err);
	CHECK(taken || err.code == EX_DATAERR);
	if (taken) {
		image = open_self(store);
		symbol_find(image, address, &s);
		symbol_frames(image, address, frames);
		symbol_image_code(image, address, code, sizeof(code));
	}
	symbol_store_free(store);
	return taken;
}

UNIT(damaged_excerpts_are_refused_or_harmless)
{
	struct symbol_config config = {.no_demangle = true};
	struct symbol_store *there = symbol_store_new(&config, NULL);
	static const char *const few[] = {"fill", NULL};
	struct symbol s = {0};
	uint8_t *bytes, was;
	size_t len, i;

	bytes = excerpt_of_self(there, few, &len);
	CHECK(symbol_find_name(open_self(there), "fill", &s));
	CHECK(try_bytes(bytes, len, s.start));
	for (i = 0; i < len; i++)
		CHECK(!try_bytes(bytes, i, s.start));
	for (i = 0; i < 4 * len; i++) {
		was = bytes[i / 4];
		bytes[i / 4] = (uint8_t[]){0, 0x7f, 0xff, (uint8_t)(was + 1)}[i % 4];
		try_bytes(bytes, len, s.start);
		bytes[i / 4] = was;
	}
	symbol_store_free(there);
	free(bytes);
}

UNIT_MAIN(UNIT_ENTRY(blocks_of_any_size_come_back),
	  UNIT_ENTRY(what_could_be_a_bomb_is_not_compressed),
	  UNIT_ENTRY(a_bomb_is_refused_with_its_ratio),
	  UNIT_ENTRY(an_excerpt_answers_as_the_file_does),
	  UNIT_ENTRY(damaged_excerpts_are_refused_or_harmless))
