/* SPDX-License-Identifier: BSD-2-Clause */
/* Ranges of addresses, of which the innermost is looked for. */
#ifndef SYMBOL_DWARF_SPAN_H
#define SYMBOL_DWARF_SPAN_H

#include <stdint.h>

#include "base/vec.h"

struct dwarf_span {
	uint64_t low, high; /* high is the first address behind it */
	uint32_t id;	    /* what it is a range of */
	uint32_t rank;	    /* where ranges overlap the one of the highest rank is meant */
};

typedef VEC(struct dwarf_span) dwarf_spans;

/* Makes spans disjoint and sorts them by address.  0, or -1 when out of memory. */
int dwarf_spans_settle(dwarf_spans *spans);

/* The one of settled spans that holds address, NULL for none. */
const struct dwarf_span *dwarf_spans_find(const dwarf_spans *spans, uint64_t address);

#endif
