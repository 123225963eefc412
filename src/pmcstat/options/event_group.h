/* SPDX-License-Identifier: BSD-2-Clause */
/* "{cycles,instructions}": events that are counted at the same times. */
#ifndef PMCSTAT_EVENT_GROUP_H
#define PMCSTAT_EVENT_GROUP_H

#include <stdbool.h>

#include "base/err.h"

bool event_group_is(const char *spec);

/*
 * Cuts the first event off a group of which *rest is what stands behind '{', or behind the event
 * before, and moves *rest behind it; to NULL with the last.  NULL with err set: spec, the whole, is
 * no group.
 */
char *event_group_next(const char *spec, char **rest, struct err *err);

#endif
