// SPDX-License-Identifier: BSD-2-Clause
/* Lives: every process of a log from its birth to its end, and what it counted by then. */
#include "callgraph/state.h"

/* The latest life of a pid; CG_NONE: there is none. */
static uint32_t find(const struct cg_profile *p, uint32_t pid)
{
	const struct table *t = &p->state->life_of_pid;
	uint32_t i, latest = CG_NONE;
	struct table_iter it;

	for (i = table_first(t, hash_u64(pid), &it); i != TABLE_NONE; i = table_next(t, &it))
		if (p->lives.v[i].pid == pid && (latest == CG_NONE || i > latest))
			latest = i;
	return latest;
}

/* A new life of the pid.  CG_NONE when out of memory. */
static uint32_t begin(struct cg_profile *p, uint32_t pid, uint32_t parent, uint64_t tsc)
{
	struct cg_life life = {.pid = pid, .parent = parent, .command = "", .begin = tsc};

	if (p->lives.n >= CG_NONE || vec_push(&p->lives, life) ||
	    table_insert(&p->state->life_of_pid, hash_u64(pid), (uint32_t)(p->lives.n - 1)))
		return CG_NONE;
	return (uint32_t)(p->lives.n - 1);
}

/* That of a record about a process that lives. */
static uint32_t life_of(struct cg_profile *p, uint32_t pid, uint64_t tsc)
{
	uint32_t i = find(p, pid);

	return i == CG_NONE ? begin(p, pid, CG_NONE, tsc) : i;
}

static int set_command(struct cg_profile *p, uint32_t life, const char *text, size_t len)
{
	uint32_t id = life == CG_NONE ? UINT32_MAX : strpool_id(p->state->pool, text, len);

	if (id == UINT32_MAX)
		return -1;
	p->lives.v[life].command = strpool_text(p->state->pool, id);
	return 0;
}

static int set_program(struct cg_profile *p, uint32_t life, const struct pmclog_text *path)
{
	size_t at = path->len;

	while (at && path->s[at - 1] != '/')
		at--;
	return set_command(p, life, path->s + at, path->len - at);
}

/* The kernel's name of a program is cut at 15 bytes, and that of a script which runs in another. */
static int set_name(struct cg_profile *p, uint32_t life, const struct pmclog_text *comm)
{
	if (life == CG_NONE)
		return -1;
	if (!comm->len || !strncmp(p->lives.v[life].command, comm->s, comm->len))
		return 0;
	return set_command(p, life, comm->s, comm->len);
}

static int fork_life(struct cg_profile *p, const struct pmclog_record *rec)
{
	uint32_t parent = life_of(p, rec->u.fork.oldpid, rec->tsc), child;

	if (parent == CG_NONE)
		return -1;
	child = begin(p, rec->u.fork.newpid, parent, rec->tsc);
	if (child == CG_NONE)
		return -1;
	p->lives.v[child].command = p->lives.v[parent].command;
	p->lives.v[child].born = true;
	return 0;
}

static int add_count(struct cg_profile *p, const struct pmclog_record *rec)
{
	uint32_t pmc = cg_pmc_find(p, rec->u.exit.pmcid);
	struct cg_life_count count = {.life = life_of(p, rec->u.exit.pid, rec->tsc),
				      .pmcid = rec->u.exit.pmcid,
				      .event = "[unannounced]",
				      .value = rec->u.exit.value};

	if (pmc != CG_NONE) {
		count.event = p->events.v[p->state->pmcs.v[pmc].event].name;
		count.descends = p->state->pmcs.v[pmc].descends;
	}
	return count.life == CG_NONE ? -1 : vec_push(&p->life_counts, count);
}

int cg_life_add(struct cg_profile *p, const struct pmclog_record *rec)
{
	uint32_t i;

	switch (rec->type) {
	case PMCLOG_WIRE_INITIALIZE: p->ticks = rec->u.init.tsc_freq; return 0;
	case PMCLOG_WIRE_PMCATTACH:
		return set_program(p, life_of(p, rec->u.attach.pid, rec->tsc), &rec->u.attach.path);
	case PMCLOG_WIRE_PROC_CREATE:
		return set_name(p, life_of(p, rec->u.proc.pid, rec->tsc), &rec->u.proc.comm);
	case PMCLOG_WIRE_PROCFORK: return fork_life(p, rec);
	case PMCLOG_WIRE_PROCEXEC:
		return set_program(p, life_of(p, rec->u.exec.pid, rec->tsc), &rec->u.exec.path);
	case PMCLOG_WIRE_PROCEXIT: return add_count(p, rec);
	case PMCLOG_WIRE_SYSEXIT:
		i = find(p, rec->u.sysexit.pid);
		if (i != CG_NONE) {
			p->lives.v[i].end = rec->tsc;
			p->lives.v[i].ended = true;
		}
		return 0;
	default: return 0;
	}
}
