// SPDX-License-Identifier: BSD-2-Clause
/* The addresses of entries, as far as the image has code there. */
#include "symbol/dwarf/dwarf_int.h"

/* The ranges of one entry on their way into spans. */
struct ranging {
	struct dwarf_unit *unit;
	struct dwarf_cursor c;
	uint64_t base;
	uint32_t id, rank;
	dwarf_spans *out;
};

bool dwarf_is_code(const struct dwarf_lines *lines, uint64_t address)
{
	return lines->code.n ? dwarf_spans_find(&lines->code, address) != NULL : address != 0;
}

static int add(struct ranging *r, uint64_t low, uint64_t high)
{
	if (r->unit->address_size == 4) {
		low = (uint32_t)low;
		high = (uint32_t)high;
	}
	if (low >= high || !dwarf_is_code(r->unit->file->lines, low) ||
	    !dwarf_may_store(r->unit->file->lines, sizeof(*r->out->v)))
		return 0;
	return vec_push(r->out, (struct dwarf_span){low, high, r->id, r->rank});
}

/* DWARF 2 to 4. */
static int add_pairs(struct ranging *r)
{
	unsigned int size = r->unit->address_size;
	uint64_t highest = size == 4 ? UINT32_MAX : UINT64_MAX;

	while (dwarf_may_work(r->unit->file->lines, 1)) {
		uint64_t low = dwarf_sized(&r->c, size), high = dwarf_sized(&r->c, size);

		if (r->c.bad || (!low && !high))
			break;
		if (low == highest)
			r->base = high;
		else if (add(r, r->base + low, r->base + high))
			return -1;
	}
	return 0;
}

static uint64_t indexed(struct ranging *r)
{
	uint64_t address = 0;

	if (!dwarf_address(r->unit, dwarf_uleb(&r->c), &address))
		r->c.bad = true;
	return address;
}

/* One entry of a list of DWARF 5; low and high stay equal where it is no range. */
static void read_entry(struct ranging *r, uint8_t kind, uint64_t *low, uint64_t *high)
{
	struct dwarf_cursor *c = &r->c;
	unsigned int size = r->unit->address_size;

	*low = *high = 0;
	switch (kind) {
	case DW_RLE_base_addressx: r->base = indexed(r); break;
	case DW_RLE_base_address: r->base = dwarf_sized(c, size); break;
	case DW_RLE_startx_endx:
		*low = indexed(r);
		*high = indexed(r);
		break;
	case DW_RLE_startx_length:
		*low = indexed(r);
		*high = *low + dwarf_uleb(c);
		break;
	case DW_RLE_offset_pair:
		*low = r->base + dwarf_uleb(c);
		*high = r->base + dwarf_uleb(c);
		break;
	case DW_RLE_start_end:
		*low = dwarf_sized(c, size);
		*high = dwarf_sized(c, size);
		break;
	case DW_RLE_start_length:
		*low = dwarf_sized(c, size);
		*high = *low + dwarf_uleb(c);
		break;
	default: c->bad = true; break;
	}
}

static int add_entries(struct ranging *r)
{
	uint64_t low, high;

	while (dwarf_may_work(r->unit->file->lines, 1)) {
		uint8_t kind = dwarf_u8(&r->c);

		if (kind == DW_RLE_end_of_list || r->c.bad)
			break;
		read_entry(r, kind, &low, &high);
		if (!r->c.bad && add(r, low, high))
			return -1;
	}
	return 0;
}

/* From the index of a list to its offset. */
static bool list_offset(const struct dwarf_unit *unit, uint64_t index, uint64_t *offset)
{
	const struct dwarf_file *file = unit->file;
	struct dwarf_cursor c;

	if (index > UINT32_MAX)
		return false;
	c = dwarf_cursor(file->sections[DWARF_RNGLISTS],
			 unit->rnglists_base + index * unit->offset_size, file->swap);
	*offset = unit->rnglists_base + dwarf_sized(&c, unit->offset_size);
	return !c.bad;
}

static int add_list(struct ranging *r, const struct dwarf_value *ranges)
{
	struct dwarf_unit *unit = r->unit;
	const struct dwarf_file *file = unit->file;
	uint64_t offset = ranges->u;

	r->base = unit->low;
	if (unit->version < 5) {
		/* Those of split units are in the main file. */
		if (file->split)
			offset += unit->ranges_base;
		r->c = dwarf_cursor(unit->addresses->sections[DWARF_RANGES], offset, file->swap);
		return add_pairs(r);
	}
	if (ranges->kind == DWARF_INDEX && !list_offset(unit, ranges->u, &offset))
		return 0;
	r->c = dwarf_cursor(file->sections[DWARF_RNGLISTS], offset, file->swap);
	return add_entries(r);
}

int dwarf_ranges_add(struct dwarf_unit *unit, const struct dwarf_value *low,
		     const struct dwarf_value *high, const struct dwarf_value *ranges, uint32_t id,
		     uint32_t rank, dwarf_spans *out)
{
	struct ranging r = {.unit = unit, .id = id, .rank = rank, .out = out};

	if (ranges->kind == DWARF_OFFSET || ranges->kind == DWARF_INDEX ||
	    ranges->kind == DWARF_NUMBER)
		return add_list(&r, ranges);
	if (low->kind != DWARF_ADDRESS)
		return 0;
	if (high->kind == DWARF_ADDRESS)
		return add(&r, low->u, high->u);
	return high->kind == DWARF_NUMBER ? add(&r, low->u, low->u + high->u) : 0;
}

int dwarf_range_add(struct dwarf_unit *unit, uint64_t low, uint64_t high, uint32_t id,
		    dwarf_spans *out)
{
	struct ranging r = {.unit = unit, .id = id, .out = out};

	return add(&r, low, high);
}
