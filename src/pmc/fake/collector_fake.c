// SPDX-License-Identifier: BSD-2-Clause
/*
 * The fake collector: plays a script (script.h) into the log when its first PMC starts, so that the
 * whole tool chain works without privileges, hardware, or chance.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pmc/collector.h"
#include "pmclog/text/script.h"

struct fake {
	struct script *script;
	struct script_player player;
	struct pmc_collector *collector;
	VEC(struct pmc *) pmcs;
	bool played;
	size_t last_tick; /* the statement behind it; 0: there is none */
	size_t begin;	  /* the statement that new PMCs count from */
	size_t read;	  /* statements that the PMC which was read most often has counted */
	/* The last answer of find_pmc(): a statement may stand for millions of samples. */
	const struct script_stmt *found_for;
	struct pmc *found;
};

enum { SOFT_ROWS = 16, TSC_ROWS = 1, CPU_ROWS = 4, CPUS = 4095 };

/* What the collector keeps of a counting PMC. */
struct fake_count {
	struct pmc_count sum;
	size_t next; /* the statement to count from */
};

static int fake_open(struct pmc_collector *c, const char *arg, struct err *err)
{
	struct fake *fake;
	size_t i;
	FILE *f;

	if (!*arg) {
		err_set(err, EX_USAGE, "the fake collector needs a script");
		return err_hint(err, "try: --collector=fake:FILE");
	}
	fake = calloc(1, sizeof(*fake));
	if (!fake)
		return err_nomem(err);
	f = fopen(arg, "re");
	if (f) {
		fake->script = pmclog_script_load(f, arg, false, err);
		fclose(f);
	} else {
		err_set(err, EX_NOINPUT, "%s: %s", arg, strerror(errno));
	}
	if (!fake->script) {
		free(fake);
		return -1;
	}
	for (i = 0; i < fake->script->stmts.n; i++)
		if (fake->script->stmts.v[i].kind == SCRIPT_TICK)
			fake->last_tick = i + 1;
	fake->player.clock = fake->script->begins;
	fake->collector = c;
	c->priv = fake;
	return 0;
}

static void fake_close(struct pmc_collector *c)
{
	struct fake *fake = c->priv;

	pmclog_script_free(fake->script);
	vec_free(&fake->pmcs);
	free(fake);
	c->priv = NULL;
}

/* Whether there is a counter for one more event, of a group or at all. */
static int check_counters(const struct fake *fake, const struct pmc *pmc, struct err *err)
{
	const struct pmc *leader = pmc->leader;
	const struct script_stmt *stmt;
	uint64_t counters = CPU_ROWS;
	unsigned int n = 1, all = 1;
	struct pmc *const *m;
	bool unshared = false;

	if (pmc->event.pm_class != PMC_CLASS_CPU)
		return 0;
	vec_each(m, &fake->pmcs) {
		if ((*m)->event.pm_class != PMC_CLASS_CPU)
			continue;
		all++;
		n += leader && (*m == leader || (*m)->leader == leader);
	}
	vec_each(stmt, &fake->script->stmts)
		if (stmt->kind == SCRIPT_COUNTERS) {
			counters = stmt->a;
			unshared = stmt->unshared;
		}
	if (unshared && all > counters)
		return err_set(err, EX_UNAVAILABLE,
			       "%s: the script's machine has %u counters, for no more PMCs at once",
			       pmc->event.name, (unsigned int)counters);
	if (!leader || n <= counters)
		return 0;
	return err_set(err, EX_UNAVAILABLE,
		       "%s: the script's machine has %u counters, and the group of %s needs %u",
		       pmc->event.name, (unsigned int)counters, leader->event.name, n);
}

static int fake_allocate(struct pmc_collector *c, struct pmc *pmc, struct err *err)
{
	struct fake *fake = c->priv;
	struct fake_count *count;
	const struct script_stmt *stmt;

	vec_each(stmt, &fake->script->stmts)
		if (stmt->kind == SCRIPT_ABSENT && !strcmp(stmt->text, pmc->event.spec))
			return err_set(err, EX_UNAVAILABLE, "the script has no counter for %s",
				       pmc->event.spec);
	if (check_counters(fake, pmc, err))
		return -1;
	count = calloc(1, sizeof(*count));
	if (!count || vec_push(&fake->pmcs, pmc)) {
		free(count);
		return err_nomem(err);
	}
	if (PMC_IS_COUNTING_MODE(pmc->mode))
		count->sum.value = pmc->rate;
	count->next = fake->begin;
	pmc->priv = count;
	return 0;
}

static void fake_release(struct pmc_collector *c, struct pmc *pmc)
{
	struct fake *fake = c->priv;
	size_t i;

	for (i = 0; i < fake->pmcs.n; i++)
		if (fake->pmcs.v[i] == pmc)
			break;
	vec_remove(&fake->pmcs, i, 1);
	free(pmc->priv);
	/* What is recorded next goes on in the script. */
	if (!fake->pmcs.n)
		fake->begin = fake->read;
}

/* Any process is a target: the script says what happens in it. */
static int fake_attach(struct pmc_collector *c, struct pmc *pmc, pid_t pid, struct err *err)
{
	(void)c;
	(void)pmc;
	(void)pid;
	(void)err;
	return 0;
}

/* The event that the script declares for a pmcid; NULL when it does not. */
static const char *declared_event(const struct script *s, uint32_t pmcid)
{
	const struct script_stmt *stmt;

	vec_each(stmt, &s->stmts)
		if (stmt->kind == SCRIPT_PMC && (pmcid == UINT32_MAX || stmt->pmcid == pmcid))
			return stmt->text;
	return NULL;
}

/* The allocated PMC that a statement means: of the same event and CPU, else of the event, else the
 * first. */
static struct pmc *search_pmc(const struct fake *fake, const struct script_stmt *stmt)
{
	const char *event = declared_event(fake->script, stmt->pmcid);
	struct pmc **p, *first = NULL;
	struct pmc_eventspec parsed;

	if (event && pmc_event_parse(event, &parsed, NULL))
		event = NULL;
	vec_each(p, &fake->pmcs) {
		if (event && strcmp((*p)->event.name, parsed.name) != 0)
			continue;
		if ((*p)->cpu == PMC_CPU_ANY || (uint32_t)(*p)->cpu == stmt->cpu)
			return *p;
		if (!first)
			first = *p;
	}
	return first ? first : fake->pmcs.n ? fake->pmcs.v[0] : NULL;
}

static struct pmc *find_pmc(struct fake *fake, const struct script_stmt *stmt)
{
	if (fake->found_for != stmt) {
		fake->found_for = stmt;
		fake->found = search_pmc(fake, stmt);
	}
	return fake->found;
}

/* A sample as the PMC would have taken it: with or without a chain, cut at its depth. */
static bool take_sample(struct fake *fake, const struct pmc *pmc, const struct script_stmt *stmt,
			struct pmclog_chain *chain)
{
	struct pmc_log_stats *stats = &fake->collector->stats;
	struct fake_count *count = pmc->priv;

	if (PMC_IS_COUNTING_MODE(pmc->mode)) {
		count->sum.value++;
		return false;
	}
	chain->npcs = (uint32_t)stmt->ndata;
	if (!(pmc->flags & PMC_F_CALLCHAIN) && chain->npcs > 1)
		chain->npcs = 1;
	if (chain->npcs >= pmc->max_depth) {
		chain->npcs = pmc->max_depth;
		stats->truncated++;
	}
	stats->samples++;
	return true;
}

/* The number of the PMC's group, or of itself, among those of the CPU's events. */
static uint32_t group_of(const struct fake *fake, const struct pmc *pmc)
{
	const struct pmc *leader = pmc->leader ? pmc->leader : pmc;
	struct pmc *const *p;
	uint32_t n = 0;

	vec_each(p, &fake->pmcs) {
		n += !(*p)->leader && (*p)->event.pm_class == PMC_CLASS_CPU;
		if (*p == leader)
			break;
	}
	return n;
}

/* Whether pmc counts what a statement says. */
static bool counts(const struct fake *fake, const struct pmc *pmc, const struct script_stmt *stmt)
{
	const char *event = declared_event(fake->script, stmt->pmcid);
	struct pmc_eventspec parsed;

	if (event && !pmc_event_parse(event, &parsed, NULL) &&
	    strcmp(pmc->event.name, parsed.name) != 0)
		return false;
	if (stmt->group && stmt->group != group_of(fake, pmc))
		return false;
	return pmc->cpu == PMC_CPU_ANY || (uint32_t)pmc->cpu == stmt->cpu;
}

/* Whether the PMC is to log the count that a statement has. */
static bool logs_count(const struct fake *fake, const struct pmc *pmc,
		       const struct script_stmt *stmt)
{
	uint32_t flag = stmt->kind == SCRIPT_CSW ? PMC_F_LOG_PROCCSW : PMC_F_LOG_PROCEXIT;

	return (pmc->flags & flag) && counts(fake, pmc, stmt);
}

static void note_drop(struct pmc_log_stats *stats, const struct script_stmt *stmt)
{
	stats->paused += stmt->paused;
	stats->drops[stmt->cause] += stmt->a;
}

/* Those of a counting PMC are what its counts say. */
static void note_times(const struct pmc *pmc, const struct script_stmt *stmt)
{
	struct fake_count *count = pmc->priv;

	if (PMC_IS_COUNTING_MODE(pmc->mode))
		return;
	count->sum.enabled += stmt->a;
	count->sum.running += stmt->b;
}

static bool choose_pmc(void *arg, const struct script_stmt *stmt, struct pmclog_chain *chain,
		       uint32_t *pmcid)
{
	struct fake *fake = arg;
	const struct pmc *pmc = find_pmc(fake, stmt);

	if (!pmc || ((stmt->kind == SCRIPT_EXITVAL || stmt->kind == SCRIPT_CSW) &&
		     !logs_count(fake, pmc, stmt)))
		return false;
	*pmcid = pmc->id;
	if (stmt->kind == SCRIPT_EXEC && PMC_IS_SYSTEM_MODE(pmc->mode))
		*pmcid = UINT32_MAX;
	if (stmt->kind == SCRIPT_DROP)
		note_drop(&fake->collector->stats, stmt);
	if (stmt->kind == SCRIPT_SHARED)
		note_times(pmc, stmt);
	return !chain || take_sample(fake, pmc, stmt, chain);
}

static bool logs_arguments(const struct fake *fake)
{
	struct pmc *const *pmc;

	vec_each(pmc, &fake->pmcs)
		if ((*pmc)->flags & PMC_F_LOG_ARGUMENTS)
			return true;
	return false;
}

/* Without a log: what counting PMCs count. */
static void count_only(struct fake *fake)
{
	const struct script_stmt *stmt;

	vec_each(stmt, &fake->script->stmts) {
		const struct pmc *pmc = find_pmc(fake, stmt);

		if (stmt->kind == SCRIPT_SAMPLE && pmc && PMC_IS_COUNTING_MODE(pmc->mode))
			((struct fake_count *)pmc->priv)->sum.value += stmt->count;
	}
}

static int fake_start(struct pmc_collector *c, struct pmc *pmc, struct err *err)
{
	struct fake *fake = c->priv;
	int ret = 0;

	(void)pmc;
	if (fake->played)
		return 0;
	fake->played = true;
	pthread_mutex_lock(&c->log_lock);
	fake->player.writer = c->writer;
	fake->player.arg = fake;
	fake->player.pmc = choose_pmc;
	fake->player.arguments = logs_arguments(fake);
	if (c->writer)
		ret = pmclog_script_play(fake->script, &fake->player, err);
	else
		count_only(fake);
	pthread_mutex_unlock(&c->log_lock);
	return ret;
}

static int fake_stop(struct pmc_collector *c, struct pmc *pmc, struct err *err)
{
	(void)c;
	(void)pmc;
	(void)err;
	return 0;
}

/* Counts up to the next tick. */
static void count_on(struct fake *fake, const struct pmc *pmc)
{
	struct fake_count *count = pmc->priv;
	bool ticked = false;

	while (!ticked && count->next < fake->script->stmts.n) {
		const struct script_stmt *stmt = &fake->script->stmts.v[count->next++];

		ticked = stmt->kind == SCRIPT_TICK;
		if (stmt->kind != SCRIPT_COUNT || !counts(fake, pmc, stmt))
			continue;
		count->sum.value += stmt->a;
		count->sum.enabled += stmt->enabled;
		count->sum.running += stmt->running;
	}
	if (fake->read < count->next)
		fake->read = count->next;
}

static int fake_read(struct pmc_collector *c, struct pmc *pmc, struct pmc_count *sum,
		     struct err *err)
{
	const struct fake_count *count = pmc->priv;
	struct fake *fake = c->priv;

	(void)err;
	if (fake->played)
		count_on(fake, pmc);
	sum->value = count->sum.value;
	sum->enabled = count->sum.enabled;
	sum->running = count->sum.running;
	return 0;
}

static int fake_times(struct pmc_collector *c, struct pmc *pmc, struct pmc_count *times,
		      struct err *err)
{
	const struct fake_count *count = pmc->priv;

	(void)c;
	(void)err;
	times->enabled = count->sum.enabled;
	times->running = count->sum.running;
	return 0;
}

static int fake_write(struct pmc_collector *c, struct pmc *pmc, uint64_t value, struct err *err)
{
	struct fake_count *count = pmc->priv;

	(void)c;
	(void)err;
	count->sum.value = value;
	return 0;
}

static int fake_log_origin(struct pmc_collector *c, struct pmclog_origin *origin, struct err *err)
{
	const struct fake *fake = c->priv;

	(void)err;
	*origin = fake->script->origin;
	return 0;
}

static int fake_log_start(struct pmc_collector *c, struct err *err)
{
	(void)c;
	(void)err;
	return 0;
}

static int fake_log_flush(struct pmc_collector *c, struct err *err)
{
	int ret;

	pthread_mutex_lock(&c->log_lock);
	ret = pmclog_writer_flush(c->writer, err);
	pthread_mutex_unlock(&c->log_lock);
	return ret;
}

static uint64_t fake_now(struct pmc_collector *c)
{
	struct fake *fake = c->priv;

	return script_tick(&fake->player.clock);
}

static bool fake_finished(struct pmc_collector *c)
{
	const struct fake *fake = c->priv;
	struct pmc *const *p;
	bool counting = false;

	vec_each(p, &fake->pmcs)
		counting |= PMC_IS_COUNTING_MODE((*p)->mode);
	return fake->played && (!counting || fake->read >= fake->last_tick);
}

/* A machine with few counters, the same wherever the script is played. */
static int fake_cpu_info(struct pmc_collector *c, struct pmc_cpuinfo *info, struct err *err)
{
	const uint32_t common =
		PMC_CAP_INTERRUPT | PMC_CAP_USER | PMC_CAP_SYSTEM | PMC_CAP_READ | PMC_CAP_WRITE;

	(void)c;
	(void)err;
	info->pm_ncpu = CPUS;
	info->pm_nclass = 3;
	info->pm_classes[0] = (struct pmc_classinfo){PMC_CLASS_SOFT, common, 64, SOFT_ROWS};
	info->pm_classes[1] = (struct pmc_classinfo){PMC_CLASS_TSC, PMC_CAP_READ, 64, TSC_ROWS};
	info->pm_classes[2] = (struct pmc_classinfo){PMC_CLASS_CPU,
						     common | PMC_CAP_EDGE | PMC_CAP_THRESHOLD |
							     PMC_CAP_INVERT | PMC_CAP_QUALIFIER,
						     48, CPU_ROWS};
	info->pm_npmc = SOFT_ROWS + TSC_ROWS + CPU_ROWS;
	return 0;
}

/* Its instruction RDPMC counts the CPU's own counters from 0. */
static int fake_get_msr(struct pmc_collector *c, struct pmc *pmc, uint32_t *msr, struct err *err)
{
	(void)c;
	if (pmc->event.pm_class != PMC_CLASS_CPU)
		return err_fail(err, ENOSYS, "%s is counted by no register", pmc->event.name);
	*msr = PMC_ID_TO_ROWINDEX(pmc->id) - SOFT_ROWS - TSC_ROWS;
	return 0;
}

const struct pmc_collector_ops pmc_collector_fake = {
	.name = "fake",
	.summary = "plays a script: fake:FILE",
	.open = fake_open,
	.close = fake_close,
	.allocate = fake_allocate,
	.release = fake_release,
	.attach = fake_attach,
	.detach = fake_attach,
	.start = fake_start,
	.stop = fake_stop,
	.read = fake_read,
	.times = fake_times,
	.write = fake_write,
	.cpu_info = fake_cpu_info,
	.get_msr = fake_get_msr,
	.log_origin = fake_log_origin,
	.log_start = fake_log_start,
	.log_flush = fake_log_flush,
	.log_stop = fake_log_start,
	.now = fake_now,
	.finished = fake_finished,
};
