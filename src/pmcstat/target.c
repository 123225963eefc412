// SPDX-License-Identifier: BSD-2-Clause
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <regex.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "pmcstat/target.h"

static int open_pidfd(pid_t pid)
{
#ifdef SYS_pidfd_open
	return (int)syscall(SYS_pidfd_open, pid, 0);
#else
	(void)pid;
	return -1;
#endif
}

/* In the child: waits for the word, then becomes the command.  Does not return. */
static void become_command(char **argv, int release_fd, int exec_fd)
{
	sigset_t none;
	char word;
	int error;

	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	signal(SIGPIPE, SIG_DFL);
	signal(SIGXFSZ, SIG_DFL);
	/* No word: the parent gave up. */
	if (read(release_fd, &word, 1) != 1)
		_exit(EX_OK);
	execvp(argv[0], argv);
	error = errno;
	if (write(exec_fd, &error, sizeof(error)) < 0)
		_exit(EX_OSERR);
	_exit(127);
}

int target_prepare_command(target_list *list, char **argv, struct err *err)
{
	struct target t = {.is_command = true};
	int release[2], exec[2];

	if (pipe2(release, O_CLOEXEC))
		return err_set(err, EX_OSERR, "pipe: %s", strerror(errno));
	if (pipe2(exec, O_CLOEXEC)) {
		close(release[0]);
		close(release[1]);
		return err_set(err, EX_OSERR, "pipe: %s", strerror(errno));
	}
	t.pid = fork();
	if (t.pid == 0) {
		close(release[1]);
		become_command(argv, release[0], exec[1]);
	}
	close(release[0]);
	close(exec[1]);
	t.release_fd = release[1];
	t.exec_fd = exec[0];
	if (t.pid < 0) {
		close(t.release_fd);
		close(t.exec_fd);
		return err_set(err, EX_OSERR, "fork: %s", strerror(errno));
	}
	t.pidfd = open_pidfd(t.pid);
	return vec_push(list, t) ? err_nomem(err) : 0;
}

int target_release_command(struct target *t, const char *name, struct err *err)
{
	int error = 0;
	ssize_t n;

	if (write(t->release_fd, "x", 1) != 1)
		return err_set(err, EX_OSERR, "%s: cannot be started: %s", name, strerror(errno));
	do
		n = read(t->exec_fd, &error, sizeof(error));
	while (n < 0 && errno == EINTR);
	if (n == sizeof(error))
		return err_set(err, error == ENOENT ? COMMAND_NOT_FOUND : COMMAND_NOT_RUN, "%s: %s",
			       name, strerror(error));
	return 0;
}

static int add_running(target_list *list, pid_t pid, struct err *err)
{
	struct target t = {.pid = pid, .release_fd = -1, .exec_fd = -1};

	if (kill(pid, 0) && errno == ESRCH)
		return err_set(err, EX_NOUSER, "process %d: no such process", (int)pid);
	t.pidfd = open_pidfd(pid);
	return vec_push(list, t) ? err_nomem(err) : 0;
}

/* The command name of a process as the kernel has it. */
static bool read_comm(const char *pid, char comm[64])
{
	char path[64];
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), "/proc/%.20s/comm", pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	n = fd < 0 ? -1 : read(fd, comm, 63);
	if (fd >= 0)
		close(fd);
	if (n <= 0)
		return false;
	comm[n - (comm[n - 1] == '\n')] = '\0';
	return true;
}

static int add_matching(target_list *list, const regex_t *regex, struct err *err)
{
	DIR *proc = opendir("/proc");
	struct dirent *d;
	char comm[64];
	int status = 0;

	if (!proc)
		return err_set(err, EX_OSERR, "/proc: %s", strerror(errno));
	while (!status && (d = readdir(proc))) {
		pid_t pid = atoi(d->d_name);

		if (pid <= 0 || pid == getpid() || !read_comm(d->d_name, comm) ||
		    regexec(regex, comm, 0, NULL, 0))
			continue;
		/* One that exits just now is no longer a match. */
		if (!kill(pid, 0) || errno != ESRCH)
			status = add_running(list, pid, err);
	}
	closedir(proc);
	return status;
}

int target_find(target_list *list, const char *pid_or_regex, struct err *err)
{
	size_t before = list->n;
	regex_t regex;
	char *end, why[128];
	long pid = strtol(pid_or_regex, &end, 10);
	int error;

	if (end != pid_or_regex && !*end && pid > 0 && pid <= INT32_MAX)
		return add_running(list, (pid_t)pid, err);
	error = regcomp(&regex, pid_or_regex, REG_EXTENDED | REG_NOSUB);
	if (error) {
		regerror(error, &regex, why, sizeof(why));
		return err_set(err, EX_USAGE, "-t \"%s\": %s", pid_or_regex, why);
	}
	error = add_matching(list, &regex, err);
	regfree(&regex);
	if (!error && list->n == before)
		return err_set(err, EX_NOUSER, "-t \"%s\": no process with such a command name",
			       pid_or_regex);
	return error;
}

void target_list_free(target_list *list)
{
	struct target *t;

	vec_each(t, list) {
		if (t->pidfd >= 0)
			close(t->pidfd);
		if (t->release_fd >= 0)
			close(t->release_fd);
		if (t->exec_fd >= 0)
			close(t->exec_fd);
	}
	vec_free(list);
}
