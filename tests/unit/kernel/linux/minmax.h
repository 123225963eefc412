/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef SHIM_MINMAX_H
#define SHIM_MINMAX_H

#define max(a, b) ((a) > (b) ? (a) : (b))

#endif
