// SPDX-License-Identifier: BSD-2-Clause
/* libdw, of elfutils (libdw-dev). */
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <fcntl.h>
#include <setjmp.h>
#include <unistd.h>

#include "bench/dwarf_peer.h"

enum { DEPTH_MAX = 4096 };

static int fd;
static Dwarf *dwarf;
static jmp_buf no_memory;
static struct peer_found found;

/* It must not return; the default one ends the process. */
static void __attribute__((noreturn)) give_up(void)
{
	longjmp(no_memory, 1);
}

bool peer_open(const char *path)
{
	fd = open(path, O_RDONLY | O_CLOEXEC);
	dwarf = fd < 0 ? NULL : dwarf_begin(fd, DWARF_C_READ);
	if (!dwarf)
		return false;
	dwarf_new_oom_handler(dwarf, give_up);
	return true;
}

static int take(Dwarf_Attribute *a, void *arg)
{
	Dwarf_Addr address;
	Dwarf_Word number;
	Dwarf_Die die;

	(void)arg;
	switch (dwarf_whatattr(a)) {
	case DW_AT_low_pc: found.failed |= dwarf_formaddr(a, &address); break;
	case DW_AT_call_file:
	case DW_AT_call_line: found.failed |= dwarf_formudata(a, &number); break;
	case DW_AT_name:
	case DW_AT_linkage_name: found.failed |= !dwarf_formstring(a); break;
	case DW_AT_abstract_origin: found.failed |= !dwarf_formref_die(a, &die); break;
	}
	return DWARF_CB_OK;
}

static void walk(Dwarf_Die die, unsigned int depth)
{
	Dwarf_Die child;
	int more = 0;

	for (; !more; more = dwarf_siblingof(&die, &die)) {
		int tag = dwarf_tag(&die);

		found.entries++;
		if (tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine)
			dwarf_getattrs(&die, take, NULL, 0);
		more = depth < DEPTH_MAX ? dwarf_child(&die, &child) : 1;
		found.failed |= more < 0;
		if (!more)
			walk(child, depth + 1);
	}
	found.failed |= more < 0;
}

static void read_lines(Dwarf_Die *unit)
{
	Dwarf_Lines *lines;
	size_t n, i;

	if (dwarf_getsrclines(unit, &lines, &n))
		return;
	for (i = 0; i < n; i++) {
		Dwarf_Line *line = dwarf_onesrcline(lines, i);
		Dwarf_Addr address;
		int number;

		found.failed |= dwarf_lineaddr(line, &address) || dwarf_lineno(line, &number);
	}
	found.rows += n;
}

struct peer_found peer_read(void)
{
	Dwarf_CU *unit = NULL;
	Dwarf_Die die;
	int more;

	found = (struct peer_found){0};
	if (setjmp(no_memory)) {
		found.failed = true;
		return found;
	}
	while (!(more = dwarf_get_units(dwarf, unit, &unit, NULL, NULL, &die, NULL))) {
		read_lines(&die);
		walk(die, 0);
	}
	found.failed |= more < 0;
	return found;
}

void peer_close(void)
{
	dwarf_end(dwarf);
	close(fd);
}
