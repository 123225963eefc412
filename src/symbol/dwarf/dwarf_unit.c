// SPDX-License-Identifier: BSD-2-Clause
/* Units: their headers. */
#include <inttypes.h>

#include "symbol/dwarf/dwarf_int.h"

struct dwarf_cursor dwarf_unit_cursor(const struct dwarf_unit *unit, uint64_t offset)
{
	struct dwarf_bytes bytes = {unit->file->sections[DWARF_INFO].p, unit->end};

	return dwarf_cursor(bytes, offset, unit->file->swap);
}

/* Reads the header of the unit that begins at c; false when it is none that is known. */
static bool read_header(struct dwarf_unit *unit, struct dwarf_cursor *c)
{
	struct dwarf_bytes all = unit->file->sections[DWARF_INFO];
	uint64_t length = dwarf_u32(c);

	unit->offset_size = 4;
	if (length == UINT32_MAX) {
		unit->offset_size = 8;
		length = dwarf_u64(c);
	}
	unit->end = (uint64_t)(c->p - all.p) + length;
	if (c->bad || length > dwarf_left(c)) {
		c->bad = true;
		return false;
	}
	unit->version = dwarf_u16(c);
	unit->type = DW_UT_compile;
	if (unit->version >= 5) {
		unit->type = dwarf_u8(c);
		unit->address_size = dwarf_u8(c);
		unit->abbrev_offset = dwarf_sized(c, unit->offset_size);
	} else {
		unit->abbrev_offset = dwarf_sized(c, unit->offset_size);
		unit->address_size = dwarf_u8(c);
	}
	if (unit->type == DW_UT_skeleton || unit->type == DW_UT_split_compile)
		unit->id = dwarf_u64(c);
	unit->die = (uint64_t)(c->p - all.p);
	return !c->bad && unit->version >= 2 && unit->version <= 5 && unit->die <= unit->end &&
	       (unit->address_size == 4 || unit->address_size == 8) &&
	       unit->end - unit->offset < UINT32_MAX;
}

int dwarf_units_read(struct dwarf_file *file)
{
	struct dwarf_cursor c = dwarf_cursor(file->sections[DWARF_INFO], 0, file->swap);

	while (dwarf_left(&c) > 4) {
		struct dwarf_unit unit = {.file = file,
					  .addresses = file,
					  .abbrevs = DWARF_NONE,
					  .table = DWARF_NONE};
		bool known;

		unit.offset = (uint64_t)(c.p - file->sections[DWARF_INFO].p);
		known = read_header(&unit, &c);
		if (c.bad)
			return dwarf_problem(file->lines,
					     "%s: the unit at 0x%" PRIx64
					     " of .debug_info is not within it",
					     file->path, unit.offset);
		/* Linkers fill gaps with zeroes. */
		if (!known && unit.end - unit.offset > 4)
			dwarf_problem(file->lines,
				      "%s: the unit at 0x%" PRIx64
				      " of .debug_info has version %d and %d bytes an address",
				      file->path, unit.offset, unit.version, unit.address_size);
		if (known && unit.type != DW_UT_type && unit.type != DW_UT_split_type &&
		    vec_push(&file->units, unit))
			return -1;
		c = dwarf_cursor(file->sections[DWARF_INFO], unit.end, file->swap);
	}
	return 0;
}

struct dwarf_unit *dwarf_unit_at(struct dwarf_file *file, uint64_t offset)
{
	size_t low = 0, high = file->units.n;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (file->units.v[mid].offset <= offset)
			low = mid + 1;
		else
			high = mid;
	}
	if (!low || offset >= file->units.v[low - 1].end)
		return NULL;
	return &file->units.v[low - 1];
}
