/* SPDX-License-Identifier: BSD-2-Clause */
/* Of the files of pmclog recv, those of each sender that are not kept for ever. */
#ifndef PMCLOG_RECV_KEPT_H
#define PMCLOG_RECV_KEPT_H

#include "base/file_mark.h"
#include "base/vec.h"
#include "pmclog/recv/recv_part.h"

enum {
	RECV_KEPT = 65536, /* files; older ones are nobody's, and stay */
	RECV_HOST = 65,	   /* bytes of a host's name that are looked at, with the NUL */
};

/* A file that has ended.  Its sender is who has the address and is called so by the log. */
struct recv_kept {
	char address[RECV_ADDRESS];
	char name[RECV_NAME];
	char host[RECV_HOST];
	uint64_t bytes;
	struct file_mark mark;
};

/* Zeroed, but for what is to be kept. */
struct recv_keeper {
	uint64_t files; /* of each sender; 0: all */
	VEC(struct recv_kept) list;
};

/*
 * A file has ended, and is still open.  Where its sender has one too many by it the oldest of these
 * is deleted, if it still is what was received.
 */
void pmclogint_recv_keep(struct recv_keeper *k, struct recv_files *f, const struct recv_part *p);
void pmclogint_recv_keeper_fini(struct recv_keeper *k);

#endif
