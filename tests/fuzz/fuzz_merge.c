// SPDX-License-Identifier: BSD-2-Clause
/*
 * pmclog merge on any two logs: the first two bytes are the length of the first one, the other
 * follows.  What is written must be a log, with the samples of both of them up to where each is
 * damaged.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "pmclog/merge.h"
#include "pmclog/reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { LOGS = 2 };

/* A file without a name, with that in it. */
static int file_of(const uint8_t *data, size_t size)
{
	int fd = memfd_create("log", MFD_CLOEXEC);

	if (fd < 0 || (size && write(fd, data, size) != (ssize_t)size) || lseek(fd, 0, SEEK_SET))
		abort();
	return fd;
}

/* The samples of the log at fd; *whole: it is a log, and ends with a whole record. */
static uint64_t samples_of(int fd, bool *whole)
{
	struct pmclog_reader *r = pmclog_reader_open_fd(fd, "log", NULL);
	struct pmclog_record rec;
	enum pmclog_result res;
	uint64_t samples = 0;

	if (!r || lseek(fd, 0, SEEK_SET))
		abort();
	while ((res = pmclog_reader_next(r, &rec, NULL)) == PMCLOG_RESULT_OK)
		samples += rec.type == PMCLOG_WIRE_CALLCHAIN;
	*whole = res == PMCLOG_RESULT_EOF;
	pmclog_reader_close(r);
	return samples;
}

static int add(struct pmclog_merge *m, int fd)
{
	struct err err = {0};
	char path[40];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	return pmclog_merge_add(m, path, &err);
}

/* Merges what was added, and reads it again. */
static void check(struct pmclog_merge *m, uint64_t samples)
{
	int fd = file_of(NULL, 0), failed;
	struct pmclog_writer *w = pmclog_writer_new(fd, "merged", NULL);
	struct err err = {0};
	uint64_t merged;
	bool whole;

	if (!w)
		abort();
	failed = pmclog_merge_write(m, w, NULL, NULL, &err);
	if (failed && !err.code)
		abort();
	if (pmclog_writer_flush(w, NULL))
		abort();
	pmclog_writer_free(w);
	merged = samples_of(fd, &whole);
	if (!whole || (!failed && merged != samples))
		abort();
	close(fd);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	size_t first = size < 2 ? 0 : data[0] | (size_t)data[1] << 8;
	struct pmclog_merge *m = pmclog_merge_new();
	uint64_t samples = 0, n;
	int fds[LOGS], i, added = 0;
	bool whole;

	if (size < 2)
		data += size;
	else
		data += 2;
	size = size < 2 ? 0 : size - 2;
	first = first < size ? first : size;
	fds[0] = file_of(data, first);
	fds[1] = file_of(data + first, size - first);
	for (i = 0; m && i < LOGS; i++) {
		n = samples_of(fds[i], &whole);
		if (add(m, fds[i]))
			continue;
		added++;
		samples += n;
	}
	if (added)
		check(m, samples);
	pmclog_merge_free(m);
	for (i = 0; i < LOGS; i++)
		close(fds[i]);
	return 0;
}
