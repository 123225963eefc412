// SPDX-License-Identifier: BSD-2-Clause
/* Lifetimes: every process of a log from its birth to its end, and what it counted by then. */

#include "base/shell_word.h"
#include "base/sink.h"
#include "callgraph/model/state.h"

/* The latest lifetime of a pid; CG_NONE: there is none. */
static uint32_t find(const struct cg_builder *b, uint32_t pid)
{
	const struct table *t = &b->lifetime_of_pid;
	struct table_iter it;
	uint32_t i;

	for (i = table_first(t, hash_u64(pid), &it); i != TABLE_NONE; i = table_next(t, &it))
		if (b->p.lifetimes.v[i].pid == pid)
			return i;
	return CG_NONE;
}

/* A new lifetime of the pid.  CG_NONE when out of memory. */
static uint32_t begin(struct cg_builder *b, uint32_t pid, uint32_t parent, uint64_t tsc)
{
	struct cg_lifetime lifetime = {.pid = pid, .parent = parent, .command = "", .begin = tsc};
	uint32_t before = find(b, pid), i = (uint32_t)b->p.lifetimes.n;

	if (b->p.lifetimes.n >= CG_NONE || vec_push(&b->p.lifetimes, lifetime) ||
	    table_put(&b->lifetime_of_pid, hash_u64(pid), before, i))
		return CG_NONE;
	return i;
}

/* That of a record about a process that lives. */
static uint32_t lifetime_of(struct cg_builder *b, uint32_t pid, uint64_t tsc)
{
	uint32_t i = find(b, pid);

	return i == CG_NONE ? begin(b, pid, CG_NONE, tsc) : i;
}

static int set_command(struct cg_builder *b, uint32_t lifetime, const char *text, size_t len)
{
	uint32_t id = lifetime == CG_NONE ? UINT32_MAX : strpool_id(b->p.pool, text, len);

	if (id == UINT32_MAX)
		return -1;
	b->p.lifetimes.v[lifetime].command = strpool_text(b->p.pool, id);
	return 0;
}

static int set_program(struct cg_builder *b, uint32_t lifetime, const struct pmclog_text *path)
{
	size_t at = path->len;

	if (lifetime == CG_NONE)
		return -1;
	b->p.lifetimes.v[lifetime].has_arguments = false;
	while (at && path->s[at - 1] != '/')
		at--;
	return set_command(b, lifetime, path->s + at, path->len - at);
}

/* Writes arguments as a shell would read them, the program's name without its directory. */
static void write_command_line(struct sink *line, const struct pmclog_text *arguments)
{
	const char *s = arguments->s, *end = s + arguments->len,
		   *nul = memchr(s, '\0', arguments->len);
	const char *slash = memrchr(s, '/', (size_t)((nul ? nul : end) - s));

	if (slash && slash + 1 < (nul ? nul : end))
		s = slash + 1;
	for (;;) {
		nul = memchr(s, '\0', (size_t)(end - s));
		sink_shell_word(line, s, (size_t)((nul ? nul : end) - s));
		if (!nul)
			sink_str(line, "...");
		if (!nul || nul + 1 == end)
			return;
		sink_char(line, ' ');
		s = nul + 1;
	}
}

static int exec_lifetime(struct cg_builder *b, uint32_t lifetime, const struct pmclog_record *rec)
{
	struct sink *line;
	const char *text;
	size_t len;
	int r;

	if (lifetime == CG_NONE)
		return -1;
	if (!rec->u.exec.arguments.len)
		return set_program(b, lifetime, &rec->u.exec.path);
	line = sink_to_memory();
	if (!line)
		return -1;
	write_command_line(line, &rec->u.exec.arguments);
	text = sink_text(line, &len);
	r = sink_flush(line) ? -1 : set_command(b, lifetime, text, len);
	b->p.lifetimes.v[lifetime].has_arguments = true;
	b->p.lifetimes_have_arguments = true;
	sink_free(line);
	return r;
}

/* A program that ran already; what its exec told in this log is more. */
static int attach_lifetime(struct cg_builder *b, uint32_t lifetime, const struct pmclog_text *path)
{
	if (lifetime != CG_NONE && b->p.lifetimes.v[lifetime].has_arguments &&
	    !b->p.lifetimes.v[lifetime].ended)
		return 0;
	return set_program(b, lifetime, path);
}

/* The kernel's name of a program is cut at 15 bytes, and that of a script which runs in another. */
static int set_name(struct cg_builder *b, uint32_t lifetime, const struct pmclog_text *comm)
{
	if (lifetime == CG_NONE)
		return -1;
	if (b->p.lifetimes.v[lifetime].has_arguments || !comm->len ||
	    !strncmp(b->p.lifetimes.v[lifetime].command, comm->s, comm->len))
		return 0;
	return set_command(b, lifetime, comm->s, comm->len);
}

static int fork_lifetime(struct cg_builder *b, const struct pmclog_record *rec)
{
	uint32_t parent = lifetime_of(b, rec->u.fork.oldpid, rec->tsc), child;

	if (parent == CG_NONE)
		return -1;
	child = begin(b, rec->u.fork.newpid, parent, rec->tsc);
	if (child == CG_NONE)
		return -1;
	b->p.lifetimes.v[child].command = b->p.lifetimes.v[parent].command;
	b->p.lifetimes.v[child].has_arguments = b->p.lifetimes.v[parent].has_arguments;
	b->p.lifetimes.v[child].born = true;
	return 0;
}

static int add_count(struct cg_builder *b, const struct pmclog_record *rec)
{
	uint32_t pmc = cg_pmc_find(b, rec->u.exit.pmcid);
	struct cg_lifetime_count count = {.lifetime = lifetime_of(b, rec->u.exit.pid, rec->tsc),
					  .pmcid = rec->u.exit.pmcid,
					  .event = "[unannounced]",
					  .value = rec->u.exit.value};

	if (pmc != CG_NONE) {
		count.event = b->pmcs.v[pmc].announced.name;
		count.descends = b->pmcs.v[pmc].descends;
	}
	return count.lifetime == CG_NONE ? -1 : vec_push(&b->p.lifetime_counts, count);
}

int cg_lifetime_add(struct cg_builder *b, const struct pmclog_record *rec)
{
	uint32_t i;

	switch (rec->type) {
	case PMCLOG_WIRE_INITIALIZE: b->p.ticks = rec->u.init.tsc_freq; return 0;
	case PMCLOG_WIRE_PMCATTACH:
		return attach_lifetime(b, lifetime_of(b, rec->u.attach.pid, rec->tsc),
				       &rec->u.attach.path);
	case PMCLOG_WIRE_PROC_CREATE:
		return set_name(b, lifetime_of(b, rec->u.proc.pid, rec->tsc), &rec->u.proc.comm);
	case PMCLOG_WIRE_PROCFORK: return fork_lifetime(b, rec);
	case PMCLOG_WIRE_PROCEXEC:
		return exec_lifetime(b, lifetime_of(b, rec->u.exec.pid, rec->tsc), rec);
	case PMCLOG_WIRE_PROCEXIT: return add_count(b, rec);
	case PMCLOG_WIRE_SYSEXIT:
		i = find(b, rec->u.sysexit.pid);
		/* A file of a rotated log tells once more what has just exited. */
		if (i != CG_NONE && !b->p.lifetimes.v[i].ended) {
			b->p.lifetimes.v[i].end = rec->tsc;
			b->p.lifetimes.v[i].ended = true;
		}
		return 0;
	default: return 0;
	}
}
