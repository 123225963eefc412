/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The screen: shows grids and reads keys by curses, in a thread of its own.  A terminal that is
 * stopped or slow holds up that thread alone: of the grids that come meanwhile it shows the last.
 * The terminal is as it was before when the screen is left; at most one screen can be open.
 */
#ifndef PMCSTAT_SCREEN_H
#define PMCSTAT_SCREEN_H

#include "base/err.h"
#include "pmcstat/top/grid.h"

struct screen;

/*
 * Finds out what the terminal that is standard output can do; nothing is shown yet.  NULL with err
 * set when it cannot show a screen.
 */
struct screen *screen_open(struct err *err);
void screen_close(struct screen *s); /* leaves it too; NULL is legal */

/* Begins to show, or goes back to what was there.  0, or -1 with errno. */
int screen_enter(struct screen *s);
void screen_leave(struct screen *s);

/* The terminal has another size: what is shown next is drawn whole. */
void screen_resize(struct screen *s);
void screen_size(const struct screen *s, int *rows, int *cols);

/* Shows a grid of the screen's size, which becomes the screen's, when the terminal takes it. */
void screen_show(struct screen *s, struct grid *g);

/* Readable when keys have come or the terminal has gone. */
int screen_fd(const struct screen *s);
/* The next key that was read, TOP_KEY_NONE when there is none. */
int screen_key(struct screen *s);
bool screen_is_gone(struct screen *s);

#endif
