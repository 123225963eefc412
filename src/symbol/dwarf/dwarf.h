/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The source lines and the inlined functions of one image, from its debug information.
 *
 * DWARF 2 to 5 of either class and byte order is read by the code here.  Libdwarf (20210528 and
 * 0.11.1, of Debian 12 and 13) and libdw (0.188 and 0.192) fail what
 * tests/unit/test_symbol_dwarf.c asks of a reader: they crash where an allocation fails.  Libdwarf
 * does so at each row of a line table, which it counts before it has it, and 0.11.1 in
 * dwarf_siblingof_b() and dwarf_attrlist() as well; libdw where it makes a unit's table of
 * abbreviations or lets it grow.  Of the limits of address space that are too little for them to
 * read pmcstat, a step of 40 KB each, 9 of 54 and 14 of 114 end libdwarf by a signal, 25 of 202
 * libdw.  A line program of 4 MB takes 650 and 400 MB, here 51; of entries without bytes but with
 * many attributes neither comes back.  All of a C++ program of 68 MB takes libdwarf 1.5 s and 74
 * MB, libdw 0.42 s and 71 MB, here 0.38 s and 81 MB.
 * "make bench-dwarf" measures them again, and says which may read what profilers meet.
 *
 * The units of an image are indexed by address when the first address is looked up.  Line table and
 * functions of a unit are read when an address is in it, and become sorted arrays.
 */
#ifndef SYMBOL_DWARF_H
#define SYMBOL_DWARF_H

#include "symbol/image.h"

struct dwarf_lines;

/* Whether f has debug information. */
bool dwarf_is_in(const struct elf_file *f);

/* Opens whatever debug information the image has.  NULL when out of memory. */
struct dwarf_lines *dwarf_lines_open(struct symbol_image *image);
void dwarf_lines_free(struct dwarf_lines *lines);

/* Opens the files that others name, which some address might need, too. */
void dwarf_lines_complete(struct dwarf_lines *lines);

/* As symbol_frames(), but that the last frame has the function that DWARF names. */
uint32_t dwarf_lines_find(struct dwarf_lines *lines, uint64_t address,
			  struct symbol_frame frames[SYMBOL_MAX_FRAMES]);

/* The bytes of memory that it takes, about. */
uint64_t dwarf_lines_size(const struct dwarf_lines *lines);

/* Sets err: there was no memory for what an image has. */
void dwarf_no_memory(const struct symbol_image *image, struct err *err);

/* The first thing that was wrong; "" for nothing. */
const char *dwarf_lines_problem(const struct dwarf_lines *lines);

#endif
