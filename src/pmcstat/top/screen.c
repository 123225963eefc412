// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "base/vec.h"
#include "pmcstat/top/keys.h"
#include "pmcstat/top/screen.h"

#include <curses.h>
#include <term.h>

enum { CAP = 64, INPUT = 256 };

struct screen {
	int fd; /* of its own, since it does not block; the shell's descriptors go on to do so */
	struct termios before;
	bool shown; /* entered */
	bool utf8;
	int rows, cols;
	char attr[GRID_ATTRS][CAP];
	char reverse[CAP], enter[2 * CAP], leave[4 * CAP], clear[CAP];
	const char *cup;  /* terminfo's */
	struct grid last; /* on the terminal; no cells: nothing is known of it */
	VEC(char) out;	  /* still to be written */
	size_t written;	  /* of it */
	char in[INPUT];
	size_t nin;
	bool no_more; /* nothing follows what was read */
};

/* ---- A crash: what the handler needs, made before. ---- */

static const int crash_signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGQUIT};
enum { NCRASH = sizeof(crash_signals) / sizeof(crash_signals[0]) };

static struct {
	const struct screen *screen;
	struct sigaction before[NCRASH];
} crash;

/* Async-signal-safe. */
static void give_back(const struct screen *s)
{
	size_t done = 0, len = strlen(s->leave);
	struct pollfd p = {.fd = s->fd, .events = POLLOUT};

	/* Of a terminal that takes nothing for a second the user has more than that to mend. */
	while (done < len && poll(&p, 1, 1000) == 1) {
		ssize_t n = write(s->fd, s->leave + done, len - done);

		if (n < 0)
			break;
		done += (size_t)n;
	}
	tcsetattr(s->fd, TCSANOW, &s->before);
}

static void on_crash(int sig, siginfo_t *info, void *context)
{
	int i, saved = errno;

	(void)context;
	if (crash.screen)
		give_back(crash.screen);
	for (i = 0; i < NCRASH; i++)
		sigaction(crash_signals[i], &crash.before[i], NULL);
	/* A faulting instruction faults again; what was sent must be sent again. */
	if (info->si_code <= 0)
		raise(sig);
	errno = saved;
}

static void watch_crashes(const struct screen *s)
{
	struct sigaction sa = {.sa_sigaction = on_crash, .sa_flags = SA_SIGINFO};
	int i;

	sigfillset(&sa.sa_mask);
	for (i = 0; i < NCRASH; i++) {
		if (s && !crash.screen)
			sigaction(crash_signals[i], &sa, &crash.before[i]);
		else if (!s && crash.screen)
			sigaction(crash_signals[i], &crash.before[i], NULL);
	}
	crash.screen = s;
}

/* ---- What the terminal can do. ---- */

/* Appends a string of terminfo without its delays, which are for terminals that are no more. */
static void add_cap(char *to, size_t size, const char *cap)
{
	size_t n = strlen(to);

	for (; cap && *cap && n + 1 < size; cap++) {
		if (cap[0] == '$' && cap[1] == '<') {
			while (*cap && *cap != '>')
				cap++;
			if (!*cap)
				break;
			continue;
		}
		to[n++] = *cap;
	}
	to[n] = '\0';
}

static const char *cap_of(const char *name)
{
	const char *text = tigetstr(name);

	return text == (const char *)-1 ? NULL : text;
}

static void add_named(char *to, size_t size, const char *name)
{
	add_cap(to, size, cap_of(name));
}

/* How one kind of text looks: with a colour where there are colours, and without. */
struct look {
	const char *with[2], *without[2]; /* names in terminfo */
	int colour;			  /* -1: none */
};

static const struct look looks[GRID_ATTRS] = {
	[GRID_NORMAL] = {{0}, {0}, -1},
	[GRID_TITLE] = {{"bold"}, {"bold"}, -1},
	[GRID_HEADER] = {{"rev"}, {"rev"}, -1},
	[GRID_HEAT1] = {{0}, {0}, COLOR_GREEN},
	[GRID_HEAT2] = {{0}, {"smul"}, COLOR_YELLOW},
	[GRID_HEAT3] = {{"bold"}, {"bold"}, COLOR_RED},
	[GRID_DIM] = {{"dim"}, {"dim"}, -1},
	[GRID_ALARM] = {{"bold", "rev"}, {"bold", "rev"}, COLOR_RED},
};

static void find_looks(struct screen *s)
{
	const char *no_color = getenv("NO_COLOR"), *setaf = cap_of("setaf");
	bool colours = setaf && tigetnum("colors") >= 8 && !(no_color && *no_color);
	size_t i, j;

	for (i = 0; i < GRID_ATTRS; i++) {
		const char *const *names = colours ? looks[i].with : looks[i].without;

		add_named(s->attr[i], CAP, "sgr0");
		for (j = 0; j < 2 && names[j]; j++)
			add_named(s->attr[i], CAP, names[j]);
		if (colours && looks[i].colour >= 0)
			add_cap(s->attr[i], CAP,
				tparm(setaf, looks[i].colour, 0, 0, 0, 0, 0, 0, 0, 0));
	}
	add_named(s->reverse, CAP, "rev");
}

static int find_caps(struct screen *s, struct err *err)
{
	const char *term = getenv("TERM");
	int error = 0;

	if (!term || !*term)
		return err_set(err, EX_UNAVAILABLE, "TERM is not set");
	if (setupterm(NULL, s->fd, &error) != OK)
		return err_set(err, EX_UNAVAILABLE, "terminfo does not know the terminal \"%s\"",
			       term);
	s->cup = cap_of("cup");
	add_named(s->clear, sizeof(s->clear), "clear");
	if (!s->cup || !*s->clear)
		return err_set(err, EX_UNAVAILABLE, "the terminal \"%s\" cannot move its cursor",
			       term);
	find_looks(s);
	add_named(s->enter, sizeof(s->enter), "smcup");
	add_named(s->enter, sizeof(s->enter), "civis");
	add_named(s->leave, sizeof(s->leave), "sgr0");
	add_named(s->leave, sizeof(s->leave), "cnorm");
	/* Where there is no other screen to go back to, none of ours stays. */
	add_named(s->leave, sizeof(s->leave), cap_of("rmcup") ? "rmcup" : "clear");
	return 0;
}

static bool locale_is_utf8(void)
{
	locale_t locale = newlocale(LC_CTYPE_MASK, "", (locale_t)0);
	bool yes = locale && !strcmp(nl_langinfo_l(CODESET, locale), "UTF-8");

	if (locale)
		freelocale(locale);
	return yes;
}

/* The terminal anew, by its name. */
static int open_terminal(void)
{
	char name[64];

	if (ttyname_r(STDOUT_FILENO, name, sizeof(name)))
		strcpy(name, "/dev/tty");
	return open(name, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
}

struct screen *screen_open(struct err *err)
{
	struct screen *s = calloc(1, sizeof(*s));
	int status;

	if (!s) {
		err_nomem(err);
		return NULL;
	}
	s->fd = open_terminal();
	if (s->fd < 0 || tcgetattr(s->fd, &s->before))
		status = err_set(err, EX_UNAVAILABLE, "the terminal cannot be opened: %s",
				 strerror(errno));
	else
		status = find_caps(s, err);
	if (status) {
		screen_close(s);
		return NULL;
	}
	s->utf8 = locale_is_utf8();
	screen_resize(s);
	return s;
}

void screen_close(struct screen *s)
{
	if (!s)
		return;
	screen_leave(s);
	if (cur_term)
		del_curterm(cur_term);
	if (s->fd >= 0)
		close(s->fd);
	grid_fini(&s->last);
	vec_free(&s->out);
	free(s);
}

void screen_resize(struct screen *s)
{
	struct winsize size = {0};
	int rows = tigetnum("lines"), cols = tigetnum("cols");

	ioctl(s->fd, TIOCGWINSZ, &size);
	s->rows = size.ws_row ? size.ws_row : rows > 0 ? rows : 24;
	s->cols = size.ws_col ? size.ws_col : cols > 0 ? cols : 80;
	grid_fini(&s->last);
}

void screen_size(const struct screen *s, int *rows, int *cols)
{
	*rows = s->rows;
	*cols = s->cols;
}

/* ---- Writing, as far as there is room. ---- */

static int emit(struct screen *s, const char *text, size_t len)
{
	if (vec_reserve(&s->out, s->out.n + len))
		return -1;
	memcpy(s->out.v + s->out.n, text, len);
	s->out.n += len;
	return 0;
}

static int emit_str(struct screen *s, const char *text)
{
	return emit(s, text, strlen(text));
}

static int flush(struct screen *s)
{
	ssize_t n;

	while (s->written < s->out.n) {
		n = write(s->fd, s->out.v + s->written, s->out.n - s->written);
		if (n < 0)
			return errno == EAGAIN || errno == EINTR ? 0 : -1;
		s->written += (size_t)n;
	}
	s->out.n = s->written = 0;
	return 0;
}

int screen_enter(struct screen *s)
{
	struct termios raw = s->before;

	/* Signals of keys stay. */
	raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
	raw.c_iflag &= ~(tcflag_t)(ICRNL | INLCR);
	raw.c_cc[VMIN] = 1;
	raw.c_cc[VTIME] = 0;
	watch_crashes(s);
	s->shown = true;
	if (tcsetattr(s->fd, TCSANOW, &raw) || emit_str(s, s->enter))
		return -1;
	grid_fini(&s->last);
	return flush(s);
}

void screen_leave(struct screen *s)
{
	if (!s->shown)
		return;
	s->shown = false;
	s->out.n = s->written = 0;
	give_back(s);
	watch_crashes(NULL);
}

static int move_to(struct screen *s, int row, int col)
{
	char text[CAP] = "";

	add_cap(text, sizeof(text), tparm(s->cup, row, col, 0, 0, 0, 0, 0, 0, 0));
	return emit_str(s, text);
}

/* Writes the cells [from, to) of a row. */
static int draw_cells(struct screen *s, const struct grid *g, int row, int from, int to)
{
	int col, attr = -1, status = move_to(s, row, from);
	char text[5];

	for (col = from; col < to && !status; col++) {
		const struct grid_cell *cell = grid_cell(g, row, col);

		if (cell->attr != attr) {
			attr = cell->attr;
			status = emit_str(s, s->attr[attr & ~GRID_SELECTED]);
			if (!status && attr & GRID_SELECTED)
				status = emit_str(s, s->reverse);
		}
		if (!status)
			status = emit(s, text,
				      (size_t)grid_utf8(cell->ch < 0x80 || s->utf8 ? cell->ch : '?',
							text));
	}
	return status ? -1 : emit_str(s, s->attr[GRID_NORMAL]);
}

static bool same(const struct grid_cell *a, const struct grid_cell *b)
{
	return a->ch == b->ch && a->attr == b->attr;
}

/* Writes what of a row differs from the terminal. */
static int draw_row(struct screen *s, const struct grid *g, int row)
{
	/* The last cell of all would move everything up. */
	int from = 0, to = g->cols - (row + 1 == g->rows);

	while (from < to && same(grid_cell(g, row, from), grid_cell(&s->last, row, from)))
		from++;
	while (to > from && same(grid_cell(g, row, to - 1), grid_cell(&s->last, row, to - 1)))
		to--;
	return from < to ? draw_cells(s, g, row, from, to) : 0;
}

bool screen_is_busy(const struct screen *s)
{
	return s->out.n > 0;
}

int screen_draw(struct screen *s, const struct grid *g)
{
	int row, status = 0;

	if (s->out.n)
		return 0;
	if (!s->last.cells || s->last.rows != g->rows || s->last.cols != g->cols) {
		grid_fini(&s->last);
		if (grid_init(&s->last, g->rows, g->cols) || emit_str(s, s->attr[GRID_NORMAL]) ||
		    emit_str(s, s->clear))
			return -1;
	}
	for (row = 0; row < g->rows && !status; row++)
		status = draw_row(s, g, row);
	memcpy(s->last.cells, g->cells, (size_t)(g->rows * g->cols) * sizeof(*g->cells));
	return status ? -1 : flush(s);
}

/* ---- Reading. ---- */

int screen_fd(const struct screen *s)
{
	return s->fd;
}

short screen_events(const struct screen *s)
{
	return s->out.n ? POLLIN | POLLOUT : POLLIN;
}

int screen_work(struct screen *s)
{
	ssize_t n;

	if (s->nin == INPUT)
		s->nin = 0;
	n = read(s->fd, s->in + s->nin, INPUT - s->nin);
	if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR))
		return -1;
	if (n > 0)
		s->nin += (size_t)n;
	s->no_more = false;
	return flush(s);
}

int screen_key(struct screen *s)
{
	int key = TOP_KEY_NONE;
	size_t used = 1;

	while (key == TOP_KEY_NONE && s->nin && used) {
		key = keys_decode(s->in, s->nin, s->no_more, &used);
		s->nin -= used;
		memmove(s->in, s->in + used, s->nin);
	}
	return key;
}

bool screen_waits(const struct screen *s)
{
	return s->nin > 0;
}

void screen_wait_over(struct screen *s)
{
	s->no_more = true;
}
