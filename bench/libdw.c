// SPDX-License-Identifier: BSD-2-Clause
#include <elfutils/libdwfl.h>
#include <string.h>

#include "libdw.h"

struct state {
	pid_t pid;
	const struct unwind_regs *regs;
	const struct unwind_window *window;
	uint64_t *pcs;
	size_t n, max;
};

/* What is read from the files: the call frame information that they have themselves. */
static int no_debuginfo(Dwfl_Module *mod, void **user, const char *name, Dwarf_Addr base,
			const char *file, const char *link, GElf_Word crc, char **found)
{
	(void)mod, (void)user, (void)name, (void)base, (void)file, (void)link, (void)crc;
	(void)found;
	return -1;
}

static pid_t next_thread(Dwfl *dwfl, void *arg, void **thread)
{
	struct state *s = arg;

	(void)dwfl;
	if (*thread)
		return 0;
	*thread = s;
	return s->pid;
}

static bool get_thread(Dwfl *dwfl, pid_t tid, void *arg, void **thread)
{
	(void)dwfl, (void)tid;
	*thread = arg;
	return true;
}

static bool read_memory(Dwfl *dwfl, Dwarf_Addr address, Dwarf_Word *value, void *arg)
{
	const struct unwind_window *w = ((struct state *)arg)->window;
	uint64_t at = address - w->address;

	(void)dwfl;
	if (w->length < 8 || at > w->length - 8)
		return false;
	memcpy(value, w->bytes + at, 8);
	return true;
}

static bool set_registers(Dwfl_Thread *thread, void *arg)
{
	const struct unwind_regs *regs = ((struct state *)arg)->regs;
	Dwarf_Word words[17];

	memcpy(words, regs->reg, 16 * sizeof(*words));
	words[UNWIND_X86_64_RA] = regs->pc;
	return dwfl_thread_state_registers(thread, 0, 17, words);
}

static int take_frame(Dwfl_Frame *frame, void *arg)
{
	struct state *s = arg;
	Dwarf_Addr pc;

	if (s->n == s->max || !dwfl_frame_pc(frame, &pc, NULL))
		return DWARF_CB_ABORT;
	s->pcs[s->n++] = pc;
	return DWARF_CB_OK;
}

/* Modules of one process, until its maps or the process change. */
static Dwfl *modules_of(pid_t pid, bool moved, struct state *state)
{
	static const Dwfl_Callbacks callbacks = {.find_elf = dwfl_linux_proc_find_elf,
						 .find_debuginfo = no_debuginfo};
	static const Dwfl_Thread_Callbacks threads = {.next_thread = next_thread,
						      .get_thread = get_thread,
						      .memory_read = read_memory,
						      .set_initial_registers = set_registers};
	static Dwfl *dwfl;
	static pid_t of;

	if (dwfl && of == pid && !moved)
		return dwfl;
	dwfl_end(dwfl);
	dwfl = dwfl_begin(&callbacks);
	of = pid;
	if (dwfl_linux_proc_report(dwfl, pid) || dwfl_report_end(dwfl, NULL, NULL) ||
	    !dwfl_attach_state(dwfl, NULL, pid, &threads, state)) {
		dwfl_end(dwfl);
		dwfl = NULL;
	}
	return dwfl;
}

size_t libdw_chain(pid_t pid, bool moved, const struct unwind_regs *regs,
		   const struct unwind_window *window, uint64_t *pcs, size_t max)
{
	/* The modules keep its address. */
	static struct state state;
	Dwfl *dwfl;

	state = (struct state){pid, regs, window, pcs, 0, max};
	dwfl = modules_of(pid, moved, &state);
	if (dwfl)
		dwfl_getthread_frames(dwfl, pid, take_frame, &state);
	return state.n;
}
