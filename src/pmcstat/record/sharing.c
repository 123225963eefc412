// SPDX-License-Identifier: BSD-2-Clause
#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/proc_text.h"
#include "base/sink.h"
#include "base/vec.h"
#include "callgraph/output/output.h"
#include "callgraph/model/times.h"
#include "pmcstat/say.h"
#include "pmcstat/record/sharing.h"

enum { MOST_HOLDERS = 4 }; /* processes that are named */

/* All PMCs of an event. */
struct part {
	const char *event; /* libpmc's */
	struct cg_times times;
};

typedef VEC(struct part) part_list;

static struct part *part_of(part_list *parts, const char *event)
{
	struct part *part;

	vec_each(part, parts)
		if (!strcmp(part->event, event))
			return part;
	return vec_push(parts, (struct part){.event = event}) ? NULL : &parts->v[parts->n - 1];
}

/* Adds up the times of all that sample.  Whether any had a counter part of the time only. */
static bool add_up(part_list *parts, const pmc_id_t *ids, size_t n)
{
	struct pmc_count count;
	struct part *part;
	bool any = false;
	size_t i;

	for (i = 0; i < n; i++) {
		if (!PMC_IS_SAMPLING_MODE((enum pmc_mode)PMC_ID_TO_MODE(ids[i])) ||
		    pmc_read_times(ids[i], &count) || !(part = part_of(parts, count.event)))
			continue;
		part->times.enabled += count.enabled;
		part->times.running += count.running;
	}
	vec_each(part, parts)
		any |= cg_time_share(&part->times) < CG_WHOLE_TIME;
	return any;
}

/* Whether a process has perf events, which may be of software and hold no counter. */
static bool has_events(const char *pid)
{
	char path[64], link[32];
	struct dirent *e;
	bool found = false;
	ssize_t len;
	DIR *dir;

	snprintf(path, sizeof(path), "/proc/%.20s/fd", pid);
	dir = opendir(path);
	while (dir && !found && (e = readdir(dir))) {
		len = readlinkat(dirfd(dir), e->d_name, link, sizeof(link) - 1);
		link[len > 0 ? len : 0] = '\0';
		found = !strcmp(link, "anon_inode:[perf_event]");
	}
	if (dir)
		closedir(dir);
	return found;
}

static void name_process(struct sink *sink, const char *pid)
{
	char path[64], comm[32] = "?";

	snprintf(path, sizeof(path), "/proc/%.20s/comm", pid);
	proc_read_text(path, comm, sizeof(comm));
	cg_write_text(sink, comm);
	sink_printf(sink, " (pid %s)", pid);
}

/* Writes those of others that may hold counters, as far as we may see them; how many. */
static unsigned int find_holders(struct sink *sink)
{
	DIR *dir = opendir("/proc");
	unsigned int n = 0;
	struct dirent *e;

	if (proc_read_number("/proc/sys/kernel/nmi_watchdog", 0) == 1) {
		sink_str(sink, "the kernel's NMI watchdog (kernel.nmi_watchdog)");
		n++;
	}
	while (dir && n < MOST_HOLDERS && (e = readdir(dir))) {
		if (e->d_name[strspn(e->d_name, "0123456789")] || atoi(e->d_name) == getpid() ||
		    !has_events(e->d_name))
			continue;
		sink_str(sink, n++ ? ", " : "");
		name_process(sink, e->d_name);
	}
	if (dir)
		closedir(dir);
	return n;
}

/* Those that have perf events may have none of the CPU's counters. */
static void tell_holders(bool starved, size_t nevents)
{
	struct sink *sink = sink_to_memory();
	unsigned int others = sink ? find_holders(sink) : 0;

	if (others)
		say("hint: these may hold counters: %s", sink_text(sink, NULL));
	if (nevents > 1)
		say("hint: record fewer events at a time; %s",
		    starved ? "--no-sharing refuses those without a counter"
			    : "--no-sharing refuses this, --scale makes estimates");
	sink_free(sink);
}

bool sharing_tell(const pmc_id_t *ids, size_t n)
{
	const char *before = "PMCs shared counters, and samples are of this part of the time: ";
	struct sink *sink = sink_to_memory();
	part_list parts = {0};
	const struct part *part;
	bool any = sink && add_up(&parts, ids, n), starved = false;

	vec_each(part, &parts) {
		unsigned int share = cg_time_share(&part->times);

		if (!any || share == CG_WHOLE_TIME)
			continue;
		sink_printf(sink, "%s%s ", before, part->event);
		if (part->times.running)
			sink_printf(sink, "%u.%u%%", share / 100, share / 10 % 10);
		else
			sink_str(sink, "never");
		starved |= !part->times.running;
		before = ", ";
	}
	if (any) {
		say("%s", sink_text(sink, NULL));
		tell_holders(starved, parts.n);
	}
	vec_free(&parts);
	sink_free(sink);
	return any;
}
