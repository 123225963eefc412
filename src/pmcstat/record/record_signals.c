// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/open_files.h"
#include "pmcstat/record/record_signals.h"

static void ignore(int sig)
{
	(void)sig;
}

/* A handler, unlike an ignored signal, is not inherited by the command. */
void record_signals_outlive_io(void)
{
	struct sigaction sa = {.sa_handler = ignore, .sa_flags = SA_RESTART};

	sigaction(SIGIO, &sa, NULL);
}

int record_signals_open(struct record_signals *s, bool rotates, struct err *err)
{
	struct sigaction old;

	sigaddset(&s->enders, SIGINT);
	sigaddset(&s->enders, SIGTERM);
	/* nohup(1) means it; shells have every background job ignore SIGINT. */
	if (!sigaction(SIGHUP, NULL, &old) && old.sa_handler != SIG_IGN)
		sigaddset(&s->enders, SIGHUP);
	signal(SIGINT, SIG_DFL);
	s->heard = s->enders;
	sigaddset(&s->heard, SIGCHLD);
	sigaddset(&s->heard, SIGIO);
	if (rotates)
		sigaddset(&s->heard, SIGUSR2);
	sigprocmask(SIG_BLOCK, &s->heard, NULL);
	/* A closed pipe and a file size limit are errors of write(2), to be reported. */
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
	s->fd = signalfd(-1, &s->heard, SFD_CLOEXEC | SFD_NONBLOCK);
	return s->fd < 0 ? open_files_fail(err, EX_OSERR, "signalfd") : 0;
}

bool record_signals_read(const struct record_signals *s, struct signalfd_siginfo *info)
{
	return read(s->fd, info, sizeof(*info)) == sizeof(*info);
}

void record_signals_kill(const struct record_signals *s, bool kills)
{
	sigprocmask(kills ? SIG_UNBLOCK : SIG_BLOCK, &s->enders, NULL);
}

void record_signals_only_enders(const struct record_signals *s, bool only)
{
	signalfd(s->fd, only ? &s->enders : &s->heard, 0);
}

void record_signals_close(struct record_signals *s)
{
	if (s->fd >= 0)
		close(s->fd);
	s->fd = -1;
}
