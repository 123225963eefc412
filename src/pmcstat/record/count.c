// SPDX-License-Identifier: BSD-2-Clause
#include <inttypes.h>
#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/json.h"
#include "pmcstat/record/count.h"
#include "pmcstat/output_files.h"
#include "pmcstat/say.h"
#include "pmcstat/status.h"

enum {
	DIGITS = 20,	   /* of a count of 64 bits */
	ROWS = 24,	   /* of what is no terminal */
	EVENT_MAX = 256,   /* bytes of an event's name, with the end */
	WHOLE = 10000,	   /* the share of a PMC that always had a counter */
	SHARE_DIGITS = 64, /* of a marked count, with the end */
};

/* Seconds; FreeBSD's. */
static const double default_interval = 5;
/* After a line that would have blocked. */
static const double retry_interval = 0.1;

struct column {
	pmc_id_t id;
	const char *event;
	bool cumulative;
	bool is_clock;		    /* of processes with their descendants */
	bool unreadable;	    /* which was told */
	struct pmc_count now, last; /* now: to be shown; last: of the line before */
};

struct counting {
	const struct count_options *options;
	VEC(struct column) columns;
	struct sink *sink; /* NULL before counting_open() */
	int fd;
	double began, next;   /* monotonic seconds: of the first interval, of the next line */
	unsigned int lines;   /* since the last header */
	int status, unusable; /* exit statuses: of readings; of writing, which then is over */
};

struct counting *counting_new(const struct count_options *options, struct err *err)
{
	struct counting *c = calloc(1, sizeof(*c));

	if (c)
		c->options = options;
	else
		err_nomem(err);
	return c;
}

void counting_free(struct counting *c)
{
	if (!c)
		return;
	if (c->sink && c->options->file)
		output_file_close(c->options->file, c->fd, c->sink, NULL);
	else
		sink_free(c->sink);
	vec_free(&c->columns);
	free(c);
}

int counting_add(struct counting *c, pmc_id_t id, const struct pmc_request *r, bool is_clock,
		 struct err *err)
{
	struct column col = {.id = id,
			     .event = r->spec,
			     .cumulative = r->cumulative,
			     .is_clock = is_clock && r->mode == PMC_MODE_TC &&
					 (r->flags & PMC_F_DESCENDANTS)};

	return vec_push(&c->columns, col) ? err_nomem(err) : 0;
}

int counting_open(struct counting *c, struct err *err)
{
	const char *file = c->options->file;

	c->fd = file ? output_file_open(file, err) : STDERR_FILENO;
	if (c->fd < 0)
		return -1;
	c->sink = sink_to_fd(c->fd);
	return c->sink ? 0 : err_nomem(err);
}

static double interval(const struct counting *c)
{
	return c->options->interval > 0 ? c->options->interval : default_interval;
}

void counting_begin(struct counting *c)
{
	c->began = status_now();
	c->next = c->began + interval(c);
}

double counting_wait(const struct counting *c)
{
	double left = c->next - status_now();

	return left > 0 ? left : 0;
}

static bool is_system(const struct column *col)
{
	return PMC_IS_SYSTEM_MODE((enum pmc_mode)PMC_ID_TO_MODE(col->id));
}

static void read_columns(struct counting *c)
{
	struct column *col;

	vec_each(col, &c->columns) {
		if (col->unreadable)
			continue;
		if (pmc_read_count(col->id, &col->now)) {
			col->unreadable = true;
			c->status = say_pmc_error();
		} else {
			col->event = col->now.event;
		}
	}
}

/* What a line says of a column. */
static struct pmc_count shown(const struct column *col)
{
	struct pmc_count n = col->now;

	if (!col->cumulative) {
		n.value -= col->last.value;
		n.enabled -= col->last.enabled;
		n.running -= col->last.running;
	}
	return n;
}

/* The share of its time that a PMC had a counter, rounded down; WHOLE where it is not known. */
static unsigned int share(const struct pmc_count *n)
{
	unsigned int part;

	if (n->running >= n->enabled)
		return WHOLE;
	part = (unsigned int)(WHOLE * ((double)n->running / (double)n->enabled));
	return part < WHOLE ? part : WHOLE - 1;
}

/* What would have been counted with a counter all the time. */
static uint64_t scaled(const struct pmc_count *n)
{
	double value = (double)n->value * ((double)n->enabled / (double)n->running);

	return value < 0x1p64 ? (uint64_t)value : UINT64_MAX;
}

static void header_text(const struct column *col, char *text, size_t size)
{
	if (is_system(col))
		snprintf(text, size, "s/%02u/%s", PMC_ID_TO_CPU(col->id), col->event);
	else
		snprintf(text, size, "p/%s", col->event);
}

static void count_text(const struct counting *c, const struct column *col, char *text, size_t size)
{
	struct pmc_count n = shown(col);
	unsigned int part = share(&n);
	bool scales = c->options->scale && n.running && part < WHOLE;

	if (col->unreadable) {
		snprintf(text, size, "-");
		return;
	}
	if (scales)
		n.value = scaled(&n);
	if (part == WHOLE)
		snprintf(text, size, "%" PRIu64, n.value);
	else
		snprintf(text, size, "%s%" PRIu64 "@%u.%u%%", scales ? "~" : "", n.value,
			 part / 100, part / 10 % 10);
}

/* A header lasts for a screen: with itself, and a blank line before it. */
static unsigned int lines_a_header(int fd)
{
	struct winsize size = {0};
	unsigned int rows = ROWS;

	if (!ioctl(fd, TIOCGWINSZ, &size) && size.ws_row)
		rows = size.ws_row;
	return rows > 3 ? rows - 2 : 1;
}

static void write_row(struct counting *c, bool is_header)
{
	char header[EVENT_MAX + 16], count[SHARE_DIGITS];
	const struct column *col;

	vec_each(col, &c->columns) {
		int width;

		header_text(col, header, sizeof(header));
		count_text(c, col, count, sizeof(count));
		width = (int)strlen(header) > DIGITS ? (int)strlen(header) : DIGITS;
		sink_str(c->sink, col > c->columns.v ? " " : is_header ? "# " : "  ");
		sink_printf(c->sink, "%*s", width, is_header ? header : count);
	}
	sink_char(c->sink, '\n');
}

static void write_columns(struct counting *c)
{
	if (c->lines >= lines_a_header(c->fd)) {
		sink_char(c->sink, '\n');
		c->lines = 0;
	}
	if (!c->lines++)
		write_row(c, true);
	write_row(c, false);
}

static void write_json_count(struct counting *c, const struct column *col)
{
	struct pmc_count n = shown(col);
	unsigned int part = share(&n);

	sink_str(c->sink, "{\"event\":");
	json_string(c->sink, col->event);
	if (is_system(col))
		sink_printf(c->sink, ",\"scope\":\"system\",\"cpu\":%u", PMC_ID_TO_CPU(col->id));
	else
		sink_str(c->sink, ",\"scope\":\"process\"");
	sink_printf(c->sink, ",\"cumulative\":%s,\"count\":", col->cumulative ? "true" : "false");
	if (col->unreadable) {
		sink_str(c->sink, "null}");
		return;
	}
	sink_u64(c->sink, n.value);
	if (n.enabled)
		sink_printf(c->sink, ",\"share\":%u.%04u", part / WHOLE, part % WHOLE);
	if (c->options->scale && n.running && part < WHOLE) {
		sink_str(c->sink, ",\"scaled\":");
		sink_u64(c->sink, scaled(&n));
	}
	sink_char(c->sink, '}');
}

static void write_json(struct counting *c)
{
	const struct column *col;

	sink_printf(c->sink, "{\"seconds\":%.6f,\"counts\":[", status_now() - c->began);
	vec_each(col, &c->columns) {
		if (col > c->columns.v)
			sink_char(c->sink, ',');
		write_json_count(c, col);
	}
	sink_str(c->sink, "]}\n");
}

static void write_line(struct counting *c)
{
	struct column *col;

	read_columns(c);
	if (c->options->json)
		write_json(c);
	else
		write_columns(c);
	vec_each(col, &c->columns)
		col->last = col->now;
}

static int say_unusable(struct counting *c, int error)
{
	const char *file = c->options->file;
	struct err err = {0};

	err_set(&err, EX_IOERR, "%s: cannot write counts: %s",
		!file		     ? "standard error"
		: !strcmp(file, "-") ? "standard output"
				     : file,
		strerror(error));
	err_hint_full(&err, error);
	return c->unusable = say_error(&err);
}

int counting_line(struct counting *c)
{
	struct pollfd p = {.fd = c->fd, .events = POLLOUT};
	double now = status_now(), every = interval(c);
	int error;

	if (poll(&p, 1, 0) != 1) {
		c->next = now + retry_interval;
		return 0;
	}
	c->next += every * (1 + floor((now - c->next) / every));
	write_line(c);
	error = sink_flush(c->sink);
	return error ? say_unusable(c, error) : 0;
}

int counting_finish(struct counting *c)
{
	struct err err = {0};
	int error;

	if (!c->unusable) {
		write_line(c);
		error = sink_flush(c->sink);
		if (error)
			say_unusable(c, error);
	}
	if (c->options->file) {
		if (output_file_close(c->options->file, c->fd, c->sink, &err) && !c->unusable)
			c->unusable = say_error(&err);
		c->sink = NULL;
	}
	return c->unusable ? c->unusable : c->status;
}

bool counting_has_processes(const struct counting *c)
{
	const struct column *col;

	vec_each(col, &c->columns)
		if (!is_system(col))
			return true;
	return false;
}

double counting_clock(const struct counting *c)
{
	const struct column *col;

	vec_each(col, &c->columns)
		if (col->is_clock && col->now.running >= col->now.enabled)
			return (double)col->now.value / 1e9;
	return -1;
}
