// SPDX-License-Identifier: BSD-2-Clause
/* The last failure of each thread, in words and as an errno value. */
#include <errno.h>
#include <stdio.h>

#include "pmc/pmcint.h"

static _Thread_local struct err last;

struct err *pmcint_last(void)
{
	return &last;
}

const char *pmc_error(void)
{
	return last.msg;
}

const char *pmc_error_hint(void)
{
	return last.hint;
}

int pmc_error_code(void)
{
	return last.code;
}

int pmcint_last_errno(const struct pmcint *s)
{
	const struct pmclog_writer *w = s->collector.writer;

	if (last.error)
		return last.error;
	switch (last.code) {
	case EX_USAGE:
	case EX_DATAERR: return EINVAL;
	case EX_NOINPUT: return ENOENT;
	case EX_NOUSER: return ESRCH;
	case EX_UNAVAILABLE: return ENXIO;
	case EX_NOPERM: return EPERM;
	case EX_TEMPFAIL: return EAGAIN;
	case EX_IOERR:
		if (w && pmclog_writer_errno(w))
			return pmclog_writer_errno(w);
		return s->closed.error ? s->closed.error : EIO;
	default: return EIO;
	}
}

int pmcint_refuse(int error, const char *fmt, ...)
{
	char text[256];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	err_set(&last, EX_USAGE, "%s", text);
	return error;
}

int pmcint_no_place(const char *what)
{
	return pmcint_refuse(EFAULT, "the place for the %s is NULL", what);
}

int pmcint_fail(int error)
{
	errno = error;
	return -1;
}
