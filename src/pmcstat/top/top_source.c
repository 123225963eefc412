// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "pmcstat/top/top_source.h"

/* What is fed to the reader at once. */
enum { CHUNK = 1 << 16 };

int top_source_pipe(struct top_source *s, int *fd, struct err *err)
{
	*s = (struct top_source){0};
	s->reader = pmclog_reader_open_feed("live log", err);
	s->relay = s->reader ? relay_start(fd, err) : NULL;
	if (s->relay)
		return 0;
	top_source_close(s);
	return -1;
}

int top_source_file(struct top_source *s, const char *path, struct err *err)
{
	*s = (struct top_source){.reader = pmclog_reader_open(path, err)};
	if (!s->reader)
		return -1;
	pmclog_reader_grows(s->reader, true);
	return 0;
}

/* A log that comes by and by has its own time. */
static int open_stream(struct top_source *s, const char *path, struct err *err)
{
	int fd = !strcmp(path, "-") ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3)
				    : open(path, O_RDONLY | O_CLOEXEC);

	*s = (struct top_source){0};
	if (fd < 0)
		return err_set(err, EX_NOINPUT, "%s: %s", path, strerror(errno));
	s->relay = relay_adopt(fd, err);
	s->reader =
		s->relay ? pmclog_reader_open_feed(strcmp(path, "-") ? path : "standard input", err)
			 : NULL;
	if (s->reader)
		return 0;
	top_source_close(s);
	return -1;
}

int top_source_log(struct top_source *s, const char *path, struct err *err)
{
	struct stat st;

	if (!(strcmp(path, "-") ? stat(path, &st) : fstat(STDIN_FILENO, &st)) &&
	    !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode))
		return open_stream(s, path, err);
	*s = (struct top_source){.is_replay = true, .tick = 1e-9};
	s->reader = pmclog_reader_open(path, err);
	return s->reader ? 0 : -1;
}

void top_source_close(struct top_source *s)
{
	relay_free(s->relay);
	pmclog_reader_close(s->reader);
	*s = (struct top_source){0};
}

int top_source_event_fd(const struct top_source *s)
{
	return s->relay ? relay_event_fd(s->relay) : -1;
}

void top_source_end(struct top_source *s)
{
	s->ends = true;
	if (s->relay)
		relay_unlimit(s->relay);
}

static double time_of(const struct top_source *s, const struct pmclog_record *rec)
{
	return rec->tsc > s->zero ? (double)(rec->tsc - s->zero) * s->tick : 0;
}

bool top_source_is_closed(const struct top_source *s)
{
	return pmclog_reader_stats(s->reader)->closed;
}

double top_source_next(const struct top_source *s)
{
	return s->has_ahead ? time_of(s, &s->ahead) : 0;
}

/* The next record, of a replay only if its time has come; else NEED_DATA. */
static enum pmclog_result next_record(struct top_source *s, struct pmclog_record *rec, double until,
				      struct err *err)
{
	enum pmclog_result result = PMCLOG_RESULT_OK;

	if (s->has_ahead)
		*rec = s->ahead;
	else
		result = pmclog_reader_next(s->reader, rec, err);
	if (!s->is_replay || result != PMCLOG_RESULT_OK)
		return result;
	if (!s->has_zero) {
		s->has_zero = true;
		s->zero = rec->tsc;
		if (rec->type == PMCLOG_WIRE_INITIALIZE && rec->u.init.tsc_freq)
			s->tick = 1.0 / (double)rec->u.init.tsc_freq;
	}
	s->has_ahead = time_of(s, rec) > until;
	s->ahead = *rec;
	return s->has_ahead ? PMCLOG_RESULT_NEED_DATA : PMCLOG_RESULT_OK;
}

/* Adds every record that there is now. */
static int add_records(struct top_source *s, struct cg_builder *b, double until, bool *over,
		       struct err *err)
{
	enum pmclog_result result;
	struct pmclog_record rec;

	while ((result = next_record(s, &rec, until, err)) == PMCLOG_RESULT_OK)
		if (cg_builder_add(b, &rec, err)) {
			*over = true;
			return err->code == EX_DATAERR
				       ? err_wrap(err, "%s", pmclog_reader_name(s->reader))
				       : -1;
		}
	*over = result != PMCLOG_RESULT_NEED_DATA;
	return *over && result != PMCLOG_RESULT_EOF ? -1 : 0;
}

static int feed(struct top_source *s, struct cg_builder *b, const char *data, size_t len,
		bool *over, struct err *err)
{
	size_t n;

	for (; len && !*over; data += n, len -= n) {
		n = len < CHUNK ? len : CHUNK;
		if (pmclog_reader_feed(s->reader, data, n, err)) {
			*over = true;
			return -1;
		}
		if (add_records(s, b, 0, over, err))
			return -1;
	}
	return 0;
}

static int read_pipe(struct top_source *s, struct cg_builder *b, bool *ended, bool *over,
		     struct err *err)
{
	const void *data;
	size_t len;

	if (relay_take(s->relay, &data, &len, ended, err)) {
		*over = true;
		return -1;
	}
	return feed(s, b, data, len, over, err);
}

int top_source_read(struct top_source *s, struct cg_builder *b, double until, bool *over,
		    struct err *err)
{
	bool ended = false;
	int status;

	*over = false;
	if (s->is_replay)
		return add_records(s, b, until, over, err);
	if (!s->relay) {
		pmclog_reader_grows(s->reader, !s->ends);
		return add_records(s, b, 0, over, err);
	}
	status = read_pipe(s, b, &ended, over, err);
	if (status || *over || !ended)
		return status;
	pmclog_reader_feed_end(s->reader);
	return add_records(s, b, 0, over, err);
}
