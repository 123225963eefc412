// SPDX-License-Identifier: BSD-2-Clause
#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include "base/shell_word.h"

/* Whether a shell takes the bytes for one word; those above 0x7f are letters. */
static bool is_word(const char *s, size_t len)
{
	size_t i;

	for (i = 0; i < len; i++) {
		unsigned char c = (unsigned char)s[i];

		if (c < 0x80 && !isalnum(c) && !strchr("%+,-./:=@_", c))
			return false;
	}
	return len;
}

void sink_shell_word(struct sink *line, const char *s, size_t len)
{
	size_t i;

	if (is_word(s, len)) {
		sink_write(line, s, len);
		return;
	}
	sink_char(line, '\'');
	for (i = 0; i < len; i++)
		if (s[i] == '\'')
			sink_str(line, "'\\''");
		else
			sink_char(line, s[i]);
	sink_char(line, '\'');
}

void sink_shell_words(struct sink *line, char *const *words)
{
	char *const *word;

	for (word = words; *word; word++) {
		if (word > words)
			sink_char(line, ' ');
		sink_shell_word(line, *word, strlen(*word));
	}
}
