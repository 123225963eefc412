/* SPDX-License-Identifier: BSD-2-Clause */
/* A reader of debug information that bench/dwarf_peer.c measures; one is linked to each program. */
#ifndef BENCH_DWARF_PEER_H
#define BENCH_DWARF_PEER_H

#include <stdbool.h>

/* What peer_read() found; entries and rows are 0 where a reader does not say. */
struct peer_found {
	unsigned long entries, rows;
	bool failed; /* something was wrong, and the reader said so */
};

/* Opens a file; false with nothing open when it cannot be. */
bool peer_open(const char *path);

/* Reads all line tables, and of all functions and inlined ones where they are, and their names. */
struct peer_found peer_read(void);
void peer_close(void);

#endif
