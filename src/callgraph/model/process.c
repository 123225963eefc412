// SPDX-License-Identifier: BSD-2-Clause
/* Processes: names and address spaces over fork, exec, exit and the reuse of pids. */
#include <fnmatch.h>
#include <stdio.h>

#include "callgraph/model/state.h"

static bool is_selected(const struct cg_select *sel, const struct cg_process *proc)
{
	bool by_pid = true, by_comm = true;
	const char *const *comm;
	const uint32_t *pid;

	if (!sel)
		return true;
	if (sel->pids.n) {
		by_pid = false;
		vec_each(pid, &sel->pids)
			by_pid |= *pid == proc->pid;
	}
	if (sel->comms.n) {
		by_comm = false;
		vec_each(comm, &sel->comms)
			by_comm |= !fnmatch(*comm, proc->comm, 0);
	}
	return by_pid && by_comm;
}

static int set_comm(struct cg_builder *b, struct cg_process *proc, const char *comm, size_t len)
{
	uint32_t id = strpool_id(b->p.pool, comm, len);

	if (id == UINT32_MAX)
		return -1;
	proc->comm = strpool_text(b->p.pool, id);
	proc->selected = is_selected(b->select, proc);
	return 0;
}

/* The name of a process that no record has named yet. */
static int set_unknown_comm(struct cg_builder *b, struct cg_process *proc)
{
	char text[32];

	if (!proc->pid)
		return set_comm(b, proc, "swapper", strlen("swapper"));
	/* It is gone, or lives where the recorder's namespace has no number for it. */
	if (proc->pid == UINT32_MAX)
		return set_comm(b, proc, "no-pid", strlen("no-pid"));
	snprintf(text, sizeof(text), "pid-%u", proc->pid);
	return set_comm(b, proc, text, strlen(text));
}

static uint32_t add_process(struct cg_builder *b, uint32_t pid, uint32_t hash)
{
	struct cg_process proc = {.pid = pid, .program = CG_NONE};

	if (vec_push(&b->processes, proc))
		return CG_NONE;
	proc.space = cg_space_new(&b->spaces);
	if (proc.space == UINT32_MAX || set_unknown_comm(b, &proc) ||
	    table_insert(&b->process_of_pid, hash, (uint32_t)(b->processes.n - 1))) {
		b->processes.n--;
		return CG_NONE;
	}
	b->processes.v[b->processes.n - 1] = proc;
	return (uint32_t)(b->processes.n - 1);
}

uint32_t cg_process_of(struct cg_builder *b, uint32_t pid)
{
	uint32_t hash, i;
	struct table_iter it;

	hash = hash_u64(pid);
	for (i = table_first(&b->process_of_pid, hash, &it); i != TABLE_NONE;
	     i = table_next(&b->process_of_pid, &it))
		if (b->processes.v[i].pid == pid)
			break;
	if (i == TABLE_NONE)
		i = add_process(b, pid, hash);
	return i;
}

/* Gives the process an address space that it does not share, empty. */
static int fresh_space(struct cg_builder *b, struct cg_process *proc)
{
	uint32_t space = cg_space_new(&b->spaces);

	if (space == UINT32_MAX)
		return -1;
	cg_space_unref(&b->spaces, proc->space);
	proc->space = space;
	proc->jit_space = 0;
	proc->program = CG_NONE;
	return 0;
}

uint32_t cg_process_living(struct cg_builder *b, uint32_t pid)
{
	uint32_t i = cg_process_of(b, pid);
	struct cg_process *proc;

	if (i == CG_NONE)
		return CG_NONE;
	proc = &b->processes.v[i];
	if (!proc->exited)
		return i;
	proc->exited = false;
	return fresh_space(b, proc) || set_unknown_comm(b, proc) ? CG_NONE : i;
}

int cg_process_name(struct cg_builder *b, uint32_t pid, const char *comm, size_t len)
{
	uint32_t i = cg_process_living(b, pid);

	if (i == CG_NONE)
		return -1;
	return len ? set_comm(b, &b->processes.v[i], comm, len) : 0;
}

int cg_process_fork(struct cg_builder *b, uint32_t parent, uint32_t child)
{
	uint32_t from = cg_process_of(b, parent), to = cg_process_of(b, child);
	struct cg_spaces *spaces = &b->spaces;
	struct cg_process *forker, *forked;

	if (from == CG_NONE || to == CG_NONE)
		return -1;
	if (from == to)
		return 0;
	forker = &b->processes.v[from];
	forked = &b->processes.v[to];
	cg_space_ref(spaces, forker->space);
	cg_space_unref(spaces, forked->space);
	forked->space = forker->space;
	forked->program = forker->program;
	forked->exited = false;
	return set_comm(b, forked, forker->comm, strlen(forker->comm));
}

static int name_by_path(struct cg_builder *b, struct cg_process *proc,
			const struct pmclog_text *path)
{
	size_t at = path->len;

	while (at && path->s[at - 1] != '/')
		at--;
	return at < path->len ? set_comm(b, proc, path->s + at, path->len - at) : 0;
}

int cg_process_exec(struct cg_builder *b, uint32_t pid, const struct pmclog_text *path)
{
	uint32_t i = cg_process_of(b, pid);
	struct cg_process *proc;

	if (i == CG_NONE)
		return -1;
	proc = &b->processes.v[i];
	proc->exited = false;
	return fresh_space(b, proc) || name_by_path(b, proc, path) ? -1 : 0;
}

int cg_process_attach(struct cg_builder *b, uint32_t pid, const struct pmclog_text *path)
{
	uint32_t i = cg_process_living(b, pid);

	return i == CG_NONE ? -1 : name_by_path(b, &b->processes.v[i], path);
}

/* Only the latest of its number and process is found; CG_NONE: there was none. */
static uint32_t find_thread(const struct cg_builder *b, uint32_t pid, uint32_t tid)
{
	struct table_iter it;
	uint32_t i;

	for (i = table_first(&b->thread_of_tid, hash_u64(tid), &it); i != TABLE_NONE;
	     i = table_next(&b->thread_of_tid, &it))
		if (b->threads.v[i].tid == tid && b->threads.v[i].pid == pid)
			return i;
	return CG_NONE;
}

/* Adds one, which takes the place of what had its number in its process before. */
static uint32_t add_thread(struct cg_builder *b, uint32_t pid, uint32_t tid, uint32_t before)
{
	uint32_t i = (uint32_t)b->threads.n;

	if (vec_push(&b->threads, (struct cg_thread){.tid = tid, .pid = pid, .name = ""}) ||
	    table_put(&b->thread_of_tid, hash_u64(tid), before, i))
		return CG_NONE;
	return i;
}

uint32_t cg_thread_of(struct cg_builder *b, uint32_t pid, uint32_t tid)
{
	uint32_t known = find_thread(b, pid, tid);

	return known != CG_NONE ? known : add_thread(b, pid, tid, CG_NONE);
}

int cg_thread_name(struct cg_builder *b, uint32_t pid, uint32_t tid, const char *name, size_t len)
{
	uint32_t id = strpool_id(b->p.pool, name, len), i = find_thread(b, pid, tid);

	if (id == UINT32_MAX)
		return -1;
	/* What has exited has left its number to another one. */
	if (i == CG_NONE || b->threads.v[i].exited)
		i = add_thread(b, pid, tid, i);
	if (i == CG_NONE)
		return -1;
	b->threads.v[i].name = strpool_text(b->p.pool, id);
	return 0;
}

void cg_thread_exit(struct cg_builder *b, uint32_t tid)
{
	struct table_iter it;
	uint32_t i;

	for (i = table_first(&b->thread_of_tid, hash_u64(tid), &it); i != TABLE_NONE;
	     i = table_next(&b->thread_of_tid, &it))
		if (b->threads.v[i].tid == tid)
			b->threads.v[i].exited = true;
}

void cg_threads_resolve(struct cg_builder *b)
{
	struct cg_group *g;

	if (!cg_names_threads(b))
		return;
	vec_each(g, &b->p.groups)
		if (g->tid != g->pid && *b->threads.v[g->life].name)
			g->thread = b->threads.v[g->life].name;
}

int cg_process_exit(struct cg_builder *b, uint32_t pid)
{
	uint32_t i = cg_process_of(b, pid);

	if (i == CG_NONE)
		return -1;
	b->processes.v[i].exited = true;
	return 0;
}
