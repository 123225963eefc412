// SPDX-License-Identifier: BSD-2-Clause
/* What perf record might have written: whatever it is, what is made of it is a whole log. */
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "perfdata/perf_data.h"
#include "pmclog/reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void say(void *arg, const char *sentence)
{
	(void)arg;
	if (!sentence[0])
		abort();
}

/* All of it can be read, unless nothing was converted. */
static void check_log(int fd)
{
	struct pmclog_reader *r;
	struct pmclog_record rec;
	enum pmclog_result res;

	if (lseek(fd, 0, SEEK_END) == 0)
		return;
	lseek(fd, 0, SEEK_SET);
	r = pmclog_reader_open_fd(fd, "log", NULL);
	if (!r)
		abort();
	do
		res = pmclog_reader_next(r, &rec, NULL);
	while (res == PMCLOG_RESULT_OK);
	if (res != PMCLOG_RESULT_EOF)
		abort();
	pmclog_reader_close(r);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int in = memfd_create("in", MFD_CLOEXEC), out = memfd_create("out", MFD_CLOEXEC);
	struct perf_data_input input = {.fd = in, .name = "in", .head = "", .say = say};
	struct pmclog_writer *w = pmclog_writer_new(out, "out", NULL);
	struct err err = {0};

	if (in < 0 || out < 0 || !w || write(in, data, size) != (ssize_t)size)
		abort();
	lseek(in, 0, SEEK_SET);
	if (perf_data_convert(&input, w, &err) != -!!err.code)
		abort();
	pmclog_writer_flush(w, NULL);
	check_log(out);
	pmclog_writer_free(w);
	close(in);
	close(out);
	return 0;
}
