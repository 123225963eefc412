// SPDX-License-Identifier: BSD-2-Clause
#include <sys/wait.h>
#include <unistd.h>

#include "pmcstat/record/record_command.h"
#include "pmcstat/status.h"

void record_command_begins(struct record_command *c)
{
	if (c->pid)
		c->starved_before = target_starved_seconds(c->pid);
	c->began = status_now();
}

bool record_command_has_ended(struct record_command *c)
{
	siginfo_t info = {0};

	if (!c->pid || c->gone || waitid(P_PID, (id_t)c->pid, &info, WEXITED | WNOHANG | WNOWAIT) ||
	    !info.si_pid)
		return c->gone;
	c->gone = true;
	c->ended = status_now();
	return true;
}

void record_command_reap(struct record_command *c)
{
	if (!c->gone || c->reaped)
		return;
	/* What tells of children goes with the process. */
	c->children_seconds = target_children_seconds(c->pid);
	c->starved_seconds = target_starved_seconds(c->pid) - c->starved_before;
	c->reaped = wait4(c->pid, &c->status, 0, &c->usage) == c->pid;
}

void record_command_abandon(struct record_command *c, struct target *t)
{
	if (!c->pid || c->gone)
		return;
	close(t->release_fd);
	t->release_fd = -1;
	waitpid(c->pid, &c->status, 0);
}

int record_command_status(const struct record_command *c)
{
	if (!c->gone)
		return EX_OK;
	if (WIFSIGNALED(c->status))
		return 128 + WTERMSIG(c->status);
	return WEXITSTATUS(c->status);
}

static double seconds_of(const struct timeval *t)
{
	return (double)t->tv_sec + (double)t->tv_usec / 1e6;
}

double record_command_user_seconds(const struct record_command *c)
{
	return seconds_of(&c->usage.ru_utime);
}

double record_command_system_seconds(const struct record_command *c)
{
	return seconds_of(&c->usage.ru_stime);
}
