/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The terminal: shows grids and reads keys, and is as it was before when it is left, also by a
 * crash.  It is written to without ever waiting for it; at most one screen can be open.
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

/* Takes the size of the terminal; what is shown next is drawn whole. */
void screen_resize(struct screen *s);
void screen_size(const struct screen *s, int *rows, int *cols);

/* Whether the terminal has still to take what was shown last; until then nothing else is. */
bool screen_is_busy(const struct screen *s);

/*
 * Shows a grid of the screen's size, unless it is busy.  0, or -1 with errno when the terminal is
 * gone or memory ran out.
 */
int screen_draw(struct screen *s, const struct grid *g);

/* The descriptor, and the events of poll(2) to wait for. */
int screen_fd(const struct screen *s);
short screen_events(const struct screen *s);
/* After such an event: writes on, and reads keys.  -1 when the terminal is gone. */
int screen_work(struct screen *s);
/* The next key that was read, TOP_KEY_NONE when there is none. */
int screen_key(struct screen *s);
/* A lone Esc may be the beginning of a key: whether one waits for the rest, which comes at once. */
bool screen_waits(const struct screen *s);
/* Nothing came: then it was that key. */
void screen_wait_over(struct screen *s);

#endif
