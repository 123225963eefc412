// SPDX-License-Identifier: BSD-2-Clause
#include "pmcstat/top/keys.h"

/* No key of any terminal is longer. */
enum { ESC = 0x1b, LONGEST = 16 };

/* The key by the last byte of its sequence, and by its number where that is a tilde. */
static int key_of(char last, int number)
{
	static const int by_number[] = {[1] = TOP_KEY_HOME, [4] = TOP_KEY_END,	[5] = TOP_KEY_PGUP,
					[6] = TOP_KEY_PGDN, [7] = TOP_KEY_HOME, [8] = TOP_KEY_END};

	switch (last) {
	case 'A': return TOP_KEY_UP;
	case 'B': return TOP_KEY_DOWN;
	case 'C': return TOP_KEY_RIGHT;
	case 'D': return TOP_KEY_LEFT;
	case 'H': return TOP_KEY_HOME;
	case 'F': return TOP_KEY_END;
	case 'M': return TOP_KEY_ENTER; /* of the keypad */
	case '~':
		if (number > 0 && number < (int)(sizeof(by_number) / sizeof(*by_number)) &&
		    by_number[number])
			return by_number[number];
		return TOP_KEY_NONE;
	default: return TOP_KEY_NONE;
	}
}

/* ESC [ parameters letter, or ESC O letter. */
static int decode_sequence(const char *text, size_t n, bool all, size_t *used)
{
	int number = 0;
	size_t i = 2;

	while (i < n && i < LONGEST && text[i] >= 0x20 && text[i] < 0x40) {
		if (text[i] >= '0' && text[i] <= '9' && number < 1000)
			number = number * 10 + text[i] - '0';
		i++;
	}
	if (i == n) {
		*used = all || i >= LONGEST ? n : 0;
		return TOP_KEY_NONE;
	}
	*used = i + 1 < n ? i + 1 : n;
	return text[1] == '[' && text[i] == 'M' ? TOP_KEY_NONE : key_of(text[i], number);
}

int keys_decode(const char *text, size_t n, bool all, size_t *used)
{
	*used = 1;
	if (*text == ESC && n == 1 && !all) {
		*used = 0;
		return TOP_KEY_NONE;
	}
	if (*text == ESC)
		return n > 1 && (text[1] == '[' || text[1] == 'O')
			       ? decode_sequence(text, n, all, used)
			       : TOP_KEY_ESC;
	if (*text == '\r' || *text == '\n')
		return TOP_KEY_ENTER;
	if (*text == 0x7f || *text == '\b')
		return TOP_KEY_BACKSPACE;
	return (unsigned char)*text;
}
