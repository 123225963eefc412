// SPDX-License-Identifier: BSD-2-Clause
/*
 * Runs a command as a shell with a user before it would start it, wherever make itself was started:
 *	afresh COMMAND [ARGUMENT...]
 *
 * No signal is ignored or blocked (sh ignores SIGINT for what it runs in the background), and
 * standard input is empty (of a terminal it is read by programs that find one there).
 */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

int main(int argc, char *argv[])
{
	int fd = open("/dev/null", O_RDONLY), i;
	sigset_t none;

	if (argc < 2)
		errx(64, "usage: afresh COMMAND [ARGUMENT...]");
	if (fd < 0 || dup2(fd, STDIN_FILENO) < 0)
		err(71, "/dev/null");
	if (fd > STDIN_FILENO)
		close(fd);
	/* Those that cannot be caught refuse, and those that the C library keeps to itself. */
	for (i = 1; i < NSIG; i++)
		signal(i, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	execvp(argv[1], argv + 1);
	err(errno == ENOENT ? 127 : 126, "%s", argv[1]);
}
