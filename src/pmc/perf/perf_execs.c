// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#include "pmc/perf/perf_execs.h"
#include "pmc/perf/perf_event.h"
#include "pmc/proc_list.h"
#include "pmclog/pmclog_wire.h"

enum {
	PENDING_MAX = 16384,	 /* execs */
	OVERLAP_NS = 10000000,	 /* an exec's time may be so much later than its arguments */
	KEPT_NS = 2 * 250000000, /* two rounds of the pump */
};

/* A sample of the tracepoint, behind its head. */
struct exec_sample {
	uint64_t abi; /* of the register; 0: there is none */
	uint64_t sp;
	uint64_t size; /* bytes of the stack; then how many of them were there to be read */
	uint64_t word[];
};

/*
 * Finds the arguments on a new stack of n words at sp: their number, their addresses and 0; what
 * the addresses mean lies in one piece.  The piece's offset, or 0 where it is not whole.
 */
static size_t find_arguments(const uint64_t *word, size_t n, uint64_t sp, size_t *len)
{
	const char *bytes = (const char *)word, *nul;
	uint64_t i, argc = n > 2 ? word[0] : 0;
	size_t start, at;

	if (!argc || argc > n - 2 || word[1] <= sp || word[1] - sp >= n * sizeof(*word))
		return 0;
	start = at = (size_t)(word[1] - sp);
	for (i = 0; i < argc && at - start <= PMCLOG_MAX_ARGUMENTS; i++) {
		if (word[1 + i] != sp + at)
			return 0;
		nul = memchr(bytes + at, '\0', n * sizeof(*word) - at);
		at = nul ? (size_t)(nul + 1 - bytes) : n * sizeof(*word);
		if (!nul && at - start <= PMCLOG_MAX_ARGUMENTS)
			return 0;
	}
	*len = at - start;
	return start;
}

/* Keeps len bytes of arguments, or as many as a record takes. */
static void keep(struct perf_exec *e, const char *arguments, size_t len)
{
	len = proc_cut_arguments(arguments, len);
	e->arguments = len ? malloc(len) : NULL;
	if (!e->arguments)
		return;
	memcpy(e->arguments, arguments, len);
	e->len = len;
}

static void forget(struct perf_exec *e)
{
	free(e->arguments);
	e->arguments = NULL;
	e->len = 0;
}

/*
 * Forgets arguments of the process' earlier execs that were read from /proc so late that they may
 * be those of this one.
 */
static void forget_ambiguous(struct perf_execs *execs, uint32_t pid, uint64_t time)
{
	struct perf_exec *e;

	vec_each(e, &execs->list)
		if (e->pid == pid && e->asked && e->asked + OVERLAP_NS > time)
			forget(e);
}

static void read_sample(struct perf_execs *execs, const struct perf_ring_sample *s)
{
	const struct exec_sample *x = (const void *)(s + 1);
	size_t left = s->header.size - sizeof(*s), n, at, len;
	struct perf_exec e = {.pid = s->pid, .time = s->time};

	if (left >= sizeof(*x) + sizeof(uint64_t) && x->abi == PERF_SAMPLE_REGS_ABI_64 &&
	    x->size % 8 == 0 && x->size <= left - sizeof(*x) - sizeof(uint64_t)) {
		n = x->size / sizeof(uint64_t);
		if (x->word[n] < x->size)
			n = x->word[n] / sizeof(uint64_t);
		at = find_arguments(x->word, n, x->sp, &len);
		if (at)
			keep(&e, (const char *)x->word + at, len);
	}
	forget_ambiguous(execs, e.pid, e.time);
	if (execs->list.n >= PENDING_MAX) {
		if (execs->lost < execs->list.v[0].time)
			execs->lost = execs->list.v[0].time;
		forget(&execs->list.v[0]);
		vec_remove(&execs->list, 0, 1);
	}
	if (!vec_push(&execs->list, e))
		return;
	forget(&e);
	execs->lost = e.time;
}

void perf_execs_record(struct perf_execs *execs, const struct perf_event_header *record,
		       uint64_t now)
{
	if (record->type == PERF_RECORD_SAMPLE && record->size >= sizeof(struct perf_ring_sample)) {
		if (execs->wanted)
			read_sample(execs, (const struct perf_ring_sample *)record);
	} else {
		execs->lost = now;
	}
}

static void emit(void *arg, struct perf_ring *ring, const struct perf_event_header *record)
{
	(void)ring;
	perf_execs_record(arg, record, perf_now());
}

/* Whether the process has called exec(2) again. */
static bool has_later(const struct perf_execs *execs, size_t i)
{
	const uint32_t pid = execs->list.v[i].pid;

	while (++i < execs->list.n)
		if (execs->list.v[i].pid == pid)
			return true;
	return false;
}

void perf_execs_read(struct perf_execs *execs)
{
	char text[PMCLOG_MAX_ARGUMENTS + 2]; /* and a byte to see that there is more */
	size_t i, from = execs->list.n;
	struct perf_exec *e;

	if (!execs->rings.n)
		return;
	perf_ring_drain(&execs->merge, execs->rings.v, execs->rings.n, UINT64_MAX, UINT64_MAX, emit,
			execs);
	for (i = from; i < execs->list.n; i++) {
		e = &execs->list.v[i];
		if (e->arguments || has_later(execs, i))
			continue;
		keep(e, text, proc_read_arguments((pid_t)e->pid, text, sizeof(text)));
		e->asked = perf_now();
	}
}

const struct perf_exec *perf_execs_find(const struct perf_execs *execs, uint32_t pid,
					uint64_t since)
{
	const struct perf_exec *e;

	if (!execs->wanted || execs->lost >= since)
		return NULL;
	vec_each(e, &execs->list)
		if (e->pid == pid && e->time >= since)
			return e;
	return NULL;
}

void perf_execs_expire(struct perf_execs *execs, uint64_t now)
{
	size_t i, n = 0;

	for (i = 0; i < execs->list.n; i++)
		if (execs->list.v[i].time + KEPT_NS >= now)
			execs->list.v[n++] = execs->list.v[i];
		else
			forget(&execs->list.v[i]);
	execs->list.n = n;
}

void perf_execs_fini(struct perf_execs *execs)
{
	struct perf_exec *e;

	vec_each(e, &execs->list)
		forget(e);
	vec_free(&execs->list);
}
