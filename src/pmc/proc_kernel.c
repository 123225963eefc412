// SPDX-License-Identifier: BSD-2-Clause
/* The kernel and its modules, as they lie in memory. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "pmc/proc_list.h"
#include "pmc/proc_snapshot.h"

/*
 * Where addresses are hidden: the half of the address space that is the kernel's on every 64-bit
 * Linux, so that kernel frames at least resolve to the kernel.
 */
#define KERNEL_HALF_START  0x8000000000000000u
#define KERNEL_HALF_LENGTH 0x7ffffffffffff000u

enum { NOTES_MAX = 16384 };

struct module {
	uint64_t start, length;
	char name[64];
};

static void write_kernel_map(const struct proc_snapshot *s, uint64_t start, uint64_t length,
			     const char *name, const char *notes_path)
{
	char path[80], notes[NOTES_MAX];
	uint8_t id[BUILD_ID_MAX];
	FILE *f = fopen(notes_path, "re");
	size_t n = f ? fread(notes, 1, sizeof(notes), f) : 0;

	if (f)
		fclose(f);
	snprintf(path, sizeof(path), "[%s]", name);
	pmclog_write_map_in(s->writer, s->now,
			    &(struct pmclog_map){.pid = UINT32_MAX,
						 .start = start,
						 .length = length,
						 .path = path,
						 .build_id = id,
						 .build_id_len = build_id_of_notes(notes, n, id)});
}

/* Bytes of kernel code by /proc/iomem, which is shorter than kallsyms; 0: it does not say. */
static uint64_t code_length(void)
{
	unsigned long long start, end;
	uint64_t length = 0;
	char line[256];
	FILE *f = fopen("/proc/iomem", "re");

	while (f && !length && fgets(line, sizeof(line), f))
		if (strstr(line, ": Kernel code") &&
		    sscanf(line, " %llx-%llx", &start, &end) == 2 && end > start)
			length = end - start + 1;
	if (f)
		fclose(f);
	return length;
}

/* The kernel's code from _text to _etext; false when its addresses are hidden. */
static bool find_kernel(uint64_t *start, uint64_t *length)
{
	char line[512], name[256];
	unsigned long long address;
	FILE *f = fopen("/proc/kallsyms", "re");

	*start = *length = 0;
	while (f && !*length && fgets(line, sizeof(line), f)) {
		if (sscanf(line, "%llx %*c %255s", &address, name) != 2)
			continue;
		if (!address)
			break;
		if (!strcmp(name, "_stext") || !strcmp(name, "_text")) {
			if (!*start || address < *start)
				*start = address;
			if (!strcmp(name, "_text"))
				*length = code_length();
		} else if (!strcmp(name, "_etext") && *start && address > *start) {
			*length = address - *start;
		}
	}
	if (f)
		fclose(f);
	return *start && *length;
}

static int by_start(const void *a, const void *b)
{
	const struct module *x = a, *y = b;

	return (x->start > y->start) - (x->start < y->start);
}

static int write_modules(const struct proc_snapshot *s)
{
	VEC(struct module) modules = {0};
	unsigned long long size, start;
	struct module m = {0};
	FILE *f = fopen("/proc/modules", "re");
	char line[4096], path[128];
	size_t i;
	int r = 0;

	while (f && !r && fgets(line, sizeof(line), f)) {
		if (sscanf(line, "%63s %llu %*s %*s %*s %llx", m.name, &size, &start) != 3 ||
		    !start)
			continue;
		m.start = start;
		m.length = size;
		r = vec_push(&modules, m);
	}
	if (f)
		fclose(f);
	if (modules.n)
		qsort(modules.v, modules.n, sizeof(*modules.v), by_start);
	for (i = 0; i < modules.n; i++) {
		struct module *p = &modules.v[i];

		/* The size counts data too, which newer kernels keep elsewhere. */
		if (i + 1 < modules.n && p->length > p[1].start - p->start)
			p->length = p[1].start - p->start;
		snprintf(path, sizeof(path), "/sys/module/%s/notes/.note.gnu.build-id", p->name);
		write_kernel_map(s, p->start, p->length, p->name, path);
	}
	vec_free(&modules);
	return r;
}

int proc_snapshot_kernel(struct proc_snapshot *s)
{
	uint64_t start, length;

	if (!find_kernel(&start, &length)) {
		start = KERNEL_HALF_START;
		length = KERNEL_HALF_LENGTH;
	}
	write_kernel_map(s, start, length, "kernel", "/sys/kernel/notes");
	return write_modules(s);
}
