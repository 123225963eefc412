// SPDX-License-Identifier: BSD-2-Clause
/*
 * Whether the kernel that runs here is the very one that was recorded: then /proc/kallsyms names
 * what the log has of it.
 */
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <time.h>

#include "base/build_id.h"
#include "base/proc_text.h"
#include "perfdata/perf_data_int.h"
#include "pmc/perf/proc_snapshot.h"

static bool is_kernel(const struct perf_data_build_id *id)
{
	uint8_t here[BUILD_ID_MAX];

	return build_id_of_notes_file("/sys/kernel/notes", here) == id->len &&
	       !memcmp(here, id->id, id->len);
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
	uint64_t length;

	return start && !uname(&u) && !strcmp(h->host, u.nodename) &&
	       !strcmp(h->release, u.release) && (!id || is_kernel(id)) &&
	       proc_kernel_code(PROC_KALLSYMS, &length) == start && is_written_since(fd) &&
	       proc_read_boot_id("", boot_id, size);
}
