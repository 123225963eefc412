// SPDX-License-Identifier: BSD-2-Clause
/* The words of a script: fields, numbers, bytes. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "pmclog/text/script.h"

enum { ZEROS_MAX = 1 << 20 };

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 0x20; /* lower case */
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* A backslash stands at *from; writes what it means and moves *from behind it. */
static int unescape(const char **from, char *to, struct err *err)
{
	const char *p = *from + 1;
	int high, low;

	if (*p == '"' || *p == '\\') {
		*to = *p;
		*from = p + 1;
		return 0;
	}
	high = *p == 'x' ? hex_digit(p[1]) : -1;
	low = high >= 0 ? hex_digit(p[2]) : -1;
	if (low < 0 || !(high | low))
		return err_set(err, EX_DATAERR,
			       "a backslash stands before \", \\ or xHH (not x00) alone");
	*to = (char)(high << 4 | low);
	*from = p + 3;
	return 0;
}

/* Takes the quotes of the field at *p away; moves *p behind it. */
static int unquote(char **p, struct script_fields *fields, struct err *err)
{
	const char *from = *p;
	bool quoted = false;
	char *to = *p;

	while (*from && (quoted || (!isspace((unsigned char)*from) && *from != '#'))) {
		if (*from == '"') {
			quoted = !quoted;
			fields->at = from++;
		} else if (quoted && *from == '\\') {
			fields->at = from;
			if (unescape(&from, to++, err))
				return -1;
		} else {
			*to++ = *from++;
		}
	}
	if (quoted)
		return err_set(err, EX_DATAERR, "a quote is not closed");
	*p += from - *p;
	/* A comment may follow a field at once. */
	if (*from == '#')
		**p = '\0';
	else if (*from)
		*(*p)++ = '\0';
	*to = '\0';
	return 0;
}

int pmclog_script_split(char *line, struct script_fields *fields, struct err *err)
{
	char *p = line;

	fields->field.n = 0;
	for (;;) {
		while (isspace((unsigned char)*p))
			p++;
		fields->at = p;
		if (!*p || *p == '#')
			return 0;
		if (vec_push(&fields->field, p))
			return err_nomem(err);
		if (unquote(&p, fields, err))
			return -1;
	}
}

int pmclog_script_number(const char *text, uint64_t max, uint64_t *value, struct err *err)
{
	const bool hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
	const int base = hex ? 16 : 10;
	const char *p = hex ? text + 2 : text;
	bool above = false;
	int digit;

	*value = 0;
	do {
		digit = hex_digit(*p);
		if (digit < 0 || digit >= base)
			return err_set(err, EX_DATAERR, "\"%s\" is not a number", text);
		above |= __builtin_mul_overflow(*value, (uint64_t)base, value);
		above |= __builtin_add_overflow(*value, (uint64_t)digit, value);
	} while (*++p);
	if (above || *value > max)
		return err_set(err, EX_DATAERR, "%s is above 0x%llx", text,
			       (unsigned long long)max);
	return 0;
}

static int push_byte(struct script *s, uint8_t byte, struct err *err)
{
	return vec_push(&s->bytes, byte) ? err_nomem(err) : 0;
}

int pmclog_script_hex(struct script *s, const char *text, struct err *err)
{
	size_t i;

	for (i = 0; text[i]; i += 2) {
		int high = hex_digit(text[i]), low = high < 0 ? -1 : hex_digit(text[i + 1]);

		if (low < 0)
			return err_set(err, EX_DATAERR, "\"%s\" is not pairs of hex digits", text);
		if (push_byte(s, (uint8_t)(high << 4 | low), err))
			return -1;
	}
	return 0;
}

/* "u32:N" and its like. */
static int push_number(struct script *s, const char *text, struct err *err)
{
	unsigned int bits = (unsigned int)atoi(text + 1), i;
	uint64_t max = bits == 64 ? UINT64_MAX : (1ull << bits) - 1, v;

	if (pmclog_script_number(text + 4, max, &v, err))
		return -1;
	for (i = 0; i < bits; i += 8)
		if (push_byte(s, (uint8_t)(v >> (text[0] == 'u' ? i : bits - 8 - i)), err))
			return -1;
	return 0;
}

int pmclog_script_data(struct script *s, const char *text, struct err *err)
{
	static const char *const numbers[] = {"u16:", "u32:", "u64:", "b16:", "b32:", "b64:"};
	uint64_t n;
	size_t i;

	for (i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		if (strncmp(text, numbers[i], 4) == 0)
			return push_number(s, text, err);
	if (strncmp(text, "s:", 2) == 0) {
		for (text += 2; *text; text++)
			if (push_byte(s, (uint8_t)*text, err))
				return -1;
		return 0;
	}
	if (strncmp(text, "z:", 2) == 0) {
		if (pmclog_script_number(text + 2, ZEROS_MAX, &n, err))
			return -1;
		while (n--)
			if (push_byte(s, 0, err))
				return -1;
		return 0;
	}
	return pmclog_script_hex(s, text, err);
}
