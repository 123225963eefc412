// SPDX-License-Identifier: BSD-2-Clause
/*
 * pack LOG...: packed logs beside gzip: bytes a sample, CPU time to write and to read.
 * pack -1 METHOD LOG: goes once over it, for counts of instructions (HACKING.md).
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <zlib.h>

#include "pmclog/pack/pack.h"
#include "pmclog/pmclog_wire.h"

enum { HEADER = sizeof(struct pmclog_pack_header), RUNS = 5 };

static const char *const columns[] = {
	"context", "new context", "time size", "time low", "time high", "flags", "trailer",
	"pops",	   "pushes",	  "inner",     "leaf",	   "address",	"other"};

enum { NCOLUMNS = sizeof(columns) / sizeof(columns[0]) };

struct log {
	uint8_t *data;
	size_t size, samples;
};

/* What packing it gave: bytes and ns. */
struct result {
	double bytes, pack, unpack;
	double column[NCOLUMNS];
};

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static int load(const char *path, struct log *log)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat st;
	size_t at;
	uint32_t h;

	if (fd < 0 || fstat(fd, &st) || !(log->data = malloc((size_t)st.st_size + 1)) ||
	    read(fd, log->data, (size_t)st.st_size) != st.st_size)
		return -1;
	close(fd);
	log->size = (size_t)st.st_size;
	for (at = 0; log->size - at >= 16; at += h & 0xffff) {
		memcpy(&h, log->data + at, 4);
		if (h >> 24 != PMCLOG_WIRE_MAGIC || (h & 0xffff) < 16 ||
		    (h & 0xffff) > log->size - at)
			break;
		log->samples += (h >> 16 & 0xff) == PMCLOG_WIRE_CALLCHAIN;
	}
	return log->samples ? 0 : -1;
}

static uint64_t varint(const uint8_t **p)
{
	unsigned int shift = 0;
	uint64_t v = 0;

	do {
		v |= (uint64_t)(**p & 0x7f) << shift;
		shift += 7;
	} while (*(*p)++ & 0x80);
	return v;
}

static int measure(const struct log *log, enum pmclog_pack_method method, int level,
		   struct result *res)
{
	struct pmclog_packer *p = pmclog_packer_new(method, level);
	struct pmclog_unpacker *u = pmclog_unpacker_new();
	const uint8_t *block, *back, *sizes;
	size_t at, n, len, length, i;
	double t;

	*res = (struct result){0};
	for (at = 0; p && u && at < log->size; at += n) {
		n = log->size - at < PMCLOG_PACK_BLOCK ? log->size - at : PMCLOG_PACK_BLOCK;
		n = pmclog_pack_whole(log->data + at, n) ?: n;
		t = now();
		if (pmclog_packer_pack(p, log->data + at, n, &block, &len, NULL))
			return -1;
		res->pack += now() - t;
		res->bytes += (double)len;
		sizes = block + HEADER;
		for (i = 0; i < NCOLUMNS; i++) {
			varint(&sizes);
			res->column[i] += (double)varint(&sizes);
		}
		t = now();
		if (pmclog_unpacker_header(u, block, &length, NULL) ||
		    pmclog_unpacker_block(u, block + HEADER, &back, &length, NULL) || length != n ||
		    memcmp(back, log->data + at, n))
			return -1;
		res->unpack += now() - t;
	}
	pmclog_packer_free(p);
	pmclog_unpacker_free(u);
	return 0;
}

/* The least of some runs: what else the machine does is not asked for. */
static int measure_often(const struct log *log, enum pmclog_pack_method method, int level,
			 struct result *res)
{
	struct result next;
	int i;

	if (measure(log, method, level, res))
		return -1;
	for (i = 1; i < RUNS; i++) {
		if (measure(log, method, level, &next))
			return -1;
		res->pack = next.pack < res->pack ? next.pack : res->pack;
		res->unpack = next.unpack < res->unpack ? next.unpack : res->unpack;
	}
	return 0;
}

static void gzip(const struct log *log, int level)
{
	uLong size = compressBound(log->size);
	uint8_t *to = malloc(size);
	double t = now();

	if (to && compress2(to, &size, log->data, log->size, level) == Z_OK)
		printf("  gzip -%d  %6.2f bytes  %5.0f ns to write\n", level,
		       (double)size / (double)log->samples, (now() - t) / (double)log->samples);
	free(to);
}

static const struct {
	const char *name;
	enum pmclog_pack_method method;
	int level;
} ways[] = {{"zlib", PMCLOG_PACK_ZLIB, 1},
	    {"zstd", PMCLOG_PACK_ZSTD, 1},
	    {"zlib", PMCLOG_PACK_ZLIB, 6}};

enum { NWAYS = sizeof(ways) / sizeof(ways[0]) };

static int once(const char *name, const char *path)
{
	struct log log = {0};
	struct result res;
	size_t i = 0;

	while (i < NWAYS && strcmp(ways[i].name, name) != 0)
		i++;
	if (i == NWAYS || !pmclog_pack_knows(ways[i].method)) {
		fprintf(stderr, "%s: zlib and zstd are known, where libzstd is\n", name);
		return 1;
	}
	if (load(path, &log) || measure(&log, ways[i].method, ways[i].level, &res)) {
		fprintf(stderr, "%s: no log with samples, or not to be packed\n", path);
		return 1;
	}
	printf("%zu samples, %.2f bytes\n", log.samples, res.bytes / (double)log.samples);
	free(log.data);
	return 0;
}

static int bench(const char *path)
{
	struct log log = {0};
	struct result res;
	double n;
	size_t i;

	if (load(path, &log)) {
		fprintf(stderr, "%s: no log with samples\n", path);
		return 1;
	}
	n = (double)log.samples;
	printf("%s: %zu samples of %.1f bytes\n", path, log.samples, (double)log.size / n);
	gzip(&log, 1);
	gzip(&log, 6);
	for (i = 0; i < NWAYS; i++) {
		if (!pmclog_pack_knows(ways[i].method))
			continue;
		if (measure_often(&log, ways[i].method, ways[i].level, &res)) {
			fprintf(stderr, "%s: cannot be packed\n", path);
			return 1;
		}
		printf("  %s -%d  %6.2f bytes  %5.0f ns to write  %5.0f to read\n", ways[i].name,
		       ways[i].level, res.bytes / n, res.pack / n, res.unpack / n);
	}
	for (i = 0; i < NCOLUMNS; i++)
		printf("    %-12s %5.2f\n", columns[i], res.column[i] / n);
	free(log.data);
	return 0;
}

int main(int argc, char **argv)
{
	int i, failed = 0;

	if (argc == 4 && strcmp(argv[1], "-1") == 0)
		return once(argv[2], argv[3]);
	for (i = 1; i < argc; i++)
		failed |= bench(argv[i]);
	return failed;
}
