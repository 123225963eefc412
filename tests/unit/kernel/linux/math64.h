/* SPDX-License-Identifier: BSD-2-Clause */
/* Products of 128 bits. */
#ifndef SHIM_MATH64_H
#define SHIM_MATH64_H

#include <linux/types.h>

static inline u64 mul_u64_u64_shr(u64 a, u64 b, unsigned int shift)
{
	return (u64)((__extension__(unsigned __int128) a * b) >> shift);
}

static inline u64 mul_u64_u64_div_u64(u64 a, u64 b, u64 c)
{
	return (u64)(__extension__(unsigned __int128) a * b / c);
}

#endif
