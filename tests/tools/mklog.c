// SPDX-License-Identifier: BSD-2-Clause
/* mklog OUTPUT <SCRIPT: writes a log as pmclog assemble does. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "pmclog/text/assemble.h"

int main(int argc, char **argv)
{
	struct err err = {0};
	int fd, failed = -1;

	if (argc != 2) {
		fprintf(stderr, "usage: mklog OUTPUT <SCRIPT\n");
		return EX_USAGE;
	}
	fd = open(argv[1], O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	if (fd < 0)
		err_set(&err, EX_CANTCREAT, "%s: %s", argv[1], strerror(errno));
	else
		failed = pmclog_assemble(stdin, "script", fd, argv[1], &err);
	if (fd >= 0)
		close(fd);
	if (!failed)
		return 0;
	fprintf(stderr, "mklog: %s\n", err.msg);
	return err.code;
}
