// SPDX-License-Identifier: BSD-2-Clause
/* A log's bytes into a packed log, and back.  The same bytes come back, damaged ones too. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/open_files.h"
#include "base/sink.h"
#include "pmclog/cmd/cmd.h"
#include "pmclog/pack/pack.h"
#include "pmclog/reader_int.h"
#include "pmclog/writer.h"

enum { LEVEL = 6, PIECE = 8192 };

struct copying {
	const char *name; /* of the log that is read */
	struct pmclogint_source *source;
	struct pmclog_packer *packer; /* NULL: the log is expanded */
	struct sink *sink;
	int in;
	struct status_line status;
	uint8_t bytes[PMCLOG_PACK_BLOCK];
	size_t n;
};

/* Writes them in pieces that a full disk leaves whole. */
static void put_plain(struct copying *c, size_t len)
{
	size_t at = 0, n;

	while (at < len) {
		n = pmclog_pack_whole(c->bytes + at, len - at < PIECE ? len - at : PIECE);
		if (!n || len - at < PIECE)
			n = len - at;
		sink_write(c->sink, c->bytes + at, n);
		sink_is_whole(c->sink);
		at += n;
	}
}

/* Writes the first len of the bytes. */
static int put(struct copying *c, size_t len, struct err *err)
{
	const uint8_t *block = c->bytes;
	size_t size = len;

	if (c->packer && pmclog_packer_pack(c->packer, c->bytes, len, &block, &size, err))
		return -1;
	if (c->packer) {
		sink_write(c->sink, block, size);
		sink_is_whole(c->sink);
		/* What was written is whole if this process is killed. */
		sink_flush(c->sink);
	} else {
		put_plain(c, len);
	}
	memmove(c->bytes, c->bytes + len, c->n - len);
	c->n -= len;
	return 0;
}

/* Reads all of the log.  0, or -1 with err set, when what was there before is written. */
static int copy(struct copying *c, struct err *err)
{
	enum pmclog_result res;
	size_t got;

	do {
		res = pmclogint_source_read(c->source, c->bytes + c->n, sizeof(c->bytes) - c->n,
					    &got, err);
		if (res == PMCLOG_RESULT_OK)
			c->n += got;
		if (res == PMCLOG_RESULT_OK && c->n == sizeof(c->bytes) &&
		    put(c, pmclog_pack_whole(c->bytes, c->n), err))
			return -1;
		pmclog_cmd_tell_read(
			&c->status, c->packer ? "compressing the log" : "expanding the log", c->in);
	} while (res == PMCLOG_RESULT_OK);
	if (res == PMCLOG_RESULT_NEED_DATA)
		err_set(err, EX_TEMPFAIL, "no data yet, and it does not block");
	if (c->n) {
		struct err full = {0};

		if (put(c, c->n, &full)) {
			*err = full;
			return -1;
		}
	}
	return res == PMCLOG_RESULT_EOF ? 0 : -1;
}

/* Between two descriptors.  0, or -1 with err set. */
static int run_between(struct copying *c, int in, int out, const char *to, struct err *err)
{
	int failed, error;

	c->source = pmclogint_source_new(in, false);
	c->sink = sink_to_fd(out);
	if (!c->source || !c->sink)
		return err_nomem(err);
	c->in = in;
	status_start(&c->status);
	failed = copy(c, err);
	status_end(&c->status);
	if (failed)
		err_wrap(err, "%s", strcmp(c->name, "-") ? c->name : "standard input");
	if (!(error = sink_flush(c->sink)))
		return failed;
	return pmclog_write_failed(err, pmclog_cmd_output(to), error, sink_written(c->sink));
}

static int open_both(struct copying *c, const char *to, struct err *err)
{
	char *log = (char *)(uintptr_t)c->name;
	int in = STDIN_FILENO, out = pmclog_cmd_create(to, &log, 1, false, err), failed = -1;
	struct err late = {0};

	if (out < 0)
		return -1;
	if (strcmp(c->name, "-"))
		in = open(c->name, O_RDONLY | O_CLOEXEC);
	if (in < 0)
		open_files_fail(err, EX_NOINPUT, "%s: cannot open", c->name);
	else
		failed = run_between(c, in, out, to, err);
	if (in > STDIN_FILENO)
		close(in);
	return pmclog_cmd_close(out, to, failed ? &late : err) ? -1 : failed;
}

static int run(const struct pmclog_cmd *cmd, int argc, char **argv)
{
	const bool compress = cmd == &pmclog_cmd_compress;
	struct copying *c = calloc(1, sizeof(*c));
	struct err err = {0};
	int failed = -1;

	if (!c || (compress && !(c->packer = pmclog_packer_new(PMCLOG_PACK_ZLIB, LEVEL))))
		err_nomem(&err);
	else if ((c->name = pmclog_cmd_log(cmd, argc, argv, true, &err)))
		failed = open_both(c, argc > 2 ? argv[2] : "-", &err);
	if (c) {
		pmclogint_source_free(c->source);
		sink_free(c->sink);
		pmclog_packer_free(c->packer);
	}
	free(c);
	return failed ? pmclog_cmd_fail(&err) : EX_OK;
}

const struct pmclog_cmd pmclog_cmd_compress = {
	.name = "compress",
	.args = "[FILE [NEW]]",
	.summary = "write the log so that it takes a tenth of the room",
	.run = run,
};

const struct pmclog_cmd pmclog_cmd_expand = {
	.name = "expand",
	.args = "[FILE [NEW]]",
	.summary = "write a compressed log as it was before",
	.run = run,
};
