// SPDX-License-Identifier: BSD-2-Clause
/*
 * dwarf_rows [-f] FILE: what libdwarf reads of a file: "ADDRESS LINE" for each row of its line
 * tables that holds addresses, or with -f "ADDRESS NAME" for the first address of each function
 * that has its name in its own entry.  It shares no code with src/symbol/.
 */
#include <err.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#if __has_include(<libdwarf/libdwarf.h>)
#include <libdwarf/dwarf.h>
#include <libdwarf/libdwarf.h>
#else
#include <dwarf.h>
#include <libdwarf.h>
#endif

static Dwarf_Debug dwarf;

/* 20210528 (Debian 12) does not say its version, and has another interface. */
static void open_file(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), ret;
	Dwarf_Error error = NULL;

	if (fd < 0)
		err(66, "%s", path);
#ifdef DW_LIBDWARF_VERSION
	ret = dwarf_init_b(fd, DW_GROUPNUMBER_ANY, NULL, NULL, &dwarf, &error);
#else
	ret = dwarf_init_b(fd, DW_DLC_READ, 0, NULL, NULL, &dwarf, &error);
#endif
	if (ret)
		errx(65, "%s: libdwarf reads nothing of it", path);
}

static void must(int ret, Dwarf_Error error, const char *what)
{
	if (ret == DW_DLV_ERROR)
		errx(65, "libdwarf: %s: %s", what, dwarf_errmsg(error));
}

/* A row holds what is up to the next one's address; the last of several at one address counts. */
static void show_lines(Dwarf_Die unit)
{
	Dwarf_Error error = NULL;
	Dwarf_Line_Context context;
	Dwarf_Unsigned version, line;
	Dwarf_Addr address, next;
	Dwarf_Small tables;
	Dwarf_Line *lines;
	Dwarf_Signed n, i;
	Dwarf_Bool ends;
	int ret = dwarf_srclines_b(unit, &version, &tables, &context, &error);

	must(ret, error, "line table");
	if (ret)
		return;
	must(dwarf_srclines_from_linecontext(context, &lines, &n, &error), error, "lines");
	for (i = 0; i + 1 < n; i++) {
		must(dwarf_lineendsequence(lines[i], &ends, &error), error, "row");
		must(dwarf_lineaddr(lines[i], &address, &error), error, "address");
		must(dwarf_lineaddr(lines[i + 1], &next, &error), error, "address");
		must(dwarf_lineno(lines[i], &line, &error), error, "line");
		if (!ends && address && next > address)
			printf("0x%016llx %llu\n", (unsigned long long)address,
			       (unsigned long long)line);
	}
	dwarf_srclines_dealloc_b(context);
}

static void show_function(Dwarf_Die die)
{
	Dwarf_Error error = NULL;
	Dwarf_Addr low;
	char *name;

	if (!dwarf_lowpc(die, &low, &error) && low && !dwarf_diename(die, &name, &error))
		printf("0x%016llx %s\n", (unsigned long long)low, name);
}

/* The functions of a C unit, which are in no other entry. */
static void show_functions(Dwarf_Die unit)
{
	Dwarf_Error error = NULL;
	Dwarf_Die die, next;
	Dwarf_Half tag;
	int ret = dwarf_child(unit, &die, &error);

	while (!ret) {
		must(dwarf_tag(die, &tag, &error), error, "tag");
		if (tag == DW_TAG_subprogram)
			show_function(die);
		ret = dwarf_siblingof_b(dwarf, die, true, &next, &error);
		die = next;
	}
	must(ret, error, "entry");
}

int main(int argc, char **argv)
{
	Dwarf_Error error = NULL;
	Dwarf_Unsigned length, type, next;
	Dwarf_Half version, address_size, length_size, extension_size, unit_type;
	Dwarf_Off abbrevs;
	Dwarf_Sig8 signature;
	Dwarf_Die unit;
	bool functions = argc == 3 && !strcmp(argv[1], "-f");
	int ret;

	if (argc != 2 + functions)
		errx(64, "usage: dwarf_rows [-f] FILE");
	open_file(argv[argc - 1]);
	while (!(ret = dwarf_next_cu_header_d(dwarf, true, &length, &version, &abbrevs,
					      &address_size, &length_size, &extension_size,
					      &signature, &type, &next, &unit_type, &error))) {
		must(dwarf_siblingof_b(dwarf, NULL, true, &unit, &error), error, "unit");
		if (functions)
			show_functions(unit);
		else
			show_lines(unit);
	}
	must(ret, error, "units");
	return 0;
}
