// SPDX-License-Identifier: BSD-2-Clause
/* libdwarf (libdwarf-dev): 20210528, or from 0.3 on, which say their version. */
#include <fcntl.h>
#include <unistd.h>

#if __has_include(<libdwarf/libdwarf.h>)
#include <libdwarf/dwarf.h>
#include <libdwarf/libdwarf.h>
#else
#include <dwarf.h>
#include <libdwarf.h>
#endif

#include "bench/dwarf_peer.h"

enum { DEPTH_MAX = 4096 };

static int fd;
static Dwarf_Debug dwarf;
static struct peer_found found;

bool peer_open(const char *path)
{
	Dwarf_Error error = NULL;

	fd = open(path, O_RDONLY | O_CLOEXEC);
	dwarf_set_de_alloc_flag(0);
#ifdef DW_LIBDWARF_VERSION
	return fd >= 0 && !dwarf_init_b(fd, DW_GROUPNUMBER_ANY, NULL, NULL, &dwarf, &error);
#else
	return fd >= 0 && !dwarf_init_b(fd, DW_DLC_READ, 0, NULL, NULL, &dwarf, &error);
#endif
}

/* Passes on what a function of the library says. */
static int noted(int ret, Dwarf_Error *error)
{
	if (ret == DW_DLV_ERROR) {
		found.failed = true;
		dwarf_dealloc(dwarf, *error, DW_DLA_ERROR);
	}
	*error = NULL;
	return ret;
}

static void take(Dwarf_Attribute a)
{
	Dwarf_Error error = NULL;
	Dwarf_Unsigned number;
	Dwarf_Addr address;
	Dwarf_Half name;
	Dwarf_Off offset;
	char *text;

	if (noted(dwarf_whatattr(a, &name, &error), &error))
		return;
	switch (name) {
	case DW_AT_low_pc: noted(dwarf_formaddr(a, &address, &error), &error); break;
	case DW_AT_call_file:
	case DW_AT_call_line: noted(dwarf_formudata(a, &number, &error), &error); break;
	case DW_AT_name:
	case DW_AT_linkage_name: noted(dwarf_formstring(a, &text, &error), &error); break;
	case DW_AT_abstract_origin: noted(dwarf_global_formref(a, &offset, &error), &error); break;
	}
}

static void take_all(Dwarf_Die die)
{
	Dwarf_Error error = NULL;
	Dwarf_Attribute *attrs;
	Dwarf_Signed n, i;

	if (noted(dwarf_attrlist(die, &attrs, &n, &error), &error))
		return;
	for (i = 0; i < n; i++) {
		take(attrs[i]);
		dwarf_dealloc(dwarf, attrs[i], DW_DLA_ATTR);
	}
	dwarf_dealloc(dwarf, attrs, DW_DLA_LIST);
}

/* Frees die. */
static void walk(Dwarf_Die die, unsigned int depth)
{
	Dwarf_Error error = NULL;

	while (die) {
		Dwarf_Die next = NULL;
		Dwarf_Half tag;

		found.entries++;
		if (!noted(dwarf_tag(die, &tag, &error), &error) &&
		    (tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine))
			take_all(die);
		if (depth < DEPTH_MAX && !noted(dwarf_child(die, &next, &error), &error))
			walk(next, depth + 1);
		next = NULL;
		noted(dwarf_siblingof_b(dwarf, die, true, &next, &error), &error);
		dwarf_dealloc(dwarf, die, DW_DLA_DIE);
		die = next;
	}
}

static void read_lines(Dwarf_Die unit)
{
	Dwarf_Error error = NULL;
	Dwarf_Line_Context context;
	Dwarf_Unsigned version, number;
	Dwarf_Small tables;
	Dwarf_Line *lines;
	Dwarf_Signed n, i;
	Dwarf_Addr address;

	if (noted(dwarf_srclines_b(unit, &version, &tables, &context, &error), &error))
		return;
	if (!noted(dwarf_srclines_from_linecontext(context, &lines, &n, &error), &error)) {
		for (i = 0; i < n; i++)
			if (!noted(dwarf_lineaddr(lines[i], &address, &error), &error))
				noted(dwarf_lineno(lines[i], &number, &error), &error);
		found.rows += (unsigned long)n;
	}
	dwarf_srclines_dealloc_b(context);
}

struct peer_found peer_read(void)
{
	Dwarf_Error error = NULL;
	Dwarf_Unsigned length, type, next;
	Dwarf_Half version, address_size, length_size, extension_size, unit_type;
	Dwarf_Off abbrevs;
	Dwarf_Sig8 signature;
	Dwarf_Die die;

	found = (struct peer_found){0};
	while (!noted(dwarf_next_cu_header_d(dwarf, true, &length, &version, &abbrevs,
					     &address_size, &length_size, &extension_size,
					     &signature, &type, &next, &unit_type, &error),
		      &error)) {
		if (noted(dwarf_siblingof_b(dwarf, NULL, true, &die, &error), &error))
			continue;
		read_lines(die);
		walk(die, 0);
	}
	return found;
}

void peer_close(void)
{
#ifdef DW_LIBDWARF_VERSION
	dwarf_finish(dwarf);
#else
	Dwarf_Error error = NULL;

	dwarf_finish(dwarf, &error);
#endif
	close(fd);
}
