// SPDX-License-Identifier: BSD-2-Clause
/* Which collector there is, and what holds for all PMCs of it. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "pmc/pmcint.h"

/* The collectors, in the order in which "auto" tries them. */
static const struct {
	const struct pmc_collector_ops *ops;
	bool in_auto;
} collectors[] = {
	{&pmc_collector_hwpmc, true},
	{&pmc_collector_perf, true},
	{&pmc_collector_fake, false},
};

enum { NCOLLECTORS = sizeof(collectors) / sizeof(collectors[0]) };

/* The choice of pmc_set_collector(); NULL ops: auto. */
static const struct pmc_collector_ops *chosen;
static char chosen_arg[PATH_MAX];

static int open_collector(struct pmcint *s, const struct pmc_collector_ops *ops, const char *arg)
{
	s->collector.ops = ops;
	memset(&s->collector.stats, 0, sizeof(s->collector.stats));
	memset(&s->closed, 0, sizeof(s->closed));
	memset(&s->told, 0, sizeof(s->told));
	s->has_cpuinfo = s->has_counters = s->tried_counters = false;
	s->calls = s->failures = 0;
	if (ops->open(&s->collector, arg, pmcint_last()) == 0)
		return 0;
	s->collector.ops = NULL;
	return pmcint_last()->error;
}

static int init(struct pmcint *s)
{
	int error = ENXIO;
	size_t i;

	if (s->collector.ops)
		return 0;
	if (chosen)
		return open_collector(s, chosen, chosen_arg);
	for (i = 0; i < NCOLLECTORS && error; i++)
		if (collectors[i].in_auto)
			error = open_collector(s, collectors[i].ops, "");
	return error;
}

int pmc_init(void)
{
	struct pmcint *s = pmcint_begin();

	return pmcint_done(init(s));
}

static int set_collector(struct pmcint *s, const char *spec)
{
	size_t len = strcspn(spec, ":"), i;
	const char *arg = spec[len] ? spec + len + 1 : "";
	const struct pmc_collector_ops *ops = NULL;

	for (i = 0; i < NCOLLECTORS; i++)
		if (strlen(collectors[i].ops->name) == len &&
		    strncmp(spec, collectors[i].ops->name, len) == 0)
			ops = collectors[i].ops;
	if (!ops && strcmp(spec, "auto") != 0) {
		pmcint_refuse(EINVAL, "unknown collector \"%s\"", spec);
		err_hint(pmcint_last(), "collectors: auto, hwpmc, perf, fake:FILE");
		return EINVAL;
	}
	if (strlen(arg) >= sizeof(chosen_arg))
		return pmcint_refuse(EINVAL,
				     "the collector's argument has %zu bytes, more than %zu",
				     strlen(arg), sizeof(chosen_arg) - 1);
	if (s->pmcs.n || s->collector.logging)
		return pmcint_refuse(EBUSY,
				     "the collector cannot change while PMCs or a log exist");
	if (s->collector.ops)
		s->collector.ops->close(&s->collector);
	s->collector.ops = NULL;
	chosen = ops;
	strcpy(chosen_arg, arg);
	return 0;
}

int pmc_set_collector(const char *spec)
{
	struct pmcint *s = pmcint_begin();

	return pmcint_done(spec ? set_collector(s, spec) : pmcint_no_place("collector"));
}

static int set_command(struct pmcint *s, const char *command)
{
	char *copy = command ? strdup(command) : NULL;

	if (command && !copy) {
		err_nomem(pmcint_last());
		return ENOMEM;
	}
	free(s->command);
	s->command = copy;
	return 0;
}

int pmc_set_command(const char *command)
{
	struct pmcint *s = pmcint_begin();

	return pmcint_done(set_command(s, command));
}

static int set_compression(struct pmcint *s, const char *how)
{
	enum pmclog_compression compression;

	if (!how)
		return pmcint_no_place("compression");
	if (pmclog_compression_find(how, &compression, pmcint_last()))
		return pmcint_last()->error;
	s->compression = compression;
	return 0;
}

int pmc_set_compression(const char *how)
{
	struct pmcint *s = pmcint_begin();

	return pmcint_done(set_compression(s, how));
}

static int set_log_version(struct pmcint *s, unsigned int version)
{
	if (version != 9 && version != 10) {
		err_set(pmcint_last(), EX_USAGE, "a log has version 9 or 10, not %u", version);
		return pmcint_last()->error;
	}
	s->log_version = version;
	return 0;
}

int pmc_set_log_version(unsigned int version)
{
	struct pmcint *s = pmcint_begin();

	return pmcint_done(set_log_version(s, version));
}

int pmc_set_rotation(bool rotates)
{
	struct pmcint *s = pmcint_begin();

	s->rotates = rotates;
	return pmcint_done(0);
}

int pmc_set_callchain_depth(unsigned int depth)
{
	struct pmcint *s = pmcint_begin();

	if (depth < 1 || depth > PMCINT_DEPTH_MAX)
		return pmcint_done(pmcint_refuse(EINVAL, "a call chain has 1 to %d frames, not %u",
						 PMCINT_DEPTH_MAX, depth));
	s->max_depth = depth;
	return pmcint_done(0);
}

int pmc_set_unwind(enum pmc_unwind unwind)
{
	struct pmcint *s = pmcint_begin();

	if (unwind > PMC_UNWIND_OFF)
		return pmcint_done(pmcint_refuse(EINVAL, "no way to unwind has the number %u",
						 (unsigned int)unwind));
	s->unwind = unwind;
	return pmcint_done(0);
}
