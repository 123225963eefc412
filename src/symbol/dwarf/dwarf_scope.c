// SPDX-License-Identifier: BSD-2-Clause
/* The functions of a unit, and what was inlined into them. */
#include <inttypes.h>

#include "symbol/dwarf/dwarf_int.h"

enum { DEPTH_MAX = 4096 }; /* of entries within each other */

/* What matters of an entry that may have code. */
struct entry {
	struct dwarf_value low, high, ranges, file, line;
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

static void read_entry(struct dwarf_walk *w, const struct dwarf_abbrev *a, struct entry *e)
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

void dwarf_walk_skip(struct dwarf_walk *w, const struct dwarf_abbrev *a)
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

/* Adds a function, or where one was inlined. */
static int add_scope(struct dwarf_walk *w, uint64_t die, uint16_t tag, const struct entry *e)
{
	struct dwarf_scopes *t = &w->unit->scopes;
	bool inlined = tag == DW_TAG_inlined_subroutine;
	struct dwarf_scope s = {.parent = inlined ? w->inside : DWARF_NONE,
				.die = (uint32_t)(die - w->unit->offset),
				.call_file = number32(&e->file),
				.call_line = number32(&e->line)};
	uint32_t id = (uint32_t)t->scopes.n;

	if (!inlined && !e->low.kind && !e->ranges.kind) {
		w->inside = DWARF_NONE;
		return 0;
	}
	if (!dwarf_may_store(w->unit->file->lines, sizeof(s)))
		return 0;
	w->inside = id;
	if (vec_push(&t->scopes, s))
		return -1;
	/* Entries come after what they are in: so the later one is the inner one. */
	return dwarf_ranges_add(w->unit, &e->low, &e->high, &e->ranges, id, id, &t->spans);
}

/* Goes on behind an entry's children where there is nothing to be found among them. */
static bool pass_children(struct dwarf_walk *w, uint16_t tag, const struct entry *e)
{
	const uint8_t *start = w->unit->file->sections[DWARF_INFO].p;

	if (tag != DW_TAG_subprogram || !e->declared || e->sibling >= w->unit->end ||
	    e->sibling <= (uint64_t)(w->c.p - start))
		return false;
	w->c.p = start + e->sibling;
	return true;
}

static int enter_scope(struct dwarf_walk *w, uint64_t die, const struct dwarf_abbrev *a)
{
	struct entry e;

	if (a->tag != DW_TAG_subprogram && a->tag != DW_TAG_inlined_subroutine) {
		dwarf_walk_skip(w, a);
		return 0;
	}
	read_entry(w, a, &e);
	if (w->children && pass_children(w, a->tag, &e))
		w->children = false;
	return add_scope(w, die, a->tag, &e);
}

/* One entry, or the end of those within one; *done when that was the last. */
static int walk_entry(struct dwarf_walk *w, bool *done)
{
	struct dwarf_file *file = w->unit->file;
	uint64_t die = (uint64_t)(w->c.p - file->sections[DWARF_INFO].p), code = dwarf_uleb(&w->c);
	const struct dwarf_abbrev *a;
	uint32_t around = w->inside;

	if (!code) {
		*done = !w->around.n;
		if (!*done)
			w->inside = w->around.v[--w->around.n];
		return 0;
	}
	a = dwarf_abbrev_find(w->abbrevs, code);
	if (!a || w->around.n >= DEPTH_MAX) {
		*done = true;
		return dwarf_problem(
			file->lines, "%s: the entry at 0x%" PRIx64 " of .debug_info %s", file->path,
			die, a ? "lies deeper than 4096 others" : "has no abbreviation");
	}
	w->children = a->children;
	if (w->enter(w, die, a))
		return -1;
	if (w->children)
		return vec_push(&w->around, around);
	w->inside = around;
	return 0;
}

int dwarf_walk(struct dwarf_walk *w)
{
	struct dwarf_file *file = w->unit->file;
	bool done = false;

	w->inside = DWARF_NONE;
	w->abbrevs = dwarf_unit_abbrevs(w->unit);
	if (!w->abbrevs)
		return -1;
	w->c = dwarf_unit_cursor(w->unit, w->unit->die);
	while (!done && !w->c.bad && dwarf_left(&w->c)) {
		w->steps++;
		if (walk_entry(w, &done)) {
			vec_free(&w->around);
			return -1;
		}
		if (w->steps > 1000) {
			done = done || !dwarf_may_work(file->lines, w->steps);
			w->steps = 0;
		}
	}
	vec_free(&w->around);
	if (w->c.bad)
		dwarf_problem(file->lines,
			      "%s: the unit at 0x%" PRIx64 " of .debug_info ends within an entry",
			      file->path, w->unit->offset);
	dwarf_may_work(file->lines, w->steps);
	return 0;
}

int dwarf_scopes_read(struct dwarf_unit *unit)
{
	struct dwarf_walk w = {.unit = unit, .enter = enter_scope};

	if (unit->read)
		return 0;
	unit->read = true;
	return dwarf_walk(&w) || dwarf_spans_settle(&unit->scopes.spans) ? -1 : 0;
}
