// SPDX-License-Identifier: BSD-2-Clause
/* The lines of the doctor's report. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "pmccontrol/doctor_report.h"

enum { TITLE_WIDTH = 22, INDENT = TITLE_WIDTH + 5, LINE_WIDTH = 96 };

void doctor_detail(struct sink *sink, const char *what, const char *text)
{
	sink_printf(sink, "%*s %s: %s\n", INDENT - 1, "", what, text);
}

static void write_finding(struct sink *sink, const char *verdict, const char *title,
			  const char *text, const char *fix)
{
	sink_printf(sink, "%-3s %-*s ", verdict, TITLE_WIDTH, title);
	sink_str(sink, text);
	sink_char(sink, '\n');
	if (fix && *fix)
		doctor_detail(sink, "fix", fix);
}

void doctor_finding(struct sink *sink, const char *verdict, const char *title, const char *fix,
		    const char *fmt, ...)
{
	char text[2048];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	write_finding(sink, verdict, title, text, fix);
}

void doctor_names_add(struct doctor_names *names, const char *name)
{
	size_t width = strlen(name) + 1;

	if (names->n && names->column + width > LINE_WIDTH - INDENT) {
		sink_char(names->text, '\n');
		sink_fill(names->text, ' ', INDENT);
		names->column = 0;
	} else if (names->n) {
		sink_char(names->text, ' ');
	}
	sink_str(names->text, name);
	names->column += width;
	names->n++;
}

void doctor_names_write(struct sink *sink, const char *verdict, const char *title,
			struct doctor_names *names)
{
	if (names->n)
		write_finding(sink, verdict, title,
			      sink_flush(names->text) ? "(memory is short)"
						      : sink_text(names->text, NULL),
			      NULL);
}
