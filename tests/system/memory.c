// SPDX-License-Identifier: BSD-2-Clause
/* Runs a program from memory alone, with its arguments: memory PROGRAM [ARG...] */
#define _GNU_SOURCE /* memfd_create() */
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <unistd.h>

extern char **environ;

int main(int argc, char *argv[])
{
	int from = argc > 1 ? open(argv[1], O_RDONLY | O_CLOEXEC) : -1;
	int to = memfd_create("program", MFD_CLOEXEC);

	if (from < 0 || to < 0)
		return 1;
	while (sendfile(to, from, NULL, 1 << 20) > 0)
		;
	fexecve(to, argv + 1, environ);
	return 1;
}
