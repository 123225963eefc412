// SPDX-License-Identifier: BSD-2-Clause
/* Line tables: the programs of .debug_line, run once and sorted by address. */
#include <inttypes.h>

#include "symbol/dwarf/dwarf_int.h"

enum { FORMATS_MAX = 255 };

/* A line table being read. */
struct program {
	struct dwarf_unit *unit;
	struct dwarf_line_table *table;
	struct dwarf_cursor c;
	unsigned int offset_size;
	unsigned int min_length, max_ops, line_range, opcode_base;
	int line_base;
	uint8_t lengths[256]; /* operands of the standard opcodes */

	uint64_t address;
	uint32_t op_index, file, line;
	uint64_t steps;

	/* The sequence being made; its rows begin at first. */
	uint64_t low;
	size_t first;
	bool open, sorted;
	const uint8_t *names_end;
};

static void reset(struct program *p)
{
	p->address = 0;
	p->op_index = 0;
	p->file = 1;
	p->line = 1;
	p->open = false;
	p->sorted = true;
	p->first = p->table->rows.n;
}

/* Rows before the first of a sequence, which some assemblers make, cannot be told by offset. */
static int add_row(struct program *p)
{
	struct dwarf_line_table *t = p->table;
	struct dwarf_row row = {.file = p->file, .line = p->line}, *last;

	if (!p->open) {
		p->open = true;
		p->low = p->address;
	}
	if (p->address - p->low > UINT32_MAX)
		return 0;
	row.offset = (uint32_t)(p->address - p->low);
	last = t->rows.n > p->first ? &t->rows.v[t->rows.n - 1] : NULL;
	if (last && row.offset == last->offset) {
		*last = row;
		return 0;
	}
	if (last && row.offset > last->offset && last->file == row.file && last->line == row.line)
		return 0;
	if (last && row.offset < last->offset)
		p->sorted = false;
	if (dwarf_may_store(p->unit->file->lines, sizeof(row)))
		return vec_push(&t->rows, row);
	/* A sequence with rows missing would be wrong. */
	dwarf_overrun(&p->c);
	return 0;
}

static int by_value(const void *pa, const void *pb)
{
	const uint64_t *a = pa, *b = pb;

	return (*a > *b) - (*a < *b);
}

/* Sorts rows by offset, those of one offset as they came. */
static int sort_rows(struct dwarf_row *rows, uint32_t count)
{
	uint64_t *keys = calloc(count, sizeof(*keys));
	struct dwarf_row *sorted = calloc(count, sizeof(*sorted));
	uint32_t i;

	if (keys && sorted) {
		for (i = 0; i < count; i++)
			keys[i] = (uint64_t)rows[i].offset << 32 | i;
		qsort(keys, count, sizeof(*keys), by_value);
		for (i = 0; i < count; i++)
			sorted[i] = rows[(uint32_t)keys[i]];
		memcpy(rows, sorted, count * sizeof(*rows));
	}
	i = keys && sorted;
	free(keys);
	free(sorted);
	return i ? 0 : -1;
}

static int end_sequence(struct program *p)
{
	struct dwarf_line_table *t = p->table;
	struct dwarf_lines *lines = p->unit->file->lines;
	struct dwarf_sequence s = {
		.low = p->low, .first = p->first, .count = (uint32_t)(t->rows.n - p->first)};
	uint32_t id = (uint32_t)t->sequences.n;
	int ret = 0;

	if (s.count && p->address > p->low && s.count <= UINT32_MAX / 2 &&
	    dwarf_is_code(lines, p->low)) {
		ret = (!p->sorted && sort_rows(&t->rows.v[s.first], s.count)) ||
		      vec_push(&t->sequences, s) ||
		      vec_push(&t->spans, (struct dwarf_span){p->low, p->address, id, id});
	} else {
		t->rows.n = p->first;
	}
	reset(p);
	return ret ? -1 : 0;
}

static void advance(struct program *p, uint64_t operations)
{
	if (p->max_ops <= 1) {
		p->address += operations * p->min_length;
	} else {
		operations += p->op_index;
		p->address += operations / p->max_ops * p->min_length;
		p->op_index = (uint32_t)(operations % p->max_ops);
	}
}

/* Adds a directory or a file by its name. */
static int add_name(struct program *p, bool dir, struct dwarf_line_file file)
{
	struct dwarf_line_table *t = p->table;

	if (!dwarf_may_store(p->unit->file->lines, sizeof(file))) {
		dwarf_overrun(&p->c);
		return 0;
	}
	return dir ? vec_push(&t->dirs, file.name) : vec_push(&t->files, file);
}

static int run_extended(struct program *p)
{
	uint64_t size = dwarf_uleb(&p->c);
	struct dwarf_cursor c = p->c;
	int ret = 0;

	dwarf_skip(&p->c, size);
	if (p->c.bad || !size)
		return 0;
	c.end = p->c.p;
	switch (dwarf_u8(&c)) {
	case DW_LNE_end_sequence: ret = end_sequence(p); break;
	case DW_LNE_set_address:
		p->address = dwarf_sized(&c, (unsigned int)size - 1);
		p->op_index = 0;
		break;
	case DW_LNE_define_file: {
		struct dwarf_line_file file = {.name = dwarf_text(&c)};

		file.dir = dwarf_uleb(&c);
		ret = c.bad ? 0 : add_name(p, false, file);
		break;
	}
	}
	return ret;
}

static int run_standard(struct program *p, uint8_t op)
{
	unsigned int i;

	switch (op) {
	case DW_LNS_copy: return add_row(p);
	case DW_LNS_advance_pc: advance(p, dwarf_uleb(&p->c)); break;
	case DW_LNS_advance_line: p->line += (uint32_t)dwarf_sleb(&p->c); break;
	case DW_LNS_set_file: p->file = (uint32_t)dwarf_uleb(&p->c); break;
	case DW_LNS_const_add_pc:
		advance(p, p->line_range ? (255 - p->opcode_base) / p->line_range : 0);
		break;
	case DW_LNS_fixed_advance_pc:
		p->address += dwarf_u16(&p->c);
		p->op_index = 0;
		break;
	default:
		for (i = 0; i < p->lengths[op]; i++)
			dwarf_uleb(&p->c);
		break;
	}
	return 0;
}

static int run(struct program *p)
{
	reset(p);
	while (!p->c.bad && dwarf_left(&p->c)) {
		uint8_t op = dwarf_u8(&p->c);
		int ret;

		if (op >= p->opcode_base) {
			op = (uint8_t)(op - p->opcode_base);
			advance(p, p->line_range ? op / p->line_range : 0);
			p->line += (uint32_t)(p->line_base +
					      (p->line_range ? (int)(op % p->line_range) : 0));
			ret = add_row(p);
		} else {
			ret = op ? run_standard(p, op) : run_extended(p);
		}
		if (ret)
			return -1;
		if (++p->steps == 1000) {
			if (!dwarf_may_work(p->unit->file->lines, p->steps))
				break;
			p->steps = 0;
		}
	}
	p->table->rows.n = p->first;
	return 0;
}

/* Up to DWARF 4: texts up to an empty one. */
static int read_old_names(struct program *p)
{
	struct dwarf_line_file file = {0};

	/* Number 0 of both is what the unit itself says. */
	if (add_name(p, true, file) || add_name(p, false, file))
		return -1;
	while (*(file.name = dwarf_text(&p->c)))
		if (add_name(p, true, file))
			return -1;
	while (*(file.name = dwarf_text(&p->c))) {
		file.dir = dwarf_uleb(&p->c);
		dwarf_uleb(&p->c);
		dwarf_uleb(&p->c);
		if (add_name(p, false, file))
			return -1;
	}
	return 0;
}

/* DWARF 5: a description of the columns, then rows of them. */
static int read_names(struct program *p, bool dirs)
{
	struct dwarf_attr formats[FORMATS_MAX];
	struct dwarf_unit unit = *p->unit;
	unsigned int count = dwarf_u8(&p->c), i;
	uint64_t rows;

	unit.offset_size = (uint8_t)p->offset_size;
	for (i = 0; i < count; i++) {
		formats[i].name = (uint16_t)dwarf_uleb(&p->c);
		formats[i].form = (uint16_t)dwarf_uleb(&p->c);
		formats[i].implicit = 0;
		formats[i].skip = (int8_t)dwarf_form_size(&unit, formats[i].form);
	}
	rows = dwarf_uleb(&p->c);
	/* Rows without a column take no bytes. */
	for (; count && rows && !p->c.bad; rows--) {
		struct dwarf_line_file file = {0};

		for (i = 0; i < count; i++) {
			struct dwarf_value v = dwarf_value_read(&unit, &p->c, &formats[i]);

			if (formats[i].name == DW_LNCT_path)
				file.name = v.text;
			else if (formats[i].name == DW_LNCT_directory_index)
				file.dir = v.u;
		}
		if (!dwarf_may_work(p->unit->file->lines, count))
			break;
		if (!p->c.bad && add_name(p, dirs, file))
			return -1;
	}
	return 0;
}

/* Leaves c at the program, ended where the table ends; false when it is none that is known. */
static bool read_header(struct program *p)
{
	struct dwarf_cursor *c = &p->c;
	uint64_t length = dwarf_u32(c);
	const uint8_t *names;
	unsigned int i;

	p->offset_size = 4;
	if (length == UINT32_MAX) {
		p->offset_size = 8;
		length = dwarf_u64(c);
	}
	if (c->bad || length > dwarf_left(c))
		return false;
	c->end = c->p + length;
	p->table->version = dwarf_u16(c);
	if (p->table->version < 2 || p->table->version > 5)
		return false;
	if (p->table->version >= 5) {
		dwarf_u8(c); /* the size of addresses */
		dwarf_u8(c); /* of segment selectors */
	}
	length = dwarf_sized(c, p->offset_size);
	if (c->bad || length > dwarf_left(c))
		return false;
	names = c->p + length;
	p->min_length = dwarf_u8(c);
	p->max_ops = p->table->version >= 4 ? dwarf_u8(c) : 1;
	dwarf_u8(c); /* whether rows are statements at first */
	p->line_base = (int8_t)dwarf_u8(c);
	p->line_range = dwarf_u8(c);
	p->opcode_base = dwarf_u8(c);
	for (i = 1; i < p->opcode_base; i++)
		p->lengths[i] = dwarf_u8(c);
	p->names_end = names;
	return !c->bad && c->p <= names;
}

static int read_table(struct dwarf_unit *unit, struct dwarf_line_table *t)
{
	struct dwarf_file *file = unit->file;
	struct program p = {.unit = unit, .table = t};
	int ret;

	p.c = dwarf_cursor(file->sections[DWARF_LINE], t->offset, file->swap);
	if (!read_header(&p))
		return dwarf_problem(file->lines,
				     "%s: the line table at 0x%" PRIx64
				     " of .debug_line is damaged or of version %u",
				     file->path, t->offset, t->version);
	ret = t->version < 5 ? read_old_names(&p) : read_names(&p, true) || read_names(&p, false);
	if (ret)
		return -1;
	if (p.c.bad)
		dwarf_problem(file->lines,
			      "%s: the files of the line table at 0x%" PRIx64
			      " of .debug_line have no end within it",
			      file->path, t->offset);
	p.c.p = p.names_end;
	p.c.bad = false;
	if (run(&p))
		return -1;
	if (p.c.bad)
		dwarf_problem(file->lines,
			      "%s: the line table at 0x%" PRIx64
			      " of .debug_line ends within an instruction",
			      file->path, t->offset);
	return dwarf_spans_settle(&t->spans);
}

int dwarf_lines_read(struct dwarf_unit *unit, struct dwarf_line_table **table)
{
	struct dwarf_file *file = unit->file;
	uint32_t hash = hash_u64(unit->lines_offset), i;
	struct dwarf_line_table *t;
	struct table_iter it;

	*table = NULL;
	if (!unit->has_lines)
		return 0;
	for (i = table_first(&file->table_of_offset, hash, &it); i != TABLE_NONE;
	     i = table_next(&file->table_of_offset, &it)) {
		*table = file->tables.v[i];
		if ((*table)->offset == unit->lines_offset)
			return 0;
	}
	*table = t = calloc(1, sizeof(*t));
	if (!t)
		return -1;
	t->offset = unit->lines_offset;
	if (vec_push(&file->tables, t)) {
		free(t);
		return -1;
	}
	return read_table(unit, t) || table_insert(&file->table_of_offset, hash,
						   (uint32_t)file->tables.n - 1)
		       ? -1
		       : 0;
}

const struct dwarf_row *dwarf_row_find(const struct dwarf_line_table *table, uint64_t address)
{
	const struct dwarf_span *span = dwarf_spans_find(&table->spans, address);
	const struct dwarf_sequence *s;
	size_t low = 0, high;

	if (!span)
		return NULL;
	s = &table->sequences.v[span->id];
	high = s->count;
	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (table->rows.v[s->first + mid].offset <= address - s->low)
			low = mid + 1;
		else
			high = mid;
	}
	return low ? &table->rows.v[s->first + low - 1] : NULL;
}

/* A path being put together: behind a slash that is there in any case. */
struct path {
	char text[PATH_MAX];
	size_t n;
	bool absolute, too_long;
};

static void add_component(struct path *p, const char *name, size_t len)
{
	size_t last = p->n;

	while (last && p->text[last] != '/')
		last--;
	if (!len || (len == 1 && *name == '.'))
		return;
	if (len == 2 && !memcmp(name, "..", 2) && (p->n || p->absolute) &&
	    strcmp(p->text + last, "/..")) {
		p->n = last;
	} else if (len + 2 > sizeof(p->text) - p->n) {
		p->too_long = true;
	} else {
		p->text[p->n] = '/';
		memcpy(p->text + p->n + 1, name, len);
		p->n += len + 1;
	}
	p->text[p->n] = '\0';
}

/*
 * Goes on from p to another path.  "." and ".." are taken out, so that one header has one name
 * whichever unit includes it.
 */
static void append(struct path *p, const char *part)
{
	if (!part)
		return;
	if (*part == '/') {
		p->n = 0;
		p->absolute = true;
		p->text[0] = '\0';
	}
	while (*part) {
		size_t len = strcspn(part, "/");

		add_component(p, part, len);
		part += len + (part[len] == '/');
	}
}

const char *dwarf_file_name(const struct dwarf_unit *unit, struct dwarf_line_table *table,
			    uint64_t number)
{
	const char *base = unit->dir, *first = table->dirs.n ? table->dirs.v[0] : NULL;
	struct dwarf_line_file *f;
	struct path p = {0};
	char *c;

	if (number >= table->files.n)
		return NULL;
	f = &table->files.v[number];
	if (f->shown || !f->name)
		return f->shown;
	if (table->version >= 5 && first && (*first == '/' || !base))
		base = first;
	append(&p, base);
	if (f->dir && f->dir < table->dirs.n)
		append(&p, table->dirs.v[f->dir]);
	append(&p, f->name);
	for (c = p.text; *c; c++)
		if ((unsigned char)*c < ' ' || *c == 0x7f)
			*c = '?';
	if (p.n && !p.too_long)
		f->shown =
			strpool_intern(unit->file->lines->image->store->pool, p.text + !p.absolute);
	return f->shown;
}
