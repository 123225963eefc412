/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * An allocator that can be told to fail.  OWN_MALLOC is 0 where it cannot, because the program has
 * a sanitizer's.
 */
#ifndef UNIT_NOMEM_H
#define UNIT_NOMEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define OWN_MALLOC 0 /* the sanitizer's */
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define OWN_MALLOC 0
#endif
#endif
#ifndef OWN_MALLOC
#define OWN_MALLOC 1
#endif

#if OWN_MALLOC
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *p, size_t size);

/* Allocations until one fails, and all after it. */
static uint64_t left = UINT64_MAX;

static bool fails(void)
{
	if (left == UINT64_MAX)
		return false;
	if (left)
		left--;
	return !left;
}

void *malloc(size_t size)
{
	return fails() ? NULL : __libc_malloc(size);
}

void *calloc(size_t n, size_t size)
{
	return fails() ? NULL : __libc_calloc(n, size);
}

void *realloc(void *p, size_t size)
{
	return fails() ? NULL : __libc_realloc(p, size);
}
#endif

#endif
