// SPDX-License-Identifier: BSD-2-Clause
/*
 * hexlog <TEXT >LOG: turns readable hex into bytes.  Words, separated by white space:
 *
 *	ee		one byte
 *	00*20		the same byte 20 times
 *	u32:0x10	a little endian number of 16, 32 or 64 bits
 *	U32:0x10	the same, big endian
 *	W64:0x10	64 bits as two big endian words, the low one first
 *	"text"		the text's bytes, without a NUL
 *	# ...		a comment, to the end of the line
 */
#include <ctype.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int fail(int line, const char *word)
{
	fprintf(stderr, "hexlog: line %d: not understood: %s\n", line, word);
	return -1;
}

/* u16:N, u32:N, u64:N, or with a U, or W64:N. */
static int put_number(const char *word, int line)
{
	int bits = atoi(word + 1), i;
	const char *colon = strchr(word, ':');
	uint64_t v;
	char *end;

	errno = 0;
	v = strtoull(colon + 1, &end, 0);
	if (*end || end == colon + 1 || errno || (bits != 16 && bits != 32 && bits != 64) ||
	    (bits < 64 && (*word == 'W' || v >> bits)))
		return fail(line, word);
	if (*word == 'W')
		v = v << 32 | v >> 32;
	for (i = 0; i < bits; i += 8)
		putchar((int)(v >> (*word == 'u' ? i : bits - 8 - i) & 0xff));
	return 0;
}

static int put_byte(const char *word, int line)
{
	unsigned long v, n = 1;
	char *end;

	v = strtoul(word, &end, 16);
	if (end != word + 2)
		return fail(line, word);
	if (*end == '*')
		n = strtoul(end + 1, &end, 10);
	if (*end || n > 1 << 20)
		return fail(line, word);
	while (n--)
		putchar((int)v);
	return 0;
}

static int put_line(char *s, int line)
{
	while (*(s += strspn(s, " \t\r\n")) && *s != '#') {
		size_t len = strcspn(*s == '"' ? s + 1 : s, *s == '"' ? "\"" : " \t\r\n");
		int failed;
		char *next;

		if (*s == '"') {
			if (s[len + 1] != '"')
				return fail(line, s);
			fwrite(s + 1, 1, len, stdout);
			s += len + 2;
			continue;
		}
		next = s + len + (s[len] != '\0');
		s[len] = '\0';
		failed = strchr(s, ':') && strchr("uUW", *s) ? put_number(s, line)
								    : put_byte(s, line);
		if (failed)
			return -1;
		s = next;
	}
	return 0;
}

int main(void)
{
	char text[4096];
	int line = 0;

	while (fgets(text, sizeof(text), stdin))
		if (put_line(text, ++line))
			return 1;
	return fflush(stdout) || ferror(stdin) ? 1 : 0;
}
