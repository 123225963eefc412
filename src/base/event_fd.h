/* SPDX-License-Identifier: BSD-2-Clause */
/* One thread wakes another by an eventfd(2), which neither may block on. */
#ifndef BASE_EVENT_FD_H
#define BASE_EVENT_FD_H

#include <stdint.h>
#include <sys/eventfd.h>
#include <unistd.h>

/* -1 with errno set. */
static inline int event_fd_new(void)
{
	return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
}

static inline void event_fd_signal(int fd)
{
	const uint64_t one = 1;

	/* A full counter wakes as well. */
	if (write(fd, &one, sizeof(one)) < 0)
		return;
}

static inline void event_fd_clear(int fd)
{
	uint64_t count;

	if (read(fd, &count, sizeof(count)) < 0)
		return;
}

#endif
