// SPDX-License-Identifier: BSD-2-Clause
/* Abbreviations: which attributes the entries of a unit have. */
#include <inttypes.h>

#include "symbol/dwarf/dwarf_int.h"

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
