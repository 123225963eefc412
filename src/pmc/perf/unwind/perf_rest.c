// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>

#include "pmc/perf/unwind/perf_present.h"
#include "pmc/perf/unwind/perf_rest.h"

enum {
	WINDOW_MAX = 65536, /* bytes that the kernel copies */
	REST_MAX = 1 << 20, /* bytes that are read from the process */
	/*
	 * Of what the kernel puts on the stack for a handler, at least: all registers are in it,
	 * arm64's pstate last, x86's before 304.
	 */
	SIGNAL_FRAME = 584,
	/* Two pages for a signal frame, and one more for what does not begin with a page. */
	TRANSFER_MAX = 2 + 1 + REST_MAX / PRESENT_PAGE,
};

void perf_rest_fini(struct perf_rest *r)
{
	free(r->stack);
	free(r->interrupted);
	memset(r, 0, sizeof(*r));
}

/* What is read at once: bytes of the process, and where they go. */
struct transfer {
	struct iovec local[TRANSFER_MAX], remote[TRANSFER_MAX];
	size_t n;
};

static void add(struct transfer *t, uint64_t from, void *to, size_t length)
{
	t->remote[t->n] = (struct iovec){(void *)(uintptr_t)from, length}; // NOLINT
	t->local[t->n++] = (struct iovec){to, length};
}

/*
 * Adds those of length bytes from an address on that are there, a page each.  One that is not, of a
 * stack, was never written to, and is zeroes.  How many bytes, up to the last that are added.
 */
static size_t add_pages(struct transfer *t, uint32_t tid, uint64_t from, uint8_t *to, size_t length)
{
	bool there[1 + REST_MAX / PRESENT_PAGE];
	const size_t skipped = from % PRESENT_PAGE;
	size_t n = (skipped + length + PRESENT_PAGE - 1) / PRESENT_PAGE, i, at = 0, part;

	n = perf_present(tid, from, there, n);
	for (i = 0; i < n; i++, at += part) {
		part = PRESENT_PAGE - (i ? 0 : skipped);
		part = part < length - at ? part : length - at;
		if (there[i])
			add(t, from + at, to + at, part);
		else
			memset(to + at, 0, part);
	}
	return at;
}

/*
 * Reads up to REST_MAX bytes from an address on, as far as there are pages, behind the bytes of
 * check: how many in all.
 */
static size_t read_process(struct space_process *process, struct iovec check, void *check_to,
			   uint64_t from, struct iovec to)
{
	const uint32_t tid = perf_spaces_thread(process);
	size_t length, of_check, i;
	struct transfer t;
	ssize_t got;

	t.n = 0;
	if (check.iov_len && add_pages(&t, tid, (uint64_t)(uintptr_t)check.iov_base, check_to,
				       check.iov_len) < check.iov_len)
		return 0;
	of_check = t.n;
	length = add_pages(&t, tid, from, to.iov_base, to.iov_len);
	got = process_vm_readv((pid_t)tid, t.local, t.n, t.remote, t.n, 0);
	/* ESRCH: a thread that has ended, where others live. */
	process->no_ptrace |= got < 0 && errno != EFAULT && errno != ESRCH;
	for (i = 0; got > 0 && i < t.n && (size_t)got >= t.local[i].iov_len; i++)
		got -= (ssize_t)t.local[i].iov_len;
	if (got < 0 || !i || i < of_check)
		return 0;
	/* What has gone meanwhile, and all behind it, is not there. */
	if (i < t.n)
		length = (size_t)((uint8_t *)t.local[i].iov_base - (uint8_t *)to.iov_base);
	return check.iov_len + length;
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
