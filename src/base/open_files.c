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

bool open_files_raise(void)
{
	struct rlimit lim;

	if (getrlimit(RLIMIT_NOFILE, &lim) || lim.rlim_cur == lim.rlim_max)
		return false;
	lim.rlim_cur = lim.rlim_max;
	return !setrlimit(RLIMIT_NOFILE, &lim);
}

/* That there are too many, and the hint. */
static void say_too_many(struct err *err, int code)
{
	unsigned long long limit;
	struct rlimit lim;
	size_t open = open_files_count(&limit);

	err_set(err, code, "of %llu files that may be open %zu are, and more are needed", limit,
		open);
	err_hint(err, "ulimit -n %llu%s", limit < USUAL ? USUAL : 2 * limit,
		 !getrlimit(RLIMIT_NOFILE, &lim) && lim.rlim_max == lim.rlim_cur
			 ? " (as root, who may raise the hard limit)"
			 : "");
}

int open_files_fail(struct err *err, int code, const char *fmt, ...)
{
	const int error = errno;
	va_list ap;

	if (error == EMFILE)
		say_too_many(err, code);
	else
		err_set(err, code, "%s", strerror(error));
	va_start(ap, fmt);
	err_vwrap(err, fmt, ap);
	va_end(ap);
	return err_errno(err, error);
}
