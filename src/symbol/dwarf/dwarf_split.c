// SPDX-License-Identifier: BSD-2-Clause
/* Split units: the parts of the debug information that the linker does not see. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "symbol/dwarf/dwarf_int.h"

/* The sections of a package that have a part for each unit, by their numbers in its index. */
struct parts {
	uint64_t info, abbrev, str_offsets, rnglists;
};

/* Gives a split unit what it takes from the one in the main file, and where its own parts begin. */
static void join(struct dwarf_unit *split, const struct dwarf_unit *unit, const struct parts *parts)
{
	bool wide = split->offset_size == 8;

	split->addresses = unit->file;
	split->addr_base = unit->addr_base;
	split->ranges_base = unit->ranges_base;
	split->low = unit->low;
	split->has_low = unit->has_low;
	split->abbrev_offset += parts->abbrev;
	split->str_offsets = parts->str_offsets;
	split->rnglists_base = parts->rnglists;
	if (split->version >= 5) {
		split->str_offsets += wide ? 16 : 8;
		split->rnglists_base += wide ? 20 : 12;
	}
}

/* The offset of a unit's part of a section, from row and column of the table at c. */
static uint64_t part_at(struct dwarf_cursor c, uint64_t row, uint32_t columns, uint32_t column)
{
	dwarf_skip(&c, 4 * (row * columns + column));
	return dwarf_u32(&c);
}

/* Reads row (from 0) of the tables at c; false when it is not there. */
static bool read_parts(struct dwarf_cursor c, uint32_t columns, uint64_t row, bool old,
		       struct parts *parts)
{
	struct dwarf_cursor ids = c;
	bool info = false;
	uint32_t i;

	*parts = (struct parts){0};
	dwarf_skip(&c, 4 * (uint64_t)columns);
	for (i = 0; i < columns && !ids.bad; i++) {
		uint32_t id = dwarf_u32(&ids);
		uint64_t at = part_at(c, row, columns, i);

		switch (id) {
		case DW_SECT_INFO:
			parts->info = at;
			info = true;
			break;
		case DW_SECT_ABBREV: parts->abbrev = at; break;
		case DW_SECT_STR_OFFSETS: parts->str_offsets = at; break;
		case DW_SECT_RNGLISTS: parts->rnglists = old ? 0 : at; break;
		}
	}
	return info && !ids.bad;
}

/* Looks an id up in the index of a package. */
static bool find_parts(const struct dwarf_file *package, uint64_t id, struct parts *parts)
{
	struct dwarf_cursor c = dwarf_cursor(package->sections[DWARF_CU_INDEX], 0, package->swap);
	struct dwarf_cursor ids, rows, at;
	uint32_t version, columns, slots, i, row;
	uint64_t slot, have;

	version = dwarf_u32(&c);
	columns = dwarf_u32(&c);
	dwarf_u32(&c);
	slots = dwarf_u32(&c);
	if (c.bad || !slots || slots & (slots - 1))
		return false;
	ids = rows = c;
	dwarf_skip(&rows, 8 * (uint64_t)slots);
	c = rows;
	dwarf_skip(&c, 4 * (uint64_t)slots);
	slot = id;
	for (i = 0; i < slots && !c.bad; i++, slot += (id >> 32) | 1) {
		at = ids;
		dwarf_skip(&at, 8 * (slot & (slots - 1)));
		have = dwarf_u64(&at);
		at = rows;
		dwarf_skip(&at, 4 * (slot & (slots - 1)));
		row = dwarf_u32(&at);
		if (!row)
			return false;
		if (have == id)
			return read_parts(c, columns, row - 1, version == 2, parts);
	}
	return false;
}

/* Opens the package beside the file at path, which answers come from as if it was beside near. */
static int open_package(struct dwarf_lines *lines, const char *path, const char *near)
{
	image_path package, as;

	if (lines->package || !path ||
	    snprintf(package, sizeof(package), "%s.dwp", path) >= PATH_MAX ||
	    snprintf(as, sizeof(as), "%s.dwp", near) >= PATH_MAX)
		return 0;
	if (dwarf_file_open(lines, package, true, NULL, 0, &lines->package))
		return -1;
	if (lines->package && !(lines->package_as = strdup(as)))
		return -1;
	return 0;
}

/* Beside the program or the file with its debug information, or what is behind a link to it. */
static int find_package(struct dwarf_lines *lines)
{
	const char *near[2] = {lines->image->file, lines->main->path};
	image_path real;
	int i;

	for (i = 0; i < 2 && !lines->package_tried; i++)
		if (near[i] && (open_package(lines, near[i], near[i]) ||
				open_package(lines, realpath(near[i], real), near[i])))
			return -1;
	lines->package_tried = true;
	return 0;
}

static int from_package(struct dwarf_unit *unit)
{
	struct dwarf_lines *lines = unit->file->lines;
	struct dwarf_unit *split;
	struct parts parts;

	if (find_package(lines))
		return -1;
	if (!lines->package || !find_parts(lines->package, unit->id, &parts))
		return 0;
	split = dwarf_unit_at(lines->package, parts.info);
	if (!split || split->rooted || split->offset != parts.info)
		return 0;
	join(split, unit, &parts);
	unit->split = split;
	if (image_note_as(lines->image, lines->package->path, lines->package_as))
		return -1;
	return dwarf_unit_root(split);
}

/* Takes the unit of a .dwo file, which is looked for as that, if it is the one. */
static int from_file(struct dwarf_unit *unit, const char *path, const char *as, bool *other)
{
	const struct parts none = {0};
	struct dwarf_unit *split;
	struct dwarf_file *file;

	if (dwarf_file_open(unit->file->lines, path, true, NULL, 0, &file))
		return -1;
	if (!file)
		return 0;
	vec_each(split, &file->units) {
		/* Up to DWARF 4 the first entry has the id, and needs nothing from outside. */
		if (split->version < 5 && dwarf_unit_root(split))
			return -1;
		if (split->id != unit->id || split->addresses != split->file)
			continue;
		join(split, unit, &none);
		unit->split = split;
		if (image_note_as(unit->file->lines->image, path, as))
			return -1;
		return dwarf_unit_root(split);
	}
	*other = true;
	return 0;
}

/* The n-th place where a unit's file may be; false after the last. */
static bool place(const struct dwarf_unit *unit, int n, image_path out)
{
	const struct symbol_image *image = unit->file->lines->image;
	const char *name = unit->dwo_name, *dir = unit->dir ? unit->dir : "";
	const char *base = strrchr(name, '/');
	const char *program = image->file;
	const char *slash;
	image_path real;

	if (n > 2 && program) {
		program = realpath(program, real);
		n -= 2;
	}
	slash = program ? strrchr(program, '/') : NULL;
	if (!n && *name == '/')
		image_path_set(out, image->store, "%s", name);
	else if (!n)
		image_path_set(out, image->store, "%s/%s", dir, name);
	else if (n <= 2 && slash)
		/*
		 * Beside the program, where trees of build directories are copied to as well, then
		 * beside what is behind a link to it.
		 */
		snprintf(out, PATH_MAX, "%.*s/%s", (int)(slash - program), program,
			 n == 1 || !base ? name : base + 1);
	else
		return false;
	return true;
}

int dwarf_split_find(struct dwarf_unit *unit)
{
	struct dwarf_lines *lines = unit->file->lines;
	bool other = false;
	image_path path, as;
	int n;

	if (!unit->dwo_name || unit->split || unit->file->split)
		return 0;
	if (from_package(unit))
		return -1;
	for (n = 0; !unit->split && place(unit, n, path); n++)
		if (place(unit, n > 2 ? n - 2 : n, as) && from_file(unit, path, as, &other))
			return -1;
	if (!unit->split)
		dwarf_problem(lines,
			      "%s: the file %s, which has a part of the debug information, %s",
			      unit->file->path, unit->dwo_name,
			      other ? "is of another compilation" : "was not found");
	return 0;
}
