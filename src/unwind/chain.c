// SPDX-License-Identifier: BSD-2-Clause
/* The walk from frame to frame. */
#include "unwind/unwind.h"

const char *unwind_end_name(enum unwind_end end)
{
	static const char *const names[UNWIND_ENDS] = {
		[UNWIND_COMPLETE] = "complete", [UNWIND_WINDOW] = "window",
		[UNWIND_NO_RULE] = "no rule",	[UNWIND_BAD_RETURN] = "bad return address",
		[UNWIND_DEPTH] = "depth",
	};

	return (unsigned int)end < UNWIND_ENDS ? names[end] : "unknown";
}

size_t unwind_chain(const struct unwind_job *job, enum unwind_end *end)
{
	job->frames[0] = (struct unwind_frame){.pc = job->regs->pc, .exact = true};
	*end = UNWIND_NO_RULE;
	return 1;
}
