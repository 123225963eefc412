// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/resource.h>

#include "base/open_files.h"

enum { USUAL = 1024 }; /* what a login gets, and enough where there are not hundreds of CPUs */

/* Without a descriptor to list /proc/self/fd by. */
size_t open_files_count(unsigned long long *limit)
{
	struct rlimit lim = {0, 0};
	size_t n = 0;
	rlim_t fd;

	getrlimit(RLIMIT_NOFILE, &lim);
	for (fd = 0; fd < lim.rlim_cur && fd < INT_MAX; fd++)
		n += fcntl((int)fd, F_GETFD) >= 0;
	*limit = lim.rlim_cur;
	return n;
}

int open_files_fail(struct err *err, int code, const char *what)
{
	const int error = errno;
	unsigned long long limit;
	struct rlimit lim;
	size_t open;

	if (error != EMFILE) {
		err_set(err, code, "%s: %s", what, strerror(error));
		return err_errno(err, error);
	}
	open = open_files_count(&limit);
	err_set(err, code, "%s: of %llu files that may be open %zu are, and more are needed", what,
		limit, open);
	err_errno(err, error);
	return err_hint(err, "ulimit -n %llu%s", limit < USUAL ? USUAL : 2 * limit,
			!getrlimit(RLIMIT_NOFILE, &lim) && lim.rlim_max == lim.rlim_cur
				? " (as root: this is the hard limit)"
				: "");
}
