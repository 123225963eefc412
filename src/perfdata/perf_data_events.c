// SPDX-License-Identifier: BSD-2-Clause
/* What was sampled, and whose ids are whose. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "perfdata/perf_data_int.h"

enum { EVENTS_MAX = 4096 /* as many as pmcids tell apart */ };

/* PERF_RECORD_ID_INDEX. */
struct rec_id_index {
	struct perf_event_header header;
	uint64_t n;
	struct {
		uint64_t id, idx, cpu, tid;
	} entry[];
};

void perf_data_events_fini(struct perf_data_events *e)
{
	vec_free(&e->v);
	vec_free(&e->ids);
	table_clear(&e->by_id);
}

int perf_data_events_add(struct perf_data_events *e, const void *attr, size_t len, struct err *err)
{
	struct perf_data_event event = {.least = UINT64_MAX};
	uint32_t size;

	if (len < PERF_ATTR_SIZE_VER0)
		return err_set(err, EX_DATAERR, "event %zu has %zu bytes, at least %d are needed",
			       e->v.n + 1, len, PERF_ATTR_SIZE_VER0);
	memcpy(&size, (const char *)attr + sizeof(uint32_t), sizeof(size));
	if (!size)
		size = PERF_ATTR_SIZE_VER0;
	if (size < PERF_ATTR_SIZE_VER0 || size > len)
		return err_set(err, EX_DATAERR,
			       "event %zu says that it has %u bytes: %d to %zu are possible",
			       e->v.n + 1, size, PERF_ATTR_SIZE_VER0, len);
	if (e->v.n == EVENTS_MAX)
		return err_set(err, EX_DATAERR, "it has more than %d events", EVENTS_MAX);
	memcpy(&event.attr, attr, size < sizeof(event.attr) ? size : sizeof(event.attr));
	return vec_push(&e->v, event) ? err_nomem(err) : 0;
}

static struct perf_data_id *find(const struct perf_data_events *e, uint64_t id)
{
	struct table_iter it;
	uint32_t i;

	for (i = table_first(&e->by_id, hash_u64(id), &it); i != TABLE_NONE;
	     i = table_next(&e->by_id, &it))
		if (e->ids.v[i].id == id)
			return &e->ids.v[i];
	return NULL;
}

const struct perf_data_id *perf_data_events_find(const struct perf_data_events *e, uint64_t id)
{
	return find(e, id);
}

int perf_data_events_add_id(struct perf_data_events *e, uint64_t id, struct err *err)
{
	struct perf_data_id added = {id, (uint32_t)(e->v.n - 1), PERF_DATA_UNKNOWN_CPU};

	/* Of several the first has it, as in perf. */
	if (!e->v.n || find(e, id))
		return 0;
	if (e->ids.n >= UINT32_MAX || vec_push(&e->ids, added) ||
	    table_insert(&e->by_id, hash_u64(id), (uint32_t)(e->ids.n - 1)))
		return err_nomem(err);
	return 0;
}

void perf_data_events_name(struct perf_data_events *e, uint64_t id, const char *name, size_t len)
{
	const struct perf_data_id *known = find(e, id);
	struct perf_data_event *event = known ? &e->v.v[known->event] : NULL;

	len = strnlen(name, len);
	if (!event || !len || event->name[0])
		return;
	if (len > sizeof(event->name) - 1)
		len = sizeof(event->name) - 1;
	memcpy(event->name, name, len);
}

void perf_data_events_place(struct perf_data_events *e, const struct perf_event_header *record)
{
	const struct rec_id_index *r = (const void *)record;
	uint64_t room, i;

	if (record->size < sizeof(*r))
		return;
	room = (record->size - sizeof(*r)) / sizeof(r->entry[0]);
	for (i = 0; i < r->n && i < room; i++) {
		struct perf_data_id *id = find(e, r->entry[i].id);
		struct perf_data_event *event;
		bool system = r->entry[i].tid == UINT64_MAX || r->entry[i].tid == UINT32_MAX;

		if (!id)
			continue;
		event = &e->v.v[id->event];
		event->system = system && (event->system || !event->has_scope);
		event->has_scope = true;
		if (r->entry[i].cpu < PERF_DATA_UNKNOWN_CPU)
			id->cpu = (uint32_t)r->entry[i].cpu;
	}
}

/* The kernel's own names of what has no other. */
static const char *known_name(const struct perf_event_attr *a)
{
	static const char *const hardware[] = {"cycles",
					       "instructions",
					       "cache-references",
					       "cache-misses",
					       "branches",
					       "branch-misses",
					       "bus-cycles",
					       "stalled-cycles-frontend",
					       "stalled-cycles-backend",
					       "ref-cycles"};
	static const char *const software[] = {
		"cpu-clock",	    "task-clock",   "page-faults",  "context-switches",
		"cpu-migrations",   "minor-faults", "major-faults", "alignment-faults",
		"emulation-faults", "dummy",	    "bpf-output",   "cgroup-switches"};

	if (a->type == PERF_TYPE_HARDWARE && a->config < sizeof(hardware) / sizeof(*hardware))
		return hardware[a->config];
	if (a->type == PERF_TYPE_SOFTWARE && a->config < sizeof(software) / sizeof(*software))
		return software[a->config];
	return NULL;
}

/* Whether samples of these parts have an id at a place that they share. */
static bool can_tell(uint64_t first, uint64_t other)
{
	return first & other & PERF_SAMPLE_IDENTIFIER || (first == other && first & PERF_SAMPLE_ID);
}

int perf_data_events_settle(struct perf_data_events *e, struct err *err)
{
	struct perf_data_event *event;

	if (!e->v.n)
		return err_set(err, EX_DATAERR, "it has no events");
	vec_each(event, &e->v) {
		const struct perf_event_attr *a = &event->attr;
		const char *name = known_name(a);

		if (!event->name[0] && name)
			snprintf(event->name, sizeof(event->name), "%s", name);
		else if (!event->name[0])
			snprintf(event->name, sizeof(event->name), "event-%u-0x%" PRIx64, a->type,
				 (uint64_t)a->config);
		if (event > e->v.v && !can_tell(e->v.v[0].attr.sample_type, a->sample_type)) {
			err_set(err, EX_DATAERR,
				"samples of %s and %s have nothing that would tell which are whose",
				e->v.v[0].name, event->name);
			return err_hint(err, "record them again, by a newer perf or one at a time");
		}
	}
	return 0;
}
