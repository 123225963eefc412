// SPDX-License-Identifier: BSD-2-Clause
/*
 * Whether the kernel that runs here is the very one that was recorded: then /proc/kallsyms names
 * what the log has of it.
 */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <time.h>

#include "base/build_id.h"
#include "perfdata/perf_data_int.h"

enum { NOTES_MAX = 16384 };

/* Where this kernel begins; 0 where that is hidden. */
static uint64_t kernel_start(void)
{
	FILE *f = fopen("/proc/kallsyms", "re");
	unsigned long long address = 0;
	char line[512], name[256];

	while (f && fgets(line, sizeof(line), f)) {
		if (sscanf(line, "%llx %*c %255s", &address, name) == 2 && address &&
		    (!strcmp(name, "_text") || !strcmp(name, "_stext")))
			break;
		address = 0;
	}
	if (f)
		fclose(f);
	return address;
}

static bool is_kernel(const struct perf_data_build_id *id)
{
	FILE *f = fopen("/sys/kernel/notes", "re");
	uint8_t here[BUILD_ID_MAX];
	char notes[NOTES_MAX];
	size_t n = f ? fread(notes, 1, sizeof(notes), f) : 0;

	if (f)
		fclose(f);
	return build_id_of_notes(notes, n, here) == id->len && !memcmp(here, id->id, id->len);
}

/* A file that was last written before this boot is of another; a pipe is of now. */
static bool is_written_since(int fd)
{
	struct timespec now, up;
	struct stat st;

	if (fstat(fd, &st) || clock_gettime(CLOCK_REALTIME, &now) ||
	    clock_gettime(CLOCK_BOOTTIME, &up))
		return false;
	return !S_ISREG(st.st_mode) || st.st_mtime >= now.tv_sec - up.tv_sec;
}

bool perf_data_this_boot(const struct perf_data_header *h, int fd, uint64_t start, char *boot_id,
			 size_t size)
{
	const struct perf_data_build_id *id = perf_data_header_build_id(h, "[kernel.kallsyms]");
	struct utsname u;
	FILE *f;
	bool is;

	if (!start || uname(&u) || strcmp(h->host, u.nodename) || strcmp(h->release, u.release) ||
	    (id && !is_kernel(id)) || kernel_start() != start || !is_written_since(fd))
		return false;
	f = fopen("/proc/sys/kernel/random/boot_id", "re");
	is = f && fgets(boot_id, (int)size, f);
	if (f)
		fclose(f);
	boot_id[is ? strcspn(boot_id, "\n") : 0] = '\0';
	return is && boot_id[0];
}
