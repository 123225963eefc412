// SPDX-License-Identifier: BSD-2-Clause
#include <string.h>

#include "pmcstat/top/top_state.h"

const double top_thresholds[TOP_THRESHOLDS] = {0, 0.1, 0.5, 1, 2, 5};

/* One row is one key or two that belong together: the help text is made of the same table. */
struct key_row {
	int key, other; /* other 0: none */
	struct top_key_help help;
	void (*act)(struct top_state *s, int key);
};

void top_state_init(struct top_state *s, double threshold)
{
	*s = (struct top_state){.cut = 2};
	if (threshold < 0)
		return;
	for (s->cut = 0; s->cut + 1 < TOP_THRESHOLDS && top_thresholds[s->cut] < threshold;)
		s->cut++;
}

/* The list becomes another one: its selection begins on top. */
static void start_list(struct top_state *s)
{
	s->follows = false;
	s->now = (struct top_shown){.page = s->now.page, .function = CG_NONE};
}

static void show(struct top_state *s, enum top_view view)
{
	s->view = view;
	start_list(s);
}

void top_state_forget(struct top_state *s, uint32_t image)
{
	bool of_function = s->view == TOP_FUNCTION || s->view == TOP_CODE;
	enum top_view list = of_function ? s->below : s->view;

	/* Samples where nothing is mapped are chosen by CG_NONE, and stay so. */
	if (s->image != CG_NONE) {
		s->one_object &= image != CG_NONE;
		s->image = image;
	}
	show(s, list);
}

static void next_view(struct top_state *s, int key)
{
	(void)key;
	show(s, s->view >= TOP_OBJECTS ? TOP_FLAT : s->view + 1);
}

/* A second time shows functions again. */
static void show_threads(struct top_state *s, int key)
{
	(void)key;
	show(s, s->view == TOP_THREADS ? TOP_FLAT : TOP_THREADS);
}

static void show_objects(struct top_state *s, int key)
{
	(void)key;
	show(s, s->view == TOP_OBJECTS ? TOP_FLAT : TOP_OBJECTS);
}

static void show_help(struct top_state *s, int key)
{
	(void)key;
	if (s->view == TOP_HELP) {
		show(s, s->below);
		return;
	}
	/* Help on a function goes back to the list that the function was found in. */
	if (s->view != TOP_FUNCTION && s->view != TOP_CODE)
		s->below = s->view;
	show(s, TOP_HELP);
}

/* The selected function's; or goes back from it. */
static void show_code(struct top_state *s, int key)
{
	uint32_t function = s->now.function;

	(void)key;
	if (s->view == TOP_CODE) {
		show(s, s->closed);
	} else if (s->view != TOP_HELP && s->now.lines && function != CG_NONE) {
		if (s->view != TOP_FUNCTION)
			s->below = s->view;
		s->closed = s->view;
		s->code = function;
		s->instructions = false;
		show(s, TOP_CODE);
	}
}

static void toggle_instructions(struct top_state *s, int key)
{
	(void)key;
	if (s->view != TOP_CODE)
		return;
	s->instructions = !s->instructions;
	start_list(s);
}

/*
 * A thread or an object narrows what the next view shows; a function has a view of its own, and its
 * own line there has its code.
 */
static void open_selected(struct top_state *s, int key)
{
	struct top_shown at = s->now;

	(void)key;
	if (!at.lines)
		return;
	if (s->view == TOP_THREADS) {
		s->one_thread = true;
		s->pid = at.pid;
		s->tid = at.tid;
		s->life = at.life;
		show(s, TOP_FLAT);
	} else if (s->view == TOP_OBJECTS) {
		s->one_object = true;
		s->image = at.image;
		show(s, TOP_FLAT);
	} else if (s->view == TOP_FUNCTION && at.function == s->function) {
		show_code(s, key);
	} else if (s->view != TOP_HELP && at.function != CG_NONE) {
		if (s->view != TOP_FUNCTION)
			s->below = s->view;
		s->function = at.function;
		show(s, TOP_FUNCTION);
	}
}

/* One step at a time: the view, then the filter, then what was narrowed. */
static void go_back(struct top_state *s, int key)
{
	(void)key;
	if (s->view == TOP_CODE) {
		show(s, s->closed);
	} else if (s->view >= TOP_FUNCTION) {
		show(s, s->below);
	} else if (*s->filter) {
		*s->filter = '\0';
		start_list(s);
	} else if (s->one_object) {
		s->one_object = false;
		show(s, TOP_OBJECTS);
	} else if (s->one_thread) {
		s->one_thread = false;
		show(s, TOP_THREADS);
	} else if (s->view != TOP_FLAT) {
		show(s, TOP_FLAT);
	}
}

static void move(struct top_state *s, int key)
{
	size_t last = s->now.lines ? s->now.lines - 1 : 0, page = s->now.page ? s->now.page : 1;
	size_t at = s->now.selected < last ? s->now.selected : last;

	switch (key) {
	case TOP_KEY_UP: at -= at > 0; break;
	case TOP_KEY_DOWN: at++; break;
	case TOP_KEY_PGUP: at -= at < page ? at : page; break;
	case TOP_KEY_PGDN: at += page; break;
	case TOP_KEY_HOME: at = 0; break;
	default: at = last; break;
	}
	s->now.selected = at < last ? at : last;
	/* The next drawing tells which item that is; the hottest line is a place. */
	s->now.id = 0;
	s->follows = s->now.selected > 0;
}

void top_state_select(struct top_state *s, size_t line)
{
	size_t half = s->now.page / 2;

	s->now.selected = line;
	s->now.first = line > half ? line - half : 0;
	s->now.id = 0;
	s->follows = true;
}

static void set_span(struct top_state *s, int key)
{
	s->span = key == 'a' ? TOP_ALL : key == 'd' ? TOP_DELTA : TOP_RECENT;
}

static void next_span(struct top_state *s, int key)
{
	(void)key;
	s->span = s->span == TOP_RECENT ? TOP_ALL : s->span == TOP_ALL ? TOP_DELTA : TOP_RECENT;
}

static void toggle_idle(struct top_state *s, int key)
{
	(void)key;
	s->idle = !s->idle;
}

static void next_pmc(struct top_state *s, int key)
{
	(void)key;
	s->pmc++;
	start_list(s);
}

static void toggle_merged(struct top_state *s, int key)
{
	(void)key;
	s->per_cpu = !s->per_cpu;
	s->pmc = 0;
	start_list(s);
}

static void next_threshold(struct top_state *s, int key)
{
	(void)key;
	s->cut = (s->cut + 1) % TOP_THRESHOLDS;
}

static void next_sort(struct top_state *s, int key)
{
	(void)key;
	s->sort = s->sort == TOP_BY_NAME ? TOP_BY_SELF : s->sort + 1;
	start_list(s);
}

static void ask_filter(struct top_state *s, int key)
{
	(void)key;
	s->typing = true;
	memcpy(s->typed, s->filter, sizeof(s->typed));
}

static void toggle_pause(struct top_state *s, int key)
{
	(void)key;
	s->paused = !s->paused;
}

/* From a 64th to 1024 times. */
static void change_speed(struct top_state *s, int key)
{
	s->speed += key == '+' ? s->speed < 10 : -(s->speed > -6);
}

double top_state_speed(const struct top_state *s)
{
	return s->speed < 0 ? 1.0 / (1 << -s->speed) : 1.0 * (1 << s->speed);
}

static void quit(struct top_state *s, int key)
{
	(void)key;
	if (s->view == TOP_CODE)
		show(s, s->closed);
	else
		s->quit = true;
}

static const struct key_row keys[] = {
	{'q',
	 0,
	 {"q",
	  "quit, or leave code; a command still running is left running",
	  {"q", "quit"},
	  {"q", "back"}},
	 quit},
	{'h',
	 '?',
	 {"h ?", "show or leave this list of keys", {"h", "help"}, {"h", "help"}},
	 show_help},
	{' ',
	 0,
	 {"Space", "hold the screen still, or go on", {"Space", "pause"}, {"Space", "pause"}},
	 toggle_pause},
	{TOP_KEY_ENTER,
	 TOP_KEY_RIGHT,
	 {"Enter Right", "open the selected line: callers, callees", {"Enter", "open"}, {0}},
	 open_selected},
	{'l',
	 0,
	 {"l", "code of the selected function, samples at its lines; back", {"l", "code"}, {0}},
	 show_code},
	{'x',
	 0,
	 {"x", "of code: instructions, or source lines", {0}, {"x", "instructions"}},
	 toggle_instructions},
	{'n',
	 0,
	 {"n", "next view: functions, call tree, threads, objects", {"n", "view"}, {0}},
	 next_view},
	{'t', 0, {"t", "threads; Enter on one shows its functions alone", {0}, {0}}, show_threads},
	{'o', 0, {"o", "objects; Enter on one shows its functions alone", {0}, {0}}, show_objects},
	{'a',
	 'd',
	 {"a d", "all samples, or those since the last refresh", {"a", "all"}, {"a", "all"}},
	 set_span},
	{'r',
	 0,
	 {"r", "recent samples: those of the last 5 seconds", {0}, {"r", "now"}},
	 set_span},
	{'c',
	 0,
	 {"c", "change between recent samples, all and the last ones", {0}, {0}},
	 next_span},
	{'s',
	 0,
	 {"s", "sort functions by own samples, by total, by name", {"s", "sort"}, {0}},
	 next_sort},
	{'/',
	 0,
	 {"/", "show only names with a text in them; an empty one shows all", {"/", "filter"}, {0}},
	 ask_filter},
	{'f',
	 0,
	 {"f", "next threshold: lines with less are left out", {"f", "threshold"}, {0}},
	 next_threshold},
	{'i', 0, {"i", "idle CPUs: show what they do as well, or not", {0}, {0}}, toggle_idle},
	{'p', 0, {"p", "next PMC", {0}, {0}}, next_pmc},
	{'m',
	 0,
	 {"m", "PMCs of one event merged, or those of each CPU alone", {0}, {0}},
	 toggle_merged},
	{TOP_KEY_UP, TOP_KEY_DOWN, {"Up Down", "select a line", {0}, {0}}, move},
	{TOP_KEY_PGUP,
	 TOP_KEY_PGDN,
	 {"PgUp PgDn", "a screen up or down", {0}, {"PgUp PgDn", "scroll"}},
	 move},
	{TOP_KEY_HOME, TOP_KEY_END, {"Home End", "first and last line", {0}, {0}}, move},
	{TOP_KEY_BACKSPACE, TOP_KEY_LEFT, {"Backspace Left", "back", {0}, {0}}, go_back},
	{TOP_KEY_ESC, 0, {"Esc", "back", {0}, {0}}, go_back},
	{'+', '-', {"+ -", "a replayed log: twice or half as fast", {0}, {0}}, change_speed},
};

enum { NKEYS = sizeof(keys) / sizeof(keys[0]) };

const struct top_key_help *top_state_help(size_t i)
{
	return i < NKEYS ? &keys[i].help : NULL;
}

/* A key while a filter is typed. */
static void type(struct top_state *s, int key)
{
	size_t n = strlen(s->typed);

	if (key == TOP_KEY_ENTER) {
		memcpy(s->filter, s->typed, sizeof(s->filter));
		s->typing = false;
		start_list(s);
	} else if (key == TOP_KEY_ESC) {
		s->typing = false;
	} else if (key == TOP_KEY_BACKSPACE) {
		/* A character may be several bytes. */
		while (n && (s->typed[n - 1] & 0xc0) == 0x80)
			n--;
		s->typed[n ? n - 1 : 0] = '\0';
	} else if (key >= ' ' && key < 256 && key != 127 && n + 1 < sizeof(s->typed)) {
		s->typed[n] = (char)key;
		s->typed[n + 1] = '\0';
	}
}

void top_state_key(struct top_state *s, int key)
{
	size_t i;

	if (s->typing) {
		type(s, key);
		return;
	}
	for (i = 0; i < NKEYS; i++)
		if (key == keys[i].key || (keys[i].other && key == keys[i].other)) {
			keys[i].act(s, key);
			return;
		}
}
