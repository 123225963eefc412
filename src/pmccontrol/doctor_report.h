/* SPDX-License-Identifier: BSD-2-Clause */
/* The lines of the doctor's report: verdict, title, what was found, what to do about it. */
#ifndef PMCCONTROL_DOCTOR_REPORT_H
#define PMCCONTROL_DOCTOR_REPORT_H

#include "base/sink.h"

/* A line "ok  TITLE  TEXT", and one with the fix, unless that is NULL or "". */
void doctor_finding(struct sink *sink, const char *verdict, const char *title, const char *fix,
		    const char *fmt, ...) __attribute__((format(printf, 5, 6)));

/* A line "WHAT: TEXT" below a finding. */
void doctor_detail(struct sink *sink, const char *what, const char *text);

/* Names in lines that begin below each other. */
struct doctor_names {
	struct sink *text; /* in memory */
	size_t n, column;
};

void doctor_names_add(struct doctor_names *names, const char *name);
/* A finding of the names, if there are any. */
void doctor_names_write(struct sink *sink, const char *verdict, const char *title,
			struct doctor_names *names);

#endif
