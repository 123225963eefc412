// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <unistd.h>

#include "base/open_files.h"
#include "pmcstat/analyse.h"
#include "pmcstat/record/live.h"
#include "pmcstat/say.h"

/* The thread's own until live_finish() has joined it. */
struct live {
	pthread_t thread;
	int fd; /* the reading end; closed by the thread, so that a failure stops the writer */
	struct pmclog_reader *reader;
	struct analysis *analysis;
	enum pmclog_result result;
	struct err err;
};

/* Whenever there is nothing to read the log as text goes out: at once, and to see its reader go. */
static void *read_log(void *arg)
{
	struct live *live = arg;
	struct pollfd log = {.fd = live->fd, .events = POLLIN};

	while ((live->result = analysis_read(live->analysis, live->reader, &live->err)) ==
	       PMCLOG_RESULT_NEED_DATA)
		poll(&log, 1, -1);
	close(live->fd);
	return NULL;
}

static void live_free(struct live *live)
{
	analysis_free(live->analysis);
	pmclog_reader_close(live->reader);
	free(live);
}

struct live *live_start(const struct report_options *options, int *fd, struct err *err)
{
	struct live *live = calloc(1, sizeof(*live));
	int ends[2], error;

	if (!live || pipe2(ends, O_CLOEXEC)) {
		open_files_fail(err, EX_OSERR, "pipe for the log");
		free(live);
		return NULL;
	}
	fcntl(ends[0], F_SETFL, O_NONBLOCK);
	live->fd = ends[0];
	live->reader = pmclog_reader_open_fd(live->fd, "live log", err);
	live->analysis = live->reader ? analysis_new(options, err) : NULL;
	error = live->analysis ? pthread_create(&live->thread, NULL, read_log, live) : 0;
	if (error)
		err_set(err, EX_OSERR, "thread for the log: %s", strerror(error));
	if (error || !live->analysis) {
		close(ends[0]);
		close(ends[1]);
		live_free(live);
		return NULL;
	}
	*fd = ends[1];
	return live;
}

int live_finish(struct live *live, bool report)
{
	int status = EX_OK;

	if (!live)
		return EX_OK;
	pthread_join(live->thread, NULL);
	if (report && live->result != PMCLOG_RESULT_EOF)
		status = say_error(&live->err);
	else if (report && analysis_report(live->analysis, &live->err))
		status = say_error(&live->err);
	live_free(live);
	return status;
}
