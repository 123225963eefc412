// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pmc.h>
#include <sys/stat.h>
#include <unistd.h>

#include "pmclog/text/assemble.h"

enum { DEFAULT_PMC = 0x2f01 };

/* The file that is written. */
struct assembler {
	struct pmclogint_assembly assembly; /* first: the player has it for both */
	int fd;
	int opened; /* what rotate has opened, or -1 */
};

uint32_t pmclogint_assembly_pmc(const struct pmclogint_assembly *a, enum script_kind kind)
{
	bool system = PMC_IS_SYSTEM_MODE(PMC_ID_TO_MODE(a->first));

	return kind == SCRIPT_DROP || (kind == SCRIPT_EXEC && system) ? UINT32_MAX : a->first;
}

static bool choose_pmc(void *arg, const struct script_stmt *stmt, struct pmclog_chain *chain,
		       uint32_t *pmcid)
{
	const struct pmclogint_assembly *a = arg;

	(void)chain;
	*pmcid = stmt->pmcid;
	if (stmt->pmcid == UINT32_MAX && !stmt->no_pmc)
		*pmcid = pmclogint_assembly_pmc(a, stmt->kind);
	return true;
}

/* Writes len bytes at offset at, or behind what was written. */
static int put(const struct assembler *m, const uint8_t *data, size_t len, off_t at,
	       struct err *err)
{
	ssize_t n;

	for (; len; data += n, len -= (size_t)n, at += at < 0 ? 0 : n) {
		n = at < 0 ? write(m->fd, data, len) : pwrite(m->fd, data, len, at);
		if (n < 0 && errno == EINTR)
			n = 0;
		else if (n <= 0)
			return err_set(err, EX_IOERR, "cannot write %zu bytes: %s", len,
				       n < 0 ? strerror(errno) : "short write");
	}
	return 0;
}

/* Goes on in another file. */
static int rotate(struct assembler *m, const char *file, struct err *err)
{
	int fd = open(file, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666), r;
	struct pmclogint_assembly *a = &m->assembly;

	if (fd < 0)
		return err_set(err, EX_CANTCREAT, "%s: %s", file, strerror(errno));
	r = pmclog_writer_rotate(a->writer, fd, file, script_tick(&a->player.clock), err);
	if (m->opened >= 0)
		close(m->opened);
	m->fd = m->opened = fd;
	return r;
}

/* poke and cut, which change what was written. */
static int change(const struct assembler *m, const struct script_stmt *stmt, const uint8_t *data,
		  struct err *err)
{
	const char *name = stmt->kind == SCRIPT_POKE ? "poke" : "cut";
	struct stat st;
	uint64_t end;

	if (fstat(m->fd, &st) || !S_ISREG(st.st_mode))
		return err_set(err, EX_USAGE, "%s needs a log that is a regular file", name);
	end = (uint64_t)st.st_size;
	if (stmt->a > end || stmt->ndata > end - stmt->a)
		return err_set(err, EX_DATAERR, "%s %" PRIu64 ": the log has %" PRIu64 " bytes",
			       name, stmt->a, end);
	if (stmt->kind == SCRIPT_POKE)
		return put(m, data, stmt->ndata, (off_t)stmt->a, err);
	end -= stmt->a;
	if (!ftruncate(m->fd, (off_t)end) && lseek(m->fd, (off_t)end, SEEK_SET) >= 0)
		return 0;
	return err_set(err, EX_IOERR, "cannot cut: %s", strerror(errno));
}

static int damage(void *arg, const struct script *s, const struct script_stmt *stmt,
		  struct err *err)
{
	const uint8_t *data = stmt->ndata ? s->bytes.v + stmt->data : NULL;
	struct assembler *m = arg;

	if (stmt->kind == SCRIPT_ROTATE)
		return rotate(m, stmt->text, err);
	if (pmclog_writer_flush(m->assembly.writer, err))
		return -1;
	if (stmt->kind == SCRIPT_RAW)
		return put(m, data, stmt->ndata, -1, err);
	return change(m, stmt, data, err);
}

/* Writes the log's first record; that of a PMC where the script says nothing of one. */
static void begin(struct pmclogint_assembly *a)
{
	const struct pmclog_alloc alloc = {
		.pmcid = DEFAULT_PMC,
		.event = 0x20000,
		.flags = PMC_F_CALLCHAIN,
		.rate = 1000000,
		.name = "CLOCK.HARD",
		.spec = "CLOCK.HARD",
	};
	const struct script *s = a->script;
	uint64_t *clock = &a->player.clock;

	a->begun = true;
	*clock = s->begins;
	if (s->version_10)
		pmclog_writer_use_version_10(a->writer);
	if (s->no_origin)
		return;
	pmclog_write_initialize(a->writer, script_tick(clock), &s->origin);
	if (!s->bare && !a->has_pmc)
		pmclog_write_allocatedyn(a->writer, script_tick(clock), &alloc);
}

/* Plays the statements that have come, and forgets them. */
static int play(struct pmclogint_assembly *a, struct err *err)
{
	if (!a->begun)
		begin(a);
	if (pmclog_script_play(a->script, &a->player, err))
		return -1;
	return pmclog_script_forget(a->script, err);
}

int pmclogint_assembly_init(struct pmclogint_assembly *a, struct pmclog_writer *writer,
			    const char *name, bool damage, struct err *err)
{
	*a = (struct pmclogint_assembly){.writer = writer, .first = DEFAULT_PMC};
	a->player = (struct script_player){
		.writer = writer, .arg = a, .pmc = choose_pmc, .whole = true, .arguments = true};
	a->script = pmclog_script_new(name, damage, err);
	return a->script ? 0 : -1;
}

void pmclogint_assembly_fini(struct pmclogint_assembly *a)
{
	pmclog_script_free(a->script);
}

int pmclogint_assembly_add(struct pmclogint_assembly *a, char *line, size_t len, struct err *err)
{
	const size_t before = a->script->stmts.n;
	const struct script_stmt *stmt;

	if (pmclog_script_add(a->script, line, len, err))
		return -1;
	if (a->script->stmts.n == before)
		return 0;
	stmt = &a->script->stmts.v[before];
	if (stmt->kind == SCRIPT_PMC && !a->has_pmc) {
		a->first = stmt->pmcid;
		a->has_pmc = true;
	}
	/* What comes before a PMC can mean it. */
	return a->script->bare || a->has_pmc ? play(a, err) : 0;
}

int pmclogint_assembly_end(struct pmclogint_assembly *a, struct err *err)
{
	return play(a, err);
}

static int assemble(struct assembler *m, FILE *text, const char *name, struct err *err)
{
	char *line = NULL;
	size_t size = 0;
	ssize_t len;
	int ret = 0;

	while (!ret && (len = getline(&line, &size, text)) >= 0)
		ret = pmclogint_assembly_add(&m->assembly, line, (size_t)len, err);
	free(line);
	if (!ret && ferror(text))
		ret = err_set(err, EX_NOINPUT, "%s: %s", name, strerror(errno));
	if (!ret)
		return pmclogint_assembly_end(&m->assembly, err);
	/* What waits for a PMC was said before the mistake. */
	if (!m->assembly.begun)
		pmclogint_assembly_end(&m->assembly, NULL);
	return -1;
}

int pmclog_assemble(FILE *text, const char *name, int fd, const char *output, struct err *err)
{
	struct assembler m = {.fd = fd, .opened = -1};
	struct pmclog_writer *w = pmclog_writer_new(fd, output, err);
	struct err late = {0};
	int ret = -1;

	if (w && !pmclog_writer_will_rotate(w, err) &&
	    !pmclogint_assembly_init(&m.assembly, w, name, true, err)) {
		m.assembly.player.damage = damage;
		ret = assemble(&m, text, name, err);
		if (pmclog_writer_flush(w, ret ? &late : err))
			ret = -1;
	}
	pmclogint_assembly_fini(&m.assembly);
	pmclog_writer_free(w);
	if (m.opened >= 0)
		close(m.opened);
	return ret;
}
