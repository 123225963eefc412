/* SPDX-License-Identifier: BSD-2-Clause */
/* What a terminal sends for keys, understood one key at a time. */
#ifndef PMCSTAT_KEYS_H
#define PMCSTAT_KEYS_H

#include <stdbool.h>
#include <stddef.h>

/* Keys that are not a character. */
enum top_key {
	TOP_KEY_NONE = 0x10000,
	TOP_KEY_UP,
	TOP_KEY_DOWN,
	TOP_KEY_LEFT,
	TOP_KEY_RIGHT,
	TOP_KEY_PGUP,
	TOP_KEY_PGDN,
	TOP_KEY_HOME,
	TOP_KEY_END,
	TOP_KEY_ENTER,
	TOP_KEY_BACKSPACE,
	TOP_KEY_ESC,
};

/*
 * The key that the n > 0 bytes at text begin with, and in *used how many bytes it takes: a
 * character, one of enum top_key, or TOP_KEY_NONE for what is no key that we know.  *used 0: more
 * bytes are needed; with all set there will be none.
 */
int keys_decode(const char *text, size_t n, bool all, size_t *used);

#endif
