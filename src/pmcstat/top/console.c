// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "pmcstat/top/console.h"
#include "pmcstat/say.h"

/* Of what was written to standard error so many bytes are shown in the end. */
enum { SHOWN = 16 << 10 };

/* Puts fd in the place of a terminal. */
static int replace(struct console *c, int i, int fd, struct err *err)
{
	if (!isatty(i))
		return 0;
	c->saved[i] = fcntl(i, F_DUPFD_CLOEXEC, 3);
	if (c->saved[i] >= 0 && dup2(fd, i) >= 0)
		return 0;
	return err_set(err, EX_OSERR, "standard descriptor %d: %s", i, strerror(errno));
}

int console_take(struct console *c, struct err *err)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC), status;

	*c = (struct console){{-1, -1, -1}, -1};
	if (null < 0)
		return err_set(err, EX_OSFILE, "/dev/null: %s", strerror(errno));
	c->kept = memfd_create("stderr", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	if (c->kept < 0)
		status = err_set(err, EX_OSERR, "memfd: %s", strerror(errno));
	else
		status = replace(c, STDIN_FILENO, null, err) ||
					 replace(c, STDOUT_FILENO, null, err) ||
					 replace(c, STDERR_FILENO, c->kept, err)
				 ? -1
				 : 0;
	close(null);
	if (status)
		console_release(c);
	return status;
}

void console_trim(const struct console *c)
{
	struct stat st;

	if (c->kept >= 0 && !fstat(c->kept, &st) && st.st_size > SHOWN)
		fallocate(c->kept, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0,
			  st.st_size - SHOWN);
}

static void show_kept(int fd)
{
	char text[SHOWN];
	struct stat st;
	off_t from;
	ssize_t n;

	if (fstat(fd, &st) || !st.st_size)
		return;
	from = st.st_size > SHOWN ? st.st_size - SHOWN : 0;
	n = pread(fd, text, sizeof(text), from);
	if (from)
		say("%lld bytes of standard error before these are not shown", (long long)from);
	if (n > 0)
		fwrite(text, 1, (size_t)n, stderr);
}

void console_release(struct console *c)
{
	int i;

	for (i = 0; i < 3; i++) {
		if (c->saved[i] < 0)
			continue;
		dup2(c->saved[i], i);
		close(c->saved[i]);
		c->saved[i] = -1;
	}
	if (c->kept < 0)
		return;
	show_kept(c->kept);
	/* A command that runs on may write to it for ever: from here on in vain. */
	fcntl(c->kept, F_ADD_SEALS, F_SEAL_GROW);
	close(c->kept);
	c->kept = -1;
}
