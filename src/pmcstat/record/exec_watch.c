// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <linux/cn_proc.h>
#include <linux/connector.h>
#include <linux/netlink.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "pmcstat/record/exec_watch.h"

/* struct proc_event's first member, whose values have had no name of their own since Linux 6.6. */
enum { EVENT_EXEC = 0x00000002, EVENT_COMM = 0x00000200 };

/* Asks for all events of processes. */
static bool subscribe(int fd)
{
	const enum proc_cn_mcast_op listen = PROC_CN_MCAST_LISTEN;
	char text[NLMSG_SPACE(sizeof(struct cn_msg) + sizeof(listen))];
	struct nlmsghdr header = {.nlmsg_len = sizeof(text),
				  .nlmsg_type = NLMSG_DONE,
				  .nlmsg_pid = (uint32_t)getpid()};
	struct cn_msg message = {.id = {CN_IDX_PROC, CN_VAL_PROC}, .len = sizeof(listen)};

	memset(text, 0, sizeof(text));
	memcpy(text, &header, sizeof(header));
	memcpy(text + NLMSG_HDRLEN, &message, sizeof(message));
	memcpy(text + NLMSG_HDRLEN + sizeof(message), &listen, sizeof(listen));
	return send(fd, text, sizeof(text), 0) == (ssize_t)sizeof(text);
}

int exec_watch_open(void)
{
	struct sockaddr_nl address = {.nl_family = AF_NETLINK, .nl_groups = CN_IDX_PROC};
	int fd = socket(AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_CONNECTOR);

	if (fd < 0)
		return -1;
	if (!bind(fd, (struct sockaddr *)&address, sizeof(address)) && subscribe(fd))
		return fd;
	close(fd);
	return -1;
}

bool exec_watch_heard(int fd)
{
	const size_t at = NLMSG_HDRLEN + sizeof(struct cn_msg);
	bool heard = false;
	char text[1024];
	uint32_t what;
	ssize_t n;

	for (;;) {
		n = recv(fd, text, sizeof(text), 0);
		if (n < 0 && errno == EINTR)
			continue;
		/* Where there was no room for all of them one may have been lost. */
		if (n < 0 && errno == ENOBUFS)
			heard = true;
		else if (n < 0)
			return heard;
		if (n < (ssize_t)(at + sizeof(what)))
			continue;
		memcpy(&what, text + at, sizeof(what));
		heard |= what == EVENT_EXEC || what == EVENT_COMM;
	}
}
