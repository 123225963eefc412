// SPDX-License-Identifier: BSD-2-Clause
/* A profile from its first record to its end; what each record does to it. */
#include "callgraph/model/state.h"

/* Copies a text of the configuration.  0, or -1 when out of memory. */
static int keep(struct strpool *pool, const char **text)
{
	if (!*text)
		return 0;
	*text = strpool_intern(pool, *text);
	return *text ? 0 : -1;
}

static int keep_config(struct cg_state *st, const struct cg_config *config)
{
	struct symbol_config *s = &st->symbols;

	st->select = config->select;
	st->by_sample = st->select && (st->select->tids.n || st->select->cpus.n ||
				       st->select->time_from > 0 || st->select->time_to > 0);
	st->keys = config->keys;
	st->tid_mask = config->keys & CG_KEY_TID ? UINT32_MAX : 0;
	st->cpu_mask = config->keys & CG_KEY_CPU ? UINT32_MAX : 0;
	st->timeline = config->timeline;
	st->moments = config->moments;
	st->lives = config->lives;
	st->progress = config->progress;
	st->time_to = UINT64_MAX;
	*s = config->symbols;
	return keep(st->pool, &s->fsroot) || keep(st->pool, &s->kernel) ||
			       keep(st->pool, &s->debug_dir) || keep(st->pool, &s->log_boot_id)
		       ? -1
		       : 0;
}

struct cg_profile *cg_profile_new(const struct cg_config *config, struct err *err)
{
	struct cg_profile *p = calloc(1, sizeof(*p));
	struct cg_state *st = calloc(1, sizeof(*st));

	if (p)
		p->state = st;
	if (!p || !st || !(st->pool = strpool_new()) || cg_spaces_init(&st->spaces) ||
	    cg_spaces_init(&st->jit_spaces) ||
	    !(st->cache = calloc(CG_LOCATION_CACHE, sizeof(*st->cache))) ||
	    keep_config(st, config)) {
		if (!p)
			free(st);
		cg_profile_free(p);
		err_nomem(err);
		return NULL;
	}
	st->epoch = 1;
	return p;
}

static void free_state(struct cg_state *st)
{
	struct table *tables[] = {&st->event_of_name,	    &st->pmc_of_id,
				  &st->process_of_pid,	    &st->thread_of_tid,
				  &st->life_of_pid,	    &st->image_of_ref,
				  &st->group_of_key,	    &st->stack_of_chain,
				  &st->location_of_address, &st->function_of_start};
	size_t i;

	for (i = 0; i < sizeof(tables) / sizeof(tables[0]); i++)
		table_clear(tables[i]);
	vec_free(&st->pmcs);
	vec_free(&st->processes);
	vec_free(&st->threads);
	vec_free(&st->jit_processes);
	cg_spaces_fini(&st->spaces);
	cg_spaces_fini(&st->jit_spaces);
	symbol_store_free(st->store);
	strpool_free(st->pool);
	free(st->cache);
	free(st);
}

void cg_profile_free(struct cg_profile *p)
{
	if (!p)
		return;
	if (p->state)
		free_state(p->state);
	vec_free(&p->events);
	vec_free(&p->groups);
	vec_free(&p->stacks);
	vec_free(&p->words);
	vec_free(&p->locations_of);
	vec_free(&p->by_event);
	vec_free(&p->locations);
	vec_free(&p->functions);
	vec_free(&p->images);
	vec_free(&p->frames);
	vec_free(&p->lives);
	vec_free(&p->life_counts);
	vec_free(&p->moments);
	cg_timeline_fini(&p->timeline);
	free(p);
}

/* NULL where there is none, or no memory. */
static const char *pooled(struct cg_profile *p, const struct pmclog_text *text)
{
	uint32_t id = text->len ? strpool_id(p->state->pool, text->s, text->len) : UINT32_MAX;

	return id == UINT32_MAX ? NULL : strpool_text(p->state->pool, id);
}

static void keep_origin(struct cg_profile *p, const struct pmclog_record *rec)
{
	p->origin = (struct cg_origin){.host = pooled(p, &rec->u.init.host),
				       .release = pooled(p, &rec->u.init.release),
				       .command = pooled(p, &rec->u.init.command),
				       .time = rec->u.init.ts_sec};
}

/* Where the log comes from decides whether this machine's kallsyms are the right ones. */
static int note_origin(struct cg_profile *p, const struct pmclog_record *rec)
{
	struct pmclog_text boot = rec->u.init.boot_id;
	uint32_t id;

	cg_timeline_start(p, rec);
	keep_origin(p, rec);
	p->state->maps_programs = !rec->u.init.maps_at_exec;
	if (p->state->symbols.log_boot_id || !boot.len)
		return 0;
	id = strpool_id(p->state->pool, boot.s, boot.len);
	if (id == UINT32_MAX)
		return -1;
	p->state->symbols.log_boot_id = strpool_text(p->state->pool, id);
	return 0;
}

/* The name of a process is that of its main thread. */
static int name_thread(struct cg_profile *p, const struct pmclog_record *rec)
{
	if (rec->u.thr.tid != rec->u.thr.pid)
		return cg_thread_name(p, rec->u.thr.pid, rec->u.thr.tid, rec->u.thr.name.s,
				      rec->u.thr.name.len);
	return cg_process_name(p, rec->u.thr.pid, rec->u.thr.name.s, rec->u.thr.name.len);
}

static int add(struct cg_profile *p, const struct pmclog_record *rec)
{
	p->state->epoch++;
	/* What was sampled before means the maps and processes as they are now. */
	if (cg_samples_flush(p) || (p->state->lives && cg_lifetime_add(p, rec)))
		return -1;
	switch (rec->type) {
	case PMCLOG_WIRE_INITIALIZE: return note_origin(p, rec);
	case PMCLOG_WIRE_PMCALLOCATE:
	case PMCLOG_WIRE_PMCALLOCATEDYN: return cg_pmc_announce(p, rec);
	case PMCLOG_WIRE_PMCATTACH:
		return cg_process_attach(p, rec->u.attach.pid, &rec->u.attach.path) ||
				       cg_ran_add(p, rec)
			       ? -1
			       : 0;
	case PMCLOG_WIRE_PMCDETACH: return cg_ran_add(p, rec);
	case PMCLOG_WIRE_PROC_CREATE:
		return cg_process_name(p, rec->u.proc.pid, rec->u.proc.comm.s,
				       rec->u.proc.comm.len);
	case PMCLOG_WIRE_THR_CREATE: return name_thread(p, rec);
	case PMCLOG_WIRE_THR_EXIT: cg_thread_exit(p, rec->u.thr.tid); return 0;
	case PMCLOG_WIRE_PROCFORK:
		return cg_process_fork(p, rec->u.fork.oldpid, rec->u.fork.newpid) ||
				       cg_jit_fork(p, rec->u.fork.oldpid, rec->u.fork.newpid)
			       ? -1
			       : 0;
	case PMCLOG_WIRE_PROCEXEC:
		cg_jit_end(p, rec->u.exec.pid, rec->tsc);
		return cg_process_exec(p, rec->u.exec.pid, &rec->u.exec.path) ||
				       (p->state->maps_programs && cg_exec_map(p, rec))
			       ? -1
			       : 0;
	case PMCLOG_WIRE_SYSEXIT:
		cg_jit_end(p, rec->u.sysexit.pid, rec->tsc);
		return cg_process_exit(p, rec->u.sysexit.pid);
	case PMCLOG_WIRE_MAP_IN: return cg_map_in(p, rec);
	case PMCLOG_WIRE_MAP_OUT: return cg_map_out(p, rec);
	case PMCLOG_WIRE_DROPNOTIFY:
		pmclog_drops_add(&p->quality.drops, rec);
		cg_times_add(p, rec);
		return 0;
	default: return 0;
	}
}

void cg_profile_left_out(struct cg_profile *p, const struct pmclog_left_out *left_out)
{
	p->quality.samples += left_out->samples;
	if (left_out->last > p->state->time_last)
		p->state->time_last = left_out->last;
}

int cg_profile_add(struct cg_profile *p, const struct pmclog_record *rec, struct err *err)
{
	struct cg_state *st = p->state;
	int bad = rec->type == PMCLOG_WIRE_CALLCHAIN ? cg_sample_add(p, rec) : add(p, rec);

	if (rec->tsc > st->time_last)
		st->time_last = rec->tsc;
	return bad ? err_nomem(err) : 0;
}
