/* SPDX-License-Identifier: BSD-2-Clause */
/* The descriptors that a program is started with. */
#ifndef BASE_STD_FILES_H
#define BASE_STD_FILES_H

/*
 * Has those of 0 to 2 that are closed taken by what cannot be read or written, and is closed by
 * exec(2): else the next file that is opened would get what is meant for them.
 */
void std_files_hold(void);

#endif
