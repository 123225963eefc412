// SPDX-License-Identifier: BSD-2-Clause
/*
 * mklog OUTPUT <SCRIPT: writes a log from readable text (src/pmc/fake/script.h), good or damaged.
 *
 * A script without a pmc statement gets PMC 0x2f01, CLOCK.HARD with call chains at 1000000 ns.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "pmc/pmc.h"
#include "pmc/fake/script.h"

enum { DEFAULT_PMC = 0x2f01 };

struct mklog {
	struct pmclog_writer *writer;
	int fd;
	struct script_player *player;
	uint32_t first; /* PMC */
};

static bool choose_pmc(void *arg, const struct script_stmt *stmt, struct pmclog_chain *chain,
		       uint32_t *pmcid)
{
	const struct mklog *m = arg;

	(void)chain;
	*pmcid = stmt->pmcid == UINT32_MAX ? m->first : stmt->pmcid;
	if (stmt->kind == SCRIPT_EXEC && stmt->pmcid == UINT32_MAX &&
	    PMC_IS_SYSTEM_MODE(PMC_ID_TO_MODE(*pmcid)))
		*pmcid = UINT32_MAX;
	return true;
}

/* Writes len bytes at offset at. */
static int put(const struct mklog *m, const void *data, size_t len, uint64_t at, struct err *err)
{
	ssize_t n = pwrite(m->fd, data, len, (off_t)at);

	if (n == (ssize_t)len)
		return 0;
	return err_set(err, EX_IOERR, "cannot write %zu bytes at %llu: %s", len,
		       (unsigned long long)at, n < 0 ? strerror(errno) : "short write");
}

/* Goes on in another file. */
static int rotate(struct mklog *m, const char *file, struct err *err)
{
	int fd = open(file, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666), r;

	if (fd < 0)
		return err_set(err, EX_CANTCREAT, "%s: %s", file, strerror(errno));
	r = pmclog_writer_rotate(m->writer, fd, file, script_tick(&m->player->clock), err);
	close(m->fd);
	m->fd = fd;
	return r;
}

static int damage(void *arg, const struct script *s, const struct script_stmt *stmt,
		  struct err *err)
{
	const uint8_t *data = stmt->ndata ? s->bytes.v + stmt->data : NULL;
	struct mklog *m = arg;
	struct stat st;
	uint64_t end;

	if (stmt->kind == SCRIPT_ROTATE)
		return rotate(m, stmt->text, err);
	if (pmclog_writer_flush(m->writer, err))
		return -1;
	if (fstat(m->fd, &st))
		return err_set(err, EX_IOERR, "fstat: %s", strerror(errno));
	end = (uint64_t)st.st_size;
	if (stmt->kind == SCRIPT_CUT) {
		if (stmt->a > end)
			return err_set(err, EX_DATAERR, "cut %llu: the log has %llu bytes",
				       (unsigned long long)stmt->a, (unsigned long long)end);
		end -= stmt->a;
		if (ftruncate(m->fd, (off_t)end))
			return err_set(err, EX_IOERR, "ftruncate: %s", strerror(errno));
	} else if (stmt->kind == SCRIPT_POKE) {
		if (stmt->a > end || stmt->ndata > end - stmt->a)
			return err_set(err, EX_DATAERR, "poke %llu: the log has %llu bytes",
				       (unsigned long long)stmt->a, (unsigned long long)end);
		return put(m, data, stmt->ndata, stmt->a, err);
	} else {
		if (put(m, data, stmt->ndata, end, err))
			return -1;
		end += stmt->ndata;
	}
	return lseek(m->fd, (off_t)end, SEEK_SET) < 0
		       ? err_set(err, EX_IOERR, "lseek: %s", strerror(errno))
		       : 0;
}

static void write_head(const struct mklog *m, const struct script *s, struct script_player *p,
		       bool has_pmc)
{
	const struct pmclog_alloc alloc = {
		.pmcid = DEFAULT_PMC,
		.event = 0x20000,
		.flags = PMC_F_CALLCHAIN,
		.rate = 1000000,
		.name = "CLOCK.HARD",
		.spec = "CLOCK.HARD",
	};

	if (s->version_10)
		pmclog_writer_use_version_10(m->writer);
	if (s->no_origin)
		return;
	pmclog_write_initialize(m->writer, script_tick(&p->clock), &s->origin);
	if (!has_pmc)
		pmclog_write_allocatedyn(m->writer, script_tick(&p->clock), &alloc);
}

static int write_log(struct mklog *m, const struct script *s, struct err *err)
{
	struct script_player player = {
		.writer = m->writer, .arg = m, .pmc = choose_pmc, .whole = true, .arguments = true,
		.damage = damage};
	const struct script_stmt *stmt;
	bool has_pmc = false;

	m->player = &player;
	m->first = DEFAULT_PMC;
	vec_each (stmt, &s->stmts)
		if (stmt->kind == SCRIPT_PMC && !has_pmc) {
			m->first = stmt->pmcid;
			has_pmc = true;
		}
	write_head(m, s, &player, has_pmc);
	if (pmcint_script_play(s, &player, err))
		return -1;
	return pmclog_writer_flush(m->writer, err);
}

static int mklog(const char *output, struct err *err)
{
	struct mklog m = {.fd = open(output, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)};
	struct script *s = pmcint_script_load(stdin, "script", true, err);
	int ret = -1;

	if (m.fd < 0)
		err_set(err, EX_CANTCREAT, "%s: %s", output, strerror(errno));
	else if (s && (m.writer = pmclog_writer_new(m.fd, output, err)) &&
		 !pmclog_writer_will_rotate(m.writer, err))
		ret = write_log(&m, s, err);
	pmclog_writer_free(m.writer);
	pmcint_script_free(s);
	if (m.fd >= 0)
		close(m.fd);
	return ret;
}

int main(int argc, char **argv)
{
	struct err err = {0};

	if (argc != 2) {
		fprintf(stderr, "usage: mklog OUTPUT <SCRIPT\n");
		return EX_USAGE;
	}
	if (mklog(argv[1], &err) == 0)
		return 0;
	fprintf(stderr, "mklog: %s\n", err.msg);
	return err.code;
}
