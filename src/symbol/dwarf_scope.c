// SPDX-License-Identifier: BSD-2-Clause
/* The functions of a unit, what was inlined into them, and their names. */
#include <inttypes.h>

#include "symbol/dwarf_int.h"

enum {
	DEPTH_MAX = 4096, /* of entries within each other */
	HOPS_MAX = 16,	  /* from an entry to the one that has the name */
};

/* The entries of a unit while they are gone through. */
struct walk {
	struct dwarf_unit *unit;
	struct dwarf_abbrevs *abbrevs;
	struct dwarf_cursor c;
	VEC(uint32_t) around; /* for each depth the innermost scope around it, or DWARF_NONE */
	uint64_t steps;
};

/* What matters of an entry that may have code. */
struct entry {
	struct dwarf_value low, high, ranges, file, line, column;
	uint64_t sibling;
	bool declared;
};

static void set_entry(struct entry *e, uint16_t name, const struct dwarf_value *v)
{
	switch (name) {
	case DW_AT_low_pc: e->low = *v; break;
	case DW_AT_high_pc: e->high = *v; break;
	case DW_AT_ranges: e->ranges = *v; break;
	case DW_AT_call_file: e->file = *v; break;
	case DW_AT_call_line: e->line = *v; break;
	case DW_AT_declaration: e->declared = v->u; break;
	case DW_AT_sibling: e->sibling = v->kind == DWARF_REF ? v->u : 0; break;
	}
}

static bool is_wanted(uint16_t name)
{
	switch (name) {
	case DW_AT_low_pc:
	case DW_AT_high_pc:
	case DW_AT_ranges:
	case DW_AT_call_file:
	case DW_AT_call_line:
	case DW_AT_declaration:
	case DW_AT_sibling: return true;
	}
	return false;
}

static void read_entry(struct walk *w, const struct dwarf_abbrev *a, struct entry *e)
{
	uint32_t i;

	*e = (struct entry){0};
	w->steps += a->count;
	for (i = 0; i < a->count && !w->c.bad; i++) {
		const struct dwarf_attr *attr = &w->abbrevs->attrs.v[a->first + i];
		struct dwarf_value v;

		if (is_wanted(attr->name)) {
			v = dwarf_value_read(w->unit, &w->c, attr);
			set_entry(e, attr->name, &v);
		} else if (attr->skip >= 0) {
			dwarf_skip(&w->c, (uint64_t)attr->skip);
		} else {
			dwarf_value_skip(w->unit, &w->c, attr);
		}
	}
}

static void skip_entry(struct walk *w, const struct dwarf_abbrev *a)
{
	uint32_t i;

	if (a->size != UINT16_MAX) {
		dwarf_skip(&w->c, a->size);
		return;
	}
	w->steps += a->count;
	for (i = 0; i < a->count && !w->c.bad; i++)
		dwarf_value_skip(w->unit, &w->c, &w->abbrevs->attrs.v[a->first + i]);
}

static uint32_t number32(const struct dwarf_value *v)
{
	return v->kind == DWARF_NUMBER && v->u <= UINT32_MAX ? (uint32_t)v->u : 0;
}

/* Adds a function, or where one was inlined; *scope is then what its children are in. */
static int add_scope(struct walk *w, uint64_t die, uint16_t tag, const struct entry *e,
		     uint32_t *scope)
{
	struct dwarf_scopes *t = &w->unit->scopes;
	bool inlined = tag == DW_TAG_inlined_subroutine;
	struct dwarf_scope s = {.parent = inlined ? *scope : DWARF_NONE,
				.die = (uint32_t)(die - w->unit->offset),
				.call_file = number32(&e->file),
				.call_line = number32(&e->line)};
	uint32_t id = (uint32_t)t->scopes.n;

	if (!inlined && !e->low.kind && !e->ranges.kind) {
		*scope = DWARF_NONE;
		return 0;
	}
	*scope = id;
	/* Entries come after what they are in: so the later one is the inner one. */
	return vec_push(&t->scopes, s) || dwarf_ranges_add(w->unit, &e->low, &e->high, &e->ranges,
							   id, id, &t->spans)
		       ? -1
		       : 0;
}

/* Goes on behind an entry's children where there is nothing to be found among them. */
static bool pass_children(struct walk *w, uint16_t tag, const struct entry *e)
{
	const uint8_t *to = w->unit->file->sections[DWARF_INFO].p + e->sibling;

	if (tag != DW_TAG_subprogram || !e->declared || e->sibling >= w->unit->end || to <= w->c.p)
		return false;
	w->c.p = to;
	return true;
}

/* One entry; *scope is what it is in, and then what its children are in. */
static int walk_entry(struct walk *w, uint64_t die, const struct dwarf_abbrev *a, bool *children,
		      uint32_t *scope)
{
	struct entry e;

	*children = a->children;
	if (a->tag != DW_TAG_subprogram && a->tag != DW_TAG_inlined_subroutine) {
		skip_entry(w, a);
		return 0;
	}
	read_entry(w, a, &e);
	if (*children && pass_children(w, a->tag, &e))
		*children = false;
	return add_scope(w, die, a->tag, &e, scope);
}

static int walk_entries(struct walk *w)
{
	const uint8_t *start = w->unit->file->sections[DWARF_INFO].p;
	uint32_t scope = DWARF_NONE;

	while (!w->c.bad && dwarf_left(&w->c)) {
		uint64_t die = (uint64_t)(w->c.p - start), code = dwarf_uleb(&w->c);
		uint32_t around = scope;
		const struct dwarf_abbrev *a;
		bool children;

		w->steps++;
		if (!code) {
			if (!w->around.n)
				break;
			scope = w->around.v[--w->around.n];
			continue;
		}
		a = dwarf_abbrev_find(w->abbrevs, code);
		if (!a || w->around.n >= DEPTH_MAX)
			return dwarf_problem(w->unit->file->lines,
					     "%s: the entry at 0x%" PRIx64 " of .debug_info %s",
					     w->unit->file->path, die,
					     a ? "lies deeper than 4096 others"
					       : "has no abbreviation");
		if (walk_entry(w, die, a, &children, &scope))
			return -1;
		if (!children)
			scope = around;
		else if (vec_push(&w->around, around))
			return -1;
		if (w->steps > 1000) {
			if (!dwarf_may_work(w->unit->file->lines, w->steps))
				break;
			w->steps = 0;
		}
	}
	if (w->c.bad)
		dwarf_problem(w->unit->file->lines,
			      "%s: the unit at 0x%" PRIx64 " of .debug_info ends within an entry",
			      w->unit->file->path, w->unit->offset);
	dwarf_may_work(w->unit->file->lines, w->steps);
	return 0;
}

int dwarf_scopes_read(struct dwarf_unit *unit)
{
	struct walk w = {.unit = unit};
	int ret;

	if (unit->read)
		return 0;
	unit->read = true;
	w.abbrevs = dwarf_unit_abbrevs(unit);
	if (!w.abbrevs)
		return -1;
	w.c = dwarf_unit_cursor(unit, unit->die);
	ret = walk_entries(&w);
	vec_free(&w.around);
	return ret || dwarf_spans_settle(&unit->scopes.spans) ? -1 : 0;
}

/* The names that one entry has, and where else there may be some. */
struct names {
	const char *name, *linkage;
	struct dwarf_value origin;
};

static int read_names(struct dwarf_unit *unit, uint64_t offset, struct names *names)
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

const char *dwarf_function_name(struct dwarf_unit *unit, uint64_t offset)
{
	struct symbol_store *store = unit->file->lines->image->store;
	struct names names = {0};
	int hops;

	for (hops = 0; unit && hops < HOPS_MAX && !names.linkage; hops++) {
		if (offset < unit->die || read_names(unit, offset, &names))
			break;
		if (names.origin.kind != DWARF_REF)
			break;
		offset = names.origin.u;
		unit = dwarf_unit_at(names.origin.file, offset);
	}
	if (names.linkage)
		return symbol_shown_name(store, names.linkage, "");
	return names.name ? symbol_shown_name(store, names.name, "") : NULL;
}
