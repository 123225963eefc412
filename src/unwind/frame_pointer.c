// SPDX-License-Identifier: BSD-2-Clause
/* Whether the code of an image keeps frame pointers, as its CFI has it. */
#include "unwind/unwind_int.h"

enum { JUDGED = 500 }; /* FDEs that tell it */

struct judged {
	const struct unwindint_fde *fde;
	uint64_t all, against; /* bytes of code */
};

/*
 * Against: x86 saves the frame pointer and goes on finding frames by the stack pointer; arm64 saves
 * the return address without a frame pointer beside it.
 */
static bool judge_row(void *arg, const struct unwindint_row *row, uint64_t from, uint64_t to)
{
	struct judged *j = arg;
	struct unwind_rule rule;
	bool against;

	unwindint_rule_of_row(j->fde, row, &rule);
	if (j->fde->image->machine == UNWIND_ARM64)
		against = rule.ra == UNWIND_SAVED_AT_CFA && rule.fp != UNWIND_SAVED_AT_CFA;
	else
		against = rule.fp == UNWIND_SAVED_AT_CFA && rule.cfa_reg != j->fde->image->m->fp;
	j->all += to - from;
	if (against)
		j->against += to - from;
	return true;
}

bool unwind_image_keeps_frame_pointer(struct unwind_image *image)
{
	const struct unwindint_table *table = &image->eh;
	struct unwindint_fde fde;
	struct judged j = {.fde = &fde};
	size_t i, step;

	if (image->keeps_fp >= 0)
		return image->keeps_fp;
	unwindint_cfi_read(image);
	if (!table->refs.n)
		table = &image->debug;
	step = table->refs.n / JUDGED + 1;
	for (i = 0; i < table->refs.n; i += step)
		if (unwindint_fde_at(image, table, i, &fde))
			unwindint_rows(&fde, judge_row, &j);
	image->keeps_fp = j.all && j.against < j.all / 10;
	return image->keeps_fp;
}
