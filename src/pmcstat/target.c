// SPDX-License-Identifier: BSD-2-Clause
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <regex.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "base/open_files.h"
#include "base/proc_text.h"
#include "pmc/proc_list.h"
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

/* The file that exec would find, or what it would fail with because there is none; 0: nothing. */
static int look_up(const char *name, char file[PATH_MAX])
{
	const char *dir = getenv("PATH"), *end;
	struct stat st;
	int error = ENOENT;

	if (strchr(name, '/')) {
		/* Not by snprintf(): gcc 12 with sanitizers takes the name for NULL there. */
		file[0] = '\0';
		strncat(file, name, PATH_MAX - 1);
		if (eaccess(name, X_OK))
			return errno;
		return !stat(name, &st) && S_ISDIR(st.st_mode) ? EISDIR : 0;
	}
	for (dir = dir ? dir : "/bin:/usr/bin";; dir = end + 1) {
		end = strchrnul(dir, ':');
		/* An empty element is the working directory. */
		snprintf(file, PATH_MAX, "%.*s/%s", end > dir ? (int)(end - dir) : 1,
			 end > dir ? dir : ".", name);
		if (!eaccess(file, X_OK))
			return 0;
		if (errno == EACCES)
			error = EACCES;
		if (!*end)
			return error;
	}
}

static int cannot_run(const char *name, int error, struct err *err)
{
	return err_set(err, error == ENOENT ? COMMAND_NOT_FOUND : COMMAND_NOT_RUN, "%s: %s", name,
		       strerror(error));
}

/* In the child: waits for the word, then becomes the command.  Does not return. */
static void become_command(char **argv, int release_fd, int exec_fd)
{
	char word;
	int error;

	/* No word: the parent gave up. */
	if (read(release_fd, &word, 1) != 1)
		_exit(EX_OK);
	execvp(argv[0], argv);
	error = errno;
	if (write(exec_fd, &error, sizeof(error)) < 0)
		_exit(EX_OSERR);
	_exit(COMMAND_NOT_FOUND);
}

int target_prepare_command(target_list *list, char **argv, struct err *err)
{
	struct target t = {0};
	char file[PATH_MAX];
	int release[2], exec[2], error = look_up(argv[0], file);

	if (error)
		return cannot_run(argv[0], error, err);
	if (pipe2(release, O_CLOEXEC))
		return open_files_fail(err, EX_OSERR, "pipe");
	if (pipe2(exec, O_CLOEXEC)) {
		open_files_fail(err, EX_OSERR, "pipe");
		close(release[0]);
		close(release[1]);
		return -1;
	}
	/* Ignored, as our starter may have left it, it would lose us the command's status. */
	signal(SIGCHLD, SIG_DFL);
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
	if (n != sizeof(error))
		return 0;
	/* The file itself was there. */
	if (error == ENOENT)
		return err_set(err, COMMAND_NOT_FOUND,
			       "%s: the interpreter or run-time linker that it names is missing",
			       name);
	return cannot_run(name, error, err);
}

const char *target_why_hidden(const char *name)
{
	char file[PATH_MAX];
	struct stat st;

	if (look_up(name, file) || stat(file, &st))
		return NULL;
	if ((st.st_mode & S_ISUID) && st.st_uid != geteuid())
		return "set-user-ID";
	if ((st.st_mode & S_ISGID) && st.st_gid != getegid())
		return "set-group-ID";
	if (geteuid() && getxattr(file, "security.capability", NULL, 0) > 0)
		return "a file with capabilities";
	return eaccess(file, R_OK) ? "not readable" : NULL;
}

/* One that we may not send signals to exists too. */
static bool exists(pid_t pid)
{
	return !kill(pid, 0) || errno != ESRCH;
}

bool target_has_exited(const struct target *t)
{
	struct pollfd p = {.fd = t->pidfd, .events = POLLIN};

	return t->pidfd >= 0 ? poll(&p, 1, 0) > 0 : !exists(t->pid);
}

static int add_running(target_list *list, pid_t pid, bool by_name, struct err *err)
{
	struct target t = {.pid = pid, .release_fd = -1, .exec_fd = -1, .by_name = by_name};
	const struct target *known;

	vec_each(known, list)
		if (known->pid == pid && !target_has_exited(known))
			return 0;
	t.pidfd = open_pidfd(pid);
	return vec_push(list, t) ? err_nomem(err) : 0;
}

/* Also of one that nobody has waited for yet, which still has its name. */
static bool has_ended(pid_t pid)
{
	struct target t = {.pid = pid, .pidfd = open_pidfd(pid)};
	bool ended = target_has_exited(&t);

	if (t.pidfd >= 0)
		close(t.pidfd);
	return ended;
}

/* The command name of a process as the kernel has it. */
static bool read_comm(const char *pid, char comm[64])
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%.20s/comm", pid);
	return proc_read_text(path, comm, 64) >= 0;
}

/* *n becomes how many there are. */
static int add_matching(target_list *list, const regex_t *regex, size_t *n, struct err *err)
{
	DIR *proc = opendir("/proc");
	struct dirent *d;
	char comm[64];
	int status = 0;

	if (!proc)
		return open_files_fail(err, EX_OSERR, "/proc");
	while (!status && (d = readdir(proc))) {
		pid_t pid = atoi(d->d_name);

		if (pid <= 0 || pid == getpid() || !read_comm(d->d_name, comm) ||
		    regexec(regex, comm, 0, NULL, 0) || has_ended(pid))
			continue;
		status = add_running(list, pid, true, err);
		++*n;
	}
	closedir(proc);
	return status;
}

static int find_matching(target_list *list, const char *text, size_t *n, struct err *err)
{
	char why[128];
	regex_t regex;
	int error = regcomp(&regex, text, REG_EXTENDED | REG_NOSUB);

	if (error) {
		regerror(error, &regex, why, sizeof(why));
		return err_set(err, EX_USAGE, "-t \"%s\": %s", text, why);
	}
	error = add_matching(list, &regex, n, err);
	regfree(&regex);
	return error;
}

/* An empty expression, which would match everything, is none. */
bool target_is_regex(const char *pid_or_regex)
{
	char *end;

	strtol(pid_or_regex, &end, 10);
	return *end != '\0';
}

static int find_pid(target_list *list, const char *text, struct err *err)
{
	long pid = strtol(text, NULL, 10);

	if (pid <= 0 || pid > INT32_MAX)
		return err_set(err, EX_USAGE, "-t \"%s\" is not a process", text);
	if (!exists((pid_t)pid))
		return err_set(err, EX_NOUSER, "there is no process %ld", pid);
	return add_running(list, (pid_t)pid, false, err);
}

int target_find(target_list *list, const char *pid_or_regex, struct err *err)
{
	size_t n = 0;

	if (!target_is_regex(pid_or_regex))
		return find_pid(list, pid_or_regex, err);
	if (find_matching(list, pid_or_regex, &n, err))
		return -1;
	if (n)
		return 0;
	err_set(err, EX_NOUSER, "-t \"%s\": no process with such a command name", pid_or_regex);
	return strlen(pid_or_regex) > PROC_NAME_MAX && !strpbrk(pid_or_regex, "^$.[]()|*+?{}\\")
		       ? err_hint(err, "Linux keeps %d characters of a name: -t \"%.*s\"",
				  PROC_NAME_MAX, PROC_NAME_MAX, pid_or_regex)
		       : err_hint(err, "one that starts later is in -S's samples, where --comm "
				       "chooses it");
}

int target_find_more(target_list *list, const char *pid_or_regex, struct err *err)
{
	size_t n = 0;

	return target_is_regex(pid_or_regex) ? find_matching(list, pid_or_regex, &n, err) : 0;
}

void target_remove(target_list *list, size_t i)
{
	struct target *t = &list->v[i];

	if (t->pidfd >= 0)
		close(t->pidfd);
	if (t->release_fd >= 0)
		close(t->release_fd);
	if (t->exec_fd >= 0)
		close(t->exec_fd);
	vec_remove(list, i, 1);
}

void target_list_free(target_list *list)
{
	while (list->n)
		target_remove(list, list->n - 1);
	vec_free(list);
}

double target_starved_seconds(pid_t pid)
{
	unsigned long long ran, ready;
	char path[64], text[128];

	snprintf(path, sizeof(path), "/proc/%d/schedstat", (int)pid);
	if (proc_read_text(path, text, sizeof(text)) < 0 ||
	    sscanf(text, "%llu %llu", &ran, &ready) != 2)
		return 0;
	return (double)ready / 1e9;
}

double target_children_seconds(pid_t pid)
{
	struct proc_stat stat;
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	if (!proc_read_stat(path, &stat))
		return 0;
	return (double)(stat.children_user + stat.children_system) / (double)sysconf(_SC_CLK_TCK);
}
