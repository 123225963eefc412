// SPDX-License-Identifier: BSD-2-Clause
/* The kernel and its modules, as they lie in memory. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "pmc/perf/proc_snapshot.h"

/*
 * Where addresses are hidden: the half of the address space that is the kernel's on every 64-bit
 * Linux, so that kernel frames at least resolve to the kernel.
 */
#define KERNEL_HALF_START  0x8000000000000000u
#define KERNEL_HALF_LENGTH 0x7ffffffffffff000u

static void write_kernel_map(const struct proc_snapshot *s, uint64_t start, uint64_t length,
			     const char *name, const char *notes_path)
{
	uint8_t id[BUILD_ID_MAX];
	size_t len = build_id_of_notes_file(notes_path, id);
	char path[80];

	snprintf(path, sizeof(path), "[%s]", name);
	pmclog_write_map_in(s->writer, s->now,
			    &(struct pmclog_map){.pid = UINT32_MAX,
						 .start = start,
						 .length = length,
						 .path = path,
						 .build_id = id,
						 .build_id_len = len});
}

/*
 * Bytes from the kernel's first code to its last data by /proc/iomem, which is shorter than
 * kallsyms; 0: it does not say.
 */
static uint64_t image_length(void)
{
	unsigned long long start, end, code = 0;
	uint64_t length = 0;
	char line[256];
	FILE *f = fopen("/proc/iomem", "re");

	while (f && fgets(line, sizeof(line), f)) {
		if (!strstr(line, ": Kernel ") || sscanf(line, " %llx-%llx", &start, &end) != 2 ||
		    end <= start)
			continue;
		if (strstr(line, ": Kernel code"))
			code = start;
		else if (!length)
			continue;
		length = end - code + 1;
	}
	if (f)
		fclose(f);
	return length;
}

uint64_t proc_kernel_code(const char *kallsyms, uint64_t *length)
{
	char line[512], name[256], type;
	unsigned long long address;
	FILE *f = fopen(kallsyms, "re");
	uint64_t start = 0;
	bool all = false;

	*length = 0;
	while (f && !all && fgets(line, sizeof(line), f)) {
		if (sscanf(line, "%llx %c %255s", &address, &type, name) != 3)
			continue;
		/* Data of CPUs may begin at 0, code does not: all is hidden. */
		if (!address && (type == 'T' || type == 't'))
			break;
		if (!strcmp(name, "_stext") || !strcmp(name, "_text")) {
			if (!start || address < start)
				start = address;
			if (!strcmp(name, "_text"))
				*length = image_length();
			all = *length != 0;
		} else if (start && address > start &&
			   (!strcmp(name, "_etext") || !strcmp(name, "_einittext"))) {
			*length = address - start;
			all = !strcmp(name, "_einittext");
		}
	}
	if (f)
		fclose(f);
	return start;
}

static int by_start(const void *a, const void *b)
{
	const struct proc_module *x = a, *y = b;

	return (x->start > y->start) - (x->start < y->start);
}

/* The modules that lie at known addresses, in order of these.  0, or -1 when out of memory. */
static int read_modules(FILE *f, struct proc_modules *list)
{
	unsigned long long size, start;
	struct proc_module m = {0};
	char line[4096];
	size_t i;
	int r = 0;

	while (!r && fgets(line, sizeof(line), f)) {
		if (sscanf(line, "%63s %llu %*s %*s %*s %llx", m.name, &size, &start) != 3 ||
		    !start)
			continue;
		m.start = start;
		m.length = size;
		r = vec_push(&list->v, m);
	}
	if (list->v.n)
		qsort(list->v.v, list->v.n, sizeof(*list->v.v), by_start);
	/* The size counts data too, which newer kernels keep elsewhere. */
	for (i = 0; i + 1 < list->v.n; i++) {
		struct proc_module *p = &list->v.v[i];

		if (p->length > p[1].start - p->start)
			p->length = p[1].start - p->start;
	}
	return r;
}

static bool holds(const struct proc_modules *list, const struct proc_module *m)
{
	const struct proc_module *p;

	vec_each(p, &list->v)
		if (p->start == m->start && !strcmp(p->name, m->name))
			return true;
	return false;
}

int proc_snapshot_modules(const struct proc_snapshot *s, const char *file,
			  struct proc_modules *known)
{
	struct proc_modules now = {0};
	const struct proc_module *m;
	FILE *f = fopen(file, "re");
	char path[128];
	int r;

	/* A kernel without modules; or one that does not say what it has, which is no change. */
	if (!f)
		return 0;
	r = read_modules(f, &now);
	fclose(f);
	if (r) {
		vec_free(&now.v);
		return -1;
	}
	vec_each(m, &known->v)
		if (!holds(&now, m))
			pmclog_write_map_out(s->writer, s->now, UINT32_MAX, m->start,
					     m->start + m->length);
	vec_each(m, &now.v) {
		if (holds(known, m))
			continue;
		snprintf(path, sizeof(path), "/sys/module/%s/notes/.note.gnu.build-id", m->name);
		write_kernel_map(s, m->start, m->length, m->name, path);
	}
	vec_free(&known->v);
	*known = now;
	return 0;
}

int proc_snapshot_kernel(struct proc_snapshot *s)
{
	uint64_t length, start = proc_kernel_code(PROC_KALLSYMS, &length);

	if (!start || !length) {
		start = KERNEL_HALF_START;
		length = KERNEL_HALF_LENGTH;
	}
	write_kernel_map(s, start, length, "kernel", "/sys/kernel/notes");
	vec_free(&s->modules->v);
	return proc_snapshot_modules(s, PROC_MODULES, s->modules);
}
