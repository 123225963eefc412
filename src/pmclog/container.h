/* SPDX-License-Identifier: BSD-2-Clause */
/* What FreeBSD's `pmc record` writes before a log. */
#ifndef PMCLOG_CONTAINER_H
#define PMCLOG_CONTAINER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/err.h"
#include "pmclog/reader.h"

/* Zeroed: none of it has been read. */
struct pmclogint_container {
	uint8_t header[8];
	size_t n;	/* bytes of it */
	size_t skip;	/* bytes of a block to come */
	uint64_t bytes; /* all that were taken */
	bool is_big;	/* big endian */
	bool is_over;	/* the log follows */
	uint16_t arch;
	bool tells; /* the block to come does: of the CPU, the release and the kernel's build-id */
	char told[3][PMCLOG_MACHINE_TEXT];
	size_t ntold; /* bytes of them */
};

/* Whether the n first bytes of a file, one or more, may be its own. */
bool pmclogint_container_begins(const uint8_t *bytes, size_t n);

/* How many bytes may be taken next; 0: the log follows. */
size_t pmclogint_container_want(const struct pmclogint_container *c);

/* Takes as many at most.  0, or -1 with err set to the bare fact. */
int pmclogint_container_take(struct pmclogint_container *c, const uint8_t *bytes, size_t n,
			     struct err *err);

/* What it has told up to now. */
struct pmclog_machine pmclogint_container_machine(const struct pmclogint_container *c);

#endif
