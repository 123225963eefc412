// SPDX-License-Identifier: BSD-2-Clause
/* Scripts: loading any text, and playing what loads. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "pmclog/text/script.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool choose_pmc(void *arg, const struct script_stmt *stmt, struct pmclog_chain *chain,
		       uint32_t *pmcid)
{
	(void)arg;
	(void)chain;
	*pmcid = stmt->pmcid;
	return true;
}

static int skip_damage(void *arg, const struct script *s, const struct script_stmt *stmt,
		       struct err *err)
{
	(void)arg;
	(void)s;
	(void)stmt;
	(void)err;
	return 0;
}

static void play(struct script *s)
{
	struct script_player p = {.pmc = choose_pmc, .whole = true, .damage = skip_damage};
	int fd = open("/dev/null", O_WRONLY | O_CLOEXEC);
	struct script_stmt *stmt;

	/* Long repeats find nothing that short ones do not. */
	vec_each (stmt, &s->stmts)
		if (stmt->count > 9)
			stmt->count = 9;
	p.writer = pmclog_writer_new(fd, "null", NULL);
	if (p.writer)
		pmclog_script_play(s, &p, NULL);
	pmclog_writer_free(p.writer);
	close(fd);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	FILE *f = size ? fmemopen((void *)(uintptr_t)data, size, "r") : NULL;
	struct err err = {0};
	struct script *s;

	if (!f)
		return 0;
	s = pmclog_script_load(f, "fuzz", true, &err);
	fclose(f);
	if (s)
		play(s);
	else if (!err.code || !err.msg[0])
		abort();
	pmclog_script_free(s);
	return 0;
}
