// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
/* Where the kernel's text is, and what is in it.  Process context. */
#include <linux/kallsyms.h>
#include <linux/kprobes.h>
#include <linux/sizes.h>

#include "hwpmc_int.h"

static unsigned long text_start, text_end, code_end;

/*
 * register_kprobe() looks the symbol up before it refuses one that cannot be probed; one that can
 * be is not armed.
 */
int hwpmc_address_of(const char *symbol, unsigned long *address)
{
	struct kprobe probe = {.symbol_name = symbol, .flags = KPROBE_FLAG_DISABLED};
	int error = register_kprobe(&probe);

	if (!error)
		unregister_kprobe(&probe);
	*address = (unsigned long)probe.addr;
	return *address ? 0 : error;
}

static bool is_named(unsigned long address)
{
	char name[KSYM_SYMBOL_LEN];

	sprint_symbol(name, address);
	return strncmp(name, "0x", 2);
}

/* Where no address has a name that is not in code: the end of that which start is in. */
static unsigned long end_of_names(unsigned long start)
{
	unsigned long last = start, step;

	for (step = SZ_64M; step; step /= 2)
		if (is_named(last + step))
			last += step;
	return last + 1;
}

/* Code begins at _stext.  What arm64 has before it, from _text on, is a header for boot loaders. */
int hwpmc_kernel_text_init(void)
{
	hwpmc_address_of("_stext", &text_start);
	/* Without KALLSYMS_ALL only code is looked up: the first behind text and constants. */
	if (!hwpmc_address_of("_etext", &text_end))
		hwpmc_address_of("_einittext", &code_end);
	else if (!hwpmc_address_of("_sinittext", &text_end))
		code_end = end_of_names(text_end);
	code_end = max(text_end, code_end);
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
