// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <math.h>
#include <unistd.h>

#include "pmcstat/record/exec_watch.h"
#include "pmcstat/record/record_targets.h"
#include "pmcstat/say.h"

/* Seconds between two looks for processes that match -t: at most, and at least. */
#define LOOK_INTERVAL 1
#define LOOK_SOON     0.05

int record_targets_find(struct record_targets *t, const struct record_options *options,
			struct err *err)
{
	const char *const *name;

	if (options->command && target_prepare_command(&t->list, options->command, err))
		return -1;
	vec_each(name, &options->targets)
		t->by_name |= target_is_regex(*name);
	/* It wakes us for every fork of the machine, so it is opened for those that need it. */
	if (t->by_name)
		t->exec_fd = exec_watch_open();
	vec_each(name, &options->targets)
		if (target_find(&t->list, *name, err))
			return -1;
	return 0;
}

/* A target that was found by its name and has exited since is missed only when it was the last. */
int record_targets_attach(struct record_targets *t, const struct record_pmcs *pmcs)
{
	size_t left = t->list.n;
	struct target *each;
	const pmc_id_t *id;

	vec_each(id, &pmcs->leaders) {
		if (!record_pmc_is_virtual(*id))
			continue;
		vec_each(each, &t->list) {
			if (each->gone || !pmc_attach(*id, each->pid))
				continue;
			if (!each->by_name || errno != ESRCH || !--left)
				return say_pmc_error();
			each->gone = true;
		}
	}
	return 0;
}

/*
 * Gives up processes of -t that have exited, and with them their descriptors; what descends from
 * one is still recorded by its PMCs.
 */
static void drop_exited(struct record_targets *t, const struct record_options *options,
			const struct record_pmcs *pmcs)
{
	const struct pmc_request *r;
	size_t i;

	vec_each(r, &options->requests)
		if (r->flags & PMC_F_DESCENDANTS)
			return;
	for (i = t->list.n; i-- > 0;) {
		const struct target *each = &t->list.v[i];

		if (!each->by_name || !target_has_exited(each))
			continue;
		record_pmcs_detach(pmcs, each->pid);
		target_remove(&t->list, i);
	}
}

/*
 * Gives up the process before the i-th that had its number: PMCs know a target by that.  Where the
 * i-th is then.
 */
static size_t drop_predecessor(struct record_targets *t, size_t i, const struct record_pmcs *pmcs,
			       struct status_line *status)
{
	const pid_t pid = t->list.v[i].pid;
	size_t before;

	for (before = 0; before < i && t->list.v[before].pid != pid;)
		before++;
	if (before == i)
		return i;
	record_pmcs_detach(pmcs, pid);
	target_remove(&t->list, before);
	if (!t->told_reused) {
		status_end(status);
		say("process %d is another one by now: what the first had started is recorded no "
		    "further",
		    (int)pid);
	}
	t->told_reused = true;
	return i - 1;
}

double record_targets_next_look(const struct record_targets *t)
{
	if (!t->by_name)
		return INFINITY;
	return t->last_look + (t->looks_soon ? LOOK_SOON : LOOK_INTERVAL);
}

void record_targets_look(struct record_targets *t, const struct record_options *options,
			 const struct record_pmcs *pmcs, struct status_line *status)
{
	const char *const *name;
	bool missed;
	size_t i;

	t->looks_soon |= t->exec_fd >= 0 && exec_watch_heard(t->exec_fd);
	if (status_now() < record_targets_next_look(t))
		return;
	t->last_look = status_now();
	t->looks_soon = false;
	drop_exited(t, options, pmcs);
	i = t->list.n;
	vec_each(name, &options->targets)
		target_find_more(&t->list, *name, NULL);
	for (; i < t->list.n; i++) {
		i = drop_predecessor(t, i, pmcs, status);
		if (!record_pmcs_attach(pmcs, t->list.v[i].pid))
			continue;
		missed = errno != ESRCH;
		t->list.v[i].gone = true;
		if (!missed || t->told_missed)
			continue;
		status_end(status);
		say_pmc_error();
		t->told_missed = true;
	}
}

bool record_targets_are_gone(const struct record_targets *t)
{
	const struct target *each;

	vec_each(each, &t->list)
		if (!each->gone && !target_has_exited(each))
			return false;
	return true;
}

void record_targets_fini(struct record_targets *t)
{
	if (t->exec_fd >= 0)
		close(t->exec_fd);
	target_list_free(&t->list);
}
