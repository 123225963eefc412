// SPDX-License-Identifier: BSD-2-Clause
#include <stdio.h>
#include <string.h>

#include "pmc/pmc.h"
#include "pmcstat/say.h"

static int say_failure(const char *msg, const char *hint, int code)
{
	fprintf(stderr, "pmcstat: %s\n", msg);
	if (*hint)
		fprintf(stderr, "pmcstat: hint: %s\n", hint);
	return code ? code : EX_SOFTWARE;
}

int say_error(const struct err *err)
{
	return say_failure(err->msg, err->hint, err->code);
}

int say_pmc_error(void)
{
	return say_failure(pmc_error(), pmc_error_hint(), pmc_error_code());
}

void say(const char *fmt, ...)
{
	char line[1024];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(line, sizeof(line), fmt, ap);
	va_end(ap);
	fprintf(stderr, "pmcstat: %s\n", line);
}

void say_unclosed(const char *log)
{
	say("%s: the log was not closed: it is still being written, or its recorder was killed or "
	    "had no room, and what came then is missing",
	    log);
}

void say_lines(const char *text)
{
	const char *end;

	for (; (end = strchr(text, '\n')); text = end + 1)
		fprintf(stderr, "pmcstat: %.*s\n", (int)(end - text), text);
}
