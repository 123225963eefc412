// SPDX-License-Identifier: BSD-2-Clause
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/open_files.h"
#include "pmclog/reader_int.h"
#include "pmcstat/log_file.h"

/* Whether the file has contents of another kind; how many bytes. */
static bool holds_other(const char *name, intmax_t *size)
{
	int fd = open(name, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	uint8_t head[4] = {0};
	struct stat st;
	bool other;

	if (fd < 0)
		return false;
	other = !fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_size > 0 &&
		(pread(fd, head, sizeof(head), 0) < (ssize_t)sizeof(head) ||
		 !pmclogint_begins_log(head));
	*size = st.st_size;
	close(fd);
	return other;
}

int log_file_open(const char *name, struct err *err)
{
	intmax_t size;
	int fd;

	if (holds_other(name, &size)) {
		err_set(err, EX_CANTCREAT, "%s: has %jd bytes that are no log, and stays as it is",
			name, size);
		return err_hint(err, "name another file behind -O, or remove this one");
	}
	fd = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	if (fd < 0)
		open_files_fail(err, EX_CANTCREAT, "%s", name);
	return fd;
}
