// SPDX-License-Identifier: BSD-2-Clause
/* A builder from its first record to its profile; what each record does to it. */
#include "callgraph/model/state.h"

static int keep_config(struct cg_builder *b, const struct cg_config *config)
{
	b->select = config->select;
	b->by_sample = b->select && (b->select->tids.n || b->select->cpus.n ||
				     b->select->time_from > 0 || b->select->time_to > 0);
	b->keys = config->keys;
	b->tid_mask = config->keys & CG_KEY_TID ? UINT32_MAX : 0;
	b->cpu_mask = config->keys & CG_KEY_CPU ? UINT32_MAX : 0;
	b->timeline = config->timeline;
	b->moments = config->moments;
	b->lifetimes = config->lifetimes;
	b->scale = config->scale;
	b->secret = hash_secret();
	b->p.progress = config->progress;
	b->time_to = UINT64_MAX;
	b->symbols = config->symbols;
	return cg_symbols_move(b, b->p.pool);
}

struct cg_builder *cg_builder_new(const struct cg_config *config, struct err *err)
{
	struct cg_builder *b = calloc(1, sizeof(*b));

	if (!b || !(b->p.pool = strpool_new()) || cg_spaces_init(&b->spaces) ||
	    cg_spaces_init(&b->jit_spaces) ||
	    !(b->cache = calloc(CG_LOCATION_CACHE, sizeof(*b->cache))) || keep_config(b, config)) {
		cg_builder_free(b);
		err_nomem(err);
		return NULL;
	}
	b->epoch = 1;
	return b;
}

static void free_tables(struct cg_builder *b)
{
	struct table *tables[] = {
		&b->event_of_name,   &b->pmc_of_id,	      &b->pmcs_alike,
		&b->pace_of_pmc,     &b->process_of_pid,      &b->thread_of_tid,
		&b->lifetime_of_pid, &b->image_of_ref,	      &b->group_of_key,
		&b->stack_of_chain,  &b->location_of_address, &b->function_of_start};
	size_t i;

	for (i = 0; i < sizeof(tables) / sizeof(tables[0]); i++)
		table_clear(tables[i]);
}

void cg_builder_free(struct cg_builder *b)
{
	if (!b)
		return;
	free_tables(b);
	cg_profile_fini(&b->p);
	pmclog_appendix_fini(&b->appendix);
	vec_free(&b->pmcs);
	vec_free(&b->paces);
	vec_free(&b->processes);
	vec_free(&b->threads);
	vec_free(&b->jit_processes);
	cg_spaces_fini(&b->spaces);
	cg_spaces_fini(&b->jit_spaces);
	free(b->cache);
	free(b);
}

static int keep_text(struct cg_builder *b, const struct pmclog_text *text, const char **kept)
{
	return strpool_keep(b->p.pool, text->s, text->len, kept);
}

/* Where the log comes from decides whether this machine's kallsyms and files are the right ones. */
static int note_origin(struct cg_builder *b, const struct pmclog_record *rec)
{
	struct cg_origin *o = &b->p.origin;

	cg_timeline_start(b, rec);
	b->maps_programs = o->of_freebsd = !rec->u.init.maps_at_exec;
	o->time = rec->u.init.ts_sec;
	if (keep_text(b, &rec->u.init.host, &o->host) ||
	    keep_text(b, &rec->u.init.release, &o->release) ||
	    keep_text(b, &rec->u.init.command, &o->command) ||
	    keep_text(b, &rec->u.init.collector, &o->collector))
		return -1;
	if (!b->symbols.log_host && keep_text(b, &rec->u.init.host, &b->symbols.log_host))
		return -1;
	if (!b->symbols.log_machine && keep_text(b, &rec->u.init.machine, &b->symbols.log_machine))
		return -1;
	if (b->symbols.log_boot_id)
		return 0;
	return keep_text(b, &rec->u.init.boot_id, &b->symbols.log_boot_id);
}

/* The name of a process is that of its main thread. */
static int name_thread(struct cg_builder *b, const struct pmclog_record *rec)
{
	if (rec->u.thr.tid != rec->u.thr.pid)
		return cg_thread_name(b, rec->u.thr.pid, rec->u.thr.tid, rec->u.thr.name.s,
				      rec->u.thr.name.len);
	return cg_process_name(b, rec->u.thr.pid, rec->u.thr.name.s, rec->u.thr.name.len);
}

static int add(struct cg_builder *b, const struct pmclog_record *rec)
{
	b->epoch++;
	/* What was sampled before means the maps and processes as they are now. */
	if (cg_samples_flush(b) || (b->lifetimes && cg_lifetime_add(b, rec)))
		return -1;
	switch (rec->type) {
	case PMCLOG_WIRE_INITIALIZE: return note_origin(b, rec);
	case PMCLOG_WIRE_CLOSELOG: b->p.quality.closed = true; return 0;
	case PMCLOG_WIRE_PMCALLOCATE:
	case PMCLOG_WIRE_PMCALLOCATEDYN: return cg_pmc_announce(b, rec);
	case PMCLOG_WIRE_PMCATTACH:
		return cg_process_attach(b, rec->u.attach.pid, &rec->u.attach.path) ||
				       cg_ran_add(b, rec)
			       ? -1
			       : 0;
	case PMCLOG_WIRE_PMCDETACH: return cg_ran_add(b, rec);
	case PMCLOG_WIRE_PROC_CREATE:
		return cg_process_name(b, rec->u.proc.pid, rec->u.proc.comm.s,
				       rec->u.proc.comm.len);
	case PMCLOG_WIRE_THR_CREATE: return name_thread(b, rec);
	case PMCLOG_WIRE_THR_EXIT: cg_thread_exit(b, rec->u.thr.tid); return 0;
	case PMCLOG_WIRE_PROCFORK:
		cg_jit_end(b, rec->u.fork.newpid, rec->tsc);
		return cg_process_fork(b, rec->u.fork.oldpid, rec->u.fork.newpid) ||
				       cg_jit_fork(b, rec->u.fork.oldpid, rec->u.fork.newpid)
			       ? -1
			       : 0;
	case PMCLOG_WIRE_PROCEXEC:
		cg_jit_end(b, rec->u.exec.pid, rec->tsc);
		return cg_process_exec(b, rec->u.exec.pid, &rec->u.exec.path) ||
				       (b->maps_programs && cg_exec_map(b, rec))
			       ? -1
			       : 0;
	case PMCLOG_WIRE_SYSEXIT:
		cg_jit_end(b, rec->u.sysexit.pid, rec->tsc);
		return cg_process_exit(b, rec->u.sysexit.pid);
	case PMCLOG_WIRE_MAP_IN: return cg_map_in(b, rec);
	case PMCLOG_WIRE_MAP_OUT: return cg_map_out(b, rec);
	case PMCLOG_WIRE_DROPNOTIFY:
		pmclog_drops_add(&b->p.quality.drops, rec);
		cg_times_add(b, rec);
		return 0;
	default: return 0;
	}
}

void cg_builder_left_out(struct cg_builder *b, const struct pmclog_left_out *left_out)
{
	b->p.quality.samples += left_out->samples;
	if (left_out->last > b->time_last)
		b->time_last = left_out->last;
}

double cg_builder_seconds(const struct cg_builder *b)
{
	return cg_seconds_of(b, b->time_last);
}

int cg_builder_machine(struct cg_builder *b, const struct pmclog_machine *machine, struct err *err)
{
	struct cg_origin *o = &b->p.origin;

	if (strpool_keep(b->p.pool, machine->cpu, strlen(machine->cpu), &o->cpu) ||
	    (*machine->release && !(o->release = strpool_intern(b->p.pool, machine->release))))
		return err_nomem(err);
	return 0;
}

int cg_builder_add(struct cg_builder *b, const struct pmclog_record *rec, struct err *err)
{
	int bad;

	if (rec->type == PMCLOG_WIRE_APPENDIX)
		return cg_appendix_add(b, rec, err);
	bad = rec->type == PMCLOG_WIRE_CALLCHAIN ? cg_sample_add(b, rec) : add(b, rec);
	if (rec->tsc > b->time_last)
		b->time_last = rec->tsc;
	return bad ? err_nomem(err) : 0;
}

const struct cg_profile *cg_builder_look(struct cg_builder *b, struct err *err)
{
	if (!cg_samples_flush(b) && !cg_resolve(b))
		return &b->p;
	err_nomem(err);
	return NULL;
}

/* What outputs say of PMCs that only counted, too. */
static int keep_pmc_times(struct cg_builder *b)
{
	const struct cg_pmc *pmc;

	vec_each(pmc, &b->pmcs)
		if (vec_push(&b->p.pmc_times,
			     (struct cg_pmc_times){pmc->pmcid, pmc->times, pmc->untold}))
			return -1;
	return 0;
}

struct cg_profile *cg_builder_finish(struct cg_builder *b, struct err *err)
{
	struct cg_profile *p = NULL;

	if (!cg_samples_flush(b) && !(b->scale && cg_times_scale(b)) && !cg_resolve(b) &&
	    !cg_jit_keep(b) && !keep_pmc_times(b) && (p = malloc(sizeof(*p)))) {
		*p = b->p;
		b->p = (struct cg_profile){0};
	} else {
		err_nomem(err);
	}
	cg_builder_free(b);
	return p;
}
