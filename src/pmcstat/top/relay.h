/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A pipe that never makes its writer wait: a thread empties it into memory, from where the bytes
 * are taken when there is time.
 */
#ifndef PMCSTAT_RELAY_H
#define PMCSTAT_RELAY_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

struct relay;

/* Starts the thread on a new pipe; *fd becomes its writing end, the caller's.  NULL, err set. */
struct relay *relay_start(int *fd, struct err *err);

/* The same on a descriptor that is there, which becomes the relay's. */
struct relay *relay_adopt(int fd, struct err *err);

/* Readable when much has come, and when the writing end was closed. */
int relay_event_fd(const struct relay *r);

/*
 * Takes what has come since the last call: *len bytes, valid until the next one.  *ended: nothing
 * more will come.  0, or -1 with err set when reading has failed or memory ran out.
 */
int relay_take(struct relay *r, const void **data, size_t *len, bool *ended, struct err *err);

/*
 * Memory for what nobody takes is limited: then the writer waits after all.  No longer from here
 * on, so that a writer that is about to close its end cannot wait for its own thread.
 */
void relay_unlimit(struct relay *r);

/* Closes the reading end, whether the writer is done or not.  NULL is legal. */
void relay_free(struct relay *r);

#endif
