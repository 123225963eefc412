// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "pmc/perf/unwind/perf_present.h"

/* Of an entry of /proc/PID/pagemap. */
#define PRESENT (UINT64_C(1) << 63)
#define SWAPPED (UINT64_C(1) << 62)

enum { BATCH = 64 };

struct pagemap {
	int fd;
	uint64_t page; /* bytes of the kernel's */
	uint64_t entries[BATCH], first;
	size_t n; /* from the first on; 0: none was read yet, or none can be */
};

static uint64_t entry_at(struct pagemap *p, uint64_t address)
{
	uint64_t index = address / p->page;
	ssize_t bytes;

	if (index < p->first || index - p->first >= p->n) {
		bytes = pread(p->fd, p->entries, sizeof(p->entries),
			      (off_t)(index * sizeof(p->entries[0])));
		p->first = index;
		p->n = bytes > 0 ? (size_t)bytes / sizeof(p->entries[0]) : 0;
	}
	return p->n ? p->entries[index - p->first] : 0;
}

/* A kernel may have been built without it (CONFIG_PROC_PAGE_MONITOR). */
static bool kernel_tells(void)
{
	return !access("/proc/self/pagemap", F_OK);
}

size_t perf_present(uint32_t tid, uint64_t address, bool *there, size_t n)
{
	struct pagemap p = {.page = (uint64_t)sysconf(_SC_PAGESIZE)};
	size_t i, known = 0;
	uint64_t entry;
	char path[64];

	snprintf(path, sizeof(path), "/proc/%u/pagemap", tid);
	p.fd = open(path, O_RDONLY | O_CLOEXEC);
	if (p.fd < 0 && errno == ENOENT && !kernel_tells()) {
		for (i = 0; i < n; i++)
			there[i] = true;
		return n;
	}
	for (i = 0; i < n && p.fd >= 0; i++) {
		entry = entry_at(&p, address - address % PRESENT_PAGE + i * PRESENT_PAGE);
		if (entry & SWAPPED)
			break;
		there[i] = entry & PRESENT;
		if (there[i])
			known = i + 1;
	}
	if (p.fd >= 0)
		close(p.fd);
	return known;
}
