// SPDX-License-Identifier: BSD-2-Clause
/* How many call chains are whole, and why the others are not. */
#include "callgraph/model/make.h"

/* Below this share of whole chains inclusive numbers say so. */
enum { WHOLE_PERCENT = 95 };

/* Where threads begin, of Linux and FreeBSD, libc and Go: nothing calls these. */
static const char *const user_roots[] = {
	"_start",
	"__start",
	"clone3",
	"__clone3",
	"clone",
	"__clone",
	"thread_start",
	"_dl_start",
	"_rt0_386_linux",
	"_rt0_amd64_linux",
	"_rt0_arm_linux",
	"_rt0_arm64_linux",
	"runtime.rt0_go",
	"runtime.rt0_go.abi0",
	"runtime.mstart",
	"runtime.mstart.abi0",
	"runtime.goexit",
	"runtime.goexit.abi0",
	NULL,
};
static const char *const kernel_roots[] = {
	"ret_from_fork",
	"ret_from_fork_asm",
	"kthread",
	"secondary_startup_64",
	"secondary_startup_64_no_verify",
	"common_startup_64",
	"start_secondary",
	"start_kernel",
	"__secondary_switched",
	"__primary_switched",
	"fork_trampoline",
	"fork_exit",
	NULL,
};

static bool is_among(const char *name, const char *const *names)
{
	for (; *names; names++)
		if (!strcmp(name, *names))
			return true;
	return false;
}

/* Counts a chain by its end; where the log does not tell that, its outermost function decides. */
static void judge(const struct cg_profile *p, const struct cg_stack *s, struct cg_quality *q)
{
	const struct cg_function *root = &p->functions.v[cg_function_of(p, s, s->npcs - 1)];
	bool kernel = p->words.v[s->first + s->npcs - 1] >> 63;
	uint32_t end = s->end;

	if (end == PMCLOG_END_UNSAID && root->resolved &&
	    is_among(root->name, kernel ? kernel_roots : user_roots))
		end = PMCLOG_END_COMPLETE;
	/* One from user mode that ends where the kernel was entered is all that was asked for. */
	if (end == PMCLOG_END_UNSAID && kernel)
		return;
	q->chains += s->count;
	q->ends[end] += s->count;
	if (end != PMCLOG_END_COMPLETE && !kernel && root->image == CG_NONE)
		q->at_unknown += s->count;
}

void cg_ends_assess(struct cg_profile *p)
{
	struct cg_quality *q = &p->quality;
	const struct cg_event *e;
	const struct cg_stack *s;

	q->chains = q->guessed = q->stitched = q->at_unknown = 0;
	memset(q->ends, 0, sizeof(q->ends));
	vec_each(e, &p->events) {
		q->guessed += e->guessed;
		q->stitched += e->stitched;
	}
	vec_each(s, &p->stacks)
		if (p->events.v[p->groups.v[s->group].event].takes_chains)
			judge(p, s, q);
}

bool cg_chains_are_partial(const struct cg_quality *q)
{
	return q->ends[PMCLOG_END_COMPLETE] * 100 < q->chains * WHOLE_PERCENT;
}
