/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the dwarf_*.c share: the files with debug information, their units, and what was read of
 * these.  Functions that return int return 0, or -1 when out of memory; damage is told to
 * dwarf_problem(), and what is damaged is left out.
 */
#ifndef SYMBOL_DWARF_INT_H
#define SYMBOL_DWARF_INT_H


#include "base/dwarf_constants.h"
#include "base/dwarf_read.h"
#include "symbol/dwarf/dwarf.h"
#include "symbol/dwarf/dwarf_span.h"

#define DWARF_NONE UINT32_MAX

enum dwarf_section_id {
	DWARF_INFO,
	DWARF_ABBREV,
	DWARF_LINE,
	DWARF_STR,
	DWARF_LINE_STR,
	DWARF_STR_OFFSETS,
	DWARF_ADDR,
	DWARF_RANGES,
	DWARF_RNGLISTS,
	DWARF_ARANGES,
	DWARF_CU_INDEX,
	DWARF_SECTIONS
};

/* How the value of an attribute is to be skipped: so many bytes, or one of these. */
enum { DWARF_SKIP_LEB = -1, DWARF_SKIP_ANY = -2 };

struct dwarf_attr {
	uint16_t name, form;
	int8_t skip;
	int64_t implicit;
};

struct dwarf_abbrev {
	uint64_t code;
	uint32_t first, count; /* its attributes */
	uint16_t tag;
	bool children;
	uint16_t size; /* of all values together; UINT16_MAX: it depends */
};

/* The table at one offset, as units of one layout see it. */
struct dwarf_abbrevs {
	uint64_t offset;
	uint32_t layout;
	bool dense; /* the i-th has the code i + 1 */
	VEC(struct dwarf_abbrev) abbrevs;
	VEC(struct dwarf_attr) attrs;
};

struct dwarf_value {
	enum {
		DWARF_NOTHING,
		DWARF_NUMBER,
		DWARF_ADDRESS,
		DWARF_TEXT,
		DWARF_OFFSET, /* in the section that the attribute implies */
		DWARF_INDEX,  /* of a list of ranges */
		DWARF_REF     /* an entry at an offset of file's .debug_info */
	} kind;
	uint64_t u;
	const char *text;
	struct dwarf_file *file;
};

/* Rows that hold an address up to the next row's. */
struct dwarf_row {
	uint32_t offset; /* from where its sequence begins */
	uint32_t file, line;
};

struct dwarf_sequence {
	uint64_t low;
	size_t first;
	uint32_t count;
};

struct dwarf_line_file {
	const char *name;
	uint64_t dir;
	const char *shown; /* NULL until it is looked up */
};

struct dwarf_line_table {
	uint64_t offset;
	unsigned int version;
	VEC(const char *) dirs;
	VEC(struct dwarf_line_file) files;
	VEC(struct dwarf_row) rows;
	VEC(struct dwarf_sequence) sequences;
	dwarf_spans spans; /* of sequences */
};

/* A function, or where one was inlined. */
struct dwarf_scope {
	uint32_t parent; /* the one that it is inlined in; DWARF_NONE: it is a function itself */
	uint32_t die;	 /* from the start of the unit */
	uint32_t call_file, call_line;
	const char *name; /* NULL until it is looked up */
};

struct dwarf_scopes {
	VEC(struct dwarf_scope) scopes;
	dwarf_spans spans;
};

/* What functions are in: a namespace, a class, another function. */
struct dwarf_home {
	uint32_t die;	 /* from the start of the unit */
	uint32_t parent; /* the one that it is in itself; DWARF_NONE: none */
	uint16_t tag;
};

struct dwarf_unit {
	struct dwarf_file *file;
	uint64_t offset, die,
		end; /* in .debug_info: the header, the first entry, behind the last */
	uint64_t id; /* of the split unit that belongs to it; 0: none */
	uint64_t abbrev_offset;
	uint16_t version;
	uint8_t type, address_size, offset_size;
	bool rooted, read; /* the first entry was read; all were */
	bool placed;	   /* it says itself at which addresses it is */
	uint32_t abbrevs;  /* index in the file's; DWARF_NONE until needed */

	/* From the first entry.  Offsets are absolute ones in their sections. */
	uint16_t tag, language;
	bool has_low, has_lines;
	uint64_t low, lines_offset;
	uint64_t str_offsets, addr_base, ranges_base, rnglists_base;
	struct dwarf_value high, ranges;
	const char *dir, *dwo_name;

	struct dwarf_file *addresses; /* whose .debug_addr and .debug_ranges it uses */
	struct dwarf_unit *split;     /* the one in a .dwo file; NULL: none */
	struct dwarf_scopes scopes;
	VEC(struct dwarf_home) homes; /* by die; read when names need them */
	bool has_homes;
	uint32_t table; /* index in the file's line tables; DWARF_NONE: none */
};

/* One file with debug information. */
struct dwarf_file {
	struct dwarf_lines *lines;
	char *path;
	bool swap;
	bool split;    /* a .dwo file or a package of them */
	uint64_t read; /* bytes of sections */
	struct dwarf_bytes sections[DWARF_SECTIONS];
	uint8_t alt_id[BUILD_ID_MAX];
	size_t alt_id_len;
	char *alt_path; /* as the file names it; NULL: none */
	bool alt_tried;
	struct dwarf_file *alt;	      /* what dwz moved out of it */
	VEC(struct dwarf_unit) units; /* by offset; do not move once there */
	VEC(struct dwarf_abbrevs *) abbrevs;
	struct table abbrevs_of_offset;
	VEC(struct dwarf_line_table *) tables;
	struct table table_of_offset;
};

struct dwarf_lines {
	struct symbol_image *image;
	VEC(struct dwarf_file *) files; /* all that are open; the first is the image's own */
	struct dwarf_file *main;
	struct dwarf_file *package; /* the .dwp; NULL: none */
	char *package_as;	    /* its path beside the program; it may be behind a link */
	bool package_tried;
	dwarf_spans code;  /* where the image has code */
	dwarf_spans units; /* ids are indices of main's units */
	uint64_t read;	   /* bytes of sections that were read */
	uint64_t work;	   /* what was done: entries, attributes, ranges, rows */
	uint64_t stored;   /* bytes of tables that were made of the sections */
	struct err err;	   /* code 0: all was well */
};

/* dwarf_limits.c */

/* Notes what is wrong, the first time; always returns 0. */
int dwarf_problem(struct dwarf_lines *lines, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/*
 * Whether n more steps may be done, or n more bytes stored, after what was read; tells the problem
 * the first time that it may not be.
 */
bool dwarf_may_work(struct dwarf_lines *lines, uint64_t n);
bool dwarf_may_store(struct dwarf_lines *lines, uint64_t n);

/* dwarf_section.c */

/* Reads the sections of f into file's, or those with .dwo behind their names. */
int dwarf_sections_read(struct dwarf_file *file, struct elf_file *f);

/* dwarf_unit.c */

/* Reads the headers of all units of a file. */
int dwarf_units_read(struct dwarf_file *file);

/* The unit whose entries are at an offset; NULL for none. */
struct dwarf_unit *dwarf_unit_at(struct dwarf_file *file, uint64_t offset);

/* A cursor over the entries of a unit, from an offset of .debug_info on. */
struct dwarf_cursor dwarf_unit_cursor(const struct dwarf_unit *unit, uint64_t offset);

/* dwarf_file.c */

/*
 * Reads the sections of f, which may be closed afterwards, or those with .dwo behind their names;
 * NULL when out of memory.  The file is among lines->files then.
 */
struct dwarf_file *dwarf_file_new(struct dwarf_lines *lines, struct elf_file *f, bool split);
void dwarf_file_free(struct dwarf_file *file);

/*
 * Opens it by its path and reads its units, too, unless it is open and has split units.  *file is
 * NULL when there is none, or when it does not have the build-id, where one is given.
 */
int dwarf_file_open(struct dwarf_lines *lines, const char *path, bool split, const uint8_t *id,
		    size_t id_len, struct dwarf_file **file);

/* The file that dwz moved shared entries of file to; NULL for none. */
struct dwarf_file *dwarf_file_alt(struct dwarf_file *file);

/* dwarf_value.c */

/* How many bytes a value of that form takes, or DWARF_SKIP_LEB or _ANY. */
int dwarf_form_size(const struct dwarf_unit *unit, uint16_t form);

/* An entry of .debug_addr; false when there is none. */
bool dwarf_address(const struct dwarf_unit *unit, uint64_t index, uint64_t *address);

/* Reads, or passes, the value of one attribute. */
struct dwarf_value dwarf_value_read(struct dwarf_unit *unit, struct dwarf_cursor *c,
				    const struct dwarf_attr *attr);
void dwarf_value_skip(const struct dwarf_unit *unit, struct dwarf_cursor *c,
		      const struct dwarf_attr *attr);

/* dwarf_abbrev.c */

/* The unit's abbreviations; NULL when out of memory. */
struct dwarf_abbrevs *dwarf_unit_abbrevs(struct dwarf_unit *unit);

/* NULL for a code that is not there. */
const struct dwarf_abbrev *dwarf_abbrev_find(const struct dwarf_abbrevs *t, uint64_t code);

/* dwarf_root.c */

/* Reads the first entry of a unit. */
int dwarf_unit_root(struct dwarf_unit *unit);

/* dwarf_ranges.c */

/*
 * Whether the image has code at an address.  Linkers leave the entries of functions that they throw
 * away, with addresses that count from 0 or are the highest ones; these would hide real ones.
 */
bool dwarf_is_code(const struct dwarf_lines *lines, uint64_t address);

/* Adds a range of a unit; what has no code in the image is left out. */
int dwarf_range_add(struct dwarf_unit *unit, uint64_t low, uint64_t high, uint32_t id,
		    dwarf_spans *out);

/* Adds the ranges of an entry with these attributes, as far as the image has code there. */
int dwarf_ranges_add(struct dwarf_unit *unit, const struct dwarf_value *low,
		     const struct dwarf_value *high, const struct dwarf_value *ranges, uint32_t id,
		     uint32_t rank, dwarf_spans *out);

/* dwarf_scope.c */

/* A walk through the entries of a unit, each after what it is in. */
struct dwarf_walk {
	struct dwarf_unit *unit;
	/* Reads or skips the values of an entry, which c is at.  0, or -1 when out of memory. */
	int (*enter)(struct dwarf_walk *w, uint64_t die, const struct dwarf_abbrev *a);
	uint32_t inside; /* DWARF_NONE, or what enter() set it to for what is around */
	bool children;	 /* enter() may take back that there are some that matter */

	struct dwarf_abbrevs *abbrevs;
	struct dwarf_cursor c;
	VEC(uint32_t) around; /* for each depth what inside is behind it */
	uint64_t steps;
};

int dwarf_walk(struct dwarf_walk *w);
void dwarf_walk_skip(struct dwarf_walk *w, const struct dwarf_abbrev *a);

/* Reads the functions of a unit into its scopes, once. */
int dwarf_scopes_read(struct dwarf_unit *unit);

/* dwarf_index.c */

/* Indexes the units of the main file by address. */
int dwarf_index_build(struct dwarf_lines *lines);

/* dwarf_name.c */

/* The name of the function at an entry as users see it; NULL for none or out of memory. */
const char *dwarf_function_name(struct dwarf_unit *unit, uint64_t offset);

/* dwarf_line.c */

/* The line table of a unit, read when it is asked for first.  *table is NULL for none. */
int dwarf_lines_read(struct dwarf_unit *unit, struct dwarf_line_table **table);

/* The row that holds an address; NULL for none. */
const struct dwarf_row *dwarf_row_find(const struct dwarf_line_table *table, uint64_t address);

/* The path of a file by its number in a unit's line table; NULL when it is not known. */
const char *dwarf_file_name(const struct dwarf_unit *unit, struct dwarf_line_table *table,
			    uint64_t number);

/* dwarf_split.c */

/* Finds the split unit that a unit stands for; unit->split stays NULL where there is none. */
int dwarf_split_find(struct dwarf_unit *unit);

#endif
