// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/proc_text.h"
#include "pmc/counters.h"

#define NAME	    "pmcstat-counters"
#define ROOTS_FILE  "/run/" NAME
#define FORMAT_HEAD "pmcstat counters 1\nboot %s\n"
#define FORMAT_BODY "tried %u\ngood %u\ndead %u\n"

enum { FILE_MAX = 256, ATTEMPTS = 3 };

static unsigned int count_dead(const struct pmc_count *counts, unsigned int n, uint64_t load)
{
	unsigned int i, dead = 0;

	for (i = 0; i < n; i++)
		dead += counts[i].value < load;
	return dead;
}

/* Whether some had to wait, or are not known to have had a counter. */
static bool shared(const struct pmc_count *counts, unsigned int n)
{
	unsigned int i;

	for (i = 0; i < n; i++)
		if (!counts[i].running || counts[i].running < counts[i].enabled)
			return true;
	return false;
}

/*
 * How many of n at once count nothing, whenever it is tried: a hypervisor takes counters from its
 * guests for a while when others want them, and others here may have some for a moment.  -1: so
 * many cannot be had.
 */
static int try_at_once(const struct counters_trial *trial, unsigned int n, struct err *err)
{
	struct pmc_count counts[COUNTERS_MAX];
	int least = -1, dead, waits = 0, i = 0;

	while (i < ATTEMPTS && least) {
		memset(counts, 0, sizeof(counts));
		if (trial->run(n, counts, err))
			return -1;
		if (shared(counts, n)) {
			if (++waits == ATTEMPTS)
				return -1;
			continue;
		}
		i++;
		dead = (int)count_dead(counts, n, trial->load);
		least = least < 0 || dead < least ? dead : least;
	}
	return least;
}

struct counters counters_try(const struct counters_trial *trial, unsigned int max, struct err *err)
{
	struct counters c = {0};
	unsigned int n;
	int dead;

	for (n = 1; n <= max && n <= COUNTERS_MAX; n++) {
		dead = try_at_once(trial, n, err);
		if (dead < 0)
			break;
		c.tried = n;
		c.dead = (unsigned int)dead;
		if (!c.dead && c.good == n - 1)
			c.good = n;
	}
	return c;
}

struct counters counters_learn(const char *root, const char *path,
			       const struct counters_trial *trial, unsigned int max)
{
	struct counters c = counters_try(trial, max, NULL);

	if (path && c.tried && c.tried == max)
		counters_write(root, path, &c, NULL);
	return c;
}

bool counters_path(char *path, size_t size)
{
	const char *dir = secure_getenv("XDG_RUNTIME_DIR"), *below = "";
	int n;

	if (!geteuid())
		dir = "/run";
	if (!dir || dir[0] != '/')
		dir = secure_getenv("XDG_CACHE_HOME");
	if (!dir || dir[0] != '/') {
		dir = secure_getenv("HOME");
		below = "/.cache";
	}
	if (!dir || dir[0] != '/')
		return false;
	n = snprintf(path, size, "%s%s/" NAME, dir, below);
	return n > 0 && (size_t)n < size;
}

/* Into a file of its own, which then takes the place of the old one. */
static int write_text(const char *path, const char *text)
{
	char temporary[PATH_MAX];
	size_t len = strlen(text);
	int fd, error = 0;

	snprintf(temporary, sizeof(temporary), "%.*s.XXXXXX", PATH_MAX - 8, path);
	fd = mkostemp(temporary, O_CLOEXEC);
	if (fd < 0)
		return errno;
	/* What root finds is for all. */
	if (write(fd, text, len) != (ssize_t)len || fchmod(fd, geteuid() ? 0600 : 0644))
		error = errno ? errno : EIO;
	if (close(fd) && !error)
		error = errno;
	if (!error && rename(temporary, path))
		error = errno;
	if (error)
		unlink(temporary);
	return error;
}

int counters_write(const char *root, const char *path, const struct counters *c, struct err *err)
{
	char id[64], text[FILE_MAX];
	int error;

	if (!proc_read_boot_id(root, id, sizeof(id)))
		return err_set(err, EX_OSFILE, PROC_BOOT_ID " does not tell which boot this is");
	snprintf(text, sizeof(text), FORMAT_HEAD FORMAT_BODY, id, c->tried, c->good, c->dead);
	error = write_text(path, text);
	return error ? err_set(err, EX_CANTCREAT, "%s: %s", path, strerror(error)) : 0;
}

/* The text of a regular file that nobody but its owner uid can have written. */
static bool read_trusted(const char *path, uid_t uid, char *text, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	struct stat st;
	ssize_t n = -1;

	if (fd < 0)
		return false;
	if (!fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_uid == uid && !(st.st_mode & 022) &&
	    st.st_size < (off_t)size)
		n = read(fd, text, size - 1);
	close(fd);
	if (n < 0)
		return false;
	text[n] = '\0';
	return true;
}

bool counters_read(const char *root, const char *path, uid_t uid, struct counters *c)
{
	char id[64], text[FILE_MAX], head[FILE_MAX];
	int end = 0;

	*c = (struct counters){0};
	if (!proc_read_boot_id(root, id, sizeof(id)) ||
	    !read_trusted(path, uid, text, sizeof(text)))
		return false;
	snprintf(head, sizeof(head), FORMAT_HEAD, id);
	if (strncmp(text, head, strlen(head)) ||
	    sscanf(text + strlen(head), FORMAT_BODY "%n", &c->tried, &c->good, &c->dead, &end) !=
		    3 ||
	    text[strlen(head) + (size_t)end] || !end || c->tried > COUNTERS_MAX ||
	    c->good > c->tried || c->dead > c->tried)
		*c = (struct counters){0};
	return c->tried != 0;
}

struct counters counters_known(void)
{
	struct counters c = {0};
	char path[PATH_MAX];

	if (!counters_path(path, sizeof(path)) || !counters_read("", path, geteuid(), &c))
		counters_read("", ROOTS_FILE, 0, &c);
	return c;
}
