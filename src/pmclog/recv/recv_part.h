/* SPDX-License-Identifier: BSD-2-Clause */
/* What a connection of pmclog recv brings: a log, whose bytes go into a file of its own. */
#ifndef PMCLOG_RECV_PART_H
#define PMCLOG_RECV_PART_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

enum {
	RECV_HEAD = 4,	   /* bytes: pmclogint_begins_log() */
	RECV_ADDRESS = 72, /* bytes: with the name of an interface */
	RECV_NAME = RECV_ADDRESS + sizeof(".0000000000.log"),
};

/* Where the files are. */
struct recv_files {
	int directory;
	uint64_t bytes, most; /* of all files together */
	uint32_t number;      /* of the last file */
	struct err err;	      /* why the last one could not be made; its message is returned */
};

/* Zeroed, but for file and address: nothing has come. */
struct recv_part {
	int file; /* -1 before it is known to be a log */
	char address[RECV_ADDRESS];
	char name[RECV_NAME]; /* of the file; empty before */
	uint8_t head[RECV_HEAD];
	size_t nhead;
	uint64_t bytes;	    /* in the file */
	uint64_t unwritten; /* that were taken and are not */
	/* Of a plain log, little-endian: whether its last record ends it. */
	bool is_plain, is_closed;
	uint32_t left; /* bytes of the present record that are still to come */
	uint8_t word[4];
	uint8_t nword;
};

/* The next n bytes of it.  NULL, or why no more is taken; the file stays open. */
const char *pmclogint_recv_take(struct recv_files *f, struct recv_part *p, const uint8_t *bytes,
				size_t n);

/* Of a plain one: whether it ends behind CLOSELOG, and what is packed behind that. */
bool pmclogint_recv_is_closed(const struct recv_part *p);

#endif
