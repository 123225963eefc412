/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Which pages of a process are there.  One that is not may be for a server of the process to give,
 * by userfaultfd(2) or as a file system of its own, and nobody is to wait for that: who reads a
 * process' memory asks here before.
 */
#ifndef PERF_PRESENT_H
#define PERF_PRESENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PRESENT_PAGE = 4096 }; /* a kernel's page is this, or a multiple */

/*
 * there[i]: the page i, of n from that of an address on, is there, as a thread of the process has
 * it.  How many there are up to the last one that is; none behind what was swapped out.
 */
size_t perf_present(uint32_t tid, uint64_t address, bool *there, size_t n);

#endif
