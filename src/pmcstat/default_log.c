// SPDX-License-Identifier: BSD-2-Clause
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/open_files.h"
#include "pmcstat/default_log.h"

enum { MOST = 9999 }; /* logs of a directory */

static void name_of(char name[DEFAULT_LOG_SIZE], unsigned int n)
{
	if (n == 1)
		strcpy(name, "pmcstat.log");
	else
		snprintf(name, DEFAULT_LOG_SIZE, "pmcstat.%u.log", n);
}

int default_log_create(char name[DEFAULT_LOG_SIZE], struct err *err)
{
	unsigned int n;
	int fd;

	for (n = 1; n <= MOST; n++) {
		name_of(name, n);
		fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
		if (fd >= 0)
			return fd;
		if (errno != EEXIST)
			break;
	}
	open_files_fail(err, EX_CANTCREAT, "%s", name);
	name[0] = '\0';
	return err->error == EMFILE ? -1 : err_hint(err, "-O FILE writes the log elsewhere");
}

/* Which one a file is; 0: none. */
static unsigned int number_of(const char *name)
{
	char own[DEFAULT_LOG_SIZE];
	unsigned long n = 1;

	if (strncmp(name, "pmcstat.", 8) != 0)
		return 0;
	if (strcmp(name + 8, "log") != 0)
		n = strtoul(name + 8, NULL, 10);
	if (!n || n > MOST)
		return 0;
	name_of(own, (unsigned int)n);
	return strcmp(name, own) ? 0 : (unsigned int)n;
}

int default_log_newest(char name[DEFAULT_LOG_SIZE], struct err *err)
{
	struct timespec newest = {0};
	DIR *dir = opendir(".");
	const struct dirent *d;
	struct stat s;

	name[0] = '\0';
	while (dir && (d = readdir(dir))) {
		unsigned int n = number_of(d->d_name);

		if (!n || stat(d->d_name, &s) || !S_ISREG(s.st_mode) ||
		    s.st_mtim.tv_sec < newest.tv_sec ||
		    (s.st_mtim.tv_sec == newest.tv_sec && s.st_mtim.tv_nsec < newest.tv_nsec))
			continue;
		newest = s.st_mtim;
		name_of(name, n);
	}
	if (dir)
		closedir(dir);
	if (name[0])
		return 0;
	err_set(err, EX_NOINPUT, "option -R names no log, and there is no pmcstat.log here");
	return err_hint(err, "-R FILE reads another; pmcstat COMMAND records one");
}
