// SPDX-License-Identifier: BSD-2-Clause
/* Units: their headers, their abbreviations, and the values of attributes. */
#include <inttypes.h>

#include "symbol/dwarf_int.h"

struct dwarf_cursor dwarf_unit_cursor(const struct dwarf_unit *unit, uint64_t offset)
{
	struct dwarf_bytes bytes = {unit->file->sections[DWARF_INFO].p, unit->end};

	return dwarf_cursor(bytes, offset, unit->file->swap);
}

/* An offset of the unit's size. */
static uint64_t read_offset(const struct dwarf_unit *unit, struct dwarf_cursor *c)
{
	return dwarf_sized(c, unit->offset_size);
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
		unit->abbrev_offset = read_offset(unit, c);
	} else {
		unit->abbrev_offset = read_offset(unit, c);
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

int dwarf_form_size(const struct dwarf_unit *unit, uint16_t form)
{
	switch (form) {
	case DW_FORM_flag_present:
	case DW_FORM_implicit_const: return 0;
	case DW_FORM_data1:
	case DW_FORM_flag:
	case DW_FORM_ref1:
	case DW_FORM_strx1:
	case DW_FORM_addrx1: return 1;
	case DW_FORM_data2:
	case DW_FORM_ref2:
	case DW_FORM_strx2:
	case DW_FORM_addrx2: return 2;
	case DW_FORM_strx3:
	case DW_FORM_addrx3: return 3;
	case DW_FORM_data4:
	case DW_FORM_ref4:
	case DW_FORM_strx4:
	case DW_FORM_addrx4:
	case DW_FORM_ref_sup4: return 4;
	case DW_FORM_data8:
	case DW_FORM_ref8:
	case DW_FORM_ref_sig8:
	case DW_FORM_ref_sup8: return 8;
	case DW_FORM_data16: return 16;
	case DW_FORM_addr: return unit->address_size;
	case DW_FORM_ref_addr: return unit->version == 2 ? unit->address_size : unit->offset_size;
	case DW_FORM_strp:
	case DW_FORM_line_strp:
	case DW_FORM_strp_sup:
	case DW_FORM_sec_offset:
	case DW_FORM_GNU_ref_alt:
	case DW_FORM_GNU_strp_alt: return unit->offset_size;
	case DW_FORM_sdata:
	case DW_FORM_udata:
	case DW_FORM_ref_udata:
	case DW_FORM_strx:
	case DW_FORM_addrx:
	case DW_FORM_loclistx:
	case DW_FORM_rnglistx:
	case DW_FORM_GNU_addr_index:
	case DW_FORM_GNU_str_index: return DWARF_SKIP_LEB;
	}
	return DWARF_SKIP_ANY;
}

static int read_attrs(const struct dwarf_unit *unit, struct dwarf_cursor *c,
		      struct dwarf_abbrevs *t, struct dwarf_abbrev *a)
{
	unsigned int size = 0;

	a->first = (uint32_t)t->attrs.n;
	for (;;) {
		uint64_t name = dwarf_uleb(c), form = dwarf_uleb(c);
		struct dwarf_attr attr = {.name = (uint16_t)name, .form = (uint16_t)form};

		if (form == DW_FORM_implicit_const)
			attr.implicit = dwarf_sleb(c);
		if (c->bad || (!name && !form))
			break;
		/* Tables that overlap would be as much as tables and attributes multiplied. */
		if (!dwarf_may_store(unit->file->lines, sizeof(attr))) {
			dwarf_overrun(c);
			break;
		}
		if (form > UINT16_MAX)
			attr.form = 0;
		if (name > UINT16_MAX)
			attr.name = 0;
		attr.skip = (int8_t)dwarf_form_size(unit, attr.form);
		if (attr.skip >= 0 && size + (unsigned int)attr.skip < UINT16_MAX)
			size += (unsigned int)attr.skip;
		else
			size = UINT16_MAX;
		if (vec_push(&t->attrs, attr))
			return -1;
	}
	a->count = (uint32_t)(t->attrs.n - a->first);
	a->size = (uint16_t)size;
	return 0;
}

static int by_code(const void *pa, const void *pb)
{
	const struct dwarf_abbrev *a = pa, *b = pb;

	return (a->code > b->code) - (a->code < b->code);
}

static int read_abbrevs(const struct dwarf_unit *unit, struct dwarf_abbrevs *t)
{
	struct dwarf_file *file = unit->file;
	struct dwarf_cursor c = dwarf_cursor(file->sections[DWARF_ABBREV], t->offset, file->swap);

	t->dense = true;
	while (!c.bad) {
		struct dwarf_abbrev a = {.code = dwarf_uleb(&c)};

		if (!a.code)
			break;
		a.tag = (uint16_t)dwarf_uleb(&c);
		a.children = dwarf_u8(&c);
		if (read_attrs(unit, &c, t, &a))
			return -1;
		if (c.bad || !dwarf_may_store(file->lines, sizeof(a)))
			break;
		t->dense = t->dense && a.code == t->abbrevs.n + 1;
		if (vec_push(&t->abbrevs, a))
			return -1;
	}
	if (!t->dense)
		qsort(t->abbrevs.v, t->abbrevs.n, sizeof(*t->abbrevs.v), by_code);
	if (c.bad)
		dwarf_problem(file->lines,
			      "%s: the abbreviations at 0x%" PRIx64
			      " of .debug_abbrev have no end within it",
			      file->path, t->offset);
	dwarf_may_work(file->lines, t->attrs.n + t->abbrevs.n);
	return 0;
}

/* Units whose sizes differ see different tables. */
static uint32_t layout_of(const struct dwarf_unit *unit)
{
	return (uint32_t)unit->address_size << 8 | (uint32_t)unit->offset_size << 4 |
	       (unit->version == 2);
}

struct dwarf_abbrevs *dwarf_unit_abbrevs(struct dwarf_unit *unit)
{
	struct dwarf_file *file = unit->file;
	uint32_t layout = layout_of(unit), hash = hash_u64(unit->abbrev_offset ^ layout), i;
	struct dwarf_abbrevs *t;
	struct table_iter it;

	if (unit->abbrevs != DWARF_NONE)
		return file->abbrevs.v[unit->abbrevs];
	for (i = table_first(&file->abbrevs_of_offset, hash, &it); i != TABLE_NONE;
	     i = table_next(&file->abbrevs_of_offset, &it)) {
		t = file->abbrevs.v[i];
		if (t->offset == unit->abbrev_offset && t->layout == layout) {
			unit->abbrevs = i;
			return t;
		}
	}
	t = calloc(1, sizeof(*t));
	if (!t)
		return NULL;
	t->offset = unit->abbrev_offset;
	t->layout = layout;
	if (vec_push(&file->abbrevs, t)) {
		free(t);
		return NULL;
	}
	i = (uint32_t)file->abbrevs.n - 1;
	if (read_abbrevs(unit, t) || table_insert(&file->abbrevs_of_offset, hash, i))
		return NULL;
	unit->abbrevs = i;
	return t;
}

const struct dwarf_abbrev *dwarf_abbrev_find(const struct dwarf_abbrevs *t, uint64_t code)
{
	const struct dwarf_abbrev key = {.code = code};

	if (t->dense)
		return code - 1 < t->abbrevs.n ? &t->abbrevs.v[code - 1] : NULL;
	return bsearch(&key, t->abbrevs.v, t->abbrevs.n, sizeof(key), by_code);
}

/* The text at an offset of a section; a NUL is behind each section. */
static struct dwarf_value text_at(const struct dwarf_file *file, enum dwarf_section_id id,
				  uint64_t offset)
{
	struct dwarf_value v = {0};

	if (file && offset < file->sections[id].n) {
		v.kind = DWARF_TEXT;
		v.text = (const char *)file->sections[id].p + offset;
	}
	return v;
}

static struct dwarf_value indexed_text(const struct dwarf_unit *unit, uint64_t index)
{
	const struct dwarf_file *file = unit->file;
	struct dwarf_cursor c;

	if (index > UINT32_MAX)
		return (struct dwarf_value){0};
	c = dwarf_cursor(file->sections[DWARF_STR_OFFSETS],
			 unit->str_offsets + index * unit->offset_size, file->swap);
	index = read_offset(unit, &c);
	return c.bad ? (struct dwarf_value){0} : text_at(file, DWARF_STR, index);
}

static struct dwarf_value indexed_address(const struct dwarf_unit *unit, uint64_t index)
{
	struct dwarf_value v = {0};

	if (dwarf_address(unit, index, &v.u))
		v.kind = DWARF_ADDRESS;
	return v;
}

static struct dwarf_value number(uint64_t u)
{
	return (struct dwarf_value){.kind = DWARF_NUMBER, .u = u};
}

static struct dwarf_value reference(struct dwarf_file *file, uint64_t offset)
{
	return (struct dwarf_value){
		.kind = file ? DWARF_REF : DWARF_NOTHING, .u = offset, .file = file};
}

/* A number in the sizes that most forms come in. */
static uint64_t read_fixed(const struct dwarf_unit *unit, struct dwarf_cursor *c, uint16_t form)
{
	int size = dwarf_form_size(unit, form);

	return size == 3 ? dwarf_u24(c) : dwarf_sized(c, (unsigned int)size);
}

static void skip_block(struct dwarf_cursor *c, uint16_t form)
{
	uint64_t size = 0;

	switch (form) {
	case DW_FORM_block1: size = dwarf_u8(c); break;
	case DW_FORM_block2: size = dwarf_u16(c); break;
	case DW_FORM_block4: size = dwarf_u32(c); break;
	case DW_FORM_block:
	case DW_FORM_exprloc: size = dwarf_uleb(c); break;
	case DW_FORM_string: dwarf_text(c); return;
	default: dwarf_overrun(c); return; /* not known, so nothing behind it is */
	}
	dwarf_skip(c, size);
}

void dwarf_value_skip(const struct dwarf_unit *unit, struct dwarf_cursor *c,
		      const struct dwarf_attr *attr)
{
	uint16_t form = attr->form;
	int skip = attr->skip;

	if (form == DW_FORM_indirect) {
		form = (uint16_t)dwarf_uleb(c);
		skip = dwarf_form_size(unit, form);
	}
	if (skip >= 0)
		dwarf_skip(c, (uint64_t)skip);
	else if (skip == DWARF_SKIP_LEB)
		dwarf_uleb(c);
	else
		skip_block(c, form);
}

/* Values of the classes that refer to something elsewhere; DWARF_NOTHING for the others. */
static struct dwarf_value read_elsewhere(struct dwarf_unit *unit, struct dwarf_cursor *c,
					 uint16_t form)
{
	switch (form) {
	case DW_FORM_string: return (struct dwarf_value){.kind = DWARF_TEXT, .text = dwarf_text(c)};
	case DW_FORM_strp: return text_at(unit->file, DWARF_STR, read_offset(unit, c));
	case DW_FORM_line_strp: return text_at(unit->file, DWARF_LINE_STR, read_offset(unit, c));
	case DW_FORM_strp_sup:
	case DW_FORM_GNU_strp_alt:
		return text_at(dwarf_file_alt(unit->file), DWARF_STR, read_offset(unit, c));
	case DW_FORM_strx:
	case DW_FORM_GNU_str_index: return indexed_text(unit, dwarf_uleb(c));
	case DW_FORM_strx1:
	case DW_FORM_strx2:
	case DW_FORM_strx3:
	case DW_FORM_strx4: return indexed_text(unit, read_fixed(unit, c, form));
	case DW_FORM_addrx:
	case DW_FORM_GNU_addr_index: return indexed_address(unit, dwarf_uleb(c));
	case DW_FORM_addrx1:
	case DW_FORM_addrx2:
	case DW_FORM_addrx3:
	case DW_FORM_addrx4: return indexed_address(unit, read_fixed(unit, c, form));
	case DW_FORM_ref_udata: return reference(unit->file, unit->offset + dwarf_uleb(c));
	case DW_FORM_ref1:
	case DW_FORM_ref2:
	case DW_FORM_ref4:
	case DW_FORM_ref8: return reference(unit->file, unit->offset + read_fixed(unit, c, form));
	case DW_FORM_ref_addr: return reference(unit->file, read_fixed(unit, c, form));
	case DW_FORM_ref_sup4:
	case DW_FORM_ref_sup8:
	case DW_FORM_GNU_ref_alt:
		return reference(dwarf_file_alt(unit->file), read_fixed(unit, c, form));
	}
	dwarf_value_skip(
		unit, c,
		&(struct dwarf_attr){.form = form, .skip = (int8_t)dwarf_form_size(unit, form)});
	return (struct dwarf_value){0};
}

struct dwarf_value dwarf_value_read(struct dwarf_unit *unit, struct dwarf_cursor *c,
				    const struct dwarf_attr *attr)
{
	uint16_t form = attr->form;

	if (form == DW_FORM_indirect)
		form = (uint16_t)dwarf_uleb(c);
	switch (form) {
	case DW_FORM_addr:
		return (struct dwarf_value){.kind = DWARF_ADDRESS,
					    .u = dwarf_sized(c, unit->address_size)};
	case DW_FORM_data1:
	case DW_FORM_data2:
	case DW_FORM_data4:
	case DW_FORM_data8:
	case DW_FORM_flag: return number(read_fixed(unit, c, form));
	case DW_FORM_sdata: return number((uint64_t)dwarf_sleb(c));
	case DW_FORM_udata: return number(dwarf_uleb(c));
	case DW_FORM_flag_present: return number(1);
	case DW_FORM_implicit_const: return number((uint64_t)attr->implicit);
	case DW_FORM_sec_offset:
		return (struct dwarf_value){.kind = DWARF_OFFSET, .u = read_offset(unit, c)};
	case DW_FORM_rnglistx: return (struct dwarf_value){.kind = DWARF_INDEX, .u = dwarf_uleb(c)};
	}
	return read_elsewhere(unit, c, form);
}

/* What other values of the first entry need in order to be read. */
static void set_base(struct dwarf_unit *unit, uint16_t name, const struct dwarf_value *v)
{
	switch (name) {
	case DW_AT_str_offsets_base: unit->str_offsets = v->u; break;
	case DW_AT_addr_base:
	case DW_AT_GNU_addr_base: unit->addr_base = v->u; break;
	case DW_AT_rnglists_base: unit->rnglists_base = v->u; break;
	case DW_AT_GNU_ranges_base: unit->ranges_base = v->u; break;
	}
}

static void set_root(struct dwarf_unit *unit, uint16_t name, const struct dwarf_value *v)
{
	switch (name) {
	case DW_AT_low_pc:
		unit->low = v->u;
		unit->has_low = v->kind == DWARF_ADDRESS;
		break;
	case DW_AT_high_pc: unit->high = *v; break;
	case DW_AT_ranges: unit->ranges = *v; break;
	case DW_AT_stmt_list:
		unit->lines_offset = v->u;
		unit->has_lines = true;
		break;
	case DW_AT_language: unit->language = (uint16_t)v->u; break;
	case DW_AT_comp_dir: unit->dir = v->text; break;
	case DW_AT_dwo_name:
	case DW_AT_GNU_dwo_name: unit->dwo_name = v->text; break;
	case DW_AT_GNU_dwo_id: unit->id = v->u; break;
	}
}

int dwarf_unit_root(struct dwarf_unit *unit)
{
	const struct dwarf_abbrevs *t;
	const struct dwarf_abbrev *a;
	struct dwarf_cursor c;
	int pass;
	uint32_t i;

	if (unit->rooted)
		return 0;
	unit->rooted = true;
	t = dwarf_unit_abbrevs(unit);
	if (!t)
		return -1;
	for (pass = 0; pass < 2; pass++) {
		c = dwarf_unit_cursor(unit, unit->die);
		a = dwarf_abbrev_find(t, dwarf_uleb(&c));
		if (!a || !dwarf_may_work(unit->file->lines, a->count))
			return 0;
		unit->tag = a->tag;
		for (i = 0; i < a->count; i++) {
			const struct dwarf_attr *attr = &t->attrs.v[a->first + i];
			struct dwarf_value v = dwarf_value_read(unit, &c, attr);

			if (pass)
				set_root(unit, attr->name, &v);
			else
				set_base(unit, attr->name, &v);
		}
	}
	return 0;
}
