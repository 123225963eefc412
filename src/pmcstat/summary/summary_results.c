// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <sysexits.h>
#include <unistd.h>

#include "base/json.h"
#include "base/shell_word.h"
#include "callgraph/output/output.h"
#include "pmcstat/output_files.h"
#include "pmcstat/say.h"
#include "pmcstat/summary/summary_metrics.h"
#include "pmcstat/summary/summary_results.h"

/* One run does not tell how much runs differ. */
static double deviation(const struct metric_result *r)
{
	return r->runs > 1 && isfinite(r->mean) ? sqrt(r->squares / (r->runs - 1)) : NAN;
}

static void write_number(struct sink *sink, const char *mark, double value, int digits, int width)
{
	char text[400] = "-"; /* the largest double has 309 digits before the point */

	if (isfinite(value))
		snprintf(text, sizeof(text), "%s%.*f", mark, digits, value);
	sink_printf(sink, "%*s", width, text);
}

/* As its events were counted: those of user mode alone have the modifier behind them. */
static void write_formula(const struct metric_result *r, const struct metric *m, struct sink *sink)
{
	const char *word = m->formula;
	size_t n, k;

	for (; *word; word += n) {
		n = strcspn(word, " ");
		sink_write(sink, word, n);
		for (k = 0; k < METRIC_EVENTS && m->events[k]; k++)
			if (r->in_user_mode[k] && strlen(m->events[k]) == n &&
			    !strncmp(m->events[k], word, n))
				sink_str(sink, ":u");
		for (; word[n] == ' '; n++)
			sink_char(sink, ' ');
	}
}

static void write_metric(const struct metric_result *r, const struct metric *m, bool deviates,
			 struct sink *sink)
{
	sink_printf(sink, "%-31s ", m->name);
	write_number(sink, r->scaled ? "~" : "", r->mean, m->digits, 16);
	if (deviates) {
		sink_char(sink, ' ');
		write_number(sink, "", deviation(r), m->digits ? m->digits : 1, 14);
	}
	sink_printf(sink, "  %-5s  ", m->unit);
	write_formula(r, m, sink);
	if (r->share < 1)
		sink_printf(sink, "  @%.1f%%%s%s", floor(r->share * 1000) / 10,
			    r->share > 0 ? "" : ", never had a counter",
			    r->apart ? ", not in one group" : "");
	sink_char(sink, '\n');
}

static void write_missing(const struct summary_results *s, struct sink *sink)
{
	size_t i;

	if (!s->why[0])
		return;
	sink_str(sink, "\nMissing, for want of the event:\n");
	for (i = 0; i < nmetrics; i++)
		if (s->v[i].missing)
			sink_printf(sink, "%-31s %s\n", metrics[i].name, s->v[i].missing);
	sink_printf(sink, "%s; pmcstat --doctor tells more\n", s->why);
}

/* As a shell would be given it. */
static void write_command(char *const *command, struct sink *sink)
{
	struct sink *line = sink_to_memory();

	if (!line)
		return;
	sink_shell_words(line, command);
	cg_write_text(sink, sink_text(line, NULL));
	sink_free(line);
}

static void write_text(const struct summary_results *s, char **command, bool deviates,
		       struct sink *sink)
{
	size_t i;

	sink_printf(sink, "# %u %s of ", s->runs, s->runs == 1 ? "run" : "runs");
	write_command(command, sink);
	sink_char(sink, '\n');
	sink_printf(sink, "%-31s %16s", "METRIC", deviates ? "MEAN" : "VALUE");
	if (deviates)
		sink_printf(sink, " %14s", "DEVIATION");
	sink_str(sink, "  UNIT   FORMULA\n");
	for (i = 0; i < nmetrics; i++)
		if (s->v[i].runs)
			write_metric(&s->v[i], &metrics[i], deviates, sink);
	write_missing(s, sink);
}

static void write_json_number(struct sink *sink, const char *name, double value)
{
	if (isfinite(value))
		sink_printf(sink, ",\"%s\":%.9g", name, value);
	else
		sink_printf(sink, ",\"%s\":null", name);
}

static void write_json_formula(const struct metric_result *r, const struct metric *m,
			       struct sink *sink)
{
	struct sink *text = sink_to_memory();

	if (text)
		write_formula(r, m, text);
	json_string(sink, text ? sink_text(text, NULL) : m->formula);
	sink_free(text);
}

static void write_json(const struct summary_results *s, struct sink *sink)
{
	size_t i;

	for (i = 0; i < nmetrics; i++) {
		const struct metric_result *r = &s->v[i];

		if (!r->runs && !r->missing)
			continue;
		sink_str(sink, "{\"metric\":");
		json_string(sink, metrics[i].name);
		sink_str(sink, ",\"unit\":");
		json_string(sink, metrics[i].unit);
		sink_str(sink, ",\"formula\":");
		write_json_formula(r, &metrics[i], sink);
		sink_printf(sink, ",\"runs\":%u", r->runs);
		if (r->missing) {
			sink_str(sink, ",\"missing\":");
			json_string(sink, r->missing);
		} else {
			write_json_number(sink, "mean", r->mean);
			write_json_number(sink, "deviation", deviation(r));
			sink_printf(sink, ",\"share\":%.4f%s%s", r->share,
				    r->scaled && r->share > 0 ? ",\"scaled\":true" : "",
				    r->apart ? ",\"apart\":true" : "");
		}
		sink_str(sink, "}\n");
	}
}

int summary_results_write(const struct summary_results *s, char **command, bool deviates,
			  const struct count_options *options)
{
	const char *file = options->file;
	struct err err = {0};
	struct sink *sink;
	int fd = file ? output_file_open(file, &err) : STDERR_FILENO, error;

	if (fd < 0)
		return say_error(&err);
	sink = sink_to_fd(fd);
	if (sink && options->json)
		write_json(s, sink);
	else if (sink)
		write_text(s, command, deviates, sink);
	if (file)
		return output_file_close(file, fd, sink, &err) ? say_error(&err) : 0;
	error = sink ? sink_flush(sink) : ENOMEM;
	sink_free(sink);
	return error ? EX_IOERR : 0;
}
