// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wchar.h>

#include "base/event_fd.h"
#include "base/open_files.h"
#include "base/signals.h"
#include "pmcstat/top/keys.h"
#include "pmcstat/top/screen.h"
#include "pmcstat/top/terminal.h"

#define NCURSES_WIDECHAR 1
#include <curses.h>

enum {
	KEYS = 64,   /* of those that nobody takes, more are lost */
	ESC_MS = 50, /* the rest of a key comes within so many milliseconds */
};

/*
 * The thread alone calls curses, on a descriptor that may block.  To end it, /dev/null takes the
 * terminal's place there and a signal ends the write(2) that waits, so that curses comes to an end
 * by itself.
 */
struct screen {
	struct terminal terminal;
	bool shown; /* entered: there is a thread */
	pthread_t thread;
	FILE *tty;		 /* the thread's */
	int wake_fd;		 /* to the thread */
	int event_fd;		 /* to the taker of keys */
	struct sigaction before; /* of SIGURG */
	pthread_mutex_t lock;	 /* of what follows */
	struct grid next;	 /* to be shown; no cells: nothing new */
	bool unknown;		 /* what the terminal shows */
	bool stop, gone;
	int keys[KEYS];
	size_t nkeys;
};

/* ---- In the thread. ---- */

/* How one kind of text looks, where there are colours and where there are none. */
struct look {
	attr_t with, without;
	short colour; /* -1: none */
};

static const struct look looks[GRID_ATTRS] = {
	[GRID_NORMAL] = {A_NORMAL, A_NORMAL, -1},
	[GRID_TITLE] = {A_BOLD, A_BOLD, -1},
	[GRID_HEADER] = {A_REVERSE, A_REVERSE, -1},
	[GRID_HEAT1] = {A_NORMAL, A_NORMAL, COLOR_GREEN},
	[GRID_HEAT2] = {A_NORMAL, A_UNDERLINE, COLOR_YELLOW},
	[GRID_HEAT3] = {A_BOLD, A_BOLD, COLOR_RED},
	[GRID_DIM] = {A_DIM, A_DIM, -1},
	[GRID_ALARM] = {A_BOLD | A_REVERSE, A_BOLD | A_REVERSE, COLOR_RED},
};

/* Whether there are colours: pair i is then that of looks[i]. */
static bool start_colours(void)
{
	const char *no_color = getenv("NO_COLOR");
	short i, behind;

	if ((no_color && *no_color) || !has_colors() || start_color() == ERR || COLORS < 8)
		return false;
	behind = use_default_colors() == ERR ? COLOR_BLACK : -1;
	for (i = 0; i < GRID_ATTRS; i++)
		if (looks[i].colour >= 0)
			init_pair(i, looks[i].colour, behind);
	return true;
}

/* Curses catches signals that others read: they stay as they are. */
static SCREEN *new_curses(FILE *tty)
{
	static const int caught[] = {SIGINT, SIGTERM, SIGTSTP, SIGWINCH};
	enum { NCAUGHT = sizeof(caught) / sizeof(caught[0]) };
	struct sigaction before[NCAUGHT];
	SCREEN *screen;
	int i;

	for (i = 0; i < NCAUGHT; i++)
		sigaction(caught[i], NULL, &before[i]);
	screen = newterm(NULL, tty, tty);
	for (i = 0; i < NCAUGHT; i++)
		sigaction(caught[i], &before[i], NULL);
	return screen;
}

static void set_up(void)
{
	/* Signals of keys stay. */
	cbreak();
	noecho();
	nonl();
	curs_set(0);
	set_escdelay(ESC_MS);
	/* A key must not leave a screen half drawn. */
	typeahead(-1);
	keypad(stdscr, TRUE);
	nodelay(stdscr, TRUE);
	leaveok(stdscr, TRUE);
}

static void put_cell(int row, int col, const struct grid_cell *cell, bool colours)
{
	int kind = cell->attr & ~GRID_SELECTED;
	const struct look *look = &looks[kind];
	attr_t attr = (colours ? look->with : look->without) |
		      (cell->attr & GRID_SELECTED ? A_REVERSE : A_NORMAL);
	wchar_t text[2] = {(wchar_t)cell->ch, L'\0'};
	cchar_t c;

	/* What the locale has no character for, or a wide one. */
	if (wcwidth(text[0]) != 1)
		text[0] = L'?';
	setcchar(&c, text, attr, (short)(colours && look->colour >= 0 ? kind : 0), NULL);
	/* Behind the last cell of all there is no place: that is an error to curses. */
	mvadd_wch(row, col, &c);
}

static void draw(const struct grid *g, bool colours, bool unknown)
{
	int row, col;

	if (getmaxy(stdscr) != g->rows || getmaxx(stdscr) != g->cols) {
		resize_term(g->rows, g->cols);
		unknown = true;
	}
	if (unknown)
		clearok(curscr, TRUE);
	for (row = 0; row < g->rows; row++)
		for (col = 0; col < g->cols; col++)
			put_cell(row, col, grid_cell(g, row, col), colours);
	wnoutrefresh(stdscr);
	doupdate();
}

/* Draws what has come last.  False when the screen is to be left. */
static bool draw_next(struct screen *s, bool colours)
{
	bool unknown, stop;
	struct grid g;

	pthread_mutex_lock(&s->lock);
	g = s->next;
	s->next = (struct grid){0};
	unknown = s->unknown;
	s->unknown = unknown && !g.cells;
	stop = s->stop;
	pthread_mutex_unlock(&s->lock);
	if (g.cells && !stop)
		draw(&g, colours, unknown);
	grid_fini(&g);
	return !stop;
}

/* What top calls a key of curses. */
static int key_of(int key)
{
	switch (key) {
	case KEY_UP: return TOP_KEY_UP;
	case KEY_DOWN: return TOP_KEY_DOWN;
	case KEY_LEFT: return TOP_KEY_LEFT;
	case KEY_RIGHT: return TOP_KEY_RIGHT;
	case KEY_PPAGE: return TOP_KEY_PGUP;
	case KEY_NPAGE: return TOP_KEY_PGDN;
	case KEY_HOME: return TOP_KEY_HOME;
	case KEY_END: return TOP_KEY_END;
	case '\r':
	case '\n':
	case KEY_ENTER: return TOP_KEY_ENTER;
	case '\b':
	case 0x7f:
	case KEY_BACKSPACE: return TOP_KEY_BACKSPACE;
	case 0x1b: return TOP_KEY_ESC;
	default: return key < 256 ? key : TOP_KEY_NONE;
	}
}

/* Bytes, for get_wch(3) keeps what is no character of the locale, and all behind it, to itself. */
static void read_keys(struct screen *s)
{
	int key;

	while ((key = wgetch(stdscr)) != ERR) {
		key = key_of(key);
		pthread_mutex_lock(&s->lock);
		if (key != TOP_KEY_NONE && s->nkeys < KEYS)
			s->keys[s->nkeys++] = key;
		pthread_mutex_unlock(&s->lock);
		event_fd_signal(s->event_fd);
	}
}

/* Until the screen is left or the terminal has gone. */
static void serve(struct screen *s, bool colours)
{
	struct pollfd p[] = {{.fd = s->wake_fd, .events = POLLIN},
			     {.fd = fileno(s->tty), .events = POLLIN}};

	while (draw_next(s, colours)) {
		if (poll(p, 2, -1) < 0)
			continue;
		if (p[0].revents)
			event_fd_clear(s->wake_fd);
		if (p[1].revents & (POLLHUP | POLLERR | POLLNVAL))
			return;
		if (p[1].revents)
			read_keys(s);
	}
}

static void *display(void *arg)
{
	struct screen *s = arg;
	SCREEN *screen = new_curses(s->tty);

	if (screen) {
		set_up();
		serve(s, start_colours());
		endwin();
		delscreen(screen);
	}
	pthread_mutex_lock(&s->lock);
	s->gone = !s->stop;
	pthread_mutex_unlock(&s->lock);
	event_fd_signal(s->event_fd);
	return NULL;
}

/* ---- In the program's own. ---- */

struct screen *screen_open(struct err *err)
{
	struct screen *s = calloc(1, sizeof(*s));

	if (!s) {
		err_nomem(err);
		return NULL;
	}
	if (terminal_open(&s->terminal, err)) {
		free(s);
		return NULL;
	}
	pthread_mutex_init(&s->lock, NULL);
	s->wake_fd = event_fd_new();
	s->event_fd = event_fd_new();
	if (s->wake_fd < 0 || s->event_fd < 0) {
		open_files_fail(err, EX_OSERR, "eventfd");
		screen_close(s);
		return NULL;
	}
	setlocale(LC_CTYPE, "");
	return s;
}

void screen_close(struct screen *s)
{
	if (!s)
		return;
	screen_leave(s);
	terminal_close(&s->terminal);
	if (s->wake_fd >= 0)
		close(s->wake_fd);
	if (s->event_fd >= 0)
		close(s->event_fd);
	pthread_mutex_destroy(&s->lock);
	grid_fini(&s->next);
	free(s);
}

static void ignore(int sig)
{
	(void)sig;
}

/* The thread without signals that others read; it is stopped where the terminal is another's. */
static int start_thread(struct screen *s)
{
	/* Without SA_RESTART: a write(2) that waits ends. */
	struct sigaction sa = {.sa_handler = ignore};
	sigset_t others, old;
	int error;

	sigaction(SIGURG, &sa, &s->before);
	signals_of_others(&others);
	sigdelset(&others, SIGURG);
	sigdelset(&others, SIGTTIN);
	sigdelset(&others, SIGTTOU);
	pthread_sigmask(SIG_SETMASK, &others, &old);
	error = pthread_create(&s->thread, NULL, display, s);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	if (error)
		sigaction(SIGURG, &s->before, NULL);
	errno = error;
	return error ? -1 : 0;
}

int screen_enter(struct screen *s)
{
	int fd = terminal_open_again();

	s->tty = fd < 0 ? NULL : fdopen(fd, "r+");
	if (!s->tty) {
		if (fd >= 0)
			close(fd);
		return -1;
	}
	s->stop = s->gone = false;
	terminal_watch(&s->terminal);
	if (!start_thread(s)) {
		s->shown = true;
		return 0;
	}
	terminal_give_back(&s->terminal);
	fclose(s->tty);
	return -1;
}

void screen_leave(struct screen *s)
{
	int null;

	if (!s->shown)
		return;
	s->shown = false;
	pthread_mutex_lock(&s->lock);
	s->stop = true;
	pthread_mutex_unlock(&s->lock);
	null = open("/dev/null", O_RDWR | O_CLOEXEC);
	dup3(null, fileno(s->tty), O_CLOEXEC);
	pthread_kill(s->thread, SIGURG);
	event_fd_signal(s->wake_fd);
	pthread_join(s->thread, NULL);
	if (null >= 0)
		close(null);
	fclose(s->tty);
	sigaction(SIGURG, &s->before, NULL);
	terminal_give_back(&s->terminal);
}

void screen_resize(struct screen *s)
{
	pthread_mutex_lock(&s->lock);
	s->unknown = true;
	pthread_mutex_unlock(&s->lock);
}

void screen_size(const struct screen *s, int *rows, int *cols)
{
	terminal_size(&s->terminal, rows, cols);
}

void screen_show(struct screen *s, struct grid *g)
{
	struct grid late;

	pthread_mutex_lock(&s->lock);
	late = s->next;
	s->next = *g;
	pthread_mutex_unlock(&s->lock);
	*g = (struct grid){0};
	grid_fini(&late);
	event_fd_signal(s->wake_fd);
}

int screen_fd(const struct screen *s)
{
	return s->event_fd;
}

int screen_key(struct screen *s)
{
	int key = TOP_KEY_NONE;

	event_fd_clear(s->event_fd);
	pthread_mutex_lock(&s->lock);
	if (s->nkeys) {
		key = s->keys[0];
		memmove(s->keys, s->keys + 1, --s->nkeys * sizeof(*s->keys));
	}
	pthread_mutex_unlock(&s->lock);
	return key;
}

bool screen_is_gone(struct screen *s)
{
	bool gone;

	pthread_mutex_lock(&s->lock);
	gone = s->gone;
	pthread_mutex_unlock(&s->lock);
	return gone;
}
