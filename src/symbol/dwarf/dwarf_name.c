// SPDX-License-Identifier: BSD-2-Clause
/* The names of functions: as linkers know them, or else put together from where they are. */
#include "symbol/dwarf/dwarf_int.h"

enum {
	HOPS_MAX = 16,	 /* from an entry to the one that has the name */
	AROUND_MAX = 32, /* namespaces, classes and functions around one */
	TEXT_MAX = 4096, /* of such a name */
};

/* The names that one entry has, and where else there may be some. */
struct entry_names {
	const char *name, *linkage;
	struct dwarf_value origin;
};

static int read_names(struct dwarf_unit *unit, uint64_t offset, struct entry_names *names)
{
	struct dwarf_cursor c = dwarf_unit_cursor(unit, offset);
	const struct dwarf_abbrevs *t = dwarf_unit_abbrevs(unit);
	const struct dwarf_abbrev *a;
	uint32_t i;

	if (!t || dwarf_unit_root(unit))
		return -1;
	names->origin.kind = DWARF_NOTHING;
	a = dwarf_abbrev_find(t, dwarf_uleb(&c));
	if (!a || !dwarf_may_work(unit->file->lines, a->count))
		return 0;
	for (i = 0; i < a->count && !c.bad; i++) {
		const struct dwarf_attr *attr = &t->attrs.v[a->first + i];
		struct dwarf_value v;

		switch (attr->name) {
		case DW_AT_name:
		case DW_AT_linkage_name:
		case DW_AT_MIPS_linkage_name:
		case DW_AT_abstract_origin:
		case DW_AT_specification: break;
		default: dwarf_value_skip(unit, &c, attr); continue;
		}
		v = dwarf_value_read(unit, &c, attr);
		if (v.kind == DWARF_REF)
			names->origin = v;
		else if (v.kind == DWARF_TEXT && *v.text && attr->name == DW_AT_name &&
			 !names->name)
			names->name = v.text;
		else if (v.kind == DWARF_TEXT && *v.text && attr->name != DW_AT_name)
			names->linkage = v.text;
	}
	return 0;
}

/* Languages whose functions are all in one space. */
static bool is_flat(const struct dwarf_unit *unit)
{
	switch (unit->language) {
	case DW_LANG_C89:
	case DW_LANG_C:
	case DW_LANG_C99:
	case DW_LANG_C11:
	case DW_LANG_Go:
	case DW_LANG_Mips_Assembler: return true;
	}
	return false;
}

/* What functions are in. */
static bool has_members(uint16_t tag)
{
	switch (tag) {
	case DW_TAG_namespace:
	case DW_TAG_class_type:
	case DW_TAG_structure_type:
	case DW_TAG_union_type:
	case DW_TAG_interface_type:
	case DW_TAG_module:
	case DW_TAG_subprogram: return true;
	}
	return false;
}

static int enter_home(struct dwarf_walk *w, uint64_t die, const struct dwarf_abbrev *a)
{
	struct dwarf_home home = {.die = (uint32_t)(die - w->unit->offset), .parent = w->inside};

	if (has_members(a->tag) && dwarf_may_store(w->unit->file->lines, sizeof(home))) {
		w->inside = (uint32_t)w->unit->homes.n;
		home.tag = a->tag;
		if (vec_push(&w->unit->homes, home))
			return -1;
	}
	dwarf_walk_skip(w, a);
	return 0;
}

/* The entry at an offset among those that functions are in, or that are functions. */
static uint32_t find_home(const struct dwarf_unit *unit, uint64_t offset)
{
	size_t low = 0, high = unit->homes.n;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (unit->homes.v[mid].die <= offset - unit->offset)
			low = mid + 1;
		else
			high = mid;
	}
	return low && unit->homes.v[low - 1].die == offset - unit->offset ? (uint32_t)low - 1
									  : DWARF_NONE;
}

/* Where an entry is, or the one that it takes its name from. */
struct entry_place {
	struct dwarf_unit *unit;
	uint64_t offset;
};

/* Finds the names of an entry, and moves to where they are. */
static int find_names(struct entry_place *p, struct entry_names *names)
{
	struct entry_place next = *p;
	int hops;

	*names = (struct entry_names){0};
	for (hops = 0; hops < HOPS_MAX && !names->linkage; hops++) {
		if (read_names(next.unit, next.offset, names))
			return -1;
		*p = next;
		if (names->origin.kind != DWARF_REF)
			break;
		next.offset = names->origin.u;
		next.unit = dwarf_unit_at(names->origin.file, next.offset);
		if (!next.unit || next.offset < next.unit->die)
			break;
	}
	return 0;
}

/* Moves to what an entry is in; *tag is 0 when that is just the unit. */
static int go_up(struct entry_place *p, uint16_t *tag)
{
	struct dwarf_walk w = {.unit = p->unit, .enter = enter_home};
	struct dwarf_unit *unit = p->unit;
	uint32_t id;

	*tag = 0;
	if (!unit->has_homes && dwarf_walk(&w))
		return -1;
	unit->has_homes = true;
	id = find_home(unit, p->offset);
	if (id != DWARF_NONE)
		id = unit->homes.v[id].parent;
	if (id == DWARF_NONE)
		return 0;
	p->offset = unit->offset + unit->homes.v[id].die;
	*tag = unit->homes.v[id].tag;
	return 0;
}

/* Whether there was room for "part::" before at, the end of text. */
static bool prepend(const char *text, char **at, const char *part)
{
	size_t len = strlen(part), colons = **at ? 2 : 0;

	if (len + colons > (size_t)(*at - text))
		return false;
	*at -= len + colons;
	memcpy(*at, part, len);
	memcpy(*at + len, "::", colons);
	return true;
}

/* The function called name at p with all that it is in: outer::inner::name. */
static const char *qualified(struct entry_place p, const char *name)
{
	struct symbol_store *store = p.unit->file->lines->image->store;
	char text[TEXT_MAX], *at = text + sizeof(text) - 1;
	const char *part = name;
	uint32_t n;

	*at = '\0';
	for (n = 0; n < AROUND_MAX; n++) {
		struct entry_names names;
		uint16_t tag;

		if (!prepend(text, &at, part))
			return symbol_shown_name(store, name, "");
		if (go_up(&p, &tag))
			return NULL;
		if (!tag)
			break;
		if (find_names(&p, &names))
			return NULL;
		part = names.name		 ? names.name
		       : tag == DW_TAG_namespace ? "(anonymous namespace)"
						 : "(anonymous class)";
	}
	return symbol_shown_name(store, at, "");
}

const char *dwarf_function_name(struct dwarf_unit *unit, uint64_t offset)
{
	struct symbol_store *store = unit->file->lines->image->store;
	struct entry_place p = {unit, offset};
	struct entry_names names;

	if (find_names(&p, &names))
		return NULL;
	if (names.linkage)
		return symbol_shown_name(store, names.linkage, "");
	if (!names.name || is_flat(p.unit))
		return names.name ? symbol_shown_name(store, names.name, "") : NULL;
	return qualified(p, names.name);
}
