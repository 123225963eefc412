/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a log begins with that goes on in another file: of its records so far those that later ones
 * need.
 *
 * A record is kept until others have taken its place: a map until they cover it, a name until the
 * next one, all of a process until it has exited and is sampled no more.  Who reads what is kept
 * knows what those know who have read everything.
 */
#ifndef PMCLOG_HEAD_H
#define PMCLOG_HEAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pmclogint_head;

struct pmclogint_head *pmclogint_head_new(void);    /* NULL when out of memory */
void pmclogint_head_free(struct pmclogint_head *h); /* NULL is legal */

/* Takes the next record of the log, as the writer made it. */
void pmclogint_head_add(struct pmclogint_head *h, const uint8_t *record);

/*
 * Calls put() for every record that is kept, in an order in which they mean what they meant:
 * INITIALIZE, PMCs, processes in the order that they came in.  A record is valid during the call.
 * now is the time of the last one.  0, or -1 when out of memory, now or since the log began.
 */
int pmclogint_head_each(struct pmclogint_head *h, uint64_t now,
			void (*put)(void *arg, const uint8_t *record, size_t len), void *arg);

#endif
