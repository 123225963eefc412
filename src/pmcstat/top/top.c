// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

#include "base/open_files.h"
#include "pmcstat/say.h"
#include "pmcstat/status.h"
#include "pmcstat/top/console.h"
#include "pmcstat/top/screen.h"
#include "pmcstat/top/top.h"
#include "pmcstat/top/top_source.h"
#include "pmcstat/top/top_view.h"

/* Text where there is no screen: as much as a pipe always takes at once. */
enum { TEXT_ROWS = 30, TEXT_COLS = 80 };

/* What a profile may take before it begins anew. */
enum { PROFILE_LIMIT = 64 << 20 };

/* A drawing may cost at most one part in so many of the time. */
enum { COST = 20 };

/* What a command prints does not pile up for longer. */
enum { TRIM_MS = 1000 };

struct top {
	const struct report_options *options;
	double interval; /* seconds between two screens */
	struct console console;
	struct screen *screen; /* NULL: text */
	int signal_fd;	       /* of the signals of terminals */
	sigset_t signals_before;
	struct top_source source;
	bool has_source;
	struct cg_builder *builder;
	const struct cg_profile *profile; /* the builder's, named up to the last refresh */
	struct top_data data;
	struct top_code *code; /* what was read last; NULL: nothing */
	struct top_state state;
	uint64_t forgotten; /* samples */
	size_t lasting;	    /* bytes of the profile when it had forgotten them */
	double next;	    /* monotonic seconds of the next refresh */
	char note[1100];    /* an error's message and more */
	bool alarm;
	bool over;	/* no more samples come */
	struct err err; /* the first that stopped it */
	double clock;	/* of a replay, seconds */
	double clocked; /* monotonic seconds of the last refresh */
	double taken;	/* seconds that what is shown was taken at */
};

/* Keeps the first error, to be told when the terminal is free; nothing more is read. */
static void fail(struct top *t, const struct err *err)
{
	if (!t->err.code)
		t->err = *err;
	t->over = true;
}

static void fail_nomem(struct top *t)
{
	struct err err = {0};

	err_nomem(&err);
	fail(t, &err);
}

static struct cg_builder *new_builder(const struct report_options *options, struct err *err)
{
	const struct cg_config config = {.symbols = options->symbols,
					 .select = &options->select,
					 .keys = CG_KEY_PID | CG_KEY_TID | CG_KEY_CPU};

	return cg_builder_new(&config, err);
}

/* Has what was added so far in the profile that is shown. */
static int look(struct top *t, struct err *err)
{
	const struct cg_profile *p = cg_builder_look(t->builder, err);

	if (p)
		t->profile = p;
	return p ? 0 : -1;
}

struct top *top_open(const struct report_options *options, double interval, struct err *err)
{
	struct top *t = calloc(1, sizeof(*t));
	struct err why = {0};

	if (!t || !(t->builder = new_builder(options, err)) || look(t, err)) {
		err_nomem(err);
		if (t)
			cg_builder_free(t->builder);
		free(t);
		return NULL;
	}
	t->options = options;
	t->interval = interval > 0 ? interval : 1;
	t->signal_fd = -1;
	top_state_init(&t->state, options->output.threshold);
	if (isatty(STDOUT_FILENO) && !(t->screen = screen_open(&why)))
		say("%s: top is shown as text", why.msg);
	/* Where there are no keys to ask for them. */
	if (!t->screen)
		t->state.span = TOP_ALL;
	if (t->screen && console_take(&t->console, err)) {
		screen_close(t->screen);
		cg_builder_free(t->builder);
		free(t);
		return NULL;
	}
	return t;
}

void top_close(struct top *t)
{
	if (!t)
		return;
	if (t->screen) {
		screen_close(t->screen);
		console_release(&t->console);
	}
	if (t->signal_fd >= 0) {
		close(t->signal_fd);
		sigprocmask(SIG_SETMASK, &t->signals_before, NULL);
	}
	if (t->has_source)
		top_source_close(&t->source);
	cg_builder_free(t->builder);
	top_data_free(&t->data);
	top_code_free(t->code);
	free(t);
}

/* ---- Drawing. ---- */

static int print_text(const struct grid *g)
{
	struct sink *sink = sink_to_fd(STDOUT_FILENO);
	int failed;

	if (!sink)
		return -1;
	grid_write(g, sink);
	sink_str(sink, "---\n");
	failed = sink_flush(sink);
	sink_free(sink);
	errno = failed;
	return failed ? -1 : 0;
}

/* Whether standard output takes a screen of text without waiting. */
static bool has_room(void)
{
	struct pollfd p = {.fd = STDOUT_FILENO, .events = POLLOUT};

	return poll(&p, 1, 0) == 1;
}

/* Shows the chosen samples as the state says. */
static void put(struct top *t, const char *note)
{
	struct top_input in = {.data = &t->data,
			       .code = t->code,
			       .note = note,
			       .alarm = t->alarm,
			       .has_keys = t->screen,
			       .forgotten = t->forgotten,
			       .at = t->source.is_replay ? t->clock : -1};
	int rows = TEXT_ROWS, cols = TEXT_COLS;
	struct err err = {0};
	struct grid g;

	if (t->screen)
		screen_size(t->screen, &rows, &cols);
	if (grid_init(&g, rows, cols) || top_draw(&in, &t->state, &g, &t->state.now)) {
		grid_fini(&g);
		fail_nomem(t);
		return;
	}
	if (t->screen) {
		screen_show(t->screen, &g);
	} else if (print_text(&g)) {
		err_unwritten(&err, "standard output", errno);
		fail(t, &err);
		t->state.quit = true;
	}
	grid_fini(&g);
}

/*
 * Reads the code that is to be shown, unless that was done.  It may take a while, in which a screen
 * says so, samples are taken on (relay.h), and keys wait.  0, or -1 when out of memory.
 */
static int read_code(struct top *t)
{
	const struct top_state *s = &t->state;
	char note[128];

	if (t->code && t->code->function == s->code &&
	    t->code->wants_instructions == s->instructions)
		return top_code_count(t->code, &t->data);
	top_code_free(t->code);
	t->code = NULL;
	snprintf(note, sizeof(note), "reading the code of %.80s",
		 t->profile->functions.v[s->code].name);
	put(t, note);
	t->code = top_code_new(t->profile, s->code, s->instructions, t->options->symbols.fsroot);
	return t->code ? top_code_count(t->code, &t->data) : -1;
}

/* Shows the samples of the last refresh as the state says now. */
static void draw(struct top *t)
{
	bool opens = t->state.view == TOP_CODE && !t->state.now.lines;

	if (top_data_choose(&t->data, t->profile, &t->state) ||
	    (t->state.view == TOP_CODE && read_code(t))) {
		fail_nomem(t);
		return;
	}
	/* The hottest line is in sight. */
	if (opens)
		top_state_select(&t->state, top_code_hottest(t->code));
	put(t, t->note);
}

/* Functions are gone; an image that was chosen has moved, or is gone where nothing maps it. */
static void choose_again(struct top *t, const char *path)
{
	const struct cg_image *image;
	uint32_t found = CG_NONE;

	vec_each(image, &t->profile->images)
		if (path && !strcmp(image->path, path))
			found = (uint32_t)(image - t->profile->images.v);
	top_state_forget(&t->state, found);
}

/* Gives up all samples and what only they need. */
static void forget(struct top *t)
{
	const struct cg_profile *p = t->profile;
	char *path = t->state.one_object && t->state.image < p->images.n
			     ? strdup(p->images.v[t->state.image].path)
			     : NULL;
	struct err err = {0};

	top_data_forget(&t->data);
	top_code_free(t->code);
	t->code = NULL;
	if (cg_builder_forget(t->builder, &err) || look(t, &err))
		fail(t, &err);
	else
		choose_again(t, path);
	free(path);
	t->lasting = cg_builder_size(t->builder);
}

/*
 * A recording may go on for ever, its profile may not: it begins anew when all of it has been
 * shown.  A screen that is paused keeps it longer.  What lasts, which is what runs, is not held
 * against it, or a large system would forget at every refresh.
 */
static void limit_profile(struct top *t)
{
	size_t limit = (size_t)PROFILE_LIMIT << t->state.paused;
	size_t size = cg_builder_size(t->builder);
	const struct cg_event *e;

	if (t->over || size < t->lasting + limit)
		return;
	vec_each(e, &t->profile->events)
		t->forgotten += e->samples;
	snprintf(t->note, sizeof(t->note),
		 "the profile had grown by %zu MB: samples are counted anew",
		 (size - t->lasting) >> 20);
	forget(t);
}

/* Takes what has come into the profile. */
static void take(struct top *t)
{
	struct err err = {0};

	if (t->over)
		return;
	if (top_source_read(&t->source, t->builder, t->clock, &t->over, &err))
		fail(t, &err);
}

static void advance_clock(struct top *t)
{
	double now = status_now();

	if (t->clocked > 0 && !t->state.paused && !t->over)
		t->clock += (now - t->clocked) * top_state_speed(&t->state);
	t->clocked = now;
}

static double cpu_seconds(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ts);
	return (double)ts.tv_sec + (double)ts.tv_nsec / 1e9;
}

/* Takes what has come, after what was shown may be forgotten. */
static void take_all(struct top *t)
{
	limit_profile(t);
	take(t);
}

/* Shows what was taken; of the end, as of the refresh before it, so that nothing leaves then. */
static void show(struct top *t)
{
	struct err err = {0};

	if (t->source.is_replay)
		t->taken = t->clock;
	else if (!t->over)
		t->taken = status_now();
	if (look(t, &err))
		fail(t, &err);
	else if (top_data_mark(&t->data, t->profile, t->taken))
		fail_nomem(t);
	else if (t->screen || has_room())
		draw(t);
}

/* What has come is shown, unless the screen is paused. */
static void refresh(struct top *t)
{
	double began = cpu_seconds(), cost;

	take_all(t);
	if (!t->state.paused)
		show(t);
	cost = (cpu_seconds() - began) * COST;
	t->next = status_now() + (cost > t->interval ? cost : t->interval);
}

/* ---- Events. ---- */

/* Ctrl-Z: the shell gets its terminal back until it lets us go on. */
static void suspend(struct top *t)
{
	sigset_t stop;

	screen_leave(t->screen);
	sigemptyset(&stop);
	sigaddset(&stop, SIGTSTP);
	raise(SIGTSTP);
	sigprocmask(SIG_UNBLOCK, &stop, NULL);
	sigprocmask(SIG_BLOCK, &stop, NULL);
	if (screen_enter(t->screen))
		t->state.quit = true;
}

static void read_signals(struct top *t)
{
	struct signalfd_siginfo info;

	while (t->signal_fd >= 0 && read(t->signal_fd, &info, sizeof(info)) == sizeof(info)) {
		if (info.ssi_signo == SIGTSTP)
			suspend(t);
		else if (info.ssi_signo == SIGWINCH)
			screen_resize(t->screen);
		else
			t->state.quit = true;
	}
}

/* Takes signals of the terminal, and those that end the program where nobody else does. */
static int open_signals(struct top *t, bool enders, struct err *err)
{
	struct sigaction old;
	sigset_t set;

	sigemptyset(&set);
	if (t->screen) {
		sigaddset(&set, SIGWINCH);
		sigaddset(&set, SIGTSTP);
	}
	if (enders) {
		sigaddset(&set, SIGINT);
		sigaddset(&set, SIGTERM);
		if (!sigaction(SIGHUP, NULL, &old) && old.sa_handler != SIG_IGN)
			sigaddset(&set, SIGHUP);
		signal(SIGPIPE, SIG_IGN);
	}
	if (t->signal_fd < 0)
		sigprocmask(SIG_BLOCK, &set, &t->signals_before);
	else
		sigprocmask(SIG_BLOCK, &set, NULL);
	t->signal_fd = signalfd(t->signal_fd, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	return t->signal_fd < 0 ? open_files_fail(err, EX_OSERR, "signalfd") : 0;
}

/* Each key acts on what the one before it has shown. */
static void read_keys(struct top *t)
{
	int key;

	while (!t->state.quit && (key = screen_key(t->screen)) != TOP_KEY_NONE) {
		top_state_key(&t->state, key);
		if (!t->state.quit)
			draw(t);
	}
}

/* Milliseconds until something must be done, whatever comes; ms < 0: no limit. */
static int timeout(const struct top *t, int ms)
{
	double left = (t->next - status_now()) * 1000;
	int until = left > 0 ? left < 1e6 ? (int)left + 1 : 1000000 : 0;

	if (t->over)
		until = -1;
	return until < 0 || (ms >= 0 && ms < until) ? ms : until;
}

static void serve_screen(struct top *t)
{
	struct err err = {0};

	read_keys(t);
	if (!screen_is_gone(t->screen))
		return;
	err_set(&err, EX_IOERR, "the terminal is gone");
	fail(t, &err);
	t->state.quit = true;
}

bool top_wait(struct top *t, int fd, int ms)
{
	struct pollfd p[] = {
		{.fd = fd, .events = POLLIN},
		{.fd = t->signal_fd, .events = POLLIN},
		{.fd = t->over ? -1 : top_source_event_fd(&t->source), .events = POLLIN},
		{.fd = t->screen ? screen_fd(t->screen) : -1, .events = POLLIN}};
	bool again = false;

	poll(p, 4, timeout(t, ms));
	if (p[1].revents) {
		read_signals(t);
		again = true;
	}
	if (p[2].revents)
		take(t);
	if (p[3].revents)
		serve_screen(t);
	if (t->screen)
		console_trim(&t->console);
	if (t->source.is_replay)
		advance_clock(t);
	if (t->state.quit)
		return true;
	if (!t->over && status_now() >= t->next)
		refresh(t);
	else if (again)
		draw(t);
	return t->state.quit || t->err.code;
}

int top_start(struct top *t, const char *log, int *log_fd, struct err *err)
{
	bool file = *log_fd >= 0;

	if (file ? top_source_file(&t->source, log, err) : top_source_pipe(&t->source, log_fd, err))
		return -1;
	t->has_source = true;
	if (open_signals(t, false, err))
		return -1;
	if (t->screen && screen_enter(t->screen))
		return err_set(err, EX_IOERR, "terminal: %s", strerror(errno));
	if (t->screen)
		refresh(t);
	else
		t->next = status_now() + t->interval;
	return 0;
}

void top_ends(struct top *t)
{
	/* With the limit gone the writer cannot be held up. */
	top_source_end(&t->source);
}

/* The last text is shown, unless nobody takes it and a signal comes or has come. */
static void print_last(struct top *t, int fd, bool signalled)
{
	struct pollfd p[] = {{.fd = STDOUT_FILENO, .events = POLLOUT},
			     {.fd = fd, .events = POLLIN}};

	poll(p, 2, signalled ? 0 : -1);
	refresh(t);
}

/* The last screen stays until the user has seen it. */
static void stay(struct top *t, int fd)
{
	struct pollfd p = {.fd = fd, .events = POLLIN};

	t->state.paused = false;
	refresh(t);
	while (!t->state.quit && (fd < 0 || poll(&p, 1, 0) == 0))
		top_wait(t, fd, TRIM_MS);
}

/* Shows what is there with a last word, and tells what went wrong. */
static int show_last(struct top *t, int fd, const char *why)
{
	t->alarm = t->err.code != 0;
	snprintf(t->note, sizeof(t->note), "%s%s",
		 t->alarm ? t->err.msg
		 : why	  ? why
			  : "",
		 t->screen ? "; q quits" : "");
	if (!t->screen && !t->state.quit)
		print_last(t, fd, !why);
	else if (why && !t->state.quit && !open_signals(t, true, &t->err))
		stay(t, fd);
	return t->err.code ? say_error(&t->err) : EX_OK;
}

int top_finish(struct top *t, int fd, const char *why)
{
	struct pollfd p = {.fd = top_source_event_fd(&t->source), .events = POLLIN};

	while (!t->over) {
		take(t);
		if (!t->over && p.fd >= 0)
			poll(&p, 1, -1);
	}
	return show_last(t, fd, why);
}

/* Without a screen time is no matter: a text for every interval of the log. */
static void replay_text(struct top *t)
{
	for (;;) {
		t->clock += t->interval;
		if (top_source_next(&t->source) > t->clock)
			t->clock = top_source_next(&t->source);
		take_all(t);
		if (t->over || t->state.quit)
			return;
		show(t);
	}
}

static int start_replay(struct top *t, const char *path, struct err *err)
{
	if (top_source_log(&t->source, path, err))
		return -1;
	t->has_source = true;
	t->next = status_now();
	if (!t->screen) {
		t->next += t->interval;
		return 0;
	}
	if (open_signals(t, true, err))
		return -1;
	if (screen_enter(t->screen))
		return err_set(err, EX_IOERR, "terminal: %s", strerror(errno));
	return 0;
}

int top_replay(const struct report_options *options, double interval, const char *path)
{
	struct err err = {0};
	struct top *t = top_open(options, interval, &err);
	bool is_part = false;
	int status;

	if (!t)
		return say_error(&err);
	if (start_replay(t, path, &err)) {
		status = say_error(&err);
	} else {
		if (t->source.is_replay && !t->screen)
			replay_text(t);
		while (!t->over && !top_wait(t, -1, -1))
			;
		is_part = t->over && !t->err.code && !top_source_is_closed(&t->source);
		status = show_last(t, -1,
				   is_part ? "the log has ended, and was not closed"
					   : "the log has ended");
	}
	top_close(t);
	if (is_part && !options->quiet)
		say_unclosed(strcmp(path, "-") ? path : "standard input");
	return status;
}
