/* SPDX-License-Identifier: BSD-2-Clause */
/* pmc(3) over the fake collector, whose script is in a directory of its own. */
#ifndef FAKE_H
#define FAKE_H

#include "pmc/pmc.h"
#include "tree.h"
#include "unit.h"

static struct tree room;

static inline void fake_begin(const char *script)
{
	char spec[PATH_MAX + 5] = "fake:";

	room = tree_new();
	tree_file(&room, "script", script);
	tree_path(&room, "script", spec + 5);
	CHECK(pmc_set_collector(spec) == 0);
	CHECK(pmc_init() == 0);
}

/* Releases nothing: the collector is closed by choosing another, once no PMC is left. */
static inline void fake_end(void)
{
	CHECK(pmc_set_collector("auto") == 0);
	tree_free(&room);
}

#endif
