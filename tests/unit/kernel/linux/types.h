/* SPDX-License-Identifier: BSD-2-Clause */
/* The kernel's own names of types, for kernel files that are tested in user space. */
#ifndef SHIM_TYPES_H
#define SHIM_TYPES_H

#include_next <linux/types.h>
#include <stdbool.h>
#include <stdint.h>

typedef uint8_t u8;
typedef uint32_t u32;
typedef uint64_t u64;

#endif
