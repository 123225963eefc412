/* SPDX-License-Identifier: BSD-2-Clause */
/* Small files below /proc and /sys, which are read at once. */
#ifndef BASE_PROC_TEXT_H
#define BASE_PROC_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#define PROC_BOOT_ID "/proc/sys/kernel/random/boot_id"

/* Reads the file into text, without the last newline.  The length, or -1 with errno set. */
ssize_t proc_read_text(const char *path, char *text, size_t size);
/* The same up to a NUL, without the blanks at the end. */
ssize_t proc_read_words(const char *path, char *text, size_t size);

/* A number in a file, e.g. below /proc/sys; fallback when it cannot be read. */
long long proc_read_number(const char *path, long long fallback);

/* Which boot this is, by PROC_BOOT_ID below root.  False: not known, id is empty. */
bool proc_read_boot_id(const char *root, char *id, size_t size);

#endif
