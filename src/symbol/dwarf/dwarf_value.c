// SPDX-License-Identifier: BSD-2-Clause
/* The values of attributes. */
#include "symbol/dwarf/dwarf_int.h"

/* An offset of the unit's size. */
static uint64_t read_offset(const struct dwarf_unit *unit, struct dwarf_cursor *c)
{
	return dwarf_sized(c, unit->offset_size);
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

bool dwarf_address(const struct dwarf_unit *unit, uint64_t index, uint64_t *address)
{
	const struct dwarf_file *file = unit->addresses;
	struct dwarf_cursor c;

	if (index > UINT32_MAX)
		return false;
	c = dwarf_cursor(file->sections[DWARF_ADDR], unit->addr_base + index * unit->address_size,
			 file->swap);
	*address = dwarf_sized(&c, unit->address_size);
	return !c.bad;
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
