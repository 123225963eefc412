// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>

#include "pmc/perf/unwind/perf_rest.h"

enum {
	WINDOW_MAX = 65536, /* bytes that the kernel copies */
	REST_MAX = 1 << 20, /* bytes that are read from the process */
	PAGE = 4096,
	/*
	 * Of what the kernel puts on the stack for a handler, at least: all registers are in it,
	 * arm64's pstate last, x86's before 304.
	 */
	SIGNAL_FRAME = 584,
};

void perf_rest_fini(struct perf_rest *r)
{
	free(r->stack);
	free(r->interrupted);
	memset(r, 0, sizeof(*r));
}

/*
 * Reads up to REST_MAX bytes from an address on, as far as there are pages, behind the bytes of
 * check: how many in all.
 */
static size_t read_process(struct space_process *process, struct iovec check, void *check_to,
			   uint64_t from, struct iovec to)
{
	struct iovec local[2] = {{check_to, check.iov_len}, to};
	struct iovec remote[1 + REST_MAX / PAGE] = {check};
	uint64_t end = from + to.iov_len;
	size_t n;
	ssize_t got;

	for (n = 1; n <= REST_MAX / PAGE && from < end; from += remote[n++].iov_len) {
		remote[n].iov_base = (void *)(uintptr_t)from; // NOLINT
		remote[n].iov_len = PAGE - from % PAGE;
	}
	got = process_vm_readv((pid_t)perf_spaces_thread(process), local, 2, remote, n, 0);
	/* ESRCH: a thread that has ended, where others live. */
	process->no_ptrace |= got < 0 && errno != EFAULT && errno != ESRCH;
	return got < 0 ? 0 : (size_t)got;
}

/* The window's own stack from an address in it up to another, as it is now. */
static bool extend(struct perf_rest *r, struct space_process *process, struct unwind_window *w,
		   uint64_t from, uint64_t to)
{
	size_t before = (size_t)(from - w->address), length = REST_MAX, got;

	if (from - w->address > w->length || w->length > WINDOW_MAX || to <= from)
		return false;
	if (to - from < length)
		length = (size_t)(to - from);
	if (!r->stack && !(r->stack = malloc(WINDOW_MAX + REST_MAX)))
		return false;
	if (w->bytes == r->stack)
		return false;
	got = read_process(process, (struct iovec){0}, NULL, from,
			   (struct iovec){r->stack + before, length});
	if (before + got <= w->length)
		return false;
	if (before)
		memcpy(r->stack, w->bytes, before);
	w->bytes = r->stack;
	w->length = before + got;
	return true;
}

/* The stack at sp, if the signal frame in the window that names it is as it was. */
static bool read_interrupted(struct perf_rest *r, struct space_process *process,
			     struct unwind_job *job, uint64_t frame, uint64_t sp)
{
	uint64_t at = frame - job->window.address;
	uint8_t now[SIGNAL_FRAME];
	size_t got;

	if (at > job->window.length || job->window.length - at < sizeof(now))
		return false;
	if (!r->interrupted && !(r->interrupted = malloc(REST_MAX)))
		return false;
	got = read_process(process, (struct iovec){(void *)(uintptr_t)frame, sizeof(now)}, // NOLINT
			   now, sp, (struct iovec){r->interrupted, REST_MAX});
	if (got <= sizeof(now) || memcmp(now, job->window.bytes + at, sizeof(now)) != 0)
		return false;
	job->interrupted = (struct unwind_window){sp, r->interrupted, got - sizeof(now)};
	return true;
}

bool perf_rest_read(struct perf_rest *r, struct space_process *process, struct unwind_job *job,
		    size_t n, uint64_t to)
{
	struct unwind_window *w = &job->window;
	const struct unwind_frame *f = job->frames;
	uint64_t sp;
	size_t i;

	if (job->interrupted.length)
		return false;
	for (i = n - 1; i && !f[i].exact;)
		i--;
	sp = i ? f[i - 1].cfa : 0;
	if (sp && sp - w->address > w->length + REST_MAX)
		return read_interrupted(r, process, job, i > 1 ? f[i - 2].cfa : w->address, sp);
	/* The last return address that was found is read anew: it shows whether it still holds. */
	return extend(r, process, w, n > 2 ? f[n - 3].cfa : w->address, to);
}
