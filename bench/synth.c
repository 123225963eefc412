// SPDX-License-Identifier: BSD-2-Clause
/*
 * Writes the synthetic log that speeds are measured on: samples of 160 bytes, 16 frames deep, over
 * 20,000 functions of one program.
 *
 *	synth LOG PROGRAM SAMPLES STACKS
 *
 * STACKS distinct chains, each a walk up a fixed call graph in which a function has up to 8
 * callers; every sample takes one of them at random.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "pmclog/writer.h"

enum { FUNCTIONS = 20000, DEPTH = 16, FUNCTION_SIZE = 256, TEXT = 0x401000 };

static uint64_t state = 88172645463325252u;

/* xorshift64: the same numbers on every machine. */
static uint64_t next_random(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

static void walk(uint64_t pcs[DEPTH])
{
	uint64_t f = next_random() % FUNCTIONS;
	int i;

	for (i = 0; i < DEPTH; i++) {
		/* Each caller calls from one place, inside of its function. */
		pcs[i] = TEXT + f * FUNCTION_SIZE + 16 + f % 200;
		f = (f * 2654435761u + next_random() % 8 * 40503u) % FUNCTIONS;
	}
}

static void write_head(struct pmclog_writer *w, const char *program)
{
	struct pmclog_origin origin = {.cputype = 0x400, .tsc_freq = 1000000000, .host = "bench"};
	struct pmclog_alloc alloc = {.pmcid = 0xfff02f00,
				     .flags = 0x80,
				     .rate = 1000000,
				     .max_depth = 127,
				     .name = "cpu-clock",
				     .spec = "cpu-clock"};
	struct pmclog_map map = {.pid = 100,
				 .start = TEXT,
				 .file_offset = 0x1000,
				 .length = (uint64_t)FUNCTIONS * FUNCTION_SIZE,
				 .path = program};

	pmclog_write_initialize(w, 0, &origin);
	pmclog_write_allocatedyn(w, 1, &alloc);
	pmclog_write_procexec(
		w, 2,
		&(struct pmclog_exec){
			.pid = 100, .pmcid = alloc.pmcid, .entry = TEXT, .path = program});
	pmclog_write_map_in(w, 3, &map);
}

int main(int argc, char **argv)
{
	struct pmclog_chain chain = {
		.pid = 100, .tid = 100, .pmcid = 0xfff02f00, .usermode = true, .npcs = DEPTH};
	uint64_t samples, stacks, i, *pcs;
	struct pmclog_writer *w;
	struct err err = {0};
	int fd;

	if (argc != 5) {
		fprintf(stderr, "usage: synth LOG PROGRAM SAMPLES STACKS\n");
		return EX_USAGE;
	}
	samples = strtoull(argv[3], NULL, 10);
	stacks = strtoull(argv[4], NULL, 10);
	fd = open(argv[1], O_WRONLY | O_CREAT | O_TRUNC, 0666);
	pcs = calloc(stacks * DEPTH, sizeof(*pcs));
	w = fd >= 0 ? pmclog_writer_new(fd, argv[1], &err) : NULL;
	if (!w || !pcs || !stacks)
		return EX_CANTCREAT;
	for (i = 0; i < stacks; i++)
		walk(pcs + i * DEPTH);
	write_head(w, argv[2]);
	for (i = 0; i < samples; i++) {
		chain.pcs = pcs + (i < stacks ? i : next_random() % stacks) * DEPTH;
		pmclog_write_callchain(w, 1000 + i * 1000, &chain);
	}
	pmclog_write_closelog(w, 1000 + samples * 1000);
	if (pmclog_writer_flush(w, &err)) {
		fprintf(stderr, "synth: %s\n", err.msg);
		return EX_IOERR;
	}
	pmclog_writer_free(w);
	free(pcs);
	return 0;
}
