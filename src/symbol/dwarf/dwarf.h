/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The source lines and the inlined functions of one image, from its debug information.
 *
 * DWARF 2 to 5 of either class and byte order is read by the code here; of libdwarf only the header
 * with the constants is used.  Measured with libdwarf 20210528 (Debian 12): 0.5 us for each entry
 * of .debug_info that is walked, against 0.05 us here, and it frees memory twice when a few bytes
 * of .debug_rnglists are damaged, before anyone gets to see a unit.  So its input would have to be
 * checked to the last byte by a reader like this one, and what it found copied into tables like
 * these.
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

/* As symbol_frames(), but that the last frame has the function that DWARF names. */
uint32_t dwarf_lines_find(struct dwarf_lines *lines, uint64_t address,
			  struct symbol_frame frames[SYMBOL_MAX_FRAMES]);

/* The bytes of memory that it takes, about. */
uint64_t dwarf_lines_size(const struct dwarf_lines *lines);

/* The first thing that was wrong; "" for nothing. */
const char *dwarf_lines_problem(const struct dwarf_lines *lines);

#endif
