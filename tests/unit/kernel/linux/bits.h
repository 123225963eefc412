/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef SHIM_BITS_H
#define SHIM_BITS_H

#define BIT_ULL(n) (1ull << (n))

#endif
