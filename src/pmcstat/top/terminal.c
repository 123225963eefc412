// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "pmcstat/top/terminal.h"

#include <curses.h>
#include <term.h>

/* ---- The way back, which a crash takes too. ---- */

static const int crash_signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGQUIT};
enum { NCRASH = sizeof(crash_signals) / sizeof(crash_signals[0]) };

static struct {
	const struct terminal *terminal;
	struct sigaction before[NCRASH];
} crash;

/* Async-signal-safe. */
static void give_back(const struct terminal *t)
{
	size_t done = 0, len = strlen(t->leave);
	struct pollfd p = {.fd = t->fd, .events = POLLOUT};

	/* A terminal that Ctrl-S has stopped goes on, or what is written would never get there. */
	tcflow(t->fd, TCOOFF);
	tcflow(t->fd, TCOON);
	/* Of one that takes nothing for a second the user has more than that to mend. */
	while (done < len && poll(&p, 1, 1000) == 1) {
		ssize_t n = write(t->fd, t->leave + done, len - done);

		if (n < 0)
			break;
		done += (size_t)n;
	}
	tcsetattr(t->fd, TCSANOW, &t->before);
}

static void on_crash(int sig, siginfo_t *info, void *context)
{
	int i, saved = errno;

	(void)context;
	if (crash.terminal)
		give_back(crash.terminal);
	for (i = 0; i < NCRASH; i++)
		sigaction(crash_signals[i], &crash.before[i], NULL);
	/* A faulting instruction faults again; what was sent must be sent again. */
	if (info->si_code <= 0)
		raise(sig);
	errno = saved;
}

void terminal_watch(const struct terminal *t)
{
	struct sigaction sa = {.sa_sigaction = on_crash, .sa_flags = SA_SIGINFO};
	int i;

	sigfillset(&sa.sa_mask);
	for (i = 0; i < NCRASH && !crash.terminal; i++)
		sigaction(crash_signals[i], &sa, &crash.before[i]);
	crash.terminal = t;
}

void terminal_give_back(const struct terminal *t)
{
	int i;

	give_back(t);
	for (i = 0; i < NCRASH && crash.terminal; i++)
		sigaction(crash_signals[i], &crash.before[i], NULL);
	crash.terminal = NULL;
}

/* ---- What the terminal can do. ---- */

static const char *cap_of(const char *name)
{
	const char *text = tigetstr(name);

	return text == (const char *)-1 ? NULL : text;
}

/* Appends a string of terminfo without its delays, which are for terminals that are no more. */
static void add_cap(struct terminal *t, const char *name)
{
	size_t n = strlen(t->leave);
	const char *cap = cap_of(name);

	for (; cap && *cap && n + 1 < sizeof(t->leave); cap++) {
		if (cap[0] == '$' && cap[1] == '<') {
			while (*cap && *cap != '>')
				cap++;
			if (!*cap)
				break;
			continue;
		}
		t->leave[n++] = *cap;
	}
	t->leave[n] = '\0';
}

static int find_caps(struct terminal *t, struct err *err)
{
	const char *term = getenv("TERM");
	int error = 0;

	if (!term || !*term)
		return err_set(err, EX_UNAVAILABLE, "TERM is not set");
	if (setupterm(NULL, t->fd, &error) != OK)
		return err_set(err, EX_UNAVAILABLE, "terminfo does not know the terminal \"%s\"",
			       term);
	t->rows = tigetnum("lines");
	t->cols = tigetnum("cols");
	add_cap(t, "sgr0");
	add_cap(t, "op");
	add_cap(t, "rmkx");
	add_cap(t, "cnorm");
	/* Where there is no other screen to go back to, none of ours stays. */
	add_cap(t, cap_of("rmcup") ? "rmcup" : "clear");
	error = !cap_of("cup") || !cap_of("clear");
	del_curterm(cur_term);
	return error ? err_set(err, EX_UNAVAILABLE, "the terminal \"%s\" cannot move its cursor",
			       term)
		     : 0;
}

/* The terminal anew, by its name. */
static int open_by_name(int flags)
{
	char name[64];

	if (ttyname_r(STDOUT_FILENO, name, sizeof(name)))
		strcpy(name, "/dev/tty");
	return open(name, O_RDWR | O_NOCTTY | O_CLOEXEC | flags);
}

int terminal_open(struct terminal *t, struct err *err)
{
	*t = (struct terminal){.fd = open_by_name(O_NONBLOCK)};
	if (t->fd < 0 || tcgetattr(t->fd, &t->before)) {
		err_set(err, EX_UNAVAILABLE, "the terminal cannot be opened: %s", strerror(errno));
		terminal_close(t);
		return -1;
	}
	if (!find_caps(t, err))
		return 0;
	terminal_close(t);
	return -1;
}

int terminal_open_again(void)
{
	return open_by_name(0);
}

void terminal_close(struct terminal *t)
{
	if (t->fd >= 0)
		close(t->fd);
	t->fd = -1;
}

void terminal_size(const struct terminal *t, int *rows, int *cols)
{
	struct winsize size = {0};

	ioctl(t->fd, TIOCGWINSZ, &size);
	*rows = size.ws_row ? size.ws_row : t->rows > 0 ? t->rows : 24;
	*cols = size.ws_col ? size.ws_col : t->cols > 0 ? t->cols : 80;
}
