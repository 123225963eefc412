/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * One error: what happened, in words for the user.
 *
 * The deepest layer states the fact with numbers, each layer above wraps its subject around it, the
 * program prints it once.  Every function here accepts a NULL error and then does nothing, so that
 * callers who do not care may pass NULL.
 */
#ifndef BASE_ERR_H
#define BASE_ERR_H

#include <stdarg.h>
#include <sysexits.h>

struct err {
	int code;	/* what kind, as sysexits(3) has them; 0 while nothing went wrong */
	int error;	/* the errno value; never 0 where code is not */
	char msg[1024]; /* one sentence, no newline */
	char hint[512]; /* what to do next; may be empty */
};

/*
 * Sets code and message, gives the errno value that fits the code, clears the hint.  Always returns
 * -1, so that callers can return it.
 */
int err_set(struct err *err, int code, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

/* The same where the errno value is known: the code is the one that fits it. */
int err_fail(struct err *err, int error, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
int err_vfail(struct err *err, int error, const char *fmt, va_list ap);

/* Puts "text: " before the message.  Always returns -1. */
int err_wrap(struct err *err, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
int err_vwrap(struct err *err, const char *fmt, va_list ap);

/* Sets the hint.  Always returns -1. */
int err_hint(struct err *err, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Sets the hint where the errno value is that of a disk without room.  Always returns -1. */
int err_hint_full(struct err *err, int error);

/* That name could not be written: why, and the hint where a disk is full.  Always returns -1. */
int err_unwritten(struct err *err, const char *name, int error);

/* Sets another errno value than the one that fits the code.  Always returns -1. */
int err_errno(struct err *err, int error);

/* The error for a failed allocation: code EX_OSERR, errno ENOMEM.  Always returns -1. */
int err_nomem(struct err *err);

#endif
