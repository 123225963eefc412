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

static int set_comm(struct cg_profile *p, struct cg_process *proc, const char *comm, size_t len)
{
	uint32_t id = strpool_id(p->state->pool, comm, len);

	if (id == UINT32_MAX)
		return -1;
	proc->comm = strpool_text(p->state->pool, id);
	proc->selected = is_selected(p->state->select, proc);
	return 0;
}

/* The name of a process that no record has named yet. */
static int set_unknown_comm(struct cg_profile *p, struct cg_process *proc)
{
	char text[32];
	int n = proc->pid ? snprintf(text, sizeof(text), "pid-%u", proc->pid)
			  : snprintf(text, sizeof(text), "swapper");

	return set_comm(p, proc, text, (size_t)n);
}

static uint32_t add_process(struct cg_profile *p, uint32_t pid, uint32_t hash)
{
	struct cg_state *st = p->state;
	struct cg_process proc = {.pid = pid, .program = CG_NONE};

	if (vec_push(&st->processes, proc))
		return CG_NONE;
	proc.space = cg_space_new(&st->spaces);
	if (proc.space == UINT32_MAX || set_unknown_comm(p, &proc) ||
	    table_insert(&st->process_of_pid, hash, (uint32_t)(st->processes.n - 1))) {
		st->processes.n--;
		return CG_NONE;
	}
	st->processes.v[st->processes.n - 1] = proc;
	return (uint32_t)(st->processes.n - 1);
}

uint32_t cg_process_of(struct cg_profile *p, uint32_t pid)
{
	struct cg_state *st = p->state;
	uint32_t hash, i;
	struct table_iter it;

	hash = hash_u64(pid);
	for (i = table_first(&st->process_of_pid, hash, &it); i != TABLE_NONE;
	     i = table_next(&st->process_of_pid, &it))
		if (st->processes.v[i].pid == pid)
			break;
	if (i == TABLE_NONE)
		i = add_process(p, pid, hash);
	return i;
}

/* Gives the process an address space that it does not share, empty. */
static int fresh_space(struct cg_profile *p, struct cg_process *proc)
{
	uint32_t space = cg_space_new(&p->state->spaces);

	if (space == UINT32_MAX)
		return -1;
	cg_space_unref(&p->state->spaces, proc->space);
	proc->space = space;
	proc->jit_space = 0;
	proc->program = CG_NONE;
	return 0;
}

uint32_t cg_process_living(struct cg_profile *p, uint32_t pid)
{
	uint32_t i = cg_process_of(p, pid);
	struct cg_process *proc;

	if (i == CG_NONE)
		return CG_NONE;
	proc = &p->state->processes.v[i];
	if (!proc->exited)
		return i;
	proc->exited = false;
	return fresh_space(p, proc) || set_unknown_comm(p, proc) ? CG_NONE : i;
}

int cg_process_name(struct cg_profile *p, uint32_t pid, const char *comm, size_t len)
{
	uint32_t i = cg_process_living(p, pid);

	if (i == CG_NONE)
		return -1;
	return len ? set_comm(p, &p->state->processes.v[i], comm, len) : 0;
}

int cg_process_fork(struct cg_profile *p, uint32_t parent, uint32_t child)
{
	uint32_t from = cg_process_of(p, parent), to = cg_process_of(p, child);
	struct cg_spaces *spaces = &p->state->spaces;
	struct cg_process *a, *b;

	if (from == CG_NONE || to == CG_NONE)
		return -1;
	if (from == to)
		return 0;
	a = &p->state->processes.v[from];
	b = &p->state->processes.v[to];
	cg_space_ref(spaces, a->space);
	cg_space_unref(spaces, b->space);
	b->space = a->space;
	b->program = a->program;
	b->exited = false;
	return set_comm(p, b, a->comm, strlen(a->comm));
}

static int name_by_path(struct cg_profile *p, struct cg_process *proc,
			const struct pmclog_text *path)
{
	size_t at = path->len;

	while (at && path->s[at - 1] != '/')
		at--;
	return at < path->len ? set_comm(p, proc, path->s + at, path->len - at) : 0;
}

int cg_process_exec(struct cg_profile *p, uint32_t pid, const struct pmclog_text *path)
{
	uint32_t i = cg_process_of(p, pid);
	struct cg_process *proc;

	if (i == CG_NONE)
		return -1;
	proc = &p->state->processes.v[i];
	proc->exited = false;
	return fresh_space(p, proc) || name_by_path(p, proc, path) ? -1 : 0;
}

int cg_process_attach(struct cg_profile *p, uint32_t pid, const struct pmclog_text *path)
{
	uint32_t i = cg_process_living(p, pid);

	return i == CG_NONE ? -1 : name_by_path(p, &p->state->processes.v[i], path);
}

static struct cg_thread *find_thread(const struct cg_state *st, uint32_t tid)
{
	struct table_iter it;
	uint32_t i;

	for (i = table_first(&st->thread_of_tid, hash_u64(tid), &it); i != TABLE_NONE;
	     i = table_next(&st->thread_of_tid, &it))
		if (st->threads.v[i].tid == tid)
			return &st->threads.v[i];
	return NULL;
}

int cg_thread_name(struct cg_profile *p, uint32_t pid, uint32_t tid, const char *name, size_t len)
{
	struct cg_state *st = p->state;
	uint32_t id = strpool_id(st->pool, name, len);
	struct cg_thread *known = find_thread(st, tid), thread = {.tid = tid, .pid = pid};

	if (id == UINT32_MAX)
		return -1;
	thread.name = strpool_text(st->pool, id);
	if (known)
		*known = thread;
	else if (vec_push(&st->threads, thread) ||
		 table_insert(&st->thread_of_tid, hash_u64(tid), (uint32_t)(st->threads.n - 1)))
		return -1;
	return 0;
}

void cg_thread_exit(struct cg_profile *p, uint32_t tid)
{
	struct cg_thread *thread = find_thread(p->state, tid);

	if (thread)
		thread->exited = true;
}

void cg_threads_resolve(struct cg_profile *p)
{
	const struct cg_thread *thread;
	struct cg_group *g;

	if (!(p->state->keys & CG_KEY_PID) || !(p->state->keys & CG_KEY_TID))
		return;
	vec_each(g, &p->groups) {
		thread = g->tid == g->pid ? NULL : find_thread(p->state, g->tid);
		if (thread && thread->pid == g->pid && *thread->name)
			g->thread = thread->name;
	}
}

int cg_process_exit(struct cg_profile *p, uint32_t pid)
{
	uint32_t i = cg_process_of(p, pid);

	if (i == CG_NONE)
		return -1;
	p->state->processes.v[i].exited = true;
	return 0;
}
