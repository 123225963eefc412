// SPDX-License-Identifier: BSD-2-Clause
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "base/status.h"

double status_now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (double)ts.tv_sec + (double)ts.tv_nsec / 1e9;
}

void status_start(struct status_line *s)
{
	if (isatty(STDERR_FILENO))
		s->started = status_now();
}

/* A line that cannot be shown is missed by nobody. */
static void show(const char *text, int len)
{
	ssize_t ignored = write(STDERR_FILENO, text, (size_t)len);

	(void)ignored;
}

void status_step(struct status_line *s, const char *what, uint64_t done, uint64_t total)
{
	char line[256];
	double now;
	int n;

	if (!s->started || (now = status_now()) < s->next)
		return;
	if (s->next == 0 && now < s->started + 1)
		return;
	s->next = now + 0.2;
	s->shown = true;
	n = snprintf(line, sizeof(line), "\r\033[K%.200s", what);
	if (total)
		n += snprintf(line + n, sizeof(line) - (size_t)n, ": %.0f%%",
			      100.0 * (double)done / (double)total);
	show(line, n);
}

void status_end(struct status_line *s)
{
	if (s->shown)
		show("\r\033[K", 4);
	s->shown = false;
}
