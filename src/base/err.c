// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/err.h"

/* Which kind an errno value is of, and the other way round; the first row that fits. */
static const struct {
	int code, error;
} fits[] = {
	{EX_USAGE, EINVAL},
	{EX_DATAERR, EINVAL},
	{EX_USAGE, EFAULT},
	{EX_USAGE, EEXIST},
	{EX_USAGE, EBADF},
	{EX_NOINPUT, ENOENT},
	{EX_NOUSER, ESRCH},
	{EX_UNAVAILABLE, ENXIO},
	{EX_UNAVAILABLE, ENODEV},
	{EX_UNAVAILABLE, ENOSYS},
	{EX_UNAVAILABLE, EOPNOTSUPP},
	{EX_NOPERM, EPERM},
	{EX_NOPERM, EACCES},
	{EX_TEMPFAIL, EAGAIN},
	{EX_TEMPFAIL, EBUSY},
	{EX_IOERR, EIO},
};
enum { NFITS = sizeof(fits) / sizeof(fits[0]) };

static int error_of(int code)
{
	size_t i;

	for (i = 0; i < NFITS; i++)
		if (fits[i].code == code)
			return fits[i].error;
	return EIO;
}

static int code_of(int error)
{
	size_t i;

	for (i = 0; i < NFITS; i++)
		if (fits[i].error == error)
			return fits[i].code;
	return EX_OSERR;
}

static int fill(struct err *err, int code, int error, const char *fmt, va_list ap)
{
	if (!err)
		return -1;
	err->code = code;
	err->error = error;
	err->hint[0] = '\0';
	vsnprintf(err->msg, sizeof(err->msg), fmt, ap);
	return -1;
}

int err_set(struct err *err, int code, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	fill(err, code, error_of(code), fmt, ap);
	va_end(ap);
	return -1;
}

int err_vfail(struct err *err, int error, const char *fmt, va_list ap)
{
	return fill(err, code_of(error), error, fmt, ap);
}

int err_fail(struct err *err, int error, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	err_vfail(err, error, fmt, ap);
	va_end(ap);
	return -1;
}

int err_vwrap(struct err *err, const char *fmt, va_list ap)
{
	char old[sizeof(err->msg)];
	size_t n;

	if (!err)
		return -1;
	memcpy(old, err->msg, sizeof(old));
	vsnprintf(err->msg, sizeof(err->msg), fmt, ap);
	n = strlen(err->msg);
	snprintf(err->msg + n, sizeof(err->msg) - n, ": %s", old);
	return -1;
}

int err_wrap(struct err *err, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	err_vwrap(err, fmt, ap);
	va_end(ap);
	return -1;
}

int err_hint(struct err *err, const char *fmt, ...)
{
	va_list ap;

	if (!err)
		return -1;
	va_start(ap, fmt);
	vsnprintf(err->hint, sizeof(err->hint), fmt, ap);
	va_end(ap);
	return -1;
}

int err_hint_full(struct err *err, int error)
{
	return error == ENOSPC || error == EDQUOT ? err_hint(err, "make room for more") : -1;
}

int err_unwritten(struct err *err, const char *name, int error)
{
	err_set(err, EX_IOERR, "%s: %s", name, strerror(error));
	err_errno(err, error);
	return err_hint_full(err, error);
}

int err_errno(struct err *err, int error)
{
	if (err)
		err->error = error;
	return -1;
}

int err_nomem(struct err *err)
{
	return err_fail(err, ENOMEM, "out of memory");
}
