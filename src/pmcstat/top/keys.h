/* SPDX-License-Identifier: BSD-2-Clause */
/* Keys of a terminal: a byte of a character, or one of these. */
#ifndef PMCSTAT_KEYS_H
#define PMCSTAT_KEYS_H

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

#endif
