/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Reading numbers out of bytes.  What would be behind the end reads as 0 and makes the cursor bad;
 * so loops must end at a bad cursor, and nothing else needs a check.
 */
#ifndef BASE_DWARF_READ_H
#define BASE_DWARF_READ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct dwarf_bytes {
	const uint8_t *p;
	size_t n;
};

struct dwarf_cursor {
	const uint8_t *p, *end;
	bool swap; /* numbers are in the other byte order */
	bool bad;
};

static inline struct dwarf_cursor dwarf_cursor(struct dwarf_bytes bytes, uint64_t offset, bool swap)
{
	struct dwarf_cursor c = {.swap = swap, .bad = offset > bytes.n};

	if (bytes.n) {
		c.end = bytes.p + bytes.n;
		c.p = c.bad ? c.end : bytes.p + offset;
	}
	return c;
}

static inline size_t dwarf_left(const struct dwarf_cursor *c)
{
	return (size_t)(c->end - c->p);
}

static inline uint64_t dwarf_overrun(struct dwarf_cursor *c)
{
	c->p = c->end;
	c->bad = true;
	return 0;
}

static inline void dwarf_skip(struct dwarf_cursor *c, uint64_t n)
{
	if (n > dwarf_left(c))
		dwarf_overrun(c);
	else
		c->p += n;
}

static inline uint8_t dwarf_u8(struct dwarf_cursor *c)
{
	return c->p < c->end ? *c->p++ : (uint8_t)dwarf_overrun(c);
}

/* The next n bytes as they stand; too few leave what is there. */
static inline void dwarf_take(struct dwarf_cursor *c, void *to, size_t n)
{
	if (dwarf_left(c) < n) {
		dwarf_overrun(c);
		return;
	}
	/* Where there are no bytes at all there is no address. */
	if (n) {
		memcpy(to, c->p, n);
		c->p += n;
	}
}

static inline uint16_t dwarf_u16(struct dwarf_cursor *c)
{
	uint16_t v = 0;

	dwarf_take(c, &v, sizeof(v));
	return c->swap ? __builtin_bswap16(v) : v;
}

static inline uint32_t dwarf_u32(struct dwarf_cursor *c)
{
	uint32_t v = 0;

	dwarf_take(c, &v, sizeof(v));
	return c->swap ? __builtin_bswap32(v) : v;
}

static inline uint64_t dwarf_u64(struct dwarf_cursor *c)
{
	uint64_t v = 0;

	dwarf_take(c, &v, sizeof(v));
	return c->swap ? __builtin_bswap64(v) : v;
}

static inline uint32_t dwarf_u24(struct dwarf_cursor *c)
{
	uint32_t a = dwarf_u8(c), b = dwarf_u8(c), d = dwarf_u8(c);
	bool big = c->swap == (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);

	return big ? a << 16 | b << 8 | d : d << 16 | b << 8 | a;
}

/* A number of 1, 2, 4 or 8 bytes. */
static inline uint64_t dwarf_sized(struct dwarf_cursor *c, unsigned int size)
{
	switch (size) {
	case 1: return dwarf_u8(c);
	case 2: return dwarf_u16(c);
	case 4: return dwarf_u32(c);
	case 8: return dwarf_u64(c);
	}
	return dwarf_overrun(c);
}

/* The bits of a LEB128 number, of which there are so many. */
static inline uint64_t dwarf_leb(struct dwarf_cursor *c, unsigned int *bits)
{
	uint64_t v = 0;
	uint8_t b;

	*bits = 0;
	do {
		b = dwarf_u8(c);
		if (*bits < 64)
			v |= (uint64_t)(b & 0x7f) << *bits;
		*bits += 7;
	} while (b & 0x80);
	return v;
}

static inline uint64_t dwarf_uleb(struct dwarf_cursor *c)
{
	unsigned int bits;

	return dwarf_leb(c, &bits);
}

static inline int64_t dwarf_sleb(struct dwarf_cursor *c)
{
	unsigned int bits;
	uint64_t v = dwarf_leb(c, &bits);

	if (bits < 64 && v >> (bits - 1) & 1)
		v |= ~UINT64_C(0) << bits;
	return (int64_t)v;
}

/* A text that ends before the cursor's end; "" when there is none. */
static inline const char *dwarf_text(struct dwarf_cursor *c)
{
	const char *text = (const char *)c->p;
	const uint8_t *nul = dwarf_left(c) ? memchr(c->p, '\0', dwarf_left(c)) : NULL;

	if (!nul) {
		dwarf_overrun(c);
		return "";
	}
	c->p = nul + 1;
	return text;
}

#endif
