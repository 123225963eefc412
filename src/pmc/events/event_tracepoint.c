// SPDX-License-Identifier: BSD-2-Clause
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/proc_text.h"
#include "pmc/events/events.h"

#define TRACING "/sys/kernel/tracing"

/* Writes dir/name into path, which must hold it. */
static int join(char *path, size_t size, const char *dir, const char *name)
{
	int n = snprintf(path, size, "%s/%s", dir, name);

	if (n >= 0 && (size_t)n < size)
		return 0;
	errno = ENAMETOOLONG;
	return -1;
}

int pmcint_find_entry(const char *dir, const char *name, char *path, size_t size)
{
	const struct dirent *e;
	struct stat st;
	int found = -1;
	DIR *d;

	if (!name[0] || name[0] == '.' || strchr(name, '/')) {
		errno = ENOENT;
		return -1;
	}
	if (join(path, size, dir, name))
		return -1;
	if (stat(path, &st) == 0)
		return 0;
	d = opendir(dir);
	if (!d)
		return -1;
	while (found && (e = readdir(d)))
		if (strcasecmp(e->d_name, name) == 0)
			found = join(path, size, dir, e->d_name);
	closedir(d);
	if (found)
		errno = ENOENT;
	return found;
}

static int no_access(const char *dir, const char *system, const char *name, struct err *err)
{
	err_set(err, EX_NOPERM, "tracepoint %s:%s: permission denied for %s", system, name, dir);
	return err_hint(err, "try as root, or: sudo mount -o remount,mode=755 /sys/kernel/tracing");
}

/* A kernel that has tracefs makes the directory for it. */
static int no_tracefs(const char *root, const char *system, const char *name, struct err *err)
{
	char path[PATH_MAX];
	struct stat st;

	snprintf(path, sizeof(path), "%s" TRACING, root);
	if (stat(path, &st)) {
		err_set(err, EX_UNAVAILABLE,
			"tracepoint %s:%s: this kernel has no tracepoints: " TRACING
			" is not there",
			system, name);
		return err_hint(err, "CONFIG_TRACING is off, or sysfs is not mounted");
	}
	err_set(err, EX_UNAVAILABLE, "tracepoint %s:%s: no tracefs is mounted at " TRACING, system,
		name);
	return err_hint(err, "try: sudo mount -t tracefs nodev " TRACING);
}

/* The events directory of the mounted tracefs.  0, or -1 with errno set; dir is what denies. */
static int events_dir(const char *root, char *dir, size_t size)
{
	static const char *const mounts[] = {TRACING, "/sys/kernel/debug/tracing"};
	struct stat st;
	size_t i;

	for (i = 0; i < sizeof(mounts) / sizeof(mounts[0]); i++) {
		snprintf(dir, size, "%s%s", root, mounts[i]);
		if (stat(dir, &st))
			continue;
		snprintf(dir, size, "%s%s/events", root, mounts[i]);
		if (stat(dir, &st) == 0)
			return 0;
		if (errno == EACCES || errno == EPERM)
			return -1;
	}
	errno = ENOENT;
	return -1;
}

int pmcint_event_tracepoint(const char *root, const char *system, const char *name,
			    struct pmc_eventspec *event, struct err *err)
{
	char dir[PATH_MAX / 4], sysdir[PATH_MAX / 2], path[PATH_MAX - 4], file[PATH_MAX], text[32];
	unsigned long long id;
	char *end;

	if (events_dir(root, dir, sizeof(dir)))
		return errno != ENOENT ? no_access(dir, system, name, err)
				       : no_tracefs(root, system, name, err);
	if (pmcint_find_entry(dir, system, sysdir, sizeof(sysdir)) ||
	    pmcint_find_entry(sysdir, name, path, sizeof(path)) ||
	    join(file, sizeof(file), path, "id") || proc_read_words(file, text, sizeof(text)) < 0) {
		if (errno == EACCES || errno == EPERM)
			return no_access(dir, system, name, err);
		err_set(err, EX_UNAVAILABLE, "this kernel has no tracepoint %s:%s", system, name);
		return err_hint(err, "%s lists the tracepoints", dir);
	}
	errno = 0;
	id = strtoull(text, &end, 10);
	if (errno || end == text || *end)
		return err_set(err, EX_UNAVAILABLE, "%s: \"%s\" is not a tracepoint id", file,
			       text);
	event->type = PERF_TYPE_TRACEPOINT;
	event->config = id;
	event->pm_class = PMC_CLASS_SOFT;
	event->default_rate = EVENT_RATE_TRACEPOINT;
	snprintf(event->name, sizeof(event->name), "%s:%s", strrchr(sysdir, '/') + 1,
		 strrchr(path, '/') + 1);
	return 0;
}
