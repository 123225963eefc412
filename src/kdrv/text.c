// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
/* Where the kernel's text is, and what is in it.  Process context. */
#include <linux/kallsyms.h>
#include <linux/kprobes.h>
#include <linux/string.h>

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

/* Where the next of the kernel's symbols begins; 0: address is in none. */
static unsigned long end_of_symbol(unsigned long address)
{
	char symbol[KSYM_SYMBOL_LEN];
	unsigned long offset, size;
	const char *where;

	sprint_symbol(symbol, address);
	where = strrchr(symbol, '+');
	if (!where || strchr(where, '[') || sscanf(where, "+%lx/%lx", &offset, &size) != 2)
		return 0;
	return address - offset + size;
}

/* Where kallsyms has code alone: of that which start is in. */
static unsigned long end_of_code(unsigned long start)
{
	unsigned long end = start, next = end_of_symbol(start);

	while (next > end) {
		end = next;
		next = end_of_symbol(end);
	}
	return end;
}

/* Code begins at _stext.  What arm64 has before it, from _text on, is a header for boot loaders. */
int hwpmc_kernel_text_init(void)
{
	hwpmc_address_of("_stext", &text_start);
	/* Without KALLSYMS_ALL only code is looked up: the first behind text and constants. */
	if (!hwpmc_address_of("_etext", &text_end))
		hwpmc_address_of("_einittext", &code_end);
	else if (!hwpmc_address_of("_sinittext", &text_end))
		code_end = end_of_code(text_end);
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
