// SPDX-License-Identifier: BSD-2-Clause
#include "pmclog/text/script.h"

static void play_pmc(struct script_player *p, const struct script_stmt *stmt)
{
	struct pmclog_alloc alloc = {
		.pmcid = stmt->pmcid,
		.event = stmt->event,
		.flags = stmt->flags,
		.frequency = stmt->frequency,
		.max_depth = stmt->depth,
		.rate = stmt->a,
		.name = stmt->text,
		.spec = stmt->spec ? stmt->spec : stmt->text,
		.host = stmt->host,
	};

	pmclog_write_allocatedyn(p->writer, script_tick(&p->clock), &alloc);
}

static void play_sample(const struct script *s, struct script_player *p,
			const struct script_stmt *stmt)
{
	struct pmclog_chain chain = {
		.pid = stmt->pid,
		.tid = stmt->tid,
		.cpu = stmt->cpu,
		.usermode = !stmt->kernel,
		.npcs = (uint32_t)stmt->ndata,
		.pcs = stmt->ndata ? s->pcs.v + stmt->data : NULL,
		.end = stmt->end,
		.stitched = stmt->stitched,
		.guessed = stmt->guessed,
		.exact = stmt->exact,
	};
	uint64_t i;

	for (i = 0; i < stmt->count; i++)
		if (p->pmc(p->arg, stmt, &chain, &chain.pmcid))
			pmclog_write_callchain(p->writer, script_tick(&p->clock), &chain);
}

static void play_map(const struct script *s, struct script_player *p,
		     const struct script_stmt *stmt)
{
	struct pmclog_map map = {
		.pid = stmt->pid,
		.start = stmt->a,
		.length = stmt->b,
		.file_offset = stmt->offset,
		.device = stmt->device,
		.inode = stmt->inode,
		.path = stmt->text,
		.symbol = stmt->spec,
		.build_id = stmt->ndata ? s->bytes.v + stmt->data : NULL,
		.build_id_len = stmt->ndata,
	};

	pmclog_write_map_in(p->writer, script_tick(&p->clock), &map);
}

static void play_exec(const struct script *s, struct script_player *p,
		      const struct script_stmt *stmt, uint32_t pmcid)
{
	struct pmclog_exec exec = {
		.pid = stmt->pid, .pmcid = pmcid, .entry = stmt->a, .path = stmt->text};

	if (p->arguments && stmt->ndata) {
		exec.arguments = (const char *)s->bytes.v + stmt->data;
		exec.arguments_len = stmt->ndata;
	}
	pmclog_write_procexec(p->writer, script_tick(&p->clock), &exec);
}

/* The statements that are about one process and no PMC, or need one that was found already. */
static void play_plain(struct script_player *p, const struct script_stmt *stmt, uint32_t pmcid)
{
	struct pmclog_writer *w = p->writer;
	uint64_t tsc = script_tick(&p->clock);

	switch (stmt->kind) {
	case SCRIPT_ATTACH: pmclog_write_attach(w, tsc, pmcid, stmt->pid, stmt->text); break;
	case SCRIPT_DETACH:
		pmclog_write_detach(w, tsc, pmcid, stmt->pid,
				    stmt->has_times ? &stmt->times : NULL);
		break;
	case SCRIPT_PROC: pmclog_write_proc_create(w, tsc, stmt->pid, stmt->text); break;
	case SCRIPT_THREAD:
		pmclog_write_thr_create(w, tsc, stmt->tid, stmt->pid, stmt->text);
		break;
	case SCRIPT_THREAD_EXIT: pmclog_write_thr_exit(w, tsc, stmt->tid); break;
	case SCRIPT_UNMAP: pmclog_write_map_out(w, tsc, stmt->pid, stmt->a, stmt->b); break;
	case SCRIPT_FORK: pmclog_write_procfork(w, tsc, stmt->pid, stmt->tid); break;
	case SCRIPT_EXIT: pmclog_write_sysexit(w, tsc, stmt->pid); break;
	case SCRIPT_EXITVAL: pmclog_write_procexit(w, tsc, pmcid, stmt->pid, stmt->a); break;
	case SCRIPT_CSW: pmclog_write_proccsw(w, tsc, pmcid, stmt->pid, stmt->tid, stmt->a); break;
	case SCRIPT_USER: pmclog_write_userdata(w, tsc, (uint32_t)stmt->a); break;
	case SCRIPT_CLOSE: pmclog_write_closelog(w, tsc); break;
	default: break;
	}
}

static void play_drop(struct script_player *p, const struct script_stmt *stmt, uint32_t pmcid)
{
	struct pmclog_drop drop = {
		.cpu = stmt->cpu,
		.cause = stmt->cause,
		.pmcid = stmt->pmcid == UINT32_MAX ? UINT32_MAX : pmcid,
		.count = stmt->a,
		.paused = stmt->paused,
	};

	if (stmt->kind == SCRIPT_SHARED) {
		drop.cause = PMCLOG_DROP_SHARED;
		drop.pmcid = pmcid;
		drop.count = 0;
		drop.enabled = stmt->a;
		drop.running = stmt->b;
	}
	pmclog_write_dropnotify(p->writer, script_tick(&p->clock), &drop);
}

static bool needs_pmc(enum script_kind kind)
{
	return kind == SCRIPT_ATTACH || kind == SCRIPT_DETACH || kind == SCRIPT_EXEC ||
	       kind == SCRIPT_EXITVAL || kind == SCRIPT_CSW || kind == SCRIPT_DROP ||
	       kind == SCRIPT_SHARED;
}

static int play(const struct script *s, struct script_player *p, const struct script_stmt *stmt,
		struct err *err)
{
	uint32_t pmcid = UINT32_MAX;

	if (stmt->has_time)
		p->clock = stmt->time;
	if (needs_pmc(stmt->kind) && !p->pmc(p->arg, stmt, NULL, &pmcid))
		return 0;
	switch (stmt->kind) {
	case SCRIPT_TIME: p->clock = stmt->a; return 0;
	case SCRIPT_COUNT:
	case SCRIPT_TICK:
	case SCRIPT_ABSENT:
	case SCRIPT_COUNTERS: return 0;
	case SCRIPT_SAMPLE: play_sample(s, p, stmt); return 0;
	case SCRIPT_MAP: play_map(s, p, stmt); return 0;
	case SCRIPT_SHARED:
	case SCRIPT_DROP: play_drop(p, stmt, pmcid); return 0;
	case SCRIPT_EXEC: play_exec(s, p, stmt, pmcid); return 0;
	case SCRIPT_PMC:
		if (p->whole)
			play_pmc(p, stmt);
		return 0;
	case SCRIPT_RAW:
	case SCRIPT_POKE:
	case SCRIPT_CUT:
	case SCRIPT_ROTATE: return p->damage(p->arg, s, stmt, err);
	default:
		if (stmt->kind != SCRIPT_CLOSE || p->whole)
			play_plain(p, stmt, pmcid);
		return 0;
	}
}

int pmclog_script_play(const struct script *s, struct script_player *p, struct err *err)
{
	const struct script_stmt *stmt;

	vec_each(stmt, &s->stmts)
		if (play(s, p, stmt, err))
			return err_wrap(err, "%s: line %u", s->name, stmt->line);
	return 0;
}
