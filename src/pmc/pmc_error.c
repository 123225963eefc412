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

int pmcint_refuse(int error, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	err_vfail(&last, error, fmt, ap);
	va_end(ap);
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
