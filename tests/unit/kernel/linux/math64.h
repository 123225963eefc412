/* SPDX-License-Identifier: BSD-2-Clause */
/* Products of 128 bits. */
#ifndef SHIM_MATH64_H
#define SHIM_MATH64_H

#include <linux/types.h>

struct shim_u128 {
	u64 low, high;
};

static inline struct shim_u128 shim_product(u64 a, u64 b)
{
	u64 low = (u64)(u32)a * (u32)b, one = (a >> 32) * (u32)b, other = (u64)(u32)a * (b >> 32);
	u64 middle = (low >> 32) + (u32)one + (u32)other;

	return (struct shim_u128){middle << 32 | (u32)low,
				  (a >> 32) * (b >> 32) + (one >> 32) + (other >> 32) +
					  (middle >> 32)};
}

static inline u64 mul_u64_u64_shr(u64 a, u64 b, unsigned int shift)
{
	struct shim_u128 p = shim_product(a, b);

	if (!shift)
		return p.low;
	return shift < 64 ? p.high << (64 - shift) | p.low >> shift : p.high >> (shift - 64);
}

/* Bit by bit; the quotient has 64 bits. */
static inline u64 mul_u64_u64_div_u64(u64 a, u64 b, u64 c)
{
	struct shim_u128 p = shim_product(a, b);
	u64 rest = p.high % c, quotient = 0;
	int i;

	for (i = 63; i >= 0; i--) {
		u64 carry = rest >> 63;

		rest = rest << 1 | (p.low >> i & 1);
		quotient <<= 1;
		if (carry || rest >= c) {
			rest -= c;
			quotient |= 1;
		}
	}
	return quotient;
}

#endif
