// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/proc_text.h"

ssize_t proc_read_text(const char *path, char *text, size_t size)
{
	/* O_NONBLOCK: below another root there may be fifos. */
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK), error;
	ssize_t n;

	if (fd < 0)
		return -1;
	n = read(fd, text, size - 1);
	error = errno;
	close(fd);
	errno = error;
	if (n < 0)
		return -1;
	if (n && text[n - 1] == '\n')
		n--;
	text[n] = '\0';
	return n;
}

ssize_t proc_read_words(const char *path, char *text, size_t size)
{
	ssize_t n = proc_read_text(path, text, size);

	if (n < 0)
		return -1;
	n = (ssize_t)strlen(text);
	while (n > 0 && strchr(" \t\r\n", text[n - 1]))
		n--;
	text[n] = '\0';
	return n;
}

long long proc_read_number(const char *path, long long fallback)
{
	char text[64], *end;
	long long v;

	if (proc_read_text(path, text, sizeof(text)) <= 0)
		return fallback;
	v = strtoll(text, &end, 10);
	return end == text ? fallback : v;
}

bool proc_read_boot_id(const char *root, char *id, size_t size)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s" PROC_BOOT_ID, root);
	if (proc_read_text(path, id, size) < 0)
		id[0] = '\0';
	id[strcspn(id, " \t\r\n")] = '\0';
	return id[0] != '\0';
}
