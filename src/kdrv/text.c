// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
/* Where the kernel's text is.  Process context. */
#include <linux/kprobes.h>

#include "hwpmc_int.h"

static u64 text_start, text_end, code_end;

/*
 * The address of a symbol; 0: not found.  register_kprobe() looks it up before it refuses one that
 * cannot be probed; one that can be is not armed.
 */
static u64 address_of(const char *symbol)
{
	struct kprobe probe = {.symbol_name = symbol, .flags = KPROBE_FLAG_DISABLED};

	if (!register_kprobe(&probe))
		unregister_kprobe(&probe);
	return (unsigned long)probe.addr;
}

/* Code begins at _stext.  What arm64 has before it, from _text on, is a header for boot loaders. */
int hwpmc_kernel_text_init(void)
{
	text_start = address_of("_stext");
	text_end = address_of("_etext");
	/* Without KALLSYMS_ALL only code is looked up: the first behind text and constants. */
	if (!text_end)
		text_end = address_of("_sinittext");
	code_end = max(text_end, address_of("_einittext"));
	return 0;
}

bool hwpmc_kernel_text(u64 *start, u64 *end)
{
	*start = text_start;
	*end = text_end;
	return text_start && text_end > text_start;
}

u64 hwpmc_kernel_code_end(void)
{
	return code_end;
}
