// SPDX-License-Identifier: BSD-2-Clause
/* What is wrong with debug information, and how much of it is read before that is said. */
#include <errno.h>
#include <stdio.h>

#include "symbol/dwarf/dwarf_int.h"

/* The steps and bytes stored that a byte of sections is worth: no compiler makes more of it. */
#define WORK_MIN      (UINT64_C(1) << 20)
#define WORK_A_BYTE   8
#define STORED_MIN    (UINT64_C(64) << 20)
#define STORED_A_BYTE 4

int dwarf_problem(struct dwarf_lines *lines, const char *fmt, ...)
{
	char text[sizeof(lines->err.msg)];
	va_list ap;

	if (lines->err.code)
		return 0;
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	err_set(&lines->err, EX_DATAERR, "%s", text);
	return 0;
}

void dwarf_no_memory(const struct symbol_image *image, struct err *err)
{
	err_fail(err, ENOMEM, "%s: out of memory for debug information",
		 image->file ? image->file : image->path);
}

static bool is_within(struct dwarf_lines *lines, uint64_t *used, uint64_t n, uint64_t limit)
{
	*used += n;
	if (*used <= limit)
		return true;
	dwarf_problem(lines,
		      "%s: the debug information refers to itself more often than any compiler "
		      "makes it; reading it was given up",
		      lines->main ? lines->main->path : symbol_image_path(lines->image));
	return false;
}

bool dwarf_may_work(struct dwarf_lines *lines, uint64_t n)
{
	return is_within(lines, &lines->work, n, WORK_MIN + WORK_A_BYTE * lines->read);
}

bool dwarf_may_store(struct dwarf_lines *lines, uint64_t n)
{
	return is_within(lines, &lines->stored, n, STORED_MIN + STORED_A_BYTE * lines->read);
}
